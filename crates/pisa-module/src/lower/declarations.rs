//! Memory variables and registers (rows V, G-08 to G-14, T-03).

use super::addresses::parse_integer;
use super::initializers::Value;
use super::operands::{parse_swizzle, special};
use super::scopes::Name;
use super::{Lowerer, Symbol, declared_name, register_name, space_of, symbol_name};
use crate::{FunctionId, Linkage, Register, RegisterId, RegisterType, Space, Variable, VariableId, codes};
use pisa_diag::Span;
use pisa_syntax::{Node, NodeKind, TokenKind, TokenRef};
use std::borrow::Cow;

/// A variable that has its name and space; its initialiser may name what comes later.
#[derive(Clone, Copy)]
pub(super) struct PendingVariable<'t> {
    pub name: &'t str,
    pub name_span: Span,
    pub id: VariableId,
    node: Node<'t>,
    size: Option<(u64, Span)>,
    /// Whether a size was written, right or wrong.
    size_written: bool,
}

/// Names that one range may make (G-08).
const RANGE_LIMIT: u64 = 65536;
/// Names that all ranges of a module may make beyond one for eight bytes of its text: a short text must not fill the
/// memory, and in a long one registers are used, which takes more than that.
const RANGES_LIMIT: usize = 1 << 20;
/// Largest alignment (V-03).
const ALIGNMENT_LIMIT: u64 = 4096;
/// Largest variable: far beyond any device, far below where sums of sizes overflow.
const SIZE_LIMIT: u64 = 1 << 40;

/// The linkage written before a declaration, and where.
pub(super) fn linkage(node: Node<'_>) -> (Linkage, Option<Span>) {
    match node.child(NodeKind::Linkage) {
        Some(linkage) if linkage.text() == ".export" => (Linkage::Export, Some(linkage.span())),
        Some(linkage) => (Linkage::Import, Some(linkage.span())),
        None => (Linkage::Internal, None),
    }
}

/// The word of an attribute, `.align`.
pub(super) fn attribute_word(node: Node<'_>) -> &str {
    node.tokens().next().map_or("", |t| t.text())
}

/// The arguments of an attribute: its tokens after the word that are no punctuation.
pub(super) fn attribute_arguments<'t>(node: Node<'t>) -> impl Iterator<Item = TokenRef<'t>> {
    node.tokens()
        .skip(1)
        .filter(|t| !matches!(t.kind(), TokenKind::LeftParen | TokenKind::RightParen | TokenKind::Comma))
}

/// A scalar or vector type of the language (T-03); `None` for others.
pub(super) fn parse_type(text: &str) -> Option<RegisterType> {
    let (elements, bits) = match text.strip_prefix(".v") {
        Some(rest) => {
            let (count, bits) = rest.split_once('.')?;
            (count, bits)
        }
        None => ("1", text.strip_prefix('.')?),
    };
    let bits = match bits {
        "8b" => 8,
        "16b" => 16,
        "32b" => 32,
        "64b" => 64,
        "128b" => 128,
        _ => return None,
    };
    let elements: u8 = elements.parse().ok().filter(|n: &u8| n.to_string() == elements)?;
    let allowed: &[u8] = match bits {
        _ if !text.starts_with(".v") => &[1],
        8 | 16 | 64 => &[2, 3, 4],
        32 => &[2, 3, 4, 5, 6, 7, 8, 16, 32, 64],
        _ => &[],
    };
    allowed.contains(&elements).then_some(RegisterType { elements, bits })
}

impl<'t> Lowerer<'t> {
    /// The type in a node, with a complaint where there is no such type.
    pub(super) fn register_type(&mut self, node: Node<'t>) -> Option<RegisterType> {
        let text = node.text();
        if let Some(ty) = parse_type(text) {
            return Some(ty);
        }
        let help = match text.strip_prefix('.').and_then(|t| pisa_isa::Qualifier::from_text(&format!(".{t}"))) {
            Some(q) if q.packed().is_some() => {
                let (elements, bits) = q.packed().unwrap_or((2, 16));
                format!("packed values are declared as vectors: `.v{elements}.{bits}b`")
            }
            Some(q) if q.bits().is_some() => {
                format!("registers have a width only: `.{}b`", q.bits().unwrap_or(32))
            }
            _ => "types: .8b .16b .32b .64b .128b; vectors .v2 .v3 .v4 of .8b .16b .32b .64b, and of .32b also \
                  .v5 .v6 .v7 .v8 .v16 .v32 .v64"
                .to_owned(),
        };
        let diagnostic = self
            .error(codes::BAD_TYPE, node.span(), format!("`{text}` is not a type of registers"))
            .spec("2.2 data types")
            .help(help);
        self.report(diagnostic);
        None
    }

