//! Chapter 4, conversions with floating point: `f2i`, `pf2i`, `i2f`, `fext`, `ftrunc`, `ftrunc2`, `frnd`.

use std::marker::PhantomData;

use pisa_float::{Bf, Df, F, Format, Hf, Rounding};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::float16::{Half, narrow_bf, widen_bf};
use super::lanes::*;
use super::number::*;
use super::shape::*;
use crate::batch::{Batch, Handler, Op};
use crate::level::Level;

/// A format as a type of the host: itself, or single precision for the half-width ones.
pub trait Source: Number {
    /// `f32` or `f64`.
    type Host: Rounded;
    /// The values in the host's type.
    ///
    /// # Safety
    /// The host must have the instruction set `S`, at least AVX2.
    unsafe fn widen<S: Simd>(a: Lanes<Self::Word>) -> Lanes<Self::Host>;
    /// Back, where the value is one of the format or a NaN.
    ///
    /// # Safety
    /// The host must have the instruction set `S`, at least AVX2.
    unsafe fn narrow<S: Simd>(a: Lanes<Self::Host>) -> Lanes<Self::Word>;
}
macro_rules! source {
    ($($format:ident, $host:ty, |$a:ident| $widen:expr, |$b:ident| $narrow:expr);*) => { $(
        impl Source for $format {
            type Host = $host;
            #[inline(always)]
            unsafe fn widen<S: Simd>($a: Lanes<Self::Word>) -> Lanes<$host> {
                $widen
            }
            #[inline(always)]
            unsafe fn narrow<S: Simd>($b: Lanes<$host>) -> Lanes<Self::Word> {
                $narrow
            }
        }
    )* };
}
source!(
    // SAFETY: the caller's promise.
    Hf, f32, |a| unsafe { <Hf as Half>::widen::<S>(a) }, |b| unsafe { <Hf as Half>::narrow::<S>(b) };
    Bf, f32, |a| array!(i => widen_bf(a[i])), |b| array!(i => narrow_bf(b[i].to_bits()));
    F, f32, |a| array!(i => f32::from_bits(a[i])), |b| array!(i => b[i].to_bits());
    Df, f64, |a| array!(i => f64::from_bits(a[i])), |b| array!(i => b[i].to_bits())
);

/// `f32` or `f64` with rounding to integral values.
pub trait Rounded: Lane {
    /// Rounds; sign of zeros kept.
    fn rounded(self, rounding: Rounding) -> Self;
    /// Whether it is a NaN.
    fn not_a_number(self) -> bool;
}
macro_rules! rounded {
    ($($t:ty),*) => { $(
        impl Rounded for $t {
            #[inline(always)]
            fn rounded(self, rounding: Rounding) -> $t {
                match rounding {
                    Rounding::NearestEven => self.round_ties_even(),
                    Rounding::Down => self.floor(),
                    Rounding::Up => self.ceil(),
                    Rounding::Zero => self.trunc(),
                    Rounding::NearestAway => self.round(),
                }
            }
            #[inline(always)]
            fn not_a_number(self) -> bool {
                self.is_nan()
            }
        }
    )* };
}
rounded!(f32, f64);

/// All lanes rounded; one loop a mode, so that the choice is made once.
#[inline(always)]
fn round_lanes<T: Rounded>(a: Lanes<T>, extra: u32) -> Lanes<T> {
    match rounding(extra) {
        Rounding::NearestEven => array!(i => a[i].rounded(Rounding::NearestEven)),
        Rounding::Down => array!(i => a[i].rounded(Rounding::Down)),
        Rounding::Up => array!(i => a[i].rounded(Rounding::Up)),
        Rounding::Zero => array!(i => a[i].rounded(Rounding::Zero)),
        Rounding::NearestAway => array!(i => a[i].rounded(Rounding::NearestAway)),
    }
}

