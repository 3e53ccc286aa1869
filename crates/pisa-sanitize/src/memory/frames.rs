//! Frames of private memory: which belong to an activation and its callers, and which are over.

use pisa_machine::{Entry, SubGroupId};
use pisa_module::FunctionId;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The frame of an activation.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) range: Range<u32>,
    caller: Option<u64>,
    inside: u32,
}

/// Frames of one sub-group.
#[derive(Debug, Default)]
struct SubGroup {
    live: FxHashMap<u64, Frame>,
    /// Frames that are over and that no later one covers, the latest last.
    over: Vec<(Range<u32>, FunctionId)>,
}

/// Frames of all sub-groups.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    subgroups: FxHashMap<SubGroupId, SubGroup>,
}

impl Frames {
    pub(crate) fn enter(&mut self, entry: &Entry) {
        let subgroup = self.subgroups.entry(entry.subgroup).or_default();
        let (function, range) = (entry.function, entry.private.clone());
        let caller = entry.call.map(|(caller, _)| caller);
        subgroup.live.insert(entry.activation, Frame { function, range, caller, inside: entry.lanes });
    }

    pub(crate) fn leave(&mut self, id: SubGroupId, activation: u64, lanes: u32) {
        let Some(subgroup) = self.subgroups.get_mut(&id) else { return };
        let Some(frame) = subgroup.live.get_mut(&activation) else { return };
        frame.inside &= !lanes;
        let (range, function, empty) = (frame.range.clone(), frame.function, frame.inside == 0);
        if empty {
            subgroup.live.remove(&activation);
        }
        if !range.is_empty() && subgroup.over.last() != Some(&(range.clone(), function)) {
            subgroup.over.retain(|(old, _)| old.start < range.start || range.end < old.end);
            subgroup.over.push((range, function));
        }
    }

    pub(crate) fn end_group(&mut self, group: u64) {
        self.subgroups.retain(|id, _| id.group != group);
    }

    /// The frame of an activation or of one of its callers that holds this address.
    pub(crate) fn live_at(&self, id: SubGroupId, activation: u64, address: u64) -> Option<&Frame> {
        let subgroup = self.subgroups.get(&id)?;
        let mut next = Some(activation);
        while let Some(frame) = next.and_then(|activation| subgroup.live.get(&activation)) {
            if u64::from(frame.range.start) <= address && address < u64::from(frame.range.end) {
                return Some(frame);
            }
            next = frame.caller;
        }
        None
    }

    /// The function whose frame, which is over, held this address last.
    pub(crate) fn over_at(&self, id: SubGroupId, address: u64) -> Option<(u64, FunctionId)> {
        let over = &self.subgroups.get(&id)?.over;
        let holds = |range: &Range<u32>| u64::from(range.start) <= address && address < u64::from(range.end);
        over.iter().rev().find(|(range, _)| holds(range)).map(|(range, id)| (u64::from(range.start), *id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBGROUP: SubGroupId = SubGroupId { group: 0, number: 0 };

    fn entry(activation: u64, caller: Option<u64>, function: u32, private: Range<u32>) -> Entry {
        let (call, function) = (caller.map(|caller| (caller, 0)), FunctionId(function));
        Entry { subgroup: SUBGROUP, call, function, activation, lanes: 3, private }
    }

    #[test]
    fn a_frame_lives_until_its_lanes_have_left() {
        let mut frames = Frames::default();
        frames.enter(&entry(0, None, 0, 0..16));
        frames.enter(&entry(1, Some(0), 1, 16..48));
        assert_eq!(frames.live_at(SUBGROUP, 1, 47).unwrap().function, FunctionId(1));
        assert_eq!(frames.live_at(SUBGROUP, 1, 15).unwrap().function, FunctionId(0));
        assert!(frames.live_at(SUBGROUP, 0, 16).is_none());
        assert!(frames.over_at(SUBGROUP, 16).is_none());
        // The first lane that leaves cannot reach it any more.
        frames.leave(SUBGROUP, 1, 1);
        assert_eq!(frames.over_at(SUBGROUP, 16), Some((16, FunctionId(1))));
        assert!(frames.live_at(SUBGROUP, 1, 16).is_some());
        frames.leave(SUBGROUP, 1, 2);
        assert!(frames.live_at(SUBGROUP, 1, 16).is_none());
    }

    #[test]
    fn a_later_frame_takes_the_place_of_one_that_is_over() {
        let mut frames = Frames::default();
        frames.enter(&entry(0, None, 0, 0..0));
        frames.enter(&entry(1, Some(0), 1, 0..32));
        frames.leave(SUBGROUP, 1, 3);
        frames.enter(&entry(2, Some(0), 2, 0..16));
        frames.leave(SUBGROUP, 2, 3);
        assert_eq!(frames.over_at(SUBGROUP, 0), Some((0, FunctionId(2))));
        assert_eq!(frames.over_at(SUBGROUP, 20), Some((0, FunctionId(1))));
        assert_eq!(frames.over_at(SUBGROUP, 32), None);
    }
}
