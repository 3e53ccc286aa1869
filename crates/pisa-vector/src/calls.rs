//! Calls and returns.
#![allow(unsafe_code)] // Copies arguments and results between frames.

use crate::Plane;
use crate::batch::{Batch, LANES, MAX_BATCH};
use crate::code::{CallSite, FunctionCode, Target};
use crate::masks::{self, Masks};
use crate::moves::{copy_elements, each_lane};
use crate::run::{Next, Runner, guarded};
use crate::state::{Activation, ActivationId, BatchState, Entry};
use pisa_machine::{Stop, StopReason, UNDEFINED_BYTE};
use pisa_module::{FunctionId, RegisterType};

/// Most bytes of private memory of a lane, all activations together.
const MAX_PRIVATE: u32 = 32 << 20;

impl Runner<'_> {
    /// Calls a function with the lanes that the guard lets through; the others wait behind the call.
    pub(super) fn call(
        &mut self,
        state: &mut BatchState,
        caller: &FunctionCode,
        batch: &Batch,
        entry: Entry,
        index: usize,
    ) -> Result<Next, Box<Stop>> {
        let site = &caller.calls[index];
        let calling = site.guard.map_or(batch.masks, |guard| guarded(batch, guard));
        let rest = masks::without(batch.masks, calling);
        if masks::any(rest) {
            state.push(Entry { pc: entry.pc + 1, masks: rest, ..entry });
        }
        let Some(first) = calling.iter().position(|&m| m != 0) else { return Ok(Next::Pick) };
        let fail = |runner: &Self, state: &BatchState, reason, subgroup, lanes| {
            Err(runner.stop(state, caller.id, entry.pc as usize, reason, subgroup, lanes))
        };
        if state.activations[entry.activation as usize].depth >= self.launch.max_call_depth {
            let reason = StopReason::CallDepth(self.launch.max_call_depth);
            return fail(self, state, reason, first, calling[first]);
        }
        if site.reads_active_mask {
            self.refresh_active_mask(batch);
        }
        let targets = match site.target {
            Target::Function(id) => vec![(id, calling)],
            Target::Handle(plane) => match self.targets(batch, plane, calling) {
                Ok(targets) => targets,
                Err((handle, subgroup, lane)) => {
                    let reason = StopReason::CallTarget(handle);
                    return fail(self, state, reason, subgroup, 1 << lane);
                }
            },
        };
        let mut entered = None;
        for &(id, lanes) in &targets {
            match self.enter(state, site, batch, entry, index, id, lanes) {
                Ok(new) => entered = Some(new),
                Err(message) => {
                    let reason = StopReason::OutOfMemory(message);
                    return fail(self, state, reason, first, calling[first]);
                }
            }
            if let (Some(new), true) = (entered, targets.len() > 1) {
                state.push(new);
            }
        }
        match entered {
            Some(new) if targets.len() == 1 => self.jump_back(state, caller, new),
            _ => Ok(Next::Pick),
        }
    }

    /// Groups lanes by target. Each sub-group gets its targets in the order of their first lane (C-03).
    fn targets(
        &self,
        batch: &Batch,
        plane: Plane,
        calling: Masks,
    ) -> Result<Vec<(FunctionId, Masks)>, (u64, usize, usize)> {
        let handle = |subgroup: usize, lane: usize| {
            // SAFETY: a plane of 64-bit elements of this batch.
            unsafe { *batch.at::<u64>(plane).add(subgroup * LANES + lane) }
        };
        let mut left = calling;
        let mut targets = Vec::new();
        while let Some(subgroup) = left.iter().position(|&m| m != 0) {
            let lane = left[subgroup].trailing_zeros() as usize;
            let wanted = handle(subgroup, lane);
            let id = self.image.function_of(wanted).ok_or((wanted, subgroup, lane))?;
            let mut lanes = masks::NONE;
            for subgroup in 0..MAX_BATCH {
                let first = left[subgroup].trailing_zeros() as usize;
                if left[subgroup] != 0 && handle(subgroup, first) == wanted {
                    each_lane(left[subgroup], |lane| {
                        lanes[subgroup] |= u32::from(handle(subgroup, lane) == wanted) << lane;
                    });
                }
            }
            left = masks::without(left, lanes);
            targets.push((id, lanes));
        }
        Ok(targets)
    }

    /// Begins an activation: registers, private memory, arguments.
    #[allow(clippy::too_many_arguments)]
    fn enter(
        &mut self,
        state: &mut BatchState,
        site: &CallSite,
        batch: &Batch,
        entry: Entry,
        index: usize,
        id: FunctionId,
        lanes: Masks,
    ) -> Result<Entry, String> {
        let name = |what: &str| {
            format!("no room for {what} of another call of `@{}`", self.image.program.function(id).name)
        };
        let function = self.code.function(id).ok_or_else(|| name("the code"))?;
        let caller = &state.activations[entry.activation as usize];
        let (depth, private_base) = (caller.depth + 1, caller.private_top);
        let private_top = private_base.checked_add(function.private).filter(|&top| top <= MAX_PRIVATE);
        let private_top = private_top.ok_or_else(|| name("the private memory"))?;
        if function.private > 0 {
            for (private, &entering) in state.private.iter_mut().zip(&lanes) {
                if entering != 0 && !private.enter(private_base, function.private, entering) {
                    return Err(name("the private memory"));
                }
            }
        }
        let frame = state.take_frame(function).ok_or_else(|| name("the registers"))?;
        for (position, &(to, ty)) in function.parameters.iter().enumerate() {
            // F-11: an argument of another type, or a missing one, leaves the parameter undefined.
            let matching = site.arguments.get(position).filter(|(_, given)| *given == ty);
            // SAFETY: the parameter lies in the new frame, the argument in an area of the batch, both with this type.
            unsafe {
                let to = frame.start().add(to.0 as usize * state.count);
                match matching {
                    Some(&(from, _)) => copy_value(to, batch.at::<u8>(from), ty, &lanes[..state.count]),
                    None => to.write_bytes(UNDEFINED_BYTE, ty.total_bits() as usize * 4 * state.count),
                }
            }
        }
        let activation = state.add(Activation {
            function: id,
            parent: entry.activation,
            return_pc: entry.pc + 1,
            site: index as u32,
            depth,
            serial: 0,
            frame: Some(frame),
            private_base,
            private_top,
            inside: lanes,
        });
        self.show_call(state, &entry, activation);
        Ok(Entry { activation, pc: 0, masks: lanes })
    }

    /// Lanes return to where their activation was called; the result is written for them alone (C-02).
    pub(super) fn give_back(
        &mut self,
        state: &mut BatchState,
        function: &FunctionCode,
        batch: &Batch,
        id: ActivationId,
        leaving: Masks,
        value: Option<Plane>,
    ) -> Entry {
        if value.is_some() && value == self.code.fixed.active_mask {
            self.refresh_active_mask(batch);
        }
        let activation = &state.activations[id as usize];
        let back = Entry { activation: activation.parent, pc: activation.return_pc, masks: leaving };
        let parent = &state.activations[activation.parent as usize];
        let site = self.code.function(parent.function).and_then(|f| f.calls.get(activation.site as usize));
        let result = site.and_then(|site| site.result);
        if let (Some((to, ty)), Some(frame)) = (result, parent.frame.as_ref()) {
            let masks = &leaving[..state.count];
            // SAFETY: the result lies in the caller's frame with this type; so does the value in an area of the batch.
            unsafe {
                let to = frame.start().add(to.0 as usize * state.count);
                match value {
                    Some(from) if function.result == Some(ty) => {
                        copy_value(to, batch.at::<u8>(from), ty, masks);
                    }
                    // F-11 and C-08: another type, or no value at all.
                    _ => undefined_value(to, ty, masks),
                }
            }
        }
        state.leave(id, leaving);
        back
    }
}

/// Copies a register or predicate in some lanes.
///
/// # Safety
/// Both are planes of this type for as many sub-groups as there are masks.
unsafe fn copy_value(to: *mut u8, from: *const u8, ty: RegisterType, masks: &[u32]) {
    // SAFETY: by the contract above.
    unsafe { copy_elements(to, from, usize::from(ty.bits / 8), usize::from(ty.elements), masks) }
}

/// Fills a register with undefined bytes in some lanes.
///
/// # Safety
/// As [`copy_value`].
unsafe fn undefined_value(to: *mut u8, ty: RegisterType, masks: &[u32]) {
    let bytes = usize::from(ty.bits / 8);
    for element in 0..usize::from(ty.elements) {
        for (subgroup, &mask) in masks.iter().enumerate() {
            each_lane(mask, |lane| {
                let at = ((element * masks.len() + subgroup) * LANES + lane) * bytes;
                // SAFETY: by the contract above.
                unsafe { to.add(at).write_bytes(UNDEFINED_BYTE, bytes) }
            });
        }
    }
}
