//! Text to tree: lexer, parser that never fails, lossless tree, formatter.
//!
//! The tree is flat: tokens in one array (trivia included, so that the text can be rebuilt to the byte), nodes in
//! another in pre-order. Both are plain data; a 100 MB module fits in a few hundred megabytes.

pub mod ast;
pub use pisa_diag::codes::syntax as codes;
mod decode;
mod format;
mod keyword;
mod kind;
mod lexer;
mod literal;
mod parser;
mod report;
mod tree;

pub use decode::*;
pub use format::format;
pub use keyword::Directive;
pub use kind::*;
pub use literal::*;
pub use parser::{parse, parse_decoded};
pub use report::DIAGNOSTIC_LIMIT;
pub use tree::*;

/// Only the lexer, for measurements: how many tokens a text has.
#[doc(hidden)]
pub fn lex_only(text: &str) -> usize {
    lexer::lex(text, false, &mut report::Report::new(pisa_diag::FileId(0))).len()
}
