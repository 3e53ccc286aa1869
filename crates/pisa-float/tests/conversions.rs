//! Conversions and rounding to integral values against exact fractions.

mod oracle;

use num_bigint::BigInt;
use oracle::{BF, DF, F32, Fraction, HF, Layout, Random, Value};
use pisa_float::{Bf, Bits, Df, F, Format, Hf, Mode, Rounding};

/// Widths and signedness of the integer types.
const INTEGERS: [(u32, bool); 8] =
    [(8, false), (8, true), (16, false), (16, true), (32, false), (32, true), (64, false), (64, true)];

/// Round in unbounded precision, then clamp; NaN gives 0 (D-02).
fn integer_of(layout: Layout, bits: u64, width: u32, signed: bool, rounding: Rounding) -> u64 {
    let (least, most): (i128, i128) =
        if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    let clamped = match oracle::decode(layout, bits) {
        Value::Nan | Value::Zero(_) => 0,
        Value::Infinity(negative) => {
            if negative {
                least
            } else {
                most
            }
        }
        Value::Number(value) => {
            let rounded = oracle::round_to_integer(&value, rounding);
            let clamped = rounded.clamp(BigInt::from(least), BigInt::from(most));
            i128::try_from(&clamped).expect("clamped")
        }
    };
    clamped as u64 & (u64::MAX >> (64 - width))
}

fn check_to_integer<T: Format>(layout: Layout, bits: u64) {
    for (width, signed) in INTEGERS {
        for rounding in Rounding::ALL {
            assert_eq!(
                pisa_float::to_integer::<T>(T::from_u64(bits), width, signed, rounding),
                integer_of(layout, bits, width, signed, rounding),
                "{} {bits:#x} to {width} {signed} {rounding:?}",
                T::NAME
            );
        }
    }
}

fn check_integral<T: Format>(layout: Layout, bits: u64) {
    for rounding in Rounding::ALL {
        for ftz in [false, true] {
            let source = if ftz { layout.flush(bits) } else { bits };
            let expected = match oracle::decode(layout, source) {
                Value::Nan => source | layout.quiet(),
                Value::Infinity(_) | Value::Zero(_) => source,
                Value::Number(value) => {
                    let integer = oracle::round_to_integer(&value, rounding);
                    let exact = Fraction { numerator: integer, denominator: 1u32.into() };
                    if exact.is_zero() {
                        source & layout.sign()
                    } else {
                        // Rounding an integral value to the format must be exact, so any mode will do.
                        oracle::round(layout, &exact, Rounding::Zero, false)
                    }
                }
            };
            assert_eq!(
                pisa_float::round_to_integral::<T>(T::from_u64(bits), rounding, ftz).to_u64(),
                expected,
                "frnd.{} {bits:#x} {rounding:?} {ftz}",
                T::NAME
            );
        }
    }
}

#[test]
fn all_16_bit_values_to_integers() {
    for bits in 0..=u64::from(u16::MAX) {
        check_to_integer::<Hf>(HF, bits);
        check_to_integer::<Bf>(BF, bits);
    }
}

#[test]
fn all_16_bit_values_to_integral_values() {
    for bits in 0..=u64::from(u16::MAX) {
        check_integral::<Hf>(HF, bits);
        check_integral::<Bf>(BF, bits);
    }
}

/// Values around every power of two up to 2^70 and halves, both signs.
fn interesting(layout: Layout, random: &mut Random) -> u64 {
    let field = u64::from(layout.exponent);
    let bias = (1u64 << (field - 1)) - 1;
    let exponent = bias + random.below(76) - 4;
    let fraction = match random.below(4) {
        0 => 0,
        1 => (1 << layout.fraction) - 1 - random.below(4),
        // A half, a quarter, or a little beside it below the point.
        2 => {
            let power = (exponent as i64 - bias as i64).clamp(0, i64::from(layout.fraction)) as u32;
            let low = layout.fraction - power;
            let whole = random.next() & ((1 << layout.fraction) - 1);
            let cleared = whole >> low << low;
            cleared
                | if low > 0 { (1u64 << (low - 1)).wrapping_add(random.below(3)).wrapping_sub(1) } else { 0 }
                    & ((1 << layout.fraction) - 1)
        }
        _ => random.next() & ((1 << layout.fraction) - 1),
    };
    let sign = if random.below(2) == 1 { layout.sign() } else { 0 };
    sign | exponent << layout.fraction | fraction & ((1 << layout.fraction) - 1)
}

