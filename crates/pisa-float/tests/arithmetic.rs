//! Arithmetic in every format and mode against exact fractions.

mod oracle;

use oracle::{BF, DF, F32, HF, Layout, Random};
use pisa_float::{Bf, Bits, Df, F, Format, Hf, Mode, Rounding};

const CASES: u64 = 6_000;

fn modes() -> impl Iterator<Item = Mode> {
    Rounding::ALL.into_iter().flat_map(|rounding| {
        [(false, false), (true, false), (false, true), (true, true)].map(|(ftz, dsat)| Mode {
            rounding,
            ftz,
            dsat,
        })
    })
}

/// Compares the results for one pair of operands in one mode.
fn check_two<T: Format>(layout: Layout, a: u64, b: u64, mode: Mode) {
    let (x, y) = (T::from_u64(a), T::from_u64(b));
    let (p, q) = if mode.ftz { (layout.flush(a), layout.flush(b)) } else { (a, b) };
    let expect = |name: &str, got: T::Bits, exact: u64, dsat: bool| {
        let exact = oracle::finish(layout, exact, mode.ftz, dsat);
        assert_eq!(
            got.to_u64(),
            exact,
            "{name}.{} {a:#x} {b:#x} {mode:?}: {got:x?}, not {exact:#x}",
            T::NAME
        );
    };
    let negated = if layout.is_nan(q) { q } else { q ^ layout.sign() };
    expect("add", pisa_float::add::<T>(x, y, mode), oracle::add(layout, p, q, mode.rounding), mode.dsat);
    expect(
        "sub",
        pisa_float::sub::<T>(x, y, mode),
        oracle::add(layout, p, negated, mode.rounding),
        mode.dsat,
    );
    expect("mul", pisa_float::mul::<T>(x, y, mode), oracle::mul(layout, p, q, mode.rounding), mode.dsat);
    expect("div", pisa_float::div::<T>(x, y, mode), oracle::div(layout, p, q, mode.rounding), false);
}

fn check_three<T: Format>(layout: Layout, a: u64, b: u64, c: u64, mode: Mode) {
    let flush = |bits| if mode.ftz { layout.flush(bits) } else { bits };
    let exact = oracle::fma(layout, flush(a), flush(b), flush(c), mode.rounding);
    let exact = oracle::finish(layout, exact, mode.ftz, mode.dsat);
    let got = pisa_float::fma::<T>(T::from_u64(a), T::from_u64(b), T::from_u64(c), mode);
    assert_eq!(got.to_u64(), exact, "fma.{} {a:#x} {b:#x} {c:#x} {mode:?}", T::NAME);
}

fn check_one<T: Format>(layout: Layout, a: u64, mode: Mode) {
    let p = if mode.ftz { layout.flush(a) } else { a };
    let exact = oracle::finish(layout, oracle::sqrt(layout, p, mode.rounding), mode.ftz, false);
    assert_eq!(
        pisa_float::sqrt::<T>(T::from_u64(a), mode).to_u64(),
        exact,
        "sqrt.{} {a:#x} {mode:?}",
        T::NAME
    );
    if mode.rounding == Rounding::NearestEven {
        let exact = oracle::finish(layout, oracle::rsqrt(layout, p), mode.ftz, false);
        assert_eq!(
            pisa_float::rsqrt::<T>(T::from_u64(a), mode.ftz).to_u64(),
            exact,
            "rsqrt.{} {a:#x} {mode:?}",
            T::NAME
        );
        let exact = oracle::div(layout, layout.one(), p, mode.rounding);
        let exact = oracle::finish(layout, exact, mode.ftz, false);
        assert_eq!(pisa_float::rcp::<T>(T::from_u64(a), mode.ftz).to_u64(), exact, "rcp.{} {a:#x}", T::NAME);
    }
}

