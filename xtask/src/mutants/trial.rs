//! A copy of the workspace in which mutants are built and tried.

use super::list::Mutant;
use crate::record::root;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where and how mutants are tried.
pub struct Trial {
    /// The copy of the workspace.
    workspace: PathBuf,
    /// Cargo's target folder of its own.
    target: PathBuf,
    /// Where smith puts what it finds.
    found: PathBuf,
    /// The program that is run as cargo, with arguments before cargo's.
    cargo: Vec<String>,
    /// Programs that smith makes.
    programs: u64,
    /// How long the book or smith may take.
    limit: Duration,
}

/// What somebody said about a mutant.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whether it was caught.
    pub caught: bool,
    /// A few words about it.
    pub words: String,
}

/// How a command ended.
struct Ended {
    /// Its exit status; none where it was ended from outside, or by a signal.
    code: Option<i32>,
    /// Whether it took too long.
    late: bool,
    /// What it printed, errors too.
    output: String,
}

impl Trial {
    /// Copies the workspace's files, those of an earlier copy only where they differ, so that little is built anew.
    pub fn new(scratch: &Path, cargo: &str, programs: u64, limit: u64) -> Result<Trial, String> {
        let workspace = scratch.join("workspace");
        let output = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root())
            .output()
            .map_err(|error| format!("cannot run git: {error}"))?;
        let listed = String::from_utf8_lossy(&output.stdout);
        let names: BTreeSet<&Path> =
            listed.split('\0').filter(|name| !name.is_empty()).map(Path::new).collect();
        for name in &names {
            copy(&root().join(name), &workspace.join(name))?;
        }
        remove_others(&workspace, &names);
        let cargo: Vec<String> = cargo.split_whitespace().map(str::to_owned).collect();
        if cargo.is_empty() {
            return Err("`--cargo` names no program".into());
        }
        Ok(Trial {
            workspace,
            target: scratch.join("target"),
            found: scratch.join("found"),
            cargo,
            programs,
            limit: Duration::from_secs(limit),
        })
    }

    /// Builds the copy as it is.
    fn build(&self) -> Result<(), String> {
        let mut command = Command::new(&self.cargo[0]);
        command.args(&self.cargo[1..]).args(["build", "--quiet", "--package", "pisa"]);
        command.current_dir(&self.workspace).env("CARGO_TARGET_DIR", &self.target);
        // A build waits for others, and takes what it takes.
        let ended = run(command, Duration::from_secs(3600))?;
        if ended.code == Some(0) { Ok(()) } else { Err(format!("does not build:\n{}", ended.output)) }
    }

    /// What the book and smith say about the copy as it is.
    fn verdicts(&self) -> Result<[Verdict; 2], String> {
        let pisa = self.target.join("debug/pisa");
        let mut book = Command::new(&pisa);
        book.args(["test", "conformance", "--engine", "all"]).current_dir(&self.workspace);
        let mut smith = Command::new(&pisa);
        let programs = self.programs.to_string();
        smith.args(["smith", "--count", &programs, "--max-failures", "1", "--shrink", "100", "--out"]);
        smith.arg(&self.found).current_dir(&self.workspace);
        Ok([self.verdict(book, book_words)?, self.verdict(smith, smith_words)?])
    }

    fn verdict(&self, command: Command, words: fn(&str) -> String) -> Result<Verdict, String> {
        let ended = run(command, self.limit)?;
        let caught = ended.code != Some(0);
        let words = match (ended.late, ended.code) {
            (_, Some(0)) => "-".to_owned(),
            (true, _) => format!("does not end in {} s", self.limit.as_secs()),
            (false, Some(_)) => words(&ended.output),
            (false, None) => "is ended by a signal".to_owned(),
        };
        Ok(Verdict { caught, words })
    }

    /// The copy without a mutant: nobody may complain.
    pub fn control(&self) -> Result<(), String> {
        self.build()?;
        for verdict in self.verdicts()? {
            if verdict.caught {
                return Err(format!("without a mutant: {}", verdict.words));
            }
        }
        Ok(())
    }

    /// Tries a mutant: what the book says, what smith says. The copy is as before afterwards.
    pub fn run(&self, mutant: &Mutant) -> Result<[Verdict; 2], String> {
        let path = mutant.path_in(&self.workspace);
        let read = fs::read_to_string(&path);
        let right = read.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        write(&path, &mutant.applied(&right)?)?;
        let result = self.build().and_then(|()| self.verdicts());
        write(&path, &right)?;
        result.map_err(|message| format!("{}: {message}", mutant.name))
    }
}

