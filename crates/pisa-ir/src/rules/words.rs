//! Words of the notation for operations.

use crate::{
    Axis, ClusterSize, CrossLane, CrossLaneKind as Kind, Element, InactiveSource, LaneMask, MaskOperation,
    Operation, Reduction, Scope, ShuffleKind,
};
use pisa_isa::{Access, OperandKind, match_mnemonic, split_mnemonic};

/// An operation by its word; see [`notation`](super::notation).
pub(super) fn operation(word: &str) -> Option<Operation> {
    if let Some(found) = mask(word) {
        return Some(Operation::Mask(found));
    }
    if let Some(found) = cross_lane(word) {
        return Some(Operation::CrossLane(found));
    }
    let (mnemonic, wants_register) = match word.strip_suffix(":r") {
        Some(mnemonic) => (mnemonic, true),
        None => (word, false),
    };
    let split = split_mnemonic(mnemonic).ok()?;
    let matches = match_mnemonic(split.opcode, split.qualifiers()).ok()?;
    let has_predicate = |form: &pisa_isa::Form| {
        form.operands
            .iter()
            .any(|operand| matches!(operand.kind, OperandKind::Predicate | OperandKind::PredicateOrNegation))
    };
    // Swizzles and vectors have operations of their own.
    let is_plain = |form: &pisa_isa::Form| {
        let plain = |operand: &pisa_isa::OperandDef| {
            !matches!(operand.kind, OperandKind::Swizzle | OperandKind::Vector)
                && operand.access != Access::ReadWrite
        };
        form.operands.iter().all(plain)
    };
    let mut forms = matches.iter().filter(|found| is_plain(pisa_isa::form(found.form)));
    let several = forms.clone().count() > 1;
    let found =
        forms.find(|found| !several || has_predicate(pisa_isa::form(found.form)) != wants_register)?;
    Some(Operation::Table { form: found.form, qualifiers: found.values })
}

fn mask(word: &str) -> Option<MaskOperation> {
    Some(match word {
        "lanes.eq" => MaskOperation::Lanes(LaneMask::Equal),
        "lanes.ge" => MaskOperation::Lanes(LaneMask::GreaterEqual),
        "lanes.gt" => MaskOperation::Lanes(LaneMask::Greater),
        "lanes.le" => MaskOperation::Lanes(LaneMask::LessEqual),
        "lanes.lt" => MaskOperation::Lanes(LaneMask::Less),
        "inverse" => MaskOperation::InverseBallot,
        "bit" => MaskOperation::BitExtract,
        "count" => MaskOperation::BitCount(Scope::Reduce),
        "count.inclusive" => MaskOperation::BitCount(Scope::Inclusive),
        "count.exclusive" => MaskOperation::BitCount(Scope::Exclusive),
        "least" => MaskOperation::FindLeast,
        "most" => MaskOperation::FindMost,
        _ => return None,
    })
}

fn element(word: &str) -> Option<Element> {
    Some(match word {
        "p" => Element::Predicate,
        "8b" => Element::I8,
        "16b" => Element::I16,
        "32b" => Element::I32,
        "64b" => Element::I64,
        "hf" => Element::Hf,
        "bf" => Element::Bf,
        "f" => Element::F,
        "df" => Element::Df,
        "hfx2" => Element::Hfx2,
        "bfx2" => Element::Bfx2,
        _ => return None,
    })
}

fn reduction(word: &str) -> Option<Reduction> {
    use Reduction::*;
    Some(match word {
        "sum" => Sum,
        "product" => Product,
        "and" => And,
        "or" => Or,
        "xor" => Xor,
        "smin" => Smin,
        "smax" => Smax,
        "umin" => Umin,
        "umax" => Umax,
        "absmax" => Absmax,
        "fmin" => Fmin,
        "fmax" => Fmax,
        "fabsmax" => Fabsmax,
        "fmin.nanp" => FminNan,
        "fmax.nanp" => FmaxNan,
        "fabsmax.nanp" => FabsmaxNan,
        _ => return None,
    })
}

fn cross_lane(word: &str) -> Option<CrossLane> {
    let (word, inactive) = match word.strip_suffix('?') {
        Some(word) => (word, InactiveSource::Undefined),
        None => (word, InactiveSource::Own),
    };
    let whole = match word {
        "active" => Some((Kind::ActiveMask, Element::I32)),
        "ballot" => Some((Kind::Ballot { bits: 32 }, Element::Predicate)),
        "any" => Some((Kind::VoteAny, Element::Predicate)),
        "all" => Some((Kind::VoteAll, Element::Predicate)),
        "elect" => Some((Kind::Elect, Element::I32)),
        "first" => Some((Kind::FirstParticipant, Element::I32)),
        "quad_any" => Some((Kind::QuadAny, Element::Predicate)),
        "quad_all" => Some((Kind::QuadAll, Element::Predicate)),
        _ => None,
    };
    if let Some((kind, element)) = whole {
        return Some(CrossLane { kind, element, inactive });
    }
    let (kind, last) = word.rsplit_once('.')?;
    let element = element(last)?;
    let simple = match kind {
        "read" => Some(Kind::ReadInvocation),
        "read_first" => Some(Kind::ReadFirstInvocation),
        "all_equal" => Some(Kind::VoteAllEqual),
        "shuffle.index" => Some(shuffle(ShuffleKind::Index)),
        "shuffle.xor" => Some(shuffle(ShuffleKind::Xor)),
        "shuffle.up" => Some(shuffle(ShuffleKind::Up)),
        "shuffle.down" => Some(shuffle(ShuffleKind::Down)),
        "quad_broadcast" => Some(Kind::QuadBroadcast),
        "quad_swap.h" => Some(Kind::QuadSwap(Axis::Horizontal)),
        "quad_swap.v" => Some(Kind::QuadSwap(Axis::Vertical)),
        "quad_swap.d" => Some(Kind::QuadSwap(Axis::Diagonal)),
        "match_any" => Some(Kind::MatchAny),
        "match_all" => Some(Kind::MatchAll),
        _ => None,
    };
    if let Some(kind) = simple {
        return Some(CrossLane { kind, element, inactive });
    }
    let (first, rest) = kind.split_once('.').unwrap_or((kind, ""));
    if first == "rotate" {
        let kind = Kind::Rotate(cluster(rest)?);
        return Some(CrossLane { kind, element, inactive });
    }
    let scope = match first {
        "reduce" => Scope::Reduce,
        "inclusive" => Scope::Inclusive,
        "exclusive" => Scope::Exclusive,
        _ => return None,
    };
    let (name, cluster) = match rest.rsplit_once('.') {
        Some((name, lanes)) if lanes.starts_with(|c: char| c.is_ascii_digit()) => (name, cluster(lanes)?),
        _ => (rest, ClusterSize::FULL),
    };
    let reduction = reduction(name).filter(|reduction| reduction.applies_to(element))?;
    let kind = Kind::Reduce { reduction, scope, cluster, partitioned: false };
    Some(CrossLane { kind, element, inactive })
}

fn shuffle(kind: ShuffleKind) -> Kind {
    Kind::Shuffle { kind, segmented: false }
}

/// Full where nothing is said.
fn cluster(lanes: &str) -> Option<ClusterSize> {
    if lanes.is_empty() { Some(ClusterSize::FULL) } else { ClusterSize::new(lanes.parse().ok()?) }
}
