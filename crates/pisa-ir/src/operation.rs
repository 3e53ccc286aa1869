//! What an instruction does, and what may be asked of it.

use crate::cross_lane::{CrossLane, CrossLaneKind, InactiveSource};
use pisa_isa::{Effects, Form, FormId, Opcode, Qualifier, SlotName, Value as QualifierValue};
use pisa_module::MAX_SLOTS;

/// A relation to the own lane, as a mask of lanes (`gl_SubgroupEqMask` and its kin).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum LaneMask {
    Equal,
    GreaterEqual,
    Greater,
    LessEqual,
    Less,
}

/// Pure operations on masks of lanes. All but [`MaskOperation::Lanes`] take a 32-bit mask first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaskOperation {
    /// The lanes that stand so to the own lane. No operand; 32 bits.
    Lanes(LaneMask),
    /// Whether the own lane is in the mask: a predicate.
    InverseBallot,
    /// Whether lane `src1` (its low 5 bits) is: a predicate.
    BitExtract,
    /// How many lanes are in it: all, up to and with the own, before the own. 32 bits.
    BitCount(crate::Scope),
    /// The lowest lane in it, all ones where it is empty. 32 bits.
    FindLeast,
    /// The highest lane in it, all ones where it is empty. 32 bits.
    FindMost,
}

/// Operations between vector registers, their elements, and scalars: what swizzles and the `extract`, `insert` and `mov`
/// instructions with constant places do (spec 3.4, D-12, D-13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorOperation {
    /// Elements from `first` on, as many as the result has.
    Extract {
        /// The first.
        first: u8,
    },
    /// `src0` with the elements of `src1` from `first` on.
    Insert {
        /// The first.
        first: u8,
    },
    /// All elements in one row, the first lowest: a scalar of as many bits.
    Pack,
    /// The reverse: the elements of the result are the pieces of a scalar.
    Unpack,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// A form of the table, with one value a qualifier slot; not those of chapters 6 and 7, and no `mov` but to give a
    /// constant or special register a name.
    ///
    /// Operands are those that the form reads, in its order: an address is two (base and offset), a destination whose
    /// old value shows through ([`pisa_isa::Access::ReadWrite`]) adds its old value at the end. Results are the destinations.
    Table {
        /// The row.
        form: FormId,
        /// One value a slot.
        qualifiers: [QualifierValue; MAX_SLOTS],
    },
    /// A cross-lane operation.
    CrossLane(CrossLane),
    /// A pure operation on masks.
    Mask(MaskOperation),
    /// A pure operation on vectors.
    Vector(VectorOperation),
    /// A call. Operands: a predicate if it is conditional, the target (a function or a 64-bit handle), the arguments, and the
    /// old value of the result if it is conditional and has one. At most one result.
    Call {
        /// Whether only lanes call whose predicate is true.
        conditional: bool,
    },
    /// What a register holds that nothing has written: a fixed pattern. No operands; in the entry block only.
    Initial,
}

/// Facts about an instruction; everything that moves, merges or deletes instructions asks for these and for nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    /// The set of lanes that execute it together can be seen: in its result, or by others.
    pub convergent: bool,
    /// Values of other lanes go into its result. All cross-lane operations are convergent.
    pub cross_lane: bool,
    /// Reads memory that something may write.
    pub reads_memory: bool,
    /// Writes memory, or orders accesses to it.
    pub writes_memory: bool,
    /// Lanes wait for others here, so that the active set behind it is another one.
    pub changes_active_set: bool,
    /// There is no result for some operand values, only a fixed one (`docs/decisions.md`): running it where it did not run
    /// before is without effect all the same.
    pub can_be_undefined: bool,
}

impl Properties {
    /// Nothing but the result depends on it, and the result on nothing but the operands.
    pub const fn is_pure(self) -> bool {
        !self.convergent && !self.reads_memory && !self.writes_memory && !self.changes_active_set
    }
    /// Whether it may go when nobody uses its result.
    pub const fn is_removable(self) -> bool {
        !self.writes_memory && !self.changes_active_set
    }
}

