//! Invariants 12, 13 and 22 to 24: what an instruction does is an operation of the IR.

use super::Checker;
use crate::cross_lane::{Axis, CrossLane, CrossLaneKind, Element, InactiveSource};
use crate::function::{InstructionData, Operand};
use crate::operation::{Operation, VectorOperation};
use crate::text::words::{cross_lane_text, type_text};
use pisa_isa::{Chapter, Form, Opcode, OperandKind, Rule, Slot, SlotName, SlotValues, Value, Values};
use pisa_module::RegisterType;

impl Checker<'_> {
    pub(super) fn operations(&mut self) {
        let function = self.function;
        let entry = function.entry();
        for (block, id) in function.all_instructions() {
            if self.is_full() {
                return;
            }
            let data = function.instruction(id);
            let fault = match &data.operation {
                Operation::Table { form, .. } if form.0 as usize >= pisa_isa::FORMS.len() => {
                    Some((12, format!("there is no form {} in the instruction table", form.0)))
                }
                Operation::Table { form, qualifiers } => {
                    let row = pisa_isa::form(*form);
                    not_of_the_ir(row, data).or_else(|| bad_qualifiers(row, qualifiers))
                }
                Operation::CrossLane(operation) => cross_lane_fault(operation).map(|message| (23, message)),
                Operation::Initial if entry != Some(block) => {
                    Some((24, "`initial` stands in the entry block only".to_owned()))
                }
                _ => None,
            };
            match fault {
                Some((invariant, message)) => self.report(invariant, Some(block), Some(id), message),
                None => {
                    if self.signature(block, id)
                        && let Some(message) = self.elements(data)
                    {
                        self.report(22, Some(block), Some(id), message);
                    }
                }
            }
        }
    }

    /// Invariant 22, of an instruction whose operands and results are of the right sort.
    fn elements(&self, data: &InstructionData) -> Option<String> {
        let operand = |i: usize| data.operands.get(i).and_then(|&operand| self.function.type_of(operand));
        let result = data.result().map(|value| self.function.value(value).ty);
        match &data.operation {
            Operation::Vector(operation) => match operation {
                VectorOperation::Extract { first } => range(*first, result?, operand(0)?),
                VectorOperation::Insert { first } => match (operand(0)?, operand(1)?, result?) {
                    (whole, _, result) if whole != result => Some(format!(
                        "a `{}` with other elements is no `{}`",
                        type_text(whole),
                        type_text(result)
                    )),
                    (whole, part, _) => range(*first, part, whole),
                },
                VectorOperation::Pack | VectorOperation::Unpack => {
                    let (from, to) = (operand(0)?, result?);
                    (from.total_bits() != to.total_bits()).then(|| {
                        format!(
                            "`{}` and `{}` have different numbers of bits",
                            type_text(from),
                            type_text(to)
                        )
                    })
                }
            },
            Operation::Table { form, qualifiers } => {
                let row = pisa_isa::form(*form);
                row.restrictions.iter().find_map(|restriction| {
                    let ty = |name| self.type_of_operand(row, data, name);
                    let index = || number(row, qualifiers, SlotName::Index);
                    match &restriction.rule {
                        Rule::IndexInRange { operand } => {
                            range(index()?, RegisterType::scalar(ty(operand)?.bits), ty(operand)?)
                        }
                        Rule::IndexSum { part, whole } => range(index()?, ty(part)?, ty(whole)?),
                        Rule::IndexAligned { operand } => {
                            let (index, count) = (index()?, ty(operand)?.elements);
                            // D-16
                            (count == 0 || !index.is_multiple_of(count))
                                .then(|| format!("element {index} is not a multiple of the {count} elements"))
                        }
                        _ => None,
                    }
                })
            }
            _ => None,
        }
    }

    /// The type of the operand or result with a name of the specification.
    fn type_of_operand(&self, row: &Form, data: &InstructionData, name: &str) -> Option<RegisterType> {
        let (position, definition) = row.operand(name)?;
        let is_result = |access| access != pisa_isa::Access::Read;
        let before = row.operands[..position]
            .iter()
            .filter(|other| is_result(other.access) == is_result(definition.access));
        let before = before.count();
        if is_result(definition.access) {
            data.results.get(before).map(|&value| self.function.value(value).ty)
        } else {
            data.operands.get(before).and_then(|&operand| self.function.type_of(operand))
        }
    }
}

