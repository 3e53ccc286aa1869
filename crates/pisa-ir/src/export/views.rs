//! Values that need no register: elements of vectors, their bits in a row, and masks that the next instruction reads.
//!
//! Such a value is read where its vector is: that must still be there, and reading it later must not keep the vector from
//! being changed in place.

use super::roles::{Role, roles, terminator_roles};
use crate::{Block, Function, Instruction, Operand, Operation, Value, VectorOperation};
use pisa_module::Swizzle;

/// Where the bits of a value are read instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// In these elements of a vector.
    Elements(Value, Swizzle),
    /// In a scalar of as many bits.
    Scalar(Value),
    /// `%activemask`.
    ActiveMask,
    /// Nowhere: nobody reads them.
    Unused,
}

/// The swizzle that names these elements.
pub(super) const fn swizzle(first: u8, count: u8) -> Option<Swizzle> {
    Some(match (first, count) {
        (0, 1) => Swizzle::X,
        (1, 1) => Swizzle::Y,
        (2, 1) => Swizzle::Z,
        (3, 1) => Swizzle::W,
        (0, 2) => Swizzle::Xy,
        (2, 2) => Swizzle::Zw,
        (0, 4) => Swizzle::Xyzw,
        _ => return None,
    })
}

/// Views by value.
pub(super) struct Views {
    views: Vec<Option<View>>,
}

impl Views {
    /// The view of a value, if it has one.
    pub(super) fn of(&self, value: Value) -> Option<View> {
        self.views[value.index()]
    }
    /// Whether an instruction needs no code for its result.
    pub(super) fn is_view(&self, instruction: &crate::InstructionData) -> bool {
        instruction.result().is_some_and(|value| self.of(value).is_some())
    }
    /// What is really read where a value is: itself or what it is a view of.
    pub(super) fn base(&self, value: Value) -> Option<Value> {
        match self.of(value) {
            None => Some(value),
            Some(View::Elements(base, _) | View::Scalar(base)) => Some(base),
            Some(View::ActiveMask | View::Unused) => None,
        }
    }

    /// Of a function; instructions from `original` on are such as only make operands.
    pub(super) fn find(function: &Function, original: usize) -> Views {
        let uses = Uses::of(function);
        let mut finder = Finder {
            function,
            uses,
            original,
            views: vec![None; function.values.len()],
            read_until: vec![None; function.values.len()],
        };
        for (number, &block) in function.layout.iter().enumerate() {
            for (index, &instruction) in function.block(block).instructions.iter().enumerate().rev() {
                finder.visit(number as u32, block, index as u32, instruction);
            }
        }
        finder.compose()
    }
}

/// A use of a value: in which block of the layout, before which instruction of it, as what.
#[derive(Clone, Copy)]
struct Use {
    block: u32,
    index: u32,
    role: Role,
}

/// The uses of each value, in the order of the layout.
struct Uses {
    first: Vec<u32>,
    list: Vec<Use>,
}

impl Uses {
    fn of(function: &Function) -> Uses {
        let mut all: Vec<(Value, Use)> = Vec::new();
        for (number, &block) in function.layout.iter().enumerate() {
            let block_uses = |index: usize, role| Use { block: number as u32, index: index as u32, role };
            let data = function.block(block);
            for (index, &instruction) in data.instructions.iter().enumerate() {
                let instruction = function.instruction(instruction);
                for (operand, role) in instruction.operands.iter().zip(roles(instruction)) {
                    all.extend(operand.value().map(|value| (value, block_uses(index, role))));
                }
            }
            let mut roles = terminator_roles(&data.terminator).into_iter();
            data.terminator.for_each_operand(|operand| {
                let role = roles.next().unwrap_or(Role::Copied);
                all.extend(operand.value().map(|value| (value, block_uses(data.instructions.len(), role))));
            });
        }
        let mut first = vec![0u32; function.values.len() + 1];
        for (value, _) in &all {
            first[value.index() + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut list = vec![Use { block: 0, index: 0, role: Role::Old }; all.len()];
        for (value, one) in all {
            list[next[value.index()] as usize] = one;
            next[value.index()] += 1;
        }
        Uses { first, list }
    }
    fn of_value(&self, value: Value) -> &[Use] {
        &self.list[self.first[value.index()] as usize..self.first[value.index() + 1] as usize]
    }
}

struct Finder<'a> {
    function: &'a Function,
    uses: Uses,
    original: usize,
    views: Vec<Option<View>>,
    /// Of a view: up to which instruction of its block it is read, those of other views of it included.
    read_until: Vec<Option<u32>>,
}

impl Finder<'_> {
    fn visit(&mut self, number: u32, block: Block, index: u32, id: Instruction) {
        let instruction = self.function.instruction(id);
        let Some(result) = instruction.result() else { return };
        match instruction.operation {
            Operation::Vector(_) if self.uses.of_value(result).is_empty() => {
                self.views[result.index()] = Some(View::Unused);
            }
            Operation::Vector(VectorOperation::Extract { first }) => {
                let (ty, Some(Operand::Value(vector))) =
                    (self.function.value(result).ty, instruction.operands.first().copied())
                else {
                    return;
                };
                let Some(swizzle) = swizzle(first, ty.elements) else { return };
                let until = if ty.elements == 1 {
                    self.element_until(result, vector, number, index)
                } else {
                    self.row_until(result, number).filter(|&until| self.stays(vector, number, index, until))
                };
                if let Some(until) = until {
                    self.set(result, View::Elements(vector, swizzle), until);
                }
            }
            Operation::Vector(VectorOperation::Pack) => {
                let Some(&Operand::Value(vector)) = instruction.operands.first() else { return };
                let Some(whole) = swizzle(0, self.function.value(vector).ty.elements) else { return };
                let until = self.row_until(result, number);
                if let Some(until) = until.filter(|&until| self.stays(vector, number, index, until)) {
                    self.set(result, View::Elements(vector, whole), until);
                }
            }
            Operation::Vector(VectorOperation::Unpack) => {
                let Some(&Operand::Value(scalar)) = instruction.operands.first() else { return };
                let until = self.row_until(result, number);
                if let Some(until) = until.filter(|&until| self.stays(scalar, number, index, until)) {
                    self.set(result, View::Scalar(scalar), until);
                }
            }
            Operation::CrossLane(_)
                if instruction.is_active_mask() && self.next_reads(result, number, block, index) =>
            {
                self.set(result, View::ActiveMask, index + 1);
            }
            _ => {}
        }
    }