impl Operation {
    /// A form with its qualifiers by name; the others are absent. `None` where the form has no such slot, or does not take the value
    /// in it.
    pub fn table(form: &Form, values: &[(SlotName, Qualifier)]) -> Option<Operation> {
        let mut qualifiers = [QualifierValue::Absent; MAX_SLOTS];
        for &(name, value) in values {
            let (slot, definition) = form.slot(name)?;
            if !matches!(definition.values, pisa_isa::Values::OneOf(allowed) if allowed.contains(&value)) {
                return None;
            }
            qualifiers[slot] = QualifierValue::Named(value);
        }
        Some(Operation::Table { form: form.id(), qualifiers })
    }

    /// The row of the table, if it is an instruction of it.
    pub fn form(&self) -> Option<&'static Form> {
        match self {
            Operation::Table { form, .. } => Some(pisa_isa::form(*form)),
            _ => None,
        }
    }

    /// The opcode, if it is an instruction of the table.
    pub fn opcode(&self) -> Option<Opcode> {
        self.form().map(|form| form.opcode)
    }

    /// The value in a slot, defaults filled in.
    pub fn qualifier(&self, name: SlotName) -> Option<Qualifier> {
        let Operation::Table { form, qualifiers } = self else { return None };
        let (slot, definition) = pisa_isa::form(*form).slot(name)?;
        qualifiers[slot].named().or(definition.default)
    }

    /// What may be known about it.
    pub fn properties(&self) -> Properties {
        match self {
            Operation::Table { form, .. } => self.table_properties(pisa_isa::form(*form)),
            Operation::CrossLane(operation) => Properties {
                convergent: true,
                // A derivative is arithmetic within the quad: convergent alone, as the active set decides whether its
                // neighbours have values, and never who they are.
                cross_lane: !matches!(operation.kind, CrossLaneKind::Derivative { .. }),
                ..Properties::default()
            },
            Operation::Mask(_) | Operation::Vector(_) | Operation::Initial => Properties::default(),
            Operation::Call { .. } => Properties {
                convergent: true,
                cross_lane: true,
                reads_memory: true,
                writes_memory: true,
                changes_active_set: true,
                can_be_undefined: true,
            },
        }
    }

    fn table_properties(&self, form: &Form) -> Properties {
        let has = |effect| form.effects.contains(effect);
        // Nothing writes the argument buffer, nor `.const` memory.
        let constant = form.opcode == Opcode::LdParam
            || (form.opcode == Opcode::Ld && self.qualifier(SlotName::Addrspace) == Some(Qualifier::Const));
        // Every atomic order but `weak` is seen by others.
        let ordered = has(Effects::ATOMIC)
            && !matches!(self.qualifier(SlotName::Memorder), None | Some(Qualifier::Weak));
        Properties {
            convergent: has(Effects::CONVERGENT) || has(Effects::READS_ACTIVE_MASK),
            cross_lane: has(Effects::CROSS_LANE),
            reads_memory: has(Effects::READS_MEMORY) && !constant,
            writes_memory: has(Effects::WRITES_MEMORY) || has(Effects::FENCE) || ordered,
            changes_active_set: has(Effects::BARRIER),
            can_be_undefined: has(Effects::CAN_BE_UNDEFINED),
        }
    }

    /// Whether the set of lanes that execute it together can be seen.
    pub fn is_convergent(&self) -> bool {
        self.properties().convergent
    }
    /// Whether values of other lanes go into its result.
    pub fn is_cross_lane(&self) -> bool {
        self.properties().cross_lane
    }
    /// Whether what is read from lanes that do not take part is undefined, so that more lanes may be active.
    pub fn allows_more_lanes(&self) -> bool {
        match self {
            Operation::CrossLane(operation) => operation.inactive == InactiveSource::Undefined,
            _ => false,
        }
    }
}
