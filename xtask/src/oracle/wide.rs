//! Arithmetic of every format, `df` included: 256-bit sums, 128-bit products and quotients.

use super::layout::{Kind, Layout, Number, decode, is_nan, quiet};
use super::round::{Cut, Outcome, cut};

/// [`cut`] for a longer magnitude.
#[inline(always)]
fn cut_long<L: Layout>(negative: bool, magnitude: u128, exponent: i32, sticky: bool) -> Cut {
    let excess = 64u32.saturating_sub(magnitude.leading_zeros());
    let lost = magnitude & ((1 << excess) - 1) != 0;
    cut::<L>(negative, (magnitude >> excess) as u64, exponent + excess as i32, sticky || lost)
}

/// `±(magnitude * 2^exponent)`, at most 106 bits long.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Term {
    #[inline(always)]
    fn of(x: Number) -> Term {
        Term { negative: x.negative, magnitude: u128::from(x.magnitude), exponent: x.exponent }
    }

    #[inline(always)]
    fn signed(self) -> i128 {
        if self.negative { -(self.magnitude as i128) } else { self.magnitude as i128 }
    }
}

/// A signed integer of 256 bits.
#[derive(Clone, Copy)]
struct Long {
    high: i128,
    low: u128,
}

impl Long {
    /// `value * 2^by`, `by <= REACH`.
    #[inline(always)]
    fn moved(value: i128, by: u32) -> Long {
        match by {
            0 => Long { high: value >> 127, low: value as u128 },
            1..128 => Long { high: value >> (128 - by), low: (value as u128) << by },
            _ => Long { high: value << (by - 128), low: 0 },
        }
    }

    #[inline(always)]
    fn plus(self, other: Long) -> Long {
        let (low, carry) = self.low.overflowing_add(other.low);
        Long { high: self.high + other.high + i128::from(carry), low }
    }

    #[inline(always)]
    fn magnitude(self) -> (u128, u128) {
        if self.high >= 0 {
            return (self.high as u128, self.low);
        }
        let (low, carry) = (!self.low).overflowing_add(1);
        (!self.high as u128 + u128::from(carry), low)
    }
}

/// Bits by which the term with the larger exponent is moved at most. A term further below is replaced by one unit of the moved one. As a
/// product, the upper term is at least one of its units, of which the lower one, a source, is less than 2^(53 - 140), less than a quarter of
/// the result's last place. As a source, the upper term is normal or has the least exponent of all, so that last place is at least half its
/// unit; the lower one, a product, is less than 2^(106 - 140) of that. So every rounding sees the same.
const REACH: i32 = 140;

/// The exact sum of two terms.
#[inline(always)]
fn sum<L: Layout>(mut x: Term, mut y: Term) -> Outcome {
    // A zero has no exponent of its own.
    if x.magnitude == 0 {
        x.exponent = y.exponent;
    } else if y.magnitude == 0 {
        y.exponent = x.exponent;
    }
    let (upper, lower) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
    let distance = upper.exponent - lower.exponent;
    let (total, exponent) = if distance <= REACH {
        (Long::moved(upper.signed(), distance as u32).plus(Long::moved(lower.signed(), 0)), lower.exponent)
    } else {
        let unit = Long::moved(lower.signed().signum(), 0);
        (Long::moved(upper.signed(), REACH as u32).plus(unit), upper.exponent - REACH)
    };
    let (high, low) = total.magnitude();
    if high | low == 0 {
        return if x.negative == y.negative {
            Outcome::Fixed(if x.negative { L::SIGN } else { 0 })
        } else {
            Outcome::Cancelled
        };
    }
    let negative = total.high < 0;
    if high == 0 {
        return Outcome::Exact(cut_long::<L>(negative, low, exponent, false));
    }
    let excess = 128 - high.leading_zeros();
    let kept = if excess == 128 { high } else { high << (128 - excess) | low >> excess };
    let lost = if excess == 128 { low != 0 } else { low & ((1 << excess) - 1) != 0 };
    Outcome::Exact(cut_long::<L>(negative, kept, exponent + excess as i32, lost))
}

