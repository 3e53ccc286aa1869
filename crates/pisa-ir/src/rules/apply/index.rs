//! Rules by the operation at the root of their pattern.

use crate::rules::{Rule, Term, cost, table};
use crate::{CrossLane, CrossLaneKind as Kind, InactiveSource, Operation};
use pisa_isa::Value;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A rule with the operations of its terms as [`usual`] has them.
pub(super) struct Indexed {
    pub(super) rule: &'static Rule,
    operations: Vec<Option<Operation>>,
}

impl Indexed {
    fn of(rule: &'static Rule) -> Indexed {
        let operation = |term: &Term| match term {
            Term::Apply { operation, .. } => Some(usual(operation)),
            _ => None,
        };
        Indexed { rule, operations: rule.terms.iter().map(operation).collect() }
    }
    /// The operation of a term.
    pub(super) fn operation(&self, term: u16) -> Option<&Operation> {
        self.operations[usize::from(term)].as_ref()
    }
}

static INDEX: LazyLock<FxHashMap<Operation, Vec<Indexed>>> = LazyLock::new(|| {
    let mut index: FxHashMap<Operation, Vec<Indexed>> = FxHashMap::default();
    for rule in table() {
        if let Some(root) = rule.root()
            && cost::can_gain(rule)
        {
            index.entry(usual(root)).or_default().push(Indexed::of(rule));
        }
    }
    let gain = |rule: &Rule| cost::of_term(rule, rule.pattern) - cost::of_term(rule, rule.replacement);
    for rules in index.values_mut() {
        rules.sort_by_key(|indexed| std::cmp::Reverse(gain(indexed.rule)));
    }
    index
});

/// The rules that may be worth while at an operation, as [`usual`] has it, those that gain most first.
pub(super) fn rules_for(operation: &Operation) -> &'static [Indexed] {
    INDEX.get(operation).map_or(&[], |rules| rules)
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
