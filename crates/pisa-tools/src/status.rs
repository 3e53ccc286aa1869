//! How a command went: its exit status, and failures without a place in a source file.

use std::fmt;
use std::io::ErrorKind;

/// The exit status of a command. Of several the first one listed here applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// A bug of these tools: 70.
    Bug,
    /// The command line or the launch is wrong, or a file cannot be read or written: 2.
    Usage,
    /// A module is invalid, modules do not link, or the input is not supported: 3.
    Invalid,
    /// Out of fuel, deadlock, livelock: 6.
    Stopped,
    /// A finding of a sanitizer: 4.
    Finding,
    /// A trap: 5.
    Trap,
    /// An expectation failed, or a file is not formatted: 1.
    Failed,
    /// Nothing to complain of, warnings apart: 0.
    Fine,
}

impl Status {
    /// The number.
    pub const fn code(self) -> u8 {
        match self {
            Status::Bug => 70,
            Status::Usage => 2,
            Status::Invalid => 3,
            Status::Stopped => 6,
            Status::Finding => 4,
            Status::Trap => 5,
            Status::Failed => 1,
            Status::Fine => 0,
        }
    }

    /// The one of both that applies.
    pub fn and(self, other: Status) -> Status {
        self.min(other)
    }
}

/// Something that went wrong without a place in a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What is wrong, one line.
    pub message: String,
    /// Further lines.
    pub details: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The exit status it leads to.
    pub status: Status,
}

impl Failure {
    /// A failure of the command line, the launch or a file.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), details: Vec::new(), help: None, status: Status::Usage }
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        self.help = Some(text.into());
        self
    }

    /// Adds a line.
    pub fn detail(mut self, text: impl Into<String>) -> Failure {
        self.details.push(text.into());
        self
    }

    /// The exit status it leads to.
    pub fn with_status(mut self, status: Status) -> Failure {
        self.status = status;
        self
    }

    /// A file that cannot be read.
    pub fn reading(name: &str, error: &std::io::Error) -> Failure {
        Failure::usage(format!("cannot read `{name}`: {}", reason(error)))
    }

    /// A file that cannot be written.
    pub fn writing(name: &str, error: &std::io::Error) -> Failure {
        Failure::usage(format!("cannot write `{name}`: {}", reason(error)))
    }
}

/// Why something could not be read or written; the usual reasons in words that are the same on every system.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => return "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => return "no permission".to_owned(),
        _ => {}
    }
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for line in &self.details {
            write!(f, "\n  {line}")?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::Status::*;

    #[test]
    fn the_first_of_the_design_applies() {
        assert_eq!(Failed.and(Trap), Trap);
        assert_eq!(Stopped.and(Trap), Stopped);
        assert_eq!(Finding.and(Trap), Finding);
        assert_eq!(Finding.and(Stopped), Stopped);
        assert_eq!(Invalid.and(Stopped), Invalid);
        assert_eq!(Usage.and(Invalid), Usage);
        assert_eq!(Bug.and(Usage), Bug);
        assert_eq!(Fine.and(Failed), Failed);
        assert_eq!(
            [Bug, Usage, Invalid, Stopped, Finding, Trap, Failed, Fine].map(|s| s.code()),
            [70, 2, 3, 6, 4, 5, 1, 0]
        );
    }
}
