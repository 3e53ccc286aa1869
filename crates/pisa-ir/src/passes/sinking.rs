//! Moves what only one arm of a branch needs into that arm, so that it does not run where no lane takes it.

use super::{Context, Facts, Outcome};
use crate::analysis::{LoopNest, PostDominators};
use crate::legality::Legality;
use crate::{Block, Function, Instruction, Position};
use smallvec::SmallVec;

/// Where a value is used.
#[derive(Clone, Copy)]
enum User {
    Instruction(Instruction),
    End(Block),
}

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let facts = Facts::of(function, context.waiting);
    let nest = LoopNest::of(function, &facts.flow);
    let after = PostDominators::of(function, &facts.flow);
    let mut legality = Legality::of(function, &facts.sets, &facts.dominators);
    let users = users(function);
    let mut changed = false;
    // From below, so that what a moved instruction needs can follow it.
    let order: Vec<Block> = facts.dominators.preorder().iter().rev().copied().collect();
    for block in order {
        let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        let mut stay: Vec<Instruction> = Vec::with_capacity(instructions.len());
        for instruction in instructions.into_iter().rev() {
            let places = places(function, &legality, &users, instruction);
            let to = destination(function, &facts, &nest, &after, block, instruction, places.as_deref());
            let verdict = to.map(|to| {
                let to = Position::begin(to);
                (to, context.obey(legality.may_move(function, instruction, to, places.into_iter().flatten())))
            });
            match verdict {
                Some((to, verdict)) if verdict.is_yes() => {
                    legality.moved(instruction, to);
                    function.blocks[to.block.index()].instructions.insert(0, instruction);
                    let message =
                        || "moved into the only arm that needs it, which all its lanes take".to_owned();
                    context.remarks.done(function, instruction, Outcome::Moved, message);
                    changed = true;
                }
                Some((_, verdict)) => {
                    let wish = || "to move it into the only arm that needs it".to_owned();
                    context.remarks.refused(function, instruction, &verdict, wish);
                    stay.push(instruction);
                }
                None => stay.push(instruction),
            }
        }
        stay.reverse();
        // What was put here from above comes first.
        let mut all = std::mem::take(&mut function.blocks[block.index()].instructions);
        all.extend(stay);
        function.blocks[block.index()].instructions = all;
    }
    if changed {
        function.renew_tokens();
    }
    changed
}

fn users(function: &Function) -> Vec<SmallVec<[User; 2]>> {
    let mut users = vec![SmallVec::new(); function.values.len()];
    for &block in &function.layout {
        let data = function.block(block);
        for &instruction in &data.instructions {
            for value in function.instruction(instruction).operands.iter().filter_map(|o| o.value()) {
                users[value.index()].push(User::Instruction(instruction));
            }
        }
        data.terminator.for_each_operand(|operand| {
            if let Some(value) = operand.value() {
                users[value.index()].push(User::End(block));
            }
        });
    }
    users
}

/// Where the results of an instruction are used; `None` if one of them is in no block.
fn places(
    function: &Function,
    legality: &Legality<'_>,
    users: &[SmallVec<[User; 2]>],
    instruction: Instruction,
) -> Option<Vec<Position>> {
    let results = &function.instruction(instruction).results;
    let all = results.iter().flat_map(|value| &users[value.index()]);
    all.map(|user| match *user {
        User::Instruction(user) => legality.place(user),
        User::End(block) => Some(Position::end(block)),
    })
    .collect()
}

/// The block that an instruction should move to: the lowest one that is before all uses, in no other loop, and not run by all lanes anyway.
fn destination(
    function: &Function,
    facts: &Facts,
    nest: &LoopNest,
    after: &PostDominators,
    block: Block,
    instruction: Instruction,
    places: Option<&[Position]>,
) -> Option<Block> {
    let data = function.instruction(instruction);
    let properties = data.properties();
    if properties.writes_memory
        || properties.changes_active_set
        || data.operation == crate::Operation::Initial
    {
        return None;
    }
    let (first, rest) = places?.split_first()?;
    let mut common = first.block;
    for place in rest {
        common = facts.dominators.common(common, place.block)?;
    }
    // Up until it is in the loop of the instruction, or in one around it.
    while common != block && !nest.innermost(common).is_none_or(|l| nest.contains(l, block)) {
        common = facts.dominators.immediate(common)?;
    }
    let useful =
        common != block && facts.dominators.dominates(block, common) && !after.post_dominates(common, block);
    useful.then_some(common)
}
