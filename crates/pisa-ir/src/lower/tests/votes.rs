//! Ballots, votes, elect, quads, matches, derivatives.

use super::run::{check, words};
use super::{Case, Mask, Random};
use crate::{Axis, CrossLane, CrossLaneKind as Kind, Element, InactiveSource};

pub(super) const MASKS: [Mask; 4] =
    [Mask::All, Mask::Register, Mask::Constant(0x00FF_F0F1), Mask::Constant(0)];

pub(super) const ELEMENTS: [Element; 11] = [
    Element::I8,
    Element::I16,
    Element::I32,
    Element::I64,
    Element::Hf,
    Element::Bf,
    Element::F,
    Element::Df,
    Element::Hfx2,
    Element::Bfx2,
    Element::Predicate,
];

/// On every mask and element.
pub(super) fn each(kind: Kind, elements: &[Element], times: usize, index: fn(&mut Random) -> u32) {
    let mut random = Random(7);
    for &element in elements {
        for inactive in [InactiveSource::Own, InactiveSource::Undefined] {
            for mask in MASKS {
                let operation = CrossLane { kind, element, inactive };
                for constant in [None, Some(index(&mut random))] {
                    let case = Case::cross_lane(operation, constant, mask);
                    check(&case, element, times, &mut random, |random| {
                        let lane = index(random);
                        words(|_| lane)
                    });
                }
            }
        }
    }
}

const NONE: fn(&mut Random) -> u32 = |_| 0;

#[test]
fn ballots_and_votes() {
    for kind in [
        Kind::Ballot { bits: 32 },
        Kind::Ballot { bits: 64 },
        Kind::VoteAny,
        Kind::VoteAll,
        Kind::QuadAny,
        Kind::QuadAll,
    ] {
        each(kind, &[Element::Predicate], 40, NONE);
    }
    each(Kind::Elect, &[Element::I32], 40, NONE);
}

#[test]
fn all_equal() {
    each(Kind::VoteAllEqual, &ELEMENTS, 40, NONE);
}

#[test]
fn matches_any_and_all() {
    each(Kind::MatchAny, &ELEMENTS, 12, NONE);
    each(Kind::MatchAll, &ELEMENTS, 40, NONE);
}

#[test]
fn derivatives() {
    for axis in [Axis::Horizontal, Axis::Vertical] {
        for fine in [false, true] {
            each(Kind::Derivative { axis, fine }, &ELEMENTS[4..10], 20, NONE);
        }
    }
}
