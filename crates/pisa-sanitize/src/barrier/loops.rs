//! Loops with a barrier in them.

use pisa_diag::Place;
use pisa_isa::{Opcode, SlotName};
use pisa_module::{Function, Instruction, Operand};

/// A loop: the instructions on the ways from a label to the jumps back to it.
#[derive(Clone, Debug)]
struct Loop {
    head: u32,
    head_place: Place,
    /// Whether an instruction is part of it.
    has: Vec<bool>,
    /// Jumps back to its head.
    back: Vec<u32>,
}

/// The loops of a function that have a barrier in them, those with the lowest head first.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    loops: Vec<Loop>,
    /// By instruction: loops that a jump there goes round; empty for others.
    rounds: Vec<Vec<usize>>,
}

/// The instruction that a `goto` leads to.
fn target(function: &Function, instruction: &Instruction) -> Option<u32> {
    if instruction.row().opcode != Opcode::Goto {
        return None;
    }
    instruction.operands.iter().find_map(|operand| match operand {
        Operand::Label(id) => function.labels.get(id.index()).map(|label| label.target),
        _ => None,
    })
}

/// Instructions that can follow one.
fn followers(function: &Function, index: u32) -> [Option<u32>; 2] {
    let Some(instruction) = function.code.get(index as usize) else { return [None, None] };
    let conditional = instruction.has(SlotName::Cond);
    let next = (index + 1 < function.code.len() as u32).then_some(index + 1);
    match instruction.row().opcode {
        Opcode::Goto if conditional => [next, target(function, instruction)],
        Opcode::Goto => [target(function, instruction), None],
        Opcode::Return if !conditional => [None, None],
        _ => [next, None],
    }
}

/// Instructions that can be reached from `start`, itself included.
fn reached(function: &Function, start: u32) -> Vec<bool> {
    let mut seen = vec![false; function.code.len()];
    let mut stack = vec![start];
    while let Some(index) = stack.pop() {
        let Some(known) = seen.get_mut(index as usize) else { continue };
        if std::mem::replace(known, true) {
            continue;
        }
        stack.extend(followers(function, index).into_iter().flatten());
    }
    seen
}

/// Instructions from which one of `ends` can be reached without passing `head`, which counts itself.
fn reaching(function: &Function, head: u32, ends: &[u32]) -> Vec<bool> {
    let count = function.code.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    for index in 0..count as u32 {
        for follower in followers(function, index).into_iter().flatten() {
            if let Some(list) = before.get_mut(follower as usize) {
                list.push(index);
            }
        }
    }
    let mut seen = vec![false; count];
    if let Some(known) = seen.get_mut(head as usize) {
        *known = true;
    }
    let mut stack = ends.to_vec();
    while let Some(index) = stack.pop() {
        let Some(known) = seen.get_mut(index as usize) else { continue };
        if std::mem::replace(known, true) {
            continue;
        }
        stack.extend(before[index as usize].iter().copied());
    }
    seen
}

impl Loops {
    /// Whether a function has a barrier.
    pub(super) fn has_barrier(function: &Function) -> bool {
        function.code.iter().any(|instruction| instruction.row().opcode == Opcode::BarrierWorkgroup)
    }

    /// The loops of a function.
    pub(super) fn of(function: &Function) -> Loops {
        let mut loops: Vec<Loop> = Vec::new();
        if !Loops::has_barrier(function) {
            return Loops::default();
        }
        for (index, instruction) in function.code.iter().enumerate() {
            let Some(head) = target(function, instruction).filter(|&head| head as usize <= index) else {
                continue;
            };
            match loops.iter_mut().find(|known| known.head == head) {
                Some(known) => known.back.push(index as u32),
                None => loops.push(Loop {
                    head,
                    head_place: function.code[head as usize].place,
                    has: Vec::new(),
                    back: vec![index as u32],
                }),
            }
        }
        loops.sort_by_key(|known| known.head);
        for known in &mut loops {
            let from = reached(function, known.head);
            // A jump back that its target does not lead to goes round nothing.
            known.back.retain(|&jump| from.get(jump as usize).copied().unwrap_or(false));
            if known.back.is_empty() {
                continue;
            }
            let to = reaching(function, known.head, &known.back);
            known.has = from.into_iter().zip(to).map(|(from, to)| from && to).collect();
        }
        loops.retain(|known| {
            let code = function.code.iter().zip(&known.has);
            code.into_iter().any(|(i, &has)| has && i.row().opcode == Opcode::BarrierWorkgroup)
        });
        let mut rounds = vec![Vec::new(); function.code.len()];
        for (which, known) in loops.iter().enumerate() {
            for &jump in &known.back {
                rounds[jump as usize].push(which);
            }
        }
        Loops { loops, rounds }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.loops.len()
    }

    /// The loops that a jump at this instruction goes round.
    pub(super) fn goes_round(&self, index: u32) -> Option<&[usize]> {
        self.rounds.get(index as usize).filter(|which| !which.is_empty()).map(Vec::as_slice)
    }

    /// The last jump back of the loops around an instruction; instructions up to it belong to a turn.
    pub(super) fn last_turn(&self, index: u32) -> Option<u32> {
        let around =
            self.loops.iter().filter(|known| known.has.get(index as usize).copied().unwrap_or(false));
        around.flat_map(|known| known.back.iter().copied()).max()
    }

    /// The loops around an instruction, with their numbers.
    pub(super) fn around(&self, index: u32) -> impl Iterator<Item = (usize, Place)> {
        let all = self.loops.iter().enumerate();
        all.filter(move |(_, known)| known.has.get(index as usize).copied().unwrap_or(false))
            .map(|(which, known)| (which, known.head_place))
    }
}