    /// An alignment: a power of two up to 4096 (V-03).
    pub(super) fn alignment(&mut self, attribute: Node<'t>, section: &str) -> Option<u32> {
        let token = attribute_arguments(attribute).find(|t| t.kind() == TokenKind::Integer)?;
        let value = parse_integer(token.text())?;
        if !value.too_large && value.magnitude.is_power_of_two() && value.magnitude <= ALIGNMENT_LIMIT {
            return u32::try_from(value.magnitude).ok();
        }
        let diagnostic = self
            .error(codes::BAD_ALIGNMENT, token.span(), format!("{} is not an alignment", token.text()))
            .spec(section)
            .help("alignments are powers of two, 1 to 4096");
        self.report(diagnostic);
        None
    }

    /// Complains about an attribute that is there already.
    pub(super) fn attribute_once(&mut self, seen: &mut Vec<(&'t str, Span)>, attribute: Node<'t>) -> bool {
        let word = attribute_word(attribute);
        if let Some(&(_, first)) = seen.iter().find(|(w, _)| *w == word) {
            let diagnostic = self
                .error(codes::DUPLICATE_ATTRIBUTE, attribute.span(), format!("`{word}` is given twice"))
                .also(self.place(first), "first given here")
                .help("remove one of them");
            self.report(diagnostic);
            return false;
        }
        seen.push((word, attribute.span()));
        true
    }

    pub(super) fn unknown_attribute(&mut self, attribute: Node<'t>, message: String, allowed: &str) {
        let diagnostic = self
            .error(codes::UNKNOWN_ATTRIBUTE, attribute.span(), message)
            .spec("1. directives")
            .help(format!("attributes here: {allowed}"));
        self.report(diagnostic);
    }

    /// A size in brackets.
    pub(super) fn size(&mut self, node: Node<'t>, limit: u64, code: pisa_diag::Code) -> Option<u64> {
        let token = node.token(TokenKind::Integer)?;
        let value = parse_integer(token.text())?;
        if !value.too_large && (1..=limit).contains(&value.magnitude) {
            return Some(value.magnitude);
        }
        let message = if value.magnitude == 0 { "a size of zero bytes" } else { "this size is too large" };
        let diagnostic = self
            .error(code, token.span(), message)
            .spec("2.4 memory variables: allocated size in bytes")
            .help(format!("sizes are 1 to {limit} bytes"));
        self.report(diagnostic);
        None
    }

    /// Name, space, attributes and size of a variable; [`Self::finish_variable`] does the rest.
    pub(super) fn declare_variable(
        &mut self,
        node: Node<'t>,
        owner: Option<FunctionId>,
    ) -> Option<PendingVariable<'t>> {
        let space_node = node.child(NodeKind::Space)?;
        let space = space_of(space_node.text())?;
        let (text, name_span) = declared_name(node, TokenKind::GlobalName)?;
        let name = symbol_name(text);
        // The grammar has no linkage in bodies.
        let (linkage, _) = linkage(node);
        match (owner, space) {
            (None, Space::Shared | Space::Private) => {
                let diagnostic = self
                    .error(
                        codes::SPACE_AT_MODULE,
                        space_node.span(),
                        format!("`{}` variables are declared inside a kernel or function", space_node.text()),
                    )
                    .spec("2.4 memory variables")
                    .help("move it into the body that uses it, or declare it `.global`");
                self.report(diagnostic);
            }
            (Some(_), Space::Global) => {
                let diagnostic = self
                    .error(
                        codes::GLOBAL_IN_BODY,
                        space_node.span(),
                        "`.global` variables are declared at module scope",
                    )
                    .spec("2.4 memory variables")
                    .help("move it out of the body, or declare it `.private` or `.shared`");
                self.report(diagnostic);
            }
            _ => {}
        }
        let mut variable = Variable {
            name: name.into(),
            space,
            size: 1,
            align: 1,
            linkage,
            owner,
            initializer: None,
            section: None,
            host_access: None,
            place: self.place(name_span),
        };
        self.variable_attributes(node, &mut variable, space_node);
        let size_node = node.child(NodeKind::Size);
        let limit =
            if matches!(space, Space::Shared | Space::Private) { u64::from(u32::MAX) } else { SIZE_LIMIT };
        let size = size_node.and_then(|n| Some((self.size(n, limit, codes::BAD_SIZE)?, n.span())));
        variable.size = size.map_or(1, |(size, _)| size);
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(variable);
        Some(PendingVariable { name, name_span, id, node, size, size_written: size_node.is_some() })
    }

