//! What the sanitizer finds, held to the marks of a case.

use super::TestEngine;
use super::cases::{self, Checked, Found};
use super::mark::Mark;
use super::outcome::{Edit, Item};
use super::source::Case;
use pisa_diag::Severity;
use pisa_machine::Directory;

/// Runs the launches of a case on an engine: what is expected of each, and what is expected of the lines.
///
/// `keep` says which launches count; those that run under the sanitizer run all, as the marks speak of them together.
pub(super) fn launches(
    case: &Case,
    checked: &Checked,
    engine: &TestEngine,
    files: &Directory,
    mutate: bool,
    keep: &dyn Fn(u32, &str) -> bool,
) -> Vec<Item> {
    let marks: Vec<&Mark> = case.marks.iter().filter(|mark| mark.severity == Severity::Finding).collect();
    let is_kept = |mark: &&Mark| keep(mark.line, &format!("//~ {}", mark.show()));
    let keeps_launch =
        |launch: &super::launch::Launch| keep(launch.line, &format!("launch {}", launch.wrote));
    let needs_findings = marks.iter().any(is_kept)
        || case.launches.iter().any(|launch| launch.finds() && keeps_launch(launch));
    let mut items = Vec::new();
    let mut all: Vec<Found> = Vec::new();
    let mut is_sanitized = false;
    for launch in &case.launches {
        let is_kept = keeps_launch(launch);
        if !(is_kept || needs_findings && launch.finds()) {
            continue;
        }
        let mut found = Vec::new();
        let of_launch = cases::launch(case, checked, launch, engine, files, mutate, &mut found);
        if is_kept {
            items.extend(of_launch);
            // What comes where no mark is written is said of its line, below.
            let is_silent = launch.silent.is_some() || (marks.is_empty() && (mutate || found.is_empty()));
            if launch.finds() && is_silent {
                let line = launch.silent.unwrap_or(launch.line);
                let name = format!("launch {} is silent", launch.wrote);
                items.push(silent(line, name, &found, mutate));
            }
        }
        is_sanitized |= launch.finds();
        all.extend(found);
    }
    if !is_sanitized {
        return items;
    }
    let of_lines = if mutate { cases::mutated(&marks, &all) } else { held(&marks, &all) };
    items.extend(
        of_lines
            .into_iter()
            .filter(|item| needs_findings && (marks.is_empty() || keep(item.line, &item.name))),
    );
    items
}

/// A launch that finds nothing.
fn silent(line: u32, name: String, found: &[Found], mutate: bool) -> Item {
    match found {
        [] => Item::passed(line, name),
        _ if mutate => Item::failed(line, name, vec!["it does not hold to begin with".to_owned()]),
        found => Item::failed(line, name, found.iter().map(|f| format!("unexpected {}", f.show())).collect()),
    }
}

/// One item a mark, and one for each finding that no mark expects. Several findings of a line with one code need one
/// mark.
fn held(marks: &[&Mark], all: &[Found]) -> Vec<Item> {
    let mut items = Vec::new();
    for mark in marks {
        let name = format!("//~ {}", mark.show());
        if all.iter().any(|found| found.fits(mark)) {
            items.push(Item::passed(mark.line, name));
            continue;
        }
        let mut details = vec![format!("expected  {}", mark.show())];
        let same_line = all.iter().filter(|found| found.line == mark.line);
        details.extend(same_line.map(|found| format!("got       {}", found.show())));
        if details.len() == 1 {
            details.push("got       nothing on this line".to_owned());
        }
        items.push(Item::failed(mark.line, name, details).edit(Edit::Unmark((*mark).clone())));
    }
    let mut unexpected: Vec<&Found> =
        all.iter().filter(|found| !marks.iter().any(|mark| found.fits(mark))).collect();
    unexpected.sort_by_key(|found| (found.line, found.code));
    unexpected.dedup_by_key(|found| (found.line, found.code));
    items.extend(unexpected.into_iter().map(|found| {
        let details = vec![format!("unexpected {}", found.show())];
        let edit = Edit::Mark(found.line, format!("finding[{}]", found.code));
        Item::failed(found.line, format!("finding[{}]", found.code), details).edit(edit)
    }));
    items
}
