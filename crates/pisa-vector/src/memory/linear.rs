//! Loads and stores in global and shared memory.
#![allow(unsafe_code)] // Accesses to simulated memory through host pointers, after the bounds check.

use super::element::Element;
use crate::batch::LANES;
use crate::moves::each_lane;
use pisa_machine::{Memory, StopReason};

/// A range of simulated addresses and where it lies on the host.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Its first address.
    pub(crate) start: u64,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Where it lies.
    pub(crate) host: *mut u8,
    /// Whether it may be written.
    pub(crate) writable: bool,
}

impl Window {
    /// Holds nothing.
    pub(crate) const EMPTY: Window =
        Window { start: 0, size: 0, host: std::ptr::null_mut(), writable: false };

    /// The place of a range that lies within.
    #[inline(always)]
    fn place(&self, address: u64, bytes: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.start);
        // The first comparison makes the subtraction of the second safe.
        (bytes <= self.size && offset <= self.size - bytes).then(|| self.host.wrapping_add(offset as usize))
    }
}

/// Finds places: in a window, and in all objects where there are some.
pub(super) struct Finder<'a> {
    /// What was met last, or all there is.
    pub(super) window: Window,
    /// Global memory.
    pub(super) memory: Option<&'a Memory>,
}

impl Finder<'_> {
    /// The place of a range that lies in one object.
    #[inline(always)]
    pub(super) fn find(&mut self, address: u64, bytes: u64) -> Option<*mut u8> {
        match self.window.place(address, bytes) {
            Some(place) => Some(place),
            None => self.look_up(address, bytes),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, address: u64, bytes: u64) -> Option<*mut u8> {
        let object = self.memory?.find(address, bytes)?;
        self.window = Window {
            start: object.address,
            size: object.size,
            host: object.host(),
            writable: object.writable,
        };
        self.window.place(address, bytes)
    }
}

/// How the addresses of a full sub-group lie.
#[derive(PartialEq)]
enum Pattern {
    /// One behind the other.
    Rows,
    /// All the same.
    Same,
    /// Otherwise.
    Scattered,
}

#[inline(always)]
fn pattern(lanes: &[u64; LANES], bytes: u64) -> Pattern {
    let first = lanes[0];
    let (mut row, mut same) = (0, 0);
    for (lane, &address) in lanes.iter().enumerate() {
        row |= address ^ first.wrapping_add(lane as u64 * bytes);
        same |= address ^ first;
    }
    match (row, same) {
        (0, _) => Pattern::Rows,
        (_, 0) => Pattern::Same,
        _ => Pattern::Scattered,
    }
}

/// The address of a further element.
#[inline(always)]
pub(super) fn further(address: u64, distance: usize, wide: bool) -> u64 {
    let sum = address.wrapping_add(distance as u64);
    if wide { sum } else { sum & u64::from(u32::MAX) }
}

/// Copies 32 elements as they lie.
#[inline(always)]
unsafe fn copy_row<T: Element>(from: *const u8, to: *mut u8) {
    // In blocks that the compiler turns into vector moves: elements never come apart where they are aligned.
    const BLOCK: usize = 32;
    for block in 0..LANES * T::BYTES / BLOCK {
        // SAFETY: both have room for 32 elements, by the contract of the callers.
        unsafe {
            let value = from.add(block * BLOCK).cast::<[u8; BLOCK]>().read_unaligned();
            to.add(block * BLOCK).cast::<[u8; BLOCK]>().write_unaligned(value);
        }
    }
}

