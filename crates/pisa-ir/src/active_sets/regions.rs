//! Regions and classes of sections.

use super::{Cause, Section, SectionData};

/// Sections that one region may have. Beyond it a class ends, which is right in any case; it keeps long chains of early exits from taking
/// time that grows with the square of their length.
const LONGEST_REGION: usize = 4096;

/// Finds the class of every section.
pub(super) fn classify(sections: &mut [SectionData]) -> Entries {
    let count = sections.len();
    let entries = Entries::of(sections);
    let mut classed = vec![false; count];
    let mut region = Region::default();
    // Regions that the section at hand is in: their leaders and ends, the innermost last.
    let mut around: Vec<(usize, usize)> = Vec::new();
    for d in 0..count {
        while around.last().is_some_and(|&(_, end)| end < d) {
            around.pop();
        }
        if classed[d] {
            continue;
        }
        let end = entries.end_of_region(sections, d);
        region.find(sections, d, end);
        for (y, mark) in region.marks.iter().enumerate().map(|(i, mark)| (d + i, mark)) {
            match mark {
                None if !classed[y] => {
                    classed[y] = true;
                    sections[y].leader = Section(d as u32);
                }
                // The innermost region says why a section has a class of its own.
                Some(cause) if !classed[y] => sections[y].cause = *cause,
                _ => {}
            }
        }
        sections[d].parent = around.last().map(|&(leader, _)| Section(leader as u32));
        // What is behind the region and in no other one has a class of its own because of what ended it.
        let covered = around.last().is_some_and(|&(_, outer)| outer > end);
        around.push((d, end));
        if end + 1 < count && !covered && !classed[end + 1] {
            sections[end + 1].cause = entries.why_ends(sections, d, end);
        }
    }
    whole(sections, &entries);
    entries
}

/// Sections that all lanes of an activation come to together are of one class with its entry, barriers in between or not: nobody is left who
/// could join them.
fn whole(sections: &mut [SectionData], entries: &Entries) {
    let leads = |sections: &[SectionData], y: usize| sections[y].leader.index() == y;
    // All classes at first; then without those that lanes come to from elsewhere, or not all of them.
    let mut whole = vec![true; sections.len()];
    let mut todo: Vec<usize> = (1..sections.len()).filter(|&y| leads(sections, y)).collect();
    let mut members: Vec<smallvec::SmallVec<[u32; 2]>> = vec![smallvec::SmallVec::new(); sections.len()];
    for (y, section) in sections.iter().enumerate() {
        members[section.leader.index()].push(y as u32);
    }
    while let Some(y) = todo.pop() {
        let from = &entries.from[y];
        let all = |&s: &u32| {
            let section = &sections[s as usize];
            whole[section.leader.index()] && !section.splits
        };
        if !whole[y] || (!from.is_empty() && from.iter().all(all)) {
            continue;
        }
        whole[y] = false;
        for &member in &members[y] {
            let successors = sections[member as usize].successors.iter().map(|s| s.index());
            todo.extend(successors.filter(|&s| leads(sections, s) && s > 0));
        }
    }
    for section in sections.iter_mut() {
        if whole[section.leader.index()] {
            section.leader = Section(0);
        }
    }
}

/// Edges by where they go.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// By section: the sections that lead to it.
    pub(super) from: Vec<smallvec::SmallVec<[u32; 2]>>,
}

impl Entries {
    fn of(sections: &[SectionData]) -> Entries {
        let mut from = vec![smallvec::SmallVec::new(); sections.len()];
        for (number, section) in sections.iter().enumerate() {
            for successor in &section.successors {
                from[successor.index()].push(number as u32);
            }
        }
        Entries { from }
    }

