//! The resolved module: plain data, every name an index.
//!
//! A [`Module`] comes out of one file; a [`Program`] is one or more linked modules with nothing unresolved. Engines
//! take a [`Program`] only, so that an invalid module cannot reach them.

use pisa_diag::Place;
use pisa_isa::{FormId, Qualifier, SlotName, Target, Value, Version};
use smallvec::SmallVec;
use std::fmt;

/// Types of indices: numbers that stand for an entry of one vector and no other.
#[doc(hidden)]
#[macro_export]
macro_rules! index {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into its vector.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

crate::index! {
    /// Index into [`Module::variables`].
    VariableId
    /// Index into [`Module::functions`], kernels included.
    FunctionId
    /// Index into [`Function::registers`], predicates included.
    RegisterId
    /// Index into [`Function::kernel_parameters`].
    ParameterId
    /// Index into [`Function::labels`].
    LabelId
}

/// Linkage of a variable or function (spec 2.5.2, 4.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Visible in its module only.
    Internal,
    /// Defined here, visible to others.
    Export,
    /// Defined elsewhere.
    Import,
}

/// The address space of a memory variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Global,
    Const,
    Shared,
    Private,
}

impl Space {
    /// The qualifier of the same name.
    pub const fn qualifier(self) -> Qualifier {
        match self {
            Space::Global => Qualifier::Global,
            Space::Const => Qualifier::Const,
            Space::Shared => Qualifier::Shared,
            Space::Private => Qualifier::Private,
        }
    }
}

/// The type of a register: element count (1 for a scalar) and element width in bits; `bits == 1` is a predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterType {
    /// 1, or 2 to 64 for a vector.
    pub elements: u8,
    /// 1 (predicate), 8, 16, 32, 64 or 128.
    pub bits: u8,
}

impl RegisterType {
    /// A predicate.
    pub const PREDICATE: RegisterType = RegisterType { elements: 1, bits: 1 };
    /// A scalar of that many bits.
    pub const fn scalar(bits: u8) -> RegisterType {
        RegisterType { elements: 1, bits }
    }
    /// Whether it is a vector.
    pub const fn is_vector(self) -> bool {
        self.elements > 1
    }
    /// Whether it is a predicate.
    pub const fn is_predicate(self) -> bool {
        self.bits == 1
    }
    /// All bits of all elements.
    pub const fn total_bits(self) -> u32 {
        self.elements as u32 * self.bits as u32
    }
}

/// A register or predicate of a function. Ranges are spelled out: `%h<0~2>` is `%h0` and `%h1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Name without `%`.
    pub name: Box<str>,
    /// Its type.
    pub ty: RegisterType,
    /// Its declaration.
    pub place: Place,
}

/// A piece of an initialiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initializer {
    /// `.8b` to `.64b` with a value: that many low bytes of it, little-endian.
    Value {
        /// 1, 2, 4 or 8.
        bytes: u8,
        /// Already truncated.
        value: u64,
    },
    /// `.zero N`.
    Zero(u64),
    /// The 64-bit address of a variable plus an offset.
    Variable(VariableId, i64),
    /// The 64-bit handle of a function.
    Function(FunctionId),
}

impl Initializer {
    /// Its size in bytes.
    pub const fn bytes(&self) -> u64 {
        match self {
            Initializer::Value { bytes, .. } => *bytes as u64,
            Initializer::Zero(n) => *n,
            Initializer::Variable(..) | Initializer::Function(_) => 8,
        }
    }
}

/// A memory variable, of the module or of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Name without `@`.
    pub name: Box<str>,
    /// Its space.
    pub space: Space,
    /// Its size in bytes, at least 1.
    pub size: u64,
    /// Its alignment in bytes, a power of two; 1 where none was given (V-04).
    pub align: u32,
    /// Internal for locals.
    pub linkage: Linkage,
    /// The function it is local to.
    pub owner: Option<FunctionId>,
    /// Its value; `None` where none was given.
    pub initializer: Option<Vec<Initializer>>,
    /// `.section`.
    pub section: Option<Box<str>>,
    /// `.host_access`.
    pub host_access: Option<Box<str>>,
    /// Its declaration (the name).
    pub place: Place,
}

/// A kernel parameter (spec 4.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelParameter {
    /// Name without `%`.
    pub name: Box<str>,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in the argument buffer; 8 where none was given (K-02).
    pub align: u32,
    /// Offset in the argument buffer (K-02).
    pub offset: u32,
    /// `.addrspace`: what the pointer points to.
    pub space: Option<Space>,
    /// `.ptr_align`.
    pub pointer_align: Option<u32>,
    /// Its declaration (the name).
    pub place: Place,
}