    fn variable_attributes(&mut self, node: Node<'t>, variable: &mut Variable, space: Node<'t>) {
        let mut seen = Vec::new();
        let mut aligned = false;
        for attribute in node.children().filter(|n| n.kind() == NodeKind::Attribute) {
            if !self.attribute_once(&mut seen, attribute) {
                continue;
            }
            let word = attribute_word(attribute);
            match word {
                ".align" => {
                    aligned = true;
                    if let Some(align) = self.alignment(attribute, "2.4.1 alignment") {
                        variable.align = align;
                    }
                }
                ".section" | ".host_access" => {
                    if variable.owner.is_some() {
                        let message = format!("`{word}` belongs to variables of the module");
                        self.unknown_attribute(attribute, message, ".align");
                        continue;
                    }
                    let Some(token) = attribute.token(TokenKind::String) else { continue };
                    let text = pisa_syntax::unescape(token.text()).into_owned();
                    if text.is_empty() {
                        continue; // G-18; the parser complains.
                    }
                    if word == ".section" {
                        variable.section = Some(text.into());
                    } else {
                        self.host_name(&text, token.span());
                        variable.host_access = Some(text.into());
                    }
                }
                _ => {
                    let message = format!("`{word}` is not an attribute of variables");
                    self.unknown_attribute(attribute, message, ".align .section .host_access");
                }
            }
        }
        if let Some(ty) = node.child(NodeKind::TypeName) {
            let element = parse_type(ty.text());
            let diagnostic = self
                .departure(
                    codes::ELEMENT_TYPE,
                    ty.span(),
                    format!(
                        "an element type does not belong in the declaration of a `{}` variable",
                        space.text()
                    ),
                )
                .spec("2.4 memory variables: space, attributes, name, size in bytes")
                .help("remove it; the size stays in bytes")
                .note("read as the alignment of the variable");
            self.report(diagnostic);
            if let (Some(element), false) = (element, aligned) {
                variable.align = u32::from(element.bits) / 8;
            }
        }
    }

    /// V-19: the host finds variables by these names.
    fn host_name(&mut self, name: &str, span: Span) {
        if let Some(&first) = self.host_names.get(name) {
            let diagnostic = self
                .error(codes::DUPLICATE_HOST_ACCESS, span, format!("the host name \"{name}\" is given twice"))
                .also(first, "first given here")
                .spec("2.5.3 attributes")
                .help("give each variable a name of its own");
            self.report(diagnostic);
        } else {
            self.host_names.insert(name.into(), self.place(span));
        }
    }

