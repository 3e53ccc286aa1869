//! Chapter 4, copies: `mov`, `extract`, `insert`, extensions, truncations, address casts.

use std::marker::PhantomData;

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Function, Instruction, Operand};

use super::integer::unary;
use super::lanes::*;
use super::shape::*;
use crate::batch::{Batch, Handler, LANES, Op};
use crate::level::Level;

// Generic addresses (D-24): untagged ones are global.
const SHARED_TAG: u64 = 1 << 48;
const PRIVATE_TAG: u64 = 2 << 48;
const TAG_MASK: u64 = 0xffff << 48;

/// A copy of elements of the same width.
struct Copied<T>(PhantomData<T>);
impl<T: Copy> Map1 for Copied<T> {
    type A = T;
    type D = T;
    #[inline(always)]
    fn lane(a: T, _: u32) -> T {
        a
    }
}

/// `sext` from the signed, `zext` from the unsigned type to the other one.
struct Convert<A, D>(PhantomData<(A, D)>);
macro_rules! convert {
    ($($a:ty => $d:ty),*) => { $(
        impl Map1 for Convert<$a, $d> {
            type A = $a;
            type D = $d;
            #[inline(always)]
            fn lane(a: $a, _: u32) -> $d {
                a as $d
            }
        }
    )* };
}
convert!(u8 => u16, u8 => u32, u8 => u64, u16 => u32, u16 => u64, u32 => u64);
convert!(i8 => i16, i8 => i32, i8 => i64, i16 => i32, i16 => i64, i32 => i64);
convert!(u16 => u8, u32 => u8, u64 => u8, u32 => u16, u64 => u16, u64 => u32);

unary!(SharedToGeneric, [u32 => u64], |a| SHARED_TAG | a as u64);
unary!(PrivateToGeneric, [u32 => u64], |a| PRIVATE_TAG | a as u64);

/// `isaddr`: whether the tag is the one in the low bits of `extra`, or none of the two (D-27, D-28).
struct IsAddress;
impl Map1 for IsAddress {
    type A = u64;
    type D = u32;
    #[inline(always)]
    fn lane(a: u64, extra: u32) -> u32 {
        let tag = a & TAG_MASK;
        let is = match extra & 3 {
            1 => tag == SHARED_TAG,
            2 => tag == PRIVATE_TAG,
            _ => tag != SHARED_TAG && tag != PRIVATE_TAG,
        };
        0u32.wrapping_sub(is as u32)
    }
}

/// Elements of a wide type against `PARTS` elements each of a narrow one, little-endian (D-12).
pub trait Regroup {
    type Narrow: Copy;
    type Wide: Copy;
    const PARTS: usize;
    fn join(parts: impl Fn(usize) -> Self::Narrow) -> Self::Wide;
    fn part(whole: Self::Wide, i: usize) -> Self::Narrow;
}
struct Group<N, W>(PhantomData<(N, W)>);
macro_rules! regroup {
    ($($n:ty, $w:ty, $parts:literal);*) => { $(
        impl Regroup for Group<$n, $w> {
            type Narrow = $n;
            type Wide = $w;
            const PARTS: usize = $parts;
            #[inline(always)]
            fn join(parts: impl Fn(usize) -> $n) -> $w {
                let mut whole = 0;
                for i in 0..$parts {
                    whole |= (parts(i) as $w) << (i as u32 * <$n>::BITS);
                }
                whole
            }
            #[inline(always)]
            fn part(whole: $w, i: usize) -> $n {
                (whole >> (i as u32 * <$n>::BITS)) as $n
            }
        }
    )* };
}
regroup!(u8, u16, 2; u8, u32, 4; u16, u32, 2; u16, u64, 4; u32, u64, 2);
impl Regroup for Group<u64, Wide> {
    type Narrow = u64;
    type Wide = Wide;
    const PARTS: usize = 2;
    #[inline(always)]
    fn join(parts: impl Fn(usize) -> u64) -> Wide {
        [parts(0), parts(1)]
    }
    #[inline(always)]
    fn part(whole: Wide, i: usize) -> u64 {
        whole[i]
    }
}
impl Regroup for Group<u32, Wide> {
    type Narrow = u32;
    type Wide = Wide;
    const PARTS: usize = 4;
    #[inline(always)]
    fn join(parts: impl Fn(usize) -> u32) -> Wide {
        let word = |i: usize| parts(i) as u64 | (parts(i + 1) as u64) << 32;
        [word(0), word(2)]
    }
    #[inline(always)]
    fn part(whole: Wide, i: usize) -> u32 {
        (whole[i / 2] >> (i % 2 * 32)) as u32
    }
}

// The two operands have elements of different widths, so they are different registers and cannot overlap.

