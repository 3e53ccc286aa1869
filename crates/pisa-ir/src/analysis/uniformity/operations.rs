//! What an instruction makes of the uniformity of its operands.

use super::{Strength, Uniformity};
use crate::{
    ActiveSet, CrossLane, CrossLaneKind, Function, InactiveSource, Instruction, InstructionData,
    MaskOperation, Operand, Operation, Scope, ShuffleKind,
};
use Strength::{Divergent, Steady, Uniform};
use pisa_isa::{Qualifier, SlotName};
use pisa_module::{Dimension, SpecialRegister};

/// Lanes of a sub-group.
const LANES: u64 = 32;

impl Uniformity {
    /// A special register. All but the lane's own number and place are the same for the whole sub-group.
    pub(super) fn special(&self, register: SpecialRegister) -> Strength {
        match register {
            SpecialRegister::LaneId | SpecialRegister::ActiveMask => Divergent,
            // Lanes are numbered along x, then y, then z, so a coordinate is the same in a whole sub-group if it can only be 0, or if
            // whole sub-groups fit into the lower ones.
            SpecialRegister::LocalId(dimension) => {
                let Some([x, y, z]) = self.size.map(|size| size.map(u64::from)) else { return Divergent };
                let (own, below) = match dimension {
                    Dimension::X => (x, 1),
                    Dimension::Y => (y, x),
                    Dimension::Z => (z, x.saturating_mul(y)),
                };
                if own == 1 || below % LANES == 0 { Steady } else { Divergent }
            }
            _ => Steady,
        }
    }

    /// The results of an instruction.
    pub(super) fn of_instruction(&self, function: &Function, instruction: Instruction) -> Strength {
        let Some(section) = self.sections.of_instruction(instruction) else { return Steady };
        let data = function.instruction(instruction);
        let at = |operand: &Operand| self.strength_in(*operand, section);
        let operands = || data.operands.iter().map(at).min().unwrap_or(Steady);
        match &data.operation {
            Operation::Table { .. } => {
                let properties = data.properties();
                if properties.convergent || properties.cross_lane || properties.writes_memory {
                    // Of atomics, each lane sees what those before it have done.
                    return Divergent;
                }
                if !properties.reads_memory {
                    return operands();
                }
                match data.operation.qualifier(SlotName::Addrspace) {
                    // Lanes that load together see memory as it is at that moment.
                    Some(Qualifier::Global | Qualifier::Shared | Qualifier::Const) => operands().min(Uniform),
                    // Each lane has private memory of its own, and generic addresses may lead there.
                    _ => Divergent,
                }
            }
            Operation::CrossLane(operation) => self.of_cross_lane(function, section, data, operation),
            Operation::Mask(operation) => match operation {
                MaskOperation::BitExtract
                | MaskOperation::FindLeast
                | MaskOperation::FindMost
                | MaskOperation::BitCount(Scope::Reduce) => operands(),
                MaskOperation::Lanes(_)
                | MaskOperation::InverseBallot
                | MaskOperation::BitCount(Scope::Inclusive | Scope::Exclusive) => Divergent,
            },
            Operation::Vector(_) => operands(),
            Operation::Call { .. } => Divergent,
            // The pattern of predicates differs between lanes.
            Operation::Initial => {
                let is_predicate = |value: &crate::Value| function.value(*value).ty.is_predicate();
                if data.results.iter().any(is_predicate) { Divergent } else { Steady }
            }
        }
    }

