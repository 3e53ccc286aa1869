//! What the host's own arithmetic can do: binary32 and binary64, round to nearest even.
//!
//! Rust guarantees IEEE 754 results of `+ - * /` and `sqrt` on every host, except for the bits of NaNs. So a NaN result is
//! refused here (`None`) and made by the integer path. The host's `fma` and libm are not used at all.

use crate::format::{Bf, Df, F, Hf};
use crate::wide::Wide;

/// Native shortcuts; the default is to have none.
pub trait Native {
    /// The integer that exact intermediate results fit.
    type Wide: Wide;
    /// `a + b`.
    #[inline(always)]
    fn native_add(_a: u64, _b: u64) -> Option<u64> {
        None
    }
    /// `a * b`.
    #[inline(always)]
    fn native_mul(_a: u64, _b: u64) -> Option<u64> {
        None
    }
    /// `a / b`.
    #[inline(always)]
    fn native_div(_a: u64, _b: u64) -> Option<u64> {
        None
    }
    /// Square root.
    #[inline(always)]
    fn native_sqrt(_a: u64) -> Option<u64> {
        None
    }
    /// `a * b + c` with one rounding.
    #[inline(always)]
    fn native_fma(_a: u64, _b: u64, _c: u64) -> Option<u64> {
        None
    }
}

impl Native for Hf {
    type Wide = u64;
}

impl Native for Bf {
    type Wide = u64;
}

#[inline(always)]
fn f(raw: u64) -> f32 {
    f32::from_bits(raw as u32)
}

#[inline(always)]
fn f_result(value: f32) -> Option<u64> {
    if value.is_nan() { None } else { Some(u64::from(value.to_bits())) }
}

impl Native for F {
    type Wide = u64;
    #[inline(always)]
    fn native_add(a: u64, b: u64) -> Option<u64> {
        f_result(f(a) + f(b))
    }
    #[inline(always)]
    fn native_mul(a: u64, b: u64) -> Option<u64> {
        f_result(f(a) * f(b))
    }
    #[inline(always)]
    fn native_div(a: u64, b: u64) -> Option<u64> {
        f_result(f(a) / f(b))
    }
    #[inline(always)]
    fn native_sqrt(a: u64) -> Option<u64> {
        f_result(f(a).sqrt())
    }
    #[inline(always)]
    fn native_fma(a: u64, b: u64, c: u64) -> Option<u64> {
        f_result(fma_to_odd(f64::from(f(a)), f64::from(f(b)), f64::from(f(c))) as f32)
    }
}

/// `a * b + c` of binary32 values in binary64, rounded to odd: exact in all but the last bit, which is one whenever something
/// was cut off. Rounding that once more to 24 or fewer bits gives the correctly rounded result, denormal or not.
#[inline(always)]
fn fma_to_odd(a: f64, b: f64, c: f64) -> f64 {
    // 24 + 24 bits: exact.
    let product = a * b;
    let sum = product + c;
    if !sum.is_finite() {
        return sum;
    }
    // Knuth's TwoSum: `error` is exactly product + c - sum.
    let c_part = sum - product;
    let error = (product - (sum - c_part)) + (c - c_part);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        sum
    } else if (error > 0.0) == (sum > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}

#[inline(always)]
fn df_result(value: f64) -> Option<u64> {
    if value.is_nan() { None } else { Some(value.to_bits()) }
}

impl Native for Df {
    type Wide = u128;
    #[inline(always)]
    fn native_add(a: u64, b: u64) -> Option<u64> {
        df_result(f64::from_bits(a) + f64::from_bits(b))
    }
    #[inline(always)]
    fn native_mul(a: u64, b: u64) -> Option<u64> {
        df_result(f64::from_bits(a) * f64::from_bits(b))
    }
    #[inline(always)]
    fn native_div(a: u64, b: u64) -> Option<u64> {
        df_result(f64::from_bits(a) / f64::from_bits(b))
    }
    #[inline(always)]
    fn native_sqrt(a: u64) -> Option<u64> {
        df_result(f64::from_bits(a).sqrt())
    }
}
