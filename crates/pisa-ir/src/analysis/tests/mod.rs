//! Functions to analyse.

mod divergence;
mod graphs;
mod lanes;
mod large;
mod liveness;
mod masks;
mod operations;
mod random;
mod ranges;
mod uniformity;

use crate::{Block, Function, Operand, Target, Terminator};
use pisa_module::{FunctionKind, Linkage, RegisterType};

/// xorshift, good enough for shapes.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// A kernel without blocks.
pub(super) fn empty_kernel(size: Option<[u32; 3]>) -> Function {
    Function {
        name: "k".into(),
        linkage: Linkage::Internal,
        kind: FunctionKind::Kernel {
            parameters: Vec::new(),
            required_work_group_size: size,
            vector_type_hint: None,
        },
        arguments: Vec::new(),
        argument_names: Vec::new(),
        variables: Vec::new(),
        layout: Vec::new(),
        blocks: Vec::new(),
        instructions: Vec::new(),
        values: Vec::new(),
        names: Vec::new(),
        place: pisa_diag::Place { file: pisa_diag::FileId(0), span: pisa_diag::Span { start: 0, end: 0 } },
    }
}

/// A kernel whose block n goes to the blocks listed at n: none returns, one is a `goto`, of two the first is taken for a condition.
pub(super) fn shape(successors: &[&[u32]]) -> Function {
    let mut function = empty_kernel(None);
    let blocks: Vec<Block> = successors.iter().map(|_| function.append_block()).collect();
    let condition = Operand::Value(function.add_parameter(blocks[0], RegisterType::PREDICATE));
    for (&block, to) in blocks.iter().zip(successors) {
        let target = |number: usize| Target::new(Block(to[number]));
        function.blocks[block.index()].terminator = match to.len() {
            0 => Terminator::Return(None),
            1 => Terminator::Goto(target(0)),
            _ => Terminator::Branch { condition, taken: target(0), otherwise: target(1) },
        };
    }
    function
}

/// A random shape; `spread` says how far jumps go.
pub(super) fn random_shape(random: &mut Random, count: usize, spread: usize) -> Function {
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for at in 0..count {
        let target = |random: &mut Random| {
            let to = (at + 1 + random.below(spread)) as i64 - random.below(spread) as i64;
            to.clamp(1, count.max(2) as i64 - 1) as u32
        };
        lists.push(match random.below(9) {
            0 => vec![],
            1..4 => vec![target(random)],
            _ => vec![target(random), target(random)],
        });
    }
    if count == 1 {
        lists[0].clear();
    }
    let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
    shape(&lists)
}
