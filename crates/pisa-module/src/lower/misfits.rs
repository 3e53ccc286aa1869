//! Messages about operands that do not fit, and about their number.

use super::mnemonic::{OperandPlan, Presence};
use super::operands::Resolved;
use super::rules::section;
use super::{Lowerer, codes};
use crate::ParameterId;
use pisa_diag::Span;
use pisa_isa::{Access, Form, Opcode, OperandKind, SlotName};

impl<'t> Lowerer<'t> {
    pub(super) fn with_declaration(
        &self,
        diagnostic: pisa_diag::Diagnostic,
        operand: &Resolved<'t>,
    ) -> pisa_diag::Diagnostic {
        match self.declaration(operand) {
            Some(place) => diagnostic.also(place, "declared here"),
            None => diagnostic,
        }
    }

    /// E7: `.xy` and the like outside `mov`.
    pub(super) fn multi_swizzle(&mut self, span: Span) {
        let diagnostic = self
            .departure(
                codes::MULTI_SWIZZLE,
                span,
                format!("`{}` takes several elements outside `mov`", self.text_at(span)),
            )
            .spec("3.4 vector operands: multi-element swizzles belong to `mov`")
            .help("copy the elements with `mov` first");
        self.report(diagnostic);
    }

    pub(super) fn parameter_as_operand(&mut self, id: ParameterId, span: Span) {
        let mut diagnostic = self
            .error(
                codes::PARAMETER_AS_OPERAND,
                span,
                format!("`{}` is a kernel parameter, only `ld.param` can read it", self.text_at(span)),
            )
            .spec("4.2 kernel parameters")
            .help(format!(
                "load it first: `ld.param.32b %t, [{}];`, with the width that it has",
                self.text_at(span)
            ));
        if let Some(place) = self.declaration(&Resolved::Parameter { id, span }) {
            diagnostic = diagnostic.also(place, "declared here");
        }
        self.report(diagnostic);
    }

    pub(super) fn wrong_elements(
        &mut self,
        row: &'static Form,
        plan: &OperandPlan,
        operand: &Resolved<'t>,
        elements: u8,
        mnemonic: &str,
    ) {
        let text = self.text_at(operand.span());
        let message = match (elements, plan.elements) {
            (1, wanted) => format!("`{text}` is a scalar, `{mnemonic}` takes a vector of {wanted} elements"),
            (found, 1) => format!("`{text}` has {found} elements, `{mnemonic}` takes a scalar"),
            (found, wanted) => format!("`{text}` has {found} elements, `{mnemonic}` takes {wanted}"),
        };
        let help = match (elements, plan.elements) {
            (found, 1) => format!("write `.v{found}` in the mnemonic, or one element such as `{text}.x`"),
            (1, wanted) => {
                format!("declare it as `.reg .v{wanted}.{}b`, or leave `.v{wanted}` out", plan.bits)
            }
            (found, _) => format!("write `.v{found}` in the mnemonic"),
        };
        let diagnostic = self
            .error(codes::ELEMENT_COUNT, operand.span(), message)
            .label(if elements == 1 { "scalar".to_owned() } else { format!("{elements} elements") })
            .spec(section(row))
            .help(help);
        let diagnostic = self.with_declaration(diagnostic, operand);
        self.report(diagnostic);
    }

    /// The width of a register against that of its position.
    pub(super) fn check_width(
        &mut self,
        row: &'static Form,
        plan: &OperandPlan,
        operand: &Resolved<'t>,
        bits: u32,
        mnemonic: &str,
    ) -> Option<()> {
        let wanted = u32::from(plan.bits);
        if wanted == 0 || bits == wanted {
            return Some(());
        }
        let text = self.text_at(operand.span());
        let reads = plan.def.access == Access::Read;
        let verb = if reads { "reads" } else { "writes" };
        let diagnostic = self
            .error(
                codes::WRONG_WIDTH,
                operand.span(),
                format!("`{text}` is {bits} bits wide, `{mnemonic}` {verb} {wanted}"),
            )
            .label(format!("{bits} bits"))
            .spec(section(row))
            .help(width_help(row, plan, mnemonic, bits, wanted, text));
        let diagnostic = self.with_declaration(diagnostic, operand);
        self.report(diagnostic);
        None
    }

