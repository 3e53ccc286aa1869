//! Address operands (spec 3.3; rows Z, M-07 to M-12, K-04 to K-06).

use super::fits::AddressContext;
use super::immediates::{self, Literal, LiteralValue};
use super::mnemonic::OperandPlan;
use super::operands::Resolved;
use super::rules::section;
use super::scopes::Name;
use super::{Lowerer, codes, symbol_name};
use crate::{
    AddressBase, AddressOffset, Operand, ParameterId, RegisterId, RegisterType, RegisterUse, Space,
    SpecialRegister, Swizzle, VariableId,
};
use pisa_diag::Span;
use pisa_isa::{Form, Qualifier};
use pisa_syntax::{Node, NodeKind, TokenKind};

/// `[base ± offset]` with its names resolved.
#[derive(Clone, Debug)]
pub(super) struct AddressText<'t> {
    pub span: Span,
    base: Part<'t>,
    offset: Option<Part<'t>>,
    /// Where a `-` stands between base and offset.
    minus: Option<Span>,
    /// Whether a kernel parameter was written with `@` (K-05).
    at_sigil: bool,
}

/// A base or an offset.
#[derive(Clone, Debug)]
enum Part<'t> {
    Register {
        register: RegisterId,
        swizzle: Option<Swizzle>,
        ty: RegisterType,
        span: Span,
    },
    Special {
        special: SpecialRegister,
        span: Span,
    },
    Variable {
        id: VariableId,
        span: Span,
    },
    Parameter {
        id: ParameterId,
        span: Span,
    },
    Number(Literal<'t>),
    /// Something else, described.
    Other(&'static str, Span),
    Failed,
}

impl<'t> Lowerer<'t> {
    pub(super) fn resolve_address(&mut self, node: Node<'t>) -> AddressText<'t> {
        let span = node.span();
        let mut address =
            AddressText { span, base: Part::Failed, offset: None, minus: None, at_sigil: false };
        let mut children = node.children();
        let Some(base) = children.next() else { return address };
        address.base = self.address_part(base, &mut address.at_sigil);
        if let Some(offset) = children.next() {
            let end = base.span().end;
            let sign = node.tokens().find(|t| t.span().start >= end);
            address.minus = sign.filter(|t| t.kind() == TokenKind::Minus).map(|t| t.span());
            address.offset = Some(self.address_part(offset, &mut false));
        }
        address
    }

    fn address_part(&mut self, node: Node<'t>, at_sigil: &mut bool) -> Part<'t> {
        if node.kind() == NodeKind::SymbolOperand {
            // A parameter that was written like a variable, unless a variable has the name.
            let name = symbol_name(node.text());
            if self.body.locals.get(name).is_none()
                && !self.symbols.contains_key(name)
                && let Some(Name::Parameter(id)) = self.body.names.get(name)
            {
                *at_sigil = true;
                return Part::Parameter { id, span: node.span() };
            }
        }
        match self.resolve(node) {
            Resolved::Register { register, swizzle, ty, span } => {
                Part::Register { register, swizzle, ty, span }
            }
            Resolved::Special { special, span } => Part::Special { special, span },
            Resolved::Variable { id, span } => Part::Variable { id, span },
            Resolved::Parameter { id, span } => Part::Parameter { id, span },
            Resolved::Number(literal) => Part::Number(literal),
            Resolved::Failed(_) => Part::Failed,
            other => Part::Other(other.description(), other.span()),
        }
    }

    /// An address of `ld`, `st`, `iatom`, `fatom`.
    pub(super) fn check_address(
        &mut self,
        row: &'static Form,
        plan: &OperandPlan,
        address: &AddressText<'t>,
        context: AddressContext,
        mnemonic: &str,
    ) -> Option<Operand> {
        let space = context.space.unwrap_or(Qualifier::Generic);
        let base = match address.base {
            Part::Register { register, swizzle, ty, span } => {
                self.scalar_part(row, swizzle, ty, span)?;
                self.base_width(row, u32::from(ty.bits), plan.bits, space, span, mnemonic, Some(register))?;
                AddressBase::Register(RegisterUse { register, swizzle })
            }
            Part::Special { special, span } => {
                self.base_width(row, u32::from(special.bits()), plan.bits, space, span, mnemonic, None)?;
                AddressBase::Special(special)
            }
            Part::Variable { id, span } => {
                if context.writes && self.variables[id.index()].space == Space::Const {
                    let diagnostic = self
                        .error(
                            codes::STORE_TO_CONST,
                            span,
                            format!("`{}` is constant, `{mnemonic}` writes to it", self.text_at(span)),
                        )
                        .also(self.variables[id.index()].place, "declared here")
                        .spec("2.1.5 constant space")
                        .help("declare it `.global`, or store elsewhere");
                    self.report(diagnostic);
                    return None;
                }
                self.check_variable_space(row, id, span, Some(space), mnemonic)?;
                AddressBase::Variable(id)
            }
            Part::Parameter { span, .. } => {
                let diagnostic = self
                    .error(
                        codes::PARAMETER_AS_OPERAND,
                        span,
                        format!(
                            "`{}` is a kernel parameter, only `ld.param` can read it",
                            self.text_at(span)
                        ),
                    )
                    .spec("4.2 kernel parameters")
                    .help("load the pointer with `ld.param.64b` first, then use the register");
                self.report(diagnostic);
                return None;
            }
            Part::Number(literal) => {
                let diagnostic = self
                    .error(
                        codes::ADDRESS_FORM,
                        literal.span,
                        format!("`{mnemonic}` takes no immediate address"),
                    )
                    .spec(format!("{}; 3.3 address operands", section(row)))
                    .help(format!("`mov.{}b %t, …;` first, then `[%t]`", plan.bits));
                self.report(diagnostic);
                return None;
            }
            Part::Other(what, span) => return self.bad_part(row, what, span, mnemonic),
            Part::Failed => return None,
        };
        let offset = self.address_offset(row, address, plan.bits, true, mnemonic)?;
        if let (AddressBase::Variable(id), AddressOffset::Immediate(offset)) = (base, offset) {
            self.alignment_lint(id, offset, context.align, address.span, mnemonic);
        }
        Some(Operand::Address { base, offset })
    }

    /// An address of `ld.param`.
    pub(super) fn check_parameter_address(
        &mut self,
        row: &'static Form,
        address: &AddressText<'t>,
        context: AddressContext,
        mnemonic: &str,
    ) -> Option<Operand> {
        let function = self.body.function;
        let in_kernel = self.functions[function.index()].is_kernel();
        if matches!(address.base, Part::Failed) {
            return None;
        }
        if !in_kernel {
            let diagnostic = self
                .error(
                    codes::LD_PARAM_IN_FUNCTION,
                    address.span,
                    "`ld.param` reads kernel parameters, this is a function",
                )
                .spec("4.2 kernel parameters")
                .help("arguments of functions are registers; pass what the kernel loaded");
            self.report(diagnostic);
            return None;
        }
        let (parameter, span) = match address.base {
            Part::Parameter { id, span } => (id, span),
            Part::Register { span, .. } | Part::Special { span, .. } | Part::Variable { span, .. } => {
                return self.no_parameter(row, span, mnemonic);
            }
            Part::Number(literal) => return self.no_parameter(row, literal.span, mnemonic),
            Part::Other(_, span) => return self.no_parameter(row, span, mnemonic),
            Part::Failed => return None,
        };
        if address.at_sigil {
            let text = self.text_at(span);
            let right = format!("%{}", symbol_name(text));
            let diagnostic = self
                .departure(
                    codes::PARAMETER_SIGIL,
                    span,
                    format!("kernel parameters are named with `%`: `{right}`"),
                )
                .spec("4.2 kernel parameters")
                .fix(self.place(span), right);
            self.report(diagnostic);
        }
        let offset = self.address_offset(row, address, 32, false, mnemonic)?;
        if let AddressOffset::Immediate(offset) = offset {
            let parameter = &self.functions[function.index()].kernel_parameters()[parameter.index()];
            let (size, place, name) = (parameter.size, parameter.place, parameter.name.clone());
            let end = i64::from(offset) + i64::from(context.bytes);
            if offset < 0 || end > i64::from(size) {
                let diagnostic = self
                    .departure(
                        codes::PARAMETER_BOUNDS,
                        address.span,
                        format!("this reads bytes {offset} to {} of `%{name}`, which has {size}", end - 1),
                    )
                    .also(place, format!("{size} bytes"))
                    .spec("3.3 address operands: an out-of-bounds access is undefined")
                    .help(format!("declare `.param[{end}]`, or load less"));
                self.report(diagnostic);
            }
        }
        Some(Operand::Parameter { parameter, offset })
    }

    fn no_parameter(&mut self, row: &'static Form, span: Span, mnemonic: &str) -> Option<Operand> {
        let parameters = self.functions[self.body.function.index()].kernel_parameters();
        let mut names: Vec<_> = parameters.iter().take(12).map(|p| format!("`%{}`", p.name)).collect();
        if parameters.len() > names.len() {
            names.push(format!("{} more", parameters.len() - names.len()));
        }
        let diagnostic = self
            .error(
                codes::UNKNOWN_PARAMETER,
                span,
                format!("`{mnemonic}` reads kernel parameters, `{}` is none", self.text_at(span)),
            )
            .spec(section(row))
            .help(if names.is_empty() {
                "this kernel has no parameters; memory is read by `ld`".to_owned()
            } else {
                format!("the parameters are {}", names.join(", "))
            });
        self.report(diagnostic);
        None
    }

    fn bad_part(&mut self, row: &'static Form, what: &str, span: Span, mnemonic: &str) -> Option<Operand> {
        let diagnostic = self
            .error(
                codes::ADDRESS_FORM,
                span,
                format!("`{mnemonic}` takes a register or a memory variable as address, this is {what}"),
            )
            .spec(format!("{}; 3.3 address operands", section(row)))
            .help("forms: `[reg]`, `[reg + reg]`, `[reg + imm]`, and the same with a variable");
        self.report(diagnostic);
        None
    }

    fn scalar_part(
        &mut self,
        row: &'static Form,
        swizzle: Option<Swizzle>,
        ty: RegisterType,
        span: Span,
    ) -> Option<()> {
        let elements = swizzle.map_or(ty.elements, |s| s.range().1);
        if elements == 1 {
            return Some(());
        }
        let diagnostic = self
            .error(
                codes::VECTOR_FOR_SCALAR,
                span,
                format!("`{}` is a vector, addresses are scalars", self.text_at(span)),
            )
            .spec(format!("{}; 3.3 address operands", section(row)))
            .help("name one element, such as `.x`");
        self.report(diagnostic);
        None
    }

    /// M-07: the base has the address width of the space.
    #[allow(clippy::too_many_arguments)]
    fn base_width(
        &mut self,
        row: &'static Form,
        bits: u32,
        wanted: u16,
        space: Qualifier,
        span: Span,
        mnemonic: &str,
        register: Option<RegisterId>,
    ) -> Option<()> {
        if bits == u32::from(wanted) {
            return Some(());
        }
        let text = self.text_at(span);
        let help = match (space, bits) {
            (Qualifier::Shared | Qualifier::Private, 64) => format!(
                "for a generic address leave `{}` out; for a `{}` one use a 32-bit register",
                space.text(),
                space.text()
            ),
            (Qualifier::Generic, 32) => {
                "name the space, as in `.shared`, or make it generic with `addrcast`".to_owned()
            }
            _ => format!("`{}` addresses have {wanted} bits", space.text()),
        };
        let mut diagnostic = self
            .error(
                codes::ADDRESS_WIDTH,
                span,
                format!("`{text}` is {bits} bits wide, `{mnemonic}` takes {wanted}-bit addresses"),
            )
            .label(format!("{bits} bits"))
            .spec(format!("{}; 2.1 address spaces", section(row)))
            .help(help);
        if let Some(place) = register.and_then(|r| self.body.registers.get(r.index())).map(|r| r.place) {
            diagnostic = diagnostic.also(place, "declared here");
        }
        self.report(diagnostic);
        None
    }

    /// M-10, and the rule of `addrcast`: the variable lives in the space that is named.
    pub(super) fn check_variable_space(
        &mut self,
        row: &'static Form,
        id: VariableId,
        span: Span,
        space: Option<Qualifier>,
        mnemonic: &str,
    ) -> Option<()> {
        let space = space?;
        let variable = &self.variables[id.index()];
        let found = variable.space.qualifier();
        if found == space {
            return Some(());
        }
        let place = variable.place;
        let head = mnemonic.split('.').next().unwrap_or(mnemonic);
        let diagnostic = self
            .error(
                codes::ADDRESS_SPACE,
                span,
                format!(
                    "`{}` is a `{}` variable, `{mnemonic}` takes `{}`",
                    self.text_at(span),
                    found.text(),
                    space.text()
                ),
            )
            .also(place, "declared here")
            .spec(section(row))
            .help(if head == "addrcast" {
                format!("write `addrcast.generic{}`", found.text())
            } else {
                format!(
                    "write `{head}{}`, or take a generic address with `addrcast.generic{}`",
                    found.text(),
                    found.text()
                )
            });
        self.report(diagnostic);
        None
    }

    /// The offset; `widens` tells that a narrower register is only a departure (M-08).
    fn address_offset(
        &mut self,
        row: &'static Form,
        address: &AddressText<'t>,
        wanted: u16,
        widens: bool,
        mnemonic: &str,
    ) -> Option<AddressOffset> {
        let Some(offset) = &address.offset else { return Some(AddressOffset::Immediate(0)) };
        let (bits, span, result) = match *offset {
            Part::Number(literal) => return self.immediate_offset(literal, address.minus, mnemonic),
            Part::Failed => return None,
            Part::Register { register, swizzle, ty, span } => {
                self.scalar_part(row, swizzle, ty, span)?;
                (u16::from(ty.bits), span, AddressOffset::Register(RegisterUse { register, swizzle }))
            }
            Part::Special { special, span } => {
                (u16::from(special.bits()), span, AddressOffset::Special(special))
            }
            Part::Variable { span, .. } => return self.bad_offset(row, "a memory variable", span),
            Part::Parameter { span, .. } => return self.bad_offset(row, "a kernel parameter", span),
            Part::Other(what, span) => return self.bad_offset(row, what, span),
        };
        if let Some(minus) = address.minus {
            let diagnostic = self
                .error(codes::ADDRESS_FORM, minus, "a register cannot be subtracted in an address")
                .spec("3.3 address operands")
                .help("`ineg` it first, or `isub` the address");
            self.report(diagnostic);
            return None;
        }
        if bits != wanted {
            let text = self.text_at(span);
            if widens && bits < wanted {
                let diagnostic = self
                    .departure(
                        codes::NARROW_OFFSET,
                        span,
                        format!("`{text}` is {bits} bits wide, the address {wanted}; it is sign-extended"),
                    )
                    .label(format!("{bits} bits"))
                    .spec("3.3 address operands")
                    .help(format!("`sext.{wanted}b.{bits}b %t, {text};` and use that"));
                self.report(diagnostic);
            } else {
                let diagnostic = self
                    .error(
                        codes::OFFSET_WIDTH,
                        span,
                        format!("`{text}` is {bits} bits wide, `{mnemonic}` takes an offset of {wanted}"),
                    )
                    .label(format!("{bits} bits"))
                    .spec(format!("{}; 3.3 address operands", section(row)))
                    .help(format!("use a {wanted}-bit register"));
                self.report(diagnostic);
                return None;
            }
        }
        if let AddressOffset::Register(RegisterUse { swizzle: Some(_), .. }) = result {
            let diagnostic = self
                .departure(
                    codes::SWIZZLED_OFFSET,
                    span,
                    format!("`{}`: an address offset is a scalar register by the letter", self.text_at(span)),
                )
                .spec("3.3 address operands")
                .help("copy the element into a register with `mov`");
            self.report(diagnostic);
        }
        Some(result)
    }

    fn bad_offset(&mut self, row: &'static Form, what: &str, span: Span) -> Option<AddressOffset> {
        let diagnostic = self
            .error(
                codes::ADDRESS_FORM,
                span,
                format!("an address offset is a register or an immediate, this is {what}"),
            )
            .spec(format!("{}; 3.3 address operands", section(row)))
            .help("take its address with `addrof` first");
        self.report(diagnostic);
        None
    }

    fn immediate_offset(
        &mut self,
        literal: Literal<'t>,
        minus: Option<Span>,
        mnemonic: &str,
    ) -> Option<AddressOffset> {
        if let LiteralValue::Float(_) = literal.value {
            self.immediate(literal, 32, None, mnemonic);
            return None;
        }
        let value = literal.integer().map(|v| if minus.is_some() { -v } else { v });
        let Some(value) = value.and_then(|v| i32::try_from(v).ok()) else {
            let diagnostic = self
                .error(
                    codes::OFFSET_RANGE,
                    literal.span,
                    "this offset does not fit a signed 32-bit immediate",
                )
                .spec("3.3 address operands")
                .help("offsets are -2147483648 to 2147483647; put a larger one into a register");
            self.report(diagnostic);
            return None;
        };
        if let Some(minus) = minus {
            let place = minus.to(literal.span);
            let diagnostic = self
                .departure(codes::MINUS_OFFSET, place, "the address forms of the specification have `+` only")
                .spec("3.3 address operands")
                .help(format!("write `+ {value}`"))
                .fix(self.place(place), format!("+ {value}"));
            self.report(diagnostic);
        }
        Some(AddressOffset::Immediate(value))
    }

    /// V-04: a constant address that cannot be known to be aligned.
    fn alignment_lint(&mut self, id: VariableId, offset: i32, align: u32, span: Span, mnemonic: &str) {
        let variable = &self.variables[id.index()];
        if align <= 1 || (variable.align >= align && i64::from(offset) % i64::from(align) == 0) {
            return;
        }
        let (place, name, declared) = (variable.place, variable.name.clone(), variable.align);
        let diagnostic = self
            .lint(
                codes::UNALIGNED,
                span,
                if declared >= align {
                    format!("offset {offset} is not a multiple of the {align} bytes that `{mnemonic}` needs")
                } else {
                    format!("`{mnemonic}` needs {align}-byte alignment, `@{name}` has {declared}")
                },
            )
            .also(place, "declared here")
            .spec("5.1 access alignment; 2.4.1 alignment: 1 by default")
            .help(if declared >= align {
                format!("access a multiple of {align}")
            } else {
                format!("declare it with `.align {align}`")
            });
        self.report(diagnostic);
    }
}

/// Bytes and alignment of an access (spec 5.1, M-13).
pub(super) fn access(bits: u16, elements: u8) -> (u32, u32) {
    let element = u32::from(bits) / 8;
    let bytes = element * u32::from(elements);
    let align = if bits < 32 { bytes } else { element };
    // Three 8- or 16-bit elements do not exist (spec 8.3), so this is a power of two.
    (bytes, align)
}

// Literals are used through `immediates` elsewhere, too.
pub(super) use immediates::parse_integer;
