//! Chapter 3 of the instruction reference: logic and shift.
//!
//! Results are cut to the width of the destination.

use crate::bits::{field, signed};
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use pisa_isa::{Qualifier, SlotName};

/// 3.1 `and`: `dst = src0 & src1`.
pub(crate) fn and(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0 & src1
}

/// 3.2 `asr`: `dst = src0 >> src1[5:0]`, the sign moves in (B-01, B-02).
pub(crate) fn asr(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    (signed(src0, q.width()) >> field(src1, 0, 6)) as u128
}

/// 3.2 `asr.16bx2`: each half by its own amount.
pub(crate) fn asr_packed(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    shift_halves(asr, q, src, dst);
}

/// The packed shifts: `dst[15:0] = src0[15:0] >> src1[5:0]`, `dst[31:16] = src0[31:16] >> src1[21:16]` (B-03).
fn shift_halves(
    shift: fn(&Qualifiers, [u128; 2]) -> u128,
    q: &Qualifiers,
    src: &Sources<'_>,
    dst: &mut [u128],
) {
    let amounts = src.get(1);
    for (half, dst) in dst.iter_mut().enumerate() {
        *dst = shift(q, [src.element(0, half), amounts >> (16 * half)]);
    }
}

/// 3.3 `bfi`: bits `[offset, offset + width)` of `src0` are replaced by the low bits of `src1` (B-04).
pub(crate) fn bfi(q: &Qualifiers, [src0, src1, src2, src3]: [u128; 4]) -> u128 {
    let offset = field(src3, 0, 5);
    let width = field(src2, 0, 6).min(q.width());
    let width = width.min(q.width() - offset);
    let mask = ((1u128 << width) - 1) << offset;
    (src0 & !mask) | ((src1 << offset) & mask)
}

/// 3.4 `bfn`: bit i of `dst` is bit `(src2[i] << 2) | (src1[i] << 1) | src0[i]` of the operation (B-07).
pub(crate) fn bfn(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    let operation = u128::from(q.number());
    let mut dst = 0;
    for i in 0..q.width() {
        let row = field(src2, i, 1) << 2 | field(src1, i, 1) << 1 | field(src0, i, 1);
        dst |= (operation >> row & 1) << i;
    }
    dst
}

/// 3.5 `bfrev`: `dst[i] = src0[width - i - 1]`.
pub(crate) fn bfrev(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    let width = q.width();
    (0..width).map(|i| (src0 >> (width - i - 1) & 1) << i).sum()
}

/// 3.6 `cbit`: the number of bits set (B-09).
pub(crate) fn cbit(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    (0..q.width()).filter(|i| src0 >> i & 1 == 1).count() as u128
}

/// 3.7 `fbh`: how many bits lie above the highest bit set; all ones for 0 (B-08).
pub(crate) fn fbh(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    let width = q.width();
    (0..width).find(|i| src0 >> (width - 1 - i) & 1 == 1).map_or(!src0, u128::from)
}

/// 3.8 `fbl`: the position of the lowest bit set; all ones for 0 (B-08).
pub(crate) fn fbl(q: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    (0..q.width()).find(|i| src0 >> i & 1 == 1).map_or(!src0, u128::from)
}

/// 3.9 `not`: `dst = ~src0`.
pub(crate) fn not(_: &Qualifiers, [src0]: [u128; 1]) -> u128 {
    !src0
}

/// 3.10 `or`: `dst = src0 | src1`.
pub(crate) fn or(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0 | src1
}

/// 3.11 `sbfe`: bits `[offset, offset + width)` of `src0`, sign-extended; `src1` is the width, `src2` the offset (B-05).
pub(crate) fn sbfe(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    let (offset, width) = extracted_bits(q, src1, src2);
    if width == 0 { 0 } else { signed(src0 >> offset, width) as u128 }
}

/// `offset` and effective `width` of `sbfe` and `ubfe`: bits beyond the MSB are ignored.
fn extracted_bits(q: &Qualifiers, src1: u128, src2: u128) -> (u32, u32) {
    let offset = field(src2, 0, 5);
    let width = field(src1, 0, 6).min(q.width());
    let lastpos = (offset + width).min(q.width());
    (offset, lastpos - offset)
}

/// 3.12 `shr`: `dst = src0 >> src1[5:0]`, zeros move in (B-01, B-02).
pub(crate) fn shr(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0 >> field(src1, 0, 6)
}

/// 3.12 `shr.16bx2`: each half by its own amount.
pub(crate) fn shr_packed(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    shift_halves(shr, q, src, dst);
}

/// 3.13 `shl`: `dst = src0 << src1[5:0]` (B-01, B-02).
pub(crate) fn shl(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0 << field(src1, 0, 6)
}

/// 3.13 `shl.16bx2`: each half by its own amount.
pub(crate) fn shl_packed(q: &Qualifiers, src: &Sources<'_>, dst: &mut [u128]) {
    shift_halves(shl, q, src, dst);
}

/// 3.14 `shf`: the 64 bits `src0 : src1` shifted by `src2[4:0]`; `.l` gives the upper half, `.r` the lower (B-06).
pub(crate) fn shf(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    let num = (src0 << 32) | src1;
    let shift = field(src2, 0, 5);
    if q.is(SlotName::Dir, Qualifier::L) { (num << shift) >> 32 } else { num >> shift }
}

/// 3.15 `ubfe`: bits `[offset, offset + width)` of `src0`, zero-extended; `src1` is the width, `src2` the offset (B-05).
pub(crate) fn ubfe(q: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    let (offset, width) = extracted_bits(q, src1, src2);
    u128::from(field(src0, offset, width))
}

/// 3.16 `xor`: `dst = src0 ^ src1`.
pub(crate) fn xor(_: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    src0 ^ src1
}
