//! Chapter 5: `scmp`, `ucmp`, `fcmp`, `sel`.

use std::marker::PhantomData;

use pisa_isa::{Opcode, OperandKind, Qualifier, SlotName};
use pisa_module::Instruction;

use super::lanes::*;
use super::shape::*;
use crate::batch::{Batch, Handler, Op};
use crate::level::Level;

/// `.eq`, and `.ne` turned round.
struct Equal<T>(PhantomData<T>);
/// `.lt`, and for integers `.ge` turned round.
struct Less<T>(PhantomData<T>);
/// `.gt`, and for integers `.le` turned round.
struct Greater<T>(PhantomData<T>);

macro_rules! comparison {
    ($name:ident, $op:tt, $($t:ty),*) => { $(
        impl Compare for $name<$t> {
            type A = $t;
            #[inline(always)]
            fn lane(a: $t, b: $t, _: u32) -> bool {
                a $op b
            }
        }
    )* };
}
comparison!(Equal, ==, u16, u32, u64);
comparison!(Less, <, u16, u32, u64, i16, i32, i64);
comparison!(Greater, >, u16, u32, u64, i16, i32, i64);

/// The comparison `K` into a 32-bit register of ones or zeros (P-16).
pub struct ToRegister<K>(PhantomData<K>);
/// The packed comparison `K` into elements of ones or zeros.
pub struct ToPacked<K>(PhantomData<K>);

impl<K: Compare> Map2 for ToRegister<K> {
    type A = K::A;
    type B = K::A;
    type D = u32;
    #[inline(always)]
    fn lane(a: K::A, b: K::A, extra: u32) -> u32 {
        0u32.wrapping_sub(K::lane(a, b, extra) as u32) ^ 0u32.wrapping_sub((extra & NEGATE != 0) as u32)
    }
}
impl<K: Compare> Map2 for ToPacked<K> {
    type A = K::A;
    type B = K::A;
    type D = u16;
    #[inline(always)]
    fn lane(a: K::A, b: K::A, extra: u32) -> u16 {
        0u16.wrapping_sub(K::lane(a, b, extra) as u16) ^ 0u16.wrapping_sub((extra & NEGATE != 0) as u16)
    }
}

/// `sel` by a register: `src0` where `src2` is not 0 (D-30).
struct SelectByRegister<T>(PhantomData<T>);
/// `sel` by a predicate.
struct SelectByPredicate<T>(PhantomData<T>);

macro_rules! select_by_register {
    ($($t:ty),*) => { $(
        impl Map3 for SelectByRegister<$t> {
            type A = $t;
            type B = $t;
            type C = $t;
            type D = $t;
            #[inline(always)]
            fn lane(a: $t, b: $t, selector: $t, _: u32) -> $t {
                if selector != 0 { a } else { b }
            }
        }
        impl Selectable for SelectByPredicate<$t> {
            type T = $t;
        }
    )* };
}
pub trait Selectable {
    type T: Copy;
}
select_by_register!(u16, u32, u64);

#[inline(always)]
unsafe fn by_predicate_body<S: Simd, K: Selectable>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    let negate = if op.negated & 1 << 3 != 0 { !0 } else { 0 };
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<K::T>(batch, op.operands[1], c));
            let b = load(chunk::<K::T>(batch, op.operands[2], c));
            let selector = batch.at::<u32>(op.operands[3]).add(c).read() ^ negate;
            let d = blend::<S, K::T>(selector, a, b);
            put::<S, K::T>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}
shape!(by_predicate, Selectable, by_predicate_body);

/// The handler of a comparison, by where its result goes.
pub fn destination<K: Compare>(instruction: &Instruction, level: Level) -> Option<Handler> {
    let row = instruction.row();
    let ty = instruction.qualifier(SlotName::Type)?;
    Some(if row.operands.first()?.kind == OperandKind::Predicate {
        predicate::select::<K>(level)
    } else if ty.packed().is_some() {
        map2::select::<ToPacked<K>>(level)
    } else {
        map2::select::<ToRegister<K>>(level)
    })
}

/// The handler of an instruction of chapter 5 and its number.
pub fn select(instruction: &Instruction, level: Level) -> Option<(Handler, u32)> {
    use Qualifier::{B16, B16x2, B32, B64, Eq, Ge, Le, Lt, Ne};
    let ty = instruction.qualifier(SlotName::Type)?;
    let opcode = instruction.row().opcode;
    if opcode == Opcode::Sel {
        let by_register = instruction.row().operands.get(3)?.kind == OperandKind::Register;
        let handler = match (by_register, ty) {
            (true, B16) => map3::select::<SelectByRegister<u16>>(level),
            (true, B32) => map3::select::<SelectByRegister<u32>>(level),
            (true, _) => map3::select::<SelectByRegister<u64>>(level),
            (false, B16) => by_predicate::select::<SelectByPredicate<u16>>(level),
            (false, B32) => by_predicate::select::<SelectByPredicate<u32>>(level),
            (false, _) => by_predicate::select::<SelectByPredicate<u64>>(level),
        };
        return Some((handler, 0));
    }
    let condition = instruction.qualifier(SlotName::Cop)?;
    let negate = if matches!(condition, Ne | Ge | Le) { NEGATE } else { 0 };
    macro_rules! order {
        ($name:ident) => {
            match (opcode, ty) {
                (Opcode::Scmp, B16) => destination::<$name<i16>>(instruction, level),
                (Opcode::Scmp, B32) => destination::<$name<i32>>(instruction, level),
                (Opcode::Scmp, B64) => destination::<$name<i64>>(instruction, level),
                (Opcode::Ucmp, B16 | B16x2) => destination::<$name<u16>>(instruction, level),
                (Opcode::Ucmp, B32) => destination::<$name<u32>>(instruction, level),
                (Opcode::Ucmp, B64) => destination::<$name<u64>>(instruction, level),
                _ => None,
            }
        };
    }
    let handler = match condition {
        // Equality has no sign (notes of 5.1 and 5.2).
        Eq | Ne => match ty {
            B16 | B16x2 => destination::<Equal<u16>>(instruction, level),
            B32 => destination::<Equal<u32>>(instruction, level),
            _ => destination::<Equal<u64>>(instruction, level),
        },
        Lt | Ge => order!(Less),
        _ => order!(Greater),
    };
    Some((handler?, negate))
}
