//! Random functions: lanes that run the IR as `lexical` says leave what lanes leave that run the code.
//!
//! Both are run by interpreters written here for the few operations that the functions have.

use super::*;
use crate::{CrossLane, CrossLaneKind, Definition, Element, InactiveSource, ShuffleKind, VectorOperation};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Operand as MachineOperand, SpecialRegister};

const LANES: usize = 5;
const PREDICATE: RegisterType = RegisterType::PREDICATE;
const V4: RegisterType = RegisterType { elements: 4, bits: 32 };
const V8: RegisterType = RegisterType { elements: 8, bits: 32 };

/// xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Words, the first lowest; a predicate is 0 or 1.
type Elements = Vec<u32>;

fn unwritten(ty: RegisterType, lane: usize) -> Elements {
    if ty.is_predicate() { vec![0xCD >> lane & 1] } else { vec![0xCDCD_CDCD; ty.total_bits() as usize / 32] }
}

// Making them.

struct Maker<'r> {
    random: &'r mut Random,
    build: Build,
    /// Values by block of the layout.
    values: Vec<Vec<Value>>,
    /// For each block the blocks that dominate it, itself first.
    dominators: Vec<Vec<usize>>,
}

impl Maker<'_> {
    /// A value that is there in the block.
    fn value(&mut self, block: usize, ty: RegisterType) -> Option<Value> {
        let dominators = self.dominators[block].clone();
        let from =
            if self.random.one_in(3) { dominators[self.random.below(dominators.len())] } else { block };
        let fitting: Vec<Value> =
            self.values[from].iter().copied().filter(|&v| self.build.0.value(v).ty == ty).collect();
        let late = fitting.len().saturating_sub(1 + self.random.below(4));
        fitting
            .get(if self.random.one_in(2) { late } else { self.random.below(fitting.len().max(1)) })
            .copied()
    }
    fn operand(&mut self, block: usize, ty: RegisterType) -> Operand {
        let value = if self.random.one_in(6) { None } else { self.value(block, ty) };
        match value {
            Some(value) => value.into(),
            None if ty == B32 && self.random.one_in(3) => Operand::Special(SpecialRegister::LaneId),
            None => {
                let bits =
                    (0..ty.elements.min(4)).fold(0u128, |bits, _| bits << 32 | self.random.below(9) as u128);
                match ty {
                    V8 => self.values[0]
                        .iter()
                        .copied()
                        .find(|&v| self.build.0.value(v).ty == V8)
                        .unwrap()
                        .into(),
                    ty => Operand::Constant(Constant::new(bits, ty)),
                }
            }
        }
    }
    fn name(&mut self) -> &'static str {
        ["", "", "", "x", "y", "z"][self.random.below(6)]
    }
    fn ty(&mut self) -> RegisterType {
        [B32, B32, B32, PREDICATE, PREDICATE, V4, V8][self.random.below(7)]
    }
    fn instruction(&mut self, block: usize) {
        let id = Block(block as u32);
        let vector = if self.random.one_in(3) { V8 } else { V4 };
        let first = self.random.below(usize::from(vector.elements)) as u8;
        let result = match self.random.below(10) {
            0..=2 => {
                let mnemonic = ["iadd.32b", "xor.32b"][self.random.below(2)];
                let operands = [self.operand(block, B32), self.operand(block, B32)];
                self.build.word(id, "", mnemonic, &operands)
            }
            3 => {
                let mnemonic = ["ucmp.lt.32b", "ucmp.eq.32b", "ucmp.ne.32b"][self.random.below(3)];
                let operands = [self.operand(block, B32), self.operand(block, B32)];
                self.build.test(id, "", mnemonic, &operands)
            }
            4 => {
                let mut choice = self.operand(block, PREDICATE);
                if let (Operand::Value(value), true) = (choice, self.random.one_in(2)) {
                    choice = Operand::Negated(value);
                }
                let operands = [self.operand(block, B32), self.operand(block, B32), choice];
                self.build.table(id, "sel.32b", 1, &operands, [B32])[0]
            }
            5 => {
                let operation = Operation::Vector(VectorOperation::Insert { first });
                // What is right before it may be done in the vector.
                let last = self.values[block].last().copied().filter(|&v| self.build.0.value(v).ty == B32);
                let last = last.filter(|_| !self.random.one_in(3)).map(Operand::Value);
                let source = last.unwrap_or_else(|| self.operand(block, B32));
                let operands = [self.operand(block, vector), source];
                self.build.put(id, operation, &operands, [vector])[0]
            }
            6 => {
                let operation = Operation::Vector(VectorOperation::Extract { first });
                let operands = [self.operand(block, vector)];
                self.build.put(id, operation, &operands, [B32])[0]
            }
            7 => {
                let (operation, operands) = if self.random.one_in(2) {
                    (
                        VectorOperation::Extract { first: 4 * (first / 4).min(vector.elements / 4 - 1) },
                        vec![self.operand(block, vector)],
                    )
                } else {
                    (
                        VectorOperation::Insert { first: first % 5 },
                        vec![self.operand(block, V8), self.operand(block, V4)],
                    )
                };
                let ty = if operands.len() == 1 { V4 } else { V8 };
                self.build.put(id, Operation::Vector(operation), &operands, [ty])[0]
            }
            8 => {
                let active = CrossLane {
                    kind: CrossLaneKind::ActiveMask,
                    element: Element::I32,
                    inactive: InactiveSource::Own,
                };
                self.build.put(id, Operation::CrossLane(active), &[], [B32])[0]
            }
            _ => {
                let shuffle = CrossLane {
                    kind: CrossLaneKind::Shuffle { kind: ShuffleKind::Xor, segmented: false },
                    element: Element::I32,
                    inactive: InactiveSource::Own,
                };
                let kept = if self.random.one_in(4) { Operand::ALL_LANES } else { number(0b10110) };
                let old = if kept == Operand::ALL_LANES { Operand::Dead } else { self.operand(block, B32) };
                let operands = [self.operand(block, B32), number(self.random.below(4) as u32), kept, old];
                self.build.put(id, Operation::CrossLane(shuffle), &operands, [B32])[0]
            }
        };
        let name = self.name();
        self.build.named(result, name);
        self.values[block].push(result);
    }
    fn target(&mut self, from: usize, to: usize) -> Target {
        let parameters = self.build.0.blocks[to].parameters.clone();
        let arguments = parameters.iter().map(|&parameter| {
            let ty = self.build.0.value(parameter).ty;
            self.operand(from, ty)
        });
        let arguments: Vec<Operand> = arguments.collect();
        super::to(Block(to as u32), &arguments)
    }
}