/// `f2i` from the format `T` to the integer `I`. The host's conversions clamp and turn NaN into 0 as the spec does (D-02).
pub struct ToInteger<T, I>(PhantomData<(T, I)>);
/// A conversion to an integer.
pub trait IntegerKernel: Exact<1, A = <Self::T as Number>::Word, D = Self::I> {
    /// The format.
    type T: Source;
    /// The integer.
    type I: Lane;
    /// The conversion of a rounded value.
    fn cast(a: <Self::T as Source>::Host) -> Self::I;
}
macro_rules! to_integer {
    ($($i:ty, $signed:literal);*) => { $(
        to_integer!(@ $i, $signed, Hf, f32);
        to_integer!(@ $i, $signed, Bf, f32);
        to_integer!(@ $i, $signed, F, f32);
        to_integer!(@ $i, $signed, Df, f64);
    )* };
    (@ $i:ty, $signed:literal, $format:ident, $host:ty) => {
        impl Exact<1> for ToInteger<$format, $i> {
            type A = <$format as Number>::Word;
            type D = $i;
            #[inline(always)]
            fn exact(x: [Self::A; 1], extra: u32) -> $i {
                pisa_float::to_integer::<$format>(x[0], <$i>::BITS, $signed, rounding(extra)) as $i
            }
        }
        impl IntegerKernel for ToInteger<$format, $i> {
            type T = $format;
            type I = $i;
            #[inline(always)]
            fn cast(a: $host) -> $i {
                // What `as` does, but `as` on many lanes becomes scalar code.
                const LIMIT: $host = <$i>::MAX as $host + if (<$i>::MAX as $host as u128) <= <$i>::MAX as u128 { 1.0 } else { 0.0 };
                const LEAST: $host = <$i>::MIN as $host;
                let above = if a > LEAST { a } else { LEAST };
                let within = if above < LIMIT.next_down() { above } else { LIMIT.next_down() };
                // SAFETY: from the least value to just below one more than the greatest.
                let value = unsafe { within.to_int_unchecked::<$i>() };
                let value = if a >= LIMIT { <$i>::MAX } else { value };
                if a.is_nan() { 0 } else { value }
            }
        }
    };
}
to_integer!(u8, false; i8, true; u16, false; i16, true; u32, false; i32, true; u64, false; i64, true);

#[inline(always)]
unsafe fn to_integer_body<S: Simd, K: IntegerKernel>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<K, 1>(batch, op, c, mask);
                continue;
            }
            let a = <K::T as Source>::widen::<S>(load(chunk(batch, op.operands[1], c)));
            let a = round_lanes(a, op.extra);
            let d = array!(i => K::cast(a[i]));
            put::<S, K::I>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}
shape!(to_integer, IntegerKernel, to_integer_body);

/// `frnd`.
pub struct Integral<T>(PhantomData<T>);
impl<T: Number> Exact<1> for Integral<T> {
    type A = T::Word;
    type D = T::Word;
    #[inline(always)]
    fn exact(x: [T::Word; 1], extra: u32) -> T::Word {
        pisa_float::round_to_integral::<T>(x[0], rounding(extra), extra & FTZ != 0)
    }
}

#[inline(always)]
unsafe fn integral_body<S: Simd, T: Source>(_: S, _: PhantomData<T>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<Integral<T>, 1>(batch, op, c, mask);
                continue;
            }
            let a = load(chunk::<T::Word>(batch, op.operands[1], c));
            let a: Lanes<T::Word> = array!(i => T::flush(a[i], op.extra));
            let wide = round_lanes(<T as Source>::widen::<S>(a), op.extra);
            let repair = mask_of::<S, T::Host>(array!(i => <T::Host as Lane>::truth(wide[i].not_a_number())));
            finish::<S, Integral<T>, 1>(batch, op, c, (mask, repair), <T as Source>::narrow::<S>(wide));
        }
    }
}
shape!(integral, Source, integral_body);

/// `i2f` from the integer `I` to the format `T`.
struct FromInteger<I, T>(PhantomData<(I, T)>);
macro_rules! from_integer {
    ($($i:ty, $signed:literal);*) => { $(
        impl<T: Number> Exact<1> for FromInteger<$i, T> {
            type A = $i;
            type D = T::Word;
            #[inline(always)]
            fn exact(x: [$i; 1], extra: u32) -> T::Word {
                let mode = mode(extra);
                pisa_float::from_integer::<T>(x[0] as u64, <$i>::BITS, $signed, mode.rounding, mode.dsat)
            }
        }
        impl Map1 for FromInteger<$i, F> {
            type A = $i;
            type D = u32;
            #[inline(always)]
            fn lane(a: $i, _: u32) -> u32 {
                (a as f32).to_bits()
            }
        }
        impl Map1 for FromInteger<$i, Df> {
            type A = $i;
            type D = u64;
            #[inline(always)]
            fn lane(a: $i, _: u32) -> u64 {
                (a as f64).to_bits()
            }
        }
    )* };
}
from_integer!(u8, false; i8, true; u16, false; i16, true; u32, false; i32, true; u64, false; i64, true);

macro_rules! short_to_bf {
    ($($i:ty),*) => { $(
        impl Map1 for FromInteger<$i, Bf> {
            type A = $i;
            type D = u16;
            #[inline(always)]
            fn lane(a: $i, _: u32) -> u16 {
                // Exact in single precision, and within the range.
                narrow_bf((a as f32).to_bits())
            }
        }
    )* };
}
short_to_bf!(u8, i8, u16, i16);

