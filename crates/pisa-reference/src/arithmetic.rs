//! Chapter 1 of the instruction reference: integer arithmetic.
//!
//! Each function gives one element of `dst` for one lane: scalar instructions have one element, packed ones several that
//! are computed independently (spec 2.2.2). The result is cut to the width of the destination, so that "wraps modulo
//! 2^N" (A-01) needs no words below.

use crate::bits::{signed, truncate};
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use pisa_isa::{Qualifier, SlotName};

/// 1.1 `dp4a`: `dst = src0 + src1_0*src2_0 + src1_1*src2_1 + src1_2*src2_2 + src1_3*src2_3`.
///
/// The first letter of `.signedness` speaks of `src1`, the second of `src2`. `.dsat` clamps the exact sum, with
/// `src0` signed.
pub(crate) fn dp4a(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    let (src1_signed, src2_signed) = match q.get(SlotName::Signedness) {
        Some(Qualifier::Ss) => (true, true),
        Some(Qualifier::Su) => (true, false),
        Some(Qualifier::Us) => (false, true),
        _ => (false, false),
    };
    let byte = |value: u128, i: u32, is_signed: bool| {
        if is_signed { signed(value >> (8 * i), 8) } else { truncate(value >> (8 * i), 8) as i128 }
    };
    let products: i128 = (0..4).map(|i| byte(src1, i, src1_signed) * byte(src2, i, src2_signed)).sum();
    saturate(q, signed(src0, 32) + products)
}

/// 1.2 `iabs`: `dst = |src0|`. The least number stays as it is.
pub(crate) fn iabs(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    signed(src0, q.width()).unsigned_abs()
}

/// 1.3 `iadd`: `dst = src0 + src1`. `.dsat` clamps the exact sum to the signed range.
pub(crate) fn iadd(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    saturate(q, signed(src0, q.width()) + signed(src1, q.width()))
}

/// 1.4 `ineg`: `dst = -src0`. The least number stays as it is.
pub(crate) fn ineg(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    src0.wrapping_neg()
}

/// 1.5 `isub`: `dst = src0 - src1`. `.dsat` clamps the exact difference to the signed range.
pub(crate) fn isub(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    saturate(q, signed(src0, q.width()) - signed(src1, q.width()))
}

/// With `.dsat`, the nearest number of the signed range of the type.
fn saturate(q: &Qualifiers, exact: i128) -> u128 {
    let limit = 1i128 << (q.width() - 1);
    (if q.dsat() { exact.clamp(-limit, limit - 1) } else { exact }) as u128
}

/// 1.6 `sdiv`: `dst = src0 / src1`, toward zero; with `.rem` `dst = src0 % src1`, with the sign of `src0`.
///
/// A division by zero gives the quotient -1 and the remainder `src0`; of the least number by -1, the least number
/// and 0.
pub(crate) fn sdiv(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    let (dividend, divisor) = (signed(src0, q.width()), signed(src1, q.width()));
    let (quotient, remainder) =
        if divisor == 0 { (-1, dividend) } else { (dividend / divisor, dividend % divisor) };
    (if q.is(SlotName::Output, Qualifier::Rem) { remainder } else { quotient }) as u128
}

/// 1.7 `smad`: `dst = src0 * src1 + src2`, low N bits; with `.full` all factors sign-extended first.
pub(crate) fn smad(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    smul(q, [src0, src1]).wrapping_add(src2)
}

/// 1.8 `smax`: `dst = src0 > src1 ? src0 : src1`.
pub(crate) fn smax(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if signed(src0, q.width()) > signed(src1, q.width()) { src0 } else { src1 }
}

/// 1.9 `smin`: `dst = src0 < src1 ? src0 : src1`.
pub(crate) fn smin(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if signed(src0, q.width()) < signed(src1, q.width()) { src0 } else { src1 }
}

/// 1.10 `smul`: `dst = src0 * src1`, with `.full` all 2N bits of it, else the low N.
pub(crate) fn smul(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    signed(src0, q.width()).wrapping_mul(signed(src1, q.width())) as u128
}

/// 1.11 `uaddc`: `dst = src0 + src1` and with `.ci` `+ carry-in`; with `.co`, `carry-out` says whether that overflowed
/// 32 bits, the carry-in included.
///
/// The destinations are `dst` and, with `.co`, `carry-out`.
pub(crate) fn uaddc(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    let carry_in = if q.has(SlotName::Ci) { src.get(2) } else { 0 };
    let sum = src.get(0) + src.get(1) + carry_in;
    dst[0] = sum;
    if q.has(SlotName::Co) {
        dst[1] = sum >> 32;
    }
}

/// 1.12 `udiv`: `dst = src0 / src1`; with `.rem` `dst = src0 % src1`.
///
/// A division by zero gives the quotient 2^N-1 and the remainder `src0`.
pub(crate) fn udiv(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if q.is(SlotName::Output, Qualifier::Rem) {
        src0.checked_rem(src1).unwrap_or(src0)
    } else {
        src0.checked_div(src1).unwrap_or(u128::MAX)
    }
}

/// 1.13 `umad`: `dst = src0 * src1 + src2`, low N bits; with `.full` all factors zero-extended first.
pub(crate) fn umad(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    umul(q, [src0, src1]).wrapping_add(src2)
}

/// 1.14 `umax`: `dst = src0 > src1 ? src0 : src1`.
pub(crate) fn umax(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if src0 > src1 { src0 } else { src1 }
}

/// 1.15 `umin`: `dst = src0 < src1 ? src0 : src1`.
pub(crate) fn umin(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    if src0 < src1 { src0 } else { src1 }
}

/// 1.16 `umul`: `dst = src0 * src1`, with `.full` all 2N bits of it, else the low N.
pub(crate) fn umul(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0.wrapping_mul(src1)
}
