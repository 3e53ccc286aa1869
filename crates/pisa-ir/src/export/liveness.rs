//! Where each value is needed, as ranges of points in lexical order.
//!
//! Every block has a point for its parameters, one for each instruction and one for its terminator, two numbers each: what
//! an instruction reads is needed up to the first, what it writes begins at the second. So a result may take the register of
//! an operand that is read there last. Arguments of targets are read by the terminator; copies on edges see to the rest.

use super::ranges::Ranges;
use super::views::Views;
use crate::{Block, Definition, Function, Operand, Operation, Value};

/// Numbers of points.
pub(super) struct Points {
    /// By index of a block: its first point; `u32::MAX` outside the layout.
    start: Vec<u32>,
    /// By index of a block: behind its last point.
    end: Vec<u32>,
}

impl Points {
    pub(super) fn of(function: &Function) -> Points {
        let mut points = Points {
            start: vec![u32::MAX; function.blocks.len()],
            end: vec![u32::MAX; function.blocks.len()],
        };
        let mut next = 0;
        for &block in &function.layout {
            points.start[block.index()] = next;
            next += 2 * (function.block(block).instructions.len() as u32 + 2);
            points.end[block.index()] = next;
        }
        points
    }
    /// Where the parameters of a block are defined, and what it needs from others is there.
    pub(super) fn start(&self, block: Block) -> u32 {
        self.start[block.index()]
    }
    /// Where the terminator of a block reads.
    pub(super) fn terminator(&self, block: Block) -> u32 {
        self.end[block.index()] - 2
    }
    fn instruction(&self, block: Block, index: usize) -> u32 {
        self.start[block.index()] + 2 * (index as u32 + 1)
    }
}

/// The ranges of every value, empty for those that need no register.
pub(super) struct Liveness {
    pub(super) points: Points,
    pub(super) ranges: Vec<Ranges>,
}

struct Finder<'a> {
    function: &'a Function,
    views: &'a Views,
    points: Points,
    /// Blocks that lead to a block, by its index.
    predecessors: Vec<Vec<Block>>,
    /// By value: the block that defines it and the point from which on it is there.
    defined: Vec<Option<(Block, u32)>>,
    /// Uses of values: the value, the block, the point.
    uses: Vec<(Value, Block, u32)>,
}

impl Liveness {
    pub(super) fn of(function: &Function, views: &Views) -> Liveness {
        let points = Points::of(function);
        let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); function.blocks.len()];
        for &block in &function.layout {
            for target in function.targets(block) {
                let known = &mut predecessors[target.block.index()];
                // Both edges of a branch may lead to one block.
                if known.last() != Some(&block) {
                    known.push(block);
                }
            }
        }
        let defined = vec![None; function.values.len()];
        let mut finder = Finder { function, views, points, predecessors, defined, uses: Vec::new() };
        finder.definitions();
        finder.find_uses();
        let ranges = finder.ranges();
        Liveness { points: finder.points, ranges }
    }
}

impl Finder<'_> {
    fn definitions(&mut self) {
        for (number, &block) in self.function.layout.iter().enumerate() {
            let data = self.function.block(block);
            let start = self.points.start(block);
            for &parameter in &data.parameters {
                self.defined[parameter.index()] = Some((block, start));
            }
            for (index, &instruction) in data.instructions.iter().enumerate() {
                let data = self.function.instruction(instruction);
                // Nothing may write a register before that whose first content is wanted.
                let initial = number == 0 && data.operation == Operation::Initial;
                let point = if initial { 0 } else { self.points.instruction(block, index) + 1 };
                for &result in &data.results {
                    self.defined[result.index()] = Some((block, point));
                }
            }
        }
    }

    fn use_of(&mut self, operand: Operand, block: Block, point: u32) -> Option<Value> {
        let value = self.views.base(operand.value()?)?;
        self.uses.push((value, block, point));
        Some(value)
    }

    /// Uses by instructions and terminators, then the arguments of those parameters that are needed.
    fn find_uses(&mut self) {
        let function = self.function;
        for &block in &function.layout {
            let data = function.block(block);
            for (index, &instruction) in data.instructions.iter().enumerate() {
                let instruction = function.instruction(instruction);
                if self.views.is_view(instruction) {
                    continue;
                }
                let point = self.points.instruction(block, index);
                for &operand in &instruction.operands {
                    self.use_of(operand, block, point);
                }
            }
            let point = self.points.terminator(block);
            for operand in data.terminator.operands() {
                self.use_of(operand, block, point);
            }
        }
        let mut needed = vec![false; function.values.len()];
        let mut work: Vec<Value> = self.uses.iter().map(|&(value, ..)| value).collect();
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut needed[value.index()], true) {
                continue;
            }
            let Definition::Parameter(block, number) = function.value(value).definition else { continue };
            for from in self.predecessors[block.index()].clone() {
                let point = self.points.terminator(from);
                for target in function.targets(from).iter().filter(|target| target.block == block) {
                    let argument = target.arguments.get(number as usize).copied();
                    work.extend(argument.and_then(|argument| self.use_of(argument, from, point)));
                }
            }
        }
    }

    fn ranges(&mut self) -> Vec<Ranges> {
        let function = self.function;
        let mut uses = std::mem::take(&mut self.uses);
        uses.sort_unstable_by_key(|&(value, ..)| value);
        let mut all: Vec<Ranges> = vec![Ranges::default(); function.values.len()];
        let mut at = 0;
        // By block, valid where `seen` has the number of the value: until where it is needed in it, and whether it comes from outside.
        let mut until = vec![0u32; function.blocks.len()];
        let mut seen = vec![u32::MAX; function.blocks.len()];
        let mut comes_in = vec![false; function.blocks.len()];
        let (mut touched, mut work): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
        for (number, defined) in self.defined.iter().enumerate() {
            let value = Value(number as u32);
            let first = at;
            while uses.get(at).is_some_and(|one| one.0 == value) {
                at += 1;
            }
            let Some((home, from)) = *defined else { continue };
            let is_argument = Some(home) == function.entry()
                && matches!(function.value(value).definition, Definition::Parameter(..));
            let is_parameter = matches!(function.value(value).definition, Definition::Parameter(..));
            let is_initial = function
                .defining_operand(Operand::Value(value))
                .is_some_and(|d| d.operation == Operation::Initial);
            if self.views.of(value).is_some() || (first == at && (is_parameter || is_initial) && !is_argument)
            {
                continue;
            }
            touched.clear();
            let mut reach =
                |block: Block, point: u32, into: bool, work: &mut Vec<Block>, touched: &mut Vec<Block>| {
                    let index = block.index();
                    if seen[index] != value.0 {
                        seen[index] = value.0;
                        until[index] = 0;
                        comes_in[index] = false;
                        touched.push(block);
                    }
                    until[index] = until[index].max(point);
                    if into && !std::mem::replace(&mut comes_in[index], true) {
                        work.push(block);
                    }
                };
            reach(home, from + 1, false, &mut work, &mut touched);
            for &(_, block, point) in &uses[first..at] {
                reach(block, point + 1, block != home, &mut work, &mut touched);
            }
            while let Some(block) = work.pop() {
                for &before in &self.predecessors[block.index()] {
                    reach(before, self.points.end[before.index()], before != home, &mut work, &mut touched);
                }
            }
            let ranges = touched.iter().map(|&block| {
                let start = if block == home { from } else { self.points.start(block) };
                (start, until[block.index()])
            });
            all[number] = Ranges::of(ranges.collect());
        }
        all
    }
}
