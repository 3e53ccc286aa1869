use super::*;
use CrossLaneKind as Kind;

/// A predicate that is true in these lanes.
fn vote(kind: CrossLaneKind, truth: u32) -> Case {
    case(kind, Element::Predicate).data(move |lane| u128::from(truth >> lane & 1))
}

#[test]
fn ballots_leave_out_who_does_not_take_part() {
    for bits in [32, 64] {
        let ballot = vote(Kind::Ballot { bits }, 0b1101_0110).active(0b0111_1110).mask(0b1111_0000);
        let expected = [INACTIVE, 9, 9, 9, 0b0101_0000, 0b0101_0000, 0b0101_0000, INACTIVE];
        assert_eq!(ballot.pass_through(9).run()[..8], expected);
    }
}

#[test]
fn any_and_all() {
    // Lane 0 alone is true, and not active.
    assert_eq!(vote(Kind::VoteAny, 0b001).active(0b110).run()[..3], [INACTIVE, 0, 0]);
    assert_eq!(vote(Kind::VoteAny, 0b100).active(0b110).run()[..3], [INACTIVE, 1, 1]);
    assert_eq!(vote(Kind::VoteAll, 0b110).active(0b110).run()[..3], [INACTIVE, 1, 1]);
    assert_eq!(vote(Kind::VoteAll, 0b101).active(0b110).run()[..3], [INACTIVE, 0, 0]);
    assert_eq!(
        vote(Kind::VoteAll, 0b101).active(0b110).mask(0b100).pass_through(0).run()[..3],
        [INACTIVE, 0, 1]
    );
    let quads = |kind| vote(kind, 0b1111_0010).active(0b1111_0011).run();
    assert_eq!(quads(Kind::QuadAny)[..8], [1, 1, INACTIVE, INACTIVE, 1, 1, 1, 1]);
    assert_eq!(quads(Kind::QuadAll)[..8], [0, 0, INACTIVE, INACTIVE, 1, 1, 1, 1]);
}

#[test]
fn equal_integers_are_equal_bits() {
    let equal =
        |data: &[u128], active| case(Kind::VoteAllEqual, Element::I32).list(data).active(active).run()[0];
    assert_eq!(equal(&[5, 6, 5], 0b101), 1);
    assert_eq!(equal(&[5, 6, 5], 0b111), 0);
}

#[test]
fn equal_floats_are_equal_numbers() {
    let (zero, minus_zero, nan) = (0, 0x8000_0000, 0x7FC0_0000);
    let equal =
        |data: &[u128], active| case(Kind::VoteAllEqual, Element::F).list(data).active(active).run()[0];
    assert_eq!(equal(&[zero, minus_zero], 0b11), 1);
    assert_eq!(equal(&[zero, nan], 0b11), 0);
    assert_eq!(equal(&[nan, nan], 0b11), 0);
    // One lane with a NaN is not equal to itself.
    assert_eq!(equal(&[nan], 0b1), 0);
}

#[test]
fn who_is_first() {
    assert_eq!(case(Kind::Elect, Element::I32).active(0b110).run()[..3], [INACTIVE, 1, 0]);
    let first = |mask| case(Kind::FirstParticipant, Element::I32).active(0b110).mask(mask).run();
    // S-06: lane 1 is outside the mask and gets the number as well.
    assert_eq!(first(0b101)[..3], [INACTIVE, 2, 2]);
    // S-05
    assert_eq!(first(0b001)[..3], [INACTIVE, 0xFFFF_FFFF, 0xFFFF_FFFF]);
    assert_eq!(case(Kind::ActiveMask, Element::I32).active(0b110).run()[..3], [INACTIVE, 6, 6]);
}

#[test]
fn each_lane_goes_by_its_own_mask() {
    let mut ballot = vote(Kind::Ballot { bits: 32 }, 0b11).active(0b11).pass_through(9);
    ballot.mask = scalars(|lane| if lane == 0 { 0b01 } else { 0b11 });
    assert_eq!(ballot.run()[..2], [0b01, 0b11]);
}

#[test]
fn matches() {
    let of = |kind| case(kind, Element::I32).list(&[4, 5, 4, 5, 6]).active(0b11111);
    assert_eq!(of(Kind::MatchAny).run()[..5], [0b00101, 0b01010, 0b00101, 0b01010, 0b10000]);
    assert_eq!(of(Kind::MatchAll).run()[..5], [0; 5]);
    assert_eq!(of(Kind::MatchAll).mask(0b00101).pass_through(9).run()[..3], [0b00101, 9, 0b00101]);
    // By bits: the zeros differ, a NaN matches itself.
    let floats = case(Kind::MatchAny, Element::F).list(&[0, 0x8000_0000, 0x7FC0_0000]).active(0b111);
    assert_eq!(floats.run()[..3], [0b001, 0b010, 0b100]);
}

#[test]
fn one_lane_may_decide_what_undefined_ones_do_not() {
    let undefined = |kind, truth| {
        let mut case = vote(kind, truth).active(0b11);
        case.data[1] = smallvec::smallvec![None];
        case.run()[0]
    };
    assert_eq!(undefined(Kind::VoteAny, 0b01), 1);
    assert_eq!(undefined(Kind::VoteAny, 0b00), UNDEFINED);
    assert_eq!(undefined(Kind::VoteAll, 0b00), 0);
    assert_eq!(undefined(Kind::VoteAll, 0b01), UNDEFINED);
    assert_eq!(undefined(Kind::Ballot { bits: 32 }, 0b01), UNDEFINED);
}
