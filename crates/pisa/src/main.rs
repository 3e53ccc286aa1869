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
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map_or(String::new(), |place| format!(" at {place}"));
        if let Ok(mut first) = PANIC.lock() {
            first.get_or_insert(format!("{text}{place}"));
        }
    }));
    let mut io = Io::new();
    let status = match catch_unwind(AssertUnwindSafe(|| run(&mut io))) {
        Ok(status) => status,
        Err(_) => bug(&mut io),
    };
    let status = io.finish().map_or(status, |failed| failed.and(status));
    ExitCode::from(status.code())
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
        Command::Link(args) => commands::link::run(io, args),
        Command::Isa(args) => commands::isa::run(io, args),
        Command::Explain(args) => commands::explain::run(io, args),
        Command::Completions(args) => commands::completions::run(io, args),
        Command::Man(args) => commands::man::run(io, args),
    }
}

fn bug(io: &mut Io) -> Status {
    let panic = PANIC.lock().ok().and_then(|mut panic| panic.take()).unwrap_or_default();
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    io.stderr(&format!(
        "error: this is a bug of pisa {version}, not of your program: {panic}\n  \
         please report it at {repository}/issues with these lines and the input\n  \
         you ran:  {command}\n",
        version = env!("CARGO_PKG_VERSION"),
        repository = env!("CARGO_PKG_REPOSITORY"),
        panic = pisa_diag::render::visible(&panic),
        command = pisa_diag::render::visible(&command),
    ));
    Status::Bug
}
