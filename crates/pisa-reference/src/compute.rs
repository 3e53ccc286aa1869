//! What of an instruction is values alone: neither memory nor control.

use crate::cross_lane::{LANES, SubGroup, lanes_of};
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use crate::semantics::{CrossLaneFunction, Semantics};

/// The elements of all destinations of one lane. `dst` holds the old ones. Nothing for semantics that need more than a
/// lane's sources.
pub(crate) fn lane_elements(semantics: Semantics, q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    match semantics {
        Semantics::Unary(f) => each_element(src, dst, |src| f(q, src)),
        Semantics::Binary(f) => each_element(src, dst, |src| f(q, src)),
        Semantics::Ternary(f) => each_element(src, dst, |src| f(q, src)),
        Semantics::Quaternary(f) => each_element(src, dst, |src| f(q, src)),
        Semantics::Whole(f) => f(q, src, dst),
        Semantics::CrossLane(_) | Semantics::Memory(_) | Semantics::Flow(_) => {}
    }
}

/// Computes each element of the results from that element of `N` sources.
fn each_element<const N: usize>(src: &Sources<'_>, dst: &mut [u128], f: impl Fn([u128; N]) -> u128) {
    for (element, dst) in dst.iter_mut().enumerate() {
        *dst = f(std::array::from_fn(|operand| src.element(operand, element)));
    }
}

/// One element of the destination of a cross-lane instruction, by active lane; `None` where a lane keeps its old one.
/// `source` gives that element of an operand of a lane.
pub(crate) fn cross_lane_element(
    f: CrossLaneFunction,
    q: &Qualifiers,
    active: u32,
    source: impl Fn(usize, usize) -> u128,
) -> impl Iterator<Item = (usize, Option<u128>)> {
    let mut group = SubGroup { activemask: active, src: [[0; LANES]; 3] };
    for lane in lanes_of(active) {
        for (operand, src) in group.src.iter_mut().enumerate() {
            src[lane] = source(operand, lane);
        }
    }
    lanes_of(active).map(move |lane| (lane, f(q, &group, lane)))
}
