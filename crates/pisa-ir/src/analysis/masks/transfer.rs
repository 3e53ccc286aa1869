//! What an instruction makes of the facts about its operands.

use super::bitwise::bitwise;
use super::{MaskFact, MaskFacts};
use crate::{
    ActiveSet, CrossLane, CrossLaneKind, Element, Function, InactiveSource, InstructionData, LaneMask,
    MaskOperation, Operand, Operation, Reduction, Scope,
};
use pisa_isa::{Opcode, Qualifier, SlotName, Value as QualifierValue};
use pisa_module::SpecialRegister;

/// A number up to 31.
const LANE: MaskFact = MaskFact { zeros: !31, ..MaskFact::UNKNOWN };

/// A number up to this one.
fn up_to(greatest: u32) -> MaskFact {
    let zeros = if greatest == 0 { u32::MAX } else { !(u32::MAX >> greatest.leading_zeros()) };
    MaskFact { zeros, ..MaskFact::UNKNOWN }
}

impl MaskFacts {
    /// The 32-bit result of an instruction.
    pub(super) fn result(&self, function: &Function, data: &InstructionData) -> MaskFact {
        match &data.operation {
            Operation::Table { .. } => self.table(function, data),
            Operation::CrossLane(operation) => self.cross_lane(data, operation),
            Operation::Mask(operation) => self.mask(data, *operation),
            Operation::Vector(_) | Operation::Call { .. } | Operation::Initial => MaskFact::UNKNOWN,
        }
    }

    fn operand(&self, data: &InstructionData, number: usize) -> MaskFact {
        data.operands.get(number).map_or(MaskFact::UNKNOWN, |&operand| self.of_operand(operand))
    }

    fn table(&self, function: &Function, data: &InstructionData) -> MaskFact {
        let Some(opcode) = data.operation.opcode() else { return MaskFact::UNKNOWN };
        let [a, b, c] = [0, 1, 2].map(|number| self.operand(data, number));
        let ty = data.operation.qualifier(SlotName::Type);
        // Forms on other types have results of 32 bits, too, of which nothing is said.
        let on_words = ty == Some(Qualifier::B32);
        match opcode {
            Opcode::Mov if on_words && data.operands.len() == 1 => self.copied(data.operands[0], a),
            Opcode::And if on_words => self.and(function, data, bitwise(0b1000_1000, [a, b, c])),
            Opcode::Or if on_words => bitwise(0b1110_1110, [a, b, c]),
            Opcode::Xor if on_words => bitwise(0b0110_0110, [a, b, c]),
            Opcode::Not if on_words => bitwise(0b0101_0101, [a, b, c]),
            Opcode::Bfn if on_words => match table_of(data) {
                Some(table) => bitwise(table, [a, b, c]),
                None => MaskFact::UNKNOWN,
            },
            Opcode::Sel if on_words => match c.bits().filter(|_| data.operands[2].constant().is_some()) {
                Some(chosen) => {
                    if chosen != 0 {
                        a
                    } else {
                        b
                    }
                }
                None => a.join(b),
            },
            Opcode::Shl if on_words => shl(data, a, b),
            Opcode::Shr if on_words => shr(a, b),
            Opcode::Bfrev if on_words => MaskFact {
                zeros: a.zeros.reverse_bits(),
                ones: a.ones.reverse_bits(),
                non_empty: a.non_empty,
                at_most_one: a.at_most_one,
                ..MaskFact::UNKNOWN
            },
            Opcode::Cbit if on_words => up_to(32 - a.zeros.count_ones()),
            // All ones of an empty mask (B-08).
            Opcode::Fbl | Opcode::Fbh if on_words && a.non_empty => LANE,
            Opcode::Umin if on_words => up_to((!a.zeros).min(!b.zeros)),
            Opcode::Ubfe if on_words => match b.bits() {
                Some(width) if width & 63 < 32 => up_to((1 << (width & 63)) - 1),
                _ => MaskFact::UNKNOWN,
            },
            Opcode::Zext => match data.operation.qualifier(SlotName::From) {
                Some(Qualifier::B8) => up_to(0xFF),
                Some(Qualifier::B16) => up_to(0xFFFF),
                _ => MaskFact::UNKNOWN,
            },
            _ => MaskFact::UNKNOWN,
        }
    }

