//! Any module that is accepted runs, or stops with a reason, on every engine.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::FileId;
use pisa_machine::{Argument, Engine, Extent, Image, LaunchSpec, Memory, NoFiles};
use pisa_reference::ReferenceEngine;
use pisa_vector::{Level, VectorEngine};
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let tree = pisa_syntax::parse(FileId(0), text.into());
    let Some(module) = pisa_module::lower(&tree, &pisa_module::Options::default()).module else { return };
    let Ok(program) = pisa_module::link(vec![module]) else { return };
    let program = Arc::new(program);
    let engines: [&dyn Engine; 3] =
        [&VectorEngine::with_level(Level::Plain), &VectorEngine::with_level(Level::Avx512), &ReferenceEngine];
    for engine in engines {
        launch(&program, engine);
    }
});

/// Runs the first kernel with an argument for each parameter, on 40 work-items.
fn launch(program: &Arc<pisa_module::Program>, engine: &dyn Engine) {
    let Some((_, kernel)) = program.kernels().next() else { return };
    let mut spec = LaunchSpec::new(Extent::new(&[40]).expect("a size"));
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
            _ => return,
        };
        spec.arguments.push(Argument::parse_positional(&value).expect("a value"));
    }
    let mut memory = Memory::with_limit(32 << 20);
    let Ok(image) = Image::load(Arc::clone(program), &mut memory) else { return };
    let Ok(prepared) = spec.prepare(&image, &mut memory, &NoFiles) else { return };
    let outcome = engine.run(&image, &memory, &prepared.launch);
    if let Some(stop) = outcome.stop {
        let _ = (stop.message(&memory), stop.location());
    }
}
