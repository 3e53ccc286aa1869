//! What the work-items of a sub-group know of the others' accesses, and what they have made known of their own.
//!
//! Lanes that know the same share one [`Part`]. A sub-group has one clock for the accesses of all its lanes: it goes on
//! after an event that makes accesses known to others, so that accesses between two such events cost nothing here.

use super::clock::{Clocks, Height, Region, Regions};

/// How far a scope reaches (spec 1.2.1.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Scope {
    SubGroup,
    WorkGroup,
    /// `.gpu` and `.system`: there is no one else in the system who could race.
    Launch,
}

impl Scope {
    pub(super) const ALL: [Scope; 3] = [Scope::SubGroup, Scope::WorkGroup, Scope::Launch];

    /// The scopes that lie in it, itself included.
    pub(super) fn within(self) -> &'static [Scope] {
        &Scope::ALL[..=self as usize]
    }
}

/// What a release-side fence made ready to be published by a later atomic store, or by the arrival at a barrier.
#[derive(Clone, Default, Debug)]
pub(super) struct Released {
    /// What the work-item knew.
    know: Clocks,
    /// Its own accesses in shared and in global memory up to these times; 0 for none.
    times: [u32; 2],
    /// Every work-item of the work-group knows all of it: publishing it to them says nothing.
    is_common: bool,
}

impl Released {
    pub(super) fn is_empty(&self) -> bool {
        self.times == [0, 0] && self.know.is_empty()
    }

    /// Whether accesses to a memory up to a time are in it.
    pub(super) fn covers(&self, region: Region, time: u32) -> bool {
        self.times[region as usize] >= time
    }

    /// Looks whether all of it is in what the whole work-group knows.
    fn compare(&mut self, height: Height, subgroup: u32, lanes: u32, common: &Clocks) {
        let own = [&common.shared, &common.global].map(|clock| clock.get(height, subgroup));
        if own.iter().zip(self.times).any(|(known, time)| time != 0 && known.unknown(lanes, time) != 0) {
            self.is_common = false;
            return;
        }
        self.is_common = common.cover(&self.clocks(height, subgroup, lanes));
    }

    fn is_same(&self, other: &Released) -> bool {
        self.times == other.times && self.is_common == other.is_common && self.know.is_same(&other.know)
    }

    fn set(&mut self, know: &Clocks, time: u32, regions: Regions) {
        self.is_common = false;
        if regions.shared {
            self.know.shared = know.shared.clone();
            self.times[0] = time;
        }
        if regions.global {
            self.know.global = know.global.clone();
            self.times[1] = time;
        }
    }

    /// Whether all who could learn of it by an atomic of this memory know it.
    fn is_nothing_new(&self, scope: Scope, region: Region) -> bool {
        self.is_common && (scope <= Scope::WorkGroup || region == Region::Shared)
    }

    /// As others learn it.
    pub(super) fn clocks(&self, height: Height, subgroup: u32, lanes: u32) -> Clocks {
        self.know.with(height, subgroup, lanes, self.times)
    }
}

/// Lanes that know the same.
#[derive(Clone, Default, Debug)]
pub(super) struct Part {
    pub(super) lanes: u32,
    /// What happened before all that they do from now on.
    pub(super) know: Clocks,
    /// By scope: by fences of this scope or a wider one.
    pub(super) released: [Released; 3],
    /// By scope: read from relaxed atomics, or left by barriers, not yet acquired; an acquire-side fence of this scope
    /// or a wider one does.
    pub(super) heard: [Clocks; 3],
    /// Memories that an acquire-release fence covered since the last barrier.
    pub(super) fenced: Regions,
    /// The same of the time before the last barrier.
    pub(super) fenced_before: Regions,
    /// Memories that an acquire-side fence covered since the last barrier.
    pub(super) acquired: Regions,
}

impl Default for Regions {
    fn default() -> Regions {
        Regions::NONE
    }
}

impl Part {
    fn is_same(&self, other: &Part) -> bool {
        self.fenced == other.fenced
            && self.fenced_before == other.fenced_before
            && self.acquired == other.acquired
            && self.know.is_same(&other.know)
            && self.released.iter().zip(&other.released).all(|(a, b)| a.is_same(b))
            && self.heard.iter().zip(&other.heard).all(|(a, b)| a.is_same(b))
    }
}

