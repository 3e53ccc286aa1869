//! The walk over the dominator tree with the operand that each register holds.

use super::blocks::{Code, is_conditional};
use super::placement::Parameters;
use crate::analysis::Dominators;
use crate::function::{ActiveSet, Block, Function, Instruction, Operand, Terminator, Value};
use crate::operation::Operation;
use pisa_diag::Place;
use pisa_module::{FunctionKind, Operand as Written, RegisterId, RegisterType};
use smallvec::SmallVec;

/// A function on its way into IR.
pub(super) struct Importer<'m> {
    pub(super) source: &'m pisa_module::Function,
    pub(super) function: Function,
    /// The block that is being filled.
    block: Block,
    /// The active set behind the last instruction.
    active: ActiveSet,
    /// The place of the instruction that is being translated.
    place: Option<Place>,
    /// By register: what it holds, `None` where nothing on the way here has written it.
    held: Vec<Option<Operand>>,
    /// Registers that have been written, and what they held before.
    changes: Vec<(RegisterId, Option<Operand>)>,
    /// By register: what it holds that was never written.
    initial: Vec<Option<Value>>,
    /// What gives these values, for the begin of the entry block.
    initials: Vec<Instruction>,
    /// By register: the index of its name among those of the function.
    names: Vec<Option<u32>>,
}

