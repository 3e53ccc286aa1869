//! The reference engine against the vector engine: every form, every combination of qualifiers.

#[path = "../common/mod.rs"]
mod common;

mod case;
mod flow;
mod programs;
mod values;

use case::{Case, ITEMS};
use common::{Kernel, Random, module};
use pisa_isa::{Effects, FORMS, Form, Qualifier, SlotName, SlotValues};
use pisa_machine::{Launch, Outcome, StopReason};
use pisa_reference::ReferenceEngine;
use pisa_vector::{Level, VectorEngine};

/// Runs `groups` work-groups of `size` work-items on both engines; the difference, if there is one.
pub fn compare(text: &str, size: u32, groups: u32, buffers: &[&[u8]]) -> Result<(), String> {
    let shape = |launch: &mut Launch| launch.global[0] = u64::from(size) * u64::from(groups);
    compare_launch(text, size, buffers, &shape)
}

/// Runs a launch of any shape on both engines; the difference, if there is one.
pub fn compare_launch(
    text: &str,
    size: u32,
    buffers: &[&[u8]],
    shape: &dyn Fn(&mut Launch),
) -> Result<(), String> {
    let module = module(text)?;
    let run = |engine: &dyn pisa_machine::Engine| {
        let mut kernel = Kernel::from_module(module.clone(), size, buffers);
        shape(&mut kernel.launch);
        // What a parameter of 24 bytes holds.
        let fill = kernel.launch.arguments.iter_mut().skip(16).enumerate();
        fill.for_each(|(i, byte)| *byte = (i * 37 + 11) as u8);
        let outcome = kernel.run(engine);
        let memory: Contents =
            kernel.memory.objects().iter().map(|o| (o.name.clone(), o.bytes().unwrap())).collect();
        (outcome, memory)
    };
    let (expected, memory) = run(&ReferenceEngine);
    let best = VectorEngine::new().level();
    for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|&level| level <= best) {
        differs(&expected, &memory, run(&VectorEngine::with_level(level)))
            .map_or(Ok(()), |difference| Err(format!("{level:?}: {difference}")))?;
    }
    Ok(())
}

/// What memory holds at the end, object by object.
type Contents = Vec<(String, Vec<u8>)>;

/// How the vector engine's outcome and memory differ from those of the reference.
fn differs(
    expected: &Outcome,
    memory: &Contents,
    (found, found_memory): (Outcome, Contents),
) -> Option<String> {
    let stop = |outcome: &Outcome| {
        outcome.stop.as_ref().map(|s| (s.reason.clone(), s.place, s.group, s.subgroup, s.lanes))
    };
    // Where the fuel runs out depends on how far a turn goes.
    let out_of_fuel =
        |outcome: &Outcome| matches!(&outcome.stop, Some(s) if matches!(s.reason, StopReason::OutOfFuel(_)));
    if out_of_fuel(expected) && out_of_fuel(&found) {
        return None;
    }
    if stop(expected) != stop(&found) {
        return Some(format!("reference stops with {:?}, vector with {:?}", expected.stop, found.stop));
    }
    for ((name, a), (_, b)) in memory.iter().zip(&found_memory) {
        if let Some(at) = (0..a.len()).find(|&i| a[i] != b[i]) {
            let around = at / 16 * 16..(at / 16 * 16 + 16).min(a.len());
            return Some(format!(
                "`{name}` differs at byte {at} of {}: reference {:02x?}, vector {:02x?}",
                a.len(),
                &a[around.clone()],
                &b[around]
            ));
        }
    }
    if expected.stop.is_none() && expected.statistics != found.statistics {
        return Some(format!("reference counts {:?}, vector {:?}", expected.statistics, found.statistics));
    }
    None
}

fn check(form: &Form, values: &SlotValues, case: &Case, seed: u64) -> Option<String> {
    // Sub-groups race for global memory, and those of a work-group for shared memory.
    let space = form.value(values, SlotName::Addrspace);
    let writes = form.effects.contains(Effects::WRITES_MEMORY);
    let (size, groups) = match space {
        Some(Qualifier::Global | Qualifier::Generic) if writes => (ITEMS / 2, 1),
        _ if form.effects.contains(Effects::READS_MEMORY) || writes => (ITEMS / 2, 2),
        _ => (ITEMS, 1),
    };
    let output = vec![0xEE; case.output];
    let error = compare(&case.text, size as u32, groups, &[&case.input, &output]).err()?;
    Some(format!("{} (seed {seed}): {error}\n{}\n", form.mnemonic(values), case.text))
}

/// How many times as much as usual is tried: `PISA_EFFORT`.
pub fn effort() -> u64 {
    std::env::var("PISA_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// All forms of a chapter, each combination of qualifiers `times` times.
fn chapter(number: usize, times: u64) {
    let mut failures = Vec::new();
    let mut cases = 0;
    for form in FORMS.iter().filter(|f| f.opcode.chapter().number() == number && case::is_covered(f)) {
        let mut failed = 0;
        for (position, values) in form.combinations().enumerate() {
            for time in 0..times * effort() {
                let seed = u64::from(form.id().0) << 32 | (position as u64) << 12 | time;
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
    chapter(8, 1);
}

#[test]
fn synchronization() {
    chapter(9, 1);
}
