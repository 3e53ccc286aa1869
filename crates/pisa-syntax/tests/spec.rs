//! The examples of the specification are read without a syntax error.
//!
//! The specification is found by the environment variable `PISA_SPEC`, or next to the workspace.

mod support;

use pisa_diag::Severity;
use std::path::PathBuf;
use support::{check, read};

fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("PISA_SPEC").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec"));
    given.into_iter().chain([beside]).find(|p| p.is_dir())
}

/// Blocks of statements: every line ends one, or begins or ends a block.
fn is_code(block: &str) -> bool {
    let code = |line: &str| line.split("//").next().unwrap_or("").trim_end().to_owned();
    let lines: Vec<String> = block.lines().map(code).filter(|l| !l.trim().is_empty()).collect();
    let ends = |l: &String| l.ends_with([';', '{', '}', ':']);
    // Pseudo-code assigns to `$PC`; one block is a structure of C.
    !lines.is_empty() && lines.iter().all(ends) && !block.contains("$PC") && !block.contains("struct {")
}

fn errors(text: &str) -> usize {
    read(text).diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
}

#[test]
fn examples() {
    let Some(folder) = folder() else {
        #[allow(clippy::print_stderr)]
        return eprintln!("skipped: the specification is not there");
    };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).expect("a page");
        for block in page.split("```\n").skip(1).step_by(2).filter(|b| is_code(b)) {
            // A snippet of statements, a module, or a function followed by statements that use it.
            let statements = format!(".kernel @k() {{\n{block}}}\n");
            let both = block.find("\n}\n").map(|end| block.split_at(end + 3));
            let both = both.map(|(module, rest)| format!("{module}.kernel @k() {{\n{rest}}}\n"));
            let forms = [Some(statements), Some(block.to_owned()), both];
            let fits = forms.iter().flatten().any(|text| {
                check(text);
                errors(text) == 0
            });
            // One block has an import among statements.
            let mixed = block.starts_with(".import") && block.contains("\n.reg");
            assert!(fits || mixed, "{}:\n{block}", path.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count} examples");
}
