//! Addition, subtraction, multiplication and fused multiply-add (spec 2.2, 2.7, 2.10, 2.17).

use crate::convert::extend;
use crate::format::{Bf, Bits, F, Format, Hf, flush, flush_if};
use crate::mode::{Mode, Rounding};
use crate::pack::{
    Class, Overflow, Parts, finish, first_nan, round_pack, round_pack_normalised, sign_bit, split,
};
use crate::wide::Wide;

/// `a + b`.
#[inline]
pub fn add<T: Format>(a: T::Bits, b: T::Bits, mode: Mode) -> T::Bits {
    let (a, b) = (flush_if::<T>(a.to_u64(), mode.ftz), flush_if::<T>(b.to_u64(), mode.ftz));
    finish::<T>(add_raw::<T>(a, b, mode.rounding), mode)
}

/// `a - b`. A NaN `b` is returned with its own sign (spec 3.4).
#[inline]
pub fn sub<T: Format>(a: T::Bits, b: T::Bits, mode: Mode) -> T::Bits {
    let (a, b) = (flush_if::<T>(a.to_u64(), mode.ftz), flush_if::<T>(b.to_u64(), mode.ftz));
    let negated = if crate::format::raw_is_nan::<T>(b) { b } else { b ^ T::SIGN };
    finish::<T>(add_raw::<T>(a, negated, mode.rounding), mode)
}

/// `a * b`.
#[inline]
pub fn mul<T: Format>(a: T::Bits, b: T::Bits, mode: Mode) -> T::Bits {
    let (a, b) = (flush_if::<T>(a.to_u64(), mode.ftz), flush_if::<T>(b.to_u64(), mode.ftz));
    finish::<T>(mul_raw::<T>(a, b, mode.rounding), mode)
}

/// `a * b + c` with one rounding (P-09, P-10).
#[inline]
pub fn fma<T: Format>(a: T::Bits, b: T::Bits, c: T::Bits, mode: Mode) -> T::Bits {
    let (a, b) = (flush_if::<T>(a.to_u64(), mode.ftz), flush_if::<T>(b.to_u64(), mode.ftz));
    let c = flush_if::<T>(c.to_u64(), mode.ftz);
    finish::<T>(fma_raw::<T>(a, b, c, mode.rounding), mode)
}

/// `fmul.full.hf`: the sources extended to `f`, then multiplied there (P-07, P-08).
#[inline]
pub fn mul_full_hf(a: u16, b: u16, mode: Mode) -> u32 {
    mul_full::<Hf>(a, b, mode)
}

/// `fmul.full.bf`: the sources extended to `f`, then multiplied there (P-07, P-08).
#[inline]
pub fn mul_full_bf(a: u16, b: u16, mode: Mode) -> u32 {
    mul_full::<Bf>(a, b, mode)
}

#[inline(always)]
fn mul_full<T: Format>(a: T::Bits, b: T::Bits, mode: Mode) -> u32 {
    let source = |bits: T::Bits| {
        let raw = bits.to_u64();
        extend::<T, F>(T::from_u64(if mode.ftz { flush::<T>(raw) } else { raw }))
    };
    mul::<F>(source(a), source(b), mode)
}

#[inline(always)]
pub(crate) fn add_raw<T: Format>(a: u64, b: u64, rounding: Rounding) -> u64 {
    if rounding == Rounding::NearestEven
        && let Some(result) = T::native_add(a, b)
    {
        return result;
    }
    if let Some(nan) = first_nan::<T, 2>([a, b]) {
        return nan;
    }
    let (x, y) = (split::<T>(a), split::<T>(b));
    match (x.class, y.class) {
        (Class::Infinity, Class::Infinity) if x.negative != y.negative => T::CANONICAL_NAN,
        (Class::Infinity, _) => a,
        (_, Class::Infinity) => b,
        (Class::Zero, Class::Zero) => {
            sign_bit::<T>(if x.negative == y.negative { x.negative } else { rounding == Rounding::Down })
        }
        (Class::Zero, _) => b,
        (_, Class::Zero) => a,
        _ => add_finite::<T>(Term::of::<T>(x), Term::of::<T>(y), rounding),
    }
}

