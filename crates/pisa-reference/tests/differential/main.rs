//! The reference engine against the vector engine: every form, every combination of qualifiers.

#[path = "../common/mod.rs"]
mod common;

mod case;
mod flow;
mod values;

use case::{Case, ITEMS};
use common::{Kernel, Random, module};
use pisa_isa::{Effects, FORMS, Form, SlotValues};
use pisa_machine::Outcome;
use pisa_reference::ReferenceEngine;
use pisa_vector::VectorEngine;

/// Runs a kernel on both engines; the difference, if there is one.
pub fn compare(text: &str, size: u32, buffers: &[&[u8]]) -> Result<(), String> {
    let module = module(text)?;
    let run = |engine: &dyn pisa_machine::Engine| {
        let mut kernel = Kernel::from_module(module.clone(), size, buffers);
        // What a parameter of 24 bytes holds.
        let fill = kernel.launch.arguments.iter_mut().skip(16).enumerate();
        fill.for_each(|(i, byte)| *byte = (i * 37 + 11) as u8);
        let outcome = kernel.run(engine);
        let memory: Vec<(String, Vec<u8>)> =
            kernel.memory.objects().iter().map(|o| (o.name.clone(), o.bytes().unwrap())).collect();
        (outcome, memory)
    };
    let (expected, memory) = run(&ReferenceEngine);
    let (found, found_memory) = run(&VectorEngine::new());
    let stop = |outcome: &Outcome| {
        outcome.stop.as_ref().map(|s| (s.reason.clone(), s.place, s.group, s.subgroup, s.lanes))
    };
    if stop(&expected) != stop(&found) {
        return Err(format!("reference stops with {:?}, vector with {:?}", expected.stop, found.stop));
    }
    for ((name, a), (_, b)) in memory.iter().zip(&found_memory) {
        if let Some(at) = (0..a.len()).find(|&i| a[i] != b[i]) {
            let around = at / 16 * 16..(at / 16 * 16 + 16).min(a.len());
            return Err(format!(
                "`{name}` differs at byte {at} of {}: reference {:02x?}, vector {:02x?}",
                a.len(),
                &a[around.clone()],
                &b[around]
            ));
        }
    }
    if expected.stop.is_none() && expected.statistics != found.statistics {
        return Err(format!("reference counts {:?}, vector {:?}", expected.statistics, found.statistics));
    }
    Ok(())
}

fn check(form: &Form, values: &SlotValues, case: &Case, seed: u64) -> Option<String> {
    // Sub-groups race for memory.
    let memory = Effects::READS_MEMORY.union(Effects::WRITES_MEMORY);
    let items = if form.effects.0 & memory.0 != 0 { ITEMS / 2 } else { ITEMS };
    let output = vec![0xEE; case.output];
    let error = compare(&case.text, items as u32, &[&case.input, &output]).err()?;
    Some(format!("{} (seed {seed}): {error}\n{}\n", form.mnemonic(values), case.text))
}

/// All forms of a chapter, each combination of qualifiers `times` times.
fn chapter(number: usize, times: u64) {
    let mut failures = Vec::new();
    let mut cases = 0;
    for form in FORMS.iter().filter(|f| f.opcode.chapter().number() == number && case::is_covered(f)) {
        let mut failed = 0;
        for (position, values) in form.combinations().enumerate() {
            for time in 0..times {
                let seed = u64::from(form.id().0) << 32 | (position as u64) << 8 | time;
                let Some(case) = case::of(form, &values, &mut Random(seed)) else { continue };
                cases += 1;
                if let Some(failure) = check(form, &values, &case, seed) {
                    failed += 1;
                    if failed <= 3 {
                        failures.push(failure);
                    }
                }
            }
        }
        if failed > 3 {
            failures.push(format!("… {failed} failures of {} {}", form.opcode.text(), form.title));
        }
    }
    assert!(cases > 0);
    assert!(failures.is_empty(), "{} of {cases} cases\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn arithmetic() {
    chapter(1, 6);
}

#[test]
fn floating_point() {
    chapter(2, 2);
}

#[test]
fn logical() {
    chapter(3, 4);
}

#[test]
fn data_movement() {
    chapter(4, 2);
}

#[test]
fn comparison() {
    chapter(5, 3);
}

#[test]
fn cross_lane() {
    chapter(7, 12);
}

#[test]
fn memory() {
    chapter(8, 2);
}

#[test]
fn synchronization() {
    chapter(9, 1);
}
