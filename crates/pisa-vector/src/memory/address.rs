//! Addresses by lane (Z-02).
#![allow(unsafe_code)] // Planes are raw memory.

use crate::Plane;
use crate::batch::{Batch, LANES};
use crate::code::{Access, AccessSpace, Base, Offset};

/// Base plus offset of every lane, wrapped at the address width.
///
/// # Safety
/// The access was decoded for this batch, and the sub-group is one of it.
#[inline(always)]
pub(crate) unsafe fn lane_addresses(
    batch: &Batch,
    access: &Access,
    subgroup: usize,
    private_base: u32,
) -> [u64; LANES] {
    let known = match access.offset {
        Offset::Known(offset) => i64::from(offset) as u64,
        Offset::Lanes(..) => 0,
    };
    let mut lanes = match access.base {
        Base::Known(address) => [address.wrapping_add(known); LANES],
        Base::Frame(offset) => [u64::from(private_base.wrapping_add(offset)).wrapping_add(known); LANES],
        Base::Lanes(plane, 64) => {
            // SAFETY: a plane of 64-bit elements of this batch.
            let mut lanes = unsafe { *batch.at::<u64>(plane).add(subgroup * LANES).cast::<[u64; LANES]>() };
            for lane in &mut lanes {
                *lane = lane.wrapping_add(known);
            }
            lanes
        }
        // SAFETY: a plane of this batch with elements of this width.
        Base::Lanes(plane, bits) => unsafe {
            let mut lanes = widened(batch, plane, bits, subgroup, false);
            for lane in &mut lanes {
                *lane = lane.wrapping_add(known);
            }
            lanes
        },
    };
    if let Offset::Lanes(plane, bits) = access.offset {
        // SAFETY: a plane of this batch with elements of this width.
        let offsets = unsafe { widened(batch, plane, bits, subgroup, true) };
        for (lane, offset) in lanes.iter_mut().zip(offsets) {
            *lane = lane.wrapping_add(offset);
        }
    }
    if matches!(access.space, AccessSpace::Shared | AccessSpace::Private) {
        for lane in &mut lanes {
            *lane &= u64::from(u32::MAX);
        }
    }
    lanes
}

/// Elements extended to 64 bits, of those of 128 bits the low 64.
///
/// # Safety
/// The plane has elements of this width for the batch, and the sub-group is one of it.
#[inline(always)]
pub(crate) unsafe fn widened(
    batch: &Batch,
    plane: Plane,
    bits: u8,
    subgroup: usize,
    signed: bool,
) -> [u64; LANES] {
    let mut lanes = [0; LANES];
    // SAFETY: by the contract of the caller.
    unsafe { widen(batch, plane, (bits, signed), subgroup, &mut lanes) };
    lanes
}

/// [`widened`], to where it is wanted.
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn widen(
    batch: &Batch,
    plane: Plane,
    kind: (u8, bool),
    subgroup: usize,
    into: &mut [u64; LANES],
) {
    macro_rules! widen {
        ($t:ty) => {{
            // SAFETY: by the contract of the caller.
            let from = unsafe { &*batch.at::<$t>(plane).add(subgroup * LANES).cast::<[$t; LANES]>() };
            // A loop: of a chain of closures there may be a call for each lane.
            for (into, &value) in into.iter_mut().zip(from) {
                *into = value as u64;
            }
        }};
    }
    match kind {
        (8, true) => widen!(i8),
        (8, false) => widen!(u8),
        (16, true) => widen!(i16),
        (16, false) => widen!(u16),
        (32, true) => widen!(i32),
        (32, false) => widen!(u32),
        (64, _) => widen!(u64),
        _ => widen!(u128),
    }
}
