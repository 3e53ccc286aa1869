//! What work-items read, step by step.

use super::reads_active_mask;
use pisa_isa::{Access, Opcode};
use pisa_machine::{LANES, LaneValues, Launch, Observer, Standing, Step, subgroups};
use pisa_module::{
    AddressBase, AddressOffset, FunctionId, Instruction, Operand, Program, RegisterId, RegisterUse,
};
use rustc_hash::FxHashMap;

/// The registers of an instruction.
pub(super) struct Site {
    /// Those whose values it uses, with their elements.
    pub(super) reads: Vec<(RegisterId, u8, u8)>,
    /// Those it gives values to.
    pub(super) writes: Vec<RegisterId>,
    /// Whether it reads `%activemask`.
    pub(super) reads_mask: bool,
}

/// The sites of a program, by function and instruction.
pub(super) struct Sites(Vec<Vec<Site>>);

impl Sites {
    pub(super) fn of(program: &Program) -> Sites {
        let functions = program.functions().map(|(_, function)| {
            let elements = |register: RegisterId| {
                function.registers.get(register.index()).map_or(1, |register| register.ty.elements)
            };
            function.code.iter().map(|instruction| Site::of(instruction, &elements)).collect()
        });
        Sites(functions.collect())
    }

    pub(super) fn get(&self, function: FunctionId, index: u32) -> Option<&Site> {
        self.0.get(function.index())?.get(index as usize)
    }
}

impl Site {
    fn of(instruction: &Instruction, elements: &dyn Fn(RegisterId) -> u8) -> Site {
        let row = instruction.row();
        let call = row.opcode == Opcode::Call;
        let mut site =
            Site { reads: Vec::new(), writes: Vec::new(), reads_mask: reads_active_mask(instruction) };
        let part = |used: &RegisterUse| {
            let (first, count) = used.swizzle.map_or((0, elements(used.register)), |s| s.range());
            (used.register, first, count)
        };
        for (position, operand) in instruction.operands.iter().enumerate() {
            let access = row.operands.get(position).map_or(Access::Read, |operand| operand.access);
            match operand {
                Operand::Register(used) => {
                    // A call gives its result later.
                    if access == Access::Read || access == Access::ReadWrite && !call {
                        site.reads.push(part(used));
                    }
                    if access != Access::Read {
                        site.writes.push(used.register);
                    }
                }
                Operand::Predicate { register, .. } => {
                    if access != Access::Write {
                        site.reads.push((*register, 0, 1));
                    }
                    if access != Access::Read {
                        site.writes.push(*register);
                    }
                }
                Operand::Address { base, offset } => {
                    if let AddressBase::Register(used) = base {
                        site.reads.push(part(used));
                    }
                    if let AddressOffset::Register(used) = offset {
                        site.reads.push(part(used));
                    }
                }
                Operand::Parameter { offset: AddressOffset::Register(used), .. } => {
                    site.reads.push(part(used))
                }
                _ => {}
            }
        }
        site
    }
}

/// A work-item of a launch: its sub-group's number among all, times 32, plus the lane.
pub(super) type WorkItem = u64;

/// Numbers of work-items.
#[derive(Clone, Copy)]
pub(super) struct Numbering(u64);

impl Numbering {
    pub(super) fn of(launch: &Launch) -> Numbering {
        Numbering(u64::from(subgroups(launch.local)))
    }

    /// The first work-item of the sub-group of a step.
    pub(super) fn first(self, step: &Step<'_>) -> WorkItem {
        (step.subgroup.group * self.0 + u64::from(step.subgroup.number)) * u64::from(LANES)
    }
}

/// Lanes of a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES as usize).filter(move |lane| mask >> lane & 1 == 1)
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x517C_C1B7_2722_0A95)
}

/// The hashes of what a work-item has read, after some of its steps.
#[derive(Default, Clone)]
pub(super) struct Trace {
    /// Steps so far.
    pub(super) steps: u64,
    hash: u64,
    /// The hash, and how many instructions the launch had then.
    pub(super) marks: Vec<(u64, u64)>,
}

/// Keeps a mark of every `chunk` steps of each work-item, of those that `window` lets through.
pub(super) struct Tracer<'a> {
    pub(super) sites: &'a Sites,
    pub(super) numbering: Numbering,
    pub(super) chunk: u64,
    /// By work-item the steps that are kept; all where there is none.
    pub(super) window: Option<&'a FxHashMap<WorkItem, u64>>,
    pub(super) traces: Vec<Trace>,
    time: u64,
}

impl<'a> Tracer<'a> {
    pub(super) fn new(
        sites: &'a Sites,
        numbering: Numbering,
        chunk: u64,
        window: Option<&'a FxHashMap<WorkItem, u64>>,
    ) -> Tracer<'a> {
        Tracer { sites, numbering, chunk, window, traces: Vec::new(), time: 0 }
    }

    /// The traces; the last mark of each is of its last step.
    pub(super) fn finish(mut self) -> Vec<Trace> {
        for trace in &mut self.traces {
            if !trace.steps.is_multiple_of(self.chunk) {
                trace.marks.push((trace.hash, self.time));
            }
        }
        self.traces
    }
}

