//! The words of operations that the instruction table does not have, both ways.

use crate::cross_lane::{
    Axis, ClusterSize, CrossLane, CrossLaneKind, Element, InactiveSource, Reduction, Scope, ShuffleKind,
};
use crate::operation::{LaneMask, MaskOperation, Operation, VectorOperation};
use pisa_module::RegisterType;

/// `32b`, `v4.16b`, `pred`.
pub(crate) fn type_text(ty: RegisterType) -> String {
    match (ty.elements, ty.bits) {
        (1, 1) => "pred".to_owned(),
        (1, bits) => format!("{bits}b"),
        (elements, bits) => format!("v{elements}.{bits}b"),
    }
}

pub(super) const ELEMENTS: &[(&str, Element)] = &[
    ("i8", Element::I8),
    ("i16", Element::I16),
    ("i32", Element::I32),
    ("i64", Element::I64),
    ("hf", Element::Hf),
    ("bf", Element::Bf),
    ("f", Element::F),
    ("df", Element::Df),
    ("hfx2", Element::Hfx2),
    ("bfx2", Element::Bfx2),
    ("pred", Element::Predicate),
];
pub(super) const REDUCTIONS: &[(&str, Reduction)] = &[
    ("sum", Reduction::Sum),
    ("product", Reduction::Product),
    ("and", Reduction::And),
    ("or", Reduction::Or),
    ("xor", Reduction::Xor),
    ("smin", Reduction::Smin),
    ("smax", Reduction::Smax),
    ("umin", Reduction::Umin),
    ("umax", Reduction::Umax),
    ("absmax", Reduction::Absmax),
    ("fmin", Reduction::Fmin),
    ("fmax", Reduction::Fmax),
    ("fabsmax", Reduction::Fabsmax),
    ("fmin_nan", Reduction::FminNan),
    ("fmax_nan", Reduction::FmaxNan),
    ("fabsmax_nan", Reduction::FabsmaxNan),
];
pub(super) const SCOPES: &[(&str, Scope)] =
    &[("reduce", Scope::Reduce), ("inclusive_scan", Scope::Inclusive), ("exclusive_scan", Scope::Exclusive)];
pub(super) const COUNTS: &[(&str, Scope)] =
    &[("all", Scope::Reduce), ("inclusive", Scope::Inclusive), ("exclusive", Scope::Exclusive)];
pub(super) const SHUFFLES: &[(&str, ShuffleKind)] = &[
    ("index", ShuffleKind::Index),
    ("xor", ShuffleKind::Xor),
    ("up", ShuffleKind::Up),
    ("down", ShuffleKind::Down),
];
pub(super) const AXES: &[(&str, Axis)] =
    &[("horizontal", Axis::Horizontal), ("vertical", Axis::Vertical), ("diagonal", Axis::Diagonal)];
pub(super) const LANES: &[(&str, LaneMask)] = &[
    ("equal", LaneMask::Equal),
    ("greater_equal", LaneMask::GreaterEqual),
    ("greater", LaneMask::Greater),
    ("less_equal", LaneMask::LessEqual),
    ("less", LaneMask::Less),
];
pub(super) const INACTIVE: &[(&str, InactiveSource)] =
    &[("own", InactiveSource::Own), ("undefined", InactiveSource::Undefined)];

