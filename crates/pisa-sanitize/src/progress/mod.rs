//! Why a launch gets nowhere: which memory lanes look at again and again, what it holds, and who wrote it last.
//!
//! [`ProgressWatch`] watches the launch once more. Lanes that spin read the same addresses at the same instructions
//! hundreds of times; all others are forgotten.

mod writers;

use crate::access::{Access, Kind, Shape};
use crate::check::Context;
use crate::names::Names;
use pisa_diag::Place;
use pisa_machine::{Doing, Image, LANES, LaneValues, Launch, Memory, Observer, Standing, Step, SubGroupId};
use pisa_module::{FunctionId, Instruction, Operand, Program};
use rustc_hash::FxHashMap;
pub use writers::Writer;
use writers::{Location, Writers};

/// Accesses at the same addresses, one after the other, from which on lanes are said to spin. Engines look for a
/// livelock after more turns of a loop.
const MANY: u64 = 128;
/// Accesses of a sub-group that a turn of a loop has at most.
const TURN: u64 = 64;

/// Lanes that look at the same memory again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Their work-group.
    pub group: [u64; 3],
    /// Their sub-group.
    pub subgroup: u32,
    /// Which lanes.
    pub lanes: u32,
    /// The function they are in.
    pub function: FunctionId,
    /// The index of the access in its code.
    pub index: u32,
    /// The access.
    pub place: Place,
    /// How often it happened in a row.
    pub times: u64,
    /// What the first of them looks at: `@lock`, `lock+4`.
    pub name: String,
    /// Whether others of them look at other memory.
    pub several: bool,
    /// What it holds, and in how many bytes; `None` where that is not known.
    pub value: Option<(u64, u32)>,
    /// Who wrote it last in this launch.
    pub writer: Option<Writer>,
    /// Where the other lanes of the sub-group stood meanwhile.
    pub elsewhere: Vec<Standing>,
}

impl Spin {
    /// Whether it holds the bytes of memory that never got a value, and nobody wrote it.
    pub fn is_uninitialised(&self) -> bool {
        let undefined = u64::from_le_bytes([pisa_machine::UNDEFINED_BYTE; 8]);
        self.writer.is_none()
            && self.value.is_some_and(|(value, bytes)| value == undefined >> (64 - 8 * bytes.clamp(1, 8)))
    }
}

/// Watches a launch that is known not to end.
pub struct ProgressWatch<'a> {
    context: Context<'a>,
    names: Names<'a>,
    /// Accesses, by function and instruction.
    shapes: Vec<Vec<Option<Shape>>>,
    subgroups: FxHashMap<SubGroupId, SubGroup>,
    writers: Writers,
    /// Who has arrived at a barrier and waits there, by work-group.
    barriers: FxHashMap<u64, Vec<Standing>>,
}

/// What a sub-group has done lately.
#[derive(Default)]
struct SubGroup {
    group: [u64; 3],
    /// Accesses so far.
    clock: u64,
    spots: Vec<Spot>,
    /// The access whose result can be read before the next instruction.
    pending: Option<Pending>,
}

/// An access and how often it was made.
struct Spot {
    function: FunctionId,
    index: u32,
    place: Place,
    access: Access,
    lanes: u32,
    times: u64,
    last: u64,
    result: Option<LaneValues>,
    elsewhere: Vec<Standing>,
}

struct Pending {
    activation: u64,
    function: FunctionId,
    index: u32,
    lanes: u32,
    access: Access,
    place: Place,
    /// What a compare-and-swap compares with.
    compare: Option<LaneValues>,
}

