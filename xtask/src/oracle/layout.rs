//! Where sign, exponent and fraction lie in a format, and what a value is.

/// A format: its two field widths, and what follows from them.
pub trait Layout: Copy + Send + Sync + 'static {
    /// Bits of the exponent field.
    const EXPONENT: u32;
    /// Bits of the fraction field.
    const FRACTION: u32;

    /// The sign bit.
    const SIGN: u64 = 1 << (Self::EXPONENT + Self::FRACTION);
    /// Infinity.
    const INFINITE: u64 = ((1 << Self::EXPONENT) - 1) << Self::FRACTION;
    /// Exponent of the unit in the last place of a denormal number.
    const LEAST: i32 = 2 - (1 << (Self::EXPONENT - 1)) - Self::FRACTION as i32;
    /// The quiet NaN without a sign or payload (P-05).
    const NAN: u64 = Self::INFINITE | 1 << (Self::FRACTION - 1);
    /// One.
    const ONE: u64 = ((1 << (Self::EXPONENT - 1)) - 1) << Self::FRACTION;
}

/// `hf`.
#[derive(Clone, Copy)]
pub struct Half;
/// `bf`.
#[derive(Clone, Copy)]
pub struct Brain;
/// `f`.
#[derive(Clone, Copy)]
pub struct Single;
/// `df`.
#[derive(Clone, Copy)]
pub struct Double;

impl Layout for Half {
    const EXPONENT: u32 = 5;
    const FRACTION: u32 = 10;
}
impl Layout for Brain {
    const EXPONENT: u32 = 8;
    const FRACTION: u32 = 7;
}
impl Layout for Single {
    const EXPONENT: u32 = 8;
    const FRACTION: u32 = 23;
}
impl Layout for Double {
    const EXPONENT: u32 = 11;
    const FRACTION: u32 = 52;
}

/// What a value is, besides its sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Nan,
    Infinite,
    /// `magnitude * 2^exponent`, also zero.
    Finite,
}

/// A value taken apart.
#[derive(Clone, Copy)]
pub struct Number {
    pub kind: Kind,
    pub negative: bool,
    pub magnitude: u64,
    pub exponent: i32,
}

/// Takes a value apart.
#[inline(always)]
pub fn decode<L: Layout>(bits: u64) -> Number {
    let negative = bits & L::SIGN != 0;
    let field = (bits & (L::SIGN - 1)) >> L::FRACTION;
    let fraction = bits & ((1 << L::FRACTION) - 1);
    let kind = if field < (1 << L::EXPONENT) - 1 {
        Kind::Finite
    } else if fraction == 0 {
        Kind::Infinite
    } else {
        Kind::Nan
    };
    if field == 0 {
        Number { kind, negative, magnitude: fraction, exponent: L::LEAST }
    } else {
        Number {
            kind,
            negative,
            magnitude: fraction + (1 << L::FRACTION),
            exponent: L::LEAST + field as i32 - 1,
        }
    }
}

/// Whether it is a NaN.
#[inline(always)]
pub fn is_nan<L: Layout>(bits: u64) -> bool {
    decode::<L>(bits).kind == Kind::Nan
}

/// Whether it is a denormal number; zero is none.
#[inline(always)]
pub fn is_denormal<L: Layout>(bits: u64) -> bool {
    bits & L::INFINITE == 0 && bits & (L::SIGN - 1) != 0
}

/// What `.ftz` does to a source or a result (P-02).
#[inline(always)]
pub fn flush<L: Layout>(bits: u64) -> u64 {
    if is_denormal::<L>(bits) { bits & L::SIGN } else { bits }
}

/// A NaN made quiet (P-04).
#[inline(always)]
pub fn quiet<L: Layout>(bits: u64) -> u64 {
    bits | 1 << (L::FRACTION - 1)
}
