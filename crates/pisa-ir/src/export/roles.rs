//! What each operand of an instruction becomes in the machine instruction, and what may stand there.

use crate::cross_lane::{CrossLane, CrossLaneKind};
use crate::{Constant, InstructionData, Operand, Operation, Terminator, VectorOperation};
use pisa_isa::{
    Access, Form, Opcode, OperandKind, Qualifier, SlotName, SlotValues, Value as QualifierValue, forms_of,
};
use smallvec::SmallVec;

/// What an operand is to the machine instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A scalar register, an element, a special register.
    Register,
    /// The same, or an immediate.
    RegisterOrImmediate,
    /// A predicate without `!`.
    Predicate,
    /// A predicate, with or without `!`.
    Guard,
    /// A whole register.
    Whole,
    /// The base of an address in the space that this qualifier names.
    Base(Option<Qualifier>),
    /// The offset of an address.
    Offset,
    /// The name of a kernel parameter.
    Parameter,
    /// The name of a variable.
    Variable,
    /// A register or the name of a variable.
    RegisterOrVariable,
    /// The name of a function.
    Function,
    /// What is called: a name or a handle.
    Callee,
    /// An argument of a call.
    Argument,
    /// What a function returns.
    Returned,
    /// The value that the destination has before; the destination's register holds it.
    Old,
    /// What a `mov` takes apart or puts together: a scalar, or elements of a vector.
    Moved,
    /// The vector that a `mov` or `extract` takes elements of.
    Vector,
    /// What a parameter of a block gets.
    Copied,
}

impl Role {
    /// Whether one element of a vector register may stand there, `%v.x`.
    pub(super) const fn takes_element(self) -> bool {
        use Role::*;
        matches!(
            self,
            Register
                | RegisterOrImmediate
                | Base(_)
                | RegisterOrVariable
                | Callee
                | Argument
                | Returned
                | Old
                | Moved
                | Copied
        )
    }
    /// Whether a special register may be read there.
    pub(super) const fn takes_special(self) -> bool {
        self.takes_element() || matches!(self, Role::Offset)
    }
    /// Whether an immediate may stand there; of an offset, whether it fits 32 bits is another matter.
    pub(super) const fn takes_immediate(self) -> bool {
        matches!(self, Role::RegisterOrImmediate | Role::Returned | Role::Old | Role::Copied)
    }
}

/// The row and qualifiers of an operation that is one machine instruction of the table; `None` for the others.
pub(super) fn machine_form(operation: &Operation) -> Option<(&'static Form, SlotValues)> {
    match operation {
        Operation::Table { form, qualifiers } => Some((pisa_isa::form(*form), *qualifiers)),
        Operation::CrossLane(operation) => cross_lane_form(operation),
        Operation::Mask(_) | Operation::Vector(_) | Operation::Call { .. } | Operation::Initial => None,
    }
}

/// The form of that number of an opcode, with these qualifiers as far as it has slots for them.
pub(super) fn named_form(
    opcode: Opcode,
    form: usize,
    values: &[(SlotName, Qualifier)],
) -> (&'static Form, SlotValues) {
    let form = &forms_of(opcode)[form];
    let mut qualifiers = SlotValues::default();
    for &(name, value) in values {
        if let Some((slot, _)) = form.slot(name) {
            qualifiers[slot] = QualifierValue::Named(value);
        }
    }
    (form, qualifiers)
}

/// The instruction of chapter 7; `%activemask` is none.
fn cross_lane_form(operation: &CrossLane) -> Option<(&'static Form, SlotValues)> {
    if !operation.is_native() {
        return None;
    }
    match operation.kind {
        CrossLaneKind::FirstParticipant => {
            Some(named_form(Opcode::Redfirstidx, 0, &[(SlotName::Type, Qualifier::B32)]))
        }
        CrossLaneKind::Shuffle { kind, segmented } => {
            let mut values = vec![(SlotName::Op, kind.qualifier()), (SlotName::Type, Qualifier::B32)];
            if segmented {
                values.push((SlotName::Sg, Qualifier::Sg));
            }
            Some(named_form(Opcode::Shfl, 0, &values))
        }
        CrossLaneKind::Reduce { reduction, .. } => {
            let (qualifier, wins) = reduction.qualifier()?;
            let mut values =
                vec![(SlotName::Op, qualifier), (SlotName::Type, operation.element.qualifier()?)];
            if !reduction.is_float_only() {
                return Some(named_form(Opcode::Ired, 0, &values));
            }
            if wins {
                values.push((SlotName::Nanp, Qualifier::Nanp));
            }
            Some(named_form(Opcode::Fred, usize::from(operation.element.elements() == 2), &values))
        }
        _ => None,
    }
}

