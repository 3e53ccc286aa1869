//! Modules with every name resolved and every rule checked; linking; printing.
//!
//! [`lower()`] makes a [`Module`] of a parsed file, [`link`] a [`Program`] of modules, [`print`] text of a module.

pub mod codes;
mod lower;
mod model;

pub use lower::{Lowered, Options, lower};
pub use model::*;
