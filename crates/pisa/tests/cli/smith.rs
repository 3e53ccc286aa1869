//! `pisa smith`.

use crate::common::Folder;

#[test]
fn smith_compares_engines_and_counts() {
    let folder = Folder::new();
    let ran = folder.run("smith --seed 5 --count 20").gives(0);
    assert_eq!(ran.stdout, "20 passed, 0 failed\n");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let ran = folder.run("smith --seed 5 --count 5 --schedule all").gives(0);
    assert_eq!(ran.stdout, "5 passed, 0 failed\n");
    folder.run("smith --count 2 --schedule ipdom").gives(0);
}

#[test]
fn smith_says_what_it_does() {
    let folder = Folder::new();
    folder.run("smith --help").gives(0).prints("smith-N.toml").prints("--count");
    folder.run("smith --seed x").gives(2);
}
