//! What watches a launch: one interface for every engine.
//!
//! An engine tells an [`Observer`] of each instruction it has asked for, before a sub-group executes it: operands still
//! have the values that the instruction reads. A launch without an observer pays nothing for it.

use crate::Standing;
use pisa_diag::Place;
use pisa_module::{FunctionId, Instruction, Program, RegisterId};
use std::ops::Range;

/// A value of each lane of a sub-group.
pub type LaneValues = [u64; crate::LANES as usize];

/// Which sub-group of a launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SubGroupId {
    /// Number of its work-group in the fixed order ([`crate::Launch::group_id`]).
    pub group: u64,
    /// Its number in the work-group.
    pub number: u32,
}

/// A work-group that begins.
#[derive(Clone, Copy, Debug)]
pub struct GroupBegin {
    /// Its number in the fixed order.
    pub number: u64,
    /// Its id.
    pub id: [u64; 3],
    /// Its actual size.
    pub size: [u32; 3],
}

/// A sub-group that is about to execute an instruction.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Which sub-group.
    pub subgroup: SubGroupId,
    /// Id of its work-group.
    pub group: [u64; 3],
    /// Actual size of its work-group.
    pub size: [u32; 3],
    /// The function.
    pub function: FunctionId,
    /// Index of the instruction in its code.
    pub index: u32,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Active lanes, at least one.
    pub lanes: u32,
    /// The activation of the function: a number that no other activation of the sub-group ever has. The kernel's own is
    /// the first one entered.
    pub activation: u64,
    /// What can be read there.
    pub view: &'a dyn View,
}

/// What an observer can read of a sub-group before an instruction.
///
/// Operands are counted as in [`Instruction::operands`]. Values of lanes that are not active are unspecified.
pub trait View {
    /// The low 64 bits of an element of an operand; of an immediate, a special register or the address of a variable
    /// its value in every lane. For `[base + offset]` the address, cut to its width; for `[%parameter + offset]` the
    /// offset, sign-extended. Every element of a scalar is the scalar.
    fn read(&self, operand: usize, element: usize, into: &mut LaneValues);
    /// The low 64 bits of an element of a register of the running activation.
    fn read_register(&self, register: RegisterId, element: usize, into: &mut LaneValues);
    /// Lanes in which a predicate operand holds, after its `!`.
    fn predicate(&self, operand: usize) -> u32;
    /// Bytes of private memory that belong to the running activation; those below belong to its callers.
    fn private_frame(&self) -> Range<u32>;
    /// Lanes of the sub-group that have not left the kernel, the active ones among them.
    fn live(&self) -> u32;
    /// Where the live lanes stand that are not active.
    fn elsewhere(&self) -> Vec<Standing>;
    /// The calls that lead to the running activation, innermost first.
    fn calls(&self) -> Vec<CallFrame>;
}

/// A call that has not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallFrame {
    /// The function that calls.
    pub caller: FunctionId,
    /// Where.
    pub place: Option<Place>,
}

/// Lanes that enter a function, or the kernel.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which sub-group.
    pub subgroup: SubGroupId,
    /// The call: the caller's activation, and the call's index in its code; `None` for the kernel.
    pub call: Option<(u64, u32)>,
    /// What they enter.
    pub function: FunctionId,
    /// The new activation.
    pub activation: u64,
    /// Who.
    pub lanes: u32,
    /// Its bytes of private memory.
    pub private: Range<u32>,
}

/// Watches a launch. Engines that have one run on one thread, in the fixed order.
pub trait Observer {
    /// Whether [`Observer::before`] shall be called for an instruction. Asked once for each before the launch begins.
    fn wants(&self, program: &Program, function: FunctionId, index: u32) -> bool;
    /// A work-group begins; its shared memory holds undefined bytes.
    fn begin_group(&mut self, _group: &GroupBegin) {}
    /// Every work-item of a work-group has left the kernel.
    fn end_group(&mut self, _group: u64) {}
    /// Lanes enter the kernel (once a sub-group) or a function, after [`Observer::before`] of the call.
    fn enter(&mut self, _entry: &Entry) {}
    /// Lanes leave an activation, after [`Observer::before`] of their `return`, if they reached one.
    fn leave(&mut self, _subgroup: SubGroupId, _activation: u64, _lanes: u32) {}
    /// A sub-group is about to execute an instruction.
    fn before(&mut self, step: &Step<'_>);
    /// All live work-items of a work-group have arrived at a barrier and go on.
    fn release(&mut self, _group: u64) {}
}
