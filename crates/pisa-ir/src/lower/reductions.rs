//! Reductions, all, in clusters and by parts, that are no single `ired` or `fred`. Sums and products of floats are in
//! [ordered](super::ordered).
//!
//! | reduction | sequence | # |
//! |---|---|---|
//! | 8 bits | `sext` or `zext`; `ired`; `trunc` | 3 |
//! | 64 bits, and, or, xor | `ired` of both halves | 4 |
//! | 64 bits, extremes | `ired h, x.y; ucmp.eq q, x.y, h; sel t, x.x, identity, q; ired.u l, t` | 6 |
//! | 64 bits, sum | `and a, x.x, 0xffff; shr b, x.x, 16; ired.sum` of both and `x.y`; `umad.full d, b, 65536, {a, y}` | 8 |
//! | clusters of c | 32/c × `ired` or `fred` with constant masks, into the same register | 32/c |
//! | … of 4, idempotent integers | `shfl.xor` by 1, 2, 3; `bfn`, `op`, or 3 × `op` | 5, 6 |
//! | … of 4, all lanes | 2 × (`shfl.xor; op`) | 4 |
//! | … of 2, idempotent integers | `shfl.xor; op` | 2 |
//! | … of 2, float extremes | `shfl.idx.sg` of both; `op` | 3 |
//! | … of 2, sum, xor | `shfl.xor t, x, 1; xor l, %laneid, 1; ubfe m, A, 1, l; umad d, t, m, x` | 4 |
//! | integer product, all lanes | 5 × (`shfl.xor; op`) | 10 |
//! | … any lanes | scan from behind (26); `fbl l, A; shfl.idx d, x, l` | 28 |
//! | float extremes of 64 bits, all lanes | inclusive scan (25) and the value of the last lane (4) | 29 |
//! | … any lanes | scan from behind (31) and the value of the first participant (5) | 36 |
//! | by parts | `and s, A, part`; scan from behind; `fbl l, s; shfl.idx d, x, l` | |
//!
//! The scan from behind is that of `scans` the other way round: `and r, A, lanes above; fbl p, r` is the participant behind the
//! own lane, -1 where there is none, which `shfl` takes for lane 31. It has one instruction less.
//!
//! What `shfl` gives in place of a lane that does not take part, the own value, does not change an idempotent combination. Of
//! several NaNs that of the lowest lane is the result (S-20), which partners in a tree would not agree on; so float extremes are
//! combined from the lowest lane up.

use crate::lower::emit::{Emitter, constant};
use crate::lower::group::Set;
use crate::lower::ordered;
use crate::lower::prepare::{Prepared, identity};
use crate::lower::scans::{LEAST_TESTED, alone, jump_back, ladder};
use crate::lower::shuffles::{INDEX, INDEX_IN_SEGMENT, segments};
use crate::{Element, Operand, Reduction, Scope, ShuffleKind};

pub(super) fn reduce(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
    set: Set,
) -> Operand {
    use Reduction::*;
    let group = set.group;
    let inner = Set { group: group.inner(), ..set };
    let has_red = match element {
        Element::I8 | Element::I16 | Element::I32 => reduction != Product,
        _ => reduction.is_float_only() && element != Element::Df,
    };
    let size = if set.partition.is_some() { 32 } else { set.size() };
    let value = match size {
        1 => alone(emitter, reduction, element, data),
        _ if reduction.has_order(element) => ordered::reduce(emitter, reduction, element, data, inner),
        _ if set.partition.is_some() => {
            let prepared = emitter.prepare(reduction, element, data);
            let value = by_scan(emitter, prepared, inner);
            emitter.finish(prepared, value)
        }
        2 => {
            let prepared = emitter.prepare(reduction, element, data);
            let value = pair(emitter, prepared, inner);
            emitter.finish(prepared, value)
        }
        4 if !element.is_float() && (in_quads(reduction) || set.is_whole()) => {
            let prepared = emitter.prepare(reduction, element, data);
            let value = quad(emitter, prepared, inner);
            emitter.finish(prepared, value)
        }
        // As many `ired` as there are clusters would be more.
        4 if element == Element::I64 && reduction == Sum => {
            let prepared = emitter.prepare(reduction, element, data);
            by_scan(emitter, prepared, inner)
        }
        _ if has_red && element != Element::I8 => {
            return in_clusters(emitter, reduction, element, [data, group.kept], set);
        }
        _ if has_red => {
            let prepared = emitter.widen(reduction, element, data);
            let value = in_clusters(emitter, reduction, Element::I32, [prepared.data, Operand::Dead], inner);
            emitter.finish(prepared, value)
        }
        _ if element == Element::I64 && reduction != Product => {
            let prepared = emitter.prepare(reduction, element, data);
            return halves(emitter, prepared, set);
        }
        _ => {
            let prepared = emitter.prepare(reduction, element, data);
            let value = by_steps(emitter, prepared, inner);
            emitter.finish(prepared, value)
        }
    };
    emitter.merge(element, value, group)
}

