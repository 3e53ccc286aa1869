//! The text of the IR, and PISA as IR: no panic; what is well-formed prints as text that is read as the same; an accepted module
//! becomes well-formed IR.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_diag::FileId;
use pisa_ir::Module;
use pisa_ir::text::{parse, print, same};
use pisa_ir::verify::verify;
use pisa_module::{Options, lower};

fn goes_round(module: &Module) {
    let printed = print(module);
    match parse(FileId(0), &printed) {
        again if again.module.is_none() => panic!("refused: {:?}\n{printed}", again.diagnostics),
        again => {
            let other = again.module.expect("a module");
            assert!(same(module, &other), "another module:\n{printed}");
            assert_eq!(print(&other), printed);
        }
    }
}

fuzz_target!(|text: &str| {
    let parsed = parse(FileId(0), text);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.place().expect("a place").span;
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{diagnostic:?}");
    }
    if let Some(module) = parsed.module {
        if verify(&module).is_empty() {
            goes_round(&module);
        } else {
            print(&module);
        }
    }
    let tree = pisa_syntax::parse(FileId(0), text.into());
    let Some(module) = lower(&tree, &Options::default()).module else { return };
    let module = pisa_ir::import(&module);
    let errors = verify(&module);
    assert!(errors.is_empty(), "{errors:?}\n{}", print(&module));
    goes_round(&module);
});
