//! Chapter 7 of the instruction reference: sub-group communication.
//!
//! Each function gives one element of `dst` for the lane `laneid`, or `None` where the lane does not take part and keeps
//! its old `dst` (S-03). All lanes' sources were read before (S-19). A mask that is not the same in all lanes is taken
//! by each lane as it has it (S-01).

use crate::bits::{field, signed, truncate};
use crate::floating_point::{bits, in_format, number};
use crate::qualifiers::Qualifiers;
use pisa_float as float;
use pisa_isa::{Qualifier, SlotName};

/// Lanes of a sub-group.
pub(crate) const LANES: usize = 32;

/// The sources of all lanes that execute the instruction together; 0 in the others.
pub(crate) struct SubGroup {
    /// `%activemask`.
    pub(crate) activemask: u32,
    /// By operand, by lane: of a packed operand the element in question.
    pub(crate) src: [[u128; LANES]; 3],
}

/// The lanes of a set, lowest first.
pub(crate) fn lanes_of(set: u32) -> impl DoubleEndedIterator<Item = usize> + Clone {
    (0..LANES).filter(move |lane| set >> lane & 1 == 1)
}

/// 7.1 `fred`: the least, greatest or greatest absolute number of the participating lanes (S-20 to S-24, S-29).
pub(crate) fn fred(q: &Qualifiers, group: &SubGroup, laneid: usize) -> Option<u128> {
    let [src0, src1, _] = &group.src;
    let participating = src1[laneid] as u32 & group.activemask;
    if (1 << laneid) & participating == 0 {
        return None;
    }
    let nanp = q.has(SlotName::Nanp);
    Some(in_format!(q.format(SlotName::Type), T => {
        let numbers = lanes_of(participating).map(|lane| number::<T>(src0[lane]));
        bits::<T>(match q.get(SlotName::Op) {
            Some(Qualifier::Min) => float::reduce_min::<T>(numbers, nanp),
            Some(Qualifier::Max) => float::reduce_max::<T>(numbers, nanp),
            _ => float::reduce_absmax::<T>(numbers, nanp),
        })
    }))
}

/// 7.2 `ired`: sum, extremes or bitwise combination of the participating lanes (S-26 to S-29).
pub(crate) fn ired(q: &Qualifiers, group: &SubGroup, laneid: usize) -> Option<u128> {
    let [src0, src1, _] = &group.src;
    let participating = src1[laneid] as u32 & group.activemask;
    if (1 << laneid) & participating == 0 {
        return None;
    }
    let width = q.width();
    let values = lanes_of(participating).map(|lane| src0[lane]);
    match q.get(SlotName::Op) {
        Some(Qualifier::Sum) => values.reduce(u128::wrapping_add),
        Some(Qualifier::Smin) => values.min_by_key(|&x| signed(x, width)),
        Some(Qualifier::Smax) => values.max_by_key(|&x| signed(x, width)),
        Some(Qualifier::Umin) => values.min(),
        Some(Qualifier::Umax) => values.max(),
        Some(Qualifier::And) => values.reduce(|a, b| a & b),
        Some(Qualifier::Or) => values.reduce(|a, b| a | b),
        Some(Qualifier::Xor) => values.reduce(|a, b| a ^ b),
        // `umax(iabs(…))`: the least number is its own absolute value and hence the largest (S-28).
        _ => values.map(|x| truncate(signed(x, width).unsigned_abs(), width)).max(),
    }
}

/// 7.3 `redfirstidx`: the lowest participating lane, for every active lane (S-06); all ones where there is none (S-05).
pub(crate) fn redfirstidx(_: &Qualifiers, group: &SubGroup, laneid: usize) -> Option<u128> {
    let [src0, ..] = &group.src;
    let participating = src0[laneid] as u32 & group.activemask;
    Some(lanes_of(participating).next().map_or(u128::MAX, |lane| lane as u128))
}

/// 7.4 `shfl`: `src0` of another lane, or the own one where that is out of bounds or does not take part
/// (S-07 to S-09, S-13 to S-18).
pub(crate) fn shfl(q: &Qualifiers, group: &SubGroup, laneid: usize) -> Option<u128> {
    let [src0, src1, src2] = &group.src;
    let participating = src2[laneid] as u32 & group.activemask;
    if (1 << laneid) & participating == 0 {
        return None;
    }
    let op = q.get(SlotName::Op);
    let up = op == Some(Qualifier::Up);
    let lane_offset = field(src1[laneid], 0, 5) as i32;
    let (cval, segmask) = if q.has(SlotName::Sg) {
        (field(src1[laneid], 8, 5) as i32, field(src1[laneid], 16, 5) as i32)
    } else {
        (if up { 0x0 } else { 0x1F }, 0x0)
    };
    // All are numbers of 5 bits; differences are signed (S-07).
    let lane = laneid as i32;
    let clamp_lane = (lane & segmask) | (cval & !segmask);
    let min_lane = lane & segmask;
    let src_lane = match op {
        Some(Qualifier::Up) => lane - lane_offset,
        Some(Qualifier::Dn) => lane + lane_offset,
        Some(Qualifier::Xor) => lane ^ lane_offset,
        _ => min_lane | (lane_offset & !segmask),
    };
    let in_bounds = if up { src_lane >= clamp_lane } else { src_lane <= clamp_lane };
    // In bounds, 0 <= src_lane <= 31 (S-13).
    if !in_bounds || participating >> src_lane & 1 == 0 {
        Some(src0[laneid])
    } else {
        Some(src0[src_lane as usize])
    }
}
