//! First stage: doubles with a known error.
//!
//! Each function returns the result for a finite, non-zero argument that is a value of a format of at most 24 significant bits,
//! with an error below [`ERROR`] units in the last place of the double. docs/float.md derives the bounds; all are below 16.

use super::constants::*;
use super::reduction;

/// Error bound of every function here, in units in the last place of the result.
pub(crate) const ERROR: u64 = 64;

/// Evaluates `x * (c[0] + x * (c[1] + ...))`, or the same in powers of another variable.
#[inline(always)]
fn horner<const N: usize>(coefficients: &[u64; N], x: f64) -> f64 {
    let mut sum = f64::from_bits(coefficients[N - 1]);
    let mut index = N - 1;
    while index > 0 {
        index -= 1;
        sum = sum * x + f64::from_bits(coefficients[index]);
    }
    sum * x
}

/// `2^x` for `|x| < 1000`.
#[inline(always)]
pub(crate) fn exp2(x: f64) -> f64 {
    // x = steps / 32 + rest, the difference is exact.
    let steps = (x * 32.0 + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let rest = x - f64::from(steps) * (1.0 / 32.0);
    let table = f64::from_bits(EXP2_TABLE[(steps & 31) as usize]);
    let scale = f64::from_bits(((steps >> 5) + 1023) as u64 * (1 << 52));
    (table + table * horner(&EXP2_SERIES, rest)) * scale
}

/// The binary logarithm of a positive `x`.
#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let row = (bits >> 47) as usize & 31;
    let significand = f64::from_bits(bits & ((1 << 52) - 1) | 0x3ff0_0000_0000_0000);
    let exponent = (bits >> 52) as i32 - 1023 + i32::from(row >= 13);
    let (factor, log) = LOG2_TABLE[row];
    // 24 by 13 bits: exact, and so is the difference.
    let rest = significand * f64::from_bits(factor) - 1.0;
    (f64::from(exponent) + f64::from_bits(log)) + horner(&LOG2_SERIES, rest)
}

/// Sine of `|r| <= pi/4`.
#[inline(always)]
fn sin_near_zero(r: f64) -> f64 {
    r + r * horner(&SIN_SERIES, r * r)
}

/// Cosine of `|r| <= pi/4`.
#[inline(always)]
fn cos_near_zero(r: f64) -> f64 {
    1.0 + horner(&COS_SERIES, r * r)
}

/// Sine of `x` plus `quarters` right angles.
#[inline(always)]
pub(crate) fn sin(x: f64, quarters: u32) -> f64 {
    let magnitude = f64::from_bits(x.to_bits() & !(1 << 63));
    let (mut turn, mut rest) = if magnitude < core::f64::consts::FRAC_PI_4 {
        (0, magnitude)
    } else {
        let reduced = reduction::reduce(magnitude);
        // 2^-128 times pi/2.
        (reduced.quarters, reduced.fraction as f64 * f64::from_bits(HALF_PI_DOUBLE - (128 << 52)))
    };
    if x < 0.0 {
        turn = turn.wrapping_neg();
        rest = -rest;
    }
    let turn = turn.wrapping_add(quarters);
    let value = if turn & 1 == 0 { sin_near_zero(rest) } else { cos_near_zero(rest) };
    if turn & 2 == 0 { value } else { -value }
}

/// Hyperbolic tangent for `|x| < 20`.
#[inline(always)]
pub(crate) fn tanh(x: f64) -> f64 {
    let magnitude = f64::from_bits(x.to_bits() & !(1 << 63));
    let double = magnitude + magnitude;
    let value = if magnitude < 0.3 {
        let grown = double + double * horner(&EXPM1_SERIES, double);
        grown / (grown + 2.0)
    } else {
        1.0 - 2.0 / (exp2(double * f64::from_bits(LOG2_E_DOUBLE)) + 1.0)
    };
    if x < 0.0 { -value } else { value }
}
