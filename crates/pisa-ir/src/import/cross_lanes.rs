//! Chapter 7 of the specification as cross-lane operations.

use crate::cross_lane::{
    ClusterSize, CrossLane, CrossLaneKind, Element, InactiveSource, Reduction, Scope, ShuffleKind,
};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

/// `%activemask`.
pub(super) const ACTIVE_MASK: CrossLane =
    CrossLane { kind: CrossLaneKind::ActiveMask, element: Element::I32, inactive: InactiveSource::Own };

/// The operation of an instruction of chapter 7; `None` for any other.
pub(super) fn operation(instruction: &Instruction) -> Option<CrossLane> {
    let kind = match instruction.row().opcode {
        Opcode::Redfirstidx => CrossLaneKind::FirstParticipant,
        Opcode::Shfl => CrossLaneKind::Shuffle {
            kind: match instruction.qualifier(SlotName::Op)? {
                Qualifier::Up => ShuffleKind::Up,
                Qualifier::Dn => ShuffleKind::Down,
                Qualifier::Xor => ShuffleKind::Xor,
                _ => ShuffleKind::Index,
            },
            segmented: instruction.has(SlotName::Sg),
        },
        Opcode::Ired | Opcode::Fred => CrossLaneKind::Reduce {
            reduction: reduction(instruction)?,
            scope: Scope::Reduce,
            cluster: ClusterSize::FULL,
            partitioned: false,
        },
        _ => return None,
    };
    let element = match instruction.qualifier(SlotName::Type)? {
        Qualifier::B16 => Element::I16,
        Qualifier::Hf => Element::Hf,
        Qualifier::Bf => Element::Bf,
        Qualifier::F => Element::F,
        Qualifier::Hfx2 => Element::Hfx2,
        Qualifier::Bfx2 => Element::Bfx2,
        _ => Element::I32,
    };
    // 7.4: the own value is read from a lane that does not take part.
    Some(CrossLane { kind, element, inactive: InactiveSource::Own })
}

fn reduction(instruction: &Instruction) -> Option<Reduction> {
    let is_float = instruction.row().opcode == Opcode::Fred;
    Reduction::of_qualifier(instruction.qualifier(SlotName::Op)?, instruction.has(SlotName::Nanp), is_float)
}
