//! Finds what went wrong in a launch: in which lanes, why, and what to do.
//!
//! A [`Sanitizer`] watches a launch through [`pisa_machine::Observer`] and hands each instruction to those of its checks
//! that want to see it. A check reports to [`Findings`], which groups and counts: one finding for each code and pair of
//! places. The checks know the specification and the machine, but no engine.
#![forbid(unsafe_code)]

mod access;
mod barrier;
mod check;
mod convergence;
mod describe;
mod finding;
mod initialisation;
mod memory;
mod names;
mod objects;
mod options;
mod progress;
mod race;
mod sanitizer;
mod schedules;
mod shuffle;
mod undefined;

pub use finding::{Finding, Findings, Text};
pub use options::{Options, OptionsError};
pub use progress::{ProgressWatch, Spin, Writer};
pub use sanitizer::Sanitizer;
pub use schedules::{Comparison, LastWriter, NoRoom, compare as compare_schedules, last_writer};

use check::{Check, Context};

/// The checks that are asked for.
fn checks<'a>(options: Options, context: &Context<'a>) -> Vec<Box<dyn Check + 'a>> {
    let mut checks: Vec<Box<dyn Check + 'a>> = Vec::new();
    if options.initialisation {
        checks.push(Box::new(initialisation::Initialisation::new(context)));
    }
    if options.memory {
        checks.push(Box::new(memory::MemoryCheck::new(context, options.tolerate_over_reads)));
    }
    if options.memory || options.undefined {
        checks.push(Box::new(memory::Casts::new(context)));
    }
    if options.undefined {
        checks.push(Box::new(undefined::UndefinedCheck::new(context)));
    }
    if options.convergence {
        checks.push(Box::new(convergence::Convergence::new(context, options.strict_convergence)));
    }
    if options.barriers {
        checks.push(Box::new(barrier::Barriers::new(context, options.strict_barriers)));
    }
    if options.races {
        checks.push(Box::new(race::Races::new(options, context)));
    }
    checks
}
