//! Modules with every name resolved and every rule checked; linking; printing.

mod model;

pub use model::*;
