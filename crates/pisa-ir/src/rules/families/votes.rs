//! Votes and ballots.

use super::{Family, family};

pub(super) const FAMILIES: &[Family] = &[
    // De Morgan. A vote costs a little more with its predicate negated, so that the negation moves out.
    family("any of a negation", &[], "any(!p, m)", "", "!all(p, m)"),
    family("all of a negation", &[], "all(!p, m)", "", "!any(p, m)"),
    family("ballot of a negation", &[], "ballot(!p, ALL)", "", "xor.32b(ballot(p, ALL), active())"),
    family(
        "complement of a ballot",
        &[("OP", "xor.32b(ballot(p,ALL),active()) and.32b(not.32b(ballot(p,ALL)),active())")],
        "{OP}",
        "",
        "ballot(!p, ALL)",
    ),
    // Constants.
    family("vote of a constant", &[("V", "any all"), ("C", "true false")], "{V}({C}, m)", "", "{C}"),
    family("ballot of no lane", &[], "ballot(false, m)", "", "0"),
    family("ballot of all lanes", &[], "ballot(true, ALL)", "", "active()"),
    family("ballot of all lanes of a mask", &[], "ballot(true, m)", "", "and.32b(m, active())"),
    family(
        "quad vote of a constant",
        &[("V", "quad_any quad_all"), ("C", "true false")],
        "{V}({C}, m)",
        "",
        "{C}",
    ),
    family(
        "vote of a uniform predicate",
        &[("V", "any all quad_any quad_all")],
        "{V}(p, m)",
        "uniform p",
        "p",
    ),
    family("vote in one lane", &[("V", "any all quad_any quad_all")], "{V}(p, m)", "single m", "p"),
    family("votes agree in one lane", &[], "all_equal.32b(x, m)", "single m", "true"),
    family("elected alone", &[], "elect(m)", "single m", "true"),
    // A ballot that is only counted, searched or compared need not be made.
    family("ballot that is not empty", &[], "ucmp.ne.32b(ballot(p, m), 0)", "", "any(p, m, false)"),
    family(
        "ballot that is not empty, of all lanes",
        &[],
        "ucmp.ne.32b(ballot(p, ALL), 0)",
        "",
        "any(p, ALL)",
    ),
    family("ballot that is empty", &[], "ucmp.eq.32b(ballot(p, ALL), 0)", "", "!any(p, ALL)"),
    family("ballot that is full", &[], "ucmp.eq.32b(ballot(p, ALL), active())", "", "all(p, ALL)"),
    family("ballot that is not full", &[], "ucmp.ne.32b(ballot(p, ALL), active())", "", "!all(p, ALL)"),
    family(
        "count of a ballot",
        &[("C", "count cbit.32b")],
        "{C}(ballot(p, m))",
        "",
        "reduce.sum.32b(sel.32b(1, 0, p), m)",
    ),
    family("count of lanes", &[], "reduce.sum.32b(sel.32b(1, 0, p), m)", "", "count(ballot(p, m))"),
    family(
        "least lane of a ballot",
        &[("C", "least fbl.32b")],
        "{C}(ballot(p, m))",
        "",
        "reduce.umin.32b(sel.32b(%laneid, ~0, p), m)",
    ),
    family("ballot read by its own lane", &[], "inverse(ballot(p, ALL))", "", "p"),
    family("ballot read by its own lane as a bit", &[], "bit(ballot(p, ALL), %laneid)", "", "p"),
    // What PISA text writes for votes, ballots and elections.
    family(
        "written ballot",
        &[("E", "shl.32b(1,%laneid) lanes.eq()"), ("R", "or sum xor")],
        "reduce.{R}.32b(sel.32b({E}, 0, p), m)",
        "",
        "ballot(p, m)",
    ),
    family(
        "written vote for any",
        &[("C", "1 ~0")],
        "ucmp.ne.32b(reduce.or.32b(sel.32b({C}, 0, p), ALL), 0)",
        "",
        "any(p, ALL)",
    ),
    family(
        "written vote for none",
        &[("C", "1 ~0")],
        "ucmp.eq.32b(reduce.or.32b(sel.32b({C}, 0, p), ALL), 0)",
        "",
        "!any(p, ALL)",
    ),
    family(
        "written vote for all",
        &[("C", "1 ~0")],
        "ucmp.ne.32b(reduce.and.32b(sel.32b({C}, 0, p), ALL), 0)",
        "",
        "all(p, ALL)",
    ),
    family(
        "written vote for not all",
        &[("C", "1 ~0")],
        "ucmp.eq.32b(reduce.and.32b(sel.32b({C}, 0, p), ALL), 0)",
        "",
        "!all(p, ALL)",
    ),
    family(
        "written comparison of all",
        &[],
        "ucmp.eq.32b(reduce.umin.32b(x, ALL), reduce.umax.32b(x, ALL))",
        "",
        "all_equal.32b(x, ALL)",
    ),
    family("written election", &[], "ucmp.eq.32b(first(ALL), %laneid)", "", "elect(ALL)"),
];
