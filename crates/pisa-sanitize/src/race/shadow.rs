//! Shadow memory: what is remembered of accesses, by address.
//!
//! Memory is divided into blocks of 32 bytes. A block that was accessed by consecutive lanes is one unit; otherwise it is
//! divided into words of 4 bytes, and a word whose bytes were accessed apart into bytes. A store over all of a block or a
//! word makes it one unit again. So a byte costs 0.9 to 8 bytes in blocks and words, and 28 more in a word that is divided.

use super::accessor::{Accessor, Pass, Visit};
use super::record::{Entry, Link, Linked, Pool, Unit, Who};
use super::site::Effect;

const BLOCK: u64 = 32;
const WORD: u64 = 4;
/// Blocks of a page.
const PAGE: usize = 64;

type Words = [Unit; (BLOCK / WORD) as usize];
type Bytes = [Unit; WORD as usize];

/// What units are made of besides themselves.
#[derive(Debug, Default)]
struct Pools {
    words: Pool<Division<Words>>,
    bytes: Pool<Division<Bytes>>,
    lists: Pool<Vec<Entry>>,
}

#[derive(Debug)]
struct Division<T>(T);

impl Default for Division<Words> {
    fn default() -> Division<Words> {
        Division([Unit::EMPTY; (BLOCK / WORD) as usize])
    }
}

impl Default for Division<Bytes> {
    fn default() -> Division<Bytes> {
        Division([Unit::EMPTY; WORD as usize])
    }
}

/// The shadow of an object, or of a work-group's shared memory. Offsets are from a multiple of 32.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Box<[Unit; PAGE]>>>,
    pools: Pools,
}

/// Who accesses consecutive bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    /// Consecutive lanes, from this one on, elements of `1 << shift` bytes, which are aligned.
    Run { first: u32, shift: u32 },
    /// Each of these lanes all of it.
    All { lanes: u32 },
}

/// Consecutive bytes, and who accesses them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The offset in the shadow.
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) pattern: Pattern,
    /// Address of offset 0.
    pub(super) base: u64,
}

impl Span {
    fn visit(&self, offset: u64, size: u64) -> Visit {
        let size = size as u32;
        let (who, set) = match self.pattern {
            Pattern::Run { first, shift } => {
                (Who::run(first + (offset.saturating_sub(self.offset) >> shift) as u32, shift, size), 0)
            }
            Pattern::All { lanes: u32::MAX } => (Who::ALL, 0),
            Pattern::All { lanes } if lanes.is_power_of_two() => (Who::one(lanes.trailing_zeros()), 0),
            Pattern::All { lanes } => (Who::SET, lanes),
        };
        Visit { address: self.base + offset, size, who, set }
    }
}

impl Shadow {
    /// Forgets everything, but not the room for it.
    pub(super) fn clear(&mut self) {
        for page in self.pages.iter_mut().flatten() {
            **page = [Unit::EMPTY; PAGE];
        }
        self.pools.words.clear();
        self.pools.bytes.clear();
        self.pools.lists.clear();
    }

    /// An access to consecutive bytes.
    pub(super) fn access(&mut self, accessor: &mut Accessor<'_>, span: Span) {
        let end = span.offset + span.size;
        let mut block = span.offset & !(BLOCK - 1);
        while block < end {
            let number = (block / BLOCK) as usize;
            let page = number / PAGE;
            if page >= self.pages.len() {
                self.pages.resize_with(page + 1, || None);
            }
            let page = self.pages[page].get_or_insert_with(|| Box::new([Unit::EMPTY; PAGE]));
            let unit = &mut page[number % PAGE];
            let is_whole = block >= span.offset && block + BLOCK <= end;
            if is_whole && !matches!(unit.link.get(), Linked::Finer(_)) {
                accessor.touch(unit, &mut self.pools.lists, span.visit(block, BLOCK));
            } else {
                self.pools.access_words(unit, accessor, &span, block, is_whole);
            }
            block += BLOCK;
        }
    }
}

