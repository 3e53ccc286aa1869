//! What findings about barriers say.

use super::Arrival;
use super::left::Gone;
use crate::check::Context;
use crate::finding::Text;
use pisa_machine::{Step, lane_ranges};

/// `lanes 0-15 of sub-group 1`.
fn who(arrival: &Arrival) -> String {
    let word = if arrival.lanes.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {} of sub-group {}", lane_ranges(arrival.lanes), arrival.subgroup)
}

/// `waits`, `wait`.
fn verb<'a>(arrival: &Arrival, one: &'a str, several: &'a str) -> &'a str {
    if arrival.lanes.is_power_of_two() { one } else { several }
}

/// At different barriers, the second of which is the later in the text.
pub(super) fn different(context: &Context<'_>, first: &Arrival, second: &Arrival) -> Text {
    let mut notes = Vec::new();
    if first.function != second.function {
        let name = |arrival: &Arrival| &context.image.program.function(arrival.function).name;
        notes.push(format!("the one is in `@{}`, the other in `@{}`", name(first), name(second)));
    }
    notes.push(
        "here the work-group goes on when all wait at some barrier; other machines may hang".to_owned(),
    );
    Text {
        message: format!(
            "{} {} at this barrier, {} at another",
            who(second),
            verb(second, "waits", "wait"),
            who(first)
        ),
        label: format!("{} {} here", who(second), verb(second, "waits", "wait")),
        also: vec![(first.place, format!("{} {} here", who(first), verb(first, "waits", "wait")))],
        notes,
        spec: "9.1 barrier.workgroup: all work-items in a work-group must execute this instruction",
        help: "take the barrier out of the branch or loop, so that every work-item comes to the same one"
            .to_owned(),
    }
}

/// At the same one by another call.
pub(super) fn other_calls(context: &Context<'_>, first: &Arrival, second: &Arrival) -> Text {
    let program = &context.image.program;
    let mut also = Vec::new();
    // From the kernel inwards, the first calls that differ.
    let pair = first.calls.iter().rev().zip(second.calls.iter().rev()).find(|(a, b)| a != b);
    if let Some((a, b)) = pair {
        for (arrival, (caller, index)) in [(first, a), (second, b)] {
            if let Some(call) = program.function(*caller).code.get(*index as usize) {
                also.push((
                    call.place,
                    format!("{} {} by this call", who(arrival), verb(arrival, "comes", "come")),
                ));
            }
        }
    }
    Text {
        message: format!(
            "{} {} to this barrier by another call than {}",
            who(second),
            verb(second, "comes", "come"),
            who(first)
        ),
        label: String::new(),
        also,
        notes: Vec::new(),
        spec: "9.1 barrier.workgroup: inside a conditional statement, all work-items must take that branch",
        help: "call the function with the barrier where all work-items come by".to_owned(),
    }
}

/// On another turn of a loop.
pub(super) fn other_turns(first: &Arrival, second: &Arrival) -> Text {
    let mut also = Vec::new();
    let mut turns = (0, 0);
    if let Some((a, b)) = first.turns.iter().zip(&second.turns).find(|(a, b)| a != b) {
        also.push((a.0, "the loop begins here".to_owned()));
        turns = (a.1 + 1, b.1 + 1);
    }
    Text {
        message: format!(
            "{} {} on turn {} of the loop, {} on turn {}",
            who(second),
            verb(second, "arrives", "arrive"),
            turns.1,
            who(first),
            turns.0
        ),
        label: "some work-items have passed by this barrier".to_owned(),
        also,
        notes: Vec::new(),
        spec: "9.1 barrier.workgroup: inside a loop, all work-items must execute the barrier on every iteration",
        help: "take the barrier out of the branch within the loop, so that every turn of every work-item comes to it"
            .to_owned(),
    }
}

/// Without the rest of the sub-group.
pub(super) fn partial(step: &Step<'_>) -> Text {
    let absent = step.view.live() & !step.lanes;
    let word = if absent.is_power_of_two() { "lane" } else { "lanes" };
    Text {
        message: format!("the sub-group arrives without its {word} {}", lane_ranges(absent)),
        label: String::new(),
        also: Vec::new(),
        notes: vec![
            "by the letter they may come later; below PISA a barrier in divergent code is undefined"
                .to_owned(),
        ],
        spec: "9.1 barrier.workgroup",
        help: "let the lanes meet before the barrier".to_owned(),
    }
}

/// Some went on behind the barrier and are gone.
pub(super) fn passed_by(waiting: &Arrival, gone: &Gone) -> Text {
    let word = if gone.lanes.is_power_of_two() { "lane" } else { "lanes" };
    let lanes = format!("{word} {} of sub-group {}", lane_ranges(gone.lanes), gone.subgroup);
    let mut notes = Vec::new();
    if gone.place.is_none() {
        notes.push("they left at the end of the kernel".to_owned());
    }
    notes.push(
        "the work-group goes on without those that have left the kernel; but for that it would hang"
            .to_owned(),
    );
    Text {
        message: format!("{lanes} went past this barrier and left the kernel without it"),
        label: format!("{} {} here", who(waiting), verb(waiting, "waits", "wait")),
        also: gone.place.map(|place| (place, format!("{lanes} left here"))).into_iter().collect(),
        notes,
        spec: "9.1 barrier.workgroup: all work-items in a work-group must execute this instruction",
        help: "take the barrier out of the branch or loop and guard only the work around it, so that every work-item \
               comes to it; or let those that have nothing to do `return` before it"
            .to_owned(),
    }
}
