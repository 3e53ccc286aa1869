//! What the host's own arithmetic can do: binary32 and binary64, and through the latter the 16-bit formats, to nearest even.
//!
//! Rust guarantees IEEE 754 results of `+ - * /` and `sqrt` on every host, except for the bits of NaNs. So a NaN result is
//! refused here (`None`) and made by the integer path. The host's `fma` and libm are not used at all.

use crate::format::{Bf, Df, F, Hf};
use crate::wide::Wide;

/// Native shortcuts.
pub trait Native {
    /// The integer that exact intermediate results fit.
    type Wide: Wide;
    /// The value as a double, exactly; for a NaN some NaN.
    fn widen(raw: u64) -> f64;
    /// A double that is not a NaN, rounded to nearest even.
    fn narrow(value: f64) -> u64;
    /// `a + b`, to nearest even. `None` when there is no shortcut or the result is a NaN; so for the others.
    fn native_add(a: u64, b: u64) -> Option<u64>;
    /// `a * b`.
    fn native_mul(a: u64, b: u64) -> Option<u64>;
    /// `a / b`.
    fn native_div(a: u64, b: u64) -> Option<u64>;
    /// Square root.
    fn native_sqrt(a: u64) -> Option<u64>;
    /// `a * b + c` with one rounding.
    fn native_fma(a: u64, b: u64, c: u64) -> Option<u64>;
}

/// Arithmetic of the 16-bit formats in doubles.
///
/// A product is exact. A sum is rounded to odd. A quotient or root of `p`-bit values lies at least `2^-(2p+1)` of its size away from
/// every middle between two `p`-bit values that it does not hit, so a first rounding to 53 bits cannot reach it.
macro_rules! native_by_doubles {
    () => {
        type Wide = u64;
        #[inline(always)]
        fn native_add(a: u64, b: u64) -> Option<u64> {
            narrowed::<Self>(sum_to_odd(Self::widen(a), Self::widen(b)))
        }
        #[inline(always)]
        fn native_mul(a: u64, b: u64) -> Option<u64> {
            narrowed::<Self>(Self::widen(a) * Self::widen(b))
        }
        #[inline(always)]
        fn native_div(a: u64, b: u64) -> Option<u64> {
            narrowed::<Self>(Self::widen(a) / Self::widen(b))
        }
        #[inline(always)]
        fn native_sqrt(a: u64) -> Option<u64> {
            narrowed::<Self>(Self::widen(a).sqrt())
        }
        #[inline(always)]
        fn native_fma(a: u64, b: u64, c: u64) -> Option<u64> {
            narrowed::<Self>(sum_to_odd(Self::widen(a) * Self::widen(b), Self::widen(c)))
        }
    };
}

#[inline(always)]
fn narrowed<T: Native>(value: f64) -> Option<u64> {
    if value.is_nan() { None } else { Some(T::narrow(value)) }
}

/// Rounds a double that is not a NaN into a format of `WIDTH` bits with `FRACTION` fraction bits and the exponent bias `BIAS`.
#[inline(always)]
fn narrow_double<const WIDTH: u32, const FRACTION: u32, const BIAS: u64>(value: f64) -> u64 {
    let bits = value.to_bits();
    let sign = bits >> 63 << (WIDTH - 1);
    let magnitude = bits & !(1 << 63);
    let infinity = (2 * BIAS + 1) << FRACTION;
    if magnitude < (1023 - BIAS + 1) << 52 {
        // Denormal. In this sum the last bit has the weight of the least denormal, so the addition rounds as needed.
        let magic = (1023 - BIAS + 1 + 52 - u64::from(FRACTION)) << 52;
        let sum = f64::from_bits(magnitude) + f64::from_bits(magic);
        return sign | (sum.to_bits() - magic);
    }
    let drop = 52 - FRACTION;
    let odd = magnitude >> drop & 1;
    let rounded = (magnitude + ((1 << (drop - 1)) - 1) + odd) >> drop;
    sign | (rounded - ((1023 - BIAS) << FRACTION)).min(infinity)
}

impl Native for Hf {
    native_by_doubles!();
    #[inline(always)]
    fn widen(raw: u64) -> f64 {
        let magnitude = raw as u32 & 0x7fff;
        // The exponent field, taken for one of binary32, is too small by the difference of the biases: a factor of 2^112.
        let scaled = f32::from_bits(magnitude << 13) * f32::from_bits((127 + 112) << 23);
        let special = if magnitude >= 0x7c00 { 0x7f80_0000 } else { 0 };
        let sign = (raw as u32 & 0x8000) << 16;
        f64::from(f32::from_bits(scaled.to_bits() | special | sign))
    }
    #[inline(always)]
    fn narrow(value: f64) -> u64 {
        narrow_double::<16, 10, 15>(value)
    }
}