/// Whether elements `first…` of a vector are a `part`.
fn range(first: u8, part: RegisterType, whole: RegisterType) -> Option<String> {
    if part.bits != whole.bits {
        return Some(format!("`{}` is no part of `{}`", type_text(part), type_text(whole)));
    }
    let last = u32::from(first) + u32::from(part.elements);
    (last > u32::from(whole.elements))
        .then(|| format!("elements {first} to {} are past the end of `{}`", last - 1, type_text(whole)))
}

fn number(row: &Form, values: &SlotValues, name: SlotName) -> Option<u8> {
    match values[row.slot(name)?.0] {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// Invariant 12.
fn not_of_the_ir(row: &Form, data: &InstructionData) -> Option<(u8, String)> {
    let opcode = row.opcode.text();
    let message = match row.opcode.chapter() {
        Chapter::ControlFlow => format!("`{opcode}` is a call or the end of a block, no table operation"),
        Chapter::CrossLane => format!("`{opcode}` is a cross-lane operation, no table operation"),
        _ if row.opcode == Opcode::Mov => {
            if row.operands.iter().any(|operand| operand.kind == OperandKind::Swizzle) {
                "elements of vectors are not moved by `mov`, but by vector operations".to_owned()
            } else if matches!(data.operands.first(), Some(Operand::Constant(_) | Operand::Special(_)) | None)
            {
                return None;
            } else {
                "`mov` gives a name to a constant or special register; a value has its own".to_owned()
            }
        }
        _ => return None,
    };
    Some((12, message))
}

/// Whether a slot can hold a value.
fn takes(slot: &Slot, value: Value) -> bool {
    match (slot.values, value) {
        (_, Value::Absent) => slot.optional,
        (Values::OneOf(list), Value::Named(qualifier)) => list.contains(&qualifier),
        (Values::Index, Value::Number(number)) => number < 64,
        (Values::TruthTable, Value::Number(number)) => (1..=254).contains(&number),
        _ => false,
    }
}

/// Invariant 13. What the specification forbids but known producers print (departures) is in valid modules.
fn bad_qualifiers(row: &Form, values: &SlotValues) -> Option<(u8, String)> {
    let slots = row.slots.iter().zip(values);
    if let Some((slot, _)) = slots.clone().find(|(slot, value)| !takes(slot, **value)) {
        let (opcode, name) = (row.opcode.text(), slot.name.text());
        return Some((13, format!("`{opcode}` cannot have what it has for `.{name}`")));
    }
    if values[row.slots.len()..].iter().any(|value| *value != Value::Absent) {
        return Some((13, format!("`{}` has more qualifiers than slots", row.opcode.text())));
    }
    let violations = row.violations(values);
    let broken = violations.iter().find(|restriction| !restriction.departure)?;
    Some((13, format!("`{}`: {}", row.mnemonic(values), broken.text)))
}

/// Whether a cross-lane operation is one: invariant 23.
#[cfg(test)]
pub(crate) fn is_well_formed(operation: &CrossLane) -> bool {
    cross_lane_fault(operation).is_none()
}

/// Invariant 23.
fn cross_lane_fault(operation: &CrossLane) -> Option<String> {
    use CrossLaneKind as K;
    let text = cross_lane_text(operation);
    let element = operation.element;
    match operation.kind {
        K::Ballot { .. } | K::VoteAny | K::VoteAll | K::QuadAny | K::QuadAll
            if element != Element::Predicate =>
        {
            Some(format!("`{text}` is on predicates only"))
        }
        K::Ballot { bits } if bits != 32 && bits != 64 => {
            Some(format!("`{text}`: a ballot has 32 or 64 bits"))
        }
        K::ActiveMask | K::Elect | K::FirstParticipant
            if element != Element::I32 || operation.inactive != InactiveSource::Own =>
        {
            Some(format!(
                "`{text}` reads nothing from any lane, so its element is `i32` and its source the own lane"
            ))
        }
        K::Reduce { reduction, .. } if !reduction.applies_to(element) => {
            Some(format!("`{text}`: the reduction is not defined on this type"))
        }
        K::Reduce { partitioned: true, cluster, .. } if cluster.lanes() != 32 => {
            Some(format!("`{text}`: a partition and a cluster together"))
        }
        K::Derivative { axis: Axis::Diagonal, .. } => {
            Some(format!("`{text}`: a derivative is horizontal or vertical"))
        }
        K::Derivative { .. } if !element.is_float() => {
            Some(format!("`{text}`: a derivative is one of floating-point numbers"))
        }
        _ => None,
    }
}
