//! Where control can go in a function: which instructions lie in a common loop, and what can be reached.

use crate::{Function, Instruction, Operand};
use pisa_isa::{Opcode, SlotName};

/// Instructions that can follow one; `None` stands for none.
fn followers(function: &Function, index: usize) -> [Option<usize>; 2] {
    let code = &function.code;
    let Some(instruction) = code.get(index) else { return [None, None] };
    let next = Some(index + 1).filter(|&next| next < code.len());
    let conditional = instruction.has(SlotName::Cond);
    match instruction.row().opcode {
        Opcode::Goto => {
            let to = instruction.operands.iter().find_map(|operand| match operand {
                Operand::Label(id) => function.labels.get(id.index()).map(|label| label.target as usize),
                _ => None,
            });
            [next.filter(|_| conditional), to.filter(|&to| to < code.len())]
        }
        Opcode::Return if !conditional => [None, None],
        _ => [next, None],
    }
}

/// Strongly connected components: instructions of one can reach each other.
pub(super) struct Components {
    of: Vec<u32>,
}

impl Components {
    /// Tarjan's algorithm, with its own stack.
    pub(super) fn of(function: &Function) -> Components {
        const NONE: u32 = u32::MAX;
        let count = function.code.len();
        let (mut number, mut low, mut component) = (vec![NONE; count], vec![0u32; count], vec![NONE; count]);
        let (mut next, mut components) = (0u32, 0u32);
        let (mut open, mut stack) = (Vec::new(), Vec::new());
        for root in 0..count {
            if number[root] != NONE {
                continue;
            }
            stack.push((root, 0usize));
            while let Some(top) = stack.last_mut() {
                let (index, edge) = *top;
                if edge == 0 {
                    (number[index], low[index]) = (next, next);
                    next += 1;
                    open.push(index);
                }
                top.1 += 1;
                if let Some(&follower) = followers(function, index).get(edge) {
                    match follower {
                        Some(to) if number[to] == NONE => stack.push((to, 0)),
                        Some(to) if component[to] == NONE => low[index] = low[index].min(number[to]),
                        _ => {}
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    low[parent] = low[parent].min(low[index]);
                }
                if low[index] == number[index] {
                    while let Some(member) = open.pop() {
                        component[member] = components;
                        if member == index {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        Components { of: component }
    }

    /// Whether two instructions can reach each other.
    pub(super) fn are_together(&self, a: usize, b: usize) -> bool {
        self.of.get(a) == self.of.get(b)
    }
}

/// Which instructions of a kind can be reached.
pub(super) struct Reach {
    /// By instruction: one that can be reached from it, itself included.
    found: Vec<Option<u32>>,
}

impl Reach {
    pub(super) fn of(function: &Function, is_meant: impl Fn(&Instruction) -> bool) -> Reach {
        let count = function.code.len();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        for index in 0..count {
            for to in followers(function, index).into_iter().flatten() {
                before[to].push(index as u32);
            }
        }
        let mut found = vec![None; count];
        let meant = function.code.iter().enumerate().filter(|(_, instruction)| is_meant(instruction));
        for (start, _) in meant {
            let mut stack = vec![start as u32];
            while let Some(index) = stack.pop() {
                let known = &mut found[index as usize];
                if known.is_none() {
                    *known = Some(start as u32);
                    stack.extend(&before[index as usize]);
                }
            }
        }
        Reach { found }
    }

    /// One that can be reached from an instruction.
    pub(super) fn from(&self, index: usize) -> Option<usize> {
        self.found.get(index).copied().flatten().map(|found| found as usize)
    }
}
