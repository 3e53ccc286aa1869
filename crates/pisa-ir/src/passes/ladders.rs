//! Ladders of `shfl.xor` and an operation become one reduction.
//!
//! A value is followed as *the combination of x in the lanes at these distances*: `x` itself is at distance 0, `shfl.xor x, k` at
//! distance k, and combining two of them joins the distances. Where all 32 distances have come together, it is the reduction of
//! `x`, the same in all lanes. An operation that counts twice what it sees twice may see no distance twice: adding the values at distance
//! 0 and 30, then at 0 and 1, reaches four lanes, not all.
//!
//! That holds when all 32 lanes are active: an inactive lane would give the own value a second time. It also holds where reading an
//! inactive lane is undefined, as then every lane's result is. Integers only: a float reduction has an order of its own.

use super::{Context, Facts, Outcome};
use crate::{
    Block, ClusterSize, CrossLane, CrossLaneKind, Element, Function, InactiveSource, Instruction,
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

/// The combination of a value in several lanes.
#[derive(Clone, Copy)]
struct Combination {
    of: Value,
    /// With what; `None` for a single lane's value.
    with: Option<Reduction>,
    /// The lanes at these distances, as bits: a lane at distance d has the number of the own one xor d.
    distances: u32,
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
    let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
    let mut new = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        new.push(instruction);
        let data = function.instruction(instruction);
        let combination = shuffled(data, facts, &known).or_else(|| combined(data, &known));
        let (Some(combination), Some(result)) = (combination, data.result()) else { continue };
        known.insert(result, combination);
        if let (u32::MAX, Some(reduction)) = (combination.distances, combination.with) {
            let place = data.place;
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
            function.instructions[reduce.index()].active = last_token(function, block, &new);
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

/// The token behind the instructions so far.
fn last_token(function: &Function, block: Block, instructions: &[Instruction]) -> Option<crate::ActiveSet> {
    let change =
        instructions.iter().rev().find(|i| function.instruction(**i).properties().changes_active_set);
    Some(change.map_or(crate::ActiveSet::Entry(block), |&i| crate::ActiveSet::After(i)))
}

fn lookup(value: Value, known: &FxHashMap<Value, Combination>) -> Combination {
    known.get(&value).copied().unwrap_or(Combination { of: value, with: None, distances: 1 })
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
    let full = || facts.sets.section(data.active?).filter(|&section| facts.sets.is_full(section));
    let all_read = operation.inactive == InactiveSource::Undefined || full().is_some();
    let (Operand::Value(value), Operand::ALL_LANES, true) = (data.data()?, data.mask()?, all_read) else {
        return None;
    };
    let distance = data.index()?.constant()? as u32 & 31;
    let before = lookup(value, known);
    let distances =
        (0..32).filter(|d| before.distances >> d & 1 == 1).fold(0, |all, d| all | 1 << (d ^ distance));
    Some(Combination { distances, ..before })
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
}
