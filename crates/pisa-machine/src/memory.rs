//! Global and constant memory: objects at fixed simulated addresses, backed by host memory.

use std::sync::atomic::{AtomicU64, Ordering};

/// The byte that memory without a value holds (V-13, X-10, M-30).
pub const UNDEFINED_BYTE: u8 = 0xCD;

/// Tag of generic addresses of shared memory: the low 32 bits are the shared address (D-24).
pub const GENERIC_SHARED: u64 = 0x0001_0000_0000_0000;
/// Tag of generic addresses of private memory (D-24).
pub const GENERIC_PRIVATE: u64 = 0x0002_0000_0000_0000;
/// The bits that hold the tag; no global object ever has one of them set.
pub const GENERIC_TAG: u64 = 0xFFFF_FFFF_0000_0000;

/// An allocation in global or constant memory.
///
/// Its bytes are atomics, so that work-groups on several threads may race without undefined behaviour in the host:
/// engines go through [`Object::host`] with atomic or vector accesses that stay within `size` bytes.
#[derive(Debug)]
pub struct Object {
    /// Simulated address of its first byte; a multiple of its alignment.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
    /// False for `.const` variables: a store traps (V-14).
    pub writable: bool,
    /// How messages call it: a buffer's or variable's name.
    pub name: String,
    /// Where byte 0 lies within `words`: `address % 64`, so host and simulated alignment agree up to 64 bytes
    /// (the first word is itself 64-byte aligned).
    skew: usize,
    words: Box<[Line]>,
}

#[derive(Debug)]
#[repr(align(64))]
struct Line([AtomicU64; 8]);

impl Object {
    /// Host address of its first byte, valid for `size` bytes as long as the object lives.
    pub fn host(&self) -> *mut u8 {
        self.words[0].0[0].as_ptr().cast::<u8>().wrapping_add(self.skew)
    }
    /// Copies bytes out; `offset + into.len()` must not exceed the size.
    pub fn read(&self, offset: u64, into: &mut [u8]) {
        assert!(
            offset.checked_add(into.len() as u64).is_some_and(|e| e <= self.size),
            "read outside an object"
        );
        for (i, b) in into.iter_mut().enumerate() {
            let at = self.skew + offset as usize + i;
            *b = self.word(at).load(Ordering::Relaxed).to_le_bytes()[at % 8];
        }
    }
    /// Copies bytes in; `offset + from.len()` must not exceed the size.
    pub fn write(&self, offset: u64, from: &[u8]) {
        assert!(
            offset.checked_add(from.len() as u64).is_some_and(|e| e <= self.size),
            "write outside an object"
        );
        for (i, b) in from.iter().enumerate() {
            let at = self.skew + offset as usize + i;
            let shift = at % 8 * 8;
            let (clear, set) = (!(0xFFu64 << shift), (*b as u64) << shift);
            let word = self.word(at);
            let mut old = word.load(Ordering::Relaxed);
            while let Err(now) =
                word.compare_exchange_weak(old, old & clear | set, Ordering::Relaxed, Ordering::Relaxed)
            {
                old = now;
            }
        }
    }
    fn word(&self, at: usize) -> &AtomicU64 {
        &self.words[at / 64].0[at % 64 / 8]
    }
}

/// Global memory: all objects, by address.
#[derive(Debug, Default)]
pub struct Memory {
    objects: Vec<Object>,
}
