//! The error bounds that the two stages rest on, and the constants, against an arbitrary-precision library.
#![allow(clippy::print_stdout)]

use astro_float_num::{BigFloat, Consts, Radix, RoundingMode, Sign};

use super::accurate::{self, Fixed};
use super::constants::*;
use super::fast;
use super::{F, decide, round_fixed};
use crate::native::Native;

const RM: RoundingMode = RoundingMode::ToEven;
const PRECISION: usize = 256;

type Fast = fn(f64) -> f64;
type Accurate = fn(f64) -> Fixed;
type Exact = fn(&BigFloat, &mut Consts) -> BigFloat;
/// The smallest and largest magnitude that both stages are asked for, and whether negative arguments are.
type Domain = (f64, f64, bool);

const FUNCTIONS: [(&str, Domain, Fast, Accurate, Exact); 5] = [
    (
        "sin",
        (1.0 / 8192.0, f32::MAX as f64, true),
        |x| fast::sin(x, 0),
        |x| accurate::sin(x, 0),
        |x, constants| x.sin(PRECISION, RM, constants),
    ),
    (
        "cos",
        (1.0 / 8192.0, f32::MAX as f64, true),
        |x| fast::sin(x, 1),
        |x| accurate::sin(x, 1),
        |x, constants| x.cos(PRECISION, RM, constants),
    ),
    ("exp2", (1.0 / 67_108_864.0, 255.0, true), fast::exp2, accurate::exp2, |x, constants| {
        let ln_2 = constants.ln_2(2 * PRECISION, RM);
        x.mul(&ln_2, 2 * PRECISION, RM).exp(PRECISION, RM, constants)
    }),
    ("log2", (f64::MIN_POSITIVE, f32::MAX as f64, false), fast::log2, accurate::log2, |x, constants| {
        x.log2(PRECISION, RM, constants)
    }),
    ("tanh", (1.0 / 8192.0, 20.0, true), fast::tanh, accurate::tanh, |x, constants| {
        x.tanh(PRECISION, RM, constants)
    }),
];

/// Arguments of `f` within a domain that no stage gets as special cases.
fn arguments((least, most, negative): Domain, count: usize) -> impl Iterator<Item = f64> {
    let mut state = 0x1234_5678_9abc_def1u64;
    core::iter::from_fn(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (state >> 32) as u32;
        // A third of them near one and up to 2^9.
        Some(match state >> 8 & 3 {
            0 => f32::from_bits(bits & 0x803f_ffff | 0x3f60_0000),
            1 => f32::from_bits(bits & 0x807f_ffff | ((119 + (bits >> 23 & 15)) << 23)),
            _ => f32::from_bits(bits),
        } as f64)
    })
    .filter(move |x| x.abs() >= least && x.abs() < most && (negative || *x > 0.0))
    .filter(|x| x.fract() != 0.0 && x.to_bits() << 12 != 0)
    .take(count)
}

fn big(value: &Fixed) -> BigFloat {
    let zeros = value.significand.leading_zeros();
    let significand = value.significand << zeros;
    let sign = if value.negative { Sign::Neg } else { Sign::Pos };
    BigFloat::from_words(
        &[significand as u64, (significand >> 64) as u64],
        sign,
        value.exponent + 128 - zeros as i32,
    )
}

/// `log2 |approximate / exact - 1|`, at most.
fn error_bits(approximate: &BigFloat, exact: &BigFloat) -> i32 {
    let ratio = approximate.div(exact, PRECISION, RM);
    let error = ratio.sub(&BigFloat::from_f64(1.0, PRECISION), PRECISION, RM);
    if error.is_zero() { i32::MIN } else { error.exponent().expect("finite") }
}

#[test]
fn second_stage_is_good_to_88_bits() {
    let mut constants = Consts::new().expect("memory");
    for (name, domain, _, accurate, exact) in FUNCTIONS {
        let mut worst = i32::MIN;
        for x in arguments(domain, 4000) {
            let exact = exact(&BigFloat::from_f64(x, 64), &mut constants);
            let error = error_bits(&big(&accurate(x)), &exact);
            assert!(error <= -88, "{name}({x:e}): 2^{error}");
            worst = worst.max(error);
        }
        println!("{name}: 2^{worst}");
    }
}

