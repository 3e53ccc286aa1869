//! Reductions and scans of predicates, from the ballot of those that decide.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | and, or, xor of all | `sel t, 1, 0, p; ired t, t, mask; ucmp.ne d, t, 0` | 3 |
//! | or, up to or before the own lane | `sel v, H1, 0, p; ired.or b, v, mask; and t, b, H3 or H2; ucmp.ne d, t, 0` | 4 |
//! | and | the lanes where it is false instead, and `ucmp.eq` | 4 |
//! | xor | … `cbit t; and t, t, 1; ucmp.ne d, t, 0` | 6 |
//!
//! Clusters and partitions add no instruction but for their masks (2): `bfn` cuts to both.

use crate::lower::ballots::lanes_where;
use crate::lower::emit::Emitter;
use crate::lower::group::Set;
use crate::{Element, LaneMask, Operand, Reduction, Scope};

pub(super) fn reduce(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    scope: Scope,
    data: Operand,
    set: Set,
) -> Operand {
    let zero = Operand::word(0);
    if scope == Scope::Reduce && set.is_one() {
        let word = emitter.word(Element::Predicate, data);
        let kept = emitter.kept_word(Element::Predicate, set.group);
        let result = emitter.red(reduction, Element::I32, [word, set.group.mask, kept]);
        return emitter.test("ucmp.ne.32b", &[result, zero]);
    }
    let all = reduction == Reduction::And;
    let deciding = lanes_where(emitter, !all, data, set.group.inner());
    let mut parts = vec![deciding];
    match scope {
        Scope::Reduce => {}
        Scope::Inclusive => parts.push(emitter.lane_mask(LaneMask::LessEqual)),
        Scope::Exclusive => parts.push(emitter.lane_mask(LaneMask::Less)),
    }
    if set.size() < 32 {
        parts.push(emitter.cluster_mask(set.size()));
    }
    parts.extend(set.partition);
    let mut found = emitter.all_of(&parts);
    if reduction == Reduction::Xor {
        let count = emitter.table("cbit.32b", &[found]);
        found = emitter.table("and.32b", &[count, Operand::word(1)]);
    }
    let result = emitter.test(if all { "ucmp.eq.32b" } else { "ucmp.ne.32b" }, &[found, zero]);
    emitter.merge(Element::Predicate, result, set.group)
}
