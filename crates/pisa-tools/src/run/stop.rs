//! What stopped a launch, as a diagnostic.

use crate::Status;
use pisa_diag::codes::run as codes;
use pisa_diag::{Diagnostic, Label, NoteKind, Place, Severity};
use pisa_machine::{Image, Memory, Stop, StopReason};

/// Why a launch stopped: a diagnostic, or a failure of the host that has no code.
pub(super) enum Stopped {
    /// With its code and place, and the exit status it means.
    Diagnostic(Box<Diagnostic>, Status),
    /// The host could not give what the launch needs.
    Host(String),
}

/// The diagnostic of a stop.
pub(super) fn stopped(stop: &Stop, image: &Image, memory: &Memory) -> Stopped {
    let (code, label) = match &stop.reason {
        StopReason::OutOfMemory(_) => return Stopped::Host(stop.message(memory)),
        StopReason::CallTarget(_) => (codes::CALL_TARGET, "this call"),
        StopReason::CallDepth(_) => (codes::CALL_DEPTH, "this call"),
        StopReason::Misaligned(..) => (codes::MISALIGNED, "this access"),
        StopReason::AtomicOnPrivate(_) => (codes::ATOMIC_ON_PRIVATE, "this access"),
        StopReason::StoreToConst(_) => (codes::STORE_TO_CONST, "this store"),
        StopReason::OutOfFuel(_) => (codes::OUT_OF_FUEL, "it got as far as this"),
        StopReason::Deadlock => (codes::DEADLOCK, "they wait here"),
        StopReason::Livelock => (codes::LIVELOCK, "they spin here"),
    };
    let mut labels: Vec<Label> = Vec::new();
    labels.extend(stop.place.map(|place| Label { place, text: label.to_owned(), primary: true }));
    let mut notes = vec![(NoteKind::Note, stop.location())];
    let [x, y, z] = stop.group;
    let subgroup = format!("sub-group {}, work-group ({x},{y},{z}),", stop.subgroup);
    for detail in &stop.details {
        let place = place_of(detail, image);
        let is_here = place.is_some_and(|(_, place)| stop.place == Some(place));
        if is_here && detail.contains(&subgroup) {
            continue; // the label and the first note have said so
        }
        // Those that stand somewhere else are shown there, the first at each place.
        match place {
            Some((text, place)) if labels.iter().all(|label| label.place != place) => {
                labels.push(Label { place, text: text.to_owned(), primary: labels.is_empty() });
            }
            _ => notes.push((NoteKind::Note, detail.clone())),
        }
    }
    notes.extend(stop.spec().map(|section| (NoteKind::Spec, section.to_owned())));
    notes.push((NoteKind::Help, stop.help().to_owned()));
    let diagnostic = Diagnostic {
        code,
        severity: Severity::Stopped,
        message: stop.message(memory),
        labels,
        notes,
        fix: None,
    };
    let status = if stop.reason.is_trap() { Status::Trap } else { Status::Stopped };
    Stopped::Diagnostic(Box::new(diagnostic), status)
}

/// The place of a detail that ends in `: instruction 7 of @kernel, ld`, and the words before.
fn place_of<'d>(detail: &'d str, image: &Image) -> Option<(&'d str, Place)> {
    let (text, at) = detail.rsplit_once(": instruction ")?;
    let (number, rest) = at.split_once(" of @")?;
    let (name, _opcode) = rest.rsplit_once(", ")?;
    let (_, function) = image.program.functions().find(|(_, function)| *function.name == *name)?;
    let instruction = function.code.get(number.parse::<usize>().ok()?)?;
    Some((text, instruction.place))
}
