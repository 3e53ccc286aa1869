//! Shuffles, rotations, broadcasts.

use super::run::{check, words};
use super::votes::{ELEMENTS, MASKS, each};
use super::{Case, Random};
use crate::{Axis, ClusterSize, CrossLane, CrossLaneKind as Kind, InactiveSource, ShuffleKind};

/// Mostly a lane, sometimes any word.
fn lane(random: &mut Random) -> u32 {
    if random.below(4) == 0 { random.word() } else { random.below(32) as u32 }
}

#[test]
fn reads_of_one_lane() {
    each(Kind::ReadInvocation, &ELEMENTS, 8, lane);
    each(Kind::ReadFirstInvocation, &ELEMENTS, 8, |_| 0);
}

#[test]
fn within_quads() {
    each(Kind::QuadBroadcast, &ELEMENTS, 8, |random| random.below(4) as u32);
    for axis in [Axis::Horizontal, Axis::Vertical, Axis::Diagonal] {
        each(Kind::QuadSwap(axis), &ELEMENTS, 8, |_| 0);
    }
}

#[test]
fn rotations() {
    for size in [1, 2, 4, 8, 16, 32] {
        let cluster = ClusterSize::new(size).expect("a size");
        each(Kind::Rotate(cluster), &ELEMENTS, 4, lane);
    }
}

#[test]
fn shuffles_of_every_width() {
    let mut random = Random(9);
    for element in ELEMENTS {
        for kind in [ShuffleKind::Index, ShuffleKind::Xor, ShuffleKind::Up, ShuffleKind::Down] {
            for segmented in [false, true] {
                for mask in MASKS {
                    let kind = Kind::Shuffle { kind, segmented };
                    let operation = CrossLane { kind, element, inactive: InactiveSource::Own };
                    let case = Case::cross_lane(operation, None, mask);
                    check(&case, element, 4, &mut random, |random| {
                        let any: Vec<u32> = (0..32).map(|_| random.word()).collect();
                        words(|lane| any[lane])
                    });
                }
            }
        }
    }
}
