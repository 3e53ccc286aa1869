//! What instructions make of uniform and divergent operands, by the rules of the specification.

use super::random::{B32, PREDICATE, barrier, cross_lane, load, reduce, table, word};
use super::uniformity::analyse;
use crate::active_sets::Waiting;
use crate::analysis::Strength;
use crate::{
    Block, ClusterSize, Constant, CrossLane, CrossLaneKind as K, Element, Function, InactiveSource, LaneMask,
    MaskOperation, Operand, Operation, Reduction, Scope, ShuffleKind, Value,
};
use Strength::{Divergent, Steady, Uniform};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Dimension, FunctionKind, RegisterType, SpecialRegister};

const LANE: Operand = Operand::Special(SpecialRegister::LaneId);
const GROUP: Operand = Operand::Special(SpecialRegister::GroupId(Dimension::X));
const ALL: Operand = Operand::ALL_LANES;

struct Line {
    f: Function,
    block: Block,
}

impl Line {
    fn new(size: Option<[u32; 3]>) -> Line {
        let mut f = super::empty_kernel(size);
        let block = f.append_block();
        Line { f, block }
    }
    fn of(&mut self, operation: Operation, operands: &[Operand], ty: RegisterType) -> Operand {
        self.f.append_value(self.block, operation, operands.iter().copied(), ty).into()
    }
    /// With the whole sub-group for mask.
    fn cross(&mut self, kind: K, operands: &[Operand]) -> Operand {
        self.masked(kind, operands, ALL, Operand::Dead)
    }
    fn masked(&mut self, kind: K, operands: &[Operand], mask: Operand, keep: Operand) -> Operand {
        let operation = cross_lane(kind);
        let Operation::CrossLane(of) = operation else { unreachable!() };
        let mut all = operands.to_vec();
        all.extend(of.has_mask().then_some(mask));
        all.extend(of.has_pass_through().then_some(keep));
        self.of(operation, &all, of.result())
    }
    fn strength(&self, operand: Operand) -> Strength {
        let Operand::Value(value) = operand else { panic!("a value") };
        analyse(&self.f, &Waiting::default()).strength(value)
    }
    fn all(&self, expected: Strength, operands: &[Operand]) {
        let found = analyse(&self.f, &Waiting::default());
        for (number, operand) in operands.iter().enumerate() {
            let value: Value = operand.value().expect("a value");
            assert_eq!(found.strength(value), expected, "number {number}");
        }
    }
}

const INDEX: K = K::Shuffle { kind: ShuffleKind::Index, segmented: false };

/// A shuffle from one lane gives every lane its own value if that lane is not active (7.4), so it is not uniform for having a uniform index.
#[test]
fn shuffles_by_a_uniform_index() {
    let mut l = Line::new(None);
    let constant = l.cross(INDEX, &[LANE, Operand::word(3)]);
    let group = l.cross(INDEX, &[LANE, GROUP]);
    let active = l.cross(K::ActiveMask, &[]);
    let first = l.cross(K::FirstParticipant, &[]);
    let by_mask = l.masked(K::FirstParticipant, &[], active, Operand::Dead);
    let perhaps = l.masked(K::FirstParticipant, &[], Operand::word(0xFF), Operand::Dead);
    let least = l.of(Operation::Mask(MaskOperation::FindLeast), &[active], B32);
    let lowest = l.of(word(Opcode::Fbl), &[active], B32);
    let some = Operand::Constant(Constant::predicate(true));
    let ballot = l.cross(K::Ballot { bits: 32 }, &[some]);
    let most = l.of(Operation::Mask(MaskOperation::FindMost), &[ballot], B32);
    let from: Vec<Operand> =
        [first, by_mask, least, lowest, most].iter().map(|&i| l.cross(INDEX, &[LANE, i])).collect();
    let from_perhaps = l.cross(INDEX, &[LANE, perhaps]);
    let other = l.cross(K::Shuffle { kind: ShuffleKind::Xor, segmented: false }, &[LANE, Operand::word(1)]);
    let segmented = l.cross(K::Shuffle { kind: ShuffleKind::Index, segmented: true }, &[LANE, first]);
    l.all(Divergent, &[constant, group, from_perhaps, other, segmented]);
    l.all(Uniform, &from);
    l.all(Uniform, &[active, first, by_mask, perhaps, least, lowest, ballot]);
    // Behind a barrier other lanes may be active.
    l.f.append(l.block, barrier(), [], [], None);
    let stale = l.cross(INDEX, &[LANE, first]);
    l.all(Divergent, &[stale]);
    // Where the source language leaves it undefined, any lane will do.
    let undefined = CrossLane { kind: INDEX, element: Element::I32, inactive: InactiveSource::Undefined };
    let any = l.of(Operation::CrossLane(undefined), &[LANE, Operand::word(3), ALL, Operand::Dead], B32);
    l.all(Uniform, &[any]);
}

