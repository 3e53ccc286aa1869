//! Which places of a function run under equal active sets.
//!
//! # Sections
//! A *section* is a run of instructions under one token: a block, or the part of one between instructions that change the
//! active set. Sections have positions in lexical order.
//!
//! # What is proved
//! Under `lexical` the lanes at the lowest position run first, and lanes merge where they meet. Take a section `d` and
//! the *region* of positions `d..=e` such that
//! 1. control enters it through `d` alone,
//! 2. control does not go from it back to `d` or before it, but from `e` when it then leaves altogether,
//! 3. no lane waits for others in `d..e`: no barrier, no call of what may have one.
//!
//! *When `d` runs, nobody else is in the region.* Take the first time that fails: somebody waits in the region while others
//! come to `d`. Those were behind `e` when the former came through `d`, as nothing was in the region then and `d` was the
//! lowest. To come back they had to run while somebody was at a lower position and did not wait (3), which `lexical` forbids.
//!
//! So the lanes that run `d` have the region for themselves until they leave it. A section `y` in it runs under the same set
//! as `d` unless some of these lanes can be elsewhere at that time. Call an edge *bad* if only part of the lanes may take it:
//! the edges of a branch that is not uniform, and all edges of a section that may run under a smaller set. Lanes can be elsewhere when `y`
//! runs only if a bad edge passes over it: forwards (they wait behind `y`, or have returned), or backwards (they have run `y`
//! before, or will run it again). All others are at `y`: those at lower positions run first. This is computed from the bad
//! edges of all branches on; each section that it reaches makes its own edges bad.
//!
//! Beside that, sections that *all* lanes of an activation come to together have one set, even behind barriers: nobody is left who could join them.
//!
//! Sections under the same set as `d` form a *class* with the leader `d`: each time one of them runs, it is under the
//! set of the last run of `d`. The other sections of the region run under subsets of it, and lead classes of their own.

mod regions;
#[cfg(test)]
mod tests;
mod waiting;

pub use waiting::Waiting;

use crate::{ActiveSet, Block, Function, Instruction, Operand, Position, Terminator};
use pisa_module::FunctionKind;
use smallvec::SmallVec;

/// A section's position in lexical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Section(pub u32);

impl Section {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a section is not under the set of the section before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// It is where the function begins.
    Entry,
    /// Lanes part at the end of this block and meet again later only.
    Branch(Block),
    /// The loop that this block closes may run in some lanes longer than in others.
    Loop(Block),
    /// Some lanes may have returned at the end of this block.
    Return(Block),
    /// Lanes wait for others in this instruction: a barrier, or a call of a function that may have one.
    Waiting(Instruction),
    /// Control also comes from this block, from elsewhere.
    Join(Block),
}

/// The lanes of a section as part of those of another: the ones for which the branch at its end goes one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arm {
    /// The section whose block ends in the branch; its set is that of its class.
    pub from: Section,
    /// The condition of the branch.
    pub condition: Operand,
    /// Whether these are the lanes for which it is true.
    pub taken: bool,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct ActiveSets {
    sections: Vec<SectionData>,
    /// First section of each block by the block's index; blocks outside the layout have none.
    first: Vec<Option<Section>>,
    /// By instruction: the section that begins behind it.
    after: rustc_hash::FxHashMap<Instruction, Section>,
    entries: regions::Entries,
    full: bool,
}

#[derive(Clone, Debug)]
struct SectionData {
    block: Block,
    /// The instructions of the block that it has.
    begin: u32,
    end: u32,
    /// The instruction that ends it, if it is not the terminator of the block.
    ends_with: Option<Instruction>,
    /// Where control goes.
    successors: SmallVec<[Section; 2]>,
    returns: bool,
    /// Whether lanes may wait at its end.
    waits: bool,
    /// Whether lanes may part at its end.
    splits: bool,
    leader: Section,
    /// The leader of the smallest region that it is in, other than its own.
    parent: Option<Section>,
    cause: Cause,
}

impl ActiveSets {
    /// Of a function. `uniform` says of the branch at the end of a block whether all lanes that run it together go the same way.
    pub fn of(function: &Function, waiting: &Waiting, uniform: impl Fn(Block) -> bool) -> ActiveSets {
        let mut sets = ActiveSets::sections(function, waiting, uniform);
        sets.entries = regions::classify(&mut sets.sections);
        sets
    }

    fn sections(function: &Function, waiting: &Waiting, uniform: impl Fn(Block) -> bool) -> ActiveSets {
        let mut sections: Vec<SectionData> = Vec::with_capacity(function.layout.len());
        let mut first = vec![None; function.blocks.len()];
        let mut after = rustc_hash::FxHashMap::default();
        for &block in &function.layout {
            first[block.index()] = Some(Section(sections.len() as u32));
            let data = function.block(block);
            let mut begin = 0;
            let mut push = |begin, end, ends_with, waits| {
                let number = sections.len() as u32;
                sections.push(SectionData {
                    block,
                    begin,
                    end,
                    ends_with,
                    successors: SmallVec::new(),
                    returns: false,
                    waits,
                    splits: false,
                    leader: Section(number),
                    parent: None,
                    cause: Cause::Entry,
                });
                Section(number)
            };
            for (index, &instruction) in data.instructions.iter().enumerate() {
                let what = function.instruction(instruction);
                if what.properties().changes_active_set {
                    let end = index as u32 + 1;
                    let number = push(begin, end, Some(instruction), waiting.may_wait(what));
                    after.insert(instruction, Section(number.0 + 1));
                    begin = end;
                }
            }
            push(begin, data.instructions.len() as u32, None, false);
        }
        for (number, section) in sections.iter_mut().enumerate() {
            if section.ends_with.is_some() {
                section.successors.push(Section(number as u32 + 1));
                continue;
            }
            let terminator = &function.block(section.block).terminator;
            let targets = terminator.targets();
            let successors = targets.iter().filter_map(|t| first.get(t.block.index()).copied().flatten());
            section.successors = successors.collect();
            section.successors.dedup();
            section.returns = matches!(terminator, Terminator::Return(_) | Terminator::ReturnIf { .. });
            let ways = section.successors.len() + usize::from(section.returns);
            let constant = matches!(terminator.operands().first(), Some(Operand::Constant(_)));
            section.splits = ways > 1 && !constant && !uniform(section.block);
        }
        ActiveSets {
            sections,
            first,
            after,
            entries: regions::Entries::default(),
            full: starts_full(function),
        }
    }

