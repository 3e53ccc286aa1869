//! Facts about functions that passes ask for: each is computed from a function as it stands and says nothing about a later one.
//!
//! * [`ControlFlow`]: edges and orders of blocks; [`Dominators`], [`PostDominators`], [`LoopNest`].

mod control_flow;
mod dominators;
mod loops;
#[cfg(test)]
mod tests;
mod tree;

pub use control_flow::{ControlFlow, Edge};
pub use dominators::{Dominators, PostDominators};
pub use loops::{Loop, LoopData, LoopNest};
