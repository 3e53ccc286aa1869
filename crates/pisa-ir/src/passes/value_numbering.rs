//! Computes equal values once: global value numbering over the dominator tree.
//!
//! Two instructions are candidates when operation and operands are equal, masks and pass-throughs aside; the legality query says
//! whether the earlier one's result is the later one's.

use super::{Context, Facts, Outcome};
use crate::legality::{Legality, Reason, Verdict};
use crate::{Function, Instruction, Operand, Operation, Value};
use pisa_module::RegisterType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Earlier instructions that are tried. More of one kind that do not merge do not occur but in generated code.
const CANDIDATES: usize = 8;

pub(super) type Key = (Operation, SmallVec<[Operand; 4]>, SmallVec<[RegisterType; 1]>);

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let facts = Facts::of(function, context.waiting);
    let legality = Legality::of(function, &facts.sets, &facts.dominators);
    let mut known: FxHashMap<Key, SmallVec<[Instruction; 2]>> = FxHashMap::default();
    let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
    for &block in facts.dominators.preorder() {
        for index in 0..function.block(block).instructions.len() {
            let instruction = function.block(block).instructions[index];
            renew(function, instruction, &replacement);
            let Some(key) = key(function, instruction) else { continue };
            let candidates = known.entry(key).or_default();
            let mut kept = None;
            for &candidate in candidates.iter().rev().take(CANDIDATES) {
                match context.obey(legality.may_merge(function, candidate, instruction)) {
                    Verdict::Yes => {
                        kept = Some(candidate);
                        break;
                    }
                    verdict @ Verdict::No(_) if says_something(&verdict) => {
                        let place = || "to share the result of an equal one".to_owned();
                        context.remarks.refused(function, instruction, &verdict, place);
                    }
                    _ => {}
                }
            }
            match kept {
                Some(candidate) => {
                    let results = function.instruction(instruction).results.clone();
                    for (number, value) in results.into_iter().enumerate() {
                        replacement.insert(value, function.instruction(candidate).results[number].into());
                    }
                    let message = || "an equal one runs before it under the same lanes".to_owned();
                    let because = function.instruction(candidate).place;
                    context.remarks.done_because(function, instruction, Outcome::Merged, because, message);
                }
                None => candidates.push(instruction),
            }
        }
    }
    if replacement.is_empty() {
        return false;
    }
    // What is replaced goes at once, so that the next pass does not see it again.
    for block in function.layout.clone() {
        let gone = |i: &Instruction| {
            let results = &function.instructions[i.index()].results;
            !results.is_empty() && results.iter().all(|value| replacement.contains_key(value))
        };
        let mut instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        instructions.retain(|i| !gone(i));
        function.blocks[block.index()].instructions = instructions;
    }
    function.replace_values(&replacement);
    true
}

/// Whether a refusal is about lanes or memory rather than about the candidate's place.
fn says_something(verdict: &Verdict) -> bool {
    verdict.obstacle().is_some_and(|o| matches!(o.reason, Reason::Lanes(_) | Reason::NoParticipant(_)))
}

/// The operands with what has been replaced so far.
fn renew(function: &mut Function, instruction: Instruction, replacement: &FxHashMap<Value, Operand>) {
    for operand in &mut function.instructions[instruction.index()].operands {
        while let Operand::Value(value) | Operand::Negated(value) = *operand
            && let Some(&Operand::Value(new)) = replacement.get(&value)
        {
            *operand = match operand {
                Operand::Negated(_) => Operand::Negated(new),
                _ => Operand::Value(new),
            };
        }
    }
}

/// What equal instructions have in common; `None` for what is never merged.
pub(super) fn key(function: &Function, instruction: Instruction) -> Option<Key> {
    let data = function.instruction(instruction);
    let properties = data.properties();
    if properties.writes_memory || properties.changes_active_set || data.results.is_empty() {
        return None;
    }
    // Each unwritten register is its own.
    if data.operation == Operation::Initial {
        return None;
    }
    let mut operands: SmallVec<[Operand; 4]> = data.operands.iter().copied().collect();
    for position in [data.mask_position(), data.pass_through_position()].into_iter().flatten() {
        operands[position] = Operand::Dead;
    }
    // What an extraction gives goes by the type of its result.
    let types = data.results.iter().map(|&value| function.value(value).ty).collect();
    Some((data.operation, operands, types))
}
