//! Making and changing functions.

use crate::function::{
    ActiveSet, Block, BlockData, Definition, Function, Instruction, InstructionData, Operand, Target,
    Terminator, Value, ValueData,
};
use crate::operation::Operation;
use pisa_diag::Place;
use pisa_module::{FunctionKind, Linkage, RegisterType};

impl Function {
    /// A function without arguments, variables and blocks.
    pub fn new(name: &str, kind: FunctionKind, place: Place) -> Function {
        Function {
            name: name.into(),
            linkage: Linkage::Internal,
            kind,
            arguments: Vec::new(),
            argument_names: Vec::new(),
            variables: Vec::new(),
            layout: Vec::new(),
            blocks: Vec::new(),
            instructions: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
            place,
        }
    }

    /// The block.
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.index()]
    }
    /// The instruction.
    pub fn instruction(&self, instruction: Instruction) -> &InstructionData {
        &self.instructions[instruction.index()]
    }
    /// The value.
    pub fn value(&self, value: Value) -> &ValueData {
        &self.values[value.index()]
    }
    /// The instruction that defines a value; `None` for parameters of blocks.
    pub fn defining(&self, value: Value) -> Option<Instruction> {
        match self.value(value).definition {
            Definition::Result(instruction, _) => Some(instruction),
            Definition::Parameter(..) => None,
        }
    }
    /// The instruction that defines an operand, if it is a plain value.
    pub fn defining_operand(&self, operand: Operand) -> Option<&InstructionData> {
        match operand {
            Operand::Value(value) => self.defining(value).map(|i| self.instruction(i)),
            _ => None,
        }
    }
    /// The entry block; `None` for a function that is only declared.
    pub fn entry(&self) -> Option<Block> {
        self.layout.first().copied()
    }
    /// The name behind an index.
    pub fn name(&self, name: Option<u32>) -> Option<&str> {
        self.names.get(name? as usize).map(|name| &**name)
    }
    /// A new name.
    pub fn add_name(&mut self, name: &str) -> u32 {
        self.names.push(name.into());
        self.names.len() as u32 - 1
    }

    /// A new block at the end of the layout, which returns.
    pub fn append_block(&mut self) -> Block {
        let block = self.new_block();
        self.layout.push(block);
        block
    }
    /// A new block that is not in the layout yet, which returns.
    pub fn new_block(&mut self) -> Block {
        let block = Block(self.blocks.len() as u32);
        self.blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Return(None),
            name: None,
            place: None,
        });
        block
    }
    /// A new parameter of a block. Every target that names the block needs one more argument.
    pub fn add_parameter(&mut self, block: Block, ty: RegisterType) -> Value {
        let number = self.block(block).parameters.len() as u32;
        let value = self.new_value(ty, Definition::Parameter(block, number));
        self.blocks[block.index()].parameters.push(value);
        value
    }
    fn new_value(&mut self, ty: RegisterType, definition: Definition) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(ValueData { ty, definition, name: None });
        value
    }
    /// A new instruction, in no block yet.
    pub fn new_instruction(
        &mut self,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        results: impl IntoIterator<Item = RegisterType>,
        place: Option<Place>,
    ) -> Instruction {
        let instruction = Instruction(self.instructions.len() as u32);
        self.instructions.push(InstructionData {
            operation,
            operands: operands.into_iter().collect(),
            results: smallvec::SmallVec::new(),
            active: None,
            place,
        });
        for (number, ty) in results.into_iter().enumerate() {
            let value = self.new_value(ty, Definition::Result(instruction, number as u32));
            self.instructions[instruction.index()].results.push(value);
        }
        instruction
    }
    /// A new instruction at the end of a block, under the active set there.
    pub fn append(
        &mut self,
        block: Block,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        results: impl IntoIterator<Item = RegisterType>,
        place: Option<Place>,
    ) -> Instruction {
        let instruction = self.new_instruction(operation, operands, results, place);
        if operation.is_convergent() {
            let active = self.active_at_end(block);
            self.instructions[instruction.index()].active = Some(active);
        }
        self.blocks[block.index()].instructions.push(instruction);
        instruction
    }
    /// [`Function::append`] of an instruction with one result: the result.
    pub fn append_value(
        &mut self,
        block: Block,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        ty: RegisterType,
    ) -> Value {
        let instruction = self.append(block, operation, operands, [ty], None);
        self.instructions[instruction.index()].results[0]
    }

    /// The active set at the end of a block.
    pub fn active_at_end(&self, block: Block) -> ActiveSet {
        self.active_at(block, self.block(block).instructions.len())
    }
    /// The active set before the instruction of that number of a block.
    pub fn active_at(&self, block: Block, index: usize) -> ActiveSet {
        let before = self.block(block).instructions[..index].iter().rev();
        before
            .copied()
            .find(|&i| self.instruction(i).properties().changes_active_set)
            .map_or(ActiveSet::Entry(block), ActiveSet::After)
    }
    /// Gives every convergent instruction the token of the place where it stands. A pass calls this for what it has moved
    /// with leave of the legality query; the verifier refuses any other token.
    pub fn renew_tokens(&mut self) {
        for &block in &self.layout {
            let mut active = ActiveSet::Entry(block);
            for &instruction in &self.blocks[block.index()].instructions {
                let data = &mut self.instructions[instruction.index()];
                let properties = data.operation.properties();
                data.active = properties.convergent.then_some(active);
                if properties.changes_active_set {
                    active = ActiveSet::After(instruction);
                }
            }
        }
    }

    /// Every operand of every instruction and terminator in the layout.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        for &block in &self.layout {
            let data = self.block(block);
            for &instruction in &data.instructions {
                self.instruction(instruction).operands.iter().copied().for_each(&mut visit);
            }
            data.terminator.for_each_operand(&mut visit);
        }
    }
    /// The same, to change.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        for &block in &self.layout {
            let data = &mut self.blocks[block.index()];
            for instruction in &data.instructions {
                self.instructions[instruction.index()].operands.iter_mut().for_each(&mut visit);
            }
            data.terminator.for_each_operand_mut(&mut visit);
        }
    }
    /// How often each value is used, by its index.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.values.len()];
        self.for_each_operand(|operand| {
            if let Some(value) = operand.value() {
                counts[value.index()] += 1;
            }
        });
        counts
    }
    /// Puts operands in the place of values, everywhere; what is put in may be replaced in turn. A negated use of a value
    /// takes the negation of what is put in.
    pub fn replace_values(&mut self, replacement: &rustc_hash::FxHashMap<Value, Operand>) {
        if replacement.is_empty() {
            return;
        }
        self.for_each_operand_mut(|operand| {
            while let Some(value) = operand.value() {
                let Some(&new) = replacement.get(&value) else { break };
                let negated = matches!(operand, Operand::Negated(_));
                *operand = if negated { new.negated() } else { new };
            }
        });
    }
    /// Instructions in the layout, with their blocks.
    pub fn all_instructions(&self) -> impl Iterator<Item = (Block, Instruction)> + '_ {
        self.layout.iter().flat_map(|&block| self.block(block).instructions.iter().map(move |&i| (block, i)))
    }
    /// The type of an operand; `None` where it is no datum (names of functions and parameters, dead operands).
    pub fn type_of(&self, operand: Operand) -> Option<RegisterType> {
        match operand {
            Operand::Value(value) | Operand::Negated(value) => Some(self.value(value).ty),
            Operand::Constant(constant) => Some(constant.ty),
            Operand::Special(register) => Some(RegisterType::scalar(register.bits())),
            Operand::Variable(_) | Operand::Function(_) | Operand::Parameter(_) | Operand::Dead => None,
        }
    }
    /// The targets of a block.
    pub fn targets(&self, block: Block) -> smallvec::SmallVec<[&Target; 2]> {
        self.block(block).terminator.targets()
    }
}
