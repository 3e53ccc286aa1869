//! All checks.

mod block;
mod elementary;
mod pairs;
mod random;
mod single;
mod vector;

use crate::check::Check;
use crate::oracle::{self, Layout, Way};
use pisa_float::{Format, Rounding};

/// The checks by random cases.
pub use random::checks as random;

/// The exhaustive checks in the order in which they run.
pub fn exhaustive() -> Vec<Check> {
    let mut checks = pairs::checks();
    checks.extend(single::checks());
    checks.extend(elementary::checks());
    checks.extend(vector::checks());
    checks
}

/// A format as both sides know it.
trait Both: Format {
    /// The oracle's.
    type Layout: Layout;
}
impl Both for pisa_float::Hf {
    type Layout = oracle::Half;
}
impl Both for pisa_float::Bf {
    type Layout = oracle::Brain;
}
impl Both for pisa_float::F {
    type Layout = oracle::Single;
}
impl Both for pisa_float::Df {
    type Layout = oracle::Double;
}

/// A rounding mode as pisa-float knows it.
const fn rounding(way: Way) -> Rounding {
    match way {
        Way::Even => Rounding::NearestEven,
        Way::Down => Rounding::Down,
        Way::Up => Rounding::Up,
        Way::Zero => Rounding::Zero,
        Way::Away => Rounding::NearestAway,
    }
}

/// The qualifier of a rounding mode.
const fn suffix(way: Way) -> &'static str {
    match way {
        Way::Even => ".re",
        Way::Down => ".rd",
        Way::Up => ".ru",
        Way::Zero => ".rz",
        Way::Away => ".rna",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(name: &str, range: std::ops::Range<u64>) -> crate::check::Tally {
        let mut tally = crate::check::Tally::default();
        let check = exhaustive().into_iter().find(|check| check.name == name).expect("the check");
        (check.run)(range, &mut tally);
        tally
    }

    /// A few inputs of each exhaustive check; all of them is what the command is for.
    #[test]
    fn nothing_differs_among_a_few() {
        for check in
            exhaustive().iter().filter(|check| check.missing.is_none() && !check.name.starts_with("vector."))
        {
            let mut tally = crate::check::Tally::default();
            for first in [0, 0x3c00_3c00, 0x3f7f_ff00, 0x8000_0000, 0xff80_0000] {
                let first = first.min(check.inputs - 256);
                (check.run)(first..first + 256, &mut tally);
            }
            assert!(tally.cases >= 5 * 256, "{}", check.name);
            assert_eq!(tally.examples, Vec::<String>::new(), "{}", check.name);
        }
        for name in ["vector.fsqrt.fast.hf", "vector.f2i.s64.bf.re", "vector.i2f.df.s32"] {
            let tally = tally(name, 0x3c00..0x3d00);
            // Once a level that this host has.
            assert!([256, 512, 768].contains(&tally.cases), "{name}: {}", tally.cases);
            assert_eq!(tally.differences, 0, "{:?}", tally.examples);
        }
    }

    /// A million random cases of each check; `cargo xtask random` runs more.
    #[test]
    fn nothing_differs_among_a_million() {
        let checks = random();
        let of_half = |checks: &[Check]| {
            for check in checks {
                let tally = check.piece(0, 1 << 20);
                assert_eq!(tally.cases, 1 << 20, "{}", check.name);
                assert_eq!(tally.examples, Vec::<String>::new(), "{}", check.name);
            }
        };
        std::thread::scope(|scope| {
            for half in checks.chunks(checks.len().div_ceil(2)) {
                scope.spawn(|| of_half(half));
            }
        });
    }

    /// 1 + 1 of `hf` compared with 1 * 1 differs.
    #[test]
    fn a_difference_is_found() {
        let mut tally = crate::check::Tally::default();
        let got = pisa_float::add::<pisa_float::Hf>(0x3c00, 0x3c00, pisa_float::Mode::default());
        let expected = oracle::multiply::<oracle::Half>(0x3c00, 0x3c00).rounded::<oracle::Half>(Way::Even);
        tally.compare(u64::from(got), expected, || "1, 1".into());
        assert_eq!((tally.cases, tally.differences), (1, 1));
        assert_eq!(tally.examples, ["1, 1: 0x4000, expected 0x3c00"]);
    }

    #[test]
    fn names_are_unique() {
        let all: Vec<Check> = exhaustive().into_iter().chain(random()).collect();
        let names: std::collections::BTreeSet<&str> = all.iter().map(|check| check.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
    }
}
