//! Who arrives at barriers (B05xx; Y-01, Y-02).
//!
//! All work-items of a work-group have to execute the same `barrier.workgroup`, in a loop on the same turn, unless they
//! have left the kernel. The first that arrive are remembered until the work-group goes on, and all that come after them are
//! compared with them. What a barrier does to memory is another matter (Y-03).

mod left;
mod loops;
mod text;

use crate::access::Access;
use crate::check::{Check, Context};
use crate::finding::Findings;
use left::Left;
use loops::Loops;
use pisa_diag::Place;
use pisa_diag::codes::finding::barrier as codes;
use pisa_isa::{Opcode, SlotName};
use pisa_machine::{Entry, LANES, Step, SubGroupId};
use pisa_module::{Function, FunctionId, Instruction};
use rustc_hash::FxHashMap;

/// The check of barriers.
pub(crate) struct Barriers {
    strict: bool,
    /// By function.
    loops: Vec<Loops>,
    /// Calls that have not returned.
    activations: FxHashMap<(SubGroupId, u64), Activation>,
    /// By work-group: who waits.
    waiting: FxHashMap<u64, Arrival>,
    /// Who has left the kernel, and where (`barrier=strict`).
    left: Left,
}

/// A call that has not returned.
#[derive(Clone, Debug)]
struct Activation {
    function: FunctionId,
    /// The activation that called, and the index of its call.
    caller: Option<(u64, u32)>,
    inside: u32,
    /// By loop with a barrier in it, by lane: how often it went round.
    turns: Vec<[u32; LANES as usize]>,
}

/// The first lanes that arrived at a barrier since the work-group last went on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Arrival {
    function: FunctionId,
    index: u32,
    place: Place,
    group: [u64; 3],
    size: [u32; 3],
    subgroup: u32,
    lanes: u32,
    /// The calls that led there, innermost first: who called, and the index of the call.
    calls: Vec<(FunctionId, u32)>,
    /// By loop around the barrier, outermost first: its head, and the turn.
    turns: Vec<(Place, u32)>,
}

impl Barriers {
    pub(crate) fn new(context: &Context<'_>, strict: bool) -> Barriers {
        let loops = context.image.program.functions().map(|(_, function)| Loops::of(function)).collect();
        Barriers {
            strict,
            loops,
            activations: FxHashMap::default(),
            waiting: FxHashMap::default(),
            left: Left::default(),
        }
    }

    /// Counts the lanes that go round a loop.
    fn branch(&mut self, step: &Step<'_>) {
        let Some(loops) = self.loops.get(step.function.index()) else { return };
        let Some(around) = loops.goes_round(step.index) else { return };
        let taken = if step.instruction.has(SlotName::Cond) {
            step.view.predicate(0) & step.lanes
        } else {
            step.lanes
        };
        let Some(activation) = self.activations.get_mut(&(step.subgroup, step.activation)) else { return };
        for &which in around {
            let Some(turns) = activation.turns.get_mut(which) else { continue };
            for (lane, turn) in turns.iter_mut().enumerate() {
                *turn = turn.wrapping_add(taken >> lane & 1);
            }
        }
    }

    /// The calls that lead to an activation.
    fn calls(&self, subgroup: SubGroupId, activation: u64) -> Vec<(FunctionId, u32)> {
        let mut calls = Vec::new();
        let mut inner = self.activations.get(&(subgroup, activation));
        while let Some((caller, index)) = inner.and_then(|activation| activation.caller) {
            inner = self.activations.get(&(subgroup, caller));
            let Some(caller) = inner else { break };
            calls.push((caller.function, index));
        }
        calls
    }

    /// The turns of the loops around a barrier, by lane.
    fn turns(&self, step: &Step<'_>, lane: usize) -> Vec<(Place, u32)> {
        let Some(loops) = self.loops.get(step.function.index()) else { return Vec::new() };
        let Some(activation) = self.activations.get(&(step.subgroup, step.activation)) else {
            return Vec::new();
        };
        let turn = |which: usize| activation.turns.get(which).map_or(0, |turns| turns[lane]);
        loops.around(step.index).map(|(which, head)| (head, turn(which))).collect()
    }

