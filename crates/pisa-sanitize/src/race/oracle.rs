//! The detector against a plain one: full vector clocks for each work-item, every access to each byte kept, release heads as
//! lists. It shares the description of accesses, and no other code.

use super::clock::{Region, Regions};
use super::detector::{Detector, Event, Range};
use super::knowledge::{Fence, Scope};
use super::site::{AccessSite, Action, Effect, Site, Sites};
use pisa_machine::{LANES, LaneValues};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

const GROUPS: usize = 3;
const SUBGROUPS: usize = 2;
const ITEMS: usize = GROUPS * SUBGROUPS * LANES as usize;
const GLOBAL: u64 = 0x1000_0000;
const SIZE: u64 = 160;

fn group_of(item: usize) -> usize {
    item / (SUBGROUPS * LANES as usize)
}

fn subgroup_of(item: usize) -> usize {
    item / LANES as usize
}

/// Whether a scope that a work-item names has another one in it (spec 1.2.1.2).
fn includes(scope: Scope, item: usize, other: usize) -> bool {
    match scope {
        Scope::SubGroup => subgroup_of(item) == subgroup_of(other),
        Scope::WorkGroup => group_of(item) == group_of(other),
        Scope::Launch => true,
    }
}

/// By memory and work-item: how many of its accesses are known.
type Vector = [Vec<u32>; 2];

fn nothing() -> Vector {
    [vec![0; ITEMS], vec![0; ITEMS]]
}

fn join(into: &mut Vector, from: &Vector, regions: Regions) {
    for (region, taken) in [(0, regions.shared), (1, regions.global)] {
        for (mine, theirs) in into[region].iter_mut().zip(&from[region]) {
            if taken {
                *mine = (*mine).max(*theirs);
            }
        }
    }
}

/// A release: by whom, for whom, what.
#[derive(Clone)]
struct Head {
    item: usize,
    scope: Scope,
    regions: Regions,
    /// Counts all of them.
    serial: u32,
    vector: Rc<Vector>,
}

/// Adds a head. One work-item's later release of the same kind says all that its earlier ones do.
fn add(heads: &mut Vec<Head>, head: &Head) {
    let kind = |head: &Head| (head.item, head.scope, head.regions);
    match heads.iter_mut().find(|known| kind(known) == kind(head)) {
        Some(known) if known.serial < head.serial => *known = head.clone(),
        Some(_) => {}
        None => heads.push(head.clone()),
    }
}

#[derive(Clone)]
struct Past {
    item: usize,
    time: u32,
    site: u32,
    event: usize,
}

struct Plain {
    sites: Vec<AccessSite>,
    times: Vec<u32>,
    know: Vec<Vector>,
    /// Release-side fences that each work-item has executed.
    fences: Vec<Vec<Head>>,
    /// Heads that each work-item has read.
    heard: Vec<Vec<Head>>,
    /// By memory, work-group (0 for global memory) and address.
    values: HashMap<(usize, usize, u64), Vec<Head>>,
    bytes: HashMap<(usize, usize, u64), Vec<Past>>,
    arrived: Vec<Vec<usize>>,
    counts_twice: bool,
    fenced: Vec<Regions>,
    serial: u32,
}

/// A race: the earlier site and work-item, the later lane, the byte.
type Race = (u32, usize, u32, u64);

impl Plain {
    fn new(sites: &[AccessSite], counts_twice: bool) -> Plain {
        Plain {
            sites: sites.to_vec(),
            times: vec![0; ITEMS],
            know: vec![nothing(); ITEMS],
            fences: vec![Vec::new(); ITEMS],
            heard: vec![Vec::new(); ITEMS],
            values: HashMap::new(),
            bytes: HashMap::new(),
            arrived: vec![Vec::new(); GROUPS],
            counts_twice,
            fenced: vec![Regions::NONE; ITEMS],
            serial: 0,
        }
    }

    /// What a work-item knows, its own accesses included.
    fn all(&self, item: usize) -> Vector {
        let mut vector = self.know[item].clone();
        vector[0][item] = self.times[item];
        vector[1][item] = self.times[item];
        vector
    }

    fn acquire(&mut self, item: usize, heads: &[Head], scope: Scope, regions: Regions) {
        for head in heads {
            if includes(scope, item, head.item) && includes(head.scope, head.item, item) {
                join(&mut self.know[item], &head.vector, regions);
            }
        }
    }

