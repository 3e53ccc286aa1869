//! The loop that runs instructions.
#![allow(unsafe_code)] // Calls handlers on planes that the decoder made for this batch.

mod step;

pub(crate) use step::{Event, place_of, take};

use crate::Level;
use crate::batch::{Batch, LANES};
use crate::code::{Code, FunctionCode, Guard, Step};
use crate::cohort::Group;
use crate::masks::{self, Masks};
use crate::memory::{Performer, Surroundings, Trap, Window, load_parameter};
use crate::pool::Pool;
use crate::special::fill;
use crate::state::{BatchState, Entry, ROOT, push};
use pisa_machine::{GENERIC_PRIVATE, Image, Launch, Memory, Observer, Statistics, Stop, StopReason};
use pisa_module::FunctionId;
use std::sync::atomic::fence;

/// Why a batch does not go on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pause {
    /// No lane can run in this turn.
    Idle,
    /// A barrier may be complete.
    Barrier,
}

/// What comes after an entry has stopped to run.
pub(crate) enum Next {
    /// These lanes run on elsewhere.
    Entry(Entry),
    /// Whoever is first.
    Pick,
    /// First see to barriers.
    Barrier,
}

/// [`Runner::run_entry`] compiled for a set of vector instructions.
pub(crate) type EntryRunner =
    unsafe fn(&mut Runner<'_>, &mut BatchState, &mut [Group], Entry) -> Result<Next, Box<Stop>>;

/// The fastest one for a host; `OBSERVED` where somebody watches.
pub(crate) fn entry_runner<const OBSERVED: bool>(level: Level) -> EntryRunner {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => run_avx512::<OBSERVED>,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => run_avx2::<OBSERVED>,
        _ => run_plain::<OBSERVED>,
    }
}

unsafe fn run_plain<const OBSERVED: bool>(
    runner: &mut Runner<'_>,
    state: &mut BatchState,
    groups: &mut [Group],
    entry: Entry,
) -> Result<Next, Box<Stop>> {
    runner.run_entry::<OBSERVED>(state, groups, entry)
}

/// # Safety
/// The host has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx2<const OBSERVED: bool>(
    runner: &mut Runner<'_>,
    state: &mut BatchState,
    groups: &mut [Group],
    entry: Entry,
) -> Result<Next, Box<Stop>> {
    runner.run_entry::<OBSERVED>(state, groups, entry)
}

/// # Safety
/// The host has AVX-512 F, BW, DQ, VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx512<const OBSERVED: bool>(
    runner: &mut Runner<'_>,
    state: &mut BatchState,
    groups: &mut [Group],
    entry: Entry,
) -> Result<Next, Box<Stop>> {
    runner.run_entry::<OBSERVED>(state, groups, entry)
}

/// What a worker needs to run batches.
pub(crate) struct Runner<'a> {
    pub(crate) code: &'a Code,
    pub(crate) image: &'a Image,
    pub(crate) launch: &'a Launch,
    pub(crate) memory: &'a Memory,
    pub(crate) pool: &'a Pool,
    pub(crate) level: Level,
    pub(crate) perform: Performer,
    pub(crate) run_entry: EntryRunner,
    /// By memory instruction: the object it met last.
    pub(crate) windows: Vec<Window>,
    /// What is left of this worker's share of the fuel.
    pub(crate) fuel: u64,
    pub(crate) statistics: Statistics,
    /// Whether a store or an atomic may have changed memory.
    pub(crate) changed: bool,
    /// Who watches.
    pub(crate) observer: Option<&'a mut dyn Observer>,
}

