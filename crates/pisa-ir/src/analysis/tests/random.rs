//! Random functions in SSA form.

use super::{Random, shape};
use crate::analysis::{ControlFlow, Dominators};
use crate::{
    Block, ClusterSize, Constant, CrossLane, CrossLaneKind, Element, Function, InactiveSource, LaneMask,
    MaskOperation, Operand, Operation, Reduction, Scope, ShuffleKind, Terminator, Value,
};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Dimension, FunctionKind, RegisterType, SpecialRegister};

pub(super) const B32: RegisterType = RegisterType::scalar(32);
pub(super) const PREDICATE: RegisterType = RegisterType::PREDICATE;

/// An operation of the table by the number of its form among those of the opcode.
pub(super) fn table(opcode: Opcode, form: usize, values: &[(SlotName, Qualifier)]) -> Operation {
    Operation::table(&pisa_isa::forms_of(opcode)[form], values).expect("a form")
}

/// On 32 bits.
pub(super) fn word(opcode: Opcode) -> Operation {
    let forms = pisa_isa::forms_of(opcode);
    let plain =
        |form: &pisa_isa::Form| form.slots.iter().all(|slot| slot.optional || slot.name == SlotName::Type);
    table(opcode, forms.iter().position(plain).expect("a plain form"), &[(SlotName::Type, Qualifier::B32)])
}

/// A comparison of 32 bits that gives a predicate.
pub(super) fn compare(opcode: Opcode, how: Qualifier) -> Operation {
    table(opcode, 0, &[(SlotName::Cop, how), (SlotName::Type, Qualifier::B32)])
}

/// A load of 32 bits.
pub(super) fn load(space: Qualifier) -> Operation {
    table(Opcode::Ld, 0, &[(SlotName::Addrspace, space), (SlotName::Type, Qualifier::B32)])
}

pub(super) fn select() -> Operation {
    table(Opcode::Sel, 1, &[(SlotName::Type, Qualifier::B32)])
}

pub(super) fn barrier() -> Operation {
    table(Opcode::BarrierWorkgroup, 0, &[])
}

/// A cross-lane operation on 32 bits, or on predicates where the kind asks for them.
pub(super) fn cross_lane(kind: CrossLaneKind) -> Operation {
    use CrossLaneKind::*;
    let element = match kind {
        Ballot { .. } | VoteAny | VoteAll => Element::Predicate,
        _ => Element::I32,
    };
    Operation::CrossLane(CrossLane { kind, element, inactive: InactiveSource::Own })
}

/// The whole sub-group's reduction.
pub(super) fn reduce(reduction: Reduction) -> CrossLaneKind {
    CrossLaneKind::Reduce { reduction, scope: Scope::Reduce, cluster: ClusterSize::FULL, partitioned: false }
}

/// What can be chosen from at a place.
#[derive(Clone, Default)]
struct Available {
    words: Vec<Value>,
    predicates: Vec<Value>,
}

impl Available {
    fn add(&mut self, function: &Function, value: Value) {
        if function.value(value).ty == PREDICATE { &mut self.predicates } else { &mut self.words }
            .push(value);
    }

    fn word(&self, random: &mut Random) -> Operand {
        const SPECIAL: [SpecialRegister; 6] = [
            SpecialRegister::LaneId,
            SpecialRegister::LaneId,
            SpecialRegister::GroupId(Dimension::X),
            SpecialRegister::GroupId(Dimension::Y),
            SpecialRegister::LocalId(Dimension::X),
            SpecialRegister::LocalId(Dimension::Y),
        ];
        // The last ones are the likeliest, so that chains get long.
        match random.below(12) {
            0 => Operand::Special(SPECIAL[random.below(SPECIAL.len())]),
            1 => Operand::word([0, 1, 2, 5, 31, 0x8000_0000, u32::MAX, 0xF0F0][random.below(8)]),
            2..6 if !self.words.is_empty() => {
                Operand::Value(self.words[self.words.len() - 1 - random.below(self.words.len().min(3))])
            }
            _ if !self.words.is_empty() => Operand::Value(self.words[random.below(self.words.len())]),
            _ => Operand::word(3),
        }
    }

    fn predicate(&self, random: &mut Random) -> Operand {
        if self.predicates.is_empty() {
            return Operand::Constant(Constant::predicate(random.below(2) == 0));
        }
        let near = random.below(2) == 0;
        let count = if near { self.predicates.len().min(2) } else { self.predicates.len() };
        let value = self.predicates[self.predicates.len() - 1 - random.below(count)];
        if random.below(3) == 0 { Operand::Negated(value) } else { Operand::Value(value) }
    }

    fn of_type(&self, random: &mut Random, ty: RegisterType) -> Operand {
        if ty == PREDICATE { self.predicate(random) } else { self.word(random) }
    }

