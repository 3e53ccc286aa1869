//! What a diagnostic is.

use crate::{Occurrence, Place};

/// A stable code such as `E0203` or `W0012`; its long text stands in the registry ([`crate::codes`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl Code {
    /// What it is the code of: `E` errors, `W00` departures, other `W` lints, `P` stops; findings `M` (memory),
    /// `I` (initialisation), `C` (convergence), `R` (races), `B` (barriers), `U` (undefined behaviour), `S` (schedules).
    pub fn kind(self) -> Kind {
        match self.0.as_bytes() {
            [b'W', b'0', b'0', ..] => Kind::Departure,
            [b'W', ..] => Kind::Lint,
            [b'P', ..] => Kind::Stop,
            [b'M' | b'I' | b'C' | b'R' | b'B' | b'U' | b'S', ..] => Kind::Finding,
            _ => Kind::Error,
        }
    }
}

/// How grave a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Legal, but doubtful or a departure from the spec's letter.
    Warning,
    /// Refused.
    Error,
    /// A launch was stopped here before its end.
    Stopped,
    /// A sanitizer saw it happen in a launch.
    Finding,
}

impl Severity {
    /// The word messages begin with.
    pub const fn text(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Stopped => "stopped",
            Severity::Finding => "finding",
        }
    }
}

/// What a code is the code of: decides what `--strict` makes of it, and whether its level can be set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Refused always.
    Error,
    /// Against the spec's letter, printed by compilers or shown in its examples: a warning, an error under `--strict`.
    Departure,
    /// Legal but doubtful: a warning in both modes.
    Lint,
    /// A launch stops; not a matter of levels.
    Stop,
    /// A sanitizer reports what a launch did; can be allowed, but is never an error of the text.
    Finding,
}

/// A marked place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// A few words, may be empty.
    pub text: String,
    /// The place the message is about; others give context.
    pub primary: bool,
}

/// What a footnote is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// The section that says so: `spec: 1.3 iadd`.
    Spec,
    /// What to do.
    Help,
    /// More to know.
    Note,
}

impl NoteKind {
    /// The word before its text.
    pub const fn text(self) -> &'static str {
        match self {
            NoteKind::Spec => "spec",
            NoteKind::Help => "help",
            NoteKind::Note => "note",
        }
    }
}

/// A mechanical repair: replace the span by the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What is replaced.
    pub place: Place,
    /// By what.
    pub replacement: String,
}

/// A diagnostic: where, what, why, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its code.
    pub code: Code,
    /// As it counts after levels and `--strict` were applied.
    pub severity: Severity,
    /// What is wrong in the user's terms, one line.
    pub message: String,
    /// Marked places; the first primary one is where it is reported.
    pub labels: Vec<Label>,
    /// Footnotes in order.
    pub notes: Vec<(NoteKind, String)>,
    /// A repair, where there is exactly one good one.
    pub fix: Option<Fix>,
    /// How it happened in a launch; findings have it.
    pub occurrence: Option<Box<Occurrence>>,
}

impl Diagnostic {
    /// A diagnostic at `place` whose label has no text.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>, place: Place) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            labels: vec![Label { place, text: String::new(), primary: true }],
            notes: Vec::new(),
            fix: None,
            occurrence: None,
        }
    }
    /// Sets the text of the primary label.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(l) = self.labels.iter_mut().find(|l| l.primary) {
            l.text = text.into();
        }
        self
    }
    /// Adds a secondary place.
    pub fn also(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into(), primary: false });
        self
    }
    /// Adds the spec section.
    pub fn spec(mut self, text: impl Into<String>) -> Self {
        self.notes.push((NoteKind::Spec, text.into()));
        self
    }
    /// Adds what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.notes.push((NoteKind::Help, text.into()));
        self
    }
    /// Adds more to know.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push((NoteKind::Note, text.into()));
        self
    }
    /// Adds a mechanical repair.
    pub fn fix(mut self, place: Place, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { place, replacement: replacement.into() });
        self
    }
    /// Where it is reported.
    pub fn place(&self) -> Option<Place> {
        self.labels.iter().find(|l| l.primary).map(|l| l.place)
    }
}
