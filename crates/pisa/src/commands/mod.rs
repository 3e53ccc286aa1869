//! The subcommands, one file each.

pub mod check;
pub mod completions;
pub mod explain;
pub mod fmt;
pub mod isa;
pub mod link;
pub mod man;
pub mod opt;
pub mod run;
pub mod smith;
pub mod test;

use crate::args::{LevelArgs, OptimisationLevel};
use crate::io::Io;
use pisa_diag::{Level, Levels};
use pisa_tools::opt::Level as OptLevel;
use pisa_tools::{Failure, Status};

/// The level of `-O`.
fn optimisation(level: OptimisationLevel) -> OptLevel {
    match level {
        OptimisationLevel::O0 => OptLevel::O0,
        OptimisationLevel::O1 => OptLevel::O1,
        OptimisationLevel::O2 => OptLevel::O2,
    }
}

/// The levels of the command line. Where a code is given several, the strictest holds.
fn levels(args: &LevelArgs) -> Result<Levels, Failure> {
    let mut levels = Levels::new(args.strict);
    let given = [(&args.allow, Level::Allow), (&args.warn, Level::Warn), (&args.deny, Level::Deny)];
    for (codes, level) in given {
        for code in codes.iter().flat_map(|codes| codes.split(',')) {
            levels.set(code.trim(), level).map_err(|error| Failure::usage(error.to_string()))?;
        }
    }
    Ok(levels)
}

/// Shows the failure of a command without output options.
fn plain_failure(io: &mut Io, failure: &Failure) -> Status {
    io.stderr(&format!(
        "error: {}\n",
        failure.to_string().replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
    ));
    failure.status
}
