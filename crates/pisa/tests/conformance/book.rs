//! The files of the book and the tests in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn folder() -> PathBuf {
    root().join("conformance")
}

/// Its files by their path in the book.
pub fn files() -> BTreeMap<String, String> {
    fn collect(folder: &Path, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|e| e == "pisa") {
                let name = path.strip_prefix(self::folder()).expect("in the book").display().to_string();
                files.insert(name.replace('\\', "/"), std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(&folder(), &mut files);
    files
}

/// The tests of a file, by what a list of sentences calls them.
#[derive(Debug, Default)]
pub struct FileTests {
    /// Mnemonic and operands of each fact, without blanks: `shfl.up.32b`, `iota,1,-1`.
    pub facts: Vec<(String, String)>,
    /// The kernels that are launched.
    pub kernels: BTreeSet<String>,
    /// The cases that expect something.
    pub cases: BTreeSet<String>,
    /// Sections that its `Covers` line claims: page and number.
    pub sections: BTreeSet<(String, String)>,
    /// Decisions that its `Covers` line claims.
    pub decisions: BTreeSet<String>,
}

impl FileTests {
    /// Reads a file; `name` is for messages.
    fn read(name: &str, text: &str) -> FileTests {
        let mut tests = FileTests::default();
        let mut case = String::new();
        for line in text.lines() {
            if let Some(fact) = line.strip_prefix("//! op ") {
                let (mnemonic, rest) = fact.split_once(" (").expect("sources");
                let sources = rest.split(") ").next().unwrap_or(rest).replace(' ', "");
                tests.facts.push((mnemonic.to_owned(), sources));
            } else if let Some(launch) = line.strip_prefix("//! launch ") {
                tests.kernels.insert(launch.split(' ').next().unwrap_or(launch).to_owned());
                tests.cases.extend((!case.is_empty()).then(|| case.clone()));
            } else if let Some(name) = line.strip_prefix("//! case ") {
                name.trim().clone_into(&mut case);
            } else if line.contains("//~") && !case.is_empty() {
                tests.cases.insert(case.clone());
            } else if let Some(covers) = line.strip_prefix("// Covers: ") {
                tests.claims(name, covers);
            }
        }
        // A library is linked without complaint: a case that expects nothing still asserts that.
        if text.contains("//! case library") {
            tests.cases.insert("library".to_owned());
        }
        tests
    }

    /// `page 1.2 3.4; page 5; A-01`: sections by page, and decisions.
    fn claims(&mut self, name: &str, covers: &str) {
        for part in covers.split(';') {
            let mut page: Option<&str> = None;
            let mut numbered = false;
            for word in part.split_whitespace() {
                if word.starts_with(|c: char| c.is_ascii_uppercase()) {
                    self.decisions.insert(word.to_owned());
                } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                    let page = page.unwrap_or_else(|| panic!("{name}: a section without page"));
                    self.sections.insert((page.to_owned(), word.to_owned()));
                    numbered = true;
                } else {
                    page = Some(word);
                }
            }
            if let (Some(page), false) = (page, numbered) {
                self.sections.insert((page.to_owned(), String::new()));
            }
        }
    }

    /// Whether the file has what the part of a reference behind the colon names: `@kernel`, a case or its beginning, or the
    /// parts of a mnemonic in order, maybe with the beginning of the operands: `f2i.s32(inf`.
    pub fn has(&self, selector: &str) -> bool {
        if let Some(kernel) = selector.strip_prefix('@') {
            return self.kernels.contains(kernel);
        }
        let begins = |case: &String| {
            case.strip_prefix(selector).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
        };
        if self.cases.iter().any(begins) {
            return true;
        }
        let (mnemonic, operands) = selector.split_once('(').unwrap_or((selector, ""));
        self.facts.iter().any(|(fact, sources)| {
            let mut parts = fact.split('.');
            let in_order = mnemonic.split('.').all(|wanted| parts.any(|part| part == wanted));
            in_order && fact.split('.').next() == mnemonic.split('.').next() && sources.starts_with(operands)
        })
    }
}

/// The tests of every file, by its path without `.pisa`.
pub fn tests() -> BTreeMap<String, FileTests> {
    let read = |(name, text): (String, String)| {
        let tests = FileTests::read(&name, &text);
        (name.trim_end_matches(".pisa").to_owned(), tests)
    };
    files().into_iter().map(read).collect()
}
