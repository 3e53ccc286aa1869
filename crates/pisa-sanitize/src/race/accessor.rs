//! An access meets what is remembered of earlier ones.

use super::clock::{Height, Region};
use super::knowledge::{Accessors, Scope, SubGroup};
use super::record::{Entry, Link, Linked, Pool, Record, Unit, Who};
use super::site::{AccessSite, Effect, Sites};

/// Two accesses that nothing orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict {
    /// The earlier access: its site, sub-group, lane and time.
    pub(super) site: u32,
    pub(super) subgroup: u32,
    pub(super) lane: u32,
    pub(super) time: u32,
    /// The lane of the later one that met it first, and all that did.
    pub(super) second: u32,
    pub(super) lanes: u32,
    /// The first byte they share.
    pub(super) address: u64,
}

/// What a launch has in common.
#[derive(Debug)]
pub(super) struct World {
    pub(super) sites: Sites,
    pub(super) height: Height,
    /// Sub-groups of a work-group that is not at an edge.
    pub(super) subgroups: u32,
    /// [`Sites::order_work_groups`].
    pub(super) groups_are_ordered: bool,
    /// [`Sites::atomics_acquire`].
    pub(super) atomics_acquire: bool,
    /// The narrowest scope in which anybody acquires.
    pub(super) least_scope: Scope,
}

impl World {
    /// The work-group of a sub-group.
    pub(super) fn group(&self, subgroup: u32) -> u32 {
        subgroup / self.subgroups
    }
}

/// Work-groups that are told apart among the concurrent readers, or atomic writers, of a unit. Where nothing orders
/// work-groups two tell all: whoever stores to it races with one of them.
const MOST_GROUPS: usize = 4;

/// Entries that a unit may have before all that need not be there are looked for.
const FEW: usize = 32;

/// Lanes of a store that overlap go over their bytes twice, so that none of them hides from another what was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// Both at once.
    Only,
    /// Looks for races.
    First,
    /// Remembers the access.
    Second,
}

/// A sub-group that executes an access.
pub(super) struct Accessor<'a> {
    pub(super) world: &'a World,
    pub(super) subgroup: &'a mut SubGroup,
    /// The access: sub-group, time and site.
    pub(super) record: Record,
    pub(super) site: AccessSite,
    pub(super) region: Region,
    pub(super) pass: Pass,
    pub(super) conflicts: &'a mut Vec<Conflict>,
}

/// Where a unit lies, and who accesses it.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) address: u64,
    pub(super) size: u32,
    pub(super) who: Who,
    /// For [`Who::SET`].
    pub(super) set: u32,
}

