//! All combinations of active sets, masks and values on a few lanes.

use super::Effort;
use super::inputs::{Assignment, Random, Roles, Use, junk};
use crate::model::LANES;
use crate::rules::Rule;

/// A place in an assignment that takes each value of a pool.
struct Digit {
    variable: usize,
    /// All lanes where there is none.
    lane: Option<usize>,
    pool: Vec<u128>,
    at: usize,
}

/// Runs all combinations of active sets within the lowest `lanes` lanes and of values; while `visit` says to go on. How many values
/// a variable took in each lane, and whether these are all combinations.
pub(super) fn exhaustive(
    rule: &Rule,
    roles: &Roles,
    lanes: u32,
    effort: &Effort,
    mut visit: impl FnMut(&Assignment) -> bool,
) -> (usize, bool) {
    let sets = 1u32..1 << lanes;
    let variables = rule.variables.len();
    let digits = |active: u32, values: usize| {
        let mut digits = Vec::new();
        for variable in 0..variables {
            let mut pool = roles.pool(variable);
            // A mask that may differ between lanes is one for all here; the samples have the others.
            let shared = roles.shared[variable] || roles.uses[variable] == Use::Mask;
            if roles.uses[variable] != Use::Mask {
                pool.truncate(if shared { values.max(8) } else { values });
            }
            if shared {
                digits.push(Digit { variable, lane: None, pool, at: 0 });
            } else {
                digits.extend((0..lanes as usize).filter(|lane| active >> lane & 1 == 1).map(|lane| Digit {
                    variable,
                    lane: Some(lane),
                    pool: pool.clone(),
                    at: 0,
                }));
            }
        }
        digits
    };
    let size = |active: u32, values: usize| {
        digits(active, values).iter().map(|digit| digit.pool.len()).fold(1usize, usize::saturating_mul)
    };
    let total =
        |values: usize| sets.clone().map(|active| size(active, values)).fold(0, usize::saturating_add);
    let values = (2..=16).rev().find(|&values| total(values) <= effort.exhaustive).unwrap_or(2);
    let complete = total(values) <= effort.exhaustive;
    let mut random = Random::new(effort.seed);
    // Where there are too many, as many of each active set as it has a part in all.
    let share =
        |active: u32| (size(active, values) / (total(values) / effort.exhaustive.max(1)).max(1)).max(32);
    for active in sets.clone() {
        let mut assignment = junk(&mut random, roles, active);
        let mut digits = digits(active, values);
        let set = |assignment: &mut Assignment, digit: &Digit| {
            let bits = digit.pool[digit.at];
            match digit.lane {
                Some(lane) => assignment.values[digit.variable][lane] = bits,
                None => assignment.values[digit.variable] = [bits; LANES],
            }
        };
        digits.iter().for_each(|digit| set(&mut assignment, digit));
        let mut left = if complete { usize::MAX } else { share(active) };
        loop {
            if !visit(&assignment) {
                return (values, false);
            }
            left -= 1;
            if left == 0 {
                break;
            }
            if !complete {
                for digit in &mut digits {
                    digit.at = random.below(digit.pool.len());
                    set(&mut assignment, digit);
                }
                continue;
            }
            // One more, as in counting.
            let mut carried = true;
            for digit in &mut digits {
                digit.at = (digit.at + 1) % digit.pool.len();
                carried = digit.at == 0;
                set(&mut assignment, digit);
                if !carried {
                    break;
                }
            }
            if carried {
                break;
            }
        }
    }
    (values, complete)
}
