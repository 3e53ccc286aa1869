//! `pisa link`.

use crate::common::Folder;

const HEAD: &str = ".version 0.1;\n.target 100;\n";

fn two(folder: &Folder) {
    folder.file(
        "main.pisa",
        format!(
            "{HEAD}.import .function .32b @twice(.reg .32b);\n.kernel @k(.param[8] %out) {{\n  .reg .64b %o;\n  \
             .reg .32b %a;\n  ld.param.64b %o, [%out];\n  mov.32b %a, 21;\n  call %a, @twice(%a);\n  \
             st.global.32b [%o], %a;\n}}\n"
        ),
    );
    folder.file(
        "twice.pisa",
        format!(
            "{HEAD}.export .function .32b @twice(.reg .32b %x) {{\n  iadd.32b %x, %x, %x;\n  return %x;\n}}\n"
        ),
    );
}

#[test]
fn two_modules_become_one_that_runs() {
    let folder = Folder::new();
    two(&folder);
    folder.run("link main.pisa twice.pisa -o both.pisa").gives(0);
    folder.run("check --strict both.pisa").gives(0);
    folder.run("run both.pisa -g 1 out=zeros:u32:1 --expect out=buf:u32:42").gives(0);
    // The same without the step between.
    folder.run("run main.pisa twice.pisa -g 1 out=zeros:u32:1 --expect out=buf:u32:42").gives(0);
    let piped = folder.run("link main.pisa twice.pisa -o -").gives(0);
    assert_eq!(piped.stdout, folder.read("both.pisa"));
}

#[test]
fn what_does_not_fit_gives_3_and_no_file() {
    let folder = Folder::new();
    two(&folder);
    folder.run("run main.pisa -g 1 out=zeros:u32:1").gives(3).says("E0601");
    folder.run("link twice.pisa twice.pisa main.pisa -o out.pisa").gives(3).says("E0602");
    assert!(!folder.path().join("out.pisa").exists());
    folder.run("link main.pisa").gives(2).says("--output");
}

#[test]
fn imports_that_nobody_exports_stay() {
    let folder = Folder::new();
    two(&folder);
    folder.run("link main.pisa -o out.pisa").gives(0);
    assert!(folder.read("out.pisa").contains(".import .function .32b @twice"));
    folder.run("run out.pisa twice.pisa -g 1 out=zeros:u32:1 --expect out=buf:u32:42").gives(0);
}

#[test]
fn an_output_that_cannot_be_written_gives_2() {
    let folder = Folder::new();
    two(&folder);
    folder
        .run("link main.pisa twice.pisa -o missing/out.pisa")
        .gives(2)
        .says("cannot write `missing/out.pisa`");
}