    /// Initialiser and size, when all names of the module are known.
    pub(super) fn finish_variable(&mut self, pending: PendingVariable<'t>) {
        let PendingVariable { name, name_span, id, node, size, size_written } = pending;
        let (space, linkage) = {
            let variable = &self.variables[id.index()];
            (variable.space, variable.linkage)
        };
        let initializer = node.child(NodeKind::Initializer);
        if let Some(initializer) = initializer {
            let reason = match (space, linkage) {
                (Space::Shared | Space::Private, _) => {
                    Some(format!("`{}` variables", space.qualifier().text()))
                }
                (_, Linkage::Import) => Some("imported variables".to_owned()),
                _ => None,
            };
            if let Some(reason) = reason {
                let diagnostic = self
                    .error(
                        codes::INITIALIZER_NOT_ALLOWED,
                        initializer.span(),
                        format!("{reason} have no initialiser"),
                    )
                    .spec("2.5.1 initializers, 2.5.2 linkage")
                    .help(if linkage == Linkage::Import {
                        "the module that exports it gives the value"
                    } else {
                        "store the value at run time"
                    });
                self.report(diagnostic);
                return;
            }
            let Value { elements, bytes, complete } = self.initializer(initializer);
            match size {
                Some((size, size_span)) if bytes != size && complete => {
                    let diagnostic = self
                        .error(
                            codes::INITIALIZER_SIZE,
                            initializer.span(),
                            format!("the initialiser has {bytes} bytes, `@{name}` has {size}"),
                        )
                        .label(format!("{bytes} bytes"))
                        .also(self.place(size_span), format!("{size} bytes"))
                        .spec("2.5.1 initializers: the number of bytes must match")
                        .help(if bytes < size {
                            format!("add `.zero {}`, or write `[{bytes}]`", size - bytes)
                        } else {
                            format!("write `[{bytes}]`")
                        });
                    self.report(diagnostic);
                }
                None if !size_written => {
                    let after = Span::new(name_span.end, name_span.end);
                    let diagnostic = self
                        .departure(
                            codes::SIZE_OMITTED,
                            name_span,
                            format!("`@{name}` has no size; taken from its initialiser"),
                        )
                        .spec("2.4 memory variables: allocated size in bytes, within []")
                        .help(format!("write `@{name}[{bytes}]`"))
                        .fix(self.place(after), format!("[{bytes}]"));
                    self.report(diagnostic);
                    self.variables[id.index()].size = bytes.max(1);
                }
                _ => {}
            }
            self.variables[id.index()].initializer = Some(elements);
            return;
        }
        if node.has_error() {
            return; // What is missing may be what the parser could not read.
        }
        if !size_written {
            let diagnostic = self
                .error(codes::MISSING_SIZE, name_span, format!("`@{name}` has no size"))
                .spec("2.4 memory variables: allocated size in bytes, within []")
                .help(format!("write `@{name}[BYTES]`"));
            self.report(diagnostic);
        }
        if space == Space::Const && linkage != Linkage::Import {
            let diagnostic = self
                .error(codes::MISSING_INITIALIZER, name_span, format!("the constant `@{name}` has no value"))
                .spec("2.5.1 initializers: mandatory for `.const` variables")
                .help(format!("add ` = {{ .zero {} }}`, or the values", size.map_or(1, |(size, _)| size)));
            self.report(diagnostic);
        }
    }

    /// A variable in a body.
    pub(super) fn local_variable(&mut self, node: Node<'t>) {
        let function = self.body.function;
        let Some(pending) = self.declare_variable(node, Some(function)) else { return };
        if let Some(earlier) = self.body.locals.get_here(pending.name) {
            let diagnostic = self
                .error(
                    codes::DUPLICATE_SYMBOL,
                    pending.name_span,
                    format!("`@{}` is declared twice", pending.name),
                )
                .also(self.variables[earlier.index()].place, "first declared here")
                .spec("2.5.2 linkage: a variable must not be declared more than once")
                .help("rename one of them");
            self.report(diagnostic);
        } else if let Some(outer) = self.body.locals.get(pending.name) {
            let place = self.variables[outer.index()].place;
            self.shadow_lint(
                codes::SHADOWED,
                &format!("@{}", pending.name),
                pending.name_span,
                place,
                "an outer scope",
            );
        } else if let Some(&symbol) = self.symbols.get(pending.name) {
            let place = self.symbol_place(symbol);
            self.shadow_lint(
                codes::HIDES_GLOBAL,
                &format!("@{}", pending.name),
                pending.name_span,
                place,
                "the module",
            );
        }
        if self.variables[pending.id.index()].space == Space::Shared
            && !self.functions[function.index()].is_kernel()
        {
            let diagnostic = self
                .lint(codes::SHARED_IN_FUNCTION, pending.name_span, "a `.shared` variable in a function")
                .spec("2.4 memory variables")
                .note("there is one for each work-group, however often the function is called")
                .help("declare it in the kernel and pass its address, for compilers that refuse it here");
            self.report(diagnostic);
        }
        self.finish_variable(pending);
        self.body.locals.insert(pending.name, pending.id);
        self.body.variables.push(pending.id);
    }

    fn shadow_lint(
        &mut self,
        code: pisa_diag::Code,
        name: &str,
        span: Span,
        place: pisa_diag::Place,
        of: &str,
    ) {
        let diagnostic = self
            .lint(code, span, format!("`{name}` hides a name of {of}"))
            .also(place, "hidden here")
            .spec("1.2 statement: scopes")
            .help("rename it if both are needed");
        self.report(diagnostic);
    }

