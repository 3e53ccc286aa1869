//! The schedule `ipdom`: lanes that part at a branch wait for each other at its immediate post-dominator, lanes that part
//! at a call behind it.
//!
//! Each lane remembers the partings that it has not yet come back from. Lanes that remember the same, each in the same
//! part, run together.

use super::Scheduler;
use crate::cross_lane::{LANES, lanes_of};
use crate::subgroup::{ActivationId, Lane, Position, SubGroup};

/// A parting as a lane remembers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Which parting: the same number for all lanes of it.
    parting: u64,
    /// In which part the lane is; lower ones go first.
    part: u32,
    /// In which activation they meet …
    activation: ActivationId,
    /// … and before which instruction; `None`: nowhere before they leave it.
    pc: Option<usize>,
}

/// What the lanes of a sub-group remember.
#[derive(Default)]
pub(crate) struct Meetings {
    /// By lane, the outermost parting first.
    paths: [Vec<Step>; LANES],
    /// Partings so far.
    partings: u64,
}

impl Meetings {
    /// Lanes part: each entry of `parts` goes its own way. They meet in this activation before `pc`.
    pub(crate) fn part(&mut self, activation: ActivationId, pc: Option<usize>, parts: &[u32]) {
        self.partings += 1;
        for (part, &lanes) in (0..).zip(parts) {
            for lane in lanes_of(lanes) {
                self.paths[lane].push(Step { parting: self.partings, part, activation, pc });
            }
        }
    }

    /// Lanes leave an activation, and with it the partings in it.
    pub(crate) fn leave(&mut self, activation: ActivationId, lanes: u32) {
        for lane in lanes_of(lanes) {
            while self.paths[lane].last().is_some_and(|step| step.activation == activation) {
                self.paths[lane].pop();
            }
        }
    }

    /// By lane what it remembers. Partings are named by their first lane, activations by their `rank`, so that the same
    /// memories read the same.
    pub(crate) fn remembered(&self, rank: impl Fn(ActivationId) -> usize) -> Vec<(usize, usize, Step)> {
        let mut all = Vec::new();
        for (lane, path) in self.paths.iter().enumerate() {
            for (depth, &step) in path.iter().enumerate() {
                let shares =
                    |other: &usize| self.paths[*other].get(depth).map(|s| s.parting) == Some(step.parting);
                let first = (0..LANES).find(shares).unwrap_or(lane);
                all.push((
                    lane,
                    first,
                    Step { parting: 0, activation: rank(step.activation) as u64, ..step },
                ));
            }
        }
        all
    }

    fn is_member(&self, lane: usize, parting: u64) -> bool {
        self.paths[lane].iter().any(|step| step.parting == parting)
    }
}

impl SubGroup {
    fn meetings(&self) -> Option<&Meetings> {
        match &self.scheduler {
            Scheduler::Ipdom(meetings) => Some(meetings),
            _ => None,
        }
    }

    /// The parting at whose end a lane stands, and waits for the others of it.
    fn arrived(&self, lane: usize) -> Option<u64> {
        let step = self.meetings()?.paths[lane].last()?;
        let Lane::Ready(Position { activation, pc }) = self.lanes[lane] else { return None };
        (activation == step.activation && Some(pc) == step.pc).then_some(step.parting)
    }

    /// Lanes that have all come to the end of a parting forget it, and may then stand at the end of another one.
    pub(super) fn meet(&mut self) {
        loop {
            let complete = (0..LANES).filter_map(|lane| self.arrived(lane)).find(|&parting| {
                let member = |&lane: &usize| self.meetings().is_some_and(|m| m.is_member(lane, parting));
                (0..LANES).filter(member).all(|lane| self.arrived(lane) == Some(parting))
            });
            let (Some(parting), Scheduler::Ipdom(meetings)) = (complete, &mut self.scheduler) else { return };
            for path in &mut meetings.paths {
                if path.last().is_some_and(|step| step.parting == parting) {
                    path.pop();
                }
            }
        }
    }

    /// The lanes of the first part that neither waits at a barrier nor for others.
    pub(super) fn first_of_the_parts(&self) -> Option<(Position, u32)> {
        let meetings = self.meetings()?;
        let path = |lane: usize| meetings.paths[lane].iter().map(|step| (step.part, step.parting));
        let can_run =
            |&lane: &usize| matches!(self.lanes[lane], Lane::Ready(_)) && self.arrived(lane).is_none();
        let first = (0..LANES).filter(can_run).min_by(|&a, &b| path(a).cmp(path(b)))?;
        let Lane::Ready(position) = self.lanes[first] else { return None };
        let together = (0..LANES).filter(can_run).filter(|&lane| path(lane).eq(path(first)));
        Some((position, together.fold(0, |set, lane| set | 1 << lane)))
    }
}
