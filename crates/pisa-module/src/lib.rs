//! Modules with every name resolved and every rule checked; linking; printing.
//!
//! [`lower()`] makes a [`Module`] of a parsed file, [`link()`] a [`Program`] of modules, [`print()`] text of a module.

pub mod codes;
mod flow;
mod link;
mod lower;
mod model;
mod print;
mod same;

pub use flow::{ControlFlow, DominatorTree, Lists, PostDominators};
pub use link::{link, link_library};
pub use lower::{Lowered, Options, lower};
pub use model::*;
pub use print::{PrintBody, Symbols, print, print_declaration, print_declarations};
pub use same::same;
