//! Which registers a new activation has to fill with the undefined pattern.
//!
//! Most registers are written before they are read on every path, and filling them would cost small kernels more than
//! their work. Each lane follows a path of its own through the code, so a forward analysis of "surely written" over the
//! control flow graph, by element of a register, decides for all lanes. Lanes read registers of other lanes only where
//! those run the same instruction, to which the same holds.

use super::layout::{Frame, plane_bytes};
use super::operands::registers;
use pisa_isa::{Access, Opcode};
use pisa_module::{Function, FunctionKind, Instruction, Operand, RegisterId};

/// Beyond so many bits of analysis, every register counts as read too early.
const MOST_BITS: usize = 1 << 26;

/// Byte ranges of the frame that hold registers which some path may read before it writes them, neighbours joined.
pub(super) fn undefined_ranges(function: &Function, frame: &Frame) -> Vec<(u32, u32)> {
    let early = read_too_early(function, frame);
    let mut ranges: Vec<(u32, u32)> = (0..function.registers.len())
        .filter(|&index| early.as_ref().is_none_or(|early| early[index]))
        .filter_map(|index| {
            let start = frame.plane(RegisterId(index as u32))?.0;
            Some((start, start + plane_bytes(function.registers[index].ty) as u32))
        })
        .collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start == last.1.next_multiple_of(64) || start == last.1 => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// A set of register elements.
#[derive(Clone, PartialEq)]
struct Elements(Vec<u64>);

impl Elements {
    fn insert(&mut self, (from, to): (usize, usize)) {
        (from..to).for_each(|bit| self.0[bit / 64] |= 1 << (bit % 64));
    }
    fn holds(&self, (from, to): (usize, usize)) -> bool {
        (from..to).all(|bit| self.0[bit / 64] >> (bit % 64) & 1 == 1)
    }
    /// Keeps what both have; whether that was less.
    fn intersect(&mut self, other: &Elements) -> bool {
        let mut less = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            less |= *a & !b != 0;
            *a &= b;
        }
        less
    }
}

/// By register whether some path may read it before it writes it; `None` where the function is too large to tell.
fn read_too_early(function: &Function, frame: &Frame) -> Option<Vec<bool>> {
    // First bit of each register.
    let mut first = Vec::with_capacity(function.registers.len() + 1);
    let mut bits = 0usize;
    for (index, register) in function.registers.iter().enumerate() {
        first.push(bits);
        if frame.plane(RegisterId(index as u32)).is_some() {
            bits += usize::from(register.ty.elements.max(1));
        }
    }
    first.push(bits);
    let length = function.code.len();
    let mut leaders = vec![false; length + 1];
    leaders[0] = true;
    for label in &function.labels {
        *leaders.get_mut(label.target as usize)? = true;
    }
    for (index, instruction) in function.code.iter().enumerate() {
        if matches!(instruction.row().opcode, Opcode::Goto | Opcode::Return) {
            leaders[index + 1] = true;
        }
    }
    let starts: Vec<usize> = (0..=length).filter(|&index| leaders[index]).collect();
    if starts.len().saturating_mul(bits + 1) > MOST_BITS {
        return None;
    }
    let span = |register: RegisterId| {
        let index = register.index();
        Some((*first.get(index)?, *first.get(index + 1)?))
    };
    let mut entry = Elements(vec![0; bits.div_ceil(64)]);
    if let FunctionKind::Function { parameters, .. } = &function.kind {
        parameters.iter().filter_map(|&p| span(p)).for_each(|range| entry.insert(range));
    }
    // What is surely written where a block begins; `None` until a path to it is known.
    let mut at: Vec<Option<Elements>> = vec![None; starts.len()];
    at[0] = Some(entry);
    let mut todo = vec![0usize];
    while let Some(block) = todo.pop() {
        let Some(mut written) = at[block].clone() else { continue };
        let end = starts.get(block + 1).copied().unwrap_or(length);
        for instruction in &function.code[starts[block]..end.max(starts[block])] {
            writes(instruction, &span, |range| written.insert(range));
        }
        for successor in successors(function, end, starts[block]) {
            let Ok(successor) = starts.binary_search(&successor) else { continue };
            let less = match &mut at[successor] {
                Some(old) => old.intersect(&written),
                new => {
                    *new = Some(written.clone());
                    true
                }
            };
            if less {
                todo.push(successor);
            }
        }
    }
    let mut early = vec![false; function.registers.len()];
    for (block, written) in at.into_iter().enumerate() {
        // Nothing reads in a block that no path reaches.
        let Some(mut written) = written else { continue };
        let end = starts.get(block + 1).copied().unwrap_or(length);
        for instruction in &function.code[starts[block]..end.max(starts[block])] {
            reads(instruction, &span, |register, range| {
                if !written.holds(range) {
                    early[register.index()] = true;
                }
            });
            writes(instruction, &span, |range| written.insert(range));
        }
    }
    Some(early)
}