#[inline(always)]
unsafe fn join_body<S: Simd, K: Regroup>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for element in 0..elements(op) {
        for (group, mask) in chunks(batch, 1) {
            let c = element * batch.count + group;
            // SAFETY: the operands were decoded for this batch.
            unsafe {
                let parts: [Lanes<K::Narrow>; 4] = array!(i < 4 => {
                    let part = element * K::PARTS + i.min(K::PARTS - 1);
                    load(chunk::<K::Narrow>(batch, op.operands[1], part * batch.count + group))
                });
                let d: Lanes<K::Wide> = array!(lane => K::join(|i| parts[i][lane]));
                put::<S, K::Wide>(chunk(batch, op.operands[0], c), mask, d);
            }
        }
    }
}

#[inline(always)]
unsafe fn split_body<S: Simd, K: Regroup>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for element in 0..elements(op) {
        for (group, mask) in chunks(batch, 1) {
            let c = element * batch.count + group;
            // SAFETY: the operands were decoded for this batch.
            unsafe {
                let whole = load(chunk::<K::Wide>(batch, op.operands[1], c));
                for i in 0..K::PARTS {
                    let d: Lanes<K::Narrow> = array!(lane => K::part(whole[lane], i));
                    let part = (element * K::PARTS + i) * batch.count + group;
                    put::<S, K::Narrow>(chunk(batch, op.operands[0], part), mask, d);
                }
            }
        }
    }
}
shape!(
    /// Narrow elements into wide ones; the element count is that of the wide type.
    join, Regroup, join_body
);
shape!(
    /// Wide elements into narrow ones; the element count is that of the wide type.
    split, Regroup, split_body
);

/// The first element is in the low bits of `extra`, the count in the element byte.
const INDEX_BITS: u32 = 0xff;

/// `extract`: elements from the index on.
#[inline(always)]
unsafe fn extract_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    let skip = (op.extra & INDEX_BITS) as usize * batch.count;
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch; the index is within the vector.
        unsafe {
            let a = load(chunk::<u32>(batch, op.operands[1], c + skip));
            put::<S, u32>(chunk(batch, op.operands[0], c), mask, a);
        }
    }
}

/// `insert`: elements at the index and on; the others are kept (D-18).
#[inline(always)]
unsafe fn insert_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    let skip = (op.extra & INDEX_BITS) as usize * batch.count;
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch; the index is within the vector.
        unsafe {
            let a = load(chunk::<u32>(batch, op.operands[1], c));
            put::<S, u32>(chunk(batch, op.operands[0], c + skip), mask, a);
        }
    }
}

/// What `extract.dynamic` gives for an index that is out of bounds (D-19).
const OUT_OF_BOUNDS: u32 = 0xcdcd_cdcd;

/// `extract.dynamic`. The result may be one of the elements: a lane is written after it was read.
#[inline(always)]
unsafe fn extract_dynamic_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    let elements = op.extra & INDEX_BITS;
    let batch_lanes = batch.count * LANES;
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch; only elements of the vector are read.
        unsafe {
            let index = load(chunk::<u32>(batch, op.operands[2], c));
            let vector = chunk::<u32>(batch, op.operands[1], c);
            let d: Lanes<u32> = array!(lane => {
                let element = index[lane];
                let value = vector.add(element.min(elements - 1) as usize * batch_lanes + lane).read();
                if element < elements { value } else { OUT_OF_BOUNDS }
            });
            put::<S, u32>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

/// `insert.dynamic`. An index that is out of bounds does nothing (D-19).
#[inline(always)]
unsafe fn insert_dynamic_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    let elements = op.extra & INDEX_BITS;
    let batch_lanes = batch.count * LANES;
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch; only elements of the vector are written.
        unsafe {
            let value = load(chunk::<u32>(batch, op.operands[1], c));
            let index = load(chunk::<u32>(batch, op.operands[2], c));
            let vector = chunk::<u32>(batch, op.operands[0], c);
            for lane in active(mask) {
                if index[lane] < elements {
                    vector.add(index[lane] as usize * batch_lanes + lane).write(value[lane]);
                }
            }
        }
    }
}

pub trait Any {}
impl Any for () {}
shape!(extract, Any, extract_body);
shape!(insert, Any, insert_body);
shape!(extract_dynamic, Any, extract_dynamic_body);
shape!(insert_dynamic, Any, insert_dynamic_body);

/// Element count and element width in bits of an operand of `mov`; `total` bits in all.
fn shape_of(operand: &Operand, function: &Function, total: u32) -> Option<(u32, u32)> {
    let Operand::Register(usage) = operand else { return Some((1, total)) };
    let ty = function.registers.get(usage.register.index())?.ty;
    Some(match usage.swizzle {
        Some(swizzle) => (swizzle.range().1 as u32, ty.bits as u32),
        None => (1, ty.bits as u32),
    })
}