impl<'m> Importer<'m> {
    /// Of a function whose blocks are there and empty.
    pub(super) fn new(source: &'m pisa_module::Function, function: Function) -> Importer<'m> {
        let count = source.registers.len();
        Importer {
            source,
            function,
            block: Block(0),
            active: ActiveSet::Entry(Block(0)),
            place: None,
            held: vec![None; count],
            changes: Vec::new(),
            initial: vec![None; count],
            initials: Vec::new(),
            names: vec![None; count],
        }
    }

    /// Fills the blocks.
    pub(super) fn run(mut self, code: &[Code], parameters: &Parameters, dominators: &Dominators) -> Function {
        let Some(entry) = self.function.entry() else { return self.function };
        self.arguments(entry);
        for (number, registers) in parameters.iter().enumerate() {
            for &register in registers {
                let ty = self.source.registers[register.index()].ty;
                let value = self.function.add_parameter(Block(number as u32), ty);
                self.name(value, register);
            }
        }
        // How many changes there were before each block on the way down to the present one.
        let mut path: Vec<usize> = Vec::new();
        for &block in dominators.preorder() {
            let depth = dominators.depth(block) as usize;
            if let Some(&changes) = path.get(depth) {
                self.undo(changes);
            }
            path.truncate(depth);
            path.push(self.changes.len());
            self.fill(block, &code[block.index()], parameters);
        }
        let entry = &mut self.function.blocks[entry.index()].instructions;
        entry.splice(0..0, self.initials);
        self.function
    }

    fn arguments(&mut self, entry: Block) {
        let FunctionKind::Function { parameters, .. } = &self.source.kind else { return };
        for &register in parameters {
            let ty = self.source.registers[register.index()].ty;
            let value = self.function.add_parameter(entry, ty);
            self.name(value, register);
            self.held[register.index()] = Some(value.into());
        }
    }

    fn undo(&mut self, changes: usize) {
        for (register, before) in self.changes.drain(changes..).rev() {
            self.held[register.index()] = before;
        }
    }

    fn fill(&mut self, block: Block, code: &Code, parameters: &Parameters) {
        (self.block, self.active) = (block, ActiveSet::Entry(block));
        for (i, &register) in parameters[block.index()].iter().enumerate() {
            let value = self.function.block(block).parameters[i];
            self.write_register(register, value.into());
        }
        for at in code.instructions.clone() {
            self.place = Some(self.source.code[at].place);
            self.instruction(&self.source.code[at]);
        }
        self.place = code.transfer.map(|at| self.source.code[at].place);
        let unfinished = Terminator::Return(None);
        let terminator = &mut self.function.blocks[block.index()].terminator;
        let mut terminator = std::mem::replace(terminator, unfinished);
        self.terminator_operands(&mut terminator, code);
        for target in terminator.targets_mut() {
            for &register in &parameters[target.block.index()] {
                target.arguments.push(self.read_register(register));
            }
        }
        self.function.blocks[block.index()].terminator = terminator;
    }

    fn terminator_operands(&mut self, terminator: &mut Terminator, code: &Code) {
        let instruction = code.transfer.map(|at| &self.source.code[at]);
        let operands = instruction.map_or(&[][..], |i| &i.operands);
        let (guard, rest) = match operands {
            [guard, rest @ ..] if instruction.is_some_and(is_conditional) => (Some(guard), rest),
            _ => (None, operands),
        };
        let guard = guard.map(|guard| self.operand(guard, RegisterType::PREDICATE));
        match terminator {
            Terminator::Goto(_) => {}
            Terminator::Branch { condition, .. } => *condition = guard.unwrap_or(Operand::Dead),
            Terminator::Return(value) => *value = self.returned(rest.first()),
            Terminator::ReturnIf { condition, value, .. } => {
                *condition = guard.unwrap_or(Operand::Dead);
                *value = self.returned(rest.first());
            }
        }
    }

    /// What a function returns; without an operand, bytes of no value if it returns something (C-08).
    fn returned(&mut self, operand: Option<&Written>) -> Option<Operand> {
        let FunctionKind::Function { result: Some(ty), .. } = self.source.kind else { return None };
        if let Some(operand) = operand {
            return Some(self.operand(operand, ty));
        }
        let initial = self.function.new_instruction(Operation::Initial, [], [ty], None);
        self.initials.push(initial);
        self.function.instruction(initial).result().map(Operand::Value)
    }

    /// What a register holds here.
    pub(super) fn read_register(&mut self, register: RegisterId) -> Operand {
        if let Some(operand) = self.held[register.index()] {
            return operand;
        }
        if let Some(value) = self.initial[register.index()] {
            return value.into();
        }
        let ty = self.source.registers[register.index()].ty;
        let initial = self.function.new_instruction(Operation::Initial, [], [ty], None);
        self.initials.push(initial);
        let value = self.function.instruction(initial).results[0];
        self.name(value, register);
        self.initial[register.index()] = Some(value);
        value.into()
    }

    /// Lets a register hold an operand from here on.
    pub(super) fn write_register(&mut self, register: RegisterId, operand: Operand) {
        let before = self.held[register.index()].replace(operand);
        self.changes.push((register, before));
    }

    /// Gives a value the name of a register.
    pub(super) fn name(&mut self, value: Value, register: RegisterId) {
        let name = &self.source.registers[register.index()].name;
        if name.is_empty() {
            return;
        }
        let index = match self.names[register.index()] {
            Some(index) => index,
            None => self.function.add_name(name),
        };
        self.names[register.index()] = Some(index);
        self.function.values[value.index()].name = Some(index);
    }

    /// A new instruction at the present place, under the active set there.
    pub(super) fn emit(
        &mut self,
        operation: Operation,
        operands: SmallVec<[Operand; 4]>,
        results: &[RegisterType],
    ) -> Instruction {
        let types = results.iter().copied();
        let instruction = self.function.new_instruction(operation, operands, types, self.place);
        let properties = operation.properties();
        if properties.convergent {
            self.function.instructions[instruction.index()].active = Some(self.active);
        }
        if properties.changes_active_set {
            self.active = ActiveSet::After(instruction);
        }
        self.function.blocks[self.block.index()].instructions.push(instruction);
        instruction
    }

    /// [`Importer::emit`] of an instruction with one result: the result.
    pub(super) fn value(
        &mut self,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        ty: RegisterType,
    ) -> Value {
        let instruction = self.emit(operation, operands.into_iter().collect(), &[ty]);
        self.function.instruction(instruction).results[0]
    }
}
