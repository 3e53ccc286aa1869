//! The words the rows of the table are written in.
//!
//! Everything here is a `const fn` or a constant, so that the whole table is built at compile time.

pub(crate) use crate::Access::{Read, ReadWrite, Write};
pub(crate) use crate::Condition::{All, Any, Is, Not};
pub(crate) use crate::Interpretation::{Bits, Float, Signed, Unsigned};
pub(crate) use crate::OperandKind::{
    Address, Arguments, CallTarget, FunctionName, Label, Memory, MemoryVariable, Packed, ParameterAddress,
    Predicate, PredicateOrNegation, Register, RegisterOrImmediate, RegisterOrMemoryVariable, ResultOrVoid,
    ReturnValue, Swizzle, Vector,
};
pub(crate) use crate::SlotName::*;
pub(crate) use crate::{
    Access, Condition, Effects, Form, FormId, Interpretation, Opcode, OperandDef, OperandKind, Qualifier,
    Restriction, Rule, Slot, SlotName, Target, Values, Version, Width,
};

/// A list of qualifier values: `q![B16, B32]`.
macro_rules! q {
    ($($value:ident),* $(,)?) => { &[$(Qualifier::$value),*] };
}
pub(crate) use q;

type List = &'static [Qualifier];
type Names = &'static [&'static str];

// Lists of values that several forms share.

pub(crate) const INTEGERS: List = q![B16, B32, B64];
pub(crate) const MOVE_TYPES: List = q![B8, B16, B32, B64, B128];
pub(crate) const CONVERSION_INTEGERS: List = q![U8, S8, U16, S16, U32, S32, U64, S64];
pub(crate) const FLOATS: List = q![Bf, Hf, F, Df];
/// The floating-point types but `.df`.
pub(crate) const SHORT_FLOATS: List = q![Bf, Hf, F];
pub(crate) const PACKED_FLOATS: List = q![Bfx2, Hfx2];
pub(crate) const COMPARISONS: List = q![Eq, Ne, Gt, Ge, Lt, Le];
pub(crate) const ROUNDINGS: List = q![Re, Rd, Ru, Rz, Rna];
pub(crate) const VECTOR_COUNTS: List = q![V2, V3, V4, V5, V6, V7, V8, V16, V32, V64];

// Error bounds in ULP (P-18: a packed type has the bound of its element type).

type Ulp = &'static [(Qualifier, f32)];

pub(crate) const SHORT_ULP_1: Ulp = &[(Qualifier::Bf, 1.0), (Qualifier::Hf, 1.0), (Qualifier::F, 1.0)];
pub(crate) const SHORT_ULP_2: Ulp = &[(Qualifier::Bf, 2.0), (Qualifier::Hf, 2.0), (Qualifier::F, 2.0)];
pub(crate) const PACKED_ULP_1: Ulp = &[(Qualifier::Bfx2, 1.0), (Qualifier::Hfx2, 1.0)];
pub(crate) const PACKED_ULP_2: Ulp = &[(Qualifier::Bfx2, 2.0), (Qualifier::Hfx2, 2.0)];

/// The bound of `flog2` around 1, where 1 ULP would be looser or tighter than meant (P-19).
pub(crate) const NEAR_ONE: &str = "2^-23 for src0 value in the range of [0.5..1.5)";

// Effects that several forms share.

/// Cross-lane instructions. The mask must be sub-group-uniform (S-01), hence the undefined case.
pub(crate) const ACROSS_LANES: Effects = Effects::CONVERGENT
    .union(Effects::CROSS_LANE)
    .union(Effects::READS_ACTIVE_MASK)
    .union(Effects::CAN_BE_UNDEFINED);
/// A call may do what its callee does.
pub(crate) const CALL: Effects = Effects::CONTROL_FLOW
    .union(Effects::CONVERGENT)
    .union(Effects::READS_MEMORY)
    .union(Effects::WRITES_MEMORY)
    .union(Effects::CAN_BE_UNDEFINED);
