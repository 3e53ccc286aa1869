//! A test file in its parts: modules, and the directives in its comments.

use super::launch::Launch;
use super::mark::{self, Mark};
use super::operands::FactText;
use pisa_diag::Severity;

/// A module of a case.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its name: that of `//! module`, else of the case, else of the file.
    pub name: String,
    /// The line of the file its first line is.
    pub first_line: u32,
    /// Its text, directives included: they are comments.
    pub text: String,
    /// Whether it is more than comments and blank lines.
    has_code: bool,
}

/// Modules that belong together, their launches, and what checking them says.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The name of `//! case`; empty for a file without.
    pub name: String,
    /// Whether departures are errors.
    pub strict: bool,
    /// Its modules, in order.
    pub modules: Vec<Part>,
    /// Its launches.
    pub launches: Vec<Launch>,
    /// The diagnostics that its lines expect.
    pub marks: Vec<Mark>,
}

/// A test file, read.
#[derive(Clone, Debug, Default)]
pub(super) struct TestFile {
    /// Its path as it is shown.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its cases.
    pub cases: Vec<Case>,
    /// Its facts about single instructions.
    pub facts: Vec<FactText>,
    /// Directives that cannot be understood: line and reason.
    pub errors: Vec<(u32, String)>,
}

impl TestFile {
    /// Whether it asserts anything.
    pub fn has_assertion(&self) -> bool {
        let asserts = |case: &Case| !case.marks.is_empty() || !case.launches.is_empty();
        !self.facts.is_empty() || self.cases.iter().any(asserts)
    }
}

/// Takes a file apart. What cannot be understood stands in [`TestFile::errors`].
pub(super) fn read(path: &str, text: &str) -> TestFile {
    let stem = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = stem.strip_suffix(".pisa").unwrap_or(stem);
    let mut reader = Reader {
        file: TestFile { path: path.to_owned(), text: text.to_owned(), ..TestFile::default() },
        case: new_case(""),
        part: new_part(stem, 1),
        stem: stem.to_owned(),
    };
    for (index, line) in text.split_inclusive('\n').enumerate() {
        reader.line(index as u32 + 1, line);
    }
    reader.end_case();
    reader.file
}

fn new_case(name: &str) -> Case {
    Case {
        name: name.to_owned(),
        strict: false,
        modules: Vec::new(),
        launches: Vec::new(),
        marks: Vec::new(),
    }
}

fn new_part(name: &str, first_line: u32) -> Part {
    Part { name: name.to_owned(), first_line, text: String::new(), has_code: false }
}