/// The counts of the book's last line.
fn book_words(output: &str) -> String {
    let last = output.lines().rev().find(|line| line.contains(" failed"));
    let failed = last.and_then(|line| line.split(", ").find(|part| part.contains("failed")));
    failed.map_or_else(|| "stops".to_owned(), |part| format!("{} facts", part.replace(" failed", "")))
}

/// The seed and the kind of difference, of `seed 7: reference leaves other memory: …`.
fn smith_words(output: &str) -> String {
    let first = output.lines().find(|line| line.starts_with("seed "));
    let parts: Vec<&str> = first.map(|line| line.splitn(3, ": ").collect()).unwrap_or_default();
    match parts[..] {
        [seed, kind, ..] => format!("{seed}: {}", kind.replace('|', "/")),
        _ => "stops".to_owned(),
    }
}

/// Runs a command to its end, or ends it after the limit.
fn run(mut command: Command, limit: Duration) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error: std::io::Error| format!("cannot run {name}: {error}");
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    // Both pipes are emptied while the command runs, or it would wait for room in them.
    let readers = [
        child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ]
    .map(|pipe| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    });
    let start = Instant::now();
    let mut late = false;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if start.elapsed() > limit {
            late = true;
            child.kill().map_err(failed)?;
            break child.wait().map_err(failed)?;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let output: String = readers.into_iter().filter_map(|reader| reader.join().ok()).collect();
    Ok(Ended { code: if late { None } else { status.code() }, late, output })
}

/// Removes files of an earlier copy that the workspace no longer has.
fn remove_others(workspace: &Path, names: &BTreeSet<&Path>) {
    let mut folders = vec![workspace.to_owned()];
    while let Some(entries) = folders.pop().map(fs::read_dir) {
        for entry in entries.into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.strip_prefix(workspace).is_ok_and(|name| !names.contains(name)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    // A file that git knows and that was removed is in no copy.
    let Ok(bytes) = fs::read(from) else {
        let _ = fs::remove_file(to);
        return Ok(());
    };
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    fs::write(to, bytes).map_err(|error| format!("cannot write {}: {error}", to.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_they_print_becomes_a_few_words() {
        assert_eq!(book_words("x\n35000 passed, 12 failed\n"), "12 facts");
        assert_eq!(book_words("thread 'main' panicked"), "stops");
        let smith = "seed 17: vector avx2 leaves other memory: `out` at byte 3\n  smith-17.pisa\n0 passed, 1 failed\n";
        assert_eq!(smith_words(smith), "seed 17: vector avx2 leaves other memory");
    }

    #[test]
    fn files_that_are_gone_go_from_the_copy() {
        let folder = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).expect("a folder");
        for name in ["a/b/old", "a/new"] {
            fs::write(folder.join(name), "x").expect("a file");
        }
        remove_others(&folder, &BTreeSet::from([Path::new("a/new")]));
        let left = (folder.join("a/b/old").exists(), folder.join("a/new").exists());
        let _ = fs::remove_dir_all(&folder);
        assert_eq!(left, (false, true));
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let ended = run(command, Duration::from_millis(20)).expect("it runs");
        assert!(ended.late && ended.code.is_none());
    }
}
