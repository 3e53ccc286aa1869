//! Loads and stores in private memory.
#![allow(unsafe_code)] // Data planes are raw memory.

use super::element::Element;
use super::linear::further;
use crate::batch::LANES;
use crate::moves::each_lane;
use crate::private::Private;

/// Private memory of a sub-group as an activation sees it.
pub(super) struct Stack<'a> {
    /// The memory.
    pub(super) private: &'a mut Private,
    /// Behind it nothing lives: it is out of bounds.
    pub(super) top: u64,
}

impl Stack<'_> {
    /// The address of words that all lanes access together: a whole sub-group, one address, aligned words.
    #[inline(always)]
    fn common<T: Element>(&self, lanes: &[u64; LANES], mask: u32) -> Option<u32> {
        let first = lanes[0];
        let fits = mask == u32::MAX && T::BYTES == 4 && first.is_multiple_of(4) && first + 4 <= self.top;
        (fits && lanes.iter().fold(0, |all, a| all | a ^ first) == 0).then_some(first as u32)
    }

    /// # Safety
    /// `data` has `elements` rows of 32 lanes, `stride` elements apart.
    #[inline(always)]
    pub(super) unsafe fn load<T: Element + FromWide>(
        &mut self,
        lanes: &[u64; LANES],
        mask: u32,
        elements: usize,
        data: *mut T,
        stride: usize,
    ) {
        if elements == 1
            && let Some(address) = self.common::<T>(lanes, mask)
            && let Some(row) = self.private.row(address)
        {
            // SAFETY: `T` has 4 bytes, and the data 32 lanes.
            unsafe { data.cast::<[u32; LANES]>().write(*row) };
            return;
        }
        each_lane(mask, |lane| {
            for element in 0..elements {
                let address = further(lanes[lane], element * T::BYTES, false);
                let inside = address.checked_add(T::BYTES as u64).is_some_and(|end| end <= self.top);
                let value = if inside {
                    T::from_wide(self.private.load(lane, address as u32, T::BYTES as u32))
                } else {
                    T::UNDEFINED
                };
                // SAFETY: by the contract above.
                unsafe { *data.add(element * stride + lane) = value };
            }
        });
    }

    /// # Safety
    /// As [`Stack::load`].
    #[inline(always)]
    pub(super) unsafe fn store<T: Element + FromWide>(
        &mut self,
        lanes: &[u64; LANES],
        mask: u32,
        elements: usize,
        data: *const T,
        stride: usize,
    ) {
        if elements == 1
            && let Some(address) = self.common::<T>(lanes, mask)
            && let Some(row) = self.private.row(address)
        {
            // SAFETY: `T` has 4 bytes, and the data 32 lanes.
            *row = unsafe { data.cast::<[u32; LANES]>().read() };
            return;
        }
        each_lane(mask, |lane| {
            for element in 0..elements {
                let address = further(lanes[lane], element * T::BYTES, false);
                if address.checked_add(T::BYTES as u64).is_some_and(|end| end <= self.top) {
                    // SAFETY: by the contract above.
                    let value = unsafe { *data.add(element * stride + lane) };
                    self.private.store(lane, address as u32, T::BYTES as u32, value.wide());
                }
            }
        });
    }
}

/// To and from 128 bits.
pub(super) trait FromWide {
    fn from_wide(value: u128) -> Self;
    fn wide(self) -> u128;
}

macro_rules! from_wide {
    ($($t:ty)*) => { $(
        impl FromWide for $t {
            #[inline(always)]
            fn from_wide(value: u128) -> $t {
                value as $t
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }
        }
    )* };
}
from_wide! { u8 u16 u32 u64 u128 }
