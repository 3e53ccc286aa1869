//! Machine instructions of the instructions of a block.

use super::coalesce::Classes;
use super::copies::Source;
use super::liveness::Points;
use super::roles::{self, Role, machine_form, named_form, roles as roles_of};
use super::views::{View, Views, swizzle};
use crate::{Block, CrossLaneKind, Function, InstructionData, Operand, Operation, Value, VectorOperation};
use pisa_diag::Place;
use pisa_isa::{Access, FormId, Opcode, OperandKind, Qualifier, SlotName, SlotValues};
use pisa_module::{
    AddressBase, AddressOffset, Function as MachineFunction, FunctionKind, Instruction as MachineInstruction,
    Operand as MachineOperand, RegisterId, RegisterType, RegisterUse,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a register that no value has is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scratch {
    /// A destination that is also read.
    Result,
    /// A value in a cycle of copies.
    Cycle,
    /// Nobody reads it.
    Unused,
    /// An element on its way.
    Element,
}

/// Code of one function. Registers have the number of the value that stands for their class, those without a value follow.
pub(super) struct Emitter<'a> {
    pub(super) function: &'a Function,
    pub(super) classes: &'a Classes,
    pub(super) views: &'a Views,
    pub(super) points: &'a Points,
    pub(super) depths: &'a [u32],
    /// Result types of functions, for calls whose result nobody wants.
    pub(super) signatures: &'a [Option<RegisterType>],
    pub(super) code: Vec<MachineInstruction>,
    /// Types of the registers without a value.
    pub(super) scratch: Vec<RegisterType>,
    scratch_of: FxHashMap<(RegisterType, Scratch), RegisterId>,
    /// By instruction: it is part of the one before it.
    done: Vec<bool>,
    /// How often each value is used.
    use_counts: Vec<u32>,
    pub(super) place: Place,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        function: &'a Function,
        classes: &'a Classes,
        views: &'a Views,
        points: &'a Points,
        depths: &'a [u32],
        signatures: &'a [Option<RegisterType>],
    ) -> Emitter<'a> {
        Emitter {
            function,
            classes,
            views,
            points,
            depths,
            signatures,
            code: Vec::with_capacity(function.instructions.len()),
            scratch: Vec::new(),
            scratch_of: FxHashMap::default(),
            done: vec![false; function.instructions.len()],
            use_counts: function.use_counts(),
            place: function.place,
        }
    }

    /// The register for that purpose.
    pub(super) fn scratch(&mut self, ty: RegisterType, purpose: Scratch) -> RegisterUse {
        let next = RegisterId((self.function.values.len() + self.scratch.len()) as u32);
        let scratch = &mut self.scratch;
        let register = *self.scratch_of.entry((ty, purpose)).or_insert_with(|| {
            scratch.push(ty);
            next
        });
        RegisterUse { register, swizzle: None }
    }

    pub(super) fn register(&self, value: Value) -> RegisterUse {
        RegisterUse { register: RegisterId(self.classes.root(value).0), swizzle: None }
    }

    /// Where a value is read; `None` of `%activemask` and of values that nobody reads.
    pub(super) fn read(&self, value: Value) -> Option<RegisterUse> {
        match self.views.of(value) {
            None => Some(self.register(value)),
            Some(View::Scalar(base)) => Some(self.register(base)),
            Some(View::Elements(base, swizzle)) => {
                Some(RegisterUse { swizzle: Some(swizzle), ..self.register(base) })
            }
            Some(View::ActiveMask | View::Unused) => None,
        }
    }

    pub(super) fn push(
        &mut self,
        (form, qualifiers): (FormId, SlotValues),
        operands: impl IntoIterator<Item = MachineOperand>,
    ) {
        let operands = operands.into_iter().collect();
        self.code.push(MachineInstruction { form, qualifiers, operands, place: self.place });
    }

    /// An instruction by opcode, number of the form, and qualifiers.
    pub(super) fn push_named(
        &mut self,
        opcode: Opcode,
        form: usize,
        qualifiers: &[(SlotName, Qualifier)],
        operands: impl IntoIterator<Item = MachineOperand>,
    ) {
        let (form, qualifiers) = named_form(opcode, form, qualifiers);
        self.push((form.id(), qualifiers), operands);
    }

    /// All instructions of a block.
    pub(super) fn instructions(&mut self, block: Block) -> Result<(), String> {
        let list = &self.function.block(block).instructions;
        for (index, &id) in list.iter().enumerate() {
            let instruction = self.function.instruction(id);
            if self.done[id.index()] || self.views.is_view(instruction) {
                continue;
            }
            self.place = instruction.place.unwrap_or(self.function.place);
            match instruction.operation {
                Operation::Initial => {}
                Operation::Vector(operation) => self.vector(operation, instruction)?,
                Operation::Call { conditional } => {
                    let element = self.element_for(block, index);
                    self.call(conditional, instruction, element)?;
                }
                Operation::CrossLane(operation) if operation.kind == CrossLaneKind::ActiveMask => {
                    let result = instruction.result().ok_or("%activemask without a result")?;
                    let source = Source::Special(pisa_module::SpecialRegister::ActiveMask);
                    let element = self.element_for(block, index);
                    let destination = element.unwrap_or_else(|| self.register(result));
                    self.copy(destination, self.function.value(result).ty, source)?;
                }
                Operation::Mask(operation) => {
                    return Err(format!("{operation:?} has no instruction and was not lowered"));
                }
                Operation::CrossLane(operation) if !operation.is_native() => {
                    return Err(format!(
                        "{:?} of {:?} has no instruction and was not lowered",
                        operation.kind, operation.element
                    ));
                }
                Operation::Table { .. } | Operation::CrossLane(_) => {
                    let element = self.element_for(block, index);
                    self.table(instruction, element)?;
                }
            }
        }
        Ok(())
    }

    /// Where the instruction's result is an element of a vector that changes in place right behind it, that element: then
    /// both are one.
    fn element_for(&mut self, block: Block, index: usize) -> Option<RegisterUse> {
        let list = &self.function.block(block).instructions;
        let instruction = self.function.instruction(list[index]);
        let takes_element = match machine_form(&instruction.operation) {
            Some((form, _)) => {
                form.operands.iter().find(|operand| operand.access != Access::Read).is_some_and(|operand| {
                    matches!(operand.kind, OperandKind::Register | OperandKind::Memory)
                })
            }
            None => true,
        };
        // A number has to come from a register by the letter (D-10).
        let is_number = instruction.operation.opcode() == Some(Opcode::Mov)
            && matches!(instruction.operands[..], [Operand::Constant(_)]);
        let takes_element = takes_element && !is_number;
        let result = *instruction.results.first()?;
        if !takes_element || self.use_counts[result.index()] != 1 || self.views.of(result).is_some() {
            return None;
        }
        let silent = |&&id: &&crate::Instruction| {
            let next = self.function.instruction(id);
            self.done[id.index()] || self.views.is_view(next) || next.operation == Operation::Initial
        };
        let &next = list[index + 1..].iter().find(|id| !silent(id))?;
        let insert = self.function.instruction(next);
        let Operation::Vector(VectorOperation::Insert { first }) = insert.operation else { return None };
        let (&[Operand::Value(base), source], Some(vector)) = (&insert.operands[..], insert.result()) else {
            return None;
        };
        let in_place = self.views.of(base).is_none() && self.classes.root(base) == self.classes.root(vector);
        let swizzle = swizzle(first, self.function.value(result).ty.elements)?;
        if source != Operand::Value(result) || !in_place || swizzle.range().1 != 1 {
            return None;
        }
        self.done[next.index()] = true;
        Some(RegisterUse { swizzle: Some(swizzle), ..self.register(vector) })
    }

    /// An instruction of the table, its result maybe an element.
    fn table(&mut self, instruction: &InstructionData, element: Option<RegisterUse>) -> Result<(), String> {
        let Some((form, qualifiers)) = machine_form(&instruction.operation) else {
            return Err("an operation without an instruction".to_owned());
        };
        let roles = roles_of(instruction);
        let mut sources: Vec<MachineOperand> = Vec::with_capacity(instruction.operands.len());
        for (&operand, &role) in instruction.operands.iter().zip(&roles) {
            match role {
                Role::Old => {}
                Role::Offset => {
                    let offset = self.offset(operand)?;
                    let base = sources.pop().ok_or("an address without a base")?;
                    sources.push(with_offset(base, offset)?);
                }
                _ => sources.push(self.operand(operand, role)?),
            }
        }
        let mut results = instruction.results.iter().enumerate().map(|(number, &value)| match element {
            Some(element) if number == 0 => element,
            _ => self.register(value),
        });
        let written: SmallVec<[RegisterUse; 2]> = results.by_ref().collect();
        let old = roles::old_value(instruction);
        let ty = instruction.results.first().map(|&value| self.function.value(value).ty);
        let build = move |this: &mut Self, first: Option<RegisterUse>| {
            let mut written = written.into_iter();
            let mut sources = sources.into_iter();
            let mut operands: SmallVec<[MachineOperand; 4]> = SmallVec::new();
            for operand in form.operands {
                if operand.access == Access::Read {
                    operands.extend(sources.next());
                } else if let Some(register) = written.next() {
                    let register = if operands.is_empty() { first.unwrap_or(register) } else { register };
                    operands.push(if operand.kind == OperandKind::Predicate {
                        MachineOperand::Predicate { register: register.register, negated: false }
                    } else {
                        MachineOperand::Register(register)
                    });
                }
            }
            this.push((form.id(), qualifiers), operands);
        };
        let destination = element.or_else(|| instruction.results.first().map(|&value| self.register(value)));
        match (old, destination, ty) {
            (Some(old), Some(destination), Some(ty)) => {
                let reads = self.reads(instruction, destination.register);
                self.keep(old, destination, ty, reads, |this, destination| {
                    build(this, Some(destination));
                    Ok(())
                })
            }
            _ => {
                build(self, None);
                Ok(())
            }
        }
    }

    /// Whether an instruction reads a register other than as an old value.
    pub(super) fn reads(&self, instruction: &InstructionData, register: RegisterId) -> bool {
        instruction.operands.iter().zip(roles_of(instruction)).any(|(operand, role)| {
            role != Role::Old
                && operand
                    .value()
                    .and_then(|value| self.read(value))
                    .is_some_and(|read| read.register == register)
        })
    }

    /// An instruction that keeps part of what its destination holds: that is put there first.
    pub(super) fn keep(
        &mut self,
        old: Operand,
        destination: RegisterUse,
        ty: RegisterType,
        reads: bool,
        build: impl FnOnce(&mut Self, RegisterUse) -> Result<(), String>,
    ) -> Result<(), String> {
        let source = self.source(old)?;
        if source == Source::Register(destination) {
            build(self, destination)
        } else if reads {
            let scratch = self.scratch(ty, Scratch::Result);
            self.copy(scratch, ty, source)?;
            build(self, scratch)?;
            self.copy(destination, ty, Source::Register(scratch))
        } else {
            self.copy(destination, ty, source)?;
            build(self, destination)
        }
    }

    /// An operand in its position.
    pub(super) fn operand(&self, operand: Operand, role: Role) -> Result<MachineOperand, String> {
        let is_predicate = |value: Value| self.function.value(value).ty.is_predicate();
        let machine = match operand {
            Operand::Value(value) | Operand::Negated(value) if is_predicate(value) => {
                MachineOperand::Predicate {
                    register: self.register(value).register,
                    negated: matches!(operand, Operand::Negated(_)),
                }
            }
            Operand::Value(value) => match self.read(value) {
                Some(read) => MachineOperand::Register(read),
                None => MachineOperand::Special(pisa_module::SpecialRegister::ActiveMask),
            },
            Operand::Special(register) => MachineOperand::Special(register),
            Operand::Constant(constant) => {
                let (bits, sign_extend) =
                    roles::immediate(constant).ok_or("a constant that is no immediate")?;
                MachineOperand::Immediate { bits, sign_extend }
            }
            Operand::Variable(id) => MachineOperand::Variable(id),
            Operand::Function(id) => MachineOperand::Function(id),
            Operand::Parameter(parameter) => {
                MachineOperand::Parameter { parameter, offset: AddressOffset::Immediate(0) }
            }
            Operand::Negated(_) | Operand::Dead => return Err("an operand without a value".to_owned()),
        };
        if !matches!(role, Role::Base(_)) {
            return Ok(machine);
        }
        let base = match machine {
            MachineOperand::Register(register) => AddressBase::Register(register),
            MachineOperand::Special(special) => AddressBase::Special(special),
            MachineOperand::Variable(id) => AddressBase::Variable(id),
            _ => return Err("an address without a base".to_owned()),
        };
        Ok(MachineOperand::Address { base, offset: AddressOffset::Immediate(0) })
    }

    fn offset(&self, operand: Operand) -> Result<AddressOffset, String> {
        match operand {
            Operand::Constant(constant) => roles::offset(constant)
                .map(AddressOffset::Immediate)
                .ok_or_else(|| "an offset that does not fit an address".to_owned()),
            _ => match self.operand(operand, Role::Offset)? {
                MachineOperand::Register(register) => Ok(AddressOffset::Register(register)),
                MachineOperand::Special(special) => Ok(AddressOffset::Special(special)),
                _ => Err("an address with an offset that is neither a number nor a register".to_owned()),
            },
        }
    }

    fn call(
        &mut self,
        conditional: bool,
        instruction: &InstructionData,
        element: Option<RegisterUse>,
    ) -> Result<(), String> {
        let mut operands: SmallVec<[MachineOperand; 4]> = SmallVec::new();
        for (&operand, role) in instruction.operands.iter().zip(roles_of(instruction)) {
            if role != Role::Old {
                operands.push(self.operand(operand, role)?);
            }
        }
        let at = usize::from(conditional);
        let result = instruction.results.first().copied();
        let destination = element.or_else(|| result.map(|value| self.register(value)));
        let build = move |this: &mut Self, destination: Option<RegisterUse>| {
            operands.insert(at, destination.map_or(MachineOperand::Void, MachineOperand::Register));
            let condition: &[_] = if conditional { &[(SlotName::Cond, Qualifier::Cond)] } else { &[] };
            this.push_named(Opcode::Call, at, condition, operands);
        };
        let Some((result, destination)) = result.zip(destination) else {
            // The result that nobody wants is written all the same.
            let unwanted = match instruction.operands.get(at) {
                Some(Operand::Function(id)) => self.signatures.get(id.index()).copied().flatten(),
                _ => None,
            };
            let destination = unwanted.map(|ty| self.scratch(ty, Scratch::Unused));
            build(self, destination);
            return Ok(());
        };
        match roles::old_value(instruction).filter(|_| conditional) {
            Some(old) => {
                let ty = self.function.value(result).ty;
                let reads = self.reads(instruction, destination.register);
                self.keep(old, destination, ty, reads, |this, register| {
                    build(this, Some(register));
                    Ok(())
                })
            }
            None => {
                build(self, Some(destination));
                Ok(())
            }
        }
    }
}

