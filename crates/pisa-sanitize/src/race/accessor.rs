//! An access meets what is remembered of earlier ones.

use super::clock::{Height, Region};
use super::histories::{Histories, History, Question, Transitions, Unit};
use super::knowledge::{Accessors, Scope, SubGroup};
use super::record::{Entry, Who};
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
    /// [`Sites::atomics_reach_all`].
    pub(super) atomics_reach_all: bool,
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

/// Entries of a history that are many where acquiring atomics access it.
const LONG: usize = 3;

/// Entries that a history may have before all that need not be there are looked for.
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
    /// Forgets what happens before an access that is remembered, now that it has acquired what it read.
    Forget,
}

impl Pass {
    pub(super) fn is_first(self) -> bool {
        matches!(self, Pass::Only | Pass::First)
    }
}

/// A sub-group that executes an access.
pub(super) struct Accessor<'a> {
    pub(super) world: &'a World,
    pub(super) subgroup: &'a mut SubGroup,
    /// The access, by no lanes.
    pub(super) mine: Entry,
    pub(super) site: AccessSite,
    pub(super) region: Region,
    pub(super) pass: Pass,
    pub(super) conflicts: &'a mut Vec<Conflict>,
    pub(super) transitions: &'a mut Transitions,
    /// What was found about a unit holds for any base lane.
    pub(super) any_base: bool,
    /// A race was found with a unit.
    pub(super) raced: bool,
    /// More than a few accesses are remembered of a unit.
    pub(super) is_long: bool,
}

/// Where a unit lies, and who accesses it.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) address: u64,
    pub(super) size: u32,
    pub(super) who: Who,
}

/// Of two accesses, whether the earlier one happens before the later wherever they are of different work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    Ordered,
    Concurrent,
}

