//! All 2^32 values of `f`, and all 32-bit integers. Input `i` is the value with the bits `i`.

use super::Both;
use super::block::{
    BLOCK, Extent, block, blocks, compare_modes, flushed, for_each_mode, in_all_ways, qualifiers,
};
use super::rounding;
use crate::check::{Check, Tally};
use crate::oracle::{self, Layout, Single, Way, flush, is_denormal, quiet};
use pisa_float::{Bf, Bits, Df, F, Hf, Mode};
use std::ops::Range;

/// The checks, but for the elementary functions.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        plain("abs", pisa_float::abs::<F>, oracle::absolute::<Single>),
        plain("neg", pisa_float::neg::<F>, oracle::negate::<Single>),
        plain("fract", pisa_float::fract, oracle::fraction_part::<Single>),
        plain("rcp", pisa_float::rcp::<F>, |a| {
            oracle::divide::<Single>(Single::ONE, a).rounded::<Single>(Way::Even)
        }),
        plain("rsqrt", pisa_float::rsqrt::<F>, |a| {
            oracle::reciprocal_root::<Single>(a).rounded::<Single>(Way::Even)
        }),
        values("f.sqrt".into(), Extent::WithoutClamp.text(), |first, tally| {
            let denormal = (first..first + BLOCK as u64).any(is_denormal::<Single>);
            compare_modes::<Single, u32>(
                tally,
                Extent::WithoutClamp,
                |index, mode| pisa_float::sqrt::<F>((first + index) as u32, mode),
                |index| oracle::square_root::<Single>(first + index),
                denormal.then_some(|index| oracle::square_root::<Single>(flush::<Single>(first + index))),
                |index, qualifiers| format!("sqrt{qualifiers} f 0x{:08x}", first + index as u64),
            );
        }),
        integral(),
    ];
    checks.extend([
        to_integer::<8, false>(|value| u64::from(value as u8)),
        to_integer::<8, true>(|value| u64::from(value as i8 as u8)),
        to_integer::<16, false>(|value| u64::from(value as u16)),
        to_integer::<16, true>(|value| u64::from(value as i16 as u16)),
        to_integer::<32, false>(|value| u64::from(value as u32)),
        to_integer::<32, true>(|value| u64::from(value as i32 as u32)),
        to_integer::<64, false>(|value| value as u64),
        to_integer::<64, true>(|value| value as i64 as u64),
    ]);
    checks.push(truncation::<Hf>());
    checks.push(truncation::<Bf>());
    checks.push(values("f.extend.df".into(), "exact", |first, tally| {
        let got = block(|index| pisa_float::extend::<F, Df>((first + index) as u32));
        let expected = block(|index| oracle::extend_to_double(first + index));
        tally.compare_all(&got, &expected, |index| format!("extend df.f 0x{:08x}", first + index as u64));
    }));
    for signed in [false, true] {
        checks.push(integers::<Hf>(signed));
        checks.push(integers::<Bf>(signed));
        checks.push(integers::<F>(signed));
        checks.push(integers::<Df>(signed));
    }
    checks
}

/// A check of all 32-bit patterns by blocks: `body` gets the first of each.
pub(super) fn values(
    name: String,
    what: &'static str,
    body: impl Fn(u64, &mut Tally) + Sync + 'static,
) -> Check {
    let run = move |range: Range<u64>, tally: &mut Tally| {
        for first in blocks(range) {
            body(first, tally);
        }
    };
    Check { name, what, inputs: 1 << 32, missing: None, run: Box::new(run) }
}

/// A function with one rounding: plain and with `.ftz`, which flushes the source and the result.
fn plain(
    operation: &'static str,
    got: impl Fn(u32, bool) -> u32 + Sync + 'static,
    expected: impl Fn(u64) -> u64 + Sync + 'static,
) -> Check {
    values(format!("f.{operation}"), "plain and .ftz", move |first, tally| {
        macro_rules! compare {
            ($ftz:literal) => {{
                let got = block(|index| got((first + index) as u32, $ftz));
                let expected = block(|index| {
                    flushed::<Single>($ftz, expected(flushed::<Single>($ftz, first + index))) as u32
                });
                tally.compare_all(&got, &expected, |index| {
                    format!("{operation} ftz={} f 0x{:08x}", $ftz, first + index as u64)
                });
            }};
        }
        compare!(false);
        compare!(true);
    })
}

/// `frnd`, against the standard library's rounding; NaNs follow P-04.
fn integral() -> Check {
    values("f.round_to_integral".into(), "five roundings, each plain and .ftz", |first, tally| {
        macro_rules! compare {
            ($way:ident, $ftz:literal, $dsat:literal) => {{
                let got = block(|index| {
                    let rounding = const { rounding(Way::$way) };
                    pisa_float::round_to_integral::<F>((first + index) as u32, rounding, $ftz)
                });
                let expected = block(|index| {
                    let a = flushed::<Single>($ftz, first + index) as u32;
                    let value = f32::from_bits(a);
                    let whole = match Way::$way {
                        Way::Even => value.round_ties_even(),
                        Way::Down => value.floor(),
                        Way::Up => value.ceil(),
                        Way::Zero => value.trunc(),
                        Way::Away => value.round(),
                    };
                    if value.is_nan() { quiet::<Single>(u64::from(a)) as u32 } else { whole.to_bits() }
                });
                let mode = Mode { rounding: rounding(Way::$way), ftz: $ftz, dsat: $dsat };
                tally.compare_all(&got, &expected, |index| {
                    format!("round_to_integral{} f 0x{:08x}", qualifiers(mode), first + index as u64)
                });
            }};
        }
        for_each_mode!(compare: Even Down Up Zero Away);
    })
}

