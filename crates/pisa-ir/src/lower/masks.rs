//! Operations on masks of lanes.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | equal | `shl d, 1, %laneid` | 1 |
//! | greater or equal, greater | `shl d, -1, %laneid`, `shl d, -2, %laneid` | 1 |
//! | less, less or equal | `shl t, 1, %laneid; isub d, t, 1`, `shl t, 2, %laneid; isub d, t, 1` | 2 |
//! | inverse ballot, bit extract | `ubfe t, m, 1, lane; ucmp.ne d, t, 0` | 2 |
//! | bit count | `cbit` | 1 |
//! | … up to, before the own lane | `and t, m, H3 or H2; cbit d, t` | 2 |
//! | find least | `fbl` | 1 |
//! | find most | `fbh t, m; dp4a.ss d, 31, t, 0x0b0b0bff` | 2 |
//!
//! `fbh` counts from above and gives -1 for the empty mask. 31 - `fbh` would make that 32. The bytes of a count n are (n, 0,
//! 0, 0), those of -1 all -1, so that their product with (-1, 11, 11, 11) is -n or -32, and 31 more is what we want.

use crate::lower::emit::{Emitter, LANE};
use crate::{LaneMask, MaskOperation, Operand, Scope};

pub(super) fn lower(emitter: &mut Emitter<'_>, operation: MaskOperation, operands: &[Operand]) -> Operand {
    let mask = operands.first().copied().unwrap_or(Operand::word(0));
    match operation {
        MaskOperation::Lanes(relation) => emitter.lane_mask(relation),
        MaskOperation::InverseBallot => bit(emitter, mask, LANE),
        MaskOperation::BitExtract => {
            let lane = operands.get(1).copied().unwrap_or(Operand::word(0));
            bit(emitter, mask, lane)
        }
        MaskOperation::BitCount(scope) => {
            let relation = match scope {
                Scope::Reduce => None,
                Scope::Inclusive => Some(LaneMask::LessEqual),
                Scope::Exclusive => Some(LaneMask::Less),
            };
            let counted = match relation {
                Some(relation) => {
                    let lanes = emitter.lane_mask(relation);
                    emitter.table("and.32b", &[mask, lanes])
                }
                None => mask,
            };
            emitter.table("cbit.32b", &[counted])
        }
        MaskOperation::FindLeast => emitter.table("fbl.32b", &[mask]),
        MaskOperation::FindMost => {
            let above = emitter.table("fbh.32b", &[mask]);
            emitter.table("dp4a.ss.32b", &[Operand::word(31), above, Operand::word(0x0B0B_0BFF)])
        }
    }
}

/// Whether a lane is in a mask.
pub(super) fn bit(emitter: &mut Emitter<'_>, mask: Operand, lane: Operand) -> Operand {
    let bit = emitter.table("ubfe.32b", &[mask, Operand::word(1), lane]);
    emitter.test("ucmp.ne.32b", &[bit, Operand::word(0)])
}
