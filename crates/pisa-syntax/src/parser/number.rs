//! Numbers.

use super::Parser;
use crate::lexer::shortened;
use crate::literal::{LiteralError, parse_float, parse_integer};
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

impl Parser<'_> {
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
}

/// `.5`, `inf`, `nan`: meant as a number.
pub(super) fn is_float_like(text: &str) -> bool {
    matches!(text.as_bytes(), [b'.', b'0'..=b'9', ..])
        || ["inf", "infinity", "nan"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The value of `0b…` or `0o…`.
fn binary_or_octal(text: &str) -> Option<u64> {
    let (prefix, digits) = text.split_at_checked(2)?;
    let base = if prefix.ends_with(['b', 'B']) { 2 } else { 8 };
    u64::from_str_radix(&digits.replace('_', ""), base).ok()
}
