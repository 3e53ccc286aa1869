//! `pisa check`: statuses, formats, levels, odd inputs.

use crate::common::Folder;
use serde_json::Value;

const GOOD: &str = ".version 0.1;\n.target 100;\n.kernel @k() {\n  .reg .32b %a;\n  mov.32b %a, 1;\n}\n";
const BAD: &str = ".version 0.1;\n.target 100;\n.kernel @k() {\n  .reg .64b %b;\n  mov.32b %b, 1;\n}\n";
/// `.version 1.0`, which LLVM prints, is a departure.
const DEPARTURE: &str = ".version 1.0;\n.target 100;\n.kernel @k() {\n}\n";

#[test]
fn a_good_module_gives_nothing() {
    let folder = Folder::new();
    folder.file("good.pisa", GOOD);
    let ran = folder.run("check good.pisa").gives(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn a_bad_module_gives_3_and_says_where() {
    let folder = Folder::new();
    folder.file("bad.pisa", BAD);
    let ran = folder.run("check bad.pisa").gives(3);
    assert_eq!(ran.stdout, "");
    let ran =
        ran.says("error[E0203]").says(" --> bad.pisa:5:11").says("5 |   mov.32b %b, 1;").says("\n1 error\n");
    assert!(!ran.stderr.contains('\u{1b}'), "colour without a terminal");
    folder.run("check --format short bad.pisa").gives(3).says("bad.pisa:5:11: error[E0203]: ");
    let coloured = folder.run("check --color always bad.pisa").gives(3);
    assert!(coloured.stderr.contains("\u{1b}["));
}

#[test]
fn departures_follow_the_levels() {
    let folder = Folder::new();
    folder.file("llvm.pisa", DEPARTURE);
    folder.run("check llvm.pisa").gives(0).says("warning[W0012]").says("1 warning");
    folder.run("check --strict llvm.pisa").gives(3).says("error[W0012]");
    folder.run("check --deny W0012 llvm.pisa").gives(3).says("error[W0012]");
    folder.run("check --deny w0012 llvm.pisa").gives(3);
    folder.run("check --strict --warn W0012 llvm.pisa").gives(0).says("warning[W0012]");
    let allowed = folder.run("check --allow W0012 llvm.pisa").gives(0);
    assert_eq!(allowed.stderr, "");
    folder.run("check --allow W0O12 llvm.pisa").gives(2).says("did you mean `W0012`");
    folder.run("check --allow E0203 llvm.pisa").gives(2).says("is an error");
    folder.run("check --deny E0203 llvm.pisa").gives(0);
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    folder.run_with_input("check -", GOOD.as_bytes()).gives(0);
    folder.run_with_input("check -", BAD.as_bytes()).gives(3).says("--> <stdin>:5:11");
    folder.run_with_input("check - -", GOOD.as_bytes()).gives(2).says("only once");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    folder.file("bad.pisa", BAD);
    folder.run("check missing.pisa").gives(2).says("cannot read `missing.pisa`: there is no such file");
    folder.run("check .").gives(2).says("cannot read `.`");
    // The rest is checked all the same; 2 goes first.
    folder.run("check missing.pisa bad.pisa").gives(2).says("error[E0203]");
}

#[test]
fn odd_inputs_are_refused_in_words() {
    let folder = Folder::new();
    folder.file("empty.pisa", "");
    folder.file("latin1.pisa", b".version 0.1;\n.target 100;\n// caf\xe9\n.kernel @k() {\n}\n");
    let binary: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    folder.file("binary.pisa", &binary);
    folder.file("zeros.pisa", vec![0; 10_000]);
    folder.run("check empty.pisa").says("empty.pisa:1:1");
    folder.run("check latin1.pisa").gives(3).says("UTF-8").says("latin1.pisa:3:");
    let ran = folder.run("check binary.pisa").gives(3).says("more not shown");
    assert!(
        ran.stderr.chars().all(|c| c == '\n' || !c.is_control()),
        "control characters reach the terminal"
    );
    folder.run("check zeros.pisa").gives(3);
}

#[test]
fn the_limit_counts_the_rest() {
    let folder = Folder::new();
    let lines = "  mov.32b %b, 1;\n".repeat(5);
    folder.file("bad.pisa", BAD.replace("  mov.32b %b, 1;\n", &lines));
    let ran =
        folder.run("check --max-errors 2 bad.pisa").gives(3).says("3 errors more not shown").says("5 errors");
    assert_eq!(ran.stderr.matches("error[E0203]").count(), 2);
    let all = folder.run("check --max-errors 0 bad.pisa").gives(3);
    assert_eq!(all.stderr.matches("error[E0203]").count(), 5);
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

#[test]
fn json_is_one_object_a_line() {
    let folder = Folder::new();
    folder.file("bad.pisa", BAD);
    folder.file("llvm.pisa", DEPARTURE);
    let ran = folder.run("check --format json bad.pisa").gives(3);
    assert_eq!(ran.stderr, "");
    let objects = lines(&ran.stdout);
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0]["type"], "diagnostic");
    assert_eq!(objects[0]["code"], "E0203");
    assert_eq!(objects[0]["severity"], "error");
    assert_eq!((&objects[0]["place"]["line"], &objects[0]["place"]["column"]), (&5.into(), &11.into()));
    assert_eq!(objects[1]["type"], "summary");
    assert_eq!(objects[1]["errors"], 1);
    let failed = lines(&folder.run("check --format json missing.pisa").gives(2).stdout);
    assert_eq!(failed[0]["type"], "failure");
    let warned = lines(&folder.run("check --format json llvm.pisa").gives(0).stdout);
    assert_eq!(warned[0]["severity"], "warning");
}

#[test]
fn sarif_is_one_log() {
    let folder = Folder::new();
    folder.file("bad.pisa", BAD);
    folder.file("good.pisa", GOOD);
    let ran = folder.run("check --format sarif bad.pisa").gives(3);
    let log: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "pisa");
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "E0203");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "E0203");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
    let empty = folder.run("check --format sarif good.pisa").gives(0).stdout;
    let log: Value = serde_json::from_str(&empty).expect("JSON");
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn several_files_are_linked() {
    let folder = Folder::new();
    let head = ".version 0.1;\n.target 100;\n";
    folder.file(
        "a.pisa",
        format!("{head}.import .function void @f();\n.kernel @k() {{\n  call void, @f();\n}}\n"),
    );
    folder.file("b.pisa", format!("{head}.export .function void @f() {{\n}}\n"));
    folder.file("c.pisa", format!("{head}.export .function .32b @f() {{\n  return 1;\n}}\n"));
    folder.run("check a.pisa").gives(0);
    folder.run("check a.pisa b.pisa").gives(0);
    folder.run("check a.pisa c.pisa").gives(3).says("E0607");
}

#[test]
fn a_bare_f2i_is_read_as_asked() {
    let folder = Folder::new();
    folder.file(
        "f2i.pisa",
        ".version 0.1;\n.target 100;\n.kernel @k(.param[8] %out) {\n  .reg .64b %o;\n  .reg .32b %a;\n  \
         ld.param.64b %o, [%out];\n  f2i.s32.f %a, 2.7;\n  st.global.32b [%o], %a;\n}\n",
    );
    let warned = folder.run("check f2i.pisa").gives(0);
    assert!(warned.stderr.contains("warning"), "{}", warned.stderr);
    assert_eq!(folder.run("check --assume f2i=rz f2i.pisa").gives(0).stderr, "");
    let launch = "-g 1 out=zeros:u32:1 --expect";
    folder.run(&format!("run f2i.pisa {launch} out=buf:u32:3")).gives(0);
    folder.run(&format!("run --assume f2i=rz f2i.pisa {launch} out=buf:u32:2")).gives(0);
    folder.run("check --assume f2i=re f2i.pisa").gives(2);
}
