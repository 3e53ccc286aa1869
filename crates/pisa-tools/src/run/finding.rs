//! Findings as diagnostics: with where in the launch they happened.

use pisa_diag::{Call, Diagnostic, Elsewhere, Label, NoteKind, Occurrence, Severity};
use pisa_machine::{Doing, LANES, Launch, Schedule, Standing, local_id};
use pisa_module::Program;
use pisa_sanitize::{Finding, Text};

/// The diagnostic of a finding of a launch of a program.
pub(super) fn diagnostic(finding: &Finding, program: &Program, launch: &Launch) -> Diagnostic {
    let Text { message, label, also, notes, spec, help } = &finding.text;
    let mut labels = vec![Label { place: finding.place, text: label.clone(), primary: true }];
    labels.extend(also.iter().map(|(place, text)| Label {
        place: *place,
        text: text.clone(),
        primary: false,
    }));
    let mut all: Vec<(NoteKind, String)> = notes.iter().map(|note| (NoteKind::Note, note.clone())).collect();
    if !spec.is_empty() {
        all.push((NoteKind::Spec, (*spec).to_owned()));
    }
    if !help.is_empty() {
        all.push((NoteKind::Help, help.clone()));
    }
    Diagnostic {
        code: finding.code,
        severity: Severity::Finding,
        message: message.clone(),
        labels,
        notes: all,
        fix: None,
        occurrence: Some(Box::new(occurrence(finding, program, launch))),
    }
}

fn occurrence(finding: &Finding, program: &Program, launch: &Launch) -> Occurrence {
    let lane = finding.lanes.trailing_zeros().min(LANES - 1);
    let local = local_id(finding.subgroup * LANES + lane, finding.size).map(u64::from);
    let global =
        std::array::from_fn(|d| finding.group[d] * u64::from(launch.local[d]) + local[d] + launch.offset[d]);
    let elsewhere = finding.elsewhere.iter().filter(|standing| standing.lanes != 0);
    let calls = finding.calls.iter();
    Occurrence {
        count: finding.count,
        lanes_in_all: finding.lanes_in_all,
        function: format!("@{}", finding.function),
        group: finding.group,
        subgroup: finding.subgroup,
        lanes: finding.lanes,
        active: finding.active,
        live: finding.live,
        local_id: local,
        global_id: global,
        schedule: launch.schedule.name().to_owned(),
        seed: match launch.schedule {
            Schedule::Independent(seed) => Some(seed),
            _ => None,
        },
        elsewhere: elsewhere.map(stands).collect(),
        calls: calls
            .map(|call| Call {
                caller: format!("@{}", program.function(call.caller).name),
                place: call.place,
            })
            .collect(),
    }
}

fn stands(standing: &Standing) -> Elsewhere {
    let doing = match standing.doing {
        Doing::Spin => "run",
        Doing::WaitForThem => "wait",
        Doing::WaitAtBarrier => "wait at the barrier",
    };
    Elsewhere { lanes: standing.lanes, doing: doing.to_owned(), place: standing.place }
}
