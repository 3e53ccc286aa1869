//! Instructions and their operands.

use super::Parser;
use crate::lexer::shortened;
use crate::literal::{LiteralError, parse_float, parse_integer};
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
        } else if self.instruction_ends_here(false) {
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
            Some(TokenKind::Word) => !(self.at_line_start() && self.begins_statement()),
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
    fn instruction_ends_here(&self, after_operand: bool) -> bool {
        match self.current {
            None | Some(TokenKind::RightBrace) => true,
            Some(TokenKind::LeftBrace) => self.at_line_start(),
            Some(TokenKind::Word) if self.at_line_start() => after_operand || self.begins_statement(),
            _ => false,
        }
    }

    fn operands(&mut self, mnemonic_is: &str) {
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
    fn rest_of_instruction(&mut self) {
        self.skip_statement();
        if self.is(TokenKind::LeftBrace) && !self.at_line_start() {
            self.skip_block();
            self.skip_statement();
        }
        if self.is(TokenKind::Semicolon) {
            self.bump();
        }
    }

    /// One operand; false when there was none and the rest of the instruction was skipped.
    #[inline]
    fn operand(&mut self, of_goto: bool) -> bool {
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

    fn word(&mut self, of_goto: bool) {
        let (text, span) = (self.current_text(), self.current_span());
        if let [b'.', b'0'..=b'9', ..] = text.as_bytes() {
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

    /// `-`? (Integer | Float)
    pub(super) fn number(&mut self) {
        let node = self.open(NodeKind::NumberOperand);
        if self.is(TokenKind::Plus) {
            let span = self.current_span();
            let place = self.report.place(span);
            self.error(codes::PLUS_SIGN, span, || {
                Detail::new("a literal has no `+`")
                    .spec("operands 3.2 Immediate Values")
                    .help("remove it")
                    .fix(place, "")
            });
            self.single(NodeKind::Error);
        } else if self.is(TokenKind::Minus) {
            self.bump();
        }
        match self.current {
            Some(TokenKind::Integer | TokenKind::Float) => self.literal(),
            // `-.5` and `-nan` are reported as what they are.
            Some(TokenKind::Word) if is_float_like(self.current_text()) => self.word(false),
            _ => {
                self.unexpected("a number after the sign", "operands 3.2 Immediate Values", "");
                self.missing();
            }
        }
        self.close(node);
    }

    /// Takes an integer or floating-point literal and reports when it is malformed. A value that is too large is the
    /// validator's to report, who knows the operand (I-03).
    #[inline]
    pub(super) fn literal(&mut self) {
        let text = self.current_text();
        let error = match self.current {
            Some(TokenKind::Integer) => parse_integer(text).err().filter(|&e| e != LiteralError::TooLarge),
            // Digits and a point are well formed as the lexer made them.
            _ if text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && text.matches('.').count() == 1 => {
                None
            }
            _ => parse_float(text).err(),
        };
        if let Some(error) = error {
            self.malformed(error);
            self.missing();
        }
        self.bump();
    }

    #[cold]
    fn malformed(&mut self, error: LiteralError) {
        let (text, span) = (self.current_text(), self.current_span());
        let is_float = self.is(TokenKind::Float);
        let code = if is_float || error == LiteralError::HexadecimalFloat {
            codes::MALFORMED_FLOAT
        } else {
            codes::MALFORMED_INTEGER
        };
        self.error(code, span, || {
            let what = match error {
                LiteralError::HexadecimalFloat => "a literal",
                _ if is_float => "a floating-point literal",
                _ => "an integer literal",
            };
            let message = match error {
                LiteralError::Digit(_) => format!("`{}` is not {what}", shortened(text)),
                _ => format!("`{}` is not {what}: {error}", shortened(text)),
            };
            let detail = Detail::new(message).spec("operands 3.2 Immediate Values");
            match error {
                LiteralError::Separator => {
                    detail.help(format!("write `{}`", shortened(&text.replace('_', ""))))
                }
                LiteralError::Base => match binary_or_octal(text) {
                    Some(value) => detail.help(format!("write `0x{value:x}`")),
                    None => detail.help("write it in decimal, or in hexadecimal after `0x`"),
                },
                LiteralError::HexadecimalFloat => {
                    detail.help("write the bits as a hexadecimal integer, or a decimal literal such as `1.5`")
                }
                LiteralError::Digit(at) => detail
                    .label(format!(
                        "`{}` is not part of it",
                        shortened(text.get(at as usize..).unwrap_or(""))
                    ))
                    .help("literals have no suffixes; the size is that of the operand"),
                LiteralError::NoDigits => detail.help("write the digits, or `0`"),
                LiteralError::TooLarge => detail,
            }
        });
    }

    /// `[` base ((`+`|`-`) offset)? `]`
    fn address(&mut self) {
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
    fn arguments(&mut self) {
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

/// `.5`, `inf`, `nan`: meant as a number.
fn is_float_like(text: &str) -> bool {
    matches!(text.as_bytes(), [b'.', b'0'..=b'9', ..])
        || ["inf", "infinity", "nan"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The value of `0b…` or `0o…`.
fn binary_or_octal(text: &str) -> Option<u64> {
    let (prefix, digits) = text.split_at_checked(2)?;
    let base = if prefix.ends_with(['b', 'B']) { 2 } else { 8 };
    u64::from_str_radix(&digits.replace('_', ""), base).ok()
}
