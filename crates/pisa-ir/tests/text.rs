//! Everything that can be imported is well-formed, and its text is read as what it was.

use pisa_diag::FileId;
use pisa_ir::text::{parse_and_verify, print, same};
use pisa_ir::verify::verify;
use std::path::{Path, PathBuf};

/// PISA files in a folder of the repository and below.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "pisa") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn examples_and_the_book_go_round() {
    let mut count = 0;
    for path in ["examples", "conformance", "crates/pisa/tests"].into_iter().flat_map(files) {
        let text = std::fs::read_to_string(&path).expect("text");
        let tree = pisa_syntax::parse(FileId(0), text.into());
        // Some files are about what is refused.
        let Some(module) = pisa_module::lower(&tree, &pisa_module::Options::default()).module else {
            continue;
        };
        let module = pisa_ir::import(&module);
        let name = path.display();
        let errors: Vec<String> = verify(&module).iter().map(ToString::to_string).collect();
        assert!(errors.is_empty(), "{name}: {}", errors.join("\n"));
        let text = print(&module);
        let parsed = parse_and_verify(FileId(0), &text);
        assert!(parsed.diagnostics.is_empty(), "{name}: {:#?}\n{text}", parsed.diagnostics);
        let again = parsed.module.expect("a module without errors");
        assert!(same(&module, &again), "{name}\n{text}");
        assert_eq!(print(&again), text, "{name}");
        count += 1;
    }
    assert!(count > 60, "{count} modules");
}
