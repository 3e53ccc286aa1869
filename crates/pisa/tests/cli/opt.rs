//! `pisa opt`, and `-O` of other commands.

use crate::common::Folder;
use std::path::PathBuf;

const KERNEL: &str = ".version 0.1;
.target 100;
.kernel @k(.param[8] %in, .param[8] %out) {
  .reg .64b %a;
  .reg .32b %x, %s, %t;
  .pred %p;
  ld.param.64b %a, [%in];
  umad.full.32b %a, %laneid, 4, %a;
  ld.global.32b %x, [%a];
  ired.sum.32b %s, %x, 0xffffffff;
  ired.sum.32b %t, %x, 0xffffffff;
  iadd.32b %s, %s, %t;
  ucmp.lt.32b %p, %x, 10;
  goto.cond %p, JOIN;
  ired.sum.32b %t, %x, 0xffffffff;
  iadd.32b %s, %s, %t;
JOIN:
  ld.param.64b %a, [%out];
  umad.full.32b %a, %laneid, 4, %a;
  st.global.32b [%a], %s;
}
";

const LAUNCH: &str = "-g 32 in=iota:u32:32 out=zeros:u32:32 --print out";

/// How many instructions of a sub-group a run counted.
fn instructions(stderr: &str) -> u64 {
    let line = stderr.lines().find(|line| line.contains("instructions of a sub-group")).expect("statistics");
    let count = line.split(' ').nth(1).expect("a count").replace(',', "");
    count.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("a number")
}

#[test]
fn optimised_modules_pass_checks_and_do_the_same_in_fewer_instructions() {
    let folder = Folder::new();
    folder.file("k.pisa", KERNEL);
    let plain = folder.run(&format!("run k.pisa {LAUNCH} --stats")).gives(0);
    for level in ["-O0", "-O1", "-O2", "--passes value-numbering,dead-code"] {
        folder.run(&format!("opt k.pisa {level} -o o.pisa")).gives(0);
        folder.run("check --strict o.pisa").gives(0);
        let ran = folder.run(&format!("run o.pisa {LAUNCH} --stats")).gives(0);
        assert_eq!(ran.stdout, plain.stdout, "{level}");
        if level != "-O0" {
            assert!(instructions(&ran.stderr) < instructions(&plain.stderr), "{level}");
        }
    }
    let ran = folder.run(&format!("run k.pisa {LAUNCH} -O2 --stats")).gives(0);
    assert_eq!(ran.stdout, plain.stdout);
    assert!(instructions(&ran.stderr) < instructions(&plain.stderr));
    // Without -o it goes to standard output.
    folder.run("opt k.pisa -o o.pisa").gives(0);
    let piped = folder.run_with_input("opt -", KERNEL.as_bytes()).gives(0);
    assert_eq!(piped.stdout, folder.read("o.pisa"));
}

#[test]
fn what_is_done_is_explained_for_people_and_programs() {
    let folder = Folder::new();
    folder.file("k.pisa", KERNEL);
    let text = folder.run("opt k.pisa -O1 --explain").gives(0).stdout;
    for part in ["merged", "kept", "k.pisa:11 in @k", "k.pisa:15 in @k", "witness: active 0x"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.run("opt k.pisa -O1 --explain --format json").gives(0).stdout;
    let remarks: Vec<serde_json::Value> = (json.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .filter(|value: &serde_json::Value| value["type"] == "remark")
        .collect();
    let of = |line: u64| remarks.iter().find(|remark| remark["line"] == line).expect("a remark");
    assert_eq!(of(11)["outcome"], "merged");
    assert_eq!(of(15)["outcome"], "kept");
    assert_eq!(of(15)["function"], "@k");
    assert!(of(15)["witness"]["here"].as_str().is_some_and(|mask| mask.starts_with("0x")));
}

#[test]
fn verification_says_what_it_ran() {
    let folder = Folder::new();
    folder.file("k.pisa", KERNEL);
    let ran = folder.run("opt k.pisa --verify").gives(0);
    assert!(ran.stderr.contains("verified: 1 function did the same in 24 launches"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn ir_goes_out_and_comes_in() {
    let folder = Folder::new();
    folder.file("k.pisa", KERNEL);
    folder.run("opt k.pisa -O0 --emit ir -o k.pisair").gives(0);
    assert!(folder.read("k.pisair").contains("reduce.sum.i32"));
    folder.run("opt k.pisair -o o.pisa --verify").gives(0);
    let plain = folder.run(&format!("run k.pisa {LAUNCH}")).gives(0);
    assert_eq!(folder.run(&format!("run o.pisa {LAUNCH}")).gives(0).stdout, plain.stdout);
    folder.file("bad.pisair", folder.read("k.pisair").replace("reduce.sum.i32", "reduce.sum.i33"));
    folder.run("opt bad.pisair").gives(3).says("error[E070");
}

#[test]
fn what_is_wrong_is_said_as_check_says_it() {
    let folder = Folder::new();
    folder.file("bad.pisa", KERNEL.replace("ucmp.lt.32b %p, %x, 10", "ucmp.lt.32b %p, %a, 10"));
    let check = folder.run("check bad.pisa").gives(3);
    let opt = folder.run("opt bad.pisa -o o.pisa").gives(3);
    assert_eq!(opt.stderr, check.stderr);
    assert!(!folder.path().join("o.pisa").exists());
    folder.file("k.pisa", KERNEL);
    folder.run("opt k.pisa --passes sinkin").gives(2).says("did you mean `sinking`?");
    folder.run("opt k.pisa -O3").gives(2);
    folder.run("opt k.pisa -O1 --passes sinking").gives(2);
    folder.run("opt absent.pisa").gives(2);
    folder.run("opt absent.pisair").gives(2);
}

#[test]
fn functions_are_called_by_some_lanes() {
    let folder = Folder::new();
    folder.file(
        "f.pisa",
        ".version 0.1;\n.target 100;\n.function .32b @f(.reg .32b %x) {\n  .reg .32b %s;\n  \
         ired.sum.32b %s, %x, 0xffffffff;\n  return %s;\n}\n",
    );
    // Lanes 0, 2 and 3: 0 + 2 + 3.
    let call = "run f.pisa -f f -g 4 -a iota:u32:4 --active 0xd --expect result=buf:u32:5,0,5,5";
    folder.run(call).gives(0);
    folder.run(&format!("{call} -O2")).gives(0);
    folder.run("run f.pisa -f f -g 4 -a iota:u32:4 --active 0x1ffffffff").gives(2).says("32 bits");
    folder.run("run f.pisa -k f -g 4 --active 1").gives(2);
}

/// Every example gives what it is compared with at each level.
#[test]
fn examples_hold_at_every_level() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = Folder::new();
    for entry in std::fs::read_dir(&examples).expect("the folder of examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "toml") {
            for level in ["-O0", "-O1", "-O2"] {
                folder.run(&format!("run --launch {} {level}", path.display())).gives(0);
            }
        }
    }
}
