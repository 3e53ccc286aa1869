//! Random programs have no undefined behaviour, so the sanitizer is silent on them; and watching changes nothing.

use pisa_machine::{Engine, Image, Launch, Memory, ObservedEngine, Outcome};
use pisa_reference::ReferenceEngine;
use pisa_sanitize::{Options, Sanitizer};
use pisa_smith::{NamedEngine, Program, compare};
use pisa_vector::VectorEngine;
use std::sync::{Arc, Mutex};

/// An engine that is watched, and what was found.
struct Watched<E> {
    engine: E,
    options: Options,
    found: Arc<Mutex<Vec<String>>>,
}

impl<E: ObservedEngine> Engine for Watched<E> {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        let mut sanitizer = Sanitizer::new(self.options, image, memory, launch);
        let outcome = self.engine.run_observed(image, memory, launch, &mut sanitizer);
        let findings = sanitizer.finish();
        // Shifts, conversions, comparisons and fields that have a result, but not the one that some expect.
        let doubtful = |code: &str| code == "U0703" || ("U0708"..="U0714").contains(&code);
        let findings: Vec<_> = findings.iter().filter(|finding| !doubtful(finding.code.0)).collect();
        self.found
            .lock()
            .expect("nobody panics with it")
            .extend(findings.iter().map(|f| format!("{} at {:?}: {}", f.code.0, f.place, f.text.message)));
        outcome
    }
}

#[test]
fn programs_without_faults_have_no_findings() {
    // What a program without undefined behaviour may still do: shuffle from lanes that are elsewhere.
    let options = Options { convergence: false, ..Options::ALL };
    let found = Arc::new(Mutex::new(Vec::new()));
    let reference = Watched { engine: ReferenceEngine, options, found: found.clone() };
    let vector = Watched { engine: VectorEngine::new(), options, found: found.clone() };
    let engines: [NamedEngine; 3] = [
        ("reference", Box::new(ReferenceEngine)),
        ("reference, watched", Box::new(reference)),
        ("vector, watched", Box::new(vector)),
    ];
    let count = std::env::var("PISA_SMITH_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    for seed in 0..count {
        let case = Program::generate(seed).case();
        if let Some(wrong) = compare(&case, &engines) {
            panic!("seed {seed}: {wrong}");
        }
        let found = std::mem::take(&mut *found.lock().expect("nobody panics with it"));
        assert!(found.is_empty(), "seed {seed}: {}\n{}", found.join("\n"), case.text());
    }
}
