//! Edges between blocks, and the orders in which analyses visit blocks.

use crate::{Block, Function};
use pisa_module::Lists;

/// An edge of the control flow: a target of a block's terminator. A branch whose targets are one block has two edges there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The block that it leaves.
    pub from: Block,
    /// Its number among [`crate::Terminator::targets`].
    pub number: u32,
    /// The block that it enters.
    pub to: Block,
}

const NONE: u32 = u32::MAX;

/// The control flow of a function.
///
/// Only blocks in the layout count, and of these only what can be reached from the entry is in the orders. Edges from
/// blocks that cannot be reached are listed all the same, as their arguments exist.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    successors: Lists<Edge>,
    predecessors: Lists<Edge>,
    reverse_post_order: Vec<Block>,
    /// By block: its place in `reverse_post_order`.
    order: Vec<u32>,
    /// By block: its place in the layout.
    layout: Vec<u32>,
}

impl ControlFlow {
    /// Of a function; linear.
    pub fn of(function: &Function) -> ControlFlow {
        let count = function.blocks.len();
        let edges = || {
            function.layout.iter().flat_map(|&from| {
                let targets = function.targets(from).into_iter().enumerate();
                targets.map(move |(number, target)| Edge { from, number: number as u32, to: target.block })
            })
        };
        let successors = Lists::new(count, || edges().map(|edge| (edge.from.index(), edge)));
        let predecessors = Lists::new(count, || edges().map(|edge| (edge.to.index(), edge)));
        let mut layout = vec![NONE; count];
        for (place, block) in (0..).zip(&function.layout) {
            layout[block.index()] = place;
        }
        let mut flow = ControlFlow {
            successors,
            predecessors,
            reverse_post_order: Vec::new(),
            order: vec![NONE; count],
            layout,
        };
        flow.find_order(function);
        flow
    }

    fn find_order(&mut self, function: &Function) {
        let Some(entry) = function.entry() else { return };
        let mut post_order = Vec::with_capacity(function.layout.len());
        let mut seen = vec![false; function.blocks.len()];
        seen[entry.index()] = true;
        // A block and how many of its successors are done. The last goes first, so that the first ends up in front.
        let mut path = vec![(entry, 0)];
        while let Some((block, done)) = path.last_mut() {
            let block = *block;
            let successors = self.successors.get(block.index());
            match successors.iter().rev().nth(*done) {
                Some(edge) => {
                    *done += 1;
                    if !std::mem::replace(&mut seen[edge.to.index()], true) {
                        path.push((edge.to, 0));
                    }
                }
                None => {
                    post_order.push(block);
                    path.pop();
                }
            }
        }
        post_order.reverse();
        for (place, block) in (0..).zip(&post_order) {
            self.order[block.index()] = place;
        }
        self.reverse_post_order = post_order;
    }

    /// Edges that leave a block, in the order of its targets.
    pub fn successors(&self, block: Block) -> &[Edge] {
        self.successors.get(block.index())
    }
    /// Edges that enter a block, in the order of the layout; those from blocks that cannot be reached included.
    pub fn predecessors(&self, block: Block) -> &[Edge] {
        self.predecessors.get(block.index())
    }
    /// Edges that enter a block from blocks that can be reached.
    pub fn reachable_predecessors(&self, block: Block) -> impl Iterator<Item = Edge> + '_ {
        self.predecessors(block).iter().copied().filter(|edge| self.is_reachable(edge.from))
    }
    /// Blocks that can be reached: each before its successors, but for edges that close loops.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.reverse_post_order
    }
    /// The place of a block in [`ControlFlow::reverse_post_order`]; `None` if it cannot be reached.
    pub fn order(&self, block: Block) -> Option<u32> {
        let place = self.order[block.index()];
        (place != NONE).then_some(place)
    }
    /// Whether control can get to the block from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.order[block.index()] != NONE
    }
    /// The place of a block in the layout; `None` if it is not there.
    pub fn layout_position(&self, block: Block) -> Option<u32> {
        let place = self.layout[block.index()];
        (place != NONE).then_some(place)
    }
}
