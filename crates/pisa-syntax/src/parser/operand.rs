//! Operands.

use super::Parser;
use super::number::is_float_like;
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};
use pisa_diag::Span;

impl Parser<'_> {
    /// One operand; false when there was none and the rest of the instruction was skipped.
    #[inline]
    pub(super) fn operand(&mut self, of_goto: bool) -> bool {
        match self.current {
            Some(TokenKind::LocalName) => self.single(NodeKind::RegisterOperand),
            Some(TokenKind::Integer | TokenKind::Float | TokenKind::Minus | TokenKind::Plus) => self.number(),
            Some(TokenKind::LeftBracket) => self.address(),
            Some(TokenKind::GlobalName) => self.single(NodeKind::SymbolOperand),
            Some(TokenKind::Bang) => {
                let node = self.open(NodeKind::NegatedOperand);
                self.bump();
                let help = "only predicates are negated: `!%p`";
                let found =
                    self.expect(TokenKind::LocalName, "a predicate after `!`", "control flow 6.2 goto", help);
                let is_operand = matches!(
                    self.current,
                    Some(TokenKind::Word | TokenKind::GlobalName | TokenKind::Integer)
                );
                if !found && is_operand && !self.at_line_start() {
                    self.single(NodeKind::Error);
                }
                self.close(node);
            }
            Some(TokenKind::Word) if !self.instruction_ends_here(false) => self.word(of_goto),
            Some(TokenKind::LeftParen) => {
                let span = self.current_span();
                self.error(codes::UNEXPECTED_TOKEN, span, || {
                    Detail::new("expected an operand, found `(`")
                        .spec("control flow 6.1 call")
                        .help("arguments follow the function without a comma: `call %r, @f(%a, %b);`")
                });
                self.missing();
                self.arguments();
            }
            _ => return self.no_operand(),
        }
        true
    }

    #[cold]
    fn no_operand(&mut self) -> bool {
        let help = match self.current {
            Some(TokenKind::LeftBrace) if !self.at_line_start() => {
                "vectors are registers of a vector type, they are not written in braces"
            }
            Some(TokenKind::String) => "strings stand in attributes only",
            _ => "an operand is a register, a number, an address in `[ ]`, a symbol or a label",
        };
        self.unexpected("an operand", "operands 3", help);
        self.missing();
        if matches!(self.current, Some(TokenKind::Comma)) {
            return true;
        }
        let ends = self.instruction_ends_here(false);
        if !ends {
            self.rest_of_instruction();
        }
        false
    }

    pub(super) fn word(&mut self, of_goto: bool) {
        let (text, span) = (self.current_text(), self.current_span());
        // Behind `goto` it is a label, which may have such a name (1.3).
        if let ([b'.', b'0'..=b'9', ..], false) = (text.as_bytes(), of_goto) {
            let node = self.open(NodeKind::NumberOperand);
            let mut end = span.end;
            let error = self.open(NodeKind::Error);
            self.bump();
            // `.5e-3` is a word, a sign and an integer.
            if text.ends_with(['e', 'E']) {
                for expected in [TokenKind::Minus, TokenKind::Integer] {
                    let sign = expected == TokenKind::Minus && self.is(TokenKind::Plus);
                    if (self.is(expected) || sign) && self.current_span().start == end {
                        end = self.current_span().end;
                        self.bump();
                    }
                }
            }
            self.close(error);
            self.close(node);
            let span = Span::new(span.start, end);
            let literal = &self.text[span.start as usize..span.end as usize];
            let place = self.report.place(Span::new(span.start, span.start));
            self.error(codes::MALFORMED_FLOAT, span, || {
                Detail::new(format!(
                    "`{}` is not a number: a digit stands before the point",
                    shortened(literal)
                ))
                .spec("operands 3.2 Immediate Values")
                .help(format!("write `0{}`", shortened(literal)))
                .fix(place, "0")
            });
            return;
        }
        if !of_goto && is_float_like(text) && !self.is_label_name(text) {
            self.error(codes::MALFORMED_FLOAT, span, || {
                Detail::new(format!("`{text}` is not a literal"))
                    .spec("operands 3.2 Immediate Values")
                    .help("write the bits in hexadecimal: for `.f` infinity is `0x7F800000`, a quiet NaN `0x7FC00000`")
            });
            let node = self.open(NodeKind::WordOperand);
            self.single(NodeKind::Error);
            return self.close(node);
        }
        self.single(NodeKind::WordOperand);
    }
}
