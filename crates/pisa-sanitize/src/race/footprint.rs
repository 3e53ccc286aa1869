//! How much shadow memory the detector has for each byte that was accessed, and how long clocks take to join.

use super::clock::{Region, Regions};
use super::detector::{Detector, Event, Range};
use super::knowledge::{Fence, Scope};
use super::site::{AccessSite, Action, Effect, Site, Sites};
use pisa_machine::{LANES, LaneValues};

const GLOBAL: u64 = 0x1000_0000;
const SUBGROUPS: u32 = 32;
const SIZE: u64 = 256 << 10;

const READ: u32 = 0;
const WRITE: u32 = 1;
const READ_BYTE: u32 = 2;
const WRITE_BYTE: u32 = 3;
const UPDATE: u32 = 4;

fn sites() -> Vec<AccessSite> {
    let weak = |effect, bytes| AccessSite {
        effect,
        element: bytes,
        bytes,
        acquires: None,
        releases: None,
        modifies: false,
    };
    let scope = Scope::Launch;
    let update = AccessSite {
        acquires: Some(scope),
        releases: Some(scope),
        modifies: true,
        ..weak(Effect::AtomicWrite(scope), 4)
    };
    vec![weak(Effect::Read, 4), weak(Effect::Write, 4), weak(Effect::Read, 1), weak(Effect::Write, 1), update]
}

/// A launch of one work-group of 1024 work-items.
struct Launch {
    detector: Detector,
    sites: Vec<AccessSite>,
}

impl Launch {
    fn new() -> Launch {
        let sites = sites();
        let list = sites.iter().map(|site| Site::for_tests(Action::Access(*site))).collect();
        let ranges = [Range { address: GLOBAL, size: SIZE }].into_iter();
        let mut detector = Detector::new(Sites::for_tests(list), 1, SUBGROUPS, false, 0, ranges);
        detector.begin_group(0, [u32::MAX; SUBGROUPS as usize].into_iter());
        Launch { detector, sites }
    }

    /// All lanes of a sub-group access what is at these offsets; nothing may race.
    fn access(&mut self, subgroup: u32, site: u32, offset: impl Fn(u64) -> u64) {
        let mut addresses: LaneValues = [0; LANES as usize];
        for (lane, address) in addresses.iter_mut().enumerate() {
            *address = GLOBAL + offset(lane as u64);
        }
        let addresses = &addresses;
        let event = Event { group: 0, subgroup, lanes: u32::MAX, site, region: Region::Global, addresses };
        let site = &self.sites[site as usize];
        let overlap = self.detector.look_at(&event, site);
        self.detector.access(&event, overlap);
        assert!(self.detector.conflicts.is_empty(), "{:?}", self.detector.conflicts);
        if site.effect.is_atomic() {
            self.detector.synchronise(&event);
        }
    }

    /// All stores are side by side, by all sub-groups in turn.
    fn fill(&mut self) {
        for row in 0..SIZE / 128 {
            self.access(row as u32 % SUBGROUPS, WRITE, |lane| row * 128 + lane * 4);
        }
    }

    fn barrier(&mut self) {
        let (regions, scope) = (Regions::BOTH, Scope::WorkGroup);
        for subgroup in 0..SUBGROUPS {
            let fence = Fence { acquires: false, releases: true, regions, scope };
            self.detector.fence(0, subgroup, u32::MAX, fence);
            self.detector.arrive(0, subgroup, u32::MAX, 0);
        }
        self.detector.release(0);
        for subgroup in 0..SUBGROUPS {
            let fence = Fence { acquires: true, releases: false, regions, scope };
            self.detector.fence(0, subgroup, u32::MAX, fence);
        }
    }

    /// Shadow memory in bytes a byte, histories included, and the room that is kept for more.
    #[track_caller]
    fn costs_at_most(&self, most: f64) {
        let ratio = self.detector.shadow_bytes() as f64 / SIZE as f64;
        assert!(ratio <= most, "{ratio:.2} bytes of shadow memory a byte");
    }
}

// The check for values that were never given has another byte a byte: together at most 8, here at most 7.

#[test]
fn accesses_side_by_side() {
    let mut launch = Launch::new();
    for _ in 0..3 {
        launch.fill();
        launch.barrier();
        for row in 0..SIZE / 128 {
            launch.access(row as u32 / 7 % SUBGROUPS, READ, |lane| row * 128 + lane * 4);
        }
        launch.barrier();
    }
    launch.costs_at_most(0.5);
}

#[test]
fn all_lanes_of_all_sub_groups_read_the_same_words() {
    let mut launch = Launch::new();
    launch.fill();
    launch.barrier();
    for subgroup in 0..SUBGROUPS {
        // A quarter of the words, in all blocks.
        for word in (0..SIZE / 4).step_by(4) {
            launch.access(subgroup, READ, |_| word * 4);
        }
    }
    launch.costs_at_most(2.0);
}

#[test]
fn every_work_item_reads_all_in_its_own_order() {
    let mut launch = Launch::new();
    launch.fill();
    launch.barrier();
    for subgroup in 0..SUBGROUPS {
        for row in 0..SIZE / 128 {
            // Also across the edges of blocks.
            let first = row * 128 + u64::from(subgroup) * 52;
            launch.access(subgroup, READ, |lane| (first + lane * 4) % SIZE);
        }
    }
    launch.costs_at_most(3.0);
}

#[test]
fn bytes_scattered() {
    let mut launch = Launch::new();
    // An odd factor: each byte once.
    let place = |row: u64, lane: u64| (row * 32 + lane) * 40_503 % SIZE;
    for (site, turn) in [(WRITE_BYTE, 0), (READ_BYTE, 5)] {
        for row in 0..SIZE / 32 {
            launch.access((row + turn) as u32 % SUBGROUPS, site, |lane| place(row, lane));
        }
        launch.barrier();
    }
    launch.costs_at_most(6.9);
}

#[test]
fn columns_and_triples() {
    // A matrix of words is stored by columns, and each lane stores three neighbouring bytes one by one.
    let mut launch = Launch::new();
    for block in 0..SIZE / 4096 {
        for column in 0..32 {
            launch.access(column, WRITE, |lane| block * 4096 + lane * 128 + u64::from(column) * 4);
        }
    }
    launch.costs_at_most(2.0);
    launch.barrier();
    for row in 0..SIZE / 96 {
        for byte in 0..3 {
            launch.access(row as u32 % SUBGROUPS, WRITE_BYTE, |lane| row * 96 + lane * 3 + byte);
        }
    }
    launch.costs_at_most(6.9);
}

#[test]
fn what_is_not_in_use_goes() {
    let mut launch = Launch::new();
    for _ in 0..500 {
        for subgroup in 0..SUBGROUPS {
            launch.access(subgroup, WRITE, |lane| u64::from(subgroup) * 128 + lane * 4);
        }
        launch.barrier();
    }
    // 16000 stores, each at its own time: 16 bytes each and more, if they were kept.
    assert!(launch.detector.shadow_bytes() < 100_000, "{}", launch.detector.shadow_bytes());
}

#[test]
fn work_items_that_acquire_and_release_words_in_turn() {
    let mut launch = Launch::new();
    for round in 0..16 {
        for subgroup in 0..SUBGROUPS {
            launch.access(subgroup, UPDATE, |lane| (round + u64::from(subgroup) * 32 + lane) % 128 * 4);
        }
    }
    // Whoever acquires a word knows all who had it before: none of them has to be remembered.
    for word in 0..128 {
        assert!(launch.detector.remembered(GLOBAL + word * 4) <= 4, "word {word}");
    }
}
