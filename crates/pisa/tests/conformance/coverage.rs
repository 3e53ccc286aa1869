//! The pages that show which test covers which sentence and which decision.

use crate::book;
use crate::sentences::{PAGES, REASONS, Sentence, list, reference};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Decisions that no file of the book can show, and why.
const NOT_IN_THE_BOOK: &[(&str, &str)] = &[
    ("L-07", "speaks of the text that `pisa link` writes"),
    ("P-27", "exceptions are not modelled, so nothing shows them"),
];

/// The ids in the tables of the page of decisions.
fn known_decisions() -> BTreeSet<String> {
    let page = std::fs::read_to_string(book::root().join("docs/decisions.md")).expect("docs/decisions.md");
    let ids = page.lines().filter_map(|line| line.strip_prefix("| **")?.split("**").next());
    ids.map(str::to_owned).collect()
}

fn covered_decisions() -> BTreeMap<String, BTreeSet<String>> {
    let mut covered: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, tests) in book::tests() {
        for id in tests.decisions {
            covered.entry(id).or_default().insert(file.clone());
        }
    }
    covered
}

#[test]
fn every_decision_has_a_file_or_a_reason() {
    let (known, covered) = (known_decisions(), covered_decisions());
    let unknown: Vec<&String> = covered.keys().filter(|id| !known.contains(*id)).collect();
    assert!(unknown.is_empty(), "files claim decisions that docs/decisions.md does not have: {unknown:?}");
    let excused = |id: &str| NOT_IN_THE_BOOK.iter().any(|(other, _)| *other == id);
    let missing: Vec<&String> =
        known.iter().filter(|id| !covered.contains_key(*id) && !excused(id)).collect();
    assert!(missing.is_empty(), "no file covers {missing:?}");
    let needless: Vec<_> = NOT_IN_THE_BOOK.iter().filter(|(id, _)| covered.contains_key(*id)).collect();
    assert!(needless.is_empty(), "a file covers {needless:?}");
}

/// A table cell that shows text as it is.
fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Text in a table cell, nothing of it read as Markdown.
fn prose(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if r"<>*_|`[]\".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn link(test: &str, up: &str) -> String {
    let (file, selector) = reference(test);
    let shown = if selector.is_empty() { String::new() } else { format!(" `{selector}`") };
    format!("[{file}]({up}conformance/{file}.pisa){shown}")
}

fn links(tests: &[String], up: &str) -> String {
    tests.iter().map(|test| link(test, up)).collect::<Vec<_>>().join(", ")
}

/// The page of one page of the specification.
fn detail(page: &str, sentences: &[&Sentence]) -> String {
    let mut text = format!(
        "# Sentences of `{page}`\n\n[All pages](../coverage.md). Made of `conformance/sentences/{page}.txt`.\n"
    );
    let mut section = None;
    for sentence in sentences {
        let here = (&sentence.section, &sentence.title);
        if section != Some(here) {
            section = Some(here);
            let heading = format!("{} {}", sentence.section, sentence.title);
            let _ = write!(
                text,
                "\n## {}\n\n| | kind | begins | says | tests |\n|---|---|---|---|---|\n",
                heading.trim()
            );
        }
        let tests = match &sentence.reason {
            Some(reason) => format!("none: {reason}"),
            None => links(&sentence.tests, "../../"),
        };
        let (number, kind) = (sentence.number, &sentence.kind);
        let _ = writeln!(
            text,
            "| {number} | {kind} | {} | {} | {tests} |",
            code(&sentence.beginning),
            prose(&sentence.says)
        );
    }
    text
}

/// The page that leads to the others.
fn overview(list: &[Sentence]) -> String {
    let tested = |sentences: &[&Sentence]| sentences.iter().filter(|s| s.reason.is_none()).count();
    let all: Vec<&Sentence> = list.iter().collect();
    let (sentences, with_tests) = (all.len(), tested(&all));
    let references: BTreeSet<&String> = list.iter().flat_map(|s| &s.tests).collect();
    let mut text = format!(
        "# What the book covers\n\n\
         The specification has **{sentences} sentences**; **{with_tests}** of them say something that can be tested, and each of those names its tests, \
         {} different ones; {} say nothing that can be. \
         The list is `conformance/sentences/`; [test files](test-files.md#sentences) says how it is read and kept, and what behind a file's name \
         stands for which of its tests. \
         `UPDATE_EXPECT=1 cargo test -p pisa --test conformance` writes these pages anew.\n\n\
         | page | sentences | tested | without a test |\n|---|---|---|---|\n",
        references.len(),
        sentences - with_tests,
    );
    for page in PAGES {
        let here: Vec<&Sentence> = list.iter().filter(|s| s.page == *page).collect();
        let mut why: BTreeMap<&str, usize> = BTreeMap::new();
        for reason in here.iter().filter_map(|s| s.reason.as_deref()) {
            *why.entry(reason).or_default() += 1;
        }
        let why: Vec<String> = why.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let why = if why.is_empty() { "-".to_owned() } else { why.join(", ") };
        let _ =
            writeln!(text, "| [{page}](coverage/{page}.md) | {} | {} | {why} |", here.len(), tested(&here));
    }
    text.push_str("\nWhy a sentence has no test:\n\n");
    for (reason, meaning) in REASONS {
        let _ = writeln!(text, "* *{reason}*: it {meaning}.");
    }
    text.push_str("\n## Decisions\n\n| id | files |\n|---|---|\n");
    let mut rows: BTreeMap<String, String> =
        NOT_IN_THE_BOOK.iter().map(|(id, why)| ((*id).to_owned(), format!("none: {why}"))).collect();
    for (id, files) in covered_decisions() {
        rows.insert(id, links(&files.into_iter().collect::<Vec<_>>(), "../"));
    }
    for (id, files) in rows {
        let _ = writeln!(text, "| {id} | {files} |");
    }
    text
}

#[test]
fn the_pages_of_coverage_are_up_to_date() {
    let list = list();
    let docs = book::root().join("docs");
    let mut pages = vec![("coverage.md".to_owned(), overview(&list))];
    for page in PAGES {
        let here: Vec<&Sentence> = list.iter().filter(|s| s.page == *page).collect();
        pages.push((format!("coverage/{page}.md"), detail(page, &here)));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(docs.join("coverage")).expect("docs/coverage");
        for (name, text) in &pages {
            std::fs::write(docs.join(name), text).expect("a page");
        }
    }
    let stale = |(name, text): &&(String, String)| {
        std::fs::read_to_string(docs.join(name)).unwrap_or_default() != *text
    };
    let stale: Vec<&String> = pages.iter().filter(stale).map(|(name, _)| name).collect();
    assert!(stale.is_empty(), "out of date, UPDATE_EXPECT=1 writes them anew: {stale:?}");
}
