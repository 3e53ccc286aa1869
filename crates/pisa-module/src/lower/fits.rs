//! Whether an operand fits its position.

use super::mnemonic::OperandPlan;
use super::operands::{Resolved, type_text};
use super::rules::section;
use super::{Lowerer, codes};
use crate::{Operand, RegisterUse};
use pisa_isa::{Access, Form, OperandKind, Qualifier};

/// How well an operand fits a kind of position: 0 not at all, more is better. Widths do not matter here.
pub(super) fn fit(plan: &OperandPlan, operand: &Resolved<'_>) -> u32 {
    use OperandKind as K;
    let is_register = matches!(operand, Resolved::Register { .. } | Resolved::Special { .. });
    let fits = match plan.def.kind {
        // D-10: not by the letter, and a form that takes it better goes first.
        K::Register if plan.takes_immediate && matches!(operand, Resolved::Number(_)) => return 1,
        K::Register => operand.is_scalar(),
        K::RegisterOrImmediate => operand.is_scalar() || matches!(operand, Resolved::Number(_)),
        K::Predicate | K::PredicateOrNegation => matches!(operand, Resolved::Predicate { .. }),
        K::Packed | K::Vector => {
            matches!(operand, Resolved::Register { ty, swizzle: None, .. } if ty.is_vector())
        }
        K::Swizzle => {
            // Better than a plain register: `mov` has a form of its own for it.
            if matches!(operand, Resolved::Register { swizzle: Some(_), .. }) {
                return 3;
            }
            false
        }
        K::Memory => is_register,
        K::Address | K::ParameterAddress => matches!(operand, Resolved::Address(_)),
        K::MemoryVariable => matches!(operand, Resolved::Variable { .. }),
        K::RegisterOrMemoryVariable => operand.is_scalar() || matches!(operand, Resolved::Variable { .. }),
        K::FunctionName => matches!(operand, Resolved::Function { .. }),
        K::Label => matches!(operand, Resolved::Word { .. }),
        K::ResultOrVoid => is_register || matches!(operand, Resolved::Word { text: "void", .. }),
        K::CallTarget => operand.is_scalar() || matches!(operand, Resolved::Function { .. }),
        K::Arguments => matches!(operand, Resolved::Arguments(..)),
        K::ReturnValue => is_register || matches!(operand, Resolved::Number(_)),
    };
    // Something that failed may have been anything.
    if fits || matches!(operand, Resolved::Failed(_)) { 2 } else { 0 }
}

/// What an address is checked against.
#[derive(Clone, Copy, Default)]
pub(super) struct AddressContext {
    /// The address space of the instruction, `.from` of `addrcast`.
    pub space: Option<Qualifier>,
    /// Bytes of the whole access.
    pub bytes: u32,
    /// Alignment that the access needs, in bytes.
    pub align: u32,
    /// Whether it writes.
    pub writes: bool,
}

