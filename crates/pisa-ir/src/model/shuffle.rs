//! Which lane a shuffle reads.

use super::LANES;
use crate::ShuffleKind;

/// Where a lane reads by 7.4 `shfl`; `None` where that is out of bounds.
///
/// `src1` has the offset in bits 4 to 0 and, if it counts (`.sg`), the clamp value in bits 12 to 8 and the segment mask in bits 20
/// to 16. All lanes and differences are signed (S-07).
pub(super) fn source(kind: ShuffleKind, segmented: bool, lane: usize, src1: u32) -> Option<usize> {
    let five_bits = |from: u32| (src1 >> from & 0x1F) as i32;
    let lane = lane as i32;
    let offset = five_bits(0);
    let up = kind == ShuffleKind::Up;
    let (clamp_value, segment) = match (segmented, up) {
        (true, _) => (five_bits(8), five_bits(16)),
        (false, true) => (0, 0),
        (false, false) => (31, 0),
    };
    // The bits that tell segments apart come from the own lane, the others from elsewhere (S-09).
    let in_segment = |place: i32| (lane & segment) | (place & !segment);
    let clamp = in_segment(clamp_value);
    let source = match kind {
        ShuffleKind::Up => lane - offset,
        ShuffleKind::Down => lane + offset,
        ShuffleKind::Xor => lane ^ offset,
        ShuffleKind::Index => in_segment(offset),
    };
    let in_bounds = if up { source >= clamp } else { source <= clamp };
    usize::try_from(source).ok().filter(|&source| in_bounds && source < LANES)
}