/// Successors of random blocks, never two that both lie back.
fn shape(random: &mut Random, blocks: usize) -> Vec<Vec<usize>> {
    let one = |random: &mut Random, b: usize| {
        let near = (b + 1 + random.below(3)).saturating_sub(if random.one_in(3) { 3 } else { 0 });
        near.clamp(1, blocks - 1)
    };
    let successors = (0..blocks).map(|b| match random.below(6) {
        _ if b + 1 == blocks => vec![],
        0 => vec![one(random, b)],
        1 => vec![b + 1],
        _ => {
            let mut pair = vec![one(random, b), (b + 1 + random.below(3)).min(blocks - 1)];
            if random.one_in(2) {
                pair.reverse();
            }
            pair
        }
    });
    successors.collect()
}

/// Whether the block is reached without going through another.
fn reached(successors: &[Vec<usize>], block: usize, without: Option<usize>) -> bool {
    let mut seen = vec![false; successors.len()];
    let mut work = vec![0];
    while let Some(b) = work.pop() {
        if Some(b) != without && !std::mem::replace(&mut seen[b], true) {
            work.extend(&successors[b]);
        }
    }
    seen[block]
}

fn make(random: &mut Random) -> Function {
    let blocks = 2 + random.below(8);
    let successors = shape(random, blocks);
    let dominators = (0..blocks).map(|b| {
        let others = (0..blocks)
            .filter(|&d| d != b && reached(&successors, b, None) && !reached(&successors, b, Some(d)));
        std::iter::once(b).chain(others).collect()
    });
    let dominators = dominators.collect();
    let (mut build, _, arguments) = Build::function(Some(B32), &[B32, B32]);
    for _ in 1..blocks {
        build.block("");
    }
    let mut maker = Maker { random, build, values: vec![Vec::new(); blocks], dominators };
    maker.values[0] = arguments;
    for ty in [V8, V4, PREDICATE, B32] {
        let name = maker.name();
        let value = maker.build.initial(Block(0), name, ty);
        maker.values[0].push(value);
        for _ in 0..maker.random.below(3) {
            maker.instruction(0);
        }
    }
    for b in 1..blocks {
        for _ in 0..maker.random.below(4) {
            let (ty, name) = (maker.ty(), maker.name());
            let value = maker.build.parameter(Block(b as u32), name, ty);
            maker.values[b].push(value);
        }
    }
    for (b, successors) in successors.iter().enumerate() {
        for _ in 0..maker.random.below(7) {
            maker.instruction(b);
        }
        match successors[..] {
            [] => {
                let value = maker.operand(b, B32);
                maker.build.give(Block(b as u32), value);
            }
            [one] => {
                let target = maker.target(b, one);
                maker.build.goto(Block(b as u32), target);
            }
            _ => {
                let (taken, otherwise) = (maker.target(b, successors[0]), maker.target(b, successors[1]));
                let mut condition = maker.operand(b, PREDICATE);
                if let (Operand::Value(value), true) = (condition, maker.random.one_in(3)) {
                    condition = Operand::Negated(value);
                }
                if maker.random.one_in(6) {
                    let value = Some(maker.operand(b, B32));
                    maker.build.0.blocks[b].terminator = Terminator::ReturnIf { condition, value, otherwise };
                } else {
                    maker.build.branch(Block(b as u32), condition, taken, otherwise);
                }
            }
        }
    }
    maker.build.0
}

