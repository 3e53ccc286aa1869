//! Sums, products, quotients, roots, signs and order.

use super::layout::{Kind, Layout, Number, decode, is_nan, quiet};
use super::round::{Outcome, cut};
use std::cmp::Ordering;

/// Bits by which the larger term of a sum is moved at most. A smaller term further below is replaced by one unit of the moved term: it
/// stays above nothing and below a quarter of the result's last place, so every rounding sees the same.
const REACH: i32 = 36;

/// The exact sum of two finite numbers.
#[inline(always)]
pub(super) fn sum<L: Layout>(x: Number, y: Number) -> Outcome {
    let (high, low) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
    let signed = |n: Number| if n.negative { -(n.magnitude as i64) } else { n.magnitude as i64 };
    let distance = high.exponent - low.exponent;
    let (total, exponent) = if distance <= REACH {
        ((signed(high) << distance) + signed(low), low.exponent)
    } else {
        ((signed(high) << REACH) + signed(low).signum(), high.exponent - REACH)
    };
    if total == 0 {
        // Equal signs only when both are zeros.
        return if x.negative == y.negative {
            Outcome::Fixed(if x.negative { L::SIGN } else { 0 })
        } else {
            Outcome::Cancelled
        };
    }
    Outcome::Exact(cut::<L>(total < 0, total.unsigned_abs(), exponent, false))
}

/// `a + b`.
#[inline(always)]
pub fn add<L: Layout>(a: u64, b: u64) -> Outcome {
    let (x, y) = (decode::<L>(a), decode::<L>(b));
    if x.kind == Kind::Finite && y.kind == Kind::Finite {
        return sum::<L>(x, y);
    }
    Outcome::Fixed(match (x.kind, y.kind) {
        (Kind::Nan, _) => quiet::<L>(a),
        (_, Kind::Nan) => quiet::<L>(b),
        (Kind::Infinite, Kind::Infinite) if a != b => L::NAN,
        (Kind::Infinite, _) => a,
        _ => b,
    })
}

/// `a - b`; a NaN `b` stays as it is (P-04).
#[inline(always)]
pub fn subtract<L: Layout>(a: u64, b: u64) -> Outcome {
    add::<L>(a, if is_nan::<L>(b) { b } else { b ^ L::SIGN })
}

/// `a * b`.
#[inline(always)]
pub fn multiply<L: Layout>(a: u64, b: u64) -> Outcome {
    multiply_into::<L, L>(a, b)
}

/// `a * b` with the sources taken as values of `To`, rounded into `To` (P-08).
#[inline(always)]
pub fn multiply_into<L: Layout, To: Layout>(a: u64, b: u64) -> Outcome {
    let (x, y) = (decode::<L>(a), decode::<L>(b));
    let negative = x.negative ^ y.negative;
    let sign = if negative { To::SIGN } else { 0 };
    let zero = |n: Number| n.kind == Kind::Finite && n.magnitude == 0;
    let nan = |bits: u64| {
        let sign = if bits & L::SIGN != 0 { To::SIGN } else { 0 };
        let payload = (bits & ((1 << L::FRACTION) - 1)) << (To::FRACTION - L::FRACTION);
        quiet::<To>(sign | To::INFINITE | payload)
    };
    match (x.kind, y.kind) {
        (Kind::Nan, _) => Outcome::Fixed(nan(a)),
        (_, Kind::Nan) => Outcome::Fixed(nan(b)),
        (Kind::Finite, Kind::Finite) => {
            Outcome::Exact(cut::<To>(negative, x.magnitude * y.magnitude, x.exponent + y.exponent, false))
        }
        _ if zero(x) || zero(y) => Outcome::Fixed(To::NAN),
        _ => Outcome::Fixed(sign | To::INFINITE),
    }
}

/// `a / b`.
#[inline(always)]
pub fn divide<L: Layout>(a: u64, b: u64) -> Outcome {
    let (x, y) = (decode::<L>(a), decode::<L>(b));
    let negative = x.negative ^ y.negative;
    let sign = if negative { L::SIGN } else { 0 };
    match (x.kind, y.kind) {
        (Kind::Nan, _) => Outcome::Fixed(quiet::<L>(a)),
        (_, Kind::Nan) => Outcome::Fixed(quiet::<L>(b)),
        (Kind::Infinite, Kind::Infinite) => Outcome::Fixed(L::NAN),
        (Kind::Infinite, _) => Outcome::Fixed(sign | L::INFINITE),
        (_, Kind::Infinite) => Outcome::Fixed(sign),
        _ if y.magnitude == 0 => Outcome::Fixed(if x.magnitude == 0 { L::NAN } else { sign | L::INFINITE }),
        _ if x.magnitude == 0 => Outcome::Fixed(sign),
        _ => {
            // 63 bits over at most 24: a quotient of at least 38 bits.
            let shift = x.magnitude.leading_zeros() - 1;
            let (quotient, rest) =
                ((x.magnitude << shift) / y.magnitude, (x.magnitude << shift) % y.magnitude);
            Outcome::Exact(cut::<L>(negative, quotient, x.exponent - shift as i32 - y.exponent, rest != 0))
        }
    }
}

