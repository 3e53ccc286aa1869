//! Loops test at their end: a loop that tests at its start and jumps back from its end gets a copy of the test there, which saves the jump
//! back in every turn.
//!
//! The first block, `H`, stays as the test before the first turn. Lanes that came from the end `L` to `H` and on to the body now go from `L` to
//! the body: nobody was waiting in `H`, which is lower than `L`, and what `H` computes does not look at lanes, so that all active sets stay
//! what they are. Lanes that leave come from `L` instead of `H` and wait at the same place, which is behind both.
//!
//! What `H` defines has two definitions afterwards, and parameters where they meet.

use super::Context;
use crate::analysis::{ControlFlow, Dominators, LoopNest};
use crate::legality::{Blocks, Legality};
use crate::{Block, Function, Instruction, Operand, Position, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions of a test that is worth copying.
const LONGEST: usize = 4;

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let facts = super::Facts::of(function, context.waiting);
    let nest = LoopNest::of(function, &facts.flow);
    let legality = Legality::of(function, &facts.sets, &facts.dominators);
    let blocks = Blocks::of(function);
    let candidates: Vec<(Block, Block)> =
        nest.loops().filter_map(|l| candidate(function, &facts.flow, &nest, &blocks, &legality, l)).collect();
    if candidates.is_empty() {
        return false;
    }
    let mut twice: Vec<(Value, Block, Operand, Block)> = Vec::new();
    for (head, latch) in candidates {
        rotate(function, head, latch, &mut twice);
    }
    meet(function, twice);
    function.renew_tokens();
    true
}

/// The block that tests and the one that jumps back.
fn candidate(
    function: &Function,
    flow: &ControlFlow,
    nest: &LoopNest,
    blocks: &Blocks,
    legality: &Legality<'_>,
    l: crate::analysis::Loop,
) -> Option<(Block, Block)> {
    let data = nest.data(l);
    let head = data.header;
    let mut latches = nest.latches(flow, l);
    let latch = latches.next()?.from;
    let only = data.is_reducible() && latches.next().is_none() && latch != head;
    let Terminator::Branch { taken, otherwise, .. } = &function.block(head).terminator else { return None };
    let inside = [taken, otherwise].map(|target| nest.contains(l, target.block));
    let (body, exit) = match inside {
        [true, false] => (taken.block, otherwise.block),
        [false, true] => (otherwise.block, taken.block),
        _ => return None,
    };
    let in_order = blocks.order(head) < blocks.order(body)
        && blocks.order(body) <= blocks.order(latch)
        && blocks.order(latch) < blocks.order(exit);
    let jumps_back = matches!(function.block(latch).terminator, Terminator::Goto(_));
    let instructions = &function.block(head).instructions;
    let end = Position::end(latch);
    // Pure and not convergent, so that it may run anywhere; its operands are asked for below, as they change.
    let copies = instructions.len() <= LONGEST
        && instructions.iter().all(|&i| function.instruction(i).properties().is_pure())
        && instructions.iter().all(|&i| legality.may_copy(function, i, end).obstacle().is_none());
    (only && in_order && jumps_back && copies && blocks.predecessors(body) == 1 && body != head)
        .then_some((head, latch))
}

/// Copies the test behind the last block of the loop; what has two definitions now goes to `twice`.
fn rotate(
    function: &mut Function,
    head: Block,
    latch: Block,
    twice: &mut Vec<(Value, Block, Operand, Block)>,
) {
    let Terminator::Goto(back) = function.block(latch).terminator.clone() else { return };
    let mut copies: FxHashMap<Value, Operand> = FxHashMap::default();
    copies.extend(function.block(head).parameters.iter().copied().zip(back.arguments));
    for instruction in function.block(head).instructions.clone() {
        let data = function.instruction(instruction).clone();
        let operands: Vec<Operand> = data.operands.iter().map(|&operand| copied(operand, &copies)).collect();
        let types: Vec<_> = data.results.iter().map(|&value| function.value(value).ty).collect();
        let copy = function.append(latch, data.operation, operands, types, data.place);
        for (&old, &new) in data.results.iter().zip(&function.instructions[copy.index()].results.clone()) {
            function.values[new.index()].name = function.value(old).name;
            copies.insert(old, new.into());
        }
    }
    let mut terminator = function.block(head).terminator.clone();
    terminator.for_each_operand_mut(|operand| *operand = copied(*operand, &copies));
    function.blocks[latch.index()].terminator = terminator;
    let mut all: Vec<(Value, Operand)> = copies.into_iter().collect();
    all.sort_by_key(|&(value, _)| value);
    twice.extend(all.into_iter().map(|(value, copy)| (value, head, copy, latch)));
}

fn copied(operand: Operand, copies: &FxHashMap<Value, Operand>) -> Operand {
    match operand.value().and_then(|value| copies.get(&value)) {
        Some(&new) if matches!(operand, Operand::Negated(_)) => new.negated(),
        Some(&new) => new,
        None => operand,
    }
}

