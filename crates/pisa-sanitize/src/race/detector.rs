//! The detector: happens-before of one launch, and what is remembered of its accesses.
//!
//! Work-items are threads of the C++ memory model with scopes (spec 1.2.1). The methods are the events of sub-groups in the order
//! in which they happen; it knows of no engine.

use super::accessor::{Accessor, Conflict, Pass, World};
use super::clock::{Clocks, Height, Region, Regions};
use super::histories::Transitions;
use super::knowledge::{Accessors, Fence, Scope, SubGroup};
use super::publications::{Membership, Publications};
use super::record::{Entry, Who};
use super::segments::Segments;
use super::shadow::{Shadow, Span};
use super::site::{AccessSite, Effect, Sites};
use pisa_machine::LaneValues;
use rustc_hash::FxHashMap;

/// A work-group that runs.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) subgroups: Vec<SubGroup>,
    /// What those who have arrived at the barrier brought.
    brought: Clocks,
    /// What was brought to the last barrier, and what all who live know, or will with their next acquire-side fence as
    /// soon as anything else that they read tells it.
    last_brought: Clocks,
    common: Clocks,
    /// The site at which lanes last arrived at a barrier.
    pub(super) barrier: Option<u32>,
    shared: Shadow,
    publications: Publications,
}

/// A range of global memory that can be stored to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) address: u64,
    pub(super) size: u64,
}

impl Group {
    /// Sub-groups have acquired what was brought to the last barrier: it may be all of them now.
    fn inform(&mut self, height: Height) {
        let all = |region| self.subgroups.iter().all(|subgroup| subgroup.informed.has(region));
        let regions = Regions { shared: all(Region::Shared), global: all(Region::Global) };
        if self.common.join(&self.last_brought, regions) {
            for subgroup in &mut self.subgroups {
                subgroup.compare(height, u32::MAX, &self.common);
            }
        }
    }
}

impl Range {
    fn holds(&self, address: u64, size: u64) -> bool {
        address >= self.address && size <= self.size && address - self.address <= self.size - size
    }
}

/// An access of a sub-group.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    pub(super) group: u64,
    /// The sub-group in it.
    pub(super) subgroup: u32,
    pub(super) lanes: u32,
    pub(super) site: u32,
    pub(super) region: Region,
    pub(super) addresses: &'a LaneValues,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Detector {
    pub(super) world: World,
    /// An acquire-release fence before a barrier counts for both sides (Y-03).
    fence_counts_twice: bool,
    /// Shared memory of a work-group.
    shared: Range,
    pub(super) groups: FxHashMap<u64, Group>,
    /// Sorted by address, each with its shadow.
    ranges: Vec<(Range, Shadow)>,
    /// Where the last access went.
    last_range: usize,
    publications: Publications,
    /// Of groups that have ended, for their room.
    spare: Vec<Shadow>,
    segments: Segments,
    transitions: Transitions,
    pub(super) conflicts: Vec<Conflict>,
    /// Much is remembered of what the last access touched.
    is_long: bool,
}

/// The narrowest scope in which anybody acquires.
fn least_scope(sites: &Sites) -> Scope {
    if sites.fence_sub_groups() { Scope::SubGroup } else { Scope::WorkGroup }
}

impl Detector {
    /// For a launch of this many work-groups, each of at most so many sub-groups.
    pub(super) fn new(
        sites: Sites,
        groups: u64,
        subgroups: u32,
        fence_counts_twice: bool,
        shared_size: u64,
        ranges: impl Iterator<Item = Range>,
    ) -> Detector {
        let subgroups = subgroups.max(1);
        let world = World {
            height: Height::of(groups.saturating_mul(u64::from(subgroups))),
            subgroups,
            groups_are_ordered: sites.order_work_groups(),
            atomics_reach_all: sites.atomics_reach_all(),
            atomics_acquire: sites.atomics_acquire(),
            least_scope: least_scope(&sites),
            sites,
        };
        Detector {
            world,
            fence_counts_twice,
            shared: Range { address: 0, size: shared_size },
            groups: FxHashMap::default(),
            ranges: ranges.map(|range| (range, Shadow::default())).collect(),
            last_range: 0,
            publications: Publications::default(),
            spare: Vec::new(),
            segments: Segments::default(),
            transitions: Transitions::default(),
            conflicts: Vec::new(),
            is_long: false,
        }
    }

    /// A work-group begins: its shared memory is new. `existing` has the lanes of each sub-group.
    pub(super) fn begin_group(&mut self, group: u64, existing: impl Iterator<Item = u32>) {
        // Launches with more sub-groups than can be numbered do not end in a lifetime.
        let first = group.checked_mul(u64::from(self.world.subgroups)).and_then(|n| u32::try_from(n).ok());
        let Some(first) = first.filter(|&first| first < u32::MAX - self.world.subgroups) else { return };
        let subgroups = existing.zip(first..).map(|(lanes, number)| SubGroup::new(number, lanes)).collect();
        let shared = self.spare.pop().unwrap_or_default();
        self.groups.insert(group, Group { subgroups, shared, ..Group::default() });
    }

