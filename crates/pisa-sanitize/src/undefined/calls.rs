//! Calls through registers (6.1, C-03, F-11).

use super::{Here, read};
use crate::describe::first_lane;
use crate::finding::{Findings, Text};
use pisa_diag::codes::finding::undefined as codes;
use pisa_isa::SlotName;
use pisa_machine::LANES;
use pisa_module::{Function, FunctionId, FunctionKind, Operand, RegisterType};

impl Here<'_, '_> {
    pub(super) fn call(&self, target: usize, findings: &mut Findings) {
        let step = self.step;
        let lanes = if step.instruction.has(SlotName::Cond) {
            step.view.predicate(0) & step.lanes
        } else {
            step.lanes
        };
        let handles = read(step, target, 0);
        let (mut nothing, mut other) = (0u32, 0u32);
        let mut mismatch: Option<(FunctionId, String)> = None;
        // Lanes mostly call the same function.
        let mut last: Option<(u64, bool)> = None;
        for lane in (0..LANES as usize).filter(|lane| lanes >> lane & 1 == 1) {
            let handle = handles[lane];
            let Some(id) = self.context.image.function_of(handle) else {
                nothing |= 1 << lane;
                continue;
            };
            let differs = match last {
                Some((known, differs)) if known == handle => differs,
                _ => match self.difference(target, self.context.image.program.function(id)) {
                    Some(what) => {
                        mismatch.get_or_insert((id, what));
                        true
                    }
                    None => false,
                },
            };
            last = Some((handle, differs));
            other |= u32::from(differs) << lane;
        }
        if nothing != 0 {
            findings.report(codes::CALL_TO_NO_FUNCTION, step, nothing, None, || {
                let (lane, name) = (first_lane(nothing), self.name(target));
                Text {
                    message: format!("`{name}` holds no function"),
                    label: format!("lane {lane}: `{name}` is {:#x}", handles[lane]),
                    notes: vec!["it stops the launch (P0610)".to_owned()],
                    spec: "6.1 call: undefined behavior if contents of the register do not point to function code",
                    help: "only what `addrof.64b` gives for a function can be called".to_owned(),
                    ..Text::default()
                }
            });
        }
        if let Some((id, what)) = mismatch {
            findings.report(codes::CALL_SIGNATURE, step, other, None, || {
                let function = self.context.image.program.function(id);
                Text {
                    message: format!("the call does not fit `@{}`: {what}", function.name),
                    label: format!("lane {} calls `@{}`", first_lane(other), function.name),
                    also: vec![(function.place, "declared here".to_owned())],
                    notes: vec!["what is missing is undefined, what is left over is dropped".to_owned()],
                    spec: "4.4 Function Arguments, 6.1 call",
                    help: "call it with the arguments and the result that it declares".to_owned(),
                }
            });
        }
    }

    /// How the call differs from what the function declares.
    fn difference(&self, target: usize, callee: &Function) -> Option<String> {
        let FunctionKind::Function { result, parameters } = &callee.kind else { return None };
        let caller = self.context.image.program.function(self.step.function);
        let operands = &self.step.instruction.operands;
        let given = operands.get(target + 1..).unwrap_or_default();
        if given.len() != parameters.len() {
            return Some(format!("it takes {}, the call gives {}", arguments(parameters.len()), given.len()));
        }
        for (number, (argument, parameter)) in given.iter().zip(parameters).enumerate() {
            let wanted = callee.registers.get(parameter.index()).map(|register| register.ty)?;
            let has = type_of(caller, argument)?;
            if has != wanted {
                return Some(format!(
                    "argument {number} is {}, the call gives {}",
                    type_text(wanted),
                    type_text(has)
                ));
            }
        }
        match (operands.get(target.checked_sub(1)?)?, result) {
            (Operand::Void, _) => None,
            (_, None) => Some("it gives no result, the call takes one".to_owned()),
            (operand, Some(result)) => {
                let has = type_of(caller, operand)?;
                let differs = has != *result;
                differs.then(|| format!("it gives {}, the call takes {}", type_text(*result), type_text(has)))
            }
        }
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

fn type_of(function: &Function, operand: &Operand) -> Option<RegisterType> {
    match operand {
        Operand::Register(used) => {
            let ty = function.registers.get(used.register.index())?.ty;
            let elements = used.swizzle.map_or(ty.elements, |swizzle| swizzle.range().1);
            Some(RegisterType { elements, bits: ty.bits })
        }
        Operand::Special(special) => Some(RegisterType::scalar(special.bits())),
        _ => None,
    }
}

/// `.v4.32b`.
fn type_text(ty: RegisterType) -> String {
    if ty.is_vector() { format!("`.v{}.{}b`", ty.elements, ty.bits) } else { format!("`.{}b`", ty.bits) }
}
