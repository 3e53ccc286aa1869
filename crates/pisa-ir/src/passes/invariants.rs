//! Moves what is the same in every turn of a loop before the loop.

use super::{Context, Facts, Outcome};
use crate::analysis::{Loop, LoopNest};
use crate::legality::{Legality, Verdict};
use crate::{Block, Function, Instruction, Position, Terminator};

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let facts = Facts::of(function, context.waiting);
    let nest = LoopNest::of(function, &facts.flow);
    if nest.is_empty() {
        return false;
    }
    let mut legality = Legality::of(function, &facts.sets, &facts.dominators);
    let useful = useful(function);
    let mut changed = false;
    // Inner loops first, so that what leaves one can leave the next.
    let mut loops: Vec<Loop> = nest.loops().collect();
    loops.reverse();
    for l in loops {
        if let Some(before) = block_before(function, &facts, &nest, l) {
            // What is in an inner loop was tried there.
            let own = nest.blocks(l).iter().copied().filter(|&block| nest.innermost(block) == Some(l));
            let mut blocks: Vec<Block> = own.collect();
            blocks.sort_by_key(|&block| facts.flow.order(block));
            changed |= hoist(function, context, &mut legality, &useful, &blocks, before);
        }
    }
    if changed {
        function.renew_tokens();
    }
    changed
}

/// By value: whether an instruction or a branch uses it. What is only handed on to parameters is computed into their registers where it
/// stands, and would have to be copied there instead.
fn useful(function: &Function) -> Vec<bool> {
    let mut useful = vec![false; function.values.len()];
    for &block in &function.layout {
        let data = function.block(block);
        let operands = data.instructions.iter().flat_map(|&i| &function.instruction(i).operands).copied();
        for value in operands.chain(data.terminator.operands()).filter_map(|operand| operand.value()) {
            useful[value.index()] = true;
        }
    }
    useful
}

/// The block that control enters the loop from, if it is one that leads nowhere else.
fn block_before(function: &Function, facts: &Facts, nest: &LoopNest, l: Loop) -> Option<Block> {
    if !nest.data(l).is_reducible() {
        return None;
    }
    let mut entering = nest.entering(&facts.flow, l);
    let edge = entering.next()?;
    let alone = entering.next().is_none();
    let goes_only_there = matches!(function.block(edge.from).terminator, Terminator::Goto(_));
    (alone && goes_only_there).then_some(edge.from)
}

fn hoist(
    function: &mut Function,
    context: &mut Context<'_>,
    legality: &mut Legality<'_>,
    useful: &[bool],
    blocks: &[Block],
    before: Block,
) -> bool {
    let mut changed = false;
    for &block in blocks {
        let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        let mut stay = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let wanted = function.instruction(instruction).results.iter().any(|value| useful[value.index()]);
            if wanted && moves(function, context, legality, instruction, before) {
                legality.moved(instruction, Position::end(before));
                function.blocks[before.index()].instructions.push(instruction);
                changed = true;
            } else {
                stay.push(instruction);
            }
        }
        function.blocks[block.index()].instructions = stay;
    }
    changed
}

fn moves(
    function: &Function,
    context: &mut Context<'_>,
    legality: &Legality<'_>,
    instruction: Instruction,
    before: Block,
) -> bool {
    let data = function.instruction(instruction);
    // Its operands first, without which there is nothing to ask.
    let to = Position::end(before);
    if data.results.is_empty() {
        return false;
    }
    if let Some(value) =
        data.operands.iter().filter_map(|o| o.value()).find(|&v| !legality.is_computed(function, v, to))
    {
        let because = function.defining(value).and_then(|i| function.instruction(i).place);
        let name = function
            .name(function.value(value).name)
            .map_or("an operand".into(), |name| format!("`%{name}`"));
        context.remarks.not_tried(function, instruction, because, || {
            format!("not moved before the loop: {name} is computed in it")
        });
        return false;
    }
    match context.obey(legality.may_copy(function, instruction, to)) {
        Verdict::Yes => {
            let message = || "moved before the loop, which all its lanes run together".to_owned();
            context.remarks.done(function, instruction, Outcome::Moved, message);
            true
        }
        // A narrowed mask costs more before the loop than it saves if the loop has one turn.
        Verdict::Narrowed(_) => false,
        verdict => {
            context.remarks.refused(function, instruction, &verdict, || "to move it before the loop".into());
            false
        }
    }
}
