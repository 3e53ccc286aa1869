//! A worker: one thread with a few work-groups that run in turns.

use crate::buffer::Buffer;
use crate::cohort::{Cohort, Group, Packing, lanes_of, subgroups_of};
use crate::masks;
use crate::run::{Pause, Runner};
use crate::schedule;
use crate::special::{Origin, fill_specials};
use crate::state::BatchState;
use pisa_machine::{Schedule, Stop, StopReason, UNDEFINED_BYTE};
use std::ops::Range;

/// Cohorts that one worker keeps at first when they do not finish within a turn.
const FEW_RESIDENTS: usize = 8;
/// Rounds without any cohort finished after which a worker keeps twice as many.
const PATIENCE: u32 = 8;
/// Most cohorts that a worker keeps.
const MOST_RESIDENTS: usize = 1 << 16;
/// Most bytes that the cohorts of a worker take before it stops to begin more.
const MOST_RESIDENT_BYTES: usize = 2 << 30;
/// Most bytes of state that the search for a livelock compares.
const MOST_COMPARED_BYTES: usize = 256 << 20;

/// A worker.
pub(crate) struct Worker<'a> {
    /// Its number.
    number: usize,
    pub(crate) runner: Runner<'a>,
    packing: Packing,
    /// Cohorts that have begun and are not over.
    pub(crate) residents: Vec<Cohort>,
    /// Batches in reserve, by count of sub-groups.
    batches: Vec<Vec<BatchState>>,
    /// Cohorts that have finished, for the next ones.
    pub(crate) spare: Vec<Cohort>,
    /// Cohorts that may be kept now.
    allowed: usize,
    /// Rounds since a cohort finished.
    rounds: u32,
    watch: Watch,
}

/// The search for a state that comes back.
#[derive(Default)]
struct Watch {
    /// Changes anywhere, when the search began.
    progress: u64,
    /// Rounds since then.
    rounds: u32,
    /// The state after an earlier round.
    state: Vec<u8>,
    /// The round whose successor is kept next.
    next: u32,
}

