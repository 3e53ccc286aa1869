//! The fast engine: 32 lanes as arrays, several sub-groups a step.
//!
//! [`VectorEngine`] decodes a program once a launch, packs sub-groups into batches and runs one instruction for a whole
//! batch at a time.

mod batch;
mod buffer;
mod calls;
mod code;
mod cohort;
mod decode;
mod engine;
mod kernels;
mod level;
pub mod limit;
mod masks;
mod memory;
mod moves;
mod observe;
mod pool;
mod private;
mod report;
mod run;
mod schedule;
mod special;
mod state;
mod worker;

pub use batch::*;
pub use engine::VectorEngine;
pub use level::Level;
