//! What operations cost: how many native instructions they are or become, in sixteenths, with a little more or less so that one of several
//! forms of equal length is the one that rules look for.

use super::{Rule, Term};
use crate::{
    ClusterSize, CrossLane, CrossLaneKind as Kind, Element, LaneMask, MaskOperation, Operand, Operation,
    Scope,
};
use pisa_isa::Opcode;

/// One instruction.
pub const INSTRUCTION: u32 = 16;

/// Of an operation, without its operands.
pub fn of(operation: &Operation) -> u32 {
    match operation {
        Operation::Table { .. } => INSTRUCTION + table(operation),
        Operation::Call { .. } => INSTRUCTION,
        Operation::CrossLane(operation) => cross_lane(operation),
        Operation::Mask(operation) => mask(*operation),
        Operation::Vector(_) | Operation::Initial => 0,
    }
}

/// Of an operand: an instruction that keeps a value or negates one is a little more than one that does not.
pub fn of_operand(operation: &Operation, operand: Operand, is_pass_through: bool) -> u32 {
    let negated = matches!(operand, Operand::Negated(_)) && matches!(operation, Operation::CrossLane(_));
    u32::from(negated || is_pass_through && operand != Operand::Dead)
}

/// Multiplication and division are not worse by their count, but where there is a choice.
fn table(operation: &Operation) -> u32 {
    use Opcode::*;
    match operation.opcode() {
        Some(Umul | Smul | Umad | Smad) => 1,
        Some(Udiv | Sdiv) => 2,
        _ => 0,
    }
}

fn mask(operation: MaskOperation) -> u32 {
    let instructions = match operation {
        MaskOperation::Lanes(LaneMask::Equal) => 1,
        MaskOperation::Lanes(LaneMask::Less) => 2,
        MaskOperation::Lanes(LaneMask::LessEqual | LaneMask::GreaterEqual) => 3,
        MaskOperation::Lanes(LaneMask::Greater) => 4,
        MaskOperation::InverseBallot | MaskOperation::BitExtract => 2,
        MaskOperation::BitCount(Scope::Reduce) | MaskOperation::FindLeast => 1,
        // The mask of lanes before the own is made once for all of them.
        MaskOperation::BitCount(_) | MaskOperation::FindMost => 2,
    };
    instructions * INSTRUCTION
}

fn cross_lane(operation: &CrossLane) -> u32 {
    // `%activemask` can mostly stand where it is used.
    const HALF: u32 = INSTRUCTION / 2;
    let more = |instructions: u32| instructions * INSTRUCTION + 1;
    // What is recognised in several instructions is a little less than these.
    let less = |instructions: u32| instructions * INSTRUCTION - 1;
    match operation.kind {
        Kind::ActiveMask => HALF,
        Kind::Ballot { .. } => less(2),
        Kind::VoteAny | Kind::VoteAll => less(3) - 1,
        Kind::VoteAllEqual => less(3),
        Kind::Elect => less(2),
        Kind::FirstParticipant => more(1),
        Kind::ReadFirstInvocation => less(2) - 1 + shuffle(operation.element) - INSTRUCTION,
        Kind::ReadInvocation | Kind::Shuffle { .. } => shuffle(operation.element) + 1,
        Kind::QuadBroadcast | Kind::QuadSwap(_) => shuffle(operation.element) + 1,
        Kind::Rotate(_) => shuffle(operation.element) + INSTRUCTION + 1,
        Kind::QuadAny | Kind::QuadAll => more(5),
        Kind::MatchAny => more(40),
        Kind::MatchAll => more(4),
        Kind::Derivative { .. } => more(3),
        Kind::Reduce { .. } if operation.is_native() => more(1),
        Kind::Reduce { reduction, scope, cluster, partitioned } => more(match scope {
            _ if partitioned => 32,
            Scope::Reduce if cluster == ClusterSize::FULL && !reduction.has_order(operation.element) => 5,
            Scope::Reduce if reduction.has_order(operation.element) => 32,
            Scope::Reduce => (32 / u32::from(cluster.lanes())).min(10),
            Scope::Inclusive if reduction.is_idempotent() => 19,
            Scope::Inclusive => 29,
            Scope::Exclusive => 30,
        }),
    }
}

fn shuffle(element: Element) -> u32 {
    let instructions = match element.bits() {
        32 if element.elements() == 1 => 1,
        64 => 4,
        _ => 3,
    };
    instructions * INSTRUCTION
}

/// Of a pattern or replacement on its own, each term once: what it costs if nothing else uses its parts, and if
/// constants are folded.
pub fn of_term(rule: &Rule, term: u16) -> u32 {
    let mut terms = rule.below(term);
    terms.sort_unstable();
    terms.dedup();
    terms.iter().map(|&term| of_part(rule, term)).sum()
}

fn of_part(rule: &Rule, term: u16) -> u32 {
    let Term::Apply { operation, operands } = rule.term(term) else { return 0 };
    if is_folded(rule, term) {
        return 0;
    }
    let keeps = matches!(operation, Operation::CrossLane(operation) if operation.has_pass_through());
    let extra = operands.iter().enumerate().filter(|&(number, &operand)| match rule.term(operand) {
        Term::Negation(_) => matches!(operation, Operation::CrossLane(_)),
        Term::Dead => false,
        _ => keeps && number + 1 == operands.len(),
    });
    of(operation) + extra.count() as u32
}

/// Whether a term of a replacement becomes a constant: it is pure, and all it has are constants.
pub fn is_folded(rule: &Rule, term: u16) -> bool {
    rule.below(term).iter().all(|&term| match rule.term(term) {
        Term::Variable(variable) => rule.is_constant(*variable),
        Term::Constant(_) => true,
        Term::Apply { operation, operands } => !operands.is_empty() && operation.properties().is_pure(),
        _ => false,
    })
}

/// Whether it can be worth while to apply a rule: the others are laws.
pub fn can_gain(rule: &Rule) -> bool {
    of_term(rule, rule.replacement) < of_term(rule, rule.pattern)
}
