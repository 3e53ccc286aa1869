//! An oracle that shares nothing with the crate: exact fractions of big integers, rounded by definition.
#![allow(dead_code)]

use num_bigint::{BigInt, BigUint, Sign};
use pisa_float::Rounding;
use std::cmp::Ordering;

/// A format, by its two field widths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    pub exponent: u32,
    pub fraction: u32,
}

pub const HF: Layout = Layout { exponent: 5, fraction: 10 };
pub const BF: Layout = Layout { exponent: 8, fraction: 7 };
pub const F32: Layout = Layout { exponent: 8, fraction: 23 };
pub const DF: Layout = Layout { exponent: 11, fraction: 52 };

impl Layout {
    pub fn width(self) -> u32 {
        self.exponent + self.fraction + 1
    }
    pub fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }
    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }
    pub fn quiet(self) -> u64 {
        1 << (self.fraction - 1)
    }
    pub fn nan(self) -> u64 {
        self.infinity() | self.quiet()
    }
    pub fn one(self) -> u64 {
        ((1u64 << (self.exponent - 1)) - 1) << self.fraction
    }
    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign() > self.infinity()
    }
    pub fn is_denormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign();
        magnitude != 0 && magnitude >> self.fraction == 0
    }
    pub fn flush(self, bits: u64) -> u64 {
        if self.is_denormal(bits) { bits & self.sign() } else { bits }
    }
    /// Exponent of the unit of the denormals.
    fn least(self) -> i64 {
        2 - (1i64 << (self.exponent - 1)) - i64::from(self.fraction)
    }
}

/// `numerator / denominator`, the denominator positive.
#[derive(Clone, Debug)]
pub struct Fraction {
    pub numerator: BigInt,
    pub denominator: BigUint,
}

impl Fraction {
    pub fn integer(value: i128) -> Fraction {
        Fraction { numerator: BigInt::from(value), denominator: BigUint::from(1u32) }
    }
    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }
    pub fn negative(&self) -> bool {
        self.numerator.sign() == Sign::Minus
    }
    pub fn add(&self, other: &Fraction) -> Fraction {
        let left = &self.numerator * BigInt::from(other.denominator.clone());
        let right = &other.numerator * BigInt::from(self.denominator.clone());
        Fraction { numerator: left + right, denominator: &self.denominator * &other.denominator }
    }
    pub fn mul(&self, other: &Fraction) -> Fraction {
        Fraction {
            numerator: &self.numerator * &other.numerator,
            denominator: &self.denominator * &other.denominator,
        }
    }
    /// `other` is not zero.
    pub fn div(&self, other: &Fraction) -> Fraction {
        let sign = if other.negative() { Sign::Minus } else { Sign::Plus };
        Fraction {
            numerator: &self.numerator * BigInt::from_biguint(sign, other.denominator.clone()),
            denominator: &self.denominator * other.numerator.magnitude(),
        }
    }
    /// `self * 2^power`.
    pub fn scaled(&self, power: i64) -> Fraction {
        let mut result = self.clone();
        if power >= 0 {
            result.numerator <<= power as u64;
        } else {
            result.denominator <<= power.unsigned_abs();
        }
        result
    }
    /// A value on the same side of every number of up to `bits` fraction bits as the square root.
    pub fn sqrt(&self, bits: u64) -> Fraction {
        let radicand = (self.numerator.magnitude() << (2 * bits)) / &self.denominator;
        let root = radicand.sqrt();
        let exact = &root * &root * &self.denominator == self.numerator.magnitude() << (2 * bits);
        let jammed = (root << 1u32) + BigUint::from(u32::from(!exact));
        Fraction { numerator: BigInt::from(jammed), denominator: BigUint::from(1u32) << (bits + 1) }
    }
}

/// A decoded value.
#[derive(Clone, Debug)]
pub enum Value {
    Nan,
    Infinity(bool),
    Zero(bool),
    Number(Fraction),
}

