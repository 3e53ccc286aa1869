//! Orders, dominators and loops against their definitions, on random graphs and on graphs worked by hand.

use super::{Random, random_shape, shape};
use crate::analysis::{ControlFlow, Dominators, Loop, LoopNest, PostDominators};
use crate::{Block, Function, Terminator};
use std::collections::BTreeSet;

/// What can be reached from `from` without touching `without`.
fn reach(function: &Function, from: u32, without: Option<u32>) -> BTreeSet<u32> {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(at) = todo.pop() {
        if Some(at) != without && seen.insert(at) {
            todo.extend(function.targets(Block(at)).iter().map(|target| target.block.0));
        }
    }
    seen
}

fn returns(function: &Function, block: u32) -> bool {
    matches!(function.block(Block(block)).terminator, Terminator::Return(_))
}

/// Headers, entries and blocks of all loops by the definition: strongly connected sets, then what is left of each without its header.
fn loops_by_definition(function: &Function) -> BTreeSet<(u32, BTreeSet<u32>, BTreeSet<u32>)> {
    let count = function.blocks.len() as u32;
    let mut numbers = vec![None; count as usize];
    fn search(function: &Function, at: u32, next: &mut usize, numbers: &mut [Option<usize>]) {
        if numbers[at as usize].is_some() {
            return;
        }
        numbers[at as usize] = Some(*next);
        *next += 1;
        for target in function.targets(Block(at)) {
            search(function, target.block.0, next, numbers);
        }
    }
    search(function, 0, &mut 0, &mut numbers);
    let live: BTreeSet<u32> = (0..count).filter(|&b| numbers[b as usize].is_some()).collect();
    let mut found = BTreeSet::new();
    let mut todo = vec![live.clone()];
    while let Some(part) = todo.pop() {
        let within = |from: u32| -> BTreeSet<u32> {
            let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(at) = next.pop() {
                for target in function.targets(Block(at)) {
                    let to = target.block.0;
                    if part.contains(&to) && seen.insert(to) {
                        next.push(to);
                    }
                }
            }
            seen
        };
        let ways: Vec<(u32, BTreeSet<u32>)> = part.iter().map(|&b| (b, within(b))).collect();
        let way = |b: u32| &ways.iter().find(|w| w.0 == b).unwrap().1;
        let mut done: BTreeSet<u32> = BTreeSet::new();
        for &b in &part {
            if done.contains(&b) || !way(b).contains(&b) {
                continue;
            }
            let all: BTreeSet<u32> =
                part.iter().copied().filter(|&o| way(b).contains(&o) && way(o).contains(&b)).collect();
            done.extend(&all);
            let header = *all.iter().min_by_key(|&&o| numbers[o as usize]).unwrap();
            let entered = |&o: &u32| {
                o == header
                    || live.iter().any(|&from| {
                        let targets = function.targets(Block(from));
                        !all.contains(&from) && targets.iter().any(|t| t.block.0 == o)
                    })
            };
            let entries = all.iter().copied().filter(entered).collect();
            let mut rest = all.clone();
            rest.remove(&header);
            todo.push(rest);
            found.insert((header, entries, all));
        }
    }
    found
}

#[test]
fn as_the_definitions_say() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let (mut irreducible, mut nested, mut dominated) = (0, 0, 0);
    for round in 0..4000 {
        let (count, spread) = (1 + random.below(12), 1 + random.below(6));
        let function = random_shape(&mut random, count, spread);
        let flow = ControlFlow::of(&function);
        let (dominators, post) = (Dominators::of(&function, &flow), PostDominators::of(&function, &flow));
        let live = reach(&function, 0, None);
        let order = flow.reverse_post_order();
        assert_eq!(order.iter().map(|b| b.0).collect::<BTreeSet<_>>(), live, "round {round}");
        assert_eq!(order.len(), live.len());
        let out = |from: u32, without: Option<u32>| {
            reach(&function, from, without).iter().any(|&b| returns(&function, b))
        };
        for a in 0..count as u32 {
            let without = reach(&function, 0, Some(a));
            for b in 0..count as u32 {
                let expected = live.contains(&a) && live.contains(&b) && !without.contains(&b);
                assert_eq!(dominators.dominates(Block(a), Block(b)), expected, "{a} {b} {function:?}");
                let expected = a == b || out(a, None) && out(b, None) && !out(b, Some(a));
                assert_eq!(post.post_dominates(Block(a), Block(b)), expected, "{a} {b} {function:?}");
                dominated += usize::from(a != b && expected);
                // The common dominator is dominated by all other common ones.
                if let Some(common) = dominators.common(Block(a), Block(b)) {
                    for d in live.iter().map(|&d| Block(d)) {
                        let both = dominators.dominates(d, Block(a)) && dominators.dominates(d, Block(b));
                        assert_eq!(both, dominators.dominates(d, common));
                    }
                }
            }
            assert_eq!(post.reaches_exit(Block(a)), out(a, None));
            if let Some(immediate) = dominators.immediate(Block(a)) {
                let strict = (0..count as u32).filter(|&d| dominators.strictly_dominates(Block(d), Block(a)));
                assert!(strict.clone().all(|d| dominators.dominates(Block(d), immediate)));
                assert_eq!(strict.count() as u32, dominators.depth(Block(a)));
            }
        }
        let nest = LoopNest::of(&function, &flow);
        let found = nest.loops().map(|l| {
            let set = |blocks: &[Block]| blocks.iter().map(|b| b.0).collect::<BTreeSet<_>>();
            let data = nest.data(l);
            assert_eq!(data.entries[0], data.header);
            assert_eq!(set(&data.entries).len(), data.entries.len());
            assert_eq!(set(nest.blocks(l)).len(), nest.blocks(l).len());
            irreducible += usize::from(!data.is_reducible());
            nested += usize::from(data.depth > 1);
            for b in 0..count as u32 {
                assert_eq!(nest.contains(l, Block(b)), nest.blocks(l).contains(&Block(b)));
            }
            match data.parent {
                Some(parent) => {
                    assert_eq!(data.depth, nest.data(parent).depth + 1);
                    assert!(nest.blocks(l).iter().all(|&b| nest.contains(parent, b)));
                    assert!(nest.contains_loop(parent, l) && !nest.contains_loop(l, parent));
                }
                None => assert_eq!(data.depth, 1),
            }
            (data.header.0, set(&data.entries), set(nest.blocks(l)))
        });
        assert_eq!(found.collect::<BTreeSet<_>>(), loops_by_definition(&function), "{function:?}");
        for b in 0..count as u32 {
            let depth = nest.loops().filter(|&l| nest.contains(l, Block(b))).count();
            assert_eq!(nest.depth(Block(b)) as usize, depth);
        }
    }
    assert!(irreducible > 150 && nested > 300 && dominated > 3000, "{irreducible} {nested} {dominated}");
}

