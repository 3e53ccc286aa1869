//! Invariants 1 to 5: the lists of a function name what it has.

use super::Checker;
use crate::function::{Block, Definition, Operand, Value};
use crate::text::words::type_text;
use pisa_module::{Linkage, RegisterType};

/// Whether PISA has registers of the type.
fn is_type(ty: RegisterType) -> bool {
    match ty.bits {
        1 => ty.elements == 1,
        8 | 16 | 32 | 64 | 128 => (1..=64).contains(&ty.elements),
        _ => false,
    }
}

impl Checker<'_> {
    /// Everything whose failure would make an index meaningless.
    pub(super) fn lists(&mut self) {
        let function = self.function;
        if function.layout.is_empty() != (function.linkage == Linkage::Import) {
            let message = match function.linkage {
                Linkage::Import => "an imported function has no blocks",
                _ => "a function that is not imported has at least one block",
            };
            self.report(1, None, None, message);
        }
        let mut seen = vec![false; function.blocks.len()];
        for &block in &function.layout {
            match seen.get_mut(block.index()) {
                None => {
                    let message =
                        format!("the layout has block {}, the function has none of that number", block.0);
                    self.report(1, None, None, message);
                }
                Some(true) => self.report(1, Some(block), None, "the block stands twice in the layout"),
                Some(seen) => *seen = true,
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        let mut defined = vec![false; function.values.len()];
        self.instructions(&mut defined);
        if self.errors.is_empty() {
            self.uses(&defined);
            self.used_names();
        }
    }

    /// Invariants 2 and 3, and the types of values; `defined` is told which values the layout defines.
    fn instructions(&mut self, defined: &mut [bool]) {
        let function = self.function;
        let mut seen = vec![false; function.instructions.len()];
        for &block in &function.layout {
            let data = function.block(block);
            for (number, &value) in data.parameters.iter().enumerate() {
                self.definition(block, None, value, Definition::Parameter(block, number as u32), defined);
            }
            for &instruction in &data.instructions {
                match seen.get_mut(instruction.index()) {
                    None => {
                        let message = format!(
                            "the block lists instruction {}, the function has none of that number",
                            instruction.0
                        );
                        self.report(2, Some(block), None, message);
                        continue;
                    }
                    Some(true) => {
                        self.report(2, Some(block), Some(instruction), "the instruction is listed twice");
                        continue;
                    }
                    Some(seen) => *seen = true,
                }
                for (number, &value) in function.instruction(instruction).results.iter().enumerate() {
                    let definition = Definition::Result(instruction, number as u32);
                    self.definition(block, Some(instruction), value, definition, defined);
                }
            }
        }
    }

    fn definition(
        &mut self,
        block: Block,
        instruction: Option<crate::Instruction>,
        value: Value,
        definition: Definition,
        defined: &mut [bool],
    ) {
        let Some(data) = self.function.values.get(value.index()) else {
            let message = format!("value {} is defined here, the function has none of that number", value.0);
            self.report(3, Some(block), instruction, message);
            return;
        };
        if data.definition != definition || defined[value.index()] {
            let name = self.value(value);
            let message = format!("`{name}` is defined here, but says that something else defines it");
            self.report(3, Some(block), instruction, message);
        }
        defined[value.index()] = true;
        if !is_type(data.ty) {
            let (name, ty) = (self.value(value), type_text(data.ty));
            let message = format!("`{name}` has the type `{ty}`, which PISA does not have");
            self.report(5, Some(block), instruction, message);
        }
    }

    /// Values that operands name, and the constants.
    fn uses(&mut self, defined: &[bool]) {
        let function = self.function;
        for &block in &function.layout {
            let data = function.block(block);
            for &instruction in &data.instructions {
                for &operand in &function.instruction(instruction).operands {
                    self.used(block, Some(instruction), operand, defined);
                }
            }
            data.terminator.for_each_operand(|operand| self.used(block, None, operand, defined));
        }
    }

    fn used(
        &mut self,
        block: Block,
        instruction: Option<crate::Instruction>,
        operand: Operand,
        defined: &[bool],
    ) {
        match operand {
            Operand::Value(value) | Operand::Negated(value)
                if !defined.get(value.index()).is_some_and(|&defined| defined) =>
            {
                let name = self.value(value);
                let message = format!("`{name}` is used, but nothing in the function defines it");
                self.report(4, Some(block), instruction, message);
            }
            Operand::Constant(constant) => {
                let ty = constant.ty;
                if !is_type(ty) || ty.total_bits() > 128 {
                    let ty = type_text(ty);
                    self.report(
                        5,
                        Some(block),
                        instruction,
                        format!("a constant cannot have the type `{ty}`"),
                    );
                }
            }
            _ => {}
        }
    }

    fn used_names(&mut self) {
        let function = self.function;
        let is_known = |name: Option<u32>| name.is_none_or(|name| (name as usize) < function.names.len());
        for &block in &function.layout {
            let data = function.block(block);
            let instructions = data.instructions.iter().map(|&id| function.instruction(id));
            let values = instructions.flat_map(|data| data.results.iter().copied());
            let unnamed = data.parameters.iter().copied().chain(values);
            let bad = unnamed.filter(|&value| !is_known(function.value(value).name)).count();
            if bad > 0 || !is_known(data.name) {
                self.report(
                    4,
                    Some(block),
                    None,
                    "a name of the block or its values is not in the list of names",
                );
            }
        }
    }
}
