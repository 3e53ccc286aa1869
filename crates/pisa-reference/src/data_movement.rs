//! Chapter 4 of the instruction reference: data movement and conversion.

use crate::bits::{UNDEFINED, all_ones_if, signed};
use crate::floating_point::{bits, in_format, number};
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use pisa_float as float;
use pisa_isa::Qualifier;
use pisa_isa::SlotName::{Addrspace, From, To, Type};
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG};

/// 4.1 `addrcast`: a tag marks generic addresses of shared and private memory, those of global and constant memory are
/// themselves (D-24); no null is mapped (D-25). Back, the low bits remain, of whatever space they are (D-26, D-27).
pub(crate) fn addrcast(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    match q.get(From) {
        Some(Qualifier::Shared) => u128::from(GENERIC_SHARED) | src0,
        Some(Qualifier::Private) => u128::from(GENERIC_PRIVATE) | src0,
        _ => src0,
    }
}

/// 4.2 `addrof`: `dst = &src0`, the address of a variable (D-29) or the handle of a function (C-04).
pub(crate) fn addrof(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    src0
}

/// 4.3 `extract.dynamic`: `dst = src0[index]`; undefined bytes for an index out of bounds (D-19).
pub(crate) fn extract_dynamic(_: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    let index = src.get(1);
    dst[0] = if index < src.elements(0) as u128 { src.element(0, index as usize) } else { UNDEFINED };
}

/// 4.4 `extract`: `dst[i] = src0[index + i]` for every element of `dst` (D-16).
pub(crate) fn extract(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    let index = usize::from(q.number());
    for (i, dst) in dst.iter_mut().enumerate() {
        *dst = src.element(0, index + i);
    }
}

/// 4.5 `f2i`: rounds, then clamps to the integer type; 0 for NaN (D-01 to D-04).
pub(crate) fn f2i(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    u128::from(in_format!(q.format(From), T => {
        float::to_integer::<T>(number::<T>(src0), q.width_of(To), q.is_signed(To), q.rounding())
    }))
}

/// 4.6 `fext`: the same value in a wider format (D-05, D-06).
pub(crate) fn fext(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(From), A => in_format!(q.format(To), B => {
        bits::<B>(float::extend::<A, B>(number::<A>(src0)))
    }))
}

/// 4.7 `frnd`: `dst = round(src0, .rndmode)`, an integral number with the sign of the source (P-25).
pub(crate) fn frnd(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(Type), T => {
        bits::<T>(float::round_to_integral::<T>(number::<T>(src0), q.rounding(), q.ftz()))
    })
}

/// 4.8 `ftrunc`: rounds to a narrower format; a denormal source gives zero, an overflow infinity or with `.dsat` the
/// largest number (D-06 to D-09).
pub(crate) fn ftrunc(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(From), A => in_format!(q.format(To), B => {
        bits::<B>(float::truncate::<A, B>(number::<A>(src0), q.mode()))
    }))
}

/// 4.9 `ftrunc2`: `ftrunc` of `src0` into the low half of `dst`, of `src1` into the high half (D-22).
pub(crate) fn ftrunc2(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    for (half, dst) in dst.iter_mut().enumerate() {
        // Without `.from`, the source is `.f`.
        *dst = ftrunc(q, [src.get(half)]);
    }
}

/// 4.10 `i2f`: the nearest number by `.rndmode`; above the largest one infinity, with `.dsat` that (D-08, D-09, D-20).
pub(crate) fn i2f(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    in_format!(q.format(To), T => {
        bits::<T>(float::from_integer::<T>(
            src0 as u64,
            q.width_of(From),
            q.is_signed(From),
            q.rounding(),
            q.dsat(),
        ))
    })
}

/// 4.11 `insert.dynamic`: `dst[index] = src0`; nothing for an index out of bounds (D-18, D-19).
pub(crate) fn insert_dynamic(_: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    let index = src.get(1);
    if index < dst.len() as u128 {
        dst[index as usize] = src.get(0);
    }
}

/// 4.12 `insert`: `dst[index + i] = src0[i]` for every element of `src0`; the others stay (D-16 to D-18).
pub(crate) fn insert(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    let index = usize::from(q.number());
    for i in 0..src.elements(0) {
        if let Some(dst) = dst.get_mut(index + i) {
            *dst = src.element(0, i);
        }
    }
}

/// 4.13 `isaddr`: `dst = (get_address_space(src0) == .addrspace) ? ~0 : 0`; whatever has no tag is global (D-27, D-28).
pub(crate) fn isaddr(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    let space = match src0 as u64 & GENERIC_TAG {
        GENERIC_SHARED => Qualifier::Shared,
        GENERIC_PRIVATE => Qualifier::Private,
        _ => Qualifier::Global,
    };
    all_ones_if(q.is(Addrspace, space))
}

/// 4.14 `mov`: `dst = src0`. A swizzled operand is the bits of its elements in one row, element x lowest (D-10 to D-15).
pub(crate) fn mov(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    src0
}

/// 4.15 `pf2i`: `f2i` of each half (D-21).
pub(crate) fn pf2i(q: &Qualifiers, src0: [u128; 1]) -> u128 {
    f2i(q, src0)
}

/// 4.16 `sext`: `dst = sign_extend(src0)` (D-23).
pub(crate) fn sext(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    signed(src0, q.width_of(From)) as u128
}

/// 4.17 `trunc`: the low bits of `src0` (D-23).
pub(crate) fn trunc(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    src0
}

/// 4.18 `zext`: `dst = zero_extend(src0)` (D-23).
pub(crate) fn zext(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    src0
}
