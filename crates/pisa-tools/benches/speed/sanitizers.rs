//! What the sanitizer costs: the time of a launch that is watched against that of a plain one, on one thread.

use crate::kernels::{Case, cases};
use pisa_machine::{Engine, ObservedEngine, Observer, Step};
use pisa_module::{FunctionId, Program};
use pisa_sanitize::{Options, Sanitizer};
use pisa_vector::{Level, VectorEngine};
use std::time::Instant;

const ROUNDS: usize = 5;

/// Sees every instruction and does nothing.
struct Nothing;

impl Observer for Nothing {
    fn wants(&self, _: &Program, _: FunctionId, _: u32) -> bool {
        true
    }
    fn before(&mut self, _: &Step<'_>) {}
}

/// Prints the table: by kernel the median ratio for each set of checks, and for an observer that sees everything and
/// does nothing.
pub(crate) fn sanitizers(level: Level) {
    const SETS: [&str; 8] = ["mem", "ub", "mem,ub", "barrier", "conv", "race", "init", "all"];
    print!("\n{:<10} {:>8}", "x plain", "watched");
    SETS.iter().for_each(|set| print!(" {set:>8}"));
    println!();
    for case in cases(1) {
        let mut watched = Vec::new();
        let mut sets = [const { Vec::new() }; SETS.len()];
        for _ in 0..ROUNDS {
            let plain = seconds(&case, level, None);
            watched.push(seconds(&case, level, Some(&mut Nothing)) / plain);
            for (set, ratios) in SETS.iter().zip(&mut sets) {
                let options = Options::parse(set).unwrap_or_else(|e| panic!("{e}"));
                let mut sanitizer = Sanitizer::new(options, &case.image, &case.memory, &case.prepared.launch);
                ratios.push(seconds(&case, level, Some(&mut sanitizer)) / plain);
                let findings = sanitizer.finish();
                assert!(findings.is_empty(), "{}: {:?}", case.name, findings.first());
            }
        }
        print!("{:<10} {:>8.2}", case.name, median(&mut watched));
        sets.iter_mut().for_each(|ratios| print!(" {:>8.2}", median(ratios)));
        println!();
    }
}

fn seconds(case: &Case, level: Level, observer: Option<&mut dyn Observer>) -> f64 {
    let engine = VectorEngine::with_level(level);
    let (image, memory, launch) = (&case.image, &case.memory, &case.prepared.launch);
    let start = Instant::now();
    let outcome = match observer {
        None => engine.run(image, memory, launch),
        Some(observer) => engine.run_observed(image, memory, launch, observer),
    };
    let seconds = start.elapsed().as_secs_f64();
    assert!(outcome.stop.is_none(), "{:?}", outcome.stop);
    seconds
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