    /// A work-group has ended.
    pub(super) fn end_group(&mut self, group: u64) {
        let Some(mut ended) = self.groups.remove(&group) else { return };
        ended.shared.clear();
        self.spare.push(ended.shared);
        let groups = &self.groups;
        self.publications.sweep(|group| groups.contains_key(&u64::from(group)), self.world.subgroups);
    }

    /// Lanes execute a fence.
    pub(super) fn fence(&mut self, group: u64, subgroup: u32, lanes: u32, fence: Fence) {
        let height = self.world.height;
        let Some(group) = self.groups.get_mut(&group) else { return };
        let Some(subgroup) = group.subgroups.get_mut(subgroup as usize) else { return };
        let before = subgroup.informed;
        subgroup.fence(height, lanes, fence, &group.common);
        if subgroup.informed != before {
            group.inform(height);
        }
    }

    /// Lanes arrive at a barrier.
    pub(super) fn arrive(&mut self, group: u64, subgroup: u32, lanes: u32, site: u32) {
        let Some(group) = self.groups.get_mut(&group) else { return };
        let Group { subgroups, brought, barrier, .. } = group;
        *barrier = Some(site);
        if let Some(subgroup) = subgroups.get_mut(subgroup as usize) {
            subgroup.arrive(self.world.height, lanes, self.world.least_scope, brought);
        }
    }

    /// All who wait at the barrier of a work-group go on.
    pub(super) fn release(&mut self, group: u64) {
        let Some(group) = self.groups.get_mut(&group) else { return };
        let brought = std::mem::take(&mut group.brought);
        for subgroup in &mut group.subgroups {
            subgroup.go_on(&brought, self.fence_counts_twice);
        }
        group.last_brought = brought;
        if !self.world.atomics_acquire {
            // Whoever acquires does so by a fence, and that takes what the barrier told as well.
            group.subgroups.iter_mut().for_each(|subgroup| subgroup.informed = Regions::BOTH);
        }
        group.inform(self.world.height);
    }

    /// An access: what it races with is in `conflicts` then. [`Detector::synchronise`] has to follow where it is atomic.
    /// `overlap` is what [`Detector::look_at`] has just said of it.
    pub(super) fn access(&mut self, event: &Event<'_>, overlap: bool) {
        self.conflicts.clear();
        let Some(&site) = self.world.sites.access(event.site) else { return };
        let Some(subgroup) = subgroup(&mut self.groups, event) else { return };
        let overlaps = overlap && site.effect == Effect::Write;
        if overlaps {
            subgroup.advance();
            self.segments.unite_equal();
        }
        subgroup.ask(event.lanes);
        subgroup.mark();
        let time = subgroup.now;
        if overlaps {
            self.go_over(event, site, time, Pass::First);
            self.go_over(event, site, time, Pass::Second);
            return;
        }
        self.is_long = self.go_over(event, site, time, Pass::Only);
    }

    /// Goes over what an access touches; whether there is anywhere that much is remembered.
    fn go_over(&mut self, event: &Event<'_>, site: AccessSite, time: u32, pass: Pass) -> bool {
        let Some(group) = self.groups.get_mut(&event.group) else { return false };
        let Group { subgroups, shared, publications, .. } = group;
        let Some(subgroup) = subgroups.get_mut(event.subgroup as usize) else { return false };
        self.transitions.forget();
        let mut accessor = Accessor {
            world: &self.world,
            mine: Entry::new(subgroup.number, time, event.site, Who::Set { lanes: 0 }),
            subgroup,
            site,
            region: event.region,
            pass,
            conflicts: &mut self.conflicts,
            transitions: &mut self.transitions,
            any_base: false,
            raced: false,
            is_long: false,
        };
        let shared_range = self.shared;
        let mut at = 0;
        while let Some(&segment) = self.segments.list.get(at) {
            at += 1;
            let (shadow, base, publications) = match event.region {
                Region::Shared if shared_range.holds(segment.address, segment.size) => {
                    (&mut *shared, 0, &mut *publications)
                }
                Region::Shared => {
                    if pass.is_first() {
                        self.segments.list.extend(segment.lanes_apart());
                    }
                    continue;
                }
                Region::Global => {
                    let ranges = &mut self.ranges;
                    let Some(at) = find(ranges, self.last_range, segment.address, segment.size) else {
                        // What lies outside of memory is no race; a part of it may lie inside.
                        if pass.is_first() {
                            self.segments.list.extend(segment.lanes_apart());
                        }
                        continue;
                    };
                    if at != self.last_range {
                        self.last_range = at;
                        accessor.transitions.forget();
                    }
                    let (range, shadow) = &mut ranges[at];
                    (shadow, range.address & !31, &mut self.publications)
                }
            };
            if site.effect == Effect::Write {
                publications.overwrite(segment.address, segment.size);
            }
            let offset = segment.address - base;
            shadow.access(&mut accessor, Span { offset, size: segment.size, pattern: segment.pattern, base });
        }
        accessor.is_long
    }

