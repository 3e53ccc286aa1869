//! Questions with answers worked by hand, after miscompiles of other compilers.

use super::*;
use crate::active_sets::Waiting;
use crate::analysis::ControlFlow;
use crate::test_support::{Builder, ballot, iadd, reduce, shuffle};
use crate::{Block, Reduction, Terminator};
use pisa_module::RegisterType;

const P: RegisterType = RegisterType::PREDICATE;
const WORD: RegisterType = RegisterType::scalar(32);

/// Asks with everything made for the function; no branch is uniform.
fn ask<T>(function: &Function, uniform: &[Block], question: impl FnOnce(&Legality<'_>) -> T) -> T {
    let sets = ActiveSets::of(function, &Waiting::default(), |block| uniform.contains(&block));
    let dominators = Dominators::of(function, &ControlFlow::of(function));
    question(&Legality::of(function, &sets, &dominators))
}

/// `top: if (p) { then } join`, with operands in `top`.
struct If {
    b: Builder,
    top: Block,
    then: Block,
    join: Block,
    p: Value,
    x: Value,
}

fn if_without_else() -> If {
    let mut b = Builder::kernel();
    let [top, then, join] = b.blocks();
    let (p, x) = (b.value(top, P), b.value(top, WORD));
    b.branch(top, p, join, then);
    b.goto(then, join);
    If { b, top, then, join, p, x }
}

/// A ballot within `if (tid < 16)` is not the one before it (llvm#62477, LLPC#452, Mesa#5080).
#[test]
fn a_ballot_is_not_reused_where_fewer_lanes_are_active() {
    let mut f = if_without_else();
    let outer = f.b.cross(f.top, ballot(), [f.p.into()], Operand::ALL_LANES);
    let inner = f.b.cross(f.then, ballot(), [f.p.into()], Operand::ALL_LANES);
    let behind = f.b.cross(f.join, ballot(), [f.p.into()], Operand::ALL_LANES);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        let verdict = legality.may_merge(f_, outer, inner);
        let obstacle = verdict.obstacle().unwrap();
        assert_eq!(obstacle.reason, Reason::Lanes(Cause::Branch(f.top)));
        assert_eq!(obstacle.witness, Some(Witness { here: 0xFFFF, there: u32::MAX }));
        // All lanes are there again behind the branch.
        assert!(legality.may_merge(f_, outer, behind).is_yes());
        // The inner one does not stand before the one behind it in every lane.
        assert!(matches!(
            legality.may_merge(f_, inner, behind),
            Verdict::No(Obstacle { reason: Reason::Use(_), .. })
        ));
    });
    // A uniform branch takes all lanes with it.
    ask(f_, &[f.top], |legality| assert!(legality.may_merge(f_, outer, inner).is_yes()));
}

/// `if (p) { d = ired(x, M) }` may go above the branch with the mask narrowed to `p`.
#[test]
fn a_mask_absorbs_a_branch() {
    let mut f = if_without_else();
    let sum = f.b.cross(f.then, reduce(Reduction::Sum), [f.x.into()], Operand::ALL_LANES);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        // The arm is where `p` does not hold: the branch jumps over it.
        let condition = Condition { operand: f.p.into(), holds: false };
        let verdict = legality.may_move(f_, sum, Position::end(f.top), []);
        assert_eq!(verdict, Verdict::Narrowed(smallvec::smallvec![condition]));
        // Not before what it needs.
        let verdict = legality.may_move(f_, sum, Position::begin(f.top), []);
        assert!(matches!(verdict, Verdict::No(Obstacle { reason: Reason::Operand(_), .. })), "{verdict:?}");
        // Behind the branch all lanes are together again, so that the same narrowing does.
        let verdict = legality.may_move(f_, sum, Position::begin(f.join), []);
        assert_eq!(verdict, Verdict::Narrowed(smallvec::smallvec![condition]));
    });
}

/// Sinking or copying a shuffle into the arms of a branch (intel-xpu-backend-for-triton#164, DXC#7726).
#[test]
fn a_shuffle_does_not_go_into_an_arm() {
    let mut f = if_without_else();
    let shuffled = f.b.cross(f.top, shuffle(), [f.x.into(), Operand::word(1)], Operand::ALL_LANES);
    let user = Position::begin(f.then);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        let verdict = legality.may_move(f_, shuffled, Position::begin(f.then), [user]);
        let witness = Some(Witness { here: u32::MAX, there: 0xFFFF });
        assert_eq!(verdict, Verdict::No(Obstacle { reason: Reason::Lanes(Cause::Branch(f.top)), witness }));
        let verdict = legality.may_copy(f_, shuffled, Position::begin(f.then));
        assert_eq!(verdict.obstacle().and_then(|o| o.witness), witness);
        let text = verdict.text(f_);
        assert!(text.contains("lanes part on"), "{text}");
        assert!(text.contains("0xffffffff active here and 0x0000ffff there"), "{text}");
    });
    // It may under a uniform branch.
    ask(f_, &[f.top], |legality| {
        assert!(legality.may_move(f_, shuffled, Position::begin(f.then), [user]).is_yes());
    });
}

