//! All 2^32 pairs of 16-bit values. Input `i` is the pair of the upper and the lower half of `i`. And signs of all single values.

use super::Both;
use super::block::{BLOCK, Extent, block, blocks, compare_modes, flushed};
use crate::check::{Check, Tally};
use crate::oracle::{self, Layout, Outcome, flush, flush_and_clamp, is_denormal};
use pisa_float::{Bf, Bits, Hf, Mode, Ordering4};
use std::cmp::Ordering;
use std::ops::Range;

/// The checks of both 16-bit formats.
pub fn checks() -> Vec<Check> {
    let mut checks = of::<Hf>();
    checks.extend(of::<Bf>());
    checks.push(full::<Hf>(pisa_float::mul_full_hf));
    checks.push(full::<Bf>(pisa_float::mul_full_bf));
    checks
}

/// A check by blocks: `body` gets the first source and the first of the second sources.
fn pairs(name: String, what: &'static str, body: impl Fn(u64, u64, &mut Tally) + Sync + 'static) -> Check {
    let run = move |range: Range<u64>, tally: &mut Tally| {
        for input in blocks(range) {
            body(input >> 16, input & 0xffff, tally);
        }
    };
    Check { name, what, inputs: 1 << 32, missing: None, run: Box::new(run) }
}

fn of<T: Both<Bits = u16>>() -> Vec<Check> {
    use Extent::{FlushedWhereDenormal, Nearest, Whole};
    vec![
        same::<T>("add", Whole, pisa_float::add::<T>, oracle::add::<T::Layout>),
        same::<T>("sub", FlushedWhereDenormal, pisa_float::sub::<T>, oracle::subtract::<T::Layout>),
        same::<T>("mul", Whole, pisa_float::mul::<T>, oracle::multiply::<T::Layout>),
        // Of these formats there is only `fdiv.fast`, without a rounding mode.
        same::<T>("div", Nearest, pisa_float::div::<T>, oracle::divide::<T::Layout>),
        chosen::<T>("min", pisa_float::min::<T>, oracle::smaller::<T::Layout>),
        chosen::<T>("max", pisa_float::max::<T>, oracle::larger::<T::Layout>),
        comparison::<T>(),
        signs::<T>(),
    ]
}

/// A function with a result of the sources' format.
fn same<T: Both<Bits = u16>>(
    operation: &'static str,
    extent: Extent,
    got: impl Fn(u16, u16, Mode) -> u16 + Copy + Sync + 'static,
    exact: impl Fn(u64, u64) -> Outcome + Copy + Sync + 'static,
) -> Check {
    pairs(format!("{}.{operation}", T::NAME), extent.text(), move |a, first, tally| {
        rounded::<T, T::Layout, u16>(operation, extent, got, exact, a, first, tally);
    })
}

/// A function of two values with a mode. The result is of format `To`.
#[inline(always)]
fn rounded<T: Both<Bits = u16>, To: Layout, R: Bits + Into<u64>>(
    operation: &str,
    extent: Extent,
    got: impl Fn(u16, u16, Mode) -> R,
    exact: impl Fn(u64, u64) -> Outcome,
    a: u64,
    first: u64,
    tally: &mut Tally,
) {
    let denormal = is_denormal::<T::Layout>(a) || (first..first + BLOCK as u64).any(is_denormal::<T::Layout>);
    let flushed = |index| exact(flush::<T::Layout>(a), flush::<T::Layout>(first + index));
    compare_modes::<To, R>(
        tally,
        extent,
        |index, mode| got(a as u16, (first + index) as u16, mode),
        |index| exact(a, first + index),
        denormal.then_some(flushed),
        |index, qualifiers| {
            format!("{operation}{qualifiers} {} 0x{a:04x}, 0x{:04x}", T::NAME, first + index as u64)
        },
    );
}

