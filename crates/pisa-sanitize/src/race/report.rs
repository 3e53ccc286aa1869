//! Reports: which kind of race it is, and what ordering is missing.

use super::Races;
use super::accessor::Conflict;
use super::clock::Region;
use super::detector::{Detector, Event};
use super::knowledge::{Part, Scope};
use super::site::{AccessSite, Effect};
use super::words::{self, Pair, Side};
use crate::check::Context;
use crate::finding::Findings;
use pisa_diag::Code;
use pisa_diag::codes::finding::race as codes;
use pisa_machine::{LANES, Step, SubGroupId};

/// What kind of race it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Lanes of one sub-group.
    SubGroup,
    /// Any others, both weak.
    WorkItems,
    /// Weak stores of the same value.
    SameValue,
    /// A weak access and an atomic one.
    Mixed,
    /// Atomic accesses whose scopes do not reach each other.
    Scopes,
    /// Atomic accesses of different widths.
    Widths,
}

impl Kind {
    pub(super) fn code(self) -> Code {
        match self {
            Kind::SubGroup => codes::SUB_GROUP,
            Kind::WorkItems => codes::WORK_ITEMS,
            Kind::SameValue => codes::SAME_VALUE,
            Kind::Mixed => codes::MIXED,
            Kind::Scopes => codes::SCOPES,
            Kind::Widths => codes::WIDTHS,
        }
    }
}

/// Why nothing orders two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// Lanes of one sub-group.
    SubGroup,
    /// One work-group, and no barrier since the first access.
    NoBarrier,
    /// There was a barrier, but fences lack.
    Barrier(Lack),
    /// Different work-groups.
    WorkGroups,
    /// The first released with a fence of a scope that does not reach the second.
    ReleaseScope(Scope),
    /// The second has read what the first released, but has not acquired it in this scope.
    NoAcquire(Scope),
}

/// The fences that lack around a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lack {
    /// Between the first access and the barrier.
    pub(super) release: bool,
    /// Between the barrier and the second access.
    pub(super) acquire: bool,
    /// There is one, but for the other memory.
    pub(super) other_memory: bool,
    /// An acquire-release fence before the barrier would do for both with `race=opencl` (Y-03).
    pub(super) opencl: bool,
    /// The barrier's site.
    pub(super) barrier: Option<u32>,
}

impl Races {
    /// Reports lanes of one store that store different values to one byte (M-16).
    pub(super) fn report_overlap(
        &self,
        context: &Context<'_>,
        step: &Step<'_>,
        event: &Event<'_>,
        bytes: u64,
        findings: &mut Findings,
    ) {
        let mut order: Vec<u32> = (0..LANES).filter(|lane| event.lanes >> lane & 1 == 1).collect();
        let at = |lane: u32| event.addresses[lane as usize % LANES as usize];
        order.sort_by_key(|&lane| at(lane));
        let mut found: Option<([u32; 2], u64)> = None;
        let mut lanes = 0;
        for (i, &one) in order.iter().enumerate() {
            for &two in order[i + 1..].iter().take_while(|&&two| at(two) - at(one) < bytes) {
                let stored = self.stored.present();
                let mut both = at(two)..at(one).saturating_add(bytes);
                if let Some(address) = both.find(|&byte| stored.byte(one, byte) != stored.byte(two, byte)) {
                    found.get_or_insert(([one.min(two), one.max(two)], address));
                    lanes |= 1 << one | 1 << two;
                }
            }
        }
        let Some((pair, address)) = found else { return };
        findings.report(codes::ONE_STORE, step, lanes, None, || {
            words::one_store(step, &words::location(context, event.region, address), pair)
        });
    }

    /// Reports what an access races with.
    pub(super) fn report_conflicts(
        &self,
        context: &Context<'_>,
        step: &Step<'_>,
        event: &Event<'_>,
        findings: &mut Findings,
    ) {
        let sites = &self.detector.world.sites;
        for conflict in &self.detector.conflicts {
            let (Some(mine), Some(theirs)) = (sites.access(event.site), sites.access(conflict.site)) else {
                continue;
            };
            let Some(site) = sites.list.get(conflict.site as usize) else { continue };
            let kind = self.kind(context, (step.subgroup, event.region), mine, theirs, conflict);
            let other = Some(site.place).filter(|&place| place != step.instruction.place);
            // Which of the two comes first is up to the order of sub-groups, and that to the engine: the later line of the
            // text is where the race is shown.
            let (place, swapped) = match other {
                Some(earlier) if earlier > step.instruction.place => (earlier, true),
                _ => (step.instruction.place, false),
            };
            let second_place = if swapped { Some(step.instruction.place) } else { other };
            findings.report_at(kind.code(), place, step, conflict.lanes, second_place, || {
                let function = context.image.program.function(site.function);
                let first = Side {
                    site: *theirs,
                    instruction: function.code.get(site.index as usize),
                    subgroup: self.subgroup_id(conflict.subgroup),
                    lane: conflict.lane,
                };
                let second = Side {
                    site: *mine,
                    instruction: Some(step.instruction),
                    subgroup: step.subgroup,
                    lane: conflict.second,
                };
                let updates = site.function == step.function
                    && first.instruction.is_some_and(|one| words::updates(function, one, step.instruction));
                let why = self.why(event, conflict);
                let barrier = match why {
                    Why::Barrier(Lack { barrier: Some(site), .. }) => sites.list.get(site as usize),
                    _ => None,
                };
                let pair = Pair {
                    first,
                    second,
                    location: words::location(context, event.region, conflict.address),
                    bytes: mine.element.min(theirs.element),
                    region: event.region,
                    place: other,
                    barrier: barrier.map(|site| site.place),
                    updates,
                };
                let mut text = words::race(context, &pair, kind, why);
                if swapped && let Some((at, says)) = text.also.first_mut() {
                    std::mem::swap(says, &mut text.label);
                    *at = step.instruction.place;
                }
                text
            });
        }
    }

