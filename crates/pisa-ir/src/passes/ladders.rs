//! Ladders of `shfl.xor` and an operation become one reduction.
//!
//! A value is followed as *the combination of x in the lanes at these distances*: `x` itself is at distance 0, `shfl.xor x, k` at
//! distance k, and combining two of them joins the distances. Where all 32 distances have come together, it is the reduction of
//! `x`, the same in all lanes. An operation that counts twice what it sees twice may see no distance twice: adding the values at distance
//! 0 and 30, then at 0 and 1, reaches four lanes, not all.
//!
//! That holds when all 32 lanes are active: an inactive lane would give the own value a second time. It also holds where reading an
//! inactive lane is undefined, as then every lane's result is; all of the ladder must run under one active set then. Integers only: a float
//! reduction has an order of its own.

use super::{Context, Facts, Outcome};
use crate::{
    ActiveSet, Block, ClusterSize, CrossLane, CrossLaneKind, Element, Function, InactiveSource, Instruction,
    InstructionData, Operand, Operation, Reduction, Scope, ShuffleKind, Value,
};
use pisa_isa::{Qualifier, SlotName};
use rustc_hash::FxHashMap;

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    // Facts cost more than a look whether there is anything to do.
    let is_xor = |data: &InstructionData| {
        let kind = data.cross_lane().map(|operation| operation.kind);
        matches!(kind, Some(CrossLaneKind::Shuffle { kind: ShuffleKind::Xor, .. }))
    };
    if !function.all_instructions().any(|(_, instruction)| is_xor(function.instruction(instruction))) {
        return false;
    }
    let facts = Facts::of(function, context.waiting);
    let mut replacement: FxHashMap<Value, Operand> = FxHashMap::default();
    for block in function.layout.clone() {
        in_block(function, context, &facts, block, &mut replacement);
    }
    if replacement.is_empty() {
        return false;
    }
    function.replace_values(&replacement);
    true
}

/// Why the shuffles of a combination read what they are taken to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// All lanes are active in each of them.
    Full,
    /// What they read from inactive lanes is undefined; all run under this set.
    Undefined(ActiveSet),
    /// It is not known that they do.
    Unproved,
}

/// The combination of a value in several lanes.
#[derive(Clone, Copy)]
struct Combination {
    of: Value,
    /// With what; `None` for a single lane's value.
    with: Option<Reduction>,
    /// The lanes at these distances, as bits: a lane at distance d has the number of the own one xor d.
    distances: u32,
    /// `None` without shuffles.
    reads: Option<Reads>,
}

/// Everything happens in one block, so that the value is the same all along.
fn in_block(
    function: &mut Function,
    context: &mut Context<'_>,
    facts: &Facts,
    block: Block,
    replacement: &mut FxHashMap<Value, Operand>,
) {
    let mut known: FxHashMap<Value, Combination> = FxHashMap::default();
    let mut shuffles: Vec<(Instruction, Value)> = Vec::new();
    let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
    let mut new = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        new.push(instruction);
        let data = function.instruction(instruction);
        let combination = shuffled(data, facts, &known).or_else(|| combined(data, &known));
        let (Some(combination), Some(result)) = (combination, data.result()) else { continue };
        known.insert(result, combination);
        if data.cross_lane().is_some() {
            shuffles.push((instruction, combination.of));
        }
        if let (u32::MAX, Some(reduction)) = (combination.distances, combination.with) {
            let place = data.place;
            let here = last_token(function, block, &new);
            let proved = match combination.reads {
                Some(Reads::Full) => true,
                Some(Reads::Undefined(active)) => active == here,
                Some(Reads::Unproved) | None => false,
            };
            if !proved {
                for &(step, of) in &shuffles {
                    if of == combination.of {
                        context.remarks.not_tried(function, step, place, || ALMOST.to_owned());
                    }
                }
                continue;
            }
            let kind = CrossLaneKind::Reduce {
                reduction,
                scope: Scope::Reduce,
                cluster: ClusterSize::FULL,
                partitioned: false,
            };
            let operation = CrossLane { kind, element: Element::I32, inactive: InactiveSource::Own };
            let operands = [combination.of.into(), Operand::ALL_LANES, Operand::Dead];
            let types = [operation.result()];
            let reduce = function.new_instruction(Operation::CrossLane(operation), operands, types, place);
            function.instructions[reduce.index()].active = Some(here);
            let value = function.instruction(reduce).results[0];
            function.values[value.index()].name = function.value(result).name;
            replacement.insert(result, value.into());
            new.push(reduce);
            context.remarks.done(function, reduce, Outcome::Simplified, || {
                "one reduction for a ladder of shuffles".into()
            });
        }
    }
    function.blocks[block.index()].instructions = new;
}

