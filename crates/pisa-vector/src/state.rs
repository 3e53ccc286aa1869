//! The state of a batch between steps: who waits where, in which activation.

use crate::batch::MAX_BATCH;
use crate::buffer::Buffer;
use crate::code::{Code, FunctionCode};
use crate::masks::{self, Masks};
use crate::private::Private;
use crate::special::{Origin, fill_constants};
use pisa_machine::UNDEFINED_BYTE;
use pisa_module::FunctionId;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Index of an activation of a batch.
pub(crate) type ActivationId = u32;
/// Most bytes that the register frames of a batch take.
const MAX_FRAME_BYTES: usize = 1 << 30;
/// The kernel's own activation.
pub(crate) const ROOT: ActivationId = 0;

/// A function that some lanes are in.
pub(crate) struct Activation {
    /// Which.
    pub(crate) function: FunctionId,
    /// Who called it; itself for the kernel.
    pub(crate) parent: ActivationId,
    /// The instruction behind the call.
    pub(crate) return_pc: u32,
    /// Index of the call in the code of the caller.
    pub(crate) site: u32,
    /// Calls it is deep; 0 for the kernel.
    pub(crate) depth: u32,
    /// Increases with every activation of the batch.
    pub(crate) serial: u64,
    /// Its registers.
    pub(crate) frame: Option<Buffer>,
    /// Where its private frame begins.
    pub(crate) private_base: u32,
    /// Where its private frame ends.
    pub(crate) private_top: u32,
    /// Lanes that have not returned from it.
    pub(crate) inside: Masks,
}

/// Lanes that stand before one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// In which activation.
    pub(crate) activation: ActivationId,
    /// Before which instruction.
    pub(crate) pc: u32,
    /// Who.
    pub(crate) masks: Masks,
}

/// A batch of sub-groups.
pub(crate) struct BatchState {
    /// Sub-groups in it.
    pub(crate) count: usize,
    /// Constants and special registers.
    pub(crate) fixed: Buffer,
    /// By sub-group: the index of its work-group in the cohort.
    pub(crate) groups: [usize; MAX_BATCH],
    /// By sub-group: the shared memory of its work-group.
    pub(crate) shared: [*mut u8; MAX_BATCH],
    /// By sub-group: where it comes from.
    pub(crate) origins: SmallVec<[Origin; MAX_BATCH]>,
    /// Whether the special registers in the fixed area are those of sub-groups alike.
    pub(crate) same_shape: bool,
    /// Lanes that have not left the kernel.
    pub(crate) live: Masks,
    /// Activations; the first is the kernel's.
    pub(crate) activations: Vec<Activation>,
    /// Those of them that are over.
    pub(crate) free: Vec<ActivationId>,
    /// Bytes of all register frames, those in reserve too.
    pub(crate) frame_bytes: usize,
    /// Register frames in reserve, by function.
    pub(crate) frames: Vec<Vec<Buffer>>,
    /// Lanes that can run, at most one entry an instruction of an activation.
    pub(crate) waiting: SmallVec<[Entry; 8]>,
    /// Lanes at a barrier, each before the instruction behind it.
    pub(crate) blocked: SmallVec<[Entry; 8]>,
    /// All lanes of the sub-groups that may run in this turn.
    pub(crate) allowed: Masks,
    /// Jumps back since a sub-group was last put aside.
    pub(crate) jumps: u32,
    /// How many of them put a sub-group aside.
    pub(crate) most_jumps: u32,
    /// Private memory by sub-group.
    pub(crate) private: [Private; MAX_BATCH],
    /// The last serial that was given.
    pub(crate) serial: u64,
}

