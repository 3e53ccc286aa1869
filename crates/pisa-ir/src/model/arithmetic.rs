//! What reductions and scans combine values with.

use super::truncate;
use crate::{Element, Reduction};
use pisa_float::{Bf, Df, F, Format, Hf, Mode, Ordering4};

/// Runs an expression with `$format` naming the format of a floating-point element.
macro_rules! in_format {
    ($element:expr, $format:ident => $result:expr) => {
        match $element {
            Element::Hf | Element::Hfx2 => {
                type $format = Hf;
                $result
            }
            Element::Bf | Element::Bfx2 => {
                type $format = Bf;
                $result
            }
            Element::Df => {
                type $format = Df;
                $result
            }
            _ => {
                type $format = F;
                $result
            }
        }
    };
}

fn number<T: Format>(bits: u128) -> T::Bits {
    T::from_u64(bits as u64)
}

fn bits<T: Format>(number: T::Bits) -> u128 {
    u128::from(T::to_u64(number))
}

fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The combination of two values whose order can be seen: a sum or product, rounded to the nearest, ties to even.
pub(super) fn combine(reduction: Reduction, element: Element, first: u128, second: u128) -> u128 {
    if !element.is_float() {
        return all(reduction, element, &[first, second]);
    }
    let mode = Mode::default();
    in_format!(element, T => bits::<T>(match reduction {
        Reduction::Product => pisa_float::mul::<T>(number::<T>(first), number::<T>(second), mode),
        _ => pisa_float::add::<T>(number::<T>(first), number::<T>(second), mode),
    }))
}

/// The combination of values in whatever order, of one element; the identity where there are none.
pub(super) fn all(reduction: Reduction, element: Element, values: &[u128]) -> u128 {
    use Reduction::*;
    let width = u32::from(element.bits());
    let values = values.iter().copied();
    let numbers = values.clone().map(|value| signed(value, width));
    let combined = match reduction {
        Sum => Some(values.fold(0, u128::wrapping_add)),
        Product => Some(values.fold(1, u128::wrapping_mul)),
        And => Some(values.fold(u128::MAX, |a, b| a & b)),
        Or => Some(values.fold(0, |a, b| a | b)),
        Xor => Some(values.fold(0, |a, b| a ^ b)),
        Smin => numbers.min().map(|least| least as u128),
        Smax => numbers.max().map(|greatest| greatest as u128),
        Umin => values.min(),
        Umax => values.max(),
        // S-28: the absolute value of the least number is the greatest.
        Absmax => numbers.map(i128::unsigned_abs).max(),
        Fmin | FminNan | Fmax | FmaxNan | Fabsmax | FabsmaxNan if values.len() == 0 => None,
        Fmin | FminNan | Fmax | FmaxNan | Fabsmax | FabsmaxNan => Some(in_format!(element, T => {
            let nan_wins = matches!(reduction, FminNan | FmaxNan | FabsmaxNan);
            let numbers = values.map(number::<T>);
            // S-20 to S-23, S-29: the NaN of the lowest lane that has one, quieted; a lone one, too.
            bits::<T>(match reduction {
                Fmin | FminNan => pisa_float::reduce_min::<T>(numbers, nan_wins),
                Fmax | FmaxNan => pisa_float::reduce_max::<T>(numbers, nan_wins),
                _ => pisa_float::reduce_absmax::<T>(numbers, nan_wins),
            })
        })),
    };
    truncate(combined.unwrap_or_else(|| identity(reduction, element)), width)
}

/// What an exclusive scan gives where there is nothing to combine.
pub(super) fn identity(reduction: Reduction, element: Element) -> u128 {
    use Reduction::*;
    let width = u32::from(element.bits());
    let bits = match reduction {
        Product if element.is_float() => u128::from(in_format!(element, T => T::ONE)),
        Product => 1,
        Sum | Or | Xor | Umax | Absmax | Fabsmax | FabsmaxNan => 0,
        And | Umin => u128::MAX,
        Smin => (1 << (width - 1)) - 1,
        Smax => 1 << (width - 1),
        Fmin | FminNan => u128::from(in_format!(element, T => T::INFINITY)),
        Fmax | FmaxNan => u128::from(in_format!(element, T => T::INFINITY | T::SIGN)),
    };
    truncate(bits, width)
}

/// `first - second` of one element.
pub(super) fn difference(element: Element, first: u128, second: u128) -> u128 {
    if !element.is_float() {
        return truncate(first.wrapping_sub(second), u32::from(element.bits()));
    }
    in_format!(element, T => {
        bits::<T>(pisa_float::sub::<T>(number::<T>(first), number::<T>(second), Mode::default()))
    })
}

/// Whether two values of one element are equal: floats as numbers, so that a NaN equals nothing (P-15).
pub(super) fn equal(element: Element, first: u128, second: u128) -> bool {
    if !element.is_float() {
        return first == second;
    }
    in_format!(element, T => {
        pisa_float::compare::<T>(number::<T>(first), number::<T>(second), false) == Ordering4::Equal
    })
}
