//! Running instructions of a sub-group.

use crate::bits::{UNDEFINED, truncate};
use crate::code::{Code, Instruction};
use crate::compute::{cross_lane_element, lane_elements};
use crate::control_flow::{Flow, first_source};
use crate::cross_lane::{LANES, lanes_of};
use crate::observe::Watch;
use crate::operands::{Destination, Identity, Sources};
use crate::schedule::Scheduler;
use crate::semantics::Semantics;
use crate::spaces::LaneMemory;
use crate::subgroup::{Activation, ActivationId, Lane, Position, SubGroup};
use pisa_machine::{Image, Launch, Memory, Schedule, Statistics, Stop, StopReason};
use pisa_module::{ControlFlow, FunctionId, PostDominators};

/// What running needs besides the sub-group.
pub(crate) struct Runner<'a> {
    pub(crate) image: &'a Image,
    pub(crate) launch: &'a Launch,
    pub(crate) memory: &'a Memory,
    pub(crate) code: &'a [Code],
    pub(crate) statistics: Statistics,
    /// Stores so far that changed a byte of memory.
    pub(crate) changes: u64,
    /// Who watches.
    pub(crate) watch: Option<Watch<'a>>,
    /// By function: where lanes that part at a branch meet, under `ipdom`.
    post_dominators: Vec<PostDominators>,
    /// Results of the lanes of one instruction.
    results: Vec<u128>,
}

/// Why an instruction did not end well: the reason, and the lanes.
type Trap = (StopReason, u32);

