//! `pisa fmt`.

use crate::common::Folder;

const UGLY: &str = ".version 0.1;\n.target 100;\n.kernel @k(){\n.reg .32b   %a ;\n mov.32b %a,1; // one\n}\n";
const BROKEN: &str = ".version 0.1;\n.target 100;\n.kernel @k(){\n.reg .32b %a\n";

#[test]
fn a_file_is_rewritten_once() {
    let folder = Folder::new();
    folder.file("a.pisa", UGLY);
    let ran = folder.run("fmt a.pisa").gives(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    let once = folder.read("a.pisa");
    assert_ne!(once, UGLY);
    assert!(once.contains("// one"));
    folder.run("fmt a.pisa").gives(0);
    assert_eq!(folder.read("a.pisa"), once);
    folder.run("fmt --check a.pisa").gives(0);
    folder.run("check a.pisa").gives(0);
}

#[test]
fn check_shows_a_diff_and_changes_nothing() {
    let folder = Folder::new();
    folder.file("a.pisa", UGLY);
    folder.run("fmt --check a.pisa").gives(1).prints("--- a.pisa").prints("-.reg .32b   %a ;").prints("\n+");
    assert_eq!(folder.read("a.pisa"), UGLY);
    assert_eq!(folder.run("fmt --check --format short a.pisa").gives(1).stdout, "a.pisa\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new();
    folder.file("a.pisa", UGLY);
    let piped = folder.run_with_input("fmt -", UGLY.as_bytes()).gives(0).stdout;
    folder.run("fmt a.pisa").gives(0);
    assert_eq!(piped, folder.read("a.pisa"));
    folder.run_with_input("fmt --check -", UGLY.as_bytes()).gives(1).prints("--- <stdin>");
    folder.run_with_input("fmt --check -", piped.as_bytes()).gives(0);
}

#[test]
fn files_with_syntax_errors_stay_as_they_are() {
    let folder = Folder::new();
    folder.file("broken.pisa", BROKEN);
    folder.file("a.pisa", UGLY);
    folder.run("fmt broken.pisa a.pisa").gives(3).says("broken.pisa:");
    assert_eq!(folder.read("broken.pisa"), BROKEN);
    // The other one is done.
    folder.run("fmt --check a.pisa").gives(0);
    folder.run("fmt missing.pisa").gives(2);
    let piped = folder.run_with_input("fmt -", BROKEN.as_bytes()).gives(3);
    assert_eq!(piped.stdout, "");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.file("a.pisa", UGLY);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&file, folder.path().join("link.pisa")).expect("a link");
    folder.run("fmt link.pisa").gives(0);
    let meta = std::fs::symlink_metadata(folder.path().join("link.pisa")).expect("the link");
    assert!(meta.is_symlink());
    assert_eq!(std::fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o640);
    folder.run("fmt --check a.pisa").gives(0);
    // Nothing is left lying about.
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2);
}
