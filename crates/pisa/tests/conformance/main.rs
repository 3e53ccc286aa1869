//! The book of facts: all of it on every engine, each expectation turned round once, and what it covers.

mod book;
mod coverage;
mod edges;
mod miscompiles;
mod pages;
mod restrictions;
mod sentences;

use book::files;
use pisa_isa::{FORMS, OperandKind, Values};
use pisa_tools::opt::Level;
use pisa_tools::{TestEngines, TestOptions, TestReport, run_tests};
use std::collections::HashSet;

fn run(options: &TestOptions) -> TestReport {
    run_tests(&[book::folder().display().to_string()], options).expect("tests")
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

/// What the optimiser makes of the book's modules gives what the book says.
#[test]
fn the_book_holds_when_it_is_optimised() {
    for level in [Level::O0, Level::O1, Level::O2] {
        assert_passed(&run(&TestOptions { optimise: Some(level), ..TestOptions::default() }));
    }
    let optimisation = book::folder().join("optimisation").display().to_string();
    for level in [Level::O1, Level::O2] {
        let options =
            TestOptions { optimise: Some(level), engines: TestEngines::All, ..TestOptions::default() };
        let report = run_tests(std::slice::from_ref(&optimisation), &options).expect("tests");
        assert!(report.failures.is_empty() && report.passed >= 30, "{}", report.summary());
    }
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
    ];
    let files = files();
    let text: String = files.values().map(String::as_str).collect();
    // A test file is PISA; codes of the IR have theirs in `pisa-ir`.
    let of_the_ir = |code: &str| code.starts_with("E07");
    let missing: Vec<&str> = pisa_diag::CODES
        .iter()
        .map(|entry| entry.code.0)
        .filter(|code| !of_the_ir(code))
        .filter(|code| !NOT_IN_A_TEST_FILE.iter().any(|(other, _)| other == code))
        .filter(|code| !text.contains(&format!("[{code}]")))
        .collect();
    assert!(missing.is_empty(), "codes without a case: {missing:?}");
}
