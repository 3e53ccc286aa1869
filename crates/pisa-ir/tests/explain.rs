//! The texts of the IR in the long texts of its codes: the wrong one gives the code, the right one nothing.

use pisa_diag::{CODES, FileId};
use pisa_ir::text::parse_and_verify;

fn blocks<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let sections = text.split("\n## ").filter(|section| section.starts_with(heading));
    let blocks = sections.flat_map(|section| section.split("```ir\n").skip(1));
    blocks.map(|block| block.split("```").next().expect("the end of a block")).collect()
}

#[test]
fn every_example_shows_its_code() {
    let mut shown = 0;
    for info in CODES.iter().filter(|info| info.code.0.starts_with("E07")) {
        let (wrong, right) = (blocks(info.explain, "Wrong"), blocks(info.explain, "Right"));
        assert!(!wrong.is_empty() && !right.is_empty(), "{}", info.code.0);
        for text in wrong {
            let parsed = parse_and_verify(FileId(0), text);
            assert!(parsed.module.is_none());
            let mut found: Vec<_> = parsed.diagnostics.iter().map(|d| d.code).collect();
            found.dedup();
            assert_eq!(found, [info.code], "{:#?}", parsed.diagnostics);
            shown += 1;
        }
        for text in right {
            let parsed = parse_and_verify(FileId(0), text);
            assert_eq!(parsed.diagnostics, [], "{}", info.code.0);
            assert!(parsed.module.is_some());
        }
    }
    assert!(shown >= 7, "{shown}");
}
