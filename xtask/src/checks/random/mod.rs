//! Random cases of the operations that have too many inputs for all of them.
//!
//! A check has as many inputs as it should at least have cases. An input's number is all that its sources and its mode are made from, so
//! that a piece can be run again. A block has one combination of qualifiers.

mod source;

use super::block::{BLOCK, block, blocks, qualifiers};
use super::{Both, rounding};
use crate::check::{Check, PIECE, Tally};
use crate::oracle::{self, Outcome, WAYS, Way, flush, flush_and_clamp, wide};
use pisa_float::{Bf, Bits, Df, F, Hf, Mode, Ordering4};
use source::Random;
use std::cmp::Ordering;
use std::ops::Range;

/// Cases that each check should have at least.
const CASES: u64 = 100_000_000;

/// The qualifiers of a block.
#[derive(Clone, Copy)]
struct Qualifiers {
    way: Way,
    ftz: bool,
    dsat: bool,
    nanp: bool,
}

impl Qualifiers {
    fn mode(self) -> Mode {
        Mode { rounding: rounding(self.way), ftz: self.ftz, dsat: self.dsat }
    }

    fn random(r: &mut Random) -> Qualifiers {
        let bits = r.bits();
        let way = WAYS[r.below(5) as usize];
        Qualifiers { way, ftz: bits & 1 != 0, dsat: bits & 2 != 0, nanp: bits & 4 != 0 }
    }

    fn text(self) -> String {
        format!("{}{}", qualifiers(self.mode()), if self.nanp { ".nanp" } else { "" })
    }
}

/// The checks in the order in which they run.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![fused::<F>(), fused::<Df>(), fused::<Hf>(), fused::<Bf>()];
    checks.extend(arithmetic::<F>());
    checks.extend(arithmetic::<Df>());
    checks.extend(of_doubles());
    checks.push(narrowed::<F>());
    checks.push(narrowed::<Hf>());
    checks.push(narrowed::<Bf>());
    for signed in [false, true] {
        for bits in [8, 16, 32, 64] {
            checks.push(to_integer(bits, signed));
        }
    }
    for signed in [false, true] {
        checks.push(from_integer::<Hf>(signed));
        checks.push(from_integer::<Bf>(signed));
        checks.push(from_integer::<F>(signed));
        checks.push(from_integer::<Df>(signed));
    }
    checks
}

/// A check: how sources are made, what pisa-float says and what the oracle says.
fn random<const N: usize>(
    name: String,
    what: &'static str,
    source: impl Fn(&mut Random) -> [u64; N] + Sync + 'static,
    got: impl Fn([u64; N], Qualifiers) -> u64 + Sync + 'static,
    expected: impl Fn([u64; N], Qualifiers) -> u64 + Sync + 'static,
) -> Check {
    let name = format!("random.{name}");
    let seed = name.clone();
    let run = move |range: Range<u64>, tally: &mut Tally| {
        for first in blocks(range) {
            let mut r = Random::new(&seed, first);
            let chosen = Qualifiers::random(&mut r);
            let mut sources = [[0; N]; BLOCK];
            for to in &mut sources {
                *to = source(&mut r);
            }
            let got: [u64; BLOCK] = block(|index| got(sources[index as usize], chosen));
            let expected: [u64; BLOCK] = block(|index| expected(sources[index as usize], chosen));
            tally.compare_all(&got, &expected, |index| {
                let sources = sources[index].map(|bits| format!("0x{bits:x}")).join(", ");
                format!("{seed}{} {sources}", chosen.text())
            });
        }
    };
    Check { name, what, inputs: CASES.next_multiple_of(PIECE), missing: None, run: Box::new(run) }
}

/// A function with a mode, whose exact result is rounded.
fn with_mode<T: Both, const N: usize>(
    operation: &str,
    dsat: bool,
    source: impl Fn(&mut Random) -> [u64; N] + Sync + 'static,
    got: impl Fn([T::Bits; N], Mode) -> T::Bits + Sync + 'static,
    exact: impl Fn([u64; N]) -> Outcome + Sync + 'static,
) -> Check {
    let what = if dsat { "any .rndmode, .ftz and .dsat" } else { "any .rndmode and .ftz" };
    random(
        format!("{}.{operation}", T::NAME),
        what,
        source,
        move |sources, q| got(sources.map(T::from_u64), q.mode()).to_u64(),
        move |sources, q| {
            let sources = if q.ftz { sources.map(flush::<T::Layout>) } else { sources };
            let rounded = exact(sources).rounded::<T::Layout>(q.way);
            flush_and_clamp::<T::Layout>(rounded, q.ftz, q.dsat && dsat)
        },
    )
}

fn fused<T: Both>() -> Check {
    with_mode::<T, 3>(
        "fma",
        true,
        source::product_and_term::<T::Layout>,
        |[a, b, c], mode| pisa_float::fma::<T>(a, b, c, mode),
        |[a, b, c]| wide::multiply_add::<T::Layout>(a, b, c),
    )
}

