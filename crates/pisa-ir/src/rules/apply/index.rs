//! Rules by the operation at the root of their pattern.

use crate::rules::{Rule, cost, table};
use crate::{CrossLane, CrossLaneKind as Kind, InactiveSource, Operation};
use pisa_isa::Value;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static INDEX: LazyLock<FxHashMap<Operation, Vec<&'static Rule>>> = LazyLock::new(|| {
    let mut index: FxHashMap<Operation, Vec<&'static Rule>> = FxHashMap::default();
    for rule in table() {
        if let Some(root) = rule.root()
            && cost::can_gain(rule)
        {
            index.entry(usual(root)).or_default().push(rule);
        }
    }
    let gain = |rule: &Rule| cost::of_term(rule, rule.pattern) - cost::of_term(rule, rule.replacement);
    for rules in index.values_mut() {
        rules.sort_by_key(|rule| std::cmp::Reverse(gain(rule)));
    }
    index
});

/// The rules that may be worth while at an operation, those that gain most first.
pub(super) fn rules_for(operation: &Operation) -> &'static [&'static Rule] {
    INDEX.get(&usual(operation)).map_or(&[], |rules| rules)
}

/// The operation with what goes without saying written out, and what does not matter in one way.
pub(super) fn usual(operation: &Operation) -> Operation {
    match *operation {
        Operation::Table { form, mut qualifiers } => {
            for (value, slot) in qualifiers.iter_mut().zip(pisa_isa::form(form).slots) {
                if let (Value::Absent, Some(default)) = (*value, slot.default) {
                    *value = Value::Named(default);
                }
            }
            Operation::Table { form, qualifiers }
        }
        Operation::CrossLane(CrossLane { kind, element, .. }) if !reads_some_lane(kind) => {
            Operation::CrossLane(CrossLane { kind, element, inactive: InactiveSource::Own })
        }
        other => other,
    }
}

/// Whether it reads a lane that may not take part.
fn reads_some_lane(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ReadInvocation
            | Kind::Shuffle { .. }
            | Kind::Rotate(_)
            | Kind::QuadBroadcast
            | Kind::QuadSwap(_)
            | Kind::Derivative { .. }
    )
}
