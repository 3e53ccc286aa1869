//! Private memory: one stack a lane, the lanes of a sub-group interleaved by words.
//!
//! A function's variables lie at the same address in every lane that called it the same way, so an access of all lanes
//! mostly goes to one address, and its words are neighbours on the host.

use crate::batch::LANES;

/// Every fourth of the pattern of undefined bytes (V-13).
const UNDEFINED_WORD: u32 = 0xCDCD_CDCD;

/// Private memory of a sub-group.
#[derive(Default)]
pub(crate) struct Private {
    /// Word `w` of lane `l` is at `w * 32 + l`.
    words: Vec<u32>,
}

impl Private {
    /// Begins a frame for some lanes: room for it, and undefined bytes in it. `base` and `size` are multiples of 4.
    /// False where the host has no room.
    pub(crate) fn enter(&mut self, base: u32, size: u32, lanes: u32) -> bool {
        let (from, to) = (base as usize / 4 * LANES, (base as usize + size as usize) / 4 * LANES);
        if to > self.words.len() {
            let more = to - self.words.len();
            if self.words.try_reserve(more).is_err() {
                return false;
            }
            self.words.resize(to, UNDEFINED_WORD);
        }
        for row in self.words[from..to].chunks_exact_mut(LANES) {
            if lanes == u32::MAX {
                row.fill(UNDEFINED_WORD);
            } else {
                crate::moves::each_lane(lanes, |lane| row[lane] = UNDEFINED_WORD);
            }
        }
        true
    }

    /// Bytes of one lane, up to 16 of them; `address` and all behind it are below `top`, checked by the caller.
    #[inline]
    pub(crate) fn load(&self, lane: usize, address: u32, bytes: u32) -> u128 {
        let word =
            |at: u32| self.words.get(at as usize / 4 * LANES + lane).copied().unwrap_or(UNDEFINED_WORD);
        if bytes == 4 && address.is_multiple_of(4) {
            return u128::from(word(address));
        }
        (0..bytes).rev().fold(0, |value, i| {
            let at = address + i;
            value << 8 | u128::from(word(at) >> (at % 4 * 8) & 0xFF)
        })
    }

    /// The counterpart of [`Private::load`].
    #[inline]
    pub(crate) fn store(&mut self, lane: usize, address: u32, bytes: u32, value: u128) {
        if bytes == 4 && address.is_multiple_of(4) {
            if let Some(word) = self.words.get_mut(address as usize / 4 * LANES + lane) {
                *word = value as u32;
            }
            return;
        }
        for i in 0..bytes {
            let at = address + i;
            if let Some(word) = self.words.get_mut(at as usize / 4 * LANES + lane) {
                let shift = at % 4 * 8;
                *word = *word & !(0xFF << shift) | ((value >> (8 * i)) as u32 & 0xFF) << shift;
            }
        }
    }

    /// The words of all lanes at one address that is a multiple of 4.
    #[inline]
    pub(crate) fn row(&mut self, address: u32) -> Option<&mut [u32; LANES]> {
        let start = address as usize / 4 * LANES;
        self.words.get_mut(start..start + LANES)?.try_into().ok()
    }

    /// Everything, for comparisons of states.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_do_not_meet_and_frames_start_undefined() {
        let mut private = Private::default();
        assert!(private.enter(0, 32, u32::MAX));
        private.store(3, 4, 4, 0x1122_3344);
        private.store(4, 5, 2, 0xABCD);
        private.store(5, 8, 8, 0x0102_0304_0506_0708);
        assert_eq!(private.load(3, 4, 4), 0x1122_3344);
        assert_eq!(private.load(4, 4, 4), 0xCDAB_CDCD);
        assert_eq!(private.load(2, 4, 4), 0xCDCD_CDCD);
        assert_eq!(private.load(5, 10, 4), 0x0304_0506);
        assert_eq!(private.row(4).unwrap()[3], 0x1122_3344);
        assert!(private.row(32).is_none());
        // A new frame in some lanes only.
        assert!(private.enter(0, 16, 1 << 3));
        assert_eq!(private.load(3, 4, 4), 0xCDCD_CDCD);
        assert_eq!(private.load(4, 5, 2), 0xABCD);
    }
}
