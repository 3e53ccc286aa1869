//! What the tests share.
#![allow(dead_code)]

pub mod forms;

use pisa_diag::{Diagnostic, Severity, Sources};
use pisa_module::{Module, Options, lower};

/// The header of every test module.
pub const HEADER: &str = ".version 0.1;\n.target 100;\n";

/// A diagnostic, shortened: code, one-based line, severity.
pub type Found = (String, u32, Severity);

/// What reading a text gave.
pub struct Checked {
    pub module: Option<Module>,
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
}

impl Checked {
    pub fn found(&self) -> Vec<Found> {
        self.diagnostics
            .iter()
            .map(|d| {
                let line = d.place().map_or(0, |p| self.sources.file(p.file).line_column(p.span.start).0);
                (d.code.0.to_owned(), line, d.severity)
            })
            .collect()
    }
    pub fn errors(&self) -> Vec<(String, u32)> {
        self.found().into_iter().filter(|f| f.2 == Severity::Error).map(|f| (f.0, f.1)).collect()
    }
    pub fn messages(&self) -> String {
        self.diagnostics.iter().map(|d| format!("{}: {}\n", d.code.0, d.message)).collect()
    }
}

/// Parses and lowers.
pub fn check_with(text: &str, options: &Options) -> Checked {
    let mut sources = Sources::new();
    let file = sources.add("test.pisa", text);
    let tree = pisa_syntax::parse(file, text.into());
    let lowered = lower(&tree, options);
    let mut diagnostics = tree.diagnostics.clone();
    diagnostics.extend(lowered.diagnostics);
    Checked { module: lowered.module, diagnostics, sources }
}

pub fn check(text: &str) -> Checked {
    check_with(text, &Options::default())
}

pub fn check_strict(text: &str) -> Checked {
    check_with(text, &Options { strict: true, ..Options::default() })
}

/// A kernel with these lines as body; the first one is line 4.
pub fn kernel(body: &str) -> String {
    format!("{HEADER}.kernel @k(.param[8] %p0, .param[4] %p1) {{\n{body}\n}}\n")
}
