//! What the decisions on open points of the specification make of a text, one case or more a decision: accepted, refused, or accepted
//! with a warning, by default and by the letter.

mod execution;
mod functions;
mod lexical;
mod literals;
mod memory;
mod movement;
mod variables;

use crate::common::Folder;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The id of the decision, where the text goes, the text, and the findings in the order of their places.
struct Case(&'static str, Place, &'static str, &'static [Finding]);

/// What surrounds the text of a case.
#[derive(Clone, Copy)]
enum Place {
    /// Nothing: the text is the file.
    Whole,
    /// `.version` and `.target`.
    Module,
    /// The body of a kernel with registers and variables of every kind, [`PRELUDE`].
    Body,
}

/// What a case gives, by its code.
#[derive(Clone, Copy)]
enum Finding {
    /// An error always.
    Error(&'static str),
    /// A warning, and an error under `--strict`.
    Departure(&'static str),
    /// A warning always.
    Lint(&'static str),
}

const HEADER: &str = ".version 0.1;\n.target 100;\n";

/// Names say what they are: `%h0` has 16 bits, `%v4w0` is a vector of four 32-bit elements.
const PRELUDE: &str = ".global .align 16 @G[64];
.const .align 8 @C[8] = { .64b 1 };
.import .function .32b @f1(.reg .32b);
.import .function void @f0();
.kernel @k(.param[8] %arg, .param[4] %number) {
  .reg .8b %b<0~4>;
  .reg .16b %h<0~4>;
  .reg .32b %w<0~8>;
  .reg .64b %d<0~8>;
  .reg .128b %q<0~4>;
  .reg .v4.8b %v4b<0~4>;
  .reg .v2.16b %v2h<0~4>;
  .reg .v4.16b %v4h<0~4>;
  .reg .v2.32b %v2w<0~4>;
  .reg .v3.32b %v3w<0~4>;
  .reg .v4.32b %v4w<0~4>;
  .reg .v6.32b %v6w<0~4>;
  .reg .v8.32b %v8w<0~4>;
  .reg .v2.64b %v2d<0~4>;
  .reg .v3.64b %v3d<0~4>;
  .pred %p<0~4>;
  .shared .align 16 @S[64];
  .private .align 16 @P[64];
";

/// `error[E0203]` or `warning[W0012]` for each finding.
fn written(findings: &[Finding], strict: bool) -> Vec<String> {
    let word = |finding: &Finding| match *finding {
        Finding::Error(code) => format!("error[{code}]"),
        Finding::Departure(code) if strict => format!("error[{code}]"),
        Finding::Departure(code) | Finding::Lint(code) => format!("warning[{code}]"),
    };
    findings.iter().map(word).collect()
}

/// What `pisa check` gives, in the order of the places.
fn found(folder: &Folder, words: &str) -> (i32, Vec<String>, String) {
    let ran = folder.run(&format!("check --format short {words} case.pisa"));
    let finding = |line: &str| {
        let rest = line.strip_prefix("case.pisa:")?;
        let (place, rest) = rest.split_once(": ")?;
        let (line, column) = place.split_once(':')?;
        let place: (u32, u32) = (line.parse().ok()?, column.parse().ok()?);
        Some((place, rest.split_once(':')?.0.to_owned()))
    };
    let mut all: Vec<_> = ran.stderr.lines().filter_map(finding).collect();
    all.sort_by_key(|(place, _)| *place);
    (ran.code, all.into_iter().map(|(_, word)| word).collect(), ran.stderr)
}

/// Runs every case and tells of all that differ.
fn check(cases: &[Case]) {
    let folder = Folder::new();
    let mut wrong = String::new();
    for Case(row, place, text, findings) in cases {
        let whole = match place {
            Place::Whole => (*text).to_owned(),
            Place::Module => format!("{HEADER}{text}\n"),
            Place::Body => format!("{HEADER}{PRELUDE}{text}\n}}\n"),
        };
        folder.file("case.pisa", whole);
        for (words, strict) in [("", false), ("--strict", true)] {
            let expected = written(findings, strict);
            let status = if expected.iter().any(|w| w.starts_with("error")) { 3 } else { 0 };
            let (code, words_found, shown) = found(&folder, words);
            if (code, &words_found) != (status, &expected) {
                let _ = writeln!(wrong, "{row} {words}\n{text}\n  wanted {status} {expected:?}\n{shown}");
            }
        }
        let (mut allow, mut errors) = (String::new(), Vec::new());
        for finding in *findings {
            match finding {
                Finding::Error(_) => errors.push(*finding),
                Finding::Departure(code) | Finding::Lint(code) => {
                    let _ = write!(allow, " --allow {code}");
                }
            }
        }
        if !allow.is_empty() && found(&folder, &format!("--strict{allow}")).1 != written(&errors, true) {
            let _ = writeln!(wrong, "{row}{allow}\n{text}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Asserts that each of the rows PREFIX-01 to PREFIX-LAST has a case, but for these, which say nothing of the text of a module.
fn covers(cases: &[Case], prefix: &str, last: usize, without: &[usize]) {
    let rows: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    for number in (1..=last).filter(|n| !without.contains(n)) {
        let row = format!("{prefix}-{number:02}");
        assert!(rows.contains(row.as_str()), "{row} has no case");
    }
}