/// What is special about kernels and about functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// An entry point.
    Kernel {
        /// Its parameters.
        parameters: Vec<KernelParameter>,
        /// `.reqd_work_group_size`.
        required_work_group_size: Option<[u32; 3]>,
        /// `.vec_type_hint`, without effect (K-08).
        vector_type_hint: Option<Box<str>>,
    },
    /// A function.
    Function {
        /// `None` is `void`.
        result: Option<RegisterType>,
        /// The registers that hold the arguments: the first ones of [`Function::registers`]. For an import the
        /// registers exist too, with empty names where none were given.
        parameters: Vec<RegisterId>,
    },
}

/// A kernel or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name without `@`.
    pub name: Box<str>,
    /// Internal for kernels, which the host always sees (K-07).
    pub linkage: Linkage,
    /// Kernel or function.
    pub kind: FunctionKind,
    /// All registers and predicates, those of nested scopes too.
    pub registers: Vec<Register>,
    /// Local memory variables.
    pub variables: Vec<VariableId>,
    /// Labels, each with the index of the instruction it stands before (the count of instructions: the end).
    pub labels: Vec<Label>,
    /// The code in the order of the text; control falls off the end into an implicit return (C-10).
    pub code: Vec<Instruction>,
    /// The name in its declaration.
    pub place: Place,
}

impl Function {
    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self.kind, FunctionKind::Kernel { .. })
    }
    /// Kernel parameters; empty for a function.
    pub fn kernel_parameters(&self) -> &[KernelParameter] {
        match &self.kind {
            FunctionKind::Kernel { parameters, .. } => parameters,
            FunctionKind::Function { .. } => &[],
        }
    }
}

/// A label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// Index of the instruction it stands before.
    pub target: u32,
    /// Its declaration.
    pub place: Place,
}

/// Most qualifier slots a form has.
pub const MAX_SLOTS: usize = 6;

/// An instruction that has passed every rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its row in the table. The pseudo form of the departure `lifetime.start` does not reach the code: it is dropped.
    pub form: FormId,
    /// One value a slot of the form, in the form's order.
    pub qualifiers: [Value; MAX_SLOTS],
    /// Operands in the form's order; an absent optional one at the end is simply missing. For `call`, the arguments
    /// follow the target as further operands.
    pub operands: SmallVec<[Operand; 4]>,
    /// The whole instruction.
    pub place: Place,
}

impl Instruction {
    /// Its row in the table.
    pub fn row(&self) -> &'static pisa_isa::Form {
        pisa_isa::form(self.form)
    }
    /// The value in the slot; an absent optional one gives its default; `None` where the form has no such slot or
    /// the slot is empty without default.
    pub fn qualifier(&self, name: SlotName) -> Option<Qualifier> {
        let row = self.row();
        let i = row.slots.iter().position(|s| s.name == name)?;
        self.qualifiers[i].named().or(row.slots[i].default)
    }
    /// Whether a flag such as `.ftz` is there.
    pub fn has(&self, name: SlotName) -> bool {
        let row = self.row();
        row.slots.iter().position(|s| s.name == name).is_some_and(|i| self.qualifiers[i] != Value::Absent)
    }
    /// The number in an `.index` or truth table slot.
    pub fn number(&self, name: SlotName) -> Option<u8> {
        let row = self.row();
        let i = row.slots.iter().position(|s| s.name == name)?;
        match self.qualifiers[i] {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }
}

/// One, two or four elements of a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Swizzle {
    X,
    Y,
    Z,
    W,
    Xy,
    Zw,
    Xyzw,
}

impl Swizzle {
    /// First element and element count.
    pub const fn range(self) -> (u8, u8) {
        match self {
            Swizzle::X => (0, 1),
            Swizzle::Y => (1, 1),
            Swizzle::Z => (2, 1),
            Swizzle::W => (3, 1),
            Swizzle::Xy => (0, 2),
            Swizzle::Zw => (2, 2),
            Swizzle::Xyzw => (0, 4),
        }
    }
    /// The text, `.xy`.
    pub const fn text(self) -> &'static str {
        match self {
            Swizzle::X => ".x",
            Swizzle::Y => ".y",
            Swizzle::Z => ".z",
            Swizzle::W => ".w",
            Swizzle::Xy => ".xy",
            Swizzle::Zw => ".zw",
            Swizzle::Xyzw => ".xyzw",
        }
    }
}

/// A register, or elements of a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegisterUse {
    /// Which.
    pub register: RegisterId,
    /// Which elements; `None` is all of it.
    pub swizzle: Option<Swizzle>,
}

