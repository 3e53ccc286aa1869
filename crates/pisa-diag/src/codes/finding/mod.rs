//! Codes of findings: what a sanitizer saw happen in a launch (`pisa run --san`), each kind in a list of its own.

pub mod barrier;
pub mod convergence;
pub mod initialisation;
pub mod memory;
pub mod race;
pub mod schedule;
pub mod undefined;