/// Whether three partners do for quads whatever lanes take part.
fn in_quads(reduction: Reduction) -> bool {
    reduction.is_idempotent() || reduction == Reduction::Absmax
}

/// The masks of all clusters of which somebody can take part.
fn cluster_masks(emitter: &mut Emitter<'_>, set: Set) -> Vec<Operand> {
    let size = set.size();
    if size == 32 {
        return vec![set.group.mask];
    }
    let clusters = (0..32).step_by(size as usize).map(|first| ((1 << size) - 1) << first);
    match set.group.mask.constant() {
        Some(mask) => {
            clusters.map(|cluster| mask as u32 & cluster).filter(|&m| m != 0).map(Operand::word).collect()
        }
        None => {
            let mut cut = |cluster| emitter.table("and.32b", &[set.group.mask, Operand::word(cluster)]);
            clusters.map(&mut cut).collect()
        }
    }
}

/// A `red` for each cluster into the same register, whose other lanes keep what they have.
fn in_clusters(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    [data, kept]: [Operand; 2],
    set: Set,
) -> Operand {
    let masks = cluster_masks(emitter, set);
    let red = |value, mask| emitter.red(reduction, element, [data, mask, value]);
    match masks.into_iter().fold(kept, red) {
        // Nobody takes part.
        Operand::Dead => data,
        value => value,
    }
}

/// The same into a half of a vector.
fn half_in_clusters(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    [data, kept]: [Operand; 2],
    set: Set,
    (results, first): (Operand, u8),
) -> Operand {
    let masks = cluster_masks(emitter, set);
    let (mut results, mut kept) = (results, kept);
    for mask in masks {
        let half = emitter.red(reduction, Element::I32, [data, mask, kept]);
        results = emitter.put_half(results, first, half);
        kept = emitter.half(results, first);
    }
    results
}

/// 64-bit integers by their halves.
fn halves(emitter: &mut Emitter<'_>, prepared: Prepared, set: Set) -> Operand {
    use Reduction::*;
    let group = set.group;
    let red = |emitter: &mut Emitter<'_>, reduction, data, kept, into| {
        half_in_clusters(emitter, reduction, [data, kept], set, into)
    };
    let halves = emitter.halves(prepared.data);
    let [low, high] = [0, 1].map(|first| emitter.half(halves, first));
    let results = emitter.no_halves();
    if prepared.reduction == Sum {
        // Of 32 values of 16 bits the sum has 21.
        let quarter = emitter.table("and.32b", &[low, Operand::word(0xFFFF)]);
        let next = emitter.table("shr.32b", &[low, Operand::word(16)]);
        let results = red(emitter, Sum, quarter, Operand::Dead, (results, 0));
        let results = red(emitter, Sum, high, Operand::Dead, (results, 1));
        let next = in_clusters(emitter, Sum, Element::I32, [next, Operand::Dead], set);
        let rest = emitter.whole(results);
        let sum = emitter.table("umad.full.32b", &[next, Operand::word(1 << 16), rest]);
        return emitter.merge(Element::I64, sum, group);
    }
    let [kept_low, kept_high] = emitter.kept_halves(group);
    let of_low = match prepared.reduction {
        Smin => Umin,
        Smax => Umax,
        other => other,
    };
    let results = red(emitter, prepared.reduction, high, kept_high, (results, 1));
    let low = if matches!(prepared.reduction, And | Or | Xor) {
        low
    } else {
        let result = emitter.half(results, 1);
        let decides = emitter.test("ucmp.eq.32b", &[high, result]);
        emitter.select(32, low, constant(identity(of_low, Element::I32), 32), decides)
    };
    let results = red(emitter, of_low, low, kept_low, (results, 0));
    emitter.whole(results)
}

