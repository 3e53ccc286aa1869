//! The nest of loops, with one entry or several.
//!
//! A loop is a set of blocks in which control can get from each to each, as large as possible: all of it, or what is left of another
//! loop without its header. The header is its first block in a depth-first search. A loop is reducible if the header is its only
//! entry. Control that can go round somewhere is in a loop, whatever `goto` made it.
//!
//! Found as in Havlak's and Tarjan's nests: headers from the last found to the first; the blocks that lead back to a header are
//! gathered against the flow, and loops found before are taken in whole.

use super::ControlFlow;
use super::control_flow::Edge;
use crate::{Block, Function, Terminator};
use pisa_module::Lists;

/// No loop, no block.
const NONE: u32 = u32::MAX;

/// A loop of a [`LoopNest`]. Outer loops have lower numbers than the loops in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop(pub u32);

impl Loop {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopData {
    /// The entry that a depth-first search finds first. If the loop is reducible it dominates all of it.
    pub header: Block,
    /// Blocks that control enters the loop through, the header first. One, if it is reducible.
    pub entries: Vec<Block>,
    /// The loop around it.
    pub parent: Option<Loop>,
    /// How many loops it is in, itself included.
    pub depth: u32,
    /// Where its blocks stand in [`LoopNest::blocks`] of all.
    first: u32,
    end: u32,
    /// The number behind that of the last loop in it.
    last_inside: u32,
}

impl LoopData {
    /// Whether control enters it through one block only.
    pub fn is_reducible(&self) -> bool {
        self.entries.len() == 1
    }
}

/// The loops of a function.
#[derive(Clone, Debug, Default)]
pub struct LoopNest {
    loops: Vec<LoopData>,
    /// By block: the innermost loop that it is in.
    innermost: Vec<Option<Loop>>,
    /// Blocks, those of each loop in one run.
    blocks: Vec<Block>,
}

impl LoopNest {
    /// Of a function; near linear.
    pub fn of(function: &Function, flow: &ControlFlow) -> LoopNest {
        let Some(entry) = function.entry() else { return LoopNest::default() };
        Finder::new(function, flow, entry).find(flow)
    }

    /// How many loops there are.
    pub fn len(&self) -> usize {
        self.loops.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }
    /// All loops, each behind the loops that it is in.
    pub fn loops(&self) -> impl Iterator<Item = Loop> + use<> {
        (0..self.loops.len() as u32).map(Loop)
    }
    /// The loop.
    pub fn data(&self, l: Loop) -> &LoopData {
        &self.loops[l.index()]
    }
    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost.get(block.index()).copied().flatten()
    }
    /// How many loops a block is in.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |l| self.data(l).depth)
    }
    /// The blocks of a loop, those of loops in it included.
    pub fn blocks(&self, l: Loop) -> &[Block] {
        let data = self.data(l);
        &self.blocks[data.first as usize..data.end as usize]
    }
    /// Whether a loop is in another, or the same.
    pub fn contains_loop(&self, outer: Loop, inner: Loop) -> bool {
        outer <= inner && inner.0 < self.data(outer).last_inside
    }
    /// Whether a block is in a loop.
    pub fn contains(&self, l: Loop, block: Block) -> bool {
        self.innermost(block).is_some_and(|inner| self.contains_loop(l, inner))
    }
    /// The innermost loop that both blocks are in.
    pub fn common(&self, a: Block, b: Block) -> Option<Loop> {
        let mut at = self.innermost(a);
        while let Some(l) = at.filter(|&l| !self.contains(l, b)) {
            at = self.data(l).parent;
        }
        at
    }
    /// The outermost loop that has the one block but not the other.
    pub fn outermost_without(&self, block: Block, without: Block) -> Option<Loop> {
        let (mut found, mut at) = (None, self.innermost(block));
        while let Some(l) = at.filter(|&l| !self.contains(l, without)) {
            (found, at) = (Some(l), self.data(l).parent);
        }
        found
    }
    /// Edges that leave a loop for other blocks; looks at all of its blocks.
    pub fn exits<'a>(&'a self, flow: &'a ControlFlow, l: Loop) -> impl Iterator<Item = Edge> + 'a {
        let edges = self.blocks(l).iter().flat_map(|&block| flow.successors(block));
        edges.copied().filter(move |edge| !self.contains(l, edge.to))
    }
    /// Blocks of a loop in which lanes can leave it, and the function, by a `return`.
    pub fn returns<'a>(&'a self, function: &'a Function, l: Loop) -> impl Iterator<Item = Block> + 'a {
        self.blocks(l).iter().copied().filter(|&block| {
            let terminator = &function.block(block).terminator;
            matches!(terminator, Terminator::Return(_) | Terminator::ReturnIf { .. })
        })
    }
    /// Edges from within a loop back to its header.
    pub fn latches<'a>(&'a self, flow: &'a ControlFlow, l: Loop) -> impl Iterator<Item = Edge> + 'a {
        let edges = flow.predecessors(self.data(l).header).iter().copied();
        edges.filter(move |edge| self.contains(l, edge.from))
    }
    /// Edges that enter a loop.
    pub fn entering<'a>(&'a self, flow: &'a ControlFlow, l: Loop) -> impl Iterator<Item = Edge> + 'a {
        let edges = self.data(l).entries.iter().flat_map(move |&entry| flow.reachable_predecessors(entry));
        edges.filter(move |edge| !self.contains(l, edge.from))
    }
}

/// A loop while it is looked for.
struct Found {
    header: u32,
    entries: Vec<u32>,
    parent: u32,
}