impl Pools {
    fn access_words(
        &mut self,
        unit: &mut Unit,
        accessor: &mut Accessor<'_>,
        span: &Span,
        block: u64,
        is_whole: bool,
    ) {
        let index = match unit.link.get() {
            Linked::Finer(index) => index,
            _ => {
                let index = self.words.take();
                let parts = divide(unit, &mut self.lists, WORD);
                self.words.at(index).0 = parts;
                *unit = Unit { link: Link::finer(index), ..Unit::EMPTY };
                index
            }
        };
        let end = span.offset + span.size;
        let first = block.max(span.offset) & !(WORD - 1);
        let last = (block + BLOCK).min(end);
        let mut word = first;
        while word < last {
            let at = ((word - block) / WORD) as usize;
            let mut one = self.words.at(index).0[at];
            let is_whole = word >= span.offset && word + WORD <= end;
            if is_whole && !matches!(one.link.get(), Linked::Finer(_)) {
                accessor.touch(&mut one, &mut self.lists, span.visit(word, WORD));
            } else {
                self.access_bytes(&mut one, accessor, span, word, is_whole);
            }
            self.words.at(index).0[at] = one;
            word += WORD;
        }
        if is_whole && accessor.site.effect == Effect::Write && accessor.pass == Pass::Only {
            for one in self.words.at(index).0 {
                self.drop_list(one);
            }
            self.words.give_back(index);
            *unit = Unit::EMPTY;
            self.store_alone(unit, accessor, span.visit(block, BLOCK));
        }
    }

    fn access_bytes(
        &mut self,
        unit: &mut Unit,
        accessor: &mut Accessor<'_>,
        span: &Span,
        word: u64,
        is_whole: bool,
    ) {
        let index = match unit.link.get() {
            Linked::Finer(index) => index,
            _ => {
                let index = self.bytes.take();
                let parts = divide(unit, &mut self.lists, 1);
                self.bytes.at(index).0 = parts;
                *unit = Unit { link: Link::finer(index), ..Unit::EMPTY };
                index
            }
        };
        let first = word.max(span.offset);
        let last = (word + WORD).min(span.offset + span.size);
        for byte in first..last {
            let at = (byte - word) as usize;
            let one = &mut self.bytes.at(index).0[at];
            accessor.touch(one, &mut self.lists, span.visit(byte, 1));
        }
        if is_whole && accessor.site.effect == Effect::Write && accessor.pass == Pass::Only {
            for one in self.bytes.at(index).0 {
                self.drop_list(one);
            }
            self.bytes.give_back(index);
            *unit = Unit::EMPTY;
            self.store_alone(unit, accessor, span.visit(word, WORD));
        }
    }

    /// A store to a unit of which nothing is remembered.
    fn store_alone(&mut self, unit: &mut Unit, accessor: &mut Accessor<'_>, visit: Visit) {
        accessor.touch(unit, &mut self.lists, visit);
    }

    fn drop_list(&mut self, unit: Unit) {
        if let Linked::Several(list) = unit.link.get() {
            self.lists.at(list).clear();
            self.lists.give_back(list);
        }
    }
}

/// The parts of a unit, each with what was remembered of all of it.
fn divide<const N: usize>(unit: &Unit, lists: &mut Pool<Vec<Entry>>, size: u64) -> [Unit; N] {
    let mut parts = [Unit::EMPTY; N];
    let list = match unit.link.get() {
        Linked::Several(index) => {
            lists.give_back(index);
            std::mem::take(lists.at(index))
        }
        _ => Vec::new(),
    };
    for (i, part) in parts.iter_mut().enumerate() {
        let (offset, size) = (i as u32 * size as u32, size as u32);
        let narrowed = |record: super::record::Record| match record.is_none() {
            true => record,
            false => record.with_who(record.who().narrowed(offset, size)),
        };
        *part = Unit { write: narrowed(unit.write), other: narrowed(unit.other), link: unit.link };
        if let Linked::Several(_) = unit.link.get() {
            let index = lists.take();
            let entries = list.iter().map(|entry| narrow_entry(*entry, offset, size));
            lists.at(index).extend(entries);
            part.link = Link::several(index);
        }
    }
    parts
}

fn narrow_entry(entry: Entry, offset: u32, size: u32) -> Entry {
    let who = entry.record.who().narrowed(offset, size);
    super::accessor::as_set(Entry { record: entry.record.with_who(who), ..entry })
}