    fn copied(&self, operand: Operand, fact: MaskFact) -> MaskFact {
        match operand {
            Operand::Value(_) | Operand::Constant(_) | Operand::Special(_) => fact,
            _ => MaskFact::UNKNOWN,
        }
    }

    /// `x & -x` has the lowest bit of `x`.
    fn and(&self, function: &Function, data: &InstructionData, mut fact: MaskFact) -> MaskFact {
        let [a, b] = data.operands[..] else { return fact };
        for (x, other) in [(a, b), (b, a)] {
            let Some(negated) = function.defining_operand(other) else { continue };
            let is_negation = match negated.operation.opcode() {
                Some(Opcode::Ineg) => negated.operands.first() == Some(&x),
                Some(Opcode::Isub) => {
                    negated.operands.first().is_some_and(|zero| zero.constant() == Some(0))
                        && negated.operands.get(1) == Some(&x)
                }
                _ => false,
            };
            if is_negation && negated.operation.qualifier(SlotName::Type) == Some(Qualifier::B32) {
                fact.at_most_one = true;
                fact.non_empty |= self.of_operand(x).non_empty;
            }
        }
        fact
    }

    fn mask(&self, data: &InstructionData, operation: MaskOperation) -> MaskFact {
        let mask = self.operand(data, 0);
        match operation {
            MaskOperation::Lanes(relation) => {
                let known = MaskFact::UNKNOWN;
                match relation {
                    LaneMask::Equal => MaskFact { own: Some(true), only_own: true, ..known },
                    LaneMask::GreaterEqual => MaskFact { own: Some(true), ones: 1 << 31, ..known },
                    LaneMask::Greater => MaskFact { own: Some(false), zeros: 1, ..known },
                    LaneMask::LessEqual => MaskFact { own: Some(true), ones: 1, ..known },
                    LaneMask::Less => MaskFact { own: Some(false), zeros: 1 << 31, ..known },
                }
            }
            MaskOperation::BitCount(_) => up_to(32 - mask.zeros.count_ones()),
            MaskOperation::FindLeast | MaskOperation::FindMost if mask.non_empty => LANE,
            _ => MaskFact::UNKNOWN,
        }
    }

    fn cross_lane(&self, data: &InstructionData, operation: &CrossLane) -> MaskFact {
        let Some(active) = data.active else { return MaskFact::UNKNOWN };
        let mask = data.mask().map_or(MaskFact::constant(u32::MAX), |mask| self.of_operand(mask));
        let all = mask.does_cover(active);
        let given = self.participant(data, operation, active, mask, all);
        if operation.kind == CrossLaneKind::FirstParticipant {
            return given;
        }
        // Lanes outside keep something else.
        match data.pass_through() {
            Some(kept) if kept != Operand::Dead && !all && mask.own != Some(true) => {
                given.complete().join(self.of_operand(kept))
            }
            _ => given,
        }
    }

    /// What a lane gets that takes part.
    fn participant(
        &self,
        data: &InstructionData,
        operation: &CrossLane,
        active: ActiveSet,
        mask: MaskFact,
        all: bool,
    ) -> MaskFact {
        use CrossLaneKind as K;
        let of_data = data.data().map_or(MaskFact::UNKNOWN, |data| self.of_operand(data));
        // Lanes that take part.
        let participants = MaskFact {
            zeros: mask.zeros,
            within: Some(active),
            covers: all.then_some(active),
            ..MaskFact::UNKNOWN
        };
        match operation.kind {
            K::ActiveMask => participants,
            K::Ballot { .. } => match data.data().and_then(|data| data.constant()) {
                Some(1) => MaskFact { own: Some(true), ..participants },
                _ => MaskFact { covers: None, ..participants },
            },
            K::MatchAny => MaskFact { covers: None, own: Some(true), ..participants },
            // All or none.
            K::MatchAll => MaskFact { covers: None, ..participants },
            K::FirstParticipant if all || mask.own == Some(true) => LANE,
            K::Reduce { reduction, scope, .. }
                if operation.element == Element::I32 && scope != Scope::Exclusive =>
            {
                let whole = matches!(
                    operation.kind,
                    K::Reduce { scope: Scope::Reduce, cluster, partitioned: false, .. } if cluster.lanes() == 32
                );
                reduced(reduction, of_data, participants, all && whole, active)
            }
            K::ReadFirstInvocation
            | K::ReadInvocation
            | K::Shuffle { .. }
            | K::Rotate(_)
            | K::QuadBroadcast
            | K::QuadSwap(_)
                if operation.kind == K::ReadFirstInvocation || operation.inactive == InactiveSource::Own =>
            {
                of_other_lane(of_data, active)
            }
            _ => MaskFact::UNKNOWN,
        }
    }
}

