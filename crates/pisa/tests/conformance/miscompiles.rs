//! The miscompiles that are made again in `conformance/optimisation`, and the page that lists them.

use crate::book;
use std::collections::BTreeSet;

/// How many there are.
const COUNT: usize = 20;

#[test]
fn each_has_a_launched_kernel_and_a_line_that_links_it() {
    let page = std::fs::read_to_string(book::root().join("docs/miscompiles.md")).expect("the page");
    let mut numbers = BTreeSet::new();
    for (file, tests) in book::tests() {
        // Folders in it have other kernels for the optimiser.
        if file.strip_prefix("optimisation/").is_none_or(|rest| rest.contains('/')) {
            continue;
        }
        for kernel in tests.kernels {
            let Some(number) = kernel.strip_prefix('e').and_then(|rest| rest.get(..2)?.parse().ok()) else {
                panic!("{file}: @{kernel} has no number");
            };
            let line = page.lines().find(|line| line.starts_with(&format!("| E{number} |")));
            let link = format!("[{kernel}](../conformance/{file}.pisa)");
            assert!(line.is_some_and(|line| line.contains(&link)), "docs/miscompiles.md: {link}");
            assert!(numbers.insert(number), "two kernels have the number {number}");
        }
    }
    assert_eq!(numbers, (1..=COUNT).collect(), "the numbers of the kernels");
    // Every rule that a line names is explained.
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| E")).collect();
    assert_eq!(rows.len(), COUNT);
    for row in rows {
        let rule = row.rsplit_once("(#").and_then(|(_, rest)| rest.split_once(')')).expect("a rule").0;
        assert!(page.contains(&format!("\n### {rule}\n")), "{rule}");
    }
}
