//! Invariants 14 to 21: operands and results are what the operation takes and gives.

use super::Checker;
use crate::function::{Block, Instruction, Operand};
use crate::operation::Operation;
use crate::signature::{Allowed, OperandShape, Role, Signature, TypeRule};
use crate::text::words::type_text;
use pisa_isa::{Form, Qualifier, Rule, SlotName};
use pisa_module::{FunctionKind, SpecialRegister, VariableId};

/// `32b`, `at most 32b`, `a vector`.
fn wanted(rule: TypeRule) -> String {
    match rule {
        TypeRule::Exactly(ty) => format!("`{}`", type_text(ty)),
        TypeRule::ScalarUpTo(bits) => format!("a scalar of at most {bits} bits"),
        TypeRule::VectorOf(bits) => format!("a vector of {bits}-bit elements"),
        TypeRule::Vector => "a vector".to_owned(),
        TypeRule::Any => "any type".to_owned(),
    }
}

impl Allowed {
    /// What may stand there, for messages.
    const fn text(self) -> &'static str {
        match self {
            Allowed::Datum | Allowed::DatumOrNegation | Allowed::DatumOrDead => "a value",
            Allowed::DatumOrVariable => "a value or memory variable",
            Allowed::Variable => "a memory variable",
            Allowed::Function => "a function",
            Allowed::FunctionOrHandle => "a function or its handle",
            Allowed::Parameter => "a kernel parameter",
        }
    }
    /// Whether an operand is of that sort; negations, dead operands and the active mask have messages of their own.
    const fn admits(self, operand: Operand) -> bool {
        match operand {
            Operand::Value(_)
            | Operand::Negated(_)
            | Operand::Constant(_)
            | Operand::Special(_)
            | Operand::Dead => !matches!(self, Allowed::Variable | Allowed::Function | Allowed::Parameter),
            Operand::Variable(_) => matches!(self, Allowed::Variable | Allowed::DatumOrVariable),
            Operand::Function(_) => matches!(self, Allowed::Function | Allowed::FunctionOrHandle),
            Operand::Parameter(_) => matches!(self, Allowed::Parameter),
        }
    }
}

