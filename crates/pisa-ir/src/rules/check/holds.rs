//! Whether side conditions hold for given values: their meaning.

use super::Assignment;
use crate::model::LANES;
use crate::rules::{Condition, Rule};

/// Whether all conditions of a rule do.
pub(in crate::rules) fn all(rule: &Rule, assignment: &Assignment) -> bool {
    rule.conditions.iter().all(|&condition| holds(condition, assignment))
}

fn holds(condition: Condition, assignment: &Assignment) -> bool {
    let active = assignment.active;
    let Some(first) = (0..LANES).find(|&lane| assignment.is_active(lane)) else { return false };
    let value = |variable: u8, lane| assignment.value(usize::from(variable), lane);
    let constant = |variable: u8| value(variable, first);
    let lanes = || (0..LANES).filter(|&lane| assignment.is_active(lane));
    // What every lane's mask is.
    let masks = |variable: u8, test: &dyn Fn(usize, u32) -> bool| {
        lanes().all(|lane| value(variable, lane).is_some_and(|mask| test(lane, mask as u32)))
    };
    match condition {
        Condition::Uniform(x) => constant(x).is_some() && lanes().all(|lane| value(x, lane) == constant(x)),
        Condition::Constant(_) => true,
        Condition::PowerOfTwo(x) => constant(x).is_some_and(|bits| bits.is_power_of_two()),
        Condition::NonZero(x) => constant(x).is_some_and(|bits| bits != 0),
        Condition::Below(x, limit) => constant(x).is_some_and(|bits| bits < u128::from(limit)),
        Condition::Equal(x, y) => constant(x) == constant(y),
        Condition::Distinct(x, y) => constant(x) != constant(y),
        Condition::SumAtMost(x, y, limit) => match (constant(x), constant(y)) {
            (Some(x), Some(y)) => x + y <= u128::from(limit),
            _ => false,
        },
        Condition::Contains(m) => masks(m, &|_, mask| active & !mask == 0),
        Condition::AtMostOne(m) => masks(m, &|_, mask| (mask & active).count_ones() <= 1),
        Condition::Member(x, m) => constant(x)
            .and_then(|lane| u32::try_from(lane).ok())
            .is_some_and(|c| c < 32 && active >> c & 1 == 1 && masks(m, &|_, mask| mask >> c & 1 == 1)),
        Condition::ClosedUnderXor(m, k) => constant(k).is_some_and(|k| {
            masks(m, &|lane, mask| {
                let partner = lane ^ (k as usize & 31);
                mask >> lane & 1 == 0 || (mask & active) >> partner & 1 == 1
            })
        }),
        Condition::Defined(x) => lanes().all(|lane| value(x, lane).is_some()),
        Condition::Full => active == u32::MAX,
    }
}
