//! One instruction of one set of lanes: for the schedules that choose anew after each.
#![allow(unsafe_code)] // Calls handlers on planes that the decoder made for this batch.

use super::{Next, Runner, guarded, private_address};
use crate::batch::Batch;
use crate::code::Step;
use crate::cohort::Group;
use crate::masks;
use crate::state::{ActivationId, BatchState, Entry, push};
use pisa_machine::Stop;
use std::sync::atomic::fence;

/// What became of the lanes of a step. Those that can run are among [`BatchState::waiting`] again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// All of them stand before this instruction now.
    Went {
        /// Which.
        pc: u32,
        /// Whether they jumped back.
        back: bool,
    },
    /// Some jumped, the others stand behind the instruction.
    Parted {
        /// Those that jumped.
        jumped: u32,
        /// Where they stand.
        target: u32,
        /// Whether that is back.
        back: bool,
    },
    /// Some, or all, are in functions that they called: those activations with a serial behind this one.
    Called(u64),
    /// These left the activation, the others stand behind the instruction.
    Left(u32),
    /// They reached the end of the code, which is no instruction, and left.
    Ended,
    /// They wait at a barrier.
    Waits,
}

impl Runner<'_> {
    /// Runs one instruction for lanes of a batch of one sub-group.
    pub(crate) fn step(
        &mut self,
        state: &mut BatchState,
        groups: &mut [Group],
        entry: Entry,
    ) -> Result<Event, Box<Stop>> {
        let lost = Event::Ended;
        let code = self.code;
        let activation = &state.activations[entry.activation as usize];
        let Some(function) = code.function(activation.function) else { return Ok(lost) };
        let Some(frame) = activation.frame.as_ref().map(|f| f.start()) else { return Ok(lost) };
        let private = (activation.private_base, activation.private_top);
        let (pc, lanes) = (entry.pc as usize, entry.masks[0]);
        let areas = [frame, state.fixed.start()];
        let batch = Batch { areas, count: state.count, masks: entry.masks, full: lanes == u32::MAX };
        let step = function.steps[pc];
        if let Step::End = step {
            let next = self.leave(state, groups, function, &batch, entry, batch.masks, None)?;
            put_back(state, next);
            return Ok(Event::Ended);
        }
        self.refuel(state, function, &entry)?;
        self.count(1, 1, u64::from(lanes.count_ones()));
        if let Some(site) = function.site(pc) {
            self.show(state, function, site, &batch, (entry.activation, pc));
        }
        let behind = Entry { pc: entry.pc + 1, ..entry };
        match step {
            Step::Compute | Step::ComputeWithActiveMask => {
                self.refresh_active_mask(&batch);
                let operation = &function.operations[pc];
                // SAFETY: decoded for this batch and a host that has the instructions.
                unsafe { (operation.run)(&batch, operation) };
            }
            Step::Memory(index) => {
                self.access(state, function, &batch, (index, pc), private)?;
            }
            Step::PrivateAddress { destination, offset, generic } => {
                private_address(&batch, destination, private.0.wrapping_add(offset), generic);
            }
            Step::Parameter(index) => {
                self.parameter(function, &batch, index);
            }
            Step::Fence(order) => fence(order),
            Step::Goto(target) => {
                state.push(Entry { pc: target, ..entry });
                return Ok(Event::Went { pc: target, back: target <= entry.pc });
            }
            Step::GotoIf(guard, target) => {
                let taken = guarded(&batch, guard);
                let back = masks::any(taken) && target <= entry.pc;
                if taken == batch.masks {
                    state.push(Entry { pc: target, ..entry });
                    return Ok(Event::Went { pc: target, back });
                }
                if masks::any(taken) && target != behind.pc {
                    state.push(Entry { pc: target, masks: taken, ..entry });
                    state.push(Entry { masks: masks::without(entry.masks, taken), ..behind });
                    return Ok(Event::Parted { jumped: taken[0], target, back });
                }
            }
            Step::Call(site) => {
                let serial = state.serial;
                let next = self.call(state, function, &batch, entry, site as usize)?;
                put_back(state, next);
                if state.serial != serial {
                    return Ok(Event::Called(serial));
                }
                // Nobody called, and all stand behind the call already.
                return Ok(Event::Went { pc: behind.pc, back: false });
            }
            Step::Return(guard, value) => {
                let leaving = guard.map_or(batch.masks, |guard| guarded(&batch, guard));
                if masks::any(leaving) {
                    let next = self.leave(state, groups, function, &batch, entry, leaving, value)?;
                    put_back(state, next);
                    return Ok(Event::Left(leaving[0]));
                }
            }
            Step::Barrier => {
                push(&mut state.blocked, behind);
                groups[state.groups[0]].arrived += lanes.count_ones();
                return Ok(Event::Waits);
            }
            Step::End => return Ok(lost),
        }
        state.push(behind);
        Ok(Event::Went { pc: behind.pc, back: false })
    }
}

/// Lanes that would run on wait to be chosen instead.
fn put_back(state: &mut BatchState, next: Next) {
    if let Next::Entry(entry) = next {
        state.push(entry);
    }
}

/// Takes lanes that stand together out of those that wait to run.
pub(crate) fn take(state: &mut BatchState, lanes: u32) -> Option<Entry> {
    let index = state.waiting.iter().position(|entry| entry.masks[0] & lanes != 0)?;
    let entry = &mut state.waiting[index];
    let mut taken = *entry;
    taken.masks[0] &= lanes;
    entry.masks[0] &= !lanes;
    if entry.masks[0] == 0 {
        state.waiting.swap_remove(index);
    }
    Some(taken)
}

/// Where lanes stand that wait to run.
pub(crate) fn place_of(state: &BatchState, lane: u32) -> Option<(ActivationId, u32)> {
    let entry = state.waiting.iter().find(|entry| entry.masks[0] >> lane & 1 == 1)?;
    Some((entry.activation, entry.pc))
}