impl Checker<'_> {
    /// Operands and results of one instruction; whether they are as the operation says.
    pub(super) fn signature(&mut self, block: Block, id: Instruction) -> bool {
        let before = self.errors.len();
        let at = (Some(block), Some(id));
        let data = self.function.instruction(id);
        let signature =
            Signature::of(&data.operation, &data.operands, data.results.len(), &self.module.functions);
        let (given, taken) = (data.operands.len(), signature.operands.len());
        if given == taken {
            for (&operand, shape) in data.operands.iter().zip(&signature.operands) {
                self.shaped(block, id, operand, shape);
                if shape.role == Role::Keep && self.errors.len() == before {
                    self.kept(block, id, operand);
                }
            }
        } else {
            self.report(14, at.0, at.1, format!("the operation takes {taken} operands, here it has {given}"));
        }
        let (found, given) = (data.results.len(), signature.results.len());
        if found == given {
            for (&value, &rule) in data.results.iter().zip(&signature.results) {
                let ty = self.function.value(value).ty;
                if !rule.admits(ty) {
                    let name = self.value(value);
                    let message = format!("`{name}` is `{}`, the result is {}", type_text(ty), wanted(rule));
                    self.report(17, at.0, at.1, message);
                }
            }
        } else {
            self.report(17, at.0, at.1, format!("the operation gives {given} results, here it has {found}"));
        }
        self.errors.len() == before
    }

    /// Invariant 16, of what is kept where the result is not written.
    fn kept(&mut self, block: Block, id: Instruction, operand: Operand) {
        let result = self.function.instruction(id).results.first();
        let result = result.map(|&value| self.function.value(value).ty);
        if let (Some(kept), Some(result)) = (self.function.type_of(operand), result)
            && kept != result
        {
            let text = self.operand(operand);
            let message = format!(
                "`{text}` is kept and is `{}`, the result is `{}`",
                type_text(kept),
                type_text(result)
            );
            self.report(16, Some(block), Some(id), message);
        }
    }

    fn shaped(&mut self, block: Block, id: Instruction, operand: Operand, shape: &OperandShape) {
        let at = (Some(block), Some(id));
        let name = shape.name;
        match operand {
            _ if !shape.allowed.admits(operand) => {
                let text = self.operand(operand);
                let message = format!("{name} is `{text}`, there has to be {}", shape.allowed.text());
                self.report(15, at.0, at.1, message);
                return;
            }
            Operand::Dead => {
                if shape.allowed != Allowed::DatumOrDead {
                    let message = format!("{name} is `dead`, which only the pass-through can be");
                    self.report(20, at.0, at.1, message);
                }
                return;
            }
            Operand::Special(SpecialRegister::ActiveMask) => {
                let message = format!("{name} is `%activemask`, which `activemask` has to give a value");
                self.report(19, at.0, at.1, message);
                return;
            }
            Operand::Negated(value) => {
                let is_predicate = self.function.value(value).ty.is_predicate();
                if shape.allowed != Allowed::DatumOrNegation || !is_predicate {
                    let text = self.operand(operand);
                    let why = if is_predicate {
                        "the operation has no negated predicate there"
                    } else {
                        "only predicates are negated"
                    };
                    self.report(18, at.0, at.1, format!("{name} is `{text}`: {why}"));
                    return;
                }
            }
            _ => {}
        }
        match self.function.type_of(operand) {
            Some(ty) if !shape.ty.admits(ty) => {
                let text = self.operand(operand);
                let message = format!(
                    "{name} is `{text}` of type `{}`, it has to be {}",
                    type_text(ty),
                    wanted(shape.ty)
                );
                self.report(16, at.0, at.1, message);
            }
            Some(_) => {}
            None => self.name(block, id, operand, shape),
        }
    }

    /// Invariant 21.
    fn name(&mut self, block: Block, id: Instruction, operand: Operand, shape: &OperandShape) {
        let message = match operand {
            Operand::Variable(variable) => self.variable(id, variable, shape),
            Operand::Function(callee) => match self.module.functions.get(callee.index()) {
                None => Some(format!("there is no function {}", callee.0)),
                Some(function) if matches!(function.kind, FunctionKind::Kernel { .. }) => {
                    Some(format!("`@{}` is a kernel, which only the host starts", function.name))
                }
                Some(_) => None,
            },
            Operand::Parameter(parameter) => {
                let count = match &self.function.kind {
                    FunctionKind::Kernel { parameters, .. } => parameters.len(),
                    FunctionKind::Function { .. } => 0,
                };
                (parameter.index() >= count).then(|| format!("there is no kernel parameter {}", parameter.0))
            }
            _ => None,
        };
        if let Some(message) = message {
            self.report(21, Some(block), Some(id), message);
        }
    }

    fn variable(&mut self, id: Instruction, variable: VariableId, shape: &OperandShape) -> Option<String> {
        let Some(data) = self.module.variables.get(variable.index()) else {
            return Some(format!("there is no memory variable {}", variable.0));
        };
        if data.owner.is_some_and(|owner| owner != self.id) {
            return Some(format!("`@{}` belongs to another function", data.name));
        }
        if data.owner.is_some() && !self.function.variables.contains(&variable) {
            return Some(format!("`@{}` is not in the list of the function's variables", data.name));
        }
        let Operation::Table { form, qualifiers } = &self.function.instruction(id).operation else {
            return None;
        };
        let row = pisa_isa::form(*form);
        let space = data.space.qualifier();
        // M-10: an address that begins with a variable is one of its own space.
        let slot = match shape.role {
            Role::Base => Some(SlotName::Addrspace),
            _ => space_slot(row, shape.name),
        };
        if let Some(slot) = slot
            && let Some(accessed) = row.value(qualifiers, slot)
            && accessed != space
        {
            let name = &data.name;
            return Some(format!(
                "`@{name}` is in `{}`, the operation is on `{}`",
                space.text(),
                accessed.text()
            ));
        }
        let bits = addressed_bits(row, shape.name)
            .and_then(|slot| row.value(qualifiers, slot))
            .and_then(Qualifier::bits);
        match bits {
            Some(bits) if space.address_bits() != Some(bits) => Some(format!(
                "addresses of `{}` variables have {} bits, the operation gives {bits}",
                space.text(),
                space.address_bits().unwrap_or(64)
            )),
            _ => None,
        }
    }
}

/// The slot that says in which space a variable named as operand has to be.
fn space_slot(form: &Form, operand: &str) -> Option<SlotName> {
    form.restrictions.iter().find_map(|restriction| match restriction.rule {
        Rule::AddressSpace { operand: name, slot } if name == operand => Some(slot),
        _ => None,
    })
}

/// The slot that says how many bits its address has.
fn addressed_bits(form: &Form, operand: &str) -> Option<SlotName> {
    form.restrictions.iter().find_map(|restriction| match restriction.rule {
        Rule::VariableAddressSize { operand: name, slot } if name == operand => Some(slot),
        _ => None,
    })
}