fn wide_to_integers<T: Format>(layout: Layout) {
    let mut random = Random(11);
    for bits in oracle::edges(layout) {
        check_to_integer::<T>(layout, bits);
        check_integral::<T>(layout, bits);
    }
    for _ in 0..20_000 {
        let bits = interesting(layout, &mut random);
        check_to_integer::<T>(layout, bits);
        check_integral::<T>(layout, bits);
        check_integral::<T>(layout, random.pattern(layout, bits));
    }
}

#[test]
fn single_to_integers() {
    wide_to_integers::<F>(F32);
}

#[test]
fn double_to_integers() {
    wide_to_integers::<Df>(DF);
}

fn check_from_integer<T: Format>(layout: Layout, value: u64) {
    for (width, signed) in INTEGERS {
        let low = value & (u64::MAX >> (64 - width));
        let exact = if signed && low >> (width - 1) == 1 {
            i128::from(low) - (1i128 << width)
        } else {
            i128::from(low)
        };
        for rounding in Rounding::ALL {
            for dsat in [false, true] {
                let mut expected = if exact == 0 {
                    0
                } else {
                    oracle::round(layout, &Fraction::integer(exact), rounding, true)
                };
                if dsat && expected & !layout.sign() == layout.infinity() {
                    expected = expected & layout.sign() | (layout.infinity() - 1);
                }
                // Bits above the width must not matter.
                assert_eq!(
                    pisa_float::from_integer::<T>(value, width, signed, rounding, dsat).to_u64(),
                    expected,
                    "{} from {exact} {width} {signed} {rounding:?} {dsat}",
                    T::NAME
                );
            }
        }
    }
}

#[test]
fn from_integers() {
    let mut random = Random(3);
    for case in 0..8_000u64 {
        let value = match case % 4 {
            0 => random.next(),
            1 => random.next() >> random.below(64),
            2 => (1u64 << random.below(64)).wrapping_add(random.below(5)).wrapping_sub(2),
            _ => ((random.next() | 1 << 63) >> random.below(52)) & !(random.next() >> random.below(64)),
        };
        check_from_integer::<Hf>(HF, value);
        check_from_integer::<Bf>(BF, value);
        check_from_integer::<F>(F32, value);
        check_from_integer::<Df>(DF, value);
    }
}

/// All 16-bit integers to `hf`, where they round and overflow.
#[test]
fn all_16_bit_integers_to_half() {
    for value in 0..=u64::from(u16::MAX) {
        for signed in [false, true] {
            let exact = if signed { i128::from(value as u16 as i16) } else { i128::from(value) };
            for rounding in Rounding::ALL {
                let expected =
                    if exact == 0 { 0 } else { oracle::round(HF, &Fraction::integer(exact), rounding, true) };
                let got = pisa_float::from_integer::<Hf>(value, 16, signed, rounding, false);
                assert_eq!(u64::from(got), expected, "{exact} {rounding:?}");
            }
        }
    }
}

/// Sign, quiet bit and the payload's top bits (D-06).
fn nan_between(from: Layout, to: Layout, bits: u64) -> u64 {
    let payload = bits & ((1 << from.fraction) - 1);
    let payload = (u128::from(payload) << to.fraction >> from.fraction) as u64;
    (if bits & from.sign() != 0 { to.sign() } else { 0 }) | to.nan() | payload
}

fn check_extend<A: Format, B: Format>(from: Layout, to: Layout, bits: u64) {
    let expected = match oracle::decode(from, bits) {
        Value::Nan => nan_between(from, to, bits),
        value => {
            let down = oracle::encode(to, &value, Rounding::Down, false);
            assert_eq!(down, oracle::encode(to, &value, Rounding::Up, false), "not exact");
            down
        }
    };
    let got = pisa_float::extend::<A, B>(A::from_u64(bits));
    assert_eq!(got.to_u64(), expected, "{} to {} {bits:#x}", A::NAME, B::NAME);
}

#[test]
fn extensions() {
    for bits in 0..=u64::from(u16::MAX) {
        check_extend::<Hf, F>(HF, F32, bits);
        check_extend::<Hf, Df>(HF, DF, bits);
        check_extend::<Bf, F>(BF, F32, bits);
        check_extend::<Bf, Df>(BF, DF, bits);
    }
    let mut random = Random(5);
    for _ in 0..50_000 {
        let bits = random.pattern(F32, F32.one());
        check_extend::<F, Df>(F32, DF, bits);
    }
}

