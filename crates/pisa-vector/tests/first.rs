//! Straight-line code.

mod common;
use common::{Run, kernel};

#[test]
fn every_work_item_writes_its_index() {
    let text = kernel("", "iadd.32b %r, %gid, 100;");
    for (global, local) in [(32, 32), (100, 32), (1000, 96), (4096, 1024), (5000, 700)] {
        let done = Run::new(&text).size(global, local).words("out", global as usize).run().ok();
        let expected: Vec<u32> = (0..global as u32).map(|i| i + 100).collect();
        assert_eq!(done.words("out"), expected, "{global} {local}");
        assert_eq!(done.outcome.statistics.work_groups, global.div_ceil(u64::from(local)));
    }
}
