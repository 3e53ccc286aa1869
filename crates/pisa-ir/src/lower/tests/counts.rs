//! How long our sequences are, beside the best known ones.

use super::{Case, Mask};
use crate::test_support::Builder;
use crate::{
    Axis, ClusterSize, CrossLane, CrossLaneKind as Kind, Element, Function, InactiveSource, Instruction,
    LaneMask, MaskOperation, Operand, Operation, Reduction, Scope, ShuffleKind, Terminator, VectorOperation,
};
use pisa_isa::Opcode;
use pisa_module::{RegisterType, SpecialRegister};

/// The lengths of blocks, in their order: instructions and jumps of PISA, once each.
///
/// Swizzles pick elements of vectors, and `%activemask` is an operand. Masks that depend on the lane alone (H1, H2, H3) are
/// counted only with `lane_masks`.
pub(super) fn lengths(function: &Function, lane_masks: bool) -> Vec<usize> {
    let next = |at: usize| function.layout.get(at + 1).copied();
    let of_block = |(at, &block): (usize, &crate::Block)| {
        let data = function.block(block);
        let counts = |&&instruction: &&Instruction| match function.instruction(instruction).operation {
            Operation::Initial => false,
            Operation::Vector(VectorOperation::Extract { .. } | VectorOperation::Insert { .. }) => false,
            Operation::CrossLane(CrossLane { kind: Kind::ActiveMask, .. }) => false,
            _ => lane_masks || !is_lane_mask(function, instruction),
        };
        let jumps = match &data.terminator {
            Terminator::Goto(target) => usize::from(Some(target.block) != next(at)),
            Terminator::Branch { taken, otherwise, .. } => {
                let falls_through = [taken, otherwise].iter().any(|target| Some(target.block) == next(at));
                2 - usize::from(falls_through)
            }
            _ => 0,
        };
        data.instructions.iter().filter(counts).count() + jumps
    };
    function.layout.iter().enumerate().map(of_block).collect()
}

/// `shl` of a constant by `%laneid`, or that less 1.
fn is_lane_mask(function: &Function, instruction: Instruction) -> bool {
    let data = function.instruction(instruction);
    match (data.operation.opcode(), &data.operands[..]) {
        (Some(Opcode::Shl), [Operand::Constant(_), lane]) => {
            *lane == Operand::Special(SpecialRegister::LaneId)
        }
        (Some(Opcode::Isub), [Operand::Value(value), one]) => {
            *one == Operand::word(1)
                && function.defining(*value).is_some_and(|shift| is_lane_mask(function, shift))
        }
        _ => false,
    }
}

/// Which blocks of a sequence a row is about.
#[derive(Clone, Copy)]
enum Part {
    All,
    /// All, with the lane masks.
    WithLaneMasks,
    /// The slow arm.
    Slow,
    /// The test and the jumps around the arms.
    Test,
    /// The block that is run for each key or participant.
    Loop,
}

fn length(function: &Function, part: Part) -> usize {
    let lengths = lengths(function, matches!(part, Part::WithLaneMasks));
    match part {
        Part::All | Part::WithLaneMasks => lengths.iter().sum(),
        Part::Slow => lengths[2..].iter().sum(),
        Part::Test => lengths[0] + 1,
        Part::Loop => {
            let is_loop = |&block: &crate::Block| function.targets(block).iter().any(|t| t.block == block);
            function.layout.iter().position(is_loop).map_or(0, |at| lengths[at])
        }
    }
}

/// An operation, the length of the best known sequence, or what is said of it, and ours.
struct Row {
    name: &'static str,
    known: Result<usize, &'static str>,
    ours: usize,
}

struct Table(Vec<Row>);

impl Table {
    fn add(&mut self, name: &'static str, known: impl Into<Known>, ours: usize) {
        self.0.push(Row { name, known: known.into().0, ours });
    }
    fn cross(
        &mut self,
        name: &'static str,
        known: impl Into<Known>,
        (kind, element): (Kind, Element),
        index: Option<u32>,
        (is_full, part): (bool, Part),
    ) {
        let operation = CrossLane { kind, element, inactive: InactiveSource::Undefined };
        let function = Case::cross_lane(operation, index, Mask::All).lowered(is_full);
        self.add(name, known, length(&function, part));
    }
    fn mask(&mut self, name: &'static str, known: impl Into<Known>, operation: MaskOperation) {
        let mut builder = Builder::kernel();
        let [block] = builder.blocks();
        let word = RegisterType::scalar(32);
        let operands: Vec<Operand> = match operation {
            MaskOperation::Lanes(_) => Vec::new(),
            MaskOperation::BitExtract => (0..2).map(|_| builder.value(block, word).into()).collect(),
            _ => vec![builder.value(block, word).into()],
        };
        let ty = match operation {
            MaskOperation::InverseBallot | MaskOperation::BitExtract => RegisterType::PREDICATE,
            _ => word,
        };
        let function = Case::new(builder, Operation::Mask(operation), operands, ty).lowered(false);
        let is_mask = matches!(operation, MaskOperation::Lanes(_));
        let part = if is_mask { Part::WithLaneMasks } else { Part::All };
        self.add(name, known, length(&function, part));
    }
}

