//! The four floating-point formats (spec 3.1).

use crate::native::Native;

/// The integer type that holds the bits of a format.
pub trait Bits:
    Copy + Eq + Ord + core::hash::Hash + core::fmt::Debug + Default + Send + Sync + 'static
{
    /// Zero-extends to 64 bits.
    fn to_u64(self) -> u64;
    /// Takes the low bits.
    fn from_u64(value: u64) -> Self;
}

macro_rules! bits {
    ($($type:ty)*) => {$(
        impl Bits for $type {
            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $type
            }
        }
    )*};
}
bits!(u16 u32 u64);

/// A binary floating-point format. `bf` is treated as IEEE-style, too (P-26).
///
/// The constants are bit patterns in the low [`Format::WIDTH`] bits.
pub trait Format: Native + Copy + Send + Sync + 'static {
    /// The integer that holds a value.
    type Bits: Bits;
    /// Name as in a qualifier, without the dot.
    const NAME: &'static str;
    /// Number of exponent bits.
    const EXP_BITS: u32;
    /// Number of stored fraction bits.
    const FRAC_BITS: u32;

    /// Width of the format in bits.
    const WIDTH: u32 = 1 + Self::EXP_BITS + Self::FRAC_BITS;
    /// Exponent bias.
    const BIAS: i32 = (1 << (Self::EXP_BITS - 1)) - 1;
    /// The exponent field of infinities and NaNs.
    const EXP_MAX: u64 = (1 << Self::EXP_BITS) - 1;
    /// The sign bit.
    const SIGN: u64 = 1 << (Self::WIDTH - 1);
    /// The fraction bits.
    const FRAC_MASK: u64 = (1 << Self::FRAC_BITS) - 1;
    /// Everything but the sign.
    const MAGNITUDE: u64 = Self::SIGN - 1;
    /// Plus infinity.
    const INFINITY: u64 = Self::EXP_MAX << Self::FRAC_BITS;
    /// The bit that tells a quiet NaN from a signalling one.
    const QUIET: u64 = 1 << (Self::FRAC_BITS - 1);
    /// The NaN that operations generate: positive, quiet, no payload (P-05).
    const CANONICAL_NAN: u64 = Self::INFINITY | Self::QUIET;
    /// The largest finite value.
    const MAX_FINITE: u64 = Self::INFINITY - 1;
    /// The smallest positive normal value.
    const MIN_NORMAL: u64 = 1 << Self::FRAC_BITS;
    /// One.
    const ONE: u64 = (Self::BIAS as u64) << Self::FRAC_BITS;

    /// The bits, zero-extended.
    #[inline(always)]
    fn to_u64(bits: Self::Bits) -> u64 {
        bits.to_u64()
    }
    /// The low bits of `value`.
    #[inline(always)]
    fn from_u64(value: u64) -> Self::Bits {
        Self::Bits::from_u64(value)
    }
}

/// `hf`: IEEE 754 binary16.
#[derive(Clone, Copy, Debug)]
pub struct Hf;
/// `bf`: bfloat16, 8 exponent and 7 fraction bits.
#[derive(Clone, Copy, Debug)]
pub struct Bf;
/// `f`: IEEE 754 binary32.
#[derive(Clone, Copy, Debug)]
pub struct F;
/// `df`: IEEE 754 binary64.
#[derive(Clone, Copy, Debug)]
pub struct Df;

impl Format for Hf {
    type Bits = u16;
    const NAME: &'static str = "hf";
    const EXP_BITS: u32 = 5;
    const FRAC_BITS: u32 = 10;
}
impl Format for Bf {
    type Bits = u16;
    const NAME: &'static str = "bf";
    const EXP_BITS: u32 = 8;
    const FRAC_BITS: u32 = 7;
}
impl Format for F {
    type Bits = u32;
    const NAME: &'static str = "f";
    const EXP_BITS: u32 = 8;
    const FRAC_BITS: u32 = 23;
}
impl Format for Df {
    type Bits = u64;
    const NAME: &'static str = "df";
    const EXP_BITS: u32 = 11;
    const FRAC_BITS: u32 = 52;
}

/// Whether the bits are a NaN.
#[inline(always)]
pub fn is_nan<T: Format>(bits: T::Bits) -> bool {
    raw_is_nan::<T>(bits.to_u64())
}

/// Whether the bits are a denormal number (zero is none).
#[inline(always)]
pub fn is_denormal<T: Format>(bits: T::Bits) -> bool {
    raw_is_denormal::<T>(bits.to_u64())
}

#[inline(always)]
pub(crate) fn raw_is_nan<T: Format>(raw: u64) -> bool {
    raw & T::MAGNITUDE > T::INFINITY
}

#[inline(always)]
pub(crate) fn raw_is_denormal<T: Format>(raw: u64) -> bool {
    (raw & T::MAGNITUDE).wrapping_sub(1) < T::MIN_NORMAL - 1
}

/// A denormal becomes the zero of its sign (P-02).
#[inline(always)]
pub(crate) fn flush<T: Format>(raw: u64) -> u64 {
    if raw_is_denormal::<T>(raw) { raw & T::SIGN } else { raw }
}

/// [`flush`] when `.ftz` is given.
#[inline(always)]
pub(crate) fn flush_if<T: Format>(raw: u64, ftz: bool) -> u64 {
    if ftz { flush::<T>(raw) } else { raw }
}
