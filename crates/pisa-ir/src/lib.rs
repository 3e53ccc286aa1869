//! Mask-aware SSA: PISA with what matters to sub-group instructions made explicit.
//!
//! A [`Function`] is a list of blocks in *lexical order*. The order is part of its meaning: under the `lexical` schedule
//! (decision X-04) the lanes of a sub-group that stand in the lowest block run first, so that it decides where lanes meet
//! again. Values are in SSA form, as one lane sees them; blocks have parameters instead of phi instructions.
//!
//! What other compilers leave implicit is here an operand:
//! * the **active set** under which a convergent instruction runs, as a token ([`ActiveSet`]);
//! * the **mask** of lanes that take part;
//! * the **pass-through**, the value that lanes outside the mask keep (S-03);
//! * what a lane gets from one that does not take part ([`InactiveSource`]).
//!
//! What an instruction *is* comes from the instruction table for the forms of the specification, and from
//! [`CrossLaneKind`] for the sub-group operations that source languages have; everything asks [`Operation`].
#![forbid(unsafe_code)]
// Module comments hold the arguments why code is right, and name the private modules that they are about.
#![allow(rustdoc::private_intra_doc_links)]

pub mod active_sets;
pub mod analysis;
mod cross_lane;
mod edit;
pub mod export;
pub mod fold;
mod function;
pub mod import;
pub mod legality;
pub mod lower;
pub mod model;
mod operation;
pub mod passes;
pub mod rules;
#[cfg(test)]
mod samples;
mod signature;
#[cfg(test)]
mod test_support;
pub mod text;
pub mod verify;

pub use cross_lane::{
    Axis, ClusterSize, CrossLane, CrossLaneKind, Element, InactiveSource, Reduction, Scope, ShuffleKind,
};
pub use function::{
    ActiveSet, Block, BlockData, Constant, Definition, Function, Instruction, InstructionData, Module,
    Operand, Position, Target, Terminator, Value, ValueData,
};
pub use import::import;
pub use operation::{LaneMask, MaskOperation, Operation, Properties, VectorOperation};
pub use signature::{Allowed, OperandShape, Role, Signature, TypeRule};