    fn subgroup_id(&self, subgroup: u32) -> SubGroupId {
        let subgroups = self.detector.world.subgroups;
        SubGroupId { group: u64::from(subgroup / subgroups), number: subgroup % subgroups }
    }

    fn kind(
        &self,
        context: &Context<'_>,
        (subgroup, region): (SubGroupId, Region),
        mine: &AccessSite,
        theirs: &AccessSite,
        conflict: &Conflict,
    ) -> Kind {
        let id = self.subgroup_id(conflict.subgroup);
        match (mine.effect, theirs.effect) {
            (one, two) if one.is_atomic() && two.is_atomic() => {
                if mine.bytes == theirs.bytes {
                    Kind::Scopes
                } else {
                    Kind::Widths
                }
            }
            (one, two) if one.is_atomic() || two.is_atomic() => Kind::Mixed,
            (Effect::Write, Effect::Write) if self.is_same_value(context, (id, region), mine, conflict) => {
                Kind::SameValue
            }
            _ if id == subgroup && !self.was_barrier(conflict) => Kind::SubGroup,
            _ => Kind::WorkItems,
        }
    }

    /// Whether two stores that race store the same, as far as that is still known.
    fn is_same_value(
        &self,
        context: &Context<'_>,
        (first, region): (SubGroupId, Region),
        mine: &AccessSite,
        conflict: &Conflict,
    ) -> bool {
        let present = self.stored.present();
        let last = self.stored.last(first, conflict.site);
        let ended = !self.detector.groups.contains_key(&first.group);
        let before = |address: u64| match last {
            Some(last) => last.byte(conflict.lane, address),
            // The work-group of the first has ended: memory holds what it stored.
            None if ended && region == Region::Global => {
                let object = context.memory.find(address, 1)?;
                let mut byte = [0];
                object.read(address - object.address, &mut byte);
                Some(byte[0])
            }
            None => None,
        };
        let byte = |address| Some((before(address)?, present.byte(conflict.second, address)?));
        let all = conflict.address..conflict.address.saturating_add(u64::from(mine.bytes));
        let mut both = all.map_while(byte).peekable();
        both.peek().is_some() && both.all(|(one, two)| one == two)
    }

    /// Whether the first accessed it before the last barrier of its work-group.
    fn was_barrier(&self, conflict: &Conflict) -> bool {
        let id = self.subgroup_id(conflict.subgroup);
        let first = self.detector.groups.get(&id.group).and_then(|g| g.subgroups.get(id.number as usize));
        first.is_some_and(|first| first.left_at > conflict.time)
    }

    /// What would have ordered them.
    fn why(&self, event: &Event<'_>, conflict: &Conflict) -> Why {
        let detector = &self.detector;
        let id = self.subgroup_id(conflict.subgroup);
        let first = detector.groups.get(&id.group).and_then(|g| g.subgroups.get(id.number as usize));
        let group = detector.groups.get(&event.group);
        let second = group.and_then(|group| group.subgroups.get(event.subgroup as usize));
        let (Some(group), Some(second)) = (group, second) else { return Why::WorkGroups };
        if is_one_subgroup(&id, event) && !self.was_barrier(conflict) {
            return Why::SubGroup;
        }
        let Some(mine) = second.part(conflict.second as usize) else { return Why::WorkGroups };
        let is_one_group = id.group == event.group;
        let heard = |scope: Scope, region| has_heard(detector, mine, scope, region, conflict);
        let region = event.region;
        if is_one_group && self.was_barrier(conflict) {
            let released = heard(Scope::WorkGroup, region);
            let other = match region {
                Region::Shared => Region::Global,
                Region::Global => Region::Shared,
            };
            let other_memory = if released {
                mine.acquired.has(other)
            } else {
                heard(Scope::WorkGroup, other) || detector.knows(second, conflict, other)
            };
            return Why::Barrier(Lack {
                release: !released,
                acquire: released || !mine.acquired.has(region),
                other_memory,
                opencl: released && mine.fenced_before.has(region) && !self.fence_counts_twice,
                barrier: group.barrier,
            });
        }
        let nearest = if is_one_group { Scope::WorkGroup } else { Scope::Launch };
        if let Some(scope) = Scope::ALL.into_iter().filter(|&s| s >= nearest).find(|&s| heard(s, region)) {
            return Why::NoAcquire(scope);
        }
        let released = first.and_then(|first| first.part(conflict.lane as usize));
        let covers = |part: &Part, scope| part.released[scope as usize].covers(region, conflict.time);
        if let Some(part) = released
            && !covers(part, nearest)
            && let Some(scope) =
                Scope::ALL.into_iter().rev().filter(|&s| s < nearest).find(|&s| covers(part, s))
        {
            return Why::ReleaseScope(scope);
        }
        if is_one_group { Why::NoBarrier } else { Why::WorkGroups }
    }
}

fn is_one_subgroup(id: &SubGroupId, event: &Event<'_>) -> bool {
    (id.group, id.number) == (event.group, event.subgroup)
}

/// Whether the second has read that the first access happened, without having acquired it.
fn has_heard(detector: &Detector, part: &Part, scope: Scope, region: Region, conflict: &Conflict) -> bool {
    let clock = part.heard[scope as usize].of(region);
    clock.get(detector.world.height, conflict.subgroup).unknown(1 << conflict.lane, conflict.time) == 0
}
