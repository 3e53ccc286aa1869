//! Parameters of kernels and functions.

use super::Parser;
use crate::keyword::{Directive, is_type_like};
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

impl Parser<'_> {
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

    pub(super) fn parameter(&mut self, spec: &'static str) {
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
            ".pred" => {
                "a predicate cannot be passed; `sel.32b %t, 1, 0, %p;` makes a number of it, passed as `.reg .32b`"
            }
            _ => "a kernel has `.param[SIZE] %name`, a function `.reg TYPE %name`",
        };
        self.unexpected("a parameter", spec, help);
        let stays = self.is(TokenKind::Word) && self.at_line_start() && self.begins_statement();
        self.missing();
        if !stays && !self.is(TokenKind::Comma) && !self.is(TokenKind::RightParen) {
            self.skip_element();
        }
    }
}
