//! Chapter 2: floating point of all formats, and the comparisons of chapter 5.
//!
//! Sign operations, minimum, maximum and comparisons work on integers and are exact as they stand. Arithmetic of `f` and
//! `df` in `.re` uses the host's own operations, which round as IEEE 754 says; lanes whose result is a NaN are computed
//! again by `pisa-float`, which knows which NaN it must be (P-04, P-05). `hf` and `bf` are in [`super::float16`]. The rest
//! runs lane by lane.

use std::marker::PhantomData;

use pisa_float::{Bf, Df, Elementary, F, Format, Hf, Rounding};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

use super::compare::destination;
use super::float16;
use super::lanes::array;
use super::number::*;
use super::shape::*;
use crate::batch::Handler;
use crate::level::Level;

/// `fneg`.
struct Negate<T>(PhantomData<T>);
/// `fabs`.
struct Magnitude<T>(PhantomData<T>);
/// `fmin`.
struct Minimum<T, const NANP: bool>(PhantomData<T>);
/// `fmax`.
struct Maximum<T, const NANP: bool>(PhantomData<T>);

impl<T: Number> Map1 for Negate<T> {
    type A = T::Word;
    type D = T::Word;
    #[inline(always)]
    fn lane(a: T::Word, extra: u32) -> T::Word {
        T::negate(T::flush(a, extra))
    }
}
impl<T: Number> Map1 for Magnitude<T> {
    type A = T::Word;
    type D = T::Word;
    #[inline(always)]
    fn lane(a: T::Word, extra: u32) -> T::Word {
        T::magnitude(T::flush(a, extra))
    }
}
impl<T: Number, const NANP: bool> Map2 for Minimum<T, NANP> {
    type A = T::Word;
    type B = T::Word;
    type D = T::Word;
    const FLAGS: u32 = FLAGS;
    #[inline(always)]
    fn lane(a: T::Word, b: T::Word, extra: u32) -> T::Word {
        T::clamp(T::minimum::<NANP>(T::flush(a, extra), T::flush(b, extra)), extra)
    }
}
impl<T: Number, const NANP: bool> Map2 for Maximum<T, NANP> {
    type A = T::Word;
    type B = T::Word;
    type D = T::Word;
    const FLAGS: u32 = FLAGS;
    #[inline(always)]
    fn lane(a: T::Word, b: T::Word, extra: u32) -> T::Word {
        T::clamp(T::maximum::<NANP>(T::flush(a, extra), T::flush(b, extra)), extra)
    }
}

macro_rules! comparison {
    ($name:ident, |$a:ident, $b:ident| $e:expr) => {
        struct $name<T>(PhantomData<T>);
        impl<T: Number> Compare for $name<T> {
            type A = T::Word;
            #[inline(always)]
            fn lane(a: T::Word, b: T::Word, extra: u32) -> bool {
                let ($a, $b) = (T::flush(a, extra), T::flush(b, extra));
                $e
            }
        }
    };
}
comparison!(Equal, |a, b| T::equal(a, b));
comparison!(Less, |a, b| T::less(a, b));
comparison!(LessEqual, |a, b| T::less_equal(a, b));
comparison!(Greater, |a, b| T::less(b, a));
comparison!(GreaterEqual, |a, b| T::less_equal(b, a));

/// A format that the host computes with.
pub trait Native: Number {
    /// The host's type.
    type Host: Copy;
    /// From bits.
    fn host(a: Self::Word) -> Self::Host;
    /// To bits.
    fn word(a: Self::Host) -> Self::Word;
    /// `a + b`.
    fn add(a: Self::Host, b: Self::Host) -> Self::Host;
    /// `a - b`.
    fn sub(a: Self::Host, b: Self::Host) -> Self::Host;
    /// `a * b`.
    fn mul(a: Self::Host, b: Self::Host) -> Self::Host;
    /// `a / b`.
    fn div(a: Self::Host, b: Self::Host) -> Self::Host;
    /// `a * b + c`, rounded once.
    fn fma(a: Self::Host, b: Self::Host, c: Self::Host) -> Self::Host;
    /// The square root.
    fn sqrt(a: Self::Host) -> Self::Host;
    /// 1.
    const ONE_HOST: Self::Host;
}

macro_rules! native {
    ($($format:ident, $word:ty, $host:ty);*) => { $(
        impl Native for $format {
            type Host = $host;
            #[inline(always)]
            fn host(a: $word) -> $host {
                <$host>::from_bits(a)
            }
            #[inline(always)]
            fn word(a: $host) -> $word {
                a.to_bits()
            }
            #[inline(always)]
            fn add(a: $host, b: $host) -> $host {
                a + b
            }
            #[inline(always)]
            fn sub(a: $host, b: $host) -> $host {
                a - b
            }
            #[inline(always)]
            fn mul(a: $host, b: $host) -> $host {
                a * b
            }
            #[inline(always)]
            fn div(a: $host, b: $host) -> $host {
                a / b
            }
            #[inline(always)]
            fn fma(a: $host, b: $host, c: $host) -> $host {
                a.mul_add(b, c)
            }
            #[inline(always)]
            fn sqrt(a: $host) -> $host {
                a.sqrt()
            }
            const ONE_HOST: $host = 1.0;
        }
    )* };
}
native!(F, u32, f32; Df, u64, f64);

