//! Text to tree: lexer, parser that never fails, lossless tree, formatter.
//!
//! The tree is flat: tokens in one array (trivia included, so that the text can be rebuilt to the byte), nodes in
//! another in pre-order. Both are plain data; a 100 MB module fits in a few hundred megabytes.

mod kind;
mod tree;

pub use kind::*;
pub use tree::*;
