//! What most passes look at, computed together.

use crate::Function;
use crate::active_sets::{ActiveSets, Waiting};
use crate::analysis::{ControlFlow, Dominators, Uniformity};

/// Control flow, dominators, uniformity and active sets of a function as it is now.
pub struct Facts {
    /// Edges and orders of blocks.
    pub flow: ControlFlow,
    /// Dominators.
    pub dominators: Dominators,
    /// Which values and branches are uniform.
    pub uniformity: Uniformity,
    /// Active sets.
    pub sets: ActiveSets,
}

impl Facts {
    /// Of a function.
    pub fn of(function: &Function, waiting: &Waiting) -> Facts {
        let flow = ControlFlow::of(function);
        let dominators = Dominators::of(function, &flow);
        let uniformity = Uniformity::of(function, &flow, &dominators, waiting);
        let sets = ActiveSets::of(function, waiting, |block| uniformity.is_branch_uniform(block));
        Facts { flow, dominators, uniformity, sets }
    }
}
