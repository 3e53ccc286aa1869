//! An object of global or constant memory and its bytes.

use crate::{Contents, UNDEFINED_BYTE};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    /// How messages call it: a buffer's name, or a variable's with its `@`.
    pub name: String,
    /// How many of its bytes, from the first on, have been given a value before a launch; the others hold
    /// [`UNDEFINED_BYTE`].
    given: AtomicU64,
    /// Where byte 0 lies within `lines`: `address % 64`, so host and simulated alignment agree up to 64 bytes
    /// (the first line is itself 64-byte aligned).
    skew: usize,
    lines: Box<[Line]>,
}

const LINE: usize = 64;
const WORD: usize = 8;
const WORDS: usize = LINE / WORD;

#[derive(Debug)]
#[repr(align(64))]
struct Line([AtomicU64; WORDS]);

impl Object {
    /// An object with contents; `None` when the host has no memory for it.
    pub(crate) fn new(address: u64, contents: Contents<'_>, writable: bool, name: &str) -> Option<Object> {
        let size = contents.size();
        let skew = (address % LINE as u64) as usize;
        let count = usize::try_from(size).ok()?.checked_add(skew)?.div_ceil(LINE);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).ok()?;
        match contents {
            Contents::Zero(_) => lines.extend((0..count).map(|_| Line::filled(0))),
            Contents::Undefined(_) => lines.extend((0..count).map(|_| Line::filled(UNDEFINED_BYTE))),
            Contents::Bytes(bytes) if skew == 0 => {
                let (whole, rest) = bytes.as_chunks::<LINE>();
                lines.extend(whole.iter().map(Line::from_bytes));
                if !rest.is_empty() {
                    let mut last = [UNDEFINED_BYTE; LINE];
                    last[..rest.len()].copy_from_slice(rest);
                    lines.push(Line::from_bytes(&last));
                }
            }
            Contents::Bytes(_) => lines.extend((0..count).map(|_| Line::filled(UNDEFINED_BYTE))),
        }
        let lines = lines.into_boxed_slice();
        let given = AtomicU64::new(if matches!(contents, Contents::Undefined(_)) { 0 } else { size });
        let object = Object { address, size, writable, name: name.to_owned(), given, skew, lines };
        if let Contents::Bytes(bytes) = contents
            && skew != 0
        {
            object.write(0, bytes);
        }
        Some(object)
    }

    /// How many of its bytes, from the first on, have been given a value before a launch (V-13, X-10).
    pub fn given(&self) -> u64 {
        self.given.load(Relaxed)
    }

    /// Notes that its first `bytes` bytes have been given a value.
    pub(crate) fn give(&self, bytes: u64) {
        self.given.fetch_max(bytes.min(self.size), Relaxed);
    }

    /// Host address of its first byte, valid for `size` bytes as long as the object lives.
    #[inline]
    pub fn host(&self) -> *mut u8 {
        self.lines.as_ptr().cast_mut().cast::<u8>().wrapping_add(self.skew)
    }

    /// Copies bytes out; `offset + into.len()` must not exceed the size.
    pub fn read(&self, offset: u64, into: &mut [u8]) {
        let mut at = self.position(offset, into.len());
        let (head, middle, tail) = split(at, into.len());
        let (first, rest) = into.split_at_mut(head);
        let (words, last) = rest.split_at_mut(middle);
        if !first.is_empty() {
            copy_part(first, &self.word(at).load(Relaxed).to_le_bytes(), at % WORD);
            at += head;
        }
        for word in words.as_chunks_mut::<WORD>().0 {
            *word = self.word(at).load(Relaxed).to_le_bytes();
            at += WORD;
        }
        if tail != 0 {
            copy_part(last, &self.word(at).load(Relaxed).to_le_bytes(), 0);
        }
    }

    /// Copies bytes in; `offset + from.len()` must not exceed the size.
    pub fn write(&self, offset: u64, from: &[u8]) {
        let mut at = self.position(offset, from.len());
        let (head, middle, tail) = split(at, from.len());
        let (first, rest) = from.split_at(head);
        let (words, last) = rest.split_at(middle);
        if !first.is_empty() {
            self.write_part(at, first);
            at += head;
        }
        for word in words.as_chunks::<WORD>().0 {
            self.word(at).store(u64::from_le_bytes(*word), Relaxed);
            at += WORD;
        }
        if tail != 0 {
            self.write_part(at, last);
        }
    }

    /// All its bytes; `None` when the host has no memory for the copy.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let size = usize::try_from(self.size).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).ok()?;
        bytes.resize(size, 0);
        self.read(0, &mut bytes);
        Some(bytes)
    }

    /// Position of a checked range within the lines.
    fn position(&self, offset: u64, length: usize) -> usize {
        let inside = offset.checked_add(length as u64).is_some_and(|end| end <= self.size);
        assert!(inside, "an access leaves its object");
        self.skew + offset as usize
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        &self.lines[at / LINE].0[at % LINE / WORD]
    }

    /// Writes a few bytes within one word and leaves its other bytes alone, whoever writes them meanwhile.
    fn write_part(&self, at: usize, from: &[u8]) {
        let shift = at % WORD * 8;
        let (mut clear, mut set) = (0u64, 0u64);
        for (i, &byte) in from.iter().enumerate() {
            clear |= 0xFF << (shift + 8 * i);
            set |= u64::from(byte) << (shift + 8 * i);
        }
        // The closure never gives up, so the update always succeeds.
        let _ = self.word(at).fetch_update(Relaxed, Relaxed, |old| Some(old & !clear | set));
    }
}

