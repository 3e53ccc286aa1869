//! Who wrote memory last.

use crate::access::Access;
use pisa_diag::Place;
use pisa_machine::{LANES, Step};
use rustc_hash::FxHashMap;

/// Most words that are remembered; of those that come later it is not known who wrote them.
const MOST: usize = 1 << 20;
/// Bytes of a word that is remembered.
const WORD: u64 = 4;

/// Who wrote something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer {
    /// Its work-group.
    pub group: [u64; 3],
    /// Its sub-group.
    pub subgroup: u32,
    /// Its lane.
    pub lane: u32,
    /// The instruction.
    pub place: Place,
}

/// An address that work-items have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Location {
    Global(u64),
    /// In the shared memory of the work-group with this number.
    Shared(u64, u64),
}

impl Location {
    /// Where a lane of an access goes; `None` in private memory.
    pub(super) fn of(access: &Access, lane: usize, group: u64) -> Option<Location> {
        let address = access.addresses[lane];
        if access.global >> lane & 1 == 1 {
            Some(Location::Global(address))
        } else if access.shared >> lane & 1 == 1 {
            Some(Location::Shared(group, address & 0xFFFF_FFFF))
        } else {
            None
        }
    }
}

/// The last writer of each word that was written.
#[derive(Default)]
pub(super) struct Writers {
    global: FxHashMap<u64, Writer>,
    /// By work-group.
    shared: FxHashMap<u64, FxHashMap<u64, Writer>>,
}

impl Writers {
    /// These lanes of an access have written.
    pub(super) fn wrote(&mut self, access: &Access, lanes: u32, step: &Step<'_>, place: Place) {
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let Some(location) = Location::of(access, lane as usize, step.subgroup.group) else { continue };
            let writer = Writer { group: step.group, subgroup: step.subgroup.number, lane, place };
            for offset in (0..access.size()).step_by(WORD as usize) {
                let (words, address) = match location {
                    Location::Global(address) => (&mut self.global, address),
                    Location::Shared(group, address) => (self.shared.entry(group).or_default(), address),
                };
                let word = address.wrapping_add(offset) / WORD;
                if words.len() < MOST || words.contains_key(&word) {
                    words.insert(word, writer);
                }
            }
        }
    }

    pub(super) fn last(&self, location: Location) -> Option<Writer> {
        match location {
            Location::Global(address) => self.global.get(&(address / WORD)).copied(),
            Location::Shared(group, address) => self.shared.get(&group)?.get(&(address / WORD)).copied(),
        }
    }

    /// The shared memory of a work-group is gone.
    pub(super) fn end_group(&mut self, group: u64) {
        self.shared.remove(&group);
    }
}
