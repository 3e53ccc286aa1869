//! Shadow memory: what is remembered of accesses, by address.
//!
//! Memory is divided into blocks of 32 bytes. A block that was accessed by consecutive lanes is one unit; otherwise it is
//! divided into words of 4 bytes, and a word whose bytes were accessed apart into bytes. A store over all of a block or a
//! word makes it one unit again. A unit has 4 bytes: the number of its history. So a byte of memory costs an eighth of a
//! byte in blocks, 1.2 bytes in words and 5.2 bytes in bytes; the histories come on top.

use super::accessor::{Accessor, Pass, Visit};
use super::histories::{Collection, Histories, History, Unit};
use super::record::Who;
use super::site::Effect;

const BLOCK: u64 = 32;
const WORD: u64 = 4;
const WORDS: usize = (BLOCK / WORD) as usize;
const BYTES: usize = WORD as usize;
/// Blocks of a page.
const PAGE: usize = 64;

/// What units are made of besides themselves.
#[derive(Debug, Default)]
struct Parts {
    words: Pool<WORDS>,
    bytes: Pool<BYTES>,
    histories: Histories,
}

/// The shadow of an object, or of a work-group's shared memory. Offsets are from a multiple of 32.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Box<[Unit; PAGE]>>>,
    parts: Parts,
    /// Accesses in all histories when those that are not in use were last taken out.
    collected: usize,
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
        let who = match self.pattern {
            Pattern::Run { first, shift } => {
                Who::run(first + (offset.saturating_sub(self.offset) >> shift) as u32, shift, size)
            }
            Pattern::All { lanes } => Who::Set { lanes },
        };
        Visit { address: self.base + offset, size, who }
    }
}

/// Accesses in histories that are not worth looking for those that are not in use.
const FEW: usize = 1024;
/// Units for each of which there may be an access in a history that is not in use.
const UNITS: usize = 16;

impl Shadow {
    /// Forgets everything, but not the room for it.
    pub(super) fn clear(&mut self) {
        for page in self.pages.iter_mut().flatten() {
            **page = [Unit::EMPTY; PAGE];
        }
        self.parts.words.clear();
        self.parts.bytes.clear();
        self.parts.histories.clear();
        self.collected = 0;
    }

    /// An access to consecutive bytes.
    pub(super) fn access(&mut self, accessor: &mut Accessor<'_>, span: Span) {
        if self.parts.histories.size() >= FEW && accessor.pass != Pass::Second {
            let parts = &self.parts;
            let units = self.pages.len() * PAGE + parts.words.size() * WORDS + parts.bytes.size() * BYTES;
            if parts.histories.size() >= FEW + self.collected + self.collected.max(units / UNITS) {
                self.collect();
                accessor.transitions.forget();
            }
        }
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
            if is_whole && unit.get_finer().is_none() {
                accessor.touch(unit, &mut self.parts.histories, span.visit(block, BLOCK));
            } else {
                self.parts.access_words(unit, accessor, &span, block, is_whole);
            }
            block += BLOCK;
        }
    }

    /// Takes out the histories that are not in use. What that costs is shared by at least as many accesses that made a
    /// history as a fraction of the units.
    pub(super) fn collect(&mut self) {
        let Parts { words, bytes, histories } = &mut self.parts;
        let mut collection = Collection::new(std::mem::take(histories));
        for unit in self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()) {
            let Some(index) = unit.get_finer() else {
                *unit = collection.unit(*unit);
                continue;
            };
            for word in words.at(index) {
                match word.get_finer() {
                    None => *word = collection.unit(*word),
                    Some(index) => {
                        bytes.at(index).iter_mut().for_each(|byte| *byte = collection.unit(*byte));
                    }
                }
            }
        }
        *histories = collection.finish();
        self.collected = histories.size();
    }

    /// Accesses in the history of a word, or of its block.
    #[cfg(test)]
    pub(super) fn remembered(&mut self, offset: u64) -> usize {
        let number = (offset / BLOCK) as usize;
        let Some(page) = self.pages.get(number / PAGE).and_then(Option::as_ref) else { return 0 };
        let block = page[number % PAGE];
        let unit = block
            .get_finer()
            .map_or(block, |index| self.parts.words.at(index)[(offset % BLOCK / WORD) as usize]);
        let mut history = History::default();
        self.parts.histories.load(unit, &mut history);
        history.entries().count()
    }

    /// Bytes of memory.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count() * size_of::<[Unit; PAGE]>();
        let table = self.pages.capacity() * size_of::<Option<Box<[Unit; PAGE]>>>();
        let Parts { words, bytes, histories } = &self.parts;
        pages + table + words.bytes() + bytes.bytes() + histories.bytes()
    }
}