impl Accessor<'_> {
    /// Remembers the access to a unit that is not divided, and reports what it races with.
    pub(super) fn touch(&mut self, unit: &mut Unit, lists: &mut Pool<Vec<Entry>>, visit: Visit) {
        let mine = Entry { record: self.record.with_who(visit.who), lanes: visit.set };
        match self.pass {
            Pass::First => return self.look(unit, lists, visit),
            Pass::Second => return self.keep(unit, lists, visit, mine),
            Pass::Only => {}
        }
        match unit.link.get() {
            Linked::Nothing if visit.who != Who::SET => self.touch_simple(unit, lists, visit, mine),
            Linked::TwoReaders if self.site.effect == Effect::Read => {}
            _ => self.touch_several(unit, lists, visit, mine),
        }
    }

    /// Looks for races of a store.
    fn look(&mut self, unit: &Unit, lists: &mut Pool<Vec<Entry>>, visit: Visit) {
        for record in [unit.write, unit.other] {
            self.meet(visit, Entry { record, lanes: 0 }, true);
        }
        if let Linked::Several(index) = unit.link.get() {
            for &entry in lists.at(index).iter() {
                self.meet(visit, entry, true);
            }
        }
    }

    /// Remembers a store, and what other lanes stored in the same step: nothing else has its time.
    fn keep(&mut self, unit: &mut Unit, lists: &mut Pool<Vec<Entry>>, visit: Visit, mine: Entry) {
        let is_same = |record: &Record| record.with_who(Who::ALL) == mine.record.with_who(Who::ALL);
        let mut others: Vec<Entry> = Vec::new();
        if let Linked::Several(index) = unit.link.get() {
            others.extend(lists.at(index).drain(..).filter(|entry| is_same(&entry.record)));
        }
        if is_same(&unit.write) {
            others.push(as_set(Entry { record: unit.write, lanes: 0 }));
        }
        self.touch_several(unit, lists, visit, mine);
        if !others.is_empty() {
            let index = match unit.link.get() {
                Linked::Several(index) => index,
                _ => lists.take(),
            };
            unit.link = Link::several(index);
            lists.at(index).append(&mut others);
        }
    }

    fn touch_simple(&mut self, unit: &mut Unit, lists: &mut Pool<Vec<Entry>>, visit: Visit, mine: Entry) {
        let (me, other) = (mine.record, Entry { record: unit.other, lanes: 0 });
        let write = Entry { record: unit.write, lanes: 0 };
        if self.site.effect == Effect::Write {
            if unit.write == me && unit.other.is_none() {
                return;
            }
            self.meet(visit, write, true);
            self.meet(visit, other, true);
            (unit.write, unit.other) = (me, Record::NONE);
            return;
        }
        if unit.other == me {
            return;
        }
        self.meet(visit, write, true);
        if other.record.is_none() {
            unit.other = me;
            return;
        }
        let Some(theirs) = self.world.sites.access(other.record.site()) else { return };
        let ordered = self.meet(visit, other, self.conflicts_with(theirs, other.record));
        let replaces = ordered || (me.subgroup, me.who()) == (other.record.subgroup, other.record.who());
        if replaces && self.site.stands_for(theirs) {
            unit.other = me;
        } else if self.is_second_group(theirs, other.record) && unit.write.is_none() {
            unit.write = me;
            unit.link = Link::TWO_READERS;
        } else {
            let index = lists.take();
            let list = lists.at(index);
            list.push(as_set(other));
            list.push(as_set(mine));
            unit.link = Link::several(index);
            unit.other = Record::NONE;
        }
    }

    /// Whether, together with a read of another work-group, whoever stores here is known to race.
    fn is_second_group(&self, theirs: &AccessSite, other: Record) -> bool {
        !self.world.groups_are_ordered
            && self.site.effect == Effect::Read
            && theirs.effect == Effect::Read
            && self.world.group(other.subgroup) != self.world.group(self.record.subgroup)
    }

    fn conflicts_with(&self, theirs: &AccessSite, other: Record) -> bool {
        let in_one_group = self.world.group(other.subgroup) == self.world.group(self.record.subgroup);
        self.site.conflicts(theirs, in_one_group)
    }

    fn touch_several(&mut self, unit: &mut Unit, lists: &mut Pool<Vec<Entry>>, visit: Visit, mine: Entry) {
        let index = match unit.link.get() {
            Linked::Several(index) => index,
            linked => {
                let index = lists.take();
                if !unit.other.is_none() {
                    lists.at(index).push(as_set(Entry { record: unit.other, lanes: 0 }));
                }
                if linked == Linked::TwoReaders {
                    lists.at(index).push(as_set(Entry { record: unit.write, lanes: 0 }));
                    unit.write = Record::NONE;
                }
                unit.link = Link::several(index);
                unit.other = Record::NONE;
                index
            }
        };
        self.meet(visit, Entry { record: unit.write, lanes: 0 }, true);
        let list = lists.at(index);
        if self.site.effect == Effect::Write {
            for &entry in list.iter() {
                self.meet(visit, entry, true);
            }
            list.clear();
            if visit.who == Who::SET {
                // All lanes that stored the same count; the one that won stands for what is there now.
                let winner = visit.set.checked_ilog2().unwrap_or(0);
                unit.write = mine.record.with_who(Who::one(winner));
                list.push(mine);
            } else {
                unit.write = mine.record;
                lists.give_back(index);
                unit.link = Link::NOTHING;
            }
            return;
        }
        self.add(list, visit, as_set(mine));
    }

    /// Adds a read or an atomic access to the list of a unit.
    fn add(&mut self, list: &mut Vec<Entry>, visit: Visit, mine: Entry) {
        let is_there = |entry: &Entry| entry.record == mine.record && mine.lanes & !entry.lanes == 0;
        if list.iter().any(is_there) {
            return;
        }
        // Of a few, it does not matter whether one is kept that need not be.
        let is_short = list.len() <= FEW;
        let mut same = None;
        let mut kept = 0;
        for i in 0..list.len() {
            let mut entry = list[i];
            if entry.record == mine.record {
                same = Some(kept);
                list[kept] = Entry { lanes: entry.lanes | mine.lanes, ..entry };
                kept += 1;
                continue;
            }
            let Some(theirs) = self.world.sites.access(entry.record.site()) else { continue };
            let is_conflict = self.conflicts_with(theirs, entry.record);
            let ordered = if is_conflict || !is_short {
                self.meet(visit, entry, is_conflict)
            } else {
                let Record { subgroup, time, .. } = entry.record;
                self.subgroup.knows_all(self.world.height, self.region, subgroup, time)
            };
            if self.site.stands_for(theirs) {
                let is_mine = entry.record.subgroup == mine.record.subgroup;
                if ordered
                    || (is_mine && entry.record.who() == mine.record.who() && entry.lanes & !mine.lanes == 0)
                {
                    continue;
                }
                if is_mine && entry.record.who() == Who::SET && mine.record.who() == Who::SET {
                    entry.lanes &= !mine.lanes;
                }
            }
            list[kept] = entry;
            kept += 1;
        }
        list.truncate(kept);
        if same.is_none() && self.admits(list) {
            list.push(mine);
        }
    }

    /// Whether one more entry of this kind tells anything new; makes room where it is the last that may.
    fn admits(&self, list: &mut Vec<Entry>) -> bool {
        let most = if self.world.groups_are_ordered { MOST_GROUPS } else { 2 };
        if list.len() < most {
            return true;
        }
        let mine = self.world.group(self.record.subgroup);
        let mut groups = [mine; MOST_GROUPS];
        let (mut count, mut last) = (0, None);
        for (i, entry) in list.iter().enumerate() {
            let theirs = self.world.sites.access(entry.record.site());
            if theirs
                .is_none_or(|theirs| theirs.effect != self.site.effect || theirs.bytes != self.site.bytes)
            {
                continue;
            }
            let group = self.world.group(entry.record.subgroup);
            if group != mine {
                last = Some(i);
            }
            if !groups[..count].contains(&group) && count < most {
                groups[count] = group;
                count += 1;
            }
        }
        match last {
            _ if count < most => true,
            _ if !self.world.groups_are_ordered => false,
            _ if groups[..count].contains(&mine) => true,
            Some(last) => {
                list.swap_remove(last);
                true
            }
            None => true,
        }
    }

    /// Whether an earlier access happens before this one wherever both are of different work-items; reports it where it
    /// does not and should.
    fn meet(&mut self, visit: Visit, other: Entry, is_conflict: bool) -> bool {
        let record = other.record;
        if record.is_none() || self.pass == Pass::Second {
            return true;
        }
        let is_mine = record.subgroup == self.record.subgroup;
        if is_mine && record.who() == visit.who && !matches!(visit.who, Who::SET | Who::ALL) {
            return true;
        }
        let (height, region) = (self.world.height, self.region);
        if self.subgroup.knows_all(height, region, record.subgroup, record.time) {
            return true;
        }
        let lanes = record.who().lanes(visit.size, other.lanes);
        let asked = visit.who.lanes(visit.size, visit.set);
        let accessors = Accessors { subgroup: record.subgroup, lanes, time: record.time };
        if !is_mine && self.subgroup.know(height, region, asked, accessors) {
            return true;
        }
        self.meet_lanes(visit, other, is_conflict)
    }

    fn meet_lanes(&mut self, visit: Visit, other: Entry, is_conflict: bool) -> bool {
        let Record { subgroup, time, .. } = other.record;
        let is_mine = subgroup == self.record.subgroup;
        let step = visit.who.step(visit.size).min(other.record.who().step(visit.size));
        let mut found: Option<Conflict> = None;
        let mut byte = 0;
        while byte < visit.size {
            let theirs = other.record.who().at(byte, other.lanes);
            let mut mine = visit.who.at(byte, visit.set);
            while mine != 0 {
                let lane = mine.trailing_zeros();
                mine &= mine - 1;
                let lanes = if is_mine { theirs & !(1 << lane) } else { theirs };
                if lanes == 0 {
                    continue;
                }
                let accessors = Accessors { subgroup, lanes, time };
                let unknown =
                    self.subgroup.unknown_to(self.world.height, self.region, lane as usize, accessors);
                if unknown == 0 {
                    continue;
                }
                found.get_or_insert(Conflict {
                    site: other.record.site(),
                    subgroup,
                    lane: unknown.trailing_zeros(),
                    time,
                    second: lane,
                    lanes: 0,
                    address: visit.address + u64::from(byte),
                });
                if let Some(found) = &mut found {
                    found.lanes |= 1 << lane;
                }
            }
            byte += step;
        }
        let Some(found) = found else { return true };
        if is_conflict {
            // Lanes of the own sub-group are another kind of race than others.
            let own = self.record.subgroup;
            let is_same = |known: &Conflict| {
                known.site == found.site && (known.subgroup == own) == (found.subgroup == own)
            };
            match self.conflicts.iter_mut().find(|known| is_same(known)) {
                Some(known) => known.lanes |= found.lanes,
                None => self.conflicts.push(found),
            }
        }
        false
    }
}

/// In lists, lanes that accessed every byte are sets.
pub(super) fn as_set(entry: Entry) -> Entry {
    let who = entry.record.who();
    if who.is_set() {
        Entry { record: entry.record.with_who(Who::SET), lanes: who.lanes(1, entry.lanes) }
    } else {
        entry
    }
}