    /// The operand is of a kind that the position does not take at all.
    pub(super) fn wrong_kind(
        &mut self,
        row: &'static Form,
        plan: &OperandPlan,
        operand: &Resolved<'t>,
        mnemonic: &str,
    ) {
        use OperandKind as K;
        let kind = plan.def.kind;
        let span = operand.span();
        let text = self.text_at(span);
        let wanted = match kind {
            K::Register => "a register",
            K::RegisterOrImmediate => "a register or an immediate",
            K::Predicate | K::PredicateOrNegation => "a predicate",
            K::Packed | K::Vector => "a vector register",
            K::Swizzle => "a vector register with a swizzle",
            K::Memory => "a register",
            K::Address => "an address in brackets",
            K::ParameterAddress => "a kernel parameter in brackets",
            K::MemoryVariable => "a memory variable",
            K::RegisterOrMemoryVariable => "a register or a memory variable",
            K::FunctionName => "a function",
            K::Label => "a label",
            K::ResultOrVoid => "a register or `void`",
            K::CallTarget => "a function or a 64-bit register",
            K::Arguments => "arguments in parentheses",
            K::ReturnValue => "a register or an immediate",
        };
        let name = plan.def.name;
        let (code, help) = match (kind, operand) {
            (_, Resolved::Number(_)) => (
                codes::IMMEDIATE_NOT_ALLOWED,
                Some(match kind {
                    K::Packed => {
                        "packed operands are registers; there is no vector of immediates (spec 2.2.2)"
                            .to_owned()
                    }
                    K::Predicate | K::PredicateOrNegation => "compare into a predicate first".to_owned(),
                    K::Address => format!("write an address in brackets, such as `[%base + {text}]`"),
                    _ if plan.bits != 0 => format!("`mov.{0}b %t, {text};` first", plan.bits),
                    _ => format!("name {wanted}"),
                }),
            ),
            (K::Packed, Resolved::Register { ty, .. }) => {
                let (elements, bits) = plan.packed.unwrap_or((2, 16));
                let _ = ty;
                (
                    codes::PACKED_SHAPE,
                    Some(format!("declare it as `.reg .v{elements}.{bits}b` and name it without a swizzle")),
                )
            }
            (K::Packed, Resolved::Special { .. }) => (codes::PACKED_SHAPE, None),
            (K::Vector, Resolved::Register { swizzle: Some(_), .. }) => {
                (codes::BAD_SWIZZLE, Some("name the whole vector".to_owned()))
            }
            (
                K::Register | K::RegisterOrImmediate | K::RegisterOrMemoryVariable | K::CallTarget,
                Resolved::Register { swizzle, .. },
            ) => (
                codes::VECTOR_FOR_SCALAR,
                Some(if row.opcode == Opcode::Mov && swizzle.is_none() {
                    format!("`mov` takes vectors with a swizzle: `{text}.x`, `{text}.xy`, …")
                } else {
                    match swizzle {
                        None => format!("name one element, such as `{text}.x`"),
                        Some(_) => "name one element: `.x`, `.y`, `.z` or `.w`".to_owned(),
                    }
                }),
            ),
            (K::MemoryVariable, Resolved::Function { .. }) => {
                (codes::OPERAND_KIND, Some("the address of a function has 64 bits: `addrof.64b`".to_owned()))
            }
            (K::CallTarget, Resolved::Variable { .. }) => (
                codes::CALL_TARGET,
                Some("call a function, or load its address into a 64-bit register".to_owned()),
            ),
            (K::CallTarget, _) => (codes::CALL_TARGET, None),
            (K::Address, Resolved::Register { .. } | Resolved::Variable { .. }) => {
                (codes::OPERAND_KIND, Some(format!("write `[{text}]`")))
            }
            (_, Resolved::Address(_)) => {
                (codes::OPERAND_KIND, Some("memory is read by `ld` and written by `st`".to_owned()))
            }
            (K::Predicate | K::PredicateOrNegation, Resolved::Register { .. } | Resolved::Special { .. }) => {
                (
                    codes::OPERAND_KIND,
                    Some(format!("make a predicate of it: `ucmp.ne.{}b %p, {text}, 0;`", plan.bits.max(32))),
                )
            }
            (_, Resolved::Predicate { .. }) => (
                codes::OPERAND_KIND,
                Some("`sel.32b %t, 1, 0, %p;` makes a number of a predicate".to_owned()),
            ),
            _ => (codes::OPERAND_KIND, None),
        };
        let mut diagnostic = self
            .error(
                code,
                span,
                format!("`{mnemonic}` takes {wanted} as `{name}`, this is {}", operand.description()),
            )
            .label(operand.description())
            .spec(section(row));
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        let diagnostic = self.with_declaration(diagnostic, operand);
        self.report(diagnostic);
    }