pub fn decode(layout: Layout, bits: u64) -> Value {
    let negative = bits & layout.sign() != 0;
    let magnitude = bits & !layout.sign();
    if magnitude > layout.infinity() {
        Value::Nan
    } else if magnitude == layout.infinity() {
        Value::Infinity(negative)
    } else if magnitude == 0 {
        Value::Zero(negative)
    } else {
        let field = magnitude >> layout.fraction;
        let fraction = magnitude & ((1 << layout.fraction) - 1);
        let (significand, power) = if field == 0 {
            (fraction, layout.least())
        } else {
            (fraction + (1 << layout.fraction), layout.least() + field as i64 - 1)
        };
        let significand = if negative { -i128::from(significand) } else { i128::from(significand) };
        Value::Number(Fraction::integer(significand).scaled(power))
    }
}

/// An integral quotient, and how the remainder compares with one half.
fn round_integer(numerator: &BigUint, denominator: &BigUint, negative: bool, rounding: Rounding) -> BigUint {
    let quotient = numerator / denominator;
    let rest = numerator - &quotient * denominator;
    if rest == BigUint::ZERO {
        return quotient;
    }
    let half = (rest << 1u32).cmp(denominator);
    let up = match rounding {
        Rounding::Zero => false,
        Rounding::Down => negative,
        Rounding::Up => !negative,
        Rounding::NearestEven => half == Ordering::Greater || (half == Ordering::Equal && quotient.bit(0)),
        Rounding::NearestAway => half != Ordering::Less,
    };
    if up { quotient + 1u32 } else { quotient }
}

/// Rounds a number that is not zero. With `to_infinity`, whatever rounds above the largest finite number is infinite.
pub fn round(layout: Layout, value: &Fraction, rounding: Rounding, to_infinity: bool) -> u64 {
    let negative = value.negative();
    let sign = if negative { layout.sign() } else { 0 };
    let numerator = value.numerator.magnitude();
    // 2^power <= |value| < 2^(power + 1)
    let mut power = numerator.bits() as i64 - value.denominator.bits() as i64;
    let least = |power: i64| {
        if power >= 0 {
            *numerator >= &value.denominator << power as u64
        } else {
            numerator << power.unsigned_abs() >= value.denominator
        }
    };
    if !least(power) {
        power -= 1;
    }
    assert!(least(power) && !least(power + 1));
    let unit = (power - i64::from(layout.fraction)).max(layout.least());
    let scaled = value.scaled(-unit);
    let rounded = round_integer(scaled.numerator.magnitude(), &scaled.denominator, negative, rounding);
    let rounded = u64::try_from(&rounded).expect("at most FRAC_BITS + 2 bits");
    let steps = (unit - layout.least()) as u64;
    // Consecutive patterns are consecutive values.
    let bits = u128::from(rounded) + (u128::from(steps) << layout.fraction);
    if bits < u128::from(layout.infinity()) {
        return sign | bits as u64;
    }
    let finite = !to_infinity
        && match rounding {
            Rounding::Zero => true,
            Rounding::Down => !negative,
            Rounding::Up => negative,
            Rounding::NearestEven | Rounding::NearestAway => false,
        };
    sign | if finite { layout.infinity() - 1 } else { layout.infinity() }
}

/// Rounds to an integer of any size.
pub fn round_to_integer(value: &Fraction, rounding: Rounding) -> BigInt {
    let magnitude =
        round_integer(value.numerator.magnitude(), &value.denominator, value.negative(), rounding);
    BigInt::from_biguint(if value.negative() { Sign::Minus } else { Sign::Plus }, magnitude)
}

/// The first NaN, quieted.
pub fn nan_of(layout: Layout, operands: &[u64]) -> Option<u64> {
    operands.iter().find(|&&bits| layout.is_nan(bits)).map(|bits| bits | layout.quiet())
}

fn signed(layout: Layout, negative: bool, magnitude: u64) -> u64 {
    if negative { magnitude | layout.sign() } else { magnitude }
}

