//! Shuffles, reads and exchanges within quads.

use super::{Family, family};

/// Lane-wise operations of two 32-bit operands: what comes of both going through one shuffle.
const LANE_WISE: &str = "iadd.32b isub.32b and.32b or.32b xor.32b smin.32b smax.32b umin.32b umax.32b umul.32b smul.32b \
                         fadd.f fsub.f fmul.f fmin.f fmax.f";

pub(super) const FAMILIES: &[Family] = &[
    family(
        "shuffle to itself",
        &[("K", "xor up down"), ("U", "32b 32b? 64b 16b")],
        "shuffle.{K}.{U}(x, 0, m)",
        "",
        "x",
    ),
    family(
        "shuffle from the own lane",
        &[("U", "32b 32b? 64b 16b")],
        "shuffle.index.{U}(x, %laneid, m)",
        "",
        "x",
    ),
    family("rotation by nothing", &[("U", "32b 32b? 64b")], "rotate.{U}(x, 0, m)", "", "x"),
    family(
        "shuffle in one lane",
        &[("K", "index xor up down"), ("U", "32b 64b 16b")],
        "shuffle.{K}.{U}(x, i, m)",
        "single m",
        "x",
    ),
    family("exchange in one lane", &[("D", "h v d")], "quad_swap.{D}.32b(x, m)", "single m", "x"),
    family("first read in one lane", &[("U", "32b 64b 16b f p")], "read_first.{U}(x, m)", "single m", "x"),
    family(
        "lane-wise operation of two shuffles",
        &[("OP", LANE_WISE), ("K", "index xor up down")],
        "{OP}(shuffle.{K}.32b(x, i, m), shuffle.{K}.32b(y, i, m))",
        "",
        "shuffle.{K}.32b({OP}(x, y), i, m)",
    ),
    family(
        "lane-wise operation of two undefined shuffles",
        &[("OP", "iadd.32b xor.32b fadd.f"), ("K", "index xor up down")],
        "{OP}(shuffle.{K}.32b?(x, i, m), shuffle.{K}.32b?(y, i, m))",
        "",
        "shuffle.{K}.32b?({OP}(x, y), i, m)",
    ),
    family(
        "lane-wise operation of two reads",
        &[("OP", LANE_WISE)],
        "{OP}(read_first.32b(x, m), read_first.32b(y, m))",
        "",
        "read_first.32b({OP}(x, y), m)",
    ),
    family(
        "lane-wise operation of two exchanges",
        &[("OP", LANE_WISE), ("D", "h v d")],
        "{OP}(quad_swap.{D}.32b(x, m), quad_swap.{D}.32b(y, m))",
        "",
        "quad_swap.{D}.32b({OP}(x, y), m)",
    ),
    family(
        "lane-wise operation of a shuffle and a uniform value",
        &[("OP", "iadd.32b and.32b or.32b xor.32b umul.32b"), ("K", "index xor up down")],
        "{OP}(shuffle.{K}.32b({OP}(x, u), i, m), v)",
        "uniform u, constant u, constant v",
        "{OP}(shuffle.{K}.32b(x, i, m), {OP}(u, v))",
    ),
    // Shuffles of shuffles.
    family(
        "butterfly of a butterfly",
        &[("U", "32b 32b?")],
        "shuffle.xor.{U}(shuffle.xor.{U}(x, i, m), j, m)",
        "uniform m, closed m i, closed m j",
        "shuffle.xor.{U}(x, xor.32b(i, j), m)",
    ),
    family(
        "butterfly there and back",
        &[("U", "32b 32b?")],
        "shuffle.xor.{U}(shuffle.xor.{U}(x, i, m), i, m)",
        "uniform i, uniform m",
        "x",
    ),
    family(
        "exchange there and back",
        &[("D", "h v d")],
        "quad_swap.{D}.32b(quad_swap.{D}.32b(x, m), m)",
        "uniform m",
        "x",
    ),
    family(
        "shuffle of what all lanes read",
        &[("K", "index xor up down")],
        "shuffle.{K}.32b(shuffle.index.32b(x, c, ALL), j, m)",
        "member c m",
        "shuffle.index.32b(x, c, ALL)",
    ),
    family(
        "rotation of a rotation",
        &[("U", "32b 32b?")],
        "rotate.{U}(rotate.{U}(x, i, ALL), j, ALL)",
        "full, constant i, constant j",
        "rotate.{U}(x, iadd.32b(i, j), ALL)",
    ),
    family(
        "shuffle of a shuffle by index",
        &[("U", "32b?")],
        "shuffle.index.{U}(shuffle.index.{U}(x, i, m), j, m)",
        "uniform m",
        "shuffle.index.{U}(x, shuffle.index.32b?(i, j, m), m)",
    ),
    family(
        "shuffle of a shuffle by index, own values",
        &[],
        "shuffle.index.32b(shuffle.index.32b(x, i, m), j, m)",
        "uniform m",
        "shuffle.index.32b(x, shuffle.index.32b(sel.32b(i, %laneid, bit(and.32b(m, active()), and.32b(i, 31))), j, m), m)",
    ),
    // What PISA text writes.
    family(
        "written read of the first lane",
        &[("K", "shuffle.index read")],
        "{K}.32b(x, first(m), m)",
        "",
        "read_first.32b(x, m)",
    ),
    family(
        "written butterfly",
        &[],
        "shuffle.index.32b(x, xor.32b(%laneid, c), m)",
        "below c 32",
        "shuffle.xor.32b(x, c, m)",
    ),
    family("first lane of all", &[], "read_first.32b(%laneid, m)", "", "first(m)"),
];
