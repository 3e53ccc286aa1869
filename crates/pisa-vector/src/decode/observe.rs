//! What somebody who watches can read of the instructions of a function.

use super::memory::decode_offset;
use super::operands::{Resolver, reads_active_mask};
use crate::code::{FunctionCode, Guard, Step};
use crate::observe::{Observed, Readable, Site};
use pisa_machine::Image;
use pisa_module::{Operand, RegisterId, Space};

/// What is shown of a decoded function; the index of an instruction whose operands are not those of its form otherwise.
pub(super) fn observed(
    image: &Image,
    resolver: &mut Resolver<'_>,
    code: &FunctionCode,
    wanted: &[bool],
) -> Result<Observed, u32> {
    let function = resolver.function;
    let mut sites = Vec::with_capacity(function.code.len());
    for (index, instruction) in function.code.iter().enumerate() {
        if !wanted.get(index).copied().unwrap_or(false) {
            sites.push(None);
            continue;
        }
        let operands = instruction.operands.iter();
        let operands = operands.map(|operand| readable(image, resolver, operand, code.steps[index]));
        sites.push(Some(Site {
            operands: operands.collect::<Option<_>>().ok_or(index as u32)?,
            reads_active_mask: instruction.operands.iter().any(reads_active_mask),
        }));
    }
    let registers = function.registers.iter().enumerate();
    let registers =
        registers.map(|(index, register)| (resolver.frame.plane(RegisterId(index as u32)), register.ty));
    Ok(Observed { sites, registers: registers.collect() })
}

fn readable(image: &Image, resolver: &mut Resolver<'_>, operand: &Operand, step: Step) -> Option<Readable> {
    Some(match operand {
        Operand::Register(used) => {
            let ty = resolver.function.registers.get(used.register.index())?.ty;
            let elements = used.swizzle.map_or(ty.elements, |swizzle| swizzle.range().1);
            Readable::Lanes { plane: resolver.register(*used)?, bits: ty.bits, elements }
        }
        Operand::Special(register) => {
            Readable::Lanes { plane: resolver.fixed.special(*register), bits: register.bits(), elements: 1 }
        }
        Operand::Predicate { register, negated } => {
            let flip = if *negated { u32::MAX } else { 0 };
            Readable::Predicate(Guard { plane: resolver.frame.plane(*register)?, flip })
        }
        Operand::Immediate { bits, .. } => Readable::Constant(*bits),
        Operand::Variable(id) if image.program.variable(*id).space == Space::Private => {
            Readable::Frame(image.address(*id) as u32)
        }
        Operand::Variable(id) => Readable::Constant(image.address(*id)),
        Operand::Function(id) => Readable::Constant(image.handle(*id)),
        Operand::Label(label) => {
            Readable::Constant(u64::from(resolver.function.labels.get(label.index())?.target))
        }
        Operand::Address { .. } => match step {
            Step::Memory(access) => Readable::Address(access),
            _ => Readable::Nothing,
        },
        Operand::Parameter { offset, .. } => Readable::Parameter(decode_offset(resolver, offset)?),
        Operand::Void => Readable::Nothing,
    })
}
