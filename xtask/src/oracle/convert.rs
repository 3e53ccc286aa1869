//! Conversions.

use super::arithmetic::sum;
use super::layout::{Double, Kind, Layout, Number, Single, decode, quiet};
use super::round::{Outcome, WAYS, Way, cut, grows, split};

/// The finite number rounded to an integer, as a magnitude; `exponent < 0`.
#[inline(always)]
fn whole(x: Number, way: Way) -> u64 {
    let (floor, rest) = split(x.magnitude, x.exponent.unsigned_abs(), false);
    floor + u64::from(grows(way, x.negative, floor & 1 == 1, rest))
}

/// `frnd` (P-25).
#[inline(always)]
pub fn integral<L: Layout>(a: u64, way: Way) -> u64 {
    let x = decode::<L>(a);
    match x.kind {
        Kind::Nan => quiet::<L>(a),
        Kind::Finite if x.exponent < 0 => {
            let exact = Outcome::Exact(cut::<L>(false, whole(x, way), 0, false)).rounded::<L>(Way::Zero);
            exact | a & L::SIGN
        }
        _ => a,
    }
}

/// `frc` before `.ftz` (P-24): the rounded difference of `a` and `a` rounded down.
#[inline(always)]
pub fn fraction_part<L: Layout>(a: u64) -> u64 {
    let x = decode::<L>(a);
    match x.kind {
        Kind::Nan => quiet::<L>(a),
        Kind::Infinite => L::NAN,
        Kind::Finite => {
            let floor = decode::<L>(integral::<L>(a, Way::Down));
            sum::<L>(x, Number { negative: !floor.negative, ..floor }).rounded::<L>(Way::Even)
        }
    }
}

/// `f2i`: rounded, then clamped to an integer type; the low `bits` bits (D-02).
#[inline(always)]
pub fn to_integer<L: Layout>(a: u64, bits: u32, signed: bool, way: Way) -> u64 {
    let x = decode::<L>(a);
    let (least, most) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    let magnitude = match x.kind {
        Kind::Nan => return 0,
        Kind::Infinite => i128::MAX,
        // Any magnitude but zero moved this far is beyond every type.
        Kind::Finite if x.exponent >= 0 => i128::from(x.magnitude) << x.exponent.min(66),
        Kind::Finite => i128::from(whole(x, way)),
    };
    let value = if x.negative { -magnitude } else { magnitude };
    (value.clamp(least, most) & ((1i128 << bits) - 1)) as u64
}

/// `i2f` of an integer of at most 64 bits, in the order of [`WAYS`].
#[inline(always)]
pub fn from_integer<L: Layout>(value: i128) -> [u64; 5] {
    let exact = Outcome::Exact(cut::<L>(value < 0, value.unsigned_abs() as u64, 0, false));
    WAYS.map(|way| exact.rounded_to_infinity::<L>(way))
}

/// The `.dsat` of conversions (D-09).
#[inline(always)]
pub fn limit<L: Layout>(bits: u64, dsat: bool) -> u64 {
    if dsat && bits & (L::SIGN - 1) == L::INFINITE { bits & L::SIGN | (L::INFINITE - 1) } else { bits }
}

/// `ftrunc` without `.ftz` and `.dsat`, which come after it in this order, in the order of [`WAYS`] (D-06 to D-08).
#[inline(always)]
pub fn truncate<A: Layout, B: Layout>(a: u64) -> [u64; 5] {
    let x = decode::<A>(a);
    let sign = if x.negative { B::SIGN } else { 0 };
    match x.kind {
        Kind::Nan => {
            let payload = (a & ((1 << A::FRACTION) - 1)) >> (A::FRACTION - B::FRACTION);
            [quiet::<B>(sign | B::INFINITE | payload); 5]
        }
        Kind::Infinite => [sign | B::INFINITE; 5],
        Kind::Finite if x.magnitude < 1 << A::FRACTION => [sign; 5],
        Kind::Finite => {
            let exact = Outcome::Exact(cut::<B>(x.negative, x.magnitude, x.exponent, false));
            WAYS.map(|way| exact.rounded_to_infinity::<B>(way))
        }
    }
}

/// `fext.df.f` (D-05, D-06).
#[inline(always)]
pub fn extend_to_double(a: u64) -> u64 {
    let x = decode::<Single>(a);
    let sign = if x.negative { Double::SIGN } else { 0 };
    match x.kind {
        Kind::Nan => quiet::<Double>(sign | Double::INFINITE | (a & 0x7f_ffff) << 29),
        Kind::Infinite => sign | Double::INFINITE,
        Kind::Finite if x.magnitude == 0 => sign,
        Kind::Finite => Outcome::Exact(cut::<Double>(x.negative, x.magnitude, x.exponent, false))
            .rounded::<Double>(Way::Zero),
    }
}
