//! The reciprocal square root, correctly rounded in integers.

use crate::format::{Bits, Format, flush_if};
use crate::mode::{Mode, Rounding};
use crate::native::reciprocal_root_of_double;
use crate::pack::{Class, Overflow, finish, first_nan, round_pack, sign_bit, split};
use crate::wide::Wide;

/// `1 / sqrt(a)`, to nearest even; of a zero, the infinity of its sign; of a negative number, NaN (P-21).
pub fn rsqrt<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    let raw = flush_if::<T>(a.to_u64(), ftz);
    let result = if let Some(nan) = first_nan::<T, 1>([raw]) {
        nan
    } else {
        let x = split::<T>(raw);
        match (x.class, x.negative) {
            (Class::Zero, negative) => sign_bit::<T>(negative) | T::INFINITY,
            (_, true) => T::CANONICAL_NAN,
            (Class::Infinity, _) => 0,
            (Class::Finite, _) => {
                let quick = if T::WIDTH < 64 {
                    // A double is wrong by less than two units; only a result near a middle needs more.
                    let bits = (1.0 / T::widen(raw).sqrt()).to_bits();
                    let low = T::narrow(f64::from_bits(bits - 2));
                    (low == T::narrow(f64::from_bits(bits + 2))).then_some(low)
                } else {
                    reciprocal_root_of_double(raw)
                };
                if let Some(result) = quick {
                    return finish::<T>(result, Mode { ftz, ..Mode::default() });
                }
                let (exponent, root) = reciprocal_root(x.exponent, x.significand);
                round_pack::<T>(
                    false,
                    exponent,
                    T::Wide::from_u64(root),
                    Rounding::NearestEven,
                    Overflow::Ieee,
                )
            }
        }
    };
    finish::<T>(result, Mode { ftz, ..Mode::default() })
}

/// `1 / sqrt(significand * 2^exponent)` as `root * 2^exponent'` with a root of at least 56 bits, jammed.
///
/// `floor(sqrt(floor(n)))` is `floor(sqrt(n))`, so a root of the quotient cut to an integer is as good as one of the quotient.
fn reciprocal_root(exponent: i32, significand: u64) -> (i32, u64) {
    // A significand of 63 or 64 bits with an even exponent.
    let mut shift = significand.leading_zeros() as i32;
    if (exponent - shift) % 2 != 0 {
        shift -= 1;
    }
    let divisor = significand << shift;
    let exponent = exponent - shift;
    // quotient = floor(2^178 / divisor): 115 to 116 bits, in two steps.
    let high = (1u128 << 127) / u128::from(divisor);
    let rest = (1u128 << 127) % u128::from(divisor);
    let low = (rest << 51) / u128::from(divisor);
    let inexact = low * u128::from(divisor) != rest << 51;
    let quotient = (high << 51) + low;
    // A double gives 52 bits of the root, one step of Newton's method all of it but for one unit.
    let estimate = (quotient as f64).sqrt() as u64;
    let excess = (quotient as i128) - (u128::from(estimate) * u128::from(estimate)) as i128;
    let mut root = estimate.wrapping_add_signed((excess as f64 / (2.0 * estimate as f64)) as i64);
    while u128::from(root) * u128::from(root) > quotient {
        root -= 1;
    }
    while (u128::from(root) + 1) * (u128::from(root) + 1) <= quotient {
        root += 1;
    }
    let exact = !inexact && u128::from(root) * u128::from(root) == quotient;
    // sqrt(2^178 / divisor) = root, so 1 / sqrt(divisor) = root * 2^-89.
    (-exponent / 2 - 89 - 1, (root << 1) | u64::from(!exact))
}
