//! The PISA instruction table: every form of every opcode, once.
//!
//! Everything else in the workspace that has to know what an instruction is reads it from here.
//! This crate depends on nothing.

mod form;
mod opcode;
mod qualifier;
mod rule;

pub use form::*;
pub use opcode::*;
pub use qualifier::*;
pub use rule::*;

/// Every form, opcodes in the order of the spec. Filled by the chapter modules.
pub static FORMS: &[Form] = &[];

/// The form with this id.
pub fn form(id: FormId) -> &'static Form {
    &FORMS[id.0 as usize]
}
