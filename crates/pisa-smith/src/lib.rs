//! Random valid PISA programs with launches, the comparison of engines on them, and the shrinking of what differs.
//!
//! A [`Program`] is a small tree: statements over a fixed catalogue of registers. It is made of a seed or of bytes
//! ([`Program::generate`]), printed as one or several modules with a launch ([`Program::case`]), compared on several engines
//! ([`compare`]), and where they disagree, made smaller as long as they do ([`shrink`]).
//!
//! Every program is accepted by strict checks, comes to its end, and is free of undefined behaviour: no division by zero,
//! every access inside its object and aligned, every register written before it is read, vector indices in range, the
//! masks of cross-lane instructions uniform, barriers only where every live work-item of the work-group arrives, and no
//! races: work-items write memory of their own, exchange values across barriers, and meet only in atomics that commute.
#![forbid(unsafe_code)]

mod case;
mod choices;
mod compare;
mod generate;
mod optimised;
mod print;
pub mod reconvergence;
mod registers;
mod shrink;
mod spelling;
mod tree;
mod values;

pub use case::{Argument, Case};
pub use choices::Seed;
pub use compare::{Disagreement, Kind, NamedEngine, compare, compare_all, forms_in, host_engines};
pub use optimised::{Variant, compare_optimised};
pub use shrink::shrink;
pub use tree::Program;

/// A valid module with its launch, from a seed or from bytes.
pub fn generate(seed: impl Into<Seed>) -> Case {
    Program::generate(seed).case()
}
