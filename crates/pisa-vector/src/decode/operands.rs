//! From operands to planes.

use super::layout::{FixedArea, Frame};
use crate::Plane;
use pisa_isa::{Qualifier, Width};
use pisa_module::{
    AddressBase, AddressOffset, Function, Instruction, Operand, RegisterId, RegisterUse, SpecialRegister,
};

/// Calls `f` for each register that an operand names.
pub(super) fn registers(operand: &Operand, mut f: impl FnMut(RegisterId)) {
    match operand {
        Operand::Register(used) => f(used.register),
        Operand::Predicate { register, .. } => f(*register),
        Operand::Address { base, offset } => {
            if let AddressBase::Register(used) = base {
                f(used.register);
            }
            if let AddressOffset::Register(used) = offset {
                f(used.register);
            }
        }
        Operand::Parameter { offset: AddressOffset::Register(used), .. } => f(used.register),
        _ => {}
    }
}

/// Whether an operand reads `%activemask`.
pub(super) fn reads_active_mask(operand: &Operand) -> bool {
    const ACTIVE_MASK: SpecialRegister = SpecialRegister::ActiveMask;
    match operand {
        Operand::Special(register) => *register == ACTIVE_MASK,
        Operand::Address { base, offset } => {
            *base == AddressBase::Special(ACTIVE_MASK) || *offset == AddressOffset::Special(ACTIVE_MASK)
        }
        Operand::Parameter { offset, .. } => *offset == AddressOffset::Special(ACTIVE_MASK),
        _ => false,
    }
}

/// The width in bits that an operand position has by its form; 32 where the form leaves it open.
pub(super) fn operand_bits(instruction: &Instruction, position: usize) -> u16 {
    let slot_bits = |name| instruction.qualifier(name).and_then(Qualifier::bits);
    let width = instruction.row().operands.get(position).map_or(Width::None, |d| d.width);
    let bits = match width {
        Width::None => None,
        Width::Bits(bits) => Some(bits),
        Width::Slot(name) => slot_bits(name),
        Width::TwiceSlot(name) => slot_bits(name).map(|bits| 2 * bits),
        Width::AddressOf(name) => instruction.qualifier(name).and_then(Qualifier::address_bits),
    };
    bits.unwrap_or(32)
}

/// Planes for the operands of one function.
pub(super) struct Resolver<'a> {
    pub(super) function: &'a Function,
    pub(super) frame: &'a Frame,
    pub(super) fixed: &'a mut FixedArea,
}

impl Resolver<'_> {
    /// The plane of a register's first element in use.
    pub(super) fn register(&self, used: RegisterUse) -> Option<Plane> {
        let plane = self.frame.plane(used.register)?;
        let bits = u32::from(self.function.registers.get(used.register.index())?.ty.bits);
        let first = used.swizzle.map_or(0, |swizzle| u32::from(swizzle.range().0));
        Some(plane.element(first, bits))
    }

    /// The plane of a scalar operand, `bits` wide where it is an immediate, and whether it is a negated predicate.
    pub(super) fn plane(&mut self, operand: &Operand, bits: u16) -> Option<(Plane, bool)> {
        Some(match *operand {
            Operand::Register(used) => (self.register(used)?, false),
            Operand::Special(register) => (self.fixed.special(register), false),
            Operand::Predicate { register, negated } => (self.frame.plane(register)?, negated),
            Operand::Immediate { bits: value, sign_extend } => {
                let value = if sign_extend { value as i64 as i128 as u128 } else { u128::from(value) };
                (self.fixed.constant((bits / 8).clamp(1, 16) as u8, value), false)
            }
            _ => return None,
        })
    }
}
