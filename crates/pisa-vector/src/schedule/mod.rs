//! Every schedule but the lexical one: one thread, one sub-group a batch, one instruction at a time (docs/schedules.md).

mod parts;
mod report;
mod watch;

use crate::cohort::{Cohort, Group};
use crate::masks;
use crate::run::{Event, Runner, place_of, take};
use crate::state::BatchState;
use crate::worker::Worker;
use parts::Parts;
use pisa_isa::Opcode;
use pisa_machine::{Draws, JUMPS_A_TURN, LANES, Schedule, Stop, resident_groups};
use pisa_module::{ControlFlow, Function, FunctionId, Operand, PostDominators, SpecialRegister};
use smallvec::SmallVec;
use watch::Watch;

/// What is known of a function, for schedules.
struct Known {
    /// By instruction: whether what it does in a lane depends on which others are active.
    looks: Vec<bool>,
    /// Where ways meet, under `ipdom`.
    meet: Option<PostDominators>,
}

impl Known {
    fn of(function: &Function, schedule: Schedule) -> Known {
        let looks = function.code.iter().map(|instruction| {
            let crosses = matches!(
                instruction.row().opcode,
                Opcode::Fred | Opcode::Ired | Opcode::Redfirstidx | Opcode::Shfl
            );
            crosses || instruction.operands.contains(&Operand::Special(SpecialRegister::ActiveMask))
        });
        let meet = (schedule == Schedule::Ipdom).then(|| ControlFlow::of(function).post_dominators());
        Known { looks: looks.collect(), meet }
    }
}

/// Whose turn it is in a sub-group.
enum Order {
    /// Under `ipdom`: the first part.
    Parts(Parts),
    /// Under `independent`: any set.
    Drawn(Draws),
    /// Under `lanes`: this lane, or the next one that can run.
    Lane(u32),
}

/// What is left of a turn.
enum Left {
    /// Jumps back and calls, and who ran last.
    Jumps(u32, u32),
    Instructions(u32),
}

/// A sub-group's place in a work-group that runs.
struct Seat {
    order: Order,
    watch: Watch,
}

/// A work-group that has begun.
struct Resident {
    cohort: Cohort,
    seats: Vec<Seat>,
}

/// Runs all work-groups of a launch.
pub(crate) fn run(worker: &mut Worker<'_>) -> Result<(), Box<Stop>> {
    let (image, launch, pool) = (worker.runner.image, worker.runner.launch, worker.runner.pool);
    let known: Vec<Known> =
        image.program.functions().map(|(_, function)| Known::of(function, launch.schedule)).collect();
    let room = resident_groups(image, launch);
    let mut residents: Vec<Resident> = Vec::new();
    // Turns of sub-groups that may have changed memory.
    let mut changes = 0;
    loop {
        if (residents.len() as u64) < room && worker.begin()? {
            let cohort = worker.residents.pop();
            residents.extend(cohort.map(|cohort| Resident::new(cohort, launch.schedule)));
        } else if residents.is_empty() {
            return Ok(());
        }
        for resident in &mut residents {
            resident.turn(&mut worker.runner, &known, &mut changes)?;
        }
        for over in residents.extract_if(.., |resident| resident.cohort.finished()) {
            worker.spare.push(over.cohort);
        }
        let full = pool.all_begun() || residents.len() as u64 >= room;
        if full && !residents.is_empty() && residents.iter().all(|resident| resident.is_stuck(changes)) {
            return Err(report::livelock(&worker.runner, &residents));
        }
    }
}

impl Resident {
    fn new(mut cohort: Cohort, schedule: Schedule) -> Resident {
        let seats = cohort.batches.iter_mut().map(|batch| {
            batch.allowed = masks::whole([1; crate::batch::MAX_BATCH]);
            batch.most_jumps = u32::MAX;
            let (group, number) =
                batch.origins.first().map_or((0, 0), |origin| (origin.index, origin.number));
            let order = match schedule {
                Schedule::Independent(seed) => Order::Drawn(Draws::new(seed, group, number)),
                Schedule::Lanes => Order::Lane(0),
                Schedule::Ipdom | Schedule::Lexical => Order::Parts(Parts::new(batch.live[0])),
            };
            Seat { order, watch: Watch::default() }
        });
        let seats = seats.collect();
        Resident { cohort, seats }
    }

