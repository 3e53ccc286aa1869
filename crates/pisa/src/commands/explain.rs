//! `pisa explain`: the long text of a code.

use super::plain_failure;
use crate::args::ExplainArgs;
use crate::io::Io;
use pisa_tools::{Status, explain};

pub fn run(io: &mut Io, args: ExplainArgs) -> Status {
    match args.code {
        None => io.stdout(&explain::list()),
        Some(code) => match explain::explain(&code) {
            Ok(entry) => io.stdout(entry.explain),
            Err(failure) => return plain_failure(io, &failure),
        },
    }
    Status::Fine
}
