//! Handlers of the scheduler's own: copies from plane to plane.
#![allow(unsafe_code)] // Planes are raw memory; the decoder made them for the batch they are used on.

use crate::batch::{Batch, Handler, LANES, Op};

/// The handler that copies operand 1 to operand 0; [`Op::extra`] is the count of elements.
pub(crate) fn copy_handler(bytes: u8) -> Handler {
    match bytes {
        1 => copy::<u8>,
        2 => copy::<u16>,
        4 => copy::<u32>,
        8 => copy::<u64>,
        _ => copy::<u128>,
    }
}

/// Copies `extra` elements.
unsafe fn copy<T: Copy>(batch: &Batch, op: &Op) {
    let bits = size_of::<T>() as u32 * 8;
    for element in 0..op.extra {
        // SAFETY: the caller vouches for the operands.
        unsafe {
            let to = batch.at::<T>(op.operands[0].element(element, bits));
            let from = batch.at::<T>(op.operands[1].element(element, bits));
            copy_lanes(to, from, &batch.masks[..batch.count]);
        }
    }
}

/// Copies the lanes of the masks.
///
/// # Safety
/// Both hold 32 elements a mask; they are the same or do not overlap.
pub(crate) unsafe fn copy_lanes<T: Copy>(to: *mut T, from: *const T, masks: &[u32]) {
    for (subgroup, &mask) in masks.iter().enumerate() {
        // SAFETY: by the contract above.
        unsafe {
            let (to, from) = (to.add(subgroup * LANES), from.add(subgroup * LANES));
            match mask {
                0 => {}
                u32::MAX => to.copy_from(from, LANES),
                _ => each_lane(mask, |lane| *to.add(lane) = *from.add(lane)),
            }
        }
    }
}

/// [`copy_lanes`] for elements of 1, 2, 4, 8 or 16 bytes, several of them.
///
/// # Safety
/// As [`copy_lanes`], `elements` times in a row; `count` is that of the batch.
pub(crate) unsafe fn copy_elements(
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    elements: usize,
    masks: &[u32],
) {
    let stride = masks.len() * LANES * bytes;
    for element in 0..elements {
        // SAFETY: by the contract above.
        unsafe {
            let (to, from) = (to.add(element * stride), from.add(element * stride));
            match bytes {
                1 => copy_lanes::<u8>(to, from, masks),
                2 => copy_lanes::<u16>(to.cast(), from.cast(), masks),
                4 => copy_lanes::<u32>(to.cast(), from.cast(), masks),
                8 => copy_lanes::<u64>(to.cast(), from.cast(), masks),
                _ => copy_lanes::<u128>(to.cast(), from.cast(), masks),
            }
        }
    }
}

/// Calls `f` for each lane of a mask, ascending.
#[inline(always)]
pub(crate) fn each_lane(mask: u32, mut f: impl FnMut(usize)) {
    let mut left = mask;
    while left != 0 {
        f(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// Does nothing: stands where an instruction is no computing one.
pub(crate) unsafe fn nothing(_: &Batch, _: &Op) {}
