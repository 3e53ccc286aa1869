//! What stopped a launch, as a diagnostic.

use super::progress::{Seen, Story, story};
use crate::{Failure, Status};
use pisa_diag::codes::run as codes;
use pisa_diag::{Diagnostic, Label, NoteKind, Place, Severity};
use pisa_machine::{Memory, Schedule, Stop, StopReason};
use pisa_module::Program;

/// Why a launch stopped: a diagnostic, or a failure that has no code.
pub(super) enum Stopped {
    /// With its code and place, and the exit status it means.
    Diagnostic(Box<Diagnostic>, Status),
    /// The host could not give what the launch needs, or the engine has a bug.
    Failure(Failure),
}

/// The diagnostic of a stop.
///
/// `seen`: who spins on what, where that is known; `line` names a place.
pub(super) fn stopped(
    stop: &Stop,
    memory: &Memory,
    program: &Program,
    schedule: Schedule,
    seen: Option<&Seen>,
    line: &dyn Fn(Place) -> String,
) -> Stopped {
    let (code, label) = match &stop.reason {
        StopReason::OutOfMemory(_) | StopReason::Internal(_) => {
            let status =
                if matches!(stop.reason, StopReason::Internal(_)) { Status::Bug } else { Status::Usage };
            let failure = Failure::usage(stop.message(memory)).help(stop.help());
            return Stopped::Failure(failure.with_status(status));
        }
        StopReason::CallTarget(_) => (codes::CALL_TARGET, "this call"),
        StopReason::CallDepth(_) => (codes::CALL_DEPTH, "this call"),
        StopReason::Misaligned(..) => (codes::MISALIGNED, "this access"),
        StopReason::AtomicOnPrivate(_) => (codes::ATOMIC_ON_PRIVATE, "this access"),
        StopReason::StoreToConst(_) => (codes::STORE_TO_CONST, "this store"),
        StopReason::OutOfFuel(_) => (codes::OUT_OF_FUEL, "it got as far as this"),
        StopReason::Deadlock => (codes::DEADLOCK, "they wait here"),
        StopReason::Livelock => (codes::LIVELOCK, "they spin here"),
    };
    let story = seen.map_or(Story::default(), |seen| story(stop, program, seen, line));
    let mut labels: Vec<Label> = Vec::new();
    labels.extend(stop.place.map(|place| Label { place, text: label.to_owned(), primary: true }));
    let location = match schedule {
        Schedule::Lexical => stop.location(),
        other => format!("{}, schedule {other}", stop.location()),
    };
    let mut notes = vec![(NoteKind::Note, location)];
    for standing in &stop.standing {
        let is_here = standing.place == stop.place
            && standing.group == stop.group
            && standing.subgroup == stop.subgroup;
        if is_here {
            continue; // the label and the first note have said so
        }
        // Those that stand somewhere else are shown there, the first at each place.
        match standing.place {
            Some(place) if labels.iter().all(|label| label.place != place) => {
                labels.push(Label { place, text: standing.text(), primary: labels.is_empty() });
            }
            _ => notes.push((NoteKind::Note, standing.text())),
        }
    }
    labels.extend(story.labels);
    notes.extend(story.notes);
    notes.extend(stop.spec().map(|section| (NoteKind::Spec, section.to_owned())));
    notes.push((NoteKind::Help, story.help.unwrap_or_else(|| stop.help().to_owned())));
    let diagnostic = Diagnostic {
        code,
        severity: Severity::Stopped,
        message: story.message.unwrap_or_else(|| stop.message(memory)),
        labels,
        notes,
        fix: None,
        occurrence: None,
    };
    let status = if stop.reason.is_trap() { Status::Trap } else { Status::Stopped };
    Stopped::Diagnostic(Box::new(diagnostic), status)
}
