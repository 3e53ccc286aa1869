//! The floating-point formats as lanes of integers, and the numbers that float kernels get in [`crate::Op::extra`].

use pisa_float::{Bf, Df, F, Format, Hf, Mode, Rounding};
use pisa_isa::{Qualifier, SlotName};
use pisa_module::Instruction;

use super::lanes::*;

/// Bits of `extra` below the element count: the rounding mode as its index in [`Rounding::ALL`].
const ROUNDING: u32 = 7;
/// `.ftz`.
pub const FTZ: u32 = 1 << 3;
/// `.dsat`.
pub const DSAT: u32 = 1 << 4;
/// Both.
pub const FLAGS: u32 = FTZ | DSAT;

/// The rounding mode of an instruction; `.re` where it has none.
pub fn rounding_of(instruction: &Instruction) -> Rounding {
    instruction.qualifier(SlotName::Rndmode).map_or(Rounding::NearestEven, rounding_named)
}

/// The rounding mode of a qualifier.
pub fn rounding_named(qualifier: Qualifier) -> Rounding {
    match qualifier {
        Qualifier::Rd => Rounding::Down,
        Qualifier::Ru => Rounding::Up,
        Qualifier::Rz => Rounding::Zero,
        Qualifier::Rna => Rounding::NearestAway,
        _ => Rounding::NearestEven,
    }
}

/// Rounding mode, `.ftz` and `.dsat` of an instruction as a number.
pub fn mode_number(instruction: &Instruction) -> u32 {
    let index = match rounding_of(instruction) {
        Rounding::NearestEven => 0,
        Rounding::Down => 1,
        Rounding::Up => 2,
        Rounding::Zero => 3,
        Rounding::NearestAway => 4,
    };
    index
        | if instruction.has(SlotName::Ftz) { FTZ } else { 0 }
        | if instruction.has(SlotName::Dsat) { DSAT } else { 0 }
}

/// The rounding mode in a number of [`mode_number`].
#[inline(always)]
pub fn rounding(extra: u32) -> Rounding {
    match extra & ROUNDING {
        0 => Rounding::NearestEven,
        1 => Rounding::Down,
        2 => Rounding::Up,
        3 => Rounding::Zero,
        _ => Rounding::NearestAway,
    }
}

/// The mode in a number of [`mode_number`].
#[inline(always)]
pub fn mode(extra: u32) -> Mode {
    Mode { rounding: rounding(extra), ftz: extra & FTZ != 0, dsat: extra & DSAT != 0 }
}

/// A format whose values are handled as integers, without branches.
pub trait Number: Format<Bits = <Self as Number>::Word> {
    /// Unsigned integer of the format's width.
    type Word: Lane + pisa_float::Bits;

    /// Denormals become the zero of their sign where `extra` has [`FTZ`].
    fn flush(a: Self::Word, extra: u32) -> Self::Word;
    /// Whether it is a NaN.
    fn nan(a: Self::Word) -> bool;
    /// [`pisa_float::neg`] without `.ftz`.
    fn negate(a: Self::Word) -> Self::Word;
    /// [`pisa_float::abs`] without `.ftz`.
    fn magnitude(a: Self::Word) -> Self::Word;
    /// The smaller one (P-11).
    fn minimum<const NANP: bool>(a: Self::Word, b: Self::Word) -> Self::Word;
    /// The larger one (P-11).
    fn maximum<const NANP: bool>(a: Self::Word, b: Self::Word) -> Self::Word;
    /// Into [0, 1], NaN to +0, where `extra` has [`DSAT`] (P-06).
    fn clamp(a: Self::Word, extra: u32) -> Self::Word;
    /// Infinity to the largest finite number where `extra` has [`DSAT`] (D-09).
    fn clamp_finite(a: Self::Word, extra: u32) -> Self::Word;
    /// Ordered and `a < b` (P-15).
    fn less(a: Self::Word, b: Self::Word) -> bool;
    /// Ordered and `a <= b`.
    fn less_equal(a: Self::Word, b: Self::Word) -> bool;
    /// Ordered and `a == b`.
    fn equal(a: Self::Word, b: Self::Word) -> bool;
    /// Signed integer of the format's width.
    type Key: Lane + Ord;
    /// Below every other key.
    const LEAST: Self::Key;
    /// Above every other key.
    const GREATEST: Self::Key;
    /// A key that orders all values but NaN, -0 below +0.
    fn key(a: Self::Word) -> Self::Key;
    /// The value of a key.
    fn value(key: Self::Key) -> Self::Word;
}

/// Sign and magnitude as a two's complement integer, -0 as -1.
macro_rules! key {
    ($word:ty, $signed:ty, $a:expr) => {{
        let signed = $a as $signed;
        signed ^ ((signed >> (<$signed>::BITS - 1)) as $word >> 1) as $signed
    }};
}

