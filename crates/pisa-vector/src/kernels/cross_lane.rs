//! Chapter 7: `shfl`, `ired`, `fred`, `redfirstidx`.
//!
//! Each lane uses its own mask, as the pseudo-code says (S-01); where all active lanes have the same one, which programs
//! must see to, a reduction is computed once for all.

use std::marker::PhantomData;

use pisa_float::{Bf, F, Hf};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::lanes::*;
use super::number::*;
use super::shape::*;
use crate::batch::{Batch, Handler, LANES, Op};
use crate::level::Level;

/// `value[index[l]]` for every lane; indices are below 32.
///
/// # Safety
/// The host must have the instruction set `S`.
#[inline(always)]
unsafe fn permute<S: Simd>(value: Lanes<u32>, index: Lanes<u32>) -> Lanes<u32> {
    #[cfg(target_arch = "x86_64")]
    if S::AVX512 || S::AVX2 {
        use std::arch::x86_64::*;
        let mut result = value;
        let (value, index, to) = (value.as_ptr(), index.as_ptr(), result.as_mut_ptr());
        // SAFETY: the host has the instructions by the caller's promise; each access is within the 32 elements.
        unsafe {
            if S::AVX512 {
                let (low, high) =
                    (_mm512_loadu_si512(value.cast()), _mm512_loadu_si512(value.add(16).cast()));
                for half in 0..2 {
                    let i = _mm512_loadu_si512(index.add(half * 16).cast());
                    _mm512_storeu_si512(to.add(half * 16).cast(), _mm512_permutex2var_epi32(low, i, high));
                }
            } else {
                macro_rules! pick {
                    ($part:literal, $index:expr) => {
                        _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(
                            _mm256_loadu_si256(value.add($part * 8).cast()),
                            $index,
                        ))
                    };
                }
                for k in 0..4 {
                    let i = _mm256_loadu_si256(index.add(k * 8).cast());
                    // Bits 3 and 4 of the index choose the part; a blend looks at the sign.
                    let bit3 = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(i));
                    let bit4 = _mm256_castsi256_ps(_mm256_slli_epi32::<27>(i));
                    let low = _mm256_blendv_ps(pick!(0, i), pick!(1, i), bit3);
                    let high = _mm256_blendv_ps(pick!(2, i), pick!(3, i), bit3);
                    let chosen = _mm256_castps_si256(_mm256_blendv_ps(low, high, bit4));
                    _mm256_storeu_si256(to.add(k * 8).cast(), chosen);
                }
            }
        }
        return result;
    }
    array!(i => value[index[i] as usize & (LANES - 1)])
}

/// An operation of `shfl`.
pub trait Shuffle {
    /// Whether out of bounds is below the clamp lane, not above.
    const UP: bool;
    /// Whether bits of `src1` choose a segment and a clamp value.
    const SEGMENTS: bool;
    /// The source lane; arithmetic is signed (S-07).
    fn source(lane: i32, offset: i32, first: i32, segment: i32) -> i32;
}
struct Up<const SEGMENTS: bool>;
struct Down<const SEGMENTS: bool>;
struct Exchange<const SEGMENTS: bool>;
struct Index<const SEGMENTS: bool>;
macro_rules! shuffle {
    ($name:ident, $up:literal, |$lane:ident, $offset:ident, $first:ident, $segment:ident| $e:expr) => {
        impl<const SEGMENTS: bool> Shuffle for $name<SEGMENTS> {
            const UP: bool = $up;
            const SEGMENTS: bool = SEGMENTS;
            #[inline(always)]
            fn source($lane: i32, $offset: i32, $first: i32, $segment: i32) -> i32 {
                $e
            }
        }
    };
}
shuffle!(Up, true, |lane, offset, _first, _segment| lane - offset);
shuffle!(Down, false, |lane, offset, _first, _segment| lane + offset);
shuffle!(Exchange, false, |lane, offset, _first, _segment| lane ^ offset);
shuffle!(Index, false, |_lane, offset, first, segment| first | (offset & !segment & 31));

