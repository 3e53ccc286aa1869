//! Ranges, against lanes that run random functions and by hand.

use super::Random;
use super::lanes::{Event, run};
use super::random::{B32, PREDICATE, compare, cross_lane, random_function, reduce, select, table, word};
use crate::active_sets::Waiting;
use crate::analysis::{ControlFlow, Dominators, MaskFacts, Range, Ranges};
use crate::{Block, CrossLaneKind, Function, Operand, Operation, Reduction, Target, Terminator, Value};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Dimension, RegisterType, SpecialRegister};

const LANE: Operand = Operand::Special(SpecialRegister::LaneId);

fn analyse(function: &Function) -> Ranges {
    let flow = ControlFlow::of(function);
    let dominators = Dominators::of(function, &flow);
    Ranges::of(function, &flow, &dominators, &MaskFacts::of(function, &flow))
}

#[test]
fn ranges_hold_in_random_functions() {
    let mut random = Random(0x7A26_E50F_1234_0101);
    let (mut checked, mut bounded, mut refined) = (0, 0, 0);
    for _ in 0..80 {
        let (count, spread) = (1 + random.below(10), 1 + random.below(5));
        let function = random_function(&mut random, count, spread, 0);
        let ranges = analyse(&function);
        let dominators = Dominators::of(&function, &ControlFlow::of(&function));
        let waiting = Waiting::default();
        for _ in 0..2 {
            let mut check = |lanes: &super::lanes::SubGroup, value: Value, block: Block| {
                let Some(range) = ranges.range(value) else { return };
                let here = ranges.at(&function, value.into(), block).unwrap();
                for lane in lanes.lanes() {
                    let bits = lanes.read(Operand::Value(value), lane) as u64;
                    let fits = range.contains(bits) && here.contains(bits);
                    assert!(fits, "{value:?} is {bits:#x}: {range:x?} {here:x?} in {block:?}\n{function:#?}");
                    checked += 1;
                    bounded += usize::from(range != Range::full(32));
                    refined += usize::from(range != here);
                }
            };
            run(&function, &waiting, &mut random, |lanes, event| match event {
                Event::Begin { position, .. } => {
                    let parameters = &function.block(position.block).parameters;
                    parameters.iter().for_each(|&value| check(lanes, value, position.block));
                    // Whatever has been computed by then.
                    for (block, instruction) in function.all_instructions() {
                        if dominators.strictly_dominates(block, position.block) {
                            let results = &function.instruction(instruction).results;
                            results.iter().for_each(|&value| check(lanes, value, position.block));
                        }
                    }
                }
                Event::Before { operands, position } => {
                    let values = operands.iter().filter_map(|operand| operand.value());
                    values.for_each(|value| check(lanes, value, position.block));
                }
                Event::After { .. } | Event::Leave { .. } => {}
            });
        }
    }
    assert!(bounded > checked / 10 && refined > 100, "{checked} {bounded} {refined}");
}

/// One block, one instruction at a time.
struct Line {
    f: Function,
    block: Block,
}

impl Line {
    fn new() -> Line {
        let mut f = super::empty_kernel(Some([8, 4, 3]));
        let block = f.append_block();
        Line { f, block }
    }
    fn of(&mut self, operation: Operation, operands: &[Operand], ty: RegisterType) -> Value {
        self.f.append_value(self.block, operation, operands.iter().copied(), ty)
    }
    fn add(&mut self, opcode: Opcode, operands: &[Operand]) -> Operand {
        self.of(word(opcode), operands, B32).into()
    }
    fn unsigned(&self, operand: Operand) -> (u64, u64) {
        analyse(&self.f).of_operand(&self.f, operand).expect("a scalar").unsigned
    }
    fn signed(&self, operand: Operand) -> (i64, i64) {
        analyse(&self.f).of_operand(&self.f, operand).expect("a scalar").signed
    }
}

