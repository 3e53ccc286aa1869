//! What is remembered of accesses: who, when, and by which instruction.

use pisa_machine::LANES;

/// Which lanes accessed the bytes of a unit of shadow memory.
///
/// A run is consecutive lanes with consecutive elements of 1, 2, 4, 8 or 16 bytes; one lane that accesses the whole unit is a
/// run with elements of 32. Each lane of a set accessed every byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Who(u8);

impl Who {
    /// All 32 lanes.
    pub(super) const ALL: Who = Who(6 << 5);
    /// The lanes of [`Entry::lanes`].
    pub(super) const SET: Who = Who(7 << 5);

    /// From this lane on, elements of `1 << shift` bytes, over a unit of `size` bytes.
    pub(super) fn run(first: u32, shift: u32, size: u32) -> Who {
        let shift = if 1 << shift >= size { 5 } else { shift };
        Who(((shift << 5) | (first % LANES)) as u8)
    }

    pub(super) fn one(lane: u32) -> Who {
        Who(((5 << 5) | (lane % LANES)) as u8)
    }

    fn parts(self) -> (u32, u32) {
        (u32::from(self.0 >> 5), u32::from(self.0) % LANES)
    }

    /// Whether every lane of it accessed every byte.
    pub(super) fn is_set(self) -> bool {
        self.0 >> 5 >= 5
    }

    /// The lanes that accessed a byte of the unit; `set` where it is [`Who::SET`].
    pub(super) fn at(self, byte: u32, set: u32) -> u32 {
        match self.parts() {
            (6, _) => u32::MAX,
            (7, _) => set,
            (shift, first) => 1u32.checked_shl(first + (byte >> shift)).unwrap_or(0),
        }
    }

    /// The lanes that accessed any byte of a unit of this size.
    pub(super) fn lanes(self, size: u32, set: u32) -> u32 {
        match self.parts() {
            (6, _) => u32::MAX,
            (7, _) => set,
            (shift, first) => {
                let count = (size >> shift).max(1);
                (((1u64 << count) - 1) << first) as u32
            }
        }
    }

    /// Bytes of a unit of this size that the same lanes accessed.
    pub(super) fn step(self, size: u32) -> u32 {
        if self.is_set() { size } else { 1 << (self.0 >> 5) }
    }

    /// For a smaller unit at this offset.
    pub(super) fn narrowed(self, offset: u32, size: u32) -> Who {
        match self.parts() {
            (6 | 7, _) => self,
            (shift, first) => Who::run(first + (offset >> shift), shift, size),
        }
    }
}

/// Lanes of a sub-group that accessed a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// The sub-group's number in the launch.
    pub(super) subgroup: u32,
    /// Its time.
    pub(super) time: u32,
    /// The site, and in the low byte who.
    site_who: u32,
}

impl Record {
    /// None.
    pub(super) const NONE: Record = Record { subgroup: u32::MAX, time: 0, site_who: 0 };

    pub(super) fn new(subgroup: u32, time: u32, site: u32, who: Who) -> Record {
        Record { subgroup, time, site_who: site << 8 | u32::from(who.0) }
    }

    pub(super) fn is_none(&self) -> bool {
        self.subgroup == u32::MAX
    }

    pub(super) fn site(&self) -> u32 {
        self.site_who >> 8
    }

    pub(super) fn who(&self) -> Who {
        Who(self.site_who as u8)
    }

    pub(super) fn with_who(self, who: Who) -> Record {
        Record { site_who: self.site_who & !0xFF | u32::from(who.0), ..self }
    }
}

/// One of several records of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) record: Record,
    /// For [`Who::SET`].
    pub(super) lanes: u32,
}

/// What is remembered of the accesses to some consecutive bytes that were all accessed alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    /// The last weak store.
    pub(super) write: Record,
    /// An access since.
    pub(super) other: Record,
    pub(super) link: Link,
}

impl Unit {
    pub(super) const EMPTY: Unit = Unit { write: Record::NONE, other: Record::NONE, link: Link(0) };
}

/// What else belongs to a unit: a tag and an index, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link(u32);

/// [`Link`] as it is matched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linked {
    Nothing,
    /// The accesses since the last weak store are a list; `other` is not used.
    Several(u32),
    /// The bytes were not all accessed alike: smaller units; the records are not used.
    Finer(u32),
    /// `write` is the read of another work-group than that of `other`; there was no store.
    TwoReaders,
}

const INDEX: u32 = (1 << 30) - 1;

impl Link {
    pub(super) const NOTHING: Link = Link(0);
    pub(super) const TWO_READERS: Link = Link(3 << 30);

    pub(super) fn several(index: u32) -> Link {
        Link(1 << 30 | index & INDEX)
    }

    pub(super) fn finer(index: u32) -> Link {
        Link(2 << 30 | index & INDEX)
    }

    pub(super) fn get(self) -> Linked {
        match self.0 >> 30 {
            0 => Linked::Nothing,
            1 => Linked::Several(self.0 & INDEX),
            2 => Linked::Finer(self.0 & INDEX),
            _ => Linked::TwoReaders,
        }
    }
}

/// Things by index; indices of those given back are used again.
#[derive(Debug)]
pub(super) struct Pool<T> {
    items: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool { items: Vec::new(), free: Vec::new() }
    }
}

impl<T: Default> Pool<T> {
    /// A thing as it was when it was given back.
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.items.push(T::default());
            self.items.len() as u32 - 1
        })
    }

    pub(super) fn give_back(&mut self, index: u32) {
        self.free.push(index);
    }

    pub(super) fn at(&mut self, index: u32) -> &mut T {
        &mut self.items[index as usize]
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.free.clear();
    }
}
