//! The model of a diagnostic, its code, and its renderings.
//!
//! Knows nothing of PISA itself: places are byte ranges in [`Sources`], texts come from whoever found the fault.
//! The codes and their long texts are in [`codes`].

pub mod codes;
mod levels;
mod model;
mod occurrence;
pub mod render;
mod report;
mod source;

pub use codes::{CODES, CodeInfo, info};
pub use levels::*;
pub use model::*;
pub use occurrence::*;
pub use report::*;
pub use source::*;
