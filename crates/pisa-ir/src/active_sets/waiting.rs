//! Which calls may make lanes wait for others.

use crate::{InstructionData, Module, Operand, Operation};

/// Functions in which lanes may wait for others: those with a barrier, and those that may call such a one.
///
/// A call of another function changes no active set: the deepest call runs first, so that all its lanes come back
/// before any of them goes on.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// By function; functions beyond it are unknown and may.
    never: Vec<bool>,
}

impl Waiting {
    /// Of the functions of a module.
    pub fn of(module: &Module) -> Waiting {
        let count = module.functions.len();
        let mut waits = vec![false; count];
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (caller, function) in module.functions.iter().enumerate() {
            // Of a function from elsewhere nothing is known.
            waits[caller] = function.layout.is_empty();
            for (_, instruction) in function.all_instructions() {
                let data = function.instruction(instruction);
                match callee(data) {
                    Some(Operand::Function(id)) if id.index() < count => {
                        callers[id.index()].push(caller as u32);
                    }
                    Some(_) => waits[caller] = true,
                    None => waits[caller] |= data.properties().changes_active_set,
                }
            }
        }
        let mut todo: Vec<u32> = (0..count as u32).filter(|&f| waits[f as usize]).collect();
        while let Some(function) = todo.pop() {
            for &caller in &callers[function as usize] {
                if !std::mem::replace(&mut waits[caller as usize], true) {
                    todo.push(caller);
                }
            }
        }
        Waiting { never: waits.into_iter().map(|waits| !waits).collect() }
    }

    /// Whether lanes may wait for others in an instruction.
    pub fn may_wait(&self, instruction: &InstructionData) -> bool {
        match callee(instruction) {
            Some(Operand::Function(id)) => !self.never.get(id.index()).copied().unwrap_or(false),
            Some(_) => true,
            None => instruction.properties().changes_active_set,
        }
    }
}

/// The target of a call.
fn callee(instruction: &InstructionData) -> Option<Operand> {
    match instruction.operation {
        Operation::Call { conditional } => instruction.operands.get(usize::from(conditional)).copied(),
        _ => None,
    }
}