impl Runner<'_> {
    /// Runs a batch until no lane of it can run in this turn, or a barrier may be complete.
    pub(crate) fn run(&mut self, state: &mut BatchState, groups: &mut [Group]) -> Result<Pause, Box<Stop>> {
        while let Some(mut entry) = state.pick() {
            // Work-groups without loops use fuel, too.
            let activation = &state.activations[entry.activation as usize];
            if let Some(function) = self.code.function(activation.function) {
                self.refuel(state, function, &entry)?;
            }
            loop {
                // SAFETY: chosen for a host that has the instructions.
                match unsafe { (self.run_entry)(self, state, groups, entry) }? {
                    Next::Entry(next) => entry = next,
                    Next::Pick => break,
                    Next::Barrier => return Ok(Pause::Barrier),
                }
            }
        }
        Ok(Pause::Idle)
    }

    /// Runs lanes from one instruction on, and who joins them or goes before them, as long as they stay in one
    /// activation.
    #[inline(always)]
    fn run_entry<const OBSERVED: bool>(
        &mut self,
        state: &mut BatchState,
        groups: &mut [Group],
        mut entry: Entry,
    ) -> Result<Next, Box<Stop>> {
        let code = self.code;
        let activation = &state.activations[entry.activation as usize];
        let Some(function) = code.function(activation.function) else { return Ok(Next::Pick) };
        let Some(frame) = activation.frame.as_ref().map(|f| f.start()) else { return Ok(Next::Pick) };
        let private = (activation.private_base, activation.private_top);
        let all: Masks = std::array::from_fn(|s| if s < state.count { u32::MAX } else { 0 });
        let mut batch = Batch {
            areas: [frame, state.fixed.start()],
            count: state.count,
            masks: entry.masks,
            full: entry.masks == all,
        };
        let mut width = u64::from(masks::subgroups(entry.masks));
        let mut lanes = u64::from(masks::lanes(entry.masks));
        let mut limit = state.limit(entry.activation) as usize;
        let (operations, steps, runs) = (&function.operations[..], &function.steps[..], &function.runs[..]);
        let mut pc = entry.pc as usize;
        let mut executed = 0u64;
        // Counts what the present lanes have done.
        macro_rules! count {
            () => {
                self.count(executed, width, lanes)
            };
        }
        // Goes on with other lanes.
        macro_rules! go_on_with {
            ($masks:expr) => {
                count!();
                executed = 0;
                batch.masks = $masks;
                batch.full = batch.masks == all;
                width = u64::from(masks::subgroups(batch.masks));
                lanes = u64::from(masks::lanes(batch.masks));
            };
        }
        // The present lanes, elsewhere.
        macro_rules! present {
            ($pc:expr) => {
                Entry { activation: entry.activation, pc: $pc as u32, masks: batch.masks }
            };
        }
        loop {
            let end = (pc + runs[pc] as usize).min(limit);
            executed += (end - pc) as u64;
            for operation in &operations[pc..end] {
                // SAFETY: decoded for this batch and a host that has the instructions.
                unsafe { (operation.run)(&batch, operation) };
            }
            pc = end;
            if pc == limit {
                let together = state.absorb(present!(pc));
                limit = state.limit(entry.activation) as usize;
                go_on_with!(together);
                continue;
            }
            executed += 1;
            if OBSERVED && let Some(site) = function.site(pc) {
                self.show(state, function, site, &batch, (entry.activation, pc));
                if let Step::Compute = steps[pc] {
                    let operation = &operations[pc];
                    // SAFETY: as above.
                    unsafe { (operation.run)(&batch, operation) };
                    pc += 1;
                    continue;
                }
            }
            let target = match steps[pc] {
                Step::Compute | Step::ComputeWithActiveMask => {
                    self.refresh_active_mask(&batch);
                    let operation = &operations[pc];
                    // SAFETY: as above.
                    unsafe { (operation.run)(&batch, operation) };
                    pc += 1;
                    continue;
                }
                Step::Memory(index) => {
                    if let Err(stop) = self.access(state, function, &batch, (index, pc), private) {
                        count!();
                        return Err(stop);
                    }
                    pc += 1;
                    continue;
                }
                Step::PrivateAddress { destination, offset, generic } => {
                    let address = private.0.wrapping_add(offset);
                    private_address(&batch, destination, address, generic);
                    pc += 1;
                    continue;
                }
                Step::Parameter(index) => {
                    self.parameter(function, &batch, index);
                    pc += 1;
                    continue;
                }
                Step::Fence(order) => {
                    fence(order);
                    pc += 1;
                    continue;
                }
                Step::Goto(target) => target as usize,
                Step::GotoIf(guard, target) => {
                    let target = target as usize;
                    let taken = guarded(&batch, guard);
                    if !masks::any(taken) || target == pc + 1 {
                        pc += 1;
                        continue;
                    }
                    if taken != batch.masks {
                        let rest = masks::without(batch.masks, taken);
                        // The lower instruction goes first.
                        if target > pc {
                            state.push(Entry { masks: taken, ..present!(target) });
                            limit = limit.min(target);
                            go_on_with!(rest);
                            pc += 1;
                            continue;
                        }
                        state.push(Entry { masks: rest, ..present!(pc + 1) });
                        limit = limit.min(pc + 1);
                        go_on_with!(taken);
                    }
                    target
                }
                Step::Call(site) => {
                    count!();
                    return self.call(state, function, &batch, present!(pc), site as usize);
                }
                Step::Return(guard, value) => {
                    let leaving = guard.map_or(batch.masks, |guard| guarded(&batch, guard));
                    if !masks::any(leaving) {
                        pc += 1;
                        continue;
                    }
                    count!();
                    return self.leave(state, groups, function, &batch, present!(pc), leaving, value);
                }
                Step::End => {
                    executed -= 1;
                    count!();
                    return self.leave(state, groups, function, &batch, present!(pc), batch.masks, None);
                }
                Step::Barrier => {
                    count!();
                    entry = present!(pc + 1);
                    push(&mut state.blocked, entry);
                    let mut complete = false;
                    for subgroup in 0..state.count {
                        let group = &mut groups[state.groups[subgroup]];
                        group.arrived += entry.masks[subgroup].count_ones();
                        complete |= group.complete();
                    }
                    return Ok(if complete { Next::Barrier } else { Next::Pick });
                }
            };
            // A jump of all present lanes.
            if target <= pc {
                state.jumps += 1;
                if state.jumps >= state.most_jumps || executed * width >= self.fuel {
                    count!();
                    state.jumps -= 1;
                    return self.jump_back(state, function, present!(target));
                }
            } else if target > limit {
                state.push(present!(target));
                match state.pick() {
                    Some(next) if next.activation == entry.activation => {
                        limit = state.limit(entry.activation) as usize;
                        go_on_with!(next.masks);
                        pc = next.pc as usize;
                        continue;
                    }
                    Some(next) => {
                        count!();
                        return Ok(Next::Entry(next));
                    }
                    None => {
                        count!();
                        return Ok(Next::Pick);
                    }
                }
            }
            pc = target;
        }
    }

    /// Loads, stores and atomics, by the access's index; `private`: where the private frame begins and ends.
    #[inline(always)]
    fn access(
        &mut self,
        state: &mut BatchState,
        function: &FunctionCode,
        batch: &Batch,
        (index, pc): (u32, usize),
        (private_base, private_top): (u32, u32),
    ) -> Result<(), Box<Stop>> {
        let access = &function.accesses[index as usize];
        if access.reads_active_mask {
            self.refresh_active_mask(batch);
        }
        let mut around = Surroundings {
            global: self.memory,
            window: &mut self.windows[access.site as usize],
            shared: &state.shared,
            shared_size: self.launch.shared_size,
            private: &mut state.private,
            private_base,
            private_top,
            changed: &mut self.changed,
        };
        // SAFETY: decoded for this batch; shared memories have that size; the host has the instructions.
        let result = unsafe { (self.perform)(batch, access, &mut around) };
        result.map_err(|trap| self.trap(state, function, pc, *trap))
    }

    /// `ld.param` at an offset in a register, by the load's index.
    #[inline(always)]
    fn parameter(&mut self, function: &FunctionCode, batch: &Batch, index: u32) {
        let load = &function.parameter_loads[index as usize];
        if load.reads_active_mask {
            self.refresh_active_mask(batch);
        }
        // SAFETY: decoded for this batch.
        unsafe { load_parameter(batch, load, &self.launch.arguments) };
    }

    /// Counts a jump back or a call, and sees to what is due then.
    pub(super) fn jump_back(
        &mut self,
        state: &mut BatchState,
        function: &FunctionCode,
        entry: Entry,
    ) -> Result<Next, Box<Stop>> {
        state.jumps += 1;
        self.refuel(state, function, &entry)?;
        if state.jumps < state.most_jumps {
            return Ok(Next::Entry(entry));
        }
        state.jumps = 0;
        state.allowed = masks::without(state.allowed, masks::whole(entry.masks));
        state.push(entry);
        Ok(Next::Pick)
    }

    /// Takes another share of the fuel where the last one is used up.
    fn refuel(
        &mut self,
        state: &BatchState,
        function: &FunctionCode,
        entry: &Entry,
    ) -> Result<(), Box<Stop>> {
        if self.fuel != 0 {
            return Ok(());
        }
        self.fuel = self.pool.take_fuel();
        if self.fuel != 0 {
            return Ok(());
        }
        Err(self.out_of_fuel(state, function, entry))
    }

    #[cold]
    fn out_of_fuel(&self, state: &BatchState, function: &FunctionCode, entry: &Entry) -> Box<Stop> {
        let subgroup = entry.masks.iter().position(|&m| m != 0).unwrap_or(0);
        let reason = StopReason::OutOfFuel(self.launch.fuel);
        self.stop(state, function.id, entry.pc as usize, reason, subgroup, entry.masks[subgroup])
    }

    /// Adds instructions to the statistics and takes them from the fuel.
    #[inline(always)]
    fn count(&mut self, executed: u64, width: u64, lanes: u64) {
        let instructions = executed.saturating_mul(width);
        self.statistics.instructions += instructions;
        self.statistics.active_lanes += executed.saturating_mul(lanes);
        self.fuel = self.fuel.saturating_sub(instructions);
    }

    /// Writes `%activemask`.
    pub(super) fn refresh_active_mask(&self, batch: &Batch) {
        if let Some(plane) = self.code.fixed.active_mask {
            for subgroup in 0..batch.count {
                // SAFETY: the plane is one of 32-bit elements of the fixed area.
                unsafe { fill(batch.at::<u32>(plane).add(subgroup * LANES), 1, batch.masks[subgroup]) }
            }
        }
    }

    /// Lanes leave a function or the kernel.
    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        state: &mut BatchState,
        groups: &mut [Group],
        function: &FunctionCode,
        batch: &Batch,
        entry: Entry,
        leaving: Masks,
        value: Option<crate::Plane>,
    ) -> Result<Next, Box<Stop>> {
        self.show_leave(state, entry.activation, leaving);
        let rest = masks::without(entry.masks, leaving);
        let stay = masks::any(rest).then_some(Entry { pc: entry.pc + 1, masks: rest, ..entry });
        if entry.activation != ROOT {
            let back = self.give_back(state, function, batch, entry.activation, leaving, value);
            if stay.is_none() && state.waiting.is_empty() {
                return Ok(Next::Entry(back));
            }
            state.push(back);
            return Ok(stay.map_or(Next::Pick, Next::Entry));
        }
        // Code without jumps and calls uses fuel, too.
        if self.statistics.instructions > self.launch.fuel {
            return Err(self.out_of_fuel(state, function, &entry));
        }
        // C-06: they are gone for good, and barriers no longer wait for them.
        state.live = masks::without(state.live, leaving);
        state.leave(ROOT, leaving);
        let mut complete = false;
        for subgroup in 0..state.count {
            if leaving[subgroup] != 0 {
                let group = &mut groups[state.groups[subgroup]];
                group.live -= leaving[subgroup].count_ones();
                complete |= group.complete();
                if group.live == 0 {
                    self.statistics.work_groups += 1;
                    self.show_end(group.index);
                }
            }
        }
        Ok(match (complete, stay) {
            (false, Some(stay)) => Next::Entry(stay),
            (false, None) => Next::Pick,
            (true, stay) => {
                stay.into_iter().for_each(|stay| state.push(stay));
                Next::Barrier
            }
        })
    }

    /// A trap of one lane.
    fn trap(&self, state: &BatchState, function: &FunctionCode, pc: usize, trap: Trap) -> Box<Stop> {
        self.stop(state, function.id, pc, trap.reason, trap.subgroup, 1 << trap.lane)
    }

    /// What stopped a launch, at an instruction.
    pub(super) fn stop(
        &self,
        state: &BatchState,
        function: FunctionId,
        pc: usize,
        reason: StopReason,
        subgroup: usize,
        lanes: u32,
    ) -> Box<Stop> {
        let origin = state.origins.get(subgroup);
        let code = &self.image.program.function(function).code;
        Box::new(Stop {
            reason,
            place: code.get(pc).or(code.last()).map(|instruction| instruction.place),
            group: origin.map_or([0; 3], |origin| origin.group),
            subgroup: origin.map_or(0, |origin| origin.number),
            lanes,
            standing: Vec::new(),
        })
    }
}

/// The active lanes for which a guard holds.
#[inline(always)]
pub(super) fn guarded(batch: &Batch, guard: Guard) -> Masks {
    let mut taken = masks::NONE;
    // SAFETY: the plane is a predicate of the running frame.
    let words = unsafe { std::slice::from_raw_parts(batch.at::<u32>(guard.plane), batch.count) };
    for (subgroup, &word) in words.iter().enumerate() {
        taken[subgroup] = (word ^ guard.flip) & batch.masks[subgroup];
    }
    taken
}

/// Writes the address of a private variable to the active lanes.
fn private_address(batch: &Batch, destination: crate::Plane, address: u32, generic: bool) {
    for subgroup in 0..batch.count {
        crate::moves::each_lane(batch.masks[subgroup], |lane| {
            let at = subgroup * LANES + lane;
            // SAFETY: the plane has elements of this width.
            unsafe {
                if generic {
                    *batch.at::<u64>(destination).add(at) = GENERIC_PRIVATE | u64::from(address);
                } else {
                    *batch.at::<u32>(destination).add(at) = address;
                }
            }
        });
    }
}
