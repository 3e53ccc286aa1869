//! Invariant 26: tokens of active sets.

use super::Checker;
use crate::function::ActiveSet;

impl Checker<'_> {
    pub(super) fn tokens(&mut self) {
        let function = self.function;
        for &block in &function.layout {
            let mut active = ActiveSet::Entry(block);
            for &id in &function.block(block).instructions {
                let instruction = function.instruction(id);
                let properties = instruction.properties();
                let wanted = properties.convergent.then_some(active);
                if instruction.active != wanted {
                    let message = match (instruction.active, wanted) {
                        (None, _) => "the instruction is convergent and has no active set".to_owned(),
                        (Some(_), None) => {
                            "the instruction has an active set, but does not depend on it".to_owned()
                        }
                        (Some(found), Some(wanted)) => {
                            let (found, wanted) = (self.token(found), self.token(wanted));
                            format!(
                                "the instruction says that it runs `in {found}`, here it is `in {wanted}`"
                            )
                        }
                    };
                    self.report(26, Some(block), Some(id), message);
                }
                if properties.changes_active_set {
                    active = ActiveSet::After(id);
                }
            }
        }
    }

    fn token(&mut self, token: ActiveSet) -> String {
        match token {
            ActiveSet::Entry(block) => self.block_name(block),
            ActiveSet::After(id) => format!("after #{}", self.names().mark_of(id).unwrap_or(0)),
        }
    }
}