/// `f2i`, against the standard library: doubles are rounded to doubles, `cast` is `as`, which saturates and makes zeros of NaNs (D-02).
fn to_integer<const BITS: u32, const SIGNED: bool>(
    cast: impl Fn(f64) -> u64 + Copy + Sync + 'static,
) -> Check {
    let integer = format!("{}{BITS}", if SIGNED { 's' } else { 'u' });
    values(format!("f.to_integer.{integer}"), "five roundings", move |first, tally| {
        macro_rules! compare {
            ($way:ident) => {{
                let rounding = const { rounding(Way::$way) };
                let got = block(|index| {
                    pisa_float::to_integer::<F>((first + index) as u32, BITS, SIGNED, rounding)
                });
                let expected = block(|index| {
                    let value = f64::from(f32::from_bits((first + index) as u32));
                    cast(match Way::$way {
                        Way::Even => value.round_ties_even(),
                        Way::Down => value.floor(),
                        Way::Up => value.ceil(),
                        Way::Zero => value.trunc(),
                        Way::Away => value.round(),
                    })
                });
                tally.compare_all(&got, &expected, |index| {
                    let qualifier = super::suffix(Way::$way);
                    format!("to_integer.{integer}{qualifier} f 0x{:08x}", first + index as u64)
                });
            }};
        }
        compare!(Even);
        compare!(Down);
        compare!(Up);
        compare!(Zero);
        compare!(Away);
    })
}

fn truncation<T: Both<Bits = u16>>() -> Check {
    let what = "five roundings, each with every combination of .ftz and .dsat";
    values(format!("f.truncate.{}", T::NAME), what, |first, tally| {
        let expected: [[u16; BLOCK]; 5] =
            in_all_ways(|index| oracle::truncate::<Single, T::Layout>(first + index));
        macro_rules! compare {
            ($way:ident, $ftz:literal, $dsat:literal) => {{
                let mode = const { Mode { rounding: rounding(Way::$way), ftz: $ftz, dsat: $dsat } };
                let got = block(|index| pisa_float::truncate::<F, T>((first + index) as u32, mode));
                let expected = block(|index| {
                    let bits = u64::from(expected[Way::$way as usize][index as usize]);
                    oracle::limit::<T::Layout>(flushed::<T::Layout>($ftz, bits), $dsat) as u16
                });
                tally.compare_all(&got, &expected, |index| {
                    format!("truncate{} {}.f 0x{:08x}", qualifiers(mode), T::NAME, first + index as u64)
                });
            }};
        }
        for_each_mode!(compare: Even Down Up Zero Away);
        compare!(Even, false, true);
        compare!(Even, true, true);
        compare!(Down, false, true);
        compare!(Down, true, true);
        compare!(Up, false, true);
        compare!(Up, true, true);
        compare!(Zero, false, true);
        compare!(Zero, true, true);
        compare!(Away, false, true);
        compare!(Away, true, true);
    })
}

fn integers<T: Both>(signed: bool) -> Check
where
    T::Bits: Into<u64>,
{
    let letter = if signed { 's' } else { 'u' };
    values(
        format!("{letter}32.to.{}", T::NAME),
        "five roundings, each plain and .dsat",
        move |first, tally| {
            let value = |index| {
                let input = first + index;
                if signed { i128::from(input as u32 as i32) } else { i128::from(input) }
            };
            let expected: [[T::Bits; BLOCK]; 5] =
                in_all_ways(|index| oracle::from_integer::<T::Layout>(value(index)));
            macro_rules! compare {
                ($way:ident, $dsat:literal) => {{
                    let rounding = const { rounding(Way::$way) };
                    let got = block(|index| {
                        pisa_float::from_integer::<T>(first + index, 32, signed, rounding, $dsat)
                    });
                    let expected = block(|index| {
                        let bits = expected[Way::$way as usize][index as usize].to_u64();
                        T::from_u64(oracle::limit::<T::Layout>(bits, $dsat))
                    });
                    tally.compare_all(&got, &expected, |index| {
                        let (qualifier, value) = (super::suffix(Way::$way), value(index as u64));
                        format!("from_integer{qualifier} dsat={} {}.{letter}32 {value}", $dsat, T::NAME)
                    });
                }};
            }
            compare!(Even, false);
            compare!(Down, false);
            compare!(Up, false);
            compare!(Zero, false);
            compare!(Away, false);
            compare!(Even, true);
            compare!(Down, true);
            compare!(Up, true);
            compare!(Zero, true);
            compare!(Away, true);
        },
    )
}