/// The word of a value; the lists have every one.
pub(super) fn word<T: PartialEq>(list: &[(&'static str, T)], value: T) -> &'static str {
    list.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}
/// The value of a word.
pub(super) fn value<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(known, _)| *known == word).map(|&(_, value)| value)
}

/// The element that goes without saying.
pub(super) fn usual_element(kind: CrossLaneKind) -> Option<Element> {
    match kind {
        CrossLaneKind::Ballot { .. }
        | CrossLaneKind::VoteAny
        | CrossLaneKind::VoteAll
        | CrossLaneKind::QuadAny
        | CrossLaneKind::QuadAll => Some(Element::Predicate),
        CrossLaneKind::ActiveMask | CrossLaneKind::Elect | CrossLaneKind::FirstParticipant => {
            Some(Element::I32)
        }
        _ => None,
    }
}

/// `reduce.sum.cluster8.i32`, `shuffle.index.i32`, `ballot.32b`.
pub(crate) fn cross_lane_text(operation: &CrossLane) -> String {
    use CrossLaneKind as K;
    let cluster = |size: ClusterSize| match size.lanes() {
        32 => String::new(),
        lanes => format!(".cluster{lanes}"),
    };
    let mut text = match operation.kind {
        K::ActiveMask => "activemask".to_owned(),
        K::Ballot { bits } => format!("ballot.{bits}b"),
        K::ReadInvocation => "read_invocation".to_owned(),
        K::ReadFirstInvocation => "read_first_invocation".to_owned(),
        K::VoteAny => "vote_any".to_owned(),
        K::VoteAll => "vote_all".to_owned(),
        K::VoteAllEqual => "vote_all_equal".to_owned(),
        K::Elect => "elect".to_owned(),
        K::FirstParticipant => "first_participant".to_owned(),
        K::Shuffle { kind, segmented } => {
            format!("shuffle.{}{}", word(SHUFFLES, kind), if segmented { ".segmented" } else { "" })
        }
        K::Rotate(size) => format!("rotate{}", cluster(size)),
        K::QuadBroadcast => "quad_broadcast".to_owned(),
        K::QuadSwap(axis) => format!("quad_swap.{}", word(AXES, axis)),
        K::QuadAny => "quad_any".to_owned(),
        K::QuadAll => "quad_all".to_owned(),
        K::Reduce { reduction, scope, cluster: size, partitioned } => {
            let partitioned = if partitioned { ".partitioned" } else { "" };
            format!("{}.{}{}{partitioned}", word(SCOPES, scope), word(REDUCTIONS, reduction), cluster(size))
        }
        K::MatchAny => "match_any".to_owned(),
        K::MatchAll => "match_all".to_owned(),
        K::Derivative { axis, fine } => {
            format!("derivative.{}.{}", word(AXES, axis), if fine { "fine" } else { "coarse" })
        }
    };
    if usual_element(operation.kind) != Some(operation.element) {
        text.push('.');
        text.push_str(word(ELEMENTS, operation.element));
    }
    text
}

/// `mask.inverse_ballot`, `vector.extract.2`; empty for operations of the table.
pub(crate) fn other_text(operation: &Operation) -> String {
    match operation {
        Operation::Table { form, qualifiers } => pisa_isa::form(*form).mnemonic(qualifiers),
        Operation::CrossLane(operation) => cross_lane_text(operation),
        Operation::Mask(operation) => match operation {
            MaskOperation::Lanes(relation) => format!("mask.lanes.{}", word(LANES, *relation)),
            MaskOperation::InverseBallot => "mask.inverse_ballot".to_owned(),
            MaskOperation::BitExtract => "mask.bit_extract".to_owned(),
            MaskOperation::BitCount(scope) => format!("mask.bit_count.{}", word(COUNTS, *scope)),
            MaskOperation::FindLeast => "mask.find_least".to_owned(),
            MaskOperation::FindMost => "mask.find_most".to_owned(),
        },
        Operation::Vector(operation) => match operation {
            VectorOperation::Extract { first } => format!("vector.extract.{first}"),
            VectorOperation::Insert { first } => format!("vector.insert.{first}"),
            VectorOperation::Pack => "vector.pack".to_owned(),
            VectorOperation::Unpack => "vector.unpack".to_owned(),
        },
        Operation::Call { conditional: false } => "call".to_owned(),
        Operation::Call { conditional: true } => "call.cond".to_owned(),
        Operation::Initial => "initial".to_owned(),
    }
}
