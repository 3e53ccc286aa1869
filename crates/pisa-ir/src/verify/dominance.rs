//! Invariant 25: definitions dominate uses.
//!
//! The dominators are those of Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), with path
//! compression: close to linear, and without recursion. The verifier has them for itself, so that it does not rest on the
//! analyses that the passes use.

use super::Checker;
use crate::function::{Block, Function, Instruction, Operand};

/// No block.
const NONE: u32 = u32::MAX;

/// When each block is entered and left on a walk over the dominator tree; unreachable blocks have no times.
pub(super) struct Dominators {
    times: Vec<Option<(u32, u32)>>,
}

impl Dominators {
    pub(super) fn of(function: &Function) -> Dominators {
        let Some(entry) = function.entry() else { return Dominators { times: Vec::new() } };
        let count = function.blocks.len();
        let search = Search::from(function, entry);
        let parents = search.immediate_dominators(function);
        // Children in the order of the search stand behind their parents, so sizes of subtrees come from behind.
        let mut size = vec![1u32; search.order.len()];
        for number in (1..search.order.len()).rev() {
            size[parents[number] as usize] += size[number];
        }
        let mut times = vec![None; count];
        let mut next = vec![0u32; search.order.len()];
        for (number, block) in search.order.iter().enumerate() {
            let entered = if number == 0 {
                0
            } else {
                let parent = parents[number] as usize;
                let entered = next[parent];
                next[parent] += size[number];
                entered
            };
            next[number] = entered + 1;
            times[block.index()] = Some((entered, entered + size[number]));
        }
        Dominators { times }
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.times[block.index()].is_some()
    }

    /// Whether every way to `b` goes through `a`; for reachable `b`.
    pub(super) fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.times[a.index()], self.times[b.index()]) {
            (Some((entered, left)), Some((time, _))) => entered <= time && time < left,
            _ => false,
        }
    }
}

/// A depth-first search from the entry.
struct Search {
    /// Blocks in the order in which they are found.
    order: Vec<Block>,
    /// Positions in `order`, by block.
    numbers: Vec<u32>,
    /// From where each was found, as positions.
    parents: Vec<u32>,
}

impl Search {
    fn from(function: &Function, entry: Block) -> Search {
        let mut search =
            Search { order: vec![entry], numbers: vec![NONE; function.blocks.len()], parents: vec![0] };
        search.numbers[entry.index()] = 0;
        let mut stack = vec![(0u32, 0usize)];
        while let Some((number, next)) = stack.pop() {
            let targets = function.targets(search.order[number as usize]);
            let Some(target) = targets.get(next) else { continue };
            stack.push((number, next + 1));
            let block = target.block;
            if search.numbers[block.index()] == NONE {
                let found = search.order.len() as u32;
                search.numbers[block.index()] = found;
                search.order.push(block);
                search.parents.push(number);
                stack.push((found, 0));
            }
        }
        search
    }

    /// The immediate dominator of each block, all as positions in the order.
    fn immediate_dominators(&self, function: &Function) -> Vec<u32> {
        let count = self.order.len();
        let predecessors = self.predecessors(function);
        let mut forest = Forest::new(count);
        let mut dominators = vec![0u32; count];
        // Blocks whose semi-dominator is the block of the index, as chains.
        let (mut first, mut following) = (vec![NONE; count], vec![NONE; count]);
        for block in (1..count as u32).rev() {
            let at = block as usize;
            for &predecessor in predecessors.of(at) {
                let least = forest.least(predecessor);
                forest.semi[at] = forest.semi[at].min(forest.semi[least as usize]);
            }
            let semi = forest.semi[at] as usize;
            following[at] = first[semi];
            first[semi] = block;
            let parent = self.parents[at];
            forest.ancestor[at] = parent;
            let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
            while waiting != NONE {
                let least = forest.least(waiting);
                let is_lower = forest.semi[least as usize] < forest.semi[waiting as usize];
                dominators[waiting as usize] = if is_lower { least } else { parent };
                waiting = following[waiting as usize];
            }
        }
        for at in 1..count {
            if dominators[at] != forest.semi[at] {
                dominators[at] = dominators[dominators[at] as usize];
            }
        }
        dominators
    }

