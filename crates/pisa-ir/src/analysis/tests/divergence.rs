//! Shapes of control flow on which uniformity is known to be hard, each with verdicts worked by hand.

use super::random::{B32, PREDICATE, barrier, compare, load, word};
use super::uniformity::analyse;
use crate::active_sets::Waiting;
use crate::analysis::{Strength, Uniformity};
use crate::{Block, Constant, Function, Module, Operand, Operation, Position, Target, Terminator, Value};
use pisa_isa::{Opcode, Qualifier};
use pisa_module::{Dimension, FunctionId, SpecialRegister};

const LANE: Operand = Operand::Special(SpecialRegister::LaneId);
const GROUP: Operand = Operand::Special(SpecialRegister::GroupId(Dimension::X));

/// A kernel under construction.
struct Kernel {
    f: Function,
}

impl Kernel {
    fn new<const N: usize>() -> (Kernel, [Block; N]) {
        let mut f = super::empty_kernel(None);
        let blocks = std::array::from_fn(|_| f.append_block());
        (Kernel { f }, blocks)
    }
    fn parameter(&mut self, block: Block) -> Value {
        self.f.add_parameter(block, B32)
    }
    fn add(&mut self, block: Block, a: impl Into<Operand>, b: impl Into<Operand>) -> Value {
        self.f.append_value(block, word(Opcode::Iadd), [a.into(), b.into()], B32)
    }
    /// A value that is the same in all lanes of a run, and another one in the next run.
    fn load(&mut self, block: Block) -> Value {
        self.f.append_value(block, load(Qualifier::Global), [GROUP, Operand::word(0)], B32)
    }
    /// `x < 5`.
    fn less(&mut self, block: Block, x: impl Into<Operand>) -> Operand {
        let less = compare(Opcode::Ucmp, Qualifier::Lt);
        self.f.append_value(block, less, [x.into(), Operand::word(5)], PREDICATE).into()
    }
    fn goto(&mut self, from: Block, to: Block, arguments: &[Operand]) {
        self.f.blocks[from.index()].terminator = Terminator::Goto(target(to, arguments));
    }
    fn branch(&mut self, from: Block, condition: Operand, taken: Target, otherwise: Target) {
        self.f.blocks[from.index()].terminator = Terminator::Branch { condition, taken, otherwise };
    }
    fn end(self) -> Found {
        let found = analyse(&self.f, &Waiting::default());
        Found { f: self.f, found }
    }
}

fn target(block: Block, arguments: &[Operand]) -> Target {
    Target { block, arguments: arguments.iter().copied().collect() }
}

fn to(block: Block) -> Target {
    Target::new(block)
}

fn word_of(bits: u32) -> Operand {
    Operand::word(bits)
}

struct Found {
    f: Function,
    found: Uniformity,
}

impl Found {
    /// Whether a value is the same in all lanes at the start of a block.
    fn at(&self, value: Value, block: Block) -> bool {
        self.found.is_uniform_at(value.into(), Position { block, index: 0 })
    }
    fn uniform(&self, value: Value) -> bool {
        self.found.is_uniform(value)
    }
    fn end_of(&self, value: Value, block: Block) -> bool {
        let index = self.f.block(block).instructions.len() as u32;
        self.found.is_uniform_at(value.into(), Position { block, index })
    }
}

