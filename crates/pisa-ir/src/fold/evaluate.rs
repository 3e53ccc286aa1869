//! Operations on constants.

use crate::{Constant, MaskOperation, Operand, Operation, Scope, VectorOperation};
use pisa_isa::Access;
use pisa_module::RegisterType;
use pisa_reference::Evaluator;
use smallvec::SmallVec;

/// What an operation gives for operands that are all constants, by result; `types` are those of the results.
///
/// `None` where an operand is no constant or what it gives depends on more than its operands: on other lanes, the own lane,
/// memory, a launch.
pub fn evaluate(
    operation: &Operation,
    operands: &[Operand],
    types: &[RegisterType],
) -> Option<SmallVec<[Constant; 1]>> {
    if operands.is_empty() || !operation.properties().is_pure() {
        return None;
    }
    let constants: SmallVec<[Constant; 4]> = operands
        .iter()
        .map(|operand| match operand {
            Operand::Constant(constant) => Some(*constant),
            _ => None,
        })
        .collect::<Option<_>>()?;
    match (operation, types) {
        (Operation::Table { .. }, _) => table(operation, &constants, types),
        (Operation::Mask(operation), &[ty]) => {
            Some(smallvec::smallvec![Constant::new(mask(*operation, &constants)?, ty)])
        }
        (Operation::Vector(operation), &[ty]) => {
            Some(smallvec::smallvec![Constant::new(vector(*operation, &constants, ty)?, ty)])
        }
        _ => None,
    }
}

fn table(
    operation: &Operation,
    constants: &[Constant],
    types: &[RegisterType],
) -> Option<SmallVec<[Constant; 1]>> {
    let Operation::Table { form, qualifiers } = operation else { return None };
    let row = pisa_isa::form(*form);
    let evaluator = Evaluator::of(*form, qualifiers).filter(|evaluator| !evaluator.is_cross_lane())?;
    if types.iter().any(|ty| ty.total_bits() > 128) {
        return None;
    }
    let kept = row.operands.iter().filter(|operand| operand.access == Access::ReadWrite).count();
    let written = row.operands.iter().filter(|operand| operand.access == Access::Write).count();
    let read = constants.len().checked_sub(kept)?;
    let reads = row.operands.iter().filter(|operand| operand.access == Access::Read).count();
    if read != reads || types.len() != written + kept {
        return None;
    }
    let values: SmallVec<[Vec<u128>; 4]> = constants.iter().map(|constant| elements(*constant)).collect();
    let sources: SmallVec<[&[u128]; 4]> = values[..read].iter().map(|value| &value[..]).collect();
    let widths: Vec<u32> =
        types.iter().flat_map(|ty| vec![u32::from(ty.bits); usize::from(ty.elements)]).collect();
    let mut results = evaluator.lane(&sources, &values[read..].concat(), &widths).into_iter();
    let of_type = |&ty: &RegisterType| {
        let elements: SmallVec<[u128; 4]> = results.by_ref().take(usize::from(ty.elements)).collect();
        Constant::new(row_of(&elements, ty.bits), ty)
    };
    Some(types.iter().map(of_type).collect())
}

/// The elements of a constant.
fn elements(constant: Constant) -> Vec<u128> {
    let width = u32::from(constant.ty.bits);
    let element = |number: u32| cut(constant.bits().checked_shr(number * width).unwrap_or(0), width);
    (0..u32::from(constant.ty.elements)).map(element).collect()
}

/// Elements in one row, the first lowest.
fn row_of(elements: &[u128], width: u8) -> u128 {
    let width = u32::from(width);
    let place =
        |(number, &bits): (usize, &u128)| cut(bits, width).checked_shl(number as u32 * width).unwrap_or(0);
    elements.iter().enumerate().map(place).fold(0, |row, bits| row | bits)
}

fn cut(bits: u128, width: u32) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

fn mask(operation: MaskOperation, constants: &[Constant]) -> Option<u128> {
    let word = |number: usize| constants.get(number).map(|constant| constant.bits() as u32);
    let mask = word(0)?;
    let lane = |found: u32| if mask == 0 { u32::MAX } else { found };
    Some(u128::from(match operation {
        MaskOperation::BitExtract => mask >> (word(1)? & 31) & 1,
        MaskOperation::BitCount(Scope::Reduce) => mask.count_ones(),
        MaskOperation::FindLeast => lane(mask.trailing_zeros()),
        MaskOperation::FindMost => lane(31 ^ mask.leading_zeros()),
        // A rule of the own lane where the mask has all lanes or none; else by the lane.
        MaskOperation::Lanes(_) | MaskOperation::InverseBallot | MaskOperation::BitCount(_) => return None,
    }))
}

fn vector(operation: VectorOperation, constants: &[Constant], ty: RegisterType) -> Option<u128> {
    let &first = constants.first()?;
    if constants.iter().any(|constant| constant.ty.total_bits() > 128) || ty.total_bits() > 128 {
        return None;
    }
    match operation {
        // Both are the same bits.
        VectorOperation::Pack | VectorOperation::Unpack => Some(first.bits()),
        VectorOperation::Extract { first: from } => {
            let elements = elements(first);
            let part = elements.get(usize::from(from)..usize::from(from) + usize::from(ty.elements))?;
            Some(row_of(part, ty.bits))
        }
        VectorOperation::Insert { first: from } => {
            let mut whole = elements(first);
            let part = elements(*constants.get(1)?);
            whole.get_mut(usize::from(from)..usize::from(from) + part.len())?.copy_from_slice(&part);
            Some(row_of(&whole, ty.bits))
        }
    }
}