/// Defines an operation: exact for every format, fast for native ones.
macro_rules! operation {
    ($(#[$meta:meta])* $name:ident, $n:literal, avx2 = $avx2:literal, |$x:ident| $native:expr, |$y:ident, $extra:ident| $exact:expr) => {
        $(#[$meta])*
        pub struct $name<T>(PhantomData<T>);
        impl<T: Number> Exact<$n> for $name<T> {
            type A = T::Word;
            type D = T::Word;
            #[inline(always)]
            fn exact($y: [T::Word; $n], $extra: u32) -> T::Word {
                $exact
            }
        }
        impl<T: Native> Fast<$n> for $name<T> {
            const NEEDS_AVX2: bool = $avx2;
            #[inline(always)]
            fn fast(sources: [T::Word; $n], extra: u32) -> (T::Word, bool) {
                let $x: [T::Host; $n] = array!(k < $n => T::host(T::flush(sources[k], extra)));
                let result = T::flush(T::word($native), extra);
                // Saturation turns every NaN into +0, whichever it is.
                (T::clamp(result, extra), T::nan(result) && extra & DSAT == 0)
            }
        }
    };
}

operation!(Add, 2, avx2 = false, |x| T::add(x[0], x[1]), |x, e| pisa_float::add::<T>(x[0], x[1], mode(e)));
operation!(Sub, 2, avx2 = false, |x| T::sub(x[0], x[1]), |x, e| pisa_float::sub::<T>(x[0], x[1], mode(e)));
operation!(Mul, 2, avx2 = false, |x| T::mul(x[0], x[1]), |x, e| pisa_float::mul::<T>(x[0], x[1], mode(e)));
operation!(Div, 2, avx2 = false, |x| T::div(x[0], x[1]), |x, e| pisa_float::div::<T>(x[0], x[1], mode(e)));
operation!(Sqrt, 1, avx2 = false, |x| T::sqrt(x[0]), |x, e| pisa_float::sqrt::<T>(x[0], mode(e)));
operation!(Reciprocal, 1, avx2 = false, |x| T::div(T::ONE_HOST, x[0]), |x, e| pisa_float::rcp::<T>(
    x[0],
    e & FTZ != 0
));
operation!(
    /// Without fused instructions of the host, everything is exact.
    Fma, 3, avx2 = true,
    |x| T::fma(x[0], x[1], x[2]),
    |x, e| pisa_float::fma::<T>(x[0], x[1], x[2], mode(e))
);

macro_rules! exact_only {
    ($($name:ident, $function:ident, $bound:path);*) => { $(
        struct $name<T>(PhantomData<T>);
        impl<T: Number + $bound> Exact<1> for $name<T> {
            type A = T::Word;
            type D = T::Word;
            #[inline(always)]
            fn exact(x: [T::Word; 1], extra: u32) -> T::Word {
                pisa_float::$function::<T>(x[0], extra & FTZ != 0)
            }
        }
    )* };
}
exact_only!(
    ReciprocalSqrt, rsqrt, Format; Sine, sin, Elementary; Cosine, cos, Elementary; Exp2, exp2, Elementary;
    Log2, log2, Elementary; Tanh, tanh, Elementary
);

/// `frc`.
struct Fraction;
impl Exact<1> for Fraction {
    type A = u32;
    type D = u32;
    #[inline(always)]
    fn exact(x: [u32; 1], extra: u32) -> u32 {
        pisa_float::fract(x[0], extra & FTZ != 0)
    }
}

/// A format and how its arithmetic in `.re` runs.
trait Arithmetic: Number {
    fn add(level: Level) -> Handler;
    fn sub(level: Level) -> Handler;
    fn mul(level: Level) -> Handler;
    fn div(level: Level) -> Handler;
    fn sqrt(level: Level) -> Handler;
    fn reciprocal(level: Level) -> Handler;
    fn fma(level: Level) -> Handler;
}

macro_rules! arithmetic {
    ($($format:ident: $module:ident $one:ident $two:ident $three:ident);*) => { $(
        impl Arithmetic for $format {
            fn add(level: Level) -> Handler {
                $module::$two::select::<Add<$format>>(level)
            }
            fn sub(level: Level) -> Handler {
                $module::$two::select::<Sub<$format>>(level)
            }
            fn mul(level: Level) -> Handler {
                $module::$two::select::<Mul<$format>>(level)
            }
            fn div(level: Level) -> Handler {
                $module::$two::select::<Div<$format>>(level)
            }
            fn sqrt(level: Level) -> Handler {
                $module::$one::select::<Sqrt<$format>>(level)
            }
            fn reciprocal(level: Level) -> Handler {
                $module::$one::select::<Reciprocal<$format>>(level)
            }
            fn fma(level: Level) -> Handler {
                $module::$three::select::<Fma<$format>>(level)
            }
        }
    )* };
}
use super::shape;
arithmetic!(
    F: shape fast1 fast2 fast3;
    Df: shape fast1 fast2 fast3;
    Hf: float16 half1 half2 half3;
    Bf: float16 half1 half2 half3
);

fn select_format<T: Arithmetic>(instruction: &Instruction, level: Level) -> Option<(Handler, u32)> {
    use Qualifier::{Eq, Ge, Gt, Le, Lt, Ne};
    let nearest = rounding_of(instruction) == Rounding::NearestEven;
    let nanp = instruction.has(SlotName::Nanp);
    let mut number = mode_number(instruction);
    let opcode = instruction.row().opcode;
    let handler: Handler = match opcode {
        Opcode::Fneg => map1::select::<Negate<T>>(level),
        Opcode::Fabs => map1::select::<Magnitude<T>>(level),
        Opcode::Fmin if nanp => map2::select::<Minimum<T, true>>(level),
        Opcode::Fmin => map2::select::<Minimum<T, false>>(level),
        Opcode::Fmax if nanp => map2::select::<Maximum<T, true>>(level),
        Opcode::Fmax => map2::select::<Maximum<T, false>>(level),
        Opcode::Fadd if nearest => T::add(level),
        Opcode::Fsub if nearest => T::sub(level),
        Opcode::Fmul if nearest => T::mul(level),
        Opcode::Fdiv if nearest => T::div(level),
        Opcode::Fsqrt if nearest => T::sqrt(level),
        Opcode::Fmad if nearest => T::fma(level),
        Opcode::Frcp => T::reciprocal(level),
        Opcode::Fadd => exact::<Add<T>, 2>,
        Opcode::Fsub => exact::<Sub<T>, 2>,
        Opcode::Fmul => exact::<Mul<T>, 2>,
        Opcode::Fdiv => exact::<Div<T>, 2>,
        Opcode::Fsqrt => exact::<Sqrt<T>, 1>,
        Opcode::Fmad => exact::<Fma<T>, 3>,
        Opcode::Frsqrt => exact::<ReciprocalSqrt<T>, 1>,
        Opcode::Fcmp => match instruction.qualifier(SlotName::Cop)? {
            Eq => destination::<Equal<T>>(instruction, level)?,
            Ne => {
                // Unordered is not equal (P-15).
                number |= NEGATE;
                destination::<Equal<T>>(instruction, level)?
            }
            Lt => destination::<Less<T>>(instruction, level)?,
            Le => destination::<LessEqual<T>>(instruction, level)?,
            Gt => destination::<Greater<T>>(instruction, level)?,
            Ge => destination::<GreaterEqual<T>>(instruction, level)?,
            _ => return None,
        },
        _ => return None,
    };
    Some((handler, number))
}

/// The elementary functions, which `df` does not have.
fn select_elementary<T: Number + Elementary>(opcode: Opcode) -> Option<Handler> {
    Some(match opcode {
        Opcode::Fsin => exact::<Sine<T>, 1>,
        Opcode::Fcos => exact::<Cosine<T>, 1>,
        Opcode::Fexp2 => exact::<Exp2<T>, 1>,
        Opcode::Flog2 => exact::<Log2<T>, 1>,
        Opcode::Ftanh => exact::<Tanh<T>, 1>,
        _ => return None,
    })
}

/// The handler of an instruction of chapter 2, or of `fcmp`, and its number.
pub fn select(instruction: &Instruction, level: Level) -> Option<(Handler, u32)> {
    let ty = instruction.qualifier(SlotName::Type)?;
    match instruction.row().opcode {
        Opcode::Frc => return Some((exact::<Fraction, 1>, mode_number(instruction))),
        Opcode::Fmul if instruction.has(SlotName::Precision) => {
            return Some((float16::select_full(instruction, level)?, mode_number(instruction)));
        }
        _ => {}
    }
    let elementary = match ty {
        Qualifier::Hf | Qualifier::Hfx2 => select_elementary::<Hf>(instruction.row().opcode),
        Qualifier::Bf | Qualifier::Bfx2 => select_elementary::<Bf>(instruction.row().opcode),
        Qualifier::F => select_elementary::<F>(instruction.row().opcode),
        _ => None,
    };
    if let Some(handler) = elementary {
        return Some((handler, mode_number(instruction)));
    }
    match ty {
        Qualifier::Hf | Qualifier::Hfx2 => select_format::<Hf>(instruction, level),
        Qualifier::Bf | Qualifier::Bfx2 => select_format::<Bf>(instruction, level),
        Qualifier::F => select_format::<F>(instruction, level),
        Qualifier::Df => select_format::<Df>(instruction, level),
        _ => None,
    }
}