    fn of_cross_lane(
        &self,
        function: &Function,
        section: u32,
        data: &InstructionData,
        operation: &CrossLane,
    ) -> Strength {
        use CrossLaneKind as K;
        let at =
            |operand: Option<Operand>| operand.map_or(Steady, |operand| self.strength_in(operand, section));
        let (source, index) = (at(data.data()), at(data.index()));
        let Some(active) = data.active else { return Divergent };
        // Whether every active lane takes part, and sees all others do.
        let all = data.mask().is_none_or(|mask| self.covers(section, mask, active));
        if source != Divergent && gives_back(operation) {
            // Lanes outside have the same.
            let kept = data.pass_through() == data.data() && !operation.element.is_float();
            if all || kept {
                return source;
            }
        }
        let uniform_if = |condition: bool| if condition { Uniform } else { Divergent };
        match operation.kind {
            K::ActiveMask => Uniform,
            // Every active lane gets it (S-06), each by its own mask (S-01).
            K::FirstParticipant => uniform_if(all || at(data.mask()) != Divergent),
            _ if !all => Divergent,
            K::Ballot { .. }
            | K::ReadFirstInvocation
            | K::VoteAny
            | K::VoteAll
            | K::VoteAllEqual
            | K::MatchAll => Uniform,
            // A lane that reads from one that does not take part gets its own value (7.4).
            K::ReadInvocation | K::Shuffle { kind: ShuffleKind::Index, segmented: false } => uniform_if(
                index != Divergent
                    && (operation.inactive == InactiveSource::Undefined
                        || self.is_active(function, data.index(), active)),
            ),
            K::MatchAny => uniform_if(source != Divergent),
            K::Derivative { .. } => {
                uniform_if(source != Divergent && operation.inactive == InactiveSource::Own)
            }
            // Each lane of a tree has its own value first, so that of several NaNs (P-04) lanes get different ones.
            K::Reduce { reduction, scope: Scope::Reduce, cluster, partitioned } => uniform_if(
                cluster.lanes() == 32
                    && (!partitioned || index != Divergent)
                    && (partitioned || source != Divergent || !reduction.has_order(operation.element)),
            ),
            K::Elect
            | K::Shuffle { .. }
            | K::Rotate(_)
            | K::QuadBroadcast
            | K::QuadSwap(_)
            | K::QuadAny
            | K::QuadAll
            | K::Reduce { .. } => Divergent,
        }
    }

    /// Whether a mask has every lane that runs the section under this token, in each of them.
    fn covers(&self, section: u32, mask: Operand, active: ActiveSet) -> bool {
        let fact = self.masks.of_operand(mask);
        // One mask that has the own lane of each.
        fact.does_cover(active)
            || fact.own == Some(true) && self.strength_in(mask, section) != Strength::Divergent
    }

    /// Whether an operand is the number of a lane that runs the section under this token.
    fn is_active(&self, function: &Function, lane: Option<Operand>, active: ActiveSet) -> bool {
        let Some(data) = lane.and_then(|lane| function.defining_operand(lane)) else { return false };
        let first = data.operands.first().map(|&mask| self.masks.of_operand(mask)).unwrap_or_default();
        let is_bit_of_mask = match data.operation {
            Operation::CrossLane(CrossLane { kind: CrossLaneKind::FirstParticipant, .. }) => {
                return data.active == Some(active)
                    && data.mask().is_some_and(|mask| self.masks.has_participants(mask, active));
            }
            Operation::Mask(MaskOperation::FindLeast | MaskOperation::FindMost) => true,
            Operation::Table { .. } => {
                data.operation.opcode() == Some(pisa_isa::Opcode::Fbl)
                    && data.operation.qualifier(SlotName::Type) == Some(Qualifier::B32)
            }
            _ => false,
        };
        is_bit_of_mask && first.non_empty && first.is_within(active)
    }
}

/// Whether a lane that takes part gets a function of the data alone if these are the same in all of them.
fn gives_back(operation: &CrossLane) -> bool {
    use CrossLaneKind as K;
    match operation.kind {
        K::ReadInvocation
        | K::ReadFirstInvocation
        | K::VoteAny
        | K::VoteAll
        | K::Shuffle { .. }
        | K::Rotate(_)
        | K::QuadBroadcast
        | K::QuadSwap(_)
        | K::QuadAny
        | K::QuadAll => true,
        K::Reduce { reduction, scope, .. } => reduction.is_idempotent() && scope != Scope::Exclusive,
        K::ActiveMask
        | K::Ballot { .. }
        | K::VoteAllEqual
        | K::Elect
        | K::FirstParticipant
        | K::MatchAny
        | K::MatchAll
        | K::Derivative { .. } => false,
    }
}
