//! The edges of operands that the book has to reach.

use crate::book;
use std::collections::{BTreeMap, BTreeSet};

/// The operands of all facts, by mnemonic.
fn operands() -> BTreeMap<String, Vec<Vec<String>>> {
    let mut facts: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for (mnemonic, sources) in book::tests().into_values().flat_map(|tests| tests.facts) {
        // Commas inside braces and brackets separate no operands.
        let mut depth = 0;
        let mut parts = vec![String::new()];
        for c in sources.chars() {
            match c {
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
            match parts.last_mut() {
                Some(last) if c != ',' || depth > 0 => last.push(c),
                _ => parts.push(String::new()),
            }
        }
        facts.entry(mnemonic).or_default().push(parts);
    }
    facts
}

/// A 32-bit operand that is the same in all lanes.
fn word(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse::<i64>().ok().map(|value| value as u32),
    }
}

/// The values of the operand at this place, in all facts of the mnemonic.
fn values(facts: &BTreeMap<String, Vec<Vec<String>>>, mnemonic: &str, at: usize) -> BTreeSet<u32> {
    let facts = facts.get(mnemonic).unwrap_or_else(|| panic!("no fact of {mnemonic}"));
    facts.iter().filter_map(|operands| word(operands.get(at)?)).collect()
}

#[test]
fn shifts_by_every_amount() {
    let facts = operands();
    for shift in ["shl", "shr", "asr"] {
        for ty in ["16b", "32b", "64b"] {
            let amounts = values(&facts, &format!("{shift}.{ty}"), 1);
            let missing: Vec<u32> = (0..64).filter(|amount| !amounts.contains(amount)).collect();
            assert!(missing.is_empty(), "{shift}.{ty} by {missing:?}");
        }
        let both = values(&facts, &format!("{shift}.16bx2"), 1);
        for half in [0, 16] {
            let amounts: BTreeSet<u32> = both.iter().map(|word| word >> half & 63).collect();
            assert_eq!(amounts.len(), 64, "{shift}.16bx2, bit {half}");
        }
    }
}

#[test]
fn shuffles_with_every_segment_clamp_and_offset() {
    let facts = operands();
    for operation in ["up", "dn", "xor", "idx"] {
        let controls = values(&facts, &format!("shfl.{operation}.sg.32b"), 1);
        for segment in [0b11110, 0b11100, 0b11000, 0b10000, 0] {
            let here = || controls.iter().filter(|control| *control >> 16 & 31 == segment);
            let clamps: BTreeSet<u32> = here().map(|control| control >> 8 & 31).collect();
            let offsets: BTreeSet<u32> = here().map(|control| control & 31).collect();
            assert_eq!(
                (clamps.len(), offsets.len()),
                (32, 32),
                "shfl.{operation}, segment mask {segment:05b}"
            );
        }
    }
}

#[test]
fn masks_of_no_lane_of_one_and_of_some() {
    let facts = operands();
    for (opcode, at) in [("shfl", 2), ("ired", 1), ("fred", 1), ("redfirstidx", 0)] {
        let mnemonics = facts.keys().filter(|mnemonic| mnemonic.split('.').next() == Some(opcode));
        let lanes: BTreeSet<u32> =
            mnemonics.flat_map(|mnemonic| values(&facts, mnemonic, at)).map(u32::count_ones).collect();
        assert!(lanes.contains(&0) && lanes.contains(&1) && lanes.contains(&32), "{opcode}: {lanes:?}");
        assert!(lanes.iter().any(|count| (2..32).contains(count)), "{opcode}: {lanes:?}");
    }
}