/// What has two sources.
fn arithmetic<T: Both>() -> Vec<Check> {
    let terms = source::terms::<T::Layout>;
    let factors = source::factors::<T::Layout>;
    let mut checks = vec![
        with_mode::<T, 2>(
            "add",
            true,
            terms,
            |[a, b], mode| pisa_float::add::<T>(a, b, mode),
            |[a, b]| wide::add::<T::Layout>(a, b),
        ),
        with_mode::<T, 2>(
            "sub",
            true,
            terms,
            |[a, b], mode| pisa_float::sub::<T>(a, b, mode),
            |[a, b]| wide::subtract::<T::Layout>(a, b),
        ),
        with_mode::<T, 2>(
            "mul",
            true,
            factors,
            |[a, b], mode| pisa_float::mul::<T>(a, b, mode),
            |[a, b]| wide::multiply::<T::Layout>(a, b),
        ),
        with_mode::<T, 2>(
            "div",
            false,
            source::quotient::<T::Layout>,
            |[a, b], mode| pisa_float::div::<T>(a, b, mode),
            |[a, b]| wide::divide::<T::Layout>(a, b),
        ),
    ];
    checks.push(chosen::<T>("min", pisa_float::min::<T>, oracle::smaller::<T::Layout>));
    checks.push(chosen::<T>("max", pisa_float::max::<T>, oracle::larger::<T::Layout>));
    checks.push(random(
        format!("{}.compare", T::NAME),
        "any .ftz",
        terms,
        |[a, b], q| pisa_float::compare::<T>(T::from_u64(a), T::from_u64(b), q.ftz) as u64,
        |sources, q| {
            let [a, b] = if q.ftz { sources.map(flush::<T::Layout>) } else { sources };
            let order = match oracle::compare::<T::Layout>(a, b) {
                Some(Ordering::Less) => Ordering4::Less,
                Some(Ordering::Equal) => Ordering4::Equal,
                Some(Ordering::Greater) => Ordering4::Greater,
                None => Ordering4::Unordered,
            };
            order as u64
        },
    ));
    checks
}

/// Minimum and maximum.
fn chosen<T: Both>(
    operation: &str,
    got: impl Fn(T::Bits, T::Bits, bool, bool, bool) -> T::Bits + Sync + 'static,
    expected: impl Fn(u64, u64, bool) -> u64 + Sync + 'static,
) -> Check {
    random(
        format!("{}.{operation}", T::NAME),
        "any .ftz, .dsat and .nanp",
        source::terms::<T::Layout>,
        move |[a, b], q| got(T::from_u64(a), T::from_u64(b), q.ftz, q.dsat, q.nanp).to_u64(),
        move |sources, q| {
            let [a, b] = if q.ftz { sources.map(flush::<T::Layout>) } else { sources };
            flush_and_clamp::<T::Layout>(expected(a, b, q.nanp), false, q.dsat)
        },
    )
}

/// What has one source, of which all values of the shorter formats are visited.
fn of_doubles() -> Vec<Check> {
    type L = oracle::Double;
    let flushed = |a: u64, q: Qualifiers| if q.ftz { flush::<L>(a) } else { a };
    vec![
        with_mode::<Df, 1>(
            "sqrt",
            false,
            |r| [source::square::<L>(r)],
            |[a], mode| pisa_float::sqrt::<Df>(a, mode),
            |[a]| wide::square_root::<L>(a),
        ),
        random(
            "df.rsqrt".into(),
            "any .ftz",
            |r| [source::square::<L>(r)],
            |[a], q| pisa_float::rsqrt::<Df>(a, q.ftz),
            move |[a], q| wide::reciprocal_root::<L>(flushed(a, q)).rounded::<L>(Way::Even),
        ),
        random(
            "df.round_to_integral".into(),
            "any .rndmode and .ftz",
            |r| [source::near_integer::<L>(r)],
            |[a], q| pisa_float::round_to_integral::<Df>(a, rounding(q.way), q.ftz),
            move |[a], q| oracle::integral::<L>(flushed(a, q), q.way),
        ),
        random(
            "df.abs".into(),
            "any .ftz",
            |r| [source::any::<L>(r)],
            |[a], q| pisa_float::abs::<Df>(a, q.ftz),
            move |[a], q| oracle::absolute::<L>(flushed(a, q)),
        ),
        random(
            "df.neg".into(),
            "any .ftz",
            |r| [source::any::<L>(r)],
            |[a], q| pisa_float::neg::<Df>(a, q.ftz),
            move |[a], q| oracle::negate::<L>(flushed(a, q)),
        ),
    ]
}

/// `ftrunc` of doubles.
fn narrowed<T: Both>() -> Check {
    type L = oracle::Double;
    random(
        format!("df.truncate.{}", T::NAME),
        "any .rndmode, .ftz and .dsat",
        |r| [source::to_narrow::<L, T::Layout>(r)],
        |[a], q| pisa_float::truncate::<Df, T>(a, q.mode()).to_u64(),
        |[a], q| {
            let rounded = oracle::truncate::<L, T::Layout>(a)[q.way as usize];
            oracle::limit::<T::Layout>(if q.ftz { flush::<T::Layout>(rounded) } else { rounded }, q.dsat)
        },
    )
}

/// `f2i` of doubles.
fn to_integer(bits: u32, signed: bool) -> Check {
    type L = oracle::Double;
    random(
        format!("df.to_integer.{}{bits}", if signed { 's' } else { 'u' }),
        "any .rndmode",
        |r| [source::near_integer::<L>(r)],
        move |[a], q| pisa_float::to_integer::<Df>(a, bits, signed, rounding(q.way)),
        move |[a], q| oracle::to_integer::<L>(a, bits, signed, q.way),
    )
}

/// `i2f` of 64-bit integers.
fn from_integer<T: Both>(signed: bool) -> Check {
    random(
        format!("{}64.to.{}", if signed { 's' } else { 'u' }, T::NAME),
        "any .rndmode and .dsat",
        |r| [source::integer::<T::Layout>(r)],
        move |[a], q| pisa_float::from_integer::<T>(a, 64, signed, rounding(q.way), q.dsat).to_u64(),
        move |[a], q| {
            let value = if signed { i128::from(a as i64) } else { i128::from(a) };
            oracle::limit::<T::Layout>(oracle::from_integer::<T::Layout>(value)[q.way as usize], q.dsat)
        },
    )
}

#[cfg(test)]
mod tests;
