//! From text to a program, and from a stop to its code.

use crate::opt::Level;
use pisa_diag::codes::run as stops;
use pisa_diag::{Code, Diagnostic, FileId, Levels, Severity, Sources};
use pisa_machine::StopReason;
use pisa_module::{Module, Options, Program};

/// A module out of text, and everything that was found in it.
pub(super) fn module(
    sources: &mut Sources,
    name: &str,
    text: &str,
    strict: bool,
) -> (FileId, Option<Module>, Vec<Diagnostic>) {
    let decoded = pisa_syntax::decode(text.as_bytes().to_vec());
    let file = sources.add(name, decoded.text.clone());
    let mut tree = pisa_syntax::parse_decoded(file, &decoded);
    let lowered = pisa_module::lower(&tree, &Options::default());
    let mut diagnostics = std::mem::take(&mut tree.diagnostics);
    diagnostics.extend(lowered.diagnostics);
    Levels::new(strict).apply(&mut diagnostics);
    let refused = diagnostics.iter().any(|d| d.severity != Severity::Warning);
    (file, lowered.module.filter(|_| !refused), diagnostics)
}

/// The program of one module that should have no fault.
pub(super) fn program(text: &str, optimise: Option<Level>) -> Result<Program, String> {
    let mut sources = Sources::new();
    let (_, module, diagnostics) = module(&mut sources, "fact", text, false);
    let module = match module {
        Some(module) => module,
        None => {
            let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
            let text = error.map_or("no reason".to_owned(), |d| format!("{}[{}]", d.message, d.code.0));
            return Err(format!("the instruction is refused: {text}"));
        }
    };
    let modules = match optimise {
        Some(level) => super::cases::optimised(&[module], level)?,
        None => vec![module],
    };
    pisa_module::link(modules).map_err(|_| "the module of the fact does not link".to_owned())
}

/// The code of a stop; `None` where the host or the engine failed.
pub(crate) fn stop_code(reason: &StopReason) -> Option<Code> {
    Some(match reason {
        StopReason::OutOfMemory(_) | StopReason::Internal(_) => return None,
        StopReason::CallTarget(_) => stops::CALL_TARGET,
        StopReason::CallDepth(_) => stops::CALL_DEPTH,
        StopReason::Misaligned(..) => stops::MISALIGNED,
        StopReason::AtomicOnPrivate(_) => stops::ATOMIC_ON_PRIVATE,
        StopReason::StoreToConst(_) => stops::STORE_TO_CONST,
        StopReason::OutOfFuel(_) => stops::OUT_OF_FUEL,
        StopReason::Deadlock => stops::DEADLOCK,
        StopReason::Livelock => stops::LIVELOCK,
    })
}
