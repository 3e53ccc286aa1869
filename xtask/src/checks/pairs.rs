//! All 2^32 pairs of 16-bit values. Input `i` is the pair of the upper and the lower half of `i`.

use super::{Both, rounding, suffix};
use crate::check::{Check, Tally};
use crate::oracle::{self, Outcome, WAYS, Way, flush, flush_and_clamp, is_denormal};
use pisa_float::{Bf, Bits, Hf, Mode, Ordering4};
use std::cmp::Ordering;
use std::ops::Range;

/// The checks of both 16-bit formats.
pub fn checks() -> Vec<Check> {
    let mut checks = of::<Hf>();
    checks.extend(of::<Bf>());
    checks.push(full(
        "hf",
        pisa_float::mul_full_hf,
        oracle::multiply_into::<oracle::Half, oracle::Single>,
        flush::<oracle::Half>,
    ));
    checks.push(full(
        "bf",
        pisa_float::mul_full_bf,
        oracle::multiply_into::<oracle::Brain, oracle::Single>,
        flush::<oracle::Brain>,
    ));
    checks
}

fn pairs(name: String, what: &'static str, body: impl Fn(u64, u64, &mut Tally) + Sync + 'static) -> Check {
    let run = move |range: Range<u64>, tally: &mut Tally| {
        for input in range {
            body(input >> 16, input & 0xffff, tally);
        }
    };
    Check { name, what, inputs: 1 << 32, missing: None, run: Box::new(run) }
}

fn of<T: Both<Bits = u16>>() -> Vec<Check> {
    let name = |operation: &str| format!("{}.{operation}", T::NAME);
    vec![
        rounded::<T>("add", pisa_float::add::<T>, oracle::add::<T::Layout>),
        rounded::<T>("sub", pisa_float::sub::<T>, oracle::subtract::<T::Layout>),
        rounded::<T>("mul", pisa_float::mul::<T>, oracle::multiply::<T::Layout>),
        pairs(name("div"), "five roundings, each plain and .ftz", |a, b, tally| {
            let exact = oracle::divide::<T::Layout>(a, b);
            let flushed = flushed_sources::<T>(a, b, exact, oracle::divide::<T::Layout>);
            for way in WAYS {
                let got = |ftz| {
                    let mode = Mode { rounding: rounding(way), ftz, dsat: false };
                    pisa_float::div::<T>(a as u16, b as u16, mode).to_u64()
                };
                let case = || format!("div{}.{} 0x{a:04x}, 0x{b:04x}", suffix(way), T::NAME);
                tally.compare(got(false), exact.rounded::<T::Layout>(way), case);
                let expected = flush::<T::Layout>(flushed.rounded::<T::Layout>(way));
                tally.compare(got(true), expected, || format!("ftz {}", case()));
            }
        }),
        chosen::<T>("min", pisa_float::min::<T>, oracle::smaller::<T::Layout>),
        chosen::<T>("max", pisa_float::max::<T>, oracle::larger::<T::Layout>),
        pairs(name("compare"), "plain and .ftz", |a, b, tally| {
            for ftz in [false, true] {
                let (x, y) = if ftz { (flush::<T::Layout>(a), flush::<T::Layout>(b)) } else { (a, b) };
                let expected = match oracle::compare::<T::Layout>(x, y) {
                    Some(Ordering::Less) => Ordering4::Less,
                    Some(Ordering::Equal) => Ordering4::Equal,
                    Some(Ordering::Greater) => Ordering4::Greater,
                    None => Ordering4::Unordered,
                };
                let got = pisa_float::compare::<T>(a as u16, b as u16, ftz);
                let case = || format!("compare ftz={ftz} {} 0x{a:04x}, 0x{b:04x}", T::NAME);
                tally.compare(got as u64, expected as u64, case);
            }
        }),
    ]
}

/// The exact result of flushed sources; the one at hand where nothing is flushed.
#[inline(always)]
fn flushed_sources<T: Both>(
    a: u64,
    b: u64,
    exact: Outcome,
    operation: impl Fn(u64, u64) -> Outcome,
) -> Outcome {
    if is_denormal::<T::Layout>(a) || is_denormal::<T::Layout>(b) {
        operation(flush::<T::Layout>(a), flush::<T::Layout>(b))
    } else {
        exact
    }
}

