//! Removes instructions and block parameters that nobody looks at.

use super::{Context, Outcome};
use crate::{Definition, Function, Instruction, Value};

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let live = Live::of(function);
    let gone = |instruction: &Instruction| !live.instructions[instruction.index()];
    let removed: Vec<Instruction> = function.all_instructions().map(|(_, i)| i).filter(gone).collect();
    for &instruction in &removed {
        context.remarks.done(function, instruction, Outcome::Removed, || "nobody looks at its result".into());
    }
    let changed = !removed.is_empty();
    for block in function.layout.clone() {
        let data = &mut function.blocks[block.index()];
        data.instructions.retain(|instruction| live.instructions[instruction.index()]);
    }
    changed | remove_parameters(function, &live)
}

/// What is looked at.
struct Live {
    instructions: Vec<bool>,
    values: Vec<bool>,
}

impl Live {
    fn of(function: &Function) -> Live {
        let mut live = Live {
            instructions: vec![false; function.instructions.len()],
            values: vec![false; function.values.len()],
        };
        let mut todo: Vec<Value> = Vec::new();
        // By block parameter: what comes in.
        let mut incoming: Vec<Vec<Value>> = vec![Vec::new(); function.values.len()];
        for &block in &function.layout {
            let data = function.block(block);
            for &instruction in &data.instructions {
                if !function.instruction(instruction).properties().is_removable() {
                    live.instruction(function, instruction, &mut todo);
                }
            }
            todo.extend(data.terminator.operands().iter().filter_map(|operand| operand.value()));
            for target in data.terminator.targets() {
                let parameters = &function.block(target.block).parameters;
                for (parameter, argument) in parameters.iter().zip(&target.arguments) {
                    incoming[parameter.index()].extend(argument.value());
                }
            }
        }
        while let Some(value) = todo.pop() {
            if std::mem::replace(&mut live.values[value.index()], true) {
                continue;
            }
            match function.value(value).definition {
                Definition::Result(instruction, _) => live.instruction(function, instruction, &mut todo),
                Definition::Parameter(..) => todo.append(&mut incoming[value.index()]),
            }
        }
        live
    }

    fn instruction(&mut self, function: &Function, instruction: Instruction, todo: &mut Vec<Value>) {
        if !std::mem::replace(&mut self.instructions[instruction.index()], true) {
            let operands = &function.instruction(instruction).operands;
            todo.extend(operands.iter().filter_map(|operand| operand.value()));
        }
    }
}

/// Parameters of blocks that nobody looks at; those of the entry are the function's and stay.
fn remove_parameters(function: &mut Function, live: &Live) -> bool {
    let mut changed = false;
    let keeps: Vec<Option<Vec<bool>>> = (0..function.blocks.len())
        .map(|block| {
            let parameters = &function.blocks[block].parameters;
            let keep: Vec<bool> = parameters.iter().map(|p| live.values[p.index()]).collect();
            let is_entry = function.entry().is_some_and(|entry| entry.index() == block);
            (!is_entry && keep.contains(&false)).then_some(keep)
        })
        .collect();
    for block in function.layout.clone() {
        for target in function.blocks[block.index()].terminator.targets_mut() {
            if let Some(keep) = &keeps[target.block.index()] {
                let mut number = 0;
                target.arguments.retain(|_| {
                    number += 1;
                    keep[number - 1]
                });
            }
        }
        if let Some(keep) = &keeps[block.index()] {
            changed = true;
            let mut parameters = std::mem::take(&mut function.blocks[block.index()].parameters);
            let mut number = 0;
            parameters.retain(|_| {
                number += 1;
                keep[number - 1]
            });
            for (number, parameter) in parameters.iter().enumerate() {
                function.values[parameter.index()].definition = Definition::Parameter(block, number as u32);
            }
            function.blocks[block.index()].parameters = parameters;
        }
    }
    changed
}
