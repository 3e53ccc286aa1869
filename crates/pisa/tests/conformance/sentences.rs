//! The list of the specification's sentences against the pages, and against the tests that it names.

use crate::book::{self, FileTests};
use crate::pages;
use std::collections::{BTreeMap, BTreeSet};

/// The pages, as the introduction of the specification orders them.
pub const PAGES: &[&str] = &[
    "index",
    "virtual_machine",
    "spaces_types",
    "floating_point",
    "special_registers",
    "syntax",
    "variables",
    "operands",
    "calling_convention",
    "memory_access",
    "compatibility",
    "directives",
    "instruction_set",
    "instructions_arithmetic",
    "instructions_floating_point",
    "instructions_logical",
    "instructions_data_movement",
    "instructions_comparison",
    "instructions_control_flow",
    "instructions_cross_lane",
    "instructions_memory",
    "instructions_synchronization",
];

/// Why a sentence has no test.
pub const REASONS: &[(&str, &str)] = &[
    ("introduction", "says what follows or what a page is for"),
    ("index", "is a heading of the list of directives"),
    ("definition", "gives a thing its name"),
    ("advice", "recommends or allows, and asks for nothing"),
    ("ordering", "promises less than the engines give, so no launch can tell"),
    ("outside", "is about OpenCL, not about PISA"),
    ("future", "needs a second version or target that 0.1 does not have"),
];

/// A line of the list.
#[derive(Debug)]
pub struct Sentence {
    pub page: &'static str,
    pub section: String,
    pub title: String,
    /// Its place in the section, from 1.
    pub number: usize,
    pub kind: String,
    pub digest: String,
    pub beginning: String,
    /// What it says, in other words.
    pub says: String,
    /// `FILE` or `FILE:SELECTOR`.
    pub tests: Vec<String>,
    /// Why there are none.
    pub reason: Option<String>,
}

impl Sentence {
    /// What messages call it: `instructions_cross_lane 7.4#8`.
    pub fn id(&self) -> String {
        let section =
            if self.section.is_empty() { format!("\"{}\"", self.title) } else { self.section.clone() };
        format!("{} {section}#{}", self.page, self.number)
    }
}

/// File and selector of a reference; an empty selector means all of the file.
pub fn reference(test: &str) -> (&str, &str) {
    test.split_once(':').unwrap_or((test, ""))
}

/// All lines of the list.
pub fn list() -> Vec<Sentence> {
    PAGES.iter().flat_map(|page| read(page)).collect()
}

