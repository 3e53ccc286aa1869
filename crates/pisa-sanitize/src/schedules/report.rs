//! What depends on the schedule, explained.

use super::trace::Seen;
use super::written::Written;
use super::{Difference, Runs, crosses_lanes};
use crate::finding::{Finding, Text};
use pisa_diag::codes::finding::schedule as codes;
use pisa_diag::{Code, Place};
use pisa_machine::{Outcome, Schedule, StopReason, describe_address, lane_ranges};
use pisa_module::FunctionId;

/// What gave a work-item another value, and where it first read it.
pub(super) struct Root<'a> {
    /// The work-item's lane.
    pub(super) lane: u32,
    /// The first step that read something else.
    pub(super) reader: &'a Seen,
    /// The instruction that gave it, under both schedules.
    pub(super) seen: (&'a Seen, &'a Seen),
    /// What it gave, where that is known.
    pub(super) values: Option<(u64, u64)>,
}

impl Runs<'_> {
    fn place(&self, function: FunctionId, index: u32) -> Option<Place> {
        let code = &self.image.program.function(function).code;
        code.get(index as usize).or(code.last()).map(|instruction| instruction.place)
    }

    fn mnemonic(&self, seen: &Seen) -> &'static str {
        let code = &self.image.program.function(seen.function).code;
        code.get(seen.index as usize).map_or("", |instruction| instruction.row().opcode.text())
    }

    fn finding(&self, code: Code, place: Place, text: Text, at: &Seen, lanes: u32) -> Finding {
        Finding {
            code,
            place,
            text,
            count: 1,
            lanes_in_all: u64::from(lanes.count_ones()),
            group: at.group,
            size: at.size,
            subgroup: at.subgroup,
            lanes,
            active: at.lanes,
            live: at.live,
            function: self.image.program.function(at.function).name.clone(),
            object: None,
            elsewhere: at.elsewhere.clone(),
            calls: Vec::new(),
        }
    }
}

/// `lane 3`, `lanes 0-7`
fn lanes_text(lanes: u32) -> String {
    let word = if lanes.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {}", lane_ranges(lanes))
}

/// `17`, `0x3f800000`
fn number(value: u64) -> String {
    if value < 1 << 20 { value.to_string() } else { format!("{value:#x}") }
}

/// Which work-items of a sub-group.
fn who(group: [u64; 3], subgroup: u32, lanes: u32) -> String {
    let [x, y, z] = group;
    format!("{} of sub-group {subgroup}, work-group ({x},{y},{z})", lanes_text(lanes))
}

/// S0801: lanes were active together, or not.
pub(super) fn mask(runs: &Runs<'_>, schedule: Schedule, root: &Root<'_>) -> Finding {
    let (first, second) = root.seen;
    let place = runs
        .place(first.function, first.index)
        .unwrap_or_else(|| runs.image.program.function(first.function).place);
    let code = &runs.image.program.function(first.function).code;
    let crosses = code.get(first.index as usize).is_some_and(crosses_lanes);
    let what = if crosses { format!("`{}`", runs.mnemonic(first)) } else { "`%activemask`".to_owned() };
    let mut text = Text {
        message: format!("what {what} gives depends on which lanes have met"),
        label: format!(
            "{} {} here under lexical, {} under {schedule}",
            lanes_text(first.lanes),
            if first.lanes.is_power_of_two() { "is" } else { "are" },
            lanes_text(second.lanes),
        ),
        spec: if crosses { "7 Sub-group Communication" } else { "Special Registers, %activemask" },
        help:
            "PISA does not say where lanes that part meet again: do this before they part, or name the lanes \
               that take part and combine what each part gives through memory"
                .to_owned(),
        ..Text::default()
    };
    if let Some((one, two)) = root.values {
        text.notes.push(format!(
            "lane {} gets {} under lexical, {} under {schedule}",
            root.lane,
            number(one),
            number(two)
        ));
    }
    for standing in second.elsewhere.iter().filter(|standing| standing.lanes & first.lanes != 0) {
        if let Some(place) = standing.place {
            text.also.push((
                place,
                format!("under {schedule} {} here then", stands(standing.lanes & first.lanes)),
            ));
        }
    }
    also_read(runs, root, place, &mut text);
    runs.finding(codes::MASK, place, text, first, 1 << root.lane)
}

/// `lane 3 stands`, `lanes 0-7 stand`
fn stands(lanes: u32) -> String {
    let verb = if lanes.is_power_of_two() { "stands" } else { "stand" };
    format!("{} {verb}", lanes_text(lanes))
}

/// Says where the value is first used, where that is another place.
fn also_read(runs: &Runs<'_>, root: &Root<'_>, place: Place, text: &mut Text) {
    if let Some(read) = runs.place(root.reader.function, root.reader.index).filter(|&read| read != place)
        && text.also.iter().all(|(other, _)| *other != read)
    {
        text.also.push((read, "it is first used here".to_owned()));
    }
}

