//! What atomic stores have published at each location, for those who read what they wrote.

use super::clock::{Clocks, Regions};
use super::knowledge::Scope;
use rustc_hash::FxHashMap;

/// Who may learn of it: the scope of the store reached them, and the store lies in the scope of their read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Audience {
    Launch,
    WorkGroup(u32),
    SubGroup(u32),
}

/// What the value of a location carries: of the store that wrote it, and of the release sequence that read-modify-writes
/// continued (C++20; Y-08).
#[derive(Debug, Default)]
struct Publication {
    /// Bytes of the location.
    size: u64,
    /// The scopes of releases, each with all that was released in it.
    parts: Vec<(Audience, Clocks)>,
}

/// The publications of some locations, by address.
#[derive(Debug)]
pub(super) struct Publications {
    locations: FxHashMap<u64, Publication>,
    /// Where they all lie, or lay.
    range: (u64, u64),
    /// Parts of all, and how many there were when those of ended work-groups were last taken out.
    parts: usize,
    swept: usize,
}

impl Default for Publications {
    fn default() -> Publications {
        Publications { locations: FxHashMap::default(), range: (u64::MAX, 0), parts: 0, swept: 0 }
    }
}

/// The work-group and sub-group of a lane that publishes or reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membership {
    pub(super) group: u32,
    pub(super) subgroup: u32,
}

impl Membership {
    fn audience(self, scope: Scope) -> Audience {
        match scope {
            Scope::SubGroup => Audience::SubGroup(self.subgroup),
            Scope::WorkGroup => Audience::WorkGroup(self.group),
            Scope::Launch => Audience::Launch,
        }
    }
}

/// Parts of ended work-groups that are not worth looking for.
const FEW: usize = 1024;

impl Publications {
    pub(super) fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// What there is for readers of each scope.
    pub(super) fn read(&self, address: u64, reader: Membership) -> Option<[Option<Clocks>; 3]> {
        let publication = self.locations.get(&address)?;
        let part = |scope| {
            let audience = reader.audience(scope);
            publication.parts.iter().find(|part| part.0 == audience).map(|part| part.1.clone())
        };
        Some(Scope::ALL.map(part))
    }

    /// An atomic store: what it releases takes the place of what was there, or is added where it also reads. `heard` is the
    /// scope in which it has just acquired what was there and releases all it knows.
    pub(super) fn write(
        &mut self,
        (address, size): (u64, u64),
        writer: Membership,
        released: [Option<Clocks>; 3],
        (is_modification, heard): (bool, Option<Scope>),
    ) {
        if !is_modification {
            self.remove(address);
        }
        for (scope, clocks) in Scope::ALL.into_iter().zip(released) {
            let Some(clocks) = clocks else { continue };
            let publication = self.locations.entry(address).or_default();
            publication.size = size;
            self.range = (self.range.0.min(address), self.range.1.max(address + size));
            let audience = writer.audience(scope);
            match publication.parts.iter_mut().find(|part| part.0 == audience) {
                // It has all of it.
                Some(part) if heard.is_some_and(|heard| heard >= scope) => part.1 = clocks,
                Some(part) => {
                    part.1.join(&clocks, Regions::BOTH);
                }
                None => {
                    publication.parts.push((audience, clocks));
                    self.parts += 1;
                }
            }
        }
    }

    fn remove(&mut self, address: u64) {
        if let Some(publication) = self.locations.remove(&address) {
            self.parts -= publication.parts.len();
        }
    }

    /// Bytes are stored to by weak accesses.
    pub(super) fn overwrite(&mut self, address: u64, size: u64) {
        let end = address.saturating_add(size);
        if self.locations.is_empty() || end <= self.range.0 || self.range.1 <= address {
            return;
        }
        // Atomic accesses are aligned to 2 bytes at least, and have at most 16.
        for at in (address.saturating_sub(15) & !1..end).step_by(2) {
            if self.locations.get(&at).is_some_and(|publication| at + publication.size > address) {
                self.remove(at);
            }
        }
    }

    /// Work-groups have ended: nobody of them will read any more.
    pub(super) fn sweep(&mut self, is_live: impl Fn(u32) -> bool, subgroups: u32) {
        if self.parts < FEW + 2 * self.swept {
            return;
        }
        for publication in self.locations.values_mut() {
            publication.parts.retain(|part| match part.0 {
                Audience::Launch => true,
                Audience::WorkGroup(group) => is_live(group),
                Audience::SubGroup(subgroup) => is_live(subgroup / subgroups),
            });
        }
        self.locations.retain(|_, publication| !publication.parts.is_empty());
        self.parts = self.locations.values().map(|publication| publication.parts.len()).sum();
        self.swept = self.parts;
    }
}
