//! For programs: one JSON object a line (`docs/json.md`).

use crate::{Diagnostic, Occurrence, Place, Report, Sources, info};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrence: Option<JsonOccurrence<'s>>,
}

/// A set of lanes as `0x0000ffff`.
struct Lanes(u32);

impl Serialize for Lanes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("0x{:08x}", self.0))
    }
}

#[derive(Serialize)]
struct JsonOccurrence<'s> {
    count: u64,
    lanes_in_all: u64,
    function: &'s str,
    work_group: [u64; 3],
    sub_group: u32,
    lanes: Lanes,
    active: Lanes,
    live: Lanes,
    local_id: [u64; 3],
    global_id: [u64; 3],
    schedule: &'s str,
    seed: Option<u64>,
    elsewhere: Vec<JsonElsewhere<'s>>,
    calls: Vec<JsonCall<'s>>,
}

#[derive(Serialize)]
struct JsonElsewhere<'s> {
    lanes: Lanes,
    doing: &'s str,
    place: Option<JsonPlace<'s>>,
}

#[derive(Serialize)]
struct JsonCall<'s> {
    caller: &'s str,
    place: Option<JsonPlace<'s>>,
}

impl<'s> JsonOccurrence<'s> {
    fn new(occurrence: &'s Occurrence, sources: &'s Sources) -> JsonOccurrence<'s> {
        let place = |place: Option<Place>| place.map(|place| JsonPlace::new(place, sources));
        let elsewhere = occurrence.elsewhere.iter().map(|elsewhere| JsonElsewhere {
            lanes: Lanes(elsewhere.lanes),
            doing: &elsewhere.doing,
            place: place(elsewhere.place),
        });
        let calls = occurrence.calls.iter();
        JsonOccurrence {
            count: occurrence.count,
            lanes_in_all: occurrence.lanes_in_all,
            function: &occurrence.function,
            work_group: occurrence.group,
            sub_group: occurrence.subgroup,
            lanes: Lanes(occurrence.lanes),
            active: Lanes(occurrence.active),
            live: Lanes(occurrence.live),
            local_id: occurrence.local_id,
            global_id: occurrence.global_id,
            schedule: &occurrence.schedule,
            seed: occurrence.seed,
            elsewhere: elsewhere.collect(),
            calls: calls.map(|call| JsonCall { caller: &call.caller, place: place(call.place) }).collect(),
        }
    }
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

/// A remark without a place in a file.
#[derive(Serialize, Debug)]
pub struct JsonRemark<'s> {
    /// One line.
    pub message: &'s str,
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
    /// All findings that are not suppressed.
    pub findings: usize,
    /// Findings that were not shown.
    pub omitted_findings: usize,
    /// Findings that are suppressed.
    pub suppressed_findings: usize,
}

impl From<&Report> for JsonSummary {
    fn from(report: &Report) -> JsonSummary {
        JsonSummary {
            errors: report.errors,
            warnings: report.warnings,
            omitted_errors: report.omitted_errors,
            omitted_warnings: report.omitted_warnings,
            findings: report.findings,
            omitted_findings: report.omitted_findings,
            suppressed_findings: report.suppressed,
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
        occurrence: diagnostic.occurrence.as_ref().map(|one| JsonOccurrence::new(one, sources)),
    })
}

/// A failure as one line without its end.
pub fn json_failure(failure: &JsonFailure) -> String {
    to_line(&Tagged { what: "failure", value: failure })
}

/// A remark as one line without its end.
pub fn json_note(note: &JsonRemark) -> String {
    to_line(&Tagged { what: "note", value: note })
}

/// The counts as one line without its end.
pub fn json_summary(summary: &JsonSummary) -> String {
    to_line(&Tagged { what: "summary", value: summary })
}

fn to_line(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    serde_json::to_string(value).unwrap_or_default()
}
