//! What is reported, and where reading goes on.

use super::Parser;
use crate::keyword::Directive;
use crate::lexer::shortened;
use crate::literal::is_closed;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};
use pisa_diag::{Code, Span};

impl Parser<'_> {
    pub(super) fn error(&mut self, code: Code, span: Span, build: impl FnOnce() -> Detail) {
        // One fault, one message: nothing was read since the last one, so this is the same fault.
        if self.last_error == Some(self.taken) || self.is_consequence() {
            return;
        }
        self.last_error = Some(self.taken);
        self.report.error(code, span, build);
    }

    /// Whether a fault that the lexer has reported stands right before: an unknown character, or a string without its
    /// quote or a `#` that swallowed the rest of a line. What is missing next is its consequence.
    #[cold]
    fn is_consequence(&self) -> bool {
        if self.unknown {
            return true;
        }
        let before = self.taken.checked_sub(1);
        if before.is_some_and(|i| self.tokens[i].kind == TokenKind::String && !is_closed(self.text_of(i))) {
            return true;
        }
        let is_hash =
            |i: usize| self.tokens[i].kind == TokenKind::Comment && self.text_of(i).starts_with('#');
        (self.taken..self.at).any(is_hash)
    }

    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        match self.current {
            None => "the end of the file".to_owned(),
            Some(TokenKind::String) => format!("the string {}", shortened(self.current_text())),
            Some(_) => format!("`{}`", shortened(self.current_text())),
        }
    }

    /// "expected …, found …" at the current token, or after the last one when a line or the file ended there.
    pub(super) fn unexpected(&mut self, expected: &str, spec: &'static str, help: impl Into<String>) {
        let ended = self.current.is_none() || self.at_line_start();
        let span = if ended { self.end_of_taken() } else { self.current_span() };
        self.unexpected_at(span, expected, spec, help);
    }

    /// The same, at another place.
    pub(super) fn unexpected_at(
        &mut self,
        span: Span,
        expected: &str,
        spec: &'static str,
        help: impl Into<String>,
    ) {
        let found = self.found();
        let help = help.into();
        self.error(codes::UNEXPECTED_TOKEN, span, || {
            let detail = Detail::new(format!("expected {expected}, found {found}")).spec(spec);
            if help.is_empty() { detail } else { detail.help(help) }
        });
    }

    /// Takes a token of this kind, or reports that it is missing and leaves everything where it is.
    pub(super) fn expect(&mut self, kind: TokenKind, expected: &str, spec: &'static str, help: &str) -> bool {
        if self.is(kind) {
            self.bump();
            return true;
        }
        self.unexpected(expected, spec, help);
        self.missing();
        false
    }

    /// Takes an integer literal.
    pub(super) fn integer(&mut self, expected: &str, spec: &'static str, help: &str) -> bool {
        if !self.is(TokenKind::Integer) {
            self.unexpected(expected, spec, help);
            self.missing();
            return false;
        }
        self.literal();
        true
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

    /// The end of a statement. Without `;` it ends where the next line begins a statement; otherwise the rest of it is
    /// skipped.
    pub(super) fn semicolon(&mut self) {
        if self.is(TokenKind::Semicolon) {
            return self.bump();
        }
        let ends_here = match self.current {
            None | Some(TokenKind::RightBrace | TokenKind::LeftBrace) => true,
            Some(TokenKind::Word) => self.at_line_start(),
            _ => false,
        };
        if ends_here {
            return self.missing_semicolon();
        }
        self.unexpected("`;`", "syntax 1.2 Statement", "");
        self.skip_statement();
        if self.is(TokenKind::Semicolon) {
            self.bump();
        }
    }

    pub(super) fn missing_semicolon(&mut self) {
        let at = self.end_of_taken();
        let place = self.report.place(at);
        self.error(codes::MISSING_SEMICOLON, at, || {
            Detail::new("expected `;`")
                .label("the statement ends here")
                .spec("syntax 1.2 Statement")
                .help("declarations and instructions end with `;`")
                .fix(place, ";")
        });
    }

    /// Skips within a statement, into one Error node, up to `;`, a brace, or a line that begins a new statement.
    pub(super) fn skip_statement(&mut self) {
        let node = self.open(NodeKind::Error);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => break,
                TokenKind::Word if self.at_line_start() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Skips within brackets, into one Error node, up to `,`, a closing bracket, or the end of the statement.
    pub(super) fn skip_element(&mut self) {
        let node = self.open(NodeKind::Error);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => break,
                TokenKind::Comma | TokenKind::RightParen | TokenKind::RightBracket => break,
                TokenKind::Word if self.at_line_start() && self.begins_statement() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Skips `{ … }` with whatever is nested in it, into one Error node; an item of the module ends it, too.
    pub(super) fn skip_block(&mut self) {
        let node = self.open(NodeKind::Error);
        let mut depth = 0usize;
        while let Some(kind) = self.current {
            match kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Word if self.at_line_start() && self.begins_item() => break,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        self.close(node);
    }

    /// Whether the current word begins an item of the module, and nothing of a body.
    pub(super) fn begins_item(&self) -> bool {
        self.directive().is_some_and(Directive::begins_item) && !self.at_label()
    }

    /// Whether the current word, at the beginning of a line, looks like a statement rather than an operand.
    pub(super) fn begins_statement(&self) -> bool {
        if self.at_label() {
            return true;
        }
        let word = self.current_text();
        if self
            .directive()
            .is_some_and(|d| d != Directive::Param && !d.is_attribute() && d != Directive::Zero)
        {
            return !self.is_label_name(word);
        }
        crate::keyword::is_opcode_like(word) && !self.is_label_name(word)
    }

    /// Whether there is a label of this name anywhere in the file: keywords are not reserved (G-07).
    pub(super) fn is_label_name(&self, word: &str) -> bool {
        let gather = || {
            let is_label = |&i: &usize| {
                self.tokens[i].kind == TokenKind::Word
                    && self.tokens.get(self.after(i)).is_some_and(|t| t.kind == TokenKind::Colon)
            };
            (0..self.tokens.len()).filter(is_label).map(|i| self.text_of(i)).collect()
        };
        self.labels.get_or_init(gather).contains(word)
    }
}
