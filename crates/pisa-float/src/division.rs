//! Division and square root (spec 2.4, 2.13, 2.16). `.fast` gives the same, correctly rounded results (P-17, P-18).

use crate::format::{Bits, Df, Format, flush_if};
use crate::mode::{Mode, Rounding};
use crate::pack::{Class, Overflow, finish, first_nan, round_pack, sign_bit, split};
use crate::wide::Wide;

/// `a / b`. `mode.dsat` is ignored: the instruction has no `.dsat`.
#[inline]
pub fn div<T: Format>(a: T::Bits, b: T::Bits, mode: Mode) -> T::Bits {
    let mode = Mode { dsat: false, ..mode };
    let (a, b) = (flush_if::<T>(a.to_u64(), mode.ftz), flush_if::<T>(b.to_u64(), mode.ftz));
    finish::<T>(div_raw::<T>(a, b, mode.rounding), mode)
}

/// `1 / a`, rounded to nearest even (P-21).
#[inline]
pub fn rcp<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    div::<T>(T::from_u64(T::ONE), a, Mode { ftz, ..Mode::default() })
}

/// The square root. `mode.dsat` is ignored: the instruction has no `.dsat`.
#[inline]
pub fn sqrt<T: Format>(a: T::Bits, mode: Mode) -> T::Bits {
    let mode = Mode { dsat: false, ..mode };
    let a = flush_if::<T>(a.to_u64(), mode.ftz);
    finish::<T>(sqrt_raw::<T>(a, mode.rounding), mode)
}

#[inline(always)]
fn div_raw<T: Format>(a: u64, b: u64, rounding: Rounding) -> u64 {
    if rounding == Rounding::NearestEven
        && let Some(result) = T::native_div(a, b)
    {
        return result;
    }
    if let Some(nan) = first_nan::<T, 2>([a, b]) {
        return nan;
    }
    let (x, y) = (split::<T>(a), split::<T>(b));
    let negative = x.negative != y.negative;
    match (x.class, y.class) {
        (Class::Infinity, Class::Infinity) | (Class::Zero, Class::Zero) => T::CANONICAL_NAN,
        (Class::Infinity, _) | (_, Class::Zero) => sign_bit::<T>(negative) | T::INFINITY,
        (Class::Zero, _) | (_, Class::Infinity) => sign_bit::<T>(negative),
        _ => {
            let shift = T::Wide::TOP - T::FRAC_BITS;
            let dividend = T::Wide::from_u64(x.significand) << shift;
            let divisor = T::Wide::from_u64(y.significand);
            let quotient = dividend / divisor;
            let sticky = if quotient * divisor == dividend { T::Wide::ZERO } else { T::Wide::ONE };
            let exponent = x.exponent - y.exponent - shift as i32;
            // One more bit for what is left over.
            let quotient = (quotient << 1) | sticky;
            round_pack::<T>(negative, exponent - 1, quotient, rounding, Overflow::Ieee)
        }
    }
}

#[inline(always)]
fn sqrt_raw<T: Format>(a: u64, rounding: Rounding) -> u64 {
    if rounding == Rounding::NearestEven
        && let Some(result) = T::native_sqrt(a)
    {
        return result;
    }
    if let Some(nan) = first_nan::<T, 1>([a]) {
        return nan;
    }
    let x = split::<T>(a);
    match (x.class, x.negative) {
        (Class::Zero, _) => a,
        (_, true) => T::CANONICAL_NAN,
        (Class::Infinity, _) => a,
        _ => {
            let (exponent, root) = root_of(x.exponent, x.significand);
            round_pack::<T>(false, exponent, T::Wide::from_u64(root), rounding, Overflow::Ieee)
        }
    }
}

/// The square root of `significand * 2^exponent` as `root * 2^exponent'`, `root` with at least two bits more than 53, jammed.
#[inline(always)]
fn root_of(exponent: i32, significand: u64) -> (i32, u64) {
    // An even exponent, and 105 or 106 bits: the root has 53.
    let mut shift = significand.leading_zeros() as i32 + 42 - 1;
    if (exponent - shift) % 2 != 0 {
        shift += 1;
    }
    let radicand = u128::from(significand) << shift;
    // The significand has at most 53 bits, so this is exact, and the root is the one nearest to the true one.
    let nearest = (radicand as f64).sqrt() as u64;
    let square = u128::from(nearest) * u128::from(nearest);
    // No square root lies halfway between two numbers of 53 bits, so all that matters is on which side it lies.
    let jammed = match square.cmp(&radicand) {
        core::cmp::Ordering::Equal => 4 * nearest,
        core::cmp::Ordering::Less => 4 * nearest + 1,
        core::cmp::Ordering::Greater => 4 * nearest - 1,
    };
    ((exponent - shift) / 2 - 2, jammed)
}

const _: () = assert!(Df::FRAC_BITS == 52, "root_of counts on 53 bits");
