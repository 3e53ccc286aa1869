//! Decoding of one function.

use super::layout::{FixedArea, Frame, used_type};
use super::memory::{access, generic_address, ordering, parameter_load};
use super::operands::{Resolver, operand_bits, reads_active_mask};
use super::{DecodeError, Scene, initial, observe};
use crate::code::{CallSite, FunctionCode, Guard, Step, Target};
use crate::moves::{copy_handler, nothing};
use crate::{Level, Op, Plane, kernels};
use pisa_isa::{Opcode, SlotName};
use pisa_machine::{Image, Launch, UNDEFINED_BYTE};
use pisa_module::{FunctionId, FunctionKind, Instruction, Operand, RegisterId, RegisterType, Space};
use std::sync::atomic::Ordering;

const NOTHING: Op = Op { run: nothing, operands: [Plane(0); 6], negated: 0, extra: 0 };

/// Decodes a function or kernel.
pub(super) fn decode_function(
    scene: Scene<'_>,
    id: FunctionId,
    fixed: &mut FixedArea,
    memory_sites: &mut u32,
) -> Result<FunctionCode, DecodeError> {
    let Scene { image, launch, level, wanted } = scene;
    let function = image.program.function(id);
    let frame = Frame::new(function)?;
    let undefined = match wanted {
        // Who watches may read what the program does not.
        Some(_) => vec![(0, frame.size)],
        None => initial::undefined_ranges(function, &frame),
    };
    let places = function.registers.iter().zip(0..);
    let places = places.filter_map(|(register, id)| Some((frame.plane(RegisterId(id))?, register.ty)));
    let registers = places.collect();
    let mut parameters = Vec::new();
    let mut result = None;
    if let FunctionKind::Function { result: ty, parameters: registers } = &function.kind {
        result = *ty;
        for &register in registers {
            let ty = function.registers.get(register.index()).map(|r| r.ty);
            let both = frame.plane(register).zip(ty);
            parameters.push(both.ok_or(DecodeError::Invalid(id, 0))?);
        }
    }
    let length = function.code.len();
    let mut decoder = Decoder {
        image,
        launch,
        level,
        resolver: Resolver { function, frame: &frame, fixed },
        memory_sites,
        code: FunctionCode {
            id,
            frame: frame.size,
            undefined,
            private: image.frame_size(id),
            operations: vec![NOTHING; length + 1],
            steps: Vec::with_capacity(length + 1),
            runs: vec![0; length + 1],
            registers,
            parameters,
            result,
            calls: Vec::new(),
            accesses: Vec::new(),
            parameter_loads: Vec::new(),
            observed: None,
        },
    };
    for (index, instruction) in function.code.iter().enumerate() {
        let step = decoder.instruction(index, instruction);
        decoder.code.steps.push(step.ok_or(DecodeError::Invalid(id, index as u32))?);
    }
    decoder.code.steps.push(Step::End);
    decoder.code.observed = match wanted {
        Some(wanted) => {
            let observed = observe::observed(image, &mut decoder.resolver, &decoder.code, wanted);
            Some(observed.map_err(|index| DecodeError::Invalid(id, index))?)
        }
        None => None,
    };
    let mut code = decoder.code;
    for index in (0..length).rev() {
        // Whoever watches is shown an instruction between runs.
        if matches!(code.steps[index], Step::Compute) && code.site(index).is_none() {
            code.runs[index] = code.runs[index + 1] + 1;
        }
    }
    Ok(code)
}

struct Decoder<'a> {
    image: &'a Image,
    launch: &'a Launch,
    level: Level,
    resolver: Resolver<'a>,
    memory_sites: &'a mut u32,
    code: FunctionCode,
}

