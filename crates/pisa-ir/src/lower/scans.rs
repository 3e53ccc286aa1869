//! Inclusive and exclusive scans. Counts are those for 32 bits; other widths add what [words](super::words) says for each
//! `shfl` of data, 8 and 16 bit integers 2 in all.
//!
//! | inclusive scan | sequence | # |
//! |---|---|---|
//! | all lanes, idempotent | 5 × (`shfl.up t, x, k; op x, t, x`): without a source a lane has itself | 10 |
//! | all lanes, integer sum | 5 × (`shfl.up t, x, k; ubfe m, H3, 1, k; umad x, t, m, x`) | 15 |
//! | all lanes, xor | 5 × (`shfl.up t, x, k; sbfe m, H3, 1, k; bfn x, t & m ^ x`) | 15 |
//! | all lanes, else | 5 × (`shfl.up t, x, k; ucmp.ge q, %laneid, k; op y, t, x; sel x, y, x, q`) | 20 |
//! | any lanes, idempotent | 3 + 5 × (`shfl.idx t, x, p; op x, t, x; shfl.idx p, p, p`) - 1 | 17 |
//! | any lanes, integer sum | 3 + 5 × (`shfl.idx t; ubfe m, p, 1, 5; umad x, t, m, x; shfl.idx p`) - 1 | 22 |
//! | any lanes, xor | 3 + 5 × (`shfl.idx t; sbfe m, p, 1, 5; bfn x, t & m ^ x; shfl.idx p`) - 1 | 22 |
//! | any lanes, else | 3 + 5 × (`shfl.idx t; ucmp.lt q, p, 64; op y, t, x; sel x, y, x, q; shfl.idx p`) - 1 | 27 |
//!
//! `p` is the participant before the own lane, plus 32; 64 where there is none: `and r, A, H2; fbh h, r; isub p, 63, h`. In
//! the k-th round it is the one 2^k participants before. `shfl` looks at the low 5 bits alone, so that 64 reads lane 0, whose own `p` is
//! 64. In clusters and partitions lane 0 can be in another one; idempotent scans make `p` their own lane there (2 more).
//!
//! Exclusive scans: integer sums and xor take the own value off again (1); others take the result of the lane before, and the identity
//! where there is none (all lanes 3, any lanes 2 or 3).
//!
//! Both kinds combine in the same order: in step k what is k participants before with the own.

use crate::lower::emit::{Emitter, LANE, constant};
use crate::lower::group::Set;
use crate::lower::prepare::Prepared;
use crate::lower::shuffles::INDEX;
use crate::{Element, LaneMask, Operand, Reduction, Scope, ShuffleKind};

/// Where not all lanes of larger clusters are known to take part, the test for it pays.
pub(super) const LEAST_TESTED: u32 = 8;

pub(super) fn scan(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    scope: Scope,
    element: Element,
    data: Operand,
    set: Set,
) -> Operand {
    let group = set.group;
    if set.size() == 1 {
        let alone = match scope {
            Scope::Exclusive => emitter.filled(element, super::prepare::identity(reduction, element)),
            _ => alone(emitter, reduction, element, data),
        };
        return emitter.merge(element, alone, group);
    }
    let prepared = emitter.prepare(reduction, element, data);
    let set = Set { group: group.inner(), ..set };
    let scanned = if set.is_whole() {
        ladder(emitter, prepared, scope, set)
    } else if group.has_everyone() && set.partition.is_none() && set.size() >= LEAST_TESTED {
        let whole = group.test_whole(emitter);
        emitter.either(
            whole,
            prepared.element.register(),
            |emitter| ladder(emitter, prepared, scope, set),
            |emitter| jump(emitter, prepared, scope, set),
        )
    } else {
        jump(emitter, prepared, scope, set)
    };
    let scanned = emitter.finish(prepared, scanned);
    emitter.merge(element, scanned, group)
}