/// An integer that becomes an `hf` by way of single precision, which is exact up to 2^24; above, both are infinite.
pub trait ToHf: Exact<1, D = u16> {
    /// In single precision.
    fn single(a: Self::A) -> f32;
}
macro_rules! to_hf {
    ($($i:ty),*) => { $(
        impl ToHf for FromInteger<$i, Hf> {
            #[inline(always)]
            fn single(a: $i) -> f32 {
                a as f32
            }
        }
    )* };
}
to_hf!(u8, i8, u16, i16, u32, i32);

#[inline(always)]
unsafe fn to_hf_body<S: Simd, K: ToHf>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<K, 1>(batch, op, c, mask);
                continue;
            }
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let d = <Hf as Half>::narrow::<S>(array!(i => K::single(a[i])));
            let d = array!(i => Hf::clamp_finite(d[i], op.extra));
            put::<S, u16>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}
shape!(to_hf, ToHf, to_hf_body);

/// `fext` and `ftrunc` from `A` to `D`.
struct Resize<A, D>(PhantomData<(A, D)>);
macro_rules! extend {
    ($($a:ident => $d:ident);*) => { $(
        impl Exact<1> for Resize<$a, $d> {
            type A = <$a as Number>::Word;
            type D = <$d as Number>::Word;
            #[inline(always)]
            fn exact(x: [Self::A; 1], _: u32) -> Self::D {
                pisa_float::extend::<$a, $d>(x[0])
            }
        }
    )* };
}
extend!(Hf => F; Bf => F; Hf => Df; Bf => Df; F => Df);
macro_rules! truncate {
    ($($a:ident => $d:ident);*) => { $(
        impl Exact<1> for Resize<$a, $d> {
            type A = <$a as Number>::Word;
            type D = <$d as Number>::Word;
            #[inline(always)]
            fn exact(x: [Self::A; 1], extra: u32) -> Self::D {
                pisa_float::truncate::<$a, $d>(x[0], mode(extra))
            }
        }
    )* };
}
truncate!(F => Hf; F => Bf; Df => Hf; Df => Bf; Df => F);

impl Map1 for Resize<Bf, F> {
    type A = u16;
    type D = u32;
    #[inline(always)]
    fn lane(a: u16, _: u32) -> u32 {
        widen_bf(a).to_bits()
    }
}
impl Fast<1> for Resize<Bf, Df> {
    #[inline(always)]
    fn fast(x: [u16; 1], _: u32) -> (u64, bool) {
        ((widen_bf(x[0]) as f64).to_bits(), Bf::nan(x[0]))
    }
}
impl Fast<1> for Resize<F, Df> {
    #[inline(always)]
    fn fast(x: [u32; 1], _: u32) -> (u64, bool) {
        ((f32::from_bits(x[0]) as f64).to_bits(), F::nan(x[0]))
    }
}
impl Fast<1> for Resize<Df, F> {
    #[inline(always)]
    fn fast(x: [u64; 1], extra: u32) -> (u32, bool) {
        // A denormal of `df` rounds to zero anyway (D-07).
        let d = (f64::from_bits(x[0]) as f32).to_bits();
        (F::clamp_finite(F::flush(d, extra), extra), Df::nan(x[0]))
    }
}

/// `f` to `bf` in `.re`.
#[inline(always)]
fn truncate_bf(a: u32, extra: u32) -> u16 {
    // The source is flushed in any case (D-07); a normal one stays normal.
    Bf::clamp_finite(narrow_bf(F::flush(a, FTZ)), extra)
}
impl Map1 for Resize<F, Bf> {
    type A = u32;
    type D = u16;
    #[inline(always)]
    fn lane(a: u32, extra: u32) -> u16 {
        truncate_bf(a, extra)
    }
}

/// `f` to `hf` in `.re`.
#[inline(always)]
unsafe fn truncate_hf<S: Simd>(a: Lanes<u32>, extra: u32) -> Lanes<u16> {
    // SAFETY: the caller's promise. A denormal source rounds to zero anyway (D-07).
    let d = unsafe { <Hf as Half>::narrow::<S>(array!(i => f32::from_bits(a[i]))) };
    array!(i => Hf::clamp_finite(Hf::flush(d[i], extra), extra))
}

