//! Every example of the specification is accepted, completed where it is a fragment.

mod common;
use common::*;
use std::path::PathBuf;

fn specification() -> Option<PathBuf> {
    let folder = match std::env::var_os("PISA_SPEC") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec")),
    };
    folder.is_dir().then_some(folder)
}

/// The code blocks of a page with the line each begins at; quoted ones (`> `) too.
fn blocks(page: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        let line = line.strip_prefix("> ").or(line.strip_prefix(">")).unwrap_or(line);
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(block) => blocks.push(block),
                None => open = Some((number + 2, String::new())),
            }
        } else if let Some((_, text)) = &mut open {
            text.push_str(line);
            text.push('\n');
        }
    }
    blocks
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or("").trim()
}

/// Whether a block is PISA text, not a template or pseudo-code.
fn is_example(block: &str) -> bool {
    block.lines().map(without_comment).any(|line| {
        let word = line.split([' ', ';', '(']).next().unwrap_or("");
        let directive = word.starts_with('.') && !line.contains(" = {") || word == ".global";
        let instruction = pisa_isa::split_mnemonic(word)
            .is_ok_and(|m| pisa_isa::match_mnemonic(m.opcode, m.qualifiers()).is_ok());
        (directive && (line.ends_with(';') || line.ends_with('{') || line.contains("};")))
            || (instruction && line.ends_with(';'))
    })
}

/// A fragment taken apart: what stands in the module and what in a body.
#[derive(Clone, Default)]
struct Parts {
    module: Vec<String>,
    body: Vec<String>,
    declarations: Vec<String>,
}

impl Parts {
    fn of(block: &str) -> Parts {
        let mut parts = Parts::default();
        let mut depth = 0usize;
        for line in block.lines() {
            let code = without_comment(line);
            let begins_item = [".kernel", ".function", ".export", ".import", ".global"]
                .iter()
                .any(|word| code.starts_with(word));
            if depth > 0 || begins_item {
                // A body that is cut short.
                let line = if code == "..." { "" } else { line };
                let mut line = line.to_owned();
                depth += code.matches('{').count();
                depth = depth.saturating_sub(code.matches('}').count());
                // In place of what the text leaves out: a result that has the right type.
                if depth == 0 && code == "}" && parts.needs_return() {
                    line = "return 0;\n}".to_owned();
                }
                parts.module.push(line);
            } else if code.starts_with(".const") {
                parts.module.push(line.to_owned());
            } else if !code.starts_with(".version") && !code.starts_with(".target") {
                parts.body.push(line.to_owned());
            }
        }
        parts
    }

    /// Whether the function that ends here returns a value and does not say so.
    fn needs_return(&self) -> bool {
        let start = self.module.iter().rposition(|l| l.contains(".function") || l.contains(".kernel"));
        let Some(start) = start else { return false };
        self.module[start].contains(".function .")
            && !self.module[start..].iter().any(|l| without_comment(l).starts_with("return"))
    }

    fn text(&self) -> String {
        let mut text = String::from(HEADER);
        for line in &self.module {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(".kernel @completing_the_example() {\n");
        for line in self.declarations.iter().chain(&self.body) {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("}\n");
        text
    }

    /// Tries to repair the first error; the candidate with the fewest errors left wins.
    fn repaired(&self, checked: &Checked) -> Option<Parts> {
        let error = checked.diagnostics.iter().find(|d| d.severity == pisa_diag::Severity::Error)?;
        let place = error.place()?;
        let source = checked.sources.file(place.file);
        let name = &source.text[place.span.start as usize..place.span.end as usize];
        let base = name.split('.').next().unwrap_or(name);
        let mut candidates = Vec::new();
        match error.code.0 {
            "E0201" => {
                for ty in [".32b", ".64b", ".16b", ".v2.16b", ".v4.8b", ".v2.32b"] {
                    let mut parts = self.clone();
                    parts.declarations.push(format!(".reg {ty} {base};"));
                    candidates.push(parts);
                }
                let mut parts = self.clone();
                parts.declarations.push(format!(".pred {base};"));
                candidates.push(parts);
            }
            "E0202" => {
                for declaration in [
                    ".import .function void NAME();",
                    ".import .function .32b NAME();",
                    ".import .function .32b NAME(.reg .32b);",
                    ".global .align 8 NAME[64];",
                ] {
                    let mut parts = self.clone();
                    parts.module.insert(0, declaration.replace("NAME", name));
                    candidates.push(parts);
                }
                let mut parts = self.clone();
                parts.declarations.push(format!(".shared .align 8 {name}[64];"));
                candidates.push(parts);
            }
            "E0518" => {
                let mut parts = self.clone();
                parts.body.push(format!("{name}:"));
                candidates.push(parts);
            }
            // Two snippets in one block: the second one gets a scope of its own.
            "E0218" | "E0519" => {
                let line = source.line(source.line_column(place.span.start).0).to_owned();
                let at = self.body.iter().rposition(|l| *l == line)?;
                let mut parts = self.clone();
                parts.body.insert(at, "{".to_owned());
                parts.body.push("}".to_owned());
                candidates.push(parts);
            }
            // The same with functions and variables: the earlier one goes.
            "E0223" => {
                let mut parts = self.clone();
                let at = parts
                    .module
                    .iter()
                    .position(|l| l.contains(&format!("{name}(")) || l.contains(&format!("{name}[")))?;
                parts.module[at] = parts.module[at].replace(name, &format!("{name}_earlier"));
                candidates.push(parts);
            }
            // A variable of the module that a fragment declares after its functions.
            "E0402" => {
                let line = source.line(source.line_column(place.span.start).0).to_owned();
                let at = self.body.iter().position(|l| *l == line)?;
                let mut parts = self.clone();
                let line = parts.body.remove(at);
                parts.module.push(line);
                candidates.push(parts);
            }
            _ => {}
        }
        candidates.into_iter().min_by_key(|parts| check(&parts.text()).errors().len())
    }
}

fn complete(block: &str) -> (String, Checked) {
    let mut parts = Parts::of(block);
    for _ in 0..40 {
        let text = parts.text();
        let checked = check(&text);
        if checked.errors().is_empty() {
            return (text, checked);
        }
        match parts.repaired(&checked) {
            Some(better) => parts = better,
            None => return (text, checked),
        }
    }
    let text = parts.text();
    let checked = check(&text);
    (text, checked)
}

#[test]
#[allow(clippy::print_stderr)]
fn every_example_of_the_specification_is_accepted() {
    let Some(folder) = specification() else {
        eprintln!("skipped: the specification is not there (set PISA_SPEC)");
        return;
    };
    let mut pages: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    let mut count = 0;
    let mut failures = String::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        for (line, block) in blocks(&text) {
            if !is_example(&block) {
                continue;
            }
            count += 1;
            let (text, checked) = complete(&block);
            if !checked.errors().is_empty() {
                failures.push_str(&format!(
                    "--- {name}:{line}\n{text}\n{:?}\n{}\n",
                    checked.errors(),
                    checked.messages()
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    // One for each of the 86 opcodes at least.
    assert!(count >= 86, "only {count} examples found");
}
