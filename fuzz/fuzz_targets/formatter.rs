//! The layout of a text without errors keeps its tokens and its meaning, and is its own layout.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::{FileId, Severity};
use pisa_syntax::{TokenKind, Tree, format, parse};

fn significant(tree: &Tree) -> Vec<(TokenKind, &str)> {
    tree.tokens().filter(|t| !t.kind().is_trivia()).map(|t| (t.kind(), t.text())).collect()
}

fuzz_target!(|text: &str| {
    let tree = parse(FileId(0), text.into());
    let formatted = format(&tree);
    if tree.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let again = parse(FileId(0), formatted.as_str().into());
    assert_eq!(significant(&tree), significant(&again));
    assert_eq!(format(&again), formatted);
    let options = pisa_module::Options::default();
    match (pisa_module::lower(&tree, &options).module, pisa_module::lower(&again, &options).module) {
        (Some(one), Some(other)) => assert!(pisa_module::same(&one, &other), "another module"),
        (one, other) => assert_eq!(one.is_some(), other.is_some()),
    }
});
