//! What the documents say about the code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// Ids such as S-05 in a text: a letter that stands alone, a hyphen, two digits.
fn decisions(text: &str) -> BTreeSet<String> {
    let bytes = text.as_bytes();
    let is_word = |i: Option<usize>| {
        i.and_then(|i| bytes.get(i)).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-')
    };
    (0..bytes.len().saturating_sub(3))
        .filter(|&i| {
            let id = &bytes[i..i + 4];
            b"GHIVKFLCXSABPDZMYRT".contains(&id[0])
                && id[1] == b'-'
                && id[2].is_ascii_digit()
                && id[3].is_ascii_digit()
                && !is_word(i.checked_sub(1))
                && !bytes.get(i + 4).is_some_and(u8::is_ascii_alphanumeric)
        })
        .map(|i| text[i..i + 4].to_owned())
        .collect()
}

#[test]
fn each_decision_that_the_code_cites_is_written_down() {
    let page = read(&root().join("docs/decisions.md"));
    let written: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| **")?.split_once("**"))
        .map(|(id, _)| id)
        .collect();
    assert!(written.len() > 100, "the page has a row for each decision");
    let mut files = Vec::new();
    rust_files(&root().join("crates"), &mut files);
    let mut missing = BTreeSet::new();
    for file in files {
        for id in decisions(&read(&file)) {
            if !written.contains(id.as_str()) {
                missing.insert(format!("{id} in {}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not in docs/decisions.md: {missing:#?}");
}

#[test]
fn each_crate_is_in_the_architecture_and_each_dependency_has_its_reason() {
    let architecture = read(&root().join("ARCHITECTURE.md"));
    let reasons = read(&root().join("docs/dependencies.md"));
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
        assert!(architecture.contains(&format!("| `{name}` |")), "{name} is not in ARCHITECTURE.md");
        let manifest: toml::Table = read(&folder.join("Cargo.toml")).parse().expect("a manifest");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for dependency in
                manifest.get(section).and_then(|s| s.as_table()).into_iter().flat_map(|t| t.keys())
            {
                if !dependency.starts_with("pisa") {
                    assert!(
                        reasons.contains(&format!("`{dependency}`")),
                        "{dependency} of {name} is not in docs/dependencies.md"
                    );
                }
            }
        }
    }
}

/// Whether `UPDATE_EXPECT=1` asks for pages to be written anew.
fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}

/// Holds what stands between two lines of a page to a text, or writes it there.
fn hold_part(page: &str, begin: &str, end: &str, text: &str) {
    let path = root().join(page);
    let old = read(&path);
    let from = old.find(begin).unwrap_or_else(|| panic!("{page} has no {begin:?}")) + begin.len();
    let to = from + old[from..].find(end).unwrap_or_else(|| panic!("{page} has no {end:?}"));
    if old[from..to] != *text {
        assert!(is_update(), "{page} is out of date; UPDATE_EXPECT=1 writes it anew:\n{text}");
        std::fs::write(&path, format!("{}{text}{}", &old[..from], &old[to..])).expect("the page");
    }
}

#[test]
fn the_page_of_findings_has_every_code() {
    let mut table = String::from("\n| code | found when there is |\n|---|---|\n");
    for entry in pisa_diag::CODES.iter().filter(|entry| entry.kind == pisa_diag::Kind::Finding) {
        table.push_str(&format!("| {} | {} |\n", entry.code.0, entry.title));
    }
    hold_part("docs/findings.md", "<!-- codes -->", "<!-- end of codes -->", &table);
}

/// The README shows the command with what it prints, on standard output or standard error.
fn hold_example(command: &str, status: i32) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pisa"))
        .args(command.split_whitespace().skip(1))
        .current_dir(root())
        .output()
        .expect("the command");
    assert_eq!(output.status.code(), Some(status));
    let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
    hold_part("README.md", &format!("```\n$ {command}\n"), "```\n", &shown);
}

#[test]
fn the_readme_shows_a_finding_as_it_is() {
    hold_example("pisa run docs/kernels/lost_lanes.pisa -g 32 in=iota:u32:32 sum=zeros:u32:32 --san all", 4);
}

#[test]
fn the_readme_shows_an_explanation_as_it_is() {
    hold_example("pisa opt --explain docs/kernels/two_votes.pisa", 0);
}
