//! What the sub-groups last stored by each instruction: to tell whether two stores that race store the same.

use super::site::{Effect, Sites};
use crate::access::Access;
use pisa_isa::Qualifier;
use pisa_machine::{LANES, LaneValues, Step, SubGroupId};
use rustc_hash::FxHashMap;

/// A store of a sub-group.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) lanes: u32,
    addresses: LaneValues,
    /// By element.
    values: Vec<LaneValues>,
    /// Bytes of an element.
    element: u32,
}

impl Store {
    /// The byte that a lane stored at an address (of shared memory its low 32 bits).
    pub(super) fn byte(&self, lane: u32, address: u64) -> Option<u8> {
        let lane = lane as usize % LANES as usize;
        if self.lanes >> lane & 1 == 0 || self.element == 0 {
            return None;
        }
        let offset = address.checked_sub(self.addresses[lane])?;
        let element = usize::try_from(offset / u64::from(self.element)).ok()?;
        let value = self.values.get(element)?[lane];
        Some((value >> (8 * (offset % u64::from(self.element)))) as u8)
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// By number of site: which of the stores it is.
    numbers: Vec<u32>,
    count: usize,
    /// By work-group, then by sub-group and store.
    groups: FxHashMap<u64, Vec<Vec<Store>>>,
    /// The store that is about to happen.
    present: Store,
    number: usize,
}

impl Stored {
    pub(super) fn new(sites: &Sites) -> Stored {
        let mut count = 0;
        let mut numbers = Vec::with_capacity(sites.list.len());
        for number in 0..sites.list.len() as u32 {
            numbers.push(count as u32);
            count += usize::from(sites.access(number).is_some_and(|site| site.effect == Effect::Write));
        }
        Stored { numbers, count, ..Stored::default() }
    }

    /// Reads what a step is about to store.
    pub(super) fn read(&mut self, step: &Step<'_>, access: &Access, site: u32) {
        let Some(&number) = self.numbers.get(site as usize) else { return };
        self.number = number as usize;
        let present = &mut self.present;
        (present.lanes, present.element) = (step.lanes, access.shape.bytes);
        present.addresses = access.addresses;
        if access.shape.space == Qualifier::Generic && access.shared != 0 {
            for (lane, address) in present.addresses.iter_mut().enumerate() {
                if access.shared >> lane & 1 == 1 {
                    *address &= u64::from(u32::MAX);
                }
            }
        }
        present.values.resize(access.shape.elements as usize, LaneValues::default());
        let operand = usize::from(access.shape.address == 0);
        for (element, values) in present.values.iter_mut().enumerate() {
            step.view.read(operand, element, values);
        }
    }

    /// The store that is about to happen.
    pub(super) fn present(&self) -> &Store {
        &self.present
    }

    /// It has happened.
    pub(super) fn keep(&mut self, subgroup: SubGroupId) {
        let subgroups = self.groups.entry(subgroup.group).or_default();
        let at = subgroup.number as usize;
        if subgroups.len() <= at {
            subgroups.resize_with(at + 1, Vec::new);
        }
        let stores = &mut subgroups[at];
        if stores.is_empty() {
            stores.resize_with(self.count, Store::default);
        }
        if let Some(store) = stores.get_mut(self.number) {
            std::mem::swap(store, &mut self.present);
        }
    }

    /// What a sub-group stored when it last executed a site.
    pub(super) fn last(&self, subgroup: SubGroupId, site: u32) -> Option<&Store> {
        let number = *self.numbers.get(site as usize)?;
        self.groups.get(&subgroup.group)?.get(subgroup.number as usize)?.get(number as usize)
    }

    pub(super) fn end_group(&mut self, group: u64) {
        self.groups.remove(&group);
    }
}