fn select_mov(instruction: &Instruction, function: &Function, level: Level) -> Option<(Handler, u32)> {
    let total = instruction.qualifier(SlotName::Type)?.bits()? as u32;
    let (to, to_bits) = shape_of(instruction.operands.first()?, function, total)?;
    let (from, from_bits) = shape_of(instruction.operands.get(1)?, function, total)?;
    // The element count is that of the wider elements.
    let handler = match (to_bits, from_bits) {
        (8, 8) => map1::select::<Copied<u8>>(level),
        (16, 16) => map1::select::<Copied<u16>>(level),
        (32, 32) => map1::select::<Copied<u32>>(level),
        (64, 64) => map1::select::<Copied<u64>>(level),
        (128, 128) => map1::select::<Copied<Wide>>(level),
        (16, 8) => join::select::<Group<u8, u16>>(level),
        (32, 8) => join::select::<Group<u8, u32>>(level),
        (32, 16) => join::select::<Group<u16, u32>>(level),
        (64, 16) => join::select::<Group<u16, u64>>(level),
        (64, 32) => join::select::<Group<u32, u64>>(level),
        (128, 32) => join::select::<Group<u32, Wide>>(level),
        (128, 64) => join::select::<Group<u64, Wide>>(level),
        (8, 16) => split::select::<Group<u8, u16>>(level),
        (8, 32) => split::select::<Group<u8, u32>>(level),
        (16, 32) => split::select::<Group<u16, u32>>(level),
        (16, 64) => split::select::<Group<u16, u64>>(level),
        (32, 64) => split::select::<Group<u32, u64>>(level),
        (32, 128) => split::select::<Group<u32, Wide>>(level),
        (64, 128) => split::select::<Group<u64, Wide>>(level),
        _ => return None,
    };
    Some((handler, to.min(from) << 24))
}

/// The handler of a copy and its number, the element count in its top byte.
pub fn select(instruction: &Instruction, function: &Function, level: Level) -> Option<(Handler, u32)> {
    use Qualifier::{B8, B16, B32, B64, Generic, Private, Shared};
    let from = instruction.qualifier(SlotName::From);
    let to = instruction.qualifier(SlotName::To);
    let vector = instruction.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1) as u32;
    let one = 1 << 24;
    Some(match instruction.row().opcode {
        Opcode::Mov => return select_mov(instruction, function, level),
        Opcode::Extract => {
            (extract::select::<()>(level), instruction.number(SlotName::Index)? as u32 | vector << 24)
        }
        Opcode::Insert => {
            (insert::select::<()>(level), instruction.number(SlotName::Index)? as u32 | vector << 24)
        }
        Opcode::ExtractDynamic => (extract_dynamic::select::<()>(level), vector | one),
        Opcode::InsertDynamic => (insert_dynamic::select::<()>(level), vector | one),
        Opcode::Zext => {
            let handler = match (to?, from?) {
                (B16, B8) => map1::select::<Convert<u8, u16>>(level),
                (B32, B8) => map1::select::<Convert<u8, u32>>(level),
                (B64, B8) => map1::select::<Convert<u8, u64>>(level),
                (B32, B16) => map1::select::<Convert<u16, u32>>(level),
                (B64, B16) => map1::select::<Convert<u16, u64>>(level),
                (B64, B32) => map1::select::<Convert<u32, u64>>(level),
                _ => return None,
            };
            (handler, one)
        }
        Opcode::Sext => {
            let handler = match (to?, from?) {
                (B16, B8) => map1::select::<Convert<i8, i16>>(level),
                (B32, B8) => map1::select::<Convert<i8, i32>>(level),
                (B64, B8) => map1::select::<Convert<i8, i64>>(level),
                (B32, B16) => map1::select::<Convert<i16, i32>>(level),
                (B64, B16) => map1::select::<Convert<i16, i64>>(level),
                (B64, B32) => map1::select::<Convert<i32, i64>>(level),
                _ => return None,
            };
            (handler, one)
        }
        Opcode::Trunc => {
            let handler = match (to?, from?) {
                (B8, B16) => map1::select::<Convert<u16, u8>>(level),
                (B8, B32) => map1::select::<Convert<u32, u8>>(level),
                (B8, B64) => map1::select::<Convert<u64, u8>>(level),
                (B16, B32) => map1::select::<Convert<u32, u16>>(level),
                (B16, B64) => map1::select::<Convert<u64, u16>>(level),
                (B32, B64) => map1::select::<Convert<u64, u32>>(level),
                _ => return None,
            };
            (handler, one)
        }
        Opcode::Addrcast => {
            // Of a variable by name, the address is the engine's to know.
            if matches!(instruction.operands.get(1)?, Operand::Variable(_)) {
                return None;
            }
            let handler = match (to?, from?) {
                (Generic, Shared) => map1::select::<SharedToGeneric<u32>>(level),
                (Generic, Private) => map1::select::<PrivateToGeneric<u32>>(level),
                // The low bits, whatever the tag says (D-26).
                (Shared | Private, _) => map1::select::<Convert<u64, u32>>(level),
                _ => map1::select::<Copied<u64>>(level),
            };
            (handler, one)
        }
        Opcode::Isaddr => {
            let space = match instruction.qualifier(SlotName::Addrspace)? {
                Shared => 1,
                Private => 2,
                _ => 0,
            };
            (map1::select::<IsAddress>(level), space | one)
        }
        _ => return None,
    })
}
