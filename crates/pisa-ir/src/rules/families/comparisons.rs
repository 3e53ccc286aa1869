//! Comparisons, and predicates that go through registers.

use super::{Family, family};

const T: &str = "16b 32b 64b";
/// A comparison and its negation.
const NEGATED: &str = "eq/ne ne/eq lt/ge ge/lt gt/le le/gt";

pub(super) const FAMILIES: &[Family] = &[
    family(
        "compared with itself",
        &[("O R", "eq/true ne/false lt/false gt/false le/true ge/true"), ("S", "ucmp scmp"), ("T", T)],
        "{S}.{O}.{T}(x, x)",
        "",
        "{R}",
    ),
    family("less than nothing", &[("O R", "lt/false ge/true"), ("T", T)], "ucmp.{O}.{T}(x, 0)", "", "{R}"),
    family(
        "more than everything",
        &[("O R", "gt/false le/true"), ("T", T)],
        "ucmp.{O}.{T}(x, ~0)",
        "",
        "{R}",
    ),
    family(
        "more than the greatest",
        &[("O R", "gt/false le/true"), ("T", T)],
        "scmp.{O}.{T}(x, MAX)",
        "",
        "{R}",
    ),
    family(
        "less than the least",
        &[("O R", "lt/false ge/true"), ("T", T)],
        "scmp.{O}.{T}(x, MIN)",
        "",
        "{R}",
    ),
    // A predicate that was put into a register.
    family(
        "predicate of a boolean",
        &[("S", "ucmp scmp"), ("T", T)],
        "{S}.ne.{T}(sel.{T}(c, 0, p), 0)",
        "nonzero c",
        "p",
    ),
    family(
        "negated predicate of a boolean",
        &[("S", "ucmp scmp"), ("T", T)],
        "{S}.eq.{T}(sel.{T}(c, 0, p), 0)",
        "nonzero c",
        "!p",
    ),
    family(
        "predicate of one of two constants",
        &[("S", "ucmp scmp"), ("T", T)],
        "{S}.eq.{T}(sel.{T}(c, d, p), e)",
        "distinct c d, equal c e",
        "p",
    ),
    family(
        "predicate of the other of two constants",
        &[("S", "ucmp scmp"), ("T", T)],
        "{S}.ne.{T}(sel.{T}(c, d, p), e)",
        "distinct c d, equal c e",
        "!p",
    ),
    family(
        "comparison in a register, asked for",
        &[("S", "ucmp scmp"), ("O N", NEGATED), ("T", T)],
        "ucmp.ne.32b({S}.{O}.{T}:r(x, y), 0)",
        "",
        "{S}.{O}.{T}(x, y)",
    ),
    family(
        "comparison in a register, denied",
        &[("S", "ucmp scmp"), ("O N", NEGATED), ("T", T)],
        "ucmp.eq.32b({S}.{O}.{T}:r(x, y), 0)",
        "",
        "{S}.{N}.{T}(x, y)",
    ),
    family(
        "float comparison in a register, asked for",
        &[("O", "eq ne lt le gt ge"), ("T", "hf bf f df")],
        "ucmp.ne.32b(fcmp.{O}.{T}:r(x, y), 0)",
        "",
        "fcmp.{O}.{T}(x, y)",
    ),
    family(
        "complement of a comparison",
        &[("S", "ucmp scmp"), ("O N", NEGATED), ("T", T)],
        "not.32b({S}.{O}.{T}:r(x, y))",
        "",
        "{S}.{N}.{T}:r(x, y)",
    ),
    family(
        "boolean of a comparison",
        &[("S", "ucmp scmp"), ("O N", NEGATED), ("T", T)],
        "sel.32b(~0, 0, {S}.{O}.{T}(x, y))",
        "",
        "{S}.{O}.{T}:r(x, y)",
    ),
    family(
        "float boolean of a comparison",
        &[("O", "eq ne lt le gt ge"), ("T", "hf bf f df")],
        "sel.32b(~0, 0, fcmp.{O}.{T}(x, y))",
        "",
        "fcmp.{O}.{T}:r(x, y)",
    ),
    family("choice by a boolean", &[], "sel.32b:r(x, y, sel.32b(c, 0, p))", "nonzero c", "sel.32b(x, y, p)"),
    // Both sides alike.
    family(
        "compared after an exclusive or",
        &[("O", "eq ne"), ("T", T)],
        "ucmp.{O}.{T}(xor.{T}(x, y), 0)",
        "",
        "ucmp.{O}.{T}(x, y)",
    ),
    family(
        "compared after a difference",
        &[("O", "eq ne"), ("S", "ucmp scmp"), ("T", T)],
        "{S}.{O}.{T}(isub.{T}(x, y), 0)",
        "",
        "{S}.{O}.{T}(x, y)",
    ),
    family(
        "both more by the same",
        &[("O", "eq ne"), ("S", "ucmp scmp"), ("T", T)],
        "{S}.{O}.{T}(iadd.{T}(x, z), iadd.{T}(y, z))",
        "",
        "{S}.{O}.{T}(x, y)",
    ),
    family(
        "constant on both sides",
        &[("O", "eq ne"), ("S", "ucmp scmp"), ("T", T)],
        "{S}.{O}.{T}(iadd.{T}(x, c), d)",
        "constant c, constant d",
        "{S}.{O}.{T}(x, isub.{T}(d, c))",
    ),
    family(
        "bits counted and compared with none",
        &[("O", "eq ne"), ("T", "16b 32b")],
        "ucmp.{O}.{T}(cbit.{T}(x), 0)",
        "",
        "ucmp.{O}.{T}(x, 0)",
    ),
    family(
        "both extended",
        &[("O", "eq ne lt le gt ge"), ("W N", "32b/16b 64b/32b")],
        "ucmp.{O}.{W}(zext.{W}.{N}(x), zext.{W}.{N}(y))",
        "",
        "ucmp.{O}.{N}(x, y)",
    ),
    family(
        "both extended with their sign",
        &[("O", "eq ne lt le gt ge"), ("W N", "32b/16b 64b/32b")],
        "scmp.{O}.{W}(sext.{W}.{N}(x), sext.{W}.{N}(y))",
        "",
        "scmp.{O}.{N}(x, y)",
    ),
];