/// By the host's own comparison.
macro_rules! native_f {
    ($format:ty, $word:ty, $signed:ty, $a:expr, $op:tt, $b:expr) => {
        f32::from_bits($a) $op f32::from_bits($b)
    };
}

/// By the host's own comparison.
macro_rules! native_df {
    ($format:ty, $word:ty, $signed:ty, $a:expr, $op:tt, $b:expr) => {
        f64::from_bits($a) $op f64::from_bits($b)
    };
}

/// By integers; both zeros count as 0.
macro_rules! integers {
    ($format:ty, $word:ty, $signed:ty, $a:expr, $op:tt, $b:expr) => {{
        let value = |a: $word| {
            let sign = (a as $signed) >> (<$signed>::BITS - 1);
            ((a & <$format>::MAGNITUDE as $word) as $signed ^ sign).wrapping_sub(sign)
        };
        !<$format>::nan($a) & !<$format>::nan($b) & (value($a) $op value($b))
    }};
}

macro_rules! number {
    ($($format:ident, $word:ty, $signed:ty, $compare:ident);*) => { $(
        impl Number for $format {
            type Word = $word;

            #[inline(always)]
            fn flush(a: $word, extra: u32) -> $word {
                let limit = if extra & FTZ != 0 { Self::MIN_NORMAL as $word } else { 0 };
                if a & (Self::MAGNITUDE as $word) < limit { a & Self::SIGN as $word } else { a }
            }
            #[inline(always)]
            fn nan(a: $word) -> bool {
                a & (Self::MAGNITUDE as $word) > Self::INFINITY as $word
            }
            #[inline(always)]
            fn negate(a: $word) -> $word {
                a ^ Self::SIGN as $word | if Self::nan(a) { Self::QUIET as $word } else { 0 }
            }
            #[inline(always)]
            fn magnitude(a: $word) -> $word {
                a & Self::MAGNITUDE as $word | if Self::nan(a) { Self::QUIET as $word } else { 0 }
            }
            #[inline(always)]
            fn minimum<const NANP: bool>(a: $word, b: $word) -> $word {
                let ordered = if key!($word, $signed, a) <= key!($word, $signed, b) { a } else { b };
                with_nan::<Self, NANP>(a, b, ordered)
            }
            #[inline(always)]
            fn maximum<const NANP: bool>(a: $word, b: $word) -> $word {
                let ordered = if key!($word, $signed, a) >= key!($word, $signed, b) { a } else { b };
                with_nan::<Self, NANP>(a, b, ordered)
            }
            #[inline(always)]
            fn clamp(a: $word, extra: u32) -> $word {
                let positive = if (a as $signed) < 0 || Self::nan(a) { 0 } else { a };
                let clamped = positive.min(Self::ONE as $word);
                if extra & DSAT != 0 { clamped } else { a }
            }
            #[inline(always)]
            fn clamp_finite(a: $word, extra: u32) -> $word {
                let infinite = a & Self::MAGNITUDE as $word == Self::INFINITY as $word;
                if extra & DSAT != 0 && infinite { a - 1 } else { a }
            }
            #[inline(always)]
            fn less(a: $word, b: $word) -> bool {
                $compare!(Self, $word, $signed, a, <, b)
            }
            #[inline(always)]
            fn less_equal(a: $word, b: $word) -> bool {
                $compare!(Self, $word, $signed, a, <=, b)
            }
            #[inline(always)]
            fn equal(a: $word, b: $word) -> bool {
                $compare!(Self, $word, $signed, a, ==, b)
            }
            type Key = $signed;
            const LEAST: $signed = <$signed>::MIN;
            const GREATEST: $signed = <$signed>::MAX;
            #[inline(always)]
            fn key(a: $word) -> $signed {
                key!($word, $signed, a)
            }
            #[inline(always)]
            fn value(key: $signed) -> $word {
                // The sign stays, so the change undoes itself.
                key!($word, $signed, key) as $word
            }
        }
    )* };
}

number!(Hf, u16, i16, integers; Bf, u16, i16, integers; F, u32, i32, native_f; Df, u64, i64, native_df);

/// What the minimum or maximum is once NaNs are looked at: without `.nanp` the other operand, of two NaNs the first one,
/// quieted; with it the first NaN, quieted (P-04, P-11).
#[inline(always)]
fn with_nan<T: Number, const NANP: bool>(a: T::Word, b: T::Word, ordered: T::Word) -> T::Word {
    // The negation of the negation is the quieted value itself.
    let quiet = |x| T::negate(T::negate(x));
    let (nan_a, nan_b) = (T::nan(a), T::nan(b));
    if NANP {
        if nan_a {
            quiet(a)
        } else if nan_b {
            quiet(b)
        } else {
            ordered
        }
    } else {
        let b_or_quiet = if nan_b { quiet(a) } else { b };
        if nan_a {
            b_or_quiet
        } else if nan_b {
            a
        } else {
            ordered
        }
    }
}