#[test]
fn edges_and_orders() {
    // A diamond, and a block that nothing leads to.
    let function = shape(&[&[1, 2], &[3], &[3], &[], &[3]]);
    let flow = ControlFlow::of(&function);
    let order: Vec<u32> = flow.reverse_post_order().iter().map(|b| b.0).collect();
    assert_eq!(order, [0, 1, 2, 3]);
    assert_eq!(flow.order(Block(4)), None);
    let from: Vec<u32> = flow.predecessors(Block(3)).iter().map(|edge| edge.from.0).collect();
    assert_eq!(from, [1, 2, 4]);
    assert_eq!(flow.reachable_predecessors(Block(3)).count(), 2);
    assert_eq!(flow.successors(Block(0))[1].to, Block(2));
    assert_eq!(flow.layout_position(Block(4)), Some(4));
}

/// for { for { if (..) break outer; } } with an edge out of both loops.
#[test]
fn nest_with_an_exit_of_two_loops() {
    let function = shape(&[&[1], &[2, 5], &[3, 4], &[5, 2], &[1], &[]]);
    let flow = ControlFlow::of(&function);
    let nest = LoopNest::of(&function, &flow);
    let headers: Vec<Block> = nest.loops().map(|l| nest.data(l).header).collect();
    assert_eq!(headers, [Block(1), Block(2)]);
    let (outer, inner) = (Loop(0), Loop(1));
    assert_eq!(nest.innermost(Block(4)), Some(outer));
    assert_eq!(nest.innermost(Block(3)), Some(inner));
    let exits: Vec<(u32, u32)> = nest.exits(&flow, inner).map(|e| (e.from.0, e.to.0)).collect();
    assert_eq!(exits, [(2, 4), (3, 5)]);
    assert_eq!(nest.exits(&flow, outer).map(|e| e.from.0).collect::<BTreeSet<_>>(), BTreeSet::from([1, 3]));
    assert_eq!(nest.latches(&flow, outer).map(|e| e.from.0).collect::<Vec<_>>(), [4]);
    assert_eq!(nest.entering(&flow, inner).map(|e| e.from.0).collect::<Vec<_>>(), [1]);
    assert_eq!(nest.common(Block(3), Block(4)), Some(outer));
    assert_eq!(nest.outermost_without(Block(3), Block(5)), Some(outer));
    assert_eq!(nest.outermost_without(Block(3), Block(4)), Some(inner));
    assert_eq!(nest.returns(&function, outer).count(), 0);
}

/// Long chains and deep nests take no stack and little time.
#[test]
fn deep_input() {
    const COUNT: u32 = 100_000;
    // Each block goes on or back to the entry of a loop around all behind it: a nest of depth COUNT.
    let lists: Vec<Vec<u32>> = (0..COUNT)
        .map(|b| match b {
            0 => vec![1],
            _ if b + 1 == COUNT => vec![],
            _ if b > COUNT / 2 => vec![b + 1, COUNT - b],
            _ => vec![b + 1],
        })
        .collect();
    let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
    let function = shape(&lists);
    let flow = ControlFlow::of(&function);
    let nest = LoopNest::of(&function, &flow);
    let dominators = Dominators::of(&function, &flow);
    let post = PostDominators::of(&function, &flow);
    assert_eq!(nest.depth(Block(COUNT / 2)), COUNT / 2 - 2);
    assert_eq!(dominators.depth(Block(COUNT - 1)), COUNT - 1);
    assert!(post.post_dominates(Block(COUNT - 1), Block(0)));
}
