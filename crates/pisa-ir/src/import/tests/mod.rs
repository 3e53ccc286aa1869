//! Modules whose IR was worked out by hand.

mod control;
mod instructions;
mod registers;
mod vectors;

use crate::{Module, text, verify};
use pisa_diag::{Severity, Sources};

/// The IR of a checked text.
fn module(text: &str) -> Module {
    let text = format!(".version 0.1;\n.target 100;\n{text}");
    let mut sources = Sources::new();
    let file = sources.add("test.pisa", text.as_str());
    let tree = pisa_syntax::parse(file, text.as_str().into());
    let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
    let all = tree.diagnostics.iter().chain(&lowered.diagnostics);
    let errors: Vec<String> = (all.filter(|d| d.severity == Severity::Error))
        .map(|d| pisa_diag::render::short(d, &sources))
        .collect();
    let Some(module) = lowered.module else { panic!("{}", errors.join("\n")) };
    let imported = super::import(&module);
    let errors: Vec<String> = verify::verify(&imported).iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}\n{imported}", errors.join("\n"));
    imported
}

/// The blocks of the only function, without the margin of its instructions.
#[track_caller]
fn check(text: &str, expected: &str) {
    let module = module(text);
    let text = text::print(&module);
    let lines = text.lines().skip_while(|line| !line.ends_with(") {")).skip(1);
    let lines = lines.take_while(|line| *line != "}").filter(|line| !line.starts_with("  ."));
    let found: Vec<&str> = lines.map(str::trim).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found.join("\n"), expected.join("\n"));
}

/// The same of the code of a kernel with registers.
#[track_caller]
fn check_code(code: &str, expected: &str) {
    check(
        &format!(
            ".kernel @k(.param[8] %in) {{
               .reg .32b %a, %b, %c, %d, %m;
               .reg .64b %p, %q;
               .reg .128b %w;
               .reg .16b %h;
               .reg .v2.32b %v2; .reg .v4.32b %v4; .reg .v4.16b %v4h; .reg .v2.16b %vh; .reg .v3.32b %v3;
               .pred %t, %u;
               {code}
             }}"
        ),
        expected,
    );
}
