//! Decoding of memory instructions.

use super::operands::{Resolver, reads_active_mask};
use crate::code::{
    Access, AccessSpace, Action, Base, FloatFormat, Modification, Offset, ParameterLoad, Step,
};
use crate::moves::copy_handler;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{GENERIC_SHARED, Image, Launch, UNDEFINED_BYTE};
use pisa_module::{AddressBase, AddressOffset, Instruction, Operand, Space, VariableId};
use std::sync::atomic::Ordering;

/// The host's order for a qualifier; relaxed where there is none (M-06).
pub(super) fn ordering(order: Option<Qualifier>) -> Ordering {
    match order {
        Some(Qualifier::Acquire) => Ordering::Acquire,
        Some(Qualifier::Release) => Ordering::Release,
        Some(Qualifier::AcqRel) => Ordering::AcqRel,
        Some(Qualifier::SeqCst) => Ordering::SeqCst,
        _ => Ordering::Relaxed,
    }
}

/// Decodes `ld`, `st`, `iatom`, `fatom`; the site is left to the caller.
pub(super) fn access(
    resolver: &mut Resolver<'_>,
    image: &Image,
    instruction: &Instruction,
) -> Option<Access> {
    let opcode = instruction.row().opcode;
    let space = match instruction.qualifier(SlotName::Addrspace) {
        Some(Qualifier::Global | Qualifier::Const) => AccessSpace::Global,
        Some(Qualifier::Shared) => AccessSpace::Shared,
        Some(Qualifier::Private) => AccessSpace::Private,
        _ => AccessSpace::Generic,
    };
    let kind = instruction.qualifier(SlotName::Type)?;
    let bits = kind.bits()?;
    let elements = instruction.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
    let operands = &instruction.operands;
    let address_at = operands.iter().position(|o| matches!(o, Operand::Address { .. }))?;
    let Operand::Address { base, offset } = &operands[address_at] else { return None };
    let data = operands.get(if opcode == Opcode::St { 1 } else { 0 })?;
    let (data, _) = resolver.plane(data, bits)?;
    let order = instruction.qualifier(SlotName::Memorder);
    let atomic = order.is_some_and(|order| order != Qualifier::Weak);
    let action = match opcode {
        Opcode::Ld if atomic => Action::AtomicLoad(match ordering(order) {
            Ordering::Release => Ordering::Relaxed,
            Ordering::AcqRel => Ordering::Acquire,
            order => order,
        }),
        Opcode::Ld => Action::Load,
        Opcode::St if atomic => Action::AtomicStore(match ordering(order) {
            Ordering::Acquire => Ordering::Relaxed,
            Ordering::AcqRel => Ordering::Release,
            order => order,
        }),
        Opcode::St => Action::Store,
        _ => {
            let mut sources = [data; 2];
            for (source, operand) in sources.iter_mut().zip(operands.iter().skip(address_at + 1)) {
                *source = resolver.plane(operand, bits)?.0;
            }
            let operation = instruction.qualifier(SlotName::Op)?;
            let modification = if opcode == Opcode::Fatom {
                float_modification(operation, kind)?
            } else {
                integer_modification(operation)?
            };
            Action::Modify(modification, ordering(order), sources)
        }
    };
    Some(Access {
        space,
        base: decode_base(resolver, image, space, base)?,
        offset: decode_offset(resolver, offset)?,
        bytes: (bits / 8) as u8,
        elements,
        data,
        action,
        site: 0,
        reads_active_mask: operands.iter().any(reads_active_mask),
    })
}

fn decode_base(
    resolver: &mut Resolver<'_>,
    image: &Image,
    space: AccessSpace,
    base: &AddressBase,
) -> Option<Base> {
    Some(match *base {
        AddressBase::Register(used) => {
            let bits = resolver.function.registers.get(used.register.index())?.ty.bits;
            Base::Lanes(resolver.register(used)?, bits)
        }
        AddressBase::Special(register) => Base::Lanes(resolver.fixed.special(register), register.bits()),
        AddressBase::Variable(id) => match (image.program.variable(id).space, space) {
            (Space::Private, _) => Base::Frame(image.address(id) as u32),
            (_, AccessSpace::Generic) => Base::Known(generic_address(image, id)),
            _ => Base::Known(image.address(id)),
        },
    })
}

