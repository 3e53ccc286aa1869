//! Elementary functions against an arbitrary-precision library: every 16-bit argument, many of `f`.

mod oracle;

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};
use num_bigint::{BigInt, BigUint};
use oracle::{BF, F32, Fraction, HF, Layout, Random, Value};
use pisa_float::{Bf, Bits, Elementary, F, Hf, Rounding};

const DIGITS: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Sin,
    Cos,
    Exp2,
    Log2,
    Tanh,
}

use Function::{Cos, Exp2, Log2, Sin, Tanh};

const ALL: [Function; 5] = [Sin, Cos, Exp2, Log2, Tanh];

impl Function {
    fn run<T: Elementary>(self, bits: u64) -> u64 {
        let function = match self {
            Sin => pisa_float::sin::<T>,
            Cos => pisa_float::cos::<T>,
            Exp2 => pisa_float::exp2::<T>,
            Log2 => pisa_float::log2::<T>,
            Tanh => pisa_float::tanh::<T>,
        };
        function(T::from_u64(bits), false).to_u64()
    }

    /// The value to about 128 bits, for arguments where it is not known exactly.
    fn compute(self, x: &BigFloat, constants: &mut Consts) -> BigFloat {
        let rounding = RoundingMode::ToEven;
        match self {
            Sin => x.sin(DIGITS, rounding, constants),
            Cos => x.cos(DIGITS, rounding, constants),
            Exp2 => {
                let scaled = x.mul(&constants.ln_2(2 * DIGITS, rounding), 2 * DIGITS, rounding);
                scaled.exp(DIGITS, rounding, constants)
            }
            Log2 => x.log2(DIGITS, rounding, constants),
            Tanh => x.tanh(DIGITS, rounding, constants),
        }
    }
}

fn fraction_of(value: &BigFloat) -> Fraction {
    let (words, _, sign, exponent, _) = value.as_raw_parts().expect("a finite number");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let magnitude = BigUint::from_bytes_le(&bytes);
    let sign = if sign == Sign::Neg { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
    // The mantissa is a fraction below one.
    let scale = i64::from(exponent) - (bytes.len() * 8) as i64;
    Fraction { numerator: BigInt::from_biguint(sign, magnitude), denominator: 1u32.into() }.scaled(scale)
}

/// The results that need no series, by the decisions; else the rounded value.
fn expected(layout: Layout, function: Function, bits: u64, constants: &mut Consts) -> u64 {
    let minus = layout.sign();
    let value = match oracle::decode(layout, bits) {
        Value::Nan => return bits | layout.quiet(),
        Value::Infinity(negative) => {
            return match (function, negative) {
                (Sin | Cos, _) | (Log2, true) => layout.nan(),
                (Exp2 | Log2, false) => layout.infinity(),
                (Exp2, true) => 0,
                (Tanh, _) => layout.one() | (bits & minus),
            };
        }
        Value::Zero(_) => {
            return match function {
                Sin | Tanh => bits,
                Cos | Exp2 => layout.one(),
                Log2 => minus | layout.infinity(),
            };
        }
        Value::Number(value) => value,
    };
    let double = value_as_double(&value);
    if function == Log2 && double < 0.0 {
        return layout.nan();
    }
    if function == Exp2 && double.abs() > 400.0 {
        return if double > 0.0 { layout.infinity() } else { 0 };
    }
    if function == Tanh && double.abs() > 64.0 {
        return layout.one() | (bits & minus);
    }
    if function == Exp2 && double == double.trunc() {
        let power = Fraction::integer(1).scaled(double as i64);
        return oracle::round(layout, &power, Rounding::NearestEven, false);
    }
    let result = fraction_of(&function.compute(&BigFloat::from_f64(double, 64), constants));
    if result.is_zero() {
        return 0;
    }
    oracle::round(layout, &result, Rounding::NearestEven, false)
}

/// Exact for values of at most 53 bits within the range of doubles.
fn value_as_double(value: &Fraction) -> f64 {
    f64::from_bits(oracle::round(oracle::DF, value, Rounding::NearestEven, false))
}

fn check<T: Elementary>(layout: Layout, function: Function, bits: u64, constants: &mut Consts) {
    let (got, expected) = (function.run::<T>(bits), expected(layout, function, bits, constants));
    assert_eq!(got, expected, "{function:?}.{} of {bits:#x}: {got:#x}, not {expected:#x}", T::NAME);
}

fn all_16_bit<T: Elementary>(layout: Layout, function: Function) {
    let mut constants = Consts::new().expect("memory");
    for bits in 0..=u64::from(u16::MAX) {
        check::<T>(layout, function, bits, &mut constants);
    }
}

fn many_singles(function: Function, count: u64) {
    let mut constants = Consts::new().expect("memory");
    let mut random = Random(function as u64);
    for bits in oracle::edges(F32) {
        check::<F>(F32, function, bits, &mut constants);
    }
    for case in 0..count {
        let any = random.next() & 0xffff_ffff;
        let bits = match case % 3 {
            0 => any,
            // 2^-14 to 2^8, where most of the functions' life is.
            1 => any & 0x807f_ffff | (113 + random.below(22)) << 23,
            // The neighbourhood of one and of multiples of pi / 2.
            _ => match random.below(2) {
                0 => F32.one() - 2000 + random.below(4000),
                _ => {
                    let limit = 1 << random.below(24);
                    let multiple = random.below(limit) as f64 * core::f64::consts::FRAC_PI_2;
                    u64::from((multiple as f32).to_bits() + random.below(3) as u32)
                }
            },
        };
        check::<F>(F32, function, bits, &mut constants);
    }
}

macro_rules! functions {
    ($($name:ident $function:ident)*) => {$(
        mod $name {
            use super::*;
            #[test]
            fn every_half() {
                all_16_bit::<Hf>(HF, $function);
            }
            #[test]
            fn every_brain_float() {
                all_16_bit::<Bf>(BF, $function);
            }
            #[test]
            fn many_singles() {
                super::many_singles($function, 100_000);
            }
        }
    )*};
}

functions! { sine Sin cosine Cos exponential Exp2 logarithm Log2 tangent Tanh }

#[test]
fn functions_are_distinct() {
    // Guards the table above against a slip: at one all five differ.
    let mut results: Vec<u64> = ALL.iter().map(|function| function.run::<F>(F32.one())).collect();
    results.sort_unstable();
    results.dedup();
    assert_eq!(results.len(), ALL.len());
}