    /// `.reg` and `.pred`.
    pub(super) fn registers(&mut self, node: Node<'t>) {
        let ty = match node.child(NodeKind::TypeName) {
            Some(ty) => self.register_type(ty),
            None => Some(RegisterType::PREDICATE),
        };
        // With a bad type the names count as declared, so that their uses do not fail, too.
        let ty = ty.unwrap_or(RegisterType::scalar(32));
        for name in node.children().filter(|n| n.kind() == NodeKind::RegisterName) {
            let Some(token) = name.token(TokenKind::LocalName) else { continue };
            let base = register_name(token.text());
            if name.token(TokenKind::Less).is_none() {
                self.declare_register(Cow::Borrowed(base), ty, token.span());
                continue;
            }
            let Some((start, end)) = self.range(name) else { continue };
            // One message a range: the names that are taken after the first one are passed over.
            let mut refused = false;
            for index in start..end {
                let text = format!("{base}{index}");
                if !refused || self.body.names.get_here(text.as_str()).is_none() {
                    refused |= !self.declare_register(Cow::Owned(text), ty, name.span());
                }
            }
        }
    }

    /// G-08: `<Start~End>`.
    fn range(&mut self, node: Node<'t>) -> Option<(u64, u64)> {
        let mut numbers = node.tokens().filter(|t| t.kind() == TokenKind::Integer);
        let (first, second) = (numbers.next()?, numbers.next()?);
        let plain = |text: &str| {
            let digits = text.bytes().all(|b| b.is_ascii_digit());
            (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse::<u64>().ok()).flatten()
        };
        let span = first.span().to(second.span());
        let (problem, help) = match (plain(first.text()), plain(second.text())) {
            (Some(start), Some(end)) if start < end && end - start <= RANGE_LIMIT => {
                let count = (end - start) as usize;
                let limit = RANGES_LIMIT + self.tree.text().len() / 8;
                if self.range_names + count > limit {
                    (format!("the ranges of this module have more than {limit} names"), "declare fewer")
                } else {
                    self.range_names += count;
                    return Some((start, end));
                }
            }
            (Some(start), Some(end)) if start < end => {
                (format!("this range has {} names, the limit is {RANGE_LIMIT}", end - start), "split it")
            }
            (Some(start), Some(end)) => (
                format!("the range {start} to {end} is empty: its end does not belong to it"),
                "write the index after the last one as its end",
            ),
            _ => (
                "the bounds of a range are decimal numbers without leading zeros".to_owned(),
                "write them as `<0~5>`",
            ),
        };
        let diagnostic = self
            .error(codes::BAD_RANGE, span, problem)
            .spec("2.2 register variables: half-open index range `<Start~End>`")
            .help(help);
        self.report(diagnostic);
        None
    }

    /// Checks a new `%` name; false when it cannot be declared.
    pub(super) fn new_name(&mut self, name: &str, span: Span) -> bool {
        let base =
            name.rsplit_once('.').filter(|(_, suffix)| parse_swizzle(suffix).is_some()).map(|(base, _)| base);
        if special(base.unwrap_or(name), None) != Err(false) || special(name, None) != Err(false) {
            let diagnostic = self
                .error(codes::RESERVED_NAME, span, format!("`%{name}` is the name of a special register"))
                .spec("4. special registers")
                .help(format!(
                    "rename it; taken are {}",
                    crate::SpecialRegister::NAMES
                        .iter()
                        .map(|n| format!("%{n}"))
                        .collect::<Vec<_>>()
                        .join(" ")
                ));
            self.report(diagnostic);
            return false;
        }
        if let Some(Name::Register(vector)) = base.and_then(|base| self.body.names.get(base))
            && let Some(register) = self.body.registers.get(vector.index()).filter(|r| r.ty.is_vector())
        {
            let diagnostic = self
                .error(
                    codes::SWIZZLE_CLASH,
                    span,
                    format!("`%{name}` would read like an element of the vector `%{}`", register.name),
                )
                .also(register.place, "declared here")
                .spec("3.4 vector operands")
                .help("rename one of them");
            self.report(diagnostic);
            return false;
        }
        match self.body.names.get_here(name) {
            Some(Name::Parameter(id)) => {
                let place = self.functions[self.body.function.index()]
                    .kernel_parameters()
                    .get(id.index())
                    .map(|p| p.place);
                self.parameter_clash(name, span, place);
                return false;
            }
            Some(Name::Register(id)) => {
                let place = self.body.registers.get(id.index()).map(|r| r.place);
                if self.is_parameter(id) {
                    self.parameter_clash(name, span, place);
                } else {
                    let mut diagnostic = self
                        .error(
                            codes::DUPLICATE_REGISTER,
                            span,
                            format!("`%{name}` is declared twice in one scope"),
                        )
                        .spec("2.5.2 linkage: a variable must not be declared more than once")
                        .help("rename one of them, or remove the second declaration");
                    if let Some(place) = place {
                        diagnostic = diagnostic.also(place, "first declared here");
                    }
                    self.report(diagnostic);
                }
                return false;
            }
            None => {}
        }
        if let Some(outer) = self.body.names.get(name) {
            let place = match outer {
                Name::Register(id) => self.body.registers.get(id.index()).map(|r| r.place),
                Name::Parameter(id) => self.functions[self.body.function.index()]
                    .kernel_parameters()
                    .get(id.index())
                    .map(|p| p.place),
            };
            if let Some(place) = place {
                self.shadow_lint(codes::SHADOWED, &format!("%{name}"), span, place, "an outer scope");
            }
        }
        true
    }

