//! The claims about classes against lanes that run through random control flow as `lexical` says.

use super::*;
use crate::{Operation, Target};
use pisa_module::RegisterType;

/// xorshift, good enough for shapes.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

fn empty_kernel() -> Function {
    crate::test_support::Builder::kernel().function
}

fn barrier() -> Operation {
    crate::test_support::table(pisa_isa::Opcode::BarrierWorkgroup, &[])
}

/// Blocks that branch at random; conditions are special values that the simulation makes up.
fn random_function(random: &mut Random, blocks: usize, nested: bool) -> Function {
    let mut function = empty_kernel();
    for _ in 0..blocks {
        function.append_block();
    }
    let condition = function.add_parameter(Block(0), RegisterType::PREDICATE);
    for b in 0..blocks {
        if random.below(8) == 0 {
            function.append(Block(b as u32), barrier(), [], [], None);
        }
        // Mostly forwards and near, as in real code; then and again anywhere.
        let target = |random: &mut Random| {
            let near = b as i64 + 1 + random.below(4) as i64 - if random.below(3) == 0 { 4 } else { 0 };
            let to = if nested || random.below(6) > 0 { near } else { random.below(blocks) as i64 };
            Target::new(Block(to.clamp(1, blocks as i64 - 1) as u32))
        };
        let next = Target::new(Block((b + 1).min(blocks - 1) as u32));
        function.blocks[b].terminator = if b + 1 == blocks {
            Terminator::Return(None)
        } else {
            match random.below(10) {
                0 => Terminator::Goto(target(random)),
                1..=3 => Terminator::Goto(next),
                4..=7 => {
                    Terminator::Branch { condition: condition.into(), taken: target(random), otherwise: next }
                }
                8 => Terminator::ReturnIf { condition: condition.into(), value: None, otherwise: next },
                _ => Terminator::Branch {
                    condition: condition.into(),
                    taken: target(random),
                    otherwise: target(random),
                },
            }
        };
    }
    function
}

/// Runs lanes through the sections and tells of each run of a section with its set.
fn run(sets: &ActiveSets, lanes: u32, random: &mut Random, mut seen: impl FnMut(Section, u32)) {
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Section(usize),
        Blocked(usize),
        Ended,
    }
    let mut at = vec![At::Section(0); lanes as usize];
    for _ in 0..400 {
        let lowest = at.iter().filter_map(|a| if let At::Section(s) = a { Some(*s) } else { None }).min();
        let Some(section) = lowest else {
            let blocked = |a: &At| matches!(a, At::Blocked(_));
            if !at.iter().any(blocked) {
                return;
            }
            // All that are left wait: the barrier opens.
            for a in &mut at {
                if let At::Blocked(s) = *a {
                    *a = At::Section(s + 1);
                }
            }
            continue;
        };
        let here: Vec<usize> = (0..at.len()).filter(|&l| at[l] == At::Section(section)).collect();
        seen(Section(section as u32), here.iter().fold(0, |set, lane| set | 1 << lane));
        let data = &sets.sections[section];
        let together = random.below(4);
        for lane in here {
            at[lane] = if data.waits {
                At::Blocked(section)
            } else {
                let ways = data.successors.len() + usize::from(data.returns);
                let choice = if data.splits { random.below(ways) } else { together % ways };
                match data.successors.get(choice) {
                    Some(to) => At::Section(to.index()),
                    None => At::Ended,
                }
            };
        }
    }
}

#[test]
fn classes_are_what_lanes_do() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut equal, mut inside, mut arms) = (0, 0, 0);
    for round in 0..6000 {
        let size = 3 + random.below(14);
        let function = random_function(&mut random, size, round % 2 == 0);
        let uniform: Vec<bool> = (0..size).map(|_| random.below(3) == 0).collect();
        let sets = ActiveSets::of(&function, &Waiting::default(), |block| uniform[block.index()]);
        for _ in 0..6 {
            let mut last = vec![0u32; sets.len()];
            run(&sets, 4, &mut random, |section, set| {
                last[section.index()] = set;
                let class = sets.class(section);
                if class != section {
                    equal += 1;
                    assert_eq!(set, last[class.index()], "{section:?} is not as {class:?}:\n{sets:#?}");
                }
                if let Some(parent) = sets.parent(class) {
                    inside += 1;
                    let outer = last[parent.index()];
                    assert_eq!(set & !outer, 0, "{section:?} is not inside {parent:?}:\n{sets:#?}");
                }
                if let Some(arm) = sets.arm(&function, class) {
                    arms += 1;
                    let from = last[arm.from.index()];
                    assert_eq!(set & !from, 0, "{section:?} is no arm of {arm:?}:\n{sets:#?}");
                }
            });
        }
    }
    // The claims are not empty.
    assert!(equal > 20_000 && inside > 50_000 && arms > 10_000, "{equal} {inside} {arms}");
}