/// The combination of one value alone.
pub(super) fn alone(
    emitter: &mut Emitter<'_>,
    reduction: Reduction,
    element: Element,
    data: Operand,
) -> Operand {
    match reduction {
        Reduction::Absmax => {
            let prepared = emitter.prepare(reduction, element, data);
            emitter.finish(prepared, prepared.data)
        }
        Reduction::Fabsmax | Reduction::FabsmaxNan => emitter.prepare(reduction, element, data).data,
        // A NaN becomes quiet (S-29).
        _ if reduction.is_float_only() => emitter.combine(reduction, element, data, data),
        _ => data,
    }
}

/// How lanes are served that have nothing before them.
enum Step {
    /// They combine their own value with itself.
    Idempotent,
    /// By a bit at a place in a word, 0 for them.
    Bit(&'static str, &'static str),
    /// By a predicate.
    Select,
}

impl Step {
    fn of(prepared: Prepared) -> Step {
        match prepared.reduction {
            _ if prepared.is_idempotent() => Step::Idempotent,
            Reduction::Sum if prepared.element == Element::I32 => Step::Bit("ubfe.32b", "umad.32b"),
            // (src0 & src1) ^ src2
            Reduction::Xor if prepared.element == Element::I32 => Step::Bit("sbfe.32b", "bfn.0x78.32b"),
            _ => Step::Select,
        }
    }

    /// A step: both values in their order, and where there is another than the own: a bit, and a predicate.
    fn take(
        &self,
        emitter: &mut Emitter<'_>,
        prepared: Prepared,
        (other, own): (Operand, Operand),
        side: Side,
        bit: (Operand, u32),
        predicate: impl FnOnce(&mut Emitter<'_>) -> Operand,
    ) -> Operand {
        let (first, second) = match side {
            Side::Before => (other, own),
            Side::Behind => (own, other),
        };
        match *self {
            Step::Idempotent => emitter.step(prepared, first, second),
            Step::Bit(extract, combine) => {
                let bit = emitter.table(extract, &[bit.0, Operand::word(1), Operand::word(bit.1)]);
                emitter.table(combine, &[other, bit, own])
            }
            Step::Select => {
                let which = predicate(emitter);
                let combined = emitter.step(prepared, first, second);
                emitter.choose(prepared.element, combined, own, which)
            }
        }
    }
}

/// Where other lanes lie.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind,
}

impl Side {
    /// Pointers below it are to lanes.
    fn limit(self) -> Operand {
        match self {
            Side::Before => Operand::word(64),
            Side::Behind => Operand::word(32),
        }
    }
}

/// All lanes of each cluster take part.
pub(super) fn ladder(emitter: &mut Emitter<'_>, prepared: Prepared, scope: Scope, set: Set) -> Operand {
    let size = set.size();
    let segment = (32 - size) & 31;
    let up = (ShuffleKind::Up, size < 32);
    let from = |distance: u32| Operand::word(segment << 16 | segment << 8 | distance);
    let element = prepared.element;
    let step = Step::of(prepared);
    let place = match size {
        32 => LANE,
        _ => emitter.table("and.32b", &[LANE, Operand::word(size - 1)]),
    };
    let up_to_own = match step {
        Step::Bit(..) if size == 32 => emitter.lane_mask(LaneMask::LessEqual),
        Step::Bit(..) => {
            let next = emitter.table("shl.32b", &[Operand::word(2), place]);
            emitter.table("isub.32b", &[next, Operand::word(1)])
        }
        _ => Operand::Dead,
    };
    let mut value = prepared.data;
    let mut distance = 1;
    while distance < size {
        let before = emitter.shuffle(up, element, value, from(distance), set.group);
        let bit = (up_to_own, distance);
        value = step.take(emitter, prepared, (before, value), Side::Before, bit, |emitter| {
            emitter.test("ucmp.ge.32b", &[place, Operand::word(distance)])
        });
        distance *= 2;
    }
    match (scope, take_off(emitter, prepared, value, scope)) {
        (_, Some(value)) => value,
        _ => {
            let before = emitter.shuffle(up, element, value, from(1), set.group);
            let which = emitter.test("ucmp.ge.32b", &[place, Operand::word(1)]);
            or_identity(emitter, prepared, before, which)
        }
    }
}

