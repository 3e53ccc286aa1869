//! Second stage: 128-bit fixed point, for the few arguments whose result lies too near the middle between two neighbours for a double.
//!
//! Values below two are held with 127 fraction bits. Products are cut, never rounded, so each loses less than one unit. Every
//! result has a relative error below `2^-88` (docs/float.md); no argument of `f` brings a result nearer than that to such a middle.

use super::constants::{HALF_PI, LN_2, LOG2_E};
use super::reduction;

/// One with 127 fraction bits.
const ONE: u128 = 1 << 127;

/// `significand * 2^exponent`, not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    /// Whether it is below zero.
    pub negative: bool,
    /// The unit of the significand.
    pub exponent: i32,
    /// The magnitude in this unit.
    pub significand: u128,
}

/// The high 128 bits of a product.
fn multiply_high(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let middle_low = (middle & LOW) + a0 * b1;
    a1 * b1 + (middle >> 64) + (middle_low >> 64)
}

/// A product of values with 127 fraction bits; below two again.
fn multiply(a: u128, b: u128) -> u128 {
    multiply_high(a, b) << 1
}

/// `numerator / denominator` with 127 fraction bits, for `numerator < denominator`.
fn divide(numerator: u128, denominator: u128) -> u128 {
    let (mut rest, mut quotient) = (numerator, 0u128);
    for _ in 0..127 {
        let carry = rest >> 127 == 1;
        rest = rest.wrapping_shl(1);
        quotient <<= 1;
        if carry || rest >= denominator {
            rest = rest.wrapping_sub(denominator);
            quotient |= 1;
        }
    }
    quotient
}

/// The significand and exponent of a positive double.
fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    ((bits & ((1 << 52) - 1)) | (1 << 52), (bits >> 52 & 0x7ff) as i32 - 1023 - 52)
}

/// `e^y` for `0 <= y < ln 2`.
fn exponential(y: u128) -> u128 {
    let mut sum = ONE;
    for n in (1..=34).rev() {
        sum = ONE + multiply(y, sum) / n;
    }
    sum
}

/// `2^x`. `x` is not an integer, `2^-60 < |x| < 1000`.
pub(crate) fn exp2(x: f64) -> Fixed {
    let whole = x.floor();
    // Exact: the fraction of a number of 24 bits; for negative numbers near zero, 60 + 24 bits, so in integers.
    let (significand, exponent) = decompose(x.abs());
    let magnitude = u128::from(significand);
    let fraction = if exponent >= 0 { 0 } else { shift(magnitude, exponent + 127) & (ONE - 1) };
    let fraction = if x < 0.0 { ONE - fraction } else { fraction };
    let sum = exponential(multiply(fraction.min(ONE - 1), LN_2));
    Fixed { negative: false, exponent: whole as i32 - 127, significand: sum }
}

/// Shifts left by a positive count, right by a negative one; bits above the top are lost.
fn shift(value: u128, count: i32) -> u128 {
    if count >= 0 {
        value.checked_shl(count as u32).unwrap_or(0)
    } else {
        value.checked_shr(count.unsigned_abs()).unwrap_or(0)
    }
}

/// The binary logarithm of a positive `x` that is not a power of two.
pub(crate) fn log2(x: f64) -> Fixed {
    let (significand, exponent) = decompose(x);
    // x = significand / one * 2^power, the quotient between about 1 / sqrt 2 and sqrt 2.
    let up = significand > 0x16_a09e_667f_3bcd;
    let one: u64 = if up { 1 << 53 } else { 1 << 52 };
    let power = exponent + 52 + i32::from(up);
    let below = significand < one;
    // ln q = 2 artanh z with z = (q - 1) / (q + 1), |z| < 0.172.
    let z = divide(u128::from(significand.abs_diff(one)), u128::from(significand) + u128::from(one));
    let square = multiply(z, z);
    let mut sum = 0;
    for n in (0..=27).rev() {
        sum = ONE / (2 * n + 1) + multiply(square, sum);
    }
    // Half the logarithm with 127 fraction bits is all of it with 126.
    let log = multiply(multiply(z, sum), LOG2_E);
    if power == 0 {
        return Fixed { negative: below, exponent: -126, significand: log };
    }
    let whole = u128::from(power.unsigned_abs()) << 116;
    let part = log >> 10;
    let significand = if below == (power < 0) { whole + part } else { whole - part };
    Fixed { negative: power < 0, exponent: -116, significand }
}

/// The sine of `x` plus `quarters` right angles, for `|x| >= 2^-13`.
pub(crate) fn sin(x: f64, quarters: u32) -> Fixed {
    let reduced = reduction::reduce(x.abs());
    let (mut turn, mut below) = (reduced.quarters, reduced.fraction < 0);
    if x < 0.0 {
        turn = turn.wrapping_neg();
        below = !below;
    }
    let turn = turn.wrapping_add(quarters);
    // The fraction has 128 bits, half pi 127, so the angle has 127.
    let angle = multiply_high(reduced.fraction.unsigned_abs(), HALF_PI);
    let square = multiply(angle, angle);
    let odd = turn & 1 == 1;
    let mut sum = ONE;
    for n in (1..=17u128).rev() {
        let divisor = if odd { (2 * n - 1) * (2 * n) } else { (2 * n) * (2 * n + 1) };
        sum = ONE - multiply(square, sum) / divisor;
    }
    let negative = (turn & 2 != 0) != (below && !odd);
    Fixed { negative, exponent: -127, significand: if odd { sum } else { multiply(angle, sum) } }
}

/// The hyperbolic tangent for `2^-13 <= |x| < 20`.
pub(crate) fn tanh(x: f64) -> Fixed {
    let (significand, exponent) = decompose(x.abs());
    // y = 2 |x| log2 e with 122 fraction bits; the significand has 24 significant bits, so 29 zeros go first.
    let narrow = u128::from(significand >> 29);
    let (high, low) = ((LOG2_E >> 64) * narrow, (LOG2_E & u128::from(u64::MAX)) * narrow);
    // high * 2^64 + low has 127 fraction bits below 2^(exponent + 29 + 1); dropping the lowest 32 keeps it in 128 bits.
    let product = (high << 32) + (low >> 32);
    let y = shift(product, exponent + 29 + 1 - 127 + 32 + 122);
    let whole = (y >> 122) as u32;
    let fraction = (y & ((1 << 122) - 1)) << 5;
    // 2^-y = 2^(1 - fraction) / 2 / 2^whole.
    let power = exponential(multiply((ONE - fraction).min(ONE - 1), LN_2));
    let small = power.checked_shr(whole + 1).unwrap_or(0);
    Fixed { negative: x < 0.0, exponent: -127, significand: divide(ONE - small, ONE + small) }
}
