//! Taking values apart and rounding exact results back into a format.

use core::cmp::Ordering;

use crate::format::{Format, raw_is_denormal, raw_is_nan};
use crate::mode::{Mode, Rounding};
use crate::wide::Wide;

/// What kind of value it is; NaNs are sorted out before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Zero,
    Finite,
    Infinity,
}

/// A value that is not a NaN. A finite one is `significand * 2^exponent`, the significand's leading bit at `FRAC_BITS`.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub negative: bool,
    pub class: Class,
    pub exponent: i32,
    pub significand: u64,
}

/// Takes a value apart. Must not be called for a NaN.
#[inline(always)]
pub(crate) fn split<T: Format>(raw: u64) -> Parts {
    let negative = raw & T::SIGN != 0;
    let biased = (raw >> T::FRAC_BITS) & T::EXP_MAX;
    let fraction = raw & T::FRAC_MASK;
    let least = 1 - T::BIAS - T::FRAC_BITS as i32;
    if biased == T::EXP_MAX {
        return Parts { negative, class: Class::Infinity, exponent: 0, significand: 0 };
    }
    if biased != 0 {
        let significand = fraction | T::MIN_NORMAL;
        return Parts { negative, class: Class::Finite, exponent: biased as i32 - 1 + least, significand };
    }
    if fraction == 0 {
        return Parts { negative, class: Class::Zero, exponent: 0, significand: 0 };
    }
    let shift = fraction.leading_zeros() - (63 - T::FRAC_BITS);
    Parts { negative, class: Class::Finite, exponent: least - shift as i32, significand: fraction << shift }
}

/// What becomes of a finite result whose rounded value exceeds the largest finite number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// IEEE 754 section 7.4: infinity, or the largest finite number where the mode rounds toward it (P-29).
    Ieee,
    /// Infinity in every mode (D-08).
    Infinity,
}

#[inline(always)]
pub(crate) fn sign_bit<T: Format>(negative: bool) -> u64 {
    if negative { T::SIGN } else { 0 }
}

/// Rounds `significand * 2^exponent` (not zero, any leading bit) into the format.
///
/// The lowest bit of the significand may be jammed when the significand has at least two bits more than the format.
#[inline(always)]
pub(crate) fn round_pack<T: Format>(
    negative: bool,
    exponent: i32,
    significand: T::Wide,
    rounding: Rounding,
    overflow: Overflow,
) -> u64 {
    let zeros = significand.leading_zeros();
    let (significand, exponent) = if zeros == 0 {
        (significand.shift_right_jam(1), exponent + 1)
    } else {
        (significand << (zeros - 1), exponent - (zeros as i32 - 1))
    };
    round_pack_normalised::<T>(negative, exponent, significand, rounding, overflow)
}

/// [`round_pack`] for a significand whose leading bit is at `TOP`.
#[inline(always)]
pub(crate) fn round_pack_normalised<T: Format>(
    negative: bool,
    exponent: i32,
    significand: T::Wide,
    rounding: Rounding,
    overflow: Overflow,
) -> u64 {
    let top = T::Wide::TOP;
    let sign = sign_bit::<T>(negative);
    let biased = exponent + top as i32 + T::BIAS;
    if biased >= T::EXP_MAX as i32 {
        return sign | overflowed::<T>(negative, rounding, overflow);
    }
    let mut significand = significand;
    let mut drop = top - T::FRAC_BITS;
    let mut base = (biased - 1) as u64;
    if biased < 1 {
        base = 0;
        drop += (1 - biased) as u32;
        if drop > top + 1 {
            // Less than a quarter of the smallest denormal.
            significand = T::Wide::ONE;
            drop = top + 1;
        }
    }
    let kept = (significand >> drop).low_u64();
    let half = T::Wide::ONE << (drop - 1);
    let rest = significand & (half | (half - T::Wide::ONE));
    let away = rounding.away(negative, kept & 1 == 1, rest.cmp(&half), rest != T::Wide::ZERO);
    // The leading bit adds one to the exponent field; so does a carry out of the fraction.
    let magnitude = (base << T::FRAC_BITS) + kept + u64::from(away);
    if magnitude >= T::INFINITY {
        return sign | overflowed::<T>(negative, rounding, overflow);
    }
    sign | magnitude
}

/// Also right when rounding itself carried to infinity: only a mode that rounds away from zero there gets that far.
#[cold]
fn overflowed<T: Format>(negative: bool, rounding: Rounding, overflow: Overflow) -> u64 {
    let infinity = overflow == Overflow::Infinity
        || match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
    if infinity { T::INFINITY } else { T::MAX_FINITE }
}

/// Shifts right by `count` bits and rounds the integer.
#[inline(always)]
pub(crate) fn round_shift(value: u64, count: u32, negative: bool, rounding: Rounding) -> u64 {
    if count == 0 {
        return value;
    }
    // From 65 bits on, what is cut off is below one half for any value.
    let (kept, half) = if count > 64 {
        (0, if value == 0 { Ordering::Equal } else { Ordering::Less })
    } else {
        let half = 1u64 << (count - 1);
        let rest = value & (half | (half - 1));
        (if count == 64 { 0 } else { value >> count }, rest.cmp(&half))
    };
    let inexact = if count > 64 { value != 0 } else { kept.checked_shl(count).unwrap_or(0) != value };
    kept + u64::from(rounding.away(negative, kept & 1 == 1, half, inexact))
}

/// The first NaN among the operands, quieted (P-04).
#[inline(always)]
pub(crate) fn first_nan<T: Format, const N: usize>(operands: [u64; N]) -> Option<u64> {
    operands.into_iter().find(|&raw| raw_is_nan::<T>(raw)).map(|raw| raw | T::QUIET)
}

/// `.ftz` and `.dsat` on a rounded result, in this order (P-06).
#[inline(always)]
pub(crate) fn finish<T: Format>(raw: u64, mode: Mode) -> T::Bits {
    let mut raw = raw;
    if mode.ftz && raw_is_denormal::<T>(raw) {
        raw &= T::SIGN;
    }
    if mode.dsat {
        raw = saturate::<T>(raw);
    }
    T::from_u64(raw)
}

/// Clamps to [+0, 1]; NaN becomes +0.
#[inline(always)]
pub(crate) fn saturate<T: Format>(raw: u64) -> u64 {
    if raw & T::SIGN != 0 || raw_is_nan::<T>(raw) { 0 } else { raw.min(T::ONE) }
}
