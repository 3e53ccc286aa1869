//! The model of a diagnostic, its code, and its renderings.
//!
//! Knows nothing of PISA itself: places are byte ranges in [`Sources`], texts come from whoever found the fault.

mod model;
mod source;

pub use model::*;
pub use source::*;
