//! What an observer is shown of a batch: one sub-group after the other.
#![allow(unsafe_code)] // Reads planes that the decoder made for the batch.

use crate::batch::{Batch, LANES};
use crate::code::{FunctionCode, Guard, Offset};
use crate::masks::Masks;
use crate::memory::{lane_addresses, widen};
use crate::run::Runner;
use crate::special::Origin;
use crate::state::{Activation, ActivationId, BatchState, Entry, ROOT};
use crate::{Level, Plane};
use pisa_machine::{
    CallFrame, Doing, Entry as Entered, GroupBegin, Image, LaneValues, Observer, Standing, Step, SubGroupId,
    UNDEFINED_BYTE, View,
};
use pisa_module::{RegisterId, RegisterType};
use std::ops::Range;

/// What can be shown of a function.
pub(crate) struct Observed {
    /// By instruction; `None` where nobody wants to see it.
    pub(crate) sites: Vec<Option<Site>>,
    /// Where registers lie; those that no instruction names lie nowhere.
    pub(crate) registers: Vec<(Option<Plane>, RegisterType)>,
}

/// An instruction that is shown.
pub(crate) struct Site {
    /// What can be read of each operand.
    pub(crate) operands: Vec<Readable>,
    /// Whether `%activemask` is among them.
    pub(crate) reads_active_mask: bool,
}

/// What can be read of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Readable {
    /// It has no value.
    Nothing,
    /// The same in every lane.
    Constant(u64),
    /// Elements of a register or special register, each of so many bits.
    Lanes {
        /// The first.
        plane: Plane,
        /// Of an element.
        bits: u8,
        /// At least one.
        elements: u8,
    },
    /// A predicate.
    Predicate(Guard),
    /// The address of a private variable: its offset in the frame.
    Frame(u32),
    /// The address of an access, by its index in [`FunctionCode::accesses`].
    Address(u32),
    /// The offset in a kernel parameter.
    Parameter(Offset),
}

/// A sub-group of a batch as events name it.
fn id_of(origin: &Origin) -> SubGroupId {
    SubGroupId { group: origin.index, number: origin.number }
}

impl FunctionCode {
    /// The instruction, where it is shown.
    #[inline(always)]
    pub(crate) fn site(&self, pc: usize) -> Option<&Site> {
        self.observed.as_ref()?.sites.get(pc)?.as_ref()
    }
}

impl Runner<'_> {
    /// Shows an instruction to the observer, for each sub-group with active lanes.
    pub(super) fn show(
        &mut self,
        state: &BatchState,
        function: &FunctionCode,
        site: &Site,
        batch: &Batch,
        (id, pc): (ActivationId, usize),
    ) {
        if site.reads_active_mask {
            self.refresh_active_mask(batch);
        }
        let (image, level) = (self.image, self.level);
        let Some(observer) = self.observer.as_deref_mut() else { return };
        let Some(instruction) = image.program.function(function.id).code.get(pc) else { return };
        let activation = &state.activations[id as usize];
        for (subgroup, origin) in state.origins.iter().enumerate().take(batch.count) {
            let lanes = batch.masks[subgroup];
            if lanes == 0 {
                continue;
            }
            let view =
                SubGroupView { image, state, batch, function, site, activation, id, subgroup, lanes, level };
            observer.before(&Step {
                subgroup: id_of(origin),
                group: origin.group,
                size: origin.size,
                function: function.id,
                index: pc as u32,
                instruction,
                lanes,
                activation: activation.serial,
                view: &view,
            });
        }
    }

    /// Work-groups begin, and their sub-groups enter the kernel.
    pub(crate) fn show_begin(&mut self, batches: &[BatchState]) {
        let Some(observer) = self.observer.as_deref_mut() else { return };
        let mut begun = None;
        for state in batches {
            for (subgroup, origin) in state.origins.iter().enumerate().take(state.count) {
                if begun != Some(origin.index) {
                    begun = Some(origin.index);
                    let (id, size) = (origin.group, origin.size);
                    observer.begin_group(&GroupBegin { number: origin.index, id, size });
                }
                show_entry(observer, state, ROOT, None, subgroup);
            }
        }
    }

    /// Lanes have entered a function by the call at `pc` of an activation.
    pub(super) fn show_call(&mut self, state: &BatchState, entry: &Entry, id: ActivationId) {
        let Some(observer) = self.observer.as_deref_mut() else { return };
        let caller = state.activations[entry.activation as usize].serial;
        for subgroup in 0..state.count {
            show_entry(observer, state, id, Some((caller, entry.pc)), subgroup);
        }
    }

    /// A work-group goes on behind a barrier.
    pub(crate) fn show_release(&mut self, group: u64) {
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.release(group);
        }
    }

    /// Every work-item of a work-group has left the kernel.
    pub(super) fn show_end(&mut self, group: u64) {
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.end_group(group);
        }
    }

    /// Lanes leave an activation.
    pub(super) fn show_leave(&mut self, state: &BatchState, id: ActivationId, leaving: Masks) {
        let Some(observer) = self.observer.as_deref_mut() else { return };
        let serial = state.activations[id as usize].serial;
        for (origin, &lanes) in state.origins.iter().zip(&leaving).take(state.count) {
            if lanes != 0 {
                observer.leave(id_of(origin), serial, lanes);
            }
        }
    }
}