/// What came from SPIR-V may be hoisted without any change: reading an inactive lane was undefined there.
#[test]
fn undefined_sources_allow_more_lanes() {
    let mut f = if_without_else();
    let mut operation = shuffle();
    operation.inactive = InactiveSource::Undefined;
    let shuffled = f.b.cross(f.then, operation, [f.x.into(), Operand::word(1)], Operand::ALL_LANES);
    let above = f.b.cross(f.top, operation, [f.x.into(), Operand::word(1)], Operand::ALL_LANES);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        assert!(legality.may_move(f_, shuffled, Position::end(f.top), []).is_yes());
        assert!(legality.may_merge(f_, above, shuffled).is_yes());
        // But not fewer.
        assert!(legality.may_move(f_, above, Position::begin(f.then), []).obstacle().is_some());
    });
}

/// A loop that lanes leave one after the other: nothing that looks at lanes is invariant in it (DXC#6109, DXC#8204).
#[test]
fn nothing_leaves_a_loop_with_a_divergent_exit() {
    let mut b = Builder::kernel();
    let [top, head, exit] = b.blocks();
    let (p, x) = (b.value(top, P), b.value(top, WORD));
    b.goto(top, head);
    b.branch(head, p, head, exit);
    let votes = b.cross(head, ballot(), [p.into()], Operand::ALL_LANES);
    let sum = b.table(head, iadd(), [x.into(), Operand::word(1)], WORD);
    let f = &b.function;
    ask(f, &[], |legality| {
        let verdict = legality.may_move(f, votes, Position::end(top), []);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::Lanes(Cause::Loop(head))));
        let verdict = legality.may_move(f, votes, Position::begin(exit), []);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::Lanes(Cause::Loop(head))));
        // Arithmetic may.
        assert!(legality.may_move(f, sum, Position::end(top), []).is_yes());
    });
    // A loop that all lanes leave together keeps them together.
    ask(f, &[head], |legality| assert!(legality.may_move(f, votes, Position::end(top), []).is_yes()));
}

/// Under the mask of an outer ballot the participants are those of the arm.
#[test]
fn a_captured_mask_is_an_arm() {
    let mut f = if_without_else();
    let votes = f.b.cross(f.top, ballot(), [f.p.into()], Operand::ALL_LANES);
    let mask = f.b.result(votes);
    let masked = f.b.cross(f.top, reduce(Reduction::Umax), [f.x.into()], mask.into());
    let [_, taken] = [f.then, f.join];
    let in_join = f.b.cross(taken, reduce(Reduction::Umax), [f.x.into()], Operand::ALL_LANES);
    // The lanes for which `p` holds go to an arm of their own.
    let arm = f.b.function.append_block();
    f.b.branch(f.top, f.p, arm, f.then);
    let in_arm = f.b.cross(arm, reduce(Reduction::Umax), [f.x.into()], Operand::ALL_LANES);
    f.b.function.blocks[arm.index()].terminator = Terminator::Return(None);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        assert!(legality.may_merge(f_, masked, in_arm).is_yes());
        assert!(!legality.may_merge(f_, masked, in_join).is_yes());
    });
}

/// `redfirstidx` needs a lane; an arm that nobody takes has none, but the place above it has.
#[test]
fn the_first_participant_does_not_go_where_there_may_be_none() {
    let mut f = if_without_else();
    let first = crate::test_support::first_participant();
    let first = f.b.cross(f.then, first, [], Operand::ALL_LANES);
    let f_ = &f.b.function;
    ask(f_, &[], |legality| {
        let verdict = legality.may_move(f_, first, Position::end(f.top), []);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::NoParticipant(Cause::Branch(f.top))));
    });
}

/// Loads stay within what nobody can write to in between; stores and barriers stay.
#[test]
fn memory_stays_in_its_section() {
    let mut b = Builder::kernel();
    let [top, next] = b.blocks();
    let address = b.value(top, RegisterType::scalar(64));
    b.goto(top, next);
    let first = b.load(top, address);
    let second = b.load(top, address);
    let store = b.store(top, address, Operand::word(7));
    let third = b.load(top, address);
    let fourth = b.load(next, address);
    let f = &b.function;
    ask(f, &[], |legality| {
        assert!(legality.may_merge(f, first, second).is_yes());
        let verdict = legality.may_merge(f, first, third);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::Memory(Some(store))));
        let verdict = legality.may_merge(f, third, fourth);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::Memory(None)));
        let verdict = legality.may_move(f, store, Position::end(next), []);
        assert_eq!(verdict.obstacle().map(|o| &o.reason), Some(&Reason::Effect));
    });
}
