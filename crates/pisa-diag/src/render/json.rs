//! For programs: one JSON object a line (`docs/json.md`).

use crate::{Diagnostic, Place, Report, Sources, info};
use serde::Serialize;

/// A place, lines and columns from 1, columns in characters, bytes from 0.
#[derive(Serialize)]
struct JsonPlace<'s> {
    file: &'s str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    byte: u32,
    end_byte: u32,
}

impl<'s> JsonPlace<'s> {
    fn new(place: Place, sources: &'s Sources) -> JsonPlace<'s> {
        let file = sources.file(place.file);
        let (line, column) = file.line_column(place.span.start);
        let (end_line, end_column) = file.line_column(place.span.end);
        JsonPlace {
            file: &file.name,
            line,
            column,
            end_line,
            end_column,
            byte: place.span.start,
            end_byte: place.span.end,
        }
    }
}

#[derive(Serialize)]
struct JsonLabel<'s> {
    #[serde(flatten)]
    place: JsonPlace<'s>,
    primary: bool,
    text: &'s str,
}

#[derive(Serialize)]
struct JsonNote<'s> {
    kind: &'static str,
    text: &'s str,
}

#[derive(Serialize)]
struct JsonFix<'s> {
    #[serde(flatten)]
    place: JsonPlace<'s>,
    replacement: &'s str,
}

#[derive(Serialize)]
struct JsonDiagnostic<'s> {
    #[serde(rename = "type")]
    what: &'static str,
    severity: &'static str,
    code: &'static str,
    title: Option<&'static str>,
    message: &'s str,
    place: Option<JsonPlace<'s>>,
    labels: Vec<JsonLabel<'s>>,
    notes: Vec<JsonNote<'s>>,
    fix: Option<JsonFix<'s>>,
}

/// A failure without a place in a file: a usage or launch error, an expectation that was not met.
#[derive(Serialize, Debug)]
pub struct JsonFailure<'s> {
    /// What is wrong, one line.
    pub message: &'s str,
    /// Further lines.
    pub details: &'s [String],
    /// What to do.
    pub help: Option<&'s str>,
}

/// The last object: the counts.
#[derive(Serialize, Debug)]
pub struct JsonSummary {
    /// All errors, stops among them.
    pub errors: usize,
    /// All warnings.
    pub warnings: usize,
    /// Errors that were not shown.
    pub omitted_errors: usize,
    /// Warnings that were not shown.
    pub omitted_warnings: usize,
}

impl From<&Report> for JsonSummary {
    fn from(report: &Report) -> JsonSummary {
        JsonSummary {
            errors: report.errors,
            warnings: report.warnings,
            omitted_errors: report.omitted_errors,
            omitted_warnings: report.omitted_warnings,
        }
    }
}

#[derive(Serialize)]
struct Tagged<'s, T> {
    #[serde(rename = "type")]
    what: &'static str,
    #[serde(flatten)]
    value: &'s T,
}

/// A diagnostic as one line without its end.
pub fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    to_line(&JsonDiagnostic {
        what: "diagnostic",
        severity: diagnostic.severity.text(),
        code: diagnostic.code.0,
        title: info(diagnostic.code).map(|entry| entry.title),
        message: &diagnostic.message,
        place: diagnostic.place().map(|place| JsonPlace::new(place, sources)),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| JsonLabel {
                place: JsonPlace::new(label.place, sources),
                primary: label.primary,
                text: &label.text,
            })
            .collect(),
        notes: diagnostic.notes.iter().map(|(kind, text)| JsonNote { kind: kind.text(), text }).collect(),
        fix: diagnostic
            .fix
            .as_ref()
            .map(|fix| JsonFix { place: JsonPlace::new(fix.place, sources), replacement: &fix.replacement }),
    })
}

/// A failure as one line without its end.
pub fn json_failure(failure: &JsonFailure) -> String {
    to_line(&Tagged { what: "failure", value: failure })
}

/// The counts as one line without its end.
pub fn json_summary(summary: &JsonSummary) -> String {
    to_line(&Tagged { what: "summary", value: summary })
}

fn to_line(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    serde_json::to_string(value).unwrap_or_default()
}
