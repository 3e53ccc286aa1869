//! The long texts of the syntax codes show what they say: the wrong module gives the code and no other error, the right
//! one gives no diagnostic.

use pisa_diag::{FileId, codes};

fn blocks<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let section = text.split("\n## ").find(|s| s.starts_with(heading)).expect("the section");
    section.split("```pisa\n").skip(1).map(|b| b.split("```").next().expect("the end of a block")).collect()
}

#[test]
fn wrong_and_right_modules() {
    let mut shown = 0;
    for info in pisa_diag::CODES.iter().filter(|c| syntax_codes().contains(&c.code)) {
        for block in blocks(info.explain, "Wrong") {
            let found: Vec<_> =
                pisa_syntax::parse(FileId(0), block.into()).diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, [info.code], "explain/{}.md, wrong module", info.code.0);
            shown += 1;
        }
        for block in blocks(info.explain, "Right") {
            let found = pisa_syntax::parse(FileId(0), block.into()).diagnostics;
            assert_eq!(found, [], "explain/{}.md, right module", info.code.0);
            let formatted = pisa_syntax::format(&pisa_syntax::parse(FileId(0), block.into()));
            assert_eq!(formatted, block, "explain/{}.md, layout of the right module", info.code.0);
        }
    }
    assert!(shown > 30, "{shown} modules");
}

fn syntax_codes() -> Vec<pisa_diag::Code> {
    let in_area = |c: &&codes::CodeInfo| {
        c.code.0.starts_with("E01") || ["W0001", "W0002", "W0101", "W0199"].contains(&c.code.0)
    };
    pisa_diag::CODES.iter().filter(in_area).map(|c| c.code).collect()
}
