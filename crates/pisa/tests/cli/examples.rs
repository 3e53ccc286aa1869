//! Every example: checked by the letter, laid out canonically, run, and compared with NumPy's results.

use crate::common::Folder;
use std::path::PathBuf;

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(examples()).expect("the folder of examples");
    let mut files: Vec<PathBuf> = all
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}

#[test]
fn modules_are_right_to_the_letter_and_laid_out() {
    let folder = Folder::new();
    let modules = files("pisa");
    assert!(modules.len() >= 15, "{modules:?}");
    for module in modules {
        let ran = folder.run(&format!("check --strict {}", module.display())).gives(0);
        assert_eq!(ran.stderr, "", "{module:?} has warnings");
        folder.run(&format!("fmt --check {}", module.display())).gives(0);
    }
}

/// Each launch file names what it expects: a launch without expectations would prove nothing.
#[test]
fn launches_give_what_numpy_computes() {
    let folder = Folder::new();
    let launches = files("toml");
    assert!(launches.len() >= 16, "{launches:?}");
    for launch in launches {
        let text = std::fs::read_to_string(&launch).expect("a launch file");
        assert!(text.contains("[expect]"), "{launch:?} expects nothing");
        folder.run(&format!("run --launch {} --threads 1", launch.display())).gives(0);
        folder.run(&format!("run --launch {}", launch.display())).gives(0);
        folder.run(&format!("run --launch {} --engine reference", launch.display())).gives(0);
    }
}

/// What an example gives depends on the schedule only where its text says so.
#[test]
fn results_are_the_same_under_every_schedule() {
    let folder = Folder::new();
    let mut differing = 0;
    for launch in files("toml") {
        let stem = launch.file_stem().expect("a name").to_string_lossy().into_owned();
        let module = examples().join(stem.split('_').next().expect("a name")).with_extension("pisa");
        let says = std::fs::read_to_string(&module).expect("a module").contains("--schedule all");
        let ran = folder.run(&format!("run --launch {} --schedule all", launch.display()));
        if says {
            differing += 1;
            ran.gives(4).says("finding[S080");
        } else {
            ran.gives(0).says(": the same under lexical, ipdom");
        }
    }
    assert_eq!(differing, 3);
}

/// An expectation that is not met is noticed: the same launches on other data.
#[test]
fn launches_are_silent_under_the_sanitizer() {
    let folder = Folder::new();
    for launch in files("toml") {
        let ran = folder.run(&format!("run --launch {} --san all", launch.display())).gives(0);
        assert!(!ran.stderr.contains("finding["), "{}", ran.stderr);
    }
}

#[test]
fn a_wrong_result_is_noticed() {
    let folder = Folder::new();
    for (launch, wrong) in
        [("reduction", "n=u32:9999"), ("bitonic", "data=iota:s32:1024"), ("radix", "shift=u32:4")]
    {
        let launch = examples().join(launch).with_extension("toml");
        folder.run(&format!("run --launch {} {wrong}", launch.display())).gives(1);
    }
}

#[test]
fn the_first_command_of_the_readme_writes_the_picture() {
    let folder = Folder::new();
    let launch = examples().join("equalise.toml");
    let ran =
        folder.run(&format!("run --launch {} --save out=@equalised.png:512x512 --stats", launch.display()));
    let ran = ran.gives(0);
    assert!(ran.stderr.contains("@equalise") || ran.stdout.contains("@equalise"), "no statistics");
    let picture = format!("@{}/equalised.png", folder.path().display());
    folder.run(&format!("run --launch {} --expect out={picture}", launch.display())).gives(0);
}