/// How far the double is from the fixed-point number, in units in the last place of the double.
fn distance(double: f64, fixed: &Fixed) -> f64 {
    let bits = double.to_bits();
    let significand = (bits & ((1 << 52) - 1)) | (1 << 52);
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    // Both in units of 2^(exponent - 40).
    let shift = exponent - 40 - fixed.exponent;
    let other = if shift >= 0 { fixed.significand >> shift } else { fixed.significand << -shift };
    assert_eq!(double < 0.0, fixed.negative);
    ((i128::from(significand) << 40) - other as i128) as f64 / 2f64.powi(40)
}

#[test]
fn first_stage_is_within_16_units() {
    for (name, domain, fast, accurate, _) in FUNCTIONS {
        let mut worst = 0f64;
        for x in arguments(domain, 300_000) {
            let error = distance(fast(x), &accurate(x)).abs();
            assert!(error < 16.0, "{name}({x:e}): {error} units");
            worst = worst.max(error);
        }
        println!("{name}: {worst:.2} units");
    }
}

fn cut(value: &BigFloat, fraction_bits: usize) -> BigFloat {
    let mut scaled = value.clone();
    scaled.set_exponent(value.exponent().expect("finite") + fraction_bits as i32);
    scaled.floor()
}

fn integer(words: &[u64]) -> BigFloat {
    let text: String = words.iter().map(|word| format!("{word:016x}")).collect();
    let mut constants = Consts::new().expect("memory");
    BigFloat::parse(&text, Radix::Hex, 1024, RM, &mut constants)
}

#[test]
fn fixed_point_constants() {
    let mut constants = Consts::new().expect("memory");
    let one = BigFloat::from_f64(1.0, 1024);
    let ln_2 = constants.ln_2(1024, RM);
    let pi = constants.pi(1024, RM);
    let split = |value: u128| integer(&[(value >> 64) as u64, value as u64]);
    assert_eq!(cut(&ln_2, 127), split(LN_2));
    assert_eq!(cut(&one.div(&ln_2, 1024, RM), 127), split(LOG2_E));
    assert_eq!(cut(&pi, 126), split(HALF_PI));
    let two = BigFloat::from_f64(2.0, 1024);
    assert_eq!(TWO_OVER_PI[0], 0);
    assert_eq!(cut(&two.div(&pi, 1024, RM), 384), integer(&TWO_OVER_PI[1..]));
}

/// Rounded to nearest: within half a unit.
fn assert_rounded(bits: u64, exact: &BigFloat) {
    let double = f64::from_bits(bits);
    if exact.is_zero() {
        assert_eq!(double, 0.0);
        return;
    }
    let unit = f64::from_bits((bits >> 52 & 0x7ff) << 52) * f64::EPSILON;
    let difference = BigFloat::from_f64(double, 64).sub(exact, 1024, RM).abs();
    assert!(difference <= BigFloat::from_f64(unit / 2.0, 64), "{double:e}");
}

#[test]
fn double_constants() {
    let mut constants = Consts::new().expect("memory");
    let number = |value: f64| BigFloat::from_f64(value, 1024);
    let ln_2 = constants.ln_2(1024, RM);
    let one = number(1.0);
    let inverse = one.div(&ln_2, 1024, RM);
    assert_rounded(LOG2_E_DOUBLE, &inverse);
    assert_rounded(HALF_PI_DOUBLE, &constants.pi(1024, RM).div(&number(2.0), 1024, RM));
    for (index, &entry) in EXP2_TABLE.iter().enumerate() {
        let power = ln_2.mul(&number(index as f64 / 32.0), 1024, RM);
        assert_rounded(entry, &power.exp(512, RM, &mut constants));
    }
    for (index, &(factor, log)) in LOG2_TABLE.iter().enumerate() {
        let exact = number(f64::from_bits(factor)).log2(512, RM, &mut constants);
        let adjust = number(if index >= 13 { -1.0 } else { 0.0 });
        assert_rounded(log, &adjust.sub(&exact, 512, RM));
        // Few enough bits for an exact product with 24, and a small rest over the whole row.
        assert_eq!(factor << 25, 0);
        let (low, high) = (1.0 + index as f64 / 32.0, 1.0 + (index as f64 + 1.0) / 32.0);
        assert!((low * f64::from_bits(factor) - 1.0).abs() <= 1.0 / 32.0);
        assert!((high * f64::from_bits(factor) - 1.0).abs() <= 1.0 / 32.0);
    }
    let mut factorials = vec![1.0f64];
    for n in 1..=20 {
        factorials.push(factorials[n - 1] * n as f64);
    }
    let inverse_factorial = |n: usize| one.div(&number(factorials[n]), 1024, RM);
    let alternating = |n: usize, value: BigFloat| if n % 2 == 1 { value.neg() } else { value };
    for (index, &entry) in EXP2_SERIES.iter().enumerate() {
        let power = ln_2.powi(index + 1, 1024, RM);
        assert_rounded(entry, &power.mul(&inverse_factorial(index + 1), 1024, RM));
    }
    for (index, &entry) in LOG2_SERIES.iter().enumerate() {
        let exact = inverse.div(&number(index as f64 + 1.0), 1024, RM);
        assert_rounded(entry, &alternating(index, exact));
    }
    for (index, &entry) in SIN_SERIES.iter().enumerate() {
        assert_rounded(entry, &alternating(index + 1, inverse_factorial(2 * index + 3)));
    }
    for (index, &entry) in COS_SERIES.iter().enumerate() {
        assert_rounded(entry, &alternating(index + 1, inverse_factorial(2 * index + 2)));
    }
    for (index, &entry) in EXPM1_SERIES.iter().enumerate() {
        assert_rounded(entry, &inverse_factorial(index + 2));
    }
}

