//! Operands: what the text names, and whether it fits its position.

use super::addresses::AddressText;
use super::immediates::{self, Literal};
use super::mnemonic::{OperandPlan, Presence};
use super::rules::section;
use super::scopes::Name;
use super::{Lowerer, Symbol, register_name, symbol_name};
use crate::{
    Dimension, FunctionId, Operand, ParameterId, RegisterId, RegisterType, RegisterUse, SpecialRegister,
    Swizzle, VariableId, codes,
};
use pisa_diag::Span;
use pisa_isa::{Access, Form, Opcode, OperandKind, Qualifier, SlotName};
use pisa_syntax::{Node, NodeKind, TokenKind};
use smallvec::SmallVec;

/// An operand with its names resolved, before it is known what the position takes.
#[derive(Clone, Debug)]
pub(super) enum Resolved<'t> {
    /// A register that is no predicate; `ty` is its declared type.
    Register {
        register: RegisterId,
        swizzle: Option<Swizzle>,
        ty: RegisterType,
        span: Span,
    },
    Predicate {
        register: RegisterId,
        negated: bool,
        span: Span,
    },
    Special {
        special: SpecialRegister,
        span: Span,
    },
    Parameter {
        id: ParameterId,
        span: Span,
    },
    Number(Literal<'t>),
    Address(AddressText<'t>),
    Variable {
        id: VariableId,
        span: Span,
    },
    Function {
        id: FunctionId,
        span: Span,
    },
    /// A label or `void`.
    Word {
        text: &'t str,
        span: Span,
    },
    Arguments(SmallVec<[Box<Resolved<'t>>; 4]>, Span),
    /// Something that has been complained about.
    Failed(Span),
}

impl<'t> Resolved<'t> {
    pub fn span(&self) -> Span {
        match self {
            Resolved::Register { span, .. }
            | Resolved::Predicate { span, .. }
            | Resolved::Special { span, .. }
            | Resolved::Parameter { span, .. }
            | Resolved::Variable { span, .. }
            | Resolved::Function { span, .. }
            | Resolved::Word { span, .. }
            | Resolved::Arguments(_, span)
            | Resolved::Failed(span) => *span,
            Resolved::Number(literal) => literal.span,
            Resolved::Address(address) => address.span,
        }
    }

    /// What it is, for messages.
    pub fn description(&self) -> &'static str {
        match self {
            Resolved::Register { ty, swizzle: None, .. } if ty.is_vector() => "a vector register",
            Resolved::Register { .. } => "a register",
            Resolved::Predicate { negated: true, .. } => "a negated predicate",
            Resolved::Predicate { .. } => "a predicate",
            Resolved::Special { .. } => "a special register",
            Resolved::Parameter { .. } => "a kernel parameter",
            Resolved::Number(_) => "an immediate",
            Resolved::Address(_) => "an address",
            Resolved::Variable { .. } => "a memory variable",
            Resolved::Function { .. } => "a function",
            Resolved::Word { text: "void", .. } => "`void`",
            Resolved::Word { .. } => "a label",
            Resolved::Arguments(..) => "an argument list",
            Resolved::Failed(_) => "an operand",
        }
    }

    /// Whether this is a scalar register, an element of a vector, or a special register.
    fn is_scalar(&self) -> bool {
        match self {
            Resolved::Register { ty, swizzle, .. } => match swizzle {
                None => !ty.is_vector(),
                Some(swizzle) => swizzle.range().1 == 1,
            },
            Resolved::Special { .. } => true,
            _ => false,
        }
    }
}

/// How well an operand fits a kind of position: 0 not at all, more is better. Widths do not matter here.
pub(super) fn fit(plan: &OperandPlan, operand: &Resolved<'_>) -> u32 {
    use OperandKind as K;
    let is_register = matches!(operand, Resolved::Register { .. } | Resolved::Special { .. });
    let fits = match plan.def.kind {
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

/// The special register of that name; `Err(true)` for one that needs `.x`, `.y` or `.z`, `Err(false)` for none.
pub(super) fn special(name: &str, element: Option<&str>) -> Result<SpecialRegister, bool> {
    use SpecialRegister as S;
    let scalar = match name {
        "activemask" => Some(S::ActiveMask),
        "laneid" => Some(S::LaneId),
        "printfbuffer" => Some(S::PrintfBuffer),
        "subgroupsize" => Some(S::SubgroupSize),
        "workdim" => Some(S::WorkDim),
        _ => None,
    };
    if let Some(special) = scalar {
        return if element.is_none() { Ok(special) } else { Err(true) };
    }
    let vector = match name {
        "enqueuedlocalsize" => S::EnqueuedLocalSize,
        "globaloffset" => S::GlobalOffset,
        "globalsize" => S::GlobalSize,
        "groupcount" => S::GroupCount,
        "groupid" => S::GroupId,
        "localid" => S::LocalId,
        "localsize" => S::LocalSize,
        _ => return Err(false),
    };
    match element {
        Some("x") => Ok(vector(Dimension::X)),
        Some("y") => Ok(vector(Dimension::Y)),
        Some("z") => Ok(vector(Dimension::Z)),
        _ => Err(true),
    }
}

pub(super) const SPECIAL_NAMES: &[&str] = &[
    "activemask",
    "enqueuedlocalsize",
    "globaloffset",
    "globalsize",
    "groupcount",
    "groupid",
    "laneid",
    "localid",
    "localsize",
    "printfbuffer",
    "subgroupsize",
    "workdim",
];

pub(super) fn parse_swizzle(text: &str) -> Option<Swizzle> {
    Some(match text {
        "x" => Swizzle::X,
        "y" => Swizzle::Y,
        "z" => Swizzle::Z,
        "w" => Swizzle::W,
        "xy" => Swizzle::Xy,
        "zw" => Swizzle::Zw,
        "xyzw" => Swizzle::Xyzw,
        _ => return None,
    })
}

/// The type in words of the language: `.v4.32b`.
pub(crate) fn type_text(ty: RegisterType) -> String {
    match (ty.elements, ty.bits) {
        (_, 1) => ".pred".to_owned(),
        (1, bits) => format!(".{bits}b"),
        (elements, bits) => format!(".v{elements}.{bits}b"),
    }
}

impl<'t> Lowerer<'t> {
    /// Resolves an operand node.
    pub(super) fn resolve(&mut self, node: Node<'t>) -> Resolved<'t> {
        let span = node.span();
        match node.kind() {
            NodeKind::RegisterOperand => self.resolve_register(node.text(), span),
            NodeKind::NegatedOperand => {
                let Some(token) = node.token(TokenKind::LocalName) else { return Resolved::Failed(span) };
                match self.resolve_register(token.text(), token.span()) {
                    Resolved::Predicate { register, .. } => {
                        Resolved::Predicate { register, negated: true, span }
                    }
                    failed @ Resolved::Failed(_) => failed,
                    other => {
                        let diagnostic = self
                            .error(
                                codes::OPERAND_KIND,
                                span,
                                format!(
                                    "`!` negates predicates, `{}` is {}",
                                    token.text(),
                                    other.description()
                                ),
                            )
                            .spec("2.3 predicate variables")
                            .help("`not` inverts the bits of a register");
                        self.report(diagnostic);
                        Resolved::Failed(span)
                    }
                }
            }
            NodeKind::NumberOperand => match immediates::literal(node) {
                Some(literal) => Resolved::Number(literal),
                None => Resolved::Failed(span),
            },
            NodeKind::AddressOperand => Resolved::Address(self.resolve_address(node)),
            NodeKind::SymbolOperand => self.resolve_symbol(node.text(), span),
            NodeKind::WordOperand => Resolved::Word { text: node.text(), span },
            NodeKind::ArgumentList => {
                let arguments = node.children().map(|child| Box::new(self.resolve(child))).collect();
                Resolved::Arguments(arguments, span)
            }
            _ => Resolved::Failed(span),
        }
    }

    /// G-06: the whole name first, then the name without its swizzle, then special registers.
    pub(super) fn resolve_register(&mut self, text: &'t str, span: Span) -> Resolved<'t> {
        let name = register_name(text);
        if let Some(found) = self.body.names.get(name) {
            return self.named(found, None, span);
        }
        let (base, suffix) = match name.rsplit_once('.') {
            Some((base, suffix)) => (base, Some(suffix)),
            None => (name, None),
        };
        if let Some(suffix) = suffix
            && let Some(found) = self.body.names.get(base)
        {
            return self.swizzled(found, base, suffix, span);
        }
        match special(base, suffix) {
            Ok(special) => return Resolved::Special { special, span },
            Err(true) => {
                let diagnostic = self.error(
                    codes::SPECIAL_ELEMENT,
                    span,
                    match suffix {
                        None => format!("`{text}` is a vector, its elements are read one at a time"),
                        Some(suffix) => format!("`%{base}` has no `.{suffix}`"),
                    },
                );
                let diagnostic =
                    diagnostic.spec("4. special registers").help(if special(base, None).is_ok() {
                        format!("`%{base}` is a scalar: write it without a suffix")
                    } else {
                        format!("write `%{base}.x`, `%{base}.y` or `%{base}.z`")
                    });
                self.report(diagnostic);
                return Resolved::Failed(span);
            }
            Err(false) => {}
        }
        self.unknown_register(name, base, span);
        Resolved::Failed(span)
    }

    fn named(&self, name: Name, swizzle: Option<Swizzle>, span: Span) -> Resolved<'t> {
        match name {
            Name::Parameter(id) => Resolved::Parameter { id, span },
            Name::Register(register) => match self.body.registers.get(register.index()) {
                Some(found) if found.ty.is_predicate() => {
                    Resolved::Predicate { register, negated: false, span }
                }
                Some(found) => Resolved::Register { register, swizzle, ty: found.ty, span },
                None => Resolved::Failed(span),
            },
        }
    }

    fn swizzled(&mut self, name: Name, base: &str, suffix: &str, span: Span) -> Resolved<'t> {
        let whole = self.named(name, None, span);
        let (problem, help) = match (&whole, parse_swizzle(suffix)) {
            (Resolved::Register { register, ty, .. }, Some(swizzle)) if ty.is_vector() => {
                let (first, count) = swizzle.range();
                if first + count <= ty.elements {
                    return Resolved::Register { register: *register, swizzle: Some(swizzle), ty: *ty, span };
                }
                (
                    format!("`%{base}` has {} elements, there is no `.{suffix}`", ty.elements),
                    "elements are `.x`, `.y`, `.z`, `.w` in their order".to_owned(),
                )
            }
            (Resolved::Register { ty, .. }, None) if ty.is_vector() => (
                format!("`.{suffix}` is not a swizzle"),
                "swizzles are `.x` `.y` `.z` `.w`, and in `mov` also `.xy` `.zw` `.xyzw`".to_owned(),
            ),
            (Resolved::Failed(_), _) => return whole,
            (other, _) => (
                format!(
                    "`%{base}` is {} and has no elements",
                    other.description().replace("a register", "a scalar register")
                ),
                format!("write `%{base}`"),
            ),
        };
        let mut diagnostic =
            self.error(codes::BAD_SWIZZLE, span, problem).spec("3.4 vector operands").help(help);
        if let Some(place) = self.declaration(&whole) {
            diagnostic = diagnostic.also(place, "declared here");
        }
        self.report(diagnostic);
        Resolved::Failed(span)
    }

    /// Where what an operand names was declared.
    pub(super) fn declaration(&self, operand: &Resolved<'t>) -> Option<pisa_diag::Place> {
        match operand {
            Resolved::Register { register, .. } | Resolved::Predicate { register, .. } => {
                self.body.registers.get(register.index()).map(|r| r.place)
            }
            Resolved::Variable { id, .. } => self.variables.get(id.index()).map(|v| v.place),
            Resolved::Function { id, .. } => self.functions.get(id.index()).map(|f| f.place),
            Resolved::Parameter { id, .. } => self.functions[self.body.function.index()]
                .kernel_parameters()
                .get(id.index())
                .map(|p| p.place),
            _ => None,
        }
    }

    fn unknown_register(&mut self, name: &str, base: &str, span: Span) {
        if let Some(declared) = self.declared_anywhere(name).or_else(|| self.declared_anywhere(base)) {
            let place = self.place(declared);
            let diagnostic = if declared.start > span.start {
                self.error(
                    codes::USED_BEFORE_DECLARATION,
                    span,
                    format!("`%{base}` is used before its declaration"),
                )
                .also(place, "declared here")
                .spec("1.2 statement: a declaration introduces a variable")
                .help("move the declaration up")
            } else {
                self.error(codes::UNKNOWN_REGISTER, span, format!("`%{base}` is not visible here"))
                    .also(place, "its scope has ended")
                    .spec("1.2 statement: variables are visible in their scope and its sub-scopes")
                    .help("move the declaration out of the scope")
            };
            self.report(diagnostic);
            return;
        }
        let mut diagnostic = self
            .error(codes::UNKNOWN_REGISTER, span, format!("`%{base}` is not declared"))
            .spec("2.2 register variables");
        let near = pisa_isa::nearest(
            base,
            self.body.names.keys().map(|k| k.as_ref()).chain(SPECIAL_NAMES.iter().copied()),
        )
        .map(str::to_owned);
        diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `%{near}`?")),
            None => {
                diagnostic.help(format!("declare it: `.reg .32b %{base};`, with the width that it needs"))
            }
        };
        self.report(diagnostic);
    }

    /// Resolves `@name`: locals first, then the module.
    pub(super) fn resolve_symbol(&mut self, text: &'t str, span: Span) -> Resolved<'t> {
        let name = symbol_name(text);
        if let Some(id) = self.body.locals.get(name) {
            return Resolved::Variable { id, span };
        }
        match self.symbols.get(name) {
            Some(&Symbol::Variable(id)) => Resolved::Variable { id, span },
            Some(&Symbol::Function(id)) => Resolved::Function { id, span },
            None => {
                self.unknown_symbol(name, span);
                Resolved::Failed(span)
            }
        }
    }

    pub(super) fn unknown_symbol(&mut self, name: &str, span: Span) {
        let near =
            pisa_isa::nearest(name, self.symbols.keys().copied().chain(self.body.locals.keys().copied()));
        let help = match near {
            Some(near) => format!("did you mean `@{near}`?"),
            None => "declare it, or import it with `.import`".to_owned(),
        };
        let diagnostic = self
            .error(codes::UNKNOWN_SYMBOL, span, format!("`@{name}` is not declared"))
            .spec("2.4 memory variables, 4.3 function")
            .help(help);
        self.report(diagnostic);
    }

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

    fn parameter_as_operand(&mut self, id: ParameterId, span: Span) {
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

    fn wrong_elements(
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
    fn check_width(
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
    fn wrong_kind(&mut self, row: &'static Form, plan: &OperandPlan, operand: &Resolved<'t>, mnemonic: &str) {
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
            && let Some(other) = list.iter().find(|q| q.bits() == Some(bits as u16) && q.packed().is_none())
            && let Some((head, _)) = mnemonic.rsplit_once('.')
        {
            ways.push(format!("for {bits} bits write `{head}{}`", other.text()));
        }
    }
    ways.join("; ")
}
