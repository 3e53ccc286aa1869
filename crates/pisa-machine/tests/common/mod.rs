//! What the tests of loading and launching share.

use pisa_diag::Sources;
use pisa_machine::{Argument, Extent, Image, LaunchSpec, Memory};
use pisa_module::Program;
use std::sync::Arc;

/// A linked program of one module; the header is added.
pub fn program(body: &str) -> (Arc<Program>, Sources) {
    let mut sources = Sources::new();
    let text: Arc<str> = format!(".version 0.1;\n.target 100;\n{body}").into();
    let file = sources.add("test.pisa", text.clone());
    let tree = pisa_syntax::parse(file, text);
    assert!(tree.diagnostics.is_empty(), "{:?}", tree.diagnostics);
    let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
    let module = lowered.module.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics));
    let program = pisa_module::link(vec![module]).unwrap_or_else(|e| panic!("{e:?}"));
    (Arc::new(program), sources)
}

/// The program in 64 MiB of memory.
pub fn load(body: &str) -> (Image, Memory) {
    let mut memory = Memory::with_limit(64 << 20);
    let image = Image::load(program(body).0, &mut memory).unwrap_or_else(|e| panic!("{e}"));
    (image, memory)
}

/// A launch over `global` with arguments as the command line has them.
#[allow(dead_code)]
pub fn spec(global: &[u64], arguments: &[&str]) -> LaunchSpec {
    let mut spec = LaunchSpec::new(Extent::new(global).unwrap());
    spec.arguments = arguments.iter().map(|a| Argument::parse_named(a).unwrap()).collect();
    spec
}
