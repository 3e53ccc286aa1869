//! Samples on 32 lanes.

use super::inputs::{Assignment, Random, Roles, Use, junk, truncate};
use crate::model::LANES;
use crate::rules::{Condition, Rule};

/// Samples on 32 lanes.
pub(in crate::rules) struct Samples<'a> {
    rule: &'a Rule,
    roles: &'a Roles,
    random: Random,
}

impl<'a> Samples<'a> {
    pub(in crate::rules) fn new(rule: &'a Rule, roles: &'a Roles, seed: u64) -> Samples<'a> {
        Samples { rule, roles, random: Random::new(seed ^ 0x5EED) }
    }

    pub(in crate::rules) fn next(&mut self) -> Assignment {
        let mut active = self.random.lanes();
        if self.rule.demands(Condition::Full) || active == 0 {
            active = u32::MAX;
        }
        let mut assignment = junk(&mut self.random, self.roles, active);
        for variable in 0..self.rule.variables.len() {
            self.fill(&mut assignment, variable);
        }
        self.meet(&mut assignment);
        assignment
    }

    fn fill(&mut self, assignment: &mut Assignment, variable: usize) {
        let (width, usage) = (self.roles.widths[variable], self.roles.uses[variable]);
        let pool = self.roles.pool(variable);
        let few = 1 + self.random.below(pool.len());
        let kind = self.random.below(8);
        let one = |random: &mut Random, lane: usize| match usage {
            Use::Mask => u128::from(random.lanes()),
            Use::Index if kind < 5 => random.below(32) as u128,
            _ if width == 1 => match kind {
                0 => 0,
                1 => 1,
                _ => random.bits(1),
            },
            _ => match kind {
                0..=2 => pool[random.below(few)],
                3 => truncate(lane as u128, width),
                4 => random.bits(width) & random.bits(width) & random.bits(width),
                _ => random.bits(width),
            },
        };
        let alike = self.roles.shared[variable] || usage == Use::Mask && kind < 4 || kind == 7;
        if alike {
            assignment.values[variable] = [one(&mut self.random, 0); LANES];
        } else {
            for lane in 0..LANES {
                assignment.values[variable][lane] = one(&mut self.random, lane);
            }
            if usage != Use::Mask && self.random.below(8) == 0 {
                assignment.undefined[variable] = self.random.word() & self.random.word() & self.random.word();
            }
        }
    }

    /// Bends values so that conditions hold that hardly ever would.
    fn meet(&mut self, assignment: &mut Assignment) {
        let at = usize::from;
        for &condition in &self.rule.conditions {
            match condition {
                Condition::Contains(m) => {
                    let active = u128::from(assignment.active);
                    assignment.values[at(m)].iter_mut().for_each(|mask| *mask |= active);
                }
                Condition::AtMostOne(m) => {
                    let one = 1u128 << self.random.below(32);
                    let active = u128::from(assignment.active);
                    assignment.values[at(m)].iter_mut().for_each(|mask| *mask &= !active | one);
                }
                Condition::PowerOfTwo(x) => {
                    let bit = self.random.below(self.roles.widths[at(x)] as usize);
                    assignment.values[at(x)] = [1 << bit; LANES];
                }
                Condition::Below(x, limit) => {
                    assignment.values[at(x)] = [self.random.below(limit as usize) as u128; LANES];
                }
                Condition::Equal(x, y) => assignment.values[at(y)] = assignment.values[at(x)],
                Condition::SumAtMost(x, y, limit) => {
                    let first = self.random.below(limit as usize + 1);
                    assignment.values[at(x)] = [first as u128; LANES];
                    assignment.values[at(y)] = [self.random.below(limit as usize + 1 - first) as u128; LANES];
                }
                Condition::Member(x, m) => {
                    let lanes: Vec<usize> = (0..LANES).filter(|&lane| assignment.is_active(lane)).collect();
                    let lane = lanes[self.random.below(lanes.len())];
                    assignment.values[at(x)] = [lane as u128; LANES];
                    assignment.values[at(m)].iter_mut().for_each(|mask| *mask |= 1 << lane);
                }
                Condition::ClosedUnderXor(m, k) => {
                    // Twice, as a rule may have two such conditions.
                    let k = assignment.values[at(k)][0] as usize & 31;
                    let close =
                        |set: u32| (0..LANES).fold(set, |all, lane| all | (set >> lane & 1) << (lane ^ k));
                    assignment.active = close(assignment.active);
                    assignment.values[at(m)].iter_mut().for_each(|mask| *mask = close(*mask as u32).into());
                }
                _ => {}
            }
        }
    }
}