    fn arrive(&mut self, context: &Context<'_>, step: &Step<'_>, findings: &mut Findings) {
        if self.strict && step.lanes != step.view.live() {
            findings.report(codes::PARTIAL_ARRIVAL, step, step.lanes, None, || text::partial(step));
        }
        // Lanes that arrive together may be on different turns of a loop.
        let mut left = step.lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let turns = self.turns(step, lane);
            let same = (0..LANES as usize).filter(|&other| left >> other & 1 == 1);
            let lanes = same.filter(|&other| other == lane || self.turns(step, other) == turns);
            let lanes = lanes.fold(0u32, |set, lane| set | 1 << lane);
            left &= !lanes;
            self.arrive_together(context, step, lanes, turns, findings);
        }
    }

    fn arrive_together(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        lanes: u32,
        turns: Vec<(Place, u32)>,
        findings: &mut Findings,
    ) {
        let arrival = Arrival {
            function: step.function,
            index: step.index,
            place: step.instruction.place,
            group: step.group,
            size: step.size,
            subgroup: step.subgroup.number,
            lanes,
            calls: self.calls(step.subgroup, step.activation),
            turns,
        };
        let Some(first) = self.waiting.get(&step.subgroup.group) else {
            self.waiting.insert(step.subgroup.group, arrival);
            return;
        };
        if first.place != arrival.place {
            // Who comes first is chance: the later one in the text is where it is reported.
            let (one, other) =
                if first.place < arrival.place { (first, &arrival) } else { (&arrival, first) };
            let text = || text::different(context, one, other);
            findings.report_at(codes::DIFFERENT_BARRIERS, other.place, step, lanes, Some(one.place), text);
        } else if first.calls != arrival.calls {
            let text = || text::other_calls(context, first, &arrival);
            findings.report(codes::DIFFERENT_CALLS, step, lanes, None, text);
        } else if first.turns != arrival.turns {
            let text = || text::other_turns(first, &arrival);
            findings.report(codes::DIFFERENT_ITERATIONS, step, lanes, None, text);
        }
    }
}

impl Check for Barriers {
    fn wants(&self, function: &Function, instruction: &Instruction) -> bool {
        match instruction.row().opcode {
            Opcode::BarrierWorkgroup => true,
            // Only those that go round a loop with a barrier in it.
            Opcode::Goto => Loops::has_barrier(function),
            Opcode::Return => self.strict && Loops::has_barrier(function),
            _ => false,
        }
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.waiting.remove(&group);
        self.left.end_group(group);
        self.activations.retain(|(id, _), _| id.group != group);
    }

    fn enter(&mut self, _: &Context<'_>, entry: &Entry) {
        let loops = self.loops.get(entry.function.index()).map_or(0, Loops::len);
        let activation = Activation {
            function: entry.function,
            caller: entry.call,
            inside: entry.lanes,
            turns: vec![[0; LANES as usize]; loops],
        };
        self.activations.insert((entry.subgroup, entry.activation), activation);
    }

    fn leave(&mut self, context: &Context<'_>, subgroup: SubGroupId, activation: u64, lanes: u32) {
        if self.strict
            && let Some(left) = self.activations.get(&(subgroup, activation))
            && left.caller.is_none()
        {
            self.left.leave(context.image.program.function(left.function), subgroup, lanes);
        }
        if let Some(left) = self.activations.get_mut(&(subgroup, activation)) {
            left.inside &= !lanes;
            if left.inside == 0 {
                self.activations.remove(&(subgroup, activation));
            }
        }
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        _: Option<&Access>,
        findings: &mut Findings,
    ) {
        match step.instruction.row().opcode {
            Opcode::BarrierWorkgroup => self.arrive(context, step, findings),
            Opcode::Return => self.left.about_to_return(step),
            _ => self.branch(step),
        }
    }

    fn release(&mut self, context: &Context<'_>, group: u64, findings: &mut Findings) {
        let Some(arrival) = self.waiting.remove(&group) else { return };
        // By a call the way in the kernel is another function's.
        if self.strict && arrival.calls.is_empty() {
            let function = context.image.program.function(arrival.function);
            let loops = self.loops.get(arrival.function.index());
            self.left.report(function, loops, &arrival, group, findings);
        }
    }
}
