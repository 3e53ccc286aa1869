//! All checks.

mod elementary;
mod pairs;
mod single;
mod vector;

use crate::check::Check;
use crate::oracle::{self, Layout, Way};
use pisa_float::{Format, Rounding};

/// All checks in the order in which they run.
pub fn all() -> Vec<Check> {
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
        let check = all().into_iter().find(|check| check.name == name).expect("the check");
        (check.run)(range, &mut tally);
        tally
    }

    /// A few inputs of each check; all of them is what the command is for.
    #[test]
    fn nothing_differs_among_a_few() {
        for check in
            all().iter().filter(|check| check.missing.is_none() && !check.name.starts_with("vector."))
        {
            let first = 0x3f7f_ff80.min(check.inputs - 1);
            let mut tally = crate::check::Tally::default();
            (check.run)(first..first + 256, &mut tally);
            assert!(tally.cases >= 256, "{}", check.name);
            assert_eq!(tally.examples, Vec::<String>::new(), "{}", check.name);
        }
        let tally = tally("vector.plain.fsqrt.fast.hf", 0x3c00..0x3d00);
        assert_eq!((tally.cases, tally.differences), (256, 0), "{:?}", tally.examples);
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
        let names: std::collections::BTreeSet<String> = all().into_iter().map(|check| check.name).collect();
        assert_eq!(names.len(), all().len());
    }
}
