//! Elementary functions (spec 2.3, 2.5, 2.6, 2.14, 2.15, 2.18).

use crate::convert::{extend, literal};
use crate::format::{Bits, Df, Format, flush_if, raw_is_nan};
use crate::mode::Mode;
use crate::pack::finish;

#[inline(always)]
fn unary<T: Format>(a: T::Bits, ftz: bool, function: impl Fn(f64) -> f64) -> T::Bits {
    let raw = flush_if::<T>(a.to_u64(), ftz);
    if raw_is_nan::<T>(raw) {
        return T::from_u64(raw | T::QUIET);
    }
    let value = function(f64::from_bits(extend::<T, Df>(T::from_u64(raw))));
    if value.is_nan() {
        return T::from_u64(T::CANONICAL_NAN);
    }
    finish::<T>(literal::<T>(value).to_u64(), Mode { ftz, ..Mode::default() })
}

/// `1 / sqrt(a)`; of a zero the infinity of its sign (P-21).
pub fn rsqrt<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, |x| 1.0 / x.sqrt())
}
/// The sine of an angle in radians (P-20).
pub fn sin<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, f64::sin)
}
/// The cosine of an angle in radians (P-20).
pub fn cos<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, f64::cos)
}
/// Two to the power of `a` (P-30).
pub fn exp2<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, f64::exp2)
}
/// The binary logarithm (P-21).
pub fn log2<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, f64::log2)
}
/// The hyperbolic tangent (P-30).
pub fn tanh<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    unary::<T>(a, ftz, f64::tanh)
}
