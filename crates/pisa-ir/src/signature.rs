//! What operands an operation takes and what results it gives: read from the instruction table and from the kinds of
//! operations, once, for the printer, the reader and the verifier.

use crate::cross_lane::{CrossLane, CrossLaneKind};
use crate::function::{Function, Operand};
use crate::operation::{MaskOperation, Operation, VectorOperation};
use pisa_isa::{
    Access, Chapter, Form, Interpretation, OperandDef, OperandKind, Qualifier, Rule, SlotName, SlotValues,
    Width,
};
use pisa_module::{FunctionKind, RegisterType};
use smallvec::SmallVec;

/// What an operand is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A source, or the data of a cross-lane operation.
    Source,
    /// What an address starts from.
    Base,
    /// What is added to it.
    Offset,
    /// The index of a cross-lane operation, or its partition.
    Index,
    /// The mask of a cross-lane operation.
    Mask,
    /// What is kept where nothing is written: the pass-through of a cross-lane operation, the old value of a destination.
    Keep,
    /// The predicate of a conditional call.
    Condition,
    /// What a call calls.
    Callee,
    /// An argument of a call.
    Argument,
}

/// What may stand in the place of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allowed {
    /// A value, constant or special register.
    Datum,
    /// The same, or the negation of a predicate.
    DatumOrNegation,
    /// The same as [`Allowed::Datum`], or a memory variable.
    DatumOrVariable,
    /// The same as [`Allowed::Datum`], or nothing that anybody looks at.
    DatumOrDead,
    /// The name of a memory variable.
    Variable,
    /// The name of a function.
    Function,
    /// The name of a function, or its handle.
    FunctionOrHandle,
    /// A kernel parameter.
    Parameter,
}

/// What type an operand or result has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeRule {
    /// This one.
    Exactly(RegisterType),
    /// A scalar of at most so many bits.
    ScalarUpTo(u8),
    /// A vector with elements of so many bits.
    VectorOf(u8),
    /// Any vector.
    Vector,
    /// Any type.
    Any,
}

impl TypeRule {
    /// Whether a type is one of these.
    pub const fn admits(self, ty: RegisterType) -> bool {
        match self {
            TypeRule::Exactly(wanted) => wanted.elements == ty.elements && wanted.bits == ty.bits,
            TypeRule::ScalarUpTo(bits) => ty.elements == 1 && ty.bits <= bits && !ty.is_predicate(),
            TypeRule::VectorOf(bits) => ty.is_vector() && ty.bits == bits,
            TypeRule::Vector => ty.is_vector(),
            TypeRule::Any => true,
        }
    }
}

/// An operand position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OperandShape {
    /// The name in the specification (`src0`), or one of ours.
    pub name: &'static str,
    /// What it is for.
    pub role: Role,
    /// What may stand there.
    pub allowed: Allowed,
    /// Its type.
    pub ty: TypeRule,
    /// The type of a constant that is written without one.
    pub constant: Option<RegisterType>,
    /// Whether its bits say more than its number: masks, floating-point numbers.
    pub by_bits: bool,
}

/// Operands and results of an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The operands, in order.
    pub operands: SmallVec<[OperandShape; 6]>,
    /// The types of the results.
    pub results: SmallVec<[TypeRule; 2]>,
}

const WORD: RegisterType = RegisterType::scalar(32);

impl OperandShape {
    const fn new(name: &'static str, role: Role, allowed: Allowed, ty: TypeRule) -> OperandShape {
        let constant = match ty {
            TypeRule::Exactly(ty) => Some(ty),
            _ => None,
        };
        OperandShape { name, role, allowed, ty, constant, by_bits: false }
    }
    const fn source(name: &'static str, ty: TypeRule) -> OperandShape {
        OperandShape::new(name, Role::Source, Allowed::Datum, ty)
    }
    const fn by_bits(mut self) -> OperandShape {
        self.by_bits = true;
        self
    }
}

impl Signature {
    /// Of an instruction. What a call takes and gives depends on whom it calls, so its operands, the number of its results and
    /// the functions of the module are asked for; everything else goes by its operation alone.
    pub fn of(
        operation: &Operation,
        operands: &[Operand],
        results: usize,
        functions: &[Function],
    ) -> Signature {
        match operation {
            Operation::Table { form, qualifiers } => table(pisa_isa::form(*form), qualifiers),
            Operation::CrossLane(operation) => cross_lane(operation),
            Operation::Mask(operation) => mask(operation),
            Operation::Vector(operation) => vector(*operation),
            Operation::Call { conditional } => call(*conditional, operands, results, functions),
            Operation::Initial => {
                Signature { operands: SmallVec::new(), results: smallvec::smallvec![TypeRule::Any] }
            }
        }
    }
}

