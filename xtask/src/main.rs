//! Tasks for the developers of pisa-tools: `cargo xtask exhaustive`, `cargo xtask random` and `cargo xtask mutants`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command of its own.

mod check;
mod checks;
mod exhaustive;
mod mutants;
mod oracle;
mod random;
mod record;
mod run;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks for the developers of pisa-tools")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Checks the arithmetic of whole input ranges against an oracle (docs/float-proof.md)
    Exhaustive(exhaustive::Options),
    /// Checks the arithmetic against an oracle where inputs are too many, by random and boundary cases (docs/float-proof.md)
    Random(random::Options),
    /// Puts wrong lines into a copy of the engines, and sees who notices (docs/mutants.md)
    Mutants(mutants::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Exhaustive(options) => exhaustive::run(&options),
        Task::Random(options) => random::run(&options),
        Task::Mutants(options) => mutants::run(&options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
