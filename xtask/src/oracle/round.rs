//! Cutting off an exact value, and rounding what was cut off.

use super::layout::{Layout, flush, is_nan};

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// `.re`
    Even,
    /// `.rd`
    Down,
    /// `.ru`
    Up,
    /// `.rz`
    Zero,
    /// `.rna`
    Away,
}

/// All of them.
pub const WAYS: [Way; 5] = [Way::Even, Way::Down, Way::Up, Way::Zero, Way::Away];

/// What lies between the value cut off and the exact one, in units of the last place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rest {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

/// Whether the magnitude grows by one unit.
#[inline(always)]
pub fn grows(way: Way, negative: bool, odd: bool, rest: Rest) -> bool {
    match way {
        Way::Even => rest == Rest::AboveHalf || (rest == Rest::Half && odd),
        Way::Away => rest >= Rest::Half,
        Way::Zero => false,
        Way::Down => negative && rest != Rest::Nothing,
        Way::Up => !negative && rest != Rest::Nothing,
    }
}

/// `magnitude / 2^shift` as an integer and what is left. `sticky` says that a little more than `magnitude` is meant.
#[inline(always)]
pub fn split(magnitude: u64, shift: u32, sticky: bool) -> (u64, Rest) {
    let little = if sticky { Rest::BelowHalf } else { Rest::Nothing };
    if shift == 0 {
        return (magnitude, little);
    }
    if shift > 64 {
        return (0, if magnitude == 0 { little } else { Rest::BelowHalf });
    }
    let kept = if shift == 64 { 0 } else { magnitude >> shift };
    let half = 1u64 << (shift - 1);
    let rest = magnitude & (half - 1 + half);
    let rest = if rest == 0 {
        little
    } else if rest < half {
        Rest::BelowHalf
    } else if rest == half && !sticky {
        Rest::Half
    } else {
        Rest::AboveHalf
    };
    (kept, rest)
}

/// A value of format `L` cut off toward zero.
#[derive(Clone, Copy)]
pub struct Cut {
    negative: bool,
    /// The bits without the sign.
    floor: u64,
    rest: Rest,
    /// The exact value is at least the power of two above the largest finite number.
    beyond: bool,
}

/// `±(magnitude * 2^exponent)`, plus a little when `sticky`: then the magnitude must have two bits more than the format.
#[inline(always)]
pub fn cut<L: Layout>(negative: bool, magnitude: u64, exponent: i32, sticky: bool) -> Cut {
    if magnitude == 0 {
        let rest = if sticky { Rest::BelowHalf } else { Rest::Nothing };
        return Cut { negative, floor: 0, rest, beyond: false };
    }
    let length = 64 - magnitude.leading_zeros() as i32;
    let unit = (exponent + length - 1 - L::FRACTION as i32).max(L::LEAST);
    let (kept, rest) = if unit <= exponent {
        (magnitude << ((exponent - unit) as u32 % 64), if sticky { Rest::BelowHalf } else { Rest::Nothing })
    } else {
        split(magnitude, (unit - exponent) as u32, sticky)
    };
    // The leading bit of a normal number counts as one more in the exponent field.
    let floor = (((unit - L::LEAST) as u64) << L::FRACTION) + kept;
    Cut { negative, floor, rest, beyond: floor >= L::INFINITE }
}

/// An exact result before it is rounded.
#[derive(Clone, Copy)]
pub enum Outcome {
    /// The same in every rounding mode.
    Fixed(u64),
    /// Terms that cancel: +0, or -0 rounding down (P-28).
    Cancelled,
    /// To be rounded.
    Exact(Cut),
}

impl Outcome {
    /// [`Outcome::rounded`] in the order of [`WAYS`].
    #[inline(always)]
    pub fn in_all_ways<L: Layout>(self) -> [u64; 5] {
        match self {
            Outcome::Fixed(bits) => [bits; 5],
            Outcome::Cancelled => WAYS.map(|way| Outcome::Cancelled.rounded::<L>(way)),
            Outcome::Exact(cut) => WAYS.map(|way| Outcome::Exact(cut).rounded::<L>(way)),
        }
    }

    /// Rounded; beyond the largest finite number as IEEE 754 section 7.4 says (P-29).
    #[inline(always)]
    pub fn rounded<L: Layout>(self, way: Way) -> u64 {
        let cut = match self {
            Outcome::Fixed(bits) => return bits,
            Outcome::Cancelled => return if way == Way::Down { L::SIGN } else { 0 },
            Outcome::Exact(cut) => cut,
        };
        let sign = if cut.negative { L::SIGN } else { 0 };
        let largest = L::INFINITE - 1;
        if cut.beyond {
            let grows = grows(way, cut.negative, true, Rest::AboveHalf);
            return sign | (largest + u64::from(grows));
        }
        sign | (cut.floor + u64::from(grows(way, cut.negative, cut.floor & 1 == 1, cut.rest)))
    }

    /// Rounded; beyond the largest finite number always infinity (D-08).
    #[inline(always)]
    pub fn rounded_to_infinity<L: Layout>(self, way: Way) -> u64 {
        match self {
            Outcome::Exact(cut) if cut.beyond => L::INFINITE | if cut.negative { L::SIGN } else { 0 },
            other => other.rounded::<L>(way),
        }
    }
}

/// `.ftz`, then `.dsat` on a rounded result (P-06).
#[inline(always)]
pub fn flush_and_clamp<L: Layout>(bits: u64, ftz: bool, dsat: bool) -> u64 {
    let bits = if ftz { flush::<L>(bits) } else { bits };
    if !dsat {
        bits
    } else if is_nan::<L>(bits) || bits >= L::SIGN {
        0
    } else if bits > L::ONE {
        L::ONE
    } else {
        bits
    }
}
