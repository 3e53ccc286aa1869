//! The words of one line.

use pisa_diag::{Code, Span, codes::ir as codes};

/// What a line cannot be read for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Another place, and what is there.
    pub(super) also: Option<(Span, &'static str)>,
}

impl Fault {
    pub(super) fn syntax(span: Span, message: impl Into<String>) -> Fault {
        Fault::new(codes::UNEXPECTED, span, message)
    }
    pub(super) fn new(code: Code, span: Span, message: impl Into<String>) -> Fault {
        Fault { code, span, message: message.into(), help: None, also: None }
    }
    pub(super) fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }
}

/// A piece of the text and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spelled<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Mnemonics, names of blocks, types, numbers.
    Word,
    /// A name in quotes, maybe with a number: the name of a block.
    Quoted,
    /// `%name`; its text is without the `%`.
    Local,
    /// `@name`; its text is without the `@`.
    Global,
    /// `#7`; its text is without the `#`.
    Mark,
    /// One of `()[],:=+!`.
    Sign(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) spelled: Spelled<'t>,
}

/// The tokens of a line that begins at a byte of the text; a comment ends it.
pub(super) fn tokens<'t>(line: &'t str, start: u32, tokens: &mut Vec<Token<'t>>) -> Result<(), Fault> {
    tokens.clear();
    let bytes = line.as_bytes();
    let span = |from: usize, to: usize| Span::new(start + from as u32, start + to as u32);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (kind, from, to) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => return Ok(()),
            b'(' | b')' | b'[' | b']' | b',' | b':' | b'=' | b'+' | b'!' => (Kind::Sign(byte), at, at + 1),
            b'%' | b'@' => {
                let kind = if byte == b'%' { Kind::Local } else { Kind::Global };
                let end = name_end(bytes, at + 1);
                match end {
                    Some(end) if end > at + 1 => (kind, at + 1, end),
                    Some(_) => return Err(Fault::syntax(span(at, at + 1), "a name has to follow here")),
                    None => return Err(not_closed(span(at, line.len()))),
                }
            }
            b'#' => {
                let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
                if digits == 0 {
                    return Err(Fault::syntax(span(at, at + 1), "a number has to follow `#`"));
                }
                (Kind::Mark, at + 1, at + 1 + digits)
            }
            b'"' => match name_end(bytes, at) {
                Some(end) => (Kind::Quoted, at, end),
                None => return Err(not_closed(span(at, line.len()))),
            },
            b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                (Kind::Word, at, word_end(bytes, at + 1))
            }
            _ if is_word(byte) => (Kind::Word, at, word_end(bytes, at)),
            _ => {
                let character = line[at..].chars().next().unwrap_or_default();
                let place = span(at, at + character.len_utf8());
                return Err(Fault::syntax(place, format!("`{}` is not used here", character.escape_debug())));
            }
        };
        tokens.push(Token { kind, spelled: Spelled { text: &line[from..to], span: span(at, to) } });
        at = to;
    }
    Ok(())
}

fn not_closed(span: Span) -> Fault {
    Fault::syntax(span, "the quotes are not closed")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_')
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&b| !is_word(b)).map_or(bytes.len(), |n| from + n)
}

/// The end of a name, in quotes or not; `None` where quotes are not closed.
fn name_end(bytes: &[u8], from: usize) -> Option<usize> {
    if bytes.get(from) != Some(&b'"') {
        return Some(word_end(bytes, from));
    }
    let mut at = from + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(word_end(bytes, at + 1)),
            _ => at += 1,
        }
    }
}

/// The name in a spelling, without quotes and number; `None` for one that is only a number.
pub(super) fn name_of(spelled: &str) -> Option<String> {
    if let Some(rest) = spelled.strip_prefix('"') {
        let end = rest.rfind('"').unwrap_or(rest.len());
        let mut name = String::new();
        let mut characters = rest[..end].chars();
        while let Some(character) = characters.next() {
            name.push(match character {
                '\\' => match characters.next() {
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some(other) => other,
                    None => break,
                },
                other => other,
            });
        }
        return Some(name);
    }
    if spelled.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match spelled.rsplit_once('.') {
        Some((name, number))
            if !name.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Some(name.to_owned())
        }
        _ => Some(spelled.to_owned()),
    }
}
