//! The rules behind the spec's restriction bullets, as data.
//!
//! Each variant is one kind of violation and has one diagnostic code in `pisa-module`.

use crate::{Qualifier, SlotName};

/// A condition on qualifier values. An absent optional slot counts as its default value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Condition {
    /// The slot holds one of these.
    Is(SlotName, &'static [Qualifier]),
    /// Not that.
    Not(&'static Condition),
    /// All of these.
    All(&'static [Condition]),
    /// At least one of these.
    Any(&'static [Condition]),
}

/// What a restriction demands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// "bitwidth of … must match / must be twice": the operands' [`crate::Width`] says which.
    Width {
        /// The operands it speaks of.
        operands: &'static [&'static str],
    },
    /// "element count and bitwidth of … must match definitions of .type".
    PackedShape {
        /// The operands it speaks of.
        operands: &'static [&'static str],
    },
    /// "total width of … must match the bitwidth of .type": swizzled `mov` operands.
    SwizzledWidth {
        /// The operand.
        operand: &'static str,
    },
    /// "address space of src0 must match value of .from": a memory variable named as operand.
    AddressSpace {
        /// The operand.
        operand: &'static str,
        /// The slot that names the space.
        slot: SlotName,
    },
    /// "address size of storage space of src0 must match the bitwidth of .type".
    VariableAddressSize {
        /// The operand.
        operand: &'static str,
        /// The slot with the type.
        slot: SlotName,
    },
    /// "number of elements of … must match value of .vec".
    ElementCount {
        /// The operand.
        operand: &'static str,
    },
    /// "value of .index must be less than the number of elements in …".
    IndexInRange {
        /// The vector.
        operand: &'static str,
    },
    /// "qualifier .index must be aligned to the number of elements in …" (D-16).
    IndexAligned {
        /// The sub-vector.
        operand: &'static str,
    },
    /// "sum of value of .index and number of elements in … must not exceed the number of elements in …".
    IndexSum {
        /// The sub-vector.
        part: &'static str,
        /// The whole vector.
        whole: &'static str,
    },
    /// "bitwidth of .to must be greater than the bitwidth of .from".
    Wider,
    /// "bitwidth of .to must be less than the bitwidth of .from".
    Narrower,
    /// "operand … is defined only when": present if and only if the condition holds.
    OperandOnlyWhen {
        /// The operand.
        operand: &'static str,
        /// When it is there.
        when: Condition,
    },
    /// "qualifier … must not be specified when".
    NotSpecifiedWhen {
        /// The slot that must be absent.
        slot: SlotName,
        /// When.
        when: Condition,
    },
    /// "qualifier … can be specified only when".
    SpecifiedOnlyWhen {
        /// The slot that may be present.
        slot: SlotName,
        /// Only then.
        when: Condition,
    },
    /// "qualifier … cannot be … when / unless": this value is refused while the condition holds.
    ValueExcludedWhen {
        /// The slot.
        slot: SlotName,
        /// The refused value.
        value: Qualifier,
        /// When ("unless X" is `Not(X)`).
        when: Condition,
    },
    /// "type of retval must match target function return type" (`call`), "… current function return type" (`return`).
    ReturnType {
        /// The operand.
        operand: &'static str,
    },
}