/// Conversions between `f` and `hf`, which the host has as instructions; they treat NaNs as D-06 does.
#[inline(always)]
unsafe fn hf_to_f_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<Resize<Hf, F>, 1>(batch, op, c, mask);
                continue;
            }
            let a = <Hf as Half>::widen::<S>(load(chunk(batch, op.operands[1], c)));
            put::<S, f32>(chunk(batch, op.operands[0], c), mask, a);
        }
    }
}
#[inline(always)]
unsafe fn f_to_hf_body<S: Simd, K>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<Resize<F, Hf>, 1>(batch, op, c, mask);
                continue;
            }
            let d = truncate_hf::<S>(load(chunk(batch, op.operands[1], c)), op.extra);
            put::<S, u16>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

/// `ftrunc2`: two values of `f` into the elements of a packed one (D-22).
#[inline(always)]
unsafe fn pack_body<S: Simd, K: Pack>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the operands were decoded for this batch. The packed register is none of the sources.
    for (c, mask) in chunks(batch, 1) {
        unsafe {
            for element in 0..2 {
                let from = chunk::<u32>(batch, op.operands[1 + element], c);
                let to = chunk::<u16>(batch, op.operands[0], element * batch.count + c);
                K::pack::<S>(from, to, mask, op.extra);
            }
        }
    }
}
/// A narrow format of `ftrunc2`, with the modes that are fast or all.
pub trait Pack {
    /// Converts the active lanes of one source.
    ///
    /// # Safety
    /// As for [`load`] and [`put`].
    unsafe fn pack<S: Simd>(from: *const u32, to: *mut u16, mask: u32, extra: u32);
}
impl Pack for Hf {
    #[inline(always)]
    unsafe fn pack<S: Simd>(from: *const u32, to: *mut u16, mask: u32, extra: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            if S::AVX2 {
                put::<S, u16>(to, mask, truncate_hf::<S>(load(from), extra));
            } else {
                <Resize<F, Hf> as Pack>::pack::<S>(from, to, mask, extra);
            }
        }
    }
}
impl Pack for Bf {
    #[inline(always)]
    unsafe fn pack<S: Simd>(from: *const u32, to: *mut u16, mask: u32, extra: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            let a = load(from);
            put::<S, u16>(to, mask, array!(i => truncate_bf(a[i], extra)));
        }
    }
}
/// In every mode, lane by lane.
impl<T: Format> Pack for Resize<F, T>
where
    Self: Exact<1, A = u32, D = u16>,
{
    #[inline(always)]
    unsafe fn pack<S: Simd>(from: *const u32, to: *mut u16, mask: u32, extra: u32) {
        for lane in active(mask) {
            // SAFETY: the caller's promise.
            unsafe { to.add(lane).write(Self::exact([from.add(lane).read()], extra)) };
        }
    }
}

/// Marks shapes without a kernel of their own.
pub trait Only {}
impl Only for () {}
shape!(hf_to_f, Only, hf_to_f_body);
shape!(f_to_hf, Only, f_to_hf_body);
shape!(pack, Pack, pack_body);

fn select_to_integer<T: Source>(to: Qualifier, level: Level) -> Option<Handler>
where
    ToInteger<T, u8>: IntegerKernel,
    ToInteger<T, i8>: IntegerKernel,
    ToInteger<T, u16>: IntegerKernel,
    ToInteger<T, i16>: IntegerKernel,
    ToInteger<T, u32>: IntegerKernel,
    ToInteger<T, i32>: IntegerKernel,
    ToInteger<T, u64>: IntegerKernel,
    ToInteger<T, i64>: IntegerKernel,
{
    use Qualifier::{S8, S16, S16x2, S32, S64, U8, U16, U16x2, U32, U64};
    Some(match to {
        U8 => to_integer::select::<ToInteger<T, u8>>(level),
        S8 => to_integer::select::<ToInteger<T, i8>>(level),
        U16 | U16x2 => to_integer::select::<ToInteger<T, u16>>(level),
        S16 | S16x2 => to_integer::select::<ToInteger<T, i16>>(level),
        U32 => to_integer::select::<ToInteger<T, u32>>(level),
        S32 => to_integer::select::<ToInteger<T, i32>>(level),
        U64 => to_integer::select::<ToInteger<T, u64>>(level),
        S64 => to_integer::select::<ToInteger<T, i64>>(level),
        _ => return None,
    })
}