/// Any lanes take part.
pub(super) fn jump(emitter: &mut Emitter<'_>, prepared: Prepared, scope: Scope, set: Set) -> Operand {
    let earlier = set.lanes(emitter, Some(LaneMask::Less));
    let above = emitter.table("fbh.32b", &[earlier]);
    let previous = emitter.table("isub.32b", &[Operand::word(63), above]);
    let (value, has_previous) = rounds(emitter, prepared, previous, Side::Before, set);
    if let Some(value) = take_off(emitter, prepared, value, scope) {
        return value;
    }
    let before = emitter.shuffle(INDEX, prepared.element, value, previous, set.group);
    let which = has_previous.unwrap_or_else(|| points(emitter, previous, Side::Before));
    or_identity(emitter, prepared, before, which)
}

/// The combination of each lane's value with all behind it, any lanes taking part, hence in the first all. `lanes` are those of
/// the set, unless it is the active set.
pub(super) fn jump_back(
    emitter: &mut Emitter<'_>,
    prepared: Prepared,
    set: Set,
    lanes: Option<Operand>,
) -> Operand {
    let greater = emitter.lane_mask(LaneMask::Greater);
    let lanes = lanes.unwrap_or_else(|| emitter.active_mask());
    let later = emitter.table("and.32b", &[lanes, greater]);
    let mut next = emitter.table("fbl.32b", &[later]);
    if let Step::Bit(..) = Step::of(prepared) {
        // The bit says that there is one.
        next = emitter.table("xor.32b", &[next, Operand::word(32)]);
    }
    rounds(emitter, prepared, next, Side::Behind, set).0
}

/// Whether a pointer is to a lane.
fn points(emitter: &mut Emitter<'_>, pointer: Operand, side: Side) -> Operand {
    emitter.test("ucmp.lt.32b", &[pointer, side.limit()])
}

/// Each lane's value with all on one side of it, by pointers to the next there. Also whether there is one, if that is known.
fn rounds(
    emitter: &mut Emitter<'_>,
    prepared: Prepared,
    mut pointer: Operand,
    side: Side,
    set: Set,
) -> (Operand, Option<Operand>) {
    let step = Step::of(prepared);
    let mut has_next = None;
    if prepared.is_idempotent() && !set.is_one() {
        let which = points(emitter, pointer, side);
        has_next = Some(which);
        pointer = emitter.select(32, pointer, LANE, which);
    }
    let mut value = prepared.data;
    let mut distance = 1;
    while distance < set.size() {
        let other = emitter.shuffle(INDEX, prepared.element, value, pointer, set.group);
        value = step.take(emitter, prepared, (other, value), side, (pointer, 5), |emitter| {
            let which = points(emitter, pointer, side);
            has_next.get_or_insert(which);
            which
        });
        distance *= 2;
        if distance < set.size() {
            pointer = emitter.shfl(INDEX, [pointer, pointer, set.group.mask, Operand::Dead]);
        }
    }
    (value, has_next)
}

/// The scan from the inclusive one in the own lane alone, where that is enough.
fn take_off(emitter: &mut Emitter<'_>, prepared: Prepared, value: Operand, scope: Scope) -> Option<Operand> {
    if scope != Scope::Exclusive {
        return Some(value);
    }
    let name = match prepared.reduction {
        Reduction::Sum if !prepared.element.is_float() => "isub",
        Reduction::Xor => "xor",
        _ => return None,
    };
    let bits = prepared.element.bits();
    Some(emitter.table(&format!("{name}.{bits}b"), &[value, prepared.data]))
}

fn or_identity(emitter: &mut Emitter<'_>, prepared: Prepared, value: Operand, which: Operand) -> Operand {
    let identity = constant(prepared.identity, prepared.element.bits());
    emitter.choose(prepared.element, value, identity, which)
}
