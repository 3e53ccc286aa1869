//! What is not true: the checker finds a witness for each.

use crate::rules::check::{Effort, Refutation, check};
use crate::rules::{Family, expand};
use std::io::Write;

const fn wrong(
    name: &'static str,
    pattern: &'static str,
    when: &'static str,
    replacement: &'static str,
) -> Family {
    Family { name, over: &[], pattern, when, replacement }
}

/// Claims that are made of sub-group operations, in other compilers or at first sight.
const CLAIMS: &[Family] = &[
    // Lanes outside the mask keep a value that is not complemented.
    wrong(
        "De Morgan outside the mask",
        "not.32b(reduce.or.32b(x, m, o))",
        "",
        "reduce.and.32b(not.32b(x), m, o)",
    ),
    // The least integer is its own negation.
    wrong(
        "negation of the greatest",
        "ineg.32b(reduce.smax.32b(x, m))",
        "",
        "reduce.smin.32b(ineg.32b(x), m)",
    ),
    wrong("sum of a sum", "reduce.sum.32b(reduce.sum.32b(x, m), m)", "uniform m", "reduce.sum.32b(x, m)"),
    wrong(
        "parity of a parity",
        "reduce.xor.32b(reduce.xor.32b(x, m), m)",
        "uniform m",
        "reduce.xor.32b(x, m)",
    ),
    // x + u may wrap around.
    wrong(
        "greatest of sums",
        "reduce.umax.32b(iadd.32b(x, u), m)",
        "uniform u",
        "iadd.32b(reduce.umax.32b(x, m), u)",
    ),
    wrong(
        "signed greatest of sums",
        "reduce.smax.32b(iadd.32b(x, u), m)",
        "uniform u",
        "iadd.32b(reduce.smax.32b(x, m), u)",
    ),
    // Right where p holds; the other lanes want a result too.
    wrong(
        "reduction under a ballot for all",
        "reduce.sum.32b(sel.32b(x, 0, p), ALL)",
        "",
        "reduce.sum.32b(x, ballot(p, ALL))",
    ),
    wrong(
        "reduction under a ballot that keeps 0",
        "reduce.or.32b(sel.32b(x, 0, p), ALL)",
        "",
        "reduce.or.32b(x, ballot(p, ALL), 0)",
    ),
    // A lane whose partner does not take part keeps its own value, half-way too.
    wrong(
        "butterfly of a butterfly, any mask",
        "shuffle.xor.32b(shuffle.xor.32b(x, i, m), j, m)",
        "uniform m, constant i, constant j",
        "shuffle.xor.32b(x, xor.32b(i, j), m)",
    ),
    wrong(
        "shift by two steps",
        "shuffle.up.32b(shuffle.up.32b(x, 1, ALL), 1, ALL)",
        "",
        "shuffle.up.32b(x, 2, ALL)",
    ),
    wrong(
        "shift by two steps in a full set",
        "shuffle.up.32b(shuffle.up.32b(x, 1, ALL), 1, ALL)",
        "full",
        "shuffle.up.32b(x, 2, ALL)",
    ),
    wrong(
        "shift down by two steps in a full set",
        "shuffle.down.32b(shuffle.down.32b(x, 1, ALL), 1, ALL)",
        "full",
        "shuffle.down.32b(x, 2, ALL)",
    ),
    // Both arms of a branch reduce: two reductions, not one.
    wrong(
        "arms of a branch as one",
        "reduce.sum.32b(x, ballot(!p, ALL), reduce.sum.32b(x, ballot(p, ALL)))",
        "",
        "reduce.sum.32b(x, ALL)",
    ),
    wrong(
        "arms of a branch as one, idempotent",
        "reduce.or.32b(x, ballot(!p, ALL), reduce.or.32b(x, ballot(p, ALL)))",
        "",
        "reduce.or.32b(x, ALL)",
    ),
    // The reduction of more lanes is not that of fewer.
    wrong(
        "outer reduction within a branch",
        "reduce.or.32b(x, ballot(p, ALL), o)",
        "",
        "sel.32b(reduce.or.32b(x, ALL), o, p)",
    ),
    wrong("outer ballot within a branch", "ballot(q, ballot(p, ALL), 0)", "", "ballot(q, ALL)"),
    wrong(
        "outer shuffle within a branch",
        "shuffle.down.32b(x, 1, ballot(p, ALL), o)",
        "",
        "sel.32b(shuffle.down.32b(x, 1, ALL), o, p)",
    ),
];

