//! Reductions whose order can be seen: sums and products of floats. Counts are those for 32 bits.
//!
//! | reduction | sequence | # |
//! |---|---|---|
//! | all lanes of the cluster | for k = c/2, …, 2, 1: `shfl.xor t, x, k; op x, x, t` | 2 log2 c |
//! | clusters of 2, any lanes | `shfl.xor t, x, 1; op y, x, t; xor l, %laneid, 1; ubfe b, A, 1, l; ucmp.ne q, b, 0; sel x, y, x, q` | 6 |
//! | any lanes, from the lowest up | 7 and 5 for each participant but the first, below | 12 |
//! | all lanes or any | `ucmp.eq q, A, -1`, branch, the first, jump, the last | 25 |
//!
//! ```text
//! and      r, A, lanes above;     // or what else the set is made of
//! fbl      n, r;                  // the next participant, -1 where there is none
//! fbl      i, A;
//! shfl.idx x, data, i;
//! shfl.idx i, n, i;
//! ucmp.ne  q, i, -1;
//! goto.cond !q, join;
//! L:
//! shfl.idx t, data, i;
//! op       x, x, t;
//! shfl.idx i, n, i;
//! ucmp.ne  q, i, -1;
//! goto.cond q, L;
//! join:
//! ```
//! Lanes of a cluster or part go round together, others leave before or after them. Lanes outside the mask keep -1 in `i`.

use crate::lower::emit::{Emitter, LANE};
use crate::lower::group::Set;
use crate::lower::masks;
use crate::lower::shuffles::INDEX;
use crate::{Element, LaneMask, Operand, Reduction, ShuffleKind};
use pisa_module::RegisterType;

/// The reduction in clusters; lanes outside the mask get anything.
pub(super) fn reduce(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
    set: Set,
) -> Operand {
    let whole = |emitter: &mut Emitter<'_>| tree(emitter, reduction, element, data, set);
    if set.is_whole() {
        return whole(emitter);
    }
    if set.size() == 2 {
        return pair(emitter, reduction, element, data, set);
    }
    if set.partition.is_some() || set.size() == 32 && !set.group.can_be_whole() {
        let lanes = set.lanes(emitter, None);
        return in_lane_order(emitter, reduction, element, data, set, Some(lanes));
    }
    let all = match set.size() {
        32 => Operand::ALL_LANES,
        size => emitter.cluster_mask(size),
    };
    let lanes = set.lanes(emitter, None);
    let is_whole = emitter.test("ucmp.eq.32b", &[lanes, all]);
    let lanes = (!set.is_active_set()).then_some(lanes);
    emitter.either(is_whole, element.register(), whole, |emitter| {
        in_lane_order(emitter, reduction, element, data, set, lanes)
    })
}

/// Partners at distance c/2, …, 2, 1, the own value first.
pub(super) fn tree(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
    set: Set,
) -> Operand {
    let mut value = data;
    let mut distance = set.size() / 2;
    while distance > 0 {
        let how = (ShuffleKind::Xor, false);
        let partner = emitter.shuffle(how, element, value, Operand::word(distance), set.group);
        value = emitter.combine(reduction, element, value, partner);
        distance /= 2;
    }
    value
}

/// Clusters of two: with the partner, if it takes part.
pub(super) fn pair(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
    set: Set,
) -> Operand {
    let one = Operand::word(1);
    let partner = emitter.shuffle((ShuffleKind::Xor, false), element, data, one, set.group);
    let bit_of_partner = |emitter: &mut Emitter<'_>| {
        let lane = emitter.table("xor.32b", &[LANE, one]);
        (set.group.lanes(emitter), lane)
    };
    let by_bit = match (element, reduction) {
        (Element::I32, Reduction::Sum) => Some(("ubfe.32b", "umad.32b")),
        // (src0 & src1) ^ src2
        (Element::I32, Reduction::Xor) => Some(("sbfe.32b", "bfn.0x78.32b")),
        _ => None,
    };
    if let (Some((extract, combine)), false) = (by_bit, set.is_whole()) {
        let (lanes, lane) = bit_of_partner(emitter);
        let bit = emitter.table(extract, &[lanes, one, lane]);
        return emitter.table(combine, &[partner, bit, data]);
    }
    let both = emitter.combine(reduction, element, data, partner);
    if set.is_whole() || reduction.is_idempotent() {
        return both;
    }
    let (lanes, lane) = bit_of_partner(emitter);
    let which = masks::bit(emitter, lanes, lane);
    emitter.choose(element, both, data, which)
}

/// From the lowest of `lanes` up, which are those of the set, unless it is the active set.
fn in_lane_order(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
    set: Set,
    lanes: Option<Operand>,
) -> Operand {
    let of_set = |emitter: &mut Emitter<'_>| lanes.unwrap_or_else(|| emitter.active_mask());
    let above = emitter.lane_mask(LaneMask::Greater);
    let all = of_set(emitter);
    let later = emitter.table("and.32b", &[all, above]);
    let next = emitter.table("fbl.32b", &[later]);
    let all = of_set(emitter);
    let first = emitter.table("fbl.32b", &[all]);
    // Narrow data is made a word once.
    let word = if element.bits() < 64 { emitter.word(element, data) } else { data };
    let value_of = |emitter: &mut Emitter<'_>, lane| match element.bits() {
        64 => emitter.shuffle(INDEX, element, data, lane, set.group),
        _ => emitter.shuffle_word(INDEX, element, word, lane, set.group),
    };
    let kept = if set.group.has_everyone() { Operand::Dead } else { Operand::ALL_LANES };
    let follow = |emitter: &mut Emitter<'_>, lane| {
        let lane = emitter.shfl(INDEX, [next, lane, set.group.mask, kept]);
        (lane, emitter.test("ucmp.ne.32b", &[lane, Operand::ALL_LANES]))
    };
    let (repeat, parameters) = emitter.block(&[element.register(), RegisterType::scalar(32)]);
    let (join, results) = emitter.block(&[element.register()]);
    let value = value_of(emitter, first);
    let (lane, is_there) = follow(emitter, first);
    emitter.branch(is_there, (repeat, &[value, lane]), (join, &[value]));
    emitter.start(repeat);
    let other = value_of(emitter, parameters[1]);
    let value = emitter.combine(reduction, element, parameters[0], other);
    let (lane, is_there) = follow(emitter, parameters[1]);
    emitter.branch(is_there, (repeat, &[value, lane]), (join, &[value]));
    emitter.start(join);
    results[0]
}