#[inline(always)]
fn mul_raw<T: Format>(a: u64, b: u64, rounding: Rounding) -> u64 {
    if rounding == Rounding::NearestEven
        && let Some(result) = T::native_mul(a, b)
    {
        return result;
    }
    if let Some(nan) = first_nan::<T, 2>([a, b]) {
        return nan;
    }
    let (x, y) = (split::<T>(a), split::<T>(b));
    let negative = x.negative != y.negative;
    match (x.class, y.class) {
        (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => T::CANONICAL_NAN,
        (Class::Infinity, _) | (_, Class::Infinity) => sign_bit::<T>(negative) | T::INFINITY,
        (Class::Zero, _) | (_, Class::Zero) => sign_bit::<T>(negative),
        _ => {
            let product = T::Wide::from_u64(x.significand) * T::Wide::from_u64(y.significand);
            round_pack::<T>(negative, x.exponent + y.exponent, product, rounding, Overflow::Ieee)
        }
    }
}

#[inline(always)]
fn fma_raw<T: Format>(a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
    if rounding == Rounding::NearestEven
        && let Some(result) = T::native_fma(a, b, c)
    {
        return result;
    }
    if let Some(nan) = first_nan::<T, 3>([a, b, c]) {
        return nan;
    }
    let (x, y, z) = (split::<T>(a), split::<T>(b), split::<T>(c));
    let negative = x.negative != y.negative;
    match (x.class, y.class) {
        (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => return T::CANONICAL_NAN,
        (Class::Infinity, _) | (_, Class::Infinity) => {
            return if z.class == Class::Infinity && z.negative != negative {
                T::CANONICAL_NAN
            } else {
                sign_bit::<T>(negative) | T::INFINITY
            };
        }
        (Class::Zero, _) | (_, Class::Zero) => {
            return if z.class == Class::Zero {
                sign_bit::<T>(if negative == z.negative { negative } else { rounding == Rounding::Down })
            } else {
                c
            };
        }
        _ => {}
    }
    let product = T::Wide::from_u64(x.significand) * T::Wide::from_u64(y.significand);
    let exponent = x.exponent + y.exponent;
    match z.class {
        Class::Infinity => c,
        Class::Zero => round_pack::<T>(negative, exponent, product, rounding, Overflow::Ieee),
        Class::Finite => add_finite::<T>(Term::new(negative, exponent, product), Term::of::<T>(z), rounding),
    }
}

/// `significand * 2^exponent`, leading bit at `TOP`.
#[derive(Clone, Copy)]
struct Term<W> {
    negative: bool,
    exponent: i32,
    significand: W,
}

impl<W: Wide> Term<W> {
    /// `significand` is not zero and has room to the left.
    #[inline(always)]
    fn new(negative: bool, exponent: i32, significand: W) -> Self {
        let shift = significand.leading_zeros() - 1;
        Term { negative, exponent: exponent - shift as i32, significand: significand << shift }
    }

    #[inline(always)]
    fn of<T: Format<Wide = W>>(parts: Parts) -> Self {
        let shift = W::TOP - T::FRAC_BITS;
        Term {
            negative: parts.negative,
            exponent: parts.exponent - shift as i32,
            significand: W::from_u64(parts.significand) << shift,
        }
    }
}

/// The rounded sum of two non-zero terms.
///
/// The smaller term is shifted with jamming. It loses bits only when it lies far below the larger one; then at most one leading
/// bit cancels, and more than enough bits stay below the format's last for the jammed bit to do its work.
#[inline(always)]
fn add_finite<T: Format>(x: Term<T::Wide>, y: Term<T::Wide>, rounding: Rounding) -> u64 {
    let (large, small) =
        if (x.exponent, x.significand) >= (y.exponent, y.significand) { (x, y) } else { (y, x) };
    let aligned = small.significand.shift_right_jam((large.exponent - small.exponent) as u32);
    if large.negative == small.negative {
        let sum = large.significand + aligned;
        return round_pack::<T>(large.negative, large.exponent, sum, rounding, Overflow::Ieee);
    }
    let difference = large.significand - aligned;
    if difference == T::Wide::ZERO {
        // P-28.
        return sign_bit::<T>(rounding == Rounding::Down);
    }
    if difference.leading_zeros() == 1 {
        return round_pack_normalised::<T>(
            large.negative,
            large.exponent,
            difference,
            rounding,
            Overflow::Ieee,
        );
    }
    round_pack::<T>(large.negative, large.exponent, difference, rounding, Overflow::Ieee)
}