/// Of a uniform value all lanes have the same to give.
#[test]
fn uniform_data() {
    let mut l = Line::new(None);
    let x = l.of(load(Qualifier::Global), &[GROUP, Operand::word(0)], B32);
    let kinds = [
        INDEX,
        K::Shuffle { kind: ShuffleKind::Up, segmented: true },
        K::Rotate(ClusterSize::FULL),
        K::QuadBroadcast,
    ];
    let read: Vec<Operand> = kinds.iter().map(|&kind| l.cross(kind, &[x, LANE])).collect();
    l.all(Uniform, &read);
    let steady: Vec<Operand> = kinds.iter().map(|&kind| l.cross(kind, &[GROUP, LANE])).collect();
    l.all(Steady, &steady);
    let cluster = ClusterSize::new(4).expect("a power of two");
    let clustered = |reduction, scope| K::Reduce { reduction, scope, cluster, partitioned: false };
    // Whatever the number of lanes: the least of equal values; but not their sum.
    let least = l.cross(clustered(Reduction::Umin, Scope::Reduce), &[x]);
    let scan = l.cross(clustered(Reduction::Umin, Scope::Inclusive), &[x]);
    let sum = l.cross(clustered(Reduction::Sum, Scope::Reduce), &[x]);
    let before = l.cross(clustered(Reduction::Umin, Scope::Exclusive), &[x]);
    l.all(Uniform, &[least, scan]);
    l.all(Divergent, &[sum, before]);
    // Lanes outside the mask keep the same value, or another.
    let same = l.masked(INDEX, &[x, Operand::word(1)], Operand::word(0xFF), x);
    let other = l.masked(INDEX, &[x, Operand::word(1)], Operand::word(0xFF), GROUP);
    l.all(Uniform, &[same]);
    l.all(Divergent, &[other]);
    let matched = l.cross(K::MatchAny, &[x]);
    let apart = l.cross(K::MatchAny, &[LANE]);
    l.all(Uniform, &[matched]);
    l.all(Divergent, &[apart]);
}

/// A reduction is one value for the lanes that take part; all active lanes get it only if all take part.
#[test]
fn reductions_and_masks() {
    let mut l = Line::new(None);
    let active = l.cross(K::ActiveMask, &[]);
    let sum = l.cross(reduce(Reduction::Sum), &[LANE]);
    let by_active = l.masked(reduce(Reduction::Sum), &[LANE], active, Operand::word(0));
    let more = l.of(word(Opcode::Or), &[active, GROUP], B32);
    let by_more = l.masked(reduce(Reduction::Sum), &[LANE], more, Operand::word(0));
    let part = l.masked(reduce(Reduction::Sum), &[LANE], Operand::word(0xFFFF), Operand::word(0));
    let partitioned = K::Reduce {
        reduction: Reduction::Sum,
        scope: Scope::Reduce,
        cluster: ClusterSize::FULL,
        partitioned: true,
    };
    let one_part = l.cross(partitioned, &[LANE, GROUP]);
    let parts = l.cross(partitioned, &[LANE, LANE]);
    l.all(Uniform, &[sum, by_active, by_more, one_part]);
    l.all(Divergent, &[part, parts]);
    let elected = l.cross(K::Elect, &[]);
    let all_equal = l.cross(K::VoteAllEqual, &[LANE]);
    let first = l.cross(K::ReadFirstInvocation, &[LANE]);
    let own_masks = l.masked(K::FirstParticipant, &[], LANE, Operand::Dead);
    l.all(Divergent, &[elected, own_masks]);
    l.all(Uniform, &[all_equal, first]);
    // Masks that have each lane's own bit, but are not the same: each lane sees other lanes.
    let from_own = l.of(Operation::Mask(MaskOperation::Lanes(LaneMask::GreaterEqual)), &[], B32);
    let suffix = l.masked(reduce(Reduction::Sum), &[LANE], from_own, Operand::word(0));
    l.all(Divergent, &[from_own, suffix]);
}

