//! Reductions and scans of every combination, element, scope and set of lanes.

use super::run::{check, words};
use super::votes::MASKS;
use super::{Case, Random};
use crate::model::Datum;
use crate::{ClusterSize, CrossLane, CrossLaneKind as Kind, Element, InactiveSource, Reduction, Scope};

/// For each lane the lanes of its part: of few parts or many.
pub(super) fn partition(random: &mut Random) -> Datum {
    let parts = 1 + random.below(6);
    let part: Vec<u64> = (0..32).map(|_| random.below(parts)).collect();
    let masks: Vec<u32> = (0..32)
        .map(|lane| (0..32).filter(|&l| part[l] == part[lane]).fold(0, |set, l| set | 1 << l))
        .collect();
    words(|lane| masks[lane])
}

fn of_element(element: Element, seed: u64) {
    let mut random = Random(seed);
    let reductions = Reduction::ALL.iter().filter(|reduction| reduction.applies_to(element));
    for &reduction in reductions {
        for scope in [Scope::Reduce, Scope::Inclusive, Scope::Exclusive] {
            for size in [0, 1, 2, 4, 8, 16, 32] {
                let partitioned = size == 0;
                let cluster = ClusterSize::new(size).unwrap_or(ClusterSize::FULL);
                let kind = Kind::Reduce { reduction, scope, cluster, partitioned };
                let operation = CrossLane { kind, element, inactive: InactiveSource::Own };
                if operation.is_native() {
                    continue;
                }
                for mask in MASKS {
                    let case = Case::cross_lane(operation, None, mask);
                    check(&case, element, 3, &mut random, partition);
                }
            }
        }
    }
}

#[test]
fn of_8_bit_integers() {
    of_element(Element::I8, 1);
}
#[test]
fn of_16_bit_integers() {
    of_element(Element::I16, 2);
}
#[test]
fn of_32_bit_integers() {
    of_element(Element::I32, 3);
}
#[test]
fn of_64_bit_integers() {
    of_element(Element::I64, 4);
}
#[test]
fn of_half_floats() {
    of_element(Element::Hf, 5);
    of_element(Element::Bf, 6);
}
#[test]
fn of_floats() {
    of_element(Element::F, 7);
}
#[test]
fn of_double_floats() {
    of_element(Element::Df, 8);
}
#[test]
fn of_packed_floats() {
    of_element(Element::Hfx2, 9);
    of_element(Element::Bfx2, 10);
}
#[test]
fn of_predicates() {
    of_element(Element::Predicate, 11);
}