/// Addition, subtraction, multiplication.
fn rounded<T: Both<Bits = u16>>(
    operation: &'static str,
    got: impl Fn(u16, u16, Mode) -> u16 + Copy + Sync + 'static,
    expected: impl Fn(u64, u64) -> Outcome + Copy + Sync + 'static,
) -> Check {
    let name = format!("{}.{operation}", T::NAME);
    pairs(name, "five roundings, each plain and .ftz; .re with .dsat and .ftz.dsat", move |a, b, tally| {
        let exact = expected(a, b);
        let flushed = flushed_sources::<T>(a, b, exact, expected);
        let mut one = |way, ftz, dsat| {
            let got = got(a as u16, b as u16, Mode { rounding: rounding(way), ftz, dsat });
            let bits = if ftz { flushed } else { exact }.rounded::<T::Layout>(way);
            let case = || {
                format!("{operation}{} ftz={ftz} dsat={dsat} {} 0x{a:04x}, 0x{b:04x}", suffix(way), T::NAME)
            };
            tally.compare(got.to_u64(), flush_and_clamp::<T::Layout>(bits, ftz, dsat), case);
        };
        // One by one, so that each call is compiled for its mode.
        one(Way::Even, false, false);
        one(Way::Down, false, false);
        one(Way::Up, false, false);
        one(Way::Zero, false, false);
        one(Way::Away, false, false);
        one(Way::Even, true, false);
        one(Way::Down, true, false);
        one(Way::Up, true, false);
        one(Way::Zero, true, false);
        one(Way::Away, true, false);
        one(Way::Even, false, true);
        one(Way::Even, true, true);
    })
}

/// Minimum and maximum.
fn chosen<T: Both<Bits = u16>>(
    operation: &'static str,
    got: impl Fn(u16, u16, bool, bool, bool) -> u16 + Copy + Sync + 'static,
    expected: impl Fn(u64, u64, bool) -> u64 + Copy + Sync + 'static,
) -> Check {
    let name = format!("{}.{operation}", T::NAME);
    pairs(name, "every combination of .ftz, .dsat and .nanp", move |a, b, tally| {
        for flags in 0..8 {
            let (ftz, dsat, nanp) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
            let (x, y) = if ftz { (flush::<T::Layout>(a), flush::<T::Layout>(b)) } else { (a, b) };
            let expected = flush_and_clamp::<T::Layout>(expected(x, y, nanp), false, dsat);
            let got = got(a as u16, b as u16, ftz, dsat, nanp).to_u64();
            let case =
                || format!("{operation} ftz={ftz} dsat={dsat} nanp={nanp} {} 0x{a:04x}, 0x{b:04x}", T::NAME);
            tally.compare(got, expected, case);
        }
    })
}

/// `fmul.full`.
fn full(
    format: &'static str,
    got: impl Fn(u16, u16, Mode) -> u32 + Copy + Sync + 'static,
    expected: impl Fn(u64, u64) -> Outcome + Copy + Sync + 'static,
    flush_source: impl Fn(u64) -> u64 + Copy + Sync + 'static,
) -> Check {
    let what = "five roundings, each plain and .ftz; .re with .dsat";
    pairs(format!("{format}.mul_full"), what, move |a, b, tally| {
        let exact = expected(a, b);
        let flushed = expected(flush_source(a), flush_source(b));
        let mut one = |way, ftz, dsat| {
            let got = got(a as u16, b as u16, Mode { rounding: rounding(way), ftz, dsat });
            let bits = if ftz { flushed } else { exact }.rounded::<oracle::Single>(way);
            let case =
                || format!("mul_full{} ftz={ftz} dsat={dsat} {format} 0x{a:04x}, 0x{b:04x}", suffix(way));
            tally.compare(u64::from(got), flush_and_clamp::<oracle::Single>(bits, ftz, dsat), case);
        };
        for way in WAYS {
            one(way, false, false);
            one(way, true, false);
        }
        one(Way::Even, false, true);
    })
}
