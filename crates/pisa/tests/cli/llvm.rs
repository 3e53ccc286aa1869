//! Modules as LLVM's PISA back end prints them: accepted with a warning for each departure, refused by the letter, and run.

use crate::common::Folder;

fn module(name: &str) -> String {
    format!("{}/tests/llvm/{name}.pisa", env!("CARGO_MANIFEST_DIR"))
}

/// Codes in the order of their lines.
fn codes(folder: &Folder, words: &str, status: i32) -> Vec<String> {
    let ran = folder.run(&format!("check --format short {words}")).gives(status);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    text.lines().filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())).collect()
}

#[test]
fn each_departure_has_one_warning_and_is_an_error_by_the_letter() {
    let folder = Folder::new();
    for (name, expected, lints) in [
        ("arithmetic", vec!["W0012", "W0013", "W0013"], vec![]),
        // D-01 is a lint: the letter allows a bare `f2i`.
        ("floats", vec!["W0012", "W0110", "W0027"], vec!["W0110"]),
        (
            "memory",
            vec!["W0012", "W0023", "W0021", "W0002", "W0023", "W0021", "W0025", "W0015", "W0022"],
            vec![],
        ),
    ] {
        let path = module(name);
        assert_eq!(codes(&folder, &path, 0), expected, "{name}");
        assert_eq!(codes(&folder, &format!("--strict {path}"), 3), expected, "{name} by the letter");
        let allow: String = expected.iter().map(|code| format!(" --allow {code}")).collect();
        assert!(codes(&folder, &format!("{path}{allow}"), 0).is_empty(), "{name} silenced");
        let errors = folder.run(&format!("check --strict --format short {path}"));
        let errors = format!("{}{}", errors.stdout, errors.stderr);
        for code in lints {
            assert!(errors.contains(&format!("warning[{code}]")), "{code} stays a warning:\n{errors}");
        }
    }
}

#[test]
fn modules_come_through_a_pipe() {
    let folder = Folder::new();
    let text = std::fs::read(module("arithmetic")).expect("the module");
    folder.run_with_input("check -", &text).gives(0).says("<stdin>:1:10");
}

#[test]
fn functions_run_without_a_harness() {
    let folder = Folder::new();
    let run = |name: &str, words: &str| {
        folder.run(&format!("run {} {words}", module(name))).gives(0);
    };
    // a + (b - a) * t, not below 0
    run(
        "arithmetic",
        "-f blend -g 4 -a buf:u32:1,2,3,40 -a u32:10 -a s32:2 --expect result=buf:u32:19,18,17,0",
    );
    // bits set
    run("arithmetic", "-f clamp_loop -g 3 -a buf:u32:0xff,0,0x80000001 --expect result=buf:u32:8,0,2");
    // f2i rounds to even by the specification's default, toward zero as LLVM means it
    run("floats", "-f to_int -g 3 -a buf:f:2.7,-2.7,2.5 --expect result=buf:s32:3,-3,2");
    run("floats", "--assume f2i=rz -f to_int -g 3 -a buf:f:2.7,-2.7,2.5 --expect result=buf:s32:2,-2,2");
    run("floats", "-f quad -g 2 -a buf:f:1,2,3,4,5,6,7,8 --expect result=buf:f:2,2,3,4,6,6,7,8");
    // [d0 - 8] and [d0 + offset]
    run(
        "memory",
        "-f minus -g 2 numbers=buf:u32:10,20,30,40 -a ptr:numbers+8 -a buf:u64:4,0,0,0 --expect result=buf:u32:50,40",
    );
}

#[test]
fn kernels_run_although_they_read_past_a_parameter() {
    let folder = Folder::new();
    let words = "-k copy -g 1 arg0=zeros:u32:1 arg1=bytes:00000000efbeadde0000000000000000 arg2=u8:1";
    folder.run(&format!("run {} {words} --expect arg0=buf:u32:0xdeadbeef", module("memory"))).gives(0);
}

/// E16 to E18 of the back end: what its tables could print but the specification has not.
#[test]
fn what_is_no_departure_is_refused() {
    let folder = Folder::new();
    let head = ".version 1.0;\n.target 100;\n";
    for (text, code) in [
        (
            ".function void @f(.reg .v4.32b %v4w0)\n{\n\t.reg .v2.32b %v2w0;\n\textract.1.v2.32b \t%v2w0, %v4w0;\n\treturn;\n}\n",
            "E0",
        ),
        (".function void @f()\n{\n\tnop;\n\treturn;\n}\n", "E0301"),
        (".function void @f(.reg .32b %w0)\n{\n\tmov.24b \t%w0, %w0;\n\treturn;\n}\n", "E03"),
        (
            ".kernel @k(.param[32] %a)\n{\n\t.reg .v16.32b %v16w0;\n\tld.param.v16.32b\t %v16w0, [%a];\n\treturn;\n}\n",
            "E03",
        ),
        (
            ".kernel @k(.param[4] %w0)\n{\n\t.reg .32b %w0;\n\tld.param.32b\t %w0, [%w0];\n\treturn;\n}\n",
            "E0",
        ),
        (".global  .align 16 @g = { .128b 0x1 };\n", "E0"),
    ] {
        folder.file("m.pisa", format!("{head}{text}"));
        let found = codes(&folder, "m.pisa", 3);
        assert!(found.iter().any(|c| c.starts_with(code)), "{text}\n{found:?}");
    }
}
