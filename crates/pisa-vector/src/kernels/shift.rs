//! Chapter 3, shifts: `shl`, `shr`, `asr`, `shf`.

use std::marker::PhantomData;

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::integer::binary;
use super::lanes::*;
use super::shape::*;
use crate::batch::{Batch, Handler, Op};
use crate::level::Level;

// The amount is the low six bits of a 32-bit operand for every type (B-01, B-02).

/// `shl`, `shr` (unsigned types) and `asr` (signed types) by 0 to 63.
pub trait Shift: Copy {
    fn left(self, amount: u32) -> Self;
    fn right(self, amount: u32) -> Self;
}

macro_rules! shift {
    ($($u:ty, $i:ty, $bits:literal);*) => { $(
        impl Shift for $u {
            #[inline(always)]
            fn left(self, amount: u32) -> $u {
                self.checked_shl(amount & 63).unwrap_or(0)
            }
            #[inline(always)]
            fn right(self, amount: u32) -> $u {
                self.checked_shr(amount & 63).unwrap_or(0)
            }
        }
        impl Shift for $i {
            #[inline(always)]
            fn left(self, amount: u32) -> $i {
                (self as $u).left(amount) as $i
            }
            #[inline(always)]
            fn right(self, amount: u32) -> $i {
                // A sign fill is a shift by all bits but one.
                self >> (amount & 63).min($bits - 1)
            }
        }
    )* };
}
shift!(u16, i16, 16; u32, i32, 32; u64, i64, 64);

binary!(Left, [u16, u32 => u16, u32, u32 => u32, u64, u32 => u64], |a, b| a.left(b));
binary!(
    Right,
    [u16, u32 => u16, u32, u32 => u32, u64, u32 => u64, i16, u32 => i16, i32, u32 => i32, i64, u32 => i64],
    |a, b| a.right(b)
);

/// A packed shift: element `e` of `src0` by bits `16 * e` and up of `src1` (B-03).
#[inline(always)]
unsafe fn packed_body<S: Simd, K: Map2<A = D, B = u32, D = D>, D: Copy>(
    _: S,
    _: PhantomData<K>,
    batch: &Batch,
    op: &Op,
) {
    for (c, mask) in chunks(batch, 2) {
        // SAFETY: the operands were decoded for this batch; `src1` has one element.
        unsafe {
            let (element, group) = if c < batch.count { (0, c) } else { (1, c - batch.count) };
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let b = load(chunk::<u32>(batch, op.operands[2], group));
            let d: Lanes<K::D> = array!(i => K::lane(a[i], b[i] >> (16 * element), 0));
            put::<S, K::D>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

/// A shift of packed 16-bit elements.
pub trait Packed {
    type T: Copy;
    type K: Map2<A = Self::T, B = u32, D = Self::T>;
}
impl Packed for Left<u16> {
    type T = u16;
    type K = Self;
}
impl Packed for Right<u16> {
    type T = u16;
    type K = Self;
}
impl Packed for Right<i16> {
    type T = i16;
    type K = Self;
}
#[inline(always)]
unsafe fn packed_shape<S: Simd, P: Packed>(s: S, _: PhantomData<P>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { packed_body::<S, P::K, P::T>(s, PhantomData, batch, op) }
}
shape!(packed, Packed, packed_shape);

/// `shf`: the upper (LEFT) or lower half of `src0:src1` after a shift by five bits of `src2` (B-06).
struct Funnel<const LEFT: bool>;

impl<const LEFT: bool> Map3 for Funnel<LEFT> {
    type A = u32;
    type B = u32;
    type C = u32;
    type D = u32;
    #[inline(always)]
    fn lane(high: u32, low: u32, amount: u32, _: u32) -> u32 {
        let amount = amount & 31;
        // The second shift in two steps, so that it is 32 where the first is 0.
        if LEFT {
            high << amount | low >> 1 >> (31 - amount)
        } else {
            low >> amount | high << 1 << (31 - amount)
        }
    }
}

/// The handler of a shift.
pub fn select(instruction: &Instruction, level: Level) -> Option<Handler> {
    use Qualifier::{B16, B16x2, B32, B64, L};
    let ty = instruction.qualifier(SlotName::Type)?;
    Some(match (instruction.row().opcode, ty) {
        (Opcode::Shl, B16x2) => packed::select::<Left<u16>>(level),
        (Opcode::Shl, B16) => map2::select::<Left<u16>>(level),
        (Opcode::Shl, B32) => map2::select::<Left<u32>>(level),
        (Opcode::Shl, B64) => map2::select::<Left<u64>>(level),
        (Opcode::Shr, B16x2) => packed::select::<Right<u16>>(level),
        (Opcode::Shr, B16) => map2::select::<Right<u16>>(level),
        (Opcode::Shr, B32) => map2::select::<Right<u32>>(level),
        (Opcode::Shr, B64) => map2::select::<Right<u64>>(level),
        (Opcode::Asr, B16x2) => packed::select::<Right<i16>>(level),
        (Opcode::Asr, B16) => map2::select::<Right<i16>>(level),
        (Opcode::Asr, B32) => map2::select::<Right<i32>>(level),
        (Opcode::Asr, B64) => map2::select::<Right<i64>>(level),
        (Opcode::Shf, _) if instruction.qualifier(SlotName::Dir) == Some(L) => {
            map3::select::<Funnel<true>>(level)
        }
        (Opcode::Shf, _) => map3::select::<Funnel<false>>(level),
        _ => return None,
    })
}
