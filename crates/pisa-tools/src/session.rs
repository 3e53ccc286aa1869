//! Reading, checking and linking files.

use crate::Failure;
use pisa_diag::{Diagnostic, FileId, Levels, Place, Severity, Sources, Span};
use pisa_module::{Lowered, Module, Options, Program};
use pisa_syntax::{Decoded, FILE_SIZE_LIMIT, Tree};
use std::io::Read;

/// What the files of one run have in common.
#[derive(Debug, Default)]
pub struct Session {
    /// Every file read so far.
    pub sources: Sources,
    /// What counts as an error.
    pub levels: Levels,
    /// Read a bare `f2i` or `pf2i` as rounding toward zero, as LLVM means it (D-01, E11).
    pub f2i_toward_zero: bool,
}

/// What checking found.
#[derive(Debug, Default)]
pub struct CheckResult {
    /// One module a file, in order; empty unless every file is free of errors.
    pub modules: Vec<Module>,
    /// Everything found, levels applied.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
}

impl CheckResult {
    /// Whether there is an error or a file that could not be read.
    pub fn is_refused(&self) -> bool {
        !self.failures.is_empty() || has_error(&self.diagnostics)
    }
}

/// Whether there is an error among them.
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity != Severity::Warning)
}

/// A file that was read, not yet parsed.
#[derive(Debug)]
pub struct Input {
    /// Its id in [`Session::sources`].
    pub file: FileId,
    decoded: Decoded,
    too_large: bool,
}

impl Input {
    /// Its tree, with what was wrong with its syntax.
    pub fn parse(&self) -> Tree {
        let mut tree = pisa_syntax::parse_decoded(self.file, &self.decoded);
        if self.too_large {
            let place = Place { file: self.file, span: Span::default() };
            tree.diagnostics = vec![
                Diagnostic::new(
                    pisa_syntax::codes::TOO_LARGE,
                    Severity::Error,
                    "the file is 1 GiB or larger",
                    place,
                )
                .help("split it into modules and link them"),
            ];
        }
        tree
    }
}

impl Session {
    /// A session with these levels.
    pub fn new(levels: Levels) -> Session {
        Session { levels, ..Session::default() }
    }

    /// Reads a file; `-` is standard input.
    ///
    /// # Errors
    /// Where it cannot be read. What is not UTF-8 is no failure but a diagnostic of [`Input::parse`].
    pub fn read(&mut self, name: &str) -> Result<Input, Failure> {
        let mut bytes = Vec::new();
        if name == "-" {
            let result = std::io::stdin().lock().take(FILE_SIZE_LIMIT).read_to_end(&mut bytes);
            result.map_err(|error| Failure::reading("standard input", &error))?;
            return Ok(self.add_read("<stdin>", bytes));
        }
        let open = || -> std::io::Result<_> {
            let file = std::fs::File::open(name)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        let (file, length) = open().map_err(|error| Failure::reading(name, &error))?;
        if length >= FILE_SIZE_LIMIT {
            // It would be read for nothing.
            return Ok(self.add(name, Vec::new(), true));
        }
        bytes.reserve_exact(length as usize);
        // A device has no length.
        let result = file.take(FILE_SIZE_LIMIT).read_to_end(&mut bytes);
        result.map_err(|error| Failure::reading(name, &error))?;
        Ok(self.add_read(name, bytes))
    }

    /// Adds what was read of a file, at most [`FILE_SIZE_LIMIT`] bytes: that many are too many.
    fn add_read(&mut self, name: &str, bytes: Vec<u8>) -> Input {
        if bytes.len() as u64 >= FILE_SIZE_LIMIT {
            return self.add(name, Vec::new(), true);
        }
        self.add(name, bytes, false)
    }

    /// Adds a module that is at hand as text or bytes.
    pub fn add_text(&mut self, name: &str, text: impl Into<Vec<u8>>) -> Input {
        self.add(name, text.into(), false)
    }

    fn add(&mut self, name: &str, bytes: Vec<u8>, too_large: bool) -> Input {
        let decoded = pisa_syntax::decode(bytes);
        let file = self.sources.add(name, decoded.text.clone());
        Input { file, decoded, too_large }
    }

    /// Reads and checks files, each on its own.
    pub fn check(&mut self, files: &[String]) -> CheckResult {
        let mut inputs = Vec::new();
        let mut failures = Vec::new();
        for (i, name) in files.iter().enumerate() {
            if name == "-" && files[..i].iter().any(|other| other == "-") {
                failures.push(Failure::usage("standard input can be read only once"));
                continue;
            }
            match self.read(name) {
                Ok(input) => inputs.push(input),
                Err(failure) => failures.push(failure),
            }
        }
        let mut result = self.check_inputs(inputs);
        if !failures.is_empty() {
            result.modules.clear();
        }
        result.failures = failures;
        result
    }

    /// Checks files that were read. Each one's tree is dropped before the next one is made.
    pub fn check_inputs(&self, inputs: Vec<Input>) -> CheckResult {
        let mut result = CheckResult::default();
        // A departure is a warning here; the levels decide.
        let options = Options { f2i_toward_zero: self.f2i_toward_zero, ..Options::default() };
        for input in inputs {
            let mut tree = input.parse();
            let Lowered { module, diagnostics } = pisa_module::lower(&tree, &options);
            result.diagnostics.append(&mut tree.diagnostics);
            result.diagnostics.extend(diagnostics);
            result.modules.extend(module);
        }
        self.levels.apply(&mut result.diagnostics);
        if has_error(&result.diagnostics) {
            result.modules.clear();
        }
        result
    }

    /// Links modules into a program, with nothing left to import.
    ///
    /// # Errors
    /// Everything that does not fit together.
    pub fn link(&self, modules: Vec<Module>) -> Result<Program, Vec<Diagnostic>> {
        pisa_module::link(modules)
    }

    /// Links modules into one module, which may still import what none of them exports (L-02).
    ///
    /// # Errors
    /// Everything that does not fit together.
    pub fn link_library(&self, modules: Vec<Module>) -> Result<Module, Vec<Diagnostic>> {
        pisa_module::link_library(modules)
    }
}
