//! Parameters of blocks that are one operand, or nobody's, and what falls with them.
//!
//! A parameter is redundant if everything that comes in is itself or one other operand; so is a group of parameters that only pass
//! values around among themselves and get one from outside. Copies that import passes on make such groups, in loops too. They are found as
//! the strongly connected components of parameters: first of all of them, then of those inside a component that nothing from
//! outside enters (Braun et al., Simple and Efficient Construction of Static Single Assignment Form, 2013).

use crate::function::{Block, Definition, Function, Operand, Terminator, Value};
use crate::operation::Operation;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// Takes away parameters that are redundant or that nobody needs, pass-throughs that nobody looks at, and initial values without a use.
pub(super) fn minimise(function: &mut Function) {
    let redundant = Graph::of(function).redundant();
    function.replace_values(&redundant);
    retain_parameters(function, |value| !redundant.contains_key(&value));
    forget_pass_throughs(function);
    let needed = needed(function);
    retain_parameters(function, |value| needed[value.index()]);
    let Some(entry) = function.entry() else { return };
    let mut instructions = std::mem::take(&mut function.blocks[entry.index()].instructions);
    instructions.retain(|&id| {
        let data = function.instruction(id);
        data.operation != Operation::Initial || data.results.iter().any(|value| needed[value.index()])
    });
    function.blocks[entry.index()].instructions = instructions;
}

/// What comes into parameters.
struct Graph {
    /// Parameters of blocks other than the entry.
    parameters: Vec<Value>,
    /// By value: its place among the parameters.
    node: Vec<u32>,
    /// By parameter: the operands that come in.
    incoming: Vec<SmallVec<[Operand; 2]>>,
}

impl Graph {
    fn of(function: &Function) -> Graph {
        let mut graph =
            Graph { parameters: Vec::new(), node: vec![NONE; function.values.len()], incoming: Vec::new() };
        for &block in function.layout.iter().skip(1) {
            for &value in &function.block(block).parameters {
                graph.node[value.index()] = graph.parameters.len() as u32;
                graph.parameters.push(value);
            }
        }
        graph.incoming.resize(graph.parameters.len(), SmallVec::new());
        for &block in &function.layout {
            for target in function.targets(block) {
                for (&value, &operand) in
                    function.block(target.block).parameters.iter().zip(&target.arguments)
                {
                    graph.incoming[graph.node[value.index()] as usize].push(operand);
                }
            }
        }
        graph
    }

    /// The parameter that an operand is.
    fn parameter(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Value(value) => Some(self.node[value.index()]).filter(|&node| node != NONE),
            _ => None,
        }
    }

    /// What redundant parameters stand for.
    fn redundant(&self) -> FxHashMap<Value, Operand> {
        let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
        let mut components = Components::new(self);
        // A member of the component that is being looked at has its number.
        let mut member = vec![0u32; self.parameters.len()];
        let mut number = 0;
        let mut todo = components.of_set((0..self.parameters.len() as u32).collect());
        while let Some(component) = todo.pop() {
            number += 1;
            component.iter().for_each(|&node| member[node as usize] = number);
            let (mut outside, mut several) = (None, false);
            let mut inner = Vec::new();
            for &node in &component {
                let mut is_inner = true;
                for &operand in &self.incoming[node as usize] {
                    let operand = resolve(&replacement, operand);
                    if self.parameter(operand).is_some_and(|node| member[node as usize] == number) {
                        continue;
                    }
                    is_inner = false;
                    several |= outside.is_some_and(|other| other != operand);
                    outside = Some(operand);
                }
                if is_inner {
                    inner.push(node);
                }
            }
            match outside {
                Some(operand) if !several => {
                    let values = component.iter().map(|&node| self.parameters[node as usize]);
                    replacement.extend(values.map(|value| (value, operand)));
                }
                _ if inner.is_empty() || inner.len() == component.len() => {}
                _ => todo.extend(components.of_set(inner)),
            }
        }
        replacement
    }
}

fn resolve(replacement: &FxHashMap<Value, Operand>, operand: Operand) -> Operand {
    let mut operand = operand;
    while let Operand::Value(value) = operand
        && let Some(&new) = replacement.get(&value)
    {
        operand = new;
    }
    operand
}

/// The search for strongly connected components, after Tarjan.
struct Components<'g> {
    graph: &'g Graph,
    /// By parameter: the number of the set that is searched.
    set: Vec<u32>,
    sets: u32,
    /// By parameter: when it was found, [`NONE`] before.
    found: Vec<u32>,
    /// By parameter: when the first that it leads to was found.
    least: Vec<u32>,
}

