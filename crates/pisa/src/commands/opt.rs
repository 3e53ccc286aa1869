//! `pisa opt`: optimises a module, explains what was done to cross-lane instructions, verifies it by running it.

use super::check::{check_all, session};
use super::optimisation;
use crate::args::{Emit, OptArgs};
use crate::files;
use crate::io::Io;
use crate::progress::Progress;
use crate::reporter::Reporter;
use pisa_tools::opt::verify::{Verified, VerifyOptions, verify};
use pisa_tools::opt::{Explained, OptInput, Optimised, Work, explain, is_ir};
use pisa_tools::{Failure, Session, Status, module_text};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn run(io: &mut Io, args: OptArgs) -> Status {
    let to_stdout = match &args.out {
        Some(path) => path == Path::new("-"),
        None => !args.explain && !args.verify,
    };
    let mut reporter = Reporter::new(&args.output, to_stdout);
    let mut session = match session(&args.levels) {
        Ok(session) => session,
        Err(failure) => return reporter.end(io, failure),
    };
    if let Err(failure) = optimise(io, &mut reporter, &mut session, &args, to_stdout) {
        reporter.failure(io, failure);
    }
    reporter.finish(io, &session.sources)
}

fn optimise(
    io: &mut Io,
    reporter: &mut Reporter,
    session: &mut Session,
    args: &OptArgs,
    to_stdout: bool,
) -> Result<(), Failure> {
    // Everything that is written wrong is found before the module is read.
    let work = match &args.passes {
        Some(passes) => Work::passes(passes)?,
        None => Work::Level(optimisation(args.optimise)),
    };
    let Some(input) = read(io, reporter, session, &args.file)? else { return Ok(()) };
    let progress = Progress::start(format!("optimising {}", args.file));
    let optimised = input.optimise(&work);
    drop(progress);
    let optimised = optimised?;
    if args.explain {
        for explained in explain(&optimised.remarks, &session.sources) {
            remark(io, reporter, &explained, to_stdout);
        }
    }
    if args.verify {
        check(io, reporter, session, args, &input, &optimised, &work)?;
    }
    let text = || match args.emit {
        Emit::Pisa => module_text(&optimised.module),
        Emit::Ir => pisa_tools::ir_text(&optimised.ir),
    };
    match &args.out {
        _ if to_stdout => io.stdout(&text()),
        Some(path) => files::write(path, text().as_bytes())?,
        None => {}
    }
    Ok(())
}

/// The module in the file; nothing where it is refused, which has been shown.
fn read(
    io: &mut Io,
    reporter: &mut Reporter,
    session: &mut Session,
    file: &str,
) -> Result<Option<OptInput>, Failure> {
    if !is_ir(file) {
        let modules = check_all(io, reporter, session, &[file.to_owned()]);
        return Ok(modules.and_then(|mut modules| modules.pop()).map(OptInput::Module));
    }
    let (module, diagnostics) = session.check_ir(file)?;
    reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid);
    Ok(module.map(OptInput::Ir))
}

fn remark(io: &mut Io, reporter: &Reporter, explained: &Explained, to_stdout: bool) {
    let place = explained.place.as_ref();
    reporter.json_object(
        io,
        &json!({
            "type": "remark",
            "function": explained.function,
            "file": place.map(|place| &place.0),
            "line": place.map(|place| place.1),
            "column": place.map(|place| place.2),
            "source": explained.source,
            "outcome": explained.outcome,
            "pass": (!explained.pass.is_empty()).then_some(explained.pass),
            "message": explained.message,
            "because": explained.because.as_ref().map(|(line, source)| json!({ "line": line, "source": source })),
            "witness": explained.witness.map(|witness| json!({
                "here": format!("{:#010x}", witness.here),
                "there": format!("{:#010x}", witness.there),
            })),
        }),
    );
    if reporter.is_json() {
        return;
    }
    let text = explained.text();
    if to_stdout { io.stderr(&text) } else { io.stdout(&text) }
}

/// Runs the functions before and after, and says what came of it.
fn check(
    io: &mut Io,
    reporter: &mut Reporter,
    session: &Session,
    args: &OptArgs,
    input: &OptInput,
    optimised: &Optimised,
    work: &Work,
) -> Result<(), Failure> {
    let before = input.module()?;
    let count = before.functions.len();
    let done = Arc::new(AtomicUsize::new(0));
    let watched = Arc::clone(&done);
    let progress = Progress::watching(move || {
        format!("verifying, {} of {count} functions", watched.load(Ordering::Relaxed))
    });
    let options = VerifyOptions { launches: args.launches, seed: args.seed };
    let told = |number: usize| done.store(number, Ordering::Relaxed);
    let verified = verify(&before, &optimised.module, &session.sources, options, &told);
    drop(progress);
    if let Some(difference) = &verified.difference {
        reporter.failure(io, difference.failure(&args.file, &work.words()));
        return Ok(());
    }
    summary(io, reporter, &verified);
    Ok(())
}

fn summary(io: &mut Io, reporter: &mut Reporter, verified: &Verified) {
    for (function, reason) in &verified.not_compared {
        reporter.note(io, &format!("`@{function}` was not compared: {reason}"));
    }
    reporter.json_object(
        io,
        &json!({
            "type": "verified",
            "functions": verified.functions,
            "launches": verified.launches,
            "schedules": verified.schedules,
            "without_end": verified.without_end,
        }),
    );
    if reporter.is_json() {
        return;
    }
    let word =
        |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    io.stderr(&format!(
        "verified: {} did the same in {}, and in {} under other schedules; {} came to no end\n",
        word(verified.functions, "function", "functions"),
        word(verified.launches, "launch", "launches"),
        word(verified.schedules, "run", "runs"),
        word(verified.without_end, "launch", "launches"),
    ));
}
