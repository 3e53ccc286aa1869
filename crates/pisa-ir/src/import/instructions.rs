//! One instruction of the text as instructions of the IR.

use super::cross_lanes::{self, ACTIVE_MASK};
use super::registers::Importer;
use crate::cross_lane::CrossLane;
use crate::function::{Constant, Operand};
use crate::operation::Operation;
use crate::signature::Signature;
use pisa_isa::{Access, Form, Opcode, SlotName, SlotValues};
use pisa_module::{
    AddressBase, AddressOffset, Instruction, Operand as Written, RegisterId, RegisterType, RegisterUse,
    SpecialRegister,
};
use smallvec::SmallVec;

type Operands = SmallVec<[Operand; 4]>;

/// What an instruction writes.
#[derive(Clone, Copy)]
enum Destination {
    Register(RegisterUse),
    Predicate(RegisterId),
}

impl Importer<'_> {
    /// Translates an instruction that is no `goto` or `return`.
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        match instruction.row().opcode {
            Opcode::Mov => self.mov(instruction),
            Opcode::Extract => self.extract_elements(instruction),
            Opcode::Insert => self.insert_elements(instruction),
            Opcode::Call => self.call(instruction),
            _ => match cross_lanes::operation(instruction) {
                Some(operation) => self.cross_lane(operation, instruction),
                None => self.table(instruction),
            },
        }
    }

    /// An instruction of the table that stays one.
    fn table(&mut self, instruction: &Instruction) {
        let row = instruction.row();
        let mut constants = Constants { row, qualifiers: &instruction.qualifiers, signature: None };
        let (mut operands, mut kept) = (Operands::new(), Operands::new());
        let mut destinations: SmallVec<[Destination; 2]> = SmallVec::new();
        for (definition, written) in row.operands.iter().zip(&instruction.operands) {
            if definition.access == Access::Read {
                match written {
                    Written::Address { base, offset } => {
                        let base = self.base(*base);
                        operands.push(base);
                        operands.push(self.offset(*offset));
                    }
                    Written::Parameter { parameter, offset } => {
                        operands.push(Operand::Parameter(*parameter));
                        operands.push(self.offset(*offset));
                    }
                    Written::Immediate { bits, sign_extend } => {
                        let ty = constants.type_at(operands.len());
                        operands.push(immediate(*bits, *sign_extend, ty));
                    }
                    _ => operands.push(self.operand(written, RegisterType::scalar(64))),
                }
                continue;
            }
            let destination = match written {
                Written::Register(used) => Destination::Register(*used),
                Written::Predicate { register, .. } => Destination::Predicate(*register),
                _ => continue,
            };
            if definition.access == Access::ReadWrite {
                kept.push(self.old(destination));
            }
            destinations.push(destination);
        }
        operands.extend(kept);
        let operation = Operation::Table { form: instruction.form, qualifiers: instruction.qualifiers };
        self.give(operation, operands, &destinations);
    }

    /// A new instruction whose results go to registers.
    fn give(&mut self, operation: Operation, operands: Operands, destinations: &[Destination]) {
        let types: SmallVec<[RegisterType; 2]> = (destinations.iter())
            .map(|destination| match destination {
                Destination::Register(used) => self.type_of(*used),
                Destination::Predicate(_) => RegisterType::PREDICATE,
            })
            .collect();
        let new = self.emit(operation, operands, &types);
        for (i, &destination) in destinations.iter().enumerate() {
            let result = self.function.instruction(new).results[i];
            match destination {
                Destination::Register(used) => {
                    // An element has no name: what it goes into has.
                    if self.type_of(used) == self.source.registers[used.register.index()].ty {
                        self.name(result, used.register);
                    }
                    self.write(used, result.into());
                }
                Destination::Predicate(register) => {
                    self.name(result, register);
                    self.write_register(register, result.into());
                }
            }
        }
    }

    /// What a destination holds before the instruction.
    fn old(&mut self, destination: Destination) -> Operand {
        match destination {
            Destination::Register(used) => self.read(used),
            Destination::Predicate(register) => self.read_register(register),
        }
    }

    /// `mov`: the operand is passed on; elements of vectors are taken out, put into one row, and put in (D-10 to D-13).
    fn mov(&mut self, instruction: &Instruction) {
        let [Written::Register(to), from] = &instruction.operands[..] else { return };
        let bits = instruction.qualifier(SlotName::Type).and_then(|ty| ty.bits()).unwrap_or(32);
        let from_type = match from {
            Written::Register(used) => self.type_of(*used),
            _ => RegisterType::scalar(bits as u8),
        };
        let operand = self.operand(from, from_type);
        let operand = self.as_type(operand, from_type, self.type_of(*to));
        self.write(*to, operand);
    }

    /// `extract` with a constant index.
    fn extract_elements(&mut self, instruction: &Instruction) {
        let [Written::Register(to), Written::Register(from)] = instruction.operands[..] else { return };
        let vector = self.read(from);
        let first = instruction.number(SlotName::Index).unwrap_or(0);
        let part = self.extract(vector, self.type_of(from), first, self.type_of(to));
        self.write(to, part);
    }

    /// `insert` with a constant index.
    fn insert_elements(&mut self, instruction: &Instruction) {
        let [Written::Register(to), ref from] = instruction.operands[..] else { return };
        let part = match from {
            Written::Register(used) => self.type_of(*used),
            _ => RegisterType::scalar(32),
        };
        let operand = self.operand(from, part);
        let first = instruction.number(SlotName::Index).unwrap_or(0);
        self.write_elements(to, first, part, operand);
    }

    /// `call` and `call.cond` (6.1): arguments are read before, the result is written behind (C-13).
    fn call(&mut self, instruction: &Instruction) {
        let conditional = instruction.has(SlotName::Cond);
        let mut written = instruction.operands.iter();
        let mut operands = Operands::new();
        if conditional && let Some(guard) = written.next() {
            operands.push(self.operand(guard, RegisterType::PREDICATE));
        }
        let result = match written.next() {
            Some(Written::Register(used)) => Some(Destination::Register(*used)),
            _ => None,
        };
        for operand in written {
            operands.push(self.operand(operand, RegisterType::scalar(64)));
        }
        if conditional && let Some(result) = result {
            operands.push(self.old(result));
        }
        self.give(Operation::Call { conditional }, operands, result.as_slice());
    }

    /// An instruction of chapter 7.
    fn cross_lane(&mut self, operation: CrossLane, instruction: &Instruction) {
        let [Written::Register(to), ref sources @ ..] = instruction.operands[..] else { return };
        let word = RegisterType::scalar(32);
        let mut operands: Operands = sources.iter().map(|source| self.operand(source, word)).collect();
        if operation.has_pass_through() {
            // S-03: nobody is outside of all lanes.
            let is_all = operands.last().and_then(|mask| mask.constant()) == Some(u128::from(u32::MAX));
            operands.push(if is_all { Operand::Dead } else { self.read(to) });
        }
        self.give(Operation::CrossLane(operation), operands, &[Destination::Register(to)]);
    }

    /// An operand that is read; `ty` is the type of an immediate there.
    pub(super) fn operand(&mut self, operand: &Written, ty: RegisterType) -> Operand {
        match operand {
            Written::Register(used) => self.read(*used),
            Written::Special(register) => self.special(*register),
            Written::Predicate { register, negated } => {
                let predicate = self.read_register(*register);
                if *negated { predicate.negated() } else { predicate }
            }
            Written::Immediate { bits, sign_extend } => immediate(*bits, *sign_extend, ty),
            Written::Variable(id) => Operand::Variable(*id),
            Written::Function(id) => Operand::Function(*id),
            // Labels, addresses and `void` stand nowhere else.
            Written::Parameter { parameter, .. } => Operand::Parameter(*parameter),
            Written::Label(_) | Written::Void | Written::Address { .. } => Operand::Dead,
        }
    }

    fn special(&mut self, register: SpecialRegister) -> Operand {
        match register {
            SpecialRegister::ActiveMask => {
                self.value(Operation::CrossLane(ACTIVE_MASK), [], RegisterType::scalar(32)).into()
            }
            other => Operand::Special(other),
        }
    }

    fn base(&mut self, base: AddressBase) -> Operand {
        match base {
            AddressBase::Register(used) => self.read(used),
            AddressBase::Special(register) => self.special(register),
            AddressBase::Variable(id) => Operand::Variable(id),
        }
    }

    fn offset(&mut self, offset: AddressOffset) -> Operand {
        match offset {
            // M-11: 32 bits, extended by the sign.
            AddressOffset::Immediate(value) => Operand::word(value as u32),
            AddressOffset::Register(used) => self.read(used),
            AddressOffset::Special(register) => self.special(register),
        }
    }
}

/// An immediate in a place for an operand of a type (D-11).
fn immediate(bits: u64, sign_extend: bool, ty: RegisterType) -> Operand {
    let bits = if sign_extend { i128::from(bits as i64) as u128 } else { u128::from(bits) };
    Operand::Constant(Constant::new(bits, ty))
}

/// The types of constants in the places of an instruction's operands.
struct Constants<'i> {
    row: &'static Form,
    qualifiers: &'i SlotValues,
    /// Made when the first is asked for.
    signature: Option<Signature>,
}

impl Constants<'_> {
    fn type_at(&mut self, place: usize) -> RegisterType {
        let operation = Operation::Table { form: self.row.id(), qualifiers: *self.qualifiers };
        let signature = self.signature.get_or_insert_with(|| Signature::of(&operation, &[], 0, &[]));
        let shape = signature.operands.get(place);
        shape.and_then(|shape| shape.constant).unwrap_or(RegisterType::scalar(32))
    }
}
