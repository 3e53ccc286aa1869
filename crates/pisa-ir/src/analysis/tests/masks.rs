//! Facts about masks, against lanes that run random functions and by hand.

use super::Random;
use super::lanes::{Event, run};
use super::random::{B32, barrier, compare, cross_lane, random_function, reduce, select, table, word};
use super::uniformity::analyse;
use crate::active_sets::{ActiveSets, Waiting};
use crate::analysis::{ControlFlow, MaskFact, MaskFacts};
use crate::{
    ActiveSet, Block, CrossLaneKind, Function, LaneMask, MaskOperation, Operand, Operation, Position,
    Reduction, Target, Terminator, Value,
};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{RegisterType, SpecialRegister};
use rustc_hash::FxHashMap;

/// What a fact says of a value that does not hold in a lane; `sets` are the lanes of the last runs.
fn wrong(fact: MaskFact, bits: u32, lane: usize, set: impl Fn(ActiveSet) -> u32) -> Option<&'static str> {
    let own = 1 << lane;
    [
        ("zeros", bits & fact.zeros == 0),
        ("ones", !bits & fact.ones == 0),
        ("non-empty", !fact.non_empty || bits != 0),
        ("at most one", !fact.at_most_one || bits.count_ones() <= 1),
        ("own", fact.own.is_none_or(|is| is == (bits & own != 0))),
        ("only own", !fact.only_own || bits & !own == 0),
        ("within", fact.within.is_none_or(|token| bits & !set(token) == 0)),
        ("covers", fact.covers.is_none_or(|token| set(token) & !bits == 0)),
    ]
    .iter()
    .find(|(_, holds)| !holds)
    .map(|(what, _)| *what)
}

#[test]
fn facts_hold_in_random_functions() {
    let mut random = Random(0x5EED_00FF_AC75_0001);
    let (mut related, mut bits_known, mut single) = (0, 0, 0);
    for round in 0..240 {
        let (count, spread) = (1 + random.below(10), 1 + random.below(5));
        let function = random_function(&mut random, count, spread, [0, 0, 1, 8][round % 4]);
        let waiting = Waiting::default();
        let masks = MaskFacts::of(&function, &ControlFlow::of(&function));
        let uniformity = analyse(&function, &waiting);
        let sets = ActiveSets::of(&function, &waiting, |block| uniformity.is_branch_uniform(block));
        for _ in 0..2 {
            // By token: by lane the lanes of its last run.
            let mut last: FxHashMap<ActiveSet, [u32; 32]> = FxHashMap::default();
            let mut check = |lanes: &super::lanes::SubGroup, value: Value, last: &FxHashMap<_, [u32; 32]>| {
                if function.value(value).ty != B32 {
                    return;
                }
                let fact = masks.fact(value);
                for lane in lanes.lanes() {
                    let bits = lanes.read(Operand::Value(value), lane) as u32;
                    let why = wrong(fact, bits, lane, |token| last[&token][lane]);
                    assert_eq!(why, None, "{value:?} is {bits:#x} in lane {lane}: {fact:?}\n{function:#?}");
                    related += usize::from(fact.within.is_some() || fact.covers.is_some());
                    bits_known += usize::from(fact.zeros | fact.ones != 0);
                }
            };
            run(&function, &waiting, &mut random, |lanes, event| match event {
                Event::Begin { position, .. } => {
                    let token = function.active_at(position.block, position.index as usize);
                    for lane in lanes.lanes() {
                        last.entry(token).or_default()[lane] = lanes.group;
                    }
                    if masks.has_one_lane(&function, &sets, &uniformity, sets.section(token).unwrap()) {
                        single += 1;
                        assert_eq!(lanes.lanes().len(), 1, "{token:?}: {function:#?}");
                    }
                    if position.index == 0 {
                        for &parameter in &function.block(position.block).parameters {
                            check(lanes, parameter, &last);
                        }
                    }
                }
                Event::Before { operands, .. } => {
                    operands.iter().filter_map(|o| o.value()).for_each(|value| check(lanes, value, &last));
                }
                Event::After { instruction } => {
                    instruction.results.iter().for_each(|&value| check(lanes, value, &last));
                }
                Event::Leave { .. } => {}
            });
        }
    }
    assert!(related > 10_000 && bits_known > 25_000, "{related} {bits_known} {single}");
}