fn is_negative(value: &Value) -> bool {
    match value {
        Value::Nan => false,
        Value::Infinity(negative) | Value::Zero(negative) => *negative,
        Value::Number(fraction) => fraction.negative(),
    }
}

pub fn add(layout: Layout, a: u64, b: u64, rounding: Rounding) -> u64 {
    if let Some(nan) = nan_of(layout, &[a, b]) {
        return nan;
    }
    sum(layout, &decode(layout, a), &decode(layout, b), rounding)
}

fn sum(layout: Layout, a: &Value, b: &Value, rounding: Rounding) -> u64 {
    match (a, b) {
        (Value::Infinity(x), Value::Infinity(y)) if x != y => layout.nan(),
        (Value::Infinity(x), _) | (_, Value::Infinity(x)) => signed(layout, *x, layout.infinity()),
        (Value::Zero(x), Value::Zero(y)) if x == y => signed(layout, *x, 0),
        _ => {
            let zero = Fraction::integer(0);
            let number = |value: &Value| match value {
                Value::Number(fraction) => fraction.clone(),
                _ => zero.clone(),
            };
            let total = number(a).add(&number(b));
            if total.is_zero() {
                signed(layout, rounding == Rounding::Down, 0)
            } else {
                round(layout, &total, rounding, false)
            }
        }
    }
}

/// The exact product as a value; the NaN for infinity times zero.
fn product(a: &Value, b: &Value) -> Value {
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Value::Infinity(_), Value::Zero(_)) | (Value::Zero(_), Value::Infinity(_)) => Value::Nan,
        (Value::Infinity(_), _) | (_, Value::Infinity(_)) => Value::Infinity(negative),
        (Value::Number(x), Value::Number(y)) => Value::Number(x.mul(y)),
        _ => Value::Zero(negative),
    }
}

pub fn mul(layout: Layout, a: u64, b: u64, rounding: Rounding) -> u64 {
    if let Some(nan) = nan_of(layout, &[a, b]) {
        return nan;
    }
    encode(layout, &product(&decode(layout, a), &decode(layout, b)), rounding, false)
}

pub fn encode(layout: Layout, value: &Value, rounding: Rounding, to_infinity: bool) -> u64 {
    match value {
        Value::Nan => layout.nan(),
        Value::Infinity(negative) => signed(layout, *negative, layout.infinity()),
        Value::Zero(negative) => signed(layout, *negative, 0),
        Value::Number(fraction) => round(layout, fraction, rounding, to_infinity),
    }
}

pub fn fma(layout: Layout, a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
    if let Some(nan) = nan_of(layout, &[a, b, c]) {
        return nan;
    }
    match product(&decode(layout, a), &decode(layout, b)) {
        Value::Nan => layout.nan(),
        exact => sum(layout, &exact, &decode(layout, c), rounding),
    }
}

pub fn div(layout: Layout, a: u64, b: u64, rounding: Rounding) -> u64 {
    if let Some(nan) = nan_of(layout, &[a, b]) {
        return nan;
    }
    let (x, y) = (decode(layout, a), decode(layout, b));
    let negative = is_negative(&x) != is_negative(&y);
    match (&x, &y) {
        (Value::Infinity(_), Value::Infinity(_)) | (Value::Zero(_), Value::Zero(_)) => layout.nan(),
        (Value::Infinity(_), _) | (_, Value::Zero(_)) => signed(layout, negative, layout.infinity()),
        (Value::Zero(_), _) | (_, Value::Infinity(_)) => signed(layout, negative, 0),
        (Value::Number(x), Value::Number(y)) => round(layout, &x.div(y), rounding, false),
        _ => unreachable!(),
    }
}

