//! Labels, calls and returns (rows C and F).

use super::mnemonic::Candidate;
use super::operands::{Resolved, type_text};
use super::rules::section;
use super::{Lowerer, codes};
use crate::{Function, FunctionKind, LabelId, Operand, RegisterType, RegisterUse};
use pisa_diag::{Diagnostic, Span};
use pisa_isa::OperandKind;
use smallvec::SmallVec;

impl<'t> Lowerer<'t> {
    /// A label by name; labels are visible in the whole function (G-13).
    pub(super) fn label(&mut self, name: &str, span: Span) -> Option<LabelId> {
        if let Some(&id) = self.body.labels.get(name) {
            return Some(id);
        }
        let search = self.may_search(self.body.labels.len());
        let labels = self.body.labels.keys().copied().take(if search { usize::MAX } else { 0 });
        let near = pisa_isa::nearest(name, labels);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("put `{name}:` on a line of its own before the instruction to go to"),
        };
        let diagnostic = self
            .error(codes::UNKNOWN_LABEL, span, format!("this function has no label `{name}`"))
            .spec("6.2 goto: a named location within the current function")
            .help(help);
        self.report(diagnostic);
        None
    }

    /// Type of a register operand after its swizzle.
    fn operand_type(operand: &Resolved<'_>) -> Option<RegisterType> {
        match operand {
            Resolved::Register { ty, swizzle, .. } => {
                Some(RegisterType { elements: swizzle.map_or(ty.elements, |s| s.range().1), bits: ty.bits })
            }
            Resolved::Special { special, .. } => Some(RegisterType::scalar(special.bits())),
            _ => None,
        }
    }

    /// E7, where a register of several elements by swizzle is passed on.
    fn note_multi_swizzle(&mut self, operand: &Resolved<'t>) {
        if let Resolved::Register { swizzle: Some(swizzle), span, .. } = operand
            && swizzle.range().1 > 1
        {
            self.multi_swizzle(*span);
        }
    }

    /// Result, target and arguments of a call, which the function's declaration decides.
    pub(super) fn check_call(
        &mut self,
        candidate: &Candidate,
        operands: &[Resolved<'t>],
        result: &mut SmallVec<[Operand; 4]>,
        span: Span,
    ) -> bool {
        let kind_at = |kind| candidate.operands.iter().position(|p| p.def.kind == kind);
        let (Some(at_result), Some(at_target), Some(at_arguments)) = (
            kind_at(OperandKind::ResultOrVoid),
            kind_at(OperandKind::CallTarget),
            kind_at(OperandKind::Arguments),
        ) else {
            return true;
        };
        let (Some(retval), Some(target), Some(Resolved::Arguments(arguments, list_span))) =
            (operands.get(at_result), operands.get(at_target), operands.get(at_arguments))
        else {
            return false;
        };
        let mut fine = true;
        let signature = match target {
            Resolved::Function { id, .. } => {
                self.functions.get(id.index()).map(|f| (*id, signature(f), f.place))
            }
            _ => None,
        };
        if let Some((_, (declared, _), place)) = &signature {
            let found = Self::operand_type(retval);
            if found != *declared {
                let wanted = declared.map_or("void".to_owned(), |ty| format!("`{}`", type_text(ty)));
                let text = self.text_at(retval.span());
                let diagnostic = self
                    .error(
                        codes::CALL_RESULT,
                        retval.span(),
                        match (found, declared) {
                            (None, _) => format!(
                                "`{}` returns {wanted}, this call drops it",
                                self.text_at(target.span())
                            ),
                            (Some(_), None) => format!("`{}` returns nothing", self.text_at(target.span())),
                            (Some(ty), Some(_)) => format!(
                                "`{}` returns {wanted}, `{text}` is `{}`",
                                self.text_at(target.span()),
                                type_text(ty)
                            ),
                        },
                    )
                    .also(*place, "declared here")
                    .spec(format!(
                        "{}: type of retval must match the function's return type",
                        section(candidate.row)
                    ))
                    .help(match declared {
                        None => "write `void`".to_owned(),
                        Some(ty) => format!("give a register of that type: `.reg {} %t;`", type_text(*ty)),
                    });
                self.report(diagnostic);
                fine = false;
            }
        }
        self.note_multi_swizzle(retval);
        let parameters = signature.as_ref().map(|(_, (_, parameters), _)| parameters.clone());
        if let (Some(parameters), Some((_, _, place))) = (&parameters, &signature)
            && parameters.len() != arguments.len()
        {
            let plural = if parameters.len() == 1 { "argument" } else { "arguments" };
            let diagnostic = self
                .error(
                    codes::ARGUMENT_COUNT,
                    *list_span,
                    format!(
                        "`{}` takes {} {plural}, here are {}",
                        self.text_at(target.span()),
                        parameters.len(),
                        arguments.len()
                    ),
                )
                .also(*place, "declared here")
                .spec("4.4 function arguments")
                .help(format!("its parameters are ({})", type_list(parameters)));
            self.report(diagnostic);
            fine = false;
        }
        for (i, argument) in arguments.iter().enumerate() {
            let found = match &**argument {
                Resolved::Failed(_) => {
                    fine = false;
                    continue;
                }
                Resolved::Register { register, swizzle, .. } => {
                    result.push(Operand::Register(RegisterUse { register: *register, swizzle: *swizzle }));
                    Self::operand_type(argument)
                }
                Resolved::Special { special, .. } => {
                    result.push(Operand::Special(*special));
                    Self::operand_type(argument)
                }
                other => {
                    let help = match other {
                        Resolved::Number(literal) => {
                            format!(
                                "`mov.32b %t, {};` first, with the width that it needs",
                                self.text_at(literal.span)
                            )
                        }
                        Resolved::Predicate { .. } => {
                            "`sel.32b %t, 1, 0, %p;` makes a number of it".to_owned()
                        }
                        Resolved::Parameter { .. } => "load it with `ld.param` first".to_owned(),
                        _ => "`addrof` takes addresses".to_owned(),
                    };
                    let diagnostic = self
                        .error(
                            codes::ARGUMENT_KIND,
                            other.span(),
                            format!("arguments are registers, this is {}", other.description()),
                        )
                        .spec("4.4 function arguments; 6.1 call")
                        .help(help);
                    self.report(diagnostic);
                    fine = false;
                    continue;
                }
            };
            let wanted = parameters.as_ref().and_then(|p| p.get(i)).copied();
            if let (Some(found), Some(wanted), Some((id, ..))) = (found, wanted, &signature)
                && found != wanted
            {
                let text = self.text_at(argument.span());
                let mut diagnostic = self
                    .error(
                        codes::ARGUMENT_TYPE,
                        argument.span(),
                        format!(
                            "argument {} is `{}`, the function takes `{}`",
                            i + 1,
                            type_text(found),
                            type_text(wanted)
                        ),
                    )
                    .label(type_text(found))
                    .spec("4.4 function arguments: no implicit conversion")
                    .help(conversion_help(text, found, wanted));
                if let Some(place) = parameter_place(&self.functions[id.index()], i) {
                    diagnostic = diagnostic.also(place, "parameter declared here");
                }
                self.report(diagnostic);
                fine = false;
                continue;
            }
            self.note_multi_swizzle(argument);
        }
        if let Some((id, ..)) = signature
            && id == self.body.function
            && fine
        {
            let diagnostic = self
                .lint(codes::RECURSION, span, "this function calls itself")
                .spec("4.3 function")
                .note("calls nest at most 1024 deep by default when run");
            self.report(diagnostic);
        }
        fine
    }

    /// C-07, F-05: the value is there exactly in a non-void function, and of its type.
    pub(super) fn check_return(
        &mut self,
        candidate: &Candidate,
        operands: &[Resolved<'t>],
        result: &mut SmallVec<[Operand; 4]>,
        span: Span,
    ) -> bool {
        let at = candidate.operands.iter().position(|p| p.def.kind == OperandKind::ReturnValue);
        let value = at.and_then(|i| operands.get(i));
        let function = &self.functions[self.body.function.index()];
        let (declared, place, kernel) = (signature(function).0, function.place, function.is_kernel());
        let fail = |this: &mut Self, diagnostic: Diagnostic| {
            let diagnostic = diagnostic.also(place, "of this").spec(section(candidate.row));
            this.report(diagnostic);
            false
        };
        match (declared, value) {
            (None, None) => true,
            (None, Some(value)) => {
                let what =
                    if kernel { "a kernel returns nothing" } else { "a `void` function returns nothing" };
                let diagnostic = self
                    .error(codes::RETURN_VALUE, value.span(), what)
                    .help("write `return` without a value");
                fail(self, diagnostic)
            }
            (Some(ty), None) => {
                let diagnostic = self
                    .error(codes::RETURN_VALUE, span, format!("this function returns `{}`", type_text(ty)))
                    .help("give the value");
                fail(self, diagnostic)
            }
            (Some(ty), Some(Resolved::Number(literal))) => {
                if ty.is_vector() {
                    let diagnostic = self
                        .error(
                            codes::RETURN_TYPE,
                            literal.span,
                            format!("this function returns `{}`, an immediate is a scalar", type_text(ty)),
                        )
                        .help("return a register");
                    return fail(self, diagnostic);
                }
                match self.immediate(*literal, u16::from(ty.bits), None, candidate.row.opcode.text()) {
                    Some((bits, sign_extend)) => {
                        result.push(Operand::Immediate { bits, sign_extend });
                        true
                    }
                    None => false,
                }
            }
            (Some(ty), Some(value)) => {
                let Some(found) = Self::operand_type(value) else { return false };
                if found != ty {
                    let text = self.text_at(value.span());
                    let diagnostic = self
                        .error(
                            codes::RETURN_TYPE,
                            value.span(),
                            format!(
                                "this function returns `{}`, `{text}` is `{}`",
                                type_text(ty),
                                type_text(found)
                            ),
                        )
                        .label(type_text(found))
                        .help(conversion_help(text, found, ty));
                    return fail(self, diagnostic);
                }
                self.note_multi_swizzle(value);
                true
            }
        }
    }
}

/// Result and parameter types of a function.
pub(crate) fn signature(function: &Function) -> (Option<RegisterType>, Vec<RegisterType>) {
    match &function.kind {
        FunctionKind::Kernel { .. } => (None, Vec::new()),
        FunctionKind::Function { result, parameters } => (
            *result,
            parameters.iter().filter_map(|p| function.registers.get(p.index())).map(|r| r.ty).collect(),
        ),
    }
}

fn parameter_place(function: &Function, index: usize) -> Option<pisa_diag::Place> {
    match &function.kind {
        FunctionKind::Function { parameters, .. } => {
            parameters.get(index).and_then(|p| function.registers.get(p.index())).map(|r| r.place)
        }
        FunctionKind::Kernel { .. } => None,
    }
}

fn type_list(types: &[RegisterType]) -> String {
    types.iter().map(|ty| type_text(*ty)).collect::<Vec<_>>().join(", ")
}

fn conversion_help(text: &str, found: RegisterType, wanted: RegisterType) -> String {
    if found.is_vector() || wanted.is_vector() {
        return format!("use a register of type `{}`", type_text(wanted));
    }
    let (from, to) = (found.bits, wanted.bits);
    if from > to {
        format!("`trunc.{to}b.{from}b %t, {text};` takes the low part")
    } else {
        format!("`zext.{to}b.{from}b %t, {text};` or `sext.{to}b.{from}b %t, {text};` extends it")
    }
}
