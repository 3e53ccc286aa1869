//! The PISA instruction table: every form of every opcode, once.
//!
//! Everything else in the workspace that has to know what an instruction is reads it from here.
//! This crate depends on nothing.

mod form;
mod opcode;
mod qualifier;
mod rule;
mod table;

pub use form::*;
pub use opcode::*;
pub use qualifier::*;
pub use rule::*;
pub use table::{FORMS, form, forms_of};
