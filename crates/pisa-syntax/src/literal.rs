//! The values of literals.

use std::borrow::Cow;
use std::fmt;

/// An integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerLiteral {
    /// Its value without a sign.
    pub value: u64,
    /// Written in hexadecimal.
    pub hex: bool,
    /// How many digits were written, leading zeros included, without `0x` (I-06).
    pub digits: u32,
}

/// Why a text is no literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// `0x` alone.
    NoDigits,
    /// `0b1`, `0o7`: PISA has decimal and hexadecimal only.
    Base,
    /// `1_000`.
    Separator,
    /// `0x1.8p3`: hexadecimal literals are integers.
    HexadecimalFloat,
    /// A character that is not a digit; the byte offset in the text.
    Digit(u32),
    /// Does not fit 64 bits (I-03).
    TooLarge,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LiteralError::NoDigits => "hexadecimal digits are missing after `0x`",
            LiteralError::Base => "a literal is decimal or hexadecimal",
            LiteralError::Separator => "digits are not separated",
            LiteralError::HexadecimalFloat => "a hexadecimal literal is an integer",
            LiteralError::Digit(_) => "this is not a digit",
            LiteralError::TooLarge => "the value does not fit 64 bits",
        })
    }
}

impl std::error::Error for LiteralError {}

/// Reads an unsigned integer literal: decimal, or hexadecimal after `0x` or `0X` (operands 3.2, I-04).
///
/// `010` is decimal ten. A sign is a token of its own and not part of the literal.
pub fn parse_integer(text: &str) -> Result<IntegerLiteral, LiteralError> {
    let bytes = text.as_bytes();
    let hex = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let start = if hex { 2 } else { 0 };
    let (base, mut value, mut too_large) = (if hex { 16 } else { 10 }, 0u64, false);
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' if hex => byte - b'a' + 10,
            b'A'..=b'F' if hex => byte - b'A' + 10,
            b'_' => return Err(LiteralError::Separator),
            b'.' | b'p' | b'P' if hex => return Err(LiteralError::HexadecimalFloat),
            b'b' | b'B' | b'o' | b'O' if at == 1 && bytes[0] == b'0' => return Err(LiteralError::Base),
            _ => return Err(LiteralError::Digit(at as u32)),
        };
        match value.checked_mul(base).and_then(|v| v.checked_add(u64::from(digit))) {
            Some(v) => value = v,
            None => too_large = true,
        }
    }
    match bytes.len() - start {
        0 => Err(LiteralError::NoDigits),
        _ if too_large => Err(LiteralError::TooLarge),
        digits => Ok(IntegerLiteral { value, hex, digits: digits as u32 }),
    }
}

/// Reads an unsigned decimal floating-point literal as the nearest double, ties to even (I-05, I-09).
///
/// A value beyond the range of a double is infinite.
pub fn parse_float(text: &str) -> Result<f64, LiteralError> {
    let bytes = text.as_bytes();
    let digits_from = |start: usize| bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits_from(0);
    if whole == 0 {
        return Err(LiteralError::Digit(0));
    }
    let mut at = whole;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        at += digits_from(at);
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        match digits_from((at + 1 + sign).min(bytes.len())) {
            0 => return Err(LiteralError::Digit(at as u32)),
            n => at += 1 + sign + n,
        }
    }
    match bytes.get(at) {
        Some(b'_') => Err(LiteralError::Separator),
        Some(_) => Err(LiteralError::Digit(at as u32)),
        None => text.parse().map_err(|_| LiteralError::Digit(0)),
    }
}

/// Whether a string literal has its closing quote.
pub(crate) fn is_closed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1 == bytes.len(),
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 2,
            _ => at += 1,
        }
    }
    false
}

/// The content of a string literal: without quotes, `\"` and `\\` replaced (G-18).
///
/// A string that is not closed gives what there is.
pub fn unescape(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = if is_closed(text) { inner.strip_suffix('"').unwrap_or(inner) } else { inner };
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut content = String::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('"' | '\\')) => content.extend(characters.next()),
            _ => content.push(c),
        }
    }
    Cow::Owned(content)
}

/// The name that a `@name`, `@"quoted name"` (G-19) or `%name` token stands for, without its first character.
pub fn name_of(token: &str) -> Cow<'_, str> {
    let name = token.strip_prefix(['@', '%']).unwrap_or(token);
    if name.starts_with('"') { unescape(name) } else { Cow::Borrowed(name) }
}