/// The first NaN, quiet (P-04).
#[inline(always)]
fn first_nan<L: Layout>(sources: &[u64]) -> Option<Outcome> {
    sources.iter().find(|&&bits| is_nan::<L>(bits)).map(|&bits| Outcome::Fixed(quiet::<L>(bits)))
}

/// `a + b`.
#[inline(always)]
pub fn add<L: Layout>(a: u64, b: u64) -> Outcome {
    if let Some(nan) = first_nan::<L>(&[a, b]) {
        return nan;
    }
    let (x, y) = (decode::<L>(a), decode::<L>(b));
    match (x.kind, y.kind) {
        (Kind::Finite, Kind::Finite) => sum::<L>(Term::of(x), Term::of(y)),
        (Kind::Infinite, Kind::Infinite) if a != b => Outcome::Fixed(L::NAN),
        (Kind::Infinite, _) => Outcome::Fixed(a),
        _ => Outcome::Fixed(b),
    }
}

/// `a - b`; a NaN `b` stays as it is (P-04).
#[inline(always)]
pub fn subtract<L: Layout>(a: u64, b: u64) -> Outcome {
    add::<L>(a, if is_nan::<L>(b) { b } else { b ^ L::SIGN })
}

/// The exact product of two values that are not NaNs, if it is finite.
#[inline(always)]
fn product<L: Layout>(x: Number, y: Number) -> Result<Term, u64> {
    let negative = x.negative ^ y.negative;
    let zero = |n: Number| n.kind == Kind::Finite && n.magnitude == 0;
    match (x.kind, y.kind) {
        (Kind::Finite, Kind::Finite) => Ok(Term {
            negative,
            magnitude: u128::from(x.magnitude) * u128::from(y.magnitude),
            exponent: x.exponent + y.exponent,
        }),
        _ if zero(x) || zero(y) => Err(L::NAN),
        _ => Err(L::INFINITE | if negative { L::SIGN } else { 0 }),
    }
}

/// `a * b`.
#[inline(always)]
pub fn multiply<L: Layout>(a: u64, b: u64) -> Outcome {
    if let Some(nan) = first_nan::<L>(&[a, b]) {
        return nan;
    }
    match product::<L>(decode::<L>(a), decode::<L>(b)) {
        Ok(term) => Outcome::Exact(cut_long::<L>(term.negative, term.magnitude, term.exponent, false)),
        Err(bits) => Outcome::Fixed(bits),
    }
}

/// `a * b + c` with one rounding (P-09, P-10).
#[inline(always)]
pub fn multiply_add<L: Layout>(a: u64, b: u64, c: u64) -> Outcome {
    if let Some(nan) = first_nan::<L>(&[a, b, c]) {
        return nan;
    }
    let z = decode::<L>(c);
    match (product::<L>(decode::<L>(a), decode::<L>(b)), z.kind) {
        (Ok(term), Kind::Finite) => sum::<L>(term, Term::of(z)),
        (Ok(_), _) => Outcome::Fixed(c),
        // An infinite product, and an infinite addend of the other sign.
        (Err(bits), Kind::Infinite) if bits != c => Outcome::Fixed(L::NAN),
        (Err(bits), _) => Outcome::Fixed(bits),
    }
}

