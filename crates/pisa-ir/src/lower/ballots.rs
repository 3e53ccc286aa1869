//! Ballots, votes, elect.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | ballot | `sel v, H1, 0, p; ired.or d, v, mask` | 2 |
//! | ballot of 64 bits | … `zext` | 3 |
//! | any | `sel t, 1, 0, p; ired.or t, t, mask; ucmp.ne d, t, 0` | 3 |
//! | all | … `ired.and` | 3 |
//! | all equal, 16 and 32 bits | `ired.umin a, x, mask; ired.umax b, x, mask; ucmp.eq d, a, b` | 3 |
//! | … of 8 bits, predicates | extended first | 4 |
//! | … of 64 bits | both halves; `xor t, a0, b0; bfn t, t \| (a1 ^ b1); ucmp.eq d, t, 0` | 8 |
//! | … floats | `fred.min.nanp a; fred.max.nanp b; fcmp.eq d, a, b`: a NaN wins and equals nothing | 3 |
//! | … packed | … of both elements; `mov t, v.xy; ucmp.eq d, t, ~0` | 5 |
//! | … of 64 bits | each with the first: 5 for its value; `fcmp.eq t; ired.and t; ucmp.ne d, t, 0` | 8 |
//! | elect | `redfirstidx i, mask; ucmp.eq d, i, %laneid` | 2 |
//!
//! Where lanes keep a predicate: `sel` makes it a word (1), `shfl.idx` from the own lane merges (1), and the result is made a word
//! and a predicate again (2). Any and all have the kept word in their `ired` (1).

use crate::lower::emit::{Emitter, LANE};
use crate::lower::group::Group;
use crate::lower::shuffles;
use crate::{Element, LaneMask, Operand, Reduction, VectorOperation};
use pisa_module::RegisterType;

const ZERO: Operand = Operand::word(0);

/// The lanes of the group whose predicate has this value, as a word.
pub(super) fn lanes_where(emitter: &mut Emitter<'_>, value: bool, data: Operand, group: Group) -> Operand {
    let own = emitter.lane_mask(LaneMask::Equal);
    let (yes, no) = if value { (own, ZERO) } else { (ZERO, own) };
    let bit = emitter.select(32, yes, no, data);
    let bit = emitter.register(bit);
    emitter.red(Reduction::Or, Element::I32, [bit, group.mask, group.kept])
}

pub(super) fn ballot(emitter: &mut Emitter<'_>, bits: u8, data: Operand, group: Group) -> Operand {
    if bits == 32 {
        return lanes_where(emitter, true, data, group);
    }
    let lanes = lanes_where(emitter, true, data, group.inner());
    let lanes = emitter.table("zext.64b.32b", &[lanes]);
    emitter.merge(Element::I64, lanes, group)
}

pub(super) fn vote(emitter: &mut Emitter<'_>, all: bool, data: Operand, group: Group) -> Operand {
    let reduction = if all { Reduction::And } else { Reduction::Or };
    let word = emitter.word(Element::Predicate, data);
    let kept = emitter.kept_word(Element::Predicate, group);
    let result = emitter.red(reduction, Element::I32, [word, group.mask, kept]);
    emitter.test("ucmp.ne.32b", &[result, ZERO])
}

pub(super) fn all_equal(emitter: &mut Emitter<'_>, element: Element, data: Operand, group: Group) -> Operand {
    let inner = group.inner();
    let equal = match element {
        Element::Df => equal_to_first(emitter, data, inner),
        _ if element.is_float() => equal_floats(emitter, element, data, inner),
        _ => equal_bits(emitter, element, data, inner),
    };
    emitter.merge(Element::Predicate, equal, group)
}

/// Whether the bits of all participants are equal.
pub(super) fn equal_bits(
    emitter: &mut Emitter<'_>,
    element: Element,
    data: Operand,
    group: Group,
) -> Operand {
    let ends = |emitter: &mut Emitter<'_>, element, word| {
        [Reduction::Umin, Reduction::Umax]
            .map(|reduction| emitter.red(reduction, element, [word, group.mask, group.kept]))
    };
    if matches!(element, Element::I16 | Element::Hf | Element::Bf) {
        let ends = ends(emitter, Element::I16, data);
        return emitter.test("ucmp.eq.16b", &ends);
    }
    if element.bits() < 64 {
        let word = emitter.word(element, data);
        let ends = ends(emitter, Element::I32, word);
        return emitter.test("ucmp.eq.32b", &ends);
    }
    let halves = emitter.halves(data);
    let [low, high] = [0, 1].map(|first| emitter.half(halves, first));
    let low = ends(emitter, Element::I32, low);
    let [least, greatest] = ends(emitter, Element::I32, high);
    let differ = emitter.table("xor.32b", &low);
    // src0 | (src1 ^ src2)
    let differ = emitter.table("bfn.0xbe.32b", &[differ, least, greatest]);
    emitter.test("ucmp.eq.32b", &[differ, ZERO])
}

fn equal_floats(emitter: &mut Emitter<'_>, element: Element, data: Operand, group: Group) -> Operand {
    let ends = [Reduction::FminNan, Reduction::FmaxNan]
        .map(|reduction| emitter.red(reduction, element, [data, group.mask, group.kept]));
    let ty = element.qualifier().map_or("", |qualifier| qualifier.text());
    if element.elements() == 1 {
        return emitter.test(&format!("fcmp.eq{ty}"), &ends);
    }
    let equal = emitter.table(&format!("fcmp.eq{ty}"), &ends);
    let equal = emitter.vector(VectorOperation::Pack, &[equal], RegisterType::scalar(32));
    emitter.test("ucmp.eq.32b", &[equal, Operand::ALL_LANES])
}

fn equal_to_first(emitter: &mut Emitter<'_>, data: Operand, group: Group) -> Operand {
    let first = shuffles::read_first(emitter, Element::Df, data, group);
    let equal = emitter.table("fcmp.eq.df", &[first, data]);
    let equal = emitter.red(Reduction::And, Element::I32, [equal, group.mask, group.kept]);
    emitter.test("ucmp.ne.32b", &[equal, ZERO])
}

pub(super) fn elect(emitter: &mut Emitter<'_>, group: Group) -> Operand {
    let first = emitter.first(group.mask);
    let elected = emitter.test("ucmp.eq.32b", &[first, LANE]);
    emitter.merge(Element::Predicate, elected, group)
}
