//! Instructions.

use super::Parser;
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};
use pisa_diag::Span;

impl<'t> Parser<'t> {
    /// Mnemonic (Operand (`,` Operand)*)? `;`
    pub(super) fn instruction(&mut self) {
        let node = self.open(NodeKind::Instruction);
        let mnemonic = self.mnemonic();
        if self.is(TokenKind::Semicolon) {
            self.bump();
        } else if self.instruction_ends_here(false) || self.at_next_statement() {
            self.missing_semicolon();
        } else {
            self.operands(mnemonic);
        }
        self.close(node);
    }

    fn mnemonic(&mut self) -> &'t str {
        let (text, span) = (self.current_text(), self.current_span());
        self.single(NodeKind::Mnemonic);
        self.upper_case(text, span);
        let continues = match self.current {
            Some(TokenKind::Word) => !self.at_next_statement(),
            Some(TokenKind::Integer) => text.ends_with('.'),
            _ => false,
        };
        if continues {
            self.blank_in_mnemonic(text, span);
        }
        text
    }

    /// Opcodes are lower case (G-16).
    fn upper_case(&mut self, text: &str, span: Span) {
        let opcode = text.split('.').next().unwrap_or(text);
        if !opcode.bytes().any(|b| b.is_ascii_uppercase()) {
            return;
        }
        let lower = text.to_ascii_lowercase();
        if !crate::keyword::is_opcode_like(&lower) {
            return;
        }
        // Cache controls such as `.L1c` keep their capital.
        let lower = text.split('.').map(|part| match part.as_bytes() {
            [b'L' | b'l', b'1'..=b'3', rest @ ..] => {
                format!("L{}{}", &part[1..2], String::from_utf8_lossy(rest).to_ascii_lowercase())
            }
            _ => part.to_ascii_lowercase(),
        });
        let lower = lower.collect::<Vec<_>>().join(".");
        let place = self.report.place(span);
        self.error(codes::UPPER_CASE_MNEMONIC, span, || {
            Detail::new(format!("`{}` is not an opcode; opcodes are lower case", shortened(opcode)))
                .spec("instructions 1 Instruction Set")
                .help(format!("write `{}`", shortened(&lower)))
                .fix(place, lower)
        });
        self.missing();
    }

    /// `iadd .32b`: opcode and qualifiers are one word (G-15). Only `goto` has an operand that may begin with a dot.
    fn blank_in_mnemonic(&mut self, mnemonic: &str, span: Span) {
        if mnemonic == "goto" && self.next_is_end() {
            return;
        }
        let mut whole = mnemonic.to_owned();
        let mut last = span;
        let mut node = None;
        while matches!(self.current, Some(TokenKind::Word | TokenKind::Integer)) {
            let part = self.current_text();
            if self.at_line_start() && self.begins_statement()
                || !(part.starts_with('.') || whole.ends_with('.'))
                || self.at_label()
            {
                break;
            }
            whole.push_str(part);
            last = self.current_span();
            if node.is_none() {
                node = Some(self.open(NodeKind::Error));
            }
            self.bump();
        }
        let Some(node) = node else { return };
        self.close(node);
        let span = span.to(last);
        let place = self.report.place(span);
        self.error(codes::BLANK_IN_MNEMONIC, span, || {
            Detail::new(format!("a blank inside the mnemonic `{}`", shortened(&whole)))
                .spec("instructions 1 Instruction Set")
                .help("write opcode and qualifiers without blanks between")
                .fix(place, whole)
        });
    }

    /// Whether the word after a mnemonic, on a line of its own, begins a statement: also a directive that does not exist,
    /// unless it stands where the label of a `goto` would.
    fn at_next_statement(&self) -> bool {
        let is_word = self.is(TokenKind::Word) && self.at_line_start();
        let is_dotted = is_word && self.current_text().starts_with('.');
        is_word && self.begins_statement() || is_dotted && !self.next_is_end()
    }

    /// Whether the token after the current one ends an operand.
    fn next_is_end(&self) -> bool {
        let next = self.after(self.at);
        self.starts_line(next)
            || matches!(
                self.tokens.get(next).map(|t| t.kind),
                None | Some(TokenKind::Semicolon | TokenKind::Comma)
            )
    }

    /// Whether the instruction ends before the current token although no `;` stands there. After a comma only what
    /// cannot be an operand ends it.
    pub(super) fn instruction_ends_here(&self, after_operand: bool) -> bool {
        match self.current {
            None | Some(TokenKind::RightBrace) => true,
            Some(TokenKind::LeftBrace) => self.at_line_start(),
            Some(TokenKind::Word) if self.at_line_start() => after_operand || self.begins_statement(),
            _ => false,
        }
    }

    pub(super) fn operands(&mut self, mnemonic_is: &str) {
        let mnemonic_is_goto = mnemonic_is == "goto" || mnemonic_is == "goto.cond";
        loop {
            if !self.operand(mnemonic_is_goto) {
                return;
            }
            if self.is(TokenKind::LeftParen) {
                self.arguments();
            }
            match self.current {
                Some(TokenKind::Comma) => self.bump(),
                Some(TokenKind::Semicolon) => return self.bump(),
                _ if self.instruction_ends_here(true) => return self.missing_semicolon(),
                Some(
                    TokenKind::LocalName
                    | TokenKind::GlobalName
                    | TokenKind::Integer
                    | TokenKind::Float
                    | TokenKind::LeftBracket
                    | TokenKind::Bang
                    | TokenKind::Minus,
                ) => self.two_operands(),
                Some(TokenKind::Word) => {
                    if self.second_word() {
                        return;
                    }
                }
                _ => {
                    let help = match self.current {
                        Some(
                            TokenKind::Plus
                            | TokenKind::Less
                            | TokenKind::Greater
                            | TokenKind::Equals
                            | TokenKind::Tilde,
                        ) => {
                            "PISA has no expressions; an offset stands in the brackets of an address: `[%a + 4]`"
                        }
                        _ => "",
                    };
                    self.unexpected("`,` or `;`", "syntax 1.2 Statement", help);
                    return self.rest_of_instruction();
                }
            }
            if self.is(TokenKind::Semicolon) {
                self.trailing_comma("operand list", "syntax 1.2 Statement");
                return self.bump();
            }
        }
    }

    /// Two operands without a comma.
    fn two_operands(&mut self) {
        if self.is(TokenKind::Minus) {
            let span = self.current_span();
            self.error(codes::UNEXPECTED_TOKEN, span, || {
                Detail::new("expected `,` or `;`, found `-`").spec("operands 3.3 Address Operands").help(
                    "PISA has no expressions; an offset stands in the brackets of an address: `[%a - 4]`",
                )
            });
        } else {
            self.missing_comma();
        }
        self.missing();
    }

    /// A word after an operand on the same line: a swizzle apart from its register, a second instruction, or an
    /// operand without comma. Says whether the instruction ended.
    fn second_word(&mut self) -> bool {
        let word = self.current_text();
        let after_register = self.taken > 0 && self.tokens[self.taken - 1].kind == TokenKind::LocalName;
        if word.starts_with('.') && after_register {
            let (before, span) = (self.text_of(self.taken - 1), self.current_span());
            self.error(codes::UNEXPECTED_TOKEN, span, || {
                Detail::new(format!("expected `,` or `;`, found `{}`", shortened(word)))
                    .spec("operands 3.4 Vector Operands")
                    .help(format!(
                        "a swizzle follows its register without a blank: `{}{}`",
                        shortened(before),
                        shortened(word)
                    ))
            });
            self.single(NodeKind::Error);
            match self.current {
                Some(TokenKind::Comma) => self.bump(),
                Some(TokenKind::Semicolon) => {
                    self.bump();
                    return true;
                }
                _ => {
                    self.rest_of_instruction();
                    return true;
                }
            }
            return false;
        }
        if self.begins_statement() && !self.next_is_end() || word == "return" {
            self.missing_semicolon();
            return true;
        }
        self.missing_comma();
        self.missing();
        false
    }

    /// Skips to the `;` of this instruction, or to the next statement.
    pub(super) fn rest_of_instruction(&mut self) {
        self.skip_statement();
        if self.is(TokenKind::LeftBrace) && !self.at_line_start() {
            self.skip_block();
            self.skip_statement();
        }
        if self.is(TokenKind::Semicolon) {
            self.bump();
        }
    }
}
