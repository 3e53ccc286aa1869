//! The address spaces (spec 2.1) as one lane sees them.

use crate::qualifiers::Qualifiers;
use pisa_isa::{Qualifier, SlotName};
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, Memory, StopReason};

/// The memory that one lane reaches.
pub(crate) struct LaneMemory<'a> {
    /// Global and constant memory.
    pub(crate) global: &'a Memory,
    /// Shared memory of the work-group (V-17).
    pub(crate) shared: &'a mut [u8],
    /// Private memory of the work-item, up to the end of the running activation's frame (V-16).
    pub(crate) private: &'a mut [u8],
    /// The argument buffer (K-02).
    pub(crate) arguments: &'a [u8],
    /// Goes up with every store that changes a byte somewhere.
    pub(crate) changes: &'a mut u64,
}

/// An address in one of the spaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Location {
    /// In global memory, of which constant memory is a part (M-27).
    Global(u64),
    /// In shared memory.
    Shared(u32),
    /// In private memory.
    Private(u32),
}

impl Location {
    /// The address in its space.
    pub(crate) fn address(self) -> u64 {
        match self {
            Location::Global(address) => address,
            Location::Shared(address) | Location::Private(address) => u64::from(address),
        }
    }
}

impl LaneMemory<'_> {
    /// Where an address leads by `.addrspace`, a generic one by its tag (M-01, D-24, D-28).
    pub(crate) fn location(&self, q: &Qualifiers, address: u64) -> Location {
        match q.get(SlotName::Addrspace) {
            Some(Qualifier::Shared) => Location::Shared(address as u32),
            Some(Qualifier::Private) => Location::Private(address as u32),
            Some(Qualifier::Generic) => match address & GENERIC_TAG {
                GENERIC_SHARED => Location::Shared(address as u32),
                GENERIC_PRIVATE => Location::Private(address as u32),
                _ => Location::Global(address),
            },
            _ => Location::Global(address),
        }
    }

    /// A byte of the argument buffer.
    pub(crate) fn argument(&self, at: usize) -> Option<u8> {
        self.arguments.get(at).copied()
    }

    /// Reads bytes; false where they are not wholly inside an object or memory.
    pub(crate) fn read(&self, location: Location, into: &mut [u8]) -> bool {
        let memory: &[u8] = match location {
            Location::Global(address) => {
                let Some(object) = self.global.find(address, into.len() as u64) else { return false };
                object.read(address - object.address, into);
                return true;
            }
            Location::Shared(_) => self.shared,
            Location::Private(_) => self.private,
        };
        let start = location.address() as usize;
        let Some(bytes) = memory.get(start..start + into.len()) else { return false };
        into.copy_from_slice(bytes);
        true
    }

    /// Writes bytes, none where they are not wholly inside an object or memory. Constant memory stops the launch (V-14).
    pub(crate) fn write(&mut self, location: Location, from: &[u8]) -> Result<(), StopReason> {
        let memory: &mut [u8] = match location {
            Location::Global(address) => {
                let Some(object) = self.global.find(address, from.len() as u64) else { return Ok(()) };
                if !object.writable {
                    return Err(StopReason::StoreToConst(address));
                }
                let offset = address - object.address;
                let mut old = [0; 16];
                let old = &mut old[..from.len()];
                object.read(offset, old);
                if old != from {
                    *self.changes += 1;
                    object.write(offset, from);
                }
                return Ok(());
            }
            Location::Shared(_) => self.shared,
            Location::Private(_) => self.private,
        };
        let start = location.address() as usize;
        if let Some(bytes) = memory.get_mut(start..start + from.len())
            && bytes != from
        {
            *self.changes += 1;
            bytes.copy_from_slice(from);
        }
        Ok(())
    }
}
