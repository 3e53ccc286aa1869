//! Lowering: every cross-lane and mask operation that PISA does not have becomes a sequence of those that it has.
//!
//! The sequences are right for any active set and any mask operand that all lanes share (S-01), and lanes outside the mask
//! keep their pass-through. Where all lanes are known to take part ([`LoweringFacts`]) there is often a shorter one. Where
//! it is not known and the two differ by more than the test costs, or in the order in which floats are combined, both are
//! there, behind a test of `%activemask`: the block is split into itself, the fast arm, the slow arm and the rest, in this order, so
//! that under `lexical` all lanes meet again before the rest.
//!
//! Each family writes its sequences down with their lengths. `H1`, `H2` and `H3` in them are the masks `1 << %laneid`, the lanes
//! below and those up to the own one; they depend on the lane alone, can be hoisted out of everything and are not
//! counted. `%activemask` is an operand. `docs/lowering.md` has all lengths beside those of the best known compilers.

mod ballots;
mod derivatives;
mod emit;
mod group;
mod masks;
mod matches;
mod ordered;
mod predicates;
mod prepare;
mod quads;
mod reductions;
mod scans;
mod shuffles;
#[cfg(test)]
mod tests;
mod words;

use crate::{
    CrossLane, CrossLaneKind, Element, Function, Instruction, InstructionData, Operand, Operation, Scope,
    Value,
};
use emit::Emitter;
use group::Group;
use rustc_hash::FxHashMap;

/// What is known about the operations that are lowered.
pub trait LoweringFacts {
    /// Whether all 32 lanes of the sub-group are active whenever this instruction runs.
    fn is_full(&self, instruction: Instruction) -> bool;
}

/// Nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFacts;

impl LoweringFacts for NoFacts {
    fn is_full(&self, _: Instruction) -> bool {
        false
    }
}

impl<F: Fn(Instruction) -> bool> LoweringFacts for F {
    fn is_full(&self, instruction: Instruction) -> bool {
        self(instruction)
    }
}

/// Replaces what PISA does not have by sequences of what it has. Blocks may be split; what is behind an operation in its block
/// may then be in a new one.
pub fn lower(function: &mut Function, facts: &dyn LoweringFacts) {
    if !function.all_instructions().any(|(_, i)| needs_lowering(&function.instruction(i).operation)) {
        return;
    }
    let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
    let layout = std::mem::take(&mut function.layout);
    let mut emitter = Emitter::new(function);
    for block in layout {
        let (instructions, terminator) = emitter.reopen(block);
        for instruction in instructions {
            let data = emitter.function.instruction(instruction);
            if data.operation == Operation::Initial {
                // It stays in the entry block, whatever is split off it.
                emitter.push_to(block, instruction);
                continue;
            }
            if !needs_lowering(&data.operation) {
                emitter.push(instruction);
                continue;
            }
            let data = data.clone();
            emitter.place = data.place;
            let lowered = sequence(&mut emitter, &data, facts.is_full(instruction));
            if let Some(result) = data.result() {
                emitter.name_like(lowered, result);
                replacement.insert(result, lowered);
            }
        }
        emitter.close(terminator);
    }
    function.layout = emitter.into_layout();
    function.replace_values(&replacement);
    function.renew_tokens();
}

/// Whether PISA does not have it.
pub fn needs_lowering(operation: &Operation) -> bool {
    match operation {
        Operation::CrossLane(operation) => !operation.is_native(),
        Operation::Mask(_) => true,
        _ => false,
    }
}

/// Appends what does the same: the result.
fn sequence(emitter: &mut Emitter<'_>, data: &InstructionData, is_full: bool) -> Operand {
    match data.operation {
        Operation::Mask(operation) => masks::lower(emitter, operation, &data.operands),
        Operation::CrossLane(operation) => cross_lane(emitter, &operation, data, is_full),
        _ => Operand::Dead,
    }
}

fn cross_lane(
    emitter: &mut Emitter<'_>,
    operation: &CrossLane,
    instruction: &InstructionData,
    is_full: bool,
) -> Operand {
    use CrossLaneKind as Kind;
    let kept = instruction.pass_through_position().and_then(|at| instruction.operands.get(at).copied());
    let group =
        Group::new(instruction.mask().unwrap_or(Operand::ALL_LANES), kept.unwrap_or(Operand::Dead), is_full);
    if group.keeps() && group.mask.constant() == Some(0) {
        // Nobody takes part.
        return group.kept;
    }
    let element = operation.element;
    let data = emitter.register(instruction.data().unwrap_or(Operand::Dead));
    let index = instruction.index().unwrap_or(Operand::Dead);
    match operation.kind {
        Kind::ActiveMask => emitter.active_mask(),
        Kind::FirstParticipant => emitter.first(group.mask),
        Kind::Ballot { bits } => ballots::ballot(emitter, bits, data, group),
        Kind::VoteAny => ballots::vote(emitter, false, data, group),
        Kind::VoteAll => ballots::vote(emitter, true, data, group),
        Kind::VoteAllEqual => ballots::all_equal(emitter, element, data, group),
        Kind::Elect => ballots::elect(emitter, group),
        Kind::ReadInvocation => emitter.shuffle(shuffles::INDEX, element, data, index, group),
        Kind::ReadFirstInvocation => shuffles::read_first(emitter, element, data, group),
        Kind::Shuffle { kind, segmented } => emitter.shuffle((kind, segmented), element, data, index, group),
        Kind::Rotate(cluster) => shuffles::rotate(emitter, element, cluster, data, index, group),
        Kind::QuadBroadcast => quads::broadcast(emitter, element, data, index, group),
        Kind::QuadSwap(axis) => quads::swap(emitter, element, axis, data, group),
        Kind::QuadAny => quads::vote(emitter, false, data, group),
        Kind::QuadAll => quads::vote(emitter, true, data, group),
        Kind::Reduce { reduction, scope, cluster, partitioned } => {
            let partition = partitioned.then_some(index);
            let set = group::Set { group, cluster, partition };
            match (element, scope) {
                (Element::Predicate, _) => predicates::reduce(emitter, reduction, scope, data, set),
                (_, Scope::Reduce) => reductions::reduce(emitter, reduction, element, data, set),
                _ => scans::scan(emitter, reduction, scope, element, data, set),
            }
        }
        Kind::MatchAny => matches::any(emitter, element, data, group),
        Kind::MatchAll => matches::all(emitter, element, data, group),
        Kind::Derivative { axis, fine } => derivatives::lower(emitter, element, axis, fine, data),
    }
}
