//! What testing gives back.

use super::mark::Mark;
use std::ops::Range;

/// How one expectation went.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its line.
    pub line: u32,
    /// As it is written.
    pub name: String,
    /// Why it failed; empty where it passed.
    pub details: Vec<String>,
    /// What would make it pass.
    pub edit: Option<Edit>,
}

impl Item {
    /// It holds.
    pub fn passed(line: u32, name: String) -> Item {
        Item { line, name, details: Vec::new(), edit: None }
    }
    /// It does not, for these reasons.
    pub fn failed(line: u32, name: String, details: Vec<String>) -> Item {
        let details = if details.is_empty() { vec!["it failed".to_owned()] } else { details };
        Item { line, name, details, edit: None }
    }
    /// With what would make it pass.
    pub fn edit(mut self, edit: Edit) -> Item {
        self.edit = Some(edit);
        self
    }
}

/// A change of a test file that makes an expectation hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Edit {
    /// Another text in a line.
    Replace(u32, Range<usize>, String),
    /// A mark less.
    Unmark(Mark),
    /// A mark more, on that line.
    Mark(u32, String),
}

/// An expectation that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFailure {
    /// The test file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The expectation as it is written.
    pub name: String,
    /// What was expected and what came.
    pub details: Vec<String>,
}

/// How testing went.
#[derive(Clone, Debug, Default)]
pub struct TestReport {
    /// Expectations that hold.
    pub passed: usize,
    /// Those that do not, in the order of files and lines.
    pub failures: Vec<TestFailure>,
    /// Files whose expectations were rewritten: path and new text.
    pub updated: Vec<(String, String)>,
}

impl TestReport {
    /// `12 passed, 0 failed`.
    pub fn summary(&self) -> String {
        format!("{} passed, {} failed", self.passed, self.failures.len())
    }
}

impl std::fmt::Display for TestFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.name)?;
        self.details.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}
