//! Lanes that run a function as `lexical` says, one section at a time.

use super::Random;
use crate::active_sets::Waiting;
use crate::model::{Datum, LANES, Lanes};
use crate::{Block, Function, InstructionData, Operand, Operation, Position, Terminator, Value};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Dimension, FunctionKind, SpecialRegister};
use rustc_hash::FxHashMap;

/// Where a lane is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum At {
    /// Before a section: the place of its block in the layout, and the instruction.
    Ready(u32, u32),
    /// In a barrier or call, before the instruction of that number.
    Waiting(u32, u32),
    Ended,
}

/// What a watcher is told of.
pub(super) enum Event<'a> {
    /// Lanes begin a section; `met`: not all come from one run of one section.
    Begin { position: Position, met: bool },
    /// They are about to execute the instruction, or the terminator, at a place.
    Before { position: Position, operands: Vec<Operand> },
    /// They have executed an instruction.
    After { instruction: &'a InstructionData },
    /// They go on from a block: by lane of the set where.
    Leave { block: Block, ways: Vec<Option<Block>> },
}

/// A sub-group at work.
pub(super) struct SubGroup<'a> {
    function: &'a Function,
    values: FxHashMap<Value, Datum>,
    specials: Vec<(SpecialRegister, [u128; LANES])>,
    /// The lanes that run now.
    pub(super) group: u32,
    steps: u128,
}

impl<'a> SubGroup<'a> {
    /// What an operand is in a lane.
    pub(super) fn read(&self, operand: Operand, lane: usize) -> u128 {
        match operand {
            Operand::Value(value) => self.values[&value][lane][0].expect("a defined element"),
            Operand::Negated(value) => self.read(Operand::Value(value), lane) ^ 1,
            Operand::Constant(constant) => constant.bits(),
            Operand::Special(SpecialRegister::LaneId) => lane as u128,
            Operand::Special(register) => {
                self.specials.iter().find(|known| known.0 == register).expect("a known register").1[lane]
            }
            _ => 0,
        }
    }

    pub(super) fn lanes(&self) -> Vec<usize> {
        (0..LANES).filter(|lane| self.group >> lane & 1 == 1).collect()
    }

    /// What an operand is in all lanes of the group, if that is the same.
    pub(super) fn same(&self, operand: Operand) -> Option<u128> {
        let lanes = self.lanes();
        let first = self.read(operand, lanes[0]);
        lanes.iter().all(|&lane| self.read(operand, lane) == first).then_some(first)
    }

    fn set(&mut self, value: Value, lane: usize, bits: u128) {
        self.values.entry(value).or_default()[lane] = smallvec::smallvec![Some(bits)];
    }

    fn execute(&mut self, instruction: crate::Instruction, random: &mut Random) {
        let data = self.function.instruction(instruction);
        self.steps += 1;
        match data.operation {
            Operation::Call { .. } => {
                let result = data.results[0];
                for lane in self.lanes() {
                    self.set(result, lane, random.below(4) as u128);
                }
            }
            _ if data.operation.opcode() == Some(Opcode::BarrierWorkgroup) => {}
            _ if data.operation.opcode() == Some(Opcode::Ld) => {
                let space = data.operation.qualifier(SlotName::Addrspace);
                let (steps, result) = (self.steps, data.results[0]);
                for lane in self.lanes() {
                    let address = self.read(data.operands[0], lane);
                    // Other memory at other times, other private memory in other lanes.
                    let loaded = match space {
                        Some(Qualifier::Const) => address * 7,
                        Some(Qualifier::Private) => address * 5 + lane as u128 + steps,
                        _ => address * 3 + steps,
                    };
                    self.set(result, lane, loaded % 6);
                }
            }
            _ => {
                let mut lanes = Lanes::new(self.group).with_undefined(0xDEAD_BEEF);
                for &(register, of_lane) in &self.specials {
                    lanes.set_special(register, of_lane);
                }
                for value in data.operands.iter().filter_map(|operand| operand.value()) {
                    lanes.set(value, self.values[&value].clone());
                }
                // In a loop there is an old result.
                lanes.execute(self.function, instruction).unwrap_or_else(|why| panic!("{why}: {data:?}"));
                for &result in &data.results {
                    let datum = lanes.get(result).expect("a result").clone();
                    let old = self.values.entry(result).or_default();
                    for lane in (0..LANES).filter(|lane| self.group >> lane & 1 == 1) {
                        old[lane] = datum[lane].clone();
                    }
                }
            }
        }
    }

    /// Control goes to a block: its parameters get their arguments.
    fn go(&mut self, lane: usize, target: &crate::Target) {
        let bits: Vec<u128> = target.arguments.iter().map(|&argument| self.read(argument, lane)).collect();
        for (&parameter, bits) in self.function.block(target.block).parameters.iter().zip(bits) {
            self.set(parameter, lane, bits);
        }
    }
}

