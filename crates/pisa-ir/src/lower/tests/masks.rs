//! Operations on masks.

use super::run::{compare, words};
use super::{Case, Random, WORD};
use crate::test_support::Builder;
use crate::{LaneMask, MaskOperation, Operation, Scope};
use pisa_module::RegisterType;

#[test]
fn masks() {
    use MaskOperation::*;
    let mut random = Random(11);
    let lanes =
        [LaneMask::Equal, LaneMask::GreaterEqual, LaneMask::Greater, LaneMask::LessEqual, LaneMask::Less];
    let scopes = [Scope::Reduce, Scope::Inclusive, Scope::Exclusive];
    let operations = lanes.map(Lanes).into_iter().chain(scopes.map(BitCount)).chain([
        InverseBallot,
        BitExtract,
        FindLeast,
        FindMost,
    ]);
    for operation in operations {
        let mut builder = Builder::kernel();
        let [block] = builder.blocks();
        let wanted = match operation {
            Lanes(_) => 0,
            BitExtract => 2,
            _ => 1,
        };
        let inputs: Vec<_> = (0..wanted).map(|_| builder.value(block, WORD)).collect();
        let ty = match operation {
            InverseBallot | BitExtract => RegisterType::PREDICATE,
            _ => WORD,
        };
        let operands = inputs.iter().map(|&value| value.into()).collect();
        let case = Case::new(builder, Operation::Mask(operation), operands, ty);
        let lowered = case.lowered(false);
        for round in 0..200 {
            // The empty mask, single lanes, then others.
            let mask = match round {
                0 => 0,
                1..=32 => 1 << (round - 1),
                _ => random.lanes(),
            };
            let other = random.word();
            let given: Vec<_> =
                inputs.iter().zip([mask, other]).map(|(&value, word)| (value, words(|_| word))).collect();
            compare(&case, &lowered, &given, u32::MAX);
        }
    }
}
