//! Work-groups that run together: several small ones in one batch, or one in one or more batches.

use crate::batch::{LANES, MAX_BATCH};
use crate::buffer::{Buffer, bytes_of};
use crate::masks;
use crate::state::BatchState;
use pisa_machine::Launch;

/// A work-group that runs.
pub(crate) struct Group {
    /// Its number in the fixed order.
    pub(crate) index: u64,
    /// Work-items that have not left the kernel.
    pub(crate) live: u32,
    /// Work-items at a barrier.
    pub(crate) arrived: u32,
    /// Its shared memory.
    pub(crate) shared: Buffer,
}

impl Group {
    /// Whether everybody who lives waits at a barrier (Y-01, Y-02).
    pub(crate) fn complete(&self) -> bool {
        self.arrived > 0 && self.arrived == self.live
    }
}

/// Work-groups that share batches.
pub(crate) struct Cohort {
    /// Their batches.
    pub(crate) batches: Vec<BatchState>,
    /// They.
    pub(crate) groups: Vec<Group>,
    /// Whether its last turn ended as the one before, and changed nothing: it waits for somebody else.
    pub(crate) spinning: bool,
    /// How the last turn ended, where that was looked at.
    ending: Option<u64>,
    /// Turns until it is looked at again.
    unwatched: u32,
    /// How many turns to leave out after that.
    pause: u32,
}

/// Jumps back, calls included, after which the running sub-groups stand aside for the rest of a turn, so that others
/// make progress (design, section 3).
const JUMPS_A_TURN: u32 = 2000;
/// The same for who only waits for somebody else.
const JUMPS_OF_WAITERS: u32 = 32;
/// Longest time for which nobody looks whether a cohort only waits.
const LONGEST_PAUSE: u32 = 64;

impl Cohort {
    /// A cohort without work-groups.
    pub(crate) fn new() -> Cohort {
        Cohort {
            batches: Vec::new(),
            groups: Vec::new(),
            spinning: false,
            ending: None,
            unwatched: 0,
            pause: 1,
        }
    }

    /// Forgets what is known about earlier turns.
    pub(crate) fn reset(&mut self) {
        (self.spinning, self.ending, self.unwatched, self.pause) = (false, None, 0, 1);
    }

    /// Ends a turn and finds out whether the cohort only waits for others: then its next turns are short.
    pub(crate) fn end_turn(&mut self, changed: bool) {
        self.spinning = false;
        if changed {
            (self.ending, self.unwatched, self.pause) = (None, 0, 1);
            return;
        }
        if self.unwatched > 0 {
            self.unwatched -= 1;
            return;
        }
        let mut hash = Hash::default();
        self.visit(&mut |bytes| {
            hash.add(bytes);
            true
        });
        match self.ending.replace(hash.finish()) {
            Some(before) if before == hash.finish() => self.spinning = true,
            Some(_) => {
                // It computes. The next look needs two endings.
                self.pause = (self.pause * 2).min(LONGEST_PAUSE);
                (self.ending, self.unwatched) = (None, self.pause);
            }
            None => {}
        }
    }

    /// Lets go on whoever waits at a barrier that is complete, and says which work-groups those are.
    pub(crate) fn release(&mut self, mut released: impl FnMut(u64)) {
        for index in 0..self.groups.len() {
            if self.groups[index].complete() {
                self.groups[index].arrived = 0;
                released(self.groups[index].index);
                for batch in &mut self.batches {
                    let groups = batch.groups;
                    batch.release(|subgroup| groups[subgroup] == index);
                }
            }
        }
    }

    /// Whether every work-item has left the kernel.
    pub(crate) fn finished(&self) -> bool {
        self.groups.iter().all(|group| group.live == 0)
    }

    /// Host memory that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let shared: usize = self.groups.iter().map(|group| group.shared.size()).sum();
        let batches = self.batches.iter().map(|batch| {
            let private: usize = batch.private.iter().map(|p| p.words().len() * 4).sum();
            batch.frame_bytes + batch.fixed.size() + private
        });
        shared + batches.sum::<usize>()
    }

    /// Begins a turn: every sub-group may run again.
    pub(crate) fn begin_turn(&mut self) {
        for batch in &mut self.batches {
            batch.allowed = [u32::MAX; MAX_BATCH];
            batch.jumps = 0;
            batch.most_jumps = if self.spinning { JUMPS_OF_WAITERS } else { JUMPS_A_TURN };
        }
    }

    /// Passes over everything that decides what will happen next, memory excepted; stops when `f` says no.
    pub(crate) fn visit(&self, f: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        self.batches.iter().all(|batch| {
            let entries = batch.waiting.iter().chain(&batch.blocked).all(|entry| {
                let mut words = [0u32; 2 + MAX_BATCH];
                (words[0], words[1]) = (entry.activation, entry.pc);
                words[2..].copy_from_slice(&entry.masks);
                f(bytes_of(&words))
            });
            let activations = batch.activations.iter().filter(|a| masks::any(a.inside)).all(|activation| {
                let position = [activation.function.0, activation.parent, activation.return_pc];
                f(bytes_of(&position)) && activation.frame.as_ref().is_none_or(|frame| f(frame.bytes()))
            });
            let mut private = batch.private[..batch.count].iter();
            entries && activations && private.all(|p| f(bytes_of(p.words())))
        })
    }
}

