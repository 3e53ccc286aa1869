//! What `pisa opt` reads: PISA text, or IR as text.

use super::{Optimised, Work, optimise, optimise_ir};
use crate::{Failure, Session, has_error};
use pisa_diag::Diagnostic;
use pisa_ir::passes::Level;
use pisa_module::Module;

/// A module to optimise.
#[derive(Clone, Debug)]
pub enum OptInput {
    /// A checked module.
    Module(Module),
    /// IR that its verifier accepts.
    Ir(pisa_ir::Module),
}

/// Whether a file of this name holds IR: its extension is `.pisair`.
pub fn is_ir(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension == "pisair")
}

impl Session {
    /// Reads and checks a file of IR; the module where there is no error, and everything found.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn check_ir(&mut self, name: &str) -> Result<(Option<pisa_ir::Module>, Vec<Diagnostic>), Failure> {
        let input = self.read(name)?;
        // What is not UTF-8 is said as of other files.
        let tree = input.parse();
        let undecoded: Vec<Diagnostic> = (tree.diagnostics.iter())
            .filter(|diagnostic| diagnostic.code == pisa_syntax::codes::NOT_UTF8)
            .cloned()
            .collect();
        let text = self.sources.file(input.file).text.clone();
        let parsed = pisa_ir::text::parse_and_verify(input.file, &text);
        let mut diagnostics = undecoded;
        diagnostics.extend(parsed.diagnostics);
        self.levels.apply(&mut diagnostics);
        let module = parsed.module.filter(|_| !has_error(&diagnostics));
        Ok((module, diagnostics))
    }
}

impl OptInput {
    /// Optimises it.
    ///
    /// # Errors
    /// As [`optimise`] and [`optimise_ir`].
    pub fn optimise(&self, work: &Work) -> Result<Optimised, Failure> {
        match self {
            OptInput::Module(module) => optimise(module, work),
            OptInput::Ir(ir) => optimise_ir(ir.clone(), work),
        }
    }

    /// The module that an optimised one has to do the same as.
    ///
    /// # Errors
    /// Where no instructions do what is in it.
    pub fn module(&self) -> Result<Module, Failure> {
        match self {
            OptInput::Module(module) => Ok(module.clone()),
            OptInput::Ir(ir) => optimise_ir(ir.clone(), &Work::Level(Level::O0)).map(|done| done.module),
        }
    }
}