/// A form of the table: what it reads, in its order, then the old values of destinations that show through.
fn table(form: &Form, values: &SlotValues) -> Signature {
    let mut signature = Signature::default();
    let mut kept: SmallVec<[OperandShape; 2]> = SmallVec::new();
    // A call, branch or return is no table operation.
    if form.opcode.chapter() == Chapter::ControlFlow {
        return signature;
    }
    for definition in form.operands {
        if !is_present(form, values, definition) {
            continue;
        }
        let ty = type_rule(form, values, definition);
        match definition.access {
            Access::Write => signature.results.push(ty),
            Access::ReadWrite => {
                signature.results.push(ty);
                kept.push(OperandShape::new("old value", Role::Keep, Allowed::Datum, ty));
            }
            Access::Read => source(form, values, definition, ty, &mut signature.operands),
        }
    }
    signature.operands.extend(kept);
    signature
}

fn source(
    form: &Form,
    values: &SlotValues,
    definition: &OperandDef,
    ty: TypeRule,
    operands: &mut SmallVec<[OperandShape; 6]>,
) {
    let name = definition.name;
    let allowed = match definition.kind {
        OperandKind::PredicateOrNegation => Allowed::DatumOrNegation,
        OperandKind::MemoryVariable => Allowed::Variable,
        OperandKind::RegisterOrMemoryVariable => Allowed::DatumOrVariable,
        OperandKind::FunctionName => Allowed::Function,
        OperandKind::Address | OperandKind::ParameterAddress => {
            let bits = width(form, values, definition).unwrap_or(64);
            let base = match definition.kind {
                OperandKind::ParameterAddress => {
                    OperandShape::new("parameter", Role::Base, Allowed::Parameter, TypeRule::Any)
                }
                // M-07: the base has the address width of the space.
                _ => OperandShape::new("base of the address", Role::Base, Allowed::DatumOrVariable, ty),
            };
            // M-08: a narrower offset is sign-extended; M-11: immediates have 32 bits.
            let offset = TypeRule::ScalarUpTo(bits);
            let mut offset = OperandShape::new("offset of the address", Role::Offset, Allowed::Datum, offset);
            offset.constant = Some(WORD);
            operands.extend([base, offset]);
            return;
        }
        _ => Allowed::Datum,
    };
    let mut shape = OperandShape::new(name, Role::Source, allowed, ty);
    shape.by_bits = matches!(definition.interpretation, Interpretation::Float(_))
        || form.opcode.chapter() == Chapter::CrossLane;
    operands.push(shape);
}

/// Whether an optional operand is there with these qualifiers.
fn is_present(form: &Form, values: &SlotValues, definition: &OperandDef) -> bool {
    let only_when = form.restrictions.iter().find_map(|restriction| match &restriction.rule {
        Rule::OperandOnlyWhen { operand, when } if *operand == definition.name => Some(when),
        _ => None,
    });
    !definition.optional || only_when.is_some_and(|when| when.holds(form, values))
}

/// Bits that [`Width`] says.
fn width(form: &Form, values: &SlotValues, definition: &OperandDef) -> Option<u8> {
    let value = |slot| form.value(values, slot);
    let bits = match definition.width {
        Width::None => None,
        Width::Bits(bits) => Some(bits),
        Width::Slot(slot) => value(slot).and_then(Qualifier::bits),
        Width::TwiceSlot(slot) => value(slot).and_then(Qualifier::bits).map(|bits| 2 * bits),
        Width::AddressOf(slot) => value(slot).and_then(Qualifier::address_bits),
    };
    bits.and_then(|bits| u8::try_from(bits).ok())
}

fn type_rule(form: &Form, values: &SlotValues, definition: &OperandDef) -> TypeRule {
    let bits = width(form, values, definition);
    let scalar = bits.map_or(TypeRule::Any, |bits| TypeRule::Exactly(RegisterType::scalar(bits)));
    let count = form.value(values, SlotName::Vec).and_then(Qualifier::elements);
    match definition.kind {
        OperandKind::Predicate | OperandKind::PredicateOrNegation => {
            TypeRule::Exactly(RegisterType::PREDICATE)
        }
        OperandKind::Packed => {
            let packed = match definition.width {
                Width::Slot(slot) => form.value(values, slot).and_then(Qualifier::packed),
                _ => None,
            };
            match packed {
                Some((elements, bits)) => TypeRule::Exactly(RegisterType { elements, bits: bits as u8 }),
                None => TypeRule::Vector,
            }
        }
        OperandKind::Vector => {
            let counted = form.restrictions.iter().any(|restriction| {
                matches!(restriction.rule, Rule::ElementCount { operand } if operand == definition.name)
            });
            match (counted, count, bits) {
                (true, Some(elements), Some(bits)) => TypeRule::Exactly(RegisterType { elements, bits }),
                (_, _, Some(bits)) => TypeRule::VectorOf(bits),
                _ => TypeRule::Vector,
            }
        }
        OperandKind::Memory => match (count, bits) {
            (Some(elements), Some(bits)) => TypeRule::Exactly(RegisterType { elements, bits }),
            _ => scalar,
        },
        OperandKind::Swizzle => TypeRule::Any,
        _ => scalar,
    }
}

