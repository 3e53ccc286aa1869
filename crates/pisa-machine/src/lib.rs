//! The machine a PISA program runs on: memory, loaded programs, launches and their files, values, traps.
//!
//! Engines implement [`Engine`]; everything they share stands here and holds no arithmetic.

mod dispatch;
mod engine;
mod expect;
mod files;
mod host;
mod image;
mod launch;
mod launch_file;
mod memory;
mod object;
mod observe;
mod print;
mod schedule;
mod stop;
mod suggest;
mod value;

pub use dispatch::*;
pub use engine::*;
pub use expect::*;
pub use files::*;
pub use host::*;
pub use image::*;
pub use launch::*;
pub use launch_file::*;
pub use memory::*;
pub use object::*;
pub use observe::*;
pub use print::*;
pub use schedule::*;
pub use stop::*;
pub use value::*;
