//! Chapter 1: integer arithmetic, packed forms included.

use std::marker::PhantomData;

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::lanes::*;
use super::shape::*;
use crate::batch::{Batch, Handler, Op};
use crate::level::Level;

macro_rules! unary {
    ($(#[$meta:meta])* $name:ident, [$($t:ty => $d:ty),*], |$a:ident| $e:expr) => {
        $(#[$meta])*
        pub struct $name<T>(PhantomData<T>);
        $(impl Map1 for $name<$t> {
            type A = $t;
            type D = $d;
            #[inline(always)]
            fn lane($a: $t, _: u32) -> $d {
                $e
            }
        })*
    };
}
pub(super) use unary;

macro_rules! binary {
    ($(#[$meta:meta])* $name:ident, [$($t:ty, $b:ty => $d:ty),*], |$x:ident, $y:ident| $e:expr) => {
        $(#[$meta])*
        pub struct $name<T>(PhantomData<T>);
        $(impl Map2 for $name<$t> {
            type A = $t;
            type B = $b;
            type D = $d;
            #[inline(always)]
            fn lane($x: $t, $y: $b, _: u32) -> $d {
                $e
            }
        })*
    };
}
pub(super) use binary;

// Overflow wraps.
unary!(Abs, [i16 => i16, i32 => i32, i64 => i64], |a| a.wrapping_abs());
unary!(Neg, [i16 => i16, i32 => i32, i64 => i64], |a| a.wrapping_neg());
binary!(Add, [u8, u8 => u8, u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a.wrapping_add(b));
binary!(Sub, [u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a.wrapping_sub(b));
binary!(Mul, [u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a.wrapping_mul(b));
// The exact sum, clamped.
binary!(AddSaturated, [i8, i8 => i8, i16, i16 => i16, i32, i32 => i32, i64, i64 => i64], |a, b| a.saturating_add(b));
binary!(SubSaturated, [i16, i16 => i16, i32, i32 => i32, i64, i64 => i64], |a, b| a.saturating_sub(b));
binary!(
    Max,
    [i8, i8 => i8, i16, i16 => i16, i32, i32 => i32, i64, i64 => i64, u16, u16 => u16, u32, u32 => u32, u64, u64 => u64],
    |a, b| a.max(b)
);
binary!(
    Min,
    [i8, i8 => i8, i16, i16 => i16, i32, i32 => i32, i64, i64 => i64, u16, u16 => u16, u32, u32 => u32, u64, u64 => u64],
    |a, b| a.min(b)
);

/// The product in twice the width.
pub struct MulFull<T>(PhantomData<T>);
/// The product in twice the width plus `src2`, wrapping there.
pub struct MadFull<T>(PhantomData<T>);
/// The low half of the product plus `src2`; signedness is invisible.
pub struct Mad<T>(PhantomData<T>);
/// `.quo`.
pub struct Quotient<T>(PhantomData<T>);
/// `.rem`.
pub struct Remainder<T>(PhantomData<T>);

macro_rules! full {
    ($($t:ty => $d:ty),*) => { $(
        impl Map2 for MulFull<$t> {
            type A = $t;
            type B = $t;
            type D = $d;
            #[inline(always)]
            fn lane(a: $t, b: $t, _: u32) -> $d {
                (a as $d).wrapping_mul(b as $d)
            }
        }
        impl Map3 for MadFull<$t> {
            type A = $t;
            type B = $t;
            type C = $d;
            type D = $d;
            #[inline(always)]
            fn lane(a: $t, b: $t, c: $d, _: u32) -> $d {
                (a as $d).wrapping_mul(b as $d).wrapping_add(c)
            }
        }
    )* };
}
full!(u16 => u32, u32 => u64, i16 => i32, i32 => i64);

macro_rules! mad {
    ($($t:ty),*) => { $(
        impl Map3 for Mad<$t> {
            type A = $t;
            type B = $t;
            type C = $t;
            type D = $t;
            #[inline(always)]
            fn lane(a: $t, b: $t, c: $t, _: u32) -> $t {
                a.wrapping_mul(b).wrapping_add(c)
            }
        }
    )* };
}
mad!(u16, u32, u64);

/// `a / b` where `b` is not 0.
///
/// The quotient of two 32-bit integers in double precision, rounded toward zero, is exact: the next integer is at
/// least `1 / b` away, and the error of the division is below that because `a < 2^53`. Vector units divide doubles.
#[inline(always)]
fn quotient32(a: u32, b: u32) -> u32 {
    // SAFETY: the quotient is from 0 to `u32::MAX`.
    unsafe { (a as f64 / b as f64).to_int_unchecked::<u32>() }
}

/// Quotient and remainder, with the fixed results for a zero divisor and for overflow.
pub trait Divide: Copy {
    fn divide(self, by: Self) -> (Self, Self);
}

macro_rules! divide_narrow {
    ($($u:ty, $i:ty);*) => { $(
        impl Divide for $u {
            #[inline(always)]
            fn divide(self, by: $u) -> ($u, $u) {
                let quotient = quotient32(self as u32, if by == 0 { 1 } else { by as u32 }) as $u;
                if by == 0 { (!0, self) } else { (quotient, self.wrapping_sub(quotient.wrapping_mul(by))) }
            }
        }
        impl Divide for $i {
            #[inline(always)]
            fn divide(self, by: $i) -> ($i, $i) {
                let divisor = if by == 0 { 1 } else { by.unsigned_abs() as u32 };
                let magnitude = quotient32(self.unsigned_abs() as u32, divisor) as $i;
                let quotient = if (self ^ by) < 0 { magnitude.wrapping_neg() } else { magnitude };
                if by == 0 { (-1, self) } else { (quotient, self.wrapping_sub(quotient.wrapping_mul(by))) }
            }
        }
    )* };
}
divide_narrow!(u16, i16; u32, i32);

impl Divide for u64 {
    #[inline(always)]
    fn divide(self, by: u64) -> (u64, u64) {
        self.checked_div(by)
            .map_or((!0, self), |quotient| (quotient, self.wrapping_sub(quotient.wrapping_mul(by))))
    }
}
impl Divide for i64 {
    #[inline(always)]
    fn divide(self, by: i64) -> (i64, i64) {
        if by == 0 { (-1, self) } else { (self.wrapping_div(by), self.wrapping_rem(by)) }
    }
}

impl<T: Divide> Map2 for Quotient<T> {
    type A = T;
    type B = T;
    type D = T;
    #[inline(always)]
    fn lane(a: T, b: T, _: u32) -> T {
        a.divide(b).0
    }
}
impl<T: Divide> Map2 for Remainder<T> {
    type A = T;
    type B = T;
    type D = T;
    #[inline(always)]
    fn lane(a: T, b: T, _: u32) -> T {
        a.divide(b).1
    }
}

/// `dp4a`; A: `src1` is signed, B: `src2` is signed, D: `.dsat`.
pub struct DotProduct<const A: bool, const B: bool, const D: bool>;

impl<const A: bool, const B: bool, const D: bool> Map3 for DotProduct<A, B, D> {
    type A = u32;
    type B = u32;
    type C = u32;
    type D = u32;
    #[inline(always)]
    fn lane(sum: u32, a: u32, b: u32, _: u32) -> u32 {
        let byte = |v: u32, i: u32, signed: bool| {
            let left = v << (24 - 8 * i);
            if signed { left as i32 >> 24 } else { (left >> 24) as i32 }
        };
        let mut dot = 0i32;
        for i in 0..4 {
            // At most 4 * 255 * 255: no overflow.
            dot = dot.wrapping_add(byte(a, i, A).wrapping_mul(byte(b, i, B)));
        }
        // The accumulator is signed under `.dsat`.
        if D { (sum as i32).saturating_add(dot) as u32 } else { sum.wrapping_add(dot as u32) }
    }
}

/// `uaddc` with the operands where the form has them; IN: a carry comes in, OUT: a carry goes out.
#[inline(always)]
unsafe fn add_carry<S: Simd, const IN: bool, const OUT: bool>(batch: &Batch, op: &Op) {
    let first = if OUT { 2 } else { 1 };
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<u32>(batch, op.operands[first], c));
            let b = load(chunk::<u32>(batch, op.operands[first + 1], c));
            let carry = if IN {
                let bits = batch.at::<u32>(op.operands[first + 2]).add(c).read();
                blend::<S, u32>(bits, [1; 32], [0; 32])
            } else {
                [0; 32]
            };
            let sum: Lanes<u32> = array!(i => a[i].wrapping_add(b[i]).wrapping_add(carry[i]));
            if OUT {
                // The carry of the whole sum: it wrapped if it is below `a`, or equal to it with a carry in.
                let out = array!(i => {
                    u32::truth(sum[i] < a[i] || (IN && sum[i] == a[i] && carry[i] != 0))
                });
                let out = mask_of::<S, u32>(out);
                put_predicate(batch.at::<u32>(op.operands[1]).add(c), mask, out);
            }
            put::<S, u32>(chunk(batch, op.operands[0], c), mask, sum);
        }
    }
}

/// Which carries an `uaddc` has.
pub trait Carries {
    const IN: bool;
    const OUT: bool;
}
struct CarryIn;
struct CarryOut;
struct CarryBoth;
impl Carries for CarryIn {
    const IN: bool = true;
    const OUT: bool = false;
}
impl Carries for CarryOut {
    const IN: bool = false;
    const OUT: bool = true;
}
impl Carries for CarryBoth {
    const IN: bool = true;
    const OUT: bool = true;
}

#[inline(always)]
unsafe fn carry_body<S: Simd, K: Carries>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe {
        match (K::IN, K::OUT) {
            (true, false) => add_carry::<S, true, false>(batch, op),
            (false, true) => add_carry::<S, false, true>(batch, op),
            _ => add_carry::<S, true, true>(batch, op),
        }
    }
}
shape!(carry, Carries, carry_body);

/// The handler of an instruction of chapter 1.
pub fn select(instruction: &Instruction, level: Level) -> Option<Handler> {
    use Qualifier::{B8x4, B16, B16x2, B32, B64, Rem, Su, Us, Uu};
    let ty = instruction.qualifier(SlotName::Type)?;
    let saturated = instruction.has(SlotName::Dsat);
    let full = instruction.has(SlotName::Precision);
    let remainder = instruction.qualifier(SlotName::Output) == Some(Rem);
    Some(match (instruction.row().opcode, ty) {
        (Opcode::Dp4a, _) => match (instruction.qualifier(SlotName::Signedness)?, saturated) {
            (Uu, _) => map3::select::<DotProduct<false, false, false>>(level),
            (Su, false) => map3::select::<DotProduct<true, false, false>>(level),
            (Su, true) => map3::select::<DotProduct<true, false, true>>(level),
            (Us, false) => map3::select::<DotProduct<false, true, false>>(level),
            (Us, true) => map3::select::<DotProduct<false, true, true>>(level),
            (_, false) => map3::select::<DotProduct<true, true, false>>(level),
            (_, true) => map3::select::<DotProduct<true, true, true>>(level),
        },
        (Opcode::Iabs, B16) => map1::select::<Abs<i16>>(level),
        (Opcode::Iabs, B32) => map1::select::<Abs<i32>>(level),
        (Opcode::Iabs, B64) => map1::select::<Abs<i64>>(level),
        (Opcode::Ineg, B16) => map1::select::<Neg<i16>>(level),
        (Opcode::Ineg, B32) => map1::select::<Neg<i32>>(level),
        (Opcode::Ineg, B64) => map1::select::<Neg<i64>>(level),
        (Opcode::Iadd, B8x4) if saturated => map2::select::<AddSaturated<i8>>(level),
        (Opcode::Iadd, B16 | B16x2) if saturated => map2::select::<AddSaturated<i16>>(level),
        (Opcode::Iadd, B32) if saturated => map2::select::<AddSaturated<i32>>(level),
        (Opcode::Iadd, B64) if saturated => map2::select::<AddSaturated<i64>>(level),
        (Opcode::Iadd, B8x4) => map2::select::<Add<u8>>(level),
        (Opcode::Iadd, B16 | B16x2) => map2::select::<Add<u16>>(level),
        (Opcode::Iadd, B32) => map2::select::<Add<u32>>(level),
        (Opcode::Iadd, B64) => map2::select::<Add<u64>>(level),
        (Opcode::Isub, B16 | B16x2) if saturated => map2::select::<SubSaturated<i16>>(level),
        (Opcode::Isub, B32) if saturated => map2::select::<SubSaturated<i32>>(level),
        (Opcode::Isub, B64) if saturated => map2::select::<SubSaturated<i64>>(level),
        (Opcode::Isub, B16 | B16x2) => map2::select::<Sub<u16>>(level),
        (Opcode::Isub, B32) => map2::select::<Sub<u32>>(level),
        (Opcode::Isub, B64) => map2::select::<Sub<u64>>(level),
        (Opcode::Sdiv, B16) if remainder => map2::select::<Remainder<i16>>(level),
        (Opcode::Sdiv, B32) if remainder => map2::select::<Remainder<i32>>(level),
        (Opcode::Sdiv, B64) if remainder => map2::select::<Remainder<i64>>(Level::Plain),
        (Opcode::Sdiv, B16) => map2::select::<Quotient<i16>>(level),
        (Opcode::Sdiv, B32) => map2::select::<Quotient<i32>>(level),
        (Opcode::Sdiv, B64) => map2::select::<Quotient<i64>>(Level::Plain),
        (Opcode::Udiv, B16) if remainder => map2::select::<Remainder<u16>>(level),
        (Opcode::Udiv, B32) if remainder => map2::select::<Remainder<u32>>(level),
        (Opcode::Udiv, B64) if remainder => map2::select::<Remainder<u64>>(Level::Plain),
        (Opcode::Udiv, B16) => map2::select::<Quotient<u16>>(level),
        (Opcode::Udiv, B32) => map2::select::<Quotient<u32>>(level),
        (Opcode::Udiv, B64) => map2::select::<Quotient<u64>>(Level::Plain),
        (Opcode::Smul, B16) if full => map2::select::<MulFull<i16>>(level),
        (Opcode::Smul, B32) if full => map2::select::<MulFull<i32>>(level),
        (Opcode::Umul, B16) if full => map2::select::<MulFull<u16>>(level),
        (Opcode::Umul, B32) if full => map2::select::<MulFull<u32>>(level),
        (Opcode::Smul | Opcode::Umul, B16 | B16x2) => map2::select::<Mul<u16>>(level),
        (Opcode::Smul | Opcode::Umul, B32) => map2::select::<Mul<u32>>(level),
        (Opcode::Smul | Opcode::Umul, B64) => map2::select::<Mul<u64>>(level),
        (Opcode::Smad, B16) if full => map3::select::<MadFull<i16>>(level),
        (Opcode::Smad, B32) if full => map3::select::<MadFull<i32>>(level),
        (Opcode::Umad, B16) if full => map3::select::<MadFull<u16>>(level),
        (Opcode::Umad, B32) if full => map3::select::<MadFull<u32>>(level),
        (Opcode::Smad | Opcode::Umad, B16 | B16x2) => map3::select::<Mad<u16>>(level),
        (Opcode::Smad | Opcode::Umad, B32) => map3::select::<Mad<u32>>(level),
        (Opcode::Smad | Opcode::Umad, B64) => map3::select::<Mad<u64>>(level),
        (Opcode::Smax, B8x4) => map2::select::<Max<i8>>(level),
        (Opcode::Smax, B16 | B16x2) => map2::select::<Max<i16>>(level),
        (Opcode::Smax, B32) => map2::select::<Max<i32>>(level),
        (Opcode::Smax, B64) => map2::select::<Max<i64>>(level),
        (Opcode::Smin, B8x4) => map2::select::<Min<i8>>(level),
        (Opcode::Smin, B16 | B16x2) => map2::select::<Min<i16>>(level),
        (Opcode::Smin, B32) => map2::select::<Min<i32>>(level),
        (Opcode::Smin, B64) => map2::select::<Min<i64>>(level),
        (Opcode::Umax, B16 | B16x2) => map2::select::<Max<u16>>(level),
        (Opcode::Umax, B32) => map2::select::<Max<u32>>(level),
        (Opcode::Umax, B64) => map2::select::<Max<u64>>(level),
        (Opcode::Umin, B16 | B16x2) => map2::select::<Min<u16>>(level),
        (Opcode::Umin, B32) => map2::select::<Min<u32>>(level),
        (Opcode::Umin, B64) => map2::select::<Min<u64>>(level),
        (Opcode::Uaddc, _) => match (instruction.has(SlotName::Ci), instruction.has(SlotName::Co)) {
            (true, true) => carry::select::<CarryBoth>(level),
            (true, false) => carry::select::<CarryIn>(level),
            _ => carry::select::<CarryOut>(level),
        },
        _ => return None,
    })
}
