//! What the workers of a launch share: work-groups, fuel, what stopped the launch.

use pisa_machine::{Launch, Stop};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Least share of fuel that is taken at once.
const LEAST_FUEL: u64 = 256;
/// Largest share.
const MOST_FUEL: u64 = 1 << 26;

/// Shared by all workers.
pub(crate) struct Pool {
    groups: AtomicU64,
    total: u64,
    counts: [u64; 3],
    fuel: AtomicU64,
    threads: u64,
    stopping: AtomicBool,
    stop: Mutex<Option<Stop>>,
    progress: AtomicU64,
    stuck: Mutex<Vec<Stuck>>,
}

/// What a worker knows about itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stuck {
    /// It may change something.
    No,
    /// It goes round in circles unless others change something after this count of changes.
    Since(u64),
    /// It has nothing left to do.
    Gone,
}

impl Pool {
    /// For a launch on so many threads.
    pub(crate) fn new(launch: &Launch, threads: usize) -> Pool {
        let counts = launch.group_count();
        let total = counts.iter().fold(1u64, |product, &n| product.saturating_mul(n));
        Pool {
            groups: AtomicU64::new(0),
            total,
            counts,
            fuel: AtomicU64::new(launch.fuel),
            threads: threads.max(1) as u64,
            stopping: AtomicBool::new(false),
            stop: Mutex::new(None),
            progress: AtomicU64::new(0),
            stuck: Mutex::new(vec![Stuck::No; threads.max(1)]),
        }
    }

    /// Takes the next work-groups, up to `wanted`; none where all have begun.
    pub(crate) fn take_groups(&self, wanted: u64) -> Range<u64> {
        let take = |from: u64| {
            let to = from.saturating_add(wanted).min(self.total);
            (from < to).then_some(to)
        };
        if self.all_begun() {
            return 0..0;
        }
        // Before they are taken: whoever sees that all have begun must see this, too.
        self.note_progress();
        match self.groups.fetch_update(Ordering::AcqRel, Ordering::Acquire, take) {
            Ok(from) => from..from.saturating_add(wanted).min(self.total),
            Err(_) => 0..0,
        }
    }

    /// The id of a work-group: x fastest.
    pub(crate) fn group_id(&self, index: u64) -> [u64; 3] {
        let [x, y, _] = self.counts;
        [index % x, index / x % y, index / x / y]
    }

    /// Whether all work-groups have begun.
    pub(crate) fn all_begun(&self) -> bool {
        self.groups.load(Ordering::Acquire) >= self.total
    }

    /// Takes a share of the fuel; 0 where there is none left.
    pub(crate) fn take_fuel(&self) -> u64 {
        let share = |left: u64| {
            if self.threads == 1 {
                left
            } else {
                (left / (4 * self.threads)).clamp(LEAST_FUEL, MOST_FUEL).min(left)
            }
        };
        let take = |left: u64| Some(left - share(left));
        let before = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        before.map_or(0, share)
    }

    /// Gives back what was not used.
    pub(crate) fn return_fuel(&self, rest: u64) {
        self.fuel.fetch_add(rest, Ordering::Relaxed);
    }

    /// Stops the launch; the first reason stands.
    pub(crate) fn stop(&self, stop: Stop) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(stop);
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the launch has been stopped.
    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// What stopped it.
    pub(crate) fn into_stop(self) -> Option<Stop> {
        self.stop.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that something has changed which others may wait for.
    pub(crate) fn note_progress(&self) {
        self.progress.fetch_add(1, Ordering::AcqRel);
    }

    /// Count of the changes so far.
    pub(crate) fn progress(&self) -> u64 {
        self.progress.load(Ordering::Acquire)
    }

    /// Says that a worker will go round in circles for ever unless something has changed since `progress`. True when
    /// that holds for all workers.
    pub(crate) fn note_stuck(&self, worker: usize, progress: u64) -> bool {
        let mut stuck = self.stuck.lock().unwrap_or_else(PoisonError::into_inner);
        stuck[worker] = Stuck::Since(progress);
        let all = stuck.iter().all(|&s| s == Stuck::Gone || s == Stuck::Since(progress));
        self.all_begun() && all && self.progress() == progress
    }

    /// Says that a worker has nothing left to do.
    pub(crate) fn note_gone(&self, worker: usize) {
        self.stuck.lock().unwrap_or_else(PoisonError::into_inner)[worker] = Stuck::Gone;
    }
}
