//! The fast engine: 32 lanes as arrays, several sub-groups a step.

mod batch;

pub use batch::*;
