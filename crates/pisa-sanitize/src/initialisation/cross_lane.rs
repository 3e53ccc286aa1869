//! Cross-lane instructions: masks and lane numbers must have a value, and so must what lanes contribute.

use super::Here;
use super::report::Use;
use crate::shuffle;
use pisa_machine::LANES;

impl Here<'_, '_> {
    /// `shfl`: the mask and the lane number decide; the data is carried along (spec 7.4).
    pub(super) fn shuffle(&mut self) {
        for operand in [2, 3] {
            if let Some(slots) = self.slots(operand) {
                self.complain(Use::Choice, slots, self.step.lanes);
            }
        }
        let Some(to) = self.slots(0) else { return };
        let (index, masks) = (self.values(2, 0), self.values(3, 0));
        let sources = shuffle::sources(self.step.instruction, self.step.lanes, &index, &masks);
        let lacks = self.lacks(1, 0);
        let mut bits = lacks;
        for lane in 0..LANES as usize {
            let source = usize::from(sources.lane[lane]);
            let mask = masks[lane] as u32 & self.step.lanes;
            // A source that does not take part gives the own value.
            if sources.in_bounds >> lane & 1 == 1 && mask >> source & 1 == 1 {
                bits[lane] = lacks[source];
            }
        }
        let origin = self.carried(&[1], self.step.lanes);
        let slot = to.elements.slots(0).start;
        self.activation.registers.set(slot, sources.taking_part, &bits, 32, origin);
    }

    /// `ired`, `fred`: every lane that takes part contributes (spec 7.1, 7.2).
    pub(super) fn reduce(&mut self) {
        if let Some(slots) = self.slots(2) {
            self.complain(Use::Choice, slots, self.step.lanes);
        }
        let masks = self.values(2, 0);
        let (mut written, mut contributing) = (0u32, 0u32);
        for (lane, &mask) in masks.iter().enumerate() {
            let mask = mask as u32 & self.step.lanes;
            if self.step.lanes >> lane & mask >> lane & 1 == 1 {
                written |= 1 << lane;
                contributing |= mask;
            }
        }
        if let Some(slots) = self.slots(1) {
            self.complain(Use::Contribution, slots, contributing);
        }
        if let Some(to) = self.slots(0) {
            for slot in to.elements.all() {
                self.activation.registers.clear(slot, written);
            }
        }
    }

    /// `redfirstidx`: the mask decides, and every active lane gets the result (S-06).
    pub(super) fn first_index(&mut self) {
        if let Some(slots) = self.slots(1) {
            self.complain(Use::Choice, slots, self.step.lanes);
        }
        let site = self.site;
        self.give(&site.writes);
    }
}