/// Shows the lanes of a sub-group that are in a new activation, if there are any.
fn show_entry(
    observer: &mut dyn Observer,
    state: &BatchState,
    id: ActivationId,
    call: Option<(u64, u32)>,
    subgroup: usize,
) {
    let activation = &state.activations[id as usize];
    if activation.inside[subgroup] != 0 {
        observer.enter(&Entered {
            subgroup: id_of(&state.origins[subgroup]),
            call,
            function: activation.function,
            activation: activation.serial,
            lanes: activation.inside[subgroup],
            private: activation.private_base..activation.private_top,
        });
    }
}

/// A sub-group before an instruction.
struct SubGroupView<'a> {
    image: &'a Image,
    state: &'a BatchState,
    batch: &'a Batch,
    function: &'a FunctionCode,
    site: &'a Site,
    activation: &'a Activation,
    id: ActivationId,
    /// Its position in the batch.
    subgroup: usize,
    /// Its active lanes.
    lanes: u32,
    level: Level,
}

impl SubGroupView<'_> {
    /// A predicate by lane.
    fn word(&self, guard: Guard) -> u32 {
        // SAFETY: the plane is a predicate of the running frame, one word a sub-group.
        unsafe { *self.batch.at::<u32>(guard.plane).add(self.subgroup) ^ guard.flip }
    }

    #[inline(always)]
    fn read_lanes(&self, plane: Plane, bits: u8, into: &mut LaneValues) {
        // SAFETY: the plane belongs to the running frame or the fixed area and has elements of this width.
        unsafe { widen(self.batch, plane, (bits, false), self.subgroup, into) };
    }

    /// [`View::read`].
    #[inline(always)]
    fn read_plain(&self, operand: usize, element: usize, into: &mut LaneValues) {
        match self.site.operands.get(operand).copied().unwrap_or(Readable::Nothing) {
            Readable::Nothing => {}
            Readable::Constant(value) => *into = [value; LANES],
            Readable::Lanes { plane, bits, elements } => {
                let element = element.min(usize::from(elements.max(1)) - 1) as u32;
                self.read_lanes(plane.element(element, u32::from(bits)), bits, into);
            }
            Readable::Predicate(guard) => read_bits(self.word(guard), into),
            Readable::Frame(offset) => {
                *into = [u64::from(self.activation.private_base.wrapping_add(offset)); LANES];
            }
            Readable::Address(index) => {
                if let Some(access) = self.function.accesses.get(index as usize) {
                    let base = self.activation.private_base;
                    // SAFETY: the access was decoded for this batch, and the sub-group is one of it.
                    *into = unsafe { lane_addresses(self.batch, access, self.subgroup, base) };
                }
            }
            Readable::Parameter(Offset::Known(offset)) => *into = [i64::from(offset) as u64; LANES],
            Readable::Parameter(Offset::Lanes(plane, bits)) => {
                // SAFETY: a plane of this batch with elements of this width.
                unsafe { widen(self.batch, plane, (bits, true), self.subgroup, into) };
            }
        }
    }

    /// # Safety
    /// The host has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn read_avx2(&self, operand: usize, element: usize, into: &mut LaneValues) {
        self.read_plain(operand, element, into);
    }

    /// # Safety
    /// The host has AVX-512 F, BW, DQ, VL.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn read_avx512(&self, operand: usize, element: usize, into: &mut LaneValues) {
        self.read_plain(operand, element, into);
    }
}

