//! Large functions: their analyses take no stack, and about as much more time as there is more to look at.

use super::random::{B32, PREDICATE, compare, load, word};
use super::uniformity::analyse;
use crate::active_sets::Waiting;
use crate::analysis::{ControlFlow, Dominators, MaskFacts, Ranges};
use crate::{Block, Function, Operand, Position, Target, Terminator, Value};
use pisa_isa::{Opcode, Qualifier};
use pisa_module::{Dimension, SpecialRegister};

const LANE: Operand = Operand::Special(SpecialRegister::LaneId);
const GROUP: Operand = Operand::Special(SpecialRegister::GroupId(Dimension::X));

fn target(block: Block, arguments: &[Value]) -> Target {
    Target { block, arguments: arguments.iter().map(|&value| value.into()).collect() }
}

fn add(f: &mut Function, block: Block, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
    f.append_value(block, word(Opcode::Iadd), [a.into(), b.into()], B32)
}

fn loaded(f: &mut Function, block: Block) -> Value {
    f.append_value(block, load(Qualifier::Global), [GROUP, Operand::word(0)], B32)
}

fn less(f: &mut Function, block: Block, a: impl Into<Operand>, b: u32) -> Operand {
    f.append_value(block, compare(Opcode::Ucmp, Qualifier::Lt), [a.into(), Operand::word(b)], PREDICATE)
        .into()
}

fn branch(f: &mut Function, from: Block, condition: Operand, taken: Target, otherwise: Target) {
    f.blocks[from.index()].terminator = Terminator::Branch { condition, taken, otherwise };
}

fn goto(f: &mut Function, from: Block, to: Target) {
    f.blocks[from.index()].terminator = Terminator::Goto(to);
}

/// One `if` with two arms after the other, each on what the one before has chosen.
fn diamonds(count: usize) -> (Function, Value) {
    let mut f = super::empty_kernel(None);
    let mut top = f.append_block();
    let mut x = add(&mut f, top, LANE, GROUP);
    for _ in 0..count {
        let [left, right, join] = [(); 3].map(|()| f.append_block());
        let p = less(&mut f, top, x, 5);
        branch(&mut f, top, p, target(right, &[]), target(left, &[]));
        let a = add(&mut f, left, x, Operand::word(1));
        goto(&mut f, left, target(join, &[a]));
        let b = loaded(&mut f, right);
        goto(&mut f, right, target(join, &[b]));
        x = f.add_parameter(join, B32);
        top = join;
    }
    (f, x)
}

/// Loops one after the other; how often one goes round depends on the turn in which a lane left the one before.
fn loops(count: usize) -> (Function, Value) {
    let mut f = super::empty_kernel(None);
    let mut before = f.append_block();
    let mut bound: Operand = LANE;
    let mut last = add(&mut f, before, GROUP, GROUP);
    for _ in 0..count {
        let [head, exit] = [(); 2].map(|()| f.append_block());
        let zero = add(&mut f, before, GROUP, Operand::word(0));
        goto(&mut f, before, target(head, &[zero]));
        let i = f.add_parameter(head, B32);
        let next = add(&mut f, head, i, Operand::word(1));
        let sum = add(&mut f, head, next, bound);
        let p = less(&mut f, head, sum, 40);
        branch(&mut f, head, p, target(head, &[next]), target(exit, &[]));
        (before, bound, last) = (exit, next.into(), next);
    }
    (f, last)
}

/// A loop that lanes leave one by one, with many branches in it.
fn loop_with_branches(count: usize) -> (Function, Value) {
    let mut f = super::empty_kernel(None);
    let [top, head] = [(); 2].map(|()| f.append_block());
    goto(&mut f, top, target(head, &[]));
    let first = loaded(&mut f, head);
    let mut at = head;
    let mut values = vec![first];
    for number in 0..count {
        let [arm, join] = [(); 2].map(|()| f.append_block());
        let both = add(&mut f, at, values[number], first);
        let x = add(&mut f, at, both, LANE);
        let p = less(&mut f, at, x, 9);
        branch(&mut f, at, p, target(arm, &[]), target(join, &[]));
        goto(&mut f, arm, target(join, &[]));
        values.push(loaded(&mut f, join));
        at = join;
    }
    let exit = f.append_block();
    let p = less(&mut f, at, LANE, 3);
    branch(&mut f, at, p, target(head, &[]), target(exit, &[]));
    let mut sum = first;
    for &value in &values {
        sum = add(&mut f, exit, sum, value);
    }
    (f, sum)
}

/// Many guards that lead to one end, each by lane.
fn guards(count: usize) -> (Function, Value) {
    let mut f = super::empty_kernel(None);
    let mut at = f.append_block();
    let end = f.new_block();
    for number in 0..count {
        let next = f.append_block();
        let x = loaded(&mut f, at);
        let y = add(&mut f, at, x, LANE);
        let p = less(&mut f, at, y, number as u32);
        branch(&mut f, at, p, target(end, &[]), target(next, &[]));
        at = next;
    }
    let last = loaded(&mut f, at);
    goto(&mut f, at, target(end, &[]));
    f.layout.push(end);
    (f, last)
}

/// Tests one after the other that lead to as many cases behind them: lanes wait in all of them.
fn cases(count: usize) -> (Function, Value) {
    let mut f = super::empty_kernel(None);
    let tests: Vec<Block> = (0..=count).map(|_| f.append_block()).collect();
    let cases: Vec<Block> = (0..count).map(|_| f.append_block()).collect();
    let end = f.append_block();
    for number in 0..count {
        let p = less(&mut f, tests[number], LANE, number as u32);
        branch(&mut f, tests[number], p, target(cases[number], &[]), target(tests[number + 1], &[]));
        let x = loaded(&mut f, cases[number]);
        goto(&mut f, cases[number], target(end, &[x]));
    }
    let x = loaded(&mut f, tests[count]);
    goto(&mut f, tests[count], target(end, &[x]));
    let x = f.add_parameter(end, B32);
    (f, x)
}

fn check(name: &str, (f, value): (Function, Value), expected: bool) {
    let found = analyse(&f, &Waiting::default());
    let last = *f.layout.last().expect("a block");
    let at = Position { block: last, index: 0 };
    assert_eq!(found.is_uniform(value) && found.is_uniform_at(value.into(), at), expected, "{name}");
    let flow = ControlFlow::of(&f);
    let dominators = Dominators::of(&f, &flow);
    let masks = MaskFacts::of(&f, &flow);
    let ranges = Ranges::of(&f, &flow, &dominators, &masks);
    assert!(ranges.range(value).is_some());
}

#[test]
fn large_functions() {
    check("diamonds", diamonds(5_000), false);
    check("loops", loops(2_000), false);
    check("branches in a loop", loop_with_branches(2_000), false);
    check("guards", guards(5_000), true);
    check("cases", cases(300), false);
    // More pairs of places than are kept: less is said, but nothing wrong.
    check("many cases", cases(1_500), false);
}