#[test]
fn operations() {
    let mut l = Line::new();
    let x: Operand = l.of(Operation::Initial, &[], B32).into();
    let number = Operand::word;
    let local = |dimension| Operand::Special(SpecialRegister::LocalId(dimension));
    let size = Operand::Special(SpecialRegister::LocalSize(Dimension::Y));
    assert_eq!(l.unsigned(LANE), (0, 31));
    assert_eq!(l.unsigned(local(Dimension::X)), (0, 7));
    assert_eq!(l.unsigned(size), (4, 4));
    let sum = l.add(Opcode::Iadd, &[LANE, number(5)]);
    let row = l.add(Opcode::Umul, &[local(Dimension::Y), number(8)]);
    let less = l.add(Opcode::Isub, &[LANE, number(40)]);
    let masked = l.add(Opcode::And, &[x, number(0xFF)]);
    let wide = l.add(Opcode::Or, &[masked, number(0x100)]);
    let quotient = l.add(Opcode::Udiv, &[wide, number(16)]);
    let unknown = l.add(Opcode::Udiv, &[wide, masked]);
    let up = l.add(Opcode::Shl, &[LANE, number(2)]);
    let down = l.add(Opcode::Asr, &[less, number(1)]);
    let all = l.add(Opcode::Iadd, &[x, number(1)]);
    let count = l.add(Opcode::Cbit, &[x]);
    let first = l.add(Opcode::Fbl, &[wide]);
    let first_or_none = l.add(Opcode::Fbl, &[masked]);
    let size_of = l.add(Opcode::Iabs, &[less]);
    let mad = l.add(Opcode::Umad, &[LANE, number(4), number(3)]);
    let capped = l.add(Opcode::Smin, &[x, number(9)]);
    let inverted = l.add(Opcode::Not, &[masked]);
    assert_eq!(l.unsigned(sum), (5, 36));
    assert_eq!(l.unsigned(row), (0, 24));
    assert_eq!(l.signed(less), (-40, -9));
    assert_eq!(l.unsigned(less), (0xFFFF_FFD8, 0xFFFF_FFF7));
    assert_eq!(l.unsigned(wide), (0x100, 0x1FF));
    assert_eq!(l.unsigned(quotient), (16, 31));
    // Division by 0 gives all ones.
    assert_eq!(l.unsigned(unknown), (0, 0xFFFF_FFFF));
    assert_eq!(l.unsigned(up), (0, 124));
    assert_eq!(l.signed(down), (-20, -5));
    assert_eq!(l.unsigned(all), (0, 0xFFFF_FFFF));
    assert_eq!(l.unsigned(count), (0, 32));
    assert_eq!(l.unsigned(first), (0, 31));
    assert_eq!(l.unsigned(first_or_none), (0, 0xFFFF_FFFF));
    assert_eq!(l.unsigned(size_of), (9, 40));
    assert_eq!(l.unsigned(mad), (3, 127));
    assert_eq!(l.signed(capped), (-0x8000_0000, 9));
    assert_eq!(l.unsigned(inverted), (0xFFFF_FF00, 0xFFFF_FFFF));
}

#[test]
fn widths_and_lanes() {
    let mut l = Line::new();
    let convert = |opcode, to, from| table(opcode, 0, &[(SlotName::To, to), (SlotName::From, from)]);
    let scalar = RegisterType::scalar;
    let half = l.of(Operation::Initial, &[], scalar(16)).into();
    let wide = l.of(convert(Opcode::Zext, Qualifier::B64, Qualifier::B16), &[half], scalar(64)).into();
    let signed = l.of(convert(Opcode::Sext, Qualifier::B32, Qualifier::B16), &[half], B32).into();
    let narrow = l.of(convert(Opcode::Trunc, Qualifier::B32, Qualifier::B64), &[wide], B32).into();
    assert_eq!(l.unsigned(wide), (0, 0xFFFF));
    assert_eq!(l.signed(signed), (-0x8000, 0x7FFF));
    assert_eq!(l.unsigned(signed), (0, 0xFFFF_FFFF));
    assert_eq!(l.unsigned(narrow), (0, 0xFFFF));
    let cross = |l: &mut Line, kind: CrossLaneKind, keep: Operand| -> Operand {
        let mask = if keep == Operand::Dead { Operand::ALL_LANES } else { Operand::word(0xF) };
        l.of(cross_lane(kind), &[LANE, mask, keep], B32).into()
    };
    let sum = cross(&mut l, reduce(Reduction::Sum), Operand::Dead);
    let least = cross(&mut l, reduce(Reduction::Umin), Operand::word(100));
    let or = cross(&mut l, reduce(Reduction::Or), Operand::Dead);
    let first = cross(&mut l, CrossLaneKind::ReadFirstInvocation, Operand::Dead);
    assert_eq!(l.unsigned(sum), (0, 31 * 32));
    assert_eq!(l.unsigned(least), (0, 100));
    assert_eq!(l.unsigned(or), (0, 31));
    assert_eq!(l.unsigned(first), (0, 31));
    let p = l.of(compare(Opcode::Ucmp, Qualifier::Lt), &[LANE, Operand::word(3)], PREDICATE);
    let chosen = l.of(select(), &[Operand::word(7), LANE, p.into()], B32).into();
    assert_eq!(l.unsigned(chosen), (0, 31));
}

fn target(block: Block, arguments: &[Operand]) -> Target {
    Target { block, arguments: arguments.iter().copied().collect() }
}

