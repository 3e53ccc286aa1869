//! Applies the rules of the table to a function.
//!
//! Each instruction is looked at with the rules whose pattern has its operation at the root, the one with the greatest gain first; users of
//! what has changed are looked at again. Each step makes the function cheaper, so it ends; there are at most [`STEPS`] looks an instruction in
//! any case. Time goes with the number of instructions: patterns are small, and each step touches the users of one value.

mod build;
mod graph;
mod index;
mod matching;
#[cfg(test)]
mod tests;

use super::{Facts, Rule, Stage};
use crate::{Function, Instruction};
use graph::Graph;

/// Looks at an instruction on average, at most.
const STEPS: usize = 32;

/// A rule that was applied.
#[derive(Clone, Copy, Debug)]
pub struct Applied {
    /// The rule.
    pub rule: &'static Rule,
    /// The instruction at the root of what it matched, which is gone; its data can still be read.
    pub instruction: Instruction,
}

/// Applies rules until none makes the function cheaper. Whether anything changed.
pub fn apply<F: Facts>(function: &mut Function, facts: &F, stage: Stage) -> bool {
    !apply_recorded(function, facts, stage).is_empty()
}

/// The same: what was applied, in order.
pub fn apply_recorded<F: Facts>(function: &mut Function, facts: &F, stage: Stage) -> Vec<Applied> {
    let mut applied = Vec::new();
    let mut graph = Graph::of(function);
    let mut left = STEPS * (graph.len() + 1);
    while let Some(root) = graph.next() {
        left -= 1;
        if left == 0 {
            break;
        }
        for indexed in index::rules_for(graph.operation(root)) {
            let rule = indexed.rule;
            let applies = match rule.stage {
                Stage::Early => stage == Stage::Early,
                Stage::Lowered => true,
                Stage::Last => stage == Stage::Last,
            };
            if !applies {
                continue;
            }
            let Some(found) = matching::find(indexed, &graph, root, facts) else { continue };
            if build::replace(rule, &mut graph, &found) {
                applied.push(Applied { rule, instruction: root });
                break;
            }
        }
    }
    graph.finish(!applied.is_empty());
    applied
}
