use super::*;
use crate::{Axis, ClusterSize, ShuffleKind};

fn shuffle(kind: ShuffleKind, segmented: bool) -> Case {
    case(CrossLaneKind::Shuffle { kind, segmented }, Element::I32)
}

#[test]
fn a_lane_that_does_not_take_part_gives_the_own_value_or_anything() {
    let down = || shuffle(ShuffleKind::Down, false).active(0b1111).mask(0b0111).index(|_| 1);
    assert_eq!(down().pass_through(7).run()[..5], [101, 102, 102, 7, INACTIVE]);
    assert_eq!(down().undefined().pass_through(7).run()[..5], [101, 102, UNDEFINED, 7, INACTIVE]);
    // Nobody looks at what lane 3 keeps.
    assert_eq!(down().run()[..5], [101, 102, 102, UNDEFINED, INACTIVE]);
}

#[test]
fn out_of_bounds_gives_the_own_value_always() {
    let up = shuffle(ShuffleKind::Up, false).undefined().index(|_| 1);
    assert_eq!(up.run()[..3], [100, 100, 101]);
    let down = shuffle(ShuffleKind::Down, false).undefined().index(|_| 31);
    assert_eq!(down.run()[..2], [131, 101]);
}

#[test]
fn segments() {
    // Eight lanes a segment (segmask 11000, clamp 11111), two lanes down.
    let down = shuffle(ShuffleKind::Down, true).data(|lane| lane as u128).index(|_| 0x0018_1F02);
    assert_eq!(down.run()[..10], [2, 3, 4, 5, 6, 7, 6, 7, 10, 11]);
    // S-08: a clamp of 0 puts every lane out of bounds.
    let clamped = shuffle(ShuffleKind::Down, true).data(|lane| lane as u128).index(|_| 0x0018_0002);
    assert_eq!(clamped.run(), (0..32).collect::<Vec<_>>());
    let up = shuffle(ShuffleKind::Up, true).data(|lane| lane as u128).index(|_| 0x0018_0002);
    assert_eq!(up.run()[..11], [0, 1, 0, 1, 2, 3, 4, 5, 8, 9, 8]);
    // S-14: lane 11 reads lane 3 of the segment below; lane 3 does not read lane 11.
    let xor = shuffle(ShuffleKind::Xor, true).data(|lane| lane as u128).index(|_| 0x0018_1F08);
    assert_eq!([xor.run()[11], xor.run()[3]], [3, 3]);
    // Lane 2 of each four.
    let index = shuffle(ShuffleKind::Index, true).data(|lane| lane as u128).index(|_| 0x001C_1F02);
    assert_eq!(index.run()[..6], [2, 2, 2, 2, 6, 6]);
}

#[test]
fn without_segments_five_bits_count() {
    let down = shuffle(ShuffleKind::Down, false).index(|_| 0xFFFF_FFE1);
    assert_eq!(down.run()[30..], [131, 131]);
    let index = shuffle(ShuffleKind::Index, false).index(|lane| 31 - lane as u128 + 32);
    assert_eq!(index.run()[..2], [131, 130]);
    let xor = shuffle(ShuffleKind::Xor, false).index(|_| 3);
    assert_eq!(xor.run()[..5], [103, 102, 101, 100, 107]);
}

#[test]
fn packed_and_wide_values_go_as_a_whole() {
    let mut both = case(CrossLaneKind::ReadFirstInvocation, Element::Hfx2).active(0b110);
    both.data[1] = smallvec::smallvec![Some(1), Some(2)];
    assert_eq!(both.run()[..3], [INACTIVE, 1, 1]);
    assert_eq!(both.element(1)[..3], [INACTIVE, 2, 2]);
    let wide = case(CrossLaneKind::ReadFirstInvocation, Element::I64).active(0b11).data(|_| 1 << 63);
    assert_eq!(wide.run()[..2], [1 << 63; 2]);
}