/// `for (i = 0; i < 100; i++)`, with the test at the head and at the end; outside, `i` has its last value.
#[test]
fn counted_loops() {
    let mut f = super::empty_kernel(None);
    let [top, head, body, exit] = [(); 4].map(|()| f.append_block());
    f.blocks[top.index()].terminator = Terminator::Goto(target(head, &[Operand::word(0)]));
    let i = f.add_parameter(head, B32);
    let less = compare(Opcode::Ucmp, Qualifier::Lt);
    let p = f.append_value(head, less, [i.into(), Operand::word(100)], PREDICATE);
    f.blocks[head.index()].terminator =
        Terminator::Branch { condition: p.into(), taken: Target::new(body), otherwise: Target::new(exit) };
    let next = f.append_value(body, word(Opcode::Iadd), [i.into(), Operand::word(1)], B32);
    f.blocks[body.index()].terminator = Terminator::Goto(target(head, &[next.into()]));
    let ranges = analyse(&f);
    assert_eq!(ranges.range(i).unwrap().unsigned, (0, 100));
    assert_eq!(ranges.at(&f, i.into(), body).unwrap().unsigned, (0, 99));
    assert_eq!(ranges.at(&f, i.into(), exit).unwrap().unsigned, (100, 100));
    assert_eq!(ranges.range(next).unwrap().unsigned, (1, 100));

    let mut f = super::empty_kernel(None);
    let [top, body, exit] = [(); 3].map(|()| f.append_block());
    f.blocks[top.index()].terminator = Terminator::Goto(target(body, &[Operand::word(0)]));
    let i = f.add_parameter(body, B32);
    let next = f.append_value(body, word(Opcode::Iadd), [i.into(), Operand::word(2)], B32);
    let done = compare(Opcode::Scmp, Qualifier::Ge);
    let p = f.append_value(body, done, [next.into(), Operand::word(50)], PREDICATE);
    f.blocks[body.index()].terminator = Terminator::Branch {
        condition: Operand::Negated(p),
        taken: target(body, &[next.into()]),
        otherwise: Target::new(exit),
    };
    let ranges = analyse(&f);
    assert_eq!(ranges.range(i).unwrap().signed, (0, 49));
    assert_eq!(ranges.at(&f, next.into(), exit).unwrap().signed, (50, 51));
    // Without a bound that is known there is none.
    let unbounded = f.append_value(top, Operation::Initial, [], B32);
    let Some(compare) = f.defining(p) else { panic!() };
    f.instructions[compare.index()].operands[1] = unbounded.into();
    assert_eq!(analyse(&f).range(i).unwrap().unsigned.1, 0xFFFF_FFFF);
}

/// What a branch says holds where its edge alone leads, and nowhere else.
#[test]
fn conditions() {
    let mut f = super::empty_kernel(None);
    let [top, small, inner, large, join] = [(); 5].map(|()| f.append_block());
    let x = f.append_value(top, Operation::Initial, [], B32);
    let p =
        f.append_value(top, compare(Opcode::Ucmp, Qualifier::Gt), [Operand::word(10), x.into()], PREDICATE);
    let branch = |condition: Operand, taken, otherwise| Terminator::Branch { condition, taken, otherwise };
    f.blocks[top.index()].terminator = branch(p.into(), Target::new(small), Target::new(large));
    let q =
        f.append_value(small, compare(Opcode::Ucmp, Qualifier::Ne), [x.into(), Operand::word(0)], PREDICATE);
    f.blocks[small.index()].terminator = branch(q.into(), Target::new(inner), target(join, &[x.into()]));
    f.blocks[inner.index()].terminator = Terminator::Goto(target(join, &[x.into()]));
    f.blocks[large.index()].terminator = Terminator::Goto(target(join, &[Operand::word(3)]));
    let y = f.add_parameter(join, B32);
    let ranges = analyse(&f);
    let at = |block| ranges.at(&f, x.into(), block).unwrap().unsigned;
    assert_eq!((at(top), at(join)), ((0, 0xFFFF_FFFF), (0, 0xFFFF_FFFF)));
    assert_eq!((at(small), at(inner), at(large)), ((0, 9), (1, 9), (10, 0xFFFF_FFFF)));
    assert_eq!(ranges.range(y).unwrap().unsigned, (0, 9));
    let equal = f.append_value(large, compare(Opcode::Ucmp, Qualifier::Eq), [x.into(), LANE], PREDICATE);
    let otherwise = target(join, &[x.into()]);
    f.blocks[large.index()].terminator =
        Terminator::ReturnIf { condition: Operand::Negated(equal), value: None, otherwise };
    assert_eq!(analyse(&f).range(y).unwrap().unsigned, (0, 31));
}