    fn set(&mut self, value: Value, view: View, until: u32) {
        self.views[value.index()] = Some(view);
        self.read_until[value.index()] = Some(until);
    }

    /// Up to where a use reads: a use by a view reads where that is read.
    fn end_of(&self, one: Use) -> Option<u32> {
        let block = self.function.layout.get(one.block as usize)?;
        let reader = self.function.block(*block).instructions.get(one.index as usize);
        let result = reader.and_then(|&reader| self.function.instruction(reader).result());
        Some(result.and_then(|result| self.read_until[result.index()]).unwrap_or(one.index))
    }

    /// Where one element is read last: all uses must take `%v.x`.
    fn element_until(&self, result: Value, vector: Value, number: u32, index: u32) -> Option<u32> {
        let uses = self.uses.of_value(result);
        if !uses.iter().all(|one| one.role.takes_element()) {
            return None;
        }
        if uses.iter().all(|one| one.block == number && one.index > index) {
            let until = uses.iter().filter_map(|&one| self.end_of(one)).max()?;
            return self.stays(vector, number, index, until).then_some(until);
        }
        let changed =
            self.uses.of_value(vector).iter().any(|one| matches!(one.role, Role::Old | Role::Copied));
        (!changed).then_some(u32::MAX)
    }

    /// Where several elements, or the bits of a scalar, are read: by one other `mov` of the same block that can take them.
    fn row_until(&self, result: Value, number: u32) -> Option<u32> {
        let &[one] = self.uses.of_value(result) else { return None };
        if one.block != number || one.role != Role::Moved {
            return None;
        }
        let block = self.function.layout.get(number as usize)?;
        let reader =
            self.function.instruction(*self.function.block(*block).instructions.get(one.index as usize)?);
        let ty = self.function.value(reader.result()?).ty;
        let fits = match reader.operation {
            Operation::Vector(VectorOperation::Insert { first }) => {
                swizzle(first, self.function.value(result).ty.elements).is_some()
            }
            Operation::Vector(VectorOperation::Unpack) => swizzle(0, ty.elements).is_some(),
            Operation::Vector(VectorOperation::Pack) => true,
            _ => false,
        };
        if fits && self.function.value(result).ty.total_bits() <= 128 { self.end_of(one) } else { None }
    }

    /// Whether nothing wants to change a register in place between the two instructions.
    fn stays(&self, value: Value, number: u32, index: u32, until: u32) -> bool {
        let uses = self.uses.of_value(value);
        let from = uses.partition_point(|one| (one.block, one.index) <= (number, index));
        let between = uses[from..].iter().take_while(|one| (one.block, one.index) < (number, until));
        between.into_iter().all(|one| one.role != Role::Old)
    }

    /// Whether the only use is in the instruction that comes next.
    fn next_reads(&self, mask: Value, number: u32, block: Block, index: u32) -> bool {
        let &[one] = self.uses.of_value(mask) else { return false };
        if one.block != number || !one.role.takes_special() || one.role == Role::Old {
            return false;
        }
        let instructions = &self.function.block(block).instructions;
        let Some(between) = instructions.get(index as usize + 1..one.index as usize) else { return false };
        let Some(&reader) = instructions.get(one.index as usize) else { return false };
        between.iter().all(|made| made.index() >= self.original)
            && !matches!(self.function.instruction(reader).operation, Operation::Vector(_))
    }

    /// Views of views become views of registers.
    fn compose(mut self) -> Views {
        for &block in &self.function.layout {
            for &instruction in &self.function.block(block).instructions {
                let Some(value) = self.function.instruction(instruction).result() else { continue };
                // What a view is of comes earlier in the same block and is composed already; of the whole of it alone.
                let composed = match self.views[value.index()] {
                    Some(View::Scalar(base)) => self.views[base.index()],
                    Some(View::Elements(base, _)) if self.views[base.index()].is_some() => {
                        self.views[base.index()]
                    }
                    _ => None,
                };
                if let Some(view) = composed {
                    self.views[value.index()] = Some(view);
                }
            }
        }
        Views { views: self.views }
    }
}