/// By the table of 4.8, D-07, D-08 and D-09.
fn check_truncate<A: Format, B: Format>(from: Layout, to: Layout, bits: u64) {
    for rounding in Rounding::ALL {
        for (ftz, dsat) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut expected = match oracle::decode(from, bits) {
                Value::Nan => nan_between(from, to, bits),
                _ if from.is_denormal(bits) => {
                    if bits & from.sign() != 0 {
                        to.sign()
                    } else {
                        0
                    }
                }
                value => oracle::encode(to, &value, rounding, true),
            };
            if ftz {
                expected = to.flush(expected);
            }
            if dsat && expected & !to.sign() == to.infinity() {
                expected = expected & to.sign() | (to.infinity() - 1);
            }
            let got = pisa_float::truncate::<A, B>(A::from_u64(bits), Mode { rounding, ftz, dsat });
            assert_eq!(
                got.to_u64(),
                expected,
                "{} to {} {bits:#x} {rounding:?} ftz {ftz} dsat {dsat}",
                A::NAME,
                B::NAME
            );
        }
    }
}

fn truncations<A: Format, B: Format>(from: Layout, to: Layout) {
    for bits in oracle::edges(from) {
        check_truncate::<A, B>(from, to, bits);
    }
    let mut random = Random(u64::from(to.fraction));
    for case in 0..12_000u64 {
        // Around a value of the target, or half way to the next; else anything.
        let near = random.pattern(to, to.one());
        let bits = match (case % 4, oracle::decode(to, near)) {
            (0..=2, Value::Number(value)) => {
                let exact = oracle::round(from, &value, Rounding::Zero, false);
                let half = 1u64 << (from.fraction - to.fraction - 1);
                let offset = [0, half, half.wrapping_neg()][case as usize % 3];
                exact.wrapping_add(offset).wrapping_add(random.below(3)).wrapping_sub(1)
                    & (u64::MAX >> (64 - from.width()))
            }
            _ => random.pattern(from, from.one()),
        };
        check_truncate::<A, B>(from, to, bits);
    }
}

#[test]
fn truncations_between_all_formats() {
    truncations::<F, Hf>(F32, HF);
    truncations::<F, Bf>(F32, BF);
    truncations::<Df, Hf>(DF, HF);
    truncations::<Df, Bf>(DF, BF);
    truncations::<Df, F>(DF, F32);
}

#[test]
fn literals_round_once_and_keep_denormals() {
    fn check<T: Format>(layout: Layout, bits: u64) {
        let expected = match oracle::decode(DF, bits) {
            Value::Nan => return,
            value => oracle::encode(layout, &value, Rounding::NearestEven, false),
        };
        assert_eq!(
            pisa_float::literal::<T>(f64::from_bits(bits)).to_u64(),
            expected,
            "{} {bits:#x}",
            T::NAME
        );
    }
    let mut random = Random(9);
    for _ in 0..20_000 {
        let bits = random.pattern(DF, DF.one());
        // Mostly within the range of all formats.
        let scaled = f64::from_bits(bits & !(0x7ff << 52) | (1023 - 160 + random.below(300)) << 52).to_bits();
        for bits in [bits, scaled] {
            check::<Hf>(HF, bits);
            check::<Bf>(BF, bits);
            check::<F>(F32, bits);
            check::<Df>(DF, bits);
        }
    }
}

/// The exact difference to the rounded-down value, rounded (P-24).
#[test]
fn fractions() {
    let mut random = Random(13);
    for case in 0..60_000 {
        let bits = if case % 2 == 0 { random.pattern(F32, F32.one()) } else { interesting(F32, &mut random) };
        for ftz in [false, true] {
            let source = if ftz { F32.flush(bits) } else { bits };
            let expected = match oracle::decode(F32, source) {
                Value::Nan => source | F32.quiet(),
                Value::Infinity(_) => F32.nan(),
                Value::Zero(_) => 0,
                Value::Number(value) => {
                    let floor = oracle::round_to_integer(&value, Rounding::Down);
                    let floor = Fraction { numerator: -floor, denominator: 1u32.into() };
                    let rest = value.add(&floor);
                    let rest = if rest.is_zero() {
                        0
                    } else {
                        oracle::round(F32, &rest, Rounding::NearestEven, false)
                    };
                    oracle::finish(F32, rest, ftz, false)
                }
            };
            assert_eq!(u64::from(pisa_float::fract(bits as u32, ftz)), expected, "frc {bits:#x} {ftz}");
        }
    }
}
