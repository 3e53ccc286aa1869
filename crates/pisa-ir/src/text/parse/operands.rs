//! The operation of an instruction and its operands: which form of the table it is, what stands where, types of constants.

use super::build::Builder;
use super::line::{InstructionText, OperandKind, OperandText, Part};
use super::operation;
use super::tokens::Fault;
use crate::function::{Instruction, Operand};
use crate::operation::Operation;
use crate::signature::{Allowed, OperandShape, Role, Signature};
use pisa_diag::codes::ir as codes;
use pisa_module::RegisterType;
use smallvec::SmallVec;

/// An operand as written, in its place.
struct Given<'a, 't> {
    role: Role,
    /// `None` for an offset that was left out.
    text: Option<&'a OperandText<'t>>,
    /// What it is, unless it is a number.
    operand: Option<Operand>,
}

impl Given<'_, '_> {
    /// Whether the place is the one that a form has.
    fn has_role(&self, shape: &OperandShape) -> bool {
        self.role == shape.role || (self.role == Role::Source && shape.role == Role::Condition)
    }
    /// Whether it is of the sort and type that a form has there.
    fn fits(&self, shape: &OperandShape, builder: &Builder<'_, '_>) -> bool {
        match self.operand {
            Some(operand) => {
                let is_name =
                    matches!(operand, Operand::Variable(_) | Operand::Function(_) | Operand::Parameter(_));
                let wants_name =
                    matches!(shape.allowed, Allowed::Variable | Allowed::Function | Allowed::Parameter);
                match builder.function.type_of(operand) {
                    Some(ty) => !wants_name && shape.ty.admits(ty),
                    None if is_name => match shape.allowed {
                        Allowed::Variable | Allowed::DatumOrVariable => {
                            matches!(operand, Operand::Variable(_))
                        }
                        Allowed::Function | Allowed::FunctionOrHandle => {
                            matches!(operand, Operand::Function(_))
                        }
                        Allowed::Parameter => matches!(operand, Operand::Parameter(_)),
                        _ => false,
                    },
                    None => true,
                }
            }
            None => match self.text.map(|text| text.kind) {
                Some(OperandKind::Number(_, Some(ty))) => shape.ty.admits(ty),
                _ => shape.constant.is_some_and(|ty| !ty.is_predicate()),
            },
        }
    }
}

impl<'t> Builder<'_, 't> {
    /// Gives an instruction its operation and operands; what is wrong is reported.
    pub(super) fn instruction(&mut self, id: Instruction, text: &InstructionText<'t>) {
        let operations = match operation::operations(text.mnemonic) {
            Ok(operations) => operations,
            Err(fault) => {
                self.fault(fault);
                // Names are looked at all the same.
                self.given(text);
                return;
            }
        };
        let Some(given) = self.given(text) else { return };
        let results: SmallVec<[RegisterType; 2]> = text.results.iter().map(|result| result.ty).collect();
        let prepared: SmallVec<[Operand; 4]> =
            given.iter().map(|given| given.operand.unwrap_or(Operand::word(0))).collect();
        let candidates: SmallVec<[(Operation, Signature); 4]> = operations
            .iter()
            .map(|&operation| (operation, Signature::of(&operation, &prepared, results.len(), self.heads)))
            .collect();
        let has_places = |signature: &Signature| {
            signature.operands.len() == given.len()
                && signature.operands.iter().zip(&given).all(|(shape, given)| given.has_role(shape))
        };
        let fits = |signature: &Signature| {
            has_places(signature)
                && signature.results.len() == results.len()
                && signature.results.iter().zip(&results).all(|(rule, &ty)| rule.admits(ty))
                && signature.operands.iter().zip(&given).all(|(shape, given)| given.fits(shape, self))
        };
        let found = candidates.iter().find(|(_, signature)| fits(signature));
        let found = found.or_else(|| candidates.iter().find(|(_, signature)| has_places(signature)));
        let Some((operation, signature)) = found else {
            let usages: Vec<String> = candidates.iter().map(|(_, signature)| usage(signature)).collect();
            let mnemonic = text.mnemonic.text;
            let message = format!("these are not the operands of `{mnemonic}`");
            let fault = Fault::new(codes::OPERANDS, text.mnemonic.span, message);
            self.fault(
                fault.help(format!("write `{mnemonic}{}`", usages.join(&format!("` or `{mnemonic}")))),
            );
            return;
        };
        let mut operands: SmallVec<[Operand; 4]> = SmallVec::new();
        for (shape, given) in signature.operands.iter().zip(&given) {
            let operand = match (given.operand, given.text) {
                (Some(operand), _) => Some(operand),
                (None, Some(text)) => self.number(text, shape.constant),
                (None, None) => Some(Operand::word(0)),
            };
            match operand {
                Some(operand) => operands.push(operand),
                None => return,
            }
        }
        let mut operation = *operation;
        match (&mut operation, text.inactive) {
            (_, None) => {}
            (Operation::CrossLane(operation), Some((source, _))) => operation.inactive = source,
            (_, Some((_, span))) => {
                let message = format!("`{}` is no cross-lane operation", text.mnemonic.text);
                self.fault(Fault::new(codes::OPERANDS, span, message).help("leave out `inactive …`"));
            }
        }
        let data = &mut self.function.instructions[id.index()];
        data.operation = operation;
        data.operands = operands;
    }

    /// The operands in their places; `None` where a name is unknown, which was reported.
    fn given<'a>(&mut self, text: &'a InstructionText<'t>) -> Option<Vec<Given<'a, 't>>> {
        let mut given = Vec::new();
        let mut push = |role, text| given.push(Given { role, text, operand: None });
        for part in &text.parts {
            match part {
                Part::Plain(operand) => push(Role::Source, Some(operand)),
                Part::Address(base, offset) => {
                    push(Role::Base, Some(base));
                    push(Role::Offset, offset.as_ref());
                }
                Part::Index(operand) => push(Role::Index, Some(operand)),
                Part::Mask(operand) => push(Role::Mask, Some(operand)),
                Part::Keep(operand) => push(Role::Keep, Some(operand)),
                Part::Call(callee, arguments) => {
                    push(Role::Callee, Some(callee));
                    for argument in arguments {
                        push(Role::Argument, Some(argument));
                    }
                }
            }
        }
        let mut fine = true;
        for given in &mut given {
            if let Some(text) = given.text {
                match self.resolve(text) {
                    Ok(operand) => given.operand = operand,
                    Err(()) => fine = false,
                }
            }
        }
        fine.then_some(given)
    }
}

/// How the operands of an operation are written: ` data, mask …, keep …`.
fn usage(signature: &Signature) -> String {
    let mut text = String::new();
    let mut is_first = true;
    let mut shapes = signature.operands.iter().peekable();
    while let Some(shape) = shapes.next() {
        text.push_str(if is_first { " " } else { ", " });
        is_first = false;
        match shape.role {
            Role::Source | Role::Condition | Role::Offset | Role::Argument => text.push_str(shape.name),
            Role::Index => text.push_str("index …"),
            Role::Mask => text.push_str("mask …"),
            Role::Keep => text.push_str("keep …"),
            Role::Base => {
                shapes.next_if(|shape| shape.role == Role::Offset);
                text.push_str(if shape.allowed == Allowed::Parameter {
                    "[%parameter + offset]"
                } else {
                    "[base + offset]"
                });
            }
            Role::Callee => {
                let mut count = 0;
                while shapes.next_if(|shape| shape.role == Role::Argument).is_some() {
                    count += 1;
                }
                let arguments =
                    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") };
                text.push_str(&format!("@function({arguments})"));
            }
        }
    }
    text
}
