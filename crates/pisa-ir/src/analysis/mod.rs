//! Facts about functions that passes ask for: each is computed from a function as it stands and says nothing about a later one.
//!
//! * [`ControlFlow`]: edges and orders of blocks; [`Dominators`], [`PostDominators`], [`LoopNest`].
//! * [`Liveness`]: which values are needed at the ends of blocks.
//! * [`Uniformity`]: which values are the same in all lanes that run together.
//! * [`MaskFacts`]: bits of masks, and how masks stand to active sets; [`Ranges`]: bounds of integers.

mod control_flow;
mod dominators;
mod liveness;
mod loops;
mod masks;
mod ranges;
#[cfg(test)]
mod tests;
mod uniformity;

pub use control_flow::{ControlFlow, Edge};
pub use dominators::{Dominators, PostDominators};
pub use liveness::Liveness;
pub use loops::{Loop, LoopData, LoopNest};
pub use masks::{MaskFact, MaskFacts};
pub use ranges::{Range, Ranges};
pub use uniformity::{Strength, Uniformity};
