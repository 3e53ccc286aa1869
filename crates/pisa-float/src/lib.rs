//! Exact scalar arithmetic of the four floating-point formats of PISA: `hf`, `bf`, `f` and `df` (spec 3).
//!
//! Values are bit patterns in unsigned integers. Every function gives the one result that the specification and the decisions in
//! `docs/decisions.md` leave, bit for bit on every host: nothing here uses the host's libm, its fused multiply-add or its rounding modes.
//! Every operation is correctly rounded; [`sin`], [`cos`], [`exp2`], [`log2`], [`tanh`], [`rcp`] and [`rsqrt`] to nearest even (P-18).
#![forbid(unsafe_code)]

mod arithmetic;
mod convert;
mod division;
mod format;
mod mode;
mod native;
mod pack;
mod sign;
mod text;
mod transcendental;
mod wide;

pub use arithmetic::{add, fma, mul, mul_full_bf, mul_full_hf, sub};
pub use convert::{extend, fract, from_integer, literal, round_to_integral, to_integer, truncate};
pub use division::{div, rcp, sqrt};
pub use format::{Bf, Bits, Df, F, Format, Hf, is_denormal, is_nan};
pub use mode::{Mode, Rounding};
pub use sign::{Ordering4, abs, compare, max, min, neg, reduce_absmax, reduce_max, reduce_min};
pub use text::{ParseValueError, format_value, parse_value};
pub use transcendental::{Elementary, cos, exp2, log2, rsqrt, sin, tanh};
