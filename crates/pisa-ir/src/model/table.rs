//! Instructions of the table.

use super::{Datum, Elements, Lanes, NotModelled, lanes_of};
use crate::{Instruction, Operand};
use pisa_isa::{Access, Form, FormId, Opcode, SlotValues};
use pisa_module::RegisterType;
use pisa_reference::Evaluator;
use smallvec::SmallVec;

impl Lanes {
    pub(super) fn table(
        &self,
        instruction: Instruction,
        form: FormId,
        qualifiers: &SlotValues,
        operands: &[Operand],
        types: &[RegisterType],
    ) -> Result<Vec<Datum>, NotModelled> {
        let row: &Form = pisa_isa::form(form);
        let evaluator = Evaluator::of(form, qualifiers).filter(|evaluator| !evaluator.is_cross_lane());
        let evaluator = evaluator.ok_or(NotModelled::Reaches(instruction))?;
        let with = |access| row.operands.iter().filter(move |operand| operand.access == access);
        let kept = with(Access::ReadWrite).count();
        let read = operands.len().checked_sub(kept).ok_or(NotModelled::IllFormed(instruction))?;
        if read != with(Access::Read).count() || types.len() != with(Access::Write).count() + kept {
            return Err(NotModelled::IllFormed(instruction));
        }
        let each_width = |ty: &RegisterType| vec![u32::from(ty.bits); usize::from(ty.elements)];
        let widths: Vec<u32> = types.iter().flat_map(each_width).collect();
        let mut results = vec![Datum::default(); types.len()];
        for lane in lanes_of(self.active()) {
            let mut values: SmallVec<[Elements; 4]> =
                operands.iter().map(|&operand| self.read(operand, lane)).collect::<Result<_, _>>()?;
            if row.opcode == Opcode::Sel {
                ignore_unselected(&mut values);
            }
            let mut elements = Vec::new();
            if let Some(values) = defined(&values) {
                let sources: SmallVec<[&[u128]; 4]> = values[..read].iter().map(|value| &value[..]).collect();
                // All destinations that keep something are the only ones (`insert`).
                elements.extend(
                    evaluator.lane(&sources, &values[read..].concat(), &widths).into_iter().map(Some),
                );
            } else {
                elements.extend(widths.iter().map(|&width| self.undefined_element(width)));
            }
            let mut elements = elements.into_iter();
            for (result, ty) in results.iter_mut().zip(types) {
                result[lane] = elements.by_ref().take(usize::from(ty.elements)).collect();
            }
        }
        Ok(results)
    }
}

/// The bits of all elements; `None` where one is undefined.
fn defined(values: &[Elements]) -> Option<Vec<Vec<u128>>> {
    values.iter().map(|value| value.iter().copied().collect()).collect()
}

/// What `sel` does not choose does not matter.
fn ignore_unselected(values: &mut [Elements]) {
    if let [first, second, selector] = values
        && let Some(&Some(selector)) = selector.first()
    {
        let unselected = if selector != 0 { second } else { first };
        unselected.iter_mut().for_each(|element| *element = Some(0));
    }
}
