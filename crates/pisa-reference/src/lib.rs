//! The executable specification of PISA: what every instruction does, one lane after the other.
//!
//! The chapters of the instruction reference are the modules `arithmetic`, `floating_point`, `logical`, `data_movement`,
//! `comparison`, `control_flow`, `cross_lane`, `memory` and `synchronization`: one short function for each instruction,
//! written to be read next to the specification. Ids such as A-07 name decisions of `docs/decisions.md`, where the
//! specification is silent.
//!
//! The rest is the machine around them. `operands` and `code` look operands up, `subgroup` chooses which lanes run next,
//! `run` runs an instruction for them, `compute` what of it is values alone, `observe` shows it to who watches, `engine`
//! lets sub-groups and work-groups take turns, `livelock` notices when they
//! run in circles.
//!
//! [`Evaluator`] computes an instruction on given values, without a launch.
//!
//! Nothing here is shared with the vector engine but the instruction table and the machine's memory and launches, so that
//! the two can check each other.
#![forbid(unsafe_code)]

mod arithmetic;
mod bits;
mod code;
mod comparison;
mod compute;
mod control_flow;
mod cross_lane;
mod data_movement;
mod engine;
mod evaluate;
mod floating_point;
mod livelock;
mod logical;
mod memory;
mod observe;
mod operands;
mod qualifiers;
mod run;
mod schedule;
mod semantics;
mod spaces;
mod subgroup;
mod synchronization;

pub use engine::ReferenceEngine;
pub use evaluate::Evaluator;
