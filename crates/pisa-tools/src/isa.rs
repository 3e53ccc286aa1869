//! The instruction reference: what a word leads to.

use pisa_isa::{Opcode, nearest, search, split_mnemonic};
use std::fmt::Write;

pub use pisa_isa::{describe, overview};

/// What a word given to `pisa isa` leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is an opcode, or a mnemonic that begins with one.
    Opcode(Opcode),
    /// These opcodes have to do with it, best first.
    Matches(Vec<Opcode>),
    /// Nothing; the opcode that looks most like it.
    Nothing(Option<&'static str>),
}

/// Looks a word up: an opcode, a mnemonic, a qualifier, or part of a summary. The case of letters does not matter.
pub fn look_up(word: &str) -> Answer {
    let word = word.trim().to_ascii_lowercase();
    if let Ok(mnemonic) = split_mnemonic(&word) {
        return Answer::Opcode(mnemonic.opcode);
    }
    match search(&word) {
        found if !found.is_empty() => Answer::Matches(found),
        _ => Answer::Nothing(nearest(&word, Opcode::ALL.iter().map(|opcode| opcode.text()))),
    }
}

/// Opcodes with their sections and summaries, one a line.
pub fn list(opcodes: &[Opcode]) -> String {
    let width = opcodes.iter().map(|opcode| opcode.text().len()).max().unwrap_or(0);
    let mut out = String::new();
    for opcode in opcodes {
        let _ = writeln!(out, "{:width$}  {:>4}  {}", opcode.text(), opcode.section(), opcode.summary());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_up() {
        assert_eq!(look_up("iadd"), Answer::Opcode(Opcode::Iadd));
        assert_eq!(look_up("IADD.dsat.32b"), Answer::Opcode(Opcode::Iadd));
        assert_eq!(look_up("ld.param.32b"), Answer::Opcode(Opcode::LdParam));
        assert_eq!(look_up("ld.global.32b"), Answer::Opcode(Opcode::Ld));
        assert_eq!(look_up("shuffle"), Answer::Matches(vec![Opcode::Shfl]));
        assert_eq!(look_up(".incwrap"), Answer::Matches(vec![Opcode::Iatom]));
        assert_eq!(look_up("iaddd"), Answer::Nothing(Some("iadd")));
        assert_eq!(look_up(""), Answer::Nothing(None));
    }
}