/// What keeps a ladder from being a reduction.
const ALMOST: &str = "a step of a ladder that is one `ired` where all 32 lanes are known to be active: where all lanes of a kernel are together, its \
     `.reqd_work_group_size` being of whole sub-groups";

/// The token behind the instructions so far.
fn last_token(function: &Function, block: Block, instructions: &[Instruction]) -> ActiveSet {
    let change =
        instructions.iter().rev().find(|i| function.instruction(**i).properties().changes_active_set);
    change.map_or(ActiveSet::Entry(block), |&i| ActiveSet::After(i))
}

fn lookup(value: Value, known: &FxHashMap<Value, Combination>) -> Combination {
    known.get(&value).copied().unwrap_or(Combination { of: value, with: None, distances: 1, reads: None })
}

/// `shfl.xor` by a constant, of all lanes.
fn shuffled(
    data: &InstructionData,
    facts: &Facts,
    known: &FxHashMap<Value, Combination>,
) -> Option<Combination> {
    let operation = data.cross_lane()?;
    let CrossLaneKind::Shuffle { kind: ShuffleKind::Xor, segmented: false } = operation.kind else {
        return None;
    };
    let (Operand::Value(value), Operand::ALL_LANES, Some(active)) = (data.data()?, data.mask()?, data.active)
    else {
        return None;
    };
    let reads = if facts.sets.section(active).is_some_and(|section| facts.sets.is_full(section)) {
        Reads::Full
    } else if operation.inactive == InactiveSource::Undefined {
        Reads::Undefined(active)
    } else {
        Reads::Unproved
    };
    let distance = data.index()?.constant()? as u32 & 31;
    let before = lookup(value, known);
    let distances =
        (0..32).filter(|d| before.distances >> d & 1 == 1).fold(0, |all, d| all | 1 << (d ^ distance));
    let reads = Some(together(before.reads, Some(reads)).unwrap_or(reads));
    Some(Combination { distances, reads, ..before })
}

/// How the shuffles of two combinations read.
fn together(a: Option<Reads>, b: Option<Reads>) -> Option<Reads> {
    match (a, b) {
        (Some(a), Some(b)) if a != b => Some(Reads::Unproved),
        (a, b) => a.or(b),
    }
}

/// Two combinations of one value with one operation.
fn combined(data: &InstructionData, known: &FxHashMap<Value, Combination>) -> Option<Combination> {
    let reduction = reduction(data)?;
    let &[Operand::Value(a), Operand::Value(b)] = &data.operands[..] else { return None };
    // Nothing to find where neither was shuffled.
    if !known.contains_key(&a) && !known.contains_key(&b) {
        return None;
    }
    let (a, b) = (lookup(a, known), lookup(b, known));
    let fits = |c: &Combination| c.with.is_none_or(|with| with == reduction);
    let apart = a.distances & b.distances == 0;
    (a.of == b.of && fits(&a) && fits(&b) && (apart || reduction.is_idempotent())).then_some(Combination {
        of: a.of,
        with: Some(reduction),
        distances: a.distances | b.distances,
        reads: together(a.reads, b.reads),
    })
}

