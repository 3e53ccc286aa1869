//! `pisa check`: every rule of the specification; several files are linked, too.

use super::levels;
use crate::args::{Assumption, CheckArgs, LevelArgs};
use crate::io::Io;
use crate::progress::Progress;
use crate::reporter::Reporter;
use pisa_tools::{CheckResult, Failure, Session, Status};

pub fn run(io: &mut Io, args: CheckArgs) -> Status {
    let mut reporter = Reporter::new(&args.output, false);
    let mut session = match session(&args.levels) {
        Ok(session) => session,
        Err(failure) => return reporter.end(io, failure),
    };
    if let Some(modules) = check_all(io, &mut reporter, &mut session, &args.files)
        && modules.len() > 1
        && let Err(diagnostics) = session.link_library(modules)
    {
        reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid);
    }
    reporter.finish(io, &session.sources)
}

/// A session with the levels and readings of the command line.
pub fn session(args: &LevelArgs) -> Result<Session, Failure> {
    let mut session = Session::new(levels(args)?);
    session.f2i_toward_zero = args.assume.contains(&Assumption::F2iRz);
    Ok(session)
}

/// Reads and checks the files, and shows what was found; the modules where nothing was refused.
pub fn check_all(
    io: &mut Io,
    reporter: &mut Reporter,
    session: &mut Session,
    files: &[String],
) -> Option<Vec<pisa_tools::Module>> {
    let progress = Progress::start(match files {
        [only] => format!("checking {only}"),
        files => format!("checking {} files", files.len()),
    });
    let result = session.check(files);
    drop(progress);
    let refused = result.is_refused();
    let CheckResult { modules, diagnostics, failures } = result;
    for failure in failures {
        reporter.failure(io, failure);
    }
    reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid);
    (!refused).then_some(modules)
}
