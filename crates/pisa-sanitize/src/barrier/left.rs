//! Work-items that went past a barrier and left the kernel without it (B0505; Y-01, Y-02).
//!
//! Spec 9.1 excuses work-items that have left the kernel. One that left by an early `return`, ahead of the barrier or on a
//! turn of a loop around it, or by a jump straight to the end, is taken to have meant that; one that went on behind
//! the barrier is taken to have gone round it.

use super::loops::Loops;
use super::{Arrival, text};
use crate::finding::{Finding, Findings};
use pisa_diag::Place;
use pisa_diag::codes::finding::barrier as codes;
use pisa_isa::SlotName;
use pisa_machine::{Step, SubGroupId};
use pisa_module::Function;
use rustc_hash::FxHashMap;

/// Who has left the kernel in the work-groups that run.
#[derive(Default)]
pub(super) struct Left {
    /// By sub-group, as engines may take several at once: the lanes that its `return` sends away, and its index.
    returning: FxHashMap<SubGroupId, (u32, u32)>,
    /// By work-group.
    gone: FxHashMap<u64, Vec<Gone>>,
}

/// Lanes that have left the kernel at the same instruction.
pub(super) struct Gone {
    pub(super) subgroup: u32,
    pub(super) lanes: u32,
    /// The `return`; the length of the code where the kernel ended by itself.
    index: u32,
    /// The `return`.
    pub(super) place: Option<Place>,
}

impl Left {
    pub(super) fn about_to_return(&mut self, step: &Step<'_>) {
        let conditional = step.instruction.has(SlotName::Cond);
        let lanes = if conditional { step.view.predicate(0) & step.lanes } else { step.lanes };
        self.returning.insert(step.subgroup, (lanes, step.index));
    }

    /// Lanes leave a kernel.
    pub(super) fn leave(&mut self, kernel: &Function, subgroup: SubGroupId, lanes: u32) {
        let end = kernel.code.len() as u32;
        let index = match self.returning.remove(&subgroup) {
            Some((leaving, index)) if leaving == lanes => index,
            _ => end,
        };
        let place = kernel.code.get(index as usize).map(|instruction| instruction.place);
        let gone = self.gone.entry(subgroup.group).or_default();
        match gone.iter_mut().find(|known| known.subgroup == subgroup.number && known.index == index) {
            Some(known) => known.lanes |= lanes,
            None => gone.push(Gone { subgroup: subgroup.number, lanes, index, place }),
        }
    }

    pub(super) fn end_group(&mut self, group: u64) {
        self.gone.remove(&group);
        self.returning.retain(|id, _| id.group != group);
    }

    /// A work-group goes on from a barrier of its kernel.
    pub(super) fn report(
        &self,
        kernel: &Function,
        loops: Option<&Loops>,
        waiting: &Arrival,
        group: u64,
        findings: &mut Findings,
    ) {
        let turn = loops.and_then(|loops| loops.last_turn(waiting.index)).unwrap_or(waiting.index);
        for gone in self.gone.get(&group).into_iter().flatten() {
            let jumped_out = kernel.labels.iter().any(|label| label.target == gone.index);
            if gone.index <= waiting.index.max(turn) || jumped_out {
                continue;
            }
            let key = (codes::PASSED_BY, waiting.place, gone.place);
            findings.report_finding(key, waiting.lanes, || Finding {
                code: codes::PASSED_BY,
                place: waiting.place,
                text: text::passed_by(waiting, gone),
                count: 1,
                lanes_in_all: u64::from(waiting.lanes.count_ones()),
                group: waiting.group,
                size: waiting.size,
                subgroup: waiting.subgroup,
                lanes: waiting.lanes,
                active: waiting.lanes,
                live: waiting.lanes,
                function: kernel.name.clone(),
                object: None,
                elsewhere: Vec::new(),
                calls: Vec::new(),
            });
        }
    }
}
