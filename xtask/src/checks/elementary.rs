//! All 2^32 arguments of the elementary functions of `f`, against the correctly rounded functions of CORE-MATH.

use super::block::BLOCK;
use super::single::values;
use crate::check::Check;
use crate::oracle::{Layout, Single, flush, is_denormal, is_nan, quiet};
use pisa_float::F;

/// CORE-MATH's functions.
#[cfg(feature = "core-math")]
mod library {
    pub use core_math::{cosf, exp2f, log2f, rsqrtf, sinf, tanhf};
    /// Why there are none.
    pub const MISSING: Option<&str> = None;
}

/// In place of CORE-MATH's functions, never called.
#[cfg(not(feature = "core-math"))]
mod library {
    pub fn none(_: f32) -> f32 {
        f32::NAN
    }
    pub use none as cosf;
    pub use none as exp2f;
    pub use none as log2f;
    pub use none as rsqrtf;
    pub use none as sinf;
    pub use none as tanhf;
    /// Why there are none.
    pub const MISSING: Option<&str> = Some("built without the feature `core-math`");
}

/// The checks.
pub fn checks() -> Vec<Check> {
    vec![
        of("rsqrt_by_library", pisa_float::rsqrt::<F>, library::rsqrtf),
        of("exp2", pisa_float::exp2::<F>, library::exp2f),
        of("log2", pisa_float::log2::<F>, library::log2f),
        of("sin", pisa_float::sin::<F>, library::sinf),
        of("cos", pisa_float::cos::<F>, library::cosf),
        of("tanh", pisa_float::tanh::<F>, library::tanhf),
    ]
}

/// A function, plain; and with `.ftz` where the argument or the result is denormal.
fn of(
    operation: &'static str,
    got: impl Fn(u32, bool) -> u32 + Sync + 'static,
    library: impl Fn(f32) -> f32 + Sync + 'static,
) -> Check {
    let expected = move |a: u64| {
        if is_nan::<Single>(a) {
            return quiet::<Single>(a);
        }
        let result = library(f32::from_bits(a as u32));
        if result.is_nan() { Single::NAN } else { u64::from(result.to_bits()) }
    };
    let what = "plain; .ftz where the argument or the result is denormal";
    let check = values(format!("f.{operation}"), what, move |first, tally| {
        for a in first..first + BLOCK as u64 {
            let plain = expected(a);
            let case = || format!("{operation} f 0x{a:08x}");
            tally.compare(u64::from(got(a as u32, false)), plain, case);
            if is_denormal::<Single>(a) || is_denormal::<Single>(plain) {
                let flushed = flush::<Single>(expected(flush::<Single>(a)));
                tally.compare(u64::from(got(a as u32, true)), flushed, || format!("ftz {}", case()));
            }
        }
    });
    Check { missing: library::MISSING, ..check }
}
