//! Where the code of functions stands in a text.

use std::ops::Range;

/// A text in two parts.
pub(super) struct Split {
    /// The text with blanks in the place of code, so that it is PISA with empty functions; every byte stands where it stood.
    pub(super) declarations: String,
    /// The lines of each body, without its braces and local variables.
    pub(super) bodies: Vec<Body>,
}

/// A function's code.
pub(super) struct Body {
    /// Where it begins, behind the brace.
    pub(super) start: usize,
    /// Its lines as ranges of the text, without line ends and blanks around them; none is empty.
    pub(super) lines: Vec<Range<usize>>,
}

/// Finds the bodies: everything from the brace that opens one to the line that is a brace.
pub(super) fn split(text: &str) -> Split {
    let bytes = text.as_bytes();
    let mut declarations = bytes.to_vec();
    let mut bodies = Vec::new();
    let mut at = 0;
    // Whether the statement at hand is a kernel or function.
    let mut has_code = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'"' => at = string_end(bytes, at),
            b';' | b'}' => {
                has_code = false;
                at += 1;
            }
            b'{' if has_code => {
                has_code = false;
                at = body(text, at + 1, &mut declarations, &mut bodies);
            }
            b'.' => {
                let end = at
                    + bytes[at..]
                        .iter()
                        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$'))
                        .count();
                has_code |= matches!(&text[at..end], ".kernel" | ".function");
                at = end;
            }
            _ => at += 1,
        }
    }
    // Only whole lines of the text became blanks, byte by byte.
    let declarations = String::from_utf8(declarations).unwrap_or_default();
    Split { declarations, bodies }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    memchr(bytes, from).unwrap_or(bytes.len())
}

fn memchr(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].iter().position(|&b| b == b'\n').map(|n| from + n)
}

/// Behind a string, which ends at the end of its line at the latest.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(|&b| b != b'\n') => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Reads a body from behind its brace on; gives the place behind it.
fn body(text: &str, start: usize, declarations: &mut [u8], bodies: &mut Vec<Body>) -> usize {
    let bytes = text.as_bytes();
    let mut body = Body { start, lines: Vec::new() };
    let mut at = start;
    while at < bytes.len() {
        let end = line_end(bytes, at);
        let trimmed = text[at..end].trim_ascii();
        let first = trimmed.split([' ', '\t']).next().unwrap_or_default();
        let begin = at + (text[at..end].len() - text[at..end].trim_ascii_start().len());
        if trimmed.starts_with('}') {
            bodies.push(body);
            return begin;
        }
        // A brace was forgotten.
        if matches!(first, ".kernel" | ".function" | ".export" | ".import" | ".version" | ".target") {
            break;
        }
        let is_variable = matches!(first, ".global" | ".const" | ".shared" | ".private");
        if !is_variable {
            declarations[at..end].fill(b' ');
            if !trimmed.is_empty() && !trimmed.starts_with("//") {
                body.lines.push(begin..begin + trimmed.len());
            }
        }
        at = (end + 1).min(bytes.len());
    }
    bodies.push(body);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_becomes_blank_and_the_rest_stays() {
        let text = ".version 0.1;\n.const @a[4] = { .32b 1 }; // { .kernel {\n.kernel @k(.param[8] %in) { // é\n  .shared @t[4];\nentry:\n  x \"}\" é\n}\n.function void @f() { }\n";
        let split = split(text);
        assert_eq!(split.declarations.len(), text.len());
        let expected = ".version 0.1;\n.const @a[4] = { .32b 1 }; // { .kernel {\n.kernel @k(.param[8] %in) {      \n  .shared @t[4];\n      \n          \n}\n.function void @f() { }\n";
        assert_eq!(split.declarations, expected);
        let lines: Vec<Vec<&str>> =
            split.bodies.iter().map(|b| b.lines.iter().map(|l| &text[l.clone()]).collect()).collect();
        assert_eq!(lines, [vec!["entry:", "x \"}\" é"], vec![]]);
    }

    #[test]
    fn a_forgotten_brace_ends_a_body() {
        let text = ".kernel @a() {\nentry:\n.kernel @b() {\nx\n";
        let split = split(text);
        assert_eq!(split.bodies.len(), 2);
        assert_eq!(split.declarations, ".kernel @a() {\n      \n.kernel @b() {\n \n");
    }
}