/// What is neither in the instruction set nor made of what is.
fn by_steps(emitter: &mut Emitter<'_>, prepared: Prepared, set: Set) -> Operand {
    let whole = |emitter: &mut Emitter<'_>| {
        let Prepared { reduction, element, data, .. } = prepared;
        if element.is_float() {
            let scanned = ladder(emitter, prepared, Scope::Inclusive, set);
            from_place(emitter, element, scanned, set.size() - 1, set)
        } else {
            ordered::tree(emitter, reduction, element, data, set)
        }
    };
    if set.is_whole() {
        whole(emitter)
    } else if set.group.has_everyone() && set.size() >= LEAST_TESTED {
        let is_whole = set.group.test_whole(emitter);
        emitter
            .either(is_whole, prepared.element.register(), whole, |emitter| by_scan(emitter, prepared, set))
    } else {
        by_scan(emitter, prepared, set)
    }
}

/// The scan from behind in the first of the lanes that are combined.
fn by_scan(emitter: &mut Emitter<'_>, prepared: Prepared, set: Set) -> Operand {
    let lanes = (!set.is_active_set()).then(|| set.lanes(emitter, None));
    let scanned = jump_back(emitter, prepared, set, lanes);
    let lanes = lanes.unwrap_or_else(|| emitter.active_mask());
    let first = emitter.table("fbl.32b", &[lanes]);
    emitter.shuffle(INDEX, prepared.element, scanned, first, set.group)
}

/// The value of the lane at a place of the own cluster.
fn from_place(emitter: &mut Emitter<'_>, element: Element, data: Operand, place: u32, set: Set) -> Operand {
    let (how, index) = match set.size() {
        32 => (INDEX, place),
        size => (INDEX_IN_SEGMENT, segments(size) | place),
    };
    emitter.shuffle(how, element, data, Operand::word(index), set.group)
}

/// Clusters of two.
fn pair(emitter: &mut Emitter<'_>, prepared: Prepared, set: Set) -> Operand {
    let Prepared { reduction, element, data, .. } = prepared;
    if !element.is_float() {
        return ordered::pair(emitter, reduction, element, data, set);
    }
    let ways = [0, 1].map(|place| (INDEX_IN_SEGMENT, Operand::word(segments(2) | place)));
    let [first, second] = emitter.shuffles(element, data, ways, set.group);
    emitter.step(prepared, first, second)
}

/// Clusters of four: all lanes of them, or of an idempotent combination any.
fn quad(emitter: &mut Emitter<'_>, prepared: Prepared, set: Set) -> Operand {
    let Prepared { reduction, element, data, .. } = prepared;
    if set.is_whole() {
        return ordered::tree(emitter, reduction, element, data, set);
    }
    let ways = [1, 2, 3].map(|distance| ((ShuffleKind::Xor, false), Operand::word(distance)));
    let [first, second, third] = emitter.shuffles(element, data, ways, set.group);
    let of_three = match (element, reduction) {
        (Element::I32, Reduction::And) => emitter.table("bfn.0x80.32b", &[first, second, third]),
        (Element::I32, Reduction::Or) => emitter.table("bfn.0xfe.32b", &[first, second, third]),
        _ => {
            let of_two = emitter.step(prepared, first, second);
            emitter.step(prepared, of_two, third)
        }
    };
    emitter.step(prepared, of_three, data)
}
