//! Running functions with blocks under the `lexical` schedule, on the lane model, and comparing.

use super::{Case, Random};
use crate::model::{Datum, Elements, Lanes};
use crate::{Block, Element, Function, Operand, Target, Terminator, Value};
use pisa_module::RegisterType;
use rustc_hash::FxHashMap;

/// More turns than any of our loops needs.
const MOST_TURNS: usize = 10_000;

/// What each active lane returns.
pub(super) fn run(function: &Function, inputs: &[(Value, Datum)], active: u32) -> Datum {
    let mut values: FxHashMap<Value, Datum> = inputs.iter().cloned().collect();
    let mut places: [Option<usize>; 32] = std::array::from_fn(|lane| (active >> lane & 1 == 1).then_some(0));
    let mut returned = Datum::default();
    let place_of = |block: Block| function.layout.iter().position(|&b| b == block).expect("a block");
    for _ in 0..MOST_TURNS {
        let Some(lowest) = places.iter().flatten().copied().min() else { return returned };
        let here = (0..32).filter(|&lane| places[lane] == Some(lowest));
        let together = here.clone().fold(0u32, |set, lane| set | 1 << lane);
        let block = function.block(function.layout[lowest]);
        let mut lanes = Lanes::new(together);
        // What was computed the last time round is computed anew.
        let own: Vec<Value> = block
            .instructions
            .iter()
            .flat_map(|&i| function.instruction(i).results.iter().copied())
            .filter(|result| !inputs.iter().any(|(input, _)| input == result))
            .collect();
        for (&value, datum) in values.iter().filter(|(value, _)| !own.contains(value)) {
            lanes.set(value, datum.clone());
        }
        for &instruction in &block.instructions {
            lanes.execute(function, instruction).expect("straight-line code");
        }
        let read = |operand: Operand, lane: usize| lanes.read(operand, lane).expect("a value");
        let mut passed: Vec<(Value, usize, Elements)> = Vec::new();
        let mut go = |target: &Target, lane: usize, places: &mut [Option<usize>; 32]| {
            places[lane] = Some(place_of(target.block));
            let parameters = &function.block(target.block).parameters;
            assert_eq!(parameters.len(), target.arguments.len());
            passed.extend(parameters.iter().zip(&target.arguments).map(|(&p, &a)| (p, lane, read(a, lane))));
        };
        for lane in here.clone().collect::<Vec<_>>() {
            match &block.terminator {
                Terminator::Goto(target) => go(target, lane, &mut places),
                Terminator::Branch { condition, taken, otherwise } => {
                    let holds = read(*condition, lane)[0];
                    // What is undefined goes somewhere.
                    go(if holds == Some(0) { otherwise } else { taken }, lane, &mut places);
                }
                Terminator::Return(value) => {
                    places[lane] = None;
                    returned[lane] = value.map_or(Elements::new(), |value| read(value, lane));
                }
                Terminator::ReturnIf { .. } => unreachable!("no lowering makes one"),
            }
        }
        for value in own {
            let computed = lanes.get(value).cloned().unwrap_or_default();
            let datum = values.entry(value).or_default();
            for lane in 0..32 {
                if together >> lane & 1 == 1 {
                    datum[lane].clone_from(&computed[lane]);
                }
            }
        }
        for (parameter, lane, elements) in passed {
            values.entry(parameter).or_default()[lane] = elements;
        }
    }
    panic!("it does not end");
}

/// Data of a type in all lanes.
pub(super) fn datum(random: &mut Random, element: Element) -> Datum {
    let few: Vec<u128> = (0..3).map(|_| random.element(element)).collect();
    let equal = random.below(6) == 0;
    let from_few = random.below(3) == 0;
    std::array::from_fn(|_| {
        (0..element.elements())
            .map(|_| {
                Some(match (equal, from_few) {
                    (true, _) => few[0],
                    (_, true) => few[random.below(3) as usize],
                    _ => random.element(element),
                })
            })
            .collect()
    })
}

/// Anything of a type.
fn anything(random: &mut Random, ty: RegisterType) -> Datum {
    let cut = u128::MAX >> (128 - u32::from(ty.bits));
    std::array::from_fn(|_| (0..ty.elements).map(|_| Some(u128::from(random.next()) & cut)).collect())
}

/// One word by lane.
pub(super) fn words(of_lane: impl Fn(usize) -> u32) -> Datum {
    crate::model::scalars(|lane| u128::from(of_lane(lane)))
}

/// The operation and its sequence on random data, masks and active sets. `index` gives that operand, if it is one.
pub(super) fn check(
    case: &Case,
    element: Element,
    times: usize,
    random: &mut Random,
    index: impl Fn(&mut Random) -> Datum,
) {
    let lowered = [false, true].map(|is_full| case.lowered(is_full));
    for _ in 0..times {
        let active = random.lanes();
        let mut inputs = Vec::new();
        inputs.extend(case.data.map(|value| (value, datum(random, element))));
        inputs.extend(case.index.map(|value| (value, index(random))));
        let mask = random.lanes();
        inputs.extend(case.mask.map(|value| (value, words(|_| mask))));
        inputs.extend(case.kept.map(|value| {
            let ty = case.function.value(value).ty;
            (value, anything(random, ty))
        }));
        compare(case, &lowered[0], &inputs, active);
        compare(case, &lowered[1], &inputs, u32::MAX);
    }
}

/// What the operation and its sequence give.
pub(super) fn compare(case: &Case, lowered: &Function, inputs: &[(Value, Datum)], active: u32) {
    let block = case.function.layout[0];
    let meant = crate::model::run_block(&case.function, block, inputs, active).expect("the operation");
    let meant = meant.get(case.result).expect("a result");
    let got = run(lowered, inputs, active);
    for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
        let agrees = meant[lane].len() == got[lane].len()
            && meant[lane].iter().zip(&got[lane]).all(|(meant, got)| meant.is_none() || meant == got);
        assert!(
            agrees,
            "lane {lane} of {active:#010x} gets {:x?} instead of {:x?}\n{:?}\n{inputs:x?}",
            got[lane],
            meant[lane],
            case.function.instructions.last().map(|data| (data.operation, &data.operands)),
        );
    }
}
