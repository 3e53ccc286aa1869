//! The sources reach what is hard, so that faults there would be found.

use super::*;
use crate::oracle::{Brain, Double, Half, Layout, Single, is_denormal};

/// How many of 20,000 cases are of a kind.
fn count<const N: usize>(source: impl Fn(&mut Random) -> [u64; N], is: impl Fn([u64; N]) -> bool) -> usize {
    let mut r = Random::new("tests", 0);
    (0..20_000).filter(|_| is(source(&mut r))).count()
}

fn is_finite<L: Layout>(bits: u64) -> bool {
    bits & L::INFINITE != L::INFINITE
}

/// Sources of a function whose results are, often enough, halfway, beyond the largest number, denormal, and of every rounding.
fn reaches<L: Layout, const N: usize>(
    operation: &str,
    source: impl Fn(&mut Random) -> [u64; N],
    exact: impl Fn([u64; N]) -> Outcome,
) {
    let ways = |sources| exact(sources).in_all_ways::<L>();
    let [even, down, up, away] = [Way::Even, Way::Down, Way::Up, Way::Away].map(|way| way as usize);
    let kinds: [(&str, usize); 5] = [
        ("halfway", count(&source, |sources| ways(sources)[even] != ways(sources)[away])),
        ("inexact", count(&source, |sources| ways(sources)[down] != ways(sources)[up])),
        (
            "beyond",
            count(&source, |sources| {
                sources.iter().all(|&bits| is_finite::<L>(bits)) && !is_finite::<L>(ways(sources)[even])
            }),
        ),
        ("denormal", count(&source, |sources| is_denormal::<L>(ways(sources)[even]))),
        ("zero", count(&source, |sources| ways(sources)[even] & (L::SIGN - 1) == 0)),
    ];
    for (kind, count) in kinds {
        assert!(count >= 50, "{operation} {kind}: {count}");
    }
}

#[test]
fn sources_reach_what_is_hard() {
    fn of<L: Layout>() {
        reaches::<L, 2>("add", source::terms::<L>, |[a, b]| wide::add::<L>(a, b));
        reaches::<L, 2>("mul", source::factors::<L>, |[a, b]| wide::multiply::<L>(a, b));
        reaches::<L, 2>("div", source::quotient::<L>, |[a, b]| wide::divide::<L>(a, b));
        reaches::<L, 3>("fma", source::product_and_term::<L>, |[a, b, c]| wide::multiply_add::<L>(a, b, c));
    }
    of::<Half>();
    of::<Brain>();
    of::<Single>();
    of::<Double>();
}

/// A product that is rounded before the sum would be seen, and so would a sum of doubles rounded once more.
#[test]
fn double_rounding_would_be_found() {
    fn of<L: Layout>() {
        let differs = |[a, b, c]: [u64; 3]| {
            let product = wide::multiply::<L>(a, b).rounded::<L>(Way::Even);
            let twice = wide::add::<L>(product, c).rounded::<L>(Way::Even);
            twice != wide::multiply_add::<L>(a, b, c).rounded::<L>(Way::Even)
        };
        let found = count(source::product_and_term::<L>, differs);
        assert!(found >= 1000, "{found}");
    }
    of::<Half>();
    of::<Brain>();
    of::<Single>();
    of::<Double>();
    let single = |bits: u64| f64::from(f32::from_bits(bits as u32));
    let differs = |[a, b, c]: [u64; 3]| {
        let twice = (single(a) * single(b) + single(c)) as f32;
        let once = wide::multiply_add::<Single>(a, b, c).rounded::<Single>(Way::Even);
        !twice.is_nan() && u64::from(twice.to_bits()) != once
    };
    let found = count(source::product_and_term::<Single>, differs);
    assert!(found >= 20, "{found}");
}

#[test]
fn conversions_reach_halves() {
    fn narrow<To: Layout>() {
        let ways = |[a]: [u64; 1]| oracle::truncate::<Double, To>(a);
        let source = |r: &mut Random| [source::to_narrow::<Double, To>(r)];
        let halfway = count(source, |a| ways(a)[Way::Even as usize] != ways(a)[Way::Away as usize]);
        let denormal = count(source, |a| is_denormal::<To>(ways(a)[Way::Up as usize]));
        let beyond = count(source, |a| ways(a)[Way::Even as usize] != ways(a)[Way::Zero as usize]);
        assert!(halfway >= 500 && denormal >= 500 && beyond >= 500, "{halfway} {denormal} {beyond}");
    }
    narrow::<Half>();
    narrow::<Brain>();
    narrow::<Single>();
    fn integer<To: Layout>() {
        let ways = |[a]: [u64; 1]| oracle::from_integer::<To>(i128::from(a));
        let source = |r: &mut Random| [source::integer::<To>(r)];
        let halfway = count(source, |a| ways(a)[Way::Even as usize] != ways(a)[Way::Away as usize]);
        assert!(halfway >= 500, "{halfway}");
    }
    integer::<Half>();
    integer::<Brain>();
    integer::<Single>();
    integer::<Double>();
    let whole = |a, way| oracle::integral::<Double>(a, way);
    let source = |r: &mut Random| [source::near_integer::<Double>(r)];
    let halfway = count(source, |[a]| whole(a, Way::Even) != whole(a, Way::Away));
    assert!(halfway >= 500, "{halfway}");
    let clamped = |a| oracle::to_integer::<Double>(a, 32, true, Way::Even) == 0x7fff_ffff;
    assert!(count(source, |[a]| clamped(a)) >= 500);
}
