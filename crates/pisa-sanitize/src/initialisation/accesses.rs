//! Loads, stores and atomics: what memory lacks, and what is stored without a value.

use super::Here;
use super::memory::Place;
use super::origin::{OriginId, Root};
use super::report::{self, Complaint, Use};
use crate::access::{Access, Kind};
use crate::names::{Names, Space};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{LANES, LaneValues};
use std::ops::Range;

/// Bytes from the first to the last of an access that are looked at in one go.
const MOST_AT_ONCE: u64 = 4096;

/// Where an element goes.
#[derive(Clone, Copy)]
struct Target {
    place: Place,
    at: u64,
}

impl Here<'_, '_> {
    /// `ld`, `st`, `iatom`, `fatom`. `lacking`: lanes in which a register of it lacks something.
    pub(super) fn access(&mut self, access: &Access, lacking: u32) {
        self.address();
        match access.shape.kind {
            Kind::Load => self.load(access),
            Kind::Store => self.store(access, lacking),
            Kind::Modify => self.modify(access),
        }
    }

    /// Where an element of a lane's access goes; `None` outside every object, which is for another check.
    fn target(&self, access: &Access, lane: usize, element: u32) -> Option<Target> {
        let step = u64::from(element * access.shape.bytes);
        let address = access.addresses[lane];
        let narrow = u64::from(address as u32).wrapping_add(step);
        if access.shared >> lane & 1 == 1 {
            return Some(Target { place: Place::Shared(self.step.subgroup.group), at: narrow });
        }
        if access.private >> lane & 1 == 1 {
            return Some(Target { place: Place::Private(self.step.subgroup, lane), at: narrow });
        }
        let address = address.wrapping_add(step);
        let objects = self.context.memory.objects();
        let index = objects.partition_point(|object| object.address <= address).checked_sub(1)?;
        let at = address - objects[index].address;
        (at < objects[index].size).then_some(Target { place: Place::Global(index), at })
    }

    /// The memory that all active lanes go to and what its first byte's address is, where it is one.
    fn one_memory(&self, access: &Access) -> Option<(Place, u64)> {
        let lanes = self.step.lanes;
        let first = access.addresses[lanes.trailing_zeros() as usize % LANES as usize];
        if access.shared == lanes {
            // Generic ones have a tag above.
            return Some((Place::Shared(self.step.subgroup.group), first & !u64::from(u32::MAX)));
        }
        if access.global != lanes {
            return None;
        }
        let objects = self.context.memory.objects();
        let index = objects.partition_point(|object| object.address <= first).checked_sub(1)?;
        let object = &objects[index];
        let inside = |address: u64| address.wrapping_sub(object.address) < object.size;
        let all = access.addresses.iter().enumerate();
        all.fold(true, |all, (lane, &address)| all & (lanes >> lane & 1 == 0 || inside(address)))
            .then_some((Place::Global(index), object.address))
    }

    /// First and one past the last byte that the active lanes reach, where that is one memory and not too much.
    fn span(&self, access: &Access) -> Option<(Place, Range<u64>)> {
        let lanes = self.step.lanes;
        if access.private != 0 || (access.shared != 0 && access.shared != lanes) {
            return None;
        }
        let (mut least, mut most) = (u64::MAX, 0);
        for (lane, &address) in access.addresses.iter().enumerate() {
            if lanes >> lane & 1 == 1 {
                least = least.min(address);
                most = most.max(address);
            }
        }
        let end = most.checked_add(access.size())?;
        if end - least > MOST_AT_ONCE {
            return None;
        }
        if access.shared != 0 {
            let (from, to) = (u64::from(least as u32), u64::from(most as u32) + access.size());
            return (from < to).then_some((Place::Shared(self.step.subgroup.group), from..to));
        }
        let objects = self.context.memory.objects();
        let index = objects.partition_point(|object| object.address <= least).checked_sub(1)?;
        let base = objects[index].address;
        (end - base <= objects[index].size).then_some((Place::Global(index), least - base..end - base))
    }

