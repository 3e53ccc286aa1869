//! Thousands of programs on every engine, and an engine that is wrong on purpose.

use pisa_isa::FORMS;
use pisa_machine::Schedule;
use pisa_smith::{Case, Kind, Program, compare, compare_all, forms_in, host_engines};
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
fn engines_agree_under_every_schedule() {
    let first: u64 = std::env::var("PISA_SMITH_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    // The engine of each set of vector instructions has the same scheduler.
    let mut engines = host_engines();
    engines.truncate(2);
    let (mut failures, mut apart) = (Vec::new(), 0);
    for seed in first..first + count() / 2 {
        let plain = Program::generate(seed).case();
        for schedule in [Schedule::Ipdom, Schedule::Independent(seed), Schedule::Lanes] {
            let case = Case { schedule, ..plain.clone() };
            if let Some(wrong) = compare(&case, &engines) {
                failures.push(format!("seed {seed}, {schedule}: {wrong}"));
            }
        }
        apart += u32::from(plain.text().contains("goto.cond"));
    }
    let total = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{total} programs\n{}", failures.join("\n"));
    assert!(u64::from(apart) > count() / 5, "lanes part in {apart} programs");
}

#[test]
fn every_string_of_bytes_is_a_program() {
    for length in [0usize, 1, 2, 10, 100, 1000, 4000] {
        for fill in [0u8, 1, 31, 0x55, 0xff] {
            let bytes: Vec<u8> = (0..length).map(|i| fill.wrapping_mul(i as u8 | 1)).collect();
            let case = pisa_smith::generate(bytes.as_slice());
            if let Some(wrong) = compare_all(&case) {
                panic!("{length} bytes of {fill}: {wrong}\n{}", case.text());
            }
        }
    }
}

#[test]
fn programs_depend_on_their_seed_alone() {
    assert_eq!(pisa_smith::generate(7), pisa_smith::generate(7));
    assert_ne!(pisa_smith::generate(7).modules, pisa_smith::generate(8).modules);
}

#[test]
fn programs_jump_into_loops_are_linked_and_have_odd_names() {
    let texts: Vec<String> = (0..200).map(|seed| pisa_smith::generate(seed).text()).collect();
    let share = |what: &str| texts.iter().filter(|text| text.contains(what)).count();
    // Counters of jumps back.
    assert!(share(".reg .32b %j") >= 20, "{}", share(".reg .32b %j"));
    // A jump from outside of a loop to a mark inside.
    let enters = |text: &String| {
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().enumerate().any(|(at, line)| {
            let Some((_, mark)) = line.trim().strip_suffix(';').and_then(|line| line.rsplit_once(" M"))
            else {
                return false;
            };
            let Some(to) = lines[at..].iter().position(|line| *line == format!("M{mark}:")) else {
                return false;
            };
            // The next end of a turn belongs to a loop whose beginning was jumped over.
            let next = lines[at + to..].iter().find_map(|line| line.strip_suffix("_next:"));
            next.is_some_and(|name| lines[at..at + to].contains(&format!("{name}_top:").as_str()))
        })
    };
    assert!(texts.iter().any(enters), "no loop is entered in the middle");
    for (what, least) in [(".import .function", 10), (".import .global", 3), (".export", 10), ("@$", 3)] {
        assert!(share(what) >= least, "{what}: {}", share(what));
    }
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
    assert_eq!(case.modules.len(), 1);
    let text = case.text();
    assert!(text.contains("smax"), "{text}");
    // What is left is the instruction, what fills its registers, and what stores them.
    let body = text.lines().count();
    assert!(body < 60, "{body} lines\n{text}");
    assert_eq!(case.global, vec![1]);
    // The small case is sound: engines without the fault agree on it.
    assert_eq!(compare(&case, &host_engines()), None);
    // It can be run from its files.
    let launch = case.launch_file(&case.file_names("small")).unwrap().to_toml();
    assert!(launch.contains("small.pisa"), "{launch}");
}
