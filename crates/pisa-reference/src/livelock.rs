//! The search for lanes that run in circles.
//!
//! What a sub-group does next follows from its own state and from memory. When its state comes back while no store has
//! changed a byte of any memory meanwhile, it comes back for ever, unless somebody else changes memory. When that is so
//! for every sub-group that can run, nobody will: a livelock. A loop that also counts its turns never comes back to a
//! state; the fuel ends it.

use crate::subgroup::{Lane, SubGroup};

/// Jumps back without a change of memory before the first state is kept.
const QUIET: u64 = 1 << 10;

/// How the search stands for one sub-group.
#[derive(Default)]
pub(crate) struct Watch {
    /// Changes of memory that have been seen.
    changes: u64,
    /// Jumps back since the last of them.
    jumps: u64,
    /// An earlier state since then.
    kept: Option<(Vec<Lane>, Vec<u128>)>,
    /// Whether the state has come back since then.
    circling: bool,
}

impl Watch {
    /// Whether the sub-group is known to run in circles as long as memory stays as it is after that many changes.
    pub(crate) fn is_circling(&self, changes: u64) -> bool {
        self.circling && self.changes == changes
    }

    /// Something else than a store has changed what will happen: a barrier has let lanes go on.
    pub(crate) fn restart(&mut self) {
        *self = Watch::default();
    }
}

impl SubGroup {
    /// Looks whether the state after a jump back was there before; `changes` counts the changes of memory so far.
    pub(crate) fn watch(&mut self, changes: u64) {
        if self.watch.changes != changes {
            self.watch = Watch { changes, ..Watch::default() };
        }
        self.watch.jumps += 1;
        if self.watch.jumps < QUIET {
            return;
        }
        if let Some((lanes, registers)) = &self.watch.kept
            && lanes[..] == self.lanes
            && self.registers().eq(registers.iter().copied())
        {
            self.watch.circling = true;
        }
        // Kept at ever longer distances, so that a circle of any length fits in between.
        if self.watch.jumps.is_power_of_two() {
            self.watch.kept = Some((self.lanes.to_vec(), self.registers().collect()));
        }
    }

    fn registers(&self) -> impl Iterator<Item = u128> + '_ {
        self.activations.values().flat_map(|activation| activation.registers.iter().copied())
    }
}