/// Minimum and maximum.
fn chosen<T: Both<Bits = u16>>(
    operation: &'static str,
    got: impl Fn(u16, u16, bool, bool, bool) -> u16 + Copy + Sync + 'static,
    expected: impl Fn(u64, u64, bool) -> u64 + Copy + Sync + 'static,
) -> Check {
    let name = format!("{}.{operation}", T::NAME);
    pairs(name, "every combination of .ftz, .dsat and .nanp", move |a, first, tally| {
        macro_rules! compare {
            ($ftz:literal, $dsat:literal, $nanp:literal) => {{
                let got = block(|index| got(a as u16, (first + index) as u16, $ftz, $dsat, $nanp));
                let x = flushed::<T::Layout>($ftz, a);
                let expected = block(|index| {
                    let bits = expected(x, flushed::<T::Layout>($ftz, first + index), $nanp);
                    flush_and_clamp::<T::Layout>(bits, false, $dsat) as u16
                });
                let what = concat!(" ftz=", $ftz, " dsat=", $dsat, " nanp=", $nanp);
                tally.compare_all(&got, &expected, |index| {
                    format!("{operation}{what} {} 0x{a:04x}, 0x{:04x}", T::NAME, first + index as u64)
                });
            }};
        }
        compare!(false, false, false);
        compare!(false, false, true);
        compare!(false, true, false);
        compare!(false, true, true);
        compare!(true, false, false);
        compare!(true, false, true);
        compare!(true, true, false);
        compare!(true, true, true);
    })
}

/// `fabs` and `fneg`.
fn signs<T: Both<Bits = u16>>() -> Check {
    let run = |range: Range<u64>, tally: &mut Tally| {
        for a in range {
            for ftz in [false, true] {
                let source = flushed::<T::Layout>(ftz, a);
                let case = || format!("ftz={ftz} {} 0x{a:04x}", T::NAME);
                let (got, expected) =
                    (pisa_float::abs::<T>(a as u16, ftz), oracle::absolute::<T::Layout>(source));
                tally.compare(u64::from(got), expected, || format!("abs {}", case()));
                let (got, expected) =
                    (pisa_float::neg::<T>(a as u16, ftz), oracle::negate::<T::Layout>(source));
                tally.compare(u64::from(got), expected, || format!("neg {}", case()));
            }
        }
    };
    let name = format!("{}.signs", T::NAME);
    Check { name, what: "fabs and fneg, plain and .ftz", inputs: 1 << 16, missing: None, run: Box::new(run) }
}

/// The order of two values.
fn comparison<T: Both<Bits = u16>>() -> Check {
    pairs(format!("{}.compare", T::NAME), "plain and .ftz", |a, first, tally| {
        macro_rules! compare {
            ($ftz:literal) => {{
                let got =
                    block(|index| pisa_float::compare::<T>(a as u16, (first + index) as u16, $ftz) as u16);
                let x = flushed::<T::Layout>($ftz, a);
                let expected = block(|index| {
                    let order = oracle::compare::<T::Layout>(x, flushed::<T::Layout>($ftz, first + index));
                    let order = match order {
                        Some(Ordering::Less) => Ordering4::Less,
                        Some(Ordering::Equal) => Ordering4::Equal,
                        Some(Ordering::Greater) => Ordering4::Greater,
                        None => Ordering4::Unordered,
                    };
                    order as u16
                });
                tally.compare_all(&got, &expected, |index| {
                    let b = first + index as u64;
                    format!("compare ftz={} {} 0x{a:04x}, 0x{b:04x}", $ftz, T::NAME)
                });
            }};
        }
        compare!(false);
        compare!(true);
    })
}

/// `fmul.full`.
fn full<T: Both<Bits = u16>>(got: impl Fn(u16, u16, Mode) -> u32 + Copy + Sync + 'static) -> Check {
    let extent = Extent::FlushedWhereDenormal;
    pairs(format!("{}.mul_full", T::NAME), extent.text(), move |a, first, tally| {
        let exact = oracle::multiply_into::<T::Layout, oracle::Single>;
        rounded::<T, oracle::Single, u32>("mul_full", extent, got, exact, a, first, tally);
    })
}
