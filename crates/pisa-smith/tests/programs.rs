//! Thousands of programs on every engine, and an engine that is wrong on purpose.

use pisa_isa::FORMS;
use pisa_smith::{Kind, Program, compare, compare_all, forms_in, host_engines};
use std::collections::BTreeSet;

/// How many programs: 2000, or `PISA_SMITH_COUNT`.
fn count() -> u64 {
    std::env::var("PISA_SMITH_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(2000)
}

#[test]
fn engines_agree_on_every_form() {
    let first: u64 = std::env::var("PISA_SMITH_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let engines = host_engines();
    let mut forms = BTreeSet::new();
    let mut failures = Vec::new();
    for seed in first..first + count() {
        let case = Program::generate(seed).case();
        forms.extend(forms_in(&case));
        if let Some(wrong) = compare(&case, &engines) {
            failures.push(format!("seed {seed}: {wrong}"));
        }
    }
    let total = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{total} programs\n{}", failures.join("\n"));
    let missing: Vec<String> = (FORMS.iter())
        .filter(|form| !forms.contains(&form.id()))
        .map(|form| format!("{} ({})", form.opcode.text(), form.title))
        .collect();
    assert!(missing.is_empty(), "never made: {missing:?}");
}

#[test]
fn every_string_of_bytes_is_a_program() {
    for length in [0usize, 1, 2, 10, 100, 1000, 4000] {
        for fill in [0u8, 1, 31, 0x55, 0xff] {
            let bytes: Vec<u8> = (0..length).map(|i| fill.wrapping_mul(i as u8 | 1)).collect();
            let case = pisa_smith::generate(bytes.as_slice());
            if let Some(wrong) = compare_all(&case) {
                panic!("{length} bytes of {fill}: {wrong}\n{}", case.text);
            }
        }
    }
}

#[test]
fn programs_depend_on_their_seed_alone() {
    assert_eq!(pisa_smith::generate(7), pisa_smith::generate(7));
    assert_ne!(pisa_smith::generate(7).text, pisa_smith::generate(8).text);
}

mod faulty;

#[test]
fn a_wrong_engine_is_found_and_its_case_made_small() {
    let engines = faulty::engines();
    let test = |program: &Program| compare(&program.case(), &engines);
    let (program, wrong) = (0..200)
        .find_map(|seed| {
            let program = Program::generate(seed);
            test(&program).map(|wrong| (program, wrong))
        })
        .expect("a program that shows the fault");
    assert_eq!(wrong.kind, Kind::Memory("faulty".to_owned()));
    let (small, still) = pisa_smith::shrink(&program, &wrong, 2000, test);
    assert_eq!(still.kind, wrong.kind);
    let case = small.case();
    assert!(case.text.contains("smax"), "{}", case.text);
    // What is left is the instruction, what fills its registers, and what stores them.
    let body = case.text.lines().count();
    assert!(body < 60, "{body} lines\n{}", case.text);
    assert_eq!(case.global, vec![1]);
    // The small case is sound: engines without the fault agree on it.
    assert_eq!(compare(&case, &host_engines()), None);
    // It can be run from its files.
    let launch = case.launch_file("small.pisa").unwrap().to_toml();
    assert!(launch.contains("small.pisa"), "{launch}");
}