/// An if with two arms and what comes behind it; a loop that lanes leave one after the other.
#[test]
fn arms_and_loops() {
    let mut f = empty_kernel();
    let [top, then, otherwise, join, head, exit] = [(); 6].map(|()| f.append_block());
    let p = f.add_parameter(top, RegisterType::PREDICATE);
    let branch = |taken, otherwise| Terminator::Branch {
        condition: p.into(),
        taken: Target::new(taken),
        otherwise: Target::new(otherwise),
    };
    f.blocks[top.index()].terminator = branch(otherwise, then);
    f.blocks[then.index()].terminator = Terminator::Goto(Target::new(join));
    f.blocks[otherwise.index()].terminator = Terminator::Goto(Target::new(join));
    f.blocks[join.index()].terminator = Terminator::Goto(Target::new(head));
    f.blocks[head.index()].terminator = branch(head, exit);
    let sets = ActiveSets::of(&f, &Waiting::default(), |_| false);
    let at = |block| sets.section(ActiveSet::Entry(block)).unwrap();
    assert!(sets.equal(at(top), at(join)) && sets.equal(at(top), at(exit)));
    for inner in [then, otherwise, head] {
        assert!(!sets.equal(at(top), at(inner)) && sets.contains(at(top), at(inner)));
    }
    assert_eq!(sets.cause(at(head)), Cause::Loop(head));
    let arm = |block| sets.arm(&f, at(block)).map(|arm| (arm.from, arm.condition, arm.taken));
    assert_eq!(arm(then), Some((at(top), p.into(), false)));
    assert_eq!(arm(otherwise), Some((at(top), p.into(), true)));
    assert_eq!(arm(head), None);
    // The loop keeps the lanes together when its branch is uniform.
    let sets = ActiveSets::of(&f, &Waiting::default(), |block| block == head);
    assert!(sets.equal(at(top), at(head)));
}

/// A barrier may let lanes meet that were apart before, but not where all have come together.
#[test]
fn barriers_end_classes() {
    let mut f = empty_kernel();
    let [top, then, join] = [(); 3].map(|()| f.append_block());
    let p = f.add_parameter(top, RegisterType::PREDICATE);
    let first = f.append(top, barrier(), [], [], None);
    let inner = f.append(then, barrier(), [], [], None);
    f.blocks[top.index()].terminator =
        Terminator::Branch { condition: p.into(), taken: Target::new(join), otherwise: Target::new(then) };
    f.blocks[then.index()].terminator = Terminator::Goto(Target::new(join));
    let sets = ActiveSets::of(&f, &Waiting::default(), |_| false);
    assert!(sets.same(ActiveSet::Entry(top), ActiveSet::After(first)));
    assert!(!sets.same(ActiveSet::Entry(then), ActiveSet::After(inner)));
    assert!(!sets.same(ActiveSet::Entry(top), ActiveSet::Entry(join)));
    assert_eq!(sets.cause(sets.section(ActiveSet::After(inner)).unwrap()), Cause::Waiting(inner));
    let at = |index| sets.section_at(Position { block: top, index });
    assert_eq!(at(0), sets.section(ActiveSet::Entry(top)));
    assert_eq!(at(1), sets.section(ActiveSet::After(first)));
    assert_eq!(sets.end(sets.section(ActiveSet::Entry(top)).unwrap()), Position::begin(top));
    assert!(!sets.is_full(Section(0)));
    // Whole work-groups only: all lanes are active wherever all have come together.
    if let pisa_module::FunctionKind::Kernel { required_work_group_size, .. } = &mut f.kind {
        *required_work_group_size = Some([8, 4, 3]);
    }
    let sets = ActiveSets::of(&f, &Waiting::default(), |_| false);
    let full = |active| sets.is_full(sets.section(active).unwrap());
    assert!(full(ActiveSet::Entry(top)) && full(ActiveSet::After(first)));
    assert!(!full(ActiveSet::Entry(then)) && !full(ActiveSet::Entry(join)));
}
