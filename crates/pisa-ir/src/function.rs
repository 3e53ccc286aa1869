//! Functions: blocks in lexical order, instructions, values.

use crate::operation::{Operation, Properties};
use crate::{CrossLane, CrossLaneKind};
use pisa_diag::Place;
use pisa_isa::{Target as Architecture, Version};
use pisa_module::{
    FunctionId, FunctionKind, Linkage, ParameterId, RegisterType, SpecialRegister, Variable, VariableId,
};
use smallvec::SmallVec;

pisa_module::index! {
    /// A block of a [`Function`].
    Block
    /// An instruction of a [`Function`].
    Instruction
    /// A value of a [`Function`].
    Value
}

/// The token of an active set: the lanes that execute a piece of code together each time it runs.
///
/// Two places with one token have one active set. Places with different tokens may have, which an analysis can prove.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ActiveSet {
    /// From the start of a block on.
    Entry(Block),
    /// From behind an instruction on that changes the active set: a barrier or a call.
    After(Instruction),
}

/// A constant of a type of at most 128 bits, a vector's elements in one row, the first lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    low: u64,
    high: u64,
    /// Its type.
    pub ty: RegisterType,
}

impl Constant {
    /// Cut to the width of the type.
    pub const fn new(bits: u128, ty: RegisterType) -> Constant {
        let width = ty.total_bits();
        let bits = if width >= 128 { bits } else { bits & ((1 << width) - 1) };
        Constant { low: bits as u64, high: (bits >> 64) as u64, ty }
    }
    /// Of a scalar type.
    pub const fn scalar(bits: u128, width: u8) -> Constant {
        Constant::new(bits, RegisterType::scalar(width))
    }
    /// A predicate.
    pub const fn predicate(value: bool) -> Constant {
        Constant::new(value as u128, RegisterType::PREDICATE)
    }
    /// Its bits.
    pub const fn bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A value.
    Value(Value),
    /// The negation of a predicate value; where the table has [`pisa_isa::OperandKind::PredicateOrNegation`], for conditions, and in votes
    /// and ballots.
    Negated(Value),
    /// A constant.
    Constant(Constant),
    /// A special register other than `%activemask`, which is an instruction. A lane reads the same all the time.
    Special(SpecialRegister),
    /// The address of a memory variable.
    Variable(VariableId),
    /// A function or its handle.
    Function(FunctionId),
    /// A kernel parameter (`ld.param`).
    Parameter(ParameterId),
    /// A pass-through that nobody looks at.
    Dead,
}

impl Operand {
    /// The value, negated or not.
    pub const fn value(self) -> Option<Value> {
        match self {
            Operand::Value(value) | Operand::Negated(value) => Some(value),
            _ => None,
        }
    }
    /// The negation of a predicate; anything else as it is.
    pub const fn negated(self) -> Operand {
        match self {
            Operand::Value(value) => Operand::Negated(value),
            Operand::Negated(value) => Operand::Value(value),
            Operand::Constant(constant) if constant.ty.is_predicate() => {
                Operand::Constant(Constant::predicate(constant.bits() == 0))
            }
            other => other,
        }
    }
    /// The bits of a constant.
    pub const fn constant(self) -> Option<u128> {
        match self {
            Operand::Constant(constant) => Some(constant.bits()),
            _ => None,
        }
    }
    /// A 32-bit constant.
    pub const fn word(bits: u32) -> Operand {
        Operand::Constant(Constant::scalar(bits as u128, 32))
    }
    /// The mask of all lanes.
    pub const ALL_LANES: Operand = Operand::word(u32::MAX);
}

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand::Value(value)
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// The parameter of that number of a block. Those of the entry block are the function's arguments.
    Parameter(Block, u32),
    /// The result of that number of an instruction.
    Result(Instruction, u32),
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: RegisterType,
    /// Where it comes from.
    pub definition: Definition,
    /// The name its register had or shall have, without `%`; an index into [`Function::names`].
    pub name: Option<u32>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstructionData {
    /// What it does.
    pub operation: Operation,
    /// Its operands, in the order that [`Operation`] says.
    pub operands: SmallVec<[Operand; 4]>,
    /// Its results.
    pub results: SmallVec<[Value; 1]>,
    /// Of a convergent instruction: the active set it runs under.
    pub active: Option<ActiveSet>,
    /// Where it was written; `None` for what a pass has made.
    pub place: Option<Place>,
}

impl InstructionData {
    /// See [`Operation::properties`].
    pub fn properties(&self) -> Properties {
        self.operation.properties()
    }
    /// The cross-lane operation, if it is one.
    pub fn cross_lane(&self) -> Option<&CrossLane> {
        match &self.operation {
            Operation::CrossLane(operation) => Some(operation),
            _ => None,
        }
    }
    /// Position of an operand of a cross-lane operation: data.
    pub fn data(&self) -> Option<Operand> {
        self.cross_lane()?.has_data().then(|| self.operands[0])
    }
    /// The index operand of a cross-lane operation.
    pub fn index(&self) -> Option<Operand> {
        let operation = self.cross_lane()?;
        operation.has_index().then(|| self.operands[usize::from(operation.has_data())])
    }
    /// The mask operand of a cross-lane operation; `None` also where it has none.
    pub fn mask(&self) -> Option<Operand> {
        self.mask_position().map(|position| self.operands[position])
    }
    /// Where the mask stands among the operands.
    pub fn mask_position(&self) -> Option<usize> {
        let operation = self.cross_lane()?;
        operation.has_mask().then(|| usize::from(operation.has_data()) + usize::from(operation.has_index()))
    }
    /// The pass-through of a cross-lane operation.
    pub fn pass_through(&self) -> Option<Operand> {
        self.pass_through_position().map(|position| self.operands[position])
    }
    /// Where the pass-through stands among the operands.
    pub fn pass_through_position(&self) -> Option<usize> {
        let operation = self.cross_lane()?;
        operation.has_pass_through().then(|| self.mask_position().map(|mask| mask + 1)).flatten()
    }
    /// The only result; `None` where there are none or several.
    pub fn result(&self) -> Option<Value> {
        match self.results[..] {
            [value] => Some(value),
            _ => None,
        }
    }
    /// Whether it reads `%activemask`.
    pub fn is_active_mask(&self) -> bool {
        self.cross_lane().is_some_and(|operation| operation.kind == CrossLaneKind::ActiveMask)
    }
}

