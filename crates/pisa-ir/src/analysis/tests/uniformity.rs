//! What is claimed of uniformity, against lanes that run random functions.

use super::Random;
use super::lanes::{Event, run};
use super::random::random_function;
use crate::active_sets::Waiting;
use crate::analysis::{ControlFlow, Liveness, Strength, Uniformity};
use crate::{Function, Operand, Value};
use rustc_hash::FxHashMap;

pub(super) fn analyse(function: &Function, waiting: &Waiting) -> Uniformity {
    let flow = ControlFlow::of(function);
    let liveness = Liveness::of(function, &flow);
    Uniformity::of(function, &flow, &liveness, waiting)
}

#[test]
fn claims_hold_in_random_functions() {
    let mut random = Random(0x0DDB_A115_EED5_0F11);
    let (mut claims, mut branches, mut steady, mut met, mut missed) = (0, 0, 0, 0, 0);
    for round in 0..400 {
        let (count, spread) = (1 + random.below(12), 1 + random.below(5));
        let function = random_function(&mut random, count, spread, round % 3 == 0);
        let waiting = Waiting::default();
        let found = analyse(&function, &waiting);
        for _ in 0..2 {
            let mut steady_bits: FxHashMap<Value, u128> = FxHashMap::default();
            run(&function, &waiting, &mut random, |lanes, event| match event {
                Event::Begin { position, met: together_now } => {
                    if together_now {
                        met += 1;
                        assert!(found.lanes_meet_at(position), "{position:?}: {function:#?}");
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
                            missed += usize::from(strength == Strength::Divergent && same.is_some());
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
    let counts = (claims, branches, steady, met, missed);
    assert!(claims > 20_000 && branches > 5_000 && steady > 1_000 && met > 300, "{counts:?}");
}