/// A function with one block, and facts about what is put into it.
struct Line {
    function: Function,
    block: Block,
}

impl Line {
    fn new() -> Line {
        let mut function = super::empty_kernel(None);
        let block = function.append_block();
        Line { function, block }
    }
    fn add(&mut self, operation: Operation, operands: &[Operand]) -> Value {
        self.function.append_value(self.block, operation, operands.iter().copied(), B32)
    }
    fn unknown(&mut self) -> Value {
        self.add(Operation::Initial, &[])
    }
    fn predicate(&mut self) -> Value {
        self.function.append_value(self.block, Operation::Initial, [], RegisterType::PREDICATE)
    }
    fn fact(&self, value: Value) -> MaskFact {
        MaskFacts::of(&self.function, &ControlFlow::of(&self.function)).fact(value)
    }
}

const LANE_ID: Operand = Operand::Special(SpecialRegister::LaneId);

/// The words of PISA for a ballot: each lane's bit or nothing, then their sum.
#[test]
fn ballots_spelled_out() {
    let mut line = Line::new();
    let here = ActiveSet::Entry(line.block);
    let bit = line.add(word(Opcode::Shl), &[Operand::word(1), LANE_ID]);
    let p = line.predicate();
    let own = line.add(select(), &[bit.into(), Operand::word(0), p.into()]);
    let or = |line: &mut Line, data: Value, mask: Operand, keep: Operand| {
        line.add(cross_lane(reduce(Reduction::Or)), &[data.into(), mask, keep])
    };
    let ballot = or(&mut line, own, Operand::ALL_LANES, Operand::Dead);
    let active = or(&mut line, bit, Operand::ALL_LANES, Operand::Dead);
    let some = or(&mut line, bit, Operand::word(0xFF), Operand::word(0));
    let rest = line.add(word(Opcode::Not), &[ballot.into()]);
    let others = line.add(word(Opcode::And), &[active.into(), rest.into()]);
    let fact = line.fact(bit);
    assert!(fact.only_own && fact.own == Some(true) && fact.is_single());
    let fact = line.fact(own);
    assert!(fact.only_own && fact.own.is_none() && fact.at_most_one && !fact.non_empty);
    let fact = line.fact(ballot);
    assert!(fact.is_within(here) && !fact.does_cover(here) && !fact.non_empty);
    let fact = line.fact(active);
    assert!(fact.is_within(here) && fact.does_cover(here) && fact.non_empty && fact.own == Some(true));
    // Only lanes 0 to 7 take part; the others keep 0.
    let fact = line.fact(some);
    assert!(fact.is_within(here) && !fact.does_cover(here) && fact.zeros == !0xFF && !fact.non_empty);
    let fact = line.fact(others);
    assert!(fact.is_within(here) && !fact.non_empty);
}

/// The first lane of a mask: what is known if the mask may be empty, and if not.
#[test]
fn first_lanes() {
    let mut line = Line::new();
    let here = ActiveSet::Entry(line.block);
    let unknown = line.unknown();
    let active = line.add(cross_lane(CrossLaneKind::ActiveMask), &[]);
    let first = line.add(cross_lane(CrossLaneKind::FirstParticipant), &[active.into()]);
    let perhaps = line.add(cross_lane(CrossLaneKind::FirstParticipant), &[unknown.into()]);
    let single = line.add(word(Opcode::Shl), &[Operand::word(1), first.into()]);
    let perhaps_single = line.add(word(Opcode::Shl), &[Operand::word(1), perhaps.into()]);
    let negated = line.add(word(Opcode::Ineg), &[active.into()]);
    let lowest = line.add(word(Opcode::And), &[negated.into(), active.into()]);
    let least = line.add(Operation::Mask(MaskOperation::FindLeast), &[lowest.into()]);
    let masks = MaskFacts::of(&line.function, &ControlFlow::of(&line.function));
    assert!(masks.has_participants(active.into(), here) && masks.has_participants(Operand::ALL_LANES, here));
    assert!(masks.has_participants(lowest.into(), here) && !masks.has_participants(unknown.into(), here));
    assert!(!masks.has_participants(Operand::word(0xFF), here));
    assert_eq!(masks.fact(first).zeros, !31);
    assert_eq!(masks.fact(perhaps), MaskFact::UNKNOWN);
    assert!(masks.fact(single).is_single());
    // 1 << 0xFFFFFFFF is 1 << 63, that is 0.
    assert!(masks.fact(perhaps_single).at_most_one && !masks.fact(perhaps_single).non_empty);
    assert!(masks.fact(lowest).is_single() && masks.fact(lowest).is_within(here));
    assert_eq!(masks.fact(least).zeros, !31);
}

