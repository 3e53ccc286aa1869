//! Computes once, above, what several blocks compute that do not lead to each other.
//!
//! It is done where the place above leads to one of them in any case, so that nothing runs that did not run before.

use super::value_numbering::key;
use super::{Context, Facts, Outcome};
use crate::analysis::{LoopNest, PostDominators};
use crate::legality::Legality;
use crate::{Block, Function, Instruction, Operand, Position, Value};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let groups = groups(function);
    if groups.is_empty() {
        return false;
    }
    let facts = Facts::of(function, context.waiting);
    let nest = LoopNest::of(function, &facts.flow);
    let after = PostDominators::of(function, &facts.flow);
    let mut legality = Legality::of(function, &facts.sets, &facts.dominators);
    let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
    let mut gone: FxHashSet<Instruction> = FxHashSet::default();
    for group in groups {
        let Some(above) = place(function, &facts, &nest, &after, &group) else { continue };
        let to = Position::end(above);
        let (first, others) = (group[0].1, &group[1..]);
        if !context.obey(legality.may_copy(function, first, to)).is_yes() {
            continue;
        }
        for &(_, other) in others {
            let new: Vec<Value> = function.instruction(first).results.to_vec();
            for (&old, new) in function.instruction(other).results.iter().zip(new) {
                replacement.insert(old, new.into());
            }
            gone.insert(other);
        }
        let from = &mut function.blocks[group[0].0.index()].instructions;
        from.retain(|&instruction| instruction != first);
        function.blocks[above.index()].instructions.push(first);
        legality.moved(first, to);
        context.remarks.done(function, first, Outcome::Moved, || "computed once for several blocks".into());
    }
    if replacement.is_empty() {
        return false;
    }
    for block in function.layout.clone() {
        function.blocks[block.index()].instructions.retain(|instruction| !gone.contains(instruction));
    }
    function.replace_values(&replacement);
    function.renew_tokens();
    true
}

/// Instructions that compute the same in several blocks, nothing but their operands being looked at. In the order of the text.
fn groups(function: &Function) -> Vec<Vec<(Block, Instruction)>> {
    let mut by_key: FxHashMap<_, Vec<(Block, Instruction)>> = FxHashMap::default();
    for (block, instruction) in function.all_instructions() {
        if function.instruction(instruction).properties().is_pure()
            && let Some(key) = key(function, instruction)
        {
            by_key.entry(key).or_default().push((block, instruction));
        }
    }
    let mut groups: Vec<_> = by_key.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by_key(|group| group[0].1);
    groups
}

/// The lowest block above all of a group, if it leads to one of them in any case and is in no loop that one of them is not in.
fn place(
    function: &Function,
    facts: &Facts,
    nest: &LoopNest,
    after: &PostDominators,
    group: &[(Block, Instruction)],
) -> Option<Block> {
    let mut above = group[0].0;
    for &(block, _) in &group[1..] {
        above = facts.dominators.common(above, block)?;
    }
    let depth = nest.depth(above);
    let blocks = || group.iter().map(|&(block, _)| block);
    // What one of them dominates is a matter of value numbering.
    if blocks().any(|block| block == above || nest.depth(block) < depth) {
        return None;
    }
    let targets = function.targets(above);
    let every_way =
        targets.len() > 1 && targets.iter().all(|target| blocks().any(|block| block == target.block));
    (every_way || blocks().any(|block| after.post_dominates(block, above))).then_some(above)
}