fn cross_lane(operation: &CrossLane) -> Signature {
    let mut signature = Signature::default();
    let word = TypeRule::Exactly(WORD);
    if operation.has_data() {
        let mut data = OperandShape::source("data", TypeRule::Exactly(operation.element.register()));
        // A vote or ballot of a negated predicate is no longer than one of the predicate.
        if operation.is_vote_or_ballot() {
            data.allowed = Allowed::DatumOrNegation;
        }
        signature.operands.push(if operation.element.is_float() { data.by_bits() } else { data });
    }
    if operation.has_index() {
        let index = OperandShape::new("index", Role::Index, Allowed::Datum, word);
        // The control word of a shuffle and a partition are read bit by bit.
        let is_bits = !matches!(operation.kind, CrossLaneKind::ReadInvocation | CrossLaneKind::QuadBroadcast);
        signature.operands.push(if is_bits { index.by_bits() } else { index });
    }
    if operation.has_mask() {
        signature.operands.push(OperandShape::new("mask", Role::Mask, Allowed::Datum, word).by_bits());
    }
    let result = TypeRule::Exactly(operation.result());
    if operation.has_pass_through() {
        signature.operands.push(OperandShape::new("pass-through", Role::Keep, Allowed::DatumOrDead, result));
    }
    signature.results.push(result);
    signature
}

fn mask(operation: &MaskOperation) -> Signature {
    let word = TypeRule::Exactly(WORD);
    let mask = OperandShape::source("mask", word).by_bits();
    let predicate = TypeRule::Exactly(RegisterType::PREDICATE);
    let (operands, result) = match operation {
        MaskOperation::Lanes(_) => (SmallVec::new(), word),
        MaskOperation::InverseBallot => (smallvec::smallvec![mask], predicate),
        MaskOperation::BitExtract => {
            (smallvec::smallvec![mask, OperandShape::source("lane", word)], predicate)
        }
        MaskOperation::BitCount(_) | MaskOperation::FindLeast | MaskOperation::FindMost => {
            (smallvec::smallvec![mask], word)
        }
    };
    Signature { operands, results: smallvec::smallvec![result] }
}

fn vector(operation: VectorOperation) -> Signature {
    let any = OperandShape::source("vector", TypeRule::Vector);
    let (operands, result) = match operation {
        VectorOperation::Extract { .. } => (smallvec::smallvec![any], TypeRule::Any),
        VectorOperation::Insert { .. } => {
            (smallvec::smallvec![any, OperandShape::source("elements", TypeRule::Any)], TypeRule::Vector)
        }
        VectorOperation::Pack => (smallvec::smallvec![any], TypeRule::ScalarUpTo(128)),
        VectorOperation::Unpack => {
            (smallvec::smallvec![OperandShape::source("scalar", TypeRule::ScalarUpTo(128))], TypeRule::Vector)
        }
    };
    Signature { operands, results: smallvec::smallvec![result] }
}

fn call(conditional: bool, operands: &[Operand], results: usize, functions: &[Function]) -> Signature {
    let mut signature = Signature::default();
    if conditional {
        let predicate = TypeRule::Exactly(RegisterType::PREDICATE);
        signature.operands.push(OperandShape::new(
            "predicate",
            Role::Condition,
            Allowed::DatumOrNegation,
            predicate,
        ));
    }
    let handle = TypeRule::Exactly(RegisterType::scalar(64));
    let callee = operands.get(usize::from(conditional));
    signature.operands.push(OperandShape::new("target", Role::Callee, Allowed::FunctionOrHandle, handle));
    let callee = match callee {
        Some(Operand::Function(id)) => functions.get(id.index()),
        _ => None,
    };
    let argument = |ty| OperandShape::new("argument", Role::Argument, Allowed::Datum, ty);
    match callee {
        Some(callee) => {
            signature.operands.extend(callee.arguments.iter().map(|&ty| argument(TypeRule::Exactly(ty))));
            if let FunctionKind::Function { result: Some(ty), .. } = &callee.kind {
                signature.results.push(TypeRule::Exactly(*ty));
            }
        }
        // C-03: nothing is known of who is called through a handle.
        None => {
            let kept = usize::from(conditional && results > 0);
            let arguments = operands.len().saturating_sub(signature.operands.len() + kept);
            signature.operands.extend((0..arguments).map(|_| argument(TypeRule::Any)));
            if results > 0 {
                signature.results.push(TypeRule::Any);
            }
        }
    }
    if conditional && let Some(&result) = signature.results.first() {
        signature.operands.push(OperandShape::new("old value", Role::Keep, Allowed::Datum, result));
    }
    signature
}