/// Loads elements of the lanes of a mask.
///
/// # Safety
/// The finder's window is valid; `data` has `elements` rows of 32 lanes, `stride` elements apart.
#[inline(always)]
pub(super) unsafe fn load<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    elements: usize,
    wide: bool,
    data: *mut T,
    stride: usize,
) {
    let all = T::BYTES * elements;
    // SAFETY: places come from the finder and are read within the size asked for; lanes lie within `data`.
    unsafe {
        if mask == u32::MAX {
            match pattern(lanes, all as u64) {
                Pattern::Rows => {
                    if let Some(from) = finder.find(lanes[0], (LANES * all) as u64) {
                        match elements {
                            1 => copy_row::<T>(from, data.cast()),
                            2 => gather_rows::<T, 2>(from, data, stride),
                            4 => gather_rows::<T, 4>(from, data, stride),
                            _ => gather_some::<T>(from, elements, data, stride),
                        }
                        return;
                    }
                }
                Pattern::Same => {
                    for element in 0..elements {
                        let address = further(lanes[0], element * T::BYTES, wide);
                        let value = match finder.find(address, T::BYTES as u64) {
                            Some(from) => T::read(from),
                            None => T::UNDEFINED,
                        };
                        let to = data.add(element * stride);
                        (0..LANES).for_each(|lane| *to.add(lane) = value);
                    }
                    return;
                }
                Pattern::Scattered => {}
            }
        }
        each_lane(mask, |lane| {
            let address = lanes[lane];
            if let Some(from) = finder.find(address, all as u64) {
                for element in 0..elements {
                    *data.add(element * stride + lane) = T::read(from.add(element * T::BYTES));
                }
                return;
            }
            for element in 0..elements {
                let at = further(address, element * T::BYTES, wide);
                let from = finder.find(at, T::BYTES as u64);
                *data.add(element * stride + lane) = from.map_or(T::UNDEFINED, |from| T::read(from));
            }
        });
    }
}

#[inline(always)]
unsafe fn gather_rows<T: Element, const N: usize>(from: *const u8, data: *mut T, stride: usize) {
    for lane in 0..LANES {
        for element in 0..N {
            // SAFETY: by the contract of `load`.
            unsafe {
                *data.add(element * stride + lane) = T::read(from.add((lane * N + element) * T::BYTES));
            }
        }
    }
}

#[inline(always)]
unsafe fn gather_some<T: Element>(from: *const u8, elements: usize, data: *mut T, stride: usize) {
    for lane in 0..LANES {
        for element in 0..elements {
            // SAFETY: by the contract of `load`.
            unsafe {
                let at = from.add((lane * elements + element) * T::BYTES);
                *data.add(element * stride + lane) = T::read(at);
            }
        }
    }
}

/// Stores elements of the lanes of a mask, ascending (M-16). A store to constant memory stops at its lane (V-14).
///
/// # Safety
/// As [`load`].
#[inline(always)]
pub(super) unsafe fn store<T: Element>(
    finder: &mut Finder<'_>,
    lanes: &[u64; LANES],
    mask: u32,
    elements: usize,
    wide: bool,
    data: *const T,
    stride: usize,
) -> Result<(), (StopReason, usize)> {
    let all = T::BYTES * elements;
    // SAFETY: places come from the finder and are written within the size asked for; lanes lie within `data`.
    unsafe {
        if mask == u32::MAX
            && pattern(lanes, all as u64) == Pattern::Rows
            && let Some(to) = finder.find(lanes[0], (LANES * all) as u64)
        {
            if !finder.window.writable {
                return Err((StopReason::StoreToConst(lanes[0]), 0));
            }
            if elements == 1 {
                copy_row::<T>(data.cast(), to);
            } else {
                for lane in 0..LANES {
                    for element in 0..elements {
                        let at = to.add((lane * elements + element) * T::BYTES);
                        T::write(at, *data.add(element * stride + lane));
                    }
                }
            }
            return Ok(());
        }
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            for element in 0..elements {
                let address = further(lanes[lane], element * T::BYTES, wide);
                if let Some(to) = finder.find(address, T::BYTES as u64) {
                    if !finder.window.writable {
                        return Err((StopReason::StoreToConst(address), lane));
                    }
                    T::write(to, *data.add(element * stride + lane));
                }
            }
        }
    }
    Ok(())
}