    fn predecessors(&self, function: &Function) -> Predecessors {
        let edges = || {
            self.order.iter().enumerate().flat_map(|(number, &block)| {
                let targets = function.targets(block);
                targets.into_iter().map(move |target| (number as u32, target.block))
            })
        };
        let mut starts = vec![0usize; self.order.len() + 1];
        for (_, target) in edges() {
            starts[self.numbers[target.index()] as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut list = vec![0u32; starts[self.order.len()]];
        let mut filled = starts.clone();
        for (number, target) in edges() {
            let place = &mut filled[self.numbers[target.index()] as usize];
            list[*place] = number;
            *place += 1;
        }
        Predecessors { starts, list }
    }
}

/// From where each block is gone to, one list behind the other.
struct Predecessors {
    starts: Vec<usize>,
    list: Vec<u32>,
}

impl Predecessors {
    fn of(&self, number: usize) -> &[u32] {
        &self.list[self.starts[number]..self.starts[number + 1]]
    }
}

/// The forest of the search as far as it is linked, with compressed paths.
struct Forest {
    ancestor: Vec<u32>,
    /// Of a block and what was compressed above it, the one with the least semi-dominator.
    label: Vec<u32>,
    semi: Vec<u32>,
    /// Blocks on the way that is being compressed.
    path: Vec<u32>,
}

impl Forest {
    fn new(count: usize) -> Forest {
        let own: Vec<u32> = (0..count as u32).collect();
        Forest { ancestor: vec![NONE; count], label: own.clone(), semi: own, path: Vec::new() }
    }

    /// The block with the least semi-dominator on the way up from `block`, its root excluded.
    fn least(&mut self, block: u32) -> u32 {
        if self.ancestor[block as usize] == NONE {
            return self.label[block as usize];
        }
        let mut at = block;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[below as usize] as usize] {
                self.label[below as usize] = self.label[above];
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
        self.label[block as usize]
    }
}

/// Where a value is defined: the block, and how many of its instructions come first; parameters are at 0, the result of the
/// instruction with index `i` at `i + 1`.
type Definitions = Vec<(Block, u32)>;

impl Checker<'_> {
    pub(super) fn dominance(&mut self) {
        let function = self.function;
        // Invariants 6 and 7 hold, or targets cannot be followed.
        if self.errors.iter().any(|error| error.invariant == 7) || function.layout.is_empty() {
            return;
        }
        let mut definitions: Definitions = vec![(function.layout[0], 0); function.values.len()];
        for &block in &function.layout {
            let data = function.block(block);
            for &value in &data.parameters {
                definitions[value.index()] = (block, 0);
            }
            for (index, &instruction) in data.instructions.iter().enumerate() {
                for &value in &function.instruction(instruction).results {
                    definitions[value.index()] = (block, index as u32 + 1);
                }
            }
        }
        let dominators = Dominators::of(function);
        for &block in &function.layout {
            if !dominators.is_reachable(block) {
                continue;
            }
            let data = function.block(block);
            for (index, &instruction) in data.instructions.iter().enumerate() {
                for &operand in &function.instruction(instruction).operands {
                    self.use_of(operand, (block, index as u32), Some(instruction), &definitions, &dominators);
                }
            }
            let end = data.instructions.len() as u32;
            data.terminator.for_each_operand(|operand| {
                self.use_of(operand, (block, end), None, &definitions, &dominators);
            });
        }
    }

    fn use_of(
        &mut self,
        operand: Operand,
        (block, index): (Block, u32),
        instruction: Option<Instruction>,
        definitions: &Definitions,
        dominators: &Dominators,
    ) {
        let Some(value) = operand.value() else { return };
        let (home, number) = definitions[value.index()];
        let fine = if home == block { number <= index } else { dominators.dominates(home, block) };
        if fine {
            return;
        }
        let name = self.value(value);
        let message = if home == block {
            format!("`{name}` is used before it is defined")
        } else {
            let home = self.block_name(home);
            format!("`{name}` is used where control comes without passing `{home}`, which defines it")
        };
        self.report(25, Some(block), instruction, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Target, Terminator};
    use crate::samples::kernel;

    /// A graph by the targets of each block, at most two.
    fn graph(edges: &[Vec<usize>]) -> Function {
        let mut function = kernel("graph", &[]);
        let blocks: Vec<Block> = edges.iter().map(|_| function.append_block()).collect();
        for (from, targets) in edges.iter().enumerate() {
            let target = |i: usize| Target::new(blocks[targets[i]]);
            function.blocks[from].terminator = match targets.len() {
                0 => Terminator::Return(None),
                1 => Terminator::Goto(target(0)),
                _ => Terminator::Branch {
                    condition: Operand::Constant(crate::Constant::predicate(true)),
                    taken: target(0),
                    otherwise: target(1),
                },
            };
        }
        function
    }

    /// Blocks that are reached from the entry without passing `without`.
    fn reached(edges: &[Vec<usize>], without: usize) -> Vec<bool> {
        let mut reached = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if at != without && !std::mem::replace(&mut reached[at], true) {
                stack.extend(&edges[at]);
            }
        }
        reached
    }

    #[test]
    fn dominators_are_what_cannot_be_avoided() {
        // `a` dominates `b` exactly when nothing reaches `b` without `a`: tried on random graphs, irreducible ones too.
        let mut random = 0x1234_5678_9abc_def1u64;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as usize % below
        };
        for _ in 0..400 {
            let count = 2 + next(14);
            let edges: Vec<Vec<usize>> =
                (0..count).map(|_| (0..next(3)).map(|_| 1 + next(count - 1)).collect()).collect();
            let dominators = Dominators::of(&graph(&edges));
            let reachable = reached(&edges, usize::MAX);
            for a in 0..count {
                let avoiding = reached(&edges, a);
                assert_eq!(dominators.is_reachable(Block(a as u32)), reachable[a], "{edges:?}");
                for b in (0..count).filter(|&b| reachable[b]) {
                    let expected = reachable[a] && !avoiding[b];
                    assert_eq!(
                        dominators.dominates(Block(a as u32), Block(b as u32)),
                        expected,
                        "{a} {b} {edges:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_long_ladder_takes_no_time() {
        // Every rung goes on or to the one end: each of 200 000 ways into the end shortens its dominators.
        let count = 200_000;
        let edges: Vec<Vec<usize>> =
            (0..count).map(|i| if i + 1 == count { Vec::new() } else { vec![i + 1, count - 1] }).collect();
        let dominators = Dominators::of(&graph(&edges));
        assert!(dominators.dominates(Block(0), Block(count as u32 - 1)));
        assert!(!dominators.dominates(Block(1), Block(count as u32 - 1)));
        assert!(dominators.dominates(Block(1), Block(count as u32 - 2)));
    }
}
