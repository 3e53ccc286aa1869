//! Deadlock and livelock, explained: who waits where.

use crate::cohort::Cohort;
use crate::run::Runner;
use crate::state::{BatchState, Entry};
use pisa_machine::{Doing, Standing, Stop, StopReason};

/// Most sets of lanes that are told of.
const MOST: usize = 12;

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
        let mut standing = Vec::new();
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
                    let doing = match (blocked, first) {
                        (true, _) => Doing::WaitAtBarrier,
                        (false, true) => Doing::Spin,
                        (false, false) => Doing::WaitForThem,
                    };
                    if standing.len() < MOST {
                        standing.push(self.standing(batch, entry, subgroup, doing));
                    }
                }
            }
        }
        let first = batches().find_map(|batch| {
            let running = batch.waiting.iter().min_by(|a, b| batch.order(a, b));
            Some((batch, running.or(batch.blocked.first())?))
        });
        let Some((batch, entry)) = first else {
            return Box::new(Stop { reason, place: None, group: [0; 3], subgroup: 0, lanes: 0, standing });
        };
        let subgroup = entry.masks.iter().position(|&m| m != 0).unwrap_or(0);
        let function = batch.activations[entry.activation as usize].function;
        let mut stop = self.stop(batch, function, entry.pc as usize, reason, subgroup, entry.masks[subgroup]);
        stop.standing = standing;
        stop
    }

    fn standing(&self, batch: &BatchState, entry: &Entry, subgroup: usize, doing: Doing) -> Standing {
        let function = self.image.program.function(batch.activations[entry.activation as usize].function);
        // Lanes at a barrier stand behind it.
        let pc = entry.pc.saturating_sub(u32::from(doing == Doing::WaitAtBarrier));
        let origin = &batch.origins[subgroup];
        Standing {
            group: origin.group,
            subgroup: origin.number,
            lanes: entry.masks[subgroup],
            doing,
            place: function.code.get(pc as usize).map(|instruction| instruction.place),
        }
    }
}
