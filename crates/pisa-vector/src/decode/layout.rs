//! Where values lie: planes of registers in a frame, of constants and special registers in the fixed area.

use super::DecodeError;
use crate::Plane;
use crate::code::FixedLayout;
use pisa_module::{Function, FunctionKind, Operand, RegisterId, RegisterType, SpecialRegister};
use rustc_hash::FxHashMap;

/// Largest area for a batch of one sub-group: the top bit of a [`Plane`] is taken.
const MAX_AREA: u64 = 1 << 30;
/// Planes start at multiples of this.
const PLANE_ALIGNMENT: u64 = 64;

/// Bytes of a register's plane.
pub(super) fn plane_bytes(ty: RegisterType) -> u64 {
    if ty.is_predicate() { 4 } else { u64::from(ty.total_bits()) * 4 }
}

/// The frame of a function.
pub(super) struct Frame {
    /// By register; registers that nothing names have none.
    planes: Vec<Option<Plane>>,
    /// Bytes, a multiple of 64.
    pub(super) size: u32,
}

impl Frame {
    /// Gives every register that is used a plane: wide ones first, predicates last.
    pub(super) fn new(function: &Function) -> Result<Frame, DecodeError> {
        let mut used = vec![false; function.registers.len()];
        let mut mark = |id: RegisterId| {
            if let Some(used) = used.get_mut(id.index()) {
                *used = true;
            }
        };
        if let FunctionKind::Function { parameters, .. } = &function.kind {
            parameters.iter().copied().for_each(&mut mark);
        }
        for instruction in &function.code {
            instruction.operands.iter().for_each(|operand| super::operands::registers(operand, &mut mark));
        }
        let mut planes = vec![None; used.len()];
        let mut end = 0u64;
        for predicates in [false, true] {
            for (index, register) in function.registers.iter().enumerate() {
                if used[index] && register.ty.is_predicate() == predicates {
                    planes[index] = Some(Plane(end as u32));
                    end += plane_bytes(register.ty);
                    if !predicates {
                        end = end.next_multiple_of(PLANE_ALIGNMENT);
                    }
                    if end > MAX_AREA {
                        return Err(DecodeError::TooLarge(format!(
                            "the registers of `@{}` take more than {MAX_AREA} bytes a sub-group",
                            function.name
                        )));
                    }
                }
            }
        }
        Ok(Frame { planes, size: end.next_multiple_of(PLANE_ALIGNMENT) as u32 })
    }

    /// Where a register lies.
    pub(super) fn plane(&self, id: RegisterId) -> Option<Plane> {
        self.planes.get(id.index()).copied().flatten()
    }
}

/// The fixed area while it grows.
#[derive(Default)]
pub(super) struct FixedArea {
    layout: FixedLayout,
    end: u64,
    constants: FxHashMap<(u8, u128), Plane>,
    specials: FxHashMap<SpecialRegister, Plane>,
}

impl FixedArea {
    fn take(&mut self, bytes: u64) -> Plane {
        let plane = Plane((self.end.min(MAX_AREA) as u32) | Plane::FIXED);
        self.end = (self.end + bytes).next_multiple_of(PLANE_ALIGNMENT);
        plane
    }

    /// A plane that holds a value in every lane; `bytes` is 1, 2, 4, 8 or 16.
    pub(super) fn constant(&mut self, bytes: u8, value: u128) -> Plane {
        let value = if bytes < 16 { value & ((1 << (8 * bytes)) - 1) } else { value };
        if let Some(&plane) = self.constants.get(&(bytes, value)) {
            return plane;
        }
        let plane = self.take(u64::from(bytes) * 32);
        self.constants.insert((bytes, value), plane);
        self.layout.constants.push((plane, bytes, value));
        plane
    }

    /// Planes of several elements behind each other.
    pub(super) fn constant_vector(&mut self, bytes: u8, values: &[u128]) -> Plane {
        if let [value] = *values {
            return self.constant(bytes, value);
        }
        let start = self.take(u64::from(bytes) * 32 * values.len() as u64);
        for (element, &value) in values.iter().enumerate() {
            let plane = start.element(element as u32, u32::from(bytes) * 8);
            self.layout.constants.push((plane, bytes, value));
        }
        start
    }

    /// The plane of a special register.
    pub(super) fn special(&mut self, register: SpecialRegister) -> Plane {
        if let Some(&plane) = self.specials.get(&register) {
            return plane;
        }
        let plane = self.take(u64::from(register.bits()) * 4);
        self.specials.insert(register, plane);
        match register {
            SpecialRegister::ActiveMask => self.layout.active_mask = Some(plane),
            _ => self.layout.specials.push((register, plane)),
        }
        plane
    }

    /// The finished layout.
    pub(super) fn finish(mut self) -> Result<FixedLayout, DecodeError> {
        if self.end > MAX_AREA {
            return Err(DecodeError::TooLarge(format!(
                "the constants of the program take more than {MAX_AREA} bytes a sub-group"
            )));
        }
        self.layout.size = self.end.max(PLANE_ALIGNMENT) as u32;
        Ok(self.layout)
    }
}

/// The element type of an operand that is a register or part of one.
pub(super) fn used_type(function: &Function, operand: &Operand) -> Option<RegisterType> {
    match operand {
        Operand::Register(used) => {
            let ty = function.registers.get(used.register.index())?.ty;
            Some(match used.swizzle {
                None => ty,
                Some(swizzle) => RegisterType { elements: swizzle.range().1, bits: ty.bits },
            })
        }
        Operand::Special(register) => Some(RegisterType::scalar(register.bits())),
        _ => None,
    }
}
