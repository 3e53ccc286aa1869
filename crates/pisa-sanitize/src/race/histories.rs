//! What can have happened to a unit of shadow memory: its last weak store and the accesses since.
//!
//! Many units have the same history, so each is kept once and units have its number. Histories tell lanes relative to a
//! base lane that the unit has: neighbours that neighbouring lanes accessed share one.

use super::record::{Entry, Who};
use pisa_machine::LANES;

/// A unit of shadow memory: the number of a history and the base lane, or the index of its smaller units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit(u32);

const FINER: u32 = 1 << 31;
const BASE_SHIFT: u32 = 26;
/// Histories that there may be at a time; further ones are forgotten.
const MOST: usize = 1 << BASE_SHIFT;

impl Unit {
    /// Nothing is remembered.
    pub(super) const EMPTY: Unit = Unit(0);

    pub(super) fn new(history: u32, base: u32) -> Unit {
        match history {
            0 => Unit::EMPTY,
            _ => Unit((base % LANES) << BASE_SHIFT | history),
        }
    }

    pub(super) fn finer(index: u32) -> Unit {
        Unit(FINER | index)
    }

    /// Where it is divided into smaller units: their index.
    pub(super) fn get_finer(self) -> Option<u32> {
        (self.0 & FINER != 0).then_some(self.0 & !FINER)
    }

    /// The history.
    pub(super) fn history(self) -> u32 {
        self.0 % MOST as u32
    }

    /// The base lane.
    pub(super) fn base(self) -> u32 {
        self.0 >> BASE_SHIFT & (LANES - 1)
    }
}

/// One history, with the lanes as they are.
#[derive(Clone, Default, Debug)]
pub(super) struct History {
    /// The last weak store.
    pub(super) write: Option<Entry>,
    /// Accesses since, of which none is told by another one.
    pub(super) others: Vec<Entry>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.write = None;
        self.others.clear();
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.write.iter().chain(&self.others)
    }

    /// For a smaller unit at this offset.
    pub(super) fn narrow(&self, into: &mut History, offset: u32, size: u32) {
        let narrowed = |entry: &Entry| entry.with_who(entry.who().narrowed(offset, size));
        into.write = self.write.as_ref().map(narrowed);
        into.others.clear();
        into.others.extend(self.others.iter().map(narrowed));
    }
}

/// All histories of units of some memory. Those that no unit has any more are taken out by [`Collection`].
#[derive(Debug)]
pub(super) struct Histories {
    /// Of all histories one after the other; a store is the first of its history.
    entries: Vec<Entry>,
    /// By number: where its entries end, and whether the first is a store. Number 0 is the empty history.
    ends: Vec<u32>,
    /// Numbers by hash, 0 for none.
    slots: Vec<u32>,
}

const HAS_STORE: u32 = 1 << 31;
const LEAST_SLOTS: usize = 16;

impl Default for Histories {
    fn default() -> Histories {
        Histories { entries: Vec::new(), ends: vec![0], slots: Vec::new() }
    }
}

fn hash(entries: &[Entry], has_store: bool) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = u64::from(has_store);
    for entry in entries {
        let [one, two] = entry.numbers();
        hash = (hash.rotate_left(23) ^ one).wrapping_mul(FACTOR);
        hash = (hash.rotate_left(23) ^ two).wrapping_mul(FACTOR);
    }
    (hash >> 32) as usize
}

impl Histories {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.ends.truncate(1);
        self.slots.fill(0);
    }

    /// Accesses in all histories.
    pub(super) fn size(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of memory.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + 4 * (self.ends.capacity() + self.slots.capacity())
    }

    fn get(&self, number: u32) -> (&[Entry], bool) {
        let at = number as usize;
        let Some(start) = at.checked_sub(1) else { return (&[], false) };
        let (start, end) = (self.ends[start] & !HAS_STORE, self.ends[at]);
        (&self.entries[start as usize..(end & !HAS_STORE) as usize], end & HAS_STORE != 0)
    }

    /// The history of a unit that is not divided.
    pub(super) fn load(&self, unit: Unit, history: &mut History) {
        history.clear();
        let (entries, has_store) = self.get(unit.history());
        let mut entries = entries.iter().map(|entry| entry.turned(unit.base()));
        if has_store {
            history.write = entries.next();
        }
        history.others.extend(entries);
    }

    /// A unit with this history, which is left in another order and with other lanes.
    pub(super) fn store(&mut self, history: &mut History) -> Unit {
        let History { write, others } = history;
        if others.len() > 1 {
            others.sort_unstable();
        }
        let Some(first) = write.as_ref().or(others.first()) else { return Unit::EMPTY };
        let (base, has_store) = (first.who().base(), write.is_some());
        let turned = LANES - base;
        others.iter_mut().for_each(|entry| *entry = entry.turned(turned));
        if let Some(write) = write {
            others.insert(0, write.turned(turned));
        }
        Unit::new(self.find(others, has_store), base)
    }

    /// The number of a history; 0 if there is no room for it.
    fn find(&mut self, entries: &[Entry], has_store: bool) -> u32 {
        if self.ends.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(entries, has_store) & mask;
        loop {
            match self.slots[at] {
                0 => break,
                number if self.get(number) == (entries, has_store) => return number,
                _ => at = (at + 1) & mask,
            }
        }
        let (number, end) = (self.ends.len(), self.entries.len() + entries.len());
        if number >= MOST || end >= HAS_STORE as usize {
            return 0;
        }
        self.entries.extend_from_slice(entries);
        self.ends.push(end as u32 | if has_store { HAS_STORE } else { 0 });
        self.slots[at] = number as u32;
        number as u32
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(LEAST_SLOTS);
        self.slots.clear();
        self.slots.resize(size, 0);
        for number in 1..self.ends.len() as u32 {
            let (entries, has_store) = self.get(number);
            let mut at = hash(entries, has_store) & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = number;
        }
    }
}