impl Decoder<'_> {
    fn instruction(&mut self, index: usize, instruction: &Instruction) -> Option<Step> {
        match instruction.row().opcode {
            Opcode::Goto => {
                let (guard, rest) = self.guard(instruction)?;
                let [Operand::Label(label)] = rest else { return None };
                let target = self.resolver.function.labels.get(label.index())?.target;
                if target as usize > self.resolver.function.code.len() {
                    return None;
                }
                Some(guard.map_or(Step::Goto(target), |guard| Step::GotoIf(guard, target)))
            }
            Opcode::Return => {
                let (guard, rest) = self.guard(instruction)?;
                let value = match (rest.first(), self.code.result) {
                    (Some(operand), Some(ty)) => Some(self.resolver.plane(operand, u16::from(ty.bits))?.0),
                    (None, Some(ty)) => Some(self.undefined(ty)),
                    (_, None) => None,
                };
                let step = Step::Return(guard, value);
                Some(step)
            }
            Opcode::Call => self.call(instruction),
            Opcode::BarrierWorkgroup => Some(Step::Barrier),
            Opcode::Fence => {
                let order = match instruction.qualifier(SlotName::Memscope) {
                    // Lanes of a sub-group run on one thread.
                    Some(pisa_isa::Qualifier::Subgroup) => Ordering::AcqRel,
                    _ => ordering(instruction.qualifier(SlotName::Memorder)),
                };
                // Y-04, Y-07: there is no relaxed fence.
                Some(Step::Fence(if order == Ordering::Relaxed { Ordering::AcqRel } else { order }))
            }
            Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom => {
                let mut access = access(&mut self.resolver, self.image, instruction)?;
                access.site = *self.memory_sites;
                *self.memory_sites += 1;
                self.code.accesses.push(access);
                Some(Step::Memory(self.code.accesses.len() as u32 - 1))
            }
            Opcode::LdParam => {
                let operation = &mut self.code.operations[index];
                let loads = &mut self.code.parameter_loads;
                parameter_load(&mut self.resolver, self.launch, instruction, operation, loads)
            }
            Opcode::Addrof => self.address(index, instruction),
            Opcode::Addrcast if matches!(instruction.operands.get(1), Some(Operand::Variable(_))) => {
                self.address(index, instruction)
            }
            _ => self.computing(index, instruction),
        }
    }

    /// The guard of a conditional form and the operands behind it.
    fn guard<'i>(&mut self, instruction: &'i Instruction) -> Option<(Option<Guard>, &'i [Operand])> {
        match &instruction.operands[..] {
            [Operand::Predicate { register, negated }, rest @ ..] => {
                let plane = self.resolver.frame.plane(*register)?;
                let flip = if *negated { u32::MAX } else { 0 };
                Some((Some(Guard { plane, flip }), rest))
            }
            rest => Some((None, rest)),
        }
    }

    /// A value of undefined bytes.
    fn undefined(&mut self, ty: RegisterType) -> Plane {
        let value = u128::from_le_bytes([UNDEFINED_BYTE; 16]);
        let values = vec![value; usize::from(ty.elements)];
        self.resolver.fixed.constant_vector(ty.bits / 8, &values)
    }

    fn call(&mut self, instruction: &Instruction) -> Option<Step> {
        let (guard, rest) = self.guard(instruction)?;
        let [result, target, arguments @ ..] = rest else { return None };
        let result = match result {
            Operand::Void => None,
            operand => {
                let ty = used_type(self.resolver.function, operand)?;
                Some((self.resolver.plane(operand, 32)?.0, ty))
            }
        };
        let target = match target {
            Operand::Function(id) => Target::Function(*id),
            operand => Target::Handle(self.resolver.plane(operand, 64)?.0),
        };
        let mut planes = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let ty = used_type(self.resolver.function, argument)?;
            planes.push((self.resolver.plane(argument, 32)?.0, ty));
        }
        self.code.calls.push(CallSite {
            guard,
            result,
            target,
            arguments: planes,
            reads_active_mask: instruction.operands.iter().any(reads_active_mask),
        });
        Some(Step::Call(self.code.calls.len() as u32 - 1))
    }

    /// `addrof`, and `addrcast` of a variable: constants, except for private variables.
    fn address(&mut self, index: usize, instruction: &Instruction) -> Option<Step> {
        let [destination, source] = &instruction.operands[..] else { return None };
        let bits = operand_bits(instruction, 0);
        let (destination, _) = self.resolver.plane(destination, bits)?;
        let generic = instruction.row().opcode == Opcode::Addrcast;
        let value = match source {
            Operand::Function(id) => self.image.handle(*id),
            Operand::Variable(id) => {
                if self.image.program.variable(*id).space == Space::Private {
                    let offset = self.image.address(*id) as u32;
                    return Some(Step::PrivateAddress { destination, offset, generic });
                }
                if generic { generic_address(self.image, *id) } else { self.image.address(*id) }
            }
            _ => return None,
        };
        let bytes = (bits / 8) as u8;
        let source = self.resolver.fixed.constant(bytes, u128::from(value));
        let operation = &mut self.code.operations[index];
        operation.operands[0] = destination;
        operation.operands[1] = source;
        operation.extra = 1;
        operation.run = copy_handler(bytes);
        Some(Step::Compute)
    }

    fn computing(&mut self, index: usize, instruction: &Instruction) -> Option<Step> {
        let (run, extra) = kernels::select(instruction, self.resolver.function, self.level)?;
        let mut operation = Op { run, extra, ..NOTHING };
        if instruction.operands.len() > operation.operands.len() {
            return None;
        }
        for (position, operand) in instruction.operands.iter().enumerate() {
            let bits = operand_bits(instruction, position);
            let (plane, negated) = self.resolver.plane(operand, bits)?;
            operation.operands[position] = plane;
            operation.negated |= u8::from(negated) << position;
        }
        self.code.operations[index] = operation;
        let fresh = instruction.operands.iter().any(reads_active_mask);
        Some(if fresh { Step::ComputeWithActiveMask } else { Step::Compute })
    }
}
