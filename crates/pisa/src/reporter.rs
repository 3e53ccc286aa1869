//! Shows what was found in the format that was asked for.

use crate::args::{Color, Format, OutputArgs};
use crate::io::Io;
use anstyle::{AnsiColor, Style};
use pisa_diag::render::{self, Human, JsonFailure, JsonRemark, JsonSummary, Tool};
use pisa_diag::{Diagnostic, Report, Sources};
use pisa_tools::{Failure, Status};
use serde::Serialize;
use std::io::{IsTerminal, stderr, stdout};

/// Collects and shows diagnostics and failures.
pub struct Reporter {
    format: Format,
    color: Color,
    limit: usize,
    human: Human,
    /// Whether standard output carries what the command is asked for, so that diagnostics go to standard error in
    /// every format.
    stdout_taken: bool,
    report: Report,
    /// Failures so far; those to go into a SARIF log are kept.
    failed: usize,
    failures: Vec<Failure>,
    status: Status,
}

impl Reporter {
    /// A reporter for these options. `stdout_taken`: the command writes its result to standard output.
    pub fn new(options: &OutputArgs, stdout_taken: bool) -> Reporter {
        let styled = match options.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(&stderr()) != anstream::ColorChoice::Never,
        };
        let columns = match terminal_size::terminal_size_of(stderr()) {
            Some((width, _)) if stderr().is_terminal() => usize::from(width.0).clamp(60, 400),
            _ => Human::default().width,
        };
        Reporter {
            format: options.format,
            color: options.color,
            limit: options.max_errors,
            human: Human { styled, width: columns },
            stdout_taken,
            report: Report::default(),
            failed: 0,
            failures: Vec::new(),
            status: Status::Fine,
        }
    }

    /// Whether what the command writes to standard output may be coloured.
    pub fn colours_stdout(&self) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(&stdout()) != anstream::ColorChoice::Never,
        }
    }

    /// Shows a failure and ends: for a command that cannot begin.
    pub fn end(mut self, io: &mut Io, failure: Failure) -> Status {
        self.failure(io, failure);
        self.finish(io, &Sources::new())
    }

    /// Whether output is for programs, one JSON object a line.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Lowers the status.
    pub fn set(&mut self, status: Status) {
        self.status = self.status.and(status);
    }

    /// Shows diagnostics: those with errors lead to `on_error`.
    pub fn diagnostics(
        &mut self,
        io: &mut Io,
        diagnostics: Vec<Diagnostic>,
        sources: &Sources,
        on_error: Status,
    ) {
        let report = Report::new(diagnostics, self.limit);
        if report.errors > 0 {
            self.set(on_error);
        }
        self.show(io, report, sources);
    }

    /// Shows the findings of a launch, given in the order in which they first happened, at most `limit` of them (0: all).
    pub fn findings(
        &mut self,
        io: &mut Io,
        findings: Vec<Diagnostic>,
        suppressed: usize,
        limit: usize,
        sources: &Sources,
    ) {
        let report = Report::of_findings(findings, suppressed, limit);
        if report.findings > 0 {
            self.set(Status::Finding);
        }
        self.show(io, report, sources);
    }

    /// Says something that is no fault.
    pub fn note(&mut self, io: &mut Io, text: &str) {
        match self.format {
            Format::Human => {
                let bold = if self.human.styled { Style::new().bold() } else { Style::new() };
                io.stderr(&format!("{bold}note{bold:#}: {}\n", render::visible(text)));
            }
            Format::Short => io.stderr(&format!("note: {}\n", render::visible(text))),
            Format::Json => self.line(io, &render::json_note(&JsonRemark { message: text })),
            Format::Sarif => self.report.notes.push(text.to_owned()),
        }
    }

    fn show(&mut self, io: &mut Io, report: Report, sources: &Sources) {
        for diagnostic in &report.shown {
            match self.format {
                Format::Human => {
                    let mut text = self.human.render(diagnostic, sources);
                    text.push('\n');
                    io.stderr(&text);
                }
                Format::Short => io.stderr(&format!("{}\n", render::short(diagnostic, sources))),
                Format::Json => self.line(io, &render::json(diagnostic, sources)),
                Format::Sarif => {}
            }
        }
        self.report.add_counts(&report);
        if self.format == Format::Sarif {
            self.report.shown.extend(report.shown);
        }
    }

    /// Shows a failure.
    pub fn failure(&mut self, io: &mut Io, failure: Failure) {
        self.set(failure.status);
        self.failed += 1;
        match self.format {
            Format::Human => io.stderr(&self.human_failure(&failure)),
            Format::Short => {
                io.stderr(&format!("error: {}\n", render::visible(&failure.message)));
            }
            Format::Json => {
                let line = render::json_failure(&JsonFailure {
                    message: &failure.message,
                    details: &failure.details,
                    help: failure.help.as_deref(),
                });
                self.line(io, &line);
            }
            Format::Sarif => self.failures.push(failure),
        }
    }

    fn human_failure(&self, failure: &Failure) -> String {
        let (red, bold) = (AnsiColor::BrightRed.on_default().bold(), Style::new().bold());
        let (red, bold) = if self.human.styled { (red, bold) } else { (Style::new(), Style::new()) };
        let message = render::visible(&failure.message);
        let mut text = format!("{red}error{red:#}{bold}: {message}{bold:#}\n");
        for line in &failure.details {
            text.push_str(&format!("  {}\n", render::visible(line)));
        }
        if let Some(help) = &failure.help {
            text.push_str(&format!("  {bold}help:{bold:#} {}\n", render::visible(help)));
        }
        text
    }

    /// An object of its own kind, such as statistics, in the JSON format; nothing in the others.
    pub fn json_object(&self, io: &mut Io, object: &impl Serialize) {
        if self.is_json() {
            // Numbers, strings and lists of them always have a JSON form.
            self.line(io, &serde_json::to_string(object).unwrap_or_default());
        }
    }

    fn line(&self, io: &mut Io, line: &str) {
        self.document(io, &format!("{line}\n"));
    }

    fn document(&self, io: &mut Io, text: &str) {
        if self.stdout_taken { io.stderr(text) } else { io.stdout(text) }
    }

    /// Ends the report: what was left out, the counts, the SARIF log. Gives the status of everything together.
    pub fn finish(mut self, io: &mut Io, sources: &Sources) -> Status {
        let has_diagnostics = self.report.summary().is_some();
        self.report.errors += self.failed;
        match self.format {
            Format::Human | Format::Short => {
                if let Some(omitted) = self.report.omitted() {
                    io.stderr(&format!("{omitted} more not shown; --max-errors sets the limit\n"));
                }
                if self.report.omitted_findings > 0 {
                    let count = self.report.omitted_findings;
                    let word = if count == 1 { "finding" } else { "findings" };
                    io.stderr(&format!("{count} {word} more not shown; --max-findings sets the limit\n"));
                }
                // A lone failure needs no counting.
                if let Some(summary) = self.report.summary().filter(|_| has_diagnostics) {
                    io.stderr(&format!("{summary}\n"));
                }
            }
            Format::Json => self.line(io, &render::json_summary(&JsonSummary::from(&self.report))),
            Format::Sarif => {
                let failures: Vec<String> = self.failures.iter().map(Failure::to_string).collect();
                let tool = Tool {
                    name: "pisa",
                    version: env!("CARGO_PKG_VERSION"),
                    uri: env!("CARGO_PKG_REPOSITORY"),
                };
                self.document(io, &render::sarif(&self.report, &failures, sources, tool));
            }
        }
        self.status
    }
}
