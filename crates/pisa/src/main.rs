//! The `pisa` command.

mod args;
mod commands;
mod files;
mod io;
mod progress;
mod reporter;

use args::{Cli, Command};
use clap::Parser;
use io::Io;
use pisa_tools::Status;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

/// What the first panic said, and where.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(note_panic));
    let mut io = Io::new();
    let status = guarded(&mut io, run);
    let status = io.finish().map_or(status, |failed| failed.and(status));
    ExitCode::from(status.code())
}

fn note_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let text = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map_or(String::new(), |place| format!(" at {place}"));
    if let Ok(mut first) = PANIC.lock() {
        first.get_or_insert(format!("{text}{place}"));
    }
}

/// Runs a command; a panic becomes a message that says how to report it.
fn guarded(io: &mut Io, command: impl FnOnce(&mut Io) -> Status) -> Status {
    match catch_unwind(AssertUnwindSafe(|| command(io))) {
        Ok(status) => status,
        Err(_) => bug(io),
    }
}

fn run(io: &mut Io) -> Status {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help and version go to standard output and are no failure.
            let status = if message.use_stderr() { Status::Usage } else { Status::Fine };
            io.clap(&message);
            return status;
        }
    };
    match cli.command {
        Command::Check(args) => commands::check::run(io, args),
        Command::Fmt(args) => commands::fmt::run(io, args),
        Command::Run(args) => commands::run::run(io, *args),
        Command::Test(args) => commands::test::run(io, args),
        Command::Link(args) => commands::link::run(io, args),
        Command::Opt(args) => commands::opt::run(io, args),
        Command::Smith(args) => commands::smith::run(io, args),
        Command::Isa(args) => commands::isa::run(io, args),
        Command::Explain(args) => commands::explain::run(io, args),
        Command::Completions(args) => commands::completions::run(io, args),
        Command::Man(args) => commands::man::run(io, args),
    }
}

fn bug(io: &mut Io) -> Status {
    let panic = PANIC.lock().ok().and_then(|mut panic| panic.take()).unwrap_or_default();
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    io.stderr(&bug_report(&panic, &command));
    Status::Bug
}

fn bug_report(panic: &str, command: &str) -> String {
    format!(
        "error: this is a bug of pisa {version}, not of your program: {panic}\n  \
         please report it at {repository}/issues with these lines and the input\n  \
         you ran:  {command}\n",
        version = env!("CARGO_PKG_VERSION"),
        repository = env!("CARGO_PKG_REPOSITORY"),
        panic = pisa_diag::render::visible(panic),
        command = pisa_diag::render::visible(command),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_status_70() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(note_panic));
        let status = guarded(&mut Io::new(), |_| panic!("out of reach"));
        std::panic::set_hook(hook);
        assert_eq!(status.code(), 70);
    }

    #[test]
    fn the_report_says_what_and_where_to() {
        let text = bug_report("out of reach at x.rs:1", "pisa check \u{1b}[31m.pisa");
        assert!(text.contains("out of reach at x.rs:1") && text.contains("/issues"));
        assert!(text.contains("you ran:  pisa check ␛[31m.pisa"));
    }
}