/// The reduction that a lane-wise 32-bit operation builds.
fn reduction(data: &InstructionData) -> Option<Reduction> {
    if data.operation.qualifier(SlotName::Type) != Some(Qualifier::B32)
        || data.operation.qualifier(SlotName::Dsat).is_some()
    {
        return None;
    }
    let opcode = data.operation.opcode()?;
    // A product has no reduction instruction, so that nothing would be gained.
    let is_built = |r: &&Reduction| r.lane_wise() == Some(opcode) && r.qualifier().is_some();
    Reduction::ALL.iter().find(is_built).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::active_sets::Waiting;
    use crate::model::{run_block, scalars};
    use crate::passes::Remarks;
    use crate::test_support::{Builder, iadd, shuffle, table};
    use pisa_isa::Opcode;
    use pisa_module::{FunctionKind, RegisterType};

    const WORD: RegisterType = RegisterType::scalar(32);

    /// A ladder over these distances, in a kernel of whole sub-groups or not; the value and the result.
    fn ladder(steps: &[u32], operation: Operation, whole: bool) -> (Function, Block, Value, Value) {
        let mut b = Builder::kernel();
        if let FunctionKind::Kernel { required_work_group_size, .. } = &mut b.function.kind {
            *required_work_group_size = whole.then_some([64, 1, 1]);
        }
        let [top] = b.blocks();
        let x = b.value(top, WORD);
        let mut sum = x;
        for &distance in steps {
            let other = b.cross(top, shuffle(), [sum.into(), Operand::word(distance)], Operand::ALL_LANES);
            let other = b.result(other);
            let next = b.table(top, operation, [sum.into(), other.into()], WORD);
            sum = b.result(next);
        }
        // Something that looks at the result.
        let address = b.value(top, RegisterType::scalar(64));
        b.store(top, address, sum.into());
        (b.function, top, x, sum)
    }

    fn stored(function: &Function, top: Block) -> Operand {
        let last = *function.block(top).instructions.last().unwrap();
        function.instruction(last).operands[2]
    }

    fn run_on(function: &mut Function) -> bool {
        let mut remarks = Remarks::new();
        run(
            function,
            &mut Context {
                waiting: &Waiting::default(),
                remarks: &mut remarks,
                disobedience: Default::default(),
                lowered: false,
            },
        )
    }

    #[test]
    fn a_butterfly_is_a_reduction() {
        for steps in [[16, 8, 4, 2, 1], [1, 2, 4, 8, 16], [31, 1, 2, 4, 8]] {
            for operation in [iadd(), table(Opcode::Umax, &[(SlotName::Type, Qualifier::B32)])] {
                let (mut f, top, x, sum) = ladder(&steps, operation, true);
                let before = values(&f, top, x, sum);
                assert!(run_on(&mut f));
                let Operand::Value(new) = stored(&f, top) else { panic!() };
                assert_ne!(new, sum);
                assert_eq!(values(&f, top, x, new), before);
                crate::test_support::assert_valid(&f);
            }
        }
    }

    /// What all lanes have, all being active; the store stands behind and is left out.
    fn values(function: &Function, top: Block, x: Value, of: Value) -> Vec<u128> {
        let mut function = function.clone();
        let body = &mut function.blocks[top.index()].instructions;
        body.pop();
        let data =
            scalars(|lane| 0x0123_4567_u128.wrapping_mul(lane as u128 * lane as u128 + 7) & 0xFFFF_FFFF);
        let initial = function.defining(x).unwrap();
        let body = &mut function.blocks[top.index()].instructions;
        body.retain(|&i| {
            i == initial || !matches!(function.instructions[i.index()].operation, Operation::Initial)
        });
        let lanes = run_block(&function, top, &[(x, data)], u32::MAX).unwrap();
        (0..32).map(|lane| lanes.scalar(of, lane).unwrap()).collect()
    }

    /// Xor distances 30 and 1 reach four lanes only, which IGC takes for a reduction; sums that see a lane twice.
    #[test]
    fn what_is_no_reduction_stays() {
        for (steps, whole) in [
            (&[30, 1][..], true),
            (&[16, 8, 4, 2][..], true),
            (&[16, 16, 8, 4, 2, 1][..], true),
            (&[16, 8, 4, 2, 1][..], false),
        ] {
            let (mut f, top, _, sum) = ladder(steps, iadd(), whole);
            run_on(&mut f);
            assert_eq!(stored(&f, top), Operand::Value(sum), "{steps:?} {whole}");
        }
    }

    /// Where inactive lanes are undefined, a ladder is a reduction under one active set, not across a barrier behind which there may be others.
    #[test]
    fn undefined_sources_make_a_reduction_under_one_set() {
        for (barrier, becomes) in [(false, true), (true, false)] {
            let mut b = Builder::kernel();
            let [top] = b.blocks();
            let x = b.value(top, WORD);
            let mut sum = x;
            for distance in [16, 8, 4, 2, 1] {
                if barrier && distance == 4 {
                    b.function.append(top, table(Opcode::BarrierWorkgroup, &[]), [], [], None);
                }
                let mut operation = shuffle();
                operation.inactive = InactiveSource::Undefined;
                let other =
                    b.cross(top, operation, [sum.into(), Operand::word(distance)], Operand::ALL_LANES);
                let other = b.result(other);
                let next = b.table(top, iadd(), [sum.into(), other.into()], WORD);
                sum = b.result(next);
            }
            let address = b.value(top, RegisterType::scalar(64));
            b.store(top, address, sum.into());
            let mut f = b.function;
            run_on(&mut f);
            assert_eq!(stored(&f, top) != Operand::Value(sum), becomes);
        }
    }

    /// Each shuffle of a ladder that would be a reduction is told what it lacks; of one that would not, nothing is said.
    #[test]
    fn a_ladder_that_lacks_lanes_is_told_of() {
        for (steps, told) in [(&[16, 8, 4, 2, 1][..], 5), (&[16, 8, 4, 2][..], 0)] {
            let (mut f, ..) = ladder(steps, iadd(), false);
            let mut remarks = Remarks::new();
            let mut context = Context {
                waiting: &Waiting::default(),
                remarks: &mut remarks,
                disobedience: Default::default(),
                lowered: false,
            };
            run(&mut f, &mut context);
            let module = crate::test_support::module(&f);
            remarks.finish(&module);
            assert_eq!(remarks.list.iter().filter(|remark| remark.message == ALMOST).count(), told);
        }
    }
}
