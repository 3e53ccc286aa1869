//! `pisa test`.

use crate::common::Folder;

const HEADER: &str = ".version 0.1;\n.target 100;\n";

fn test(text: &str, words: &str) -> (i32, String, String) {
    let folder = Folder::new();
    folder.file("t.pisa", format!("{HEADER}{text}"));
    let ran = folder.run(&format!("test t.pisa {words}"));
    (ran.code, ran.stdout, ran.stderr)
}

#[test]
fn facts_pass_and_fail() {
    let (code, out, _) =
        test("//! op iadd.32b (1, -1) = 0\n//! op fadd.f (1.0, 0x7f800001) = nan\n", "--engine all");
    assert_eq!((code, out.as_str()), (0, "2 passed, 0 failed\n"));
    let (code, out, _) =
        test("//! op iadd.32b (1, iota) = [1, 2, 3*30]\n//! op fadd.f (1.0, 2.0) = 3.0\n", "");
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "t.pisa:3: op iadd.32b (1, iota) = [1, 2, 3*30]\n  lanes 3-31\n  expected  3 (0x00000003)\n  got       \
         4 (0x00000004)\n\n1 passed, 1 failed\n"
    );
}

#[test]
fn inactive_lanes_keep_what_they_had() {
    let facts = "//! op mov.32b (5) active=0xff old=7 = 5\n//! op mov.32b (5) active=0xff old=7 = [5*8, 7*24]\n\
                 //! op uaddc.co.32b (-1, 1) active=0 old=(3, 1) = (0, 0)\n";
    assert_eq!(test(facts, "--engine all").1, "3 passed, 0 failed\n");
    let (code, out, _) = test("//! op mov.32b (5) active=0xff old=7 = [5*9, 7*23]\n", "");
    assert_eq!(code, 1);
    assert!(
        out.contains("inactive") && out.contains("expected  5 (0x00000005)\n  got       7 (0x00000007)"),
        "{out}"
    );
}

#[test]
fn a_certain_nan_is_compared_in_bits() {
    assert_eq!(test("//! op fabs.f (0xff800001) = 0x7fc00001\n", "").0, 0);
    let (code, out, _) = test("//! op fabs.f (0xff800001) = 0x7fc00000\n", "");
    assert_eq!(code, 1);
    assert!(out.contains("expected  nan (0x7fc00000)\n  got       nan(0x7fc00001) (0x7fc00001)"), "{out}");
    assert_eq!(test("//! op fadd.f (1.0, 1.0) = nan\n", "").0, 1);
}

const KERNEL: &str = "
.kernel @k(.param[8] %out, .param[4] %x) {
  .reg .64b %o;
  .reg .32b %v;
  ld.param.64b %o, [%out];
  ld.param.32b %v, [%x];
  st.global.32b [%o], %v;
}
";

#[test]
fn launches_are_run() {
    let good = format!("{KERNEL}//! launch k -g 1 x=u32:5 out=zeros:u32:2\n//! expect out = buf:u32:5,0\n");
    assert_eq!(test(&good, "--engine all").1, "1 passed, 0 failed\n");
    assert_eq!(test(&good, "--mutate").1, "1 passed, 0 failed\n");
    let (code, out, _) = test(&good.replace("5,0", "6,0"), "--engine all");
    assert_eq!(code, 1);
    // What both engines say is said once.
    assert_eq!(out.matches("got 5").count(), 1, "{out}");
    let refused =
        format!("{KERNEL}//! launch k -g 1 x=u64:5 out=zeros:u32:2\n//! expect refused \"8 bytes\"\n");
    assert_eq!(test(&refused, "").1, "1 passed, 0 failed\n");
    let (code, out, _) = test(&good.replace("x=u32:5", "x=u64:5"), "");
    assert!(code == 1 && out.contains("the launch gives `x` 8 bytes, its parameter holds 4"), "{out}");
}

#[test]
fn stops_are_expected_or_fail() {
    let endless = ".kernel @k() {\nL:\n  goto L;\n}\n//! launch k -g 1 --fuel 100\n";
    assert_eq!(test(&format!("{endless}//! expect stopped[P0603]\n"), "").0, 0);
    let (code, out, _) = test(&format!("{endless}//! expect stopped[P0601]\n"), "");
    assert!(code == 1 && out.contains("expected  stopped[P0601]\n  got       stopped[P0603]"), "{out}");
    assert_eq!(test(&format!("{endless}//! expect stopped[P0603]\n"), "--mutate").0, 0);
}

#[test]
fn diagnostics_are_exactly_the_marked_ones() {
    let body = |mark: &str| format!(".kernel @k() {{\n  .reg .64b %a;\n  iabs.32b %a, 1;{mark}\n}}\n");
    assert_eq!(test(&body(" //~ error[E0203] \"64 bits wide\""), "").1, "1 passed, 0 failed\n");
    assert_eq!(test(&body("\n//~^ error[E0203]"), "--mutate").1, "1 passed, 0 failed\n");
    assert_eq!(test(&body(" //~ error[E0203] \"65 bits wide\""), "").0, 1);
    assert_eq!(test(&body(" //~ warning[E0203]"), "").0, 1);
    let (code, out, _) = test(&body(" //~ error[E0204]"), "");
    assert_eq!(code, 1);
    assert!(out.contains("expected  error[E0204]") && out.ends_with("0 passed, 2 failed\n"), "{out}");
    // Warnings count where the case lists one.
    let warnings = |mark: &str| {
        format!(
            ".kernel @k() {{\n  .reg .32b %a, %b;\n  shl.32b %a, %b, 32;{mark}\n  shl.32b %a, %b, 33;\n}}\n//! op not.16b (0) = -1\n"
        )
    };
    assert_eq!(test(&warnings(""), "").0, 0);
    assert_eq!(test(&warnings(" //~ warning[W0115]"), "").0, 1);
}