/// Answers remembered a memory.
const REMEMBERED: usize = 8;

/// A sub-group.
#[derive(Debug)]
pub(super) struct SubGroup {
    /// Its number in the launch.
    pub(super) number: u32,
    /// Lanes that do not exist: never in the way of knowing all lanes.
    absent: u32,
    /// The time of its next access, from 1 on.
    pub(super) now: u32,
    /// Whether there was an access at that time.
    accessed: bool,
    pub(super) parts: Vec<Part>,
    /// Lanes that wait at a barrier.
    arrived: u32,
    /// Lanes that left the last barrier, and the memories for which all of them have acquired since.
    left: u32,
    pub(super) informed: Regions,
    /// What they brought there for each other only.
    brought: Clocks,
    /// Its accesses before the last barrier have earlier times.
    pub(super) left_at: u32,
    /// What is known of some sub-groups by all of `asking`.
    remembered: [[(u32, KnownOf); REMEMBERED]; 2],
    asking: u32,
}

const NOTHING_REMEMBERED: [[(u32, KnownOf); REMEMBERED]; 2] =
    [[(u32::MAX, KnownOf { all: 0, any: 0 }); REMEMBERED]; 2];

/// What some lanes know of a sub-group.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOf {
    /// All of them know all its lanes up to this time.
    pub(super) all: u32,
    /// None of them knows any lane at a later time.
    pub(super) any: u32,
}

/// Lanes of a sub-group, and when they accessed something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessors {
    pub(super) subgroup: u32,
    pub(super) lanes: u32,
    pub(super) time: u32,
}

/// An event of a fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fence {
    pub(super) acquires: bool,
    pub(super) releases: bool,
    pub(super) regions: Regions,
    pub(super) scope: Scope,
}

impl SubGroup {
    pub(super) fn new(number: u32, existing: u32) -> SubGroup {
        SubGroup {
            number,
            absent: !existing,
            now: 1,
            accessed: false,
            parts: vec![Part { lanes: existing, ..Part::default() }],
            arrived: 0,
            left: existing,
            informed: Regions::NONE,
            brought: Clocks::default(),
            left_at: 0,
            remembered: NOTHING_REMEMBERED,
            asking: existing,
        }
    }

    /// There is an access at the present time.
    pub(super) fn mark(&mut self) {
        self.accessed = true;
    }

    /// Makes the accesses from now on later than those before.
    pub(super) fn advance(&mut self) {
        self.now = self.now.saturating_add(1);
        self.accessed = false;
    }

    /// The time up to which accesses were made; later ones are later.
    pub(super) fn release_time(&mut self) -> u32 {
        if self.accessed {
            self.advance();
        }
        self.now - 1
    }

    fn forget(&mut self) {
        self.remembered = NOTHING_REMEMBERED;
    }

    /// Makes parts such that each lies inside or outside of these lanes.
    fn split(&mut self, lanes: u32) {
        for i in 0..self.parts.len() {
            let outside = self.parts[i].lanes & !lanes;
            if outside != 0 && outside != self.parts[i].lanes {
                let part = Part { lanes: outside, ..self.parts[i].clone() };
                self.parts[i].lanes &= lanes;
                self.parts.push(part);
            }
        }
    }