struct Known(Result<usize, &'static str>);

impl From<usize> for Known {
    fn from(known: usize) -> Known {
        Known(Ok(known))
    }
}
impl From<&'static str> for Known {
    fn from(known: &'static str) -> Known {
        Known(Err(known))
    }
}

fn reduce(reduction: Reduction, scope: Scope, size: u8, element: Element) -> (Kind, Element) {
    let cluster = ClusterSize::new(size).unwrap_or(ClusterSize::FULL);
    (Kind::Reduce { reduction, scope, cluster, partitioned: size == 0 }, element)
}

const ANY: (bool, Part) = (false, Part::All);
const FULL: (bool, Part) = (true, Part::All);
const SLOW: (bool, Part) = (false, Part::Slow);
/// Of what is not tested for, because it pays in larger clusters only.
const PARTS: (bool, Part) = (false, Part::WithLaneMasks);

fn masks_and_votes(t: &mut Table) {
    use Element::{Bf, Df, F, Hf, Hfx2, I8, I16, I32, I64, Predicate};
    t.mask("equal mask", 1, MaskOperation::Lanes(LaneMask::Equal));
    t.mask("less mask", 2, MaskOperation::Lanes(LaneMask::Less));
    t.mask("less or equal mask", 3, MaskOperation::Lanes(LaneMask::LessEqual));
    t.mask("greater or equal mask", 4, MaskOperation::Lanes(LaneMask::GreaterEqual));
    t.mask("greater mask", 3, MaskOperation::Lanes(LaneMask::Greater));
    t.mask("inverse ballot, to a predicate", 2, MaskOperation::InverseBallot);
    t.mask("bit extract, to a predicate", 2, MaskOperation::BitExtract);
    t.mask("bit count", 1, MaskOperation::BitCount(Scope::Reduce));
    t.mask("inclusive bit count", 2, MaskOperation::BitCount(Scope::Inclusive));
    t.mask("exclusive bit count", 2, MaskOperation::BitCount(Scope::Exclusive));
    t.mask("find least", 1, MaskOperation::FindLeast);
    t.mask("find most (theirs: 32 for the empty mask)", 2, MaskOperation::FindMost);
    t.cross("elect", 2, (Kind::Elect, I32), None, ANY);
    t.cross("ballot", 2, (Kind::Ballot { bits: 32 }, Predicate), None, ANY);
    t.cross("ballot of 64 bits", 3, (Kind::Ballot { bits: 64 }, Predicate), None, ANY);
    t.cross("any", 3, (Kind::VoteAny, Predicate), None, ANY);
    t.cross("all", 3, (Kind::VoteAll, Predicate), None, ANY);
    t.cross("all equal, 32 bits", 3, (Kind::VoteAllEqual, I32), None, ANY);
    t.cross("all equal, 16 bits", 3, (Kind::VoteAllEqual, I16), None, ANY);
    t.cross("all equal, 8 bits", 4, (Kind::VoteAllEqual, I8), None, ANY);
    t.cross("all equal, 64 bits", 8, (Kind::VoteAllEqual, I64), None, ANY);
    t.cross("all equal, f", 3, (Kind::VoteAllEqual, F), None, ANY);
    t.cross("all equal, hf", 3, (Kind::VoteAllEqual, Hf), None, ANY);
    t.cross("all equal, bf", 3, (Kind::VoteAllEqual, Bf), None, ANY);
    t.cross("all equal, df", "", (Kind::VoteAllEqual, Df), None, ANY);
    t.cross("all equal, hfx2", "", (Kind::VoteAllEqual, Hfx2), None, ANY);
    t.cross("quad any, from and to a predicate", 7, (Kind::QuadAny, Predicate), None, ANY);
    t.cross("quad all, from and to a predicate", 7, (Kind::QuadAll, Predicate), None, ANY);
    t.cross("match any, for each distinct key", 9, (Kind::MatchAny, I32), None, (false, Part::Loop));
    t.cross("match any, with one distinct key", 10, (Kind::MatchAny, I32), None, ANY);
    t.cross("match all", 4, (Kind::MatchAll, I32), None, ANY);
}

