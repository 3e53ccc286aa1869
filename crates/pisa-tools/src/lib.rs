//! The library behind the `pisa` command: checking, formatting, linking and running PISA modules, the instruction
//! reference and the long texts of the diagnostics.
//!
//! Nothing here prints; every function gives data back.

pub mod explain;
pub mod isa;
mod status;

pub use status::*;
