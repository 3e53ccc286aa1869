//! From the mnemonic of an instruction to its operations.

use super::tokens::{Fault, Spelled};
use crate::cross_lane::{ClusterSize, CrossLane, CrossLaneKind, InactiveSource};
use crate::operation::{MaskOperation, Operation, VectorOperation};
use crate::text::words::{self, value};
use pisa_diag::{Span, codes::ir as codes};
use pisa_isa::Opcode;
use smallvec::SmallVec;

/// Our operations: the first word, and how the whole is written.
const OWN: &[(&str, &str)] = &[
    ("activemask", "activemask"),
    ("ballot", "ballot.32b or ballot.64b"),
    ("read_invocation", "read_invocation.ELEMENT"),
    ("read_first_invocation", "read_first_invocation.ELEMENT"),
    ("vote_any", "vote_any"),
    ("vote_all", "vote_all"),
    ("vote_all_equal", "vote_all_equal.ELEMENT"),
    ("elect", "elect"),
    ("first_participant", "first_participant"),
    ("shuffle", "shuffle.index, .xor, .up or .down, then .segmented if it is, then .ELEMENT"),
    ("rotate", "rotate, then .cluster8 or the like, then .ELEMENT"),
    ("quad_broadcast", "quad_broadcast.ELEMENT"),
    ("quad_swap", "quad_swap.horizontal, .vertical or .diagonal, then .ELEMENT"),
    ("quad_any", "quad_any"),
    ("quad_all", "quad_all"),
    ("reduce", "reduce.sum or another one, then .cluster8 or .partitioned or the like, then .ELEMENT"),
    (
        "inclusive_scan",
        "inclusive_scan.sum or another one, then .cluster8 or .partitioned or the like, then .ELEMENT",
    ),
    (
        "exclusive_scan",
        "exclusive_scan.sum or another one, then .cluster8 or .partitioned or the like, then .ELEMENT",
    ),
    ("match_any", "match_any.ELEMENT"),
    ("match_all", "match_all.ELEMENT"),
    ("derivative", "derivative.horizontal or .vertical, then .fine or .coarse, then .ELEMENT"),
    (
        "mask",
        "mask.lanes.equal, .greater_equal, .greater, .less_equal or .less, mask.inverse_ballot, mask.bit_extract, mask.bit_count.all, .inclusive or .exclusive, mask.find_least, mask.find_most",
    ),
    ("vector", "vector.extract.0, vector.insert.0, vector.pack, vector.unpack"),
    ("call", "call or call.cond"),
    ("initial", "initial"),
];

/// What a mnemonic can mean: more than one where only operands tell forms of the table apart. The source of inactive lanes
/// of a cross-lane operation is another matter; here it is the own lane.
pub(super) fn operations(mnemonic: Spelled<'_>) -> Result<SmallVec<[Operation; 4]>, Fault> {
    let text = mnemonic.text;
    if let Some(operation) = own(text) {
        return Ok(smallvec::smallvec![operation]);
    }
    let first = text.split('.').next().unwrap_or_default();
    if let Some(&(_, usage)) = OWN.iter().find(|(word, _)| *word == first) {
        let fault = unknown(mnemonic.span, format!("`{text}` is not an operation"));
        let elements = words::ELEMENTS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
        let mut help = format!("write {usage}");
        if usage.contains("ELEMENT") {
            help.push_str(&format!("; elements are {elements}"));
        }
        if usage.contains("or another one") {
            let reductions = words::REDUCTIONS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
            help.push_str(&format!("; reductions are {reductions}"));
        }
        return Err(fault.help(help));
    }
    table(mnemonic)
}

fn unknown(span: Span, message: String) -> Fault {
    Fault::new(codes::UNKNOWN_OPERATION, span, message)
}

/// Forms of the instruction table.
fn table(mnemonic: Spelled<'_>) -> Result<SmallVec<[Operation; 4]>, Fault> {
    let text = mnemonic.text;
    let split = pisa_isa::split_mnemonic(text).map_err(|error| {
        let length = error.length.min(text.len());
        let wrong = text.get(..length).unwrap_or(text);
        let own = pisa_isa::nearest(wrong, OWN.iter().map(|(word, _)| *word));
        let meant = error.nearest.map(Opcode::text).or(own);
        let fault = unknown(mnemonic.span, format!("there is no operation `{text}`"));
        match meant {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        }
    })?;
    let matches = pisa_isa::match_mnemonic(split.opcode, split.qualifiers()).map_err(|mismatch| {
        let range = split.range(mismatch.at);
        let start = mnemonic.span.start;
        let span = match range.is_empty() {
            true => mnemonic.span,
            false => Span::new(start + range.start as u32, start + range.end as u32),
        };
        let slot = mismatch.slot.map_or("", |slot| slot.text());
        let wrong = &text[range];
        let message = if wrong.is_empty() {
            format!("`{text}` lacks `.{slot}`")
        } else {
            format!("`{wrong}` does not belong there in `{text}`")
        };
        let fault = unknown(span, message);
        match (&mismatch.corrected, &mismatch.meant) {
            (Some(corrected), _) => fault.help(format!("write `{corrected}`")),
            (None, Some(meant)) => fault.help(format!("did you mean `{meant}`?")),
            (None, None) if !mismatch.allowed.is_empty() => {
                fault.help(format!("`.{slot}` here: {}", mismatch.allowed.join(" ")))
            }
            _ => fault.help(format!("write {}", pisa_isa::form(mismatch.form).syntax())),
        }
    })?;
    Ok(matches.iter().map(|found| Operation::Table { form: found.form, qualifiers: found.values }).collect())
}