    fn fence(&mut self, items: &[usize], fence: Fence) {
        if fence.acquires {
            for &item in items {
                let heads = self.heard[item].clone();
                self.acquire(item, &heads, fence.scope, fence.regions);
            }
        }
        if fence.acquires && fence.releases {
            let mut all = nothing();
            for &item in items {
                join(&mut all, &self.all(item), fence.regions);
            }
            for &item in items {
                join(&mut self.know[item], &all, fence.regions);
                if fence.scope != Scope::SubGroup {
                    self.fenced[item] = self.fenced[item].and(fence.regions);
                }
            }
        }
        if fence.releases {
            for &item in items {
                let mut vector = nothing();
                join(&mut vector, &self.all(item), fence.regions);
                self.serial += 1;
                let (scope, regions, serial) = (fence.scope, fence.regions, self.serial);
                add(&mut self.fences[item], &Head { item, scope, regions, serial, vector: Rc::new(vector) });
            }
        }
    }

    fn release(&mut self, group: usize) {
        let arrived = std::mem::take(&mut self.arrived[group]);
        let heads: Vec<Head> = arrived.iter().flat_map(|&item| self.fences[item].clone()).collect();
        for &item in &arrived {
            heads.iter().for_each(|head| add(&mut self.heard[item], head));
            let fenced = std::mem::replace(&mut self.fenced[item], Regions::NONE);
            if self.counts_twice {
                let heard = self.heard[item].clone();
                self.acquire(item, &heard, Scope::WorkGroup, fenced);
            }
        }
    }

    /// Lane by lane; what each byte it touches has raced with.
    fn access(&mut self, event: usize, number: u32, region: Region, lanes: &[(usize, u64)]) -> Vec<Race> {
        let site = self.sites[number as usize];
        let mut races = Vec::new();
        for &(item, address) in lanes {
            self.times[item] += 1;
            for byte in address..address + u64::from(site.bytes) {
                let place = if region == Region::Shared { group_of(item) } else { 0 };
                let history = self.bytes.entry((region as usize, place, byte)).or_default();
                for past in history.iter().filter(|past| past.item != item && past.event != event) {
                    let is_one_group = group_of(past.item) == group_of(item);
                    let conflicts = may_race(&site, &self.sites[past.site as usize], is_one_group);
                    if conflicts && self.know[item][region as usize][past.item] < past.time {
                        races.push((past.site, past.item, item as u32 % LANES, byte));
                    }
                }
                history.push(Past { item, time: self.times[item], site: number, event });
            }
            if site.effect.is_atomic() {
                self.synchronise(&site, region, item, address);
            } else if site.effect.writes() {
                let place = if region == Region::Shared { group_of(item) } else { 0 };
                let end = address + u64::from(site.bytes);
                // Locations have 4 bytes here.
                self.values.retain(|&(r, p, at), _| {
                    (r, p) != (region as usize, place) || at + 4 <= address || end <= at
                });
            }
        }
        races
    }

    fn synchronise(&mut self, site: &AccessSite, region: Region, item: usize, address: u64) {
        let place = if region == Region::Shared { group_of(item) } else { 0 };
        let key = (region as usize, place, address);
        let before = self.values.get(&key).cloned().unwrap_or_default();
        let is_store = site.effect.writes() && !site.modifies;
        if !is_store {
            before.iter().for_each(|head| add(&mut self.heard[item], head));
            if let Some(scope) = site.acquires {
                self.acquire(item, &before, scope, Regions::BOTH);
            }
        }
        if site.effect.writes() {
            let mut heads = if is_store { Vec::new() } else { before };
            self.fences[item].iter().for_each(|head| add(&mut heads, head));
            if let Some(scope) = site.releases {
                self.serial += 1;
                let vector = Rc::new(self.all(item));
                let (regions, serial) = (Regions::BOTH, self.serial);
                add(&mut heads, &Head { item, scope, regions, serial, vector });
            }
            self.values.insert(key, heads);
        }
    }
}

/// Spec 1.2.1: two accesses to a byte, at least one a store, not both atomic for each other.
fn may_race(one: &AccessSite, two: &AccessSite, is_one_group: bool) -> bool {
    let scope = |site: &AccessSite| match site.effect {
        Effect::AtomicRead(scope) | Effect::AtomicWrite(scope) => Some(scope),
        _ => None,
    };
    let reaches = |scope: Scope| scope == Scope::Launch || is_one_group;
    let are_atomic = match (scope(one), scope(two)) {
        (Some(a), Some(b)) => one.bytes == two.bytes && reaches(a) && reaches(b),
        _ => false,
    };
    (one.effect.writes() || two.effect.writes()) && !are_atomic
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn lanes(&mut self) -> u32 {
        match self.below(5) {
            0 | 1 => u32::MAX,
            2 => 1 << self.below(32),
            3 => 0xFF << self.below(25),
            _ => (self.below(1 << 32) as u32) | 1,
        }
    }
}

