//! Conversions (spec 2.12, 4.5 to 4.10) and rounding to integral values.

use crate::arithmetic::add_raw;
use crate::format::{Bits, Df, F, Format, flush_if, raw_is_denormal, raw_is_nan};
use crate::mode::{Mode, Rounding};
use crate::pack::{Class, Overflow, Parts, round_pack, round_shift, sign_bit, split};
use crate::wide::Wide;

/// `frnd`: rounds to an integral value. The sign of the source is kept, also on zero (P-25).
#[inline]
pub fn round_to_integral<T: Format>(a: T::Bits, rounding: Rounding, ftz: bool) -> T::Bits {
    T::from_u64(integral_raw::<T>(flush_if::<T>(a.to_u64(), ftz), rounding))
}

#[inline(always)]
fn integral_raw<T: Format>(raw: u64, rounding: Rounding) -> u64 {
    if raw_is_nan::<T>(raw) {
        return raw | T::QUIET;
    }
    let x = split::<T>(raw);
    if x.class != Class::Finite || x.exponent >= 0 {
        return raw;
    }
    let integer = round_shift(x.significand, x.exponent.unsigned_abs(), x.negative, rounding);
    if integer == 0 {
        return sign_bit::<T>(x.negative);
    }
    // At most FRAC_BITS + 1 bits: exact.
    round_pack::<T>(x.negative, 0, T::Wide::from_u64(integer), rounding, Overflow::Ieee)
}

/// `frc.f`: `a` minus `a` rounded down, the difference rounded to nearest even, so 1.0 is possible (P-24).
#[inline]
pub fn fract(a: u32, ftz: bool) -> u32 {
    let raw = flush_if::<F>(u64::from(a), ftz);
    if raw_is_nan::<F>(raw) {
        return (raw | F::QUIET) as u32;
    }
    let floor = integral_raw::<F>(raw, Rounding::Down);
    // An infinity minus itself is the canonical NaN, a zero minus itself +0.
    crate::pack::finish::<F>(
        add_raw::<F>(raw, floor ^ F::SIGN, Rounding::NearestEven),
        Mode { ftz, ..Mode::default() },
    )
}

/// `f2i`: rounds, then clamps to the range of an integer of `bits` bits (8 to 64); NaN gives 0 (D-02, D-04).
/// The result is in the low `bits` bits, the rest is zero.
#[inline]
pub fn to_integer<T: Format>(a: T::Bits, bits: u32, signed: bool, rounding: Rounding) -> u64 {
    let raw = a.to_u64();
    if raw_is_nan::<T>(raw) {
        return 0;
    }
    let mask = u64::MAX >> (64 - bits.clamp(1, 64));
    let (positive, negative) = if signed { (mask >> 1, (mask >> 1) + 1) } else { (mask, 0) };
    let x = split::<T>(raw);
    let limit = if x.negative { negative } else { positive };
    let magnitude = match x.class {
        Class::Zero => 0,
        Class::Infinity => limit,
        Class::Finite if x.exponent >= 0 => {
            let room = x.significand.leading_zeros();
            if x.exponent as u32 > room { limit } else { (x.significand << x.exponent).min(limit) }
        }
        Class::Finite => {
            round_shift(x.significand, x.exponent.unsigned_abs(), x.negative, rounding).min(limit)
        }
    };
    (if x.negative { magnitude.wrapping_neg() } else { magnitude }) & mask
}

/// `i2f`: the low `bits` bits (8 to 64) of `value` as an integer, rounded. Above the largest finite number the result is infinity in
/// every rounding mode, with `dsat` that number (D-08, D-09, D-20).
#[inline]
pub fn from_integer<T: Format>(
    value: u64,
    bits: u32,
    signed: bool,
    rounding: Rounding,
    dsat: bool,
) -> T::Bits {
    let unused = 64 - bits.clamp(1, 64);
    let (negative, magnitude) = if signed {
        let value = ((value << unused) as i64) >> unused;
        (value < 0, value.unsigned_abs())
    } else {
        (false, (value << unused) >> unused)
    };
    if magnitude == 0 {
        return T::from_u64(0);
    }
    let raw = round_pack::<T>(negative, 0, T::Wide::from_u64(magnitude), rounding, Overflow::Infinity);
    T::from_u64(if dsat { clamp_finite::<T>(raw) } else { raw })
}

/// Infinity becomes the largest finite number of its sign (D-09).
#[inline(always)]
fn clamp_finite<T: Format>(raw: u64) -> u64 {
    if raw & T::MAGNITUDE == T::INFINITY { raw - 1 } else { raw }
}

/// A NaN in another format: sign kept, payload aligned at the top, quiet (D-06).
#[inline(always)]
fn convert_nan<A: Format, B: Format>(raw: u64) -> u64 {
    let payload = raw & A::FRAC_MASK;
    let payload = if A::FRAC_BITS <= B::FRAC_BITS {
        payload << (B::FRAC_BITS - A::FRAC_BITS)
    } else {
        payload >> (A::FRAC_BITS - B::FRAC_BITS)
    };
    sign_bit::<B>(raw & A::SIGN != 0) | B::CANONICAL_NAN | payload
}

/// Rounds a value of one format into another; NaNs are sorted out before.
#[inline(always)]
fn convert_parts<B: Format>(x: Parts, rounding: Rounding, overflow: Overflow) -> u64 {
    match x.class {
        Class::Zero => sign_bit::<B>(x.negative),
        Class::Infinity => sign_bit::<B>(x.negative) | B::INFINITY,
        Class::Finite => {
            round_pack::<B>(x.negative, x.exponent, B::Wide::from_u64(x.significand), rounding, overflow)
        }
    }
}

/// `fext`: the same value in a wider format, exactly, denormals included (D-05, D-06).
#[inline]
pub fn extend<A: Format, B: Format>(a: A::Bits) -> B::Bits {
    let raw = a.to_u64();
    B::from_u64(if raw_is_nan::<A>(raw) { convert_nan::<A, B>(raw) } else { B::narrow(A::widen(raw)) })
}

/// `ftrunc`: rounds into a narrower format. A denormal source gives a zero of its sign (D-07); above the largest finite number the
/// result is infinity in every rounding mode (D-08). `mode.dsat` clamps to the finite range (D-09), `mode.ftz` flushes a denormal
/// result.
#[inline]
pub fn truncate<A: Format, B: Format>(a: A::Bits, mode: Mode) -> B::Bits {
    let raw = a.to_u64();
    if raw_is_nan::<A>(raw) {
        return B::from_u64(convert_nan::<A, B>(raw));
    }
    if raw_is_denormal::<A>(raw) {
        return B::from_u64(sign_bit::<B>(raw & A::SIGN != 0));
    }
    let mut result = if mode.rounding == Rounding::NearestEven {
        B::narrow(A::widen(raw))
    } else {
        convert_parts::<B>(split::<A>(raw), mode.rounding, Overflow::Infinity)
    };
    result = flush_if::<B>(result, mode.ftz);
    B::from_u64(if mode.dsat { clamp_finite::<B>(result) } else { result })
}

/// A decimal literal, already parsed as a double, in the operand's format: to nearest even, denormals kept (I-09).
#[inline]
pub fn literal<T: Format>(value: f64) -> T::Bits {
    T::from_u64(round_f64::<T>(value))
}

/// A double rounded to nearest even into the format.
#[inline(always)]
pub(crate) fn round_f64<T: Format>(value: f64) -> u64 {
    let raw = value.to_bits();
    if raw_is_nan::<Df>(raw) { convert_nan::<Df, T>(raw) } else { T::narrow(value) }
}