/// A counter that leaves its loop in different turns differs between lanes behind it; what does not change in the loop does not.
#[test]
fn temporal_divergence() {
    for divergent in [true, false] {
        let (mut k, [top, head, exit, later]) = Kernel::new();
        let before = k.load(top);
        k.goto(top, head, &[word_of(0)]);
        let i = k.parameter(head);
        let steady = k.add(head, GROUP, word_of(1));
        let next = k.add(head, i, word_of(1));
        let sum = k.add(head, i, if divergent { LANE } else { GROUP });
        let more = k.less(head, sum);
        k.branch(head, more, target(head, &[next.into()]), to(exit));
        let used = k.add(exit, i, word_of(0));
        k.goto(exit, later, &[]);
        let again = k.add(later, next, steady);
        let found = k.end();
        assert_eq!(found.found.is_branch_uniform(head), !divergent);
        // In the loop all that are still in it have made as many turns.
        assert!(found.uniform(i) && found.uniform(next) && found.end_of(i, head));
        assert_eq!(found.at(i, exit), !divergent);
        assert_eq!(found.at(next, later), !divergent);
        assert_eq!(found.uniform(used), !divergent);
        assert_eq!(found.uniform(again), !divergent);
        assert!(found.at(before, exit) && found.at(steady, later));
        assert_eq!(found.found.strength(steady), Strength::Steady);
        assert_eq!(found.found.strength(before), Strength::Uniform);
        assert_eq!(found.found.strength(i), Strength::Uniform);
    }
}

/// Lanes leave an inner loop in different turns, and the outer one together.
#[test]
fn temporal_divergence_in_a_nest() {
    let (mut k, [top, outer, inner, latch, exit]) = Kernel::new();
    k.goto(top, outer, &[word_of(0)]);
    let i = k.parameter(outer);
    let loaded = k.load(outer);
    k.goto(outer, inner, &[word_of(0)]);
    let j = k.parameter(inner);
    let j_next = k.add(inner, j, word_of(1));
    let sum = k.add(inner, j, LANE);
    let more = k.less(inner, sum);
    k.branch(inner, more, target(inner, &[j_next.into()]), to(latch));
    let i_next = k.add(latch, i, word_of(1));
    let turns = k.add(latch, j, word_of(0));
    let again = k.less(latch, i_next);
    k.branch(latch, again, target(outer, &[i_next.into()]), to(exit));
    let found = k.end();
    assert!(!found.found.is_branch_uniform(inner) && found.found.is_branch_uniform(latch));
    assert!(found.uniform(j) && !found.at(j, latch) && !found.uniform(turns) && !found.at(j_next, exit));
    assert!(found.uniform(i) && found.at(i, latch) && found.at(i_next, exit));
    assert!(found.at(loaded, latch) && found.at(loaded, exit));
}

/// Where the ways of a branch meet again a parameter tells which way a lane came.
#[test]
fn joins() {
    for divergent in [true, false] {
        let (mut k, [top, left, right, join]) = Kernel::new();
        let p = k.less(top, if divergent { LANE } else { GROUP });
        let loaded = k.load(top);
        k.branch(top, p, to(left), to(right));
        let of_left = k.load(left);
        k.goto(left, join, &[word_of(1), word_of(7), loaded.into(), of_left.into()]);
        let of_right = k.load(right);
        k.goto(right, join, &[word_of(2), word_of(7), loaded.into(), of_right.into()]);
        let [differs, constant, same, loads] = [(); 4].map(|()| k.parameter(join));
        let found = k.end();
        assert_eq!(found.uniform(differs), !divergent);
        assert_eq!(found.uniform(loads), !divergent);
        assert_eq!(found.found.strength(constant), Strength::Steady);
        assert!(found.uniform(same) && found.uniform(of_left) && found.uniform(of_right));
    }
}

/// A branch whose ways both lead to one block at once is a choice.
#[test]
fn both_ways_to_one_block() {
    for divergent in [true, false] {
        let (mut k, [top, join]) = Kernel::new();
        let p = k.less(top, if divergent { LANE } else { GROUP });
        let x = k.load(top);
        k.branch(top, p, target(join, &[word_of(1), x.into()]), target(join, &[word_of(2), x.into()]));
        let (differs, same) = (k.parameter(join), k.parameter(join));
        let found = k.end();
        assert_eq!(found.uniform(differs), !divergent);
        assert!(found.uniform(same));
    }
}

