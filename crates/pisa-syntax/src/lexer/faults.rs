//! What is wrong with single tokens.

use super::{IN_NAME, Lexer, shortened};
use crate::report::{DIAGNOSTIC_LIMIT, Detail};
use crate::{TokenKind, codes};
use pisa_diag::Span;

impl<'t> Lexer<'t, '_> {
    #[cold]
    pub(super) fn foreign_name(&mut self, start: usize) {
        let name = &self.text[start..self.at];
        if self.is_reported(name) {
            return;
        }
        self.report.error(codes::MALFORMED_NAME, self.span(start), || {
            Detail::new(format!("`{}` has letters that names cannot have", shortened(name)))
                .label("only `a-z A-Z 0-9 $ . _`")
                .spec("syntax 1.3 Identifiers")
                .help("rename it; other scripts may stand in comments and strings")
        });
    }

    /// `@"…"`: what compilers print for symbols with other characters (G-19).
    pub(super) fn quoted_name(&mut self, start: usize) {
        let (name, span) = (&self.text[start..self.at], self.span(start));
        if name == "@\"\"" {
            self.report.error(codes::EMPTY_STRING, span, || {
                Detail::new("the quoted name is empty")
                    .spec("syntax 1.3 Identifiers")
                    .help("write a name between the quotes")
            });
        } else {
            self.report.warning(codes::QUOTED_NAME, span, || {
                Detail::new(format!("`{}` is quoted; the specification has no quoted names", shortened(name)))
                    .spec("syntax 1.3 Identifiers")
                    .help("a name of `a-z A-Z 0-9 $ . _` needs no quotes")
            });
        }
    }

    /// `@%p` or `@!%p`, as PTX writes a predicated instruction.
    #[cold]
    pub(super) fn predicated(&mut self, start: usize) -> TokenKind {
        let mut end = self.at + usize::from(self.peek() == Some(b'!'));
        if self.bytes.get(end) != Some(&b'%') {
            return self.malformed_name(start, "@", "symbol");
        }
        end += 1;
        while self.bytes.get(end).is_some_and(|&b| IN_NAME[b as usize]) {
            end += 1;
        }
        self.at = end;
        let text = &self.text[start..end];
        self.report.error(codes::FOREIGN_CHARACTER, self.span(start), || {
            Detail::new(format!("`{}`: PISA has no predicated instructions", shortened(text)))
                .spec("instructions 6 Control Flow")
                .help("use `goto.cond`, `call.cond`, `return.cond` or `sel`")
        });
        TokenKind::Unknown
    }

    #[cold]
    pub(super) fn malformed_name(&mut self, start: usize, sign: &str, what: &str) -> TokenKind {
        let (text, span) = (&self.text[start..self.at], self.span(start));
        let alone = text.len() == 1;
        if alone || !self.is_reported(text) {
            self.report_malformed(text, span, sign, what);
        }
        match sign {
            _ if alone => TokenKind::Unknown,
            "%" => TokenKind::LocalName,
            _ => TokenKind::GlobalName,
        }
    }

    /// Whether a malformed name was reported before; remembers it.
    fn is_reported(&mut self, name: &'t str) -> bool {
        self.malformed.len() < DIAGNOSTIC_LIMIT && !self.malformed.insert(name)
    }

    fn report_malformed(&mut self, text: &str, span: Span, sign: &str, what: &str) {
        let alone = text.len() == 1;
        self.report.error(codes::MALFORMED_NAME, span, || {
            let detail = if alone {
                Detail::new(format!("`{sign}` without a name"))
            } else {
                Detail::new(format!("`{}` is not a name", shortened(text)))
                    .label("a name begins with a letter, `$`, `.` or `_`")
            };
            detail
                .spec("syntax 1.3 Identifiers")
                .help(format!("a {what} is written `{sign}name`, with nothing between"))
        });
    }

    /// `/* … */`, which PISA does not have (G-03).
    #[cold]
    pub(super) fn block_comment(&mut self) -> TokenKind {
        let start = self.at;
        let end = match self.no_comment_end {
            true => None,
            false => memchr::memmem::find(&self.bytes[start + 2..], b"*/").map(|n| start + 2 + n + 2),
        };
        self.no_comment_end = end.is_none();
        self.at = end.unwrap_or_else(|| self.line_end(start));
        let closed = end.is_some();
        self.report.error(codes::BLOCK_COMMENT, Span::new(start as u32, start as u32 + 2), || {
            let message = if closed {
                "PISA has no block comments"
            } else {
                "PISA has no block comments, and this one has no `*/`"
            };
            Detail::new(message)
                .spec("syntax 1.2 Statement")
                .help("write `//` at the beginning of each line of the comment")
        });
        TokenKind::Comment
    }

    /// A character that begins nothing, or a run of such that are not printable ASCII.
    #[cold]
    pub(super) fn foreign(&mut self) -> TokenKind {
        let start = self.at;
        let Some(first) = self.character() else {
            self.at = self.bytes.len();
            return TokenKind::Unknown;
        };
        self.at += first.len_utf8();
        if first == '#' {
            self.foreign_character(start, first);
            self.at = self.line_end(start);
            return TokenKind::Comment;
        }
        if !first.is_ascii() && first.is_alphanumeric() {
            self.name();
            self.foreign_name(start);
            return TokenKind::Word;
        }
        let strange = |c: char| {
            (!c.is_ascii() && !c.is_alphanumeric())
                || (c.is_ascii_control() && !c.is_ascii_whitespace() && c != '\x0b')
        };
        let known = |c: char| c == char::REPLACEMENT_CHARACTER && self.decoded;
        let mut reported = known(first);
        if strange(first) {
            let rest = &self.text[self.at..];
            let run = rest.find(|c| !strange(c)).unwrap_or(rest.len());
            reported = reported && rest[..run].chars().all(known);
            self.at += run;
        }
        if !reported {
            self.foreign_character(start, first);
        }
        TokenKind::Unknown
    }

    fn foreign_character(&mut self, start: usize, first: char) {
        let span = self.span(start);
        let place = self.report.place(span);
        let single = span.end as usize - start == first.len_utf8();
        self.report.error(codes::FOREIGN_CHARACTER, span, || {
            let name = match first {
                '\u{feff}' if start == 0 => "the byte order mark at the beginning of the file".to_owned(),
                c if c.is_ascii_graphic() => format!("`{c}`"),
                '\0' => "a zero byte".to_owned(),
                c if c.is_control() || c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}' => {
                    format!("the character U+{:04X}", c as u32)
                }
                c => format!("`{c}` (U+{:04X})", c as u32),
            };
            let detail = Detail::new(format!("{name} has no meaning in PISA")).spec("syntax 1.2 Statement");
            let look_alike = match first {
                '\u{a0}' | '\u{2002}'..='\u{200b}' | '\u{202f}' | '\u{3000}' => Some(" "),
                '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
                '\u{201c}' | '\u{201d}' => Some("\""),
                '\u{ff0c}' => Some(","),
                '\u{ff1b}' | '\u{37e}' => Some(";"),
                _ => None,
            };
            match (first, look_alike) {
                (_, Some(" ")) => detail.help("write a blank").fix(place, " "),
                (_, Some(ascii)) if single => detail.help(format!("write `{ascii}`")).fix(place, ascii),
                ('\u{feff}', _) if start == 0 && single => {
                    detail.help("save the file as UTF-8 without a byte order mark").fix(place, "")
                }
                ('#', _) => detail.help("a comment begins with `//`"),
                ('\0', _) => detail.help("is this a text file?"),
                (c, _) if c.is_ascii() => detail.help("remove it"),
                _ => detail.help("other characters than ASCII stand in comments and strings only"),
            }
        });
    }
}
