//! Folding: operations on constants, names for operands, and parameters of blocks that are always the same.
//!
//! What has constants alone for operands is computed by [`evaluate`], which asks the executable specification for table operations, so that
//! rounding, `.ftz`, saturation and NaNs are what they are at run time. Nothing here looks at active sets: what cross-lane operations on
//! constants give depends on who takes part, which is a matter of [`crate::rules`]. Branches on constants go with the `blocks` pass.

mod evaluate;
mod parameters;
#[cfg(test)]
mod tests;

pub use evaluate::evaluate;

use crate::{Function, Operand, Operation, Value};
use pisa_isa::Opcode;
use rustc_hash::FxHashMap;

/// Folds what can be folded, until there is no more. Whether anything changed.
pub fn fold(function: &mut Function) -> bool {
    let mut changed = false;
    // One round goes with the order of the layout; another one is needed for what comes through a parameter of an earlier block.
    while round(function) {
        changed = true;
    }
    changed
}

fn round(function: &mut Function) -> bool {
    let mut known: FxHashMap<Value, Operand> = FxHashMap::default();
    for block in function.layout.clone() {
        let mut kept = std::mem::take(&mut function.blocks[block.index()].instructions);
        kept.retain(|instruction| {
            let data = &mut function.instructions[instruction.index()];
            for operand in &mut data.operands {
                *operand = resolved(&known, *operand);
            }
            if let Some(operand) = named(&data.operation, &data.operands)
                && let [result] = data.results[..]
            {
                known.insert(result, operand);
                return false;
            }
            let types = data.results.iter().map(|&result| function.values[result.index()].ty);
            let types: smallvec::SmallVec<[_; 1]> = types.collect();
            let Some(constants) = evaluate(&data.operation, &data.operands, &types) else { return true };
            let results = data.results.iter().copied();
            known.extend(results.zip(constants.into_iter().map(Operand::Constant)));
            false
        });
        function.blocks[block.index()].instructions = kept;
    }
    function.replace_values(&known);
    let folded = !known.is_empty();
    let copied = parameters::propagate(function);
    folded | copied
}

/// The operand in the place of a value; what is known is no value itself.
fn resolved(known: &FxHashMap<Value, Operand>, operand: Operand) -> Operand {
    let Some(&new) = operand.value().and_then(|value| known.get(&value)) else { return operand };
    match operand {
        Operand::Negated(_) => crate::rules::negation(new).unwrap_or(operand),
        _ => new,
    }
}

/// What a `mov` gives a name to.
fn named(operation: &Operation, operands: &[Operand]) -> Option<Operand> {
    match (operation.opcode(), operands) {
        (Some(Opcode::Mov), &[operand @ (Operand::Constant(_) | Operand::Special(_))]) => Some(operand),
        _ => None,
    }
}