/// Lanes in one arm of a branch are together in it: another branch there does not part them if it is uniform.
#[test]
fn a_uniform_branch_in_an_arm() {
    let (mut k, [top, arm, inner, inner_join, join]) = Kernel::new();
    let p = k.less(top, LANE);
    k.branch(top, p, to(arm), target(join, &[word_of(0)]));
    let q = k.less(arm, GROUP);
    k.branch(arm, q, to(inner), target(inner_join, &[word_of(1)]));
    k.goto(inner, inner_join, &[word_of(2)]);
    let x = k.parameter(inner_join);
    k.goto(inner_join, join, &[x.into()]);
    let y = k.parameter(join);
    let found = k.end();
    assert!(found.uniform(x) && !found.uniform(y));
    assert!(found.found.is_branch_uniform(arm));
}

/// Ways that part at one branch may meet first where another branch leads, too.
#[test]
fn disjoint_paths_of_several_branches() {
    // top parts lanes to a and b; a goes on to c or d by a uniform branch, b to d: lanes meet at d.
    let (mut k, [top, a, b, c, d, end]) = Kernel::new();
    let p = k.less(top, LANE);
    k.branch(top, p, to(a), to(b));
    let q = k.less(a, GROUP);
    k.branch(a, q, target(c, &[word_of(1)]), target(d, &[word_of(1)]));
    k.goto(b, d, &[word_of(2)]);
    let at_c = k.parameter(c);
    k.goto(c, end, &[word_of(3)]);
    let at_d = k.parameter(d);
    k.goto(d, end, &[word_of(4)]);
    let at_end = k.parameter(end);
    let found = k.end();
    assert!(found.uniform(at_c) && !found.uniform(at_d) && !found.uniform(at_end));
}

/// A loop with a divergent and a uniform exit that meet: lanes of both kinds come there.
#[test]
fn exits_of_a_loop_that_join() {
    let (mut k, [top, head, latch, first, second, join]) = Kernel::new();
    k.goto(top, head, &[word_of(0)]);
    let i = k.parameter(head);
    let sum = k.add(head, i, LANE);
    let p = k.less(head, sum);
    k.branch(head, p, to(latch), to(first));
    let next = k.add(latch, i, word_of(1));
    let q = k.less(latch, next);
    k.branch(latch, q, target(head, &[next.into()]), to(second));
    k.goto(first, join, &[word_of(1)]);
    k.goto(second, join, &[word_of(2)]);
    let which = k.parameter(join);
    let found = k.end();
    assert!(found.found.is_branch_uniform(latch) && !found.found.is_branch_uniform(head));
    assert!(found.uniform(i) && found.uniform(next));
    // Lanes gather at `first` from all turns; to `second` come those that are left, together.
    assert!(!found.at(i, first) && found.at(i, second));
    assert!(!found.uniform(which) && !found.at(i, join));
}

/// The branch that parts lanes is hidden in the loop; those that leave wait behind it, go on, and only then meet the others.
#[test]
fn hidden_divergence() {
    let (mut k, [top, head, body, aside, end, later]) = Kernel::new();
    k.goto(top, head, &[word_of(0)]);
    let i = k.parameter(head);
    let p = k.less(head, LANE);
    k.branch(head, p, to(body), to(aside));
    let next = k.add(body, i, word_of(1));
    let q = k.less(body, next);
    k.branch(body, q, target(head, &[next.into()]), to(end));
    k.goto(aside, end, &[]);
    k.goto(end, later, &[]);
    let used = k.add(later, i, word_of(0));
    let found = k.end();
    assert!(found.found.is_branch_uniform(body) && found.end_of(i, body));
    assert!(!found.at(i, end) && !found.at(i, later) && !found.uniform(used));
}

