//! Random structured control flow with an oracle for its active masks.
//!
//! A program is a tree of conditions, loops that lanes leave one by one, switches, early returns and calls, with
//! cross-lane operations anywhere in it. Each lane writes what it sees, `%activemask`, ballots, sums, the first lane, into a log
//! of its own. The oracle ([`Program::expected`]) walks the tree with sets of lanes and says every word of every log: lanes
//! that part at a statement are together again behind it. It shares nothing with the engines.
//!
//! Printed in the order of the tree, `lexical` brings lanes together exactly there, so engines must give what the oracle says;
//! and so must whatever an optimiser makes of the text.

mod generate;
mod print;
mod simulate;
mod tree;

pub use simulate::Entry;
pub use tree::Program;

use crate::Case;
use crate::compare::{Disagreement, Kind, NamedEngine, memory_after};

impl Program {
    /// Runs the program on the engines; how a log differs from what the oracle says, if one does.
    pub fn compare(&self, engines: &[NamedEngine]) -> Option<Disagreement> {
        engines.iter().find_map(|(name, engine)| {
            let ran = memory_after(&self.case(), &**engine, name);
            ran.and_then(|memory| self.check(&memory, name)).err()
        })
    }

    /// Compares the log in what a run left with what the oracle says.
    ///
    /// # Errors
    /// The first entry that differs.
    pub fn check(&self, memory: &[(String, Vec<u8>)], name: &str) -> Result<(), Disagreement> {
        let wrong = |message: String| Disagreement { kind: Kind::Memory(name.to_owned()), message };
        let expected = self.expected_log().unwrap_or_default();
        let found = memory.iter().find(|(object, _)| object == print::LOG_BUFFER);
        let found = found.map(|(_, bytes)| bytes).ok_or_else(|| wrong("there is no log".to_owned()))?;
        if *found == expected {
            return Ok(());
        }
        let word = |bytes: &[u8], at: usize| {
            bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let at = found.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(0) / 8;
        let entry = |bytes: &[u8]| format!("({}, {:#x})", word(bytes, at * 8), word(bytes, at * 8 + 4));
        let (item, number) = (at / simulate::LOG, at % simulate::LOG);
        Err(wrong(format!(
            "entry {number} of work-item {item}: the oracle says {}, {name} {}",
            entry(&expected),
            entry(found)
        )))
    }

    /// Takes away statements as long as the test says that something is wrong; at most `limit` tests.
    pub fn shrink(
        &self,
        found: Disagreement,
        limit: usize,
        test: impl Fn(&Program) -> Option<Disagreement>,
    ) -> (Program, Disagreement) {
        let (mut best, mut found, mut left) = (self.clone(), found, limit);
        loop {
            let smaller = best.smaller().take(left).enumerate().find_map(|(tried, program)| {
                let still = test(&program).filter(|still| still.kind == found.kind)?;
                Some((tried, program, still))
            });
            let Some((tried, program, still)) = smaller else { return (best, found) };
            left -= tried + 1;
            (best, found) = (program, still);
        }
    }
}

/// The case of a random program.
pub fn generate(seed: u64) -> Case {
    Program::generate(seed).case()
}
