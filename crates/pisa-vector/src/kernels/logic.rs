//! Chapter 3, bits: logic, bit fields, counting.

use std::marker::PhantomData;

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::integer::{binary, unary};
use super::shape::*;
use crate::batch::Handler;
use crate::level::Level;

binary!(And, [u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a & b);
binary!(Or, [u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a | b);
binary!(Xor, [u16, u16 => u16, u32, u32 => u32, u64, u64 => u64], |a, b| a ^ b);
unary!(Not, [u16 => u16, u32 => u32, u64 => u64], |a| !a);
unary!(Reverse, [u32 => u32], |a| a.reverse_bits());
unary!(CountOnes, [u16 => u16, u32 => u32], |a| a.count_ones() as _);
// All ones for 0 (B-08).
unary!(FirstHigh, [u16 => u16, u32 => u32], |a| if a == 0 { !0 } else { a.leading_zeros() as _ });
unary!(FirstLow, [u16 => u16, u32 => u32], |a| if a == 0 { !0 } else { a.trailing_zeros() as _ });

/// `bfn`: the truth table is in the low byte of `extra`; its bit `src2 << 2 | src1 << 1 | src0` is the result (B-07).
struct TruthTable;

impl Map3 for TruthTable {
    type A = u32;
    type B = u32;
    type C = u32;
    type D = u32;
    #[inline(always)]
    fn lane(a: u32, b: u32, c: u32, extra: u32) -> u32 {
        // Bit `i` of the table in all bits: the same for all lanes, so computed once.
        let entry = |i: u32| 0u32.wrapping_sub(extra >> i & 1);
        // Chooses `y` where the selector has a one, else `x`.
        let choose = |selector: u32, x: u32, y: u32| x ^ (selector & (x ^ y));
        let by_a = |i: u32| choose(a, entry(i), entry(i + 1));
        let low = choose(b, by_a(0), by_a(2));
        let high = choose(b, by_a(4), by_a(6));
        choose(c, low, high)
    }
}

/// `bfi` (B-04).
struct InsertBits;

impl Map4 for InsertBits {
    #[inline(always)]
    fn lane([base, insert, width, offset]: [u32; 4], _: u32) -> u32 {
        let offset = offset & 31;
        // Bits beyond the top one fall off in the shift, which clamps the width to `32 - offset`.
        let width = width & 63;
        let ones = if width > 31 { !0 } else { (1u32 << (width & 31)).wrapping_sub(1) };
        let mask = ones << offset;
        base & !mask | (insert << offset) & mask
    }
}

/// `ubfe` and, where SIGNED, `sbfe` (B-05).
struct ExtractBits<const SIGNED: bool>;

impl<const SIGNED: bool> Map3 for ExtractBits<SIGNED> {
    type A = u32;
    type B = u32;
    type C = u32;
    type D = u32;
    #[inline(always)]
    fn lane(from: u32, width: u32, offset: u32, _: u32) -> u32 {
        let offset = offset & 31;
        let width = (width & 63).min(32 - offset);
        // Both shifts are below 32 where the width is not 0.
        let left = from << ((32 - offset - width) & 31);
        let right = (32 - width) & 31;
        let value = if SIGNED { (left as i32 >> right) as u32 } else { left >> right };
        if width == 0 { 0 } else { value }
    }
}

/// The handler of a logic instruction and its number.
pub fn select(instruction: &Instruction, level: Level) -> Option<(Handler, u32)> {
    use Qualifier::{B16, B32, B64};
    let ty = instruction.qualifier(SlotName::Type)?;
    let handler = match (instruction.row().opcode, ty) {
        (Opcode::And, B16) => map2::select::<And<u16>>(level),
        (Opcode::And, B32) => map2::select::<And<u32>>(level),
        (Opcode::And, B64) => map2::select::<And<u64>>(level),
        (Opcode::Or, B16) => map2::select::<Or<u16>>(level),
        (Opcode::Or, B32) => map2::select::<Or<u32>>(level),
        (Opcode::Or, B64) => map2::select::<Or<u64>>(level),
        (Opcode::Xor, B16) => map2::select::<Xor<u16>>(level),
        (Opcode::Xor, B32) => map2::select::<Xor<u32>>(level),
        (Opcode::Xor, B64) => map2::select::<Xor<u64>>(level),
        (Opcode::Not, B16) => map1::select::<Not<u16>>(level),
        (Opcode::Not, B32) => map1::select::<Not<u32>>(level),
        (Opcode::Not, B64) => map1::select::<Not<u64>>(level),
        (Opcode::Bfrev, _) => map1::select::<Reverse<u32>>(level),
        (Opcode::Cbit, B16) => map1::select::<CountOnes<u16>>(level),
        (Opcode::Cbit, _) => map1::select::<CountOnes<u32>>(level),
        (Opcode::Fbh, B16) => map1::select::<FirstHigh<u16>>(level),
        (Opcode::Fbh, _) => map1::select::<FirstHigh<u32>>(level),
        (Opcode::Fbl, B16) => map1::select::<FirstLow<u16>>(level),
        (Opcode::Fbl, _) => map1::select::<FirstLow<u32>>(level),
        (Opcode::Bfn, _) => {
            let table = instruction.number(SlotName::Operation)?;
            return Some((map3::select::<TruthTable>(level), table as u32));
        }
        (Opcode::Bfi, _) => map4::select::<InsertBits>(level),
        (Opcode::Ubfe, _) => map3::select::<ExtractBits<false>>(level),
        (Opcode::Sbfe, _) => map3::select::<ExtractBits<true>>(level),
        _ => return None,
    };
    Some((handler, 0))
}