/// Blocks by their numbers in a depth-first search.
struct Finder {
    order: Vec<Block>,
    /// By block: its number.
    number: Vec<u32>,
    /// By number: the number behind that of the last block found from it.
    last: Vec<u32>,
    found: Vec<Found>,
    /// By number: the innermost loop found so far.
    innermost: Vec<u32>,
    /// By loop: a loop around it, not always the outermost; for [`Finder::outermost`].
    around: Vec<u32>,
}

impl Finder {
    fn new(function: &Function, flow: &ControlFlow, entry: Block) -> Finder {
        let mut number = vec![NONE; function.blocks.len()];
        let (mut order, mut last) = (vec![entry], vec![NONE]);
        number[entry.index()] = 0;
        let mut path = vec![(entry, 0)];
        while let Some((block, done)) = path.last_mut() {
            let block = *block;
            match flow.successors(block).get(*done) {
                Some(edge) => {
                    *done += 1;
                    if number[edge.to.index()] == NONE {
                        number[edge.to.index()] = order.len() as u32;
                        order.push(edge.to);
                        last.push(NONE);
                        path.push((edge.to, 0));
                    }
                }
                None => {
                    last[number[block.index()] as usize] = order.len() as u32;
                    path.pop();
                }
            }
        }
        let innermost = vec![NONE; order.len()];
        Finder { order, number, last, found: Vec::new(), innermost, around: Vec::new() }
    }

    /// Whether the search found `below` from `above`, or they are the same.
    fn is_below(&self, above: u32, below: u32) -> bool {
        above <= below && below < self.last[above as usize]
    }

    /// The outermost loop found so far that a loop is in.
    fn outermost(&mut self, l: u32) -> u32 {
        let mut top = l;
        while self.around[top as usize] != NONE {
            top = self.around[top as usize];
        }
        let mut at = l;
        while at != top {
            at = std::mem::replace(&mut self.around[at as usize], top);
        }
        top
    }

    fn find(mut self, flow: &ControlFlow) -> LoopNest {
        let mut todo = Vec::new();
        for header in (0..self.order.len() as u32).rev() {
            let block = self.order[header as usize];
            let back = flow.reachable_predecessors(block).map(|edge| self.number[edge.from.index()]);
            todo.extend(back.filter(|&from| self.is_below(header, from)));
            if !todo.is_empty() {
                self.gather(flow, header, &mut todo);
            }
        }
        self.finish()
    }

    /// The loop of a header; `todo` are the blocks from which control goes back to it.
    fn gather(&mut self, flow: &ControlFlow, header: u32, todo: &mut Vec<u32>) {
        let this = self.found.len() as u32;
        self.found.push(Found { header, entries: vec![header], parent: NONE });
        self.around.push(NONE);
        self.innermost[header as usize] = this;
        while let Some(at) = todo.pop() {
            let inner = match self.innermost[at as usize] {
                NONE => NONE,
                inner => self.outermost(inner),
            };
            if inner == this {
                continue;
            }
            // A block, or a loop found before, through whose entries control came.
            let entries = if inner == NONE {
                self.innermost[at as usize] = this;
                vec![at]
            } else {
                self.found[inner as usize].parent = this;
                self.around[inner as usize] = this;
                self.found[inner as usize].entries.clone()
            };
            for entry in entries {
                let mut enters = false;
                for edge in flow.reachable_predecessors(self.order[entry as usize]) {
                    let from = self.number[edge.from.index()];
                    match self.is_below(header, from) {
                        true => todo.push(from),
                        false => enters = true,
                    }
                }
                if enters {
                    self.found[this as usize].entries.push(entry);
                }
            }
        }
    }

    /// Loops from the outer to the inner, and blocks in the order of their loops.
    fn finish(self) -> LoopNest {
        let count = self.found.len();
        let of = |parent: u32| if parent == NONE { count } else { parent as usize };
        // Loops were found from the last header to the first.
        let children =
            Lists::new(count + 1, || (0..count as u32).rev().map(|l| (of(self.found[l as usize].parent), l)));
        let blocks = Lists::new(count + 1, || self.innermost.iter().copied().map(of).zip(&self.order));
        let mut nest = LoopNest {
            loops: Vec::with_capacity(count),
            innermost: vec![None; self.number.len()],
            blocks: Vec::new(),
        };
        let mut path: Vec<(usize, usize, Option<Loop>)> = vec![(count, 0, None)];
        while let Some((at, done, number)) = path.last_mut() {
            let (at, number) = (*at, *number);
            if let Some(&child) = children.get(at).get(*done) {
                *done += 1;
                let data = &self.found[child as usize];
                let new = Loop(nest.loops.len() as u32);
                let first = nest.blocks.len() as u32;
                nest.loops.push(LoopData {
                    header: self.order[data.header as usize],
                    entries: data.entries.iter().map(|&entry| self.order[entry as usize]).collect(),
                    parent: number,
                    depth: path.len() as u32,
                    first,
                    end: first,
                    last_inside: new.0 + 1,
                });
                for &&block in blocks.get(child as usize) {
                    nest.innermost[block.index()] = Some(new);
                    nest.blocks.push(block);
                }
                path.push((child as usize, 0, Some(new)));
            } else {
                if let Some(number) = number {
                    nest.loops[number.index()].end = nest.blocks.len() as u32;
                    nest.loops[number.index()].last_inside = nest.loops.len() as u32;
                }
                path.pop();
            }
        }
        nest
    }
}