pub(super) fn decode_offset(resolver: &mut Resolver<'_>, offset: &AddressOffset) -> Option<Offset> {
    Some(match *offset {
        AddressOffset::Immediate(value) => Offset::Known(value),
        AddressOffset::Register(used) => {
            let bits = resolver.function.registers.get(used.register.index())?.ty.bits;
            Offset::Lanes(resolver.register(used)?, bits)
        }
        AddressOffset::Special(register) => Offset::Lanes(resolver.fixed.special(register), register.bits()),
    })
}

/// The generic address (D-24) of a variable that is not private.
pub(super) fn generic_address(image: &Image, id: VariableId) -> u64 {
    let address = image.address(id);
    if image.program.variable(id).space == Space::Shared { GENERIC_SHARED | address } else { address }
}

fn integer_modification(operation: Qualifier) -> Option<Modification> {
    Some(match operation {
        Qualifier::Add => Modification::Add,
        Qualifier::Sub => Modification::Sub,
        Qualifier::Smin => Modification::SignedMin,
        Qualifier::Smax => Modification::SignedMax,
        Qualifier::Umin => Modification::UnsignedMin,
        Qualifier::Umax => Modification::UnsignedMax,
        Qualifier::And => Modification::And,
        Qualifier::Or => Modification::Or,
        Qualifier::Xor => Modification::Xor,
        Qualifier::Xchg => Modification::Exchange,
        Qualifier::Cas => Modification::CompareExchange,
        Qualifier::Inc => Modification::Increment,
        Qualifier::Dec => Modification::Decrement,
        Qualifier::Incwrap => Modification::IncrementWrap,
        Qualifier::Decwrap => Modification::DecrementWrap,
        _ => return None,
    })
}

fn float_modification(operation: Qualifier, kind: Qualifier) -> Option<Modification> {
    let format = match kind {
        Qualifier::Hf => FloatFormat::Half,
        Qualifier::Bf => FloatFormat::Brain,
        Qualifier::F => FloatFormat::Single,
        Qualifier::Df => FloatFormat::Double,
        _ => return None,
    };
    Some(match operation {
        Qualifier::Add => Modification::FloatAdd(format),
        Qualifier::Sub => Modification::FloatSub(format),
        Qualifier::Min => Modification::FloatMin(format),
        Qualifier::Max => Modification::FloatMax(format),
        Qualifier::Cas => Modification::FloatCompareExchange(format),
        _ => return None,
    })
}

/// `ld.param`: at a known offset a copy of constants, else a load of its own. The copy's operation goes into
/// `operation`.
pub(super) fn parameter_load(
    resolver: &mut Resolver<'_>,
    launch: &Launch,
    instruction: &Instruction,
    operation: &mut crate::Op,
    loads: &mut Vec<ParameterLoad>,
) -> Option<Step> {
    let bytes = (instruction.qualifier(SlotName::Type)?.bits()? / 8) as u8;
    let elements = instruction.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
    let [destination, Operand::Parameter { parameter, offset }] = &instruction.operands[..] else {
        return None;
    };
    let (destination, _) = resolver.plane(destination, u16::from(bytes) * 8)?;
    let declared = resolver.function.kernel_parameters().get(parameter.index())?;
    let (start, size) = (declared.offset, declared.size);
    let offset = match *offset {
        AddressOffset::Immediate(offset) => {
            let values: Vec<u128> = (0..u32::from(elements))
                .map(|element| {
                    let offset = offset.wrapping_add((element * u32::from(bytes)) as i32);
                    parameter_bytes(&launch.arguments, start, size, offset as u32, bytes)
                })
                .collect();
            operation.operands[0] = destination;
            operation.operands[1] = resolver.fixed.constant_vector(bytes, &values);
            operation.extra = u32::from(elements);
            operation.run = copy_handler(bytes);
            return Some(Step::Compute);
        }
        AddressOffset::Register(used) => resolver.register(used)?,
        AddressOffset::Special(register) => resolver.fixed.special(register),
    };
    let index = loads.len() as u32;
    loads.push(ParameterLoad {
        start,
        size,
        offset,
        destination,
        bytes,
        elements,
        reads_active_mask: reads_active_mask(&instruction.operands[1]),
    });
    Some(Step::Parameter(index))
}

/// Bytes at a signed offset in a parameter; those outside of it are 0xCD (K-04).
pub(crate) fn parameter_bytes(arguments: &[u8], start: u32, size: u32, offset: u32, bytes: u8) -> u128 {
    (0..u32::from(bytes)).rev().fold(0, |value, i| {
        let at = offset.wrapping_add(i);
        let byte = if at < size { arguments.get(start as usize + at as usize).copied() } else { None };
        value << 8 | u128::from(byte.unwrap_or(UNDEFINED_BYTE))
    })
}
