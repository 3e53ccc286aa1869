//! `pisa completions`: a completion script for a shell.

use crate::args::{Cli, CompletionsArgs};
use crate::io::Io;
use clap::CommandFactory;
use pisa_tools::Status;

pub fn run(io: &mut Io, args: CompletionsArgs) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pisa", &mut script);
    io.stdout_bytes(&script);
    Status::Fine
}