/// Bits through constants, shifts and counts.
#[test]
fn bits() {
    let mut line = Line::new();
    let x = line.unknown();
    let low = line.add(word(Opcode::And), &[x.into(), Operand::word(0xF0)]);
    let set = line.add(word(Opcode::Or), &[low.into(), Operand::word(1)]);
    let up = line.add(word(Opcode::Shl), &[set.into(), Operand::word(24)]);
    let down = line.add(word(Opcode::Shr), &[up.into(), Operand::word(20)]);
    let count = line.add(word(Opcode::Cbit), &[low.into()]);
    let reversed = line.add(word(Opcode::Bfrev), &[set.into()]);
    let gone = line.add(word(Opcode::Shr), &[x.into(), Operand::word(32)]);
    let capped = line.add(word(Opcode::Umin), &[x.into(), Operand::word(5)]);
    let flipped = line.add(word(Opcode::Xor), &[set.into(), Operand::word(u32::MAX)]);
    let known = |value| (line.fact(value).zeros, line.fact(value).ones);
    assert_eq!(known(low), (!0xF0, 0));
    assert_eq!(known(set), (!0xF1, 1));
    assert_eq!(known(up), (!0xF100_0000, 0x0100_0000));
    assert_eq!(known(down), (!0xF10, 0x10));
    assert_eq!(known(count), (!7, 0));
    assert_eq!(known(reversed), (!0x8F00_0000, 0x8000_0000));
    assert_eq!(line.fact(gone).bits(), Some(0));
    assert_eq!(known(capped), (!7, 0));
    assert_eq!(known(flipped), (1, !0xF1));
    let form = pisa_isa::forms_of(Opcode::Bfn)[0];
    let mut operation = Operation::table(&form, &[(SlotName::Type, Qualifier::B32)]).unwrap();
    if let Operation::Table { qualifiers, .. } = &mut operation {
        // src0 & !src1: rows 1 and 5.
        qualifiers[0] = pisa_isa::Value::Number(0b0010_0010);
    }
    let mut line = Line::new();
    let here = ActiveSet::Entry(line.block);
    let active = line.add(cross_lane(CrossLaneKind::ActiveMask), &[]);
    let x = line.unknown();
    let cut = line.add(operation, &[active.into(), x.into(), x.into()]);
    assert!(line.fact(cut).is_within(here) && !line.fact(cut).non_empty);
    let less = line.add(Operation::Mask(MaskOperation::Lanes(LaneMask::Less)), &[]);
    let at_least = line.add(word(Opcode::Not), &[less.into()]);
    assert_eq!((line.fact(less).own, line.fact(at_least).own), (Some(false), Some(true)));
}

