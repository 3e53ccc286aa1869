//! Checking never fails, nor does showing what it found; an accepted module prints as text that is accepted as the same module.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::Sources;
use pisa_diag::render::{Human, json, short};
use pisa_module::{Options, link, lower, print, same};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.pisa", text);
    let tree = pisa_syntax::parse(file, text.into());
    let strict = Options { strict: true, ..Options::default() };
    let found = lower(&tree, &strict).diagnostics;
    for diagnostic in tree.diagnostics.iter().chain(&found) {
        let _ = Human { styled: false, width: 60 }.render(diagnostic, &sources);
        let _ = (short(diagnostic, &sources), json(diagnostic, &sources));
    }
    let Some(module) = lower(&tree, &Options::default()).module else { return };
    let printed = print(&module);
    let again = lower(&pisa_syntax::parse(file, printed.as_str().into()), &Options::default());
    match &again.module {
        Some(other) => assert!(same(&module, other), "another module:\n{printed}"),
        None => panic!("refused: {:?}\n{printed}", again.diagnostics),
    }
    let _ = link(vec![module]);
});