#[inline(always)]
fn read_bits(word: u32, into: &mut LaneValues) {
    for (lane, into) in into.iter_mut().enumerate() {
        *into = u64::from(word >> lane & 1);
    }
}

impl View for SubGroupView<'_> {
    fn read(&self, operand: usize, element: usize, into: &mut LaneValues) {
        // SAFETY: the level is one of the host.
        unsafe {
            match self.level {
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => self.read_avx512(operand, element, into),
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => self.read_avx2(operand, element, into),
                _ => self.read_plain(operand, element, into),
            }
        }
    }

    fn read_register(&self, register: RegisterId, element: usize, into: &mut LaneValues) {
        let Some(observed) = &self.function.observed else { return };
        let Some(&(plane, ty)) = observed.registers.get(register.index()) else { return };
        if element >= usize::from(ty.elements) {
            return;
        }
        match plane {
            Some(plane) if ty.is_predicate() => read_bits(self.word(Guard { plane, flip: 0 }), into),
            Some(plane) => {
                self.read_lanes(plane.element(element as u32, u32::from(ty.bits)), ty.bits, into);
            }
            // No instruction writes it.
            None if ty.is_predicate() => read_bits(u32::from_le_bytes([UNDEFINED_BYTE; 4]), into),
            None => {
                let bytes = u64::from_le_bytes([UNDEFINED_BYTE; 8]);
                *into = [bytes >> (64 - u32::from(ty.bits.clamp(8, 64))); LANES];
            }
        }
    }

    fn predicate(&self, operand: usize) -> u32 {
        match self.site.operands.get(operand) {
            Some(&Readable::Predicate(guard)) => self.word(guard) & self.lanes,
            _ => 0,
        }
    }

    fn private_frame(&self) -> Range<u32> {
        self.activation.private_base..self.activation.private_top
    }

    fn live(&self) -> u32 {
        self.state.live[self.subgroup]
    }

    fn elsewhere(&self) -> Vec<Standing> {
        let waiting = self.state.waiting.iter().map(|entry| (entry, Doing::WaitForThem));
        let blocked = self.state.blocked.iter().map(|entry| (entry, Doing::WaitAtBarrier));
        let here = waiting.chain(blocked).filter(|(entry, _)| entry.masks[self.subgroup] != 0);
        let origin = &self.state.origins[self.subgroup];
        let standing = here.map(|(entry, doing)| {
            let function = self.state.activations[entry.activation as usize].function;
            // Lanes at a barrier stand behind it.
            let pc = entry.pc.saturating_sub(u32::from(doing == Doing::WaitAtBarrier));
            let code = &self.image.program.function(function).code;
            Standing {
                group: origin.group,
                subgroup: origin.number,
                lanes: entry.masks[self.subgroup],
                doing,
                place: code.get(pc as usize).map(|instruction| instruction.place),
            }
        });
        let mut standing: Vec<Standing> = standing.collect();
        standing.sort_by_key(|standing| standing.lanes.trailing_zeros());
        standing
    }

    fn calls(&self) -> Vec<CallFrame> {
        let mut frames = Vec::new();
        let mut inner = self.id;
        while inner != ROOT {
            let activation = &self.state.activations[inner as usize];
            inner = activation.parent;
            let caller = self.state.activations[inner as usize].function;
            let code = &self.image.program.function(caller).code;
            let call = code.get(activation.return_pc.saturating_sub(1) as usize);
            frames.push(CallFrame { caller, place: call.map(|instruction| instruction.place) });
        }
        frames
    }
}