impl Line {
    fn filled(byte: u8) -> Line {
        Line(std::array::from_fn(|_| AtomicU64::new(u64::from_ne_bytes([byte; WORD]))))
    }
    fn from_bytes(bytes: &[u8; LINE]) -> Line {
        let (words, _) = bytes.as_chunks::<WORD>();
        Line(std::array::from_fn(|i| AtomicU64::new(words.get(i).map_or(0, |w| u64::from_le_bytes(*w)))))
    }
}

/// Splits a range at word boundaries: bytes before the first whole word, in whole words, after them.
fn split(at: usize, length: usize) -> (usize, usize, usize) {
    let head = (at.next_multiple_of(WORD) - at).min(length);
    let tail = (length - head) % WORD;
    (head, length - head - tail, tail)
}

fn copy_part(into: &mut [u8], word: &[u8; WORD], from: usize) {
    let n = into.len();
    into.copy_from_slice(&word[from..from + n]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(n: usize) -> Vec<u8> {
        (0..n).map(|i| (i * 7 + 1) as u8).collect()
    }

    #[test]
    fn reads_give_what_was_written_at_every_skew_and_offset() {
        for skew in [0u64, 1, 4, 7, 8, 33, 63] {
            let object = Object::new(0x1000 + skew, Contents::Undefined(50), true, "o").unwrap();
            assert_eq!(object.host() as usize % 64, skew as usize);
            let mut model = vec![UNDEFINED_BYTE; 50];
            for (offset, length) in
                [(0usize, 50usize), (3, 1), (5, 3), (1, 20), (7, 9), (49, 1), (50, 0), (0, 8)]
            {
                let data: Vec<u8> =
                    pattern(length).iter().map(|b| b.wrapping_add((offset + length) as u8)).collect();
                object.write(offset as u64, &data);
                model[offset..offset + length].copy_from_slice(&data);
                assert_eq!(object.bytes().unwrap(), model);
                for (o, l) in [(0, 50), (2, 5), (6, 17), (9, 8), (48, 2)] {
                    let mut got = vec![0; l];
                    object.read(o as u64, &mut got);
                    assert_eq!(got, model[o..o + l]);
                }
            }
        }
    }

    #[test]
    fn contents_are_there_from_the_start() {
        for skew in [0u64, 5] {
            for length in [0usize, 1, 64, 65, 200] {
                let data = pattern(length);
                let object = Object::new(64 + skew, Contents::Bytes(&data), true, "o").unwrap();
                assert_eq!(object.bytes().unwrap(), data);
            }
        }
        let zero = Object::new(64, Contents::Zero(70), true, "o").unwrap();
        assert_eq!(zero.bytes().unwrap(), [0; 70]);
        let undefined = Object::new(64, Contents::Undefined(70), true, "o").unwrap();
        assert_eq!(undefined.bytes().unwrap(), [0xCD; 70]);
    }

    #[test]
    #[should_panic(expected = "an access leaves its object")]
    fn leaving_the_object_is_a_bug_of_the_caller() {
        Object::new(64, Contents::Zero(8), true, "o").unwrap().read(4, &mut [0; 5]);
    }
}