/// Takes over the histories that units still have: each of these has to be asked for.
#[derive(Debug)]
pub(super) struct Collection {
    old: Histories,
    new: Histories,
    /// By old number, 0 where it was not asked for.
    numbers: Vec<u32>,
}

impl Collection {
    pub(super) fn new(old: Histories) -> Collection {
        let numbers = vec![0; old.ends.len()];
        Collection { old, new: Histories::default(), numbers }
    }

    /// The new unit for an old one.
    pub(super) fn unit(&mut self, unit: Unit) -> Unit {
        let history = unit.history();
        if history == 0 {
            return Unit::EMPTY;
        }
        let number = &mut self.numbers[history as usize];
        if *number == 0 {
            let (entries, has_store) = self.old.get(history);
            *number = self.new.find(entries, has_store);
        }
        Unit::new(*number, unit.base())
    }

    pub(super) fn finish(self) -> Histories {
        self.new
    }
}

/// What the accesses of one event did to units: the same history, accessed alike, becomes the same again.
#[derive(Debug)]
pub(super) struct Transitions {
    event: u32,
    slots: [Transition; TRANSITIONS],
    /// For its room.
    pub(super) history: History,
}

const TRANSITIONS: usize = 32;

/// How a history is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Question {
    history: u32,
    who: u64,
    size: u32,
}

#[derive(Clone, Copy, Default, Debug)]
struct Transition {
    event: u32,
    question: Question,
    /// [`ANY`] where it does not matter.
    base: u32,
    history: u32,
    /// The new base lane from the old one.
    turned: u32,
}

const ANY: u32 = LANES;

impl Default for Transitions {
    fn default() -> Transitions {
        let slots = [Transition::default(); TRANSITIONS];
        Transitions { event: 1, slots, history: History::default() }
    }
}

impl Question {
    /// A unit of this size that is accessed so; and the base lane.
    pub(super) fn new(unit: Unit, who: Who, size: u32) -> (Question, u32) {
        let history = unit.history();
        let base = if history == 0 { who.base() } else { unit.base() };
        let who = match who {
            Who::Set { lanes } => u64::from(lanes.rotate_right(base)),
            Who::Run { first, shift } => {
                u64::from(((first + LANES - base) % LANES) | ((shift + 1) << 5)) << 32
            }
        };
        (Question { history, who, size }, base)
    }

    fn slot(&self) -> usize {
        let mixed = (u64::from(self.history) ^ self.who).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - TRANSITIONS.trailing_zeros())) as usize
    }
}

impl Transitions {
    /// Another event, or other histories.
    pub(super) fn forget(&mut self) {
        self.event = self.event.wrapping_add(1);
        if self.event == 0 {
            *self = Transitions::default();
        }
    }

    pub(super) fn get(&self, question: Question, base: u32) -> Option<Unit> {
        let known = &self.slots[question.slot()];
        let is_it = known.event == self.event
            && known.question == question
            && (known.base == ANY || known.base == base);
        is_it.then(|| Unit::new(known.history, base + known.turned))
    }

    /// Notes what a unit became; `any_base` says that the base lane did not matter.
    pub(super) fn set(&mut self, question: Question, base: u32, any_base: bool, unit: Unit) {
        let turned = (unit.base() + LANES - base) % LANES;
        self.slots[question.slot()] = Transition {
            event: self.event,
            question,
            base: if any_base { ANY } else { base },
            history: unit.history(),
            turned,
        };
    }
}
