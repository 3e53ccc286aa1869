//! What `pisa run --san` found: shown, and the launch made smaller.

use crate::args::{Assumption, EngineName, RunArgs};
use crate::io::Io;
use crate::progress::Progress;
use crate::reporter::Reporter;
use pisa_tools::diag::{Diagnostic, grouped};
use pisa_tools::machine::{LaunchFile, ScheduleChoice};
use pisa_tools::run::{Run, RunResult, Shrunk, Suppressions, command_line, launch_failure};
use pisa_tools::sanitize::{Finding, Options};
use pisa_tools::{Failure, ObservedEngine, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longest command line that is shown.
const LONG: usize = 600;

/// A launch that ran under the sanitizer.
pub struct Findings<'a> {
    pub io: &'a mut Io,
    pub reporter: &'a mut Reporter,
    pub session: &'a Session,
    pub args: &'a RunArgs,
    pub run: &'a Run,
    pub launch: &'a LaunchFile,
    /// What was looked for; `None` where schedules were compared.
    pub options: Option<Options>,
}

impl Findings<'_> {
    /// Shows the findings that are not suppressed, and how to have them again.
    pub fn show(&mut self, suppressions: &mut Suppressions, result: &RunResult) -> Vec<Finding> {
        let (found, suppressed) = suppressions.apply(result.findings.clone());
        let shown: Vec<Diagnostic> = found.iter().map(|finding| self.run.diagnostic(finding)).collect();
        let limit = self.args.max_findings;
        self.reporter.findings(self.io, shown, suppressed, limit, &self.session.sources);
        if result.tolerated_over_reads > 0 {
            let lanes = grouped(result.tolerated_over_reads);
            self.reporter.note(
                self.io,
                &format!("{lanes} lanes read past the end of an object, as `mem=llvm` lets them"),
            );
        }
        for unused in suppressions.unused() {
            self.reporter.note(self.io, &unused);
        }
        if let Some(options) = self.options
            && found.is_empty()
            && suppressed == 0
            && !self.reporter.is_json()
        {
            self.io.stderr(&format!("no findings ({})\n", options.words()));
        }
        if !found.is_empty()
            && let Some(line) = self.command_line(self.launch)
        {
            self.reporter.note(self.io, &format!("the same again: pisa {line}"));
        }
        found
    }

    /// Makes the launch smaller as long as the first finding persists, or the first one with this code.
    pub fn shrink(
        &mut self,
        code: &str,
        engine: &dyn ObservedEngine,
        options: Options,
        found: &[Finding],
        result: &RunResult,
    ) {
        let fits = |finding: &&Finding| code.is_empty() || finding.code.0.eq_ignore_ascii_case(code);
        if found.is_empty() && code.is_empty() {
            return self.reporter.note(self.io, "nothing was found, so the launch stays as it is");
        }
        let Some(finding) = found.iter().find(fits) else {
            let message = format!("there is no finding `{code}` to keep while the launch shrinks");
            return self.reporter.failure(self.io, Failure::usage(message));
        };
        let attempts = Arc::new(AtomicUsize::new(0));
        let (seen, kernel) = (Arc::clone(&attempts), self.run.kernel().to_owned());
        let progress = Progress::watching(move || {
            format!("shrinking the launch of @{kernel}, {} runs", seen.load(Ordering::Relaxed))
        });
        let instructions = result.statistics.instructions;
        let shrunk = self.run.shrink(self.launch, engine, options, finding, instructions, &attempts);
        drop(progress);
        self.show_shrunk(&shrunk);
    }

    /// Says how the smaller launch is run, and writes it where that is asked for.
    fn show_shrunk(&mut self, shrunk: &Shrunk) {
        let runs = grouped(shrunk.attempts as u64);
        let head = format!("{runs} runs made the launch as small as this with {}", shrunk.finding.code.0);
        let text = match &self.args.emit_launch {
            Some(path) => {
                if let Err(error) = shrunk.launch.save(path) {
                    return self.reporter.failure(self.io, launch_failure(&error, &self.session.sources));
                }
                format!("{head}: pisa run --launch {path}")
            }
            None => match self.command_line(&shrunk.launch) {
                Some(line) => format!("{head}: pisa {line}"),
                None => format!("{head}; `--emit-launch FILE.toml` writes it"),
            },
        };
        self.reporter.note(self.io, &text);
    }

    /// The command line of a launch, with what stands in no launch file; `None` where it is too long to be read.
    fn command_line(&self, launch: &LaunchFile) -> Option<String> {
        let mut more = Vec::new();
        more.extend(self.args.function.iter().flat_map(|function| ["-f".to_owned(), function.clone()]));
        more.extend(self.args.levels.assume.iter().map(|Assumption::F2iRz| "--assume=f2i=rz".to_owned()));
        if launch.schedule == Some(ScheduleChoice::All) {
            more.extend(["--seeds".to_owned(), self.args.seeds.to_string()]);
        }
        if self.args.engine == EngineName::Reference {
            more.push("--engine=reference".to_owned());
        }
        command_line(launch, &more).filter(|line| line.len() <= LONG)
    }
}
