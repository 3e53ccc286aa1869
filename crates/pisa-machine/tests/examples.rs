//! The launch files of the examples fit their kernels.

use pisa_machine::{Directory, Image, LaunchFile, Memory};
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_launch_file_of_the_examples_can_be_prepared() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let file = LaunchFile::load(path.to_str().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        let modules = file.files.iter().map(|file| {
            let text: Arc<str> = std::fs::read_to_string(file).unwrap().into();
            let tree = pisa_syntax::parse(pisa_diag::FileId(0), text);
            pisa_module::lower(&tree, &pisa_module::Options::default()).module.unwrap()
        });
        let program = pisa_module::link(modules.collect()).unwrap();
        let mut memory = Memory::with_limit(1 << 30);
        let image = Image::load(Arc::new(program), &mut memory).unwrap();
        let files = Directory::default();
        let spec = file.spec().unwrap();
        let prepared = spec.prepare(&image, &mut memory, &files).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        for expectation in &file.expect {
            let ready = expectation.prepare(&prepared, &image, &files, 1 << 30);
            let ready = ready.unwrap_or_else(|e| panic!("{path:?}: {e}"));
            // Nothing has run, so no result can be there yet.
            assert!(ready.check(&prepared, &memory).unwrap().is_some(), "{path:?}: {}", expectation.name);
        }
        assert!(!file.expect.is_empty(), "{path:?}");
        // The text of the launch says the same as the file.
        let again = LaunchFile::parse(&file.to_toml(), "again.toml").unwrap();
        assert_eq!(again.to_toml(), file.to_toml());
        count += 1;
    }
    assert!(count >= 10, "only {count} launch files");
}
