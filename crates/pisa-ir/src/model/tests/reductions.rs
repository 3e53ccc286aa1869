use super::*;
use crate::{ClusterSize, Reduction, Scope};

fn of(reduction: Reduction, scope: Scope, lanes: u8, element: Element) -> Case {
    let cluster = ClusterSize::new(lanes).unwrap();
    case(CrossLaneKind::Reduce { reduction, scope, cluster, partitioned: false }, element)
}

#[test]
fn integers_wrap() {
    let sum =
        |element| of(Reduction::Sum, Scope::Reduce, 32, element).list(&[200, 100]).active(0b11).run()[0];
    assert_eq!([sum(Element::I8), sum(Element::I16)], [44, 300]);
    let product = of(Reduction::Product, Scope::Reduce, 32, Element::I64).list(&[1 << 40, 1 << 23, 3]);
    assert_eq!(product.active(0b111).run()[..2], [3 << 63 & u64::MAX as i128; 2]);
}

/// -128, 5 and -3 of 8 bits.
#[test]
fn extremes_by_sign() {
    use Reduction::*;
    let reduce = |reduction| {
        of(reduction, Scope::Reduce, 32, Element::I8).list(&[0x80, 0x05, 0xFD]).active(0b111).run()[0]
    };
    assert_eq!([reduce(Smin), reduce(Smax)], [0x80, 0x05]);
    assert_eq!([reduce(Umin), reduce(Umax)], [0x05, 0xFD]);
    // S-28
    assert_eq!(reduce(Absmax), 0x80);
    assert_eq!([reduce(And), reduce(Or), reduce(Xor)], [0x00, 0xFD, 0x78]);
    let absmax = of(Absmax, Scope::Inclusive, 32, Element::I8).list(&[0xFD, 0x02, 0x04]).active(0b111);
    assert_eq!(absmax.run()[..3], [3, 3, 4]);
}

#[test]
fn scans_count_participants_alone() {
    let scan = |scope| {
        of(Reduction::Sum, scope, 32, Element::I32)
            .list(&[1, 2, 4, 8, 16])
            .active(0b11101)
            .mask(0b10111)
            .pass_through(9)
    };
    assert_eq!(scan(Scope::Reduce).run()[..5], [21, INACTIVE, 21, 9, 21]);
    assert_eq!(scan(Scope::Inclusive).run()[..5], [1, INACTIVE, 5, 9, 21]);
    assert_eq!(scan(Scope::Exclusive).run()[..5], [0, INACTIVE, 1, 9, 5]);
}

#[test]
fn clusters_are_apart() {
    let scan = |scope| of(Reduction::Sum, scope, 4, Element::I32).data(|_| 1).active(0b1011_1111).run();
    assert_eq!(scan(Scope::Reduce)[..8], [4, 4, 4, 4, 3, 3, INACTIVE, 3]);
    assert_eq!(scan(Scope::Inclusive)[..8], [1, 2, 3, 4, 1, 2, INACTIVE, 3]);
    assert_eq!(scan(Scope::Exclusive)[..8], [0, 1, 2, 3, 0, 1, INACTIVE, 2]);
    let own = of(Reduction::Sum, Scope::Reduce, 1, Element::I32).run();
    assert_eq!(own[..2], [100, 101]);
}

#[test]
fn identities() {
    use Reduction::*;
    let identity = |reduction, element| of(reduction, Scope::Exclusive, 32, element).active(1).run()[0];
    let integers = [Sum, Product, And, Or, Xor, Smin, Smax, Umin, Umax, Absmax];
    let expected = [0, 1, 0xFF, 0, 0, 0x7F, 0x80, 0xFF, 0, 0];
    assert_eq!(integers.map(|reduction| identity(reduction, Element::I8)), expected);
    let floats = [Sum, Product, Fmin, Fmax, Fabsmax, FminNan, FmaxNan, FabsmaxNan];
    let expected = [0, 0x3C00, 0x7C00, 0xFC00, 0, 0x7C00, 0xFC00, 0];
    assert_eq!(floats.map(|reduction| identity(reduction, Element::Hf)), expected);
    assert_eq!([And, Or, Xor].map(|reduction| identity(reduction, Element::Predicate)), [1, 0, 0]);
}

