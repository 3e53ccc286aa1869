//! `//~ finding[…]`: test files held to what the sanitizer finds.

use crate::common::{Folder, Ran};

/// A kernel whose branch has no value where `n` is 1; `mark` stands on its line.
fn module(head: &str, mark: &str) -> String {
    format!(
        "{head}.version 0.1;
.target 100;

.kernel @k(.param[4] %n) {{
  .reg .32b %count;
  .pred %known, %never;
  ld.param.32b %count, [%n];
  ucmp.ne.32b %known, %count, 1;
  goto.cond %known, done;
  goto.cond %never, done; {mark}
done:
  return;
}}
"
    )
}

fn test(head: &str, mark: &str, options: &str) -> Ran {
    let folder = Folder::new();
    folder.file("t.pisa", module(head, mark));
    folder.run(&format!("test t.pisa {options}"))
}

const FAULTY: &str = "//! launch k -g 32 n=u32:1 --san init\n";
const SILENT: &str = "//! launch k -g 32 n=u32:2 --san init\n";

#[test]
fn a_mark_is_met_by_a_finding_of_its_line() {
    for engine in ["vector", "reference", "all"] {
        let engine = format!("--engine {engine}");
        test(FAULTY, "//~ finding[I0201]", &engine).gives(0).prints("1 passed, 0 failed");
        test(FAULTY, "//~ finding[I0201] \"%never\"", &engine).gives(0);
        test(SILENT, "", &engine).gives(0).prints("1 passed, 0 failed");
    }
    // Both launches together are held to the marks; one of them may be said to be silent.
    let both = format!("{FAULTY}{SILENT}//! expect silent\n");
    test(&both, "//~ finding[I0201]", "").gives(0).prints("2 passed, 0 failed");
}

#[test]
fn what_does_not_hold_is_said() {
    test(FAULTY, "", "").gives(1).prints("t.pisa:11: finding[I0201]\n  unexpected finding[I0201]: ");
    let ran = test(SILENT, "//~ finding[I0201]", "").gives(1);
    ran.prints("t.pisa:11: //~ finding[I0201]\n  expected  finding[I0201]\n  got       nothing on this line");
    test(FAULTY, "//~ finding[I0202]", "").gives(1).prints("got       finding[I0201]: ");
    test(FAULTY, "//~ finding[I0201] \"%other\"", "").gives(1);
    let silent = format!("{FAULTY}//! expect silent\n");
    test(&silent, "//~ finding[I0201]", "").gives(1).prints("is silent\n  unexpected finding[I0201]");
    // Marks and words without a launch that could find anything.
    let plain = "//! launch k -g 32 n=u32:1\n//! expect silent\n";
    test(plain, "", "").gives(1).prints("belongs to a launch with `--san`");
    test("", "//~ finding[I0201]", "").gives(1).prints("no launch of the case has `--san`");
    test("//! launch k -g 32 n=u32:1 --san none\n", "", "").gives(1).prints("does not know `none`");
}

#[test]
fn marks_and_silence_are_turned_round() {
    test(FAULTY, "//~ finding[I0201]", "--mutate").gives(0).prints("1 passed, 0 failed");
    test(SILENT, "", "--mutate").gives(0).prints("1 passed, 0 failed");
    test(FAULTY, "", "--mutate").gives(1).prints("it does not hold to begin with");
    test(SILENT, "//~ finding[I0201]", "--mutate").gives(1).prints("it does not hold to begin with");
}

#[test]
fn marks_are_written_and_handed_on() {
    let folder = Folder::new();
    folder.file("t.pisa", module(FAULTY, ""));
    let update = || {
        let mut command = folder.command("test t.pisa --engine all");
        Ran::new(command.env("UPDATE_EXPECT", "1").output().expect("the command"))
    };
    update().gives(0);
    assert!(folder.read("t.pisa").contains("  goto.cond %never, done;  //~ finding[I0201]\n"));
    folder.run("test t.pisa").gives(0);
    folder.file("t.pisa", folder.read("t.pisa").replace("n=u32:1", "n=u32:2"));
    update().gives(0);
    assert!(!folder.read("t.pisa").contains("finding"), "{}", folder.read("t.pisa"));

    folder.file("t.pisa", module(FAULTY, "//~ finding[I0201]"));
    let ran = folder.run("test t.pisa --emit-json").gives(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let case = &json["files"][0]["cases"][0];
    assert_eq!(case["launches"][0]["sanitize"], "init");
    assert_eq!(case["diagnostics"][0]["severity"], "finding");
    assert_eq!(case["diagnostics"][0]["line"], 11);
}