#[inline(always)]
unsafe fn shuffle_body<S: Simd, K: Shuffle>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let value = load(chunk::<u32>(batch, op.operands[1], c));
            let control = load(chunk::<u32>(batch, op.operands[2], c));
            let own = load(chunk::<u32>(batch, op.operands[3], c));
            let participating: Lanes<u32> = array!(i => own[i] & mask);
            let index: Lanes<u32> = array!(i => {
                let lane = i as i32;
                let bits = control[i];
                let offset = (bits & 31) as i32;
                // Without segments bits 20 to 8 are ignored (S-16); the clamp value is the bound of all lanes.
                let (clamp, segment) = if K::SEGMENTS {
                    ((bits >> 8 & 31) as i32, (bits >> 16 & 31) as i32)
                } else {
                    (if K::UP { 0 } else { 31 }, 0)
                };
                let first = lane & segment;
                let clamp_lane = first | (clamp & !segment & 31);
                let source = K::source(lane, offset, first, segment);
                let in_bounds = if K::UP { source >= clamp_lane } else { source <= clamp_lane };
                // A clamp lane is at most 31, so a source in bounds is a lane (S-13).
                let taken = in_bounds & (participating[i] >> (source & 31) & 1 != 0);
                (if taken { source & 31 } else { lane }) as u32
            });
            // Lanes outside their mask keep the old value (S-03).
            let own = mask_of::<S, u32>(array!(i => u32::truth(participating[i] >> i & 1 != 0)));
            put::<S, u32>(chunk(batch, op.operands[0], c), mask & own, permute::<S>(value, index));
        }
    }
}
shape!(shuffle, Shuffle, shuffle_body);

/// The mask that all active lanes have, if they have the same.
///
/// # Safety
/// `masks` must be 32 readable elements, and the host must have the instruction set `S`.
#[inline(always)]
unsafe fn uniform<S: Simd>(masks: *const u32, active: u32) -> Option<u32> {
    // SAFETY: the caller's promise; an active lane exists wherever a kernel runs, and 32 & 31 is a lane, too.
    unsafe {
        let first = masks.add(active.trailing_zeros() as usize & 31).read();
        let own = load(masks);
        let differs = mask_of::<S, u32>(array!(i => u32::truth(own[i] != first)));
        (differs & active == 0).then_some(first)
    }
}

/// A reduction.
pub trait Reduce {
    /// The lanes' type.
    type T: Lane;
    /// The result for the lanes of `from`, at least one.
    ///
    /// # Safety
    /// The host must have the instruction set `S`.
    unsafe fn reduce<S: Simd>(value: Lanes<Self::T>, from: u32) -> Self::T;
}

#[inline(always)]
unsafe fn reduce_body<S: Simd, K: Reduce>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch; the mask operand has one element.
        unsafe {
            let group = if c < batch.count { c } else { c - batch.count };
            let value = load(chunk::<K::T>(batch, op.operands[1], c));
            let masks = chunk::<u32>(batch, op.operands[2], group);
            let to = chunk::<K::T>(batch, op.operands[0], c);
            if let Some(own) = uniform::<S>(masks, mask) {
                let from = own & mask;
                // Without participants nothing is written (S-04).
                if from != 0 {
                    let result =
                        if S::AVX2 { K::reduce::<S>(value, from) } else { reduce_plain::<K>(value, from) };
                    put::<S, K::T>(to, from, [result; LANES]);
                }
            } else {
                non_uniform::<K>(value, load(masks), to, mask);
            }
        }
    }
}
shape!(reduce, Reduce, reduce_body);

/// Every lane with its own mask (S-01).
#[cold]
#[inline(never)]
unsafe fn non_uniform<K: Reduce>(value: Lanes<K::T>, masks: Lanes<u32>, to: *mut K::T, mask: u32) {
    for lane in active(mask) {
        let from = masks[lane] & mask;
        if from >> lane & 1 != 0 {
            // SAFETY: the caller's promise.
            unsafe { to.add(lane).write(reduce_plain::<K>(value, from)) };
        }
    }
}

/// One function for all that needs no instruction set.
#[inline(never)]
fn reduce_plain<K: Reduce>(value: Lanes<K::T>, from: u32) -> K::T {
    // SAFETY: every host has the plain instruction set.
    unsafe { K::reduce::<Plain>(value, from) }
}

/// An operation of `ired`: what each lane gives, how two are combined, and what changes nothing.
trait Combine {
    type T: Lane;
    const NEUTRAL: Self::T;
    fn prepare(a: Self::T) -> Self::T;
    fn combine(a: Self::T, b: Self::T) -> Self::T;
}