// Running them. Positions are numbers; the lowest runs.

/// What lanes return, and how often a group ran something of meaning; `None` after too many steps.
type Outcome = Option<[u32; LANES]>;

const STEPS: usize = 400;

fn lowest(at: &[Option<(usize, usize)>; LANES]) -> Option<((usize, usize), Vec<usize>)> {
    let position = at.iter().copied().flatten().min()?;
    Some((position, (0..LANES).filter(|&lane| at[lane] == Some(position)).collect()))
}

fn mask_of(group: &[usize]) -> u32 {
    group.iter().fold(0, |mask, &lane| mask | 1 << lane)
}

/// Data of an exclusive-or shuffle with 5 lanes; `None` outside the mask.
fn shuffle(group: &[usize], mask: u32, data: &dyn Fn(usize) -> u32, lane: usize, by: u32) -> Option<u32> {
    let taking_part = mask_of(group) & mask;
    let other = lane ^ (by & 31) as usize;
    let own = mask >> lane & 1 == 1;
    own.then(|| if taking_part >> other & 1 == 1 { data(other) } else { data(lane) })
}

fn run_ir(f: &Function) -> Outcome {
    let mut values: Vec<Vec<Elements>> = vec![vec![vec![]; LANES]; f.values.len()];
    for (number, value) in f.values.iter().enumerate() {
        for (lane, one) in values[number].iter_mut().enumerate() {
            match value.definition {
                Definition::Parameter(Block(0), n) => *one = vec![7 * lane as u32 + n],
                _ => *one = unwritten(value.ty, lane),
            }
        }
    }
    let mut at = [Some((0, 0)); LANES];
    let mut returned = [0; LANES];
    for _ in 0..STEPS {
        let Some(((block, index), group)) = lowest(&at) else { return Some(returned) };
        let read = |values: &Vec<Vec<Elements>>, operand: Operand, lane: usize| -> Elements {
            match operand {
                Operand::Value(value) => values[value.index()][lane].clone(),
                Operand::Negated(value) => vec![1 - values[value.index()][lane][0]],
                Operand::Constant(constant) => {
                    let elements = u32::from(constant.ty.elements);
                    (0..elements).map(|i| (constant.bits() >> (32 * i)) as u32).collect()
                }
                Operand::Special(_) => vec![lane as u32],
                _ => vec![0],
            }
        };
        let data = &f.blocks[block];
        if let Some(&id) = data.instructions.get(index) {
            let instruction = f.instruction(id);
            let old = values.clone();
            let word = |n: usize, lane: usize| read(&old, instruction.operands[n], lane)[0];
            for &lane in &group {
                at[lane] = Some((block, index + 1));
                let result = match instruction.operation {
                    Operation::Initial => continue,
                    Operation::Vector(VectorOperation::Extract { first }) => {
                        let count = usize::from(f.value(instruction.results[0]).ty.elements);
                        read(&old, instruction.operands[0], lane)[usize::from(first)..][..count].to_vec()
                    }
                    Operation::Vector(VectorOperation::Insert { first }) => {
                        let mut all = read(&old, instruction.operands[0], lane);
                        let part = read(&old, instruction.operands[1], lane);
                        all[usize::from(first)..][..part.len()].copy_from_slice(&part);
                        all
                    }
                    Operation::CrossLane(operation) if operation.kind == CrossLaneKind::ActiveMask => {
                        vec![mask_of(&group)]
                    }
                    Operation::CrossLane(_) => {
                        let got = shuffle(&group, word(2, lane), &|lane| word(0, lane), lane, word(1, lane));
                        vec![got.unwrap_or_else(|| word(3, lane))]
                    }
                    _ => {
                        let count = instruction.operands.len();
                        let words: Vec<u32> = (0..count).map(|n| word(n, lane)).collect();
                        let comparison = instruction.operation.qualifier(SlotName::Cop);
                        vec![compute(instruction.operation.opcode().unwrap(), comparison, &words)]
                    }
                };
                values[instruction.results[0].index()][lane] = result;
            }
            continue;
        }
        let old = values.clone();
        for &lane in &group {
            let mut go = |target: &Target, at: &mut [Option<(usize, usize)>; LANES]| {
                at[lane] = Some((target.block.index(), 0));
                for (&parameter, &argument) in f.block(target.block).parameters.iter().zip(&target.arguments)
                {
                    values[parameter.index()][lane] = read(&old, argument, lane);
                }
            };
            match &data.terminator {
                Terminator::Goto(target) => go(target, &mut at),
                Terminator::Branch { condition, taken, otherwise } => {
                    let way = if read(&old, *condition, lane)[0] == 1 { taken } else { otherwise };
                    go(way, &mut at);
                }
                Terminator::Return(value) => {
                    returned[lane] = read(&old, value.unwrap(), lane)[0];
                    at[lane] = None;
                }
                Terminator::ReturnIf { condition, value, otherwise } => {
                    if read(&old, *condition, lane)[0] == 1 {
                        returned[lane] = read(&old, value.unwrap(), lane)[0];
                        at[lane] = None;
                    } else {
                        go(otherwise, &mut at);
                    }
                }
            }
        }
    }
    None
}