    fn load(&mut self, access: &Access) {
        let site = self.site;
        let nothing_lacks = access.global == self.step.lanes && !self.memories.any_global;
        let clear = nothing_lacks
            || self.span(access).is_some_and(|(place, range)| {
                self.memories.shadow(place).is_none_or(|shadow| shadow.is_clear(range))
            });
        if clear {
            self.give(&site.writes);
            return;
        }
        let Some(slots) = self.slots(0) else { return };
        for element in 0..access.shape.elements {
            let (rows, origin) = self.read_shadow(access, element);
            for (half, slot) in slots.elements.slots(element as usize).enumerate() {
                let bits = rows.map(|row| (row >> (64 * half)) as u64);
                let width = slots.elements.bits.min(64);
                let origin = origin.unwrap_or_default();
                self.activation.registers.set(slot, self.step.lanes, &bits, width, origin);
            }
        }
    }

    /// What an element of memory lacks by lane, and where that came from.
    fn read_shadow(&mut self, access: &Access, element: u32) -> ([u128; LANES as usize], Option<OriginId>) {
        let mut rows = [0; LANES as usize];
        let mut origin = None;
        // All in one memory, as a rule, and nothing lacks.
        if let Some((place, base)) = self.one_memory(access) {
            let Some(shadow) = self.memories.shadow(place) else { return (rows, None) };
            let step = u64::from(element * access.shape.bytes);
            let mut all = 0;
            for (lane, &address) in access.addresses.iter().enumerate() {
                if self.step.lanes >> lane & 1 == 1 {
                    all |= shadow.get(address.wrapping_sub(base).wrapping_add(step), access.shape.bytes);
                }
            }
            if all == 0 {
                return (rows, None);
            }
        }
        for (lane, row) in rows.iter_mut().enumerate() {
            if self.step.lanes >> lane & 1 == 0 {
                continue;
            }
            let Some(target) = self.target(access, lane, element) else { continue };
            let Some(shadow) = self.memories.shadow(target.place) else { continue };
            *row = shadow.get(target.at, access.shape.bytes);
            if *row != 0 && origin.is_none() {
                origin = Some(self.origin_of_memory(target));
            }
        }
        (rows, origin)
    }

    fn origin_of_memory(&mut self, target: Target) -> OriginId {
        if let Some(origin) = self.memories.noted(target.place, target.at) {
            return origin;
        }
        let (space, address) = match target.place {
            Place::Global(index) => {
                let base = self.context.memory.object(index).map_or(0, |object| object.address);
                (Space::Global, base + target.at)
            }
            Place::Shared(_) => (Space::Shared, target.at),
            Place::Private(..) => (Space::Private, target.at),
        };
        let name = Names::new(self.context).text(space, address);
        let text = format!("loaded from `{name}`, to which nothing was stored before");
        self.origins.add(Root::Memory, Some(self.step.instruction.place), text)
    }

    fn store(&mut self, access: &Access, lacking: u32) {
        let data = (0..self.site.operands.len()).find(|&operand| operand != access.shape.address);
        let Some(data) = data else { return };
        if access.global & lacking != 0
            && let Some(slots) = self.slots(data)
        {
            self.complain(Use::Store, slots, access.global & lacking);
        }
        let lanes = self.step.lanes;
        let lacks = self.lacking_in(&[data]);
        if lacks == 0 {
            if access.global == lanes && !self.memories.any_global {
                return;
            }
            // Lanes next to each other fill a range.
            let size = access.size();
            let first = lanes.trailing_zeros();
            let start = access.addresses[first as usize % LANES as usize];
            let dense = (first..LANES).all(|lane| {
                let expected = start.wrapping_add(u64::from(lane - first) * size);
                lanes >> lane & 1 == 0 || access.addresses[lane as usize] == expected
            }) && (lanes >> first).wrapping_add(1).is_power_of_two()
                | (lanes >> first == u32::MAX);
            if dense && let Some((place, range)) = self.span(access) {
                if let Some(shadow) = self.memories.shadow(place) {
                    shadow.fill(range, 0);
                }
                return;
            }
            if let Some((place, base)) = self.one_memory(access) {
                let Some(shadow) = self.memories.shadow(place) else { return };
                for (lane, &address) in access.addresses.iter().enumerate() {
                    if lanes >> lane & 1 == 1 {
                        let at = address.wrapping_sub(base);
                        for element in 0..access.shape.elements {
                            shadow.set(at + u64::from(element * access.shape.bytes), access.shape.bytes, 0);
                        }
                    }
                }
                return;
            }
        }
        let slots = self.slots(data);
        let origin = self.carried(&[data], lanes);
        for element in 0..access.shape.elements {
            let mut halves = [[0; LANES as usize]; 2];
            if let Some(slots) = slots {
                for (half, slot) in slots.elements.slots(element as usize).enumerate() {
                    self.activation.registers.get(slot, &mut halves[half]);
                }
            }
            for lane in (0..LANES as usize).filter(|&lane| lanes >> lane & 1 == 1) {
                let bits = u128::from(halves[0][lane]) | u128::from(halves[1][lane]) << 64;
                self.write_shadow(access, lane, element, bits, origin);
            }
        }
    }

