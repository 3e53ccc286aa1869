//! Sign operations, minimum and maximum, comparison and reductions (spec 2.1, 2.8, 2.9, 2.11, 5.3, 7.1).

use crate::format::{Bits, Format, flush_if, raw_is_nan};
use crate::mode::Mode;
use crate::pack::finish;

/// `-a`. A NaN changes its sign, too, and becomes quiet (P-14).
#[inline]
pub fn neg<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    T::from_u64(quiet::<T>(flush_if::<T>(a.to_u64(), ftz)) ^ T::SIGN)
}

/// `|a|`. A NaN loses its sign and becomes quiet (P-13).
#[inline]
pub fn abs<T: Format>(a: T::Bits, ftz: bool) -> T::Bits {
    T::from_u64(quiet::<T>(flush_if::<T>(a.to_u64(), ftz)) & T::MAGNITUDE)
}

#[inline(always)]
fn quiet<T: Format>(raw: u64) -> u64 {
    if raw_is_nan::<T>(raw) { raw | T::QUIET } else { raw }
}

/// Maps values that are not NaN to integers in the same order, -0 below +0.
#[inline(always)]
fn key<T: Format>(raw: u64) -> u64 {
    if raw & T::SIGN != 0 { !raw & (T::SIGN | T::MAGNITUDE) } else { raw | T::SIGN }
}

/// The smaller of two values, -0 below +0. With one NaN, the other value; with `nan_propagate` (`.nanp`), the NaN (P-11, P-12).
#[inline]
pub fn min<T: Format>(a: T::Bits, b: T::Bits, ftz: bool, dsat: bool, nan_propagate: bool) -> T::Bits {
    select::<T>(a, b, ftz, dsat, nan_propagate, true)
}

/// The larger of two values, -0 below +0. With one NaN, the other value; with `nan_propagate` (`.nanp`), the NaN (P-11, P-12).
#[inline]
pub fn max<T: Format>(a: T::Bits, b: T::Bits, ftz: bool, dsat: bool, nan_propagate: bool) -> T::Bits {
    select::<T>(a, b, ftz, dsat, nan_propagate, false)
}

#[inline(always)]
fn select<T: Format>(
    a: T::Bits,
    b: T::Bits,
    ftz: bool,
    dsat: bool,
    nan_propagate: bool,
    smaller: bool,
) -> T::Bits {
    let (a, b) = (flush_if::<T>(a.to_u64(), ftz), flush_if::<T>(b.to_u64(), ftz));
    let raw = match (raw_is_nan::<T>(a), raw_is_nan::<T>(b)) {
        (false, false) if (key::<T>(a) <= key::<T>(b)) == smaller => a,
        (false, false) => b,
        (true, true) => a | T::QUIET,
        (true, false) if nan_propagate => a | T::QUIET,
        (true, false) => b,
        (false, true) if nan_propagate => b | T::QUIET,
        (false, true) => a,
    };
    // Both sources are flushed already, so `.ftz` has nothing left to do.
    finish::<T>(raw, Mode { dsat, ..Mode::default() })
}

/// The four outcomes of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering4 {
    /// a < b.
    Less,
    /// a = b; the two zeros are equal.
    Equal,
    /// a > b.
    Greater,
    /// At least one is a NaN.
    Unordered,
}

/// Compares two values (P-15). `ftz` flushes the sources.
#[inline]
pub fn compare<T: Format>(a: T::Bits, b: T::Bits, ftz: bool) -> Ordering4 {
    let (a, b) = (flush_if::<T>(a.to_u64(), ftz), flush_if::<T>(b.to_u64(), ftz));
    if raw_is_nan::<T>(a) || raw_is_nan::<T>(b) {
        return Ordering4::Unordered;
    }
    if (a | b) & T::MAGNITUDE == 0 {
        return Ordering4::Equal;
    }
    match key::<T>(a).cmp(&key::<T>(b)) {
        core::cmp::Ordering::Less => Ordering4::Less,
        core::cmp::Ordering::Equal => Ordering4::Equal,
        core::cmp::Ordering::Greater => Ordering4::Greater,
    }
}

/// `fred.min` over the participating lanes in lane order (S-20 to S-23). +0 for no lanes.
#[inline]
pub fn reduce_min<T: Format>(lanes: impl IntoIterator<Item = T::Bits>, nan_propagate: bool) -> T::Bits {
    reduce::<T>(lanes.into_iter().map(Bits::to_u64), nan_propagate, true)
}

/// `fred.max` over the participating lanes in lane order (S-20 to S-23). +0 for no lanes.
#[inline]
pub fn reduce_max<T: Format>(lanes: impl IntoIterator<Item = T::Bits>, nan_propagate: bool) -> T::Bits {
    reduce::<T>(lanes.into_iter().map(Bits::to_u64), nan_propagate, false)
}

/// `fred.absmax` over the participating lanes in lane order: the largest magnitude, never with a sign (S-22). +0 for no lanes.
#[inline]
pub fn reduce_absmax<T: Format>(lanes: impl IntoIterator<Item = T::Bits>, nan_propagate: bool) -> T::Bits {
    reduce::<T>(lanes.into_iter().map(|lane| lane.to_u64() & T::MAGNITUDE), nan_propagate, false)
}

#[inline(always)]
fn reduce<T: Format>(lanes: impl Iterator<Item = u64>, nan_propagate: bool, smaller: bool) -> T::Bits {
    let mut best: Option<u64> = None;
    let mut nan: Option<u64> = None;
    for lane in lanes {
        if raw_is_nan::<T>(lane) {
            nan = nan.or(Some(lane | T::QUIET));
        } else if best.is_none_or(|best| (key::<T>(lane) < key::<T>(best)) == smaller) {
            best = Some(lane);
        }
    }
    let result = if nan_propagate { nan.or(best) } else { best.or(nan) };
    T::from_u64(result.unwrap_or(0))
}
