//! Global and constant memory: objects at fixed simulated addresses, backed by host memory.

use crate::Object;
use std::fmt;

/// The byte that memory without a value holds (V-13, X-10, M-30).
pub const UNDEFINED_BYTE: u8 = 0xCD;

/// Tag of generic addresses of shared memory: the low 32 bits are the shared address (D-24).
pub const GENERIC_SHARED: u64 = 0x0001_0000_0000_0000;
/// Tag of generic addresses of private memory (D-24).
pub const GENERIC_PRIVATE: u64 = 0x0002_0000_0000_0000;
/// The bits that hold the tag (D-28): `address & GENERIC_TAG` is [`GENERIC_SHARED`], [`GENERIC_PRIVATE`], or neither of
/// them for an address of global or constant memory. No global object ever has one of these bits set.
pub const GENERIC_TAG: u64 = 0xFFFF_0000_0000_0000;

/// The least address of an object in global or constant memory.
pub const GLOBAL_BASE: u64 = 0x1000_0000;
/// No object in global or constant memory reaches this address.
pub const GLOBAL_END: u64 = 0x0001_0000_0000_0000;

/// Buffers of at least this size are aligned to it, smaller ones to [`BUFFER_ALIGNMENT`].
const LARGE_ALIGNMENT: u64 = 2 << 20;
/// The least alignment of a buffer.
pub const BUFFER_ALIGNMENT: u64 = 64;
/// The least unallocated distance between two objects; it grows with the object before it.
const LEAST_GAP: u64 = 1 << 20;

/// What a new object holds.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// This many bytes [`UNDEFINED_BYTE`].
    Undefined(u64),
    /// This many bytes 0.
    Zero(u64),
    /// These bytes.
    Bytes(&'a [u8]),
}

impl Contents<'_> {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Contents::Undefined(n) | Contents::Zero(n) => *n,
            Contents::Bytes(b) => b.len() as u64,
        }
    }
}

/// Global memory: all objects, by address.
#[derive(Debug)]
pub struct Memory {
    /// Sorted by address.
    objects: Vec<Object>,
    limit: u64,
    used: u64,
    next: u64,
}

impl Default for Memory {
    /// Memory limited to what the host can give ([`crate::host_memory_limit`]).
    fn default() -> Memory {
        Memory::with_limit(crate::host_memory_limit())
    }
}

impl Memory {
    /// Memory whose objects may take `limit` bytes together.
    pub fn with_limit(limit: u64) -> Memory {
        Memory { objects: Vec::new(), limit, used: 0, next: GLOBAL_BASE }
    }

    /// Adds a variable with undefined bytes at exactly its declared alignment, off any larger power of two (V-04), and
    /// returns its address. `align` is a power of two.
    pub fn allocate(
        &mut self,
        name: &str,
        size: u64,
        align: u32,
        writable: bool,
    ) -> Result<u64, OutOfMemory> {
        self.place(name, Contents::Undefined(size), u64::from(align), writable, true)
    }

    /// [`Memory::allocate`] with contents.
    pub fn allocate_with(
        &mut self,
        name: &str,
        contents: Contents<'_>,
        align: u32,
        writable: bool,
    ) -> Result<u64, OutOfMemory> {
        self.place(name, contents, u64::from(align), writable, true)
    }

    /// Adds a buffer of the host and returns its address: a multiple of `align`, of [`BUFFER_ALIGNMENT`], and from 2 MiB
    /// on of 2 MiB.
    pub fn allocate_buffer(
        &mut self,
        name: &str,
        contents: Contents<'_>,
        align: u32,
    ) -> Result<u64, OutOfMemory> {
        let least = if contents.size() >= LARGE_ALIGNMENT { LARGE_ALIGNMENT } else { BUFFER_ALIGNMENT };
        self.place(name, contents, u64::from(align).max(least), true, false)
    }

    fn place(
        &mut self,
        name: &str,
        contents: Contents<'_>,
        align: u64,
        writable: bool,
        exactly: bool,
    ) -> Result<u64, OutOfMemory> {
        let size = contents.size();
        let error = || OutOfMemory { name: name.to_owned(), size, used: self.used, limit: self.limit };
        let align = align.checked_next_power_of_two().ok_or_else(error)?;
        let used = self.used.checked_add(size).filter(|&u| u <= self.limit).ok_or_else(error)?;
        let address = if exactly { place_exactly(self.next, align) } else { align_up(self.next, align) };
        let address = address.ok_or_else(error)?;
        // A wrong index within twice the object's size still lands in the gap and is noticed.
        let next = address
            .checked_add(size)
            .and_then(|end| end.checked_add(LEAST_GAP.max(size)))
            .filter(|&next| next < GLOBAL_END)
            .ok_or_else(error)?;
        self.objects.try_reserve(1).map_err(|_| error())?;
        let object = Object::new(address, contents, writable, name).ok_or_else(error)?;
        self.objects.push(object);
        (self.used, self.next) = (used, next);
        Ok(address)
    }

    /// The object that holds all of `address .. address + size`; nothing for a range that leaves its object.
    #[inline]
    pub fn find(&self, address: u64, size: u64) -> Option<&Object> {
        let index = self.objects.partition_point(|o| o.address <= address).checked_sub(1)?;
        let object = &self.objects[index];
        let offset = address - object.address;
        (size <= object.size && offset <= object.size - size).then_some(object)
    }