fn shuffles(t: &mut Table) {
    use Element::{F, Hfx2, I8, I16, I32, I64};
    let index = Kind::Shuffle { kind: ShuffleKind::Index, segmented: false };
    let cluster = ClusterSize::new(8).unwrap_or(ClusterSize::FULL);
    t.cross("shuffle, 32 bits", 1, (index, I32), None, ANY);
    t.cross("shuffle, 64 bits", 4, (index, I64), None, ANY);
    t.cross("shuffle, 16 bits", 3, (index, I16), None, ANY);
    t.cross("shuffle, 8 bits", 3, (index, I8), None, ANY);
    t.cross("shuffle, packed", 3, (index, Hfx2), None, ANY);
    t.cross("read invocation", 1, (Kind::ReadInvocation, I32), Some(5), ANY);
    t.cross("read first", 2, (Kind::ReadFirstInvocation, I32), None, ANY);
    t.cross("rotate by a constant", 2, (Kind::Rotate(ClusterSize::FULL), I32), Some(5), ANY);
    t.cross("rotate by a register", 2, (Kind::Rotate(ClusterSize::FULL), I32), None, ANY);
    t.cross("rotate in clusters by a constant", 2, (Kind::Rotate(cluster), I32), Some(5), ANY);
    t.cross("rotate in clusters by a register", 3, (Kind::Rotate(cluster), I32), None, ANY);
    t.cross("quad broadcast of a constant lane", 1, (Kind::QuadBroadcast, I32), Some(2), ANY);
    t.cross("quad broadcast by a register", 2, (Kind::QuadBroadcast, I32), None, ANY);
    t.cross("quad swap", 1, (Kind::QuadSwap(Axis::Diagonal), I32), None, ANY);
    for (name, axis, fine) in [
        ("derivative, coarse, horizontal", Axis::Horizontal, false),
        ("derivative, coarse, vertical", Axis::Vertical, false),
        ("derivative, fine, horizontal", Axis::Horizontal, true),
        ("derivative, fine, vertical", Axis::Vertical, true),
    ] {
        t.cross(name, "", (Kind::Derivative { axis, fine }, F), None, ANY);
    }
}

fn reductions(t: &mut Table) {
    use Element::{Df, F, I8, I16, I32, I64, Predicate};
    use Reduction::*;
    let all = |reduction, element| reduce(reduction, Scope::Reduce, 32, element);
    t.cross("reduction, 32 bits, `ired`", 1, all(Sum, I32), None, ANY);
    t.cross("reduction, f, `fred`", 1, all(Fmax, F), None, ANY);
    t.cross("reduction, 8 bits", 3, all(Smax, I8), None, ANY);
    t.cross("reduction, 64 bits, and, or, xor", 4, all(Xor, I64), None, ANY);
    t.cross("reduction, 64 bits, least and greatest", 6, all(Smax, I64), None, ANY);
    t.cross("reduction, 64 bits, sum", 8, all(Sum, I64), None, ANY);
    t.cross("reduction of predicates", "", all(Xor, Predicate), None, ANY);
    t.cross("integer product, all lanes", 10, all(Product, I32), None, FULL);
    t.cross("integer product, any lanes", 32, all(Product, I32), None, SLOW);
    t.cross("float sum, all lanes", 10, all(Sum, F), None, FULL);
    t.cross("float sum, any lanes", 32, all(Sum, F), None, SLOW);
    t.cross("float sum, for each further participant", "", all(Sum, F), None, (false, Part::Loop));
    t.cross("float sum, the test and jumps of both", 3, all(Sum, F), None, (false, Part::Test));
    t.cross("df sum, all lanes", "20 and more", all(Sum, Df), None, FULL);
    t.cross("df greatest, all lanes", "20 and more", all(Fmax, Df), None, FULL);
    t.cross("df greatest, any lanes", "", all(Fmax, Df), None, SLOW);
    let clusters = |size, element| reduce(Sum, Scope::Reduce, size, element);
    t.cross("sum in clusters of 16", 2, clusters(16, I32), None, ANY);
    t.cross("sum in clusters of 8", 4, clusters(8, I32), None, ANY);
    t.cross("sum in clusters of 4", 8, clusters(4, I32), None, ANY);
    t.cross("sum in clusters of 4, all lanes", 4, clusters(4, I32), None, FULL);
    t.cross("sum in clusters of 2", 16, clusters(2, I32), None, ANY);
    t.cross("sum in clusters of 2, all lanes", 2, clusters(2, I32), None, FULL);
    t.cross("least in clusters of 4", 8, reduce(Umin, Scope::Reduce, 4, I32), None, ANY);
    t.cross("least in clusters of 2", 2, reduce(Umin, Scope::Reduce, 2, I32), None, ANY);
    t.cross("sum in clusters of 2, 16 bits", 16, clusters(2, I16), None, ANY);
    t.cross("sum by parts (theirs and ours with H1 and H2)", 32, clusters(0, I32), None, PARTS);
    let product = reduce(Product, Scope::Reduce, 0, I32);
    t.cross("product by parts (with H1 and H2)", 32, product, None, PARTS);
}

