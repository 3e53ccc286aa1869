//! Derivatives: differences within quads. An inactive neighbour gives the own value, as `shfl` does.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | coarse | `shfl.idx.sg a, x, 0x1c1f01 or 0x1c1f02; shfl.idx.sg b, x, 0x1c1f00; fsub d, a, b` | 3 |
//! | fine, horizontal | `shfl.idx.sg a, x, 0x1e1f01; shfl.idx.sg b, x, 0x1e1f00; fsub d, a, b` | 3 |
//! | fine, vertical | `or l, %laneid, 2; and u, %laneid, ~2; shfl.idx a, x, l; shfl.idx b, x, u; fsub d, a, b` | 5 |

use crate::lower::emit::{Emitter, LANE};
use crate::lower::group::Group;
use crate::lower::shuffles::{INDEX, INDEX_IN_SEGMENT, segments};
use crate::{Axis, Element, Operand};

pub(super) fn lower(
    emitter: &mut Emitter<'_>,
    element: Element,
    axis: Axis,
    fine: bool,
    data: Operand,
) -> Operand {
    let everyone = Group::new(Operand::ALL_LANES, Operand::Dead, false);
    let in_segments = |size: u32, far: u32| {
        [far, 0].map(|lane| Operand::word(segments(size) | lane)).map(|index| (INDEX_IN_SEGMENT, index))
    };
    let neighbours = match (axis, fine) {
        (Axis::Horizontal, true) => in_segments(2, 1),
        (Axis::Horizontal, false) => in_segments(4, 1),
        (Axis::Vertical, false) => in_segments(4, 2),
        (Axis::Vertical | Axis::Diagonal, _) => {
            let lower = emitter.table("or.32b", &[LANE, Operand::word(2)]);
            let upper = emitter.table("and.32b", &[LANE, Operand::word(!2)]);
            [(INDEX, lower), (INDEX, upper)]
        }
    };
    let [far, near] = emitter.shuffles(element, data, neighbours, everyone);
    let ty = element.qualifier().map_or("", |qualifier| qualifier.text());
    let subtract = if element.is_float() { "fsub" } else { "isub" };
    emitter.table(&format!("{subtract}{ty}"), &[far, near])
}
