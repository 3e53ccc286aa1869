//! A launch that got nowhere, run once more with somebody who watches what it waits for.

use super::Run;
use pisa_diag::{Label, NoteKind, Place};
use pisa_machine::{Doing, ObservedEngine, Outcome, Standing, Stop, StopReason, lanes_text};
use pisa_module::{Instruction, Operand, Program};
use pisa_sanitize::{ProgressWatch, Spin, Writer};

/// Most instructions of a launch that is run once more.
const MOST_INSTRUCTIONS: u64 = 1 << 26;
/// Most spinning sub-groups that are told of.
const SHOWN: usize = 4;

impl Run {
    /// Who spins on what; `None` where that cannot be known: the launch is too long, or did not end the same way.
    pub(super) fn seen(&self, engine: &dyn ObservedEngine, outcome: &Outcome) -> Option<Seen> {
        let reason = &outcome.stop.as_ref()?.reason;
        if !matches!(reason, StopReason::Livelock | StopReason::OutOfFuel(_))
            || outcome.statistics.instructions > MOST_INSTRUCTIONS
        {
            return None;
        }
        let (image, memory, prepared) = self.again(&self.spec).ok()?;
        let mut watch = ProgressWatch::new(&image, &memory, &prepared.launch);
        let second = engine.run_observed(&image, &memory, &prepared.launch, &mut watch);
        let is_same = second.stop.is_some_and(|stop| stop.reason == *reason);
        is_same.then(|| Seen { spins: watch.spins(), waits: watch.waits() })
    }
}

/// What was seen of a launch that got nowhere.
pub(super) struct Seen {
    /// Who spins on what.
    spins: Vec<Spin>,
    /// Who waits at barriers.
    waits: Vec<Standing>,
}

/// What is known of a stop beyond what the engine says.
#[derive(Default)]
pub(super) struct Story {
    /// Takes the place of the message.
    pub(super) message: Option<String>,
    pub(super) labels: Vec<Label>,
    pub(super) notes: Vec<(NoteKind, String)>,
    pub(super) help: Option<String>,
}

impl Story {
    fn note(&mut self, text: String) {
        let note = (NoteKind::Note, text);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The story of a livelock, or of a launch that ran out of fuel, out of what spins.
pub(super) fn story(stop: &Stop, program: &Program, seen: &Seen, line: &dyn Fn(Place) -> String) -> Story {
    let mut story = Story::default();
    let is_livelock = stop.reason == StopReason::Livelock;
    let spins = &seen.spins;
    // A livelock says itself where everybody stands.
    let waits = if is_livelock { &[][..] } else { &seen.waits };
    for wait in waits.iter().take(SHOWN) {
        let place = wait.place.map_or(String::new(), |place| format!(" on {}", line(place)));
        story.note(format!("{}{place} for the rest of the work-group", wait.text()));
    }
    if let Some(more) = waits.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        story.note(format!("{more} more wait at barriers"));
    }
    let of_stop = |spin: &&Spin| spin.group == stop.group && spin.subgroup == stop.subgroup;
    let Some(main) = spins.iter().find(of_stop).or(spins.first()) else {
        if is_livelock {
            story.message = Some(format!(
                "livelock: {} of a sub-group run in circles without a look at memory that others could change",
                lanes_text(stop.lanes)
            ));
        }
        return story;
    };
    let other = if main.several { ", and others on other memory" } else { "" };
    if is_livelock {
        let spin = if main.lanes.is_power_of_two() { "spins" } else { "spin" };
        story.message = Some(format!(
            "livelock: {} {spin} on `{}`{other}, and no lane that can run will change it",
            lanes_text(main.lanes),
            main.name
        ));
    }
    let of_main = |standing: &&Standing| standing.group == main.group && standing.subgroup == main.subgroup;
    let standing = if stop.standing.is_empty() { &main.elsewhere } else { &stop.standing };
    let standing: Vec<&Standing> = standing.iter().filter(of_main).collect();
    if Some(main.place) != stop.place {
        story.labels.push(Label {
            place: main.place,
            text: format!("they look at `{}` here", main.name),
            primary: false,
        });
    }
    let others = spins.iter().filter(|spin| *spin != main);
    let mut said: Vec<&Spin> = Vec::new();
    for spin in std::iter::once(main).chain(others).take(SHOWN) {
        if !is_livelock || spin != main {
            let [x, y, z] = spin.group;
            let looks = if spin.lanes.is_power_of_two() { "has looked" } else { "have looked" };
            story.note(format!(
                "{} of sub-group {}, work-group ({x},{y},{z}), {looks} at `{}` {} times in a row, on {}",
                lanes_text(spin.lanes),
                spin.subgroup,
                spin.name,
                pisa_diag::grouped(spin.times),
                line(spin.place),
            ));
        }
        // Several that spin on the same are told once what it holds.
        let is_same = |other: &&Spin| {
            other.name == spin.name && other.value == spin.value && other.writer == spin.writer
        };
        if !said.iter().any(is_same) {
            story.note(holds(spin, line));
        }
        said.push(spin);
    }
    if let Some(more) = spins.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        story.note(format!("{more} more spin"));
    }
    // Who could end it, and why not.
    for other in standing.into_iter().filter(|standing| standing.doing != Doing::Spin) {
        let Some(place) = other.place else { continue };
        let store = store_ahead(program, main, place);
        let wrote = main.writer.filter(|writer| wrote_it(writer, other));
        let who = match (store, wrote) {
            (Some(store), _) if store == place => {
                format!("{}, which could change it there,", lanes_text(other.lanes))
            }
            (Some(store), _) => {
                story.labels.push(Label {
                    place: store,
                    text: format!("{} could change it here", lanes_text(other.lanes)),
                    primary: false,
                });
                format!("{}, which could change it on {},", lanes_text(other.lanes), line(store))
            }
            (None, Some(_)) => format!("{}, which wrote it,", lanes_text(other.lanes)),
            (None, None) => continue,
        };
        let s = if other.lanes.is_power_of_two() { "s" } else { "" };
        let what = match other.doing {
            Doing::WaitAtBarrier => format!("wait{s} at the barrier on {}", line(place)),
            _ => format!("wait{s} on {} for those that spin", line(place)),
        };
        story.note(format!("{who} {what}"));
        story.help = Some(
            "put the critical section inside the loop, so that the lane that holds the lock goes on before the \
             others look again; PISA promises progress between sub-groups, not between lanes of one; \
             `--schedule independent` lets every lane have its turn"
                .to_owned(),
        );
    }
    if main.is_uninitialised() {
        story.help = Some(format!(
            "give `{}` a first value: a buffer at the launch (`NAME=zeros:u32:1`), a `.global` variable by its \
             initialiser, shared memory by a store before a barrier",
            main.name
        ));
    } else if is_livelock && story.help.is_none() {
        story.help = Some(format!(
            "somebody that can run must store to `{}`: a work-item of another sub-group, or lanes that do not wait \
             for these",
            main.name
        ));
    }
    story
}