/// Where control goes, with the values for the parameters there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// One operand a parameter of it.
    pub arguments: SmallVec<[Operand; 2]>,
}

impl Target {
    /// A block without parameters.
    pub fn new(block: Block) -> Target {
        Target { block, arguments: SmallVec::new() }
    }
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// On to a block.
    Goto(Target),
    /// By a predicate: a value, negated or not, or a constant.
    Branch {
        /// The predicate.
        condition: Operand,
        /// Where lanes go for which it is true.
        taken: Target,
        /// Where the others go.
        otherwise: Target,
    },
    /// `return`, with the value of a function that has one.
    Return(Option<Operand>),
    /// `return.cond`: lanes for which the predicate is true return, the others go on.
    ReturnIf {
        /// The predicate.
        condition: Operand,
        /// What they return.
        value: Option<Operand>,
        /// Where the others go.
        otherwise: Target,
    },
}

impl Terminator {
    /// Where control can go.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Goto(target) => smallvec::smallvec![target],
            Terminator::Branch { taken, otherwise, .. } => smallvec::smallvec![taken, otherwise],
            Terminator::Return(_) => SmallVec::new(),
            Terminator::ReturnIf { otherwise, .. } => smallvec::smallvec![otherwise],
        }
    }
    /// The same, to change.
    pub fn targets_mut(&mut self) -> SmallVec<[&mut Target; 2]> {
        match self {
            Terminator::Goto(target) => smallvec::smallvec![target],
            Terminator::Branch { taken, otherwise, .. } => smallvec::smallvec![taken, otherwise],
            Terminator::Return(_) => SmallVec::new(),
            Terminator::ReturnIf { otherwise, .. } => smallvec::smallvec![otherwise],
        }
    }
    /// Condition and returned value, not the arguments of targets.
    pub fn operands(&self) -> SmallVec<[Operand; 2]> {
        match self {
            Terminator::Goto(_) => SmallVec::new(),
            Terminator::Branch { condition, .. } => smallvec::smallvec![*condition],
            Terminator::Return(value) => value.iter().copied().collect(),
            Terminator::ReturnIf { condition, value, .. } => [*condition].into_iter().chain(*value).collect(),
        }
    }
    /// Every operand, those of targets included, to change.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Goto(_) => {}
            Terminator::Branch { condition, .. } => visit(condition),
            Terminator::Return(value) => value.iter_mut().for_each(&mut visit),
            Terminator::ReturnIf { condition, value, .. } => {
                visit(condition);
                value.iter_mut().for_each(&mut visit);
            }
        }
        for target in self.targets_mut() {
            target.arguments.iter_mut().for_each(&mut visit);
        }
    }
    /// Every operand, those of targets included.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        self.operands().into_iter().for_each(&mut visit);
        for target in self.targets() {
            target.arguments.iter().copied().for_each(&mut visit);
        }
    }
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// Its parameters.
    pub parameters: Vec<Value>,
    /// Its instructions, in order.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub terminator: Terminator,
    /// The label it had or shall have; an index into [`Function::names`].
    pub name: Option<u32>,
    /// Where its terminator was written; `None` where it was not.
    pub place: Option<Place>,
}

/// A place within a block: before the instruction of that number, or before the terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The block.
    pub block: Block,
    /// How many instructions of it come first.
    pub index: u32,
}

impl Position {
    /// Before the terminator, however many instructions there are.
    pub const fn end(block: Block) -> Position {
        Position { block, index: u32::MAX }
    }
    /// Before the first instruction.
    pub const fn begin(block: Block) -> Position {
        Position { block, index: 0 }
    }
}

/// A kernel or function.
///
/// A function that is only imported has no blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name without `@`.
    pub name: Box<str>,
    /// Internal for kernels.
    pub linkage: Linkage,
    /// Kernel or function. The registers that the signature of a function names are not those of the IR: its arguments are
    /// the parameters of the entry block, one for each.
    pub kind: FunctionKind,
    /// Types of the arguments of a function; none for kernels.
    pub arguments: Vec<RegisterType>,
    /// Names of the arguments, as far as it has them; as many as there are arguments.
    pub argument_names: Vec<Box<str>>,
    /// Its local memory variables.
    pub variables: Vec<VariableId>,
    /// Blocks in lexical order; the first is the entry, which nothing jumps to. What is not here is not in the function.
    pub layout: Vec<Block>,
    /// Every block ever made.
    pub blocks: Vec<BlockData>,
    /// Every instruction ever made; those that no block in the layout lists are gone.
    pub instructions: Vec<InstructionData>,
    /// Every value ever made.
    pub values: Vec<ValueData>,
    /// Names of values and blocks.
    pub names: Vec<Box<str>>,
    /// The name in its declaration.
    pub place: Place,
}

/// A module in IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// `.version`.
    pub version: Version,
    /// `.target`.
    pub target: Architecture,
    /// Memory variables, those of functions too.
    pub variables: Vec<Variable>,
    /// Kernels and functions.
    pub functions: Vec<Function>,
}