/// A load; out-of-bounds addresses are undefined (spec 3.3).
pub(crate) const LOAD: Effects = Effects::READS_MEMORY.union(Effects::CAN_BE_UNDEFINED);
pub(crate) const STORE: Effects = Effects::WRITES_MEMORY.union(Effects::CAN_BE_UNDEFINED);
pub(crate) const ATOMIC_LOAD: Effects = LOAD.union(Effects::ATOMIC);
pub(crate) const ATOMIC_STORE: Effects = STORE.union(Effects::ATOMIC);
pub(crate) const ATOMIC: Effects = LOAD.union(STORE).union(Effects::ATOMIC);
/// `ld.param`: its memory is the argument buffer, which nothing writes.
pub(crate) const PARAMETER: Effects = LOAD;
pub(crate) const BARRIER: Effects =
    Effects::BARRIER.union(Effects::CONVERGENT).union(Effects::CAN_BE_UNDEFINED);

// Rows.

/// What a row has where it does not say otherwise.
pub(crate) const fn row(opcode: Opcode, title: &'static str) -> Form {
    Form {
        id: FormId(0),
        opcode,
        title,
        slots: &[],
        operands: &[],
        restrictions: &[],
        effects: Effects::NONE,
        since: Version(0, 1),
        target: Target::T100,
        ulp: &[],
        ulp_exception: "",
    }
}

// Slots.

/// A slot that must be filled.
pub(crate) const fn required(name: SlotName, values: List) -> Slot {
    Slot { name, values: Values::OneOf(values), optional: false, default: None }
}

/// A slot that may be left out, and what that means.
pub(crate) const fn optional(name: SlotName, values: List, default: Option<Qualifier>) -> Slot {
    Slot { name, values: Values::OneOf(values), optional: true, default }
}

/// An optional slot with one value of the same name.
pub(crate) const fn flag(name: SlotName) -> Slot {
    let values: List = match name {
        Ftz => q![Ftz],
        Dsat => q![Dsat],
        Nanp => q![Nanp],
        Sg => q![Sg],
        _ => panic!("not a flag"),
    };
    optional(name, values, None)
}

/// `<.rndmode>`, `.re` by default (spec floating_point 3.2, D-01).
pub(crate) const fn rounding() -> Slot {
    optional(Rndmode, ROUNDINGS, Some(Qualifier::Re))
}

pub(crate) const fn index() -> Slot {
    Slot { name: Index, values: Values::Index, optional: false, default: None }
}

pub(crate) const fn truth_table() -> Slot {
    Slot { name: Operation, values: Values::TruthTable, optional: false, default: None }
}

// Widths.

/// The width of the value in the slot.
pub(crate) const fn of(slot: SlotName) -> Width {
    Width::Slot(slot)
}

pub(crate) const fn twice(slot: SlotName) -> Width {
    Width::TwiceSlot(slot)
}

pub(crate) const fn address_of(slot: SlotName) -> Width {
    Width::AddressOf(slot)
}

pub(crate) const fn bits(bits: u16) -> Width {
    Width::Bits(bits)
}

// Operands.

pub(crate) const fn operand(
    name: &'static str,
    kind: OperandKind,
    width: Width,
    access: Access,
    interpretation: Interpretation,
) -> OperandDef {
    OperandDef { name, kind, width, access, interpretation, optional: false }
}

impl OperandDef {
    /// The same, but it may be absent.
    pub(crate) const fn optional(mut self) -> OperandDef {
        self.optional = true;
        self
    }

    /// The same, but the old value shows through.
    pub(crate) const fn read_write(mut self) -> OperandDef {
        self.access = ReadWrite;
        self
    }
}

/// A scalar destination.
pub(crate) const fn dst(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("dst", Register, width, Write, interpretation)
}

/// A scalar source that is no immediate.
pub(crate) const fn register(name: &'static str, width: Width, interpretation: Interpretation) -> OperandDef {
    operand(name, Register, width, Read, interpretation)
}

pub(crate) const fn src0(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("src0", RegisterOrImmediate, width, Read, interpretation)
}

pub(crate) const fn src1(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("src1", RegisterOrImmediate, width, Read, interpretation)
}

