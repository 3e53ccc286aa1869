//! Atomic loads, stores and read-modify-writes: lanes in ascending order (M-17), each element indivisible.
#![allow(unsafe_code)] // Accesses to simulated memory through host pointers, after the bounds check.

use super::element::Element;
use super::linear::Finder;
use crate::batch::LANES;
use crate::code::Modification;
use crate::moves::each_lane;
use pisa_machine::StopReason;
use std::sync::atomic::Ordering;

/// A read-modify-write.
pub(super) struct Modifying<T> {
    /// What it does.
    pub(super) what: Modification,
    /// In which order.
    pub(super) order: Ordering,
    /// `src0` and `src1`, 32 lanes each.
    pub(super) sources: [*const T; 2],
    /// Whether no other thread can reach the memory.
    pub(super) alone: bool,
}

/// Calls `f` for each lane with the place of its element, nothing where it is out of bounds. An address that is not a
/// multiple of the element size stops at its lane (M-13).
#[inline(always)]
fn each<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    mut f: impl FnMut(usize, Option<*mut u8>, bool) -> bool,
) -> Result<(), (StopReason, usize)> {
    let mut left = mask;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let address = lanes[lane];
        if !address.is_multiple_of(T::BYTES as u64) {
            return Err((StopReason::Misaligned(address, T::BYTES as u32), lane));
        }
        let place = finder.find(address, T::BYTES as u64);
        if !f(lane, place, finder.window.writable) {
            return Err((StopReason::StoreToConst(address), lane));
        }
    }
    Ok(())
}

/// # Safety
/// The finder's window is valid; `data` has 32 lanes.
#[inline(always)]
pub(super) unsafe fn load<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    order: Ordering,
    data: *mut T,
) -> Result<(), (StopReason, usize)> {
    let first = lanes[mask.trailing_zeros() as usize % LANES];
    let mut differs = 0;
    each_lane(mask, |lane| differs |= lanes[lane] ^ first);
    if differs == 0 && first.is_multiple_of(T::BYTES as u64) {
        // One access serves all lanes: they could have read one after the other with nobody in between.
        let place = finder.find(first, T::BYTES as u64);
        // SAFETY: the place comes from the finder and is aligned; by the contract above.
        unsafe {
            let value = place.map_or(T::UNDEFINED, |place| T::atomic_read(place, order));
            each_lane(mask, |lane| *data.add(lane) = value);
        }
        return Ok(());
    }
    each::<T>(finder, lanes, mask, |lane, place, _| {
        // SAFETY: the place comes from the finder and is aligned; by the contract above.
        unsafe { *data.add(lane) = place.map_or(T::UNDEFINED, |place| T::atomic_read(place, order)) };
        true
    })
}

/// # Safety
/// As [`load`].
#[inline(always)]
pub(super) unsafe fn store<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    order: Ordering,
    data: *const T,
    changed: &mut bool,
) -> Result<(), (StopReason, usize)> {
    each::<T>(finder, lanes, mask, |lane, place, writable| {
        let Some(place) = place else { return true };
        if writable {
            // SAFETY: the place comes from the finder and is aligned; by the contract above.
            unsafe {
                let value = *data.add(lane);
                *changed |= T::read(place) != value;
                T::atomic_write(place, value, order);
            }
        }
        writable
    })
}

/// # Safety
/// As [`load`]; the sources have 32 lanes.
#[inline(always)]
pub(super) unsafe fn modify<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    how: Modifying<T>,
    data: *mut T,
    changed: &mut bool,
) -> Result<(), (StopReason, usize)> {
    each::<T>(finder, lanes, mask, |lane, place, writable| {
        // SAFETY: the place comes from the finder and is aligned; by the contract above. The sources are read before the
        // destination of the lane is written.
        unsafe {
            let Some(place) = place else {
                *data.add(lane) = T::UNDEFINED;
                return true;
            };
            if !writable {
                return false;
            }
            let (a, b) = (*how.sources[0].add(lane), *how.sources[1].add(lane));
            let new = |old| T::modify(how.what, old, a, b);
            let old = if how.alone {
                let old = T::read(place);
                T::write(place, new(old));
                old
            } else {
                T::update(place, how.order, new)
            };
            *changed |= new(old) != old;
            *data.add(lane) = old;
        }
        true
    })
}
