//! What one row of the table says: the shape of one instruction form.

use crate::{Opcode, Qualifier, Rule};

/// The name of a qualifier slot, as the spec's syntax blocks write it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum SlotName {
    Type,
    To,
    From,
    Rndmode,
    Ftz,
    Dsat,
    Nanp,
    Fast,
    Precision,
    Output,
    Signedness,
    Ci,
    Co,
    Cop,
    /// `.operation` of `bfn`.
    Operation,
    Dir,
    Op,
    Sg,
    Cond,
    Addrspace,
    Memorder,
    Memscope,
    Cc,
    Vec,
    Index,
}

impl SlotName {
    /// The name as the spec writes it, without the dot: `rndmode`.
    pub const fn text(self) -> &'static str {
        use SlotName::*;
        match self {
            Type => "type",
            To => "to",
            From => "from",
            Rndmode => "rndmode",
            Ftz => "ftz",
            Dsat => "dsat",
            Nanp => "nanp",
            Fast => "fast",
            Precision => "precision",
            Output => "output",
            Signedness => "signedness",
            Ci => "ci",
            Co => "co",
            Cop => "cop",
            Operation => "operation",
            Dir => "dir",
            Op => "op",
            Sg => "sg",
            Cond => "cond",
            Addrspace => "addrspace",
            Memorder => "memorder",
            Memscope => "memscope",
            Cc => "cc",
            Vec => "vec",
            Index => "index",
        }
    }
}

/// What may stand in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these.
    OneOf(&'static [Qualifier]),
    /// `.0` to `.63`, decimal.
    Index,
    /// `.0x01` to `.0xfe`: `.0x` and two hexadecimal digits (B-07).
    TruthTable,
}

/// One position of a mnemonic after the opcode.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its name in the spec.
    pub name: SlotName,
    /// Allowed values.
    pub values: Values,
    /// Whether it may be left out.
    pub optional: bool,
    /// What an absent optional slot means, where it means one of its values (`.re`, `.quo`, `.generic`, …).
    pub default: Option<Qualifier>,
}

/// How an instruction uses an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Only read.
    Read,
    /// Written by every lane that takes part, old value never needed there. A swizzle narrows this to the elements it
    /// names: the others keep theirs.
    Write,
    /// Written in part or not by all active lanes: the old value shows through.
    ReadWrite,
}

/// What kind of operand the template takes.
///
/// "Scalar register" everywhere means: a scalar register, one element of a vector register by swizzle
/// (`%v.x`), or, where it is only read, a scalar special register or an element of a vector one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// A scalar register.
    Register,
    /// A scalar register or an immediate.
    RegisterOrImmediate,
    /// A predicate; `!` is refused.
    Predicate,
    /// A predicate or its negation `!%p`.
    PredicateOrNegation,
    /// A whole vector register of the packed type's shape (T-01).
    Packed,
    /// A whole vector register with 32-bit elements, no swizzle.
    Vector,
    /// A vector register with a swizzle of one, two or four elements (`mov`).
    Swizzle,
    /// `ld` destination, `st` source: a scalar register, or with `.vec` a whole vector register.
    Memory,
    /// `[…]` in the forms MemRR, MemRI or MemR (Z-01).
    Address,
    /// `[%parameter …]` of `ld.param`.
    ParameterAddress,
    /// A memory variable's name.
    MemoryVariable,
    /// A scalar register or a memory variable's name (`addrcast`).
    RegisterOrMemoryVariable,
    /// A function's name (`addrof`).
    FunctionName,
    /// A label of the same function.
    Label,
    /// `call`'s result: a register (scalar or vector) or `void`.
    ResultOrVoid,
    /// `call`'s target: a function's name or a 64-bit register.
    CallTarget,
    /// `call`'s parenthesised argument list: zero or more registers.
    Arguments,
    /// `return`'s value: absent, or a register (scalar or vector) or an immediate.
    ReturnValue,
}

/// The width an operand must have: of one element for whole vector registers ([`OperandKind::Vector`],
/// [`OperandKind::Memory`]), of all elements together for packed and swizzled ones, of base and offset for addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// Not a matter of width (predicates, labels, names), or the kind says it all.
    None,
    /// This many bits.
    Bits(u16),
    /// The width of the value in this slot.
    Slot(SlotName),
    /// Twice the width of the value in this slot.
    TwiceSlot(SlotName),
    /// The address width of the address space in this slot (spec 2.1); an absent slot means its default.
    AddressOf(SlotName),
}

/// How the bits of an operand are understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpretation {
    /// Untyped bits.
    Bits,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A floating-point number of the type in the slot: immediates follow the rules for them (spec 3.2, I-05…I-09).
    Float(SlotName),
}