/// In a tree each lane has its own value first, and of several NaNs the first is the result (P-04): lanes that have one get
/// different NaNs. From the lowest lane up, as by parts, there is one order for all.
#[test]
fn float_sums_of_several_nans() {
    let mut l = Line::new(None);
    let sum = |partitioned| {
        let (reduction, scope, cluster) = (Reduction::Sum, Scope::Reduce, ClusterSize::FULL);
        let kind = K::Reduce { reduction, scope, cluster, partitioned };
        Operation::CrossLane(CrossLane { kind, element: Element::F, inactive: InactiveSource::Own })
    };
    let of_lanes = l.of(sum(false), &[LANE, ALL, Operand::Dead], B32);
    let of_group = l.of(sum(false), &[GROUP, ALL, Operand::Dead], B32);
    let by_parts = l.of(sum(true), &[LANE, GROUP, ALL, Operand::Dead], B32);
    l.all(Divergent, &[of_lanes]);
    l.all(Uniform, &[of_group, by_parts]);
}

#[test]
fn memory() {
    let mut l = Line::new(None);
    let zero = Operand::word(0);
    let at = |l: &mut Line, space, address| l.of(load(space), &[address, zero], B32);
    let [global, shared] = [Qualifier::Global, Qualifier::Shared].map(|space| at(&mut l, space, GROUP));
    let constant = at(&mut l, Qualifier::Const, GROUP);
    let [private, generic] = [Qualifier::Private, Qualifier::Generic].map(|space| at(&mut l, space, GROUP));
    let [other, constants] = [Qualifier::Global, Qualifier::Const].map(|space| at(&mut l, space, LANE));
    let relaxed = [
        (SlotName::Addrspace, Qualifier::Global),
        (SlotName::Memorder, Qualifier::Relaxed),
        (SlotName::Type, Qualifier::B32),
    ];
    let form = pisa_isa::forms_of(Opcode::Ld)
        .iter()
        .position(|form| Operation::table(form, &relaxed).is_some())
        .expect("an atomic load");
    // Each lane sees what others have done meanwhile.
    let atomic = l.of(table(Opcode::Ld, form, &relaxed), &[GROUP, zero], B32);
    l.all(Uniform, &[global, shared]);
    l.all(Steady, &[constant]);
    l.all(Divergent, &[private, generic, other, constants, atomic]);
    let parameter = table(Opcode::LdParam, 0, &[(SlotName::Type, Qualifier::B32)]);
    let given = l.of(parameter, &[Operand::Parameter(pisa_module::ParameterId(0)), zero], B32);
    l.all(Steady, &[given]);
}

/// Lanes are numbered along x, then y, then z; 32 make a sub-group.
#[test]
fn coordinates() {
    let strengths = |size: Option<[u32; 3]>| {
        let mut l = Line::new(size);
        [Dimension::X, Dimension::Y, Dimension::Z].map(|dimension| {
            let copy = table(Opcode::Mov, 0, &[(SlotName::Type, Qualifier::B32)]);
            let local = l.of(copy, &[Operand::Special(SpecialRegister::LocalId(dimension))], B32);
            l.strength(local) == Steady
        })
    };
    assert_eq!(strengths(None), [false; 3]);
    assert_eq!(strengths(Some([64, 2, 2])), [false, true, true]);
    assert_eq!(strengths(Some([16, 2, 3])), [false, false, true]);
    assert_eq!(strengths(Some([16, 4, 1])), [false, false, true]);
    assert_eq!(strengths(Some([1, 1, 64])), [true, true, false]);
    assert_eq!(strengths(Some([16, 3, 2])), [false; 3]);
}

/// Arguments of functions may differ; so may what a call gives back, and predicates that nothing has written.
#[test]
fn functions() {
    let mut l = Line::new(None);
    l.f.kind = FunctionKind::Function { result: None, parameters: Vec::new() };
    let argument = Operand::Value(l.f.add_parameter(l.block, B32));
    let call = Operation::Call { conditional: false };
    let called = l.of(call, &[Operand::Function(pisa_module::FunctionId(0)), GROUP], B32);
    let predicate = l.of(Operation::Initial, &[], PREDICATE);
    let number = l.of(Operation::Initial, &[], B32);
    l.all(Divergent, &[argument, called, predicate]);
    l.all(Steady, &[number]);
    let own = l.of(Operation::Mask(MaskOperation::InverseBallot), &[GROUP], PREDICATE);
    let bit = l.of(Operation::Mask(MaskOperation::BitExtract), &[GROUP, GROUP], PREDICATE);
    let before = l.of(Operation::Mask(MaskOperation::BitCount(Scope::Exclusive)), &[GROUP], B32);
    let count = l.of(Operation::Mask(MaskOperation::BitCount(Scope::Reduce)), &[GROUP], B32);
    l.all(Divergent, &[own, before]);
    l.all(Steady, &[bit, count]);
}
