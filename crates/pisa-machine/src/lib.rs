//! The machine a PISA program runs on: memory, loaded programs, launches and their files, values, traps.
//!
//! Engines implement [`Engine`]; everything they share stands here and holds no arithmetic.

mod dispatch;
mod engine;
mod files;
mod host;
mod image;
mod launch;
mod memory;
mod object;
mod suggest;
mod value;

pub use dispatch::*;
pub use engine::*;
pub use files::*;
pub use host::*;
pub use image::*;
pub use launch::*;
pub use memory::*;
pub use object::*;
pub use value::*;