/// The value of some lane of the run of a token: what is said of the own lane or of other active sets is not that of this lane.
fn of_other_lane(fact: MaskFact, active: ActiveSet) -> MaskFact {
    MaskFact {
        own: None,
        only_own: false,
        within: fact.within.filter(|&token| token == active),
        covers: fact.covers.filter(|&token| token == active),
        at_most_one: fact.at_most_one || fact.only_own,
        ..fact
    }
}

/// A reduction over lanes among which is the own one.
fn reduced(
    reduction: Reduction,
    data: MaskFact,
    participants: MaskFact,
    all: bool,
    active: ActiveSet,
) -> MaskFact {
    let other = of_other_lane(data, active);
    match reduction {
        // Each lane has its own bit or none: that is a ballot.
        Reduction::Or | Reduction::Xor | Reduction::Sum if data.only_own => {
            let set = data.own == Some(true);
            MaskFact {
                zeros: data.zeros | participants.zeros,
                own: set.then_some(true),
                within: Some(active),
                covers: (set && all).then_some(active),
                ..MaskFact::UNKNOWN
            }
        }
        Reduction::Or => MaskFact {
            zeros: data.zeros,
            ones: data.ones,
            non_empty: data.non_empty,
            own: data.own.filter(|&own| own),
            within: other.within,
            covers: other.covers,
            ..MaskFact::UNKNOWN
        },
        Reduction::And => MaskFact {
            zeros: data.zeros,
            ones: data.ones,
            at_most_one: data.at_most_one,
            own: data.own.filter(|&own| !own),
            within: other.within,
            covers: other.covers,
            ..MaskFact::UNKNOWN
        },
        Reduction::Xor => MaskFact { zeros: data.zeros, within: other.within, ..MaskFact::UNKNOWN },
        // That of some lane.
        Reduction::Umin | Reduction::Umax | Reduction::Smin | Reduction::Smax => other,
        _ => MaskFact::UNKNOWN,
    }
}

/// The truth table of `bfn`.
fn table_of(data: &InstructionData) -> Option<u8> {
    let Operation::Table { qualifiers, .. } = &data.operation else { return None };
    qualifiers.iter().find_map(|value| match value {
        QualifierValue::Number(number) => Some(*number),
        _ => None,
    })
}

/// `a << b`, by the low 6 bits of `b` (B-01).
fn shl(data: &InstructionData, a: MaskFact, b: MaskFact) -> MaskFact {
    let by_lane = data.operands.get(1) == Some(&Operand::Special(SpecialRegister::LaneId));
    if a.bits() == Some(1) && by_lane {
        return MaskFact { own: Some(true), only_own: true, ..MaskFact::UNKNOWN };
    }
    let mut fact = MaskFact { at_most_one: a.at_most_one, ..MaskFact::UNKNOWN };
    match b.bits().map(|bits| bits & 63) {
        Some(amount) if amount < 32 => {
            fact.zeros = a.zeros << amount | ((1u32 << amount) - 1);
            fact.ones = a.ones << amount;
        }
        Some(_) => fact.zeros = u32::MAX,
        // The low bits that are 0 stay so.
        None => {
            fact.zeros = if a.zeros == u32::MAX { a.zeros } else { (1 << a.zeros.trailing_ones()) - 1 };
            // A bit that is not shifted out: the number is below 32 and the bit is the lowest.
            fact.non_empty = a.ones & 1 == 1 && b.zeros & 32 != 0;
        }
    }
    fact
}

/// `a >> b`, by the low 6 bits of `b` (B-01).
fn shr(a: MaskFact, b: MaskFact) -> MaskFact {
    let mut fact = MaskFact { at_most_one: a.at_most_one, ..MaskFact::UNKNOWN };
    match b.bits().map(|bits| bits & 63) {
        Some(amount) if amount < 32 => {
            fact.zeros = a.zeros >> amount | !(u32::MAX >> amount);
            fact.ones = a.ones >> amount;
        }
        Some(_) => fact.zeros = u32::MAX,
        None => fact.zeros = up_to(!a.zeros).zeros,
    }
    fact
}
