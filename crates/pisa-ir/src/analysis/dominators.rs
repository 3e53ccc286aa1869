//! Dominators and post-dominators.

use super::ControlFlow;
use crate::{Block, Function, Position, Terminator};
use pisa_module::DominatorTree as Tree;

/// Which blocks every way from the entry leads through.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// `None` for a function that is only declared.
    tree: Option<Tree>,
    preorder: Vec<Block>,
}

impl Dominators {
    /// Of a function; near linear.
    pub fn of(function: &Function, flow: &ControlFlow) -> Dominators {
        let tree = function.entry().map(|entry| {
            Tree::new(
                function.blocks.len(),
                entry.0,
                |block| flow.successors(Block(block)).iter().map(|edge| edge.to.0),
                |block| flow.predecessors(Block(block)).iter().map(|edge| edge.from.0),
            )
        });
        let preorder =
            tree.iter().flat_map(|tree| tree.preorder().iter().map(|&block| Block(block))).collect();
        Dominators { tree, preorder }
    }

    /// The closest other block that every way from the entry to this one leads through; `None` for the entry and for blocks that
    /// cannot be reached.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.tree.as_ref()?.immediate(block.0).map(Block)
    }
    /// Whether every way from the entry to `below` leads through `above`; a block dominates itself. False where one of them
    /// cannot be reached.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        self.tree.as_ref().is_some_and(|tree| tree.dominates(above.0, below.0))
    }
    /// The same of two different blocks.
    pub fn strictly_dominates(&self, above: Block, below: Block) -> bool {
        above != below && self.dominates(above, below)
    }
    /// Whether what stands before `above` has run whenever control is at `below`: the same block and no later place, or a
    /// block that dominates the other.
    pub fn dominates_position(&self, above: Position, below: Position) -> bool {
        if above.block == below.block {
            return above.index <= below.index && self.dominates(above.block, below.block);
        }
        self.dominates(above.block, below.block)
    }
    /// The closest block that dominates both; `None` where one cannot be reached.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        let tree = self.tree.as_ref()?;
        if !tree.has(a.0) || !tree.has(b.0) {
            return None;
        }
        let mut at = a.0;
        while !tree.dominates(at, b.0) {
            at = tree.immediate(at)?;
        }
        Some(Block(at))
    }
    /// The blocks that this one is the immediate dominator of.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let children = self.tree.as_ref().map(|tree| tree.children(block.0));
        children.unwrap_or_default().iter().map(|&child| Block(child))
    }
    /// How many other blocks dominate this one.
    pub fn depth(&self, block: Block) -> u32 {
        self.tree.as_ref().map_or(0, |tree| tree.depth(block.0))
    }
    /// Blocks that can be reached, each behind its immediate dominator, and what it dominates in one run behind it.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }
}

/// Which blocks every way out of the function leads through.
///
/// A way out ends in a return; a conditional return is one for the lanes that take it. Endless ways do not count, so where a block leads
/// to a return or to an endless loop, only the former is looked at.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Nodes are blocks, and behind them the exit.
    tree: Tree,
    exit: u32,
}

impl PostDominators {
    /// Of a function; near linear.
    pub fn of(function: &Function, flow: &ControlFlow) -> PostDominators {
        let exit = function.blocks.len() as u32;
        let in_layout = |block: u32| flow.layout_position(Block(block)).is_some();
        let returns = |block: u32| {
            let terminator = &function.block(Block(block)).terminator;
            matches!(terminator, Terminator::Return(_) | Terminator::ReturnIf { .. })
        };
        let tree = Tree::new(
            exit as usize + 1,
            exit,
            |node| {
                let out = (0..exit).filter(move |&block| node == exit && in_layout(block) && returns(block));
                let within = if node == exit { &[] } else { flow.predecessors(Block(node)) };
                within.iter().map(|edge| edge.from.0).chain(out.take(if node == exit {
                    usize::MAX
                } else {
                    0
                }))
            },
            |node| {
                let within = if node == exit { &[] } else { flow.successors(Block(node)) };
                let out = (node != exit && returns(node)).then_some(exit);
                within.iter().map(|edge| edge.to.0).chain(out)
            },
        );
        PostDominators { tree, exit }
    }

    /// The closest other block that every way out from this one leads through; `None` where ways meet only outside, or none
    /// leads out.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.tree.immediate(block.0).filter(|&behind| behind != self.exit).map(Block)
    }
    /// Whether a way leads out of the function.
    pub fn reaches_exit(&self, block: Block) -> bool {
        self.tree.has(block.0)
    }
    /// Whether every way out from `before` leads through `behind`; a block post-dominates itself. False for different blocks one of
    /// which has no way out.
    pub fn post_dominates(&self, behind: Block, before: Block) -> bool {
        behind == before || self.tree.dominates(behind.0, before.0)
    }
}