pub(crate) const fn src2(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("src2", RegisterOrImmediate, width, Read, interpretation)
}

pub(crate) const fn src3(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("src3", RegisterOrImmediate, width, Read, interpretation)
}

pub(crate) const fn packed_dst(width: Width, interpretation: Interpretation) -> OperandDef {
    operand("dst", Packed, width, Write, interpretation)
}

pub(crate) const fn packed(name: &'static str, width: Width, interpretation: Interpretation) -> OperandDef {
    operand(name, Packed, width, Read, interpretation)
}

/// A predicate that is written.
pub(crate) const fn predicate_out(name: &'static str) -> OperandDef {
    operand(name, Predicate, Width::None, Write, Bits)
}

/// A predicate that is read, without `!`.
pub(crate) const fn predicate(name: &'static str) -> OperandDef {
    operand(name, Predicate, Width::None, Read, Bits)
}

/// `<!>pred`.
pub(crate) const fn guard() -> OperandDef {
    operand("pred", PredicateOrNegation, Width::None, Read, Bits)
}

/// `[addr]`: base and offset have the address width of the space (M-07, M-08).
pub(crate) const fn address() -> OperandDef {
    operand("addr", Address, address_of(Addrspace), Read, Bits)
}

/// `[vaddr]` of `ld.param`: its offset is a 32-bit register (K-06).
pub(crate) const fn parameter_address() -> OperandDef {
    operand("vaddr", ParameterAddress, bits(32), Read, Signed)
}

// Restrictions.

pub(crate) const fn restriction(text: &'static str, rule: Rule) -> Restriction {
    Restriction { text, rule, departure: false }
}

impl Restriction {
    /// The same, but known producers break it, so that it is only warned about (M-02, M-05).
    pub(crate) const fn departure(mut self) -> Restriction {
        self.departure = true;
        self
    }
}

pub(crate) const fn width(text: &'static str, operands: Names) -> Restriction {
    restriction(text, Rule::Width { operands })
}

pub(crate) const fn packed_shape(text: &'static str, operands: Names) -> Restriction {
    restriction(text, Rule::PackedShape { operands })
}

pub(crate) const fn operand_only_when(
    text: &'static str,
    operand: &'static str,
    when: Condition,
) -> Restriction {
    restriction(text, Rule::OperandOnlyWhen { operand, when })
}

pub(crate) const fn not_specified_when(text: &'static str, slot: SlotName, when: Condition) -> Restriction {
    restriction(text, Rule::NotSpecifiedWhen { slot, when })
}

pub(crate) const fn specified_only_when(text: &'static str, slot: SlotName, when: Condition) -> Restriction {
    restriction(text, Rule::SpecifiedOnlyWhen { slot, when })
}

pub(crate) const fn value_excluded_when(
    text: &'static str,
    slot: SlotName,
    value: Qualifier,
    when: Condition,
) -> Restriction {
    restriction(text, Rule::ValueExcludedWhen { slot, value, when })
}

pub(crate) const WIDTH_OF_DST_SRC0: Restriction =
    width("bitwidth of dst and src0 must match the bitwidth of .type", &["dst", "src0"]);
pub(crate) const WIDTH_OF_DST_SRC0_SRC1: Restriction =
    width("bitwidth of dst, src0, and src1 must match the bitwidth of .type", &["dst", "src0", "src1"]);
pub(crate) const WIDTH_OF_SRC0_SRC1: Restriction =
    width("bitwidth of src0 and src1 must match the bitwidth of .type", &["src0", "src1"]);
pub(crate) const WIDTH_OF_DST_TO: Restriction =
    width("bitwidth of dst must match the bitwidth of .to", &["dst"]);
pub(crate) const WIDTH_OF_SRC0_FROM: Restriction =
    width("bitwidth of src0 must match the bitwidth of .from", &["src0"]);
pub(crate) const WIDER: Restriction =
    restriction("bitwidth of .to must be greater than the bitwidth of .from", Rule::Wider);
pub(crate) const NARROWER: Restriction =
    restriction("bitwidth of .to must be less than the bitwidth of .from", Rule::Narrower);