fn with_offset(base: MachineOperand, offset: AddressOffset) -> Result<MachineOperand, String> {
    match base {
        MachineOperand::Address { base, .. } => Ok(MachineOperand::Address { base, offset }),
        MachineOperand::Parameter { parameter, .. } => Ok(MachineOperand::Parameter { parameter, offset }),
        _ => Err("an offset of something that is no address".to_owned()),
    }
}

/// The result type of a function.
pub(super) fn result_type(kind: &FunctionKind) -> Option<RegisterType> {
    match kind {
        FunctionKind::Kernel { .. } => None,
        FunctionKind::Function { result, .. } => *result,
    }
}

/// Applies `visit` to every register that an operand names.
pub(super) fn for_each_register(function: &mut MachineFunction, mut visit: impl FnMut(&mut RegisterId)) {
    for instruction in &mut function.code {
        for operand in &mut instruction.operands {
            match operand {
                MachineOperand::Register(register) => visit(&mut register.register),
                MachineOperand::Predicate { register, .. } => visit(register),
                MachineOperand::Address { base, offset } => {
                    if let AddressBase::Register(register) = base {
                        visit(&mut register.register);
                    }
                    if let AddressOffset::Register(register) = offset {
                        visit(&mut register.register);
                    }
                }
                MachineOperand::Parameter { offset: AddressOffset::Register(register), .. } => {
                    visit(&mut register.register);
                }
                _ => {}
            }
        }
    }
}
