//! What a check is.

use crate::access::Access;
use crate::finding::Findings;
use pisa_machine::{Entry, GroupBegin, Image, Launch, Memory, Step, SubGroupId};
use pisa_module::{Function, Instruction};

/// What checks know of the launch.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) image: &'a Image,
    /// Global and constant memory.
    pub(crate) memory: &'a Memory,
    pub(crate) launch: &'a Launch,
}

/// One kind of fault. The methods are those of [`pisa_machine::Observer`], with where to report to.
pub(crate) trait Check {
    /// Whether [`Check::before`] shall be called for an instruction.
    fn wants(&self, function: &Function, instruction: &Instruction) -> bool;
    fn begin_group(&mut self, _context: &Context<'_>, _group: &GroupBegin) {}
    fn end_group(&mut self, _context: &Context<'_>, _group: u64) {}
    fn enter(&mut self, _context: &Context<'_>, _entry: &Entry) {}
    fn leave(&mut self, _context: &Context<'_>, _subgroup: SubGroupId, _activation: u64, _lanes: u32) {}
    /// A sub-group is about to execute an instruction; `access` where it is `ld`, `st`, `iatom` or `fatom`.
    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        access: Option<&Access>,
        findings: &mut Findings,
    );
    fn release(&mut self, _context: &Context<'_>, _group: u64, _findings: &mut Findings) {}
}