struct Reader {
    file: TestFile,
    case: Case,
    part: Part,
    stem: String,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) {
        let comment = comment_start(line);
        let code = &line[..comment.unwrap_or(line.len())];
        let is_blank = code.trim().is_empty();
        let comment = comment.map_or("", |at| line[at..].trim_end());
        if let Some(directive) = comment.strip_prefix("//!") {
            if is_blank {
                let start = line.len() - line.trim_start().len() + 3;
                if let Err(message) = self.directive(number, directive, start) {
                    self.file.errors.push((number, message));
                }
            } else {
                self.error(number, "a `//!` directive stands on a line of its own");
            }
        } else if let Some(at) = comment.find("//~") {
            match mark::parse(number, &comment[at + 3..]) {
                Ok(marks) => self.case.marks.extend(marks),
                Err(message) => self.error(number, message),
            }
        }
        // A directive may have begun another part.
        self.part.has_code |= !is_blank;
        self.part.text.push_str(line);
    }

    fn error(&mut self, line: u32, message: impl Into<String>) {
        self.file.errors.push((line, message.into()));
    }

    /// `start` is where the text of the directive begins in its line.
    fn directive(&mut self, number: u32, text: &str, start: usize) -> Result<(), String> {
        let trimmed = text.trim_start();
        let start = start + (text.len() - trimmed.len());
        let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let at = start + (trimmed.len() - rest.len());
        let name = rest.trim();
        match word {
            "op" => self.file.facts.push(FactText::parse(number, rest, at)?),
            "launch" => self.case.launches.push(Launch::parse(number, rest)?),
            "expect" => {
                let launch = self.case.launches.last_mut();
                launch
                    .ok_or("`expect` belongs to the `launch` above it; there is none")?
                    .expect(number, rest, at)?;
            }
            "module" | "case" if name.is_empty() || name.contains(char::is_whitespace) => {
                return Err(format!("`{word}` is followed by one name"));
            }
            "module" => self.end_part(name, number),
            "case" => {
                self.end_case();
                self.case = new_case(name);
                self.part = new_part(name, number);
            }
            "strict" if name.is_empty() => self.case.strict = true,
            "strict" => return Err("`strict` stands alone".to_owned()),
            _ => {
                return Err(format!(
                    "there is no directive `{word}`; there are `op`, `launch`, `expect`, `case`, `module` and `strict`"
                ));
            }
        }
        Ok(())
    }

    fn end_part(&mut self, next: &str, line: u32) {
        let part = std::mem::replace(&mut self.part, new_part(next, line));
        if part.has_code {
            self.case.modules.push(part);
        }
    }

    fn end_case(&mut self) {
        let stem = self.stem.clone();
        self.end_part(&stem, 1);
        let case = std::mem::replace(&mut self.case, new_case(""));
        for launch in &case.launches {
            if !launch.asserts() {
                self.file.errors.push((launch.line, "a `launch` without an `expect` asserts nothing".into()));
            }
            if let Some(line) = launch.silent.filter(|_| !launch.finds()) {
                let message = "`expect silent` belongs to a launch with `--san` or `--schedule all`";
                self.file.errors.push((line, message.into()));
            }
        }
        let mark = case.marks.iter().find(|mark| mark.severity == Severity::Finding);
        if let Some(mark) = mark.filter(|_| !case.launches.iter().any(Launch::finds)) {
            let message = "a finding is expected, but no launch of the case has `--san` or `--schedule all`";
            self.file.errors.push((mark.written, message.into()));
        }
        let is_empty = case.modules.is_empty();
        if is_empty && (!case.launches.is_empty() || !case.marks.is_empty()) {
            let line = case.launches.first().map(|l| l.line).or(case.marks.first().map(|m| m.written));
            self.file.errors.push((line.unwrap_or(1), "there is no module that this speaks of".into()));
        }
        if !is_empty {
            self.file.cases.push(case);
        }
    }
}

/// Where the comment of a line begins; `//` in a string begins none.
pub(super) fn comment_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut in_string = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.get(at + 1) == Some(&b'/') => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_modules_keep_their_lines() {
        let file = read(
            "a/b.pisa",
            "// about\n//! case one\n//! module x\n.version 0.1;\n//! module y\n.target 100;\n\
             //! case two\n.version 0.1; //~ error[E0102]\n",
        );
        assert_eq!(file.errors, []);
        let shape: Vec<_> = file
            .cases
            .iter()
            .map(|c| {
                let parts = c.modules.iter().map(|m| (m.name.as_str(), m.first_line, m.text.lines().count()));
                (c.name.as_str(), parts.collect::<Vec<_>>(), c.marks.len())
            })
            .collect();
        assert_eq!(shape, [("one", vec![("x", 3, 2), ("y", 5, 2)], 0), ("two", vec![("two", 7, 2)], 1)]);
    }

    #[test]
    fn a_file_without_separators_is_one_module_of_its_name() {
        let file = read("a/b.pisa", ".version 0.1;\n.target 100;\n");
        assert_eq!(file.cases.len(), 1);
        assert_eq!((file.cases[0].modules[0].name.as_str(), file.cases[0].modules[0].first_line), ("b", 1));
        assert!(!file.has_assertion());
    }

    #[test]
    fn comments_are_found_outside_strings() {
        assert_eq!(comment_start("a // b"), Some(2));
        assert_eq!(comment_start(r#".section("//x\"//") // c"#), Some(20));
        assert_eq!(comment_start("a / b"), None);
    }

    #[test]
    fn directives_that_are_none_are_said_with_their_line() {
        let text = ".version 0.1;\n//! oq iadd\n//! finding x\nx; //! op iadd\n//! expect a = u32:1\n//! module\n\
                    //! launch k -g 1\n//~ error\n";
        let lines: Vec<u32> = read("b.pisa", text).errors.iter().map(|e| e.0).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6, 8, 7]);
    }
}
