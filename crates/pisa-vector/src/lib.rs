//! The fast engine: 32 lanes as arrays, several sub-groups a step.

mod batch;
mod kernels;
mod level;
pub mod limit;

pub use batch::*;
pub use level::Level;
