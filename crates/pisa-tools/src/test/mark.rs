//! `//~ error[CODE] "text"`: diagnostics and findings that a line expects.

use pisa_diag::{Kind, Severity, codes};

/// A diagnostic that is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// The line it is written on.
    pub written: u32,
    /// The line the diagnostic is reported on.
    pub line: u32,
    /// Error, warning or finding.
    pub severity: Severity,
    /// Its code.
    pub code: String,
    /// What its message contains; empty where it does not matter.
    pub text: String,
}

impl Mark {
    /// `error[E0203] "text"`.
    pub fn show(&self) -> String {
        let text = if self.text.is_empty() { String::new() } else { format!(" {:?}", self.text) };
        format!("{}[{}]{text}", self.severity.text(), self.code)
    }
}

/// Reads what stands after `//~`: carets for lines above, then one or more expectations.
pub(super) fn parse(number: u32, text: &str) -> Result<Vec<Mark>, String> {
    let rest = text.trim_start_matches('^');
    let above = (text.len() - rest.len()) as u32;
    if above >= number {
        return Err("`//~^` points above the file".to_owned());
    }
    let mut marks = Vec::new();
    let mut rest = rest.trim();
    while !rest.is_empty() {
        let form =
            "a mark is written `error[CODE]`, `warning[CODE]` or `finding[CODE]`, then maybe text in quotes";
        let (word, tail) = rest.split_once('[').ok_or(form)?;
        let severity = match word {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "finding" => Severity::Finding,
            _ => return Err(form.to_owned()),
        };
        let (code, tail) = tail.split_once(']').ok_or(form)?;
        if code.is_empty() || !code.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(format!("`{code}` is not a code"));
        }
        // What can never come would be a test that cannot pass, and its absence one that cannot fail.
        let entry = codes::find(code).map_err(|nearest| match nearest {
            Some(near) => {
                format!("there is no code `{code}`; did you mean `{}` ({})?", near.code.0, near.title)
            }
            None => format!("there is no code `{code}`; `pisa explain` lists them all"),
        })?;
        if (severity == Severity::Finding) != (entry.kind == Kind::Finding) {
            let word = if entry.kind == Kind::Finding { "finding" } else { "error` or `warning" };
            return Err(format!("`{code}` ({}) is expected as `{word}`", entry.title));
        }
        rest = tail.trim_start();
        let mut message = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut characters = quoted.char_indices();
            let end = loop {
                match characters.next() {
                    Some((at, '"')) => break at,
                    Some((_, '\\')) => message.extend(characters.next().map(|(_, c)| c)),
                    Some((_, c)) => message.push(c),
                    None => return Err("the quoted text does not end".to_owned()),
                }
            };
            rest = quoted[end + 1..].trim_start();
        }
        let line = number - above;
        marks.push(Mark { written: number, line, severity, code: code.to_owned(), text: message });
    }
    if marks.is_empty() { Err("`//~` is followed by a mark".to_owned()) } else { Ok(marks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let marks = parse(7, r#"^^ error[E0203] "64 \"bits\"" warning[W0110]"#).unwrap();
        assert_eq!(marks[0].show(), r#"error[E0203] "64 \"bits\"""#);
        assert_eq!((marks[0].line, marks[0].written, marks[1].show()), (5, 7, "warning[W0110]".to_owned()));
        assert_eq!(parse(7, " finding[R0402]").unwrap()[0].severity, Severity::Finding);
    }

    #[test]
    fn what_is_no_mark_is_refused() {
        for text in ["", " note[E0203]", " error E0203", " error[]", " error[E0203] \"x", "^^^ error[E0203]"]
        {
            assert!(parse(3, text).is_err(), "{text}");
        }
    }

    #[test]
    fn codes_that_never_come_are_refused() {
        assert!(parse(3, " error[E0302]").is_ok());
        let refused = |text| parse(3, text).unwrap_err();
        assert!(refused(" finding[M9999]").contains("no code `M9999`"));
        assert!(refused(" finding[W0110]").contains("expected as `error` or `warning`"));
        assert!(refused(" error[R0402]").contains("expected as `finding`"));
    }
}