    /// Lanes in which some of these operands lack something.
    fn lacking_in(&self, operands: &[usize]) -> u32 {
        let slots = operands.iter().filter_map(|&operand| self.slots(operand));
        let slots = slots.flat_map(|slots| slots.elements.all());
        slots.fold(0, |all, slot| all | self.activation.registers.lacking(slot)) & self.step.lanes
    }

    fn write_shadow(&mut self, access: &Access, lane: usize, element: u32, bits: u128, origin: OriginId) {
        let Some(target) = self.target(access, lane, element) else { return };
        let Some(shadow) = self.memories.shadow(target.place) else { return };
        shadow.set(target.at, access.shape.bytes, bits);
        if bits != 0 {
            self.memories.note(target.place, target.at, origin);
        }
    }

    /// Atomics that modify: the result is what memory lacks; memory lacks what comes of it.
    fn modify(&mut self, access: &Access) {
        let site = self.site;
        let (rows, origin) = self.read_shadow(access, 0);
        if self.lacking_in(&site.read) == 0 && rows == [0; LANES as usize] {
            self.give(&site.writes);
            return;
        }
        let sources: Vec<usize> = site
            .read
            .iter()
            .copied()
            .filter(|&operand| operand != access.shape.address && self.slots(operand).is_some())
            .collect();
        for &operand in &sources {
            if let Some(slots) = self.slots(operand) {
                // Others see it in global memory; a comparison decides what they see in any.
                let decides = self.step.instruction.qualifier(SlotName::Op) == Some(Qualifier::Cas)
                    && operand == sources[0];
                let lanes = if decides { self.step.lanes } else { access.global };
                self.complain(Use::Store, slots, lanes & self.step.lanes);
            }
        }
        let exchange = self.step.instruction.qualifier(SlotName::Op) == Some(Qualifier::Xchg);
        let given: LaneValues = sources.iter().fold([0; LANES as usize], |all, &operand| {
            let bits = self.lacks(operand, 0);
            std::array::from_fn(|lane| all[lane] | bits[lane])
        });
        for lane in (0..LANES as usize).filter(|&lane| self.step.lanes >> lane & 1 == 1) {
            let own = if given[lane] == 0 { 0 } else { u128::MAX };
            let old = if exchange || rows[lane] == 0 { 0 } else { u128::MAX };
            let source = self.carried(&sources, 1 << lane);
            self.write_shadow(
                access,
                lane,
                0,
                own | old,
                if own != 0 { source } else { origin.unwrap_or_default() },
            );
        }
        // A counter that was never given a value counts from nothing.
        let lacking =
            (0..LANES).filter(|&lane| rows[lane as usize] != 0).fold(0, |set, lane| set | 1 << lane);
        if !exchange && lacking != 0 && self.step.instruction.row().opcode != Opcode::Ld {
            let complaint = Complaint {
                how: Use::Atomic,
                register: None,
                lanes: lacking,
                origin: origin.unwrap_or_default(),
            };
            report::complain(self.context, self.step, &complaint, self.origins, self.findings);
            for lane in (0..LANES as usize).filter(|&lane| lacking >> lane & 1 == 1) {
                self.write_shadow(access, lane, 0, 0, OriginId::default());
            }
            self.give(&site.writes);
            return;
        }
        if let Some(to) = self.slots(0) {
            for (half, slot) in to.elements.slots(0).enumerate() {
                let bits = rows.map(|row| (row >> (64 * half)) as u64);
                let width = to.elements.bits.min(64);
                self.activation.registers.set(
                    slot,
                    self.step.lanes,
                    &bits,
                    width,
                    origin.unwrap_or_default(),
                );
            }
        }
    }
}