/// Special registers (spec special_registers), vector ones by element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum SpecialRegister {
    ActiveMask,
    EnqueuedLocalSize(Dimension),
    GlobalOffset(Dimension),
    GlobalSize(Dimension),
    GroupCount(Dimension),
    GroupId(Dimension),
    LaneId,
    LocalId(Dimension),
    LocalSize(Dimension),
    PrintfBuffer,
    SubgroupSize,
    WorkDim,
}

/// x, y or z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Dimension {
    X,
    Y,
    Z,
}

impl SpecialRegister {
    /// Its width: 64 for `%globaloffset`, `%globalsize`, `%printfbuffer`, else 32.
    pub const fn bits(self) -> u8 {
        match self {
            SpecialRegister::GlobalOffset(_)
            | SpecialRegister::GlobalSize(_)
            | SpecialRegister::PrintfBuffer => 64,
            _ => 32,
        }
    }
}

impl fmt::Display for SpecialRegister {
    /// As the text has it: `%groupid.x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SpecialRegister as S;
        let (name, dimension) = match *self {
            S::ActiveMask => ("activemask", None),
            S::EnqueuedLocalSize(d) => ("enqueuedlocalsize", Some(d)),
            S::GlobalOffset(d) => ("globaloffset", Some(d)),
            S::GlobalSize(d) => ("globalsize", Some(d)),
            S::GroupCount(d) => ("groupcount", Some(d)),
            S::GroupId(d) => ("groupid", Some(d)),
            S::LaneId => ("laneid", None),
            S::LocalId(d) => ("localid", Some(d)),
            S::LocalSize(d) => ("localsize", Some(d)),
            S::PrintfBuffer => ("printfbuffer", None),
            S::SubgroupSize => ("subgroupsize", None),
            S::WorkDim => ("workdim", None),
        };
        let element = match dimension {
            None => "",
            Some(Dimension::X) => ".x",
            Some(Dimension::Y) => ".y",
            Some(Dimension::Z) => ".z",
        };
        write!(f, "%{name}{element}")
    }
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register, whole or in part.
    Register(RegisterUse),
    /// A special register, read.
    Special(SpecialRegister),
    /// A predicate, maybe negated.
    Predicate {
        /// Which.
        register: RegisterId,
        /// `!`
        negated: bool,
    },
    /// An immediate. The bits are those of the operand's width; above 64 bits (`mov.128b`) the value is extended by
    /// its sign when `sign_extend` (D-11). Floating-point literals are already bits of the operand's type (I-09).
    Immediate {
        /// Low 64 bits, cut to the width.
        bits: u64,
        /// Decimal literals are sign-extended, hexadecimal ones zero-extended.
        sign_extend: bool,
    },
    /// `[base + offset]` of `ld`, `st`, `iatom`, `fatom`.
    Address {
        /// The base.
        base: AddressBase,
        /// The offset.
        offset: AddressOffset,
    },
    /// `[%parameter + offset]` of `ld.param`.
    Parameter {
        /// Which.
        parameter: ParameterId,
        /// The offset.
        offset: AddressOffset,
    },
    /// A memory variable by name (`addrof`, `addrcast`).
    Variable(VariableId),
    /// A function by name (`addrof`, `call`).
    Function(FunctionId),
    /// A label.
    Label(LabelId),
    /// `void`.
    Void,
}

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    /// A 32- or 64-bit scalar register or element.
    Register(RegisterUse),
    /// A scalar special register.
    Special(SpecialRegister),
    /// A memory variable.
    Variable(VariableId),
}

/// What is added to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressOffset {
    /// A signed 32-bit immediate; 0 where none was written.
    Immediate(i32),
    /// A register, sign-extended to the address width where narrower (M-08).
    Register(RegisterUse),
    /// A scalar special register.
    Special(SpecialRegister),
}

/// One module, names resolved, rules checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// `.version`.
    pub version: Version,
    /// `.target`.
    pub target: Target,
    /// Global variables and the local variables of all functions.
    pub variables: Vec<Variable>,
    /// Kernels and functions in the order of the text.
    pub functions: Vec<Function>,
}

/// Linked modules, ready to run: no import is left.
///
/// Made only by the linker, so whoever holds one holds a valid program.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) module: Module,
}

impl Program {
    /// Everything in it.
    pub fn module(&self) -> &Module {
        &self.module
    }
    /// The variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.module.variables[id.index()]
    }
    /// The function or kernel.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.module.functions[id.index()]
    }
    /// All kernels.
    pub fn kernels(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.functions().filter(|(_, f)| f.is_kernel())
    }
    /// All functions and kernels.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        self.module.functions.iter().enumerate().map(|(i, f)| (FunctionId(i as u32), f))
    }
}
