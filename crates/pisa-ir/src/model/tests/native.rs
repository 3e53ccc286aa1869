//! What PISA has as one instruction gives what the executable specification says, on random lanes.

use super::*;
use crate::{ClusterSize, Reduction, Scope, ShuffleKind};
use pisa_isa::{match_mnemonic, split_mnemonic};
use pisa_reference::Evaluator;

/// Random 32-bit words, the same each time.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }
    fn lanes(&mut self) -> [u128; LANES] {
        std::array::from_fn(|_| u128::from(self.next()))
    }
}

/// The case on random masks and the data that `words` give, against the instruction.
fn compare(mnemonic: &str, mut case: Case, mut words: impl FnMut(&mut Words) -> [u128; LANES]) {
    let parts = split_mnemonic(mnemonic).unwrap();
    let found = match_mnemonic(parts.opcode, parts.qualifiers()).unwrap();
    let instruction = Evaluator::of(found[0].form, &found[0].values).unwrap();
    let mut random = Words(1);
    case = case.pass_through(9);
    let width = u32::from(case.operation.element.bits());
    for _ in 0..200 {
        let data = words(&mut random).map(|bits| truncate(bits, width));
        // Lanes shift by few places as often as by many, and each has a segment of its own.
        let index = random.lanes().map(|bits| bits & 0x001F_1F07 | (bits >> 4) & 0x18);
        let mask = random.next() | random.next();
        case = case.active(random.next() | random.next()).data(|lane| data[lane]).mask(mask);
        case = case.index(|lane| index[lane]);
        let masks = [u128::from(mask); LANES];
        let sources = match case.operation.has_index() {
            true => [data, index, masks],
            false if case.operation.has_data() => [data, masks, [0; LANES]],
            false => [masks, [0; LANES], [0; LANES]],
        };
        let expected = instruction.cross_lane(case.active, &sources);
        for (lane, result) in case.run().into_iter().enumerate() {
            let active = case.active >> lane & 1 == 1;
            let expected = if active { expected[lane].map_or(9, |bits| bits as i128) } else { INACTIVE };
            assert_eq!(result, expected, "{mnemonic} in lane {lane} of {:#x}, mask {mask:#x}", case.active);
        }
    }
}

#[test]
fn shuffles() {
    use ShuffleKind::{Down, Index, Up, Xor};
    for (name, kind) in [("up", Up), ("dn", Down), ("xor", Xor), ("idx", Index)] {
        for (flag, segmented) in [("", false), (".sg", true)] {
            let case = case(CrossLaneKind::Shuffle { kind, segmented }, Element::I32);
            assert!(case.operation.is_native());
            compare(&format!("shfl.{name}{flag}.32b"), case, Words::lanes);
        }
    }
}

#[test]
fn reductions() {
    use Reduction::*;
    let reduce = |reduction, element| {
        let (scope, cluster) = (Scope::Reduce, ClusterSize::FULL);
        let case = case(CrossLaneKind::Reduce { reduction, scope, cluster, partitioned: false }, element);
        assert!(case.operation.is_native());
        case
    };
    let integers = [
        ("sum", Sum),
        ("smin", Smin),
        ("smax", Smax),
        ("umin", Umin),
        ("umax", Umax),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("absmax", Absmax),
    ];
    for (name, reduction) in integers {
        compare(&format!("ired.{name}.16b"), reduce(reduction, Element::I16), Words::lanes);
        compare(&format!("ired.{name}.32b"), reduce(reduction, Element::I32), Words::lanes);
    }
    let floats = [
        ("min", Fmin),
        ("max", Fmax),
        ("absmax", Fabsmax),
        ("min.nanp", FminNan),
        ("max.nanp", FmaxNan),
        ("absmax.nanp", FabsmaxNan),
    ];
    for (name, reduction) in floats {
        for (ty, element) in [("hf", Element::Hf), ("bf", Element::Bf), ("f", Element::F)] {
            let mnemonic = format!("fred.{name}.{ty}");
            compare(&mnemonic, reduce(reduction, element), Words::lanes);
            // NaNs of every kind, and little else.
            let nans = |words: &mut Words| match element {
                Element::F => words.lanes().map(|bits| bits | if bits & 15 == 0 { 0 } else { 0x7F80_0000 }),
                _ => words.lanes().map(|bits| bits | if bits & 15 == 0 { 0 } else { 0x7F80 }),
            };
            compare(&mnemonic, reduce(reduction, element), nans);
        }
    }
}

#[test]
fn the_first_participant() {
    compare("redfirstidx.32b", case(CrossLaneKind::FirstParticipant, Element::I32), Words::lanes);
}
