//! Post-dominators: the instructions that every way to the end of a function goes through.

use super::{ControlFlow, DominatorTree, Lists};

/// The immediate post-dominator of each instruction of a function.
///
/// An instruction `d` post-dominates another one, `i`, when every way from `i` out of the function leads through `d`. The
/// immediate one is the first of them. The way out itself is a virtual place behind every return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostDominators {
    immediate: Vec<Option<u32>>,
}

impl PostDominators {
    /// The first instruction behind `index` that every way out of the function leads through; the count of instructions
    /// is the end of the code. `None` where ways meet nowhere before they leave, or where none leaves.
    pub fn immediate(&self, index: u32) -> Option<u32> {
        *self.immediate.get(index as usize)?
    }

    /// Whether every way from `index` out of the function leads through `other`; an instruction post-dominates itself.
    /// False where no way leaves and they are not the same.
    pub fn post_dominates(&self, other: u32, index: u32) -> bool {
        let mut at = Some(index);
        while let Some(place) = at {
            if place == other {
                return true;
            }
            at = self.immediate(place);
        }
        false
    }

    /// Dominators of the reversed flow.
    pub(super) fn of(flow: &ControlFlow) -> PostDominators {
        let exit = flow.end() + 1;
        // From an instruction to those behind it, the exit included.
        let leads_to = |index: u32| {
            let leaving = (index < exit && flow.leaves(index)).then_some(exit);
            flow.successors(index).chain(leaving)
        };
        let edges = || (0..exit).flat_map(|from| leads_to(from).map(move |to| (to as usize, from)));
        let against = Lists::new(exit as usize + 1, edges);
        let tree = DominatorTree::new(
            exit as usize + 1,
            exit,
            |index| against.get(index as usize).iter().copied(),
            leads_to,
        );
        let immediate = (0..exit).map(|index| tree.immediate(index).filter(|&above| above != exit));
        PostDominators { immediate: immediate.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::After;

    /// A linear congruential generator: the tests need no more.
    struct Random(u64);
    impl Random {
        fn below(&mut self, count: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((self.0 >> 33) * u64::from(count)) >> 31) as u32
        }
    }

    /// A function of `count` instructions with jumps anywhere.
    fn random(random: &mut Random, count: u32) -> ControlFlow {
        let mut after = Vec::new();
        for index in 0..count {
            let mut one = After { next: Some(index + 1), target: None, leaves: false };
            match random.below(8) {
                0..3 => {}
                3..6 => one.target = Some(random.below(count + 1)),
                6 => (one.next, one.target) = (None, Some(random.below(count + 1))),
                _ => {
                    one.leaves = true;
                    one.next = (random.below(2) == 0).then_some(index + 1);
                }
            }
            after.push(one);
        }
        after.push(After { leaves: true, ..After::default() });
        ControlFlow { after }
    }

    /// Whether a way leads out of the function that does not touch `without`.
    fn leads_out(flow: &ControlFlow, from: u32, without: Option<u32>) -> bool {
        let mut seen = vec![false; flow.end() as usize + 1];
        let mut todo = vec![from];
        while let Some(index) = todo.pop() {
            if Some(index) == without || std::mem::replace(&mut seen[index as usize], true) {
                continue;
            }
            if flow.leaves(index) {
                return true;
            }
            todo.extend(flow.successors(index));
        }
        false
    }

    #[test]
    fn as_the_definition_says() {
        let mut source = Random(1);
        let (mut met, mut apart) = (0, 0);
        for round in 0..3000 {
            let flow = random(&mut source, 1 + round % 17);
            let found = flow.post_dominators();
            for index in 0..=flow.end() {
                let has_way = leads_out(&flow, index, None);
                // `d` lies on every way out.
                let post_dominates = |d: u32, from: u32| {
                    d == from || leads_out(&flow, from, None) && !leads_out(&flow, from, Some(d))
                };
                let strict: Vec<u32> =
                    (0..=flow.end()).filter(|&d| d != index && has_way && post_dominates(d, index)).collect();
                // The first of them is the one that all others post-dominate.
                let first = strict.iter().copied().find(|&d| strict.iter().all(|&e| post_dominates(e, d)));
                assert_eq!(found.immediate(index), first, "{index} in {flow:?}");
                for d in 0..=flow.end() {
                    assert_eq!(
                        found.post_dominates(d, index),
                        post_dominates(d, index),
                        "{d} {index} {flow:?}"
                    );
                }
                if flow.branches(index) && has_way {
                    if first.is_some() { met += 1 } else { apart += 1 }
                }
            }
        }
        assert!(met > 1000 && apart > 1000, "{met} {apart}");
    }

    #[test]
    fn long_functions_take_no_recursion() {
        let count = 300_000;
        let after = |index: u32| After {
            next: Some(index + 1),
            target: index.is_multiple_of(3).then_some(count - index / 2),
            leaves: false,
        };
        let end = After { leaves: true, ..After::default() };
        let flow = ControlFlow { after: (0..count).map(after).chain([end]).collect() };
        let found = flow.post_dominators();
        assert_eq!(found.immediate(count - 1), Some(count));
        assert_eq!(found.immediate(count), None);
        assert!(flow.reachable().iter().all(|&reached| reached));
    }
}
