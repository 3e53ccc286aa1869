//! Closed pipes and outputs that cannot be written.

use crate::common::{Folder, Ran};
use std::process::Stdio;

const MANY: &str = "\
.version 0.1;
.target 100;
.kernel @k(.param[8] %out) {
}
";

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new();
    folder.file("many.pisa", MANY);
    for words in
        ["isa", "explain", "man", "completions bash", "run many.pisa -g 1 out=zeros:u32:1000000 --print out"]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = folder.command(words).stdin(Stdio::null()).stdout(writer).output().expect("the command");
        let ran = Ran::new(output).gives(0);
        assert_eq!(ran.stderr, "", "{words}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_standard_error_is_no_bug() {
    let folder = Folder::new();
    folder.file("bad.pisa", "nonsense\n");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output =
        folder.command("check bad.pisa").stdin(Stdio::null()).stderr(writer).output().expect("the command");
    assert_eq!(output.status.code(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_said_and_gives_2() {
    let folder = Folder::new();
    folder.file("many.pisa", MANY);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
    for words in ["isa", "run many.pisa -g 1 out=zeros:u32:1000000 --print out"] {
        let output = folder.command(words).stdout(full()).output().expect("the command");
        Ran::new(output).gives(2).says("cannot write to standard output: No space left on device");
    }
    folder.run("run many.pisa -g 1 out=zeros:u32:100 --save out=@/dev/full").gives(2).says("/dev/full");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_can_be_saved_to() {
    let folder = Folder::new();
    folder.file("many.pisa", MANY);
    folder.run("link many.pisa -o /dev/stdout").gives(0).prints(".kernel @k");
}