    /// A mask that all lanes agree on need not come out of this.
    fn mask(&self, random: &mut Random) -> Operand {
        match random.below(4) {
            0 => self.word(random),
            1 => Operand::word(0x00FF_0FF0),
            _ => Operand::ALL_LANES,
        }
    }
}

/// Blocks that mostly go on to the next one and to one behind it, as code does; now and then back, or anywhere near.
fn flow(random: &mut Random, blocks: usize, spread: usize) -> Function {
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for at in 0..blocks {
        let ahead = |random: &mut Random| at + 2 + random.below(spread);
        let back = |random: &mut Random| at.saturating_sub(random.below(spread + 1));
        let list = match random.below(16) {
            0 => vec![],
            1..4 => vec![at + 1],
            4 => vec![ahead(random)],
            5 => vec![back(random)],
            6..11 => vec![at + 1, ahead(random)],
            11..14 => vec![back(random), at + 1],
            14 => vec![back(random), ahead(random)],
            _ => vec![ahead(random), ahead(random)],
        };
        let last = blocks.saturating_sub(1);
        lists.push(list.into_iter().map(|to| to.min(last).max(1) as u32).collect());
    }
    if let Some(list) = lists.last_mut() {
        list.clear();
    }
    let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
    let mut function = shape(&lists);
    function.blocks[0].parameters.clear();
    function
}

/// A kernel of so many blocks; some of them may be out of reach. `waiting` says how many barriers and calls it has.
pub(super) fn random_function(random: &mut Random, blocks: usize, spread: usize, waiting: usize) -> Function {
    let mut function = flow(random, blocks, spread);
    if random.below(3) == 0 {
        let sizes = [[32, 1, 1], [8, 4, 1], [64, 2, 1], [1, 32, 2], [5, 3, 1], [16, 1, 1]];
        let FunctionKind::Kernel { required_work_group_size, .. } = &mut function.kind else {
            return function;
        };
        *required_work_group_size = Some(sizes[random.below(sizes.len())]);
    }
    let flow = ControlFlow::of(&function);
    let dominators = Dominators::of(&function, &flow);
    for block in (1..blocks as u32).map(Block) {
        for _ in 0..random.below(3) {
            let ty = if random.below(3) == 0 { PREDICATE } else { B32 };
            function.add_parameter(block, ty);
        }
    }
    let mut at_end: Vec<Available> = vec![Available::default(); blocks];
    for &block in dominators.preorder() {
        let mut available =
            dominators.immediate(block).map_or(Available::default(), |d| at_end[d.index()].clone());
        for &parameter in &function.block(block).parameters {
            available.add(&function, parameter);
        }
        for _ in 0..random.below(6) {
            let (operation, operands, ty) = random_instruction(random, &available, waiting);
            let results = ty.into_iter();
            let instruction = function.append(block, operation, operands, results, None);
            if let Some(result) = function.instruction(instruction).result() {
                available.add(&function, result);
            }
        }
        if matches!(function.block(block).terminator, Terminator::Branch { .. }) && random.below(3) > 0 {
            let lane = Operand::Special(SpecialRegister::LaneId);
            let x = if random.below(2) == 0 { lane } else { available.word(random) };
            // Any lanes one way, the others the other way; or by a counter; or by a bound.
            let condition = if random.below(3) > 0 {
                let bits = Operand::word(random.below(1 << 32) as u32);
                let extract = Operation::Mask(MaskOperation::BitExtract);
                function.append_value(block, extract, [bits, x], PREDICATE)
            } else {
                let how = [Qualifier::Lt, Qualifier::Ge, Qualifier::Ne, Qualifier::Gt][random.below(4)];
                let bound = Operand::word(random.below(40) as u32);
                function.append_value(block, compare(Opcode::Ucmp, how), [x, bound], PREDICATE)
            };
            available.predicates.push(condition);
        }
        at_end[block.index()] = available;
    }
    for block in (0..blocks).map(|b| Block(b as u32)) {
        let available = at_end[block.index()].clone();
        let types: Vec<Vec<RegisterType>> = function
            .targets(block)
            .iter()
            .map(|target| {
                function.block(target.block).parameters.iter().map(|&p| function.value(p).ty).collect()
            })
            .collect();
        let condition = available.predicate(random);
        let mut terminator = function.block(block).terminator.clone();
        for (target, types) in terminator.targets_mut().into_iter().zip(&types) {
            target.arguments = types.iter().map(|&ty| available.of_type(random, ty)).collect();
        }
        if let Terminator::Branch { condition: old, otherwise, .. } = &mut terminator {
            *old = condition;
            if random.below(8) == 0 {
                terminator = Terminator::ReturnIf { condition, value: None, otherwise: otherwise.clone() };
            }
        }
        function.blocks[block.index()].terminator = terminator;
    }
    function
}