/// Runs some lanes of a sub-group of a kernel for a while. What is in `waiting` to wait does so.
pub(super) fn run(
    function: &Function,
    waiting: &Waiting,
    random: &mut Random,
    mut watch: impl FnMut(&SubGroup, Event),
) {
    let size = match function.kind {
        FunctionKind::Kernel { required_work_group_size: Some(size), .. } => size,
        _ => [[64, 1, 1], [4, 4, 4], [8, 8, 1]][random.below(3)],
    };
    let total = size.iter().product::<u32>() as usize;
    let number = random.below(total.div_ceil(LANES));
    let linear = |lane: usize| (number * LANES + lane) as u32;
    let local = |lane: usize| {
        let at = linear(lane);
        [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])]
    };
    let mut specials = Vec::new();
    for (index, dimension) in [Dimension::X, Dimension::Y, Dimension::Z].into_iter().enumerate() {
        let of_lane = std::array::from_fn(|lane| u128::from(local(lane)[index]));
        specials.push((SpecialRegister::LocalId(dimension), of_lane));
        let group = random.below(3) as u128;
        specials.push((SpecialRegister::GroupId(dimension), [group; LANES]));
    }
    let mut sub_group = SubGroup { function, values: FxHashMap::default(), specials, group: 0, steps: 0 };
    let place =
        |block: Block| function.layout.iter().position(|&b| b == block).expect("in the layout") as u32;
    let live = (total - number * LANES).min(LANES);
    let mut at: Vec<At> =
        (0..LANES).map(|lane| if lane < live { At::Ready(0, 0) } else { At::Ended }).collect();
    // By lane: the last run of a section that it took part in.
    let mut last = [0u32; LANES];
    for run in 1..120 {
        let ready = at.iter().filter_map(|a| if let At::Ready(b, i) = *a { Some((b, i)) } else { None });
        let Some(lowest) = ready.min() else {
            if at.iter().all(|a| *a == At::Ended) {
                return;
            }
            for a in &mut at {
                if let At::Waiting(b, i) = *a {
                    let instruction = function.block(function.layout[b as usize]).instructions[i as usize];
                    let is_call =
                        matches!(function.instruction(instruction).operation, Operation::Call { .. });
                    // A call may wait again.
                    if !is_call || random.below(3) > 0 {
                        *a = At::Ready(b, i + 1);
                    }
                }
            }
            continue;
        };
        let block = function.layout[lowest.0 as usize];
        let data = function.block(block);
        sub_group.group =
            (0..LANES).filter(|&l| at[l] == At::Ready(lowest.0, lowest.1)).fold(0, |g, l| g | 1 << l);
        let lanes = sub_group.lanes();
        let met = lanes.iter().any(|&lane| last[lane] != last[lanes[0]]);
        watch(&sub_group, Event::Begin { position: Position { block, index: lowest.1 }, met });
        for &lane in &lanes {
            last[lane] = run;
        }
        let mut stopped = false;
        for index in lowest.1..data.instructions.len() as u32 {
            let instruction = data.instructions[index as usize];
            let what = function.instruction(instruction);
            let position = Position { block, index };
            watch(&sub_group, Event::Before { position, operands: what.operands.to_vec() });
            sub_group.execute(instruction, random);
            watch(&sub_group, Event::After { instruction: what });
            if waiting.may_wait(what) {
                let is_call = matches!(what.operation, Operation::Call { .. });
                for &lane in &lanes {
                    let back = is_call && random.below(2) == 0;
                    at[lane] =
                        if back { At::Ready(lowest.0, index + 1) } else { At::Waiting(lowest.0, index) };
                }
                stopped = true;
                break;
            }
        }
        if stopped {
            continue;
        }
        let position = Position { block, index: data.instructions.len() as u32 };
        let mut operands = Vec::new();
        data.terminator.for_each_operand(|operand| operands.push(operand));
        watch(&sub_group, Event::Before { position, operands });
        let mut ways = Vec::new();
        for &lane in &lanes {
            let target = match &data.terminator {
                Terminator::Goto(target) => Some(target),
                Terminator::Return(_) => None,
                Terminator::Branch { condition, taken, otherwise } => {
                    Some(if sub_group.read(*condition, lane) == 1 { taken } else { otherwise })
                }
                Terminator::ReturnIf { condition, otherwise, .. } => {
                    (sub_group.read(*condition, lane) == 0).then_some(otherwise)
                }
            };
            ways.push(target.map(|target| target.block));
            at[lane] = target.map_or(At::Ended, |target| At::Ready(place(target.block), 0));
            if let Some(target) = target {
                sub_group.go(lane, target);
            }
        }
        watch(&sub_group, Event::Leave { block, ways });
    }
}
