//! Finds what went wrong in a launch: in which lanes, why, and what to do.
//!
//! A [`Sanitizer`] watches a launch through [`pisa_machine::Observer`] and hands each instruction to those of its checks
//! that want to see it. A check reports to [`Findings`], which groups and counts: one finding for each code and pair of
//! places. The checks know the specification and the machine, but no engine.
#![forbid(unsafe_code)]

mod access;
mod check;
mod finding;
mod initialisation;
mod options;
mod sanitizer;
mod shuffle;

pub use finding::{Finding, Findings, Text};
pub use options::{Options, OptionsError};
pub use sanitizer::Sanitizer;

use check::{Check, Context};

/// The checks that are asked for.
fn checks<'a>(options: Options, context: &Context<'a>) -> Vec<Box<dyn Check + 'a>> {
    let mut checks: Vec<Box<dyn Check + 'a>> = Vec::new();
    if options.initialisation {
        checks.push(Box::new(initialisation::Initialisation::new(context)));
    }
    checks
}