impl<'t> Lowerer<'t> {
    /// Whether an operand fits its position, and what it is then.
    pub(super) fn check_operand(
        &mut self,
        row: &'static Form,
        plan: &OperandPlan,
        operand: &Resolved<'t>,
        candidate_address: AddressContext,
        mnemonic: &'t str,
    ) -> Option<Operand> {
        use OperandKind as K;
        if let Resolved::Failed(_) = operand {
            return None;
        }
        if let Resolved::Parameter { id, span } = operand {
            self.parameter_as_operand(*id, *span);
            return None;
        }
        if fit(plan, operand) == 0 {
            self.wrong_kind(row, plan, operand, mnemonic);
            return None;
        }
        match (plan.def.kind, operand) {
            (K::Predicate, Resolved::Predicate { negated: true, span, .. }) => {
                let diagnostic = self
                    .error(
                        codes::NEGATION_NOT_ALLOWED,
                        *span,
                        format!("`{mnemonic}` takes a predicate without `!` here"),
                    )
                    .spec(section(row))
                    .help("write the predicate without `!`");
                self.report(diagnostic);
                None
            }
            (_, Resolved::Predicate { register, negated, .. }) => {
                Some(Operand::Predicate { register: *register, negated: *negated })
            }
            (_, Resolved::Special { special, span }) => {
                if plan.def.access != Access::Read {
                    let diagnostic = self
                        .error(
                            codes::SPECIAL_WRITTEN,
                            *span,
                            format!("`{}` is read-only", self.text_at(*span)),
                        )
                        .spec("4. special registers: read-only")
                        .help("write to a register of your own");
                    self.report(diagnostic);
                    return None;
                }
                if matches!(plan.def.kind, K::Memory) && plan.elements != 1 {
                    self.wrong_elements(row, plan, operand, 1, mnemonic);
                    return None;
                }
                self.check_width(row, plan, operand, u32::from(special.bits()), mnemonic)?;
                Some(Operand::Special(*special))
            }
            (K::Packed, Resolved::Register { register, ty, span, .. }) => {
                if let Some((elements, bits)) = plan.packed
                    && (ty.elements != elements || u16::from(ty.bits) != bits)
                {
                    let diagnostic = self
                        .error(
                            codes::PACKED_SHAPE,
                            *span,
                            format!(
                                "`{}` is `{}`, `{mnemonic}` takes `.v{elements}.{bits}b` here",
                                self.text_at(*span),
                                type_text(*ty)
                            ),
                        )
                        .label(type_text(*ty))
                        .spec(format!("{}; 2.2.2 packed types", section(row)))
                        .help(format!("declare it as `.reg .v{elements}.{bits}b`"));
                    let diagnostic = self.with_declaration(diagnostic, operand);
                    self.report(diagnostic);
                    return None;
                }
                Some(Operand::Register(RegisterUse { register: *register, swizzle: None }))
            }
            (K::Vector, Resolved::Register { register, ty, .. }) => {
                self.check_width(row, plan, operand, u32::from(ty.bits), mnemonic)?;
                Some(Operand::Register(RegisterUse { register: *register, swizzle: None }))
            }
            (K::Swizzle, Resolved::Register { register, swizzle: Some(swizzle), ty, span }) => {
                let total = u32::from(swizzle.range().1) * u32::from(ty.bits);
                if total != u32::from(plan.bits) {
                    let diagnostic = self
                        .error(
                            codes::SWIZZLED_WIDTH,
                            *span,
                            format!(
                                "`{}` has {total} bits, `{mnemonic}` moves {}",
                                self.text_at(*span),
                                plan.bits
                            ),
                        )
                        .label(format!("{} × {} bits", swizzle.range().1, ty.bits))
                        .spec(section(row))
                        .help(format!("write `mov.{total}b`, or a swizzle of {} bits", plan.bits));
                    let diagnostic = self.with_declaration(diagnostic, operand);
                    self.report(diagnostic);
                    return None;
                }
                Some(Operand::Register(RegisterUse { register: *register, swizzle: Some(*swizzle) }))
            }
            (K::Memory, Resolved::Register { register, swizzle, ty, span }) => {
                let elements = swizzle.map_or(ty.elements, |s| s.range().1);
                if elements != plan.elements {
                    self.wrong_elements(row, plan, operand, elements, mnemonic);
                    return None;
                }
                self.check_width(row, plan, operand, u32::from(ty.bits), mnemonic)?;
                if elements > 1 && swizzle.is_some() {
                    self.multi_swizzle(*span);
                }
                Some(Operand::Register(RegisterUse { register: *register, swizzle: *swizzle }))
            }
            (
                K::Register | K::RegisterOrImmediate | K::RegisterOrMemoryVariable | K::CallTarget,
                Resolved::Register { register, swizzle, ty, .. },
            ) => {
                self.check_width(row, plan, operand, u32::from(ty.bits), mnemonic)?;
                Some(Operand::Register(RegisterUse { register: *register, swizzle: *swizzle }))
            }
            (K::ResultOrVoid | K::ReturnValue, Resolved::Register { register, swizzle, .. }) => {
                Some(Operand::Register(RegisterUse { register: *register, swizzle: *swizzle }))
            }
            (K::ReturnValue, Resolved::Number(_)) => None, // The function's type decides: see `control`.
            (_, Resolved::Number(literal)) => {
                let (bits, sign_extend) = self.immediate(*literal, plan.bits, plan.float, mnemonic)?;
                Some(Operand::Immediate { bits, sign_extend })
            }
            (K::Address, Resolved::Address(address)) => {
                self.check_address(row, plan, address, candidate_address, mnemonic)
            }
            (K::ParameterAddress, Resolved::Address(address)) => {
                self.check_parameter_address(row, address, candidate_address, mnemonic)
            }
            (K::RegisterOrMemoryVariable, Resolved::Variable { id, span }) => {
                self.check_variable_space(row, *id, *span, candidate_address.space, mnemonic)?;
                Some(Operand::Variable(*id))
            }
            (_, Resolved::Variable { id, .. }) => Some(Operand::Variable(*id)),
            (_, Resolved::Function { id, span }) => {
                if self.functions.get(id.index()).is_some_and(|f| f.is_kernel()) {
                    let diagnostic = self
                        .error(
                            codes::CALL_OF_KERNEL,
                            *span,
                            format!("`{}` is a kernel, which only the host can start", self.text_at(*span)),
                        )
                        .also(self.functions[id.index()].place, "declared here")
                        .spec("4.1 kernel")
                        .help("move what both need into a function");
                    self.report(diagnostic);
                    return None;
                }
                Some(Operand::Function(*id))
            }
            (K::ResultOrVoid, Resolved::Word { .. }) => Some(Operand::Void),
            (K::Label, Resolved::Word { text, span }) => self.label(text, *span).map(Operand::Label),
            _ => None,
        }
    }
}
