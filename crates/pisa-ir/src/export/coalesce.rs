//! Which values share a register.
//!
//! Values of one type whose ranges do not overlap may. First those that would need a copy otherwise: a destination and the
//! old value that shows through it, a vector before and after a change of elements, parameters of blocks and what they get,
//! inner loops first; of these, those of one name before all others. Then values of one name. At last, values without a name take
//! registers that are free.

use super::liveness::Liveness;
use super::ranges::Ranges;
use super::roles;
use super::views::Views;
use crate::{Block, Definition, Function, Operand, Value};
use pisa_module::RegisterType;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Values in classes, each with one register.
pub(super) struct Classes {
    parent: Vec<u32>,
    ranges: Vec<Ranges>,
    types: Vec<RegisterType>,
    /// Of the root of a class: whether a value with a name or an argument is in it.
    named: Vec<bool>,
    /// Of the root of a class: how many values are in it.
    sizes: Vec<u32>,
}

/// How deep each block is in loops, by its index: in how many runs of the layout that a jump back closes.
pub(super) fn loop_depths(function: &Function) -> Vec<u32> {
    let mut place = vec![0usize; function.blocks.len()];
    for (number, &block) in function.layout.iter().enumerate() {
        place[block.index()] = number;
    }
    let mut change = vec![0i64; function.layout.len() + 1];
    // Several jumps back to one block are one loop, up to the last of them.
    let mut last: FxHashMap<Block, usize> = FxHashMap::default();
    for (number, &block) in function.layout.iter().enumerate() {
        for target in function.targets(block) {
            if place[target.block.index()] <= number {
                last.insert(target.block, number);
            }
        }
    }
    for (block, number) in last {
        change[place[block.index()]] += 1;
        change[number + 1] -= 1;
    }
    let mut depths = vec![0; function.blocks.len()];
    let mut depth = 0;
    for (number, &block) in function.layout.iter().enumerate() {
        depth += change[number];
        depths[block.index()] = depth as u32;
    }
    depths
}

impl Classes {
    pub(super) fn of(function: &Function, liveness: &mut Liveness, views: &Views, depths: &[u32]) -> Classes {
        let ranges = std::mem::take(&mut liveness.ranges);
        let entry = function.entry();
        let is_argument = |value: &crate::ValueData| matches!(value.definition, Definition::Parameter(b, _) if Some(b) == entry);
        let mut classes = Classes {
            parent: (0..function.values.len() as u32).collect(),
            types: function.values.iter().map(|value| value.ty).collect(),
            named: function.values.iter().map(|v| v.name.is_some() || is_argument(v)).collect(),
            sizes: vec![1; function.values.len()],
            ranges,
        };
        let names = names(function);
        let mut wishes = wishes(function, views, depths);
        wishes.sort_by_key(|wish| {
            let (a, b) = (names[wish.a.index()], names[wish.b.index()]);
            (a.is_none() || a != b, wish.edge, Reverse(wish.depth))
        });
        for wish in wishes {
            classes.unite(wish.a, wish.b);
        }
        classes.unite_names(&names);
        classes.share(function, liveness);
        classes
    }

    /// The value that stands for the class of a value.
    pub(super) fn root(&self, value: Value) -> Value {
        let mut at = value.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        Value(at)
    }
    /// Where the register of a class is taken.
    pub(super) fn ranges(&self, root: Value) -> &Ranges {
        &self.ranges[root.index()]
    }
    /// Whether the value has a register.
    pub(super) fn has_register(&self, value: Value) -> bool {
        !self.ranges(self.root(value)).is_empty()
    }

