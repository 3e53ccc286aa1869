//! Operands: what the text names, and whether it fits its position.

use super::addresses::AddressText;
use super::immediates::{self, Literal};
use super::scopes::Name;
use super::{Lowerer, Symbol, register_name, symbol_name};
use crate::{
    Dimension, FunctionId, ParameterId, RegisterId, RegisterType, SpecialRegister, Swizzle, VariableId, codes,
};
use pisa_diag::Span;
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
            Resolved::Register { swizzle: None, .. } => "a register",
            Resolved::Register { .. } if self.is_scalar() => "one element of a vector register",
            Resolved::Register { .. } => "several elements of a vector register",
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
    pub fn is_scalar(&self) -> bool {
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

impl SpecialRegister {
    /// The names of all of them, without `%` and elements.
    pub const NAMES: &[&str] = &[
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
    /// The one with this text, `laneid` or `localid.x`.
    pub fn from_name(name: &str) -> Option<SpecialRegister> {
        let (name, element) = match name.split_once('.') {
            Some((name, element)) => (name, Some(element)),
            None => (name, None),
        };
        special(name, element).ok()
    }
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
        // What is no name has an error of its own already.
        if !is_name(name) {
            return;
        }
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
        // Special registers of other languages, which are read by element as ours are.
        let special = match base {
            "tid" => Some("did you mean `%localid`?"),
            "ctaid" => Some("did you mean `%groupid`?"),
            "ntid" => Some("did you mean `%localsize`?"),
            "nctaid" => Some("did you mean `%groupcount`?"),
            "globalid" => {
                Some("it is `%groupid` times `%enqueuedlocalsize` plus `%localid` plus `%globaloffset`")
            }
            _ => None,
        };
        if name != base
            && let Some(special) = special
        {
            self.report(diagnostic.help(special));
            return;
        }
        let search = self.may_search(self.body.names.len());
        let names = self.body.names.keys().map(|k| k.as_ref()).take(if search { usize::MAX } else { 0 });
        let near =
            pisa_isa::nearest(base, names.chain(SpecialRegister::NAMES.iter().copied())).map(str::to_owned);
        diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `%{near}`?")),
            None if self.body.labels.contains_key(base) => {
                diagnostic.help(format!("labels have no prefix: `{base}`")).fix(self.place(span), base)
            }
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
        let search = self.may_search(self.symbols.len() + self.body.locals.len());
        let names = self.symbols.keys().copied().chain(self.body.locals.keys().copied());
        let near = pisa_isa::nearest(name, names.take(if search { usize::MAX } else { 0 }));
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
}

/// Whether a text is a name after its `%` or `@`.
fn is_name(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'$' | b'.' | b'_');
    text.bytes().next().is_some_and(letter) && text.bytes().all(|b| letter(b) || b.is_ascii_digit())
}
