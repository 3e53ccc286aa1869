//! Collects diagnostics, up to a limit: a binary file must neither fill the memory nor take long.

use crate::codes;
use pisa_diag::{Code, Diagnostic, FileId, Place, Severity, Span};

/// How many diagnostics of each severity one file keeps; the others are counted.
pub const DIAGNOSTIC_LIMIT: usize = 10_000;

/// Diagnostics of one file while it is read.
pub(crate) struct Report {
    file: FileId,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    more_errors: u64,
    more_warnings: u64,
    /// Where the last diagnostic over the limit was.
    last_error: Span,
    last_warning: Span,
}

impl Report {
    pub(crate) fn new(file: FileId) -> Report {
        Report {
            file,
            errors: Vec::new(),
            warnings: Vec::new(),
            more_errors: 0,
            more_warnings: 0,
            last_error: Span::default(),
            last_warning: Span::default(),
        }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    /// Reports an error; `build` runs only while there is room.
    pub(crate) fn error(&mut self, code: Code, span: Span, build: impl FnOnce() -> Detail) {
        if self.errors.len() < DIAGNOSTIC_LIMIT {
            let place = self.place(span);
            self.errors.push(build().into_diagnostic(code, Severity::Error, place));
        } else {
            self.more_errors += 1;
            self.last_error = span;
        }
    }

    /// Reports a departure or a lint.
    pub(crate) fn warning(&mut self, code: Code, span: Span, build: impl FnOnce() -> Detail) {
        if self.warnings.len() < DIAGNOSTIC_LIMIT {
            let place = self.place(span);
            self.warnings.push(build().into_diagnostic(code, Severity::Warning, place));
        } else {
            self.more_warnings += 1;
            self.last_warning = span;
        }
    }

    /// Counts errors that somebody else found and did not keep.
    pub(crate) fn count_errors(&mut self, count: u64, at: Span) {
        if count > 0 {
            self.more_errors += count;
            self.last_error = at;
        }
    }

    /// Everything in the order of the text; `earlier` was found before (by the lexer).
    pub(crate) fn finish(mut self, earlier: Report) -> Vec<Diagnostic> {
        let (mut errors, mut warnings) = (earlier.errors, earlier.warnings);
        self.more_errors += earlier.more_errors;
        self.more_warnings += earlier.more_warnings;
        errors.append(&mut self.errors);
        warnings.append(&mut self.warnings);
        let start = |d: &Diagnostic| d.place().map_or(0, |p| p.span.start);
        for (list, more) in [(&mut errors, &mut self.more_errors), (&mut warnings, &mut self.more_warnings)] {
            list.sort_by_key(start);
            *more += list.len().saturating_sub(DIAGNOSTIC_LIMIT) as u64;
            list.truncate(DIAGNOSTIC_LIMIT);
        }
        let mut all = errors;
        all.append(&mut warnings);
        all.sort_by_key(start);
        if self.more_errors > 0 {
            let (count, at) = (self.more_errors, self.last_error.to(earlier.last_error));
            let place = Place { file: self.file, span: Span::new(at.end, at.end) };
            let message = format!("{count} more syntax errors are not listed");
            let help = "when this is no PISA text at all, check the name of the file";
            all.push(Diagnostic::new(codes::MORE_ERRORS, Severity::Error, message, place).help(help));
        }
        if self.more_warnings > 0 {
            let (count, at) = (self.more_warnings, self.last_warning.to(earlier.last_warning));
            let place = Place { file: self.file, span: Span::new(at.end, at.end) };
            let message = format!("{count} more warnings about the syntax are not listed");
            all.push(Diagnostic::new(codes::MORE_WARNINGS, Severity::Warning, message, place));
        }
        all
    }
}

/// What a diagnostic says, without its place and code.
pub(crate) struct Detail {
    message: String,
    label: String,
    also: Vec<(Place, String)>,
    spec: Option<&'static str>,
    help: Option<String>,
    fix: Option<(Place, String)>,
}

impl Detail {
    pub(crate) fn new(message: impl Into<String>) -> Detail {
        Detail {
            message: message.into(),
            label: String::new(),
            also: Vec::new(),
            spec: None,
            help: None,
            fix: None,
        }
    }
    pub(crate) fn label(mut self, text: impl Into<String>) -> Detail {
        self.label = text.into();
        self
    }
    pub(crate) fn also(mut self, place: Place, text: impl Into<String>) -> Detail {
        self.also.push((place, text.into()));
        self
    }
    pub(crate) fn spec(mut self, text: &'static str) -> Detail {
        self.spec = Some(text);
        self
    }
    pub(crate) fn help(mut self, text: impl Into<String>) -> Detail {
        self.help = Some(text.into());
        self
    }
    pub(crate) fn fix(mut self, place: Place, replacement: impl Into<String>) -> Detail {
        self.fix = Some((place, replacement.into()));
        self
    }
    fn into_diagnostic(self, code: Code, severity: Severity, place: Place) -> Diagnostic {
        let mut d = Diagnostic::new(code, severity, self.message, place).label(self.label);
        for (place, text) in self.also {
            d = d.also(place, text);
        }
        if let Some(spec) = self.spec {
            d = d.spec(spec);
        }
        if let Some(help) = self.help {
            d = d.help(help);
        }
        if let Some((place, replacement)) = self.fix {
            d = d.fix(place, replacement);
        }
        d
    }
}
