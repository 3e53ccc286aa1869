//! Where `shfl` reads (spec 7.4, S-07 to S-09, S-13).

use pisa_isa::{Qualifier, SlotName};
use pisa_machine::{LANES, LaneValues};
use pisa_module::Instruction;

/// The lanes that a `shfl` reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sources {
    /// Lanes that take part: active, and in their own mask. The others keep `dst`.
    pub(crate) taking_part: u32,
    /// Those of them whose source is within the segment and the clamp. The others get their own value.
    pub(crate) in_bounds: u32,
    /// By lane that is in bounds: its source.
    pub(crate) lane: [u8; LANES as usize],
}

/// Where the active lanes of a `shfl` read, by their values of `src1` and their masks `src2`.
pub(crate) fn sources(
    instruction: &Instruction,
    active: u32,
    index: &LaneValues,
    masks: &LaneValues,
) -> Sources {
    let direction = instruction.qualifier(SlotName::Op);
    let segments = instruction.has(SlotName::Sg);
    let mut sources = Sources { taking_part: 0, in_bounds: 0, lane: [0; LANES as usize] };
    for lane in 0..LANES {
        let bit = 1 << lane;
        if active & bit == 0 || masks[lane as usize] as u32 & bit == 0 {
            continue;
        }
        sources.taking_part |= bit;
        let word = index[lane as usize] as u32;
        let offset = (word & 31) as i32;
        let up = direction == Some(Qualifier::Up);
        let (clamp, segment) = match segments {
            true => (word >> 8 & 31, word >> 16 & 31),
            false => (if up { 0 } else { 31 }, 0),
        };
        let first = lane & segment;
        let bound = (first | clamp & !segment & 31) as i32;
        let source = match direction {
            Some(Qualifier::Up) => lane as i32 - offset,
            Some(Qualifier::Dn) => lane as i32 + offset,
            Some(Qualifier::Xor) => lane as i32 ^ offset,
            _ => (first | offset as u32 & !segment & 31) as i32,
        };
        if if up { source >= bound } else { source <= bound } {
            sources.in_bounds |= bit;
            sources.lane[lane as usize] = source as u8;
        }
    }
    sources
}
