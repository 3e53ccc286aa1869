//! Addresses and the arguments of calls.

use super::Parser;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

impl Parser<'_> {
    /// `[` base ((`+`|`-`) offset)? `]`
    pub(super) fn address(&mut self) {
        const SPEC: &str = "operands 3.3 Address Operands";
        let node = self.open(NodeKind::AddressOperand);
        let bracket = self.current_span();
        self.bump();
        let mut complete = self.address_part("an address", SPEC);
        if complete && matches!(self.current, Some(TokenKind::Plus | TokenKind::Minus)) {
            self.bump();
            complete = self.address_part("an offset", SPEC);
        }
        if complete && self.is(TokenKind::RightBracket) {
            self.bump();
            return self.close(node);
        }
        if complete {
            if self.ends_statement() {
                let (at, place) = (self.end_of_taken(), self.report.place(bracket));
                let found = self.found();
                self.error(codes::NOT_CLOSED, at, || {
                    Detail::new(format!("expected `]`, found {found}")).also(place, "opened here").spec(SPEC)
                });
            } else {
                self.unexpected(
                    "`]`",
                    SPEC,
                    "an address is a register, a variable or a number, and at most one offset: `[%a + 4]`",
                );
            }
            self.missing();
        }
        if !self.ends_statement() {
            self.skip_address();
        }
        if self.is(TokenKind::RightBracket) {
            self.bump();
        }
        self.close(node);
    }

    fn ends_statement(&self) -> bool {
        match self.current {
            None | Some(TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace) => true,
            Some(TokenKind::RightBracket) => true,
            _ => self.at_line_start(),
        }
    }

    /// Skips to the `]` of an address, if there is one before the statement ends.
    fn skip_address(&mut self) {
        let node = self.open(NodeKind::Error);
        while !self.ends_statement() {
            self.bump();
        }
        self.close(node);
    }

    fn address_part(&mut self, expected: &str, spec: &'static str) -> bool {
        match self.current {
            Some(TokenKind::LocalName) => self.single(NodeKind::RegisterOperand),
            Some(TokenKind::GlobalName) => self.single(NodeKind::SymbolOperand),
            Some(TokenKind::Integer | TokenKind::Float | TokenKind::Minus | TokenKind::Plus) => self.number(),
            _ => {
                self.unexpected(
                    expected,
                    spec,
                    "an address is written `[%register]`, `[@variable]` or `[%register + 4]`",
                );
                self.missing();
                return false;
            }
        }
        true
    }

    /// `( … )` of `call`
    pub(super) fn arguments(&mut self) {
        const SPEC: &str = "control flow 6.1 call";
        let node = self.open(NodeKind::ArgumentList);
        let paren = self.current_span();
        self.bump();
        if self.is(TokenKind::RightParen) {
            self.bump();
            return self.close(node);
        }
        loop {
            match self.current {
                Some(TokenKind::LocalName) => self.single(NodeKind::RegisterOperand),
                Some(TokenKind::RightParen) => self.trailing_comma("argument list", SPEC),
                Some(
                    TokenKind::Integer
                    | TokenKind::Float
                    | TokenKind::Minus
                    | TokenKind::GlobalName
                    | TokenKind::Bang
                    | TokenKind::LeftBracket,
                ) => {
                    let (span, found) = (self.current_span(), self.found());
                    self.error(codes::ARGUMENT_NOT_REGISTER, span, || {
                        Detail::new(format!("{found} is not a register; the arguments of a call are"))
                            .spec("calling convention 4.4 Function Arguments")
                            .help("move it into a register of the parameter's type first")
                    });
                    let error = self.open(NodeKind::Error);
                    self.operand(false);
                    self.close(error);
                }
                _ => {
                    self.unexpected("an argument", SPEC, "arguments are registers");
                    self.missing();
                    if !self.ends_statement() && !self.is(TokenKind::Comma) {
                        self.skip_element();
                    }
                }
            }
            match self.current {
                Some(TokenKind::Comma) => self.bump(),
                Some(TokenKind::RightParen) => {
                    self.bump();
                    break;
                }
                Some(TokenKind::LocalName) if !self.at_line_start() => {
                    self.missing_comma();
                    self.missing();
                }
                _ => {
                    let (at, place, found) = (self.end_of_taken(), self.report.place(paren), self.found());
                    self.error(codes::NOT_CLOSED, at, || {
                        Detail::new(format!("expected `,` or `)`, found {found}"))
                            .also(place, "opened here")
                            .spec(SPEC)
                    });
                    self.missing();
                    if !self.ends_statement() {
                        self.skip_element();
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
}
