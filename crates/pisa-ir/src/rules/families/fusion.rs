//! Several lane-wise operations that PISA has as one. They come last, as they hide what other rules look for.

use super::{Family, family};

pub(super) const FAMILIES: &[Family] = &[
    // x + y * 2^c.
    family(
        "shifted in a sum",
        &[("T L", "16b/16 32b/32 64b/64")],
        "iadd.{T}(shl.{T}(x, c), y)",
        "below c {L}",
        "umad.{T}(x, shl.{T}(1, c), y)",
    ),
    // bfn: what becomes of 0xaa, 0xcc and 0xf0 is the name of the function (3.4).
    family(
        "two of and, or, xor",
        &[(
            "A B F",
            "and/and/80 and/or/e0 and/xor/60 or/and/f8 or/or/fe or/xor/f6 xor/and/78 xor/or/1e xor/xor/96",
        )],
        "{A}.32b({B}.32b(x, y), z)",
        "",
        "bfn.0x{F}.32b(x, y, z)",
    ),
    family(
        "with a complement",
        &[("A F", "and/22 or/bb xor/99")],
        "{A}.32b(x, not.32b(y))",
        "",
        "bfn.0x{F}.32b(x, y, 0)",
    ),
    family(
        "complement of and, or, xor",
        &[("A F", "and/77 or/11 xor/99")],
        "not.32b({A}.32b(x, y))",
        "",
        "bfn.0x{F}.32b(x, y, 0)",
    ),
    // Least and greatest by comparison and selection.
    family(
        "chosen by comparison",
        &[
            (
                "S C O",
                "umin/ucmp/lt umin/ucmp/le umax/ucmp/gt umax/ucmp/ge smin/scmp/lt smin/scmp/le smax/scmp/gt smax/scmp/ge",
            ),
            ("T", "16b 32b 64b"),
        ],
        "sel.{T}(x, y, {C}.{O}.{T}(x, y))",
        "",
        "{S}.{T}(x, y)",
    ),
    family(
        "chosen by comparison the other way",
        &[
            (
                "S C O",
                "umin/ucmp/gt umin/ucmp/ge umax/ucmp/lt umax/ucmp/le smin/scmp/gt smin/scmp/ge smax/scmp/lt smax/scmp/le",
            ),
            ("T", "16b 32b 64b"),
        ],
        "sel.{T}(y, x, {C}.{O}.{T}(x, y))",
        "",
        "{S}.{T}(x, y)",
    ),
];
