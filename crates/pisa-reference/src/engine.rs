//! The engine: work-groups and their sub-groups in turns.

use crate::code::Code;
use crate::cross_lane::lanes_of;
use crate::observe::Watch;
use crate::operands::Identity;
use crate::run::Runner;
use crate::subgroup::{Lane, SubGroup};
use pisa_machine::{
    Doing, Engine, Image, Launch, Memory, ObservedEngine, Observer, Outcome, Standing, Stop, StopReason,
    SubGroupId, UNDEFINED_BYTE, initial_mask, subgroups, work_items,
};
use pisa_module::FunctionId;

/// Work-items of the work-groups that run at the same time, as far as it is more than one group.
const MOST_ITEMS: u64 = 1 << 16;
/// Bytes that these work-groups take at first, as far as it is more than one group.
const MOST_BYTES: u64 = 1 << 30;

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
    let Some(kernel) = code.get(launch.kernel.index()) else { return Outcome::default() };
    let stop = WorkGroups::new(launch, kernel).run(&mut runner).err().map(|stop| *stop);
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
    fn new(launch: &'a Launch, kernel: &Code) -> WorkGroups<'a> {
        let items = u64::from(work_items(launch.local)).max(1);
        let bytes = items * kernel.bytes_of_a_lane() + u64::from(launch.shared_size);
        let room = (MOST_ITEMS / items).min(MOST_BYTES / bytes.max(1)).max(1);
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
            let stuck = self.resident.iter().all(|group| group.is_stuck(runner.changes));
            if stuck && !self.resident.is_empty() && !self.can_begin() {
                return Err(self.livelock(runner));
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

    /// Every sub-group that can run runs in circles: says who stands where.
    fn livelock(&self, runner: &Runner<'_>) -> Box<Stop> {
        let mut stop = Stop {
            reason: StopReason::Livelock,
            place: None,
            group: [0; 3],
            subgroup: 0,
            lanes: 0,
            standing: Vec::new(),
        };
        for group in &self.resident {
            for subgroup in &group.subgroups {
                let next = subgroup.next();
                if let Some((position, lanes)) = next
                    && stop.lanes == 0
                    && let Some(activation) = subgroup.activations.get(&position.activation)
                {
                    let function = runner.image.program.function(activation.function);
                    stop.place = function.code.get(position.pc).map(|instruction| instruction.place);
                    (stop.group, stop.subgroup, stop.lanes) = (group.id, subgroup.number, lanes);
                }
                stop.standing.extend(standing(runner, group, subgroup));
            }
        }
        const MOST: usize = 12;
        stop.standing.truncate(MOST);
        Box::new(stop)
    }
}

/// Where the lanes of a sub-group stand.
fn standing(runner: &Runner<'_>, group: &WorkGroup, subgroup: &SubGroup) -> Vec<Standing> {
    let first = subgroup.next().map(|(position, _)| Lane::Ready(position));
    let mut left = subgroup.live();
    let mut sets = Vec::new();
    while left != 0 {
        let state = subgroup.lanes[left.trailing_zeros() as usize];
        let lanes = lanes_of(left).filter(|&lane| subgroup.lanes[lane] == state);
        let lanes = lanes.fold(0u32, |set, lane| set | 1 << lane);
        left &= !lanes;
        let (position, doing) = match state {
            Lane::Ready(position) if Some(state) == first => (position, Doing::Spin),
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
        let subgroups = (0..subgroups(size))
            .map(|number| SubGroup::new(number, initial_mask(number, size), launch.kernel, code));
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
                if !subgroup.watch.is_circling(runner.changes) {
                    runner.turn(subgroup, identity, &mut self.shared)?;
                }
            }
            if !self.release(runner) {
                return Ok(());
            }
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
        self.subgroups.iter().all(|subgroup| !subgroup.is_runnable() || subgroup.watch.is_circling(changes))
    }
}
