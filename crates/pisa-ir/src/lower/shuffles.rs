//! Reading other lanes. Counts are those for 32 bits; other widths add what [words](super::words) says.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | shuffle | `shfl` | 1 |
//! | read invocation | `shfl.idx d, x, lane, mask` | 1 |
//! | read first | `redfirstidx i, mask; shfl.idx d, x, i, mask` | 2 |
//! | rotate by a constant | `iadd t, %laneid, n; shfl.idx d, x, t, mask` | 2 |
//! | … in clusters | `iadd t, %laneid, n + segments; shfl.idx.sg` | 2 |
//! | … by a register | `iadd t, %laneid, n; bfn t, t & 31 \| segments; shfl.idx.sg` | 3 |
//!
//! `segments` is the segment mask and clamp of `shfl` (7.4) for clusters of that size.

use crate::lower::emit::{Emitter, LANE};
use crate::lower::group::Group;
use crate::{ClusterSize, Element, Operand, ShuffleKind};

/// `shfl.idx` over the whole sub-group.
pub(super) const INDEX: (ShuffleKind, bool) = (ShuffleKind::Index, false);
/// `shfl.idx.sg`.
pub(super) const INDEX_IN_SEGMENT: (ShuffleKind, bool) = (ShuffleKind::Index, true);

/// Segment mask and clamp of all kinds but `.up` for clusters of so many lanes, in the places that `src1` has for them.
pub(super) fn segments(size: u32) -> u32 {
    ((32 - size) & 31) << 16 | 0x1F00
}

pub(super) fn read_first(
    emitter: &mut Emitter<'_>,
    element: Element,
    data: Operand,
    group: Group,
) -> Operand {
    let first = emitter.first(group.mask);
    emitter.shuffle(INDEX, element, data, first, group)
}

pub(super) fn rotate(
    emitter: &mut Emitter<'_>,
    element: Element,
    cluster: ClusterSize,
    data: Operand,
    index: Operand,
    group: Group,
) -> Operand {
    let size = u32::from(cluster.lanes());
    if size == 1 {
        return emitter.merge(element, data, group);
    }
    let how = if size == 32 { INDEX } else { INDEX_IN_SEGMENT };
    let segments = if size == 32 { 0 } else { segments(size) };
    let lane = match index.constant() {
        Some(distance) => {
            let distance = distance as u32 % size;
            emitter.table("iadd.32b", &[LANE, Operand::word(distance + segments)])
        }
        None => {
            let lane = emitter.table("iadd.32b", &[LANE, index]);
            if size == 32 {
                lane
            } else {
                // (src0 & src1) | src2
                emitter.table("bfn.0xf8.32b", &[lane, Operand::word(31), Operand::word(segments)])
            }
        }
    };
    emitter.shuffle(how, element, data, lane, group)
}
