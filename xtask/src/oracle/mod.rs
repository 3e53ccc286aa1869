//! Floating-point arithmetic once more, on exact integers with one rounding at the end.
//!
//! Shares no code with pisa-float and works differently: values stay as they are stored (denormals are not normalised), sums are sums
//! of signed integers, and a result is first cut off toward zero and then moved by one unit where the rounding mode says so.

mod arithmetic;
mod convert;
mod layout;
mod round;
#[cfg(test)]
mod tests;
pub mod wide;

pub use arithmetic::{
    absolute, add, compare, divide, larger, multiply, multiply_into, negate, reciprocal_root, smaller,
    square_root, subtract,
};
pub use convert::{extend_to_double, fraction_part, from_integer, integral, limit, to_integer, truncate};
pub use layout::{Brain, Double, Half, Layout, Single, flush, is_denormal, is_nan, quiet};
pub use round::{Outcome, WAYS, Way, flush_and_clamp};