/// A cycle with two entries. Lanes that part at the entries meet at the higher one; the lower one is entered by one part alone, and
/// later by all together.
#[test]
fn irreducible_cycles() {
    for divergent in [true, false] {
        let (mut k, [top, low, high, exit]) = Kernel::new();
        let p = k.less(top, if divergent { LANE } else { GROUP });
        k.branch(top, p, target(low, &[word_of(1)]), target(high, &[word_of(2)]));
        let x = k.parameter(low);
        let x_next = k.add(low, x, word_of(1));
        k.goto(low, high, &[x_next.into()]);
        let y = k.parameter(high);
        let y_next = k.add(high, y, word_of(1));
        // Enough for a uniform way round: not by y, which differs.
        let more = k.less(high, GROUP);
        k.branch(high, more, target(low, &[y_next.into()]), to(exit));
        let found = k.end();
        assert_eq!(found.uniform(y), !divergent);
        assert_eq!(found.uniform(x), !divergent, "it gets y");
        assert_eq!(found.at(y_next, exit), !divergent);
        assert!(found.found.is_branch_uniform(high));
        assert_eq!(found.found.lanes_meet_at(Position { block: high, index: 0 }), divergent);
        assert!(!found.found.lanes_meet_at(Position { block: low, index: 0 }));
    }
}

/// A branch in an irreducible cycle parts lanes: one of them is alone at both entries.
#[test]
fn irreducible_cycle_with_divergent_exit() {
    let (mut k, [top, low, high, exit]) = Kernel::new();
    let p = k.less(top, GROUP);
    k.branch(top, p, target(low, &[word_of(0)]), target(high, &[word_of(0)]));
    let x = k.parameter(low);
    let x_next = k.add(low, x, word_of(1));
    let sum = k.add(low, x, LANE);
    let leave = k.less(low, sum);
    k.branch(low, leave, target(exit, &[x.into()]), target(high, &[x_next.into()]));
    let y = k.parameter(high);
    k.goto(high, low, &[y.into()]);
    let z = k.parameter(exit);
    let found = k.end();
    assert!(found.uniform(x) && found.uniform(y) && !found.uniform(z));
}

/// What no instruction has written has a pattern: the same number in all lanes, but not the same predicate.
#[test]
fn unwritten_registers() {
    let (mut k, [top, left, join]) = Kernel::new();
    let unwritten = k.f.append_value(top, Operation::Initial, [], B32);
    let predicate = k.f.append_value(top, Operation::Initial, [], PREDICATE);
    let p = k.less(top, LANE);
    k.branch(top, p, to(left), target(join, &[unwritten.into(), unwritten.into()]));
    k.goto(left, join, &[unwritten.into(), word_of(3)]);
    let (same, differs) = (k.parameter(join), k.parameter(join));
    let found = k.end();
    assert!(found.uniform(unwritten) && !found.uniform(predicate));
    // Other compilers take an undefined argument for whatever suits them.
    assert!(found.uniform(same) && !found.uniform(differs));
}

/// `continue` to the head of a loop: those lanes run ahead into the next turn, and meet the others in the midst of it.
#[test]
fn lanes_that_run_ahead() {
    for by_latch in [true, false] {
        let (mut k, [top, head, rest, latch, exit]) = Kernel::new();
        k.goto(top, head, &[word_of(0)]);
        let i = k.parameter(head);
        let next = k.add(head, i, word_of(1));
        let p = k.less(head, LANE);
        let again = if by_latch { to(latch) } else { target(head, &[next.into()]) };
        k.branch(head, p, again, to(rest));
        k.goto(rest, latch, &[]);
        let q = k.less(latch, GROUP);
        k.branch(latch, q, target(head, &[next.into()]), to(exit));
        let found = k.end();
        // With a common latch they wait there for each other.
        assert_eq!(found.at(i, rest), by_latch);
        assert_eq!(found.at(i, latch), by_latch);
        assert_eq!(found.uniform(i), by_latch);
        assert_eq!(found.at(next, exit), by_latch);
    }
}

/// The same graph in another order: a block that ways of a branch join in is passed by one part before the other comes.
#[test]
fn order_of_blocks() {
    for join_last in [true, false] {
        let (mut k, [top, first, second, third]) = Kernel::new();
        let (left, join, right) = if join_last { (first, third, second) } else { (first, second, third) };
        let p = k.less(top, LANE);
        k.branch(top, p, to(left), to(right));
        k.goto(left, join, &[word_of(1)]);
        k.goto(right, join, &[word_of(2)]);
        let x = k.parameter(join);
        let found = k.end();
        assert_eq!(found.uniform(x), !join_last);
    }
}

