//! What is remembered of accesses: who, when, and by which instruction.

use pisa_machine::LANES;

/// Which lanes accessed the bytes of a unit of shadow memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// Consecutive lanes, from this one on, consecutive elements of `1 << shift` bytes: 1, 2, 4, 8 or 16, and less than the
    /// unit has.
    Run { first: u32, shift: u32 },
    /// Each of these lanes every byte.
    Set { lanes: u32 },
}

impl Who {
    /// From this lane on, elements of `1 << shift` bytes, over a unit of `size` bytes.
    pub(super) fn run(first: u32, shift: u32, size: u32) -> Who {
        match 1 << shift >= size {
            true => Who::Set { lanes: 1 << (first % LANES) },
            false => Who::Run { first: first % LANES, shift },
        }
    }

    /// The lanes that accessed a byte of the unit.
    pub(super) fn at(self, byte: u32) -> u32 {
        match self {
            Who::Set { lanes } => lanes,
            Who::Run { first, shift } => 1u32.checked_shl(first + (byte >> shift)).unwrap_or(0),
        }
    }

    /// The lanes that accessed any byte of a unit of this size.
    pub(super) fn lanes(self, size: u32) -> u32 {
        match self {
            Who::Set { lanes } => lanes,
            Who::Run { first, shift } => {
                let count = (size >> shift).max(1);
                (((1u64 << count) - 1) << first) as u32
            }
        }
    }

    /// Bytes of a unit of this size that the same lanes accessed.
    pub(super) fn step(self, size: u32) -> u32 {
        match self {
            Who::Set { .. } => size,
            Who::Run { shift, .. } => 1 << shift,
        }
    }

    /// For a smaller unit at this offset.
    pub(super) fn narrowed(self, offset: u32, size: u32) -> Who {
        match self {
            Who::Set { .. } => self,
            Who::Run { first, shift } => Who::run(first + (offset >> shift), shift, size),
        }
    }

    /// The lane that others are counted from: [`Entry::turned`].
    pub(super) fn base(self) -> u32 {
        match self {
            Who::Set { lanes } => lanes.trailing_zeros() % LANES,
            Who::Run { first, .. } => first,
        }
    }

    /// No byte was accessed by two lanes.
    pub(super) fn is_single(self) -> bool {
        match self {
            Who::Set { lanes } => lanes.is_power_of_two(),
            Who::Run { .. } => true,
        }
    }
}

/// Lanes of a sub-group that accessed a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    /// The sub-group's number in the launch.
    pub(super) subgroup: u32,
    /// Its time.
    pub(super) time: u32,
    /// The site, and in the low byte the element of a run and its first lane, [`SET`] for a set.
    site_who: u32,
    /// Of a set.
    lanes: u32,
}

/// In the low byte of [`Entry::site_who`].
const SET: u32 = 7 << 5;

impl Entry {
    pub(super) fn new(subgroup: u32, time: u32, site: u32, who: Who) -> Entry {
        Entry { subgroup, time, site_who: site << 8, lanes: 0 }.with_who(who)
    }

    pub(super) fn site(&self) -> u32 {
        self.site_who >> 8
    }

    pub(super) fn who(&self) -> Who {
        match self.site_who & 0xFF {
            SET => Who::Set { lanes: self.lanes },
            run => Who::Run { first: run % LANES, shift: run >> 5 },
        }
    }

    pub(super) fn with_who(self, who: Who) -> Entry {
        let (byte, lanes) = match who {
            Who::Set { lanes } => (SET, lanes),
            Who::Run { first, shift } => ((shift << 5) | (first % LANES), 0),
        };
        Entry { site_who: self.site_who & !0xFF | byte, lanes, ..self }
    }

    /// With other lanes, counted in a circle.
    pub(super) fn turned(self, by: u32) -> Entry {
        match self.who() {
            Who::Set { lanes } => Entry { lanes: lanes.rotate_left(by), ..self },
            Who::Run { first, shift } => self.with_who(Who::Run { first: (first + by) % LANES, shift }),
        }
    }

    /// Whether it is the same site at the same time.
    pub(super) fn is_with(&self, other: &Entry) -> bool {
        (self.subgroup, self.time, self.site()) == (other.subgroup, other.time, other.site())
    }

    /// Whether it tells all that another one does.
    pub(super) fn includes(&self, other: &Entry) -> bool {
        match (self.who(), other.who()) {
            (Who::Set { lanes }, Who::Set { lanes: theirs }) => self.is_with(other) && theirs & !lanes == 0,
            _ => self == other,
        }
    }

    /// As two numbers, to tell entries apart.
    pub(super) fn numbers(&self) -> [u64; 2] {
        let pair = |one: u32, two: u32| u64::from(one) << 32 | u64::from(two);
        [pair(self.subgroup, self.time), pair(self.site_who, self.lanes)]
    }
}
