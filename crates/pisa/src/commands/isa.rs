//! `pisa isa`: the instruction reference.

use super::plain_failure;
use crate::args::IsaArgs;
use crate::io::Io;
use pisa_tools::isa::{self, Answer};
use pisa_tools::{Failure, Status};

pub fn run(io: &mut Io, args: IsaArgs) -> Status {
    let Some(word) = args.word else {
        io.stdout(&isa::overview());
        return Status::Fine;
    };
    match isa::look_up(&word) {
        Answer::Opcode(opcode) => io.stdout(&isa::describe(opcode)),
        Answer::Matches(opcodes) => io.stdout(&isa::list(&opcodes)),
        Answer::Nothing(nearest) => {
            let failure = Failure::usage(format!("`{word}` is no opcode, and occurs in none"));
            let help = match nearest {
                Some(opcode) => format!("did you mean `{opcode}`?"),
                None => "`pisa isa` without a word lists all opcodes".to_owned(),
            };
            return plain_failure(io, &failure.help(help));
        }
    }
    Status::Fine
}