/// A condition that is a constant or the same parts nobody; what returns is not met again.
#[test]
fn branches() {
    let (mut k, [top, left, right, join, end]) = Kernel::new();
    let constant = Operand::Constant(Constant::predicate(true));
    k.branch(top, constant, to(left), to(right));
    k.goto(left, join, &[word_of(1)]);
    k.goto(right, join, &[word_of(2)]);
    let x = k.parameter(join);
    let loaded = k.load(join);
    let p = k.less(join, LANE);
    let otherwise = target(end, &[loaded.into()]);
    k.f.blocks[join.index()].terminator = Terminator::ReturnIf { condition: p, value: None, otherwise };
    let y = k.parameter(end);
    let found = k.end();
    assert!(found.found.is_branch_uniform(top) && found.uniform(x));
    assert!(!found.found.is_branch_uniform(join) && found.uniform(y) && found.at(loaded, end));
}

/// Each arm waits at a barrier of its own: both go on at the same time, and meet behind.
#[test]
fn barriers_in_arms() {
    let (mut k, [top, left, right, join]) = Kernel::new();
    let p = k.less(top, LANE);
    k.branch(top, p, to(left), to(right));
    for (block, number) in [(left, 1), (right, 2)] {
        k.f.append(block, barrier(), [], [], None);
        k.goto(block, join, &[word_of(number)]);
    }
    let x = k.parameter(join);
    let found = k.end();
    assert!(!found.uniform(x));
}

/// One arm waits at a barrier while the other goes round in a loop; behind the barrier the former is in an earlier turn. The block with the
/// barrier stands in the loop or before it.
#[test]
fn a_barrier_that_others_pass_late() {
    for within in [true, false] {
        let (mut k, [top, first, second, latch, exit]) = Kernel::new();
        let (head, wait) = if within { (first, second) } else { (second, first) };
        k.goto(top, head, &[word_of(0)]);
        let i = k.parameter(head);
        let p = k.less(head, LANE);
        k.branch(head, p, to(wait), to(latch));
        k.f.append(wait, barrier(), [], [], None);
        let behind = k.load(wait);
        k.goto(wait, latch, &[]);
        let next = k.add(latch, i, word_of(1));
        let q = k.less(latch, GROUP);
        k.branch(latch, q, target(head, &[next.into()]), to(exit));
        let found = k.end();
        // Behind the barrier those of several turns gather.
        assert!(!found.found.is_uniform_at(i.into(), Position { block: wait, index: 1 }));
        assert!(found.uniform(behind) && !found.at(i, latch) && !found.uniform(next));
    }
}

/// Some lanes wait in a function while others come back from it and go on.
#[test]
fn calls_that_wait() {
    let build = || {
        let (mut k, [top, head, exit]) = Kernel::new();
        k.goto(top, head, &[word_of(0)]);
        let i = k.parameter(head);
        let call = Operation::Call { conditional: false };
        k.f.append(head, call, [Operand::Function(FunctionId(1))], [], None);
        let next = k.add(head, i, word_of(1));
        let q = k.less(head, GROUP);
        k.branch(head, q, target(head, &[next.into()]), to(exit));
        (k, i, next, [head, exit])
    };
    let (k, i, next, [head, exit]) = build();
    let found = k.end();
    let behind = Position { block: head, index: 1 };
    assert!(!found.found.is_uniform_at(i.into(), behind) && !found.uniform(next) && !found.at(i, exit));
    // The same when the function is known to have no barrier.
    let (k, i, next, [_, exit]) = build();
    let mut callee = super::empty_kernel(None);
    callee.append_block();
    let module = Module {
        version: pisa_isa::Version(0, 1),
        target: pisa_isa::Target::T100,
        variables: Vec::new(),
        functions: vec![k.f.clone(), callee],
    };
    let found = Found { found: analyse(&k.f, &Waiting::of(&module)), f: k.f };
    assert!(found.found.is_uniform_at(i.into(), behind) && found.uniform(next) && found.at(i, exit));
}
