//! Which changes of blocks leave every active set as it is.

use crate::{Block, Function};

/// Blocks by their place in lexical order, and who leads to them.
pub struct Blocks {
    order: Vec<Option<u32>>,
    predecessors: Vec<u32>,
}

impl Blocks {
    /// Of a function as it is now.
    pub fn of(function: &Function) -> Blocks {
        let mut order = vec![None; function.blocks.len()];
        let mut predecessors = vec![0; function.blocks.len()];
        for (&block, place) in function.layout.iter().zip(0..) {
            order[block.index()] = Some(place);
            for target in function.targets(block) {
                predecessors[target.block.index()] += 1;
            }
        }
        Blocks { order, predecessors }
    }

    /// The place of a block in lexical order; `None` if it is not in the layout.
    pub fn order(&self, block: Block) -> Option<u32> {
        self.order.get(block.index()).copied().flatten()
    }

    /// How many edges lead to a block.
    pub fn predecessors(&self, block: Block) -> u32 {
        self.predecessors.get(block.index()).copied().unwrap_or(0)
    }

    /// Whether lanes may go past an empty block straight to `target`, where it goes.
    ///
    /// They may if that is behind it. Lanes that come to the block go on before any lane behind it moves, so that it makes no difference
    /// whether they wait there or at its target. Before it, it would: lanes gather in a block that ends a loop before the next
    /// turn begins.
    pub fn may_pass(&self, block: Block, target: Block) -> bool {
        self.order(block) < self.order(target)
    }

    /// Whether `second` may follow in one block on `first`, which goes nowhere else and is all that leads to it.
    ///
    /// It may if it comes next in lexical order: lanes that come out of `first` are at the lowest place then, and nobody waits there,
    /// as whoever came out before has gone on before `first` ran again.
    pub fn may_join(&self, first: Block, second: Block) -> bool {
        self.order(first).map(|place| place + 1) == self.order(second)
    }
}
