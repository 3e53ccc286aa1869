//! Functions with the operands of their instructions looked up once.

use crate::operands::{Destination, Operands, Slots, Source};
use crate::qualifiers::Qualifiers;
use crate::semantics::{Semantics, semantics_of};
use pisa_isa::{Opcode, SlotName};
use pisa_machine::Image;
use pisa_module::{Function, FunctionId, FunctionKind, Operand, RegisterType, SpecialRegister};

/// A function ready to run.
pub(crate) struct Code {
    pub(crate) slots: Slots,
    pub(crate) instructions: Vec<Instruction>,
    /// First slot and type of each parameter.
    pub(crate) parameters: Vec<(usize, RegisterType)>,
    /// Type of the result.
    pub(crate) result: Option<RegisterType>,
    /// Bytes of private memory of an activation (V-16).
    pub(crate) frame_size: u32,
}

/// An instruction ready to run.
pub(crate) struct Instruction {
    pub(crate) semantics: Semantics,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) sources: Vec<Source>,
    pub(crate) destinations: Vec<Destination>,
    /// Elements of all destinations.
    pub(crate) results: usize,
    /// Types of the arguments of `call`.
    pub(crate) arguments: Vec<RegisterType>,
    /// Whether `%activemask` is among the operands.
    reads_active_mask: bool,
}

impl Code {
    /// The code of a function; an index of the instruction whose operands are none of its form, which no linked program
    /// has.
    pub(crate) fn of(image: &Image, id: FunctionId) -> Result<Code, usize> {
        let function = image.program.function(id);
        let slots = Slots::of(function);
        let operands = Operands { image, function, slots: &slots };
        let mut instructions = Vec::with_capacity(function.code.len());
        for (index, instruction) in function.code.iter().enumerate() {
            let (sources, destinations) = operands.of(instruction).ok_or(index)?;
            instructions.push(Instruction {
                semantics: semantics_of(instruction.row()),
                qualifiers: Qualifiers::of(instruction),
                results: destinations.iter().map(Destination::elements).sum(),
                arguments: argument_types(function, instruction),
                reads_active_mask: instruction
                    .operands
                    .contains(&Operand::Special(SpecialRegister::ActiveMask)),
                sources,
                destinations,
            });
        }
        let (parameters, result) = match &function.kind {
            FunctionKind::Kernel { .. } => (Vec::new(), None),
            FunctionKind::Function { result, parameters } => {
                (parameters.iter().filter_map(|p| slots.register(p.index())).collect(), *result)
            }
        };
        Ok(Code { slots, instructions, parameters, result, frame_size: image.frame_size(id) })
    }
}

impl Instruction {
    /// Whether what it does in a lane depends on which other lanes are active.
    pub(crate) fn looks_at_other_lanes(&self) -> bool {
        self.reads_active_mask || matches!(self.semantics, Semantics::CrossLane(_))
    }
}

/// The types of the arguments of a `call`: registers, elements of them, special registers (F-06).
fn argument_types(function: &Function, instruction: &pisa_module::Instruction) -> Vec<RegisterType> {
    if instruction.row().opcode != Opcode::Call {
        return Vec::new();
    }
    // Guard, result and target come first.
    let others = 2 + usize::from(instruction.has(SlotName::Cond));
    let type_of = |operand: &Operand| match operand {
        Operand::Register(used) => {
            let ty = function.registers.get(used.register.index()).map_or(RegisterType::PREDICATE, |r| r.ty);
            let elements = used.swizzle.map_or(ty.elements, |swizzle| swizzle.range().1);
            RegisterType { elements, ..ty }
        }
        Operand::Special(register) => RegisterType::scalar(register.bits()),
        _ => RegisterType::PREDICATE,
    };
    instruction.operands.iter().skip(others).map(type_of).collect()
}