impl<'g> Components<'g> {
    fn new(graph: &'g Graph) -> Components<'g> {
        let count = graph.parameters.len();
        Components { graph, set: vec![0; count], sets: 0, found: vec![NONE; count], least: vec![0; count] }
    }

    /// Those of a set of parameters, an edge leading to what comes in: each before those that it leads to.
    fn of_set(&mut self, set: Vec<u32>) -> Vec<Vec<u32>> {
        self.sets += 1;
        for &node in &set {
            self.set[node as usize] = self.sets;
            self.found[node as usize] = NONE;
        }
        let mut components = Vec::new();
        let (mut count, mut open, mut path) = (0, Vec::new(), Vec::new());
        for root in set {
            if self.found[root as usize] == NONE {
                path.push((root, 0));
            }
            while let Some((node, done)) = path.last_mut() {
                let (node, at) = (*node, *done);
                *done += 1;
                if at == 0 {
                    self.found[node as usize] = count;
                    self.least[node as usize] = count;
                    count += 1;
                    open.push(node);
                }
                match self.graph.incoming[node as usize].get(at) {
                    Some(&operand) => {
                        let Some(next) = self.graph.parameter(operand) else { continue };
                        // Those of finished components belong to no set.
                        if self.set[next as usize] != self.sets {
                            continue;
                        }
                        if self.found[next as usize] == NONE {
                            path.push((next, 0));
                        } else {
                            let seen = self.found[next as usize];
                            self.least[node as usize] = self.least[node as usize].min(seen);
                        }
                    }
                    None => {
                        path.pop();
                        let least = self.least[node as usize];
                        if let Some(&(above, _)) = path.last() {
                            self.least[above as usize] = self.least[above as usize].min(least);
                        }
                        if least == self.found[node as usize] {
                            let begin = open.iter().rposition(|&other| other == node).unwrap_or(0);
                            let component = open.split_off(begin);
                            component.iter().for_each(|&member| self.set[member as usize] = 0);
                            components.push(component);
                        }
                    }
                }
            }
        }
        components.reverse();
        components
    }
}

/// Keeps the parameters of blocks other than the entry that `keep` says, and the arguments for them.
fn retain_parameters(function: &mut Function, keep: impl Fn(Value) -> bool) {
    let entry = function.entry();
    let kept = |value, block| Some(block) == entry || keep(value);
    for i in 0..function.layout.len() {
        let block = function.layout[i];
        let terminator = &mut function.blocks[block.index()].terminator;
        let mut terminator = std::mem::replace(terminator, Terminator::Return(None));
        for target in terminator.targets_mut() {
            let mut parameters = function.block(target.block).parameters.iter();
            target.arguments.retain(|_| parameters.next().is_none_or(|&value| kept(value, target.block)));
        }
        function.blocks[block.index()].terminator = terminator;
    }
    for i in 0..function.layout.len() {
        let block: Block = function.layout[i];
        let mut parameters = std::mem::take(&mut function.blocks[block.index()].parameters);
        parameters.retain(|&value| kept(value, block));
        for (number, value) in parameters.iter().enumerate() {
            function.values[value.index()].definition = Definition::Parameter(block, number as u32);
        }
        function.blocks[block.index()].parameters = parameters;
    }
}

/// Where a mask has turned out to be of all lanes, nobody looks at the pass-through (S-03).
fn forget_pass_throughs(function: &mut Function) {
    for i in 0..function.layout.len() {
        let block = function.layout[i];
        for at in 0..function.block(block).instructions.len() {
            let id = function.block(block).instructions[at];
            let data = &mut function.instructions[id.index()];
            if let Some(position) = data.pass_through_position()
                && data.mask() == Some(Operand::ALL_LANES)
            {
                data.operands[position] = Operand::Dead;
            }
        }
    }
}

/// By value: whether an instruction or the end of a block needs it, or a parameter that is needed.
fn needed(function: &Function) -> Vec<bool> {
    let graph = Graph::of(function);
    let mut needed = vec![false; function.values.len()];
    let mut todo: Vec<Value> = Vec::new();
    for &block in &function.layout {
        let data = function.block(block);
        for &instruction in &data.instructions {
            let operands = &function.instruction(instruction).operands;
            todo.extend(operands.iter().filter_map(|operand| operand.value()));
        }
        todo.extend(data.terminator.operands().iter().filter_map(|operand| operand.value()));
        while let Some(value) = todo.pop() {
            if !std::mem::replace(&mut needed[value.index()], true) && graph.node[value.index()] != NONE {
                let incoming = &graph.incoming[graph.node[value.index()] as usize];
                todo.extend(incoming.iter().filter_map(|operand| operand.value()));
            }
        }
    }
    needed
}