/// What the memory holds, and who wrote it.
fn holds(spin: &Spin, line: &dyn Fn(Place) -> String) -> String {
    let value = match spin.value {
        Some((value, _)) if value < 10 => format!(" holds {value}"),
        Some((value, bytes)) if !spin.is_uninitialised() => {
            let digits = bytes as usize * 2;
            format!(" holds {value} (0x{value:0digits$x})")
        }
        Some((value, _)) => {
            return format!("`{}` was never given a value: it holds {value:#x}", spin.name);
        }
        None => String::new(),
    };
    match spin.writer {
        Some(Writer { group, subgroup, lane, place }) => {
            let joined = if value.is_empty() { " was" } else { "," };
            let who = if group == spin.group && subgroup == spin.subgroup {
                format!("lane {lane}")
            } else {
                let [x, y, z] = group;
                format!("lane {lane} of sub-group {subgroup}, work-group ({x},{y},{z}),")
            };
            format!("`{}`{value}{joined} written by {who} on {}", spin.name, line(place))
        }
        None if value.is_empty() => format!("nothing in this launch wrote `{}`", spin.name),
        None => format!("`{}`{value}, and nothing in this launch wrote it", spin.name),
    }
}

fn wrote_it(writer: &Writer, standing: &Standing) -> bool {
    writer.group == standing.group
        && writer.subgroup == standing.subgroup
        && standing.lanes >> writer.lane & 1 == 1
}

/// A store ahead of a place to the address that a spinning access reads, as the text has it: the same base and offset
/// in the same function.
fn store_ahead(program: &Program, spin: &Spin, place: Place) -> Option<Place> {
    let function = program.function(spin.function);
    let from = function.code.iter().position(|instruction| instruction.place == place)?;
    let target = address(function.code.get(spin.index as usize)?)?;
    let stores = function.code.iter().enumerate().skip(from).filter(|(index, instruction)| {
        *index != spin.index as usize && writes(instruction) && address(instruction) == Some(target)
    });
    stores.map(|(_, instruction)| instruction.place).next()
}

fn address(instruction: &Instruction) -> Option<&Operand> {
    instruction.operands.iter().find(|operand| matches!(operand, Operand::Address { .. }))
}

fn writes(instruction: &Instruction) -> bool {
    use pisa_isa::Opcode::{Fatom, Iatom, St};
    matches!(instruction.row().opcode, St | Iatom | Fatom)
}