fn random_instruction(
    random: &mut Random,
    available: &Available,
    waiting: usize,
) -> (Operation, Vec<Operand>, Option<RegisterType>) {
    let mut a = || available.word(random);
    let (x, y, z) = (a(), a(), a());
    let p = available.predicate(random);
    let mask = available.mask(random);
    let masked = |kind: CrossLaneKind, operands: Vec<Operand>, random: &mut Random| {
        let Operation::CrossLane(operation) = cross_lane(kind) else { unreachable!() };
        let ty = operation.result();
        let keep = match mask {
            Operand::ALL_LANES => Operand::Dead,
            _ => available.of_type(random, ty),
        };
        let keep = operation.has_pass_through().then_some(keep);
        let mask = operation.has_mask().then_some(mask);
        (cross_lane(kind), operands.into_iter().chain(mask).chain(keep).collect(), Some(ty))
    };
    const PLAIN: [Opcode; 15] = [
        Opcode::Iadd,
        Opcode::Isub,
        Opcode::And,
        Opcode::Or,
        Opcode::Xor,
        Opcode::Shl,
        Opcode::Shr,
        Opcode::Asr,
        Opcode::Umin,
        Opcode::Umax,
        Opcode::Smin,
        Opcode::Smax,
        Opcode::Umul,
        Opcode::Udiv,
        Opcode::And,
    ];
    const ONE: [Opcode; 7] =
        [Opcode::Not, Opcode::Cbit, Opcode::Fbl, Opcode::Fbh, Opcode::Bfrev, Opcode::Ineg, Opcode::Iabs];
    use CrossLaneKind as K;
    match random.below(38 + 2 * waiting.max(1)) {
        0..9 => (word(PLAIN[random.below(PLAIN.len())]), vec![x, y], Some(B32)),
        9..12 => (word(ONE[random.below(ONE.len())]), vec![x], Some(B32)),
        12..18 => {
            use Qualifier::*;
            let how = [Eq, Ne, Lt, Le, Gt, Ge][random.below(6)];
            let opcode = [Opcode::Ucmp, Opcode::Scmp][random.below(2)];
            (compare(opcode, how), vec![x, y], Some(PREDICATE))
        }
        18..20 => (select(), vec![x, y, p], Some(B32)),
        20 => (word(Opcode::Ubfe), vec![x, y, z], Some(B32)),
        21 => {
            let space = [Qualifier::Global, Qualifier::Global, Qualifier::Const, Qualifier::Private];
            (load(space[random.below(4)]), vec![x, Operand::word(0)], Some(B32))
        }
        22..24 => masked(K::ActiveMask, vec![], random),
        24..26 => masked(K::Ballot { bits: 32 }, vec![p], random),
        26 => masked(K::FirstParticipant, vec![], random),
        27 => masked(K::Elect, vec![], random),
        28 => masked([K::VoteAny, K::VoteAll][random.below(2)], vec![p], random),
        29 => masked([K::VoteAllEqual, K::MatchAll][random.below(2)], vec![x], random),
        30 => masked(K::ReadFirstInvocation, vec![x], random),
        31 => masked(K::MatchAny, vec![x], random),
        32 => {
            let kind = [ShuffleKind::Index, ShuffleKind::Index, ShuffleKind::Xor, ShuffleKind::Up];
            masked(K::Shuffle { kind: kind[random.below(4)], segmented: false }, vec![x, y], random)
        }
        33..35 => {
            let reduction = [Reduction::Sum, Reduction::Umin, Reduction::Or, Reduction::Xor, Reduction::Smax];
            masked(reduce(reduction[random.below(5)]), vec![x], random)
        }
        35 => {
            let scope = [Scope::Inclusive, Scope::Exclusive, Scope::Reduce][random.below(3)];
            let cluster = ClusterSize::new(8).expect("a power of two");
            let kind = K::Reduce { reduction: Reduction::Umax, scope, cluster, partitioned: false };
            masked(kind, vec![x], random)
        }
        36 => {
            use LaneMask::*;
            let relation = [Equal, GreaterEqual, Greater, LessEqual, Less][random.below(5)];
            (Operation::Mask(MaskOperation::Lanes(relation)), vec![], Some(B32))
        }
        37 => {
            let operation = [
                MaskOperation::FindLeast,
                MaskOperation::FindMost,
                MaskOperation::BitCount(Scope::Exclusive),
            ];
            (Operation::Mask(operation[random.below(3)]), vec![x], Some(B32))
        }
        40.. | 38 if waiting > 0 && random.below(2) == 0 => (barrier(), vec![], None),
        40.. | 39 if waiting > 0 => {
            let callee = Operand::Function(pisa_module::FunctionId(0));
            (Operation::Call { conditional: false }, vec![callee, x], Some(B32))
        }
        38 => (Operation::Mask(MaskOperation::InverseBallot), vec![x], Some(PREDICATE)),
        _ => (Operation::Mask(MaskOperation::BitExtract), vec![x, y], Some(PREDICATE)),
    }
}
