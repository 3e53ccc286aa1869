//! From a difference that a launch leaves to the first place that made it.

use super::report::{self, Root};
use super::trace::{Follower, Found, KEPT_STEPS, Numbering, Seen, Sites, Trace, Tracer, WorkItem};
use super::written::{Bytes, Writers, Written, reached};
use super::{Difference, Runs, crosses_lanes};
use crate::access::Shape;
use crate::finding::Finding;
use pisa_machine::{Observer, Outcome, Schedule};
use rustc_hash::FxHashMap;

/// Marks that are kept of a launch, about.
const MOST_MARKS: u64 = 1 << 22;
/// Work-items that are looked at step by step.
const MOST_ITEMS: usize = 64;

/// The first place, in the order of the lexical schedule, whose outcome differs under the other one.
pub(super) fn locate(
    runs: &Runs<'_>,
    lexical: &Outcome,
    (schedule, other): (Schedule, &Outcome),
    difference: Difference,
) -> Option<Finding> {
    let pair =
        Pair { runs, schedule, sites: Sites::of(&runs.image.program), numbering: Numbering::of(runs.launch) };
    let lane_steps = lexical.statistics.active_lanes.max(other.statistics.active_lanes);
    match pair.first_step(lane_steps) {
        Some((item, step)) => pair.root(item, step),
        // All read the same, so what they wrote is the same, in another order.
        None => {
            let bytes = Bytes { shared: None, range: difference.address..difference.address + 1 };
            let (first, second) = pair.writers(bytes, None);
            report::stores(runs, schedule, difference, first?, second?)
        }
    }
}

/// A launch under two schedules.
struct Pair<'a> {
    runs: &'a Runs<'a>,
    schedule: Schedule,
    sites: Sites,
    numbering: Numbering,
}

impl Pair<'_> {
    /// Runs the launch under both, watched by what `observer` makes.
    fn both<'s, O: Observer + 's>(&'s self, observer: impl Fn() -> O) -> (O, O) {
        let Runs { engine, image, memory, launch, before } = self.runs;
        let run = |schedule| {
            let mut observer = observer();
            self.runs.restore(before);
            engine.run_observed(image, memory, &self.runs.launch(schedule, launch.fuel), &mut observer);
            observer
        };
        (run(Schedule::Lexical), run(self.schedule))
    }

    /// The first step of a work-item that reads something else, in the order of the lexical schedule.
    fn first_step(&self, lane_steps: u64) -> Option<(WorkItem, u64)> {
        let chunk = (lane_steps / MOST_MARKS + 1).min(KEPT_STEPS);
        let (first, second) = self.both(|| Tracer::new(&self.sites, self.numbering, chunk, None));
        let mut differing = differences(&first.finish(), &second.finish());
        differing.truncate(MOST_ITEMS);
        if chunk == 1 {
            return differing.first().map(|&(item, mark, _)| (item, mark as u64 + 1));
        }
        // Step by step within the chunk.
        let window: FxHashMap<WorkItem, u64> =
            differing.iter().map(|&(item, mark, _)| (item, mark as u64 * chunk)).collect();
        let (first, second) = self.both(|| Tracer::new(&self.sites, self.numbering, 1, Some(&window)));
        let differing = differences(&first.traces, &second.traces);
        let (item, mark, _) = *differing.first()?;
        Some((item, window.get(&item)? + mark as u64 + 1))
    }

    /// What gave a work-item another value, given the first step that reads one.
    fn root(&self, item: WorkItem, step: u64) -> Option<Finding> {
        let (first, second) = self.both(|| Follower::new(&self.sites, self.numbering, item, step));
        let (first, second) = (first.found?, second.found?);
        let other = first.values.iter().zip(&second.values).find(|(a, b)| (a.0, a.1, a.2) != (b.0, b.1, b.2));
        let lane = (item % 32) as u32;
        let Some(((_, _, one, Some(writer)), (_, _, two, Some(twin)))) = other else {
            // It is the mask itself that it reads.
            return Some(self.by_mask(lane, &first, (&first.seen, &second.seen), None));
        };
        let instruction = self.instruction(writer)?;
        if crosses_lanes(instruction) || writer.address.is_none() {
            return Some(self.by_mask(lane, &first, (writer, twin), Some((*one, *two))));
        }
        let bytes = Shape::of(instruction).and_then(|shape| reached(shape, writer.address?, writer.number));
        let written = bytes.map(|bytes| self.writers(bytes, Some((item, writer.step))));
        Some(report::order(
            self.runs,
            self.schedule,
            &Root { lane, reader: &first.seen, seen: (writer, twin), values: Some((*one, *two)) },
            written.unwrap_or_default(),
        ))
    }

    fn by_mask(
        &self,
        lane: u32,
        reader: &Found,
        seen: (&Seen, &Seen),
        values: Option<(u64, u64)>,
    ) -> Finding {
        report::mask(self.runs, self.schedule, &Root { lane, reader: &reader.seen, seen, values })
    }

    fn instruction(&self, seen: &Seen) -> Option<&pisa_module::Instruction> {
        self.runs.image.program.function(seen.function).code.get(seen.index as usize)
    }

    fn writers(&self, bytes: Bytes, until: Option<(WorkItem, u64)>) -> (Option<Written>, Option<Written>) {
        let (first, second) = self.both(|| Writers::new(bytes.clone(), until, self.numbering));
        (first.last, second.last)
    }
}

/// Work-items whose traces differ, the number of the first mark that does, and the time of it in the first one; ordered
/// by that.
fn differences(first: &[Trace], second: &[Trace]) -> Vec<(WorkItem, usize, u64)> {
    let mut found: Vec<(WorkItem, usize, u64)> = Vec::new();
    for (item, (a, b)) in (0..).zip(first.iter().zip(second)) {
        let mut marks = a.marks.iter().zip(&b.marks).enumerate();
        if let Some((mark, (&(_, time), _))) = marks.find(|(_, ((x, _), (y, _)))| x != y) {
            found.push((item, mark, time));
        }
    }
    found.sort_by_key(|&(item, _, time)| (time, item));
    found
}
