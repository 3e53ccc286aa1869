//! The PISA instruction table: every form of every opcode, once.
//!
//! Everything else in the workspace that has to know what an instruction is reads it from here.
//! This crate depends on nothing.
//!
//! ```
//! use pisa_isa::{SlotName, form, match_mnemonic, split_mnemonic};
//!
//! let mnemonic = split_mnemonic("iadd.dsat.16bx2").unwrap();
//! let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap();
//! let row = form(found[0].form);
//! assert_eq!(row.syntax(), "iadd<.dsat>.type dst, src0, src1");
//! assert_eq!(row.value(&found[0].values, SlotName::Type).unwrap().bits(), Some(32));
//! assert!(row.violations(&found[0].values).is_empty());
//! ```

mod combinations;
mod foreign;
mod form;
mod lookup;
mod matching;
mod mismatch;
mod mnemonic;
mod nearest;
mod opcode;
mod qualifier;
mod reference;
mod rule;
mod table;

pub use combinations::{MAX_SLOTS, SlotValues};
pub use form::*;
pub use matching::{Match, Matches, match_mnemonic};
pub use mismatch::{Mismatch, MismatchKind};
pub use mnemonic::{Mnemonic, UnknownOpcode, split_mnemonic};
pub use nearest::{edit_distance, nearest};
pub use opcode::*;
pub use qualifier::*;
pub use reference::{describe, overview, search};
pub use rule::*;
pub use table::{FORMS, form, forms_of};
