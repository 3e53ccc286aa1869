//! Deadlock and livelock, explained: who waits where.

use super::{Order, Resident, function_of};
use crate::run::Runner;
use crate::state::{BatchState, Entry};
use pisa_machine::{Doing, Standing, Stop, StopReason};

/// Most sets of lanes that are told of.
const MOST: usize = 12;

/// Nobody in a work-group can run, and not all of them wait at a barrier.
pub(super) fn deadlock(runner: &Runner<'_>, resident: &Resident) -> Box<Stop> {
    explain(runner, std::slice::from_ref(resident), StopReason::Deadlock)
}

/// No lane that can run changes anything any more.
pub(super) fn livelock(runner: &Runner<'_>, residents: &[Resident]) -> Box<Stop> {
    explain(runner, residents, StopReason::Livelock)
}

fn explain(runner: &Runner<'_>, residents: &[Resident], reason: StopReason) -> Box<Stop> {
    let mut all = Vec::new();
    for resident in residents {
        for (state, seat) in resident.cohort.batches.iter().zip(&resident.seats) {
            let runs = match &seat.order {
                Order::Parts(parts) => parts.first(super::blocked(state)).unwrap_or(0),
                Order::Drawn(_) | Order::Lane(_) => u32::MAX,
            };
            let mut here = Vec::new();
            for entry in &state.waiting {
                here.push((entry, entry.masks[0] & runs, Doing::Spin));
                here.push((entry, entry.masks[0] & !runs, Doing::WaitForThem));
            }
            here.extend(state.blocked.iter().map(|entry| (entry, entry.masks[0], Doing::WaitAtBarrier)));
            here.retain(|(_, lanes, _)| *lanes != 0);
            here.sort_by_key(|(_, lanes, _)| lanes.trailing_zeros());
            all.extend(
                here.into_iter().map(|(entry, lanes, doing)| standing(runner, state, entry, lanes, doing)),
            );
        }
    }
    let first = |doing| all.iter().find(|standing: &&Standing| standing.doing == doing);
    let about = first(Doing::Spin).or_else(|| first(Doing::WaitAtBarrier)).cloned();
    all.truncate(MOST);
    Box::new(Stop {
        reason,
        place: about.as_ref().and_then(|about| about.place),
        group: about.as_ref().map_or([0; 3], |about| about.group),
        subgroup: about.as_ref().map_or(0, |about| about.subgroup),
        lanes: about.as_ref().map_or(0, |about| about.lanes),
        standing: all,
    })
}

fn standing(runner: &Runner<'_>, state: &BatchState, entry: &Entry, lanes: u32, doing: Doing) -> Standing {
    let function = runner.image.program.function(function_of(state, entry.activation));
    // Lanes at a barrier stand behind it.
    let pc = entry.pc.saturating_sub(u32::from(doing == Doing::WaitAtBarrier));
    let origin = state.origins.first();
    Standing {
        group: origin.map_or([0; 3], |origin| origin.group),
        subgroup: origin.map_or(0, |origin| origin.number),
        lanes,
        doing,
        place: function.code.get(pc as usize).map(|instruction| instruction.place),
    }
}