/// The role of each operand of an instruction.
pub(super) fn roles(instruction: &InstructionData) -> SmallVec<[Role; 4]> {
    let mut roles: SmallVec<[Role; 4]> = SmallVec::new();
    match &instruction.operation {
        Operation::Vector(operation) => match operation {
            VectorOperation::Extract { .. } => roles.push(Role::Vector),
            VectorOperation::Insert { .. } => roles.extend([Role::Old, Role::Moved]),
            VectorOperation::Pack | VectorOperation::Unpack => roles.push(Role::Moved),
        },
        Operation::Call { conditional } => {
            if *conditional {
                roles.push(Role::Guard);
            }
            roles.push(Role::Callee);
            let keeps = *conditional && !instruction.results.is_empty();
            let arguments = instruction.operands.len().saturating_sub(roles.len() + usize::from(keeps));
            roles.extend(std::iter::repeat_n(Role::Argument, arguments));
            if keeps {
                roles.push(Role::Old);
            }
        }
        operation => {
            if let Some((form, qualifiers)) = machine_form(operation) {
                form_roles(form, &qualifiers, &mut roles);
            }
        }
    }
    roles.resize(instruction.operands.len(), Role::Old);
    roles
}

/// Operands that the form reads, an address as two, then the old values of what it writes in part.
fn form_roles(form: &'static Form, qualifiers: &SlotValues, roles: &mut SmallVec<[Role; 4]>) {
    for operand in form.operands.iter().filter(|operand| operand.access == Access::Read) {
        let role = match operand.kind {
            OperandKind::Register => Role::Register,
            OperandKind::RegisterOrImmediate => Role::RegisterOrImmediate,
            OperandKind::Predicate => Role::Predicate,
            OperandKind::PredicateOrNegation => Role::Guard,
            OperandKind::Packed | OperandKind::Vector => Role::Whole,
            OperandKind::Swizzle => Role::Moved,
            OperandKind::Memory => match form.value(qualifiers, SlotName::Vec) {
                Some(_) => Role::Whole,
                None => Role::Register,
            },
            OperandKind::Address => {
                roles.push(Role::Base(form.value(qualifiers, SlotName::Addrspace)));
                Role::Offset
            }
            OperandKind::ParameterAddress => {
                roles.push(Role::Parameter);
                Role::Offset
            }
            OperandKind::MemoryVariable => Role::Variable,
            OperandKind::RegisterOrMemoryVariable => Role::RegisterOrVariable,
            OperandKind::FunctionName => Role::Function,
            OperandKind::CallTarget => Role::Callee,
            OperandKind::Arguments => Role::Argument,
            OperandKind::ReturnValue => Role::Returned,
            OperandKind::Label | OperandKind::ResultOrVoid => continue,
        };
        roles.push(role);
    }
    let old = form.operands.iter().filter(|operand| operand.access == Access::ReadWrite);
    roles.extend(old.map(|_| Role::Old));
}

/// Roles of a terminator's operands in the order of [`Terminator::for_each_operand`].
pub(super) fn terminator_roles(terminator: &Terminator) -> SmallVec<[Role; 4]> {
    let mut roles: SmallVec<[Role; 4]> = match terminator {
        Terminator::Goto(_) => SmallVec::new(),
        Terminator::Branch { .. } => smallvec::smallvec![Role::Guard],
        Terminator::Return(value) => value.iter().map(|_| Role::Returned).collect(),
        Terminator::ReturnIf { value, .. } => {
            [Role::Guard].into_iter().chain(value.iter().map(|_| Role::Returned)).collect()
        }
    };
    for target in terminator.targets() {
        roles.extend(target.arguments.iter().map(|_| Role::Copied));
    }
    roles
}

/// The constant as an immediate: its bits, and whether they are extended by their sign above 64 (D-11).
pub(super) fn immediate(constant: Constant) -> Option<(u64, bool)> {
    let bits = constant.bits();
    if constant.ty.is_vector() || constant.ty.is_predicate() {
        None
    } else if bits >> 64 == 0 {
        Some((bits as u64, false))
    } else {
        i64::try_from(bits as i128).ok().map(|value| (value as u64, true))
    }
}

/// The constant as the offset of an address, which is extended by its sign.
pub(super) fn offset(constant: Constant) -> Option<i32> {
    let unused = 128 - constant.ty.total_bits().clamp(1, 128);
    i32::try_from(((constant.bits() << unused) as i128) >> unused).ok()
}

/// Where an instruction keeps something of its destination: the old value, if anybody looks at it.
pub(super) fn old_value(instruction: &InstructionData) -> Option<Operand> {
    let roles = roles(instruction);
    let at = roles.iter().position(|&role| role == Role::Old)?;
    instruction.operands.get(at).copied().filter(|&operand| operand != Operand::Dead)
}
