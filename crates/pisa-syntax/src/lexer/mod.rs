//! Text to tokens.
//!
//! A table gives the class of a token's first byte; names, blanks and digits are runs. Whatever is wrong with a single
//! token is reported here, so that the parser never speaks of it again.

mod faults;

use crate::report::{Detail, Report};
use crate::{Token, TokenKind, codes};
use pisa_diag::Span;
use std::collections::HashSet;

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Foreign,
    Blank,
    NameStart,
    Digit,
    At,
    Percent,
    Slash,
    Quote,
    Punctuation,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => Class::Blank,
        b'a'..=b'z' | b'A'..=b'Z' | b'$' | b'_' | b'.' => Class::NameStart,
        b'0'..=b'9' => Class::Digit,
        b'@' => Class::At,
        b'%' => Class::Percent,
        b'/' => Class::Slash,
        b'"' => Class::Quote,
        b';' | b',' | b':' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'~' | b'+' | b'-'
        | b'=' | b'!' => Class::Punctuation,
        _ => Class::Foreign,
    }
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Foreign; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a byte continues a name: `[a-zA-Z$._0-9]` (syntax 1.3).
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(class_of(byte as u8), Class::NameStart | Class::Digit);
        byte += 1;
    }
    table
};

const fn punctuation(byte: u8) -> TokenKind {
    match byte {
        b';' => TokenKind::Semicolon,
        b',' => TokenKind::Comma,
        b':' => TokenKind::Colon,
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b'<' => TokenKind::Less,
        b'>' => TokenKind::Greater,
        b'~' => TokenKind::Tilde,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'=' => TokenKind::Equals,
        _ => TokenKind::Bang,
    }
}

/// Splits a text of less than 1 GiB into tokens whose texts joined are the text.
///
/// `decoded`: the replacement characters in it stand for bytes that were reported when it was decoded.
pub(crate) fn lex(text: &str, decoded: bool, report: &mut Report) -> Vec<Token> {
    // What compilers print has about 2.6 bytes a token; what is reserved and not used costs no memory.
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        decoded,
        no_comment_end: false,
        malformed: HashSet::new(),
        report,
    };
    let mut tokens = Vec::with_capacity(text.len() / 3 + 16);
    while let Some(&byte) = lexer.bytes.get(lexer.at) {
        let kind = lexer.token(byte);
        tokens.push(Token { kind, end: lexer.at as u32 });
    }
    tokens
}

struct Lexer<'t, 'r> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    decoded: bool,
    /// No `*/` stands from here on: searched once, so that many `/*` stay linear.
    no_comment_end: bool,
    /// Malformed names that were reported: each once, however often it is used.
    malformed: HashSet<&'t str>,
    report: &'r mut Report,
}