/// Gives every use of a value with two definitions the one that reaches it, with parameters where both do.
fn meet(function: &mut Function, mut twice: Vec<(Value, Block, Operand, Block)>) {
    let flow = ControlFlow::of(function);
    let dominators = Dominators::of(function, &flow);
    let frontiers = frontiers(&flow, &dominators);
    let mut uses = Uses::of(function, &twice);
    for number in 0..twice.len() {
        let (value, head, copy, latch) = twice[number];
        let users = uses.of.remove(&value).unwrap_or_default();
        // A copy that is still to come may be this value, at the end of the block that makes it.
        let copied_at: Vec<Block> =
            twice[number + 1..].iter().filter(|t| t.2.value() == Some(value)).map(|t| t.3).collect();
        let places = users.iter().map(|user| user.block()).chain(copied_at);
        let live = live_blocks(&flow, places, head, latch);
        let mut parameters: FxHashMap<Block, Value> = FxHashMap::default();
        let mut todo = vec![head, latch];
        while let Some(block) = todo.pop() {
            for &at in frontiers.get(&block).into_iter().flatten() {
                if live.contains(&at) && !parameters.contains_key(&at) && at != head {
                    let ty = function.value(value).ty;
                    let parameter = function.add_parameter(at, ty);
                    function.values[parameter.index()].name = function.value(value).name;
                    parameters.insert(at, parameter);
                    todo.push(at);
                }
            }
        }
        // What a block has at its end, and at its beginning.
        let at_end = |mut block: Block| loop {
            if block == latch {
                return copy;
            }
            match (block == head, parameters.get(&block), dominators.immediate(block)) {
                (false, Some(&parameter), _) => return parameter.into(),
                (false, None, Some(above)) => block = above,
                _ => return Operand::Value(value),
            }
        };
        let at_begin = |block: Block| match parameters.get(&block) {
            Some(&parameter) => parameter.into(),
            None => dominators.immediate(block).map_or(Operand::Value(value), at_end),
        };
        for &user in &users {
            match user {
                User::Instruction(block, instruction) => {
                    let new = at_begin(block);
                    for operand in &mut function.instructions[instruction.index()].operands {
                        replace(operand, value, new);
                    }
                    uses.add(new, user);
                }
                User::End(block) => {
                    // The copy in the last block has taken over all that its end had of it.
                    let new = if block == latch { at_begin(block) } else { at_end(block) };
                    let terminator = &mut function.blocks[block.index()].terminator;
                    terminator.for_each_operand_mut(|operand| replace(operand, value, new));
                    uses.add(new, user);
                }
            }
        }
        for &block in parameters.keys() {
            for edge in flow.predecessors(block) {
                let argument = at_end(edge.from);
                let mut targets = function.blocks[edge.from.index()].terminator.targets_mut();
                targets[edge.number as usize].arguments.push(argument);
                uses.add(argument, User::End(edge.from));
            }
        }
        for other in &mut twice[number + 1..] {
            // The last block hands on what it has of this turn, all values at once; the copies are those of the next turn.
            let new = if other.3 == latch { at_begin(latch) } else { at_end(other.3) };
            replace(&mut other.2, value, new);
        }
    }
}

fn replace(operand: &mut Operand, value: Value, new: Operand) {
    if operand.value() == Some(value) {
        *operand = if matches!(operand, Operand::Negated(_)) { new.negated() } else { new };
    }
}

/// Where a value is used.
#[derive(Clone, Copy)]
enum User {
    Instruction(Block, Instruction),
    End(Block),
}

impl User {
    fn block(self) -> Block {
        match self {
            User::Instruction(block, _) | User::End(block) => block,
        }
    }
}

/// The uses of the values outside the blocks that define them, as far as these have not been dealt with.
struct Uses {
    of: FxHashMap<Value, Vec<User>>,
    /// Where each value is defined first.
    heads: FxHashMap<Value, Block>,
}

impl Uses {
    fn of(function: &Function, twice: &[(Value, Block, Operand, Block)]) -> Uses {
        let heads: FxHashMap<Value, Block> = twice.iter().map(|&(value, head, ..)| (value, head)).collect();
        let mut uses = Uses { of: heads.keys().map(|&value| (value, Vec::new())).collect(), heads };
        for &block in &function.layout {
            let data = function.block(block);
            for &instruction in &data.instructions {
                for &operand in &function.instruction(instruction).operands {
                    uses.add(operand, User::Instruction(block, instruction));
                }
            }
            data.terminator.for_each_operand(|operand| uses.add(operand, User::End(block)));
        }
        uses
    }

    fn add(&mut self, operand: Operand, user: User) {
        let Some(value) = operand.value() else { return };
        if self.heads.get(&value).is_some_and(|&head| head != user.block())
            && let Some(users) = self.of.get_mut(&value)
        {
            users.push(user);
        }
    }
}

/// Blocks at whose beginning one of the uses still lies ahead, without a definition in between.
fn live_blocks(
    flow: &ControlFlow,
    places: impl Iterator<Item = Block>,
    head: Block,
    latch: Block,
) -> FxHashSet<Block> {
    let mut live: FxHashSet<Block> = FxHashSet::default();
    let mut todo: Vec<Block> = places.collect();
    while let Some(block) = todo.pop() {
        if live.insert(block) {
            let before = flow.predecessors(block).iter().map(|edge| edge.from);
            todo.extend(before.filter(|&from| from != head && from != latch));
        }
    }
    live
}

/// Dominance frontiers: where the blocks stop that a block dominates.
fn frontiers(flow: &ControlFlow, dominators: &Dominators) -> FxHashMap<Block, Vec<Block>> {
    let mut frontiers: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for &block in flow.reverse_post_order() {
        let before = flow.predecessors(block);
        if before.len() < 2 {
            continue;
        }
        let stop = dominators.immediate(block);
        for edge in before {
            let mut at = Some(edge.from);
            while let Some(runner) = at.filter(|_| at != stop) {
                let list = frontiers.entry(runner).or_default();
                if list.last() != Some(&block) {
                    list.push(block);
                }
                at = dominators.immediate(runner);
            }
        }
    }
    frontiers
}