    /// Whether the number of operands fits; complains if not.
    pub(super) fn check_count(
        &mut self,
        row: &'static Form,
        plans: &[OperandPlan],
        operands: &[Resolved<'t>],
        mnemonic: &str,
        span: Span,
    ) -> bool {
        let required = plans.iter().filter(|p| p.presence == Presence::Required).count();
        let most = plans.iter().filter(|p| p.presence != Presence::Forbidden).count();
        if (required..=most).contains(&operands.len()) {
            return true;
        }
        let names: Vec<_> =
            plans.iter().filter(|p| p.presence != Presence::Forbidden).map(|p| p.def.name).collect();
        // A missing or superfluous operand that another qualifier would make right is named.
        let only_when = row.restrictions.iter().find(|r| match r.rule {
            pisa_isa::Rule::OperandOnlyWhen { operand, .. } => {
                let missing = names.get(operands.len());
                let surplus =
                    operands.len().checked_sub(1).and_then(|last| plans.get(last)).map(|p| p.def.name);
                (operands.len() < required && missing == Some(&operand))
                    || (operands.len() > most && surplus == Some(operand))
            }
            _ => false,
        });
        let (code, place) = match only_when {
            Some(_) => (codes::OPERAND_ONLY_WHEN, operands.last().map_or(span, |o| o.span())),
            None if operands.len() > most => (codes::OPERAND_COUNT, operands[most].span()),
            None => (codes::OPERAND_COUNT, span),
        };
        let count = if required == most { format!("{most}") } else { format!("{required} to {most}") };
        let plural = if most == 1 { "operand" } else { "operands" };
        let mut diagnostic = self
            .error(code, place, format!("`{mnemonic}` takes {count} {plural}, here are {}", operands.len()))
            .spec(match only_when {
                Some(restriction) => format!("{}: {}", section(row), restriction.text),
                None => section(row),
            });
        diagnostic = if names.is_empty() {
            diagnostic.help("remove the operands")
        } else {
            diagnostic.help(format!("its operands are {}", names.join(", ")))
        };
        self.report(diagnostic);
        false
    }
}

/// What to do about a width.
fn width_help(row: &Form, plan: &OperandPlan, mnemonic: &str, bits: u32, wanted: u32, text: &str) -> String {
    let mut ways = Vec::new();
    let float = plan.float.is_some();
    if plan.def.access == Access::Read {
        ways.push(match (float, bits > wanted) {
            (true, true) => match (bits, wanted) {
                (64, 32) => format!("`ftrunc.f.df %t, {text};` rounds a `.df`"),
                (64, 16) => format!("`ftrunc.hf.df %t, {text};` rounds a `.df`"),
                _ => format!("`ftrunc.hf.f %t, {text};` rounds a `.f`"),
            },
            (true, false) => match (bits, wanted) {
                (32, 64) => format!("`fext.df.f %t, {text};` extends a `.f`"),
                (16, 64) => format!("`fext.df.hf %t, {text};` extends a `.hf`"),
                _ => format!("`fext.f.hf %t, {text};` extends a `.hf`"),
            },
            (false, true) => format!("`trunc.{wanted}b.{bits}b %t, {text};` takes the low part"),
            (false, false) => {
                format!(
                    "`zext.{wanted}b.{bits}b %t, {text};` or `sext.{wanted}b.{bits}b %t, {text};` extends it"
                )
            }
        });
    } else {
        ways.push(format!("declare a destination of {wanted} bits: `.reg .{wanted}b`"));
    }
    // Another type of the same form, when the width follows the type.
    if let pisa_isa::Width::Slot(SlotName::Type) = plan.def.width {
        let types = row.slots.iter().find(|s| s.name == SlotName::Type).map(|s| s.values);
        if let Some(pisa_isa::Values::OneOf(list)) = types
            && let Some((head, _)) = mnemonic.rsplit_once('.')
        {
            let others = list.iter().filter(|q| q.bits() == Some(bits as u16) && q.packed().is_none());
            let others: Vec<String> = others.map(|q| format!("`{head}{}`", q.text())).collect();
            if !others.is_empty() {
                ways.push(format!("for {bits} bits write {}", others.join(" or ")));
            }
        }
    }
    ways.join("; ")
}
