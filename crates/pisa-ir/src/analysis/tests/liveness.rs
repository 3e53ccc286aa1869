//! Liveness against its definition.

use super::Random;
use super::random::random_function;
use crate::analysis::{ControlFlow, Liveness};
use crate::{Block, Function, Position, Value};

/// Whether a use of the value can be reached from a place without a way through its definition.
fn is_needed(function: &Function, value: Value, from: Position) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        let data = function.block(at.block);
        let mut rest = data.instructions.iter().skip(at.index as usize).map(|&i| function.instruction(i));
        // Some(true): used first; Some(false): defined first.
        let mut found = rest.find_map(|instruction| {
            let used = instruction.operands.iter().any(|o| o.value() == Some(value));
            (used || instruction.results.contains(&value)).then_some(used)
        });
        if found.is_none() {
            data.terminator.for_each_operand(|o| {
                if o.value() == Some(value) {
                    found = Some(true);
                }
            });
        }
        match found {
            Some(true) => return true,
            Some(false) => continue,
            None => {}
        }
        for target in function.targets(at.block) {
            let is_parameter = function.block(target.block).parameters.contains(&value);
            if !is_parameter && !std::mem::replace(&mut seen[target.block.index()], true) {
                todo.push(Position { block: target.block, index: 0 });
            }
        }
    }
    false
}

#[test]
fn as_the_definition_says() {
    let mut random = Random(0xFEED_5EED_1234_5677);
    let (mut live, mut places) = (0, 0);
    for _ in 0..400 {
        let (count, spread) = (1 + random.below(10), 1 + random.below(5));
        let function = random_function(&mut random, count, spread, 1);
        let flow = ControlFlow::of(&function);
        let liveness = Liveness::of(&function, &flow);
        for block in (0..count as u32).map(Block).filter(|&b| flow.is_reachable(b)) {
            let data = function.block(block);
            for value in (0..function.values.len() as u32).map(Value) {
                let start = Position { block, index: 0 };
                let is_parameter = data.parameters.contains(&value);
                let needed = is_needed(&function, value, start);
                assert_eq!(liveness.is_live_in(block, value), needed && !is_parameter, "{value:?} {block:?}");
                let behind = function.targets(block).iter().any(|target| {
                    let start = Position { block: target.block, index: 0 };
                    !function.block(target.block).parameters.contains(&value)
                        && is_needed(&function, value, start)
                });
                assert_eq!(liveness.is_live_out(block, value), behind, "{value:?} {block:?}");
                // Behind its definition, wherever that is.
                let defined =
                    data.instructions.iter().position(|&i| function.instruction(i).results.contains(&value));
                let from = defined.map_or(0, |at| at as u32 + 1);
                for index in from..=data.instructions.len() as u32 {
                    let position = Position { block, index };
                    let needed = is_needed(&function, value, position);
                    assert_eq!(
                        liveness.is_live_at(&function, value, position),
                        needed,
                        "{value:?} {position:?}"
                    );
                    (live, places) = (live + usize::from(needed), places + 1);
                }
            }
        }
    }
    assert!(live > 10_000 && live < places / 2, "{live} {places}");
}
