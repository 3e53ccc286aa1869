//! Where control can go inside a function.

mod dominator_tree;
mod lists;
mod post_dominators;

pub use dominator_tree::DominatorTree;
pub use lists::Lists;
pub use post_dominators::PostDominators;

use crate::{Function, Operand};
use pisa_isa::Opcode;

/// The control flow of a function, by instruction.
///
/// Instructions have the indices of [`Function::code`]; the count of instructions stands for the end of the code, where an
/// implicit return waits (C-10). A call goes on behind itself.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    /// By index, the end included.
    after: Vec<After>,
}

/// What comes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct After {
    /// The one behind it, where control gets there without a jump.
    next: Option<u32>,
    /// Where a `goto` goes, unless that is the one behind it.
    target: Option<u32>,
    /// Whether control may leave the function here.
    leaves: bool,
}

impl ControlFlow {
    /// Of a function or kernel; a `goto` without a label leads nowhere, which no checked module has.
    pub fn of(function: &Function) -> ControlFlow {
        let after = function.code.iter().zip(1u32..).map(|(instruction, behind)| {
            let conditional = matches!(instruction.operands.first(), Some(Operand::Predicate { .. }));
            match instruction.row().opcode {
                Opcode::Goto => {
                    let label = instruction.operands.iter().find_map(|operand| match operand {
                        Operand::Label(label) => function.labels.get(label.index()),
                        _ => None,
                    });
                    let target = label.map(|label| label.target);
                    let next = (conditional || target == Some(behind)).then_some(behind);
                    After { next, target: target.filter(|_| target != next), leaves: false }
                }
                Opcode::Return => After { next: conditional.then_some(behind), target: None, leaves: true },
                _ => After { next: Some(behind), target: None, leaves: false },
            }
        });
        let end = After { next: None, target: None, leaves: true };
        ControlFlow { after: after.chain([end]).collect() }
    }

    /// Index of the end: the count of instructions.
    pub fn end(&self) -> u32 {
        self.after.len() as u32 - 1
    }

    /// Where control can go from an instruction: behind it first, then where it jumps. None from a plain return.
    pub fn successors(&self, index: u32) -> impl Iterator<Item = u32> + use<> {
        let after = self.after.get(index as usize).copied().unwrap_or_default();
        after.next.into_iter().chain(after.target)
    }

    /// Whether control may leave the function at an instruction, or at the end.
    pub fn leaves(&self, index: u32) -> bool {
        self.after.get(index as usize).is_some_and(|after| after.leaves)
    }

    /// Whether the ways of lanes can part at an instruction: where it has two successors.
    pub fn branches(&self, index: u32) -> bool {
        self.successors(index).nth(1).is_some()
    }

    /// By instruction, the end included: whether control can get there from the first one.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.after.len()];
        let mut todo = vec![0u32];
        while let Some(index) = todo.pop() {
            if !std::mem::replace(&mut reached[index as usize], true) {
                todo.extend(self.successors(index));
            }
        }
        reached
    }

    /// Where ways that part must meet again.
    pub fn post_dominators(&self) -> PostDominators {
        PostDominators::of(self)
    }
}