/// `a / b`.
#[inline(always)]
pub fn divide<L: Layout>(a: u64, b: u64) -> Outcome {
    if let Some(nan) = first_nan::<L>(&[a, b]) {
        return nan;
    }
    let (x, y) = (decode::<L>(a), decode::<L>(b));
    let negative = x.negative ^ y.negative;
    let sign = if negative { L::SIGN } else { 0 };
    let (no_dividend, no_divisor) = (x.magnitude == 0, y.magnitude == 0);
    match (x.kind, y.kind) {
        (Kind::Infinite, Kind::Infinite) => Outcome::Fixed(L::NAN),
        (Kind::Infinite, _) => Outcome::Fixed(sign | L::INFINITE),
        (_, Kind::Infinite) => Outcome::Fixed(sign),
        _ if no_divisor => Outcome::Fixed(if no_dividend { L::NAN } else { sign | L::INFINITE }),
        _ if no_dividend => Outcome::Fixed(sign),
        _ => {
            // 127 bits over at most 53: a quotient of at least 74.
            let dividend = u128::from(x.magnitude);
            let shift = dividend.leading_zeros() - 1;
            let divisor = u128::from(y.magnitude);
            let quotient = (dividend << shift) / divisor;
            let inexact = quotient * divisor != dividend << shift;
            let exponent = x.exponent - shift as i32 - y.exponent;
            Outcome::Exact(cut_long::<L>(negative, quotient, exponent, inexact))
        }
    }
}

/// A positive number as `magnitude * 4^exponent` with a magnitude of exactly `bits` or `bits - 1` bits, which are more than it has.
#[inline(always)]
fn even(x: Number, bits: u32) -> (u128, i32) {
    let mut shift = bits as i32 - (64 - x.magnitude.leading_zeros() as i32);
    if (x.exponent - shift) % 2 != 0 {
        shift -= 1;
    }
    (u128::from(x.magnitude) << shift, (x.exponent - shift) / 2)
}

/// The square root.
#[inline(always)]
pub fn square_root<L: Layout>(a: u64) -> Outcome {
    let x = decode::<L>(a);
    match x.kind {
        Kind::Nan => Outcome::Fixed(quiet::<L>(a)),
        Kind::Finite if x.magnitude == 0 => Outcome::Fixed(a),
        _ if x.negative => Outcome::Fixed(L::NAN),
        Kind::Infinite => Outcome::Fixed(a),
        Kind::Finite => {
            // A root of 55 bits; the double is only where the search begins.
            let (square, exponent) = even(x, 110);
            let root =
                largest((square as f64).sqrt() as u64, |root| u128::from(root) * u128::from(root) <= square);
            let exact = u128::from(root) * u128::from(root) == square;
            Outcome::Exact(cut::<L>(false, root, exponent, !exact))
        }
    }
}

/// `1 / sqrt(a)`.
#[inline(always)]
pub fn reciprocal_root<L: Layout>(a: u64) -> Outcome {
    let x = decode::<L>(a);
    match x.kind {
        Kind::Nan => Outcome::Fixed(quiet::<L>(a)),
        Kind::Finite if x.magnitude == 0 => Outcome::Fixed(a & L::SIGN | L::INFINITE),
        _ if x.negative => Outcome::Fixed(L::NAN),
        Kind::Infinite => Outcome::Fixed(0),
        Kind::Finite => {
            // The largest root with root^2 * square <= 2^166, of 56 or 57 bits.
            let (square, exponent) = even(x, 54);
            let product = |root: u64| {
                let power = u128::from(root) * u128::from(root);
                let low = (power & u128::from(u64::MAX)) * square;
                ((power >> 64) * square + (low >> 64), low as u64)
            };
            let limit = (1u128 << (166 - 64), 0);
            let estimate = ((1u128 << 83) as f64 / (square as f64).sqrt()) as u64;
            let root = largest(estimate, |root| product(root) <= limit);
            Outcome::Exact(cut::<L>(false, root, -exponent - 83, product(root) != limit))
        }
    }
}

/// The largest number that fits, from one near it.
#[inline(always)]
fn largest(mut number: u64, fits: impl Fn(u64) -> bool) -> u64 {
    while !fits(number) {
        number -= 1;
    }
    while fits(number + 1) {
        number += 1;
    }
    number
}
