//! Memory variables and their initialisers.

use super::{Open, Parser};
use crate::keyword::is_type_like;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

impl Parser<'_> {
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
    pub(super) fn size(&mut self, spec: &'static str) {
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
