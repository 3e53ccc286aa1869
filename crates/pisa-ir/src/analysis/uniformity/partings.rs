//! Where two lanes can be when they are not together, and where they meet.
//!
//! The states of two lanes that are apart are pairs of sections: each lane is at the start of its section or, if lanes may wait
//! there, at its end. Under `lexical` the one at the lower section goes on; the other one may only if that one waits. This holds
//! whatever other lanes do, so that all pairs can be found from where lanes part. See the [module above](super) for what follows from it.

use super::sections::{Sections, Waits};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// More pairs than this are not kept; then lanes may be anywhere at any time.
const MOST_PAIRS: usize = 1 << 19;

/// Two lanes that are apart.
#[derive(Clone, Debug)]
struct Pair {
    low: u32,
    /// Not below `low`; the same if one waits at its end and the other is at its start, or waits too.
    high: u32,
    /// The pairs from which this one comes about.
    from: SmallVec<[u32; 2]>,
    /// The sections where they may meet in the next step.
    meets: SmallVec<[u32; 1]>,
    /// The pairs that come next.
    next: SmallVec<[u32; 2]>,
}

/// All pairs that come about.
#[derive(Clone, Debug, Default)]
pub(super) struct Partings {
    pairs: Vec<Pair>,
    numbers: FxHashMap<(u32, u32), u32>,
    /// By section: the pairs that meet there.
    meetings: Vec<Vec<u32>>,
    /// By section: the sections from which lanes enter it while they are apart from others.
    entries: Vec<SmallVec<[u32; 2]>>,
    /// Pairs whose next ones have not been looked for.
    todo: Vec<u32>,
    /// Sections with new meetings or entries since they were last asked for.
    changed: Vec<u32>,
    /// Pairs that are new since the regions that lead to meetings were last looked at.
    new: Vec<u32>,
    /// Whether there are too many pairs to say anything.
    overflow: bool,
}

impl Partings {
    /// Without any pair but those of calls in which some lanes may wait while others come back.
    pub(super) fn new(sections: &Sections) -> Partings {
        let count = sections.all.len();
        let mut partings = Partings {
            meetings: vec![Vec::new(); count],
            entries: vec![SmallVec::new(); count],
            ..Partings::default()
        };
        for section in (0..count as u32).filter(|&s| sections.waits(s) == Waits::Call) {
            partings.add(section, section + 1, None);
        }
        partings.expand(sections);
        partings
    }

    /// Lanes part at the end of a section, and go to its two successors.
    pub(super) fn part(&mut self, sections: &Sections, section: u32) {
        if let [a, b] = sections.all[section as usize].successors[..] {
            self.enter(section, a);
            self.enter(section, b);
            self.add(a, b, None);
            self.expand(sections);
        }
    }

    fn enter(&mut self, from: u32, to: u32) {
        if !self.entries[to as usize].contains(&from) {
            self.entries[to as usize].push(from);
            self.changed.push(to);
        }
    }

    fn add(&mut self, a: u32, b: u32, from: Option<u32>) {
        let key = (a.min(b), a.max(b));
        let next = self.pairs.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.pairs.push(Pair {
                low: key.0,
                high: key.1,
                from: SmallVec::new(),
                meets: SmallVec::new(),
                next: SmallVec::new(),
            });
            self.todo.push(number);
            self.new.push(number);
        }
        if let Some(from) = from
            && !self.pairs[number as usize].from.contains(&from)
        {
            self.pairs[number as usize].from.push(from);
            self.pairs[from as usize].next.push(number);
        }
    }

    fn meet(&mut self, at: u32, from: u32) {
        if !self.pairs[from as usize].meets.contains(&at) {
            self.pairs[from as usize].meets.push(at);
            self.meetings[at as usize].push(from);
            self.changed.push(at);
        }
    }

    /// Finds the pairs that follow from new ones.
    fn expand(&mut self, sections: &Sections) {
        while let Some(number) = self.todo.pop() {
            if self.pairs.len() > MOST_PAIRS {
                self.overflow = true;
                self.todo.clear();
                return;
            }
            let (low, high) = (self.pairs[number as usize].low, self.pairs[number as usize].high);
            self.step(sections, number, low, high);
            if high != low && sections.waits(low) != Waits::No {
                self.step(sections, number, high, low);
            }
            if sections.waits(low) != Waits::No && sections.waits(high) != Waits::No {
                // A barrier that both wait for lets both go on.
                match low == high {
                    true => self.meet(low + 1, number),
                    false => self.add(low + 1, high + 1, Some(number)),
                }
            }
        }
    }

    /// The lane in `section` goes on, the one in `other` stays.
    fn step(&mut self, sections: &Sections, number: u32, section: u32, other: u32) {
        match sections.waits(section) {
            // It goes on alone only if the other one, in its call, waits for something else than this barrier.
            Waits::Barrier if sections.waits(other) != Waits::Call => return,
            _ => {}
        }
        for &to in &sections.all[section as usize].successors {
            self.enter(section, to);
            if to != other {
                self.add(to, other, Some(number));
                continue;
            }
            self.meet(to, number);
            if sections.waits(to) != Waits::No {
                self.add(to, to, Some(number));
            }
        }
    }

    /// Sections with new meetings or entries since this was last called.
    pub(super) fn take_changed(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.changed)
    }
    /// Whether nothing is known.
    pub(super) fn overflow(&self) -> bool {
        self.overflow
    }
    /// Whether lanes that are apart may meet at the start of a section.
    pub(super) fn meets(&self, section: u32) -> bool {
        self.overflow || !self.meetings[section as usize].is_empty()
    }
    /// Whether lanes that are apart from others may come to `to` from `from`.
    pub(super) fn enters(&self, from: u32, to: u32) -> bool {
        self.overflow || self.entries[to as usize].contains(&from)
    }

    /// Sections to whose meetings new pairs may lead, since this was last called.
    pub(super) fn take_reached(&mut self) -> Vec<u32> {
        let mut seen = vec![false; if self.new.is_empty() { 0 } else { self.pairs.len() }];
        let mut todo = std::mem::take(&mut self.new);
        let mut reached = Vec::new();
        while let Some(number) = todo.pop() {
            if !std::mem::replace(&mut seen[number as usize], true) {
                let pair = &self.pairs[number as usize];
                reached.extend(&pair.meets);
                todo.extend(&pair.next);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// The sections that a lane may have run while it was apart from one that it then meets at this section; each perhaps several times.
    pub(super) fn run_before(&self, sections: &Sections, meeting: u32) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = self.meetings[meeting as usize].clone();
        let mut run = Vec::new();
        while let Some(number) = todo.pop() {
            if seen.insert(number) {
                let pair = &self.pairs[number as usize];
                run.push(pair.low);
                if sections.waits(pair.low) != Waits::No {
                    run.push(pair.high);
                }
                todo.extend(&pair.from);
            }
        }
        run
    }
}
