//! Runs rules on the lane model.
//!
//! Pattern and replacement become straight-line functions over the variables, and run on the same lanes:
//! * on a model of **4 lanes**, every active set, and as many values a lane as the effort allows with every mask, all combinations
//!   of them, or a random part where even two values a lane are too many;
//! * on **32 lanes**, seeded samples: ranges, byte patterns and random sets, masks that differ between lanes where the rule does not
//!   forbid it, values at the edges of their types, undefined ones, equal ones.
//!
//! What is not active holds junk. The replacement must be equal in every active lane in which the pattern is defined.

mod exhaustive;
pub(in crate::rules) mod holds;
pub(in crate::rules) mod inputs;
pub(in crate::rules) mod instance;
pub(in crate::rules) mod samples;

pub use inputs::Assignment;

use super::Rule;
use crate::Operation;
use crate::model::{LANES, NotModelled};
use exhaustive::exhaustive;
use inputs::Roles;
use instance::Instance;
use samples::Samples;
use std::fmt;

/// How much to run for a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Most cases on 4 lanes.
    pub exhaustive: usize,
    /// Cases on 32 lanes.
    pub samples: usize,
    /// Where samples start from.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { exhaustive: 20_000, samples: 200, seed: 1 }
    }
}

/// What was run for a rule that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Cases on few lanes.
    pub exhaustive: usize,
    /// Lanes of these: 4, 1 for rules without convergent operations, 0 where a rule needs all 32.
    pub lanes: u32,
    /// Values that a variable took in each lane.
    pub values: usize,
    /// Whether these are all combinations of lanes, masks and values, rather than a part of them.
    pub complete: bool,
    /// Cases on 32 lanes.
    pub samples: usize,
    /// Lanes that were compared.
    pub compared: usize,
}

/// Why a rule does not hold.
#[derive(Clone, Debug)]
pub enum Refutation {
    /// The replacement gives something else.
    Different(Box<Witness>),
    /// The model does not run it.
    NotModelled(NotModelled),
    /// Nothing meets its conditions, or the pattern is never defined.
    NoCase,
}

/// Lanes in which a replacement is not what its pattern is.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness {
    /// The active set and the values of the variables.
    pub assignment: Assignment,
    /// The names of the variables.
    pub names: Vec<String>,
    /// The lane that shows it.
    pub lane: usize,
    /// What the pattern gives there, by element.
    pub pattern: Vec<Option<u128>>,
    /// What the replacement gives there.
    pub replacement: Vec<Option<u128>>,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "active {:#x}", self.assignment.active)?;
        let lanes: Vec<usize> = (0..LANES).filter(|&lane| self.assignment.is_active(lane)).collect();
        for (variable, name) in self.names.iter().enumerate() {
            let texts: Vec<String> = lanes
                .iter()
                .map(|&lane| match self.assignment.value(variable, lane) {
                    Some(bits) => format!("{bits:#x}"),
                    None => "undefined".to_owned(),
                })
                .collect();
            match texts.first() {
                Some(first) if texts.iter().all(|text| text == first) => write!(f, ", {name} = {first}")?,
                _ => write!(f, ", {name} = [{}]", texts.join(" "))?,
            }
        }
        let text = |elements: &[Option<u128>]| match elements {
            [Some(bits)] => format!("{bits:#x}"),
            [None] => "undefined".to_owned(),
            several => format!("{several:x?}"),
        };
        let (pattern, replacement) = (text(&self.pattern), text(&self.replacement));
        write!(f, ": lane {} has {pattern}, with the replacement {replacement}", self.lane)
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refutation::Different(witness) => write!(f, "{witness}"),
            Refutation::NotModelled(why) => write!(f, "the lane model does not run it: {why}"),
            Refutation::NoCase => write!(f, "no case meets its conditions"),
        }
    }
}

/// Runs a rule.
///
/// # Errors
/// The first case in which it does not hold.
pub fn check(rule: &Rule, effort: &Effort) -> Result<Verdict, Refutation> {
    let instance = Instance::of(rule);
    let roles = Roles::of(rule);
    let convergent = |term: &super::Term| match term {
        super::Term::Apply { operation, .. } => operation.is_convergent() || sees_lane(operation),
        super::Term::Special(_) => true,
        _ => false,
    };
    let lanes = if rule.terms.iter().any(convergent) { 4 } else { 1 };
    let mut verdict = Verdict { lanes, ..Verdict::default() };
    let run = |assignment: &Assignment, count: &mut usize| {
        if !holds::all(rule, assignment) {
            return Ok(0);
        }
        *count += 1;
        instance.compare(rule, assignment)
    };
    let mut cases = 0;
    let mut compared = 0;
    if rule.demands(super::Condition::Full) {
        verdict.lanes = 0;
    } else {
        let mut failed = None;
        let outcome = exhaustive(rule, &roles, lanes, effort, |assignment| {
            match run(assignment, &mut cases) {
                Ok(lanes) => compared += lanes,
                Err(refutation) => failed = Some(refutation),
            }
            failed.is_none()
        });
        if let Some(refutation) = failed {
            return Err(refutation);
        }
        (verdict.values, verdict.complete) = outcome;
    }
    let mut sampled = 0;
    let mut samples = Samples::new(rule, &roles, effort.seed);
    for _ in 0..effort.samples {
        compared += run(&samples.next(), &mut sampled)?;
    }
    (verdict.exhaustive, verdict.samples, verdict.compared) = (cases, sampled, compared);
    // Nothing was seen of a rule for which nothing was compared.
    if compared == 0 || cases + sampled < 16 { Err(Refutation::NoCase) } else { Ok(verdict) }
}

/// Whether the result depends on the own lane.
fn sees_lane(operation: &Operation) -> bool {
    matches!(operation, Operation::Mask(_))
}