impl BatchState {
    /// A batch for `count` sub-groups that has yet to [`BatchState::start`].
    pub(crate) fn new(code: &Code, count: usize) -> Option<BatchState> {
        let mut fixed = Buffer::new(code.fixed.size as usize * count)?;
        fill_constants(&mut fixed, count, &code.fixed);
        Some(BatchState {
            count,
            fixed,
            groups: [0; MAX_BATCH],
            shared: [std::ptr::null_mut(); MAX_BATCH],
            origins: SmallVec::new(),
            same_shape: false,
            live: masks::NONE,
            activations: Vec::new(),
            free: Vec::new(),
            frame_bytes: 0,
            frames: (0..code.functions.len()).map(|_| Vec::new()).collect(),
            waiting: SmallVec::new(),
            blocked: SmallVec::new(),
            allowed: masks::NONE,
            jumps: 0,
            most_jumps: 0,
            private: Default::default(),
            serial: 0,
        })
    }

    /// Puts lanes before an instruction.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) {
        push(&mut self.waiting, entry);
    }

    /// Takes the lanes that run next: those of sub-groups that may run in this turn, of the first entry in order.
    ///
    /// An entry that is first in the batch is first for each of its sub-groups, so every sub-group sees its own
    /// schedule.
    #[inline]
    pub(crate) fn pick(&mut self) -> Option<Entry> {
        let mut best: Option<usize> = None;
        for (index, entry) in self.waiting.iter().enumerate() {
            if !masks::any(masks::and(entry.masks, self.allowed)) {
                continue;
            }
            best = match best {
                Some(old) if self.order(&self.waiting[old], entry) == Ordering::Less => Some(old),
                _ => Some(index),
            };
        }
        let index = best?;
        let entry = &mut self.waiting[index];
        let mut picked = *entry;
        picked.masks = masks::and(entry.masks, self.allowed);
        entry.masks = masks::without(entry.masks, self.allowed);
        if !masks::any(entry.masks) {
            self.waiting.swap_remove(index);
        }
        Some(picked)
    }

    /// Whether a lane can run in this turn.
    pub(crate) fn runnable(&self) -> bool {
        self.waiting.iter().any(|entry| masks::any(masks::and(entry.masks, self.allowed)))
    }

    /// Takes out the lanes that wait before the same instruction as `entry` and may run in this turn; all of them
    /// together.
    #[inline]
    pub(crate) fn absorb(&mut self, entry: Entry) -> Masks {
        let same = |e: &Entry| e.activation == entry.activation && e.pc == entry.pc;
        let Some(index) = self.waiting.iter().position(same) else { return entry.masks };
        let waiting = &mut self.waiting[index];
        let together = masks::or(entry.masks, masks::and(waiting.masks, self.allowed));
        waiting.masks = masks::without(waiting.masks, self.allowed);
        if !masks::any(waiting.masks) {
            self.waiting.swap_remove(index);
        }
        together
    }

    /// The least instruction of an activation before which lanes wait that may run in this turn.
    #[inline]
    pub(crate) fn limit(&self, activation: ActivationId) -> u32 {
        let mut limit = u32::MAX;
        for entry in &self.waiting {
            let counts = entry.activation == activation && masks::any(masks::and(entry.masks, self.allowed));
            if counts && entry.pc < limit {
                limit = entry.pc;
            }
        }
        limit
    }

    /// The schedule (design, X-01): the deepest call first, in it the lowest instruction. At equal depth the lower
    /// caller position goes first, from the kernel inwards; calls from one place go in the order in which they were
    /// made (C-03).
    pub(crate) fn order(&self, a: &Entry, b: &Entry) -> Ordering {
        if a.activation == b.activation {
            return a.pc.cmp(&b.pc);
        }
        let get = |id: ActivationId| &self.activations[id as usize];
        let (mut a, mut b) = (get(a.activation), get(b.activation));
        if a.depth != b.depth {
            return b.depth.cmp(&a.depth);
        }
        while a.parent != b.parent {
            (a, b) = (get(a.parent), get(b.parent));
        }
        (a.return_pc, a.serial).cmp(&(b.return_pc, b.serial))
    }

    /// Moves lanes of the sub-groups that `of` accepts from the barrier to those that can run.
    pub(crate) fn release(&mut self, of: impl Fn(usize) -> bool) {
        let count = self.count;
        let mut index = 0;
        while index < self.blocked.len() {
            let entry = &mut self.blocked[index];
            let mut freed = *entry;
            for subgroup in 0..count {
                if of(subgroup) {
                    entry.masks[subgroup] = 0;
                } else {
                    freed.masks[subgroup] = 0;
                }
            }
            let empty = !masks::any(entry.masks);
            if masks::any(freed.masks) {
                push(&mut self.waiting, freed);
            }
            if empty {
                self.blocked.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// A register frame, undefined where the code might see it. `None` where the host has no room.
    pub(crate) fn take_frame(&mut self, code: &FunctionCode) -> Option<Buffer> {
        let reserve = self.frames.get_mut(code.id.index())?;
        let mut frame = match reserve.pop() {
            Some(frame) => frame,
            None => {
                let bytes = code.frame as usize * self.count;
                if self.frame_bytes + bytes > MAX_FRAME_BYTES && !self.activations.is_empty() {
                    return None;
                }
                self.frame_bytes += bytes;
                Buffer::new(bytes)?
            }
        };
        for &(from, to) in &code.undefined {
            frame.fill(from as usize * self.count, to as usize * self.count, UNDEFINED_BYTE);
        }
        Some(frame)
    }

    /// Adds an activation.
    pub(crate) fn add(&mut self, mut activation: Activation) -> ActivationId {
        self.serial += 1;
        activation.serial = self.serial;
        match self.free.pop() {
            Some(id) => {
                self.activations[id as usize] = activation;
                id
            }
            None => {
                self.activations.push(activation);
                self.activations.len() as u32 - 1
            }
        }
    }

    /// Takes lanes out of an activation, and ends it when no lane is left in it.
    pub(crate) fn leave(&mut self, id: ActivationId, lanes: Masks) {
        let activation = &mut self.activations[id as usize];
        activation.inside = masks::without(activation.inside, lanes);
        if id != ROOT && !masks::any(activation.inside) {
            let function = activation.function.index();
            if let Some(frame) = activation.frame.take() {
                self.frames[function].push(frame);
            }
            self.free.push(id);
        }
    }

    /// Begins the kernel for all live lanes. False where the host has no room.
    pub(crate) fn start(&mut self, code: &Code, kernel: FunctionId) -> bool {
        for activation in &mut self.activations {
            if let Some(frame) = activation.frame.take() {
                self.frames[activation.function.index()].push(frame);
            }
        }
        self.activations.clear();
        self.free.clear();
        self.waiting.clear();
        self.blocked.clear();
        self.serial = 0;
        self.jumps = 0;
        let Some(function) = code.function(kernel) else { return false };
        let Some(frame) = self.take_frame(function) else { return false };
        for subgroup in 0..self.count {
            let live = self.live[subgroup];
            if live != 0 && !self.private[subgroup].enter(0, function.private, u32::MAX) {
                return false;
            }
        }
        self.add(Activation {
            function: kernel,
            parent: ROOT,
            return_pc: 0,
            site: 0,
            depth: 0,
            serial: 0,
            frame: Some(frame),
            private_base: 0,
            private_top: function.private,
            inside: self.live,
        });
        if masks::any(self.live) {
            self.push(Entry { activation: ROOT, pc: 0, masks: self.live });
        }
        true
    }
}

/// Adds lanes to the entry of their instruction.
#[inline]
pub(crate) fn push(entries: &mut SmallVec<[Entry; 8]>, entry: Entry) {
    let same = entries.iter_mut().find(|e| e.activation == entry.activation && e.pc == entry.pc);
    match same {
        Some(same) => same.masks = masks::or(same.masks, entry.masks),
        None => entries.push(entry),
    }
}