/// A quick hash: a wrong match only makes a turn shorter.
struct Hash([u64; 4]);

impl Default for Hash {
    fn default() -> Hash {
        Hash([1, 2, 3, 4])
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut mix = |lane: usize, value: u64| {
            self.0[lane] = (self.0[lane] ^ value).wrapping_mul(FACTOR).rotate_left(23);
        };
        let mut blocks = bytes.chunks_exact(32);
        for block in &mut blocks {
            for lane in 0..4 {
                let mut word = [0; 8];
                word.copy_from_slice(&block[lane * 8..lane * 8 + 8]);
                mix(lane, u64::from_le_bytes(word));
            }
        }
        for (index, &byte) in blocks.remainder().iter().enumerate() {
            mix(index % 4, u64::from(byte));
        }
    }
    fn finish(&self) -> u64 {
        self.0.iter().fold(0u64, |all, &lane| all.rotate_left(17) ^ lane)
    }
}

/// How work-groups are put into batches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    /// Work-groups in a cohort.
    pub(crate) groups: u64,
    /// Sub-groups in a batch.
    pub(crate) width: usize,
}

impl Packing {
    /// Small work-groups share a batch, large ones are spread evenly over several; no wider than `widest`.
    pub(crate) fn new(launch: &Launch, total_groups: u64, threads: usize, widest: usize) -> Packing {
        let items = launch.local.iter().map(|&n| u64::from(n)).product::<u64>();
        let subgroups = items.div_ceil(LANES as u64).clamp(1, 1 << 16) as usize;
        let widest = widest.clamp(1, MAX_BATCH);
        if subgroups <= widest {
            // Threads come first: there is no use in full batches on one of them.
            let share = total_groups.div_ceil(threads.max(1) as u64).max(1);
            return Packing { groups: ((widest / subgroups) as u64).min(share), width: widest };
        }
        let batches = subgroups.div_ceil(widest);
        Packing { groups: 1, width: subgroups.div_ceil(batches) }
    }
}

/// Lanes of sub-group `number` of a work-group of that size: fewer in a partial last one, none behind it.
pub(crate) fn lanes_of(size: [u32; 3], number: u32) -> u32 {
    let items = size.iter().product::<u32>();
    match items.saturating_sub(number * LANES as u32) {
        left if left >= LANES as u32 => u32::MAX,
        left => (1 << left) - 1,
    }
}

/// Sub-groups of a work-group of that size.
pub(crate) fn subgroups_of(size: [u32; 3]) -> u32 {
    size.iter().product::<u32>().div_ceil(LANES as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pisa_module::FunctionId;

    fn launch(global: [u64; 3], local: [u32; 3]) -> Launch {
        Launch {
            kernel: FunctionId(0),
            dimensions: 3,
            global,
            local,
            offset: [0; 3],
            arguments: vec![],
            shared_size: 0,
            shared_blocks: Vec::new(),
            printf_buffer: 0,
            fuel: 0,
            threads: 1,
            max_call_depth: 0,
            schedule: pisa_machine::Schedule::default(),
        }
    }

    #[test]
    fn small_groups_share_a_batch_and_large_ones_are_spread_evenly() {
        let pack = |local, total, threads| {
            let p = Packing::new(&launch([1 << 20, 1, 1], [local, 1, 1]), total, threads, 8);
            (p.groups, p.width)
        };
        assert_eq!(pack(32, 100, 1), (8, 8));
        assert_eq!(pack(32, 4, 2), (2, 8));
        assert_eq!(pack(96, 100, 1), (2, 8));
        assert_eq!(pack(256, 100, 1), (1, 8));
        assert_eq!(pack(288, 100, 1), (1, 5));
        assert_eq!(pack(1024, 100, 1), (1, 8));
    }

    #[test]
    fn the_last_subgroup_and_the_last_group_are_partial() {
        // 50 by 3 work-items in groups of 40 by 2: the far corner group is 10 by 1.
        let launch = launch([50, 3, 1], [40, 2, 1]);
        let (first, last) = (launch.local_size([0, 0, 0]), launch.local_size([1, 1, 0]));
        assert_eq!((first, last), ([40, 2, 1], [10, 1, 1]));
        assert_eq!((subgroups_of(first), subgroups_of(last)), (3, 1));
        assert_eq!([0, 1, 2, 3].map(|n| lanes_of(first, n)), [u32::MAX, u32::MAX, 0xFFFF, 0]);
        assert_eq!(lanes_of(last, 0), 0x3FF);
    }
}