    /// Whether the register holds an argument of the function at hand.
    fn is_parameter(&self, id: RegisterId) -> bool {
        match &self.functions[self.body.function.index()].kind {
            crate::FunctionKind::Function { parameters, .. } => parameters.contains(&id),
            crate::FunctionKind::Kernel { .. } => false,
        }
    }

    /// E17: compilers take names of arguments from the source, which may be those of registers.
    pub(super) fn parameter_clash(&mut self, name: &str, span: Span, parameter: Option<pisa_diag::Place>) {
        let mut diagnostic = self
            .error(codes::PARAMETER_CLASH, span, format!("`%{name}` is the name of a parameter, too"))
            .label("declared again here")
            .spec("2.5.2 linkage: a variable must not be declared more than once")
            .help("rename one of them");
        if let Some(place) = parameter {
            diagnostic = diagnostic.also(place, "the parameter");
        }
        self.report(diagnostic);
    }

    /// False when the name cannot be declared, which is reported.
    fn declare_register(&mut self, name: Cow<'t, str>, ty: RegisterType, span: Span) -> bool {
        if !self.new_name(&name, span) {
            return false;
        }
        let id = RegisterId(self.body.registers.len() as u32);
        self.body.registers.push(Register { name: (&*name).into(), ty, place: self.place(span) });
        self.body.names.insert(name, Name::Register(id));
        true
    }

    /// Where a register is declared in the body at hand, wherever that is.
    pub(super) fn declared_anywhere(&mut self, name: &str) -> Option<Span> {
        if self.body.declared_anywhere.is_none() {
            let mut found = rustc_hash::FxHashMap::default();
            let place = self.functions[self.body.function.index()].place;
            // The body at hand is the one whose declaration has this place.
            let body = self
                .tree
                .root()
                .children()
                .filter(|n| matches!(n.kind(), NodeKind::Kernel | NodeKind::Function))
                .find(|n| n.span().start <= place.span.start && place.span.end <= n.span().end)
                .and_then(|n| n.child(NodeKind::Body));
            let mut stack: Vec<_> = body.into_iter().map(Node::children).collect();
            while let Some(top) = stack.last_mut() {
                let Some(node) = top.next() else {
                    stack.pop();
                    continue;
                };
                match node.kind() {
                    NodeKind::Scope => stack.push(node.children()),
                    NodeKind::Registers => {
                        for name in node.children().filter(|n| n.kind() == NodeKind::RegisterName) {
                            let Some(token) = name.token(TokenKind::LocalName) else { continue };
                            let base = register_name(token.text());
                            let mut numbers = name
                                .tokens()
                                .filter(|t| t.kind() == TokenKind::Integer)
                                .filter_map(|t| t.text().parse::<u64>().ok());
                            match (numbers.next(), numbers.next()) {
                                (Some(start), Some(end)) if end.saturating_sub(start) <= 4096 => {
                                    for i in start..end {
                                        found.entry(format!("{base}{i}")).or_insert(name.span());
                                    }
                                }
                                _ => {
                                    found.entry(base.to_owned()).or_insert(name.span());
                                }
                            }
                        }
                    }
                    _ => {}
                }
            }
            self.body.declared_anywhere = Some(found);
        }
        self.body.declared_anywhere.as_ref().and_then(|map| map.get(name)).copied()
    }

    /// The symbol of that name, if it is a module's.
    pub(super) fn module_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }
}
