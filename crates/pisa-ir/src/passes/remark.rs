//! What was done to cross-lane operations, and what was not and why.

use crate::legality::{Verdict, Witness};
use crate::{Function, Instruction, Module};
use pisa_diag::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// What became of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It runs elsewhere now.
    Moved,
    /// Another one gives its result.
    Merged,
    /// It was replaced by something simpler.
    Simplified,
    /// Nobody looked at its result.
    Removed,
    /// It stays, because of an obstacle or as there is nothing to gain.
    Kept,
}

/// A remark about one cross-lane operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Name of the function.
    pub function: Box<str>,
    /// Where the operation was written; `None` for what was made by a pass or by lowering.
    pub place: Option<Place>,
    /// Name of the pass that says it; empty for what no pass had anything to do with.
    pub pass: &'static str,
    /// What became of it.
    pub outcome: Outcome,
    /// One sentence without a full stop.
    pub message: String,
    /// Where the text has what it is because of: a branch, a call, an equal operation.
    pub because: Option<Place>,
    /// Active masks that show why it may not be otherwise.
    pub witness: Option<Witness>,
}

/// Collects remarks: what was done to an operation, and of what was refused the last reason.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// In the order in which things were done; those of operations that stay come last.
    pub list: Vec<Remark>,
    pub(super) pass: &'static str,
    refused: FxHashMap<(Box<str>, Instruction), Remark>,
}

impl Remarks {
    /// None yet.
    pub fn new() -> Remarks {
        Remarks::default()
    }

    /// Something was done. Says nothing of what is no cross-lane operation.
    pub fn done(
        &mut self,
        function: &Function,
        instruction: Instruction,
        outcome: Outcome,
        message: impl FnOnce() -> String,
    ) {
        self.done_because(function, instruction, outcome, None, message);
    }

    /// The same, because of what is written elsewhere.
    pub fn done_because(
        &mut self,
        function: &Function,
        instruction: Instruction,
        outcome: Outcome,
        because: Option<Place>,
        message: impl FnOnce() -> String,
    ) {
        if is_told_of(function, instruction) {
            let remark = Remark { because, ..self.remark(function, instruction, outcome, message()) };
            self.list.push(remark);
        }
    }

    /// Something that a pass wanted may not be: `wish` says what, as in `to share the result of an equal one`.
    pub fn refused(
        &mut self,
        function: &Function,
        instruction: Instruction,
        verdict: &Verdict,
        wish: impl FnOnce() -> String,
    ) {
        if is_told_of(function, instruction) {
            let message = format!("not possible {}: {}", wish(), verdict.reason(function));
            let obstacle = verdict.obstacle();
            let remark = Remark {
                because: obstacle.and_then(|obstacle| obstacle.place(function)),
                witness: obstacle.and_then(|obstacle| obstacle.witness),
                ..self.remark(function, instruction, Outcome::Kept, message)
            };
            self.refused.insert((function.name.clone(), instruction), remark);
        }
    }

    /// Why a pass did not even try, if no other has been refused anything.
    pub fn not_tried(
        &mut self,
        function: &Function,
        instruction: Instruction,
        because: Option<Place>,
        message: impl FnOnce() -> String,
    ) {
        if is_told_of(function, instruction) {
            let remark = Remark { because, ..self.remark(function, instruction, Outcome::Kept, message()) };
            self.refused.entry((function.name.clone(), instruction)).or_insert(remark);
        }
    }

    fn remark(
        &self,
        function: &Function,
        instruction: Instruction,
        outcome: Outcome,
        message: String,
    ) -> Remark {
        Remark {
            function: function.name.clone(),
            place: function.instruction(instruction).place,
            pass: self.pass,
            outcome,
            message,
            because: None,
            witness: None,
        }
    }

    /// The cross-lane operations that are there before a pass.
    pub(super) fn before(&self, function: &Function) -> Vec<Instruction> {
        let all = function.all_instructions().map(|(_, instruction)| instruction);
        all.filter(|&instruction| is_told_of(function, instruction)).collect()
    }

    /// Says of those that a pass has taken away without a word, as part of something larger, that they are gone.
    pub(super) fn after(&mut self, function: &Function, before: &[Instruction], said: usize) {
        let left: FxHashSet<Instruction> = function.all_instructions().map(|(_, i)| i).collect();
        let told: FxHashSet<Option<Place>> = self.list[said..].iter().map(|remark| remark.place).collect();
        for &instruction in before {
            if !left.contains(&instruction) && !told.contains(&function.instruction(instruction).place) {
                let message = "nobody looks at its result any more".to_owned();
                let remark = self.remark(function, instruction, Outcome::Removed, message);
                self.list.push(remark);
            }
        }
    }

    /// Says of every cross-lane operation that is still there why it is, unless something was done to it and nothing refused.
    pub fn finish(&mut self, module: &Module) {
        let mut refused = std::mem::take(&mut self.refused);
        let done: FxHashSet<(Box<str>, Option<Place>)> =
            self.list.iter().map(|remark| (remark.function.clone(), remark.place)).collect();
        self.pass = "";
        for function in &module.functions {
            for (_, instruction) in function.all_instructions() {
                if !is_told_of(function, instruction) {
                    continue;
                }
                let place = function.instruction(instruction).place;
                match refused.remove(&(function.name.clone(), instruction)) {
                    Some(remark) => self.list.push(remark),
                    None if done.contains(&(function.name.clone(), place)) => {}
                    None => {
                        let message = "no pass has found anything to do with it".to_owned();
                        let remark = self.remark(function, instruction, Outcome::Kept, message);
                        self.list.push(remark);
                    }
                }
            }
        }
    }
}

/// Cross-lane operations are told of, `%activemask` among them; calls are not, as what happens in them is told where it is written.
fn is_told_of(function: &Function, instruction: Instruction) -> bool {
    let data = function.instruction(instruction);
    data.cross_lane().is_some() && data.properties().cross_lane
}