impl<'a> ProgressWatch<'a> {
    /// Ready to watch a launch.
    pub fn new(image: &'a Image, memory: &'a Memory, launch: &'a Launch) -> ProgressWatch<'a> {
        let context = Context { image, memory, launch };
        let shapes = image.program.functions().map(|(_, f)| f.code.iter().map(Shape::of).collect());
        ProgressWatch {
            context,
            names: Names::new(&context),
            shapes: shapes.collect(),
            subgroups: FxHashMap::default(),
            writers: Writers::default(),
            barriers: FxHashMap::default(),
        }
    }

    fn shape(&self, function: FunctionId, index: u32) -> Option<Shape> {
        *self.shapes.get(function.index())?.get(index as usize)?
    }

    /// Who waits at a barrier at the end, by work-group.
    pub fn waits(&self) -> Vec<Standing> {
        let mut groups: Vec<_> = self.barriers.iter().collect();
        groups.sort_by_key(|(group, _)| **group);
        groups.into_iter().flat_map(|(_, waiting)| waiting.iter().cloned()).collect()
    }

    /// Who spins at the end, by work-group and sub-group.
    pub fn spins(&self) -> Vec<Spin> {
        let mut subgroups: Vec<(&SubGroupId, &SubGroup)> = self.subgroups.iter().collect();
        subgroups.sort_by_key(|(id, _)| **id);
        let mut spins = Vec::new();
        for (id, subgroup) in subgroups {
            for spot in &subgroup.spots {
                let is_recent = subgroup.clock - spot.last < TURN;
                if is_recent && spot.times >= MANY && spot.access.shape.kind != Kind::Store {
                    spins.push(self.spin(*id, subgroup.group, spot));
                }
            }
        }
        spins
    }

    fn spin(&self, id: SubGroupId, group: [u64; 3], spot: &Spot) -> Spin {
        let lane = (spot.lanes.trailing_zeros() % LANES) as usize;
        let location = Location::of(&spot.access, lane, id.group);
        let bytes = spot.access.shape.bytes;
        let several = (0..LANES as usize)
            .filter(|lane| spot.lanes >> lane & 1 == 1)
            .any(|other| Location::of(&spot.access, other, id.group) != location);
        let value = match location {
            Some(Location::Global(address)) => {
                self.context.memory.find(address, u64::from(bytes)).map(|object| {
                    let mut word = [0; 8];
                    object.read(address - object.address, &mut word[..bytes.min(8) as usize]);
                    (u64::from_le_bytes(word), bytes)
                })
            }
            _ => spot.result.map(|values| (values[lane], bytes)),
        };
        Spin {
            group,
            subgroup: id.number,
            lanes: spot.lanes,
            function: spot.function,
            index: spot.index,
            place: spot.place,
            times: spot.times,
            name: self.names.describe(&spot.access, lane),
            several,
            value,
            writer: location.and_then(|location| self.writers.last(location)),
            elsewhere: spot.elsewhere.clone(),
        }
    }

    /// The result of the access before this instruction.
    fn finish_access(&mut self, step: &Step<'_>) {
        let Some(subgroup) = self.subgroups.get_mut(&step.subgroup) else { return };
        let Some(pending) = subgroup.pending.take() else { return };
        let follows = pending.activation == step.activation
            && pending.function == step.function
            && pending.index + 1 == step.index;
        if !follows {
            return;
        }
        let lanes = pending.lanes & step.lanes;
        let function = self.context.image.program.function(step.function);
        let Some(instruction) = function.code.get(pending.index as usize) else { return };
        let Some((register, element)) = destination(instruction) else { return };
        let mut result = [0; LANES as usize];
        step.view.read_register(register, element, &mut result);
        let bits = 8 * pending.access.shape.bytes.clamp(1, 8);
        result.iter_mut().for_each(|value| *value &= u64::MAX >> (64 - bits));
        let at = |spot: &&mut Spot| spot.function == pending.function && spot.index == pending.index;
        if let Some(spot) = subgroup.spots.iter_mut().find(at) {
            spot.result = Some(result);
        }
        if let Some(compare) = pending.compare {
            let equal = |lane: &usize| result[*lane] == compare[*lane] & (u64::MAX >> (64 - bits));
            let swapped = (0..LANES as usize).filter(equal).fold(0, |set, lane| set | 1 << lane);
            self.writers.wrote(&pending.access, lanes & swapped, step, pending.place);
        }
    }

    fn begin_access(&mut self, step: &Step<'_>, shape: Shape) {
        let access = Access::of(shape, step);
        let (lanes, place) = (step.lanes, step.instruction.place);
        let compare = is_compare_and_swap(step.instruction).then(|| {
            let mut values = [0; LANES as usize];
            step.view.read(shape.address + 1, 0, &mut values);
            values
        });
        if shape.kind != Kind::Load && compare.is_none() {
            self.writers.wrote(&access, lanes, step, place);
        }
        let subgroup = self.subgroups.entry(step.subgroup).or_default();
        subgroup.group = step.group;
        subgroup.clock += 1;
        let clock = subgroup.clock;
        let (function, index) = (step.function, step.index);
        match subgroup.spots.iter_mut().find(|spot| spot.function == function && spot.index == index) {
            Some(spot) => {
                let same = spot.lanes == lanes && same_addresses(lanes, &spot.access, &access);
                spot.times = if same { spot.times + 1 } else { 1 };
                (spot.lanes, spot.last) = (lanes, clock);
                spot.access = access.clone();
                if spot.times >= MANY && spot.times.is_power_of_two() {
                    spot.elsewhere = step.view.elsewhere();
                }
            }
            None => subgroup.spots.push(Spot {
                function,
                index,
                place,
                access: access.clone(),
                lanes,
                times: 1,
                last: clock,
                result: None,
                elsewhere: Vec::new(),
            }),
        }
        subgroup.pending =
            Some(Pending { activation: step.activation, function, index, lanes, access, place, compare });
    }
}

impl Observer for ProgressWatch<'_> {
    fn wants(&self, program: &Program, function: FunctionId, index: u32) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.shape(function, before));
        let instruction = program.function(function).code.get(index as usize);
        self.shape(function, index).is_some() || before.is_some() || instruction.is_some_and(is_barrier)
    }

    fn release(&mut self, group: u64) {
        self.barriers.remove(&group);
    }

    fn end_group(&mut self, group: u64) {
        self.subgroups.retain(|id, _| id.group != group);
        self.writers.end_group(group);
        self.barriers.remove(&group);
    }

    fn before(&mut self, step: &Step<'_>) {
        self.finish_access(step);
        if let Some(shape) = self.shape(step.function, step.index) {
            self.begin_access(step, shape);
        } else if is_barrier(step.instruction) {
            self.barriers.entry(step.subgroup.group).or_default().push(Standing {
                group: step.group,
                subgroup: step.subgroup.number,
                lanes: step.lanes,
                doing: Doing::WaitAtBarrier,
                place: Some(step.instruction.place),
            });
        }
    }
}

fn same_addresses(lanes: u32, a: &Access, b: &Access) -> bool {
    (0..LANES as usize).all(|lane| lanes >> lane & 1 == 0 || a.addresses[lane] == b.addresses[lane])
}

fn is_barrier(instruction: &Instruction) -> bool {
    instruction.row().opcode == pisa_isa::Opcode::BarrierWorkgroup
}

fn is_compare_and_swap(instruction: &Instruction) -> bool {
    instruction.qualifier(pisa_isa::SlotName::Op) == Some(pisa_isa::Qualifier::Cas)
}

/// The register, and the first element of it, that a load or atomic writes.
fn destination(instruction: &Instruction) -> Option<(pisa_module::RegisterId, usize)> {
    match instruction.operands.first()? {
        Operand::Register(written) if written.swizzle.is_none() => Some((written.register, 0)),
        _ => None,
    }
}