/// Where control goes behind a block that ends before instruction `end`.
fn successors(function: &Function, end: usize, start: usize) -> Vec<usize> {
    let next = |found: &mut Vec<usize>| {
        if end < function.code.len() {
            found.push(end);
        }
    };
    let mut found = Vec::new();
    let Some(last) = end.checked_sub(1).filter(|&last| last >= start) else { return found };
    let instruction = &function.code[last];
    let conditional = matches!(instruction.operands.first(), Some(Operand::Predicate { .. }));
    match instruction.row().opcode {
        Opcode::Goto => {
            let label = instruction.operands.iter().find_map(|operand| match operand {
                Operand::Label(label) => function.labels.get(label.index()),
                _ => None,
            });
            found.extend(label.map(|label| label.target as usize));
            if conditional {
                next(&mut found);
            }
        }
        Opcode::Return if !conditional => {}
        _ => next(&mut found),
    }
    found
}

/// Elements that an instruction writes in every active lane.
fn writes(
    instruction: &Instruction,
    span: &dyn Fn(RegisterId) -> Option<(usize, usize)>,
    mut f: impl FnMut((usize, usize)),
) {
    let row = instruction.row();
    let call = row.opcode == Opcode::Call;
    let guarded = call && matches!(instruction.operands.first(), Some(Operand::Predicate { .. }));
    for (position, operand) in instruction.operands.iter().enumerate() {
        let access = row.operands.get(position).map_or(Access::Read, |operand| operand.access);
        // Whoever gets behind a call has its result.
        let written = access == Access::Write || call && !guarded && access == Access::ReadWrite;
        if written {
            elements(operand, span, |_, range| f(range));
        }
    }
}

/// Elements whose value an instruction may read.
fn reads(
    instruction: &Instruction,
    span: &dyn Fn(RegisterId) -> Option<(usize, usize)>,
    mut f: impl FnMut(RegisterId, (usize, usize)),
) {
    let row = instruction.row();
    let call = row.opcode == Opcode::Call;
    for (position, operand) in instruction.operands.iter().enumerate() {
        let access = row.operands.get(position).map_or(Access::Read, |operand| operand.access);
        if access == Access::Read || access == Access::ReadWrite && !call {
            elements(operand, span, &mut f);
        }
    }
}

fn elements(
    operand: &Operand,
    span: &dyn Fn(RegisterId) -> Option<(usize, usize)>,
    mut f: impl FnMut(RegisterId, (usize, usize)),
) {
    if let Operand::Register(used) = operand
        && let (Some(swizzle), Some((from, to))) = (used.swizzle, span(used.register))
    {
        let (skip, count) = swizzle.range();
        let from = (from + usize::from(skip)).min(to);
        f(used.register, (from, (from + usize::from(count)).min(to)));
        return;
    }
    registers(operand, |register| {
        if let Some(range) = span(register) {
            f(register, range);
        }
    });
}