/// A positive number as `magnitude * 4^exponent` with a magnitude of exactly `bits` or `bits - 1` bits.
#[inline(always)]
fn even(x: Number, bits: u32) -> (u64, i32) {
    let mut shift = bits as i32 - (64 - x.magnitude.leading_zeros() as i32);
    if (x.exponent - shift) % 2 != 0 {
        shift -= 1;
    }
    (x.magnitude << shift, (x.exponent - shift) / 2)
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
            // Bits enough for two more in the root than the format has. A double holds them exactly, so its rounded root is the
            // true one or the next integer above.
            let (square, exponent) = even(x, 2 * L::FRACTION + 6);
            let mut root = (square as f64).sqrt() as u64;
            if root * root > square {
                root -= 1;
            }
            Outcome::Exact(cut::<L>(false, root, exponent, root * root != square))
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
            // The largest root with root^2 * square <= 2^94; the double is only where the search begins.
            let (square, exponent) = even(x, 31);
            let fits = |root: u64| u128::from(root) * u128::from(root) * u128::from(square) <= 1 << 94;
            let mut root = ((1u64 << 47) as f64 / (square as f64).sqrt()) as u64;
            while !fits(root) {
                root -= 1;
            }
            while fits(root + 1) {
                root += 1;
            }
            let exact = u128::from(root) * u128::from(root) * u128::from(square) == 1 << 94;
            Outcome::Exact(cut::<L>(false, root, -exponent - 47, !exact))
        }
    }
}

/// `-a` (P-14).
#[inline(always)]
pub fn negate<L: Layout>(a: u64) -> u64 {
    if is_nan::<L>(a) { quiet::<L>(a) ^ L::SIGN } else { a ^ L::SIGN }
}

/// `|a|` (P-13).
#[inline(always)]
pub fn absolute<L: Layout>(a: u64) -> u64 {
    let magnitude = a & (L::SIGN - 1);
    if is_nan::<L>(a) { quiet::<L>(magnitude) } else { magnitude }
}

/// The place of a value that is not a NaN in the order of all, -0 right below +0.
#[inline(always)]
fn place<L: Layout>(bits: u64) -> i64 {
    let magnitude = (bits & (L::SIGN - 1)) as i64;
    if bits & L::SIGN != 0 { -1 - magnitude } else { magnitude }
}

/// The result when a source is a NaN (P-04, P-11).
#[inline(always)]
fn with_nan<L: Layout>(a: u64, b: u64, propagate: bool) -> Option<u64> {
    match (is_nan::<L>(a), is_nan::<L>(b)) {
        (false, false) => None,
        (true, true) => Some(quiet::<L>(a)),
        (true, false) => Some(if propagate { quiet::<L>(a) } else { b }),
        (false, true) => Some(if propagate { quiet::<L>(b) } else { a }),
    }
}

/// The smaller of two values.
#[inline(always)]
pub fn smaller<L: Layout>(a: u64, b: u64, propagate: bool) -> u64 {
    with_nan::<L>(a, b, propagate).unwrap_or(if place::<L>(b) < place::<L>(a) { b } else { a })
}

/// The larger of two values.
#[inline(always)]
pub fn larger<L: Layout>(a: u64, b: u64, propagate: bool) -> u64 {
    with_nan::<L>(a, b, propagate).unwrap_or(if place::<L>(b) > place::<L>(a) { b } else { a })
}

/// How two values compare; `None` with a NaN.
#[inline(always)]
pub fn compare<L: Layout>(a: u64, b: u64) -> Option<Ordering> {
    if is_nan::<L>(a) || is_nan::<L>(b) {
        return None;
    }
    let signed = |bits: u64| {
        let magnitude = (bits & (L::SIGN - 1)) as i64;
        if bits & L::SIGN != 0 { -magnitude } else { magnitude }
    };
    Some(signed(a).cmp(&signed(b)))
}
