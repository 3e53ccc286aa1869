//! Running the command in a folder of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that goes away with the test.
pub struct Folder(tempfile::TempDir);

/// What a run of the command gave.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.path().join(name)).expect("a file")).expect("UTF-8")
    }

    /// The command with these words, blanks between them, in this folder.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pisa"));
        command.args(words.split_whitespace()).current_dir(self.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
        command
    }

    pub fn run(&self, words: &str) -> Ran {
        Ran::new(self.command(words).stdin(Stdio::null()).output().expect("the command"))
    }

    pub fn run_with_input(&self, words: &str, input: &[u8]) -> Ran {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command");
        // It may end before it has read everything.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        Ran::new(child.wait_with_output().expect("the output"))
    }
}

impl Ran {
    pub fn new(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("an exit status, not a signal"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit status.
    #[track_caller]
    pub fn gives(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error contains a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "{text:?} is not in:\n{}", self.stderr);
        self
    }

    /// Asserts that standard output contains a text.
    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "{text:?} is not in:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}
