//! Tasks for the developers of pisa-tools: `cargo xtask exhaustive`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command of its own.

mod check;
mod checks;
mod exhaustive;
mod oracle;
mod record;

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
}

fn main() -> ExitCode {
    let Task::Exhaustive(options) = Arguments::parse().task;
    match exhaustive::run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
