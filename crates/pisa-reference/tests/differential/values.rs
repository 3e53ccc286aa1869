//! Values worth trying.

use crate::common::Random;
use pisa_isa::Qualifier;

/// Bits of an element: an edge of integers or of floating-point numbers, or anything.
pub fn element(random: &mut Random, bits: u32) -> u128 {
    let value = match random.below(8) {
        0..=2 => u128::from(random.next()) << 64 | u128::from(random.next()),
        3 | 4 => integer_edge(random, bits),
        5 => u128::from(random.next() % 70),
        _ => float_edge(random, bits),
    };
    if bits == 128 { value } else { value & ((1 << bits) - 1) }
}

fn integer_edge(random: &mut Random, bits: u32) -> u128 {
    let top = 1u128 << (bits - 1);
    let bit = 1u128 << random.below(bits as usize);
    random.pick(&[
        0,
        1,
        2,
        3,
        u128::MAX,
        u128::MAX - 1,
        top,
        top - 1,
        top + 1,
        bit,
        !bit,
        bit.wrapping_sub(1),
    ])
}

fn float_edge(random: &mut Random, bits: u32) -> u128 {
    // Exponent and fraction bits of hf or bf, f, df.
    let (exponent, fraction) = match bits {
        16 => random.pick(&[(5, 10), (8, 7)]),
        32 => random.pick(&[(8, 23), (8, 23), (5, 10)]),
        _ => (11u32, 52u32),
    };
    let infinity = ((1u128 << exponent) - 1) << fraction;
    let one = ((1u128 << (exponent - 1)) - 1) << fraction;
    let quiet = 1u128 << (fraction - 1);
    let some = u128::from(random.next()) & ((1 << fraction) - 1);
    let near = u128::from(random.next() % 40) << fraction;
    let magnitude = match random.below(12) {
        0 => 0,
        1 => some,
        2 => 1,
        3 => (1 << fraction) - 1,
        4 => 1 << fraction,
        5 => infinity - 1,
        6 => infinity,
        7 => infinity | quiet | some,
        8 => infinity | 1 | (some & !quiet),
        9 => one,
        // Numbers around one and larger ones, where conversions to integers and ties happen.
        10 => one + near + (u128::from(random.next() % 16) << (fraction - 4)),
        _ => one + near / 2 + some,
    };
    let sign = u128::from(random.next() & 1) << (bits.min(64) - 1);
    magnitude | sign
}

/// An immediate of that many bits: for a floating-point operand its bits with all digits (I-06), else a number.
pub fn immediate(random: &mut Random, bits: u32, float: Option<Qualifier>) -> String {
    let value = element(random, bits.min(64));
    match float {
        Some(_) => format!("0x{value:0digits$x}", digits = bits as usize / 4),
        None if random.below(3) == 0 => (value as u8 as i8 as i64).to_string(),
        None => format!("0x{value:x}"),
    }
}
