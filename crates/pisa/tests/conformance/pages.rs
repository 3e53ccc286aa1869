//! The specification's pages, sentence by sentence.
//!
//! A sentence is one of prose, a bullet, a row of a table (a table of more than 64 rows is one sentence), or in the
//! instruction reference a template, a list of values, an operand, a restriction, the version and target of a template, or
//! a block of pseudo-code. Headings, captions and examples are none.

use std::path::PathBuf;

/// What a page says in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSentence {
    /// The section's number; empty for a section without one.
    pub section: String,
    /// The section's heading, without its number.
    pub title: String,
    /// `text`, `row`, or the part of an instruction's description.
    pub kind: &'static str,
    /// The sentence without Markdown.
    pub text: String,
}

impl PageSentence {
    /// Its beginning, as the list shows it.
    pub fn beginning(&self) -> String {
        let text = self.text.replace('|', "/");
        if text.chars().count() <= 64 {
            return text;
        }
        let mut beginning = String::new();
        for word in text.split(' ') {
            if beginning.chars().count() + word.chars().count() + 1 > 60 {
                break;
            }
            if !beginning.is_empty() {
                beginning.push(' ');
            }
            beginning.push_str(word);
        }
        beginning + " …"
    }

    /// Four digits that change with the sentence (FNV-1a, folded).
    pub fn digest(&self) -> String {
        let hash =
            self.text.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
        format!("{:04x}", (hash >> 16) ^ (hash & 0xffff))
    }
}

/// Where the specification is, if it is there at all.
pub fn directory() -> Option<PathBuf> {
    let beside = || crate::book::root().join("../shared/spec");
    let path = std::env::var_os("PISA_SPEC").map_or_else(beside, PathBuf::from);
    path.is_dir().then_some(path)
}

