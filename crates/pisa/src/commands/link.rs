//! `pisa link`: one module of several.

use super::check::{check_all, session};
use crate::args::LinkArgs;
use crate::files;
use crate::io::Io;
use crate::reporter::Reporter;
use pisa_tools::Status;
use std::path::Path;

pub fn run(io: &mut Io, args: LinkArgs) -> Status {
    let to_stdout = args.out == Path::new("-");
    let mut reporter = Reporter::new(&args.output, to_stdout);
    let mut session = match session(&args.levels) {
        Ok(session) => session,
        Err(failure) => return reporter.end(io, failure),
    };
    if let Some(modules) = check_all(io, &mut reporter, &mut session, &args.files) {
        match session.link_library(modules) {
            Ok(module) => {
                let text = pisa_tools::module_text(&module);
                if to_stdout {
                    io.stdout(&text);
                } else if let Err(failure) = files::write(&args.out, text.as_bytes()) {
                    reporter.failure(io, failure);
                }
            }
            Err(diagnostics) => reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid),
        }
    }
    reporter.finish(io, &session.sources)
}