impl Native for Bf {
    native_by_doubles!();
    #[inline(always)]
    fn widen(raw: u64) -> f64 {
        f64::from(f32::from_bits((raw as u32) << 16))
    }
    #[inline(always)]
    fn narrow(value: f64) -> u64 {
        narrow_double::<16, 7, 127>(value)
    }
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
    fn widen(raw: u64) -> f64 {
        f64::from(f(raw))
    }
    #[inline(always)]
    fn narrow(value: f64) -> u64 {
        u64::from((value as f32).to_bits())
    }
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
        f_result(sum_to_odd(f64::from(f(a)) * f64::from(f(b)), f64::from(f(c))) as f32)
    }
}

/// `x + y` rounded, and the exact error of that (Knuth's TwoSum).
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let y_part = sum - x;
    (sum, (x - (sum - y_part)) + (y - y_part))
}

/// `x + y` rounded to odd: exact in all but the last bit, which is one whenever something was cut off. Rounding that once more to 51 or
/// fewer bits gives the correctly rounded result, denormal or not.
#[inline(always)]
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let (sum, error) = two_sum(x, y);
    let bits = sum.to_bits();
    // Without branches: which way it goes is as good as random. `error` is a NaN next to an infinity.
    let inexact = (error < 0.0) | (error > 0.0);
    let step = u64::from(inexact) & !bits & 1;
    let toward_zero = (error.to_bits() ^ bits) >> 63;
    f64::from_bits(bits.wrapping_add(step).wrapping_sub((step & toward_zero) << 1))
}

/// A double as the sum of two of 26 bits (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let shifted = x * 134_217_729.0;
    let high = shifted - (shifted - x);
    (high, x - high)
}

/// `a * b` rounded, and the exact error of that (Dekker), for operands of moderate size.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let product = a * b;
    (product, a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0))
}

/// `a * b + c` with one rounding, for operands of moderate size (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded
/// sums", 2008): product and sums with their exact errors, the two errors' sum rounded to odd, then one rounding to nearest.
#[inline(always)]
fn fma_of_doubles(a: f64, b: f64, c: f64) -> f64 {
    let (product, product_error) = two_product(a, b);
    let (low, lowest) = two_sum(c, product_error);
    let (high, rest) = two_sum(product, low);
    high + sum_to_odd(rest, lowest)
}

/// Far from overflow and underflow of anything that is done with it here: between 2^-300 and 2^300.
#[inline(always)]
fn moderate(raw: u64) -> bool {
    (raw >> 52 & 0x7ff).wrapping_sub(1023 - 300) < 600
}

/// `1 / sqrt(x)` of a positive double, correctly rounded, or `None` where this needs more precision.
#[inline(always)]
pub(crate) fn reciprocal_root_of_double(raw: u64) -> Option<u64> {
    if !moderate(raw) {
        return None;
    }
    let x = f64::from_bits(raw);
    // Within two units. With x y^2 = 1 - e, the true root is y (1 + e/2 + 3/8 e^2 ...), |e| < 2^-50.
    let y = 1.0 / x.sqrt();
    let (square, square_error) = two_product(y, y);
    let (one, one_error) = two_product(x, square);
    // 1 - one is exact, and so is the next difference but for 2^-53 of it.
    let e = ((1.0 - one) - one_error) - x * square_error;
    let (root, rest) = two_sum(y, 0.5 * y * e);
    // The rest is wrong by less than 2^-100 of the root, which matters only where it is near half a unit, 2^-54 of the root or more; and
    // 2^-40 of that is more than the error. If that much more of it does not move the root, nothing does.
    (root + rest * (1.0 + f64::from_bits((1023 - 40) << 52)) == root).then_some(root.to_bits())
}

#[inline(always)]
fn df_result(value: f64) -> Option<u64> {
    if value.is_nan() { None } else { Some(value.to_bits()) }
}

impl Native for Df {
    type Wide = u128;
    #[inline(always)]
    fn widen(raw: u64) -> f64 {
        f64::from_bits(raw)
    }
    #[inline(always)]
    fn narrow(value: f64) -> u64 {
        value.to_bits()
    }
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
    #[inline(always)]
    fn native_fma(a: u64, b: u64, c: u64) -> Option<u64> {
        if moderate(a) && moderate(b) && moderate(c) {
            df_result(fma_of_doubles(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c)))
        } else {
            None
        }
    }
}
