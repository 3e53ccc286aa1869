//! Chapter 2 of the instruction reference: floating point.
//!
//! Each function gives one element of `dst` for one lane (spec 2.2.2, packed). Rounding, `.ftz` and `.dsat` follow
//! spec 3.2 to 3.5 (P-01, P-02, P-06); NaN results are the first NaN source, quieted (P-04), or the canonical one (P-05).

use crate::qualifiers::Qualifiers;
use pisa_float as float;
use pisa_isa::SlotName::{Nanp, Precision, Type};

/// Runs an expression with `$format` naming the type behind a [`crate::qualifiers::Format`].
macro_rules! in_format {
    ($which:expr, $format:ident => $result:expr) => {
        match $which {
            crate::qualifiers::Format::Hf => {
                type $format = pisa_float::Hf;
                $result
            }
            crate::qualifiers::Format::Bf => {
                type $format = pisa_float::Bf;
                $result
            }
            crate::qualifiers::Format::F => {
                type $format = pisa_float::F;
                $result
            }
            crate::qualifiers::Format::Df => {
                type $format = pisa_float::Df;
                $result
            }
        }
    };
}
/// [`in_format`] for the instructions that `.df` does not have.
macro_rules! in_short_format {
    ($which:expr, $format:ident => $result:expr) => {
        match $which {
            crate::qualifiers::Format::Hf => {
                type $format = pisa_float::Hf;
                $result
            }
            crate::qualifiers::Format::Bf => {
                type $format = pisa_float::Bf;
                $result
            }
            crate::qualifiers::Format::F | crate::qualifiers::Format::Df => {
                type $format = pisa_float::F;
                $result
            }
        }
    };
}
pub(crate) use in_format;

/// The bits of an element as a number of the format.
pub(crate) fn number<T: float::Format>(bits: u128) -> T::Bits {
    T::from_u64(bits as u64)
}
/// The bits of a number of the format.
pub(crate) fn bits<T: float::Format>(number: T::Bits) -> u128 {
    u128::from(T::to_u64(number))
}

/// 2.1 `fabs`: `dst = |src0|`. A NaN is quieted and loses its sign (P-13).
pub(crate) fn fabs(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::abs::<T>(number::<T>(src0), q.ftz())))
}

/// 2.2 `fadd`: `dst = src0 + src1` (P-28, P-29).
pub(crate) fn fadd(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::add::<T>(number::<T>(src0), number::<T>(src1), q.mode())))
}

/// 2.3 `fcos`: `dst = cos(src0)`, correctly rounded (P-18, P-20).
pub(crate) fn fcos(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_short_format!(q.format(Type), T => bits::<T>(float::cos::<T>(number::<T>(src0), q.ftz())))
}

/// 2.4 `fdiv`: `dst = src0 / src1`. With `.fast` correctly rounded, too (P-17, P-22).
pub(crate) fn fdiv(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::div::<T>(number::<T>(src0), number::<T>(src1), q.mode())))
}

/// 2.5 `fexp2`: `dst = 2^src0`, correctly rounded (P-18, P-30).
pub(crate) fn fexp2(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_short_format!(q.format(Type), T => bits::<T>(float::exp2::<T>(number::<T>(src0), q.ftz())))
}

/// 2.6 `flog2`: `dst = log2(src0)`, correctly rounded (P-18, P-19, P-21).
pub(crate) fn flog2(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_short_format!(q.format(Type), T => bits::<T>(float::log2::<T>(number::<T>(src0), q.ftz())))
}

/// 2.7 `fmad`: `dst = src0 * src1 + src2`, rounded once (P-09, P-10).
pub(crate) fn fmad(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    in_format!(q.format(Type), T => {
        bits::<T>(float::fma::<T>(number::<T>(src0), number::<T>(src1), number::<T>(src2), q.mode()))
    })
}

/// 2.8 `fmax`: the larger of both, the one that is no NaN, with `.nanp` the NaN (P-11, P-12).
pub(crate) fn fmax(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    in_format!(q.format(Type), T => {
        bits::<T>(float::max::<T>(number::<T>(src0), number::<T>(src1), q.ftz(), q.dsat(), q.has(Nanp)))
    })
}

/// 2.9 `fmin`: the smaller of both, the one that is no NaN, with `.nanp` the NaN (P-11, P-12).
pub(crate) fn fmin(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    in_format!(q.format(Type), T => {
        bits::<T>(float::min::<T>(number::<T>(src0), number::<T>(src1), q.ftz(), q.dsat(), q.has(Nanp)))
    })
}

/// 2.10 `fmul`: `dst = src0 * src1`; with `.full` both sources are extended to `.f` first (P-07, P-08).
pub(crate) fn fmul(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if q.has(Precision) {
        let product = match q.format(Type) {
            crate::qualifiers::Format::Bf => float::mul_full_bf(src0 as u16, src1 as u16, q.mode()),
            _ => float::mul_full_hf(src0 as u16, src1 as u16, q.mode()),
        };
        return u128::from(product);
    }
    in_format!(q.format(Type), T => bits::<T>(float::mul::<T>(number::<T>(src0), number::<T>(src1), q.mode())))
}

/// 2.11 `fneg`: `dst = -src0`. A NaN is quieted and changes its sign, too (P-14).
pub(crate) fn fneg(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::neg::<T>(number::<T>(src0), q.ftz())))
}

/// 2.12 `frc`: `dst = src0 - round(src0, .rd)`, hence 1.0 for tiny negative numbers (P-24).
pub(crate) fn frc(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    u128::from(float::fract(src0 as u32, q.ftz()))
}

/// 2.13 `frcp`: `dst = 1 / src0`, correctly rounded (P-18, P-21).
pub(crate) fn frcp(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::rcp::<T>(number::<T>(src0), q.ftz())))
}

/// 2.14 `frsqrt`: `dst = 1 / sqrt(src0)`, correctly rounded (P-18, P-21).
pub(crate) fn frsqrt(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::rsqrt::<T>(number::<T>(src0), q.ftz())))
}

/// 2.15 `fsin`: `dst = sin(src0)`, correctly rounded (P-18, P-20).
pub(crate) fn fsin(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_short_format!(q.format(Type), T => bits::<T>(float::sin::<T>(number::<T>(src0), q.ftz())))
}

/// 2.16 `fsqrt`: `dst = sqrt(src0)`. With `.fast` correctly rounded, too (P-18, P-22).
pub(crate) fn fsqrt(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::sqrt::<T>(number::<T>(src0), q.mode())))
}

/// 2.17 `fsub`: `dst = src0 - src1` (P-28, P-29).
pub(crate) fn fsub(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    in_format!(q.format(Type), T => bits::<T>(float::sub::<T>(number::<T>(src0), number::<T>(src1), q.mode())))
}

/// 2.18 `ftanh`: `dst = tanh(src0)`, correctly rounded (P-18, P-30).
pub(crate) fn ftanh(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_short_format!(q.format(Type), T => bits::<T>(float::tanh::<T>(number::<T>(src0), q.ftz())))
}
