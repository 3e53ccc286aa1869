//! Within quads, that is clusters of four lanes.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | broadcast of a constant lane | `shfl.idx.sg d, x, 0x1c1f00 + k, mask` | 1 |
//! | … by a register | `bfn i, k & 3 \| 0x1c1f00; shfl.idx.sg` | 2 |
//! | swap | `shfl.xor d, x, 1 or 2 or 3, mask` | 1 |
//! | any | `sel v, H1, 0, p; ired.or b, v, mask; and q, %laneid, 28; ubfe t, b, 4, q; ucmp.ne d, t, 0` | 5 |
//! | all | the lanes where it is false instead, and `ucmp.eq` | 5 |
//!
//! Any and all from predicate to predicate by three shuffles would have 7. Where lanes keep a predicate, their `ired` keeps all
//! lanes or none (1).

use crate::lower::ballots::lanes_where;
use crate::lower::emit::{Emitter, LANE};
use crate::lower::group::Group;
use crate::lower::shuffles::{INDEX_IN_SEGMENT, segments};
use crate::{Axis, Element, Operand, ShuffleKind};

pub(super) fn broadcast(
    emitter: &mut Emitter<'_>,
    element: Element,
    data: Operand,
    index: Operand,
    group: Group,
) -> Operand {
    let quads = segments(4);
    let index = match index.constant() {
        Some(lane) => Operand::word(lane as u32 & 3 | quads),
        // (src0 & src1) | src2
        None => emitter.table("bfn.0xf8.32b", &[index, Operand::word(3), Operand::word(quads)]),
    };
    emitter.shuffle(INDEX_IN_SEGMENT, element, data, index, group)
}

pub(super) fn swap(
    emitter: &mut Emitter<'_>,
    element: Element,
    axis: Axis,
    data: Operand,
    group: Group,
) -> Operand {
    let distance = match axis {
        Axis::Horizontal => 1,
        Axis::Vertical => 2,
        Axis::Diagonal => 3,
    };
    emitter.shuffle((ShuffleKind::Xor, false), element, data, Operand::word(distance), group)
}

pub(super) fn vote(emitter: &mut Emitter<'_>, all: bool, data: Operand, group: Group) -> Operand {
    let nowhere = Operand::word(0);
    let (kept_true, kept_false) =
        if all { (nowhere, Operand::ALL_LANES) } else { (Operand::ALL_LANES, nowhere) };
    let kept =
        if group.keeps() { emitter.select(32, kept_true, kept_false, group.kept) } else { Operand::Dead };
    let lanes = lanes_where(emitter, !all, data, Group { kept, ..group });
    let quad = emitter.table("and.32b", &[LANE, Operand::word(28)]);
    let found = emitter.table("ubfe.32b", &[lanes, Operand::word(4), quad]);
    emitter.test(if all { "ucmp.eq.32b" } else { "ucmp.ne.32b" }, &[found, nowhere])
}