    /// The object that holds this address, or whose end is nearest below it: for messages about accesses that miss.
    pub fn nearest_below(&self, address: u64) -> Option<&Object> {
        let index = self.objects.partition_point(|o| o.address <= address).checked_sub(1)?;
        self.objects.get(index)
    }

    /// The object with this index in the order of addresses, which is the order of allocation.
    pub fn object(&self, index: usize) -> Option<&Object> {
        self.objects.get(index)
    }

    /// All objects by address.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Bytes that all objects take together.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Bytes that objects may take besides.
    pub fn free(&self) -> u64 {
        self.limit - self.used
    }
}

/// The least multiple of `align`, a power of two, from `address` on.
pub(crate) fn align_up(address: u64, align: u64) -> Option<u64> {
    Some(address.checked_add(align - 1)? & !(align - 1))
}

/// The least address from `address` on that is a multiple of `align`, a power of two, and of no larger one (V-04).
pub(crate) fn place_exactly(address: u64, align: u64) -> Option<u64> {
    let aligned = align_up(address, align)?;
    if aligned & align == 0 { aligned.checked_add(align) } else { Some(aligned) }
}

/// An object did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The object's name.
    pub name: String,
    /// Bytes that it takes.
    pub size: u64,
    /// Bytes that are taken already.
    pub used: u64,
    /// Bytes that may be taken together.
    pub limit: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfMemory { name, size, used, limit } = self;
        write!(f, "no memory for `{name}`: it takes {size} bytes, {used} of {limit} are in use")
    }
}

impl std::error::Error for OutOfMemory {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_apart_from_global_addresses() {
        assert_eq!((GENERIC_SHARED | 0xFFFF_FFFF) & GENERIC_TAG, GENERIC_SHARED);
        assert_eq!((GENERIC_PRIVATE | 0xFFFF_FFFF) & GENERIC_TAG, GENERIC_PRIVATE);
        assert_eq!((GLOBAL_END - 1) & GENERIC_TAG, 0);
        // A global address above 4 GiB is no tag.
        assert_eq!(0x0000_7FFF_1234_5678 & GENERIC_TAG, 0);
    }

    #[test]
    fn variables_lie_at_exactly_their_alignment() {
        let mut memory = Memory::with_limit(1 << 24);
        for align in [1u32, 2, 4, 8, 16, 64, 256, 4096] {
            let address = memory.allocate("@v", 3, align, true).unwrap();
            assert_eq!(address.trailing_zeros(), align.trailing_zeros());
        }
    }

    #[test]
    fn buffers_are_well_aligned() {
        let mut memory = Memory::with_limit(1 << 24);
        memory.allocate("@v", 3, 1, true).unwrap();
        assert!(memory.allocate_buffer("a", Contents::Zero(5), 1).unwrap().is_multiple_of(64));
        assert!(memory.allocate_buffer("b", Contents::Zero(2 << 20), 4).unwrap().is_multiple_of(2 << 20));
        assert!(memory.allocate_buffer("c", Contents::Zero(5), 4096).unwrap().is_multiple_of(4096));
    }

    #[test]
    fn find_wants_the_whole_range_in_one_object() {
        let mut memory = Memory::with_limit(1 << 24);
        let a = memory.allocate("@a", 16, 4, true).unwrap();
        let b = memory.allocate("@b", 8, 8, false).unwrap();
        assert!(b >= a + 16 + LEAST_GAP);
        assert_eq!(memory.find(a, 16).unwrap().name, "@a");
        assert_eq!(memory.find(a + 12, 4).unwrap().name, "@a");
        assert!(memory.find(a + 13, 4).is_none());
        assert!(memory.find(a + 16, 1).is_none());
        assert!(memory.find(a, 17).is_none());
        assert!(memory.find(a - 1, 2).is_none());
        assert!(memory.find(0, 1).is_none());
        assert!(memory.find(u64::MAX, 8).is_none());
        assert!(memory.find(a, u64::MAX).is_none());
        let found = memory.find(b + 7, 1).unwrap();
        assert!(!found.writable && found.name == "@b");
        assert_eq!(memory.nearest_below(a + 400).unwrap().name, "@a");
        assert_eq!(memory.object(1).unwrap().name, "@b");
        assert!(memory.object(2).is_none());
    }

    #[test]
    fn the_limit_holds() {
        let mut memory = Memory::with_limit(100);
        assert!(memory.allocate("@a", 101, 1, true).is_err());
        memory.allocate("@a", 60, 1, true).unwrap();
        let error = memory.allocate("@b", 60, 1, true).unwrap_err();
        assert_eq!((error.size, error.used, error.limit), (60, 60, 100));
        memory.allocate("@c", 40, 1, true).unwrap();
        assert!(memory.allocate("@d", u64::MAX, 1, true).is_err());
        assert_eq!(memory.used(), 100);
    }

    #[test]
    fn sizes_that_no_host_has_are_refused() {
        let mut memory = Memory::with_limit(u64::MAX);
        assert!(memory.allocate("@a", u64::MAX, 1, true).is_err());
        assert!(memory.allocate("@a", GLOBAL_END, 1, true).is_err());
        assert!(memory.allocate("@a", GLOBAL_END / 4, 1, true).is_err());
        assert!(memory.objects().is_empty());
    }
}
