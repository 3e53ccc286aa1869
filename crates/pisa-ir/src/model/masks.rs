//! Operations on masks of lanes.

use super::{Datum, Lanes, NotModelled, lanes_of};
use crate::{Instruction, LaneMask, MaskOperation, Operand, Scope};

impl Lanes {
    pub(super) fn mask(
        &self,
        instruction: Instruction,
        operation: MaskOperation,
        operands: &[Operand],
    ) -> Result<Datum, NotModelled> {
        let width = match operation {
            MaskOperation::InverseBallot | MaskOperation::BitExtract => 1,
            _ => 32,
        };
        let needed = match operation {
            MaskOperation::Lanes(_) => 0,
            MaskOperation::BitExtract => 2,
            _ => 1,
        };
        if operands.len() != needed {
            return Err(NotModelled::IllFormed(instruction));
        }
        let mut results = Datum::default();
        for lane in lanes_of(self.active()) {
            let mut words = [Some(0); 2];
            for (word, &operand) in words.iter_mut().zip(operands) {
                *word = self.read(operand, lane)?.first().copied().flatten();
            }
            let result = match words {
                [Some(mask), Some(other)] => {
                    Some(u128::from(of_lane(operation, lane, mask as u32, other as u32)))
                }
                _ => self.undefined_element(width),
            };
            results[lane] = smallvec::smallvec![result];
        }
        Ok(results)
    }
}

fn of_lane(operation: MaskOperation, own: usize, mask: u32, other: u32) -> u32 {
    let count = |wanted: &dyn Fn(usize) -> bool| lanes_of(mask).filter(|&lane| wanted(lane)).count() as u32;
    match operation {
        MaskOperation::Lanes(relation) => {
            let stands_so = |lane: usize| match relation {
                LaneMask::Equal => lane == own,
                LaneMask::GreaterEqual => lane >= own,
                LaneMask::Greater => lane > own,
                LaneMask::LessEqual => lane <= own,
                LaneMask::Less => lane < own,
            };
            lanes_of(u32::MAX).filter(|&lane| stands_so(lane)).fold(0, |set, lane| set | 1 << lane)
        }
        MaskOperation::InverseBallot => mask >> own & 1,
        MaskOperation::BitExtract => mask >> (other % 32) & 1,
        MaskOperation::BitCount(Scope::Reduce) => count(&|_| true),
        MaskOperation::BitCount(Scope::Inclusive) => count(&|lane| lane <= own),
        MaskOperation::BitCount(Scope::Exclusive) => count(&|lane| lane < own),
        MaskOperation::FindLeast => lanes_of(mask).next().map_or(u32::MAX, |lane| lane as u32),
        MaskOperation::FindMost => lanes_of(mask).next_back().map_or(u32::MAX, |lane| lane as u32),
    }
}
