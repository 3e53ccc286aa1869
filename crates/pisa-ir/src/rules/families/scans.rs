//! Scans.

use super::{Family, IDEMPOTENT, REDUCTIONS, family};

pub(super) const FAMILIES: &[Family] = &[
    family(
        "exclusive scan with its own value",
        &[("R OP ID", REDUCTIONS), ("T", "16b 32b 64b")],
        "{OP}.{T}(exclusive.{R}.{T}(x, m), x)",
        "",
        "inclusive.{R}.{T}(x, m)",
    ),
    family(
        "exclusive scan with its own value in clusters",
        &[("R OP ID", REDUCTIONS), ("C", "2 4 8 16")],
        "{OP}.32b(exclusive.{R}.{C}.32b(x, m), x)",
        "",
        "inclusive.{R}.{C}.32b(x, m)",
    ),
    family(
        "inclusive sum without its own value",
        &[("R OP", "sum/isub xor/xor"), ("T", "16b 32b 64b")],
        "{OP}.{T}(inclusive.{R}.{T}(x, m), x)",
        "",
        "exclusive.{R}.{T}(x, m)",
    ),
    family(
        "inclusive scan of a uniform value",
        &[("R OP ID", IDEMPOTENT), ("T", "16b 32b 64b")],
        "inclusive.{R}.{T}(u, m)",
        "uniform u",
        "u",
    ),
    family(
        "inclusive scan in one lane",
        &[("R OP ID", REDUCTIONS), ("T", "16b 32b 64b")],
        "inclusive.{R}.{T}(x, m)",
        "single m",
        "x",
    ),
    family(
        "exclusive scan in one lane",
        &[("R OP ID", REDUCTIONS), ("T", "16b 32b 64b")],
        "exclusive.{R}.{T}(x, m)",
        "single m",
        "{ID}",
    ),
    family(
        "exclusive scan in clusters of one",
        &[("R OP ID", REDUCTIONS)],
        "exclusive.{R}.1.32b(x, m)",
        "",
        "{ID}",
    ),
    family(
        "scan of the identity",
        &[("S", "inclusive exclusive"), ("R OP ID", REDUCTIONS), ("T", "16b 32b")],
        "{S}.{R}.{T}({ID}, m)",
        "",
        "{ID}",
    ),
    family(
        "exclusive count of lanes",
        &[],
        "exclusive.sum.32b(sel.32b(1, 0, p), m)",
        "uniform m, defined p",
        "count.exclusive(ballot(p, m))",
    ),
    family(
        "inclusive count of lanes",
        &[],
        "inclusive.sum.32b(sel.32b(1, 0, p), m)",
        "uniform m, defined p",
        "count.inclusive(ballot(p, m))",
    ),
    family(
        "exclusive sum of a uniform value",
        &[],
        "exclusive.sum.32b(u, ALL)",
        "uniform u",
        "umul.32b(u, count.exclusive(active()))",
    ),
    family(
        "inclusive sum of a uniform value",
        &[],
        "inclusive.sum.32b(u, ALL)",
        "uniform u",
        "umul.32b(u, count.inclusive(active()))",
    ),
    family(
        "sum of two scans of one mask",
        &[("S", "inclusive exclusive"), ("R OP ID", REDUCTIONS), ("T", "16b 32b")],
        "{OP}.{T}({S}.{R}.{T}(x, m), {S}.{R}.{T}(y, m))",
        "",
        "{S}.{R}.{T}({OP}.{T}(x, y), m)",
    ),
];
