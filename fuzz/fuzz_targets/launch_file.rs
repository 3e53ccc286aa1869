//! Any text is a launch file or an error; a launch file is written as one that reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_machine::LaunchFile;

fuzz_target!(|text: &str| {
    let Ok(file) = LaunchFile::parse(text, "fuzz.toml") else { return };
    let _ = file.spec();
    let written = file.to_toml();
    match LaunchFile::parse(&written, "written.toml") {
        Ok(again) => {
            assert_eq!(again.to_toml(), written);
            assert_eq!(again.arguments.len(), file.arguments.len());
        }
        Err(error) => panic!("refused: {error:?}\n{written}"),
    }
});
