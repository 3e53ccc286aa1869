//! Copies between registers: one, and many at the same time.

use super::elements::Piece;
use super::emit::{Emitter, Scratch};
use super::legalise::move_type;
use super::roles;
use crate::{Operand, Target};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Operand as MachineOperand, RegisterId, RegisterType, RegisterUse, SpecialRegister};

/// What a copy reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A register or elements of one.
    Register(RegisterUse),
    /// A number, and whether it is extended by its sign.
    Immediate(u64, bool),
    /// A constant predicate.
    Predicate(bool),
    /// A special register.
    Special(SpecialRegister),
}

/// A copy into a whole register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Copy {
    pub(super) to: RegisterId,
    pub(super) ty: RegisterType,
    pub(super) from: Source,
}

impl Emitter<'_> {
    /// What a copy of an operand reads.
    pub(super) fn source(&self, operand: Operand) -> Result<Source, String> {
        match operand {
            Operand::Value(value) => Ok(match self.read(value) {
                Some(register) => Source::Register(register),
                None => Source::Special(SpecialRegister::ActiveMask),
            }),
            Operand::Constant(constant) if constant.ty.is_predicate() => {
                Ok(Source::Predicate(constant.bits() == 1))
            }
            Operand::Constant(constant) => roles::immediate(constant)
                .map(|(bits, extended)| Source::Immediate(bits, extended))
                .ok_or_else(|| "a constant that is no immediate".to_owned()),
            Operand::Special(register) => Ok(Source::Special(register)),
            _ => Err("a copy of something without a value".to_owned()),
        }
    }

    /// `mov` of so many bits; a vector register has a swizzle that names all that is meant.
    pub(super) fn move_bits(&mut self, to: RegisterUse, bits: u32, from: Source) -> Result<(), String> {
        let ty = move_type(bits).ok_or_else(|| format!("no `mov` moves {bits} bits"))?;
        let (swizzled, source) = match from {
            Source::Register(register) => (register.swizzle.is_some(), MachineOperand::Register(register)),
            Source::Immediate(bits, sign_extend) => (false, MachineOperand::Immediate { bits, sign_extend }),
            Source::Special(special) => (false, MachineOperand::Special(special)),
            Source::Predicate(_) => return Err("a predicate in a register of numbers".to_owned()),
        };
        // Scalar to scalar, scalar to vector, vector to scalar, vector to vector (4.14).
        let form = usize::from(to.swizzle.is_some()) + 2 * usize::from(swizzled);
        self.push_named(Opcode::Mov, form, &[(SlotName::Type, ty)], [MachineOperand::Register(to), source]);
        Ok(())
    }

    /// A copy of a value of the type into a register or element.
    pub(super) fn copy(&mut self, to: RegisterUse, ty: RegisterType, from: Source) -> Result<(), String> {
        if ty.is_predicate() {
            self.copy_predicate(to.register, from);
            return Ok(());
        }
        if !ty.is_vector() {
            return self.move_bits(to, ty.total_bits(), from);
        }
        match from {
            Source::Register(from) => {
                let piece = |register| Piece { register, ty, first: 0 };
                self.elements(piece(to), piece(from), ty.elements)
            }
            _ => Err("a scalar in a vector".to_owned()),
        }
    }

    /// No instruction copies predicates. The carry out of all ones plus nothing is the carry in: one instruction does it.
    fn copy_predicate(&mut self, to: RegisterId, from: Source) {
        let predicate = |register| MachineOperand::Predicate { register, negated: false };
        let number = |bits| MachineOperand::Immediate { bits, sign_extend: false };
        match from {
            Source::Register(from) => {
                let sum = self.scratch(RegisterType::scalar(32), Scratch::Unused);
                let carries = [
                    (SlotName::Ci, Qualifier::Ci),
                    (SlotName::Co, Qualifier::Co),
                    (SlotName::Type, Qualifier::B32),
                ];
                let sum = MachineOperand::Register(sum);
                let operands =
                    [sum, predicate(to), number(u64::from(u32::MAX)), number(0), predicate(from.register)];
                self.push_named(Opcode::Uaddc, 2, &carries, operands);
            }
            Source::Predicate(value) => {
                let comparison = if value { Qualifier::Eq } else { Qualifier::Ne };
                let qualifiers = [(SlotName::Cop, comparison), (SlotName::Type, Qualifier::B32)];
                self.push_named(Opcode::Ucmp, 0, &qualifiers, [predicate(to), number(0), number(0)]);
            }
            Source::Immediate(..) | Source::Special(_) => {}
        }
    }

    /// What the parameters of a target need, as far as it is not there yet.
    pub(super) fn copies(&self, target: &Target) -> Result<Vec<Copy>, String> {
        let parameters = &self.function.block(target.block).parameters;
        let mut copies = Vec::new();
        for (&parameter, &argument) in parameters.iter().zip(&target.arguments) {
            if !self.classes.has_register(parameter) || argument == Operand::Dead {
                continue;
            }
            let to = self.register(parameter);
            let from = self.source(argument)?;
            if from != Source::Register(to) {
                copies.push(Copy { to: to.register, ty: self.function.value(parameter).ty, from });
            }
        }
        Ok(copies)
    }

    /// Copies that happen at the same time: what one of them reads is read before another writes it.
    pub(super) fn copy_all(&mut self, copies: &[Copy]) -> Result<(), String> {
        let mut waiting: Vec<Copy> = copies.to_vec();
        while !waiting.is_empty() {
            // Those go first whose register nobody reads any more.
            let mut reads: rustc_hash::FxHashMap<RegisterId, u32> = rustc_hash::FxHashMap::default();
            for copy in &waiting {
                if let Some(register) = copy.reads() {
                    *reads.entry(register).or_default() += 1;
                }
            }
            let mut by_target: rustc_hash::FxHashMap<RegisterId, usize> =
                waiting.iter().enumerate().map(|(i, copy)| (copy.to, i)).collect();
            let mut ready: Vec<usize> =
                (0..waiting.len()).rev().filter(|&i| !reads.contains_key(&waiting[i].to)).collect();
            let mut done = vec![false; waiting.len()];
            while let Some(i) = ready.pop() {
                let copy = waiting[i];
                done[i] = true;
                by_target.remove(&copy.to);
                self.copy(RegisterUse { register: copy.to, swizzle: None }, copy.ty, copy.from)?;
                let Some(register) = copy.reads() else { continue };
                let Some(count) = reads.get_mut(&register) else { continue };
                *count -= 1;
                if *count == 0 {
                    ready.extend(by_target.get(&register).copied());
                }
            }
            let mut number = 0;
            waiting.retain(|_| {
                number += 1;
                !done[number - 1]
            });
            // What is left goes round: one register is read from elsewhere.
            let Some(&first) = waiting.first() else { break };
            let scratch = self.scratch(first.ty, Scratch::Cycle);
            let from = RegisterUse { register: first.to, swizzle: None };
            self.copy(scratch, first.ty, Source::Register(from))?;
            for copy in &mut waiting {
                if let Source::Register(read) = &mut copy.from
                    && read.register == first.to
                {
                    read.register = scratch.register;
                }
            }
        }
        Ok(())
    }
}

impl Copy {
    /// The register that it reads.
    pub(super) fn reads(&self) -> Option<RegisterId> {
        match self.from {
            Source::Register(register) => Some(register.register),
            _ => None,
        }
    }
}