impl Observer for Tracer<'_> {
    fn wants(&self, _: &Program, _: FunctionId, _: u32) -> bool {
        true
    }

    fn before(&mut self, step: &Step<'_>) {
        self.time += 1;
        let Some(site) = self.sites.get(step.function, step.index) else { return };
        let place = u64::from(step.function.0) << 32 | u64::from(step.index);
        let mut hashes: LaneValues =
            [mix(place, if site.reads_mask { u64::from(step.lanes) } else { 0 }); 32];
        let mut values: LaneValues = [0; LANES as usize];
        for &(register, first, count) in &site.reads {
            for element in first..first + count {
                step.view.read_register(register, usize::from(element), &mut values);
                hashes.iter_mut().zip(&values).for_each(|(hash, &value)| *hash = mix(*hash, value));
            }
        }
        let first = self.numbering.first(step);
        let needed = (first + u64::from(LANES)) as usize;
        if self.traces.len() < needed {
            self.traces.resize(needed, Trace::default());
        }
        for lane in lanes_of(step.lanes) {
            let item = first + lane as u64;
            let trace = &mut self.traces[item as usize];
            trace.steps += 1;
            trace.hash = mix(trace.hash, hashes[lane]);
            let kept = match self.window {
                None => trace.steps.is_multiple_of(self.chunk),
                Some(window) => window
                    .get(&item)
                    .is_some_and(|&from| trace.steps > from && trace.steps <= from + KEPT_STEPS),
            };
            if kept {
                trace.marks.push((trace.hash, self.time));
            }
        }
    }
}

/// Steps of a work-item that a window has.
pub(super) const KEPT_STEPS: u64 = 1 << 16;

/// Follows one work-item up to one of its steps: what it reads there, and which instruction gave each value.
pub(super) struct Follower<'a> {
    pub(super) sites: &'a Sites,
    pub(super) numbering: Numbering,
    pub(super) item: WorkItem,
    /// The step.
    pub(super) step: u64,
    steps: u64,
    /// By activation and register.
    writers: FxHashMap<(u64, RegisterId), Seen>,
    /// What was seen at the step.
    pub(super) found: Option<Found>,
}

/// An instruction as one work-item executed it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) function: FunctionId,
    pub(super) index: u32,
    /// Which of the work-item's steps it was, from 1 on.
    pub(super) step: u64,
    /// Lanes that were active.
    pub(super) lanes: u32,
    /// Lanes that had not left the kernel.
    pub(super) live: u32,
    /// Where the others stood.
    pub(super) elsewhere: Vec<Standing>,
    /// Where in the launch.
    pub(super) group: [u64; 3],
    pub(super) size: [u32; 3],
    pub(super) subgroup: u32,
    pub(super) number: u64,
    /// The address of the access, where it is one.
    pub(super) address: Option<u64>,
}

/// The step that was looked for.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) seen: Seen,
    /// The values that it read: register, element, value, and who gave it.
    pub(super) values: Vec<(RegisterId, u8, u64, Option<Seen>)>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(sites: &'a Sites, numbering: Numbering, item: WorkItem, step: u64) -> Follower<'a> {
        Follower { sites, numbering, item, step, steps: 0, writers: FxHashMap::default(), found: None }
    }
}

impl Observer for Follower<'_> {
    fn wants(&self, _: &Program, _: FunctionId, _: u32) -> bool {
        true
    }

    fn before(&mut self, step: &Step<'_>) {
        let Some(lane) = self.item.checked_sub(self.numbering.first(step)).filter(|&l| l < u64::from(LANES))
        else {
            return;
        };
        if step.lanes >> lane & 1 == 0 || self.found.is_some() {
            return;
        }
        self.steps += 1;
        let Some(site) = self.sites.get(step.function, step.index) else { return };
        let last = self.steps == self.step;
        let looks = super::crosses_lanes(step.instruction) || site.reads_mask;
        let mut values: LaneValues = [0; LANES as usize];
        let access = step.instruction.operands.iter().position(|o| matches!(o, Operand::Address { .. }));
        let address = access.map(|operand| {
            step.view.read(operand, 0, &mut values);
            values[lane as usize]
        });
        let seen = Seen {
            function: step.function,
            index: step.index,
            step: self.steps,
            lanes: step.lanes,
            live: step.view.live(),
            elsewhere: if looks || last { step.view.elsewhere() } else { Vec::new() },
            group: step.group,
            size: step.size,
            subgroup: step.subgroup.number,
            number: step.subgroup.group,
            address,
        };
        if last {
            let mut read = Vec::new();
            for &(register, first, count) in &site.reads {
                for element in first..first + count {
                    step.view.read_register(register, usize::from(element), &mut values);
                    let writer = self.writers.get(&(step.activation, register)).cloned();
                    read.push((register, element, values[lane as usize], writer));
                }
            }
            self.found = Some(Found { seen, values: read });
            return;
        }
        for &register in &site.writes {
            self.writers.insert((step.activation, register), seen.clone());
        }
    }
}
