//! Any module that is accepted runs, or stops with a reason, on every engine; of one sub-group all engines make the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::FileId;
use pisa_machine::{Argument, Engine, Extent, Image, LaunchSpec, Memory, NoFiles, Outcome, StopReason};
use pisa_reference::ReferenceEngine;
use pisa_vector::{Level, VectorEngine};
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let tree = pisa_syntax::parse(FileId(0), text.into());
    let Some(module) = pisa_module::lower(&tree, &pisa_module::Options::default()).module else { return };
    let Ok(program) = pisa_module::link(vec![module]) else { return };
    let program = Arc::new(program);
    let engines: [&dyn Engine; 3] =
        [&ReferenceEngine, &VectorEngine::with_level(Level::Plain), &VectorEngine::with_level(Level::Avx512)];
    // One sub-group, not full: the order of its lanes is fixed, so that even races have one outcome.
    let ran = engines.map(|engine| launch(&program, engine, 29));
    let [Some(first), rest @ ..] = &ran else { return };
    for other in rest.iter().flatten() {
        same(first, other);
    }
    // Two sub-groups, in no fixed order.
    launch(&program, engines[2], 40);
});

/// How a launch ended, and all of memory after it.
type Ran = (Outcome, Vec<Vec<u8>>);

/// Runs the first kernel with an argument for each parameter.
fn launch(program: &Arc<pisa_module::Program>, engine: &dyn Engine, items: u64) -> Option<Ran> {
    let (_, kernel) = program.kernels().next()?;
    let mut spec = LaunchSpec::new(Extent::new(&[items]).expect("a size"));
    spec.kernel = Some(kernel.name.to_string());
    spec.fuel = 2000;
    spec.max_call_depth = 16;
    for parameter in kernel.kernel_parameters() {
        let value = match parameter.size {
            1 => "u8:3".to_owned(),
            2 => "u16:3".to_owned(),
            4 => "u32:3".to_owned(),
            8 => "rand:u32:256".to_owned(),
            size if size <= 4096 => format!("bytes:{}", "01".repeat(size as usize)),
            _ => return None,
        };
        spec.arguments.push(Argument::parse_positional(&value).expect("a value"));
    }
    let mut memory = Memory::with_limit(32 << 20);
    let image = Image::load(Arc::clone(program), &mut memory).ok()?;
    let prepared = spec.prepare(&image, &mut memory, &NoFiles).ok()?;
    let outcome = engine.run(&image, &memory, &prepared.launch);
    if let Some(stop) = &outcome.stop {
        let _ = (stop.message(&memory), stop.location());
    }
    let contents = memory.objects().iter().map(|object| object.bytes().unwrap_or_default()).collect();
    Some((outcome, contents))
}

/// Engines may overshoot their fuel, find out at another time that a launch goes on for ever, and need unlike amounts of the host's
/// memory.
fn same(a: &Ran, b: &Ran) {
    let reason = |ran: &Ran| ran.0.stop.as_ref().map(|stop| stop.reason.clone());
    let (x, y) = (reason(a), reason(b));
    let open = |reason: &Option<StopReason>| {
        matches!(reason, Some(StopReason::OutOfFuel(_) | StopReason::Livelock | StopReason::OutOfMemory(_)))
    };
    if open(&x) || open(&y) {
        return;
    }
    assert_eq!(x, y, "engines stop for different reasons");
    assert!(a.1 == b.1, "engines leave different memory");
}