/// Masks that go round in a loop: bits that are taken away one by one stay within what they began with.
#[test]
fn loops() {
    let mut f = super::empty_kernel(None);
    let [top, head, done] = [(); 3].map(|()| f.append_block());
    let active = f.append_value(top, cross_lane(CrossLaneKind::ActiveMask), [], B32);
    let left = f.add_parameter(head, B32);
    let grown = f.add_parameter(head, B32);
    let minus = f.append_value(head, word(Opcode::Isub), [left.into(), Operand::word(1)], B32);
    let next = f.append_value(head, word(Opcode::And), [left.into(), minus.into()], B32);
    let shifted = f.append_value(head, word(Opcode::Shl), [grown.into(), Operand::word(1)], B32);
    let more = f.append_value(
        head,
        compare(Opcode::Ucmp, Qualifier::Ne),
        [next.into(), Operand::word(0)],
        RegisterType::PREDICATE,
    );
    let target = |block, arguments: [Value; 2]| Target {
        block,
        arguments: arguments.map(Operand::Value).into_iter().collect(),
    };
    f.blocks[top.index()].terminator = Terminator::Goto(target(head, [active, active]));
    f.blocks[head.index()].terminator = Terminator::Branch {
        condition: more.into(),
        taken: target(head, [next, shifted]),
        otherwise: Target::new(done),
    };
    let masks = MaskFacts::of(&f, &ControlFlow::of(&f));
    let begin = ActiveSet::Entry(top);
    assert!(masks.fact(left).is_within(begin) && !masks.fact(left).does_cover(begin));
    assert!(masks.fact(next).is_within(begin) && !masks.fact(next).non_empty);
    assert_eq!(masks.fact(grown), MaskFact::UNKNOWN);
}

/// Branches that leave one lane: elected, or with a number that all agree on.
#[test]
fn one_lane() {
    let build = |condition: &dyn Fn(&mut Function, Block) -> Operand| {
        let mut f = super::empty_kernel(None);
        let [top, then, join] = [(); 3].map(|()| f.append_block());
        let condition = condition(&mut f, top);
        f.blocks[top.index()].terminator =
            Terminator::Branch { condition, taken: Target::new(then), otherwise: Target::new(join) };
        f.blocks[then.index()].terminator = Terminator::Goto(Target::new(join));
        let waiting = Waiting::default();
        let uniformity = analyse(&f, &waiting);
        let sets = ActiveSets::of(&f, &waiting, |block| uniformity.is_branch_uniform(block));
        let masks = MaskFacts::of(&f, &ControlFlow::of(&f));
        let at = |block| {
            let section = sets.section_at(Position { block, index: 0 }).unwrap();
            masks.has_one_lane(&f, &sets, &uniformity, section)
        };
        assert!(!at(top) && !at(join));
        at(then)
    };
    let predicate = RegisterType::PREDICATE;
    let elect = |f: &mut Function, block: Block, mask: Operand, keep: Operand| {
        f.append_value(block, cross_lane(CrossLaneKind::Elect), [mask, keep], predicate)
    };
    assert!(build(&|f, block| elect(f, block, Operand::ALL_LANES, Operand::Dead).into()));
    assert!(!build(&|f, block| Operand::Negated(elect(f, block, Operand::ALL_LANES, Operand::Dead))));
    // Lanes outside the mask keep true, all of them.
    let kept = Operand::Constant(crate::Constant::predicate(true));
    assert!(!build(&|f, block| elect(f, block, Operand::word(0xFF), kept).into()));
    // Behind the barrier other lanes may have come.
    assert!(!build(&|f, block| {
        let elected = elect(f, block, Operand::ALL_LANES, Operand::Dead);
        f.append(block, barrier(), [], [], None);
        elected.into()
    }));
    let is_lane = |f: &mut Function, block: Block, how: Qualifier, other: Operand| {
        f.append_value(block, compare(Opcode::Ucmp, how), [LANE_ID, other], predicate)
    };
    let group = Operand::Special(SpecialRegister::GroupId(pisa_module::Dimension::X));
    assert!(build(&|f, block| is_lane(f, block, Qualifier::Eq, group).into()));
    assert!(build(&|f, block| Operand::Negated(is_lane(f, block, Qualifier::Ne, group))));
    assert!(!build(&|f, block| is_lane(f, block, Qualifier::Ne, group).into()));
    assert!(!build(&|f, block| is_lane(f, block, Qualifier::Eq, LANE_ID).into()));
    assert!(build(&|f, block| {
        let mov = table(Opcode::Mov, 0, &[(SlotName::Type, Qualifier::B32)]);
        let lane = f.append_value(block, mov, [LANE_ID], B32);
        let first =
            f.append_value(block, cross_lane(CrossLaneKind::FirstParticipant), [Operand::ALL_LANES], B32);
        let equal = compare(Opcode::Ucmp, Qualifier::Eq);
        f.append_value(block, equal, [first.into(), lane.into()], predicate).into()
    }));
}