macro_rules! combine {
    ($($name:ident, $t:ty, $neutral:expr, |$p:ident| $prepare:expr, |$a:ident, $b:ident| $combine:expr);* $(;)?) => { $(
        impl Combine for $name<$t> {
            type T = $t;
            const NEUTRAL: $t = $neutral;
            #[inline(always)]
            fn prepare($p: $t) -> $t {
                $prepare
            }
            #[inline(always)]
            fn combine($a: $t, $b: $t) -> $t {
                $combine
            }
        }
        impl Reduce for $name<$t> {
            type T = $t;
            #[inline(always)]
            unsafe fn reduce<S: Simd>(value: Lanes<$t>, from: u32) -> $t {
                let value = array!(i => Self::prepare(value[i]));
                // SAFETY: the caller's promise.
                let value = unsafe { blend::<S, $t>(from, value, [Self::NEUTRAL; LANES]) };
                let mut result = Self::NEUTRAL;
                for lane in 0..LANES {
                    result = Self::combine(result, value[lane]);
                }
                result
            }
        }
    )* };
}
struct Sum<T>(PhantomData<T>);
struct Least<T>(PhantomData<T>);
struct Greatest<T>(PhantomData<T>);
struct All<T>(PhantomData<T>);
struct Any<T>(PhantomData<T>);
struct Odd<T>(PhantomData<T>);
struct GreatestMagnitude<T>(PhantomData<T>);
combine!(
    Sum, u16, 0, |a| a, |a, b| a.wrapping_add(b);
    Sum, u32, 0, |a| a, |a, b| a.wrapping_add(b);
    Least, u16, u16::MAX, |a| a, |a, b| a.min(b);
    Least, u32, u32::MAX, |a| a, |a, b| a.min(b);
    Least, i16, i16::MAX, |a| a, |a, b| a.min(b);
    Least, i32, i32::MAX, |a| a, |a, b| a.min(b);
    Greatest, u16, 0, |a| a, |a, b| a.max(b);
    Greatest, u32, 0, |a| a, |a, b| a.max(b);
    Greatest, i16, i16::MIN, |a| a, |a, b| a.max(b);
    Greatest, i32, i32::MIN, |a| a, |a, b| a.max(b);
    All, u16, !0, |a| a, |a, b| a & b;
    All, u32, !0, |a| a, |a, b| a & b;
    Any, u16, 0, |a| a, |a, b| a | b;
    Any, u32, 0, |a| a, |a, b| a | b;
    Odd, u16, 0, |a| a, |a, b| a ^ b;
    Odd, u32, 0, |a| a, |a, b| a ^ b;
    GreatestMagnitude, u16, 0, |a| (a as i16).unsigned_abs(), |a, b| a.max(b);
    GreatestMagnitude, u32, 0, |a| (a as i32).unsigned_abs(), |a, b| a.max(b);
);

/// `fred` (S-20 to S-23). LEAST: `.min`; MAGNITUDE: `.absmax`.
struct FloatReduce<T, const LEAST: bool, const MAGNITUDE: bool, const NANP: bool>(PhantomData<T>);

impl<T: Number, const LEAST: bool, const MAGNITUDE: bool, const NANP: bool> Reduce
    for FloatReduce<T, LEAST, MAGNITUDE, NANP>
{
    type T = T::Word;
    #[inline(always)]
    unsafe fn reduce<S: Simd>(value: Lanes<T::Word>, from: u32) -> T::Word {
        let value = if MAGNITUDE { array!(i => T::magnitude(value[i])) } else { value };
        // SAFETY: the caller's promise.
        unsafe {
            let nan = from & mask_of::<S, T::Word>(array!(i => <T::Word as Lane>::truth(T::nan(value[i]))));
            if nan != 0 && (NANP || nan == from) {
                return first_nan::<T>(value, nan);
            }
            let neutral = if LEAST { T::GREATEST } else { T::LEAST };
            let keys = blend::<S, T::Key>(from & !nan, array!(i => T::key(value[i])), [neutral; LANES]);
            let mut result = neutral;
            for &key in &keys {
                result = if LEAST { result.min(key) } else { result.max(key) };
            }
            T::value(result)
        }
    }
}

/// The NaN of the lowest of these lanes, quieted.
#[cold]
#[inline(never)]
fn first_nan<T: Number>(value: Lanes<T::Word>, nan: u32) -> T::Word {
    let first = value[nan.trailing_zeros() as usize & 31];
    T::negate(T::negate(first))
}