impl<'t> Lexer<'t, '_> {
    #[inline]
    fn token(&mut self, byte: u8) -> TokenKind {
        let start = self.at;
        match CLASSES[byte as usize] {
            Class::Blank => {
                self.at += 1;
                while self.peek().is_some_and(|b| CLASSES[b as usize] == Class::Blank) {
                    self.at += 1;
                }
                TokenKind::Whitespace
            }
            Class::NameStart => {
                self.at += 1;
                if self.name() {
                    self.foreign_name(start);
                }
                TokenKind::Word
            }
            Class::Digit => self.number(),
            Class::At => self.global_name(),
            Class::Percent => {
                self.at += 1;
                self.local_name(start)
            }
            Class::Slash => self.slash(),
            Class::Quote => {
                self.at += 1;
                self.string(start);
                TokenKind::String
            }
            Class::Punctuation => {
                self.at += 1;
                punctuation(byte)
            }
            Class::Foreign => self.foreign(),
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn character(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// Moves past the rest of a name. A letter or digit of another script stays in it, so that one fault remains one;
    /// the result says whether there was any.
    #[inline]
    fn name(&mut self) -> bool {
        let mut foreign = false;
        loop {
            while self.peek().is_some_and(|b| IN_NAME[b as usize]) {
                self.at += 1;
            }
            if self.peek().is_none_or(|b| b.is_ascii()) {
                return foreign;
            }
            match self.character() {
                Some(c) if c == char::REPLACEMENT_CHARACTER && self.decoded => self.at += c.len_utf8(),
                Some(c) if c.is_alphanumeric() => {
                    foreign = true;
                    self.at += c.len_utf8();
                }
                _ => return foreign,
            }
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    fn local_name(&mut self, start: usize) -> TokenKind {
        let first = self.peek();
        let foreign = self.name();
        match first {
            Some(b) if CLASSES[b as usize] == Class::NameStart => {
                if foreign {
                    self.foreign_name(start);
                }
                TokenKind::LocalName
            }
            _ => self.malformed_name(start, "%", "register"),
        }
    }

    fn global_name(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b) if CLASSES[b as usize] == Class::NameStart => {
                if self.name() {
                    self.foreign_name(start);
                }
                TokenKind::GlobalName
            }
            Some(b'"') => {
                self.at += 1;
                if self.string(start) {
                    self.quoted_name(start);
                }
                TokenKind::GlobalName
            }
            Some(b'%' | b'!') => self.predicated(start),
            _ => {
                if self.name() {
                    self.foreign_name(start);
                    return TokenKind::GlobalName;
                }
                self.malformed_name(start, "@", "symbol")
            }
        }
    }

    /// A literal with whatever sticks to it: `100ca`, `0b1`, `1.5f`. What is wrong with it depends on where it stands,
    /// so the parser says it.
    fn number(&mut self) -> TokenKind {
        let hex = self.bytes[self.at] == b'0' && matches!(self.bytes.get(self.at + 1), Some(b'x' | b'X'));
        let mut kind = TokenKind::Integer;
        if hex {
            self.at += 2;
        } else {
            self.digits();
            if self.peek() == Some(b'.') {
                kind = TokenKind::Float;
                self.at += 1;
                self.digits();
            }
            if matches!(self.peek(), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(self.bytes.get(self.at + 1), Some(b'+' | b'-')));
                if self.bytes.get(self.at + 1 + sign).is_some_and(u8::is_ascii_digit) {
                    kind = TokenKind::Float;
                    self.at += 1 + sign;
                    self.digits();
                }
            }
        }
        self.name();
        kind
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// The rest of a string after its first quote; says whether it was closed.
    fn string(&mut self, start: usize) -> bool {
        loop {
            match memchr::memchr3(b'"', b'\n', b'\\', &self.bytes[self.at..]) {
                Some(n) if self.bytes[self.at + n] == b'"' => {
                    self.at += n + 1;
                    return true;
                }
                Some(n) if self.bytes[self.at + n] == b'\\' => {
                    // A backslash takes the next byte with it, except a line end.
                    self.at += n + 1;
                    if matches!(self.peek(), Some(b'"' | b'\\')) {
                        self.at += 1;
                    }
                }
                Some(n) => {
                    self.at += n;
                    if self.bytes[self.at - 1] == b'\r' {
                        self.at -= 1;
                    }
                    break;
                }
                None => {
                    self.at = self.bytes.len();
                    break;
                }
            }
        }
        let span = self.span(start);
        self.report.error(codes::STRING_NOT_CLOSED, span, || {
            Detail::new("the string is not closed")
                .label("no `\"` follows on this line")
                .spec("variables 2.5.3 Attributes")
                .help("a string ends with `\"` on its line; inside it write `\\\"` for a quote")
        });
        false
    }

    fn slash(&mut self) -> TokenKind {
        let start = self.at;
        match self.bytes.get(start + 1) {
            Some(b'/') => {
                self.at = self.line_end(start);
                TokenKind::Comment
            }
            Some(b'*') => self.block_comment(),
            _ => self.foreign(),
        }
    }

    /// Where the line of `start` ends, its line end excluded.
    fn line_end(&self, start: usize) -> usize {
        match memchr::memchr(b'\n', &self.bytes[start..]) {
            Some(n) if n > 0 && self.bytes[start + n - 1] == b'\r' => start + n - 1,
            Some(n) => start + n,
            None => self.bytes.len(),
        }
    }
}

/// A text for a message: cut when long, without control characters.
pub(crate) fn shortened(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut result: String = text.chars().take(LIMIT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LIMIT).is_some() {
        result.push('…');
    }
    result
}
