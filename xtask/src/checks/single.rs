//! All 2^32 values of `f`, and all 32-bit integers. Input `i` is the value with the bits `i`.

use super::{Both, rounding, suffix};
use crate::check::{Check, Tally};
use crate::oracle::{self, Single, WAYS, flush};
use pisa_float::{Bf, Bits, Df, F, Hf, Mode};
use std::ops::Range;

/// The checks, but for the elementary functions.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        plain("abs", pisa_float::abs::<F>, oracle::absolute::<Single>),
        plain("neg", pisa_float::neg::<F>, oracle::negate::<Single>),
        plain("fract", pisa_float::fract, oracle::fraction_part::<Single>),
        plain("rcp", pisa_float::rcp::<F>, |a| {
            oracle::divide::<Single>(0x3f80_0000, a).rounded::<Single>(oracle::Way::Even)
        }),
        plain("rsqrt", pisa_float::rsqrt::<F>, |a| {
            oracle::reciprocal_root::<Single>(a).rounded::<Single>(oracle::Way::Even)
        }),
        values("f.sqrt".into(), "five roundings, each plain and .ftz", |a, tally| {
            let exact = oracle::square_root::<Single>(a);
            let flushed = oracle::square_root::<Single>(flush::<Single>(a));
            for way in WAYS {
                for ftz in [false, true] {
                    let mode = Mode { rounding: rounding(way), ftz, dsat: false };
                    let got = pisa_float::sqrt::<F>(a as u32, mode);
                    let expected = if ftz { flushed } else { exact }.rounded::<Single>(way);
                    let case = || format!("sqrt{} ftz={ftz} f 0x{a:08x}", suffix(way));
                    tally.compare(u64::from(got), expected, case);
                }
            }
        }),
        values("f.round_to_integral".into(), "five roundings, each plain and .ftz", |a, tally| {
            for way in WAYS {
                for ftz in [false, true] {
                    let got = pisa_float::round_to_integral::<F>(a as u32, rounding(way), ftz);
                    let source = if ftz { flush::<Single>(a) } else { a };
                    let case = || format!("round_to_integral{} ftz={ftz} f 0x{a:08x}", suffix(way));
                    tally.compare(u64::from(got), oracle::integral::<Single>(source, way), case);
                }
            }
        }),
    ];
    for bits in [8, 16, 32, 64] {
        for signed in [false, true] {
            let name = format!("f.to_integer.{}{bits}", if signed { 's' } else { 'u' });
            checks.push(values(name, "five roundings", move |a, tally| {
                for way in WAYS {
                    let got = pisa_float::to_integer::<F>(a as u32, bits, signed, rounding(way));
                    let case = || format!("to_integer{} {bits} {signed} f 0x{a:08x}", suffix(way));
                    tally.compare(got, oracle::to_integer::<Single>(a, bits, signed, way), case);
                }
            }));
        }
    }
    checks.push(truncation::<Hf>());
    checks.push(truncation::<Bf>());
    checks.push(values("f.extend.df".into(), "exact", |a, tally| {
        let got = pisa_float::extend::<F, Df>(a as u32);
        tally.compare(got, oracle::extend_to_double(a), || format!("extend df.f 0x{a:08x}"));
    }));
    for signed in [false, true] {
        checks.push(integers::<Hf>(signed));
        checks.push(integers::<Bf>(signed));
        checks.push(integers::<F>(signed));
        checks.push(integers::<Df>(signed));
    }
    checks
}

/// A check of all 32-bit patterns.
pub(super) fn values(
    name: String,
    what: &'static str,
    body: impl Fn(u64, &mut Tally) + Sync + 'static,
) -> Check {
    let run = move |range: Range<u64>, tally: &mut Tally| {
        for input in range {
            body(input, tally);
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
    values(format!("f.{operation}"), "plain and .ftz", move |a, tally| {
        let case = || format!("{operation} f 0x{a:08x}");
        tally.compare(u64::from(got(a as u32, false)), expected(a), case);
        let flushed = flush::<Single>(expected(flush::<Single>(a)));
        tally.compare(u64::from(got(a as u32, true)), flushed, || format!("ftz {}", case()));
    })
}

fn truncation<T: Both>() -> Check {
    values(
        format!("f.truncate.{}", T::NAME),
        "five roundings, each with every combination of .ftz and .dsat",
        |a, tally| {
            for way in WAYS {
                for flags in 0..4 {
                    let (ftz, dsat) = (flags & 1 != 0, flags & 2 != 0);
                    let mode = Mode { rounding: rounding(way), ftz, dsat };
                    let got = pisa_float::truncate::<F, T>(a as u32, mode).to_u64();
                    let expected = oracle::truncate::<Single, T::Layout>(a, way, ftz, dsat);
                    let case =
                        || format!("truncate{} ftz={ftz} dsat={dsat} {}.f 0x{a:08x}", suffix(way), T::NAME);
                    tally.compare(got, expected, case);
                }
            }
        },
    )
}

fn integers<T: Both>(signed: bool) -> Check {
    let letter = if signed { 's' } else { 'u' };
    let name = format!("{letter}32.to.{}", T::NAME);
    values(name, "five roundings, each plain and .dsat", move |input, tally| {
        let value = if signed { i128::from(input as u32 as i32) } else { i128::from(input) };
        for way in WAYS {
            for dsat in [false, true] {
                let got = pisa_float::from_integer::<T>(input, 32, signed, rounding(way), dsat).to_u64();
                let expected = oracle::from_integer::<T::Layout>(value, way, dsat);
                let case =
                    || format!("from_integer{} dsat={dsat} {}.{letter}32 {value}", suffix(way), T::NAME);
                tally.compare(got, expected, case);
            }
        }
    })
}