fn compute(opcode: Opcode, comparison: Option<Qualifier>, words: &[u32]) -> u32 {
    match opcode {
        Opcode::Iadd => words[0].wrapping_add(words[1]),
        Opcode::Xor => words[0] ^ words[1],
        Opcode::Sel => words[usize::from(words[2] == 0)],
        Opcode::Ucmp => u32::from(match comparison {
            Some(Qualifier::Lt) => words[0] < words[1],
            Some(Qualifier::Eq) => words[0] == words[1],
            Some(Qualifier::Ne) => words[0] != words[1],
            other => panic!("{other:?}"),
        }),
        other => panic!("{other:?}"),
    }
}

fn run_code(f: &pisa_module::Function) -> Outcome {
    let mut registers: Vec<Vec<Elements>> = f
        .registers
        .iter()
        .enumerate()
        .map(|(n, register)| {
            (0..LANES)
                .map(
                    |lane| {
                        if n < 2 { vec![7 * lane as u32 + n as u32] } else { unwritten(register.ty, lane) }
                    },
                )
                .collect()
        })
        .collect();
    // Words of an element.
    let unit = |register: pisa_module::RegisterId| usize::from(f.registers[register.index()].ty.bits / 32);
    let mut at = [Some((0, 0)); LANES];
    let mut returned = [0; LANES];
    // Copies make it longer.
    for _ in 0..STEPS * 8 {
        let Some(((position, _), group)) = lowest(&at) else { return Some(returned) };
        let instruction = &f.code[position];
        let old = registers.clone();
        let read = |operand: &MachineOperand, lane: usize| -> Elements {
            match operand {
                MachineOperand::Register(used) => {
                    let all = &old[used.register.index()][lane];
                    match used.swizzle.map(|s| s.range()) {
                        Some((first, count)) => {
                            let unit = unit(used.register);
                            all[usize::from(first) * unit..][..usize::from(count) * unit].to_vec()
                        }
                        None => all.clone(),
                    }
                }
                MachineOperand::Predicate { register, negated } => {
                    vec![old[register.index()][lane][0] ^ u32::from(*negated)]
                }
                // Bits of up to 128 in a row.
                MachineOperand::Immediate { bits, .. } => vec![*bits as u32, (*bits >> 32) as u32, 0, 0],
                MachineOperand::Special(SpecialRegister::ActiveMask) => vec![mask_of(&group)],
                MachineOperand::Special(_) => vec![lane as u32],
                other => panic!("{other:?}"),
            }
        };
        let operands = &instruction.operands;
        let index = usize::from(instruction.number(SlotName::Index).unwrap_or(0));
        for &lane in &group {
            at[lane] = Some((position + 1, 0));
            let word = |n: usize, lane: usize| read(&operands[n], lane)[0];
            let results: Vec<(usize, Elements)> = match instruction.row().opcode {
                Opcode::Goto => {
                    let taken = operands.len() == 1 || word(0, lane) == 1;
                    let Some(MachineOperand::Label(label)) = operands.last() else { panic!() };
                    if taken {
                        at[lane] = Some((f.labels[label.index()].target as usize, 0));
                    }
                    continue;
                }
                Opcode::Return => {
                    if operands.len() == 1 || word(0, lane) == 1 {
                        returned[lane] = read(operands.last().unwrap(), lane)[0];
                        at[lane] = None;
                    }
                    continue;
                }
                Opcode::Mov => vec![(0, read(&operands[1], lane))],
                Opcode::Extract => {
                    let all = read(&operands[1], lane);
                    let count = read(&operands[0], lane).len();
                    vec![(0, all[index..][..count].to_vec())]
                }
                Opcode::Insert => {
                    let mut all = read(&operands[0], lane);
                    let part = read(&operands[1], lane);
                    all[index..][..part.len()].copy_from_slice(&part);
                    vec![(0, all)]
                }
                Opcode::Uaddc => {
                    let sum = u64::from(word(2, lane)) + u64::from(word(3, lane)) + u64::from(word(4, lane));
                    vec![(0, vec![sum as u32]), (1, vec![(sum >> 32) as u32])]
                }
                Opcode::Shfl => {
                    match shuffle(&group, word(3, lane), &|lane| word(1, lane), lane, word(2, lane)) {
                        Some(got) => vec![(0, vec![got])],
                        None => continue,
                    }
                }
                opcode => {
                    let words: Vec<u32> = (1..operands.len()).map(|n| word(n, lane)).collect();
                    vec![(0, vec![compute(opcode, instruction.qualifier(SlotName::Cop), &words)])]
                }
            };
            for (n, elements) in results {
                match &operands[n] {
                    MachineOperand::Register(used) => {
                        let all = &mut registers[used.register.index()][lane];
                        let range = used.swizzle.map(|s| s.range());
                        let unit = unit(used.register);
                        let (first, count) = range.map_or((0, all.len()), |(first, count)| {
                            (usize::from(first) * unit, usize::from(count) * unit)
                        });
                        all[first..][..count].copy_from_slice(&elements[..count]);
                    }
                    MachineOperand::Predicate { register, .. } => {
                        registers[register.index()][lane] = elements
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    None
}

#[test]
fn code_does_what_the_function_does() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut ended, mut copies) = (0, 0);
    for number in 0..4000 {
        let function = make(&mut random);
        let module = Module {
            version: Version(0, 1),
            target: pisa_isa::Target::T100,
            variables: vec![],
            functions: vec![function],
        };
        let expected = run_ir(&module.functions[0]);
        // The text of some is read again, which takes longer.
        if number % 10 == 0 {
            body(&module);
        }
        let exported = export(&module).unwrap();
        let text = || pisa_module::print(&exported);
        copies += usize::from(exported.functions[0].code.iter().any(|i| i.row().opcode == Opcode::Uaddc));
        let Some(expected) = expected else { continue };
        ended += 1;
        let found = run_code(&exported.functions[0]);
        assert_eq!(found, Some(expected), "function {number}\n{}\n{}", crate::text::print(&module), text());
    }
    assert!(ended > 2000 && copies > 10, "{ended} functions ended, {copies} copied predicates");
}
