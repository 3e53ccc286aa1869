//! `pisa isa`, `pisa explain`, completions, manual pages, help.

use crate::common::Folder;

#[test]
fn isa_lists_describes_and_searches() {
    let folder = Folder::new();
    let all = folder.run("isa").gives(0);
    for opcode in ["dp4a", "fmad", "shfl", "fence"] {
        assert!(all.stdout.contains(opcode), "{opcode}");
    }
    folder.run("isa shfl").gives(0).prints("7.4").prints("dst, src0, src1, src2");
    folder.run("isa iadd.dsat.32b").gives(0).prints("iadd<.dsat>.type dst, src0, src1");
    folder.run("isa shuffle").gives(0).prints("shfl");
    folder.run("isa iaddd").gives(2).says("did you mean `iadd`?");
}

#[test]
fn explain_prints_the_text_in_either_case() {
    let folder = Folder::new();
    let text = folder.run("explain P0601").gives(0).stdout;
    assert!(
        text.starts_with("# P0601: ") && text.contains("## Wrong") && text.contains("## Right"),
        "{text}"
    );
    assert_eq!(folder.run("explain p0601").gives(0).stdout, text);
    folder.run("explain P06O1").gives(2).says("no code `P06O1`").says("did you mean `P0601`");
    folder.run("explain x").gives(2).says("lists them all");
}

#[test]
fn explain_without_a_code_lists_all() {
    let folder = Folder::new();
    let list = folder.run("explain").gives(0).stdout;
    assert_eq!(list.lines().count(), pisa_diag::CODES.len());
    for entry in &pisa_diag::CODES {
        assert!(list.contains(entry.title), "{}", entry.title);
    }
}

#[test]
fn completions_for_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&format!("completions {shell}")).gives(0).stdout;
        for word in ["check", "fmt", "run", "link", "explain", "max-errors"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    folder.run("completions tcsh").gives(2);
}

#[test]
fn manual_pages() {
    let folder = Folder::new();
    folder.run("man").gives(0).prints(".TH pisa 1");
    for command in ["check", "fmt", "run", "link", "isa", "explain"] {
        folder.run(&format!("man {command}")).gives(0).prints(&format!(".TH pisa-{command} 1"));
    }
    folder.run("man nonsense").gives(2).says("no subcommand `nonsense`");
}

#[test]
fn help_is_fine_and_wrong_usage_is_2() {
    let folder = Folder::new();
    folder.run("--help").gives(0).prints("Exit status");
    folder.run("run --help").gives(0).prints("iota:TYPE:N");
    folder.run("--version").gives(0).prints("pisa ");
    folder.run("").gives(2).says("Usage");
    folder.run("frobnicate").gives(2);
    folder.run("check").gives(2);
    folder.run("check --frobnicate x.pisa").gives(2);
    folder.run("run --engine jit x.pisa").gives(2);
}