/// An operation that the table does not have.
fn own(text: &str) -> Option<Operation> {
    let mut words = text.split('.');
    let first = words.next()?;
    let words = &mut words.peekable();
    let operation = match first {
        "call" => {
            let conditional = match words.next() {
                None => false,
                Some("cond") => true,
                Some(_) => return None,
            };
            Operation::Call { conditional }
        }
        "initial" => Operation::Initial,
        "mask" => Operation::Mask(match words.next()? {
            "lanes" => MaskOperation::Lanes(value(words::LANES, words.next()?)?),
            "inverse_ballot" => MaskOperation::InverseBallot,
            "bit_extract" => MaskOperation::BitExtract,
            "bit_count" => MaskOperation::BitCount(value(words::COUNTS, words.next()?)?),
            "find_least" => MaskOperation::FindLeast,
            "find_most" => MaskOperation::FindMost,
            _ => return None,
        }),
        "vector" => Operation::Vector(match words.next()? {
            "extract" => VectorOperation::Extract { first: number(words.next()?)? },
            "insert" => VectorOperation::Insert { first: number(words.next()?)? },
            "pack" => VectorOperation::Pack,
            "unpack" => VectorOperation::Unpack,
            _ => return None,
        }),
        _ => {
            let kind = kind(first, words)?;
            let element = match words.next() {
                Some(word) => value(words::ELEMENTS, word)?,
                None => words::usual_element(kind)?,
            };
            Operation::CrossLane(CrossLane { kind, element, inactive: InactiveSource::Own })
        }
    };
    words.next().is_none().then_some(operation)
}

/// A decimal number without leading zeros.
fn number(text: &str) -> Option<u8> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_plain { text.parse().ok() } else { None }
}

fn kind<'t>(
    first: &str,
    words: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
) -> Option<CrossLaneKind> {
    use CrossLaneKind as K;
    if let Some(scope) = value(words::SCOPES, first) {
        let reduction = value(words::REDUCTIONS, words.next()?)?;
        let cluster = cluster(words)?;
        let partitioned = words.next_if_eq(&"partitioned").is_some();
        return Some(K::Reduce { reduction, scope, cluster, partitioned });
    }
    Some(match first {
        "activemask" => K::ActiveMask,
        "ballot" => match words.next()? {
            "32b" => K::Ballot { bits: 32 },
            "64b" => K::Ballot { bits: 64 },
            _ => return None,
        },
        "read_invocation" => K::ReadInvocation,
        "read_first_invocation" => K::ReadFirstInvocation,
        "vote_any" => K::VoteAny,
        "vote_all" => K::VoteAll,
        "vote_all_equal" => K::VoteAllEqual,
        "elect" => K::Elect,
        "first_participant" => K::FirstParticipant,
        "shuffle" => {
            let kind = value(words::SHUFFLES, words.next()?)?;
            K::Shuffle { kind, segmented: words.next_if_eq(&"segmented").is_some() }
        }
        "rotate" => K::Rotate(cluster(words)?),
        "quad_broadcast" => K::QuadBroadcast,
        "quad_swap" => K::QuadSwap(value(words::AXES, words.next()?)?),
        "quad_any" => K::QuadAny,
        "quad_all" => K::QuadAll,
        "match_any" => K::MatchAny,
        "match_all" => K::MatchAll,
        "derivative" => {
            let axis = value(words::AXES, words.next()?)?;
            let fine = match words.next()? {
                "fine" => true,
                "coarse" => false,
                _ => return None,
            };
            K::Derivative { axis, fine }
        }
        _ => return None,
    })
}

/// `cluster8` if it is next, else the whole sub-group.
fn cluster<'t>(words: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> Option<ClusterSize> {
    match words.next_if(|word| word.starts_with("cluster")) {
        Some(word) => ClusterSize::new(number(&word["cluster".len()..])?),
        None => Some(ClusterSize::FULL),
    }
}