    /// The last section of the largest region that `d` leads.
    fn end_of_region(&self, sections: &[SectionData], d: usize) -> usize {
        let limit = sections.len().min(d + LONGEST_REGION);
        let mut end = d;
        // Forwards as long as control comes from the region, does not go back behind `d`, and nobody waits.
        while end + 1 < limit {
            let last = &sections[end];
            let goes_back = last.successors.iter().any(|s| s.index() <= d);
            let enters_before = self.from[end + 1].iter().any(|&s| (s as usize) < d);
            if last.waits || goes_back || enters_before {
                break;
            }
            end += 1;
        }
        // The last section may go back to `d`, but then must not stay with others.
        let last = &sections[end];
        if last.successors.iter().any(|s| s.index() <= d)
            && last.successors.iter().any(|s| s.index() > d && s.index() <= end)
        {
            end -= 1;
        }
        // Nothing may come back into the region from behind it: the last `end` up to which no source is behind `end`.
        let mut largest = d;
        let mut furthest = 0;
        for y in d + 1..=end {
            furthest = self.from[y].iter().fold(furthest, |a, &s| a.max(s as usize));
            if furthest <= y {
                largest = y;
            }
        }
        largest
    }

    /// Why the region of `d` goes no further than `end`.
    fn why_ends(&self, sections: &[SectionData], d: usize, end: usize) -> Cause {
        let last = &sections[end];
        if let (true, Some(instruction)) = (last.waits, last.ends_with) {
            return Cause::Waiting(instruction);
        }
        let elsewhere = self.from[end + 1].iter().find(|&&s| (s as usize) < d);
        if let Some(&source) = elsewhere {
            return Cause::Join(sections[source as usize].block);
        }
        let behind = self.from[end + 1].iter().find(|&&s| s as usize > end);
        if let Some(&source) = behind {
            return Cause::Loop(sections[source as usize].block);
        }
        Cause::Branch(last.block)
    }
}

/// Which sections of a region may run under less than its set.
#[derive(Default)]
struct Region {
    /// By section from the leader on: the edge that passes over it.
    marks: Vec<Option<Cause>>,
    /// By section: the next one that is not marked, or a step towards it.
    next: Vec<u32>,
    todo: Vec<usize>,
}

impl Region {
    fn find(&mut self, sections: &[SectionData], d: usize, end: usize) {
        let length = end - d + 1;
        self.marks.clear();
        self.marks.resize(length, None);
        self.next.clear();
        self.next.extend(0..=length as u32);
        self.todo.clear();
        for y in d..=end {
            if sections[y].splits {
                self.pass(sections, d, end, y);
            }
        }
        while let Some(y) = self.todo.pop() {
            if !sections[y].splits {
                self.pass(sections, d, end, y);
            }
        }
    }

    /// The edges of section `y` are bad.
    fn pass(&mut self, sections: &[SectionData], d: usize, end: usize, y: usize) {
        let section = &sections[y];
        // Where lanes only follow what parted them before, that is the reason.
        let root = if section.splits { None } else { self.marks[y - d] };
        let because = |cause| root.unwrap_or(cause);
        if section.returns && y < end {
            self.mark(d, y + 1, end, because(Cause::Return(section.block)));
        }
        for successor in &section.successors {
            let to = successor.index();
            if to <= d {
                // Out of the region, and the leader's next run is another one.
            } else if to <= y {
                self.mark(d, to, y, because(Cause::Loop(section.block)));
            } else {
                self.mark(d, y + 1, (to - 1).min(end), because(Cause::Branch(section.block)));
            }
        }
    }

    fn mark(&mut self, d: usize, from: usize, to: usize, cause: Cause) {
        let mut at = self.find_next(from - d);
        while at + d <= to {
            self.marks[at] = Some(cause);
            self.next[at] = at as u32 + 1;
            self.todo.push(at + d);
            at = self.find_next(at + 1);
        }
    }

    fn find_next(&mut self, start: usize) -> usize {
        let mut root = start;
        while self.next[root] as usize != root {
            root = self.next[root] as usize;
        }
        let mut at = start;
        while self.next[at] as usize != root && at != root {
            at = std::mem::replace(&mut self.next[at], root as u32) as usize;
        }
        root
    }
}