fn read(page: &'static str) -> Vec<Sentence> {
    let path = book::folder().join(format!("sentences/{page}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (mut section, mut title) = (String::new(), String::new());
    let mut sentences = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", path.display(), at + 1);
        if line.is_empty() || line.starts_with("//") {
        } else if let Some(heading) = line.strip_prefix("# ") {
            let (number, rest) = heading.split_once(' ').unwrap_or_else(|| panic!("{}: a heading", place()));
            section = if number == "-" { String::new() } else { number.to_owned() };
            rest.clone_into(&mut title);
        } else {
            let columns: Vec<&str> = line.split(" | ").collect();
            let [key, beginning, says, tests] = columns[..] else { panic!("{}: four columns", place()) };
            let key: Vec<&str> = key.split(' ').collect();
            let [number, kind, digest] = key[..] else { panic!("{}: number, kind and digits", place()) };
            let reason = tests.strip_prefix("none:").map(str::to_owned);
            let tests = tests.split(' ').filter(|_| reason.is_none()).map(str::to_owned).collect();
            sentences.push(Sentence {
                page,
                section: section.clone(),
                title: title.clone(),
                number: number.parse().unwrap_or_else(|_| panic!("{}: a number", place())),
                kind: kind.to_owned(),
                digest: digest.to_owned(),
                beginning: beginning.to_owned(),
                says: says.to_owned(),
                tests,
                reason,
            });
        }
    }
    sentences
}

fn assert_none(what: &str, found: &[String]) {
    let shown = found.iter().take(60).map(String::as_str).collect::<Vec<_>>().join("\n  ");
    assert!(found.is_empty(), "{} {what}:\n  {shown}", found.len());
}

#[test]
fn every_sentence_of_the_pages_is_in_the_list() {
    if pages::directory().is_none() {
        #[allow(clippy::print_stderr, reason = "a skipped test has to say so")]
        {
            eprintln!("skipped: no specification; set PISA_SPEC to its folder");
        }
        return;
    }
    let mut differ = Vec::new();
    for page in PAGES {
        let found = pages::sentences(page).expect("a page");
        let listed = read(page);
        for at in 0..found.len().max(listed.len()) {
            let same = match (found.get(at), listed.get(at)) {
                (Some(found), Some(listed)) => {
                    (&found.section, &found.title, found.kind, found.digest(), found.beginning())
                        == (
                            &listed.section,
                            &listed.title,
                            listed.kind.as_str(),
                            listed.digest.clone(),
                            listed.beginning.clone(),
                        )
                }
                _ => false,
            };
            if !same {
                let found = found.get(at).map_or_else(
                    || "the end".to_owned(),
                    |f| format!("{} {} {} {} | {}", f.section, f.title, f.kind, f.digest(), f.beginning()),
                );
                let listed = listed.get(at).map_or("nothing more".to_owned(), Sentence::id);
                differ.push(format!("{page}: the page has `{found}`, the list {listed}"));
                break;
            }
        }
    }
    assert_none("pages are not what the list says", &differ);
}

#[test]
fn numbers_count_up_in_each_section() {
    let (mut last, mut wrong) = (None, Vec::new());
    for sentence in list() {
        let place = (sentence.page, sentence.section.clone(), sentence.title.clone());
        let expected = match &last {
            Some((before, number)) if *before == place => number + 1,
            _ => 1,
        };
        if sentence.number != expected {
            wrong.push(sentence.id());
        }
        last = Some((place, sentence.number));
    }
    assert_none("sentences are out of order", &wrong);
}

#[test]
fn every_sentence_names_tests_that_exist_or_a_reason() {
    let files = book::tests();
    let mut wrong = Vec::new();
    for sentence in list() {
        let id = sentence.id();
        if sentence.says.is_empty() {
            wrong.push(format!("{id} does not say what it says"));
        }
        match &sentence.reason {
            Some(reason) if !REASONS.iter().any(|(known, _)| known == reason) => {
                wrong.push(format!("{id}: `{reason}` is no reason"));
            }
            None if sentence.tests.is_empty() => wrong.push(format!("{id} names no test")),
            _ => {}
        }
        for test in &sentence.tests {
            let (file, selector) = reference(test);
            match files.get(file) {
                None => wrong.push(format!("{id}: there is no file {file}.pisa")),
                Some(tests) if !selector.is_empty() && !tests.has(selector) => {
                    wrong.push(format!("{id}: {file}.pisa has no `{selector}`"));
                }
                Some(_) => {}
            }
        }
    }
    assert_none("references", &wrong);
}

#[test]
fn every_opcode_has_sentences() {
    let list = list();
    let missing = pisa_isa::Opcode::ALL.iter().filter(|opcode| {
        let describes = |s: &&Sentence| s.section == opcode.section() && s.title == opcode.text();
        !list.iter().any(|s| describes(&s))
    });
    assert_none("opcodes without sentences", &missing.map(|o| o.text().to_owned()).collect::<Vec<_>>());
}

/// What a template takes and what is restricted is refused somewhere when it is not so.
#[test]
fn every_rule_has_a_refusal() {
    let rules = ["syntax", "qualifier", "operand", "restriction"];
    let missing = list().into_iter().filter(|s| {
        let is_rule = rules.contains(&s.kind.as_str()) && !s.beginning.contains("interpreted as");
        is_rule && !s.tests.iter().any(|test| test.starts_with("refusals/"))
    });
    assert_none("rules without a refusal", &missing.map(|s| s.id()).collect::<Vec<_>>());
}

/// Whether a claimed section is that one or one that it lies in.
fn contains(claimed: &str, section: &str) -> bool {
    claimed.is_empty()
        || section.strip_prefix(claimed).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A file claims sections of which a sentence names it, and every file is named by a sentence.
#[test]
fn what_files_claim_is_what_sentences_name_them_for() {
    let mut named: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for sentence in list() {
        for test in &sentence.tests {
            let sections = named.entry(reference(test).0.to_owned()).or_default();
            sections.insert((sentence.page.to_owned(), sentence.section.clone()));
        }
    }
    let mut wrong = Vec::new();
    for (file, FileTests { sections: claimed, .. }) in book::tests() {
        let named = named.remove(&file).unwrap_or_default();
        // What a sanitizer says of undefined behaviour is not the specification's, nor what an optimiser must leave alone.
        let is_ours = ["findings/", "optimisation/"].iter().any(|folder| file.starts_with(folder));
        if named.is_empty() && !is_ours {
            wrong.push(format!("no sentence names {file}.pisa"));
        }
        for (page, section) in &claimed {
            if !named.iter().any(|(p, s)| p == page && contains(section, s)) {
                wrong.push(format!("{file}.pisa claims `{page} {section}`, where no sentence names it"));
            }
        }
    }
    assert_none("claims", &wrong);
}
