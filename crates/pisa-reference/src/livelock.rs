//! The search for lanes that run in circles.
//!
//! What a sub-group does next follows from its own state and from memory. When its state comes back while no store has
//! changed a byte of any memory meanwhile, it comes back for ever, unless somebody else changes memory. When that is so
//! for every sub-group that can run, nobody will: a livelock. A loop that also counts its turns never comes back to a
//! state; the fuel ends it.
//!
//! Under a fair schedule the state of a sub-group contains whose turn it is, and does not come back. There each lane is
//! watched alone: what it does follows from its own registers and from memory, as long as no instruction looks at
//! other lanes. When that happens, the search begins anew.

use crate::cross_lane::{LANES, lanes_of};
use crate::schedule::{Scheduler, Step};
use crate::subgroup::{ActivationId, Lane, SubGroup};
use pisa_module::FunctionId;

/// Jumps back without a change of memory before the first state is kept.
const QUIET: u64 = 1 << 10;
/// The same for the jumps back of one lane.
const QUIET_LANE: u64 = 1 << 6;

/// How the search stands for one sub-group.
#[derive(Default)]
pub(crate) struct Watch {
    /// Changes of memory that have been seen.
    changes: u64,
    /// Jumps back since the last of them.
    jumps: u64,
    /// An earlier state since then.
    kept: Option<State>,
    /// Whether the state has come back since then.
    circling: bool,
    /// The same by lane, under fair schedules.
    lanes: Vec<LaneWatch>,
}

/// How it stands for one lane.
#[derive(Clone, Default)]
struct LaneWatch {
    jumps: u64,
    kept: Option<LaneState>,
    circling: bool,
}

/// The state of a sub-group. Activations are counted from the oldest one on, so that calls that were made again are the
/// same.
#[derive(PartialEq, Eq)]
struct State {
    /// What each lane does: 0 gone, 1 ready, 2 waiting; in which activation, before which instruction.
    lanes: Vec<(u8, usize, usize)>,
    /// Functions and who called them.
    activations: Vec<(FunctionId, Option<(usize, usize)>)>,
    /// What a schedule remembers.
    remembered: Vec<(usize, usize, Step)>,
    registers: Vec<u128>,
}

/// The state of a lane: where it stands in each function, innermost first, and all its registers there.
#[derive(Clone, PartialEq, Eq)]
struct LaneState {
    stack: Vec<(FunctionId, usize)>,
    registers: Vec<u128>,
}

impl Watch {
    /// Something else than a store has changed what will happen: a barrier has let lanes go on.
    pub(crate) fn restart(&mut self) {
        *self = Watch::default();
    }
}

impl SubGroup {
    /// Whether it is known to run in circles as long as memory stays as it is after that many changes.
    pub(crate) fn is_circling(&self, changes: u64) -> bool {
        if self.watch.changes != changes {
            return false;
        }
        if !self.scheduler.is_fair() {
            return self.watch.circling;
        }
        let circling = |lane: usize| self.watch.lanes.get(lane).is_some_and(|watch| watch.circling);
        (0..LANES).all(|lane| !matches!(self.lanes[lane], Lane::Ready(_)) || circling(lane))
    }

    /// An instruction has looked at which lanes were active.
    pub(crate) fn lanes_were_seen(&mut self) {
        // A lane on its own always sees the same.
        if let Scheduler::Independent(_) = self.scheduler {
            self.watch.lanes.clear();
        }
    }

    /// Looks whether the state after a jump back was there before; `changes` counts the changes of memory so far, `lanes`
    /// are those that ran.
    pub(crate) fn watch(&mut self, changes: u64, lanes: u32) {
        if self.watch.changes != changes {
            self.watch = Watch { changes, ..Watch::default() };
        }
        if self.scheduler.is_fair() {
            lanes_of(lanes).for_each(|lane| self.watch_lane(lane));
            return;
        }
        self.watch.jumps += 1;
        if self.watch.jumps < QUIET {
            return;
        }
        // Mostly the lanes stand elsewhere: then the registers need no look.
        if let Some(kept) = &self.watch.kept
            && kept.lanes == self.standing()
            && *kept == self.state()
        {
            self.watch.circling = true;
        }
        // Kept at ever longer distances, so that a circle of any length fits in between.
        if self.watch.jumps.is_power_of_two() {
            self.watch.kept = Some(self.state());
        }
    }

    fn watch_lane(&mut self, lane: usize) {
        self.watch.lanes.resize(LANES, LaneWatch::default());
        let watch = &mut self.watch.lanes[lane];
        watch.jumps += 1;
        if watch.circling || watch.jumps < QUIET_LANE {
            return;
        }
        let keep = watch.jumps.is_power_of_two();
        let state = self.lane_state(lane);
        let watch = &mut self.watch.lanes[lane];
        watch.circling = state.is_some() && watch.kept == state;
        if keep {
            watch.kept = state;
        }
    }

    /// The state of a lane that can run.
    fn lane_state(&self, lane: usize) -> Option<LaneState> {
        let Lane::Ready(position) = self.lanes[lane] else { return None };
        let mut state = LaneState { stack: Vec::new(), registers: Vec::new() };
        let mut at = Some((position.activation, position.pc));
        while let Some((id, pc)) = at {
            let activation = self.activations.get(&id)?;
            state.stack.push((activation.function, pc));
            state.registers.extend(activation.registers.iter().skip(lane).step_by(LANES));
            at = activation.caller;
        }
        Some(state)
    }

    fn standing(&self) -> Vec<(u8, usize, usize)> {
        let stands =
            |kind, position: crate::subgroup::Position| (kind, self.rank(position.activation), position.pc);
        let lanes = self.lanes.iter().map(|lane| match *lane {
            Lane::Gone => (0, 0, 0),
            Lane::Ready(position) => stands(1, position),
            Lane::Waiting(position) => stands(2, position),
        });
        lanes.collect()
    }

    fn state(&self) -> State {
        let activations = self.activations.values().map(|activation| {
            (activation.function, activation.caller.map(|(caller, pc)| (self.rank(caller), pc)))
        });
        let remembered = match &self.scheduler {
            Scheduler::Ipdom(meetings) => meetings.remembered(|id| self.rank(id)),
            _ => Vec::new(),
        };
        let registers = self.activations.values().flat_map(|activation| activation.registers.iter().copied());
        State {
            lanes: self.standing(),
            activations: activations.collect(),
            remembered,
            registers: registers.collect(),
        }
    }

    /// How many activations are older.
    fn rank(&self, id: ActivationId) -> usize {
        self.activations.range(..id).count()
    }
}