/// Planted: rules of the table, each with one thing wrong.
const PLANTED: &[Family] = &[
    wrong("kept value ignored", "reduce.or.32b(x, m, o)", "", "reduce.or.32b(x, m)"),
    wrong(
        "uniform by a constant index",
        "reduce.umax.32b(shuffle.index.32b(x, c, ALL), ALL)",
        "constant c",
        "shuffle.index.32b(x, c, ALL)",
    ),
    wrong(
        "butterfly twice without closure",
        "shuffle.xor.32b(shuffle.xor.32b(x, i, ALL), 1, ALL)",
        "constant i",
        "shuffle.xor.32b(x, xor.32b(i, 1), ALL)",
    ),
    wrong(
        "butterfly by an own distance",
        "reduce.sum.32b(shuffle.xor.32b(x, k, m), m)",
        "uniform m",
        "reduce.sum.32b(x, m)",
    ),
    wrong("masks that differ", "reduce.or.32b(reduce.or.32b(x, m), m)", "", "reduce.or.32b(x, m)"),
    wrong(
        "two masks",
        "iadd.32b(reduce.sum.32b(x, m), reduce.sum.32b(y, n))",
        "",
        "reduce.sum.32b(iadd.32b(x, y), m)",
    ),
    wrong("sum of a uniform value in any set", "reduce.sum.32b(u, ALL)", "uniform u", "shl.32b(u, 5)"),
    wrong("vote of all where any is meant", "any(!p, m)", "", "any(p, m)"),
    wrong("equal NaNs", "all_equal.f(u, m)", "uniform u", "true"),
    wrong("quiet NaNs left signalling", "reduce.fmin.f(u, m)", "uniform u", "u"),
    wrong("sign of NaNs", "fadd.f(x, fneg.f(y))", "", "fsub.f(x, y)"),
    wrong("product of negated NaNs", "fmul.f(fneg.f(x), fneg.f(y))", "", "fmul.f(x, y)"),
    wrong(
        "which NaN wins",
        "fmin.nanp.f(reduce.fmin.nanp.f(x, m), reduce.fmin.nanp.f(y, m))",
        "",
        "reduce.fmin.nanp.f(fmin.nanp.f(x, y), m)",
    ),
    wrong("nothing added to a float", "fadd.f(x, 0)", "", "x"),
    wrong("float multiplied by one", "fmul.f(x, 0x3f800000)", "", "x"),
    wrong(
        "sum of an infinity that nobody has",
        "reduce.sum.f(sel.32b(u, 0, p), ALL)",
        "uniform u",
        "fmul.f(u, i2f.f.u32(count(ballot(p, ALL))))",
    ),
    wrong("greatest signed absolute value", "reduce.smax.32b(iabs.32b(x), m)", "", "reduce.absmax.32b(x, m)"),
    wrong(
        "partners that are not all",
        "iadd.32b(iadd.32b(x, shuffle.xor.32b(x, 30, ALL)), shuffle.xor.32b(iadd.32b(x, shuffle.xor.32b(x, 30, ALL)), 1, ALL))",
        "full",
        "reduce.sum.32b(x, ALL)",
    ),
    wrong("partners of a part", "or.32b(x, shuffle.xor.32b(x, 16, ALL))", "", "reduce.or.32b(x, ALL)"),
    wrong(
        "exclusive scan without its own value",
        "exclusive.umax.32b(x, ALL)",
        "",
        "inclusive.umax.32b(x, ALL)",
    ),
    wrong("elected by number", "elect(ALL)", "", "ucmp.eq.32b(%laneid, 0)"),
    wrong("lanes of a mask that are not active", "first(m)", "constant m", "least(m)"),
    wrong("ballot of a mask", "ballot(true, m)", "", "m"),
    wrong(
        "undefined source taken for the own value",
        "shuffle.up.32b(x, 1, ALL)",
        "",
        "shuffle.up.32b?(x, 1, ALL)",
    ),
    wrong(
        "shift by too much",
        "shl.32b(shl.32b(x, c), d)",
        "below c 33, below d 33",
        "shl.32b(x, iadd.32b(c, d))",
    ),
    wrong("rounded down", "sdiv.32b(x, 2)", "", "asr.32b(x, 1)"),
    wrong(
        "constant moved over an unsigned comparison",
        "ucmp.lt.32b(iadd.32b(x, c), d)",
        "constant c, constant d",
        "ucmp.lt.32b(x, isub.32b(d, c))",
    ),
];

#[test]
fn wrong_rules_are_refuted() {
    let effort = Effort::default();
    for family in CLAIMS.iter().chain(PLANTED) {
        for rule in expand(family).unwrap() {
            match check(&rule, &effort) {
                Err(Refutation::Different(witness)) => {
                    let _ = writeln!(std::io::stdout(), "{}: {}\n  {witness}", rule.name, rule.text);
                    assert_ne!(witness.pattern, witness.replacement);
                    assert!(witness.assignment.is_active(witness.lane));
                }
                other => panic!("{}: {} is not refuted: {other:?}", rule.name, rule.text),
            }
        }
    }
}

/// A rule that the checker cannot run, or for which it has no case, does not pass.
#[test]
fn rules_without_cases_do_not_pass() {
    let never = wrong("never", "shl.32b(x, c)", "below c 0", "x");
    for rule in expand(&never).unwrap() {
        assert!(matches!(check(&rule, &Effort::default()), Err(Refutation::NoCase)));
    }
    // A pattern that is never defined says nothing.
    let nowhere = wrong("nowhere", "reduce.sum.32b(x, 0)", "", "7");
    for rule in expand(&nowhere).unwrap() {
        assert!(matches!(check(&rule, &Effort::default()), Err(Refutation::NoCase)));
    }
    for (pattern, when, replacement) in [
        ("iadd.32b(x, y)", "", "z"),
        ("iadd.32b(x)", "", "x"),
        ("iadd.32b(x, y)", "nonsense x", "x"),
        ("iadd.32b(x, y) y", "", "x"),
        ("zext.32b.16b(x)", "", "x"),
        ("nothing(x)", "", "x"),
    ] {
        assert!(expand(&wrong("unreadable", pattern, when, replacement)).is_err(), "{pattern}");
    }
}