/// One operand position.
#[derive(Clone, Copy, Debug)]
pub struct OperandDef {
    /// `dst`, `src0`, `carry-in`, `addr`, …: the spec's name.
    pub name: &'static str,
    /// What may stand there.
    pub kind: OperandKind,
    /// Its width.
    pub width: Width,
    /// Read, written or both.
    pub access: Access,
    /// How its bits are understood.
    pub interpretation: Interpretation,
    /// Whether the operand may be absent; a [`Rule::OperandOnlyWhen`] says when it must be.
    pub optional: bool,
}

/// Facts about what an instruction does beyond writing its destination; a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects(pub u16);

impl Effects {
    /// None of them.
    pub const NONE: Effects = Effects(0);
    /// Reads memory.
    pub const READS_MEMORY: Effects = Effects(1);
    /// Writes memory.
    pub const WRITES_MEMORY: Effects = Effects(2);
    /// Is, or can be by its qualifiers, atomic.
    pub const ATOMIC: Effects = Effects(4);
    /// Must not be made control dependent on more or fewer conditions: other lanes notice.
    pub const CONVERGENT: Effects = Effects(8);
    /// Reads registers of other lanes.
    pub const CROSS_LANE: Effects = Effects(16);
    /// Changes the flow of control.
    pub const CONTROL_FLOW: Effects = Effects(32);
    /// Waits for other work-items of the work-group.
    pub const BARRIER: Effects = Effects(64);
    /// Orders memory accesses.
    pub const FENCE: Effects = Effects(128);
    /// The result depends on `%activemask`.
    pub const READS_ACTIVE_MASK: Effects = Effects(256);
    /// Some source values have undefined behaviour (`docs/decisions.md` gives each its fixed result).
    pub const CAN_BE_UNDEFINED: Effects = Effects(512);

    /// Both sets together.
    pub const fn union(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
    /// Whether all of `other` is in this set.
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A restriction bullet of the spec and the rule that checks it.
#[derive(Clone, Copy, Debug)]
pub struct Restriction {
    /// The bullet's text, Markdown marks removed.
    pub text: &'static str,
    /// The rule that a program is held to.
    pub rule: Rule,
    /// Whether breaking it is a departure, a warning unless checks are strict: the spec's own examples or known
    /// producers do (M-02, M-05).
    pub departure: bool,
}

/// A version of the specification, major and minor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version(pub u16, pub u16);

/// A target architecture; the order is that of the compatibility matrix (H-02, H-04).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// `100`
    T100,
    /// `100c`
    T100c,
    /// `100ca`
    T100ca,
}

impl Target {
    /// All targets, least first.
    pub const ALL: &[Target] = &[Target::T100, Target::T100c, Target::T100ca];
    /// The text after `.target`.
    pub const fn text(self) -> &'static str {
        match self {
            Target::T100 => "100",
            Target::T100c => "100c",
            Target::T100ca => "100ca",
        }
    }
}

/// One row of the table: one syntax template of the spec.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Its index in [`crate::FORMS`].
    pub(crate) id: FormId,
    /// The opcode it belongs to.
    pub opcode: Opcode,
    /// The spec's heading of the template: `Syntax`, `packed`, `Widening signed multiply`, …
    pub title: &'static str,
    /// Qualifier slots in their fixed order (G-15).
    pub slots: &'static [Slot],
    /// Operands in their order.
    pub operands: &'static [OperandDef],
    /// Every restriction bullet.
    pub restrictions: &'static [Restriction],
    /// What it does beyond its destination.
    pub effects: Effects,
    /// The version that introduced it.
    pub since: Version,
    /// The least target that has it.
    pub target: Target,
    /// Bound of the error in ULP for the inexact ones, by type; empty where the result is exact or correctly rounded.
    pub ulp: &'static [(Qualifier, f32)],
    /// A range of source values with another bound than [`Form::ulp`], in words; mostly empty.
    pub ulp_exception: &'static str,
}

impl Form {
    /// Its id: its index in [`crate::FORMS`].
    pub const fn id(&self) -> FormId {
        self.id
    }

    /// The slot of that name and its position among the slots; `None` where the form has none.
    pub fn slot(&self, name: SlotName) -> Option<(usize, &'static Slot)> {
        self.slots.iter().enumerate().find(|(_, slot)| slot.name == name)
    }

    /// The operand of that name (`dst`, `carry-in`) and its position.
    pub fn operand(&self, name: &str) -> Option<(usize, &'static OperandDef)> {
        self.operands.iter().enumerate().find(|(_, operand)| operand.name == name)
    }
}

/// Index of a form in [`crate::FORMS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormId(pub u16);
