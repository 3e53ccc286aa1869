//! The order of float sums and products. 2^24 and the ones behind it show it: 2^24 + 1 lies half way between two numbers
//! and rounds to 2^24, while 2^24 + 2 is one.

use super::*;
use crate::{ClusterSize, Reduction, Scope};

const ONE: u128 = 0x3F80_0000;
const BIG: u128 = 0x4B80_0000;
const BIG_RESULT: i128 = BIG as i128;

fn sum(scope: Scope, lanes: u8, partitioned: bool) -> Case {
    let cluster = ClusterSize::new(lanes).unwrap();
    let kind = CrossLaneKind::Reduce { reduction: Reduction::Sum, scope, cluster, partitioned };
    case(kind, Element::F).data(|lane| if lane == 0 { BIG } else { ONE })
}

#[test]
fn a_full_sub_group_is_a_tree() {
    // Lane 0 adds 1, 2, 4, 8 and 16: 2^24 + 1 is 2^24, and 30 remain, 15 steps of 2.
    assert_eq!(sum(Scope::Reduce, 32, false).run(), [BIG_RESULT + 15; 32]);
}

#[test]
fn what_is_not_full_goes_in_lane_order() {
    let some = sum(Scope::Reduce, 32, false).active(0x7FFF_FFFF).run();
    assert_eq!((&some[..31], some[31]), (&[BIG_RESULT; 31][..], INACTIVE));
    let masked = sum(Scope::Reduce, 32, false).mask(0xFFFF_FFFD).pass_through(9).run();
    assert_eq!(masked[..3], [BIG_RESULT, 9, BIG_RESULT]);
}

#[test]
fn so_in_each_cluster() {
    // 2^24 + 1 + (1 + 1); the second cluster is not full: 3.
    let sums = sum(Scope::Reduce, 4, false).active(0b1011_1111).run();
    assert_eq!(
        sums[..6],
        [BIG_RESULT + 1, BIG_RESULT + 1, BIG_RESULT + 1, BIG_RESULT + 1, 0x4040_0000, 0x4040_0000]
    );
    assert_eq!(sum(Scope::Reduce, 4, false).active(0b0111).run()[..3], [BIG_RESULT; 3]);
}

#[test]
fn parts_go_in_lane_order_even_if_all_lanes_are_one() {
    let sums = sum(Scope::Reduce, 32, true).index(|_| 0xFFFF_FFFF).run();
    assert_eq!(sums, [BIG_RESULT; 32]);
}

#[test]
fn scans_double_by_rank() {
    // Step 1: 2^24, 2^24, 2, 2. Step 2: the last two add the first two.
    let expected = [BIG_RESULT, BIG_RESULT, BIG_RESULT + 1, BIG_RESULT + 1];
    assert_eq!(sum(Scope::Inclusive, 32, false).active(0b1111).run()[..4], expected);
    let [a, b, c, d] = expected;
    // Lanes between that do not take part are no step.
    assert_eq!(
        sum(Scope::Inclusive, 32, false).active(0b101_1001).run()[..7],
        [a, INACTIVE, INACTIVE, b, c, INACTIVE, d]
    );
    assert_eq!(sum(Scope::Exclusive, 32, false).active(0b1111).run()[..4], [0, a, b, c]);
    // A full cluster doubles, too.
    assert_eq!(sum(Scope::Inclusive, 4, false).run()[..4], expected);
    assert_eq!(sum(Scope::Inclusive, 32, true).index(|_| 0b1111).active(0b1111).run()[..4], expected);
}

#[test]
fn the_own_value_comes_first_in_a_tree_and_the_lower_one_in_a_scan() {
    let nans = [0x7FC0_0001, 0x7FC0_0002];
    assert_eq!(sum(Scope::Reduce, 2, false).list(&nans).run()[..2], [0x7FC0_0001, 0x7FC0_0002]);
    assert_eq!(sum(Scope::Inclusive, 2, false).list(&nans).run()[..2], [0x7FC0_0001, 0x7FC0_0001]);
    assert_eq!(sum(Scope::Reduce, 4, false).list(&nans).active(0b11).run()[..2], [0x7FC0_0001, 0x7FC0_0001]);
    // One lane alone computes nothing, so that a signalling NaN stays.
    assert_eq!(sum(Scope::Reduce, 4, false).list(&[0x7F80_0001]).active(1).run()[0], 0x7F80_0001);
}

#[test]
fn formats() {
    let reduce = |reduction, element, list: &[u128]| {
        let kind = CrossLaneKind::Reduce {
            reduction,
            scope: Scope::Reduce,
            cluster: ClusterSize::FULL,
            partitioned: false,
        };
        case(kind, element).list(list).active(0b11).run()[0]
    };
    // 1.5 * 1.5 = 2.25.
    assert_eq!(reduce(Reduction::Product, Element::Hf, &[0x3E00, 0x3E00]), 0x4080);
    assert_eq!(reduce(Reduction::Product, Element::Bf, &[0x3FC0, 0x3FC0]), 0x4010);
    // 2^53 + 1 rounds to 2^53, 2^53 + 3 to 2^53 + 4.
    let big = 0x4340_0000_0000_0000;
    assert_eq!(reduce(Reduction::Sum, Element::Df, &[big, 0x3FF0_0000_0000_0000]), big as i128);
    assert_eq!(reduce(Reduction::Sum, Element::Df, &[big, 0x4008_0000_0000_0000]), big as i128 + 2);
    // The sum of the largest numbers is infinite.
    assert_eq!(reduce(Reduction::Sum, Element::Hf, &[0x7BFF, 0x7BFF]), 0x7C00);
}
