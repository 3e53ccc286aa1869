//! The search for lanes that run in circles, lane by lane.
//!
//! A lane that comes back to the registers, private memory and calls of an earlier time, while no memory has changed and no
//! instruction has looked at which lanes are active, comes back for ever: under a fair schedule whatever the others do.
//! Under `ipdom` all lanes and the tree of their parts must come back together.

use super::{Order, blocked, place_of};
use crate::code::Code;
use crate::state::{BatchState, ROOT};
use pisa_machine::LANES;

/// Turns without a change before states are kept.
const QUIET: u64 = 8;

/// How the search stands for a sub-group.
#[derive(Default)]
pub(super) struct Watch {
    /// Changes of memory so far.
    changes: u64,
    /// Turns since the last one.
    turns: u64,
    /// Whether somebody looked at which lanes were active in this turn.
    seen: bool,
    /// Under `ipdom`: an earlier state since then, and whether it has come back.
    kept: Option<Vec<u8>>,
    circling: bool,
    /// By lane, under fair schedules.
    lanes: [LaneWatch; LANES as usize],
}

#[derive(Default)]
struct LaneWatch {
    /// Jumps back.
    jumps: u64,
    /// An earlier state, and the jumps until then.
    kept: Option<(u64, Vec<u8>)>,
    circling: bool,
}

impl Watch {
    /// Lanes have jumped back or called.
    pub(super) fn jumped_back(&mut self, lanes: u32) {
        crate::moves::each_lane(lanes, |lane| self.lanes[lane].jumps += 1);
    }

    /// What a lane did depended on which others were active.
    pub(super) fn lanes_were_seen(&mut self) {
        self.seen = true;
    }

    /// A turn is over; memory has changed in so many turns so far.
    pub(super) fn end_turn(&mut self, code: &Code, state: &BatchState, order: &Order, changes: u64) {
        // Under `ipdom` what they see comes back with the tree, under `lanes` each is always alone.
        let seen = std::mem::take(&mut self.seen) && matches!(order, Order::Drawn(_));
        if self.changes != changes || seen {
            *self = Watch { changes, ..Watch::default() };
        }
        self.turns += 1;
        if self.turns < QUIET {
            return;
        }
        let keep = self.turns.is_power_of_two();
        if let Order::Parts(parts) = order {
            let mut now = Vec::new();
            for lane in 0..LANES as usize {
                lane_state(code, state, lane, &mut now);
            }
            now.extend(blocked(state).to_le_bytes());
            now.extend(parts.numbers().into_iter().flat_map(u32::to_le_bytes));
            self.circling |= self.kept.as_ref() == Some(&now);
            if keep {
                self.kept = Some(now);
            }
            return;
        }
        for (lane, watch) in self.lanes.iter_mut().enumerate() {
            let moved = watch.kept.as_ref().is_none_or(|(jumps, _)| watch.jumps > *jumps);
            if watch.circling || !moved || place_of(state, lane as u32).is_none() {
                continue;
            }
            let mut now = Vec::new();
            lane_state(code, state, lane, &mut now);
            watch.circling = watch.kept.as_ref().is_some_and(|(_, before)| *before == now);
            if keep {
                watch.kept = Some((watch.jumps, now));
            }
        }
    }

    /// Whether every lane that can run is known to run in circles unless memory changes.
    pub(super) fn is_circling(&self, state: &BatchState, changes: u64) -> bool {
        let circling = |lane: u32| self.lanes[lane as usize].circling || place_of(state, lane).is_none();
        self.changes == changes && (self.circling || (0..LANES).all(circling))
    }
}

/// Everything that decides what a lane does next, memory of others excepted; nothing for a lane that cannot run.
fn lane_state(code: &Code, state: &BatchState, lane: usize, into: &mut Vec<u8>) {
    let Some((mut id, mut pc)) = place_of(state, lane as u32) else { return };
    loop {
        let activation = &state.activations[id as usize];
        into.extend(activation.function.0.to_le_bytes());
        into.extend(pc.to_le_bytes());
        if let (Some(function), Some(frame)) = (code.function(activation.function), &activation.frame) {
            let bytes = frame.bytes();
            for &(plane, ty) in &function.registers {
                let start = plane.0 as usize;
                if ty.is_predicate() {
                    into.push(bytes[start + lane / 8] >> (lane % 8) & 1);
                    continue;
                }
                let size = usize::from(ty.bits / 8);
                for element in 0..usize::from(ty.elements) {
                    let at = start + (element * LANES as usize + lane) * size;
                    into.extend(&bytes[at..at + size]);
                }
            }
        }
        if id == ROOT {
            break;
        }
        (id, pc) = (activation.parent, activation.return_pc);
    }
    let words = state.private[0].words().iter().skip(lane).step_by(LANES as usize);
    into.extend(words.flat_map(|word| word.to_le_bytes()));
}