#[test]
fn predicates() {
    let scan = |reduction| {
        of(reduction, Scope::Inclusive, 32, Element::Predicate).list(&[1, 1, 0, 1]).active(0b1111)
    };
    assert_eq!(scan(Reduction::And).run()[..4], [1, 1, 0, 0]);
    assert_eq!(scan(Reduction::Xor).run()[..4], [1, 0, 0, 1]);
    assert_eq!(scan(Reduction::Or).mask(0b1100).pass_through(0).run()[..4], [0, 0, 0, 1]);
}

#[test]
fn nan_loses_or_wins() {
    use Reduction::*;
    let (minus_three, two, nan) = (0xC040_0000, 0x4000_0000, 0xFFC0_0001);
    let reduce = |reduction, list: &[u128]| {
        let active = (1 << list.len()) - 1;
        of(reduction, Scope::Reduce, 32, Element::F).list(list).active(active).run()[0]
    };
    let list = [minus_three, nan, two];
    assert_eq!([Fmin, Fmax, Fabsmax].map(|r| reduce(r, &list)), [0xC040_0000, 0x4000_0000, 0x4040_0000]);
    // S-20, S-22: `.absmax` gives no sign.
    assert_eq!(
        [FminNan, FmaxNan, FabsmaxNan].map(|r| reduce(r, &list)),
        [0xFFC0_0001, 0xFFC0_0001, 0x7FC0_0001]
    );
    // S-29: a signalling NaN alone is quieted. S-21: -0 is less than +0.
    assert_eq!(reduce(Fmin, &[0x7F80_0001]), 0x7FC0_0001);
    assert_eq!([reduce(Fmin, &[0, 0x8000_0000]), reduce(Fmax, &[0x8000_0000, 0])], [0x8000_0000, 0]);
}

/// (1, 4), (3, 2) of `hf`.
#[test]
fn packed_elements_are_reduced_apart() {
    let mut least = of(Reduction::Fmin, Scope::Reduce, 32, Element::Hfx2).active(0b11);
    least.data[0] = smallvec::smallvec![Some(0x3C00), Some(0x4400)];
    least.data[1] = smallvec::smallvec![Some(0x4200), Some(0x4000)];
    assert_eq!([least.run()[1], least.element(1)[1]], [0x3C00, 0x4000]);
}

#[test]
fn partitions() {
    let part = |scope, index: [u128; 4]| {
        let cluster = ClusterSize::FULL;
        let kind = CrossLaneKind::Reduce { reduction: Reduction::Sum, scope, cluster, partitioned: true };
        let index = move |lane: usize| index.get(lane).copied().unwrap_or(0);
        case(kind, Element::I32).list(&[1, 2, 4, 8]).index(index).active(0b1111).run()[..4].to_vec()
    };
    let alternating = [0b0101, 0b1010, 0b0101, 0b1010];
    assert_eq!(part(Scope::Reduce, alternating), [5, 10, 5, 10]);
    assert_eq!(part(Scope::Inclusive, alternating), [1, 2, 5, 10]);
    assert_eq!(part(Scope::Exclusive, alternating), [0, 0, 1, 2]);
    // Bits of lanes that do not take part do not matter.
    assert_eq!(part(Scope::Reduce, [0xFF05, 0b1010, 0x0105, 0b1010]), [5, 10, 5, 10]);
    // Lane 0 is not in its own part; lanes 1 and 3 do not agree.
    assert_eq!(part(Scope::Reduce, [0b0100, 0b1010, 0b0100, 0b1000]), [UNDEFINED, UNDEFINED, 4, 8]);
}

#[test]
fn only_what_is_combined_must_be_defined() {
    let scan = |scope| {
        let mut case = of(Reduction::Sum, scope, 32, Element::I32).list(&[1, 2, 4]).active(0b111);
        case.data[1] = smallvec::smallvec![None];
        case.run()[..3].to_vec()
    };
    assert_eq!(scan(Scope::Reduce), [UNDEFINED; 3]);
    assert_eq!(scan(Scope::Inclusive), [1, UNDEFINED, UNDEFINED]);
    assert_eq!(scan(Scope::Exclusive), [0, 1, UNDEFINED]);
}

#[test]
fn what_a_type_does_not_have_is_refused() {
    let (_, floats) = of(Reduction::And, Scope::Reduce, 32, Element::F).execute();
    assert!(matches!(floats, Err(NotModelled::IllFormed(_))));
    let (_, integers) = of(Reduction::Fmin, Scope::Reduce, 32, Element::I32).execute();
    assert!(matches!(integers, Err(NotModelled::IllFormed(_))));
}