fn random_site(random: &mut Random) -> AccessSite {
    let scope = random.pick(&[Scope::WorkGroup, Scope::Launch, Scope::Launch]);
    let kind = random.below(8);
    let order = random.below(3);
    let (effect, bytes) = match kind {
        0 | 1 => (Effect::Read, random.pick(&[1, 2, 4, 4, 4, 8])),
        2 | 3 => (Effect::Write, random.pick(&[1, 2, 4, 4, 4, 8])),
        // Relaxed atomics have no scope (M-06).
        4 => (Effect::AtomicRead(if order == 0 { Scope::Launch } else { scope }), 4),
        _ => (Effect::AtomicWrite(if order == 0 { Scope::Launch } else { scope }), 4),
    };
    let modifies = kind >= 6;
    let (acquires, releases) = match (effect, order) {
        (Effect::Read | Effect::Write, _) | (_, 0) => (None, None),
        (Effect::AtomicRead(_), _) => (Some(scope), None),
        (_, 1) if modifies => (Some(scope), Some(scope)),
        _ => (None, Some(scope)),
    };
    AccessSite { effect, element: bytes, bytes, acquires, releases, modifies }
}

fn random_addresses(random: &mut Random, site: &AccessSite, base: u64) -> LaneValues {
    let bytes = u64::from(site.bytes);
    let mut addresses = [0; LANES as usize];
    let kind = random.below(4);
    let slots = SIZE / bytes;
    let start = random.below(slots) * bytes;
    let skew = if site.effect.is_atomic() || random.below(6) != 0 { 0 } else { random.below(4) };
    for (lane, address) in addresses.iter_mut().enumerate() {
        let offset = match kind {
            _ if site.effect.is_atomic() => 4 * random.below(3),
            0 => start,
            1 => (bytes * lane as u64 + start / 32 * 32) % (slots * bytes),
            2 => bytes * lane as u64 % (slots * bytes),
            _ => bytes * random.below(slots),
        };
        *address = base + (offset + skew).min(SIZE - bytes);
    }
    addresses
}

fn random_fence(random: &mut Random) -> Fence {
    let scope = random.pick(&Scope::ALL);
    if scope == Scope::SubGroup {
        return Fence { acquires: true, releases: true, regions: Regions::BOTH, scope };
    }
    let (acquires, releases) = random.pick(&[(true, false), (false, true), (true, true)]);
    let regions = random.pick(&[
        Regions::BOTH,
        Regions { shared: true, global: false },
        Regions { shared: false, global: true },
    ]);
    Fence { acquires, releases, regions, scope }
}

struct Run {
    fast: Detector,
    plain: Plain,
    raced: HashSet<(usize, usize, u64)>,
    found: usize,
    silent: usize,
}

fn items(group: usize, subgroup: usize, lanes: u32) -> Vec<usize> {
    let first = (group * SUBGROUPS + subgroup) * LANES as usize;
    (0..LANES as usize).filter(|lane| lanes >> lane & 1 == 1).map(|lane| first + lane).collect()
}

impl Run {
    fn fence(&mut self, group: usize, subgroup: usize, lanes: u32, fence: Fence) {
        self.fast.fence(group as u64, subgroup as u32, lanes, fence);
        self.plain.fence(&items(group, subgroup, lanes), fence);
    }

    fn access(
        &mut self,
        event: usize,
        site: u32,
        region: Region,
        at: (usize, usize, u32),
        addresses: &LaneValues,
    ) {
        let (group, subgroup, lanes) = at;
        let step = Event { group: group as u64, subgroup: subgroup as u32, lanes, site, region, addresses };
        let overlap = self.fast.look_at(&step, &self.plain.sites[site as usize]);
        self.fast.access(&step, overlap);
        let fast = self.fast.conflicts.clone();
        if self.plain.sites[site as usize].effect.is_atomic() {
            self.fast.synchronise(&step);
        }
        let accesses: Vec<(usize, u64)> = items(group, subgroup, lanes)
            .into_iter()
            .map(|item| (item, addresses[item % LANES as usize]))
            .collect();
        let races = self.plain.access(event, site, region, &accesses);
        for conflict in &fast {
            let item = conflict.subgroup as usize * LANES as usize + conflict.lane as usize;
            let race = (conflict.site, item, conflict.second, conflict.address);
            assert!(races.contains(&race), "event {event}: {conflict:?} is no race");
        }
        let place = if region == Region::Shared { group } else { 0 };
        // Of lanes of one step that race on a byte, the first to be looked at is reported.
        for (_, _, _, byte) in &races {
            if !self.raced.contains(&(region as usize, place, *byte)) {
                let lanes =
                    races.iter().filter(|race| race.3 == *byte).fold(0u32, |set, race| set | 1 << race.2);
                let is_found = fast.iter().any(|conflict| conflict.lanes & lanes != 0);
                assert!(is_found, "event {event}: lanes {lanes:#x} race on {byte:#x}, reported is {fast:?}");
            }
        }
        self.raced.extend(races.iter().map(|(_, _, _, byte)| (region as usize, place, *byte)));
        self.found += usize::from(!races.is_empty());
        self.silent += usize::from(races.is_empty());
    }