/// S0802: a load or an atomic came earlier or later than a store.
pub(super) fn order(
    runs: &Runs<'_>,
    schedule: Schedule,
    root: &Root<'_>,
    written: (Option<Written>, Option<Written>),
) -> Finding {
    let (first, _) = root.seen;
    let place = runs
        .place(first.function, first.index)
        .unwrap_or_else(|| runs.image.program.function(first.function).place);
    let mut text = Text {
        message: format!("what `{}` gives depends on the order of work-items", runs.mnemonic(first)),
        spec: "1.2.1 Memory Consistency",
        help: ORDER_HELP.to_owned(),
        ..Text::default()
    };
    if let Some((one, two)) = root.values {
        text.label = format!(
            "lane {} gets {} under lexical, {} under {schedule}",
            root.lane,
            number(one),
            number(two)
        );
    }
    for (written, schedule) in [(written.0, Schedule::Lexical), (written.1, schedule)] {
        match written.and_then(|written| Some((written, runs.place(written.function, written.index)?))) {
            Some((written, at)) => {
                let who = who(written.group, written.subgroup, written.lanes);
                let said = format!("under {schedule} written last by {who}");
                match text.also.iter_mut().find(|(other, _)| *other == at) {
                    Some((_, before)) => *before = format!("{before}; {said}"),
                    None => text.also.push((at, said)),
                }
            }
            None => text.notes.push(format!("under {schedule} nobody had written there")),
        }
    }
    also_read(runs, root, place, &mut text);
    runs.finding(codes::ORDER, place, text, first, 1 << root.lane)
}

const ORDER_HELP: &str = "order the accesses: between work-items of a work-group a barrier with a `fence` on each side, \
                          or an atomic operation whose result is the same in any order";

/// S0802: two stores to one place, and another one is the last.
pub(super) fn stores(
    runs: &Runs<'_>,
    schedule: Schedule,
    difference: Difference,
    first: Written,
    second: Written,
) -> Option<Finding> {
    let place = runs.place(first.function, first.index)?;
    let other = runs.place(second.function, second.index)?;
    let at = describe_address(runs.memory, difference.address);
    let (before, now) = difference.values;
    let mut text = Text {
        message: format!("what is left in {at} depends on the order of work-items"),
        label: format!("under lexical {} last", writes(&first)),
        notes: vec![format!("the byte there is {before:#04x} under lexical, {now:#04x} under {schedule}")],
        spec: "1.2.1 Memory Consistency",
        help: ORDER_HELP.to_owned(),
        ..Text::default()
    };
    let said = format!("under {schedule} {} last", writes(&second));
    if other == place {
        text.notes.insert(0, said)
    } else {
        text.also.push((other, said))
    }
    Some(Finding {
        code: codes::ORDER,
        place,
        text,
        count: 1,
        lanes_in_all: u64::from(first.lanes.count_ones()),
        group: first.group,
        size: first.size,
        subgroup: first.subgroup,
        lanes: first.lanes,
        active: first.active,
        live: first.live,
        function: runs.image.program.function(first.function).name.clone(),
        object: None,
        elsewhere: Vec::new(),
        calls: Vec::new(),
    })
}

fn writes(written: &Written) -> String {
    let verb = if written.lanes.is_power_of_two() { "writes" } else { "write" };
    format!("{} {verb}", who(written.group, written.subgroup, written.lanes))
}

/// S0803: it ends otherwise.
pub(super) fn ending(
    runs: &Runs<'_>,
    lexical: &Outcome,
    schedule: Schedule,
    other: &Outcome,
) -> Option<Finding> {
    let how = |outcome: &Outcome| match &outcome.stop {
        None => "runs to its end".to_owned(),
        Some(stop) => match stop.reason {
            StopReason::Livelock => "is a livelock".to_owned(),
            StopReason::Deadlock => "is a deadlock".to_owned(),
            StopReason::OutOfFuel(fuel) => format!("has not ended after {fuel} instructions"),
            _ => "is a trap".to_owned(),
        },
    };
    // The stop there is, the other one's where there are two.
    let (stop, by) = match (&other.stop, &lexical.stop) {
        (Some(stop), _) => (stop, schedule),
        (None, Some(stop)) => (stop, Schedule::Lexical),
        (None, None) => return None,
    };
    if matches!(stop.reason, StopReason::OutOfMemory(_)) {
        return None;
    }
    let kernel = runs.image.program.function(runs.launch.kernel);
    let at_barrier = stop.reason == StopReason::Deadlock;
    let text = Text {
        message: "the launch ends under some schedules only".to_owned(),
        label: format!("under {by}: {}", stop.message(runs.memory)),
        also: {
            let elsewhere = stop.standing.iter().filter(|standing| standing.place != stop.place);
            let said = elsewhere.filter_map(|standing| Some((standing.place?, standing.text())));
            said.take(3).collect()
        },
        notes: vec![format!("under lexical it {}, under {schedule} it {}", how(lexical), how(other))],
        spec: if at_barrier {
            "9.1 barrier.workgroup: if it is inside a conditional statement or a loop, all work-items must execute it"
        } else {
            "1.1.1 Order of Execution"
        },
        help: if at_barrier {
            "take the barrier out of the branch or loop, so that every work-item comes to the same one as often as \
             the others"
        } else {
            "PISA promises progress between sub-groups, not between lanes of one, and does not say where lanes \
               meet: no lane may wait for what another one of its sub-group does later"
        }
        .to_owned(),
    };
    let size = runs.launch.local_size(stop.group);
    Some(Finding {
        code: codes::ENDING,
        place: stop.place.unwrap_or(kernel.place),
        text,
        count: 1,
        lanes_in_all: u64::from(stop.lanes.count_ones()),
        group: stop.group,
        size,
        subgroup: stop.subgroup,
        lanes: stop.lanes.max(1),
        active: stop.lanes.max(1),
        live: stop.lanes.max(1),
        function: kernel.name.clone(),
        object: None,
        elsewhere: Vec::new(),
        calls: Vec::new(),
    })
}
