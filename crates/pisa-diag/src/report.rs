//! A report: diagnostics in order, at most so many of them, and their counts.

use crate::{Diagnostic, Severity};

/// What a run found, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Those to show: by file, place and code.
    pub shown: Vec<Diagnostic>,
    /// All errors, stops among them, the omitted ones too.
    pub errors: usize,
    /// All warnings, the omitted ones too.
    pub warnings: usize,
    /// Errors beyond the limit.
    pub omitted_errors: usize,
    /// Warnings beyond the limit.
    pub omitted_warnings: usize,
}

impl Report {
    /// Sorts diagnostics by file, place and code, and keeps at most `limit` errors and as many warnings (0: all).
    pub fn new(mut diagnostics: Vec<Diagnostic>, limit: usize) -> Report {
        diagnostics.sort_by_key(|diagnostic| (diagnostic.place(), diagnostic.code));
        let mut report = Report::default();
        let limit = if limit == 0 { usize::MAX } else { limit };
        diagnostics.retain(|diagnostic| {
            let count = match diagnostic.severity {
                Severity::Warning => &mut report.warnings,
                Severity::Error | Severity::Stopped | Severity::Finding => &mut report.errors,
            };
            *count += 1;
            *count <= limit
        });
        report.omitted_errors = report.errors.saturating_sub(limit);
        report.omitted_warnings = report.warnings.saturating_sub(limit);
        report.shown = diagnostics;
        report
    }

    /// `2 errors, 1 warning`; `None` where there is neither.
    pub fn summary(&self) -> Option<String> {
        counts(self.errors, self.warnings)
    }

    /// `12 errors, 3 warnings`, those beyond the limit; `None` where all are shown.
    pub fn omitted(&self) -> Option<String> {
        counts(self.omitted_errors, self.omitted_warnings)
    }
}

fn counts(errors: usize, warnings: usize) -> Option<String> {
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    match (count(errors, "error"), count(warnings, "warning")) {
        (Some(errors), Some(warnings)) => Some(format!("{errors}, {warnings}")),
        (some, other) => some.or(other),
    }
}
