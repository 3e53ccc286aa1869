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
            let from = unsafe { &*batch.at::<u64>(plane).add(subgroup * LANES).cast::<[u64; LANES]>() };
            std::array::from_fn(|lane| from[lane].wrapping_add(known))
        }
        // SAFETY: a plane of this batch with elements of this width.
        Base::Lanes(plane, bits) => unsafe {
            widened(batch, plane, bits, subgroup, false).map(|a| a.wrapping_add(known))
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
    // SAFETY: by the contract of the caller.
    unsafe {
        let at = subgroup * LANES;
        match (bits, signed) {
            (8, true) => (*batch.at::<i8>(plane).add(at).cast::<[i8; LANES]>()).map(|v| v as u64),
            (8, false) => (*batch.at::<u8>(plane).add(at).cast::<[u8; LANES]>()).map(u64::from),
            (16, true) => (*batch.at::<i16>(plane).add(at).cast::<[i16; LANES]>()).map(|v| v as u64),
            (16, false) => (*batch.at::<u16>(plane).add(at).cast::<[u16; LANES]>()).map(u64::from),
            (32, true) => (*batch.at::<i32>(plane).add(at).cast::<[i32; LANES]>()).map(|v| v as u64),
            (32, false) => (*batch.at::<u32>(plane).add(at).cast::<[u32; LANES]>()).map(u64::from),
            (64, _) => *batch.at::<u64>(plane).add(at).cast::<[u64; LANES]>(),
            _ => (*batch.at::<u128>(plane).add(at).cast::<[u128; LANES]>()).map(|v| v as u64),
        }
    }
}