    fn barrier(&mut self, group: usize, living: &[u32], random: &mut Random) {
        // Mostly whole, sometimes with a fence missing or of another kind.
        let fence =
            |acquires, releases, regions| Fence { acquires, releases, regions, scope: Scope::WorkGroup };
        let regions = random.pick(&[Regions::BOTH, Regions { shared: true, global: false }]);
        let is_full = random.one_in(3);
        let is_whole = !random.one_in(4);
        for (subgroup, &lanes) in living.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            if is_whole || !random.one_in(3) {
                self.fence(group, subgroup, lanes, fence(is_full, true, regions));
            }
            self.fast.arrive(group as u64, subgroup as u32, lanes, 0);
            self.plain.arrived[group].extend(items(group, subgroup, lanes));
        }
        self.fast.release(group as u64);
        self.plain.release(group);
        for (subgroup, &lanes) in living.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            if !is_full && (is_whole || !random.one_in(3)) {
                self.fence(group, subgroup, lanes, fence(true, false, regions));
            }
        }
    }
}

/// Random events; how many accesses raced, and how many did not.
fn run(seed: u64) -> (usize, usize) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let accesses: Vec<AccessSite> = (0..8).map(|_| random_site(&mut random)).collect();
    let mut list: Vec<Site> = accesses.iter().map(|site| Site::for_tests(Action::Access(*site))).collect();
    // Without these, nothing is kept for sub-groups and other work-groups.
    let scopes: &[Scope] = if random.one_in(3) { &[] } else { &[Scope::SubGroup, Scope::Launch] };
    let with_scopes = !scopes.is_empty();
    for &scope in scopes {
        let fence = Fence { acquires: true, releases: true, regions: Regions::BOTH, scope };
        list.push(Site::for_tests(Action::Fence(fence)));
    }
    let counts_twice = random.one_in(3);
    let ranges = [Range { address: GLOBAL, size: SIZE }].into_iter();
    let sites = Sites::for_tests(list);
    let mut fast = Detector::new(sites, GROUPS as u64, SUBGROUPS as u32, counts_twice, SIZE, ranges);
    let existing = random.pick(&[u32::MAX, 0xFF, 0xFF, 0x1F, 0x1F, 0x7]);
    let groups = 1 + random.below(GROUPS as u64) as usize;
    for group in 0..groups {
        fast.begin_group(group as u64, [existing; SUBGROUPS].into_iter());
    }
    let plain = Plain::new(&accesses, counts_twice);
    let mut run = Run { fast, plain, raced: HashSet::new(), found: 0, silent: 0 };
    let mut living = vec![[existing; SUBGROUPS]; groups];
    for event in 0..40 {
        if random.one_in(8) {
            run.fast.collect();
        }
        let group = random.below(groups as u64) as usize;
        let subgroup = random.below(SUBGROUPS as u64) as usize;
        let lanes = random.lanes() & living[group][subgroup];
        match random.below(12) {
            0 | 1 => run.barrier(group, &living[group], &mut random),
            2 | 3 if lanes != 0 => {
                let fence = random_fence(&mut random);
                if with_scopes || fence.scope == Scope::WorkGroup || !fence.acquires {
                    run.fence(group, subgroup, lanes, fence);
                }
            }
            4 if random.one_in(6) => living[group][subgroup] &= !lanes,
            _ if lanes != 0 => {
                let site = random.below(accesses.len() as u64) as u32;
                let region = random.pick(&[Region::Shared, Region::Global]);
                let base = if region == Region::Global { GLOBAL } else { 0 };
                let addresses = random_addresses(&mut random, &accesses[site as usize], base);
                run.access(event, site, region, (group, subgroup, lanes), &addresses);
            }
            _ => {}
        }
    }
    (run.found, run.silent)
}

#[test]
fn random_events_race_as_the_plain_detector_says() {
    let (mut found, mut silent) = (0, 0);
    for seed in 1..=2000 {
        let of_one = std::panic::catch_unwind(|| run(seed));
        let (races, others) = of_one.unwrap_or_else(|_| panic!("seed {seed}"));
        (found, silent) = (found + races, silent + others);
    }
    // Both happen often, or this would test nothing.
    assert!(found > 5000 && silent > 5000, "{found} races, {silent} accesses without");
}
