//! Random structured control flow against the oracle of its active masks.

use pisa_smith::host_engines;
use pisa_smith::reconvergence::Program;
use std::collections::BTreeSet;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// `PISA_SMITH_COUNT` programs from `PISA_SMITH_SEED` on, or 500 from 0 on.
#[test]
fn engines_do_what_the_oracle_says() {
    let first = number("PISA_SMITH_SEED", 0);
    let engines = host_engines();
    for seed in first..first + number("PISA_SMITH_COUNT", 500) {
        let program = Program::generate(seed);
        if let Some(found) = program.compare(&engines) {
            let (small, found) = program.shrink(found, 500, |program| program.compare(&engines));
            panic!("seed {seed}: {found}\n{}", small.case().text());
        }
    }
}

#[test]
fn programs_have_every_statement_and_part_their_lanes() {
    let (mut masks, mut longest, mut text) = (BTreeSet::new(), 0, String::new());
    for seed in 0..200 {
        let program = Program::generate(seed);
        for log in program.expected().expect("a program of a length that can be told") {
            longest = longest.max(log.len());
            masks.extend(log.iter().map(|entry| entry.1));
        }
        text += &program.case().text();
    }
    // Loops and calls run often enough that logs are long, and lanes part in many ways.
    assert!(longest > 200, "{longest}");
    assert!(masks.len() > 1000, "{}", masks.len());
    for what in [
        "return.cond",
        "call.cond",
        "call %log",
        "goto.cond !%p",
        "goto.cond %p, top",
        ", next",
        ", out",
        "ired.smax",
        "shfl.up",
        "shfl.dn",
        "shfl.xor",
        "shfl.idx",
        "redfirstidx",
        "%activemask",
        "endcase",
        ", %mask;",
        "ired.and",
    ] {
        assert!(text.contains(what), "{what}");
    }
}

/// What shrinking tries: other programs, all of them with an expectation.
#[test]
fn a_statement_can_go() {
    let program = Program::generate(1);
    let smaller: Vec<Program> = program.smaller().collect();
    assert!(smaller.len() > 5);
    assert!(smaller.iter().all(|other| *other != program && other.expected().is_some()));
}
