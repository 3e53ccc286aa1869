//! Elementary functions, correctly rounded to nearest even (spec 2.3, 2.5, 2.6, 2.14, 2.15, 2.18; P-18).
//!
//! Two stages after Ziv: a double with a known error decides nearly every argument; where both ends of its error interval do not
//! round to the same value, 128-bit fixed point decides. docs/float.md has the argument.

mod accurate;
mod constants;
mod fast;
mod reduction;
mod rsqrt;
#[cfg(test)]
mod tests;

pub use rsqrt::rsqrt;

use crate::format::{Bf, Bits, F, Format, Hf, flush_if, raw_is_nan};
use crate::mode::{Mode, Rounding};
use crate::pack::{Overflow, finish, round_pack};
use crate::wide::Wide;

/// The formats that have elementary functions.
pub trait Elementary: Format<Wide = u64> {}
impl Elementary for Hf {}
impl Elementary for Bf {}
impl Elementary for F {}

/// The sine of an angle in radians; of an infinity, NaN (P-20).
pub fn sin<T: Elementary>(a: T::Bits, ftz: bool) -> T::Bits {
    evaluate::<T>(
        a,
        ftz,
        |x| {
            if x == 0.0 { Some(x) } else { x.is_infinite().then_some(f64::NAN) }
        },
        |x| fast::sin(x, 0),
        |x| accurate::sin(x, 0),
    )
}

/// The cosine of an angle in radians; of an infinity, NaN (P-20).
pub fn cos<T: Elementary>(a: T::Bits, ftz: bool) -> T::Bits {
    evaluate::<T>(
        a,
        ftz,
        |x| {
            if x == 0.0 { Some(1.0) } else { x.is_infinite().then_some(f64::NAN) }
        },
        |x| fast::sin(x, 1),
        |x| accurate::sin(x, 1),
    )
}

/// Two to the power of `a`, denormal results kept (P-30).
pub fn exp2<T: Elementary>(a: T::Bits, ftz: bool) -> T::Bits {
    evaluate::<T>(
        a,
        ftz,
        |x| {
            // Beyond the range of every format.
            if x >= 256.0 {
                Some(f64::INFINITY)
            } else if x <= -256.0 {
                Some(0.0)
            } else if x == f64::from(x as i32) {
                // Exact, and possibly halfway between two denormals.
                Some(f64::from_bits((x as i32 + 1023) as u64 * (1 << 52)))
            } else {
                None
            }
        },
        fast::exp2,
        accurate::exp2,
    )
}

/// The binary logarithm; of a zero, minus infinity; of a negative number, NaN (P-21).
pub fn log2<T: Elementary>(a: T::Bits, ftz: bool) -> T::Bits {
    evaluate::<T>(
        a,
        ftz,
        |x| {
            let bits = x.to_bits();
            if x == 0.0 {
                Some(f64::NEG_INFINITY)
            } else if x < 0.0 {
                Some(f64::NAN)
            } else if x.is_infinite() {
                Some(x)
            } else if bits & ((1 << 52) - 1) == 0 {
                // A power of two.
                Some(f64::from((bits >> 52) as i32 - 1023))
            } else {
                None
            }
        },
        fast::log2,
        accurate::log2,
    )
}

/// The hyperbolic tangent (P-30).
pub fn tanh<T: Elementary>(a: T::Bits, ftz: bool) -> T::Bits {
    evaluate::<T>(
        a,
        ftz,
        |x| {
            if x == 0.0 {
                Some(x)
            } else {
                // 1 - 2^-56 rounds to one in every format.
                (x.abs() >= 20.0).then_some(if x < 0.0 { -1.0 } else { 1.0 })
            }
        },
        fast::tanh,
        accurate::tanh,
    )
}

/// Runs the stages: results that are known exactly, the double, the fixed-point number.
#[inline(always)]
fn evaluate<T: Elementary>(
    a: T::Bits,
    ftz: bool,
    exact: impl Fn(f64) -> Option<f64>,
    fast: impl Fn(f64) -> f64,
    accurate: impl Fn(f64) -> accurate::Fixed,
) -> T::Bits {
    let raw = flush_if::<T>(a.to_u64(), ftz);
    if raw_is_nan::<T>(raw) {
        return T::from_u64(raw | T::QUIET);
    }
    let x = T::widen(raw);
    let result = match exact(x) {
        Some(value) if value.is_nan() => T::CANONICAL_NAN,
        Some(value) => T::narrow(value),
        None => decide::<T>(fast(x)).unwrap_or_else(|| round_fixed::<T>(accurate(x))),
    };
    finish::<T>(result, Mode { ftz, ..Mode::default() })
}

/// The rounded result when both ends of the error interval agree.
#[inline(always)]
fn decide<T: Elementary>(value: f64) -> Option<u64> {
    let bits = value.to_bits();
    let low = T::narrow(f64::from_bits(bits.wrapping_sub(fast::ERROR)));
    let high = T::narrow(f64::from_bits(bits.wrapping_add(fast::ERROR)));
    (low == high).then_some(low)
}

/// Rounds the second stage's result.
#[cold]
fn round_fixed<T: Elementary>(value: accurate::Fixed) -> u64 {
    let zeros = value.significand.leading_zeros().min(127);
    let significand = (value.significand << zeros).shift_right_jam(64).low_u64();
    round_pack::<T>(
        value.negative,
        value.exponent - zeros as i32 + 64,
        significand,
        Rounding::NearestEven,
        Overflow::Ieee,
    )
}
