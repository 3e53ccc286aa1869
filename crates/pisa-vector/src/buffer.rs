//! Zero-cost blocks of host memory for registers, constants and shared memory.
#![allow(unsafe_code)] // Raw allocation: register frames are not initialised where no instruction can see it.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Alignment of every block: a cache line, and the widest vector.
pub(crate) const ALIGNMENT: usize = 64;

/// A block of bytes at a multiple of 64, initialised to zero.
pub(crate) struct Buffer {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a buffer owns its bytes alone.
unsafe impl Send for Buffer {}

impl Buffer {
    /// `bytes` bytes, at least 64; `None` where the host has no room.
    pub(crate) fn new(bytes: usize) -> Option<Buffer> {
        let size = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let layout = Layout::from_size_align(size, ALIGNMENT).ok()?;
        // SAFETY: the size is at least 64.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Buffer { start, layout })
    }

    /// Its first byte.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Its size, a multiple of 64.
    pub(crate) fn size(&self) -> usize {
        self.layout.size()
    }

    /// Sets bytes; the range is cut to the buffer.
    pub(crate) fn fill(&mut self, from: usize, to: usize, value: u8) {
        let (from, to) = (from.min(self.size()), to.min(self.size()));
        if from < to {
            // SAFETY: the range lies within the allocation, which nothing else refers to meanwhile.
            unsafe { self.start().add(from).write_bytes(value, to - from) }
        }
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the whole allocation is initialised, from the start with zeros, and only written through `self` or
        // by handlers that run while no such slice is alive.
        unsafe { std::slice::from_raw_parts(self.start(), self.size()) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Words as bytes.
pub(crate) fn bytes_of(words: &[u32]) -> &[u8] {
    // SAFETY: every byte of a word is a byte, and bytes have no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_zeroed_and_filled() {
        let mut buffer = Buffer::new(100).unwrap();
        assert_eq!(buffer.start() as usize % ALIGNMENT, 0);
        assert_eq!(buffer.size(), 128);
        assert!(buffer.bytes().iter().all(|&b| b == 0));
        buffer.fill(10, 1000, 0xCD);
        assert_eq!(buffer.bytes()[9..11], [0, 0xCD]);
        assert_eq!(buffer.bytes()[127], 0xCD);
        assert!(Buffer::new(usize::MAX).is_none());
    }
}
