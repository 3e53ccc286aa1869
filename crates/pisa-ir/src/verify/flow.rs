//! Invariants 6 to 11: how control goes from block to block, in and out.

use super::Checker;
use crate::function::{Block, Operand, Target, Terminator};
use crate::text::words::type_text;
use pisa_module::{FunctionKind, RegisterType};

impl Checker<'_> {
    pub(super) fn flow(&mut self) {
        self.arguments();
        let function = self.function;
        let result = match &function.kind {
            FunctionKind::Function { result, .. } => *result,
            FunctionKind::Kernel { .. } => None,
        };
        let mut is_laid_out = vec![false; function.blocks.len()];
        for block in &function.layout {
            is_laid_out[block.index()] = true;
        }
        for &block in &function.layout {
            let terminator = &function.block(block).terminator;
            match terminator {
                Terminator::Goto(_) => {}
                Terminator::Branch { condition, .. } => self.condition(block, *condition),
                Terminator::Return(value) => self.returned(block, *value, result),
                Terminator::ReturnIf { condition, value, .. } => {
                    self.condition(block, *condition);
                    self.returned(block, *value, result);
                }
            }
            for target in terminator.targets() {
                self.target(block, target, &is_laid_out);
            }
        }
    }

    /// Invariant 11.
    fn arguments(&mut self) {
        let function = self.function;
        if matches!(function.kind, FunctionKind::Kernel { .. }) && !function.arguments.is_empty() {
            self.report(11, None, None, "a kernel has parameters in memory and no arguments");
        }
        let names = function.argument_names.len();
        if names != function.arguments.len() {
            let message = format!("{names} names for {} arguments", function.arguments.len());
            self.report(11, None, None, message);
        }
        let Some(entry) = function.entry() else { return };
        let parameters = &function.block(entry).parameters;
        if parameters.len() != function.arguments.len() {
            let message = format!(
                "the entry block has {} parameters, the function has {} arguments",
                parameters.len(),
                function.arguments.len()
            );
            self.report(11, Some(entry), None, message);
            return;
        }
        for (&value, &ty) in parameters.iter().zip(&function.arguments) {
            let found = function.value(value).ty;
            if found != ty {
                let name = self.value(value);
                let message = format!(
                    "`{name}` is `{}`, the argument of the function is `{}`",
                    type_text(found),
                    type_text(ty)
                );
                self.report(11, Some(entry), None, message);
            }
        }
    }

    /// Invariant 9.
    fn condition(&mut self, block: Block, condition: Operand) {
        let is_predicate = match condition {
            Operand::Value(value) | Operand::Negated(value) => self.function.value(value).ty.is_predicate(),
            Operand::Constant(constant) => constant.ty.is_predicate(),
            _ => false,
        };
        if !is_predicate {
            let text = self.operand(condition);
            self.report(9, Some(block), None, format!("the block ends on `{text}`, which is no predicate"));
        }
    }

    /// Invariant 10.
    fn returned(&mut self, block: Block, value: Option<Operand>, result: Option<RegisterType>) {
        let message = match (value, result) {
            (None, None) => return,
            (None, Some(ty)) => format!("no value is returned, the function gives `{}`", type_text(ty)),
            (Some(value), None) => {
                let text = self.operand(value);
                format!("`{text}` is returned, there is no result to give")
            }
            (Some(value), Some(ty)) => {
                let found = self.datum(value);
                if found == Some(ty) {
                    return;
                }
                let text = self.operand(value);
                let found = found.map_or("no value".to_owned(), |ty| format!("`{}`", type_text(ty)));
                format!("`{text}` is returned and is {found}, the function gives `{}`", type_text(ty))
            }
        };
        self.report(10, Some(block), None, message);
    }

    /// Invariants 6 to 8.
    fn target(&mut self, block: Block, target: &Target, is_laid_out: &[bool]) {
        let function = self.function;
        if !is_laid_out.get(target.block.index()).is_some_and(|&is| is) {
            let name = self.block_name(target.block);
            self.report(7, Some(block), None, format!("`{name}` is gone to, but is not in the function"));
            return;
        }
        if function.entry() == Some(target.block) {
            let name = self.block_name(target.block);
            self.report(
                6,
                Some(block),
                None,
                format!("`{name}` is the entry block, which nothing may go to"),
            );
        }
        let parameters = &function.block(target.block).parameters;
        let (given, taken) = (target.arguments.len(), parameters.len());
        if given != taken {
            let name = self.block_name(target.block);
            let message = format!("`{name}` has {taken} parameters, here it is given {given}");
            self.report(8, Some(block), None, message);
            return;
        }
        for (&argument, &parameter) in target.arguments.iter().zip(parameters) {
            let ty = function.value(parameter).ty;
            if self.datum(argument) != Some(ty) {
                let (text, parameter) = (self.operand(argument), self.value(parameter));
                let message = format!("`{text}` is given for `{parameter}`, which is `{}`", type_text(ty));
                self.report(8, Some(block), None, message);
            }
        }
    }

    /// The type of a value, constant or special register that is neither negated nor the active mask.
    pub(super) fn datum(&self, operand: Operand) -> Option<RegisterType> {
        match operand {
            Operand::Negated(_) | Operand::Special(pisa_module::SpecialRegister::ActiveMask) => None,
            _ => self.function.type_of(operand),
        }
    }
}
