//! Lanes of an access by where they go: runs of consecutive addresses, and lanes with one address.

use super::shadow::Pattern;
use pisa_machine::{LANES, LaneValues};

/// Some lanes, and the bytes from the least to the last that they access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) pattern: Pattern,
}

impl Segment {
    /// A run as the segments of its lanes; nothing for others.
    pub(super) fn lanes_apart(self) -> impl Iterator<Item = Segment> {
        let (first, shift, count) = match self.pattern {
            Pattern::Run { first, shift } => (first, shift, self.size >> shift),
            Pattern::All { .. } => (0, 0, 0),
        };
        (0..count).map(move |i| Segment {
            address: self.address.saturating_add(i << shift),
            size: 1 << shift,
            pattern: Pattern::All { lanes: 1u32.checked_shl(first + i as u32).unwrap_or(0) },
        })
    }

    fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }
}

/// The lanes of an access. Kept from step to step for its room.
#[derive(Debug, Default)]
pub(super) struct Segments {
    pub(super) list: Vec<Segment>,
}

impl Segments {
    /// Sorts the lanes of an access of `size` bytes each.
    pub(super) fn fill(&mut self, addresses: &LaneValues, lanes: u32, size: u64) {
        self.list.clear();
        let shift = size.trailing_zeros();
        let may_run = size.is_power_of_two() && size <= 32;
        if lanes == u32::MAX && may_run && addresses[0] & (size - 1) == 0 && is_run(addresses, size) {
            let pattern = Pattern::Run { first: 0, shift };
            self.list.push(Segment { address: addresses[0], size: size * u64::from(LANES), pattern });
            return;
        }
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros();
            let address = addresses[lane as usize];
            left &= left - 1;
            let runs = may_run && address & (size - 1) == 0;
            let (mut count, mut same) = (1u32, 1u32 << lane);
            while left != 0 {
                let next = left.trailing_zeros();
                let there = addresses[next as usize];
                if count == 1 && there == address {
                    same |= 1 << next;
                } else if runs
                    && same.is_power_of_two()
                    && next == lane + count
                    && address.checked_add(u64::from(count) * size) == Some(there)
                {
                    count += 1;
                } else {
                    break;
                }
                left &= left - 1;
            }
            let pattern = match count {
                1 => Pattern::All { lanes: same },
                _ => Pattern::Run { first: lane, shift },
            };
            self.list.push(Segment { address, size: u64::from(count) * size, pattern });
        }
    }

    /// Whether lanes of different segments, or of one with a common address, access the same byte.
    pub(super) fn overlap(&self) -> bool {
        if let [one] = self.list.as_slice() {
            return matches!(one.pattern, Pattern::All { lanes } if !lanes.is_power_of_two());
        }
        if self.list.is_sorted_by(|a, b| a.end() <= b.address) {
            return self.have_sets();
        }
        let mut starts = [(0, 0); LANES as usize];
        let starts = &mut starts[..self.list.len().min(LANES as usize)];
        for (start, segment) in starts.iter_mut().zip(&self.list) {
            *start = (segment.address, segment.end());
        }
        starts.sort_unstable();
        !starts.is_sorted_by(|a, b| a.1 <= b.0) || self.have_sets()
    }

    fn have_sets(&self) -> bool {
        let is_set = |s: &Segment| matches!(s.pattern, Pattern::All { lanes } if !lanes.is_power_of_two());
        self.list.iter().any(is_set)
    }

    /// Unites segments of one address, so that no lane of a store meets another of its own.
    pub(super) fn unite_equal(&mut self) {
        let mut i = 0;
        while i < self.list.len() {
            let mut j = i + 1;
            while j < self.list.len() {
                let (one, two) = (self.list[i], self.list[j]);
                match (one.pattern, two.pattern) {
                    (Pattern::All { lanes: a }, Pattern::All { lanes: b })
                        if one.address == two.address && one.size == two.size =>
                    {
                        self.list[i].pattern = Pattern::All { lanes: a | b };
                        self.list.swap_remove(j);
                    }
                    _ => j += 1,
                }
            }
            i += 1;
        }
    }
}

fn is_run(addresses: &LaneValues, size: u64) -> bool {
    let mut differs = 0;
    for (lane, address) in addresses.iter().enumerate() {
        differs |= address.wrapping_sub(addresses[0].wrapping_add(size * lane as u64));
    }
    differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(lanes: u32, size: u64, address: impl Fn(u64) -> u64) -> Segments {
        let mut addresses = [0; LANES as usize];
        for (lane, value) in addresses.iter_mut().enumerate() {
            *value = address(lane as u64);
        }
        let mut segments = Segments::default();
        segments.fill(&addresses, lanes, size);
        segments
    }

    #[test]
    fn consecutive_lanes_are_one_run() {
        let all = segments(u32::MAX, 4, |lane| 64 + 4 * lane);
        let run = Segment { address: 64, size: 128, pattern: Pattern::Run { first: 0, shift: 2 } };
        assert_eq!(all.list, [run]);
        assert!(!all.overlap());
        // Lanes 4 to 7 of rows that are 16 wide.
        let some = segments(0x00F0_00F0, 4, |lane| 1024 * (lane / 16) + 4 * (lane % 16));
        let run = |address, first| Segment { address, size: 16, pattern: Pattern::Run { first, shift: 2 } };
        assert_eq!(some.list, [run(16, 4), run(1024 + 16, 20)]);
    }

    #[test]
    fn one_address_is_a_set() {
        let all = segments(0xFF, 4, |_| 8);
        assert_eq!(all.list, [Segment { address: 8, size: 4, pattern: Pattern::All { lanes: 0xFF } }]);
        assert!(all.overlap());
    }

    #[test]
    fn elements_that_are_not_aligned_go_one_by_one() {
        let some = segments(0x3, 4, |lane| 2 + 4 * lane);
        let one = |address, lanes| Segment { address, size: 4, pattern: Pattern::All { lanes } };
        assert_eq!(some.list, [one(2, 1), one(6, 2)]);
        assert!(!some.overlap());
        assert!(segments(0x3, 4, |lane| 2 + 2 * lane).overlap());
    }

    #[test]
    fn lanes_of_one_address_meet_wherever_they_are() {
        let mut some = segments(0x7, 4, |lane| [0, 64, 0][lane as usize % 3]);
        assert!(some.overlap());
        some.unite_equal();
        assert_eq!(some.list.len(), 2);
        assert_eq!(some.list[0].pattern, Pattern::All { lanes: 0b101 });
    }
}