impl<'a> Runner<'a> {
    pub(crate) fn new(
        image: &'a Image,
        launch: &'a Launch,
        memory: &'a Memory,
        code: &'a [Code],
    ) -> Runner<'a> {
        let statistics = Statistics::default();
        let post_dominators = match launch.schedule {
            Schedule::Ipdom => {
                let functions = image.program.functions();
                functions.map(|(_, function)| ControlFlow::of(function).post_dominators()).collect()
            }
            _ => Vec::new(),
        };
        let (watch, results) = (None, Vec::new());
        Runner { image, launch, memory, code, statistics, changes: 0, watch, post_dominators, results }
    }

    /// Runs a sub-group until none of its lanes can run or its turn is over.
    pub(crate) fn turn(
        &mut self,
        subgroup: &mut SubGroup,
        identity: Identity<'_>,
        shared: &mut [u8],
    ) -> Result<(), Box<Stop>> {
        let mut turn = subgroup.begin_turn();
        while let Some((position, lanes)) = subgroup.next() {
            let Some(activation) = subgroup.activations.get(&position.activation) else { return Ok(()) };
            let function = activation.function;
            let stop = |(reason, lanes): Trap| {
                let code = &self.image.program.function(function).code;
                let place = code.get(position.pc).or(code.last()).map(|instruction| instruction.place);
                let (group, subgroup) = (identity.group, identity.subgroup);
                Box::new(Stop { reason, place, group, subgroup, lanes, standing: Vec::new() })
            };
            let code = self.code;
            let Some(instruction) = code[function.index()].instructions.get(position.pc) else {
                // C-10: an implicit return, from a function with a result without one (C-08).
                self.give_back(subgroup, identity, position, lanes, None);
                continue;
            };
            if self.statistics.instructions >= self.launch.fuel {
                return Err(stop((StopReason::OutOfFuel(self.launch.fuel), lanes)));
            }
            self.statistics.instructions += 1;
            self.statistics.active_lanes += u64::from(lanes.count_ones());
            if let Some(watch) = &mut self.watch {
                watch.before(self.image, self.code, subgroup, identity, position, lanes);
            }
            let mut back = false;
            match instruction.semantics {
                Semantics::Flow(flow) => {
                    let jumped = self.flow(subgroup, identity, position, lanes, instruction, flow);
                    back = jumped.map_err(stop)?;
                    if back {
                        subgroup.watch(self.changes, lanes);
                    }
                }
                _ => {
                    let result = self.compute(subgroup, identity, shared, position, lanes, instruction);
                    result.map_err(stop)?;
                    for lane in lanes_of(lanes) {
                        subgroup.lanes[lane] = Lane::Ready(Position { pc: position.pc + 1, ..position });
                    }
                }
            }
            if instruction.looks_at_other_lanes() {
                subgroup.lanes_were_seen();
            }
            let ends_early = back && self.launch.schedule == Schedule::Lexical;
            if !subgroup.spend(&mut turn, lanes, back) || ends_early && subgroup.is_circling(self.changes) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs an instruction that computes or accesses memory: every lane's results first, then every lane's writes, so
    /// that all sources are read before (T-08, S-19).
    fn compute(
        &mut self,
        subgroup: &mut SubGroup,
        identity: Identity<'_>,
        shared: &mut [u8],
        position: Position,
        lanes: u32,
        instruction: &Instruction,
    ) -> Result<(), Trap> {
        let Some(activation) = subgroup.activations.get_mut(&position.activation) else { return Ok(()) };
        let registers = &activation.registers[..];
        let q = &instruction.qualifiers;
        let width = instruction.results;
        let sources = |lane| sources(activation, instruction, identity, lanes, lane);
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        results.resize(width * LANES, 0);
        let mut written = lanes;
        match instruction.semantics {
            Semantics::CrossLane(f) => {
                for element in 0..width {
                    let source = |operand, lane| sources(lane).element(operand, element);
                    for (lane, value) in cross_lane_element(f, q, lanes, source) {
                        match value {
                            Some(value) => results[lane * width + element] = value,
                            None => written &= !(1 << lane),
                        }
                    }
                }
            }
            Semantics::Memory(f) => {
                for lane in lanes_of(lanes) {
                    let private = &mut subgroup.private[lane];
                    let frame_end = private.len().min(activation.frame_end as usize);
                    let mut memory = LaneMemory {
                        global: self.memory,
                        shared,
                        private: &mut private[..frame_end],
                        arguments: &self.launch.arguments,
                        changes: &mut self.changes,
                    };
                    let dst = &mut results[lane * width..][..width];
                    f(q, &sources(lane), &mut memory, dst).map_err(|reason| (reason, 1 << lane))?;
                }
            }
            semantics => {
                for lane in lanes_of(lanes) {
                    let dst = &mut results[lane * width..][..width];
                    old_values(&instruction.destinations, registers, lane, dst);
                    lane_elements(semantics, q, &sources(lane), dst);
                }
            }
        }
        for lane in lanes_of(written) {
            let values = &results[lane * width..][..width];
            write(&instruction.destinations, &mut activation.registers, LANES, lane, values);
        }
        self.results = results;
        Ok(())
    }

    /// Takes lanes where the instruction sends them. Whether that is a jump back or a call.
    fn flow(
        &mut self,
        subgroup: &mut SubGroup,
        identity: Identity<'_>,
        position: Position,
        lanes: u32,
        instruction: &Instruction,
        flow: fn(&crate::qualifiers::Qualifiers, &Sources<'_>) -> Flow,
    ) -> Result<bool, Trap> {
        let Some(activation) = subgroup.activations.get(&position.activation) else { return Ok(false) };
        let next = Position { pc: position.pc + 1, ..position };
        let mut back = false;
        let (mut calling, mut returning) = (Vec::new(), 0u32);
        // Lanes behind the instruction, and lanes that jump somewhere else.
        let (mut falling, mut jumping) = ((next.pc, 0u32), (next.pc, 0u32));
        for lane in lanes_of(lanes) {
            let src = sources(activation, instruction, identity, lanes, lane);
            subgroup.lanes[lane] = match flow(&instruction.qualifiers, &src) {
                Flow::Next => {
                    falling.1 |= 1 << lane;
                    Lane::Ready(next)
                }
                Flow::Jump(pc) => {
                    back |= pc <= position.pc;
                    jumping = (pc, jumping.1 | 1 << lane);
                    Lane::Ready(Position { pc, ..position })
                }
                Flow::Wait => Lane::Waiting(next),
                Flow::Call(target) => {
                    calling.push((lane, target));
                    continue;
                }
                Flow::Return => {
                    returning |= 1 << lane;
                    continue;
                }
            };
        }
        if let Scheduler::Ipdom(meetings) = &mut subgroup.scheduler
            && jumping.1 != 0
            && falling.1 != 0
            && jumping.0 != falling.0
        {
            let meeting = self.post_dominators[activation.function.index()].immediate(position.pc as u32);
            let (first, second) = if jumping.0 < falling.0 { (jumping, falling) } else { (falling, jumping) };
            meetings.part(position.activation, meeting.map(|pc| pc as usize), &[first.1, second.1]);
        }
        if !calling.is_empty() {
            self.call(subgroup, identity, position, lanes, instruction, calling)?;
            back = true;
        }
        if returning != 0 {
            let value = instruction.sources.len() > first_source(&instruction.qualifiers);
            let value = value.then_some((instruction, lanes));
            self.give_back(subgroup, identity, position, returning, value);
        }
        Ok(back)
    }

    /// Calls: lanes with one target enter an activation together, targets in the order of their first lane (C-03).
    fn call(
        &mut self,
        subgroup: &mut SubGroup,
        identity: Identity<'_>,
        position: Position,
        active: u32,
        instruction: &Instruction,
        calling: Vec<(usize, u64)>,
    ) -> Result<(), Trap> {
        let Some(caller) = subgroup.activations.get(&position.activation) else { return Ok(()) };
        let (depth, frame_base) = (caller.depth + 1, caller.frame_end);
        let all = calling.iter().fold(0, |set, (lane, _)| set | 1 << lane);
        if depth > self.launch.max_call_depth {
            return Err((StopReason::CallDepth(self.launch.max_call_depth), all));
        }
        let mut targets: Vec<(u64, FunctionId, u32)> = Vec::new();
        for (lane, handle) in calling {
            match targets.iter_mut().find(|(known, ..)| *known == handle) {
                Some((_, _, lanes)) => *lanes |= 1 << lane,
                None => {
                    let id =
                        self.image.function_of(handle).ok_or((StopReason::CallTarget(handle), 1 << lane))?;
                    targets.push((handle, id, 1 << lane));
                }
            }
        }
        if let Scheduler::Ipdom(meetings) = &mut subgroup.scheduler {
            // Those that do not call are at the end of this parting already.
            let calls = targets.iter().map(|(.., lanes)| *lanes).chain([active & !all]);
            meetings.part(position.activation, Some(position.pc + 1), &calls.collect::<Vec<_>>());
        }
        let target = first_source(&instruction.qualifiers);
        for (_, function, lanes) in targets {
            let code = &self.code[function.index()];
            let caller = Some((position.activation, position.pc));
            let new = subgroup.enter(function, code, caller, depth, frame_base, lanes).ok_or_else(|| {
                let name = &self.image.program.function(function).name;
                (StopReason::OutOfMemory(format!("no room for another call of `@{name}`")), lanes)
            })?;
            let Some(mut callee) = subgroup.activations.remove(&new) else { return Ok(()) };
            let Some(caller) = subgroup.activations.get(&position.activation) else { return Ok(()) };
            for (i, &(slot, ty)) in code.parameters.iter().enumerate() {
                // F-11: an argument of another type leaves the parameter undefined.
                if instruction.arguments.get(i) != Some(&ty) {
                    continue;
                }
                for lane in lanes_of(lanes) {
                    let src = sources(caller, instruction, identity, active, lane);
                    for element in 0..usize::from(ty.elements) {
                        callee.registers[(slot + element) * LANES + lane] =
                            src.element(target + 1 + i, element);
                    }
                }
            }
            if let Some(watch) = &mut self.watch {
                watch.enter(identity.id(), new, &callee);
            }
            subgroup.activations.insert(new, callee);
            for lane in lanes_of(lanes) {
                subgroup.lanes[lane] = Lane::Ready(Position { activation: new, pc: 0 });
            }
        }
        Ok(())
    }

    /// Lanes return to their caller with a value, or leave the kernel (C-02, C-06). The value is the first source behind
    /// the guard of a `return`.
    fn give_back(
        &mut self,
        subgroup: &mut SubGroup,
        identity: Identity<'_>,
        position: Position,
        lanes: u32,
        value: Option<(&Instruction, u32)>,
    ) {
        let id: ActivationId = position.activation;
        if let Some(watch) = &mut self.watch {
            watch.observer.leave(identity.id(), id, lanes);
        }
        if let Scheduler::Ipdom(meetings) = &mut subgroup.scheduler {
            meetings.leave(id, lanes);
        }
        let Some(callee) = subgroup.activations.remove(&id) else { return };
        let Some((caller_id, call_pc)) = callee.caller else {
            subgroup.activations.insert(id, callee);
            for lane in lanes_of(lanes) {
                subgroup.lanes[lane] = Lane::Gone;
            }
            subgroup.leave(id, lanes);
            return;
        };
        let result_type = self.code[callee.function.index()].result;
        if let Some(caller) = subgroup.activations.get_mut(&caller_id)
            && let Some(call) = self.code[caller.function.index()].instructions.get(call_pc)
            && let [destination @ Destination::Register { elements, width, .. }] = call.destinations[..]
        {
            // F-11: a result of another type, like none (C-08), is undefined.
            let same = result_type
                .is_some_and(|ty| usize::from(ty.elements) == elements && u32::from(ty.bits) == width);
            for lane in lanes_of(lanes) {
                let values: Vec<u128> = match value {
                    Some((instruction, active)) if same => {
                        let src = sources(&callee, instruction, identity, active, lane);
                        let operand = first_source(&instruction.qualifiers);
                        (0..elements).map(|element| src.element(operand, element)).collect()
                    }
                    _ => vec![UNDEFINED; elements],
                };
                write(&[destination], &mut caller.registers, LANES, lane, &values);
            }
        }
        for lane in lanes_of(lanes) {
            subgroup.lanes[lane] = Lane::Ready(Position { activation: caller_id, pc: call_pc + 1 });
        }
        subgroup.activations.insert(id, callee);
        subgroup.leave(id, lanes);
    }
}

/// The sources of an instruction as a lane sees them.
fn sources<'a>(
    activation: &'a Activation,
    instruction: &'a Instruction,
    identity: Identity<'a>,
    activemask: u32,
    lane: usize,
) -> Sources<'a> {
    Sources {
        operands: &instruction.sources,
        registers: &activation.registers,
        stride: LANES,
        frame_base: activation.frame_base,
        identity: Some(identity),
        activemask,
        lane,
    }
}

/// The elements that the destinations hold for a lane.
fn old_values(destinations: &[Destination], registers: &[u128], lane: usize, into: &mut [u128]) {
    let mut into = into.iter_mut();
    for destination in destinations {
        if let Destination::Register { slot, elements, .. } = *destination {
            for (element, into) in (&mut into).take(elements).enumerate() {
                *into = registers[(slot + element) * LANES + lane];
            }
        } else {
            into.next();
        }
    }
}

/// Writes the results of a lane, each cut to the width of its element, where a slot has `stride` lanes.
pub(crate) fn write(
    destinations: &[Destination],
    registers: &mut [u128],
    stride: usize,
    lane: usize,
    values: &[u128],
) {
    let mut values = values.iter().copied();
    for destination in destinations {
        match *destination {
            Destination::Register { slot, elements, width } => {
                for (element, value) in (&mut values).take(elements).enumerate() {
                    registers[(slot + element) * stride + lane] = truncate(value, width);
                }
            }
            Destination::Row { slot, elements, width } => {
                let row = values.next().unwrap_or_default();
                for element in 0..elements {
                    registers[(slot + element) * stride + lane] =
                        truncate(row >> (element as u32 * width), width);
                }
            }
        }
    }
}