#[test]
fn cases_and_strict() {
    let departure = ".kernel @k() {\n  .reg .32b %w;\n  .reg .64b %d;\n  ld.global.32b %w, [%d - 8];";
    let text = format!(
        "//! op not.16b (0) = -1\n//! case plain\n{HEADER}{departure} //~ warning[W0021]\n}}\n//! case strict\n//! strict\n{HEADER}{departure} //~ error[W0021]\n}}\n"
    );
    let folder = Folder::new();
    folder.file("t.pisa", text);
    let ran = folder.run("test t.pisa");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "3 passed, 0 failed\n"));
}

#[test]
fn what_is_no_test_is_said() {
    let (code, out, _) = test("//! op iadd.32b (1) = 0\n", "");
    assert!(code == 1 && out.contains("t.pisa:3: op iadd.32b (1) = 0\n  `iadd.32b` has 2 sources"), "{out}");
    let (code, out, _) = test("//! opp iadd.32b (1, 2) = 3\n", "");
    assert!(code == 1 && out.contains("there is no directive `opp`"), "{out}");
    let (code, out, _) = test("//! finding\n", "");
    assert!(code == 1 && out.contains("there is no directive `finding`"), "{out}");
    let (code, out, _) = test("", "");
    assert!(code == 1 && out.contains("it asserts nothing"), "{out}");
    let (code, out, _) = test("//! op dp4a.uu.dsat.32b (1, 2, 3) = 3\n", "");
    assert!(code == 1 && out.contains("the instruction is refused") && out.contains("E0306"), "{out}");
}

#[test]
fn filters_and_paths() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    folder.file("a/one.pisa", format!("{HEADER}//! op iadd.32b (1, 2) = 3\n//! op isub.32b (1, 2) = 7\n"));
    folder.file("a/note.txt", "no test");
    assert_eq!(folder.run("test a --filter iadd").stdout, "1 passed, 0 failed\n");
    assert_eq!(folder.run("test a --filter one.pisa:4").code, 1);
    let ran = folder.run("test a --filter nothing");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("no test has `nothing` in its name"), "{}", ran.stderr);
    assert_eq!(folder.run("test b").code, 2);
    assert_eq!(folder.run("test").code, 2);
}

#[test]
fn expectations_are_rewritten_in_place() {
    let folder = Folder::new();
    let text = format!(
        "{HEADER}//! op iadd.32b (1, 2) = 9\n//! op iadd.32b (iota, 2) active=0xff old=5 = 9\n//! op fadd.f (inf, -inf) = 1.0\n{KERNEL}\
         //! launch k -g 1 x=u32:5 out=zeros:u32:2\n//! expect out = zeros:u32:2\n.kernel @m() {{\n  .reg .64b %a;\n  iabs.32b %a, 1;\n}}\n"
    );
    folder.file("t.pisa", &text);
    let mut command = folder.command("test t.pisa");
    let output = command.env("UPDATE_EXPECT", "1").output().expect("the command");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let after = folder.read("t.pisa");
    assert!(after.contains("//! op iadd.32b (1, 2) = 3\n"), "{shown}{after}");
    assert!(after.contains("old=5 = [2, 3, 4, 5, 6, 7, 8, 9, 5*24]\n"), "{after}");
    assert!(after.contains("(inf, -inf) = 0x7fc00000\n"), "{after}");
    assert!(after.contains("iabs.32b %a, 1;  //~ error[E0203]\n"), "{after}");
    // The launch could not run beside the error; once that is expected in a file of its own, it can.
    let only = after.split(".kernel @m").next().expect("the first part");
    folder.file("t.pisa", only);
    let mut command = folder.command("test t.pisa");
    let output = command.env("UPDATE_EXPECT", "1").output().expect("the command");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(folder.read("t.pisa").contains("//! expect out = buf:u32:5,0\n"));
    assert_eq!(folder.run("test t.pisa").stdout, "4 passed, 0 failed\n");
}

#[test]
fn json_has_everything() {
    let folder = Folder::new();
    folder.file(
        "t.pisa",
        format!(
            "{HEADER}//! op fadd.f (1.0, iota) active=1 = nan\n//! op iadd.16bx2 ({{1, 2}}, {{3, 4}}) = {{4, 6}}\n{KERNEL}\
             //! launch k -g 3,2 x=u32:5 out=zeros:u32:2\n//! expect out = zeros:u32:2~abs:1\n"
        ),
    );
    let ran = folder.run("test t.pisa --emit-json");
    assert_eq!(ran.code, 0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(json["format"], "pisa-tests");
    let facts = &json["files"][0]["facts"];
    assert_eq!(facts[0]["sources"][1]["lanes"][31], "0x41f80000");
    assert_eq!(facts[0]["results"][0]["lanes"], "nan");
    assert_eq!((&facts[0]["active"], &facts[0]["results"][0]["float"]), (&"0x00000001".into(), &"f".into()));
    assert_eq!(facts[1]["results"][0]["lanes"]["elements"][1], "0x0006");
    let launch = &json["files"][0]["cases"][0]["launches"][0];
    assert_eq!((&launch["kernel"], &launch["global"][1]), (&"k".into(), &2.into()));
    assert_eq!(launch["expect"][0]["tolerance"], "abs:1.0");
}
