//! Which bits of memory have no value: a byte of shadow a byte, where anything lacks one.

use super::origin::OriginId;
use pisa_machine::{LANES, Memory, SubGroupId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A byte of shadow a byte: bits that are 1 have no value.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    bytes: Vec<u8>,
}

impl Shadow {
    pub(crate) fn undefined(size: usize) -> Shadow {
        Shadow { bytes: vec![0xFF; size] }
    }

    /// The bits of 1, 2, 4, 8 or 16 bytes; those outside have a value, for another check sees to them.
    #[inline]
    pub(crate) fn get(&self, at: u64, size: u32) -> u128 {
        let bytes = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let word = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u128::from(u32::from_le_bytes(*bytes)));
        match size {
            1 => bytes.first().map_or(0, |&byte| u128::from(byte)),
            2 => bytes.first_chunk().map_or(0, |bytes| u128::from(u16::from_le_bytes(*bytes))),
            4 => word(bytes.first_chunk()),
            8 => bytes.first_chunk().map_or(0, |bytes| u128::from(u64::from_le_bytes(*bytes))),
            _ => bytes.first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes)),
        }
    }

    /// Whether every bit of the range has a value.
    pub(crate) fn is_clear(&self, range: Range<u64>) -> bool {
        let bytes = self.bytes.get(range.start as usize..range.end as usize);
        bytes.is_none_or(|bytes| bytes.iter().fold(0, |all, byte| all | byte) == 0)
    }

    /// Sets the bits of up to 16 bytes, nothing where they are not wholly inside.
    pub(crate) fn set(&mut self, at: u64, size: u32, bits: u128) {
        let size = size.min(16) as usize;
        let Ok(at) = usize::try_from(at) else { return };
        let Some(end) = at.checked_add(size) else { return };
        if let Some(bytes) = self.bytes.get_mut(at..end) {
            bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// Gives or takes the values of a range.
    pub(crate) fn fill(&mut self, range: Range<u64>, byte: u8) {
        if let Some(bytes) = self.bytes.get_mut(range.start as usize..range.end as usize) {
            bytes.fill(byte);
        }
    }
}

/// The memories of a launch.
#[derive(Debug, Default)]
pub(crate) struct Memories {
    /// By object of global and constant memory: its shadow; `None` where every byte has a value.
    global: Vec<Option<Shadow>>,
    /// Whether any of them lacks something.
    pub(crate) any_global: bool,
    /// Shared memory by work-group.
    shared: FxHashMap<u64, Shadow>,
    /// Private memory by sub-group, then by lane.
    private: FxHashMap<SubGroupId, Vec<Shadow>>,
    /// Where the undefined values came from that a program stored, by space and address of the word.
    stored: FxHashMap<(Place, u64), OriginId>,
}

/// A memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    /// An object of global or constant memory, by index.
    Global(usize),
    /// Shared memory of a work-group.
    Shared(u64),
    /// Private memory of a lane.
    Private(SubGroupId, usize),
}

impl Memories {
    /// The global objects as they are before the launch.
    pub(crate) fn new(memory: &Memory) -> Memories {
        let mut memories = Memories::default();
        for object in memory.objects() {
            memories.global.push((object.given() < object.size).then(|| {
                memories.any_global = true;
                let mut shadow = Shadow::undefined(object.size as usize);
                shadow.fill(0..object.given(), 0);
                shadow
            }));
        }
        memories
    }

    pub(crate) fn begin_group(&mut self, group: u64, shared_size: u32) {
        if shared_size > 0 {
            self.shared.insert(group, Shadow::undefined(shared_size as usize));
        }
    }

    pub(crate) fn end_group(&mut self, group: u64) {
        self.shared.remove(&group);
        self.private.retain(|subgroup, _| subgroup.group != group);
        if !self.stored.is_empty() {
            self.stored.retain(|(place, _), _| match place {
                Place::Global(_) => true,
                Place::Shared(of) => *of != group,
                Place::Private(subgroup, _) => subgroup.group != group,
            });
        }
    }

    /// A new activation: its private memory has no values (V-16).
    pub(crate) fn enter(&mut self, subgroup: SubGroupId, lanes: u32, private: Range<u32>) {
        if private.is_empty() {
            return;
        }
        let all =
            self.private.entry(subgroup).or_insert_with(|| (0..LANES).map(|_| Shadow::default()).collect());
        for (lane, shadow) in all.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                shadow.bytes.resize(shadow.bytes.len().max(private.end as usize), 0xFF);
                shadow.bytes[private.start as usize..private.end as usize].fill(0xFF);
            }
        }
    }

    /// The shadow of a memory; `None` where every byte has a value.
    pub(crate) fn shadow(&mut self, place: Place) -> Option<&mut Shadow> {
        match place {
            Place::Global(index) => self.global.get_mut(index)?.as_mut(),
            Place::Shared(group) => self.shared.get_mut(&group),
            Place::Private(subgroup, lane) => self.private.get_mut(&subgroup)?.get_mut(lane),
        }
    }

    /// Notes where a stored lack came from.
    pub(crate) fn note(&mut self, place: Place, at: u64, origin: OriginId) {
        self.stored.insert((place, at & !3), origin);
    }

    /// Where the lack of a value came from that the program stored; `None` where it never stored any.
    pub(crate) fn noted(&self, place: Place, at: u64) -> Option<OriginId> {
        self.stored.get(&(place, at & !3)).copied()
    }
}