fn select_from_integer(to: Qualifier, from: Qualifier, nearest: bool, level: Level) -> Option<Handler> {
    use Qualifier as Q;
    // Integers of up to 24 or 53 bits are exact in every rounding mode.
    let short = matches!(from, Q::U8 | Q::S8 | Q::U16 | Q::S16);
    let middle = matches!(from, Q::U32 | Q::S32);
    let native = nearest || short || (middle && to == Q::Df);
    macro_rules! targets {
        ($i:ty, $bf:expr, $hf:expr) => {
            match to {
                Q::F if native => map1::select::<FromInteger<$i, F>>(level),
                Q::Df if native => map1::select::<FromInteger<$i, Df>>(level),
                Q::F => exact::<FromInteger<$i, F>, 1>,
                Q::Df => exact::<FromInteger<$i, Df>, 1>,
                Q::Hf if nearest => $hf,
                Q::Bf if nearest => $bf,
                Q::Hf => exact::<FromInteger<$i, Hf>, 1>,
                Q::Bf => exact::<FromInteger<$i, Bf>, 1>,
                _ => return None,
            }
        };
    }
    macro_rules! short {
        ($i:ty) => {
            targets!(
                $i,
                map1::select::<FromInteger<$i, Bf>>(level),
                to_hf::select::<FromInteger<$i, Hf>>(level)
            )
        };
    }
    macro_rules! middle {
        ($i:ty) => {
            targets!($i, exact::<FromInteger<$i, Bf>, 1>, to_hf::select::<FromInteger<$i, Hf>>(level))
        };
    }
    macro_rules! long {
        ($i:ty) => {
            targets!($i, exact::<FromInteger<$i, Bf>, 1>, exact::<FromInteger<$i, Hf>, 1>)
        };
    }
    Some(match from {
        Q::U8 => short!(u8),
        Q::S8 => short!(i8),
        Q::U16 => short!(u16),
        Q::S16 => short!(i16),
        Q::U32 => middle!(u32),
        Q::S32 => middle!(i32),
        Q::U64 => long!(u64),
        Q::S64 => long!(i64),
        _ => return None,
    })
}

/// The handler of a conversion and its number.
pub fn select(instruction: &Instruction, level: Level) -> Option<(Handler, u32)> {
    use Qualifier as Q;
    let nearest = rounding_of(instruction) == Rounding::NearestEven;
    let number = mode_number(instruction);
    let from = instruction.qualifier(SlotName::From);
    let to = instruction.qualifier(SlotName::To);
    let handler: Handler = match instruction.row().opcode {
        Opcode::F2i | Opcode::Pf2i => match from? {
            Q::Hf | Q::Hfx2 => select_to_integer::<Hf>(to?, level)?,
            Q::Bf | Q::Bfx2 => select_to_integer::<Bf>(to?, level)?,
            Q::F => select_to_integer::<F>(to?, level)?,
            Q::Df => select_to_integer::<Df>(to?, level)?,
            _ => return None,
        },
        Opcode::I2f => select_from_integer(to?, from?, nearest, level)?,
        Opcode::Frnd => match instruction.qualifier(SlotName::Type)? {
            Q::Hf => integral::select::<Hf>(level),
            Q::Bf => integral::select::<Bf>(level),
            Q::F => integral::select::<F>(level),
            Q::Df => integral::select::<Df>(level),
            _ => return None,
        },
        Opcode::Fext => match (to?, from?) {
            (Q::F, Q::Hf) => hf_to_f::select::<()>(level),
            (Q::F, Q::Bf) => map1::select::<Resize<Bf, F>>(level),
            (Q::Df, Q::Hf) => exact::<Resize<Hf, Df>, 1>,
            (Q::Df, Q::Bf) => fast1::select::<Resize<Bf, Df>>(level),
            (Q::Df, Q::F) => fast1::select::<Resize<F, Df>>(level),
            _ => return None,
        },
        Opcode::Ftrunc => match (to?, from?) {
            (Q::Hf, Q::F) if nearest => f_to_hf::select::<()>(level),
            (Q::Bf, Q::F) if nearest => map1::select::<Resize<F, Bf>>(level),
            (Q::F, Q::Df) if nearest => fast1::select::<Resize<Df, F>>(level),
            (Q::Hf, Q::F) => exact::<Resize<F, Hf>, 1>,
            (Q::Bf, Q::F) => exact::<Resize<F, Bf>, 1>,
            (Q::F, Q::Df) => exact::<Resize<Df, F>, 1>,
            (Q::Hf, Q::Df) => exact::<Resize<Df, Hf>, 1>,
            (Q::Bf, Q::Df) => exact::<Resize<Df, Bf>, 1>,
            _ => return None,
        },
        Opcode::Ftrunc2 => match to? {
            Q::Hfx2 if nearest => pack::select::<Hf>(level),
            Q::Bfx2 if nearest => pack::select::<Bf>(level),
            Q::Hfx2 => pack::select::<Resize<F, Hf>>(Level::Plain),
            _ => pack::select::<Resize<F, Bf>>(Level::Plain),
        },
        _ => return None,
    };
    Some((handler, number))
}