/// Moves the significand by `2^-88` of itself, either way.
fn moved(value: &Fixed, up: bool) -> Fixed {
    let zeros = value.significand.leading_zeros();
    let significand = value.significand << zeros;
    let step = 1 << 40;
    let significand = if up { significand.saturating_add(step) } else { significand.saturating_sub(step) };
    Fixed { significand, exponent: value.exponent - zeros as i32, ..*value }
}

/// Arguments of `f` from one visited to the next: all of them where `PISA_EXHAUSTIVE` is set, else a sample.
fn stride() -> usize {
    if std::env::var_os("PISA_EXHAUSTIVE").is_some() { 1 } else { 1009 }
}

/// Every argument of `f`: whatever the first stage leaves open, the second decides with room to spare.
///
/// Minutes: `PISA_EXHAUSTIVE=1 cargo test --release -p pisa-float --lib -- --nocapture every_argument`.
#[test]
fn every_argument_of_f_is_decided() {
    for (name, (least, most, negative), fast, accurate, _) in FUNCTIONS {
        // The two odd functions and the even one mirror their negative arguments bit for bit.
        let both = negative && name == "exp2";
        let most = if name == "exp2" { 256.0 } else { most };
        let mut open = 0u64;
        let mut worst = u128::MAX;
        for bits in (0..0x7f80_0000u32).step_by(stride()) {
            for x in [f32::from_bits(bits) as f64, -f32::from_bits(bits) as f64] {
                if x < 0.0 && !both || x == 0.0 || x.abs() > most {
                    continue;
                }
                let special = match name {
                    "exp2" => x.fract() == 0.0,
                    "log2" => x.to_bits() << 12 == 0,
                    _ => false,
                };
                if special || decide::<F>(fast(x)).is_some() {
                    continue;
                }
                open += 1;
                assert!(x.abs() >= least, "{name}({x:e}) is open below the second stage's domain");
                let fixed = accurate(x);
                let (low, high) = (moved(&fixed, false), moved(&fixed, true));
                assert_eq!(round_fixed::<F>(low), round_fixed::<F>(high), "{name}({x:e}) is undecided");
                if F::narrow(fast(x)) & 0x7f80_0000 != 0 {
                    let rest = (fixed.significand << fixed.significand.leading_zeros()) & ((1 << 104) - 1);
                    worst = worst.min(rest.abs_diff(1 << 103));
                }
            }
        }
        let bits = 128 - worst.leading_zeros() as i32 - 128;
        println!(
            "{name}: {open} arguments for the second stage, the nearest 2^{bits} of itself from a middle"
        );
    }
}

/// No argument of `f` comes nearer to a multiple of a right angle than `2^-32` of one, so the fraction keeps 95 significant bits.
#[test]
fn every_angle_keeps_its_bits() {
    let mut least = u128::MAX;
    for bits in (core::f32::consts::FRAC_PI_4.to_bits()..0x7f80_0000).step_by(stride()) {
        least = least.min(super::reduction::reduce(f64::from(f32::from_bits(bits))).fraction.unsigned_abs());
    }
    println!("the nearest: 2^{}", least.ilog2() as i32 - 128);
    assert!(least >= 1 << 96);
}