    /// A turn of every sub-group, and again behind every barrier that is complete.
    fn turn(&mut self, runner: &mut Runner<'_>, known: &[Known], changes: &mut u64) -> Result<(), Box<Stop>> {
        loop {
            let Cohort { batches, groups, .. } = &mut self.cohort;
            for (state, seat) in batches.iter_mut().zip(&mut self.seats) {
                seat.turn(runner, state, groups, known)?;
                *changes += u64::from(std::mem::take(&mut runner.changed));
                seat.watch.end_turn(runner.code, state, &seat.order, *changes);
            }
            if self.cohort.groups.iter().any(Group::complete) {
                self.cohort.release(|group| runner.show_release(group));
                for (state, seat) in self.cohort.batches.iter().zip(&mut self.seats) {
                    seat.watch = Watch::default();
                    match &mut seat.order {
                        Order::Lane(lane) => *lane = 0,
                        Order::Parts(parts) => parts.released(state),
                        Order::Drawn(_) => {}
                    }
                }
                continue;
            }
            let can_run = |(state, seat): (&BatchState, &Seat)| seat.can_run(state);
            if !self.cohort.finished() && !self.cohort.batches.iter().zip(&self.seats).any(can_run) {
                return Err(report::deadlock(runner, self));
            }
            return Ok(());
        }
    }

    /// Whether every sub-group that can run runs in circles.
    fn is_stuck(&self, changes: u64) -> bool {
        let mut both = self.cohort.batches.iter().zip(&self.seats);
        both.all(|(state, seat)| !seat.can_run(state) || seat.watch.is_circling(state, changes))
    }
}

impl Seat {
    fn can_run(&self, state: &BatchState) -> bool {
        match &self.order {
            Order::Parts(parts) => parts.first(blocked(state)).is_some(),
            Order::Drawn(_) | Order::Lane(_) => !state.waiting.is_empty(),
        }
    }

    /// Lets a sub-group run until nobody can or its turn is over.
    fn turn(
        &mut self,
        runner: &mut Runner<'_>,
        state: &mut BatchState,
        groups: &mut [Group],
        known: &[Known],
    ) -> Result<(), Box<Stop>> {
        if !self.can_run(state) {
            return Ok(());
        }
        state.jumps = 0;
        let mut left = match &mut self.order {
            Order::Drawn(draws) => Left::Instructions(draws.instructions_of_a_turn()),
            Order::Parts(_) | Order::Lane(_) => Left::Jumps(JUMPS_A_TURN, 0),
        };
        while let Some(entry) = self.choose(state).and_then(|lanes| take(state, lanes)) {
            let lanes = entry.masks[0];
            let function = state.activations[entry.activation as usize].function;
            let event = runner.step(state, groups, entry)?;
            let known = known.get(function.index());
            if known.is_some_and(|known| known.looks.get(entry.pc as usize) == Some(&true)) {
                self.watch.lanes_were_seen();
            }
            if let Order::Parts(parts) = &mut self.order {
                let meet = known.and_then(|known| known.meet.as_ref());
                parts.note(state, entry, event, |pc| meet.and_then(|meet| meet.immediate(pc)));
            }
            let back = match event {
                Event::Ended => continue,
                Event::Went { back, .. } | Event::Parted { back, .. } => back,
                Event::Called(_) => true,
                Event::Left(_) | Event::Waits => false,
            };
            if back {
                self.watch.jumped_back(lanes);
            }
            if !self.spend(&mut left, lanes, back) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes an instruction from a turn; whether the turn goes on.
    fn spend(&mut self, left: &mut Left, lanes: u32, back: bool) -> bool {
        match left {
            Left::Instructions(count) => {
                *count -= 1;
                *count > 0
            }
            Left::Jumps(count, last) => {
                if let Order::Lane(lane) = &mut self.order {
                    // Each lane has so many.
                    if *last != lanes {
                        (*count, *last) = (JUMPS_A_TURN, lanes);
                    }
                    *lane = (*lane + u32::from(back && *count == 1)) % LANES;
                }
                *count -= u32::from(back);
                *count > 0
            }
        }
    }

    /// The lanes that run next.
    fn choose(&mut self, state: &BatchState) -> Option<u32> {
        match &mut self.order {
            Order::Parts(parts) => parts.first(blocked(state)),
            Order::Drawn(draws) => {
                if let [entry] = state.waiting[..] {
                    return Some(entry.masks[0]);
                }
                let mut sets: SmallVec<[u32; 32]> =
                    state.waiting.iter().map(|entry| entry.masks[0]).collect();
                sets.sort_unstable_by_key(|set| set.trailing_zeros());
                let drawn = if sets.is_empty() { 0 } else { draws.below(sets.len() as u32) };
                sets.get(drawn as usize).copied()
            }
            Order::Lane(lane) => {
                let ready = state.waiting.iter().fold(0, |set, entry| set | entry.masks[0]);
                if ready == 0 {
                    return None;
                }
                *lane = (*lane + ready.rotate_right(*lane).trailing_zeros()) % LANES;
                Some(1 << *lane)
            }
        }
    }
}

/// Lanes at a barrier.
fn blocked(state: &BatchState) -> u32 {
    state.blocked.iter().fold(0, |set, entry| set | entry.masks[0])
}

/// The function of an activation.
fn function_of(state: &BatchState, activation: u32) -> FunctionId {
    state.activations[activation as usize].function
}