fn check<T: Format>(layout: Layout) {
    let edges = oracle::edges(layout);
    for &a in &edges {
        for mode in modes() {
            check_one::<T>(layout, a, mode);
        }
        for &b in &edges {
            for mode in modes() {
                check_two::<T>(layout, a, b, mode);
            }
        }
    }
    let mut random = Random(u64::from(layout.fraction));
    let modes: Vec<Mode> = modes().collect();
    for case in 0..CASES {
        let a = random.pattern(layout, layout.one());
        let b = random.pattern(layout, a);
        let product = oracle::mul(layout, a, b, Rounding::NearestEven);
        let c = random.pattern(layout, product);
        for rounding in Rounding::ALL {
            check_two::<T>(layout, a, b, Mode::rounded(rounding));
            check_three::<T>(layout, a, b, c, Mode::rounded(rounding));
            check_one::<T>(layout, a, Mode::rounded(rounding));
        }
        let mode = modes[case as usize % modes.len()];
        check_two::<T>(layout, a, b, mode);
        check_three::<T>(layout, a, b, c, mode);
        let (i, j, k) = (random.next(), random.next(), random.next());
        let edge = |index: u64| edges[index as usize % edges.len()];
        check_three::<T>(layout, edge(i), edge(j), edge(k), mode);
    }
}

#[test]
fn half() {
    check::<Hf>(HF);
}

#[test]
fn brain() {
    check::<Bf>(BF);
}

#[test]
fn single() {
    check::<F>(F32);
}

#[test]
fn double() {
    check::<Df>(DF);
}

/// All 16-bit arguments of the unary operations.
fn all_roots<T: Format<Bits = u16>>(layout: Layout) {
    for a in 0..=u64::from(u16::MAX) {
        for rounding in Rounding::ALL {
            check_one::<T>(layout, a, Mode { rounding, ftz: a % 3 == 0, dsat: false });
        }
        check_one::<T>(layout, a, Mode { ftz: a % 3 != 0, ..Mode::default() });
    }
}

#[test]
fn roots_and_reciprocals_of_all_halves() {
    all_roots::<Hf>(HF);
}

#[test]
fn roots_and_reciprocals_of_all_brain_floats() {
    all_roots::<Bf>(BF);
}

/// The product of the extended sources: always exact for `hf`, possibly out of range for `bf` (P-07, P-08).
#[test]
fn full_products() {
    let mut random = Random(7);
    let widen = |layout: Layout, bits: u64| {
        if layout.is_nan(bits) {
            let payload = (bits & ((1 << layout.fraction) - 1)) << (23 - layout.fraction);
            (bits & layout.sign()) << 16 | F32.nan() | payload
        } else {
            oracle::encode(F32, &oracle::decode(layout, bits), Rounding::Zero, false)
        }
    };
    for _ in 0..20_000 {
        for layout in [HF, BF] {
            let a = random.pattern(layout, layout.one());
            let b = random.pattern(layout, a);
            for mode in modes() {
                let (p, q) = if mode.ftz { (layout.flush(a), layout.flush(b)) } else { (a, b) };
                let exact = oracle::mul(F32, widen(layout, p), widen(layout, q), mode.rounding);
                let exact = oracle::finish(F32, exact, mode.ftz, mode.dsat);
                let got = if layout == HF {
                    pisa_float::mul_full_hf(a as u16, b as u16, mode)
                } else {
                    pisa_float::mul_full_bf(a as u16, b as u16, mode)
                };
                assert_eq!(u64::from(got), exact, "{layout:?} {a:#x} {b:#x} {mode:?}");
            }
        }
    }
}

/// Reciprocal roots of doubles near squares and their neighbours, where the result lies near a value or a middle.
#[test]
fn reciprocal_roots_of_doubles() {
    let mut random = Random(17);
    for case in 0..40_000u64 {
        // x near 1 / r^2 for a short r.
        let r = f64::from_bits(DF.one() | (random.next() >> 12 & !0 << random.below(52)));
        let scale = f64::from_bits((1023 - 40 + random.below(80)) << 52);
        let x = (1.0 / (r * r) * scale).to_bits() + case % 5 - 2;
        let got = pisa_float::rsqrt::<Df>(x, false);
        assert_eq!(got, oracle::rsqrt(DF, x), "{x:#x}");
    }
}