impl<'a> Worker<'a> {
    /// A worker with nothing to do yet.
    pub(crate) fn new(number: usize, runner: Runner<'a>, packing: Packing) -> Worker<'a> {
        Worker {
            number,
            runner,
            packing,
            residents: Vec::new(),
            batches: (0..=crate::batch::MAX_BATCH).map(|_| Vec::new()).collect(),
            spare: Vec::new(),
            allowed: FEW_RESIDENTS,
            rounds: 0,
            watch: Watch::default(),
        }
    }

    /// Runs work-groups until there are none left or the launch has stopped.
    pub(crate) fn work(mut self) -> pisa_machine::Statistics {
        let result = match self.runner.launch.schedule {
            Schedule::Lexical => self.rounds(),
            _ => schedule::run(&mut self),
        };
        if let Err(stop) = result {
            self.runner.pool.stop(*stop);
        }
        self.runner.pool.return_fuel(self.runner.fuel);
        // What the last round changed may be what somebody else waits for.
        self.runner.pool.note_progress();
        self.runner.pool.note_gone(self.number);
        self.runner.statistics
    }

    fn rounds(&mut self) -> Result<(), Box<Stop>> {
        loop {
            if self.residents.is_empty() && !self.begin()? {
                return Ok(());
            }
            // Whether lanes passed barriers, and whether something changed that others may wait for.
            let (mut progress, mut changed) = (false, false);
            let mut index = 0;
            while index < self.residents.len() {
                if self.runner.pool.stopping() {
                    return Ok(());
                }
                let moved = turn(&mut self.runner, &mut self.residents[index])?;
                let wrote = std::mem::take(&mut self.runner.changed);
                progress |= moved;
                changed |= wrote;
                if self.residents[index].finished() {
                    changed = true;
                    self.rounds = 0;
                    let cohort = self.residents.remove(index);
                    self.spare.push(cohort);
                    // The next one takes its place, so that the order of begins is that of ends.
                    if self.residents.is_empty() && !self.begin()? {
                        return Ok(());
                    }
                } else {
                    self.residents[index].end_turn(wrote);
                    index += 1;
                }
            }
            if changed {
                self.runner.pool.note_progress();
            }
            self.rounds += 1;
            if self.rounds.is_multiple_of(PATIENCE) && self.residents.len() >= self.allowed {
                self.allowed = (self.allowed * 2).min(MOST_RESIDENTS);
            }
            // Whoever waits may wait for a work-group that has not begun.
            let waiting = !changed && self.residents.iter().all(|cohort| cohort.spinning);
            let patient = (progress || changed) && self.rounds < PATIENCE;
            let more = if waiting {
                self.residents.len().min(MOST_RESIDENTS - self.residents.len())
            } else {
                usize::from(!patient && self.residents.len() < self.allowed)
            };
            if self.begin_more(more)? {
                continue;
            }
            if changed {
                self.watch.rounds = 0;
            } else {
                self.watch()?;
            }
        }
    }

    /// Begins up to so many cohorts, as far as there is room; whether any began.
    fn begin_more(&mut self, count: usize) -> Result<bool, Box<Stop>> {
        if count == 0 || self.runner.pool.all_begun() {
            return Ok(false);
        }
        let mut bytes: usize = self.residents.iter().map(Cohort::bytes).sum();
        let mut begun = false;
        for _ in 0..count {
            if bytes >= MOST_RESIDENT_BYTES || !self.begin()? {
                break;
            }
            bytes += self.residents.last().map_or(0, Cohort::bytes);
            begun = true;
        }
        Ok(begun)
    }

    /// Begins the next cohort; false where all have begun.
    pub(crate) fn begin(&mut self) -> Result<bool, Box<Stop>> {
        let indices = self.runner.pool.take_groups(self.packing.groups);
        if indices.is_empty() {
            return Ok(false);
        }
        let first = self.runner.pool.group_id(indices.start);
        match self.build(indices) {
            Some(cohort) => {
                self.residents.push(cohort);
                Ok(true)
            }
            None => Err(Box::new(Stop {
                reason: StopReason::OutOfMemory("no room for another work-group".to_owned()),
                place: None,
                group: first,
                subgroup: 0,
                lanes: 0,
                standing: Vec::new(),
            })),
        }
    }

    /// A cohort of these work-groups, ready to run; out of what earlier ones have left where possible. `None` where the
    /// host has no room.
    fn build(&mut self, indices: Range<u64>) -> Option<Cohort> {
        let (code, launch) = (self.runner.code, self.runner.launch);
        let pool = self.runner.pool;
        let mut cohort = self.spare.pop().unwrap_or_else(Cohort::new);
        cohort.reset();
        // Work-groups and their shared memory.
        let mut subgroups = 0;
        for (position, index) in indices.clone().enumerate() {
            let size = launch.local_size(pool.group_id(index));
            subgroups += subgroups_of(size) as usize;
            if position == cohort.groups.len() {
                let shared = Buffer::new(launch.shared_size as usize)?;
                cohort.groups.push(Group { index, live: 0, arrived: 0, shared });
            }
            let group = &mut cohort.groups[position];
            group.shared.fill(0, launch.shared_size as usize, UNDEFINED_BYTE);
            (group.index, group.live, group.arrived) = (index, size.iter().product(), 0);
        }
        cohort.groups.truncate((indices.end - indices.start) as usize);
        // Batches of the right widths.
        let width = self.packing.width;
        let needed = subgroups.div_ceil(width);
        while cohort.batches.len() > needed {
            let batch = cohort.batches.pop()?;
            self.batches[batch.count].push(batch);
        }
        for position in 0..needed {
            let count = width.min(subgroups - position * width);
            if cohort.batches.get(position).is_some_and(|batch| batch.count == count) {
                continue;
            }
            let batch = match self.batches[count].pop() {
                Some(batch) => batch,
                None => BatchState::new(code, count)?,
            };
            if position < cohort.batches.len() {
                let old = std::mem::replace(&mut cohort.batches[position], batch);
                self.batches[old.count].push(old);
            } else {
                cohort.batches.push(batch);
            }
        }
        // Who sits where.
        let mut seat = 0;
        for (group, index) in indices.enumerate() {
            let id = pool.group_id(index);
            let size = launch.local_size(id);
            for number in 0..subgroups_of(size) {
                let (batch, subgroup) = (&mut cohort.batches[seat / width], seat % width);
                if subgroup == 0 {
                    batch.live = masks::NONE;
                    batch.same_shape = batch.origins.len() == batch.count;
                }
                let origin = Origin { index, group: id, size, number };
                match batch.origins.get_mut(subgroup) {
                    Some(before) => {
                        batch.same_shape &= (before.size, before.number) == (size, number);
                        *before = origin;
                    }
                    None => batch.origins.push(origin),
                }
                batch.groups[subgroup] = group;
                batch.shared[subgroup] = cohort.groups[group].shared.start();
                batch.live[subgroup] = lanes_of(size, number);
                seat += 1;
            }
        }
        for batch in &mut cohort.batches {
            fill_specials(&mut batch.fixed, &batch.origins, &code.fixed, launch, batch.same_shape);
            if !batch.start(code, launch.kernel) {
                return None;
            }
        }
        self.runner.show_begin(&cohort.batches);
        Some(cohort)
    }

    /// Looks for a state that comes back while nothing has changed: then it comes back for ever.
    ///
    /// The states of one round are kept and compared with those of the rounds that follow, twice as many each time.
    fn watch(&mut self) -> Result<(), Box<Stop>> {
        let progress = self.runner.pool.progress();
        let watch = &mut self.watch;
        if watch.rounds == 0 || watch.progress != progress {
            *watch = Watch { progress, rounds: 1, next: 2, state: std::mem::take(&mut watch.state) };
            return Ok(());
        }
        watch.rounds += 1;
        if self.residents.iter().map(Cohort::bytes).sum::<usize>() > MOST_COMPARED_BYTES {
            return Ok(());
        }
        if watch.rounds > 2 {
            let mut rest = &watch.state[..];
            let same = self.residents.iter().all(|cohort| {
                cohort.visit(&mut |bytes| match rest.split_at_checked(bytes.len()) {
                    Some((head, tail)) if head == bytes => {
                        rest = tail;
                        true
                    }
                    _ => false,
                })
            });
            if same && rest.is_empty() && self.runner.pool.note_stuck(self.number, progress) {
                return Err(self.runner.livelock(&self.residents));
            }
        }
        if watch.rounds == watch.next {
            watch.next *= 2;
            watch.state.clear();
            for cohort in &self.residents {
                cohort.visit(&mut |bytes| {
                    watch.state.extend_from_slice(bytes);
                    true
                });
            }
        }
        Ok(())
    }
}

/// One turn of a cohort: its batches run, over barriers, until all their lanes wait or stand aside. Whether a barrier
/// let somebody go on.
fn turn(runner: &mut Runner<'_>, cohort: &mut Cohort) -> Result<bool, Box<Stop>> {
    cohort.begin_turn();
    let mut moved = false;
    loop {
        let mut ran = false;
        for index in 0..cohort.batches.len() {
            loop {
                let batch = &mut cohort.batches[index];
                if !batch.runnable() {
                    break;
                }
                ran = true;
                if runner.run(batch, &mut cohort.groups)? == Pause::Idle {
                    break;
                }
                cohort.release(|group| runner.show_release(group));
                moved = true;
            }
        }
        if !ran {
            break;
        }
    }
    let waits = |batch: &BatchState| !batch.waiting.is_empty();
    if !cohort.finished() && !cohort.batches.iter().any(waits) {
        return Err(runner.deadlock(cohort));
    }
    Ok(moved)
}
