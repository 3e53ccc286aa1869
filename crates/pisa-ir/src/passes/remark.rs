//! What was done to cross-lane operations, and what was not and why.

use crate::legality::{Verdict, Witness};
use crate::{Function, Instruction, Module};
use pisa_diag::Place;
use rustc_hash::FxHashMap;

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
        if function.instruction(instruction).operation.is_cross_lane() {
            let remark = self.remark(function, instruction, outcome, message(), None);
            self.list.push(remark);
        }
    }

    /// Something that a pass wanted may not be: `wish` says what, as in `to share the result of line 3`.
    pub fn refused(
        &mut self,
        function: &Function,
        instruction: Instruction,
        verdict: &Verdict,
        wish: impl FnOnce() -> String,
    ) {
        if !function.instruction(instruction).operation.is_cross_lane() {
            return;
        }
        let message = format!("not possible {}: {}", wish(), verdict.reason(function));
        let witness = verdict.obstacle().and_then(|obstacle| obstacle.witness);
        let remark = self.remark(function, instruction, Outcome::Kept, message, witness);
        self.refused.insert((function.name.clone(), instruction), remark);
    }

    fn remark(
        &self,
        function: &Function,
        instruction: Instruction,
        outcome: Outcome,
        message: String,
        witness: Option<Witness>,
    ) -> Remark {
        let place = function.instruction(instruction).place;
        Remark { function: function.name.clone(), place, pass: self.pass, outcome, message, witness }
    }

    /// Says of every cross-lane operation that is still there why it is.
    pub fn finish(&mut self, module: &Module) {
        let mut refused = std::mem::take(&mut self.refused);
        for function in &module.functions {
            for (_, instruction) in function.all_instructions() {
                let data = function.instruction(instruction);
                if !data.properties().cross_lane || data.cross_lane().is_none() || data.is_active_mask() {
                    continue;
                }
                let remark = refused.remove(&(function.name.clone(), instruction)).unwrap_or_else(|| {
                    self.pass = "";
                    let message = "no pass has found anything to do with it".to_owned();
                    self.remark(function, instruction, Outcome::Kept, message, None)
                });
                self.list.push(remark);
            }
        }
    }
}