#[test]
fn one_lane_for_all() {
    let first = case(CrossLaneKind::ReadFirstInvocation, Element::I32).active(0b1110).mask(0b1100);
    assert_eq!(first.pass_through(7).run()[..5], [INACTIVE, 7, 102, 102, INACTIVE]);
    let read = || case(CrossLaneKind::ReadInvocation, Element::I32).active(0b111);
    assert_eq!(read().index(|_| 2).run()[..4], [102, 102, 102, INACTIVE]);
    assert_eq!(read().index(|_| 5).run()[..3], [100, 101, 102]);
    assert_eq!(read().undefined().index(|_| 5).run()[..3], [UNDEFINED; 3]);
    // The low 5 bits count, as in `shfl`.
    assert_eq!(read().index(|_| 34).run()[..3], [102; 3]);
    // It is not said what happens where the index differs.
    assert_eq!(read().index(|lane| lane as u128).run()[..3], [UNDEFINED; 3]);
}

#[test]
fn rotations_stay_in_their_cluster() {
    let rotate = |lanes| case(CrossLaneKind::Rotate(ClusterSize::new(lanes).unwrap()), Element::I32);
    assert_eq!(rotate(4).index(|_| 1).run()[..5], [101, 102, 103, 100, 105]);
    assert_eq!(rotate(4).index(|_| 7).run()[..5], [103, 100, 101, 102, 107]);
    assert_eq!(rotate(32).index(|_| 0xFFFF_FFFF).run()[..2], [131, 100]);
    assert_eq!(rotate(1).index(|_| 3).run()[..2], [100, 101]);
    assert_eq!(rotate(4).index(|_| 1).active(0b1011).run()[..4], [101, 101, INACTIVE, 100]);
    assert_eq!(rotate(4).index(|_| 1).active(0b1011).undefined().run()[..4], [101, UNDEFINED, INACTIVE, 100]);
}

#[test]
fn quads() {
    let swap = |axis| case(CrossLaneKind::QuadSwap(axis), Element::I32);
    assert_eq!(swap(Axis::Horizontal).run()[..5], [101, 100, 103, 102, 105]);
    assert_eq!(swap(Axis::Vertical).run()[..5], [102, 103, 100, 101, 106]);
    assert_eq!(swap(Axis::Diagonal).run()[..5], [103, 102, 101, 100, 107]);
    assert_eq!(swap(Axis::Diagonal).active(0b0111).run()[..4], [100, 102, 101, INACTIVE]);
    assert_eq!(swap(Axis::Diagonal).active(0b0111).undefined().run()[..3], [UNDEFINED, 102, 101]);
    let broadcast = || case(CrossLaneKind::QuadBroadcast, Element::I32);
    assert_eq!(broadcast().index(|_| 2).run()[..5], [102, 102, 102, 102, 106]);
    assert_eq!(broadcast().index(|_| 4).run()[..1], [UNDEFINED]);
}

/// 1, 3 over 10, 14.
#[test]
fn derivatives() {
    let data = [0x3F80_0000, 0x4040_0000, 0x4120_0000, 0x4160_0000];
    let (two, four, nine, eleven) = (0x4000_0000, 0x4080_0000, 0x4110_0000, 0x4130_0000);
    let of = |axis, fine| case(CrossLaneKind::Derivative { axis, fine }, Element::F).list(&data);
    assert_eq!(of(Axis::Horizontal, true).run()[..4], [two, two, four, four]);
    assert_eq!(of(Axis::Horizontal, false).run()[..4], [two, two, two, two]);
    assert_eq!(of(Axis::Vertical, true).run()[..4], [nine, eleven, nine, eleven]);
    assert_eq!(of(Axis::Vertical, false).run()[..4], [nine, nine, nine, nine]);
    // Lane 1 is not here: lanes 0 and 2 read themselves in its place.
    assert_eq!(of(Axis::Horizontal, true).active(0b1101).run()[..4], [0, INACTIVE, four, four]);
    let lost = of(Axis::Horizontal, true).active(0b1101).undefined();
    assert_eq!(lost.run()[..4], [UNDEFINED, INACTIVE, four, four]);
}
