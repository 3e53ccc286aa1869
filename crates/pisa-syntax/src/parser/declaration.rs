//! Declarations: registers, memory variables with initialisers, attributes, parameters.

use super::{Open, Parser};
use crate::keyword::{Directive, is_type_like};
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

/// What stands after the word of an attribute.
enum Argument {
    /// `4` after the `.align` of a variable, `(4)` after that of a parameter.
    Alignment,
    Integer,
    Integers,
    String,
    Word,
}

impl Parser<'_> {
    /// `.reg TYPE %a, %b<0~4>;` or `.pred %p;`
    pub(super) fn registers(&mut self) {
        let node = self.open(NodeKind::Registers);
        let is_predicate = self.directive() == Some(Directive::Pred);
        // A type in the place of `.reg`: the caller has said that `.reg` is missing.
        if !is_type_like(self.current_text()) {
            self.bump();
        }
        if is_predicate {
            self.no_predicate_type();
        } else {
            self.register_type();
        }
        self.register_names(is_predicate);
        self.semicolon();
        self.close(node);
    }

    fn no_predicate_type(&mut self) {
        if self.is(TokenKind::Word) && is_type_like(self.current_text()) {
            let (word, span) = (self.current_text(), self.current_span());
            let place = self.report.place(span);
            self.error(codes::PREDICATE_TYPE, span, || {
                Detail::new(format!("`.pred` has no type, `{}` is one too many", shortened(word)))
                    .spec("variables 2.3 Predicate Variables")
                    .help("a predicate is one bit: `.pred %p;`")
                    .fix(place, "")
            });
            self.single(NodeKind::Error);
        }
    }

    fn register_type(&mut self) {
        let word = if self.is(TokenKind::Word) { self.current_text() } else { "" };
        if word == ".pred" {
            let span = self.current_span();
            self.error(codes::MISSING_TYPE, span, || {
                Detail::new("`.pred` is not a type")
                    .spec("variables 2.3 Predicate Variables")
                    .help("predicates are declared by `.pred %p;`, without `.reg`")
            });
            return self.single(NodeKind::Error);
        }
        if is_type_like(word) || (word.starts_with('.') && !self.at_line_start()) {
            return self.single(NodeKind::TypeName);
        }
        let sticks =
            matches!(self.current, Some(TokenKind::Integer | TokenKind::Word)) && !self.at_line_start();
        let span = if sticks { self.current_span() } else { self.end_of_taken() };
        let found = self.found();
        self.error(codes::MISSING_TYPE, span, || {
            Detail::new(format!("expected the type of the registers, found {found}"))
                .spec("variables 2.2 Register Variables")
                .help("write `.reg .32b %name;`; types are `.8b` to `.128b`, and vectors such as `.v4.32b`")
        });
        if sticks { self.single(NodeKind::Error) } else { self.missing() }
    }

    fn register_names(&mut self, is_predicate: bool) {
        loop {
            match self.current {
                Some(TokenKind::LocalName) => self.register_name(),
                Some(TokenKind::GlobalName) => {
                    let (name, span) = (self.current_text(), self.current_span());
                    self.error(codes::WRONG_DECLARATOR, span, || {
                        let directive = if is_predicate { ".pred" } else { ".reg" };
                        Detail::new(format!("`{directive}` declares registers, `{}` is the name of a memory variable", shortened(name)))
                            .spec("variables 2.2 Register Variables")
                            .help("a register is `%name`; a memory variable is declared by `.private @name[SIZE];` or `.shared`")
                    });
                    self.skip_element();
                }
                Some(TokenKind::Semicolon) if self.after_comma() => {
                    return self.trailing_comma("declaration", "variables 2.2");
                }
                _ => {
                    let help = "names of registers begin with `%`";
                    self.unexpected("the name of a register", "variables 2.2 Register Variables", help);
                    self.missing();
                    if self.is(TokenKind::Word) && self.at_line_start() || self.is(TokenKind::Semicolon) {
                        return;
                    }
                    self.skip_element();
                }
            }
            match self.current {
                Some(TokenKind::Comma) => self.bump(),
                Some(TokenKind::LocalName) => self.missing_comma(),
                Some(TokenKind::LeftBracket | TokenKind::Equals) => {
                    let span = self.current_span();
                    self.error(codes::WRONG_DECLARATOR, span, || {
                        Detail::new("a register has neither a size in `[ ]` nor an initial value")
                            .spec("variables 2.2 Register Variables")
                            .help("its size is its type, several registers are `%name<0~4>`; write its value by `mov`")
                    });
                    return self.skip_statement();
                }
                _ => return,
            }
        }
    }

    /// Whether the token taken last is a comma.
    fn after_comma(&self) -> bool {
        self.taken > 0 && self.tokens[self.taken - 1].kind == TokenKind::Comma
    }

    /// Reports the comma before the current token (G-21, V-08).
    pub(super) fn trailing_comma(&mut self, what: &str, spec: &'static str) {
        let span = if self.taken == 0 { self.current_span() } else { self.span_of(self.taken - 1) };
        let place = self.report.place(span);
        self.error(codes::TRAILING_COMMA, span, || {
            Detail::new(format!("the {what} ends with a comma")).spec(spec).help("remove it").fix(place, "")
        });
        self.missing();
    }

    pub(super) fn missing_comma(&mut self) {
        let at = self.end_of_taken();
        let place = self.report.place(at);
        let found = self.found();
        self.error(codes::MISSING_COMMA, at, || {
            Detail::new(format!("expected `,` before {found}")).spec("syntax 1.2 Statement").fix(place, ",")
        });
    }

    /// `%name` or `%name<0~4>`
    fn register_name(&mut self) {
        let node = self.open(NodeKind::RegisterName);
        self.bump();
        if self.is(TokenKind::Less) {
            self.bump();
            let help = "a range is written `<first~end>`, the end excluded: `%r<0~4>`";
            let spec = "variables 2.2 Register Variables";
            let complete = self.integer("the first index", spec, help)
                && self.expect(TokenKind::Tilde, "`~`", spec, help)
                && self.integer("the end of the range", spec, help)
                && self.expect(TokenKind::Greater, "`>`", spec, help);
            if !complete {
                self.skip_range();
            }
        }
        self.close(node);
    }

    fn skip_range(&mut self) {
        if self.current.is_none() || self.at_line_start() {
            return;
        }
        let node = self.open(NodeKind::Error);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Greater => {
                    self.bump();
                    break;
                }
                TokenKind::Comma | TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => {
                    break;
                }
                TokenKind::Word if self.at_line_start() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Takes an integer literal.
    fn integer(&mut self, expected: &str, spec: &'static str, help: &str) -> bool {
        if !self.is(TokenKind::Integer) {
            self.unexpected(expected, spec, help);
            self.missing();
            return false;
        }
        self.literal();
        true
    }

    /// From the space word on; `node` is open and may hold the linkage.
    pub(super) fn variable(&mut self, node: Open) {
        self.set_kind(node, NodeKind::Variable);
        self.single(NodeKind::Space);
        self.attributes();
        // `.shared .16b @S[100]`: the departure V-06, which the validator reports.
        if self.is(TokenKind::Word) && is_type_like(self.current_text()) {
            self.single(NodeKind::TypeName);
            self.attributes();
        }
        if self.symbol_name("a memory variable").is_none()
            && !self.is(TokenKind::LeftBracket)
            && !self.is(TokenKind::Equals)
        {
            return self.rest_of_variable(node);
        }
        if self.is(TokenKind::LeftBracket) {
            self.size("variables 2.4 Memory Variables");
        }
        if self.is(TokenKind::Equals) {
            self.bump();
            self.initializer();
        }
        if self.is(TokenKind::Comma) {
            let span = self.current_span();
            self.error(codes::WRONG_DECLARATOR, span, || {
                Detail::new("a declaration declares one memory variable")
                    .label("expected `;`")
                    .spec("variables 2.4 Memory Variables")
                    .help("only `.reg` and `.pred` take lists; write a declaration for each variable")
            });
            return self.rest_of_variable(node);
        }
        self.semicolon();
        self.close(node);
    }

    fn rest_of_variable(&mut self, node: Open) {
        let next_statement = self.is(TokenKind::Word) && self.at_line_start();
        if !self.is(TokenKind::Semicolon) && !next_statement {
            self.skip_statement();
        }
        if self.is(TokenKind::LeftBrace) {
            self.skip_block();
        }
        if self.is(TokenKind::Semicolon) {
            self.bump();
        }
        self.close(node);
    }

    /// `[N]`
    fn size(&mut self, spec: &'static str) {
        let node = self.open(NodeKind::Size);
        self.bump();
        let help = "the size in bytes stands in `[ ]`: `@name[16]`";
        if !self.integer("a size in bytes", spec, help) && !self.is(TokenKind::RightBracket) {
            self.skip_element();
        } else if self.is(TokenKind::RightBracket) {
            self.bump();
        } else {
            self.unexpected("`]`", spec, help);
            self.missing();
            if !self.at_line_start() && !self.is(TokenKind::Equals) {
                self.skip_element();
            }
        }
        if self.is(TokenKind::RightBracket) {
            self.bump();
        }
        self.close(node);
    }

    /// Attributes in any order; how often each may stand where is checked elsewhere (V-01, K-08).
    pub(super) fn attributes(&mut self) {
        self.attributes_of(false);
    }

    fn attributes_of(&mut self, of_parameter: bool) {
        while self.is(TokenKind::Word) {
            let word = self.current_text();
            match Directive::of(word) {
                Some(directive) if directive.is_attribute() => self.attribute(directive, of_parameter),
                None if word.starts_with('.') && !is_type_like(word) && !self.at_line_start() => {
                    self.unknown_attribute(of_parameter);
                }
                _ => return,
            }
        }
    }

    fn unknown_attribute(&mut self, of_parameter: bool) {
        const ATTRIBUTES: &[Directive] = &[
            Directive::Align,
            Directive::Section,
            Directive::HostAccess,
            Directive::ReqdWorkGroupSize,
            Directive::VecTypeHint,
            Directive::Addrspace,
            Directive::PtrAlign,
        ];
        let (word, span) = (self.current_text(), self.current_span());
        let meant = crate::keyword::suggest(word, ATTRIBUTES);
        let place = self.report.place(span);
        self.error(codes::UNKNOWN_DIRECTIVE, span, || {
            let detail = Detail::new(format!("unknown attribute `{}`", shortened(word)));
            let detail = detail.spec("directives 1 Directives");
            match meant {
                Some(directive) => {
                    detail.help(format!("did you mean `{}`?", directive.text())).fix(place, directive.text())
                }
                None => detail.help(
                    "attributes of variables: `.align`, `.section`, `.host_access`; of kernels: `.reqd_work_group_size`, \
                     `.vec_type_hint`; of kernel parameters: `.align`, `.addrspace`, `.ptr_align`",
                ),
            }
        });
        if let Some(directive) = meant {
            return self.attribute(directive, of_parameter);
        }
        let node = self.open(NodeKind::Error);
        self.bump();
        if self.is(TokenKind::LeftParen) {
            self.bump();
            while self.current.is_some_and(|k| {
                !matches!(
                    k,
                    TokenKind::RightParen
                        | TokenKind::Semicolon
                        | TokenKind::LeftBrace
                        | TokenKind::RightBrace
                )
            }) {
                self.bump();
            }
            if self.is(TokenKind::RightParen) {
                self.bump();
            }
        } else if self.is(TokenKind::Integer) {
            self.bump();
        }
        self.close(node);
    }

    fn attribute(&mut self, directive: Directive, of_parameter: bool) {
        let argument = match directive {
            Directive::Align if !of_parameter => Argument::Alignment,
            Directive::Section | Directive::HostAccess => Argument::String,
            Directive::ReqdWorkGroupSize => Argument::Integers,
            Directive::VecTypeHint | Directive::Addrspace => Argument::Word,
            _ => Argument::Integer,
        };
        let node = self.open(NodeKind::Attribute);
        self.bump();
        let spec = if of_parameter {
            "calling convention 4.2.1 Parameter Attributes"
        } else {
            "variables 2.4.1, 2.5.3, calling convention 4.1.1"
        };
        let bare = matches!(argument, Argument::Alignment);
        let in_parentheses = self.is(TokenKind::LeftParen);
        let has_value = match self.current {
            Some(TokenKind::Integer | TokenKind::String) => true,
            Some(TokenKind::Word) => !self.current_text().starts_with('.') && !self.at_line_start(),
            _ => false,
        };
        if bare == in_parentheses && (in_parentheses || has_value) {
            let span = self.span_of_node(node);
            self.error(codes::ATTRIBUTE_FORM, span, || {
                let message = format!("`{}` has another form here", directive.text());
                let help = match argument {
                    Argument::Alignment => "a variable's alignment has no parentheses: `.align 4`".to_owned(),
                    _ => format!("its value stands in parentheses: `{}(…)`", directive.text()),
                };
                Detail::new(message).spec(spec).help(help)
            });
            self.missing();
        } else if !bare && !in_parentheses {
            let help = format!("the value of `{}` stands in parentheses", directive.text());
            self.unexpected("`(`", spec, help);
            self.missing();
            return self.close(node);
        }
        if in_parentheses {
            self.bump();
        }
        if self.attribute_values(&argument, spec) && in_parentheses && !self.is(TokenKind::RightParen) {
            self.unexpected("`)`", spec, "");
            self.missing();
        }
        if in_parentheses {
            while self.current.is_some_and(|k| {
                !matches!(
                    k,
                    TokenKind::RightParen
                        | TokenKind::Semicolon
                        | TokenKind::LeftBrace
                        | TokenKind::RightBrace
                        | TokenKind::GlobalName
                        | TokenKind::LocalName
                )
            }) && !self.at_line_start()
            {
                self.single(NodeKind::Error);
            }
            if self.is(TokenKind::RightParen) {
                self.bump();
            }
        }
        self.close(node);
    }

    /// The values of an attribute; false when one is missing, which is reported.
    fn attribute_values(&mut self, argument: &Argument, spec: &'static str) -> bool {
        match argument {
            Argument::Alignment | Argument::Integer => self.integer("a number", spec, ""),
            Argument::Integers => {
                while self.integer("a number", spec, "") {
                    if !self.is(TokenKind::Comma) {
                        return true;
                    }
                    self.bump();
                }
                false
            }
            Argument::String if self.is(TokenKind::String) => {
                if self.current_text() == "\"\"" {
                    let span = self.current_span();
                    self.error(codes::EMPTY_STRING, span, || {
                        Detail::new("the name is empty")
                            .spec(spec)
                            .help("write a name between the quotes, or remove the attribute")
                    });
                    self.missing();
                }
                self.bump();
                true
            }
            Argument::Word if self.is(TokenKind::Word) => {
                self.bump();
                true
            }
            Argument::String => {
                self.unexpected("a name in quotes", spec, "");
                self.missing();
                false
            }
            Argument::Word => {
                self.unexpected("a word", spec, "");
                self.missing();
                false
            }
        }
    }

    /// `( … )` of a kernel or function.
    pub(super) fn parameters(&mut self) {
        const SPEC: &str = "calling convention 4.2 Kernel Parameters, 4.4 Function Arguments";
        let node = self.open(NodeKind::ParameterList);
        let paren = self.current_span();
        self.bump();
        if self.is(TokenKind::RightParen) {
            self.bump();
            return self.close(node);
        }
        loop {
            self.parameter(SPEC);
            match self.current {
                Some(TokenKind::Comma) => {
                    self.bump();
                    if self.is(TokenKind::RightParen) {
                        self.trailing_comma("parameter list", SPEC);
                        self.bump();
                        break;
                    }
                }
                Some(TokenKind::RightParen) => {
                    self.bump();
                    break;
                }
                Some(TokenKind::Word)
                    if self.directive().is_some_and(|d| matches!(d, Directive::Param | Directive::Reg)) =>
                {
                    self.missing_comma();
                    self.missing();
                }
                _ => {
                    let place = self.report.place(paren);
                    let span = self.end_of_taken();
                    let found = self.found();
                    self.error(codes::NOT_CLOSED, span, || {
                        Detail::new(format!("expected `,` or `)`, found {found}"))
                            .also(place, "opened here")
                            .spec(SPEC)
                    });
                    self.missing();
                    if !matches!(self.current, Some(TokenKind::LeftBrace | TokenKind::Semicolon) | None)
                        && !self.at_line_start()
                    {
                        self.skip_element();
                        if matches!(self.current, Some(TokenKind::Comma)) {
                            self.bump();
                            continue;
                        }
                        if self.is(TokenKind::RightParen) {
                            self.bump();
                        }
                    }
                    break;
                }
            }
        }
        self.close(node);
    }

    fn parameter(&mut self, spec: &'static str) {
        let word = if self.is(TokenKind::Word) { self.current_text() } else { "" };
        if word == ".param" {
            let node = self.open(NodeKind::KernelParameter);
            self.bump();
            if self.is(TokenKind::LeftBracket) {
                self.size(spec);
            } else {
                self.unexpected(
                    "`[`",
                    spec,
                    "a kernel parameter is written `.param[SIZE] %name`, the size in bytes",
                );
                self.missing();
                if self.is(TokenKind::Word) && is_type_like(self.current_text()) {
                    self.single(NodeKind::Error);
                }
            }
            self.attributes_of(true);
            if self.is(TokenKind::LocalName) {
                self.bump();
            } else {
                self.unexpected("the name of the parameter", spec, "names of parameters begin with `%`");
                self.missing();
                if matches!(self.current, Some(TokenKind::GlobalName | TokenKind::Word))
                    && !self.at_line_start()
                {
                    self.single(NodeKind::Error);
                }
            }
            return self.close(node);
        }
        if word == ".reg" || is_type_like(word) {
            let node = self.open(NodeKind::FunctionParameter);
            if word == ".reg" {
                self.bump();
            }
            if self.is(TokenKind::Word) && self.current_text().starts_with('.') {
                self.single(NodeKind::TypeName);
            } else {
                self.unexpected(
                    "the type of the parameter",
                    spec,
                    "a function parameter is written `.reg .32b %name`",
                );
                self.missing();
            }
            if self.is(TokenKind::LocalName) {
                self.bump();
            }
            return self.close(node);
        }
        let help = match word {
            "void" => "no parameters are written `()`",
            _ => "a kernel has `.param[SIZE] %name`, a function `.reg TYPE %name`",
        };
        self.unexpected("a parameter", spec, help);
        let stays = self.is(TokenKind::Word) && self.at_line_start() && self.begins_statement();
        self.missing();
        if !stays && !self.is(TokenKind::Comma) && !self.is(TokenKind::RightParen) {
            self.skip_element();
        }
    }

    /// `{ … }` of a variable.
    fn initializer(&mut self) {
        const SPEC: &str = "variables 2.5.1 Initializers";
        let node = self.open(NodeKind::Initializer);
        if !self.is(TokenKind::LeftBrace) {
            self.unexpected("`{`", SPEC, "an initial value is written `{ .32b 1, .32b 2 }`");
            self.missing();
            if !self.is(TokenKind::Semicolon) && !self.at_line_start() {
                self.skip_statement();
            }
            return self.close(node);
        }
        let brace = self.current_span();
        let mut nested = false;
        self.bump();
        if self.is(TokenKind::RightBrace) {
            let span = brace.to(self.current_span());
            self.error(codes::EMPTY_INITIALIZER, span, || {
                Detail::new("the initialiser is empty")
                    .spec(SPEC)
                    .help("write `{ .zero N }` for N zero bytes, or leave `= { }` out")
            });
            self.missing();
            self.bump();
            return self.close(node);
        }
        loop {
            self.initializer_element(SPEC, &mut nested);
            match self.current {
                Some(TokenKind::Comma) => {
                    self.bump();
                    if self.is(TokenKind::RightBrace) {
                        self.trailing_comma("initialiser", SPEC);
                        self.bump();
                        break;
                    }
                }
                Some(TokenKind::RightBrace) => {
                    self.bump();
                    break;
                }
                Some(TokenKind::Word)
                    if is_type_like(self.current_text()) || self.current_text() == ".zero" =>
                {
                    self.missing_comma();
                    self.missing();
                }
                Some(TokenKind::Integer | TokenKind::Float | TokenKind::Minus | TokenKind::GlobalName) => {
                    self.missing_comma();
                    self.missing();
                }
                _ => {
                    let place = self.report.place(brace);
                    let span = self.end_of_taken();
                    let found = self.found();
                    self.error(codes::NOT_CLOSED, span, || {
                        Detail::new(format!("expected `,` or `}}`, found {found}"))
                            .also(place, "opened here")
                            .spec(SPEC)
                    });
                    self.missing();
                    if !self.is(TokenKind::Semicolon) && self.current.is_some() && !self.at_line_start() {
                        self.skip_element();
                        if self.is(TokenKind::Comma) {
                            self.bump();
                            continue;
                        }
                        if self.is(TokenKind::RightBrace) {
                            self.bump();
                        }
                    }
                    break;
                }
            }
        }
        self.close(node);
    }

    #[inline]
    fn initializer_element(&mut self, spec: &'static str, nested: &mut bool) {
        match self.current {
            Some(TokenKind::Word) if self.current_text() == ".zero" => {
                let node = self.open(NodeKind::InitializerElement);
                self.bump();
                self.integer("the number of zero bytes", spec, "");
                self.close(node);
            }
            Some(TokenKind::Word) if self.current_text().starts_with('.') && !self.at_directive_line() => {
                let node = self.open(NodeKind::InitializerElement);
                self.single(NodeKind::TypeName);
                self.initializer_value(spec);
                self.close(node);
            }
            Some(
                TokenKind::Integer
                | TokenKind::Float
                | TokenKind::Minus
                | TokenKind::Plus
                | TokenKind::GlobalName,
            ) => {
                let node = self.open(NodeKind::InitializerElement);
                let span = self.current_span();
                let place = self.report.place(pisa_diag::Span::new(span.start, span.start));
                self.error(codes::UNTYPED_ELEMENT, span, || {
                    Detail::new("the size of the value is missing")
                        .spec(spec)
                        .help("write `.8b`, `.16b`, `.32b` or `.64b` before each value")
                        .also(place, "")
                });
                self.missing();
                self.initializer_value(spec);
                self.close(node);
            }
            Some(TokenKind::LeftBrace) => {
                let span = self.current_span();
                if !std::mem::replace(nested, true) {
                    self.error(codes::NESTED_INITIALIZER, span, || {
                        Detail::new("an initialiser inside an initialiser")
                            .spec(spec)
                            .help("write all values in one list")
                    });
                }
                self.skip_block();
            }
            _ => {
                self.unexpected("a value", spec, "a value is written `.32b 1`, `.64b @symbol` or `.zero N`");
                self.missing();
            }
        }
    }

    fn at_directive_line(&self) -> bool {
        self.directive().is_some() && self.at_line_start()
    }

    fn initializer_value(&mut self, spec: &'static str) {
        match self.current {
            Some(TokenKind::Integer | TokenKind::Float | TokenKind::Minus | TokenKind::Plus) => self.number(),
            Some(TokenKind::GlobalName) => {
                self.single(NodeKind::SymbolOperand);
                if matches!(self.current, Some(TokenKind::Plus | TokenKind::Minus)) {
                    self.bump();
                    self.integer("an offset in bytes", spec, "");
                }
            }
            _ => {
                self.unexpected("a value", spec, "a value is a number, or `@symbol` for an address");
                self.missing();
                if matches!(self.current, Some(TokenKind::LocalName | TokenKind::String)) {
                    self.single(NodeKind::Error);
                } else if self.is(TokenKind::LeftBrace) {
                    self.skip_block();
                }
            }
        }
    }
}
