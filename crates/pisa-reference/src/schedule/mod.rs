//! Which lanes of a sub-group run next, and for how long (X-01, X-04; docs/schedules.md).

mod meetings;

pub(crate) use meetings::{Meetings, Step};

use crate::cross_lane::LANES;
use crate::subgroup::{Lane, Position, SubGroup};
use pisa_machine::{Draws, JUMPS_A_TURN, Schedule};
use std::cmp::Ordering;

/// Jumps back, calls included, after which a sub-group lets the others run under the lexical schedule.
const JUMPS_A_LEXICAL_TURN: u32 = 200;

/// What a schedule knows of a sub-group.
pub(crate) enum Scheduler {
    /// The first position in order.
    Lexical,
    /// Where lanes that have parted meet.
    Ipdom(Box<Meetings>),
    /// Any set of lanes.
    Independent(Draws),
    /// This lane, or the next one that can run.
    Lanes(usize),
}

impl Scheduler {
    /// Before the first instruction of a sub-group; `group` is its work-group's number in the fixed order.
    pub(crate) fn new(schedule: Schedule, group: u64, subgroup: u32) -> Scheduler {
        match schedule {
            Schedule::Lexical => Scheduler::Lexical,
            Schedule::Ipdom => Scheduler::Ipdom(Box::default()),
            Schedule::Independent(seed) => Scheduler::Independent(Draws::new(seed, group, subgroup)),
            Schedule::Lanes => Scheduler::Lanes(0),
        }
    }

    /// A barrier has let lanes go on.
    pub(crate) fn release(&mut self) {
        if let Scheduler::Lanes(lane) = self {
            *lane = 0;
        }
    }

    /// Whether every lane that can run does so after a while, whatever the others do.
    pub(crate) fn is_fair(&self) -> bool {
        matches!(self, Scheduler::Independent(_) | Scheduler::Lanes(_))
    }
}

/// What is left of a turn.
pub(crate) struct Turn {
    /// Jumps back; under `lanes` of the running lane alone.
    jumps: u32,
    /// Who ran last.
    lanes: u32,
    /// Instructions.
    instructions: u32,
}

impl SubGroup {
    /// Begins a turn.
    pub(crate) fn begin_turn(&mut self) -> Turn {
        let can_run = self.is_runnable();
        let mut turn = Turn { jumps: JUMPS_A_TURN, lanes: 0, instructions: u32::MAX };
        match &mut self.scheduler {
            Scheduler::Lexical => turn.jumps = JUMPS_A_LEXICAL_TURN,
            Scheduler::Independent(draws) if can_run => {
                (turn.jumps, turn.instructions) = (u32::MAX, draws.instructions_of_a_turn());
            }
            _ => {}
        }
        turn
    }

    /// Takes an instruction of some lanes from a turn; whether the turn goes on. `back`: it was a jump back or a call.
    pub(crate) fn spend(&mut self, turn: &mut Turn, lanes: u32, back: bool) -> bool {
        if let Scheduler::Lanes(lane) = &mut self.scheduler {
            if turn.lanes != lanes {
                (turn.lanes, turn.jumps) = (lanes, JUMPS_A_TURN);
            }
            if back && turn.jumps == 1 {
                *lane = (*lane + 1) % LANES;
            }
        }
        if !matches!(self.scheduler, Scheduler::Lexical | Scheduler::Ipdom(_) | Scheduler::Lanes(_)) {
            turn.instructions -= 1;
            return turn.instructions > 0;
        }
        turn.jumps -= u32::from(back);
        turn.jumps > 0
    }

    /// The lanes that run next, and where. Lanes with the same activation and instruction have the same chain of
    /// activations.
    pub(crate) fn next(&mut self) -> Option<(Position, u32)> {
        match &self.scheduler {
            Scheduler::Lexical => self.first_in_order(),
            Scheduler::Ipdom(_) => {
                self.meet();
                self.first_of_the_parts()
            }
            Scheduler::Independent(_) => {
                let sets = self.sets();
                let Scheduler::Independent(draws) = &mut self.scheduler else { return None };
                let drawn = if sets.len() > 1 { draws.below(sets.len() as u32) } else { 0 };
                sets.get(drawn as usize).copied()
            }
            &Scheduler::Lanes(from) => {
                let lane =
                    (from..LANES).chain(0..from).find(|&lane| matches!(self.lanes[lane], Lane::Ready(_)))?;
                self.scheduler = Scheduler::Lanes(lane);
                let Lane::Ready(position) = self.lanes[lane] else { return None };
                Some((position, 1 << lane))
            }
        }
    }

    /// The lanes that the others wait for: those that run next, where that does not depend on whose turn it is.
    pub(crate) fn first(&self) -> Option<(Position, u32)> {
        match self.scheduler {
            Scheduler::Lexical => self.first_in_order(),
            Scheduler::Ipdom(_) => self.first_of_the_parts(),
            Scheduler::Independent(_) | Scheduler::Lanes(_) => None,
        }
    }

    /// The lanes that can run, by where they stand, in the order of their lowest lanes.
    pub(crate) fn sets(&self) -> Vec<(Position, u32)> {
        let mut sets: Vec<(Position, u32)> = Vec::new();
        for (lane, &state) in self.lanes.iter().enumerate() {
            let Lane::Ready(position) = state else { continue };
            match sets.iter_mut().find(|(place, _)| *place == position) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => sets.push((position, 1 << lane)),
            }
        }
        sets
    }

    /// Those at the first position in order among the lanes that can run.
    fn first_in_order(&self) -> Option<(Position, u32)> {
        let mut first: Option<(Position, u32)> = None;
        for (lane, &state) in self.lanes.iter().enumerate() {
            let Lane::Ready(position) = state else { continue };
            match &mut first {
                Some((best, lanes)) => match self.order(position, *best) {
                    Ordering::Less => first = Some((position, 1 << lane)),
                    Ordering::Equal => *lanes |= 1 << lane,
                    Ordering::Greater => {}
                },
                None => first = Some((position, 1 << lane)),
            }
        }
        first
    }
}
