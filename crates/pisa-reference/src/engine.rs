//! The engine: work-groups and their sub-groups in turns.

use crate::code::Code;
use crate::cross_lane::lanes_of;
use crate::observe::Watch;
use crate::operands::Identity;
use crate::run::Runner;
use crate::schedule::Scheduler;
use crate::subgroup::{Lane, SubGroup};
use pisa_machine::{
    Doing, Engine, Image, Launch, Memory, ObservedEngine, Observer, Outcome, Schedule, Standing, Stop,
    StopReason, SubGroupId, UNDEFINED_BYTE, initial_mask, resident_groups, subgroups,
};
use pisa_module::FunctionId;

/// The reference engine: one instruction of one sub-group at a time, one lane after the other, always in the same order.
///
/// [`Launch::threads`] is ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceEngine;

impl ReferenceEngine {
    /// The engine; it has no state.
    pub fn new() -> ReferenceEngine {
        ReferenceEngine
    }
}

impl Engine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        run(image, memory, launch, None)
    }
}

impl ObservedEngine for ReferenceEngine {
    fn run_observed(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Outcome {
        run(image, memory, launch, Some(observer))
    }
}

fn run(image: &Image, memory: &Memory, launch: &Launch, observer: Option<&mut dyn Observer>) -> Outcome {
    let functions = image.program.functions();
    let code: Result<Vec<Code>, _> =
        functions.map(|(id, _)| Code::of(image, id).map_err(|index| (id, index))).collect();
    let code = match code {
        Ok(code) => code,
        Err((id, index)) => return refused(image, id, index),
    };
    let mut runner = Runner::new(image, launch, memory, &code);
    runner.watch = observer.map(|observer| Watch::new(observer, image, &code));
    let stop = WorkGroups::new(image, launch).run(&mut runner).err().map(|stop| *stop);
    Outcome { statistics: runner.statistics, stop }
}

/// An instruction with operands that its form does not take: no linked program has one.
fn refused(image: &Image, id: FunctionId, index: usize) -> Outcome {
    let function = image.program.function(id);
    let message = format!("instruction {index} of `@{}` has operands that no form takes", function.name);
    let place = function.code.get(index).map(|instruction| instruction.place);
    let reason = StopReason::Internal(message);
    let stop = Stop { reason, place, group: [0; 3], subgroup: 0, lanes: 0, standing: Vec::new() };
    Outcome { stop: Some(stop), ..Outcome::default() }
}

/// A work-group that runs.
struct WorkGroup {
    /// Its number in the fixed order.
    number: u64,
    id: [u64; 3],
    size: [u32; 3],
    shared: Vec<u8>,
    subgroups: Vec<SubGroup>,
}

/// All work-groups of a launch.
struct WorkGroups<'a> {
    launch: &'a Launch,
    /// How many have begun.
    begun: u64,
    total: u64,
    resident: Vec<WorkGroup>,
    /// Most that are resident at the same time.
    room: u64,
}

