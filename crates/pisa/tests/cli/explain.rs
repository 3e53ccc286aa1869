//! Every example of every long text: the wrong ones give their code, the right ones give nothing.

use crate::common::{Folder, Ran};
use pisa_diag::{CODES, CodeInfo, Kind};
use pisa_tools::explain::{Example, examples};

/// Runs or checks an example as it says, as strictly as it takes to see its code.
fn try_out(folder: &Folder, entry: &CodeInfo, example: &Example) -> Ran {
    let names: Vec<String> = (0..example.files.len()).map(|i| format!("{}-{i}.pisa", entry.code.0)).collect();
    for (name, text) in names.iter().zip(&example.files) {
        folder.file(name, text);
    }
    let files = names.join(" ");
    if !example.launch.is_empty() {
        return folder.run(&format!("run --threads 1 {files} {}", example.launch));
    }
    let strict = if entry.kind == Kind::Departure || !example.wrong { "--strict" } else { "" };
    let checked = folder.run(&format!("check {strict} {files}"));
    // What a library may leave open shows when the files are to run.
    if example.wrong && checked.code == 0 && checked.stderr.is_empty() {
        return folder.run(&format!("run {files} -g 1"));
    }
    checked
}

/// Whether an example is launched so that it may come to findings.
fn finds(example: &Example) -> bool {
    example.launch.contains("--san ") || example.launch.contains("--schedule all")
}

/// The one line that `--schedule all` writes where nothing depends on it, and `--san` where nothing was found.
fn is_same(text: &str) -> bool {
    (text.contains(": the same under ") || text.starts_with("no findings (")) && text.lines().count() == 1
}

/// What is wrong with an example of a text, if anything.
fn fault(folder: &Folder, entry: &CodeInfo, example: &Example) -> Option<String> {
    let ran = try_out(folder, entry, example);
    let code = entry.code.0;
    let complaint = match (example.wrong, entry.kind) {
        (false, Kind::Finding) if !finds(example) => {
            format!(
                "the right example of the finding {code} is launched with neither `--san` nor `--schedule all`"
            )
        }
        (false, _) if ran.code == 0 && (ran.stderr.is_empty() || is_same(&ran.stderr)) => return None,
        (false, _) => format!("the right example of {code} is not silent"),
        (true, _) if !ran.stderr.contains(&format!("[{code}]")) => {
            format!("the wrong example of {code} does not give it")
        }
        (true, Kind::Lint) if ran.code != 0 => format!("the wrong example of the lint {code} gives an error"),
        (true, Kind::Finding) if !finds(example) => {
            format!(
                "the wrong example of the finding {code} is launched with neither `--san` nor `--schedule all`"
            )
        }
        (true, Kind::Error | Kind::Departure | Kind::Stop | Kind::Finding) if ran.code == 0 => {
            format!("the wrong example of {code} is fine")
        }
        (true, _) => return None,
    };
    Some(format!("{complaint}; exit status {}\n{}{}", ran.code, ran.stdout, ran.stderr))
}

#[test]
fn every_example_does_what_it_says() {
    let folder = Folder::new();
    let mut faults = Vec::new();
    for entry in &CODES {
        let examples = examples(entry.explain);
        for wrong in [true, false] {
            assert!(
                examples.iter().any(|e| e.wrong == wrong && !e.files.is_empty()),
                "{} lacks an example",
                entry.code.0
            );
        }
        // Texts of the IR are read by the tests of `pisa-ir`.
        let tried = examples.iter().filter(|e| !e.is_sketch && !e.is_ir);
        faults.extend(tried.filter_map(|example| fault(&folder, entry, example)));
    }
    assert!(faults.is_empty(), "{} examples:\n{}", faults.len(), faults.join("\n"));
}