    /// Bytes of shadow memory.
    #[cfg(test)]
    pub(super) fn shadow_bytes(&self) -> usize {
        let shared = self.groups.values().map(|group| &group.shared);
        let all = self.ranges.iter().map(|range| &range.1).chain(shared).chain(&self.spare);
        all.map(Shadow::bytes).sum()
    }

    /// How many accesses to a word of global memory are remembered.
    #[cfg(test)]
    pub(super) fn remembered(&mut self, address: u64) -> usize {
        let at = find(&self.ranges, 0, address, 4);
        at.map_or(0, |at| {
            let (range, shadow) = &mut self.ranges[at];
            shadow.remembered(address - (range.address & !31))
        })
    }

    /// Takes out what no unit of shadow memory has any more, which happens by itself only where that is much.
    #[cfg(test)]
    pub(super) fn collect(&mut self) {
        let shared = self.groups.values_mut().map(|group| &mut group.shared);
        self.ranges.iter_mut().map(|range| &mut range.1).chain(shared).for_each(Shadow::collect);
    }

    /// Sorts the lanes of an access; whether some of a store access the same byte.
    pub(super) fn look_at(&mut self, event: &Event<'_>, site: &AccessSite) -> bool {
        self.segments.fill(event.addresses, event.lanes, u64::from(site.bytes));
        site.effect == Effect::Write && self.segments.overlap()
    }

    /// Whether the second of two work-items knows of the first one's access as far as another memory is concerned.
    pub(super) fn knows(&self, second: &SubGroup, conflict: &Conflict, region: Region) -> bool {
        let other = Accessors { subgroup: conflict.subgroup, lanes: 1 << conflict.lane, time: conflict.time };
        second.unknown_to(self.world.height, region, conflict.second as usize, other) == 0
    }

    /// What an atomic access orders.
    pub(super) fn synchronise(&mut self, event: &Event<'_>) {
        let Some(&site) = self.world.sites.access(event.site) else { return };
        let Some(group) = self.groups.get_mut(&event.group) else { return };
        let Group { subgroups, publications, .. } = group;
        let Some(subgroup) = subgroups.get_mut(event.subgroup as usize) else { return };
        let publications = match event.region {
            Region::Shared => publications,
            Region::Global => &mut self.publications,
        };
        let releases = site.releases.is_some() || subgroup.has_released(event.lanes, event.region);
        if publications.is_empty() && !(site.effect.writes() && releases) {
            return;
        }
        let now = subgroup.now;
        let time = if site.releases.is_some() { subgroup.release_time() } else { 0 };
        let number = subgroup.number;
        let member = Membership { group: self.world.group(number), subgroup: number };
        let reads = site.modifies || !site.effect.writes();
        let mut left = event.lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let address = event.addresses[lane];
            let mut lanes = 1 << lane;
            if !site.effect.writes() {
                // All who read one location hear the same.
                let same = |&other: &usize| left >> other & 1 == 1 && event.addresses[other] == address;
                lanes = (lane..event.addresses.len()).filter(same).fold(0, |set, lane| set | 1 << lane);
            }
            left &= !lanes;
            let mut heard = None;
            if reads && let Some(published) = publications.read(address, member) {
                subgroup.hear(lanes, &published, site.acquires);
                heard = site.acquires.min(site.releases);
            }
            if site.effect.writes() {
                let (height, least) = (self.world.height, self.world.least_scope);
                let released = subgroup.publish(height, lane, site.releases, time, (least, event.region));
                let location = (address, u64::from(site.bytes));
                publications.write(location, member, released, (site.modifies, heard));
            }
        }
        subgroup.settle();
        if self.is_long && site.acquires.is_some() {
            // What happened before what it has read from happens before it.
            self.go_over(event, site, now, Pass::Forget);
        }
    }
}

fn subgroup<'a>(groups: &'a mut FxHashMap<u64, Group>, event: &Event<'_>) -> Option<&'a mut SubGroup> {
    groups.get_mut(&event.group)?.subgroups.get_mut(event.subgroup as usize)
}

/// The range that holds these bytes.
fn find(ranges: &[(Range, Shadow)], last: usize, address: u64, size: u64) -> Option<usize> {
    if ranges.get(last).is_some_and(|(range, _)| range.holds(address, size)) {
        return Some(last);
    }
    let at = ranges.partition_point(|(range, _)| range.address <= address).checked_sub(1)?;
    ranges[at].0.holds(address, size).then_some(at)
}