impl<'a> WorkGroups<'a> {
    fn new(image: &Image, launch: &'a Launch) -> WorkGroups<'a> {
        let room = resident_groups(image, launch);
        WorkGroups { launch, begun: 0, total: launch.groups(), resident: Vec::new(), room }
    }

    /// Runs all work-groups. A group that does not end within its turn stays resident while others begin; resident groups
    /// take turns in the order in which they began.
    fn run(&mut self, runner: &mut Runner<'_>) -> Result<(), Box<Stop>> {
        loop {
            if !self.begin(runner)? && self.resident.is_empty() {
                return Ok(());
            }
            for group in &mut self.resident {
                group.turn(runner)?;
                if group.is_over() {
                    runner.statistics.work_groups += 1;
                    if let Some(watch) = &mut runner.watch {
                        watch.observer.end_group(group.number);
                    }
                }
            }
            self.resident.retain(|group| !group.is_over());
            let all_stuck = self.resident.iter().all(|group| group.is_stuck(runner.changes));
            if all_stuck && !self.resident.is_empty() && !self.can_begin() {
                return Err(stuck(runner, &self.resident, StopReason::Livelock));
            }
        }
    }

    /// Whether another work-group may begin.
    fn can_begin(&self) -> bool {
        self.begun < self.total && (self.resident.len() as u64) < self.room
    }

    /// Begins the next work-group if there is one and room for it.
    fn begin(&mut self, runner: &mut Runner<'_>) -> Result<bool, Box<Stop>> {
        if !self.can_begin() {
            return Ok(false);
        }
        let number = self.begun;
        let id = self.launch.group_id(number);
        self.begun += 1;
        let group = WorkGroup::new(number, id, runner).ok_or_else(|| {
            let reason = StopReason::OutOfMemory("no room for another work-group".to_owned());
            Box::new(Stop { reason, place: None, group: id, subgroup: 0, lanes: 0, standing: Vec::new() })
        })?;
        if let Some(watch) = &mut runner.watch {
            watch.begin_group(number, id, group.size);
            for subgroup in &group.subgroups {
                let id = SubGroupId { group: number, number: subgroup.number };
                for (&activation, entered) in &subgroup.activations {
                    watch.enter(id, activation, entered);
                }
            }
        }
        self.resident.push(group);
        Ok(true)
    }
}

/// Nothing goes on any more: says who stands where.
fn stuck(runner: &Runner<'_>, groups: &[WorkGroup], reason: StopReason) -> Box<Stop> {
    let (group, standing) = ([0; 3], Vec::new());
    let mut stop = Stop { reason, place: None, group, subgroup: 0, lanes: 0, standing };
    let subgroups =
        groups.iter().flat_map(|group| group.subgroups.iter().map(move |subgroup| (group, subgroup)));
    for (group, subgroup) in subgroups {
        stop.standing.extend(standing_of(runner, group, subgroup));
    }
    // Those that run in circles, or wait at the barrier, are what it is about.
    let first = |doing| stop.standing.iter().find(|standing| standing.doing == doing);
    if let Some(first) = first(Doing::Spin).or_else(|| first(Doing::WaitAtBarrier)).cloned() {
        (stop.group, stop.subgroup, stop.lanes, stop.place) =
            (first.group, first.subgroup, first.lanes, first.place);
    }
    const MOST: usize = 12;
    stop.standing.truncate(MOST);
    Box::new(stop)
}

/// Where the lanes of a sub-group stand.
fn standing_of(runner: &Runner<'_>, group: &WorkGroup, subgroup: &SubGroup) -> Vec<Standing> {
    let first = subgroup.first().map(|(_, lanes)| lanes);
    let first = first.unwrap_or(if subgroup.scheduler.is_fair() { u32::MAX } else { 0 });
    let mut left = subgroup.live();
    let mut sets = Vec::new();
    while left != 0 {
        let state = subgroup.lanes[left.trailing_zeros() as usize];
        let runs = |lane: usize| first >> lane & 1 == 1;
        let leader = left.trailing_zeros() as usize;
        let lanes =
            lanes_of(left).filter(|&lane| subgroup.lanes[lane] == state && runs(lane) == runs(leader));
        let lanes = lanes.fold(0u32, |set, lane| set | 1 << lane);
        left &= !lanes;
        let (position, doing) = match state {
            Lane::Ready(position) if runs(leader) => (position, Doing::Spin),
            Lane::Ready(position) => (position, Doing::WaitForThem),
            Lane::Waiting(position) => (position, Doing::WaitAtBarrier),
            Lane::Gone => continue,
        };
        let Some(activation) = subgroup.activations.get(&position.activation) else { continue };
        let function = runner.image.program.function(activation.function);
        // Lanes at a barrier stand behind it.
        let pc = position.pc.saturating_sub(usize::from(doing == Doing::WaitAtBarrier));
        sets.push(Standing {
            group: group.id,
            subgroup: subgroup.number,
            lanes,
            doing,
            place: function.code.get(pc).map(|instruction| instruction.place),
        });
    }
    sets
}

impl WorkGroup {
    /// A work-group before the first instruction of the kernel. `None` where the host has no room.
    fn new(number: u64, id: [u64; 3], runner: &Runner<'_>) -> Option<WorkGroup> {
        let launch = runner.launch;
        let size = launch.local_size(id);
        let mut shared = Vec::new();
        shared.try_reserve_exact(launch.shared_size as usize).ok()?;
        shared.resize(launch.shared_size as usize, UNDEFINED_BYTE);
        let code = runner.code.get(launch.kernel.index())?;
        let subgroups = (0..subgroups(size)).map(|subgroup| {
            let scheduler = Scheduler::new(launch.schedule, number, subgroup);
            SubGroup::new(subgroup, initial_mask(subgroup, size), launch.kernel, code, scheduler)
        });
        Some(WorkGroup { number, id, size, shared, subgroups: subgroups.collect::<Option<_>>()? })
    }

    /// Lets every sub-group run until it waits or has had its turn, and again after every barrier that was complete.
    fn turn(&mut self, runner: &mut Runner<'_>) -> Result<(), Box<Stop>> {
        loop {
            for subgroup in &mut self.subgroups {
                let identity = Identity {
                    launch: runner.launch,
                    group: self.id,
                    size: self.size,
                    subgroup: subgroup.number,
                    number: self.number,
                };
                // Under other schedules its state moves on all the same.
                let rests = runner.launch.schedule == Schedule::Lexical;
                if !rests || !subgroup.is_circling(runner.changes) {
                    runner.turn(subgroup, identity, &mut self.shared)?;
                }
            }
            if self.release(runner) {
                continue;
            }
            if !self.is_over() && !self.subgroups.iter().any(SubGroup::is_runnable) {
                return Err(stuck(runner, std::slice::from_ref(self), StopReason::Deadlock));
            }
            return Ok(());
        }
    }

    /// Lets everybody go on when every live work-item waits at a barrier (Y-01, Y-02).
    fn release(&mut self, runner: &mut Runner<'_>) -> bool {
        let complete = self.subgroups.iter().all(|subgroup| subgroup.waiting() == subgroup.live());
        if !complete || self.is_over() {
            return false;
        }
        for subgroup in &mut self.subgroups {
            for lane in &mut subgroup.lanes {
                if let Lane::Waiting(position) = *lane {
                    *lane = Lane::Ready(position);
                }
            }
            subgroup.scheduler.release();
            subgroup.watch.restart();
        }
        if let Some(watch) = &mut runner.watch {
            watch.observer.release(self.number);
        }
        true
    }

    /// Whether every work-item has left the kernel.
    fn is_over(&self) -> bool {
        self.subgroups.iter().all(|subgroup| subgroup.live() == 0)
    }

    /// Whether every sub-group that can run runs in circles.
    fn is_stuck(&self, changes: u64) -> bool {
        self.subgroups.iter().all(|subgroup| !subgroup.is_runnable() || subgroup.is_circling(changes))
    }
}
