//! The library behind the `pisa` command: checking, formatting, linking, running and testing PISA modules, the
//! instruction reference and the long texts of the diagnostics.
//!
//! Nothing here prints; every function gives data back.

pub mod explain;
mod format;
pub mod isa;
pub mod opt;
pub mod run;
mod session;
mod status;
mod test;

pub use format::Formatted;
pub use pisa_diag as diag;
pub use pisa_machine as machine;
pub use pisa_machine::{Engine, ObservedEngine};
pub use pisa_module::{Module, Program};
pub use pisa_reference::ReferenceEngine;
pub use pisa_sanitize as sanitize;
pub use pisa_smith as smith;
pub use pisa_vector::VectorEngine;
pub use session::{CheckResult, Input, Session, has_error};
pub use status::*;
pub use test::{TestEngines, TestFailure, TestOptions, TestReport, run_tests, tests_as_json};

/// The text of a module, in the canonical layout.
pub fn module_text(module: &Module) -> String {
    pisa_module::print(module)
}

/// The text of a module in IR.
pub fn ir_text(module: &pisa_ir::Module) -> String {
    pisa_ir::text::print(module)
}
