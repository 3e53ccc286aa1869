//! `pisa test`: the directives in `.pisa` files.

use super::{optimisation, plain_failure};
use crate::args::{TestArgs, TestEngineName};
use crate::files;
use crate::io::Io;
use crate::progress::Progress;
use pisa_tools::{Status, TestEngines, TestOptions, run_tests, tests_as_json};
use std::path::Path;

/// The environment variable that has expectations rewritten.
const UPDATE: &str = "UPDATE_EXPECT";

pub fn run(io: &mut Io, args: TestArgs) -> Status {
    let engines = match args.engine {
        TestEngineName::Vector => TestEngines::Vector,
        TestEngineName::Reference => TestEngines::Reference,
        TestEngineName::All => TestEngines::All,
    };
    let update = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
    let optimise = args.optimise.map(optimisation);
    let options = TestOptions { filter: args.filter, engines, optimise, mutate: args.mutate, update };
    if args.emit_json {
        return match tests_as_json(&args.paths, &options) {
            Ok(text) => {
                io.stdout(&text);
                Status::Fine
            }
            Err(failure) => plain_failure(io, &failure),
        };
    }
    let progress = Progress::start("testing".to_owned());
    let result = run_tests(&args.paths, &options);
    drop(progress);
    let report = match result {
        Ok(report) => report,
        Err(failure) => return plain_failure(io, &failure),
    };
    let mut status = if report.failures.is_empty() { Status::Fine } else { Status::Failed };
    for failure in &report.failures {
        for line in failure.to_string().lines() {
            io.stdout(&format!("{}\n", pisa_diag::render::visible(line)));
        }
        io.stdout("\n");
    }
    for (path, text) in &report.updated {
        match files::write(Path::new(path), text.as_bytes()) {
            Ok(()) => io.stdout(&format!("updated {path}\n")),
            Err(failure) => status = plain_failure(io, &failure).and(status),
        }
    }
    io.stdout(&format!("{}\n", report.summary()));
    status
}
