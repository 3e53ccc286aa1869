//! Levels: what `--allow`, `--warn`, `--deny` and `--strict` make of a diagnostic.

use crate::codes::{self, CodeInfo};
use crate::{Code, Diagnostic, Kind, Severity};
use std::collections::BTreeMap;
use std::fmt;

/// What becomes of a diagnostic with a certain code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It is not shown and counts for nothing.
    Allow,
    /// It is a warning.
    Warn,
    /// It is an error.
    Deny,
}

/// The levels of one run: `--strict` for all departures, and codes with a level of their own, which go first.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    strict: bool,
    set: BTreeMap<Code, Level>,
}

/// Why a level cannot be set.
#[derive(Clone, Debug)]
pub enum LevelError {
    /// No such code; the nearest one, if any is near.
    Unknown {
        /// As written.
        code: String,
        /// The code that looks most like it.
        nearest: Option<&'static CodeInfo>,
    },
    /// Errors stay errors, stops stay stops.
    Fixed(&'static CodeInfo),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::Unknown { code, nearest: Some(near) } => {
                write!(f, "there is no code `{code}`; did you mean `{}` ({})?", near.code.0, near.title)
            }
            LevelError::Unknown { code, nearest: None } => {
                write!(f, "there is no code `{code}`; `pisa explain` lists them all")
            }
            LevelError::Fixed(entry) if entry.kind == Kind::Stop => {
                write!(f, "`{}` stops a launch ({}); it has no level", entry.code.0, entry.title)
            }
            LevelError::Fixed(entry) if entry.kind == Kind::Finding => {
                write!(
                    f,
                    "`{}` is a finding of `--san` ({}); it can only be allowed",
                    entry.code.0, entry.title
                )
            }
            LevelError::Fixed(entry) => {
                write!(f, "`{}` is an error ({}) and cannot be made less", entry.code.0, entry.title)
            }
        }
    }
}

impl std::error::Error for LevelError {}

impl Levels {
    /// Warnings are warnings; departures are errors when `strict`.
    pub fn new(strict: bool) -> Levels {
        Levels { strict, set: BTreeMap::new() }
    }

    /// Sets the level of a code, written in either case. A later call for the same code goes first.
    ///
    /// # Errors
    /// For an unknown code, and for one that is always an error (unless it is to be denied) or a stop.
    pub fn set(&mut self, code: &str, level: Level) -> Result<(), LevelError> {
        let entry =
            codes::find(code).map_err(|nearest| LevelError::Unknown { code: code.to_owned(), nearest })?;
        match entry.kind {
            Kind::Error if level == Level::Deny => {}
            Kind::Error | Kind::Stop => return Err(LevelError::Fixed(entry)),
            Kind::Finding if level != Level::Allow => return Err(LevelError::Fixed(entry)),
            Kind::Departure | Kind::Lint | Kind::Finding => {
                self.set.insert(entry.code, level);
            }
        }
        Ok(())
    }

    /// Gives every diagnostic the severity it has under these levels, and drops those that are allowed.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|diagnostic| {
            let kind = diagnostic.code.kind();
            if !matches!(kind, Kind::Departure | Kind::Lint) {
                return true;
            }
            match self.set.get(&diagnostic.code) {
                Some(Level::Allow) => return false,
                Some(Level::Warn) => diagnostic.severity = Severity::Warning,
                Some(Level::Deny) => diagnostic.severity = Severity::Error,
                None if kind == Kind::Departure && self.strict => diagnostic.severity = Severity::Error,
                None => {}
            }
            true
        });
    }
}
