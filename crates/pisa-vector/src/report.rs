//! Deadlock and livelock, explained: who waits where.

use crate::cohort::Cohort;
use crate::run::Runner;
use crate::state::{BatchState, Entry};
use pisa_machine::{Stop, StopReason};

/// Most lines of details.
const MOST_LINES: usize = 12;

impl Runner<'_> {
    /// Every live lane of a cohort waits at a barrier that is not complete.
    pub(crate) fn deadlock(&self, cohort: &Cohort) -> Box<Stop> {
        self.explain(std::slice::from_ref(cohort), StopReason::Deadlock)
    }

    /// No lane that can run changes anything any more.
    pub(crate) fn livelock(&self, cohorts: &[Cohort]) -> Box<Stop> {
        self.explain(cohorts, StopReason::Livelock)
    }

    fn explain(&self, cohorts: &[Cohort], reason: StopReason) -> Box<Stop> {
        let batches = || cohorts.iter().flat_map(|cohort| &cohort.batches);
        let mut lines = Vec::new();
        for batch in batches() {
            // Those that run for nothing are the first in order of their sub-groups.
            let mut order: Vec<&Entry> = batch.waiting.iter().collect();
            order.sort_by(|a, b| batch.order(a, b));
            let mut running = 0u32;
            for (entry, blocked) in
                order.iter().map(|e| (*e, false)).chain(batch.blocked.iter().map(|e| (e, true)))
            {
                for subgroup in (0..batch.count).filter(|&s| entry.masks[s] != 0) {
                    let first = running >> subgroup & 1 == 0;
                    if !blocked {
                        running |= 1 << subgroup;
                    }
                    let what = match (blocked, first) {
                        (true, _) => "wait at the barrier",
                        (false, true) => "run in circles",
                        (false, false) => "wait for them",
                    };
                    lines.push(self.line(batch, entry, subgroup, what, blocked));
                }
            }
        }
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        let first = batches().find_map(|batch| {
            let running = batch.waiting.iter().min_by(|a, b| batch.order(a, b));
            Some((batch, running.or(batch.blocked.first())?))
        });
        let Some((batch, entry)) = first else {
            return Box::new(Stop {
                reason,
                place: None,
                group: [0; 3],
                subgroup: 0,
                lanes: 0,
                details: lines,
            });
        };
        let subgroup = entry.masks.iter().position(|&m| m != 0).unwrap_or(0);
        let function = batch.activations[entry.activation as usize].function;
        let mut stop = self.stop(batch, function, entry.pc as usize, reason, subgroup, entry.masks[subgroup]);
        stop.details = lines;
        stop
    }

    /// `lanes 0-15 of sub-group 1, work-group (0,0,0), wait at the barrier: instruction 7 of @k, barrier.workgroup`
    fn line(&self, batch: &BatchState, entry: &Entry, subgroup: usize, what: &str, blocked: bool) -> String {
        let id = batch.activations[entry.activation as usize].function;
        let function = self.image.program.function(id);
        let pc = if blocked { entry.pc.saturating_sub(1) } else { entry.pc };
        let at = match function.code.get(pc as usize) {
            Some(instruction) => {
                format!("instruction {pc} of @{}, {}", function.name, instruction.row().opcode.text())
            }
            None => format!("the end of @{}", function.name),
        };
        let origin = &batch.origins[subgroup];
        let [x, y, z] = origin.group;
        format!(
            "lanes {} of sub-group {}, work-group ({x},{y},{z}), {what}: {at}",
            ranges(entry.masks[subgroup]),
            origin.number
        )
    }
}

/// `0-7,9`.
pub(crate) fn ranges(mask: u32) -> String {
    let mut text = String::new();
    let mut lane = 0;
    while lane < 32 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let length = (!(mask >> lane)).trailing_zeros().min(32 - lane);
        if !text.is_empty() {
            text.push(',');
        }
        text += &match length {
            1 => lane.to_string(),
            _ => format!("{lane}-{}", lane + length - 1),
        };
        lane += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_read_as_ranges() {
        assert_eq!(ranges(u32::MAX), "0-31");
        assert_eq!(ranges(0x8000_02FF), "0-7,9,31");
        assert_eq!(ranges(0), "");
        assert_eq!(ranges(0xFFFF_0000), "16-31");
    }
}
