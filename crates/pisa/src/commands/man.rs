//! `pisa man`: a manual page.

use super::plain_failure;
use crate::args::{Cli, ManArgs};
use crate::io::Io;
use clap::CommandFactory;
use pisa_tools::{Failure, Status};

pub fn run(io: &mut Io, args: ManArgs) -> Status {
    let mut command = Cli::command();
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(subcommand) => subcommand.clone(),
            None => return plain_failure(io, &Failure::usage(format!("there is no subcommand `{name}`"))),
        },
    };
    let mut text = Vec::new();
    if let Err(error) = clap_mangen::Man::new(page).render(&mut text) {
        return plain_failure(io, &Failure::writing("the manual page", &error));
    }
    io.stdout_bytes(&text);
    Status::Fine
}
