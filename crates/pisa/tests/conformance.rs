//! The book of facts: all of it on every engine, each expectation turned round once, and what it covers.

use pisa_isa::{FORMS, Opcode, OperandKind, Values};
use pisa_tools::{TestEngines, TestOptions, TestReport, run_tests};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn book() -> PathBuf {
    root().join("conformance")
}

/// Its files by their path in the book.
fn files() -> BTreeMap<String, String> {
    fn collect(folder: &Path, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|e| e == "pisa") {
                let name = path.strip_prefix(book()).expect("in the book").display().to_string();
                files.insert(name.replace('\\', "/"), std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(&book(), &mut files);
    files
}

fn run(options: &TestOptions) -> TestReport {
    run_tests(&[book().display().to_string()], options).expect("tests")
}

fn assert_passed(report: &TestReport) {
    let shown: Vec<String> = report.failures.iter().take(20).map(ToString::to_string).collect();
    assert!(report.failures.is_empty(), "{}\n{}", shown.join("\n\n"), report.summary());
    assert!(report.passed > 5000);
}

#[test]
fn the_book_holds_on_every_engine() {
    assert_passed(&run(&TestOptions { engines: TestEngines::All, ..TestOptions::default() }));
}

#[test]
fn no_expectation_of_the_book_holds_when_it_is_changed() {
    assert_passed(&run(&TestOptions { mutate: true, ..TestOptions::default() }));
}

#[test]
fn it_is_as_large_as_it_says() {
    let files = files();
    let count = |directive: &str| {
        files.values().flat_map(|text| text.lines()).filter(|line| line.starts_with(directive)).count()
    };
    assert!(count("//! op ") >= 5000);
    assert!(count("//! launch ") >= 100);
}

/// Every combination of qualifiers of every form that computes values has a fact.
#[test]
fn every_computing_mnemonic_has_a_fact() {
    let files = files();
    let facts = files.values().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("//! op "));
    let known: HashSet<&str> = facts.filter_map(|fact| fact.split([' ', '(']).next()).collect();
    let mut missing = Vec::new();
    for form in FORMS {
        use OperandKind::*;
        let computes = !form.operands.is_empty()
            && form.operands.iter().all(|operand| {
                matches!(
                    operand.kind,
                    Register
                        | RegisterOrImmediate
                        | RegisterOrMemoryVariable
                        | Predicate
                        | PredicateOrNegation
                        | Packed
                        | Vector
                )
            });
        // Which indices make sense depends on the lengths of vectors.
        if !computes || form.slots.iter().any(|slot| slot.values == Values::Index) {
            continue;
        }
        missing
            .extend(form.combinations().map(|c| form.mnemonic(&c)).filter(|m| !known.contains(m.as_str())));
    }
    assert!(
        missing.is_empty(),
        "{} mnemonics without a fact: {:?}",
        missing.len(),
        &missing[..missing.len().min(30)]
    );
}

/// Every code has a case that expects it, or a reason why it cannot have one.
#[test]
fn every_code_has_a_case() {
    const NOT_IN_A_TEST_FILE: &[(&str, &str)] = &[
        ("E0115", "a test file is UTF-8"),
        ("E0132", "1 GiB"),
        ("E0199", "10 000 lines"),
        ("W0199", "10 000 lines"),
        ("P0602", "an engine that lost count"),
    ];
    let files = files();
    let text: String = files.values().map(String::as_str).collect();
    let missing: Vec<&str> = pisa_diag::CODES
        .iter()
        .map(|entry| entry.code.0)
        .filter(|code| !NOT_IN_A_TEST_FILE.iter().any(|(other, _)| other == code))
        .filter(|code| !text.contains(&format!("[{code}]")))
        .collect();
    assert!(missing.is_empty(), "codes without a case: {missing:?}");
}

/// Files by what they cover.
type Covered<T> = BTreeMap<T, BTreeSet<String>>;

/// What covers the sections of the specification, by page and number, and the decisions.
fn coverage() -> (Covered<(String, Vec<u32>)>, Covered<String>) {
    let (mut sections, mut decisions) = (BTreeMap::new(), BTreeMap::new());
    for (name, text) in files() {
        let covers = text.lines().find_map(|line| line.strip_prefix("// Covers: "));
        let covers = covers.unwrap_or_else(|| panic!("{name} does not say what it covers"));
        for part in covers.split(';') {
            let mut page = None;
            for word in part.split_whitespace() {
                let files: &mut BTreeSet<String> = if word.starts_with(|c: char| c.is_ascii_uppercase()) {
                    decisions.entry(word.to_owned()).or_default()
                } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                    let number = word.split('.').map(|n| n.parse().expect("a section")).collect();
                    let page: &String =
                        page.as_ref().unwrap_or_else(|| panic!("{name}: a section without page"));
                    sections.entry((page.clone(), number)).or_default()
                } else {
                    page = Some(word.to_owned());
                    continue;
                };
                files.insert(name.clone());
            }
        }
    }
    (sections, decisions)
}

#[test]
fn the_page_of_coverage_is_up_to_date() {
    let (sections, decisions) = coverage();
    for &opcode in Opcode::ALL {
        let section: Vec<u32> = opcode.section().split('.').map(|n| n.parse().expect("a section")).collect();
        let covered = sections.keys().any(|(page, s)| page.starts_with("instructions_") && *s == section);
        assert!(covered, "{} ({}) is in no file", opcode.text(), opcode.section());
    }
    let links = |files: &BTreeSet<String>| {
        let link = |file: &String| format!("[{}](../conformance/{file})", file.trim_end_matches(".pisa"));
        files.iter().map(link).collect::<Vec<_>>().join(", ")
    };
    let mut page = String::from(
        "# What the book covers\n\nMade of the `Covers` lines of the files in `conformance/`; `UPDATE_EXPECT=1 cargo test -p pisa --test conformance` \
         writes it anew.\n\n## Sections of the specification\n\n| page | section | files |\n|---|---|---|\n",
    );
    for ((name, section), files) in &sections {
        let section = section.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        page.push_str(&format!("| {name} | {section} | {} |\n", links(files)));
    }
    page.push_str("\n## Decisions\n\n| id | files |\n|---|---|\n");
    for (id, files) in &decisions {
        page.push_str(&format!("| {id} | {} |\n", links(files)));
    }
    let path = root().join("docs/coverage.md");
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).expect("docs/coverage.md");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/coverage.md is out of date; UPDATE_EXPECT=1 writes it anew");
}
