//! Random programs in IR are well-formed, and their texts are read as what they were.

use pisa_diag::FileId;
use pisa_ir::text::{parse_and_verify, print, same};
use pisa_ir::verify::verify;
use pisa_smith::Program;

#[test]
fn texts_of_the_ir_go_round() {
    for seed in 0..500 {
        for text in Program::generate(seed).case().modules {
            let tree = pisa_syntax::parse(FileId(0), text.as_str().into());
            let module = pisa_module::lower(&tree, &pisa_module::Options::default()).module;
            let module = pisa_ir::import(&module.expect("a valid module"));
            let errors: Vec<String> = verify(&module).iter().map(ToString::to_string).collect();
            assert!(errors.is_empty(), "seed {seed}: {}", errors.join("\n"));
            let text = print(&module);
            let parsed = parse_and_verify(FileId(0), &text);
            assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:#?}\n{text}", parsed.diagnostics);
            let again = parsed.module.expect("a module without errors");
            assert!(same(&module, &again), "seed {seed}\n{text}");
            assert_eq!(print(&again), text, "seed {seed}");
        }
    }
}
