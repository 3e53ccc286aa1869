//! The examples in the long texts of the codes: the wrong one gives the code, the right one gives nothing.

mod common;
use common::*;
use pisa_diag::codes::{CODES, CodeInfo};
use pisa_diag::{Kind, Sources};
use pisa_module::{Options, link, lower};

/// The modules under each heading.
fn blocks(text: &str) -> Vec<(&str, Vec<String>)> {
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            parts.push((heading, Vec::new()));
        } else if line.starts_with("```") {
            open = !open;
            if open {
                parts.last_mut().unwrap().1.push(String::new());
            }
        } else if open {
            let block = parts.last_mut().unwrap().1.last_mut().unwrap();
            block.push_str(line);
            block.push('\n');
        }
    }
    parts
}

/// Codes that the modules give: when read, and when linked where there are several or a linking code is shown.
fn codes_of(modules: &[String], options: &Options, linked: bool) -> Vec<String> {
    let mut sources = Sources::new();
    let mut codes = Vec::new();
    let mut lowered = Vec::new();
    for text in modules {
        let file = sources.add("module.pisa", text.as_str());
        let tree = pisa_syntax::parse(file, text.as_str().into());
        let result = lower(&tree, options);
        codes.extend(tree.diagnostics.iter().map(|d| d.code.0.to_owned()));
        codes.extend(result.diagnostics.iter().map(|d| d.code.0.to_owned()));
        lowered.extend(result.module);
    }
    if linked
        && lowered.len() == modules.len()
        && let Err(errors) = link(lowered)
    {
        codes.extend(errors.iter().map(|d| d.code.0.to_owned()));
    }
    codes
}

fn is_ours(info: &CodeInfo) -> bool {
    let code = info.code.0;
    ["E02", "E03", "E04", "E05", "E06"].iter().any(|area| code.starts_with(area))
        || pisa_diag::codes::module::SPIN_BETWEEN_LANES.0 >= code
            && code.starts_with('W')
            && !["W0001", "W0002", "W0101"].contains(&code)
}

#[test]
fn every_example_shows_its_code() {
    let mut failures = String::new();
    let mut count = 0;
    for info in CODES.iter().filter(|info| is_ours(info)) {
        count += 1;
        let code = info.code.0;
        let linked = code.starts_with("E06");
        let strict = Options { strict: info.kind == Kind::Departure, ..Options::default() };
        for (heading, modules) in blocks(info.explain) {
            assert!(!modules.is_empty(), "{code}: {heading} has no block");
            let found = codes_of(&modules, &strict, linked);
            let fine = match heading {
                "Wrong" => found == [code],
                _ => found.is_empty(),
            };
            if !fine {
                failures.push_str(&format!("{code} {heading}: {found:?}\n"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 110, "{count}");
    // A departure is a warning by default.
    for info in CODES.iter().filter(|info| is_ours(info) && info.kind == Kind::Departure) {
        let (_, modules) = &blocks(info.explain)[0];
        let checked = check(&modules[0]);
        assert!(checked.errors().is_empty(), "{}", info.code.0);
        assert!(checked.module.is_some());
        assert!(check_strict(&modules[0]).module.is_none());
    }
}