impl Accessor<'_> {
    /// Remembers the access to a unit that is not divided, and reports what it races with.
    pub(super) fn touch(&mut self, unit: &mut Unit, histories: &mut Histories, visit: Visit) {
        let (question, base) = Question::new(*unit, visit.who, visit.size);
        let is_repeatable = matches!(self.pass, Pass::Only | Pass::Forget);
        if is_repeatable && let Some(known) = self.transitions.get(question, base) {
            *unit = known;
            return;
        }
        let mut history = std::mem::take(&mut self.transitions.history);
        histories.load(*unit, &mut history);
        let mine = self.mine.with_who(visit.who);
        (self.any_base, self.raced) = (true, false);
        let changes = match self.pass {
            Pass::First => {
                self.meet_all(visit, &mine, &history);
                false
            }
            Pass::Second => {
                keep(&mut history, mine);
                true
            }
            Pass::Only if self.site.effect == Effect::Write => {
                let is_there = history.write == Some(mine) && history.others.is_empty();
                if !is_there {
                    self.meet_all(visit, &mine, &history);
                    overwrite(&mut history, mine);
                }
                !is_there
            }
            Pass::Only => {
                let changes = self.add(&mut history, visit, mine);
                self.is_long |= history.others.len() > LONG;
                changes
            }
            Pass::Forget => self.forget(&mut history, visit, mine),
        };
        if changes {
            *unit = histories.store(&mut history);
        }
        self.transitions.history = history;
        // A race is reported with its place and lanes, wherever it occurs.
        if is_repeatable && !self.raced {
            self.transitions.set(question, base, self.any_base, *unit);
        }
    }

    /// Looks for races of a store.
    fn meet_all(&mut self, visit: Visit, mine: &Entry, history: &History) {
        for entry in history.entries() {
            self.meet(visit, mine, entry, true);
        }
    }

    fn conflicts_with(&self, theirs: &AccessSite, other: &Entry) -> bool {
        let in_one_group = self.world.group(other.subgroup) == self.world.group(self.subgroup.number);
        self.site.conflicts(theirs, in_one_group)
    }

    /// Whether what would race with an earlier access races with this one too. Atomics of a narrower scope race with atomics
    /// of other work-groups only: for these it takes one of the same work-group.
    fn stands_for(&self, theirs: &AccessSite, other: &Entry) -> bool {
        self.site.stands_for(theirs)
            && (self.world.atomics_reach_all
                || !(self.site.effect.is_atomic() && theirs.effect.is_atomic())
                || self.world.group(other.subgroup) == self.world.group(self.subgroup.number))
    }

    /// Whether two reads of different work-groups are all that is remembered, and nothing orders work-groups: whoever stores
    /// here is known to race.
    fn is_decided(&self, history: &History) -> bool {
        let is_read =
            |entry: &Entry| self.world.sites.access(entry.site()).is_some_and(|s| s.effect == Effect::Read);
        match (history.write, history.others.as_slice()) {
            (None, [one, two]) if !self.world.groups_are_ordered => {
                self.site.effect == Effect::Read
                    && self.world.group(one.subgroup) != self.world.group(two.subgroup)
                    && is_read(one)
                    && is_read(two)
            }
            _ => false,
        }
    }

    /// Adds a read or an atomic access; whether that changes anything.
    fn add(&mut self, history: &mut History, visit: Visit, mine: Entry) -> bool {
        if history.others.iter().any(|entry| entry.includes(&mine)) || self.is_decided(history) {
            return false;
        }
        if let Some(write) = &history.write {
            self.meet(visit, &mine, write, true);
        }
        let list = &mut history.others;
        // Of a few, it does not matter whether one is kept that need not be.
        let is_short = list.len() > 1 && list.len() <= FEW;
        let (mut is_added, mut is_changed) = (false, false);
        let mut kept = 0;
        for i in 0..list.len() {
            let mut entry = list[i];
            if let (true, Who::Set { lanes }, Who::Set { lanes: more }) =
                (entry.is_with(&mine), entry.who(), mine.who())
            {
                (is_added, is_changed) = (true, true);
                list[kept] = entry.with_who(Who::Set { lanes: lanes | more });
                kept += 1;
                continue;
            }
            let Some(theirs) = self.world.sites.access(entry.site()).copied() else { continue };
            let is_conflict = self.conflicts_with(&theirs, &entry);
            let ordered = if self.site.acquires.is_some() && !is_conflict {
                // `forget` sees to it.
                false
            } else if is_conflict || !is_short {
                self.meet(visit, &mine, &entry, is_conflict) == Meeting::Ordered
            } else {
                self.is_known(&entry)
            };
            let stands_for = self.stands_for(&theirs, &entry);
            if stands_for && entry.subgroup == mine.subgroup {
                match (entry.who(), mine.who()) {
                    (Who::Set { lanes: theirs }, Who::Set { lanes }) if theirs & !lanes != 0 && !ordered => {
                        entry = entry.with_who(Who::Set { lanes: theirs & !lanes });
                        is_changed |= theirs & lanes != 0;
                    }
                    (Who::Set { .. }, Who::Set { .. }) => continue,
                    (one, two) if ordered || one == two => continue,
                    _ => {}
                }
            } else if stands_for && ordered {
                continue;
            }
            list[kept] = entry;
            kept += 1;
        }
        is_changed |= kept < list.len();
        list.truncate(kept);
        if !is_added && self.admits(list) {
            list.push(mine);
            is_changed = true;
        }
        is_changed
    }

    /// Forgets what happens before an access that is remembered; whether that changes anything.
    fn forget(&mut self, history: &mut History, visit: Visit, mine: Entry) -> bool {
        if !history.others.iter().any(|entry| entry.includes(&mine)) {
            return false;
        }
        let before = history.others.len();
        history.others.retain(|entry| {
            entry.is_with(&mine)
                || !self.world.sites.access(entry.site()).is_some_and(|theirs| self.stands_for(theirs, entry))
                || self.meet(visit, &mine, entry, false) == Meeting::Concurrent
        });
        history.others.len() < before
    }

    /// Whether one more entry of this kind tells anything new; makes room where it is the last that may.
    fn admits(&self, list: &mut Vec<Entry>) -> bool {
        let most = if self.world.groups_are_ordered { MOST_GROUPS } else { 2 };
        if list.len() < most {
            return true;
        }
        let mine = self.world.group(self.subgroup.number);
        let mut groups = [mine; MOST_GROUPS];
        let (mut count, mut last) = (0, None);
        for (i, entry) in list.iter().enumerate() {
            let theirs = self.world.sites.access(entry.site());
            if theirs
                .is_none_or(|theirs| theirs.effect != self.site.effect || theirs.bytes != self.site.bytes)
            {
                continue;
            }
            let group = self.world.group(entry.subgroup);
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

    /// Whether all lanes are known to know all of an earlier access.
    fn is_known(&mut self, other: &Entry) -> bool {
        let known = self.subgroup.known(self.world.height, self.region, other.subgroup);
        let is_known = other.time <= known.all;
        self.any_base &= is_known || other.time > known.any;
        is_known
    }

    /// How an earlier access stands to this one; reports it where it should be ordered and is not.
    fn meet(&mut self, visit: Visit, mine: &Entry, other: &Entry, is_conflict: bool) -> Meeting {
        let is_mine = other.subgroup == mine.subgroup;
        if is_mine && other.who() == visit.who && visit.who.is_single() {
            return Meeting::Ordered;
        }
        if self.is_known(other) {
            return Meeting::Ordered;
        }
        let (height, region) = (self.world.height, self.region);
        let known = self.subgroup.known(height, region, other.subgroup);
        if !is_mine {
            if !is_conflict && other.time > known.any {
                return Meeting::Concurrent;
            }
            let (lanes, asked) = (other.who().lanes(visit.size), visit.who.lanes(visit.size));
            let accessors = Accessors { subgroup: other.subgroup, lanes, time: other.time };
            if self.subgroup.know(height, region, asked, accessors) {
                return Meeting::Ordered;
            }
        }
        self.meet_lanes(visit, other, is_conflict)
    }

    fn meet_lanes(&mut self, visit: Visit, other: &Entry, is_conflict: bool) -> Meeting {
        let Entry { subgroup, time, .. } = *other;
        let is_mine = subgroup == self.subgroup.number;
        let step = visit.who.step(visit.size).min(other.who().step(visit.size));
        let mut found: Option<Conflict> = None;
        let mut byte = 0;
        while byte < visit.size {
            let theirs = other.who().at(byte);
            let mut mine = visit.who.at(byte);
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
                    site: other.site(),
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
        let Some(found) = found else { return Meeting::Ordered };
        if is_conflict {
            self.raced = true;
            // Lanes of the own sub-group are another kind of race than others.
            let own = self.subgroup.number;
            let is_same = |known: &Conflict| {
                known.site == found.site && (known.subgroup == own) == (found.subgroup == own)
            };
            match self.conflicts.iter_mut().find(|known| is_same(known)) {
                Some(known) => known.lanes |= found.lanes,
                None => self.conflicts.push(found),
            }
        }
        Meeting::Concurrent
    }
}

/// All that is remembered after a store.
fn overwrite(history: &mut History, mine: Entry) {
    history.others.clear();
    history.write = Some(mine);
    if let Who::Set { lanes } = mine.who()
        && lanes != u32::MAX
        && !lanes.is_power_of_two()
    {
        // All lanes that stored the same count; the one that won stands for what is there now.
        let winner = lanes.checked_ilog2().unwrap_or(0);
        history.write = Some(mine.with_who(Who::Set { lanes: 1 << winner }));
        history.others.push(mine);
    }
}

/// Remembers a store, and what other lanes stored in the same step: nothing else has its time.
fn keep(history: &mut History, mine: Entry) {
    let stored: Vec<Entry> = history.entries().filter(|entry| entry.is_with(&mine)).copied().collect();
    overwrite(history, mine);
    for entry in stored {
        if !history.others.contains(&entry) {
            history.others.push(entry);
        }
    }
}
