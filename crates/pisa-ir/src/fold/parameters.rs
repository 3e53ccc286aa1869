//! Parameters of blocks that get the same operand from everywhere.

use crate::{Block, Definition, Function, Operand, Value};
use rustc_hash::FxHashMap;

/// Puts that operand in their place. Whether there were any.
///
/// An operand that every edge brings, but those that bring the parameter itself, is computed where the block is reached, whoever comes: its
/// definition dominates the block. In each lane it is what the parameter is.
pub(super) fn propagate(function: &mut Function) -> bool {
    let entry = function.entry();
    let mut known: Vec<Value> = Vec::new();
    // What each parameter is, once it is known to be one operand.
    let mut reaching: Vec<Option<Operand>> = vec![None; function.values.len()];
    // A parameter that turns out to be an operand may make another one so.
    let edges = edges(function);
    let mut users: Vec<Vec<Value>> = vec![Vec::new(); function.values.len()];
    for &(parameter, argument) in &edges {
        if let Some(value) = argument.value() {
            users[value.index()].push(parameter);
        }
    }
    let mut arguments: Vec<Vec<Operand>> = vec![Vec::new(); function.values.len()];
    for &(parameter, argument) in &edges {
        arguments[parameter.index()].push(argument);
    }
    let mut todo: Vec<Value> = edges.iter().map(|&(parameter, _)| parameter).collect();
    // The first one is the last of the list.
    todo.sort_unstable_by(|a, b| b.cmp(a));
    todo.dedup();
    let is_fixed = |function: &Function, parameter: Value| match function.value(parameter).definition {
        Definition::Parameter(block, _) => Some(block) == entry,
        Definition::Result(..) => true,
    };
    while let Some(parameter) = todo.pop() {
        if is_fixed(function, parameter) || reaching[parameter.index()].is_some() {
            continue;
        }
        let mut one: Option<Operand> = None;
        let mut several = false;
        for &argument in &arguments[parameter.index()] {
            let argument = follow(&mut reaching, argument);
            if argument == Operand::Value(parameter) {
                continue;
            }
            several |= one.is_some_and(|known| known != argument);
            one = Some(argument);
        }
        if let (Some(operand), false) = (one, several)
            && !matches!(operand, Operand::Negated(_) | Operand::Dead)
        {
            reaching[parameter.index()] = Some(operand);
            known.push(parameter);
            todo.extend(users[parameter.index()].iter().copied());
        }
    }
    if known.is_empty() {
        return false;
    }
    let resolved =
        known.iter().map(|&parameter| (parameter, follow(&mut reaching, parameter.into()))).collect();
    remove(function, &resolved);
    function.replace_values(&resolved);
    true
}

/// What an operand is, through parameters that are one operand. These lead to no circle: each was found when the ones that it leads to
/// were what they are, and never itself. Long ways are made short.
fn follow(reaching: &mut [Option<Operand>], operand: Operand) -> Operand {
    let step = |reaching: &[Option<Operand>], operand: Operand| match operand {
        Operand::Value(value) => reaching.get(value.index()).copied().flatten(),
        _ => None,
    };
    let mut last = operand;
    while let Some(next) = step(reaching, last) {
        last = next;
    }
    let mut at = operand;
    while let (Some(next), Operand::Value(value)) = (step(reaching, at), at) {
        reaching[value.index()] = Some(last);
        at = next;
    }
    last
}

/// Every argument with its parameter.
fn edges(function: &Function) -> Vec<(Value, Operand)> {
    let mut edges = Vec::new();
    for &block in &function.layout {
        for target in function.targets(block) {
            let parameters = &function.block(target.block).parameters;
            edges.extend(parameters.iter().copied().zip(target.arguments.iter().copied()));
        }
    }
    edges
}

/// Removes parameters, and the arguments for them.
fn remove(function: &mut Function, known: &FxHashMap<Value, Operand>) {
    let keeps = |function: &Function, block: Block| -> Vec<bool> {
        function.block(block).parameters.iter().map(|parameter| !known.contains_key(parameter)).collect()
    };
    let kept: Vec<Vec<bool>> =
        (0..function.blocks.len()).map(|block| keeps(function, Block(block as u32))).collect();
    for block in function.layout.clone() {
        for target in function.blocks[block.index()].terminator.targets_mut() {
            let mut kept = kept[target.block.index()].iter();
            target.arguments.retain(|_| kept.next().copied().unwrap_or(true));
        }
    }
    for (block, kept) in kept.iter().enumerate() {
        if kept.iter().all(|&kept| kept) {
            continue;
        }
        let mut flags = kept.iter();
        function.blocks[block].parameters.retain(|_| flags.next().copied().unwrap_or(true));
        for (number, parameter) in function.blocks[block].parameters.clone().into_iter().enumerate() {
            function.values[parameter.index()].definition =
                Definition::Parameter(Block(block as u32), number as u32);
        }
    }
}