    /// Unites parts that know the same.
    fn unite(&mut self) {
        let mut i = 0;
        while i < self.parts.len() {
            let mut j = i + 1;
            while j < self.parts.len() {
                if self.parts[i].is_same(&self.parts[j]) {
                    let part = self.parts.swap_remove(j);
                    self.parts[i].lanes |= part.lanes;
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
    }

    fn parts_in(&mut self, lanes: u32) -> impl Iterator<Item = &mut Part> {
        self.split(lanes);
        self.parts.iter_mut().filter(move |part| part.lanes & lanes != 0)
    }

    /// Lanes execute a fence together; `common` is what the whole work-group knows.
    pub(super) fn fence(&mut self, height: Height, lanes: u32, fence: Fence, common: &Clocks) {
        let Fence { acquires, releases, regions, scope } = fence;
        let time = if releases { self.release_time() } else { 0 };
        let (number, absent) = (self.number, self.absent);
        let mut learned = false;
        let mut all = Clocks::default();
        for part in self.parts_in(lanes) {
            if acquires {
                for scope in scope.within() {
                    let heard = &mut part.heard[*scope as usize];
                    learned |= part.know.join(heard, regions);
                    if regions.shared {
                        heard.shared = Default::default();
                    }
                    if regions.global {
                        heard.global = Default::default();
                    }
                }
                part.acquired = part.acquired.and(regions);
            }
            all.join(&part.know, regions);
        }
        if acquires && releases {
            // Y-06: those who execute it together know each other's earlier accesses afterwards.
            all = all.with(height, number, lanes | absent, [time, time]);
        }
        for part in self.parts_in(lanes) {
            if acquires && releases {
                if regions.shared {
                    learned |= !part.know.shared.is_same(&all.shared);
                    part.know.shared = all.shared.clone();
                }
                if regions.global {
                    learned |= !part.know.global.is_same(&all.global);
                    part.know.global = all.global.clone();
                }
                if scope >= Scope::WorkGroup {
                    part.fenced = part.fenced.and(regions);
                }
            }
            if releases {
                for scope in scope.within() {
                    part.released[*scope as usize].set(&part.know, time, regions);
                }
            }
        }
        if learned {
            self.forget();
        }
        if acquires && scope >= Scope::WorkGroup && self.left & !lanes == 0 {
            self.informed = self.informed.and(regions);
        }
        if releases {
            self.compare(height, lanes, common);
        }
        self.unite();
    }

    /// Looks which releases of these lanes are known to the whole work-group.
    pub(super) fn compare(&mut self, height: Height, lanes: u32, common: &Clocks) {
        if common.is_empty() {
            return;
        }
        let (number, absent) = (self.number, self.absent);
        for part in self.parts.iter_mut().filter(|part| part.lanes & lanes != 0) {
            let lanes = part.lanes | absent;
            part.released.iter_mut().for_each(|released| released.compare(height, number, lanes, common));
        }
    }

    /// Lanes arrive at a barrier; what they bring. `least` is the narrowest scope in which anybody acquires.
    pub(super) fn arrive(&mut self, height: Height, lanes: u32, least: Scope, brought: &mut Clocks) {
        self.arrived |= lanes;
        // So that reports can tell what was before the barrier.
        self.release_time();
        let (number, absent) = (self.number, self.absent);
        let mut within = std::mem::take(&mut self.brought);
        for part in self.parts_in(lanes) {
            let of = |scope: Scope| {
                part.released[scope as usize].clocks(height, number, part.lanes & lanes | absent)
            };
            brought.join(&of(Scope::WorkGroup), Regions::BOTH);
            if least == Scope::SubGroup {
                within.join(&of(Scope::SubGroup), Regions::BOTH);
            }
        }
        self.brought = within;
    }

    /// Those who wait at a barrier go on with what all brought to it. An acquire-release fence before the barrier counts
    /// for the acquire side too where `counts_twice` (Y-03).
    pub(super) fn go_on(&mut self, brought: &Clocks, counts_twice: bool) {
        let arrived = std::mem::take(&mut self.arrived);
        if arrived != 0 {
            self.left_at = self.now;
        }
        (self.left, self.informed) = (arrived, Regions::NONE);
        let mut informed = Regions::BOTH;
        let within = std::mem::take(&mut self.brought);
        let mut learned = false;
        for part in self.parts_in(arrived) {
            part.heard[Scope::SubGroup as usize].join(&within, Regions::BOTH);
            let heard = &mut part.heard[Scope::WorkGroup as usize];
            heard.join(brought, Regions::BOTH);
            if counts_twice {
                learned |= part.know.join(heard, part.fenced);
            }
            informed.shared &= counts_twice && part.fenced.shared;
            informed.global &= counts_twice && part.fenced.global;
            part.fenced_before = std::mem::take(&mut part.fenced);
            part.acquired = Regions::NONE;
        }
        self.informed = informed;
        if learned {
            self.forget();
        }
        self.unite();
    }

    /// Lanes have read, by one atomic access, what others have published for readers of each scope.
    pub(super) fn hear(&mut self, lanes: u32, published: &[Option<Clocks>; 3], acquires: Option<Scope>) {
        let mut learned = false;
        for part in self.parts_in(lanes) {
            for scope in Scope::ALL {
                let Some(clocks) = &published[scope as usize] else { continue };
                if acquires.is_some_and(|acquired| acquired >= scope) {
                    learned |= part.know.join(clocks, Regions::BOTH);
                } else {
                    part.heard[scope as usize].join(clocks, Regions::BOTH);
                }
            }
        }
        if learned {
            self.forget();
        }
    }

    /// What an atomic store of a lane publishes for readers of each scope; its accesses up to `time` are released by the
    /// store itself where it has an order for that. `least` is the narrowest scope in which anybody reads.
    pub(super) fn publish(
        &self,
        height: Height,
        lane: usize,
        releases: Option<Scope>,
        time: u32,
        (least, region): (Scope, Region),
    ) -> [Option<Clocks>; 3] {
        let Some(part) = self.parts.iter().find(|part| part.lanes >> lane & 1 == 1) else {
            return [None, None, None];
        };
        Scope::ALL.map(|scope| {
            if scope < least {
                return None;
            }
            let of_fence = &part.released[scope as usize];
            if releases.is_some_and(|released| released >= scope) {
                // It knows all that a fence of its released.
                Some(part.know.with(height, self.number, 1 << lane, [time, time]))
            } else if of_fence.is_empty() || of_fence.is_nothing_new(scope, region) {
                None
            } else {
                Some(of_fence.clocks(height, self.number, 1 << lane))
            }
        })
    }

    /// Whether a relaxed atomic store of some of these lanes publishes anything.
    pub(super) fn has_released(&self, lanes: u32, region: Region) -> bool {
        let is_news = |(released, &scope): (&Released, &Scope)| {
            !released.is_empty() && !released.is_nothing_new(scope, region)
        };
        let released = |part: &Part| part.released.iter().zip(&Scope::ALL).any(is_news);
        self.parts.iter().any(|part| part.lanes & lanes != 0 && released(part))
    }

    /// After accesses that changed what single lanes know.
    pub(super) fn settle(&mut self) {
        if self.parts.len() > 1 {
            self.unite();
        }
    }

    /// From here on it is these lanes that are asked what they know.
    pub(super) fn ask(&mut self, lanes: u32) {
        if self.asking != lanes {
            self.asking = lanes;
            self.forget();
        }
    }

    /// What the lanes that are asked know of a sub-group.
    #[inline]
    pub(super) fn known(&mut self, height: Height, region: Region, subgroup: u32) -> KnownOf {
        let (of, known) = self.remembered[region as usize][subgroup as usize % REMEMBERED];
        if of == subgroup { known } else { self.look_up(height, region, subgroup) }
    }

    fn look_up(&mut self, height: Height, region: Region, subgroup: u32) -> KnownOf {
        let mut known = KnownOf { all: u32::MAX, any: 0 };
        for part in self.parts.iter().filter(|part| part.lanes & self.asking != 0) {
            let of_part = part.know.of(region).get(height, subgroup);
            known.all = known.all.min(of_part.all_of(u32::MAX));
            known.any = known.any.max(of_part.latest());
        }
        self.remembered[region as usize][subgroup as usize % REMEMBERED] = (subgroup, known);
        known
    }

    /// Whether all of these lanes know some lanes of a sub-group up to a time.
    pub(super) fn know(&self, height: Height, region: Region, lanes: u32, other: Accessors) -> bool {
        let asked = self.parts.iter().filter(|part| part.lanes & lanes != 0);
        let mut known = asked.map(|part| part.know.of(region).get(height, other.subgroup));
        known.all(|known| known.unknown(other.lanes, other.time) == 0)
    }

    /// Of other lanes, those that a lane does not know up to a time.
    pub(super) fn unknown_to(&self, height: Height, region: Region, lane: usize, other: Accessors) -> u32 {
        let known = self.part(lane).map(|part| part.know.of(region).get(height, other.subgroup));
        known.map_or(0, |known| known.unknown(other.lanes, other.time))
    }

    /// The part that a lane belongs to.
    pub(super) fn part(&self, lane: usize) -> Option<&Part> {
        self.parts.iter().find(|part| part.lanes >> lane & 1 == 1)
    }
}