    /// How many sections there are.
    pub fn len(&self) -> usize {
        self.sections.len()
    }
    /// Whether there is none: of a function that is only declared.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }
    /// The section of a token; `None` of blocks and instructions that were not there.
    pub fn section(&self, active: ActiveSet) -> Option<Section> {
        match active {
            ActiveSet::Entry(block) => self.first.get(block.index()).copied().flatten(),
            ActiveSet::After(instruction) => self.after.get(&instruction).copied(),
        }
    }
    /// The section at a place.
    pub fn section_at(&self, position: Position) -> Option<Section> {
        let first = self.first.get(position.block.index()).copied().flatten()?;
        let rest = &self.sections[first.index()..];
        let of_block = rest.iter().take_while(|s| s.block == position.block);
        let number = of_block.take_while(|s| s.begin <= position.index).count();
        Some(Section(first.0 + number.max(1) as u32 - 1))
    }
    /// The last section of a block.
    pub fn last(&self, block: Block) -> Option<Section> {
        self.section_at(Position { block, index: u32::MAX })
    }
    /// The block of a section.
    pub fn block(&self, section: Section) -> Block {
        self.sections[section.index()].block
    }
    /// The end of a section: before the instruction that ends it, or before the terminator.
    pub fn end(&self, section: Section) -> Position {
        let data = &self.sections[section.index()];
        let index = data.end - u32::from(data.ends_with.is_some());
        Position { block: data.block, index }
    }
    /// The leader of the section's class: two sections of one class run under the same set, see the [module](self).
    pub fn class(&self, section: Section) -> Section {
        self.sections[section.index()].leader
    }
    /// Whether two sections are of one class.
    pub fn equal(&self, a: Section, b: Section) -> bool {
        self.class(a) == self.class(b)
    }
    /// Whether two tokens are proved to be one set.
    pub fn same(&self, a: ActiveSet, b: ActiveSet) -> bool {
        a == b
            || match (self.section(a), self.section(b)) {
                (Some(a), Some(b)) => self.equal(a, b),
                _ => false,
            }
    }
    /// The class whose set contains that of this class: each time a section of this class runs, it is under a subset of the set of the last
    /// run of that one.
    pub fn parent(&self, class: Section) -> Option<Section> {
        self.sections[self.class(class).index()].parent.map(|parent| self.class(parent))
    }
    /// Whether the set of `inner` is proved to be a subset of that of `outer`.
    pub fn contains(&self, outer: Section, inner: Section) -> bool {
        let outer = self.class(outer);
        let mut class = Some(self.class(inner));
        while let Some(inner) = class {
            if inner == outer {
                return true;
            }
            class = self.parent(inner);
        }
        false
    }
    /// Whether all 32 lanes are proved to be active in a section: all come to it that a kernel begins with, and its work-groups are of whole
    /// sub-groups by `.reqd_work_group_size` (X-05; only then may no work-group be partial).
    pub fn is_full(&self, section: Section) -> bool {
        self.full && self.class(section) == Section(0)
    }
    /// Why the class of a section is one of its own.
    pub fn cause(&self, section: Section) -> Cause {
        let leader = self.class(section);
        match self.branch_to(leader) {
            Some(from) => Cause::Branch(self.block(from)),
            None => self.sections[leader.index()].cause,
        }
    }
    /// The lanes of a class as an arm of its parent's: where exactly one edge leads to its leader, and that from a branch of a section
    /// of the parent's class.
    pub fn arm(&self, function: &Function, class: Section) -> Option<Arm> {
        let leader = self.class(class);
        let from = self.branch_to(leader)?;
        let block = self.sections[from.index()].block;
        let to = self.sections[leader.index()].block;
        match &function.block(block).terminator {
            Terminator::Branch { condition, taken, otherwise } if taken.block != otherwise.block => {
                Some(Arm { from, condition: *condition, taken: taken.block == to })
            }
            Terminator::ReturnIf { condition, .. } => Some(Arm { from, condition: *condition, taken: false }),
            _ => None,
        }
    }
    /// The section of the parent's class that is the only one that leads to this leader, by a branch.
    fn branch_to(&self, leader: Section) -> Option<Section> {
        let parent = self.parent(leader)?;
        let [from] = self.entries.from[leader.index()][..] else { return None };
        let from = Section(from);
        (self.class(from) == parent && self.sections[from.index()].splits).then_some(from)
    }
}

/// Whether a kernel begins with all lanes of every sub-group active.
fn starts_full(function: &Function) -> bool {
    match &function.kind {
        FunctionKind::Kernel { required_work_group_size: Some(size), .. } => {
            let items: u64 = size.iter().map(|&n| u64::from(n)).product();
            items > 0 && items.is_multiple_of(32)
        }
        _ => false,
    }
}
