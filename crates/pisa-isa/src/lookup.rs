//! From text to opcodes and qualifiers: hash tables built at compile time, since a parser looks up several a line.

use crate::{Opcode, Qualifier};

/// Slots of each table; more than twice the entries, so that chains stay short.
const SIZE: usize = 512;
const EMPTY: u8 = u8::MAX;

const _: () = assert!(Opcode::ALL.len() * 2 < SIZE && Opcode::ALL.len() < EMPTY as usize);
const _: () = assert!(Qualifier::ALL.len() * 2 < SIZE && Qualifier::ALL.len() < EMPTY as usize);

/// FNV-1a, folded to an index.
const fn hash(text: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < text.len() {
        hash = (hash ^ text[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ (hash >> 16)) as usize % SIZE
}

const fn insert(table: &mut [u8; SIZE], text: &str, entry: usize) {
    let mut at = hash(text.as_bytes());
    while table[at] != EMPTY {
        at = (at + 1) % SIZE;
    }
    table[at] = entry as u8;
}

static OPCODES: [u8; SIZE] = {
    let mut table = [EMPTY; SIZE];
    let mut i = 0;
    while i < Opcode::ALL.len() {
        insert(&mut table, Opcode::ALL[i].text(), i);
        i += 1;
    }
    table
};

static QUALIFIERS: [u8; SIZE] = {
    let mut table = [EMPTY; SIZE];
    let mut i = 0;
    while i < Qualifier::ALL.len() {
        insert(&mut table, Qualifier::ALL[i].text(), i);
        i += 1;
    }
    table
};

/// The entry with this text, where there is one.
fn find<T: Copy>(
    table: &[u8; SIZE],
    all: &[T],
    text: &str,
    text_of: impl Fn(T) -> &'static str,
) -> Option<T> {
    let mut at = hash(text.as_bytes());
    loop {
        // An empty place ends every chain, and there is always one.
        let entry = *all.get(table[at] as usize)?;
        if text_of(entry) == text {
            return Some(entry);
        }
        at = (at + 1) % SIZE;
    }
}

impl Opcode {
    /// The opcode with exactly this text, `iadd` or `ld.param`.
    pub fn from_text(text: &str) -> Option<Opcode> {
        find(&OPCODES, Opcode::ALL, text, Opcode::text)
    }
}

impl Qualifier {
    /// The qualifier value with exactly this text, its leading dot included: `.32b`, `.L1c.L2c.L3c`.
    pub fn from_text(text: &str) -> Option<Qualifier> {
        find(&QUALIFIERS, Qualifier::ALL, text, Qualifier::text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_and_nothing_else() {
        for &opcode in Opcode::ALL {
            assert_eq!(Opcode::from_text(opcode.text()), Some(opcode));
        }
        for &qualifier in Qualifier::ALL {
            assert_eq!(Qualifier::from_text(qualifier.text()), Some(qualifier));
        }
        for text in ["", ".", "IADD", "iad", "iaddx", "ld.", ".32b", "bárrier"] {
            assert_eq!(Opcode::from_text(text), None, "{text}");
        }
        for text in ["", ".", "32b", ".32B", ".32", ".L1c", ".L1c.L2c", ".5", ".0x10"] {
            assert_eq!(Qualifier::from_text(text), None, "{text}");
        }
    }
}
