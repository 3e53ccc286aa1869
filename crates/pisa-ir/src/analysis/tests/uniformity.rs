//! What is claimed of uniformity, against lanes that run random functions.

use super::Random;
use super::lanes::{Event, run};
use super::random::random_function;
use crate::active_sets::Waiting;
use crate::analysis::{ControlFlow, Dominators, Strength, Uniformity};
use crate::{Definition, Function, Operand, Value};
use rustc_hash::FxHashMap;

pub(super) fn analyse(function: &Function, waiting: &Waiting) -> Uniformity {
    let flow = ControlFlow::of(function);
    Uniformity::of(function, &flow, &Dominators::of(function, &flow), waiting)
}

#[test]
fn claims_hold_in_random_functions() {
    let mut random = Random(0x0DDB_A115_EED5_0F11);
    let (mut claims, mut branches, mut steady, mut met, mut elsewhere) = (0, 0, 0, 0, 0);
    for round in 0..400 {
        let (count, spread) = (1 + random.below(12), 1 + random.below(5));
        let function = random_function(&mut random, count, spread, [0, 0, 1, 8][round % 4]);
        let waiting = Waiting::default();
        let found = analyse(&function, &waiting);
        let dominators = Dominators::of(&function, &ControlFlow::of(&function));
        let block_of: FxHashMap<_, _> = function.all_instructions().map(|(block, i)| (i, block)).collect();
        for _ in 0..2 {
            let mut steady_bits: FxHashMap<Value, u128> = FxHashMap::default();
            run(&function, &waiting, &mut random, |lanes, event| match event {
                Event::Begin { position, met: together_now } => {
                    if together_now {
                        met += 1;
                        assert!(found.lanes_meet_at(position), "{position:?}: {function:#?}");
                    }
                    // Also what is not needed here.
                    for value in (0..function.values.len() as u32).map(Value) {
                        let defined = match function.value(value).definition {
                            Definition::Parameter(block, number) => {
                                let listed =
                                    function.block(block).parameters.get(number as usize) == Some(&value);
                                listed.then_some(block)
                            }
                            Definition::Result(instruction, _) => block_of.get(&instruction).copied(),
                        };
                        if defined.is_some_and(|block| dominators.strictly_dominates(block, position.block)) {
                            let same = lanes.same(Operand::Value(value)).is_some();
                            elsewhere += usize::from(!same);
                            let claimed = found.is_uniform_at(Operand::Value(value), position);
                            assert!(same || !claimed, "{value:?} at {position:?}: {function:#?}");
                        }
                    }
                    if position.index == 0 {
                        for &parameter in &function.block(position.block).parameters {
                            let same = lanes.same(Operand::Value(parameter)).is_some();
                            assert!(same || !found.is_uniform(parameter), "{parameter:?}: {function:#?}");
                        }
                    }
                }
                Event::Before { position, operands } => {
                    for operand in operands {
                        let strength = found.strength_at(operand, position);
                        let same = lanes.same(operand);
                        if lanes.lanes().len() > 1 {
                            claims += usize::from(strength != Strength::Divergent);
                        }
                        assert!(
                            same.is_some() || strength == Strength::Divergent,
                            "{operand:?} at {position:?}: {function:#?}"
                        );
                        if let (Operand::Value(value), Strength::Steady, Some(bits)) =
                            (operand, strength, same)
                        {
                            steady += 1;
                            assert_eq!(
                                *steady_bits.entry(value).or_insert(bits),
                                bits,
                                "{value:?}: {function:#?}"
                            );
                        }
                    }
                }
                Event::After { instruction } => {
                    for &result in &instruction.results {
                        let same = lanes.same(Operand::Value(result)).is_some();
                        assert!(same || !found.is_uniform(result), "{result:?}: {function:#?}");
                    }
                }
                Event::Leave { block, ways } => {
                    if found.is_branch_uniform(block) && ways.len() > 1 {
                        branches += 1;
                        assert!(ways.iter().all(|way| *way == ways[0]), "{block:?}: {function:#?}");
                    }
                }
            });
        }
    }
    let counts = (claims, branches, steady, met, elsewhere);
    assert!(
        claims > 20_000 && branches > 5_000 && steady > 1_000 && met > 300 && elsewhere > 1_000,
        "{counts:?}"
    );
}