impl Parts {
    fn access_words(
        &mut self,
        unit: &mut Unit,
        accessor: &mut Accessor<'_>,
        span: &Span,
        block: u64,
        is_whole: bool,
    ) {
        let index = unit.get_finer().unwrap_or_else(|| {
            let index = self.words.take();
            divide(*unit, self.words.at(index), &mut self.histories, WORD);
            *unit = Unit::finer(index);
            index
        });
        let end = span.offset + span.size;
        let first = block.max(span.offset) & !(WORD - 1);
        let last = (block + BLOCK).min(end);
        let mut word = first;
        while word < last {
            let at = ((word - block) / WORD) as usize;
            let one = &mut self.words.at(index)[at];
            let is_whole = word >= span.offset && word + WORD <= end;
            if is_whole && one.get_finer().is_none() {
                accessor.touch(one, &mut self.histories, span.visit(word, WORD));
            } else {
                let mut one = *one;
                self.access_bytes(&mut one, accessor, span, word, is_whole);
                self.words.at(index)[at] = one;
            }
            word += WORD;
        }
        if is_whole && accessor.site.effect == Effect::Write && accessor.pass == Pass::Only {
            self.words.give_back(index);
            *unit = Unit::EMPTY;
            accessor.touch(unit, &mut self.histories, span.visit(block, BLOCK));
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
        let index = unit.get_finer().unwrap_or_else(|| {
            let index = self.bytes.take();
            divide(*unit, self.bytes.at(index), &mut self.histories, 1);
            *unit = Unit::finer(index);
            index
        });
        let first = word.max(span.offset);
        let last = (word + WORD).min(span.offset + span.size);
        for byte in first..last {
            let one = &mut self.bytes.at(index)[(byte - word) as usize];
            accessor.touch(one, &mut self.histories, span.visit(byte, 1));
        }
        if is_whole && accessor.site.effect == Effect::Write && accessor.pass == Pass::Only {
            self.bytes.give_back(index);
            *unit = Unit::EMPTY;
            accessor.touch(unit, &mut self.histories, span.visit(word, WORD));
        }
    }
}

/// Gives the parts of a unit what was remembered of all of it.
fn divide<const N: usize>(unit: Unit, parts: &mut [Unit; N], histories: &mut Histories, size: u64) {
    *parts = [Unit::EMPTY; N];
    if unit == Unit::EMPTY {
        return;
    }
    let (mut whole, mut narrowed) = (History::default(), History::default());
    histories.load(unit, &mut whole);
    for (i, part) in parts.iter_mut().enumerate() {
        whole.narrow(&mut narrowed, i as u32 * size as u32, size as u32);
        *part = histories.store(&mut narrowed);
    }
}

/// Divided units by index; indices of those given back are used again.
#[derive(Debug)]
struct Pool<const N: usize> {
    /// In pieces, so that there is little more than what is used.
    chunks: Vec<Box<[[Unit; N]; CHUNK]>>,
    used: u32,
    /// The first that was given back; each has the next one as its first unit.
    free: Option<u32>,
}

const CHUNK: usize = 64;

impl<const N: usize> Default for Pool<N> {
    fn default() -> Pool<N> {
        Pool { chunks: Vec::new(), used: 0, free: None }
    }
}

impl<const N: usize> Pool<N> {
    fn take(&mut self) -> u32 {
        if let Some(index) = self.free {
            self.free = self.at(index)[0].get_finer();
            return index;
        }
        if self.used as usize == self.chunks.len() * CHUNK {
            self.chunks.push(Box::new([[Unit::EMPTY; N]; CHUNK]));
        }
        self.used += 1;
        self.used - 1
    }

    fn give_back(&mut self, index: u32) {
        self.at(index)[0] = self.free.map_or(Unit::EMPTY, Unit::finer);
        self.free = Some(index);
    }

    fn at(&mut self, index: u32) -> &mut [Unit; N] {
        &mut self.chunks[index as usize / CHUNK][index as usize % CHUNK]
    }

    fn clear(&mut self) {
        (self.used, self.free) = (0, None);
    }

    fn size(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.size() * size_of::<[Unit; N]>() + self.chunks.capacity() * size_of::<usize>()
    }
}
