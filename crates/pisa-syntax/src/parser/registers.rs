//! Declarations of registers and predicates.

use super::Parser;
use crate::keyword::{Directive, is_type_like};
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

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
}
