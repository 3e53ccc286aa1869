//! Values worth trying.

use crate::choices::{Choices, mix};
use pisa_isa::Qualifier;

/// Bits of an element that depend on `seed` alone: an edge of the integers or of floating-point numbers, or anything.
pub fn element(seed: u64, bits: u32) -> u128 {
    let mut choices = Choices::Random(seed);
    chosen(&mut choices, bits)
}

/// The same, from a stream of decisions.
pub fn chosen(choices: &mut Choices, bits: u32) -> u128 {
    let value = match choices.below(8) {
        0 | 1 => u128::from(choices.below(70) as u64),
        2 => u128::from(choices.number()) << 64 | u128::from(mix(choices.number())),
        3 | 4 => integer_edge(choices, bits),
        5 => u128::from(choices.number()),
        _ => float_edge(choices, bits),
    };
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

fn integer_edge(choices: &mut Choices, bits: u32) -> u128 {
    let top = 1u128 << (bits - 1);
    let bit = 1u128 << choices.below(bits as usize);
    choices.pick(&[
        0,
        1,
        2,
        u128::MAX,
        u128::MAX - 1,
        top,
        top - 1,
        top + 1,
        bit,
        !bit,
        bit.wrapping_sub(1),
        0x8000_7FFF_8000_7FFF_8000_7FFF_8000_7FFF,
    ])
}

fn float_edge(choices: &mut Choices, bits: u32) -> u128 {
    // Bits of exponent and fraction: hf or bf, f or a bf above an hf, df.
    let (exponent, fraction) = match bits {
        0..=16 => choices.pick(&[(5u32, 10u32), (8, 7)]),
        17..=32 => (8, 23),
        _ => choices.pick(&[(11, 52), (11, 52), (8, 23)]),
    };
    let infinity = ((1u128 << exponent) - 1) << fraction;
    let one = ((1u128 << (exponent - 1)) - 1) << fraction;
    let quiet = 1u128 << (fraction - 1);
    let some = u128::from(choices.number()) & ((1 << fraction) - 1);
    let near = (choices.below(40) as u128) << fraction;
    let magnitude = match choices.below(14) {
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
        // Around one and above, where ties and conversions to integers are.
        10 | 11 => one + near + ((choices.below(16) as u128) << (fraction - 4)),
        12 => one.saturating_sub(near / 2) + some,
        _ => one + near / 2 + some,
    };
    let sign = (choices.below(2) as u128) << (exponent + fraction);
    magnitude | sign
}

/// An immediate and the simplest one that could stand there: of a floating-point operand with all its digits (I-06) or
/// as a decimal number, else a number in decimal or hexadecimal.
pub fn immediate(choices: &mut Choices, bits: u32, float: Option<Qualifier>) -> (String, String) {
    let bits = bits.min(64);
    let value = chosen(choices, bits) as u64;
    match float {
        Some(_) => {
            let digits = bits as usize / 4;
            let zero = format!("0x{:0digits$x}", 0);
            match choices.below(4) {
                0 => {
                    let decimal = ["0.0", "1.0", "-1.5", "0.1", "-0.0", "3.25e1", "1.0e-3", "255.5"];
                    (choices.pick(&decimal).to_owned(), zero)
                }
                1 => (format!("0X{value:0digits$X}"), zero),
                _ => (format!("0x{value:0digits$x}"), zero),
            }
        }
        None => {
            let signed = (value << (64 - bits)) as i64 >> (64 - bits);
            let text = match choices.below(3) {
                0 => signed.to_string(),
                1 => value.to_string(),
                _ => format!("0x{value:x}"),
            };
            (text, "0".to_owned())
        }
    }
}
