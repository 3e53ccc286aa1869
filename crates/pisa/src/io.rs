//! Standard output and standard error: a closed pipe ends quietly, any other failure is reported once.

use pisa_tools::{Status, reason};
use std::io::{BufWriter, ErrorKind, Stderr, Stdout, Write, stderr, stdout};

/// The two streams of the process.
pub struct Io {
    stdout: BufWriter<Stdout>,
    stderr: anstream::AutoStream<Stderr>,
    closed: bool,
    failed: Option<std::io::Error>,
}

impl Io {
    /// The streams of this process.
    pub fn new() -> Io {
        Io {
            stdout: BufWriter::with_capacity(1 << 16, stdout()),
            // What is printed has been coloured or not before it gets here.
            stderr: anstream::AutoStream::always(stderr()),
            closed: false,
            failed: None,
        }
    }

    /// Writes to standard output.
    pub fn stdout(&mut self, text: &str) {
        self.stdout_bytes(text.as_bytes());
    }

    /// Writes bytes to standard output.
    pub fn stdout_bytes(&mut self, bytes: &[u8]) {
        if self.is_closed() {
            return;
        }
        let result = self.stdout.write_all(bytes);
        self.note(result);
    }

    /// Whether nobody reads standard output any more: what is still to be printed need not be made.
    pub fn is_closed(&self) -> bool {
        self.closed || self.failed.is_some()
    }

    /// Writes to standard error, behind what standard output holds so far. Nothing can be done about a failure.
    pub fn stderr(&mut self, text: &str) {
        self.flush();
        let _ = self.stderr.write_all(text.as_bytes());
        let _ = self.stderr.flush();
    }

    /// Prints what the argument parser has to say.
    pub fn clap(&mut self, message: &clap::Error) {
        self.flush();
        let result = message.print();
        if !message.use_stderr() {
            self.note(result);
        }
    }

    /// Flushes standard output.
    pub fn flush(&mut self) {
        if !self.is_closed() {
            let result = self.stdout.flush();
            self.note(result);
        }
    }

    /// Flushes; gives the status of a standard output that could not be written, and says so.
    pub fn finish(&mut self) -> Option<Status> {
        self.flush();
        let error = self.failed.take()?;
        self.stderr(&format!("error: cannot write to standard output: {}\n", reason(&error)));
        Some(Status::Usage)
    }

    fn note(&mut self, result: std::io::Result<()>) {
        match result {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => self.failed = Some(error),
        }
    }
}
