//! The blocks of a function's code.

use crate::function::{Block, Function, Operand, Target, Terminator};
use pisa_isa::{Opcode, SlotName};
use pisa_module::{Instruction, Operand as Written};
use std::ops::Range;

/// What stands in a block of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Code {
    /// Its instructions, without the `goto` or `return` at its end.
    pub(super) instructions: Range<usize>,
    /// The `goto` or `return` at its end, if there is one.
    pub(super) transfer: Option<usize>,
}

const NONE: u32 = u32::MAX;

/// Whether a `goto` or `return` depends on a predicate.
pub(super) fn is_conditional(instruction: &Instruction) -> bool {
    instruction.has(SlotName::Cond)
}

fn is_transfer(instruction: &Instruction) -> bool {
    matches!(instruction.row().opcode, Opcode::Goto | Opcode::Return)
}

/// Where a `goto` goes: the number of its label, and of the instruction there.
fn target(source: &pisa_module::Function, instruction: &Instruction) -> Option<(usize, usize)> {
    instruction.operands.iter().find_map(|operand| match operand {
        Written::Label(label) => Some((label.index(), source.labels.get(label.index())?.target as usize)),
        _ => None,
    })
}

/// What of the code control reaches.
struct Reached {
    /// By instruction, the end of the code included: whether control gets there.
    instructions: Vec<bool>,
    /// By instruction: whether a block begins there.
    leaders: Vec<bool>,
    /// By label: whether a reached `goto` names it.
    labels: Vec<bool>,
}

impl Reached {
    fn of(source: &pisa_module::Function) -> Reached {
        let code = &source.code;
        let mut reached = Reached {
            instructions: vec![false; code.len() + 1],
            leaders: vec![false; code.len() + 1],
            labels: vec![false; source.labels.len()],
        };
        reached.leaders[0] = true;
        let mut todo = vec![0];
        while let Some(mut at) = todo.pop() {
            while !std::mem::replace(&mut reached.instructions[at], true) {
                let Some(instruction) = code.get(at) else { break };
                at += 1;
                if !is_transfer(instruction) {
                    continue;
                }
                if let Some((label, to)) = target(source, instruction) {
                    reached.labels[label] = true;
                    reached.leaders[to] = true;
                    todo.push(to);
                }
                if !is_conditional(instruction) {
                    break;
                }
                reached.leaders[at] = true;
            }
        }
        reached
    }
}

/// Makes the blocks of a function without instructions, and with terminators that lack every operand; what each has in the
/// text. Their order is that of the text.
pub(super) fn split(source: &pisa_module::Function, function: &mut Function) -> Vec<Code> {
    let end = source.code.len();
    let reached = Reached::of(source);
    let mut blocks: Vec<Code> = Vec::new();
    // By instruction: the block that begins there.
    let mut block_at = vec![NONE; end + 1];
    // Nothing goes to the entry block.
    if source.code.iter().enumerate().any(|(at, i)| {
        reached.instructions[at] && is_transfer(i) && target(source, i).is_some_and(|(_, to)| to == 0)
    }) {
        blocks.push(Code { instructions: 0..0, transfer: None });
    }
    let mut at = 0;
    while at <= end {
        if !(reached.instructions[at] && reached.leaders[at]) {
            at += 1;
            continue;
        }
        block_at[at] = blocks.len() as u32;
        let (begin, mut last, mut transfer) = (at, at, None);
        while let Some(instruction) = source.code.get(last) {
            if is_transfer(instruction) {
                transfer = Some(last);
                break;
            }
            last += 1;
            if reached.leaders[last] {
                break;
            }
        }
        blocks.push(Code { instructions: begin..last, transfer });
        at = (last + usize::from(transfer.is_some())).max(begin + 1);
    }
    for _ in &blocks {
        function.append_block();
    }
    let block_at = |at: usize| Block(block_at[at]);
    let exists = |at: usize| reached.instructions[at] && reached.leaders[at];
    for (number, code) in blocks.iter().enumerate() {
        let terminator = match code.transfer {
            Some(at) => transfer(source, at, block_at),
            None if code.instructions.start < end && exists(code.instructions.end) => {
                Terminator::Goto(Target::new(block_at(code.instructions.end)))
            }
            // C-10: the end of the code is an implicit return.
            None => Terminator::Return(None),
        };
        let data = &mut function.blocks[number];
        data.terminator = terminator;
        data.place = code.transfer.map(|at| source.code[at].place);
    }
    name_blocks(source, function, &reached, block_at);
    blocks
}

/// The terminator that a `goto` or `return` is, without its operands.
fn transfer(source: &pisa_module::Function, at: usize, block_at: impl Fn(usize) -> Block) -> Terminator {
    let instruction = &source.code[at];
    let to = target(source, instruction).map(|(_, to)| Target::new(block_at(to)));
    let condition = Operand::Dead;
    match (to, is_conditional(instruction)) {
        (Some(to), false) => Terminator::Goto(to),
        (Some(taken), true) => {
            Terminator::Branch { condition, taken, otherwise: Target::new(block_at(at + 1)) }
        }
        (None, false) => Terminator::Return(None),
        (None, true) => {
            Terminator::ReturnIf { condition, value: None, otherwise: Target::new(block_at(at + 1)) }
        }
    }
}

/// Labels become names of blocks: those that something goes to first, then others.
fn name_blocks(
    source: &pisa_module::Function,
    function: &mut Function,
    reached: &Reached,
    block_at: impl Fn(usize) -> Block,
) {
    for is_target in [true, false] {
        for (label, _) in source.labels.iter().zip(&reached.labels).filter(|(_, r)| **r == is_target) {
            let block = block_at(label.target as usize);
            if block.0 != NONE && function.block(block).name.is_none() {
                let name = function.add_name(&label.name);
                function.blocks[block.index()].name = Some(name);
            }
        }
    }
}
