//! Vectors, and registers that nothing has written.

use super::{Datum, Lanes, NotModelled, lanes_of, truncate};
use crate::{Instruction, Operand, VectorOperation};
use pisa_module::RegisterType;

/// What a register holds that nothing has written: this byte everywhere, the predicates of a sub-group as its bits.
const UNWRITTEN: u128 = u128::from_le_bytes([0xCD; 16]);

impl Lanes {
    pub(super) fn vector(
        &self,
        instruction: Instruction,
        operation: VectorOperation,
        operands: &[Operand],
        ty: RegisterType,
    ) -> Result<Datum, NotModelled> {
        let ill_formed = NotModelled::IllFormed(instruction);
        let (&first_operand, others) = operands.split_first().ok_or(ill_formed)?;
        let width = u32::from(ty.bits);
        let mut results = Datum::default();
        for lane in lanes_of(self.active()) {
            let source = self.read(first_operand, lane)?;
            results[lane] = match operation {
                VectorOperation::Extract { first } => {
                    let first = usize::from(first);
                    let part = source.get(first..first + usize::from(ty.elements));
                    part.ok_or(ill_formed)?.iter().copied().collect()
                }
                VectorOperation::Insert { first } => {
                    let part = self.read(*others.first().ok_or(ill_formed)?, lane)?;
                    let first = usize::from(first);
                    let mut whole = source;
                    whole.get_mut(first..first + part.len()).ok_or(ill_formed)?.copy_from_slice(&part);
                    whole
                }
                VectorOperation::Pack => {
                    let piece = width.checked_div(source.len() as u32).ok_or(ill_formed)?;
                    let row = source.iter().enumerate().try_fold(0, |row, (i, element)| {
                        element.map(|bits| row | truncate(bits, piece) << (i as u32 * piece))
                    });
                    smallvec::smallvec![row.or(self.undefined_element(width))]
                }
                VectorOperation::Unpack => {
                    let row = *source.first().ok_or(ill_formed)?;
                    let piece = |i| {
                        row.map(|row| truncate(row.checked_shr(i * width).unwrap_or(0), width))
                            .or(self.undefined_element(width))
                    };
                    (0..u32::from(ty.elements)).map(piece).collect()
                }
            };
        }
        Ok(results)
    }

    /// A register that nothing has written.
    pub(super) fn initial(&self, ty: RegisterType) -> Datum {
        let mut results = Datum::default();
        for lane in lanes_of(self.active()) {
            let bits = if ty.is_predicate() { UNWRITTEN >> lane } else { UNWRITTEN };
            let element = Some(truncate(bits, u32::from(ty.bits)));
            results[lane] = smallvec::smallvec![element; usize::from(ty.elements)];
        }
        results
    }
}