    /// One class of two, if their ranges and types allow it.
    fn unite(&mut self, a: Value, b: Value) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let (i, j) = (a.index(), b.index());
        if self.types[i] != self.types[j]
            || self.ranges[i].is_empty()
            || self.ranges[j].is_empty()
            || self.ranges[i].overlaps(&self.ranges[j])
        {
            return false;
        }
        let (i, j) = if self.sizes[i] >= self.sizes[j] { (i, j) } else { (j, i) };
        let joined = std::mem::take(&mut self.ranges[j]);
        self.ranges[i].join(joined);
        self.parent[j] = i as u32;
        self.named[i] |= self.named[j];
        self.sizes[i] += self.sizes[j];
        true
    }

    /// Values of one name and type, each with the first class of that name that has room.
    fn unite_names(&mut self, names: &[Option<u32>]) {
        /// Names whose values overlap in more ways are not worth it.
        const CLASSES: usize = 8;
        let mut named: Vec<(u32, RegisterType, u32, Value)> = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let value = Value(number as u32);
            if let (Some(name), Some((start, _))) = (*name, self.ranges(self.root(value)).hull()) {
                named.push((name, self.types[number], start, value));
            }
        }
        named.sort_unstable();
        for of_one_name in named.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut heads: Vec<Value> = Vec::new();
            for &(.., value) in of_one_name {
                if !heads.iter().any(|&head| self.unite(head, value)) && heads.len() < CLASSES {
                    heads.push(value);
                }
            }
        }
    }

    /// Classes without a name take registers of their type that are free, in the order in which they begin.
    fn share(&mut self, function: &Function, liveness: &Liveness) {
        let mut hulls: Vec<(u32, u32, Value)> = Vec::new();
        let mut hull_of = vec![None; function.values.len()];
        for (number, hull) in hull_of.iter_mut().enumerate() {
            let value = Value(number as u32);
            if self.root(value) == value && !self.named[number] {
                *hull = self.ranges[number].hull();
            }
        }
        // A copy before a branch writes the register of a parameter where the branch is.
        for &block in &function.layout {
            let point = liveness.points.terminator(block);
            for target in function.targets(block) {
                for (&parameter, argument) in
                    function.block(target.block).parameters.iter().zip(&target.arguments)
                {
                    let root = self.root(parameter);
                    let same = matches!(argument, Operand::Value(value) if self.root(*value) == root);
                    if let (Some((start, end)), false) = (&mut hull_of[root.index()], same) {
                        *start = (*start).min(point);
                        *end = (*end).max(point + 1);
                    }
                }
            }
        }
        for (number, hull) in hull_of.into_iter().enumerate() {
            hulls.extend(hull.map(|(start, end)| (start, end, Value(number as u32))));
        }
        hulls.sort_unstable();
        let mut taken: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        let mut free: FxHashMap<RegisterType, BinaryHeap<Reverse<u32>>> = FxHashMap::default();
        // The first class of each register.
        let mut owners: Vec<Value> = Vec::new();
        for (start, end, class) in hulls {
            while let Some(&Reverse((until, register))) = taken.peek() {
                if until > start {
                    break;
                }
                taken.pop();
                let ty = self.types[owners[register as usize].index()];
                free.entry(ty).or_default().push(Reverse(register));
            }
            let register = match free.get_mut(&self.types[class.index()]).and_then(BinaryHeap::pop) {
                Some(Reverse(register)) if self.unite(owners[register as usize], class) => register,
                _ => {
                    owners.push(class);
                    owners.len() as u32 - 1
                }
            };
            taken.push(Reverse((end, register)));
        }
    }
}

/// Names by value, one number a name; of values without a name none.
fn names(function: &Function) -> Vec<Option<u32>> {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let number = |value: &crate::ValueData| {
        let name = function.name(value.name)?;
        let next = numbers.len() as u32;
        Some(*numbers.entry(name).or_insert(next))
    };
    function.values.iter().map(number).collect()
}

/// Two values that had better be in one register.
struct Wish {
    a: Value,
    b: Value,
    /// Whether it is a matter of an edge between blocks.
    edge: bool,
    depth: u32,
}

fn wishes(function: &Function, views: &Views, depths: &[u32]) -> Vec<Wish> {
    let mut wishes = Vec::new();
    let plain = |operand: Operand| match operand {
        Operand::Value(value) if views.of(value).is_none() => Some(value),
        _ => None,
    };
    for &block in &function.layout {
        let depth = depths[block.index()];
        let data = function.block(block);
        for &instruction in &data.instructions {
            let instruction = function.instruction(instruction);
            if views.is_view(instruction) {
                continue;
            }
            if let (Some(old), Some(result)) =
                (roles::old_value(instruction).and_then(plain), instruction.result())
            {
                wishes.push(Wish { a: old, b: result, edge: false, depth });
            }
        }
        for target in data.terminator.targets() {
            for (&parameter, &argument) in
                function.block(target.block).parameters.iter().zip(&target.arguments)
            {
                if let Some(argument) = plain(argument) {
                    wishes.push(Wish { a: parameter, b: argument, edge: true, depth });
                }
            }
        }
    }
    wishes
}
