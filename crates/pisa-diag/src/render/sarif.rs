//! SARIF 2.1.0, the interchange format of static analysis results: one log with one run.

use super::occurrence::ranges;
use crate::{Code, Diagnostic, NoteKind, Occurrence, Place, Report, Severity, Sources, info};
use serde_json::{Value, json};

/// The tool that found the results.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its version.
    pub version: &'t str,
    /// Where it is described.
    pub uri: &'t str,
}

/// The log of a report, pretty-printed, with a line end. `failures` are messages without a place: usage and launch
/// errors.
pub fn sarif(report: &Report, failures: &[String], sources: &Sources, tool: Tool) -> String {
    let mut codes: Vec<Code> = report.shown.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|&code| rule(code)).collect();
    let results: Vec<Value> = report
        .shown
        .iter()
        .map(|diagnostic| {
            let index = codes.binary_search(&diagnostic.code).unwrap_or_default();
            result(diagnostic, index, sources)
        })
        .collect();
    let mut notifications: Vec<Value> =
        failures.iter().map(|message| json!({ "level": "error", "message": { "text": message } })).collect();
    if let Some(omitted) = report.omitted() {
        let text = format!("{omitted} not shown; --max-errors sets the limit");
        notifications.push(json!({ "level": "note", "message": { "text": text } }));
    }
    if report.omitted_findings > 0 {
        let text = format!("{} findings not shown; --max-findings sets the limit", report.omitted_findings);
        notifications.push(json!({ "level": "note", "message": { "text": text } }));
    }
    if report.suppressed > 0 {
        let text = format!("{} findings suppressed", report.suppressed);
        notifications.push(json!({ "level": "note", "message": { "text": text } }));
    }
    notifications
        .extend(report.notes.iter().map(|note| json!({ "level": "note", "message": { "text": note } })));
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": tool.name,
                "version": tool.version,
                "semanticVersion": tool.version,
                "informationUri": tool.uri,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": failures.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    // A value of strings and numbers always has a JSON form.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn rule(code: Code) -> Value {
    match info(code) {
        Some(entry) => json!({
            "id": code.0,
            "shortDescription": { "text": entry.title },
            "help": { "text": entry.explain, "markdown": entry.explain },
        }),
        None => json!({ "id": code.0 }),
    }
}

fn result(diagnostic: &Diagnostic, index: usize, sources: &Sources) -> Value {
    let level = match diagnostic.severity {
        Severity::Warning => "warning",
        Severity::Error | Severity::Stopped | Severity::Finding => "error",
    };
    let mut text = diagnostic.message.clone();
    if let Some(label) = diagnostic.labels.iter().find(|label| label.primary && !label.text.is_empty()) {
        text.push_str(&format!(" ({})", label.text));
    }
    for (kind, note) in &diagnostic.notes {
        let sign = if *kind == NoteKind::Spec { "specification" } else { kind.text() };
        text.push_str(&format!("\n{sign}: {note}"));
    }
    let occurrence = diagnostic.occurrence.as_deref();
    let location = |place: Place| {
        let mut location = json!({ "physicalLocation": physical(place, sources) });
        if let Some(occurrence) = occurrence {
            location["logicalLocations"] = json!([function(&occurrence.function)]);
        }
        location
    };
    let locations: Vec<Value> = diagnostic.place().map(location).into_iter().collect();
    let labels = diagnostic.labels.iter().filter(|label| !label.primary);
    let labels = labels.map(|label| (label.place, label.text.clone()));
    let elsewhere = occurrence.map_or(&[][..], |occurrence| &occurrence.elsewhere);
    let elsewhere = elsewhere.iter().filter_map(|elsewhere| {
        let text = format!("lanes {} {}", ranges(elsewhere.lanes), elsewhere.doing);
        elsewhere.place.map(|place| (place, text))
    });
    let related: Vec<Value> = labels
        .chain(elsewhere)
        .enumerate()
        .map(|(id, (place, text))| {
            json!({ "id": id, "physicalLocation": physical(place, sources), "message": { "text": text } })
        })
        .collect();
    let mut result = json!({
        "ruleId": diagnostic.code.0,
        "ruleIndex": index,
        "level": level,
        "message": { "text": text },
        "locations": locations,
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(occurrence) = occurrence {
        result["occurrenceCount"] = occurrence.count.into();
        result["properties"] = properties(occurrence);
        if !occurrence.calls.is_empty() {
            result["stacks"] = json!([{ "frames": frames(diagnostic.place(), occurrence, sources) }]);
        }
    }
    if let Some(fix) = &diagnostic.fix {
        result["fixes"] = json!([{
            "description": { "text": format!("replace with `{}`", fix.replacement) },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(&sources.file(fix.place.file).name) },
                "replacements": [{
                    "deletedRegion": region(fix.place, sources),
                    "insertedContent": { "text": fix.replacement },
                }],
            }],
        }]);
    }
    result
}

fn function(name: &str) -> Value {
    json!({ "name": name, "kind": "function" })
}

/// What SARIF has no place for.
fn properties(occurrence: &Occurrence) -> Value {
    json!({
        "lanesInAll": occurrence.lanes_in_all,
        "workGroup": occurrence.group,
        "subGroup": occurrence.subgroup,
        "lanes": ranges(occurrence.lanes),
        "activeLanes": ranges(occurrence.active),
        "liveLanes": ranges(occurrence.live),
        "localId": occurrence.local_id,
        "globalId": occurrence.global_id,
        "schedule": occurrence.schedule,
        "seed": occurrence.seed,
    })
}

/// The instruction and the calls that led there, innermost first.
fn frames(place: Option<Place>, occurrence: &Occurrence, sources: &Sources) -> Vec<Value> {
    let calls = occurrence.calls.iter().map(|call| (&call.caller, call.place));
    let frame = |(name, place): (&String, Option<Place>)| {
        let mut location = json!({ "logicalLocations": [function(name)] });
        if let Some(place) = place {
            location["physicalLocation"] = physical(place, sources);
        }
        json!({ "location": location })
    };
    std::iter::once((&occurrence.function, place)).chain(calls).map(frame).collect()
}

fn physical(place: Place, sources: &Sources) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&sources.file(place.file).name) },
        "region": region(place, sources),
    })
}

fn region(place: Place, sources: &Sources) -> Value {
    let file = sources.file(place.file);
    let (line, column) = file.line_column(place.span.start);
    let (end_line, end_column) = file.line_column(place.span.end);
    json!({
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": place.span.start,
        "byteLength": place.span.end.saturating_sub(place.span.start),
    })
}

/// A file name as a URI reference: absolute paths as `file:` URIs, everything outside the unreserved set escaped.
fn uri(name: &str) -> String {
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            b'\\' => uri.push('/'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