/// The sentences of a page, in order; `None` without the specification.
pub fn sentences(page: &str) -> Option<Vec<PageSentence>> {
    let path = directory()?.join(format!("{page}.md"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = Reader { is_reference: page.starts_with("instructions_"), ..Reader::default() };
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix('>').unwrap_or(line)).collect();
    reader.page(&lines);
    Some(reader.sentences)
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Text,
    Restrictions,
    Version,
    Semantics,
    Notes,
    Examples,
}

#[derive(Default)]
struct Reader {
    is_reference: bool,
    section: String,
    title: String,
    part: Part,
    paragraph: Vec<String>,
    /// What stands above a block of pseudo-code.
    caption: String,
    /// What stands above a template.
    form: String,
    version: Vec<String>,
    sentences: Vec<PageSentence>,
}

impl Reader {
    fn in_reference(&self) -> bool {
        self.is_reference && !self.section.is_empty()
    }

    fn page(&mut self, lines: &[&str]) {
        let mut at = 0;
        while at < lines.len() {
            let (raw, line) = (lines[at], lines[at].trim());
            at += 1;
            if line.starts_with("```") {
                let length = lines[at..].iter().take_while(|line| !line.trim().starts_with("```")).count();
                self.code(&lines[at..at + length]);
                at += length + 1;
            } else if raw.starts_with('#') {
                self.end_of_part();
                let heading = raw.trim_start_matches('#').trim();
                let (number, title) = match heading.split_once(". ") {
                    Some((number, title)) if number.starts_with(|c: char| c.is_ascii_digit()) => {
                        (number, title)
                    }
                    _ => ("", heading),
                };
                (self.section, self.title, self.part) = (number.to_owned(), plain(title), Part::Text);
            } else if line.is_empty() {
                self.end_of_paragraph();
            } else if let Some(part) = self.part_named(line) {
                self.end_of_part();
                self.part = part;
            } else if ["Note", "Important", "Warning"].contains(&line) {
                self.end_of_paragraph();
            } else if line.starts_with('|') {
                self.end_of_paragraph();
                at -= 1;
                let length = lines[at..].iter().take_while(|line| line.trim().starts_with('|')).count();
                self.table(&lines[at..at + length]);
                at += length;
            } else {
                self.line(line);
            }
        }
        self.end_of_part();
    }

    fn part_named(&self, line: &str) -> Option<Part> {
        match line {
            _ if !self.in_reference() => None,
            "Syntax:" => Some(Part::Text),
            "Restrictions" => Some(Part::Restrictions),
            "PISA Notes" => Some(Part::Version),
            "Semantics:" => Some(Part::Semantics),
            "Notes:" => Some(Part::Notes),
            "Examples:" => Some(Part::Examples),
            _ => None,
        }
    }

    fn line(&mut self, line: &str) {
        let bullet = ["* ", "+ ", "- "].iter().find_map(|mark| line.strip_prefix(mark));
        let listed = matches!(self.part, Part::Restrictions | Part::Version);
        if self.in_reference() && listed && !line.starts_with("* ") {
            // The title of the next template.
            self.end_of_paragraph();
            self.end_of_version();
            self.part = Part::Text;
        }
        if bullet.is_some() {
            self.end_of_paragraph();
        }
        let caption = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
        if caption.is_some_and(|text| !text.contains('*')) {
            self.end_of_paragraph();
            return;
        }
        // The text of a term in a list of definitions goes on behind the term.
        let text = bullet.unwrap_or(line);
        self.paragraph.push(text.strip_prefix(": ").unwrap_or(text).trim().to_owned());
    }

    fn end_of_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph).join(" ");
        if text.is_empty() {
            return;
        }
        match self.part {
            Part::Semantics => {
                self.end_of_caption();
                self.caption = text;
            }
            Part::Version => self.version.push(text),
            Part::Text if self.in_reference() && text.ends_with(':') => {
                self.form = text.trim_end_matches(':').to_owned();
            }
            Part::Text => split(&text).iter().for_each(|s| self.add("text", s)),
            Part::Restrictions => split(&text).iter().for_each(|s| self.add("restriction", s)),
            Part::Notes => split(&text).iter().for_each(|s| self.add("note", s)),
            Part::Examples => {}
        }
    }

    fn end_of_caption(&mut self) {
        let caption = std::mem::take(&mut self.caption);
        self.add("semantics", &caption);
    }

    fn end_of_version(&mut self) {
        let version = std::mem::take(&mut self.version).join("; ");
        self.add("version", &version);
    }

    fn end_of_part(&mut self) {
        self.end_of_paragraph();
        self.end_of_version();
        self.end_of_caption();
    }

    fn add(&mut self, kind: &'static str, markdown: &str) {
        let text = plain(markdown).split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() && self.part != Part::Examples {
            let (section, title) = (self.section.clone(), self.title.clone());
            self.sentences.push(PageSentence { section, title, kind, text });
        }
    }

    fn code(&mut self, block: &[&str]) {
        self.end_of_paragraph();
        self.end_of_version();
        if !self.in_reference() {
            return;
        }
        let titled = |title: &str, text: &str| {
            if title.is_empty() { text.to_owned() } else { format!("{title}: {text}") }
        };
        if self.part == Part::Text && block[0].starts_with(self.title.as_str()) {
            let syntax = titled(&std::mem::take(&mut self.form), block[0]);
            self.add("syntax", &syntax);
            let mut lines = block[1..].iter().map(|line| line.trim()).filter(|line| !line.is_empty());
            while let Some(line) = lines.next() {
                if line.starts_with('.') {
                    let mut list = line.to_owned();
                    while !list.contains('}') {
                        list = format!("{list} {}", lines.next().expect("a closed list"));
                    }
                    self.add("qualifier", &list);
                } else {
                    self.add("operand", &line[2..]);
                }
            }
        } else if self.part == Part::Semantics {
            let text = titled(&std::mem::take(&mut self.caption), &block.join(" "));
            self.add("semantics", &text);
        }
    }

    fn table(&mut self, lines: &[&str]) {
        let row = |line: &&str| {
            let cells = line.trim().trim_matches('|').split(" | ").map(str::trim);
            cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" / ")
        };
        let rows: Vec<String> = lines.iter().skip(2).map(row).collect();
        if rows.len() > 64 {
            self.add("row", &rows.join(" / "));
        } else {
            rows.iter().for_each(|row| self.add("row", row));
        }
    }
}

/// Sentences of a paragraph: a full stop ends one where a capital letter or code follows.
fn split(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let (mut sentences, mut sentence) = (Vec::new(), Vec::new());
    for (at, &word) in words.iter().enumerate() {
        sentence.push(word);
        let end = word.trim_end_matches(['`', '*', ')', '"', '”', '’']);
        let bare = end.to_lowercase();
        let abbreviated = ["e.g.", "i.e.", "vs."].iter().any(|a| bare.trim_start_matches('(').ends_with(a));
        let next = words.get(at + 1).copied().unwrap_or("");
        let first = next.trim_start_matches(['`', '*', '(', '[', '“', '"']).chars().next();
        let begins = next.starts_with('`') || first.is_some_and(char::is_uppercase);
        if end.ends_with(['.', '?', '!']) && !abbreviated && begins {
            sentences.push(std::mem::take(&mut sentence).join(" "));
        }
    }
    if !sentence.is_empty() {
        sentences.push(sentence.join(" "));
    }
    sentences
}

/// Without the marks of code, strong text, links and escapes.
fn plain(markdown: &str) -> String {
    let (mut text, mut rest) = (String::new(), markdown);
    while let Some(at) = rest.find("](") {
        let (Some(open), Some(close)) = (rest[..at].rfind('['), rest[at..].find(')')) else { break };
        text.push_str(&rest[..open]);
        text.push_str(&rest[open + 1..at]);
        rest = &rest[at + close + 1..];
    }
    text.push_str(rest);
    text.replace('`', "").replace("**", "").replace("\\_", "_")
}
