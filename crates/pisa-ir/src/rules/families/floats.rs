//! Floating-point reductions, and the few laws of lane-wise arithmetic that hold for every NaN, zero and infinity.
//!
//! Results are equal to the last bit, payloads and signs of NaNs included (P-04, S-20). So `x - -y` is not `x + y`, and two reductions that
//! propagate NaNs are not one.

use super::{Family, family};

pub(super) const FAMILIES: &[Family] = &[
    family(
        "greatest of absolute floats",
        &[("A B", "fmax/fabsmax fmax.nanp/fabsmax.nanp"), ("T", "hf bf f")],
        "reduce.{A}.{T}(fabs.{T}(x), m)",
        "",
        "reduce.{B}.{T}(x, m)",
    ),
    family(
        "absolute greatest of floats whose sign does not matter",
        &[("A", "fabs fneg"), ("B", "fabsmax fabsmax.nanp"), ("T", "hf bf f")],
        "reduce.{B}.{T}({A}.{T}(x), m)",
        "",
        "reduce.{B}.{T}(x, m)",
    ),
    family(
        "absolute value of an absolute greatest",
        &[("B", "fabsmax fabsmax.nanp"), ("T", "hf bf f")],
        "fabs.{T}(reduce.{B}.{T}(x, m))",
        "",
        "reduce.{B}.{T}(x, m)",
    ),
    family(
        "negation of an extreme of negations",
        &[("A B", "fmax/fmin fmin/fmax fmax.nanp/fmin.nanp fmin.nanp/fmax.nanp"), ("T", "hf bf f")],
        "fneg.{T}(reduce.{A}.{T}(fneg.{T}(x), m))",
        "",
        "reduce.{B}.{T}(x, m)",
    ),
    family(
        "absolute value twice",
        &[("A", "fabs fneg"), ("T", "hf bf f df")],
        "fabs.{T}({A}.{T}(x))",
        "",
        "fabs.{T}(x)",
    ),
    family(
        "float reduction of a reduction",
        &[("R", "fmin fmax fmin.nanp fmax.nanp fabsmax fabsmax.nanp"), ("T", "hf bf f")],
        "reduce.{R}.{T}(reduce.{R}.{T}(x, m), m)",
        "uniform m",
        "reduce.{R}.{T}(x, m)",
    ),
    family(
        "two float reductions of one mask",
        &[("R", "fmin fmax"), ("T", "hf bf f")],
        "{R}.{T}(reduce.{R}.{T}(x, m), reduce.{R}.{T}(y, m))",
        "",
        "reduce.{R}.{T}({R}.{T}(x, y), m)",
    ),
];
