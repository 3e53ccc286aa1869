//! Simplifies control flow: branches with one way, blocks that nothing reaches, empty blocks, blocks that follow each other.

use super::Context;
use crate::analysis::ControlFlow;
use crate::legality::Blocks;
use crate::{Block, Function, Operand, Target, Terminator, Value};
use rustc_hash::FxHashMap;

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let mut changed = one_way(function);
    changed |= unreachable(function);
    changed |= pass_empty(function, context);
    changed |= unreachable(function);
    changed |= join(function, context);
    if changed {
        function.renew_tokens();
    }
    changed
}

/// Branches on constants, and those that go to one place with the same arguments.
fn one_way(function: &mut Function) -> bool {
    let mut changed = false;
    for block in function.layout.clone() {
        let terminator = &mut function.blocks[block.index()].terminator;
        let new = match terminator {
            Terminator::Branch { taken, otherwise, .. } if taken == otherwise => {
                Terminator::Goto(taken.clone())
            }
            Terminator::Branch { condition: Operand::Constant(constant), taken, otherwise } => {
                Terminator::Goto(if constant.bits() != 0 { taken } else { otherwise }.clone())
            }
            Terminator::ReturnIf { condition: Operand::Constant(constant), value, otherwise } => {
                if constant.bits() != 0 {
                    Terminator::Return(*value)
                } else {
                    Terminator::Goto(otherwise.clone())
                }
            }
            _ => continue,
        };
        *terminator = new;
        changed = true;
    }
    changed
}

/// Blocks that control does not get to.
fn unreachable(function: &mut Function) -> bool {
    let flow = ControlFlow::of(function);
    let before = function.layout.len();
    function.layout.retain(|&block| flow.is_reachable(block));
    function.layout.len() != before
}

/// Lanes go past empty blocks.
fn pass_empty(function: &mut Function, context: &mut Context<'_>) -> bool {
    let counts = function.use_counts();
    let blocks = Blocks::of(function);
    let mut changed = false;
    // From the last on, so that a chain of them is passed at once.
    for block in function.layout.clone().into_iter().rev() {
        let data = function.block(block);
        let Terminator::Goto(onwards) = data.terminator.clone() else { continue };
        let is_entry = function.entry() == Some(block);
        if !data.instructions.is_empty() || is_entry || onwards.block == block {
            continue;
        }
        if !context.may(blocks.may_pass(block, onwards.block)) {
            continue;
        }
        // Its parameters must not be needed elsewhere.
        let parameters = function.block(block).parameters.clone();
        let here = |value: &Value| {
            onwards.arguments.iter().filter(|a| a.value() == Some(*value)).count() as u32
                == counts[value.index()]
        };
        if !parameters.iter().all(here) {
            continue;
        }
        for from in function.layout.clone() {
            let terminator = &mut function.blocks[from.index()].terminator;
            if from == block || !terminator.targets().iter().any(|target| target.block == block) {
                continue;
            }
            let mut new = terminator.clone();
            for target in new.targets_mut() {
                if target.block == block {
                    *target = through(target, &parameters, &onwards);
                }
            }
            // Two ways to one place with different arguments are better apart.
            let both = matches!(&new, Terminator::Branch { taken, otherwise, .. }
                if taken.block == otherwise.block && taken != otherwise);
            if !both {
                *terminator = new;
                changed = true;
            }
        }
    }
    changed
}

/// Where a target leads that goes through an empty block.
fn through(target: &Target, parameters: &[Value], onwards: &Target) -> Target {
    let argument = |operand: &Operand| {
        let value = operand.value();
        match value.and_then(|value| parameters.iter().position(|&p| p == value)) {
            Some(number) => match (operand, target.arguments[number]) {
                (Operand::Negated(_), Operand::Value(value)) => Operand::Negated(value),
                (Operand::Negated(_), Operand::Negated(value)) => Operand::Value(value),
                (_, argument) => argument,
            },
            None => *operand,
        }
    };
    Target { block: onwards.block, arguments: onwards.arguments.iter().map(argument).collect() }
}

/// Blocks that come one after the other become one.
fn join(function: &mut Function, context: &mut Context<'_>) -> bool {
    let blocks = Blocks::of(function);
    let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
    let mut gone = vec![false; function.blocks.len()];
    let mut first: Option<Block> = None;
    let mut previous: Option<Block> = None;
    for block in function.layout.clone() {
        // The block that `previous` has become part of ends as `previous` did.
        let into = match (first, previous) {
            (Some(first), Some(previous))
                if follows(function, &blocks, first, block)
                    && context.may(blocks.may_join(previous, block)) =>
            {
                first
            }
            _ => {
                first = Some(block);
                previous = Some(block);
                continue;
            }
        };
        let Terminator::Goto(target) = function.block(into).terminator.clone() else { continue };
        let data = &mut function.blocks[block.index()];
        let parameters = std::mem::take(&mut data.parameters);
        let instructions = std::mem::take(&mut data.instructions);
        let (terminator, place) = (data.terminator.clone(), data.place);
        replacement.extend(parameters.into_iter().zip(target.arguments));
        let data = &mut function.blocks[into.index()];
        data.instructions.extend(instructions);
        data.terminator = terminator;
        data.place = place;
        gone[block.index()] = true;
        previous = Some(block);
    }
    if !gone.contains(&true) {
        return false;
    }
    function.layout.retain(|block| !gone[block.index()]);
    function.replace_values(&replacement);
    true
}

/// Whether `first` leads to `block` alone, and nothing else does.
fn follows(function: &Function, blocks: &Blocks, first: Block, block: Block) -> bool {
    let terminator = &function.block(first).terminator;
    let goes_there = matches!(terminator, Terminator::Goto(target) if target.block == block);
    goes_there && blocks.predecessors(block) == 1 && function.entry() != Some(block)
}
