//! Formatting files.

use crate::{Failure, Session, has_error};
use pisa_diag::{Diagnostic, FileId};

/// A file and its canonical layout.
#[derive(Debug)]
pub struct Formatted {
    /// The layout; `None` where the syntax has errors.
    pub text: Option<String>,
    /// The errors of its syntax. Warnings are none of the formatter's business.
    pub diagnostics: Vec<Diagnostic>,
    /// The file, with the text that was read.
    pub file: FileId,
}

impl Session {
    /// Reads a file and lays it out; `-` is standard input.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn format(&mut self, name: &str) -> Result<Formatted, Failure> {
        let input = self.read(name)?;
        let mut tree = input.parse();
        let mut diagnostics = std::mem::take(&mut tree.diagnostics);
        if has_error(&diagnostics) {
            diagnostics.retain(|diagnostic| has_error(std::slice::from_ref(diagnostic)));
            return Ok(Formatted { text: None, diagnostics, file: input.file });
        }
        Ok(Formatted { text: Some(pisa_syntax::format(&tree)), diagnostics: Vec::new(), file: input.file })
    }
}