/// `redfirstidx`: every active lane gets the first bit of its own mask that is active, all ones where there is none (S-05,
/// S-06).
#[inline(always)]
unsafe fn first_index_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let own = load(chunk::<u32>(batch, op.operands[1], c));
            let d = array!(i => {
                let participating = own[i] & mask;
                if participating == 0 { !0 } else { participating.trailing_zeros() }
            });
            put::<S, u32>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}
/// Marks shapes without a kernel of their own.
pub trait Only {}
impl Only for () {}
shape!(first_index, Only, first_index_body);

fn select_float<T: Number>(instruction: &Instruction, level: Level) -> Option<Handler> {
    let op = instruction.qualifier(SlotName::Op)?;
    Some(match (op, instruction.has(SlotName::Nanp)) {
        (Qualifier::Min, false) => reduce::select::<FloatReduce<T, true, false, false>>(level),
        (Qualifier::Min, true) => reduce::select::<FloatReduce<T, true, false, true>>(level),
        (Qualifier::Max, false) => reduce::select::<FloatReduce<T, false, false, false>>(level),
        (Qualifier::Max, true) => reduce::select::<FloatReduce<T, false, false, true>>(level),
        (_, false) => reduce::select::<FloatReduce<T, false, true, false>>(level),
        (_, true) => reduce::select::<FloatReduce<T, false, true, true>>(level),
    })
}

/// The handler of an instruction of chapter 7.
pub fn select(instruction: &Instruction, level: Level) -> Option<Handler> {
    use Qualifier as Q;
    let ty = instruction.qualifier(SlotName::Type)?;
    let op = instruction.qualifier(SlotName::Op);
    Some(match instruction.row().opcode {
        Opcode::Redfirstidx => first_index::select::<()>(level),
        Opcode::Shfl => match (op?, instruction.has(SlotName::Sg)) {
            (Q::Up, false) => shuffle::select::<Up<false>>(level),
            (Q::Up, true) => shuffle::select::<Up<true>>(level),
            (Q::Dn, false) => shuffle::select::<Down<false>>(level),
            (Q::Dn, true) => shuffle::select::<Down<true>>(level),
            (Q::Xor, false) => shuffle::select::<Exchange<false>>(level),
            (Q::Xor, true) => shuffle::select::<Exchange<true>>(level),
            (_, false) => shuffle::select::<Index<false>>(level),
            (_, true) => shuffle::select::<Index<true>>(level),
        },
        Opcode::Fred => match ty {
            Q::Hf | Q::Hfx2 => select_float::<Hf>(instruction, level)?,
            Q::Bf | Q::Bfx2 => select_float::<Bf>(instruction, level)?,
            _ => select_float::<F>(instruction, level)?,
        },
        Opcode::Ired => match (op?, ty) {
            (Q::Sum, Q::B16) => reduce::select::<Sum<u16>>(level),
            (Q::Sum, _) => reduce::select::<Sum<u32>>(level),
            (Q::Smin, Q::B16) => reduce::select::<Least<i16>>(level),
            (Q::Smin, _) => reduce::select::<Least<i32>>(level),
            (Q::Smax, Q::B16) => reduce::select::<Greatest<i16>>(level),
            (Q::Smax, _) => reduce::select::<Greatest<i32>>(level),
            (Q::Umin, Q::B16) => reduce::select::<Least<u16>>(level),
            (Q::Umin, _) => reduce::select::<Least<u32>>(level),
            (Q::Umax, Q::B16) => reduce::select::<Greatest<u16>>(level),
            (Q::Umax, _) => reduce::select::<Greatest<u32>>(level),
            (Q::And, Q::B16) => reduce::select::<All<u16>>(level),
            (Q::And, _) => reduce::select::<All<u32>>(level),
            (Q::Or, Q::B16) => reduce::select::<Any<u16>>(level),
            (Q::Or, _) => reduce::select::<Any<u32>>(level),
            (Q::Xor, Q::B16) => reduce::select::<Odd<u16>>(level),
            (Q::Xor, _) => reduce::select::<Odd<u32>>(level),
            (_, Q::B16) => reduce::select::<GreatestMagnitude<u16>>(level),
            (_, _) => reduce::select::<GreatestMagnitude<u32>>(level),
        },
        _ => return None,
    })
}
