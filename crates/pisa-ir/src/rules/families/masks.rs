//! Masks, active sets, and which lanes take part.

use super::{Family, family};

pub(super) const FAMILIES: &[Family] = &[
    family("active set that is full", &[], "active()", "full", "ALL"),
    family("own lane in a mask of all", &[("T", "inverse(ALL) bit(ALL,i)")], "{T}", "", "true"),
    family("own lane in no mask", &[("T", "inverse(0) bit(0,i)")], "{T}", "", "false"),
    family(
        "own lane in the active set",
        &[("T", "inverse(active()) bit(active(),%laneid)")],
        "{T}",
        "",
        "true",
    ),
    family("bit of the own lane", &[], "bit(m, %laneid)", "", "inverse(m)"),
    family("least lane of the active set", &[("C", "least fbl.32b")], "{C}(active())", "", "first(ALL)"),
    family("lanes of a mask that are active", &[], "first(and.32b(m, active()))", "", "first(m)"),
    family("first lane of a full set", &[], "first(ALL)", "full", "0"),
    family("first lane of a known mask", &[], "first(m)", "full, constant m", "least(m)"),
    family("first lane of no mask", &[], "first(0)", "", "~0"),
    // Nobody takes part: everything is kept.
    family("vote with no mask", &[("V", "any all quad_any quad_all")], "{V}(p, 0, q)", "", "q"),
    family("ballot with no mask", &[], "ballot(p, 0, o)", "", "o"),
    family("election with no mask", &[], "elect(0, q)", "", "q"),
    family(
        "reduction with no mask",
        &[("R", REDUCTIONS), ("T", "16b 32b")],
        "reduce.{R}.{T}(x, 0, o)",
        "",
        "o",
    ),
    family("float reduction with no mask", &[("R", FLOATS)], "reduce.{R}.f(x, 0, o)", "", "o"),
    family("shuffle with no mask", &[("K", SHUFFLES)], "shuffle.{K}.32b(x, i, 0, o)", "", "o"),
    // A mask that has every active lane is as good as all ones, and nothing is kept.
    family(
        "vote with a mask of all active lanes",
        &[("V", "any all quad_any quad_all ballot")],
        "{V}(p, m, o)",
        "contains m",
        "{V}(p, ALL)",
    ),
    family("election with a mask of all active lanes", &[], "elect(m, q)", "contains m", "elect(ALL)"),
    family(
        "reduction with a mask of all active lanes",
        &[("R", REDUCTIONS), ("T", "16b 32b")],
        "reduce.{R}.{T}(x, m, o)",
        "contains m",
        "reduce.{R}.{T}(x, ALL)",
    ),
    family(
        "float reduction with a mask of all active lanes",
        &[("R", FLOATS), ("T", "hf bf f")],
        "reduce.{R}.{T}(x, m, o)",
        "contains m",
        "reduce.{R}.{T}(x, ALL)",
    ),
    family(
        "shuffle with a mask of all active lanes",
        &[("K", SHUFFLES)],
        "shuffle.{K}.32b(x, i, m, o)",
        "contains m",
        "shuffle.{K}.32b(x, i, ALL)",
    ),
    // The active lanes need not be cut out of a mask once more.
    family(
        "mask cut to the active lanes in a reduction",
        &[("R", REDUCTIONS)],
        "reduce.{R}.32b(x, and.32b(m, active()), o)",
        "",
        "reduce.{R}.32b(x, m, o)",
    ),
    family(
        "mask cut to the active lanes in a vote",
        &[("V", "any all ballot")],
        "{V}(p, and.32b(m, active()), o)",
        "",
        "{V}(p, m, o)",
    ),
    family(
        "mask cut to the active lanes in a shuffle",
        &[("K", SHUFFLES)],
        "shuffle.{K}.32b(x, i, and.32b(m, active()), o)",
        "",
        "shuffle.{K}.32b(x, i, m, o)",
    ),
    family(
        "active set as mask of a reduction",
        &[("R", REDUCTIONS)],
        "reduce.{R}.32b(x, active())",
        "",
        "reduce.{R}.32b(x, ALL)",
    ),
    family("active set as mask of a vote", &[("V", "any all ballot")], "{V}(p, active())", "", "{V}(p, ALL)"),
    family(
        "active set as mask of a shuffle",
        &[("K", SHUFFLES)],
        "shuffle.{K}.32b(x, i, active())",
        "",
        "shuffle.{K}.32b(x, i, ALL)",
    ),
    // The lanes that take part, in the mask rather than in the data: to be had for the ballot, which is dearer unless it is there.
    family(
        "reduction under a ballot",
        &[("R OP ID", super::REDUCTIONS)],
        "reduce.{R}.32b(x, ballot(p, ALL))",
        "",
        "reduce.{R}.32b(sel.32b(x, {ID}, p), ALL)",
    ),
    family(
        "reduction under a ballot that keeps",
        &[("R OP ID", super::REDUCTIONS)],
        "reduce.{R}.32b(x, ballot(p, ALL), o)",
        "",
        "sel.32b(reduce.{R}.32b(sel.32b(x, {ID}, p), ALL), o, p)",
    ),
];

const REDUCTIONS: &str = "sum and or xor smin smax umin umax absmax";
const FLOATS: &str = "fmin fmax fabsmax fmin.nanp fmax.nanp fabsmax.nanp";
const SHUFFLES: &str = "index xor up down";
