//! The rules of the checked algebra, and folding of constants.

use super::{Context, Facts, Outcome};
use crate::Function;
use crate::rules::{self, AnalysedFacts, Stage};

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    apply(function, context, if context.lowered { Stage::Lowered } else { Stage::Early })
}

pub(super) fn fuse(function: &mut Function, context: &mut Context<'_>) -> bool {
    apply(function, context, Stage::Last)
}

fn apply(function: &mut Function, context: &mut Context<'_>, stage: Stage) -> bool {
    let facts = Facts::of(function, context.waiting);
    let known = AnalysedFacts::of(function, &facts.sets, &facts.uniformity);
    let applied = rules::apply_recorded(function, &known, stage);
    for step in &applied {
        let message = || format!("is simpler by the rule `{}`: {}", step.rule.name, step.rule.text);
        context.remarks.done(function, step.instruction, Outcome::Simplified, message);
    }
    !applied.is_empty()
}

pub(super) fn fold(function: &mut Function, _: &mut Context<'_>) -> bool {
    crate::fold::fold(function)
}