pub fn sqrt(layout: Layout, a: u64, rounding: Rounding) -> u64 {
    if let Some(nan) = nan_of(layout, &[a]) {
        return nan;
    }
    match decode(layout, a) {
        Value::Zero(_) => a,
        value if is_negative(&value) => layout.nan(),
        Value::Number(value) => {
            // Roots of df go down to 2^-537; 60 bits more.
            let bits = if layout == DF { 600 } else { 140 };
            round(layout, &value.sqrt(bits), rounding, false)
        }
        _ => a,
    }
}

pub fn rsqrt(layout: Layout, a: u64) -> u64 {
    if let Some(nan) = nan_of(layout, &[a]) {
        return nan;
    }
    match decode(layout, a) {
        Value::Zero(negative) => signed(layout, negative, layout.infinity()),
        value if is_negative(&value) => layout.nan(),
        Value::Number(value) => {
            let bits = if layout == DF { 600 } else { 140 };
            let root = Fraction::integer(1).div(&value).sqrt(bits);
            round(layout, &root, Rounding::NearestEven, false)
        }
        _ => 0,
    }
}

/// `.ftz` on the result, then `.dsat`.
pub fn finish(layout: Layout, bits: u64, ftz: bool, dsat: bool) -> u64 {
    let bits = if ftz { layout.flush(bits) } else { bits };
    if !dsat {
        bits
    } else if layout.is_nan(bits) || bits & layout.sign() != 0 {
        0
    } else {
        bits.min(layout.one())
    }
}

/// A small generator of test values (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
    /// A pattern of the format: often any, often with few significant bits, near another exponent, or from the edges.
    pub fn pattern(&mut self, layout: Layout, near: u64) -> u64 {
        let all = (layout.sign() << 1).wrapping_sub(1);
        let all = if layout.width() == 64 { u64::MAX } else { all };
        match self.below(8) {
            0 | 1 => self.next() & all,
            2 => {
                // The same binade as `near`, or one close to it.
                let field = (near >> layout.fraction) & ((1 << layout.exponent) - 1);
                let field = (field + self.below(2 * u64::from(layout.fraction) + 6))
                    .saturating_sub(u64::from(layout.fraction) + 3)
                    & ((1 << layout.exponent) - 1);
                (field << layout.fraction)
                    | (self.next() & ((1 << layout.fraction) - 1))
                    | if self.below(2) == 1 { layout.sign() } else { 0 }
            }
            3 => {
                // Few bits at either end of the fraction.
                let fraction = (self.next() & 7) | ((self.next() & 7) << (layout.fraction - 3));
                (self.next() & all & !((1 << layout.fraction) - 1)) | fraction
            }
            4 => {
                let edges = self.edges(layout);
                edges[self.below(edges.len() as u64) as usize]
            }
            5 => {
                // Around one.
                let delta = self.below(64);
                (layout.one() - 32 + delta) | if self.below(2) == 1 { layout.sign() } else { 0 }
            }
            6 => {
                // Denormals and the smallest normal numbers.
                (self.next() & ((2 << layout.fraction) - 1))
                    | if self.below(2) == 1 { layout.sign() } else { 0 }
            }
            _ => near ^ layout.sign(),
        }
    }
    pub fn edges(&self, layout: Layout) -> Vec<u64> {
        edges(layout)
    }
}

/// The values where rules change, both signs.
pub fn edges(layout: Layout) -> Vec<u64> {
    let normal = 1u64 << layout.fraction;
    let positive = [
        0,
        1,
        2,
        3,
        normal - 1,
        normal,
        normal + 1,
        2 * normal,
        layout.one() - 1,
        layout.one(),
        layout.one() + 1,
        layout.one() - normal,
        layout.one() + normal,
        layout.one() + normal / 2,
        layout.one() - normal * u64::from(layout.fraction + 1),
        layout.one() - normal * u64::from(layout.fraction + 2) + 1,
        layout.infinity() - normal,
        layout.infinity() - 1,
        layout.infinity(),
        layout.infinity() | 1,
        layout.infinity() | layout.quiet() | 5,
    ];
    positive.iter().flat_map(|&bits| [bits, bits | layout.sign()]).collect()
}