fn scans(t: &mut Table) {
    use Element::{F, I32, I64, Predicate};
    use Reduction::*;
    let up_to = |reduction, element| reduce(reduction, Scope::Inclusive, 32, element);
    let before = |reduction, element| reduce(reduction, Scope::Exclusive, 32, element);
    t.cross("inclusive sum, all lanes (theirs 15 with its masks hoisted)", 20, up_to(Sum, I32), None, FULL);
    t.cross("inclusive xor, all lanes", 20, up_to(Xor, I32), None, FULL);
    t.cross("inclusive least, all lanes", 10, up_to(Umin, I32), None, FULL);
    t.cross("inclusive product, all lanes", 20, up_to(Product, I32), None, FULL);
    t.cross("inclusive float sum, all lanes", 20, up_to(Sum, F), None, FULL);
    t.cross("inclusive sum, any lanes", 27, up_to(Sum, I32), None, SLOW);
    t.cross("inclusive xor, any lanes", 27, up_to(Xor, I32), None, SLOW);
    t.cross("inclusive least, any lanes", 17, up_to(Umin, I32), None, SLOW);
    t.cross("inclusive product, any lanes", 27, up_to(Product, I32), None, SLOW);
    t.cross("inclusive float sum, any lanes", 27, up_to(Sum, F), None, SLOW);
    t.cross("scan, the test and jumps of both", 3, up_to(Sum, I32), None, (false, Part::Test));
    t.cross("exclusive sum, all lanes", 21, before(Sum, I32), None, FULL);
    t.cross("exclusive least, all lanes", 13, before(Umin, I32), None, FULL);
    t.cross("exclusive product, all lanes", 23, before(Product, I32), None, FULL);
    t.cross("exclusive sum, any lanes", 28, before(Sum, I32), None, SLOW);
    t.cross("exclusive least, any lanes", 20, before(Umin, I32), None, SLOW);
    t.cross("exclusive product, any lanes", 30, before(Product, I32), None, SLOW);
    let by_parts = |reduction| reduce(reduction, Scope::Inclusive, 0, I32);
    t.cross("inclusive sum by parts (with H1 and H2)", 29, by_parts(Sum), None, PARTS);
    t.cross("inclusive product by parts (with H1 and H2)", 29, by_parts(Product), None, PARTS);
    t.cross("inclusive least by parts (with H1 and H2)", 29, by_parts(Umin), None, PARTS);
    t.cross("inclusive sum, 64 bits, all lanes", "", up_to(Sum, I64), None, FULL);
    t.cross("inclusive or of predicates", "", up_to(Or, Predicate), None, ANY);
}

#[test]
#[allow(clippy::print_stdout)]
fn lowering_counts() {
    let mut table = Table(Vec::new());
    masks_and_votes(&mut table);
    shuffles(&mut table);
    reductions(&mut table);
    scans(&mut table);
    let rows: String = table
        .0
        .iter()
        .map(|row| {
            let known = match row.known {
                Ok(known) => known.to_string(),
                Err(text) => text.to_string(),
            };
            format!("| {} | {known} | {} |\n", row.name, row.ours)
        })
        .collect();
    println!("| operation | best known | ours |\n|---|---|---|\n{rows}");
    for row in &table.0 {
        let longer = row.known.is_ok_and(|known| row.ours > known);
        assert!(!longer, "{}: {} instead of {:?}", row.name, row.ours, row.known);
    }
    let page = include_str!("page.md").replace("ROWS\n", &rows);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lowering.md");
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).expect("the page");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/lowering.md is out of date; UPDATE_EXPECT=1 writes it anew");
}
