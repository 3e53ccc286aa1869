//! Runs the arms of a short branch in all lanes: cross-lane operations under masks narrowed to the lanes of the arm (mask absorption),
//! everything else as it is, with a selection behind it.
//!
//! What is gained is the branch and the jump over the other arm; what is paid is one `sel` for each value that the arms give, and two
//! instructions for a ballot where a mask is narrowed. It is done where that is less than what both arms cost together, as lanes
//! that take both pay for both.

use super::{Context, Facts, Outcome};
use crate::legality::{Blocks, Condition, Legality, Verdict};
use crate::{
    Block, CrossLane, CrossLaneKind, Element, Function, InactiveSource, Instruction, Operand, Operation,
    Position, Target, Terminator, Value,
};
use pisa_isa::{Opcode, OperandKind, Qualifier, SlotName};
use pisa_module::RegisterType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions that both arms may have together.
const LONGEST: usize = 8;

pub(super) fn run(function: &mut Function, context: &mut Context<'_>) -> bool {
    let facts = Facts::of(function, context.waiting);
    let mut legality = Legality::of(function, &facts.sets, &facts.dominators);
    let blocks = Blocks::of(function);
    let counts = function.use_counts();
    let mut gone = vec![false; function.blocks.len()];
    let order: Vec<Block> = facts.flow.reverse_post_order().iter().rev().copied().collect();
    for block in order {
        let Some(shape) = Shape::of(function, &blocks, &legality, block) else { continue };
        if shape.arms.iter().any(|arm| gone[arm.block.index()]) {
            continue;
        }
        let Some(plan) = Plan::of(function, &counts, context, &mut legality, &shape) else { continue };
        plan.carry_out(function, context, &mut legality, &shape);
        for arm in &shape.arms {
            gone[arm.block.index()] = true;
        }
    }
    if !gone.contains(&true) {
        return false;
    }
    function.layout.retain(|block| !gone[block.index()]);
    function.renew_tokens();
    true
}

/// An arm: a block that only one branch leads to, and that goes to the join.
struct Arm {
    block: Block,
    /// What it gives the join.
    arguments: SmallVec<[Operand; 2]>,
}

/// A branch with one or two arms that meet again.
struct Shape {
    top: Block,
    condition: Operand,
    arms: SmallVec<[Arm; 2]>,
    join: Block,
    /// What the join gets from lanes for which the condition is true, and from the others.
    values: [SmallVec<[Operand; 2]>; 2],
}

impl Shape {
    fn of(function: &Function, blocks: &Blocks, legality: &Legality<'_>, top: Block) -> Option<Shape> {
        let Terminator::Branch { condition, taken, otherwise } = &function.block(top).terminator else {
            return None;
        };
        let arm = |target: &Target| {
            let data = function.block(target.block);
            let Terminator::Goto(join) = &data.terminator else { return None };
            // Nobody else is there while lanes of `top` are (see `active_sets`), and all of them get to the join, which is behind.
            let section = legality.sets().section_at(Position::begin(target.block))?;
            let from = legality.sets().arm(function, section).map(|arm| arm.from);
            let is_arm = data.parameters.is_empty()
                && (from.is_some() && from == legality.sets().last(top))
                && blocks.order(top) < blocks.order(target.block)
                && blocks.order(target.block) < blocks.order(join.block);
            is_arm.then(|| (join.block, Arm { block: target.block, arguments: join.arguments.clone() }))
        };
        let (first, second) = (arm(taken), arm(otherwise));
        let mut shape = Shape {
            top,
            condition: *condition,
            arms: SmallVec::new(),
            join: top,
            values: [SmallVec::new(), SmallVec::new()],
        };
        match (first, second) {
            (Some((join, a)), Some((other, b))) if join == other => {
                shape.join = join;
                shape.values = [a.arguments.clone(), b.arguments.clone()];
                shape.arms.extend([a, b]);
            }
            (Some((join, a)), _) if join == otherwise.block => {
                shape.join = join;
                shape.values = [a.arguments.clone(), otherwise.arguments.clone()];
                shape.arms.push(a);
            }
            (_, Some((join, b))) if join == taken.block => {
                shape.join = join;
                shape.values = [taken.arguments.clone(), b.arguments.clone()];
                shape.arms.push(b);
            }
            _ => return None,
        }
        Some(shape)
    }
}

/// How the arms are run.
struct Plan<'a> {
    /// How often each value is used.
    counts: &'a [u32],
    /// Instructions in order, with the conditions for their masks.
    moves: Vec<(Instruction, SmallVec<[Condition; 2]>)>,
}

impl<'a> Plan<'a> {
    fn of(
        function: &Function,
        counts: &'a [u32],
        context: &mut Context<'_>,
        legality: &mut Legality<'_>,
        shape: &Shape,
    ) -> Option<Plan<'a>> {
        let instructions = shape.arms.iter().flat_map(|arm| &function.block(arm.block).instructions);
        let instructions: Vec<Instruction> = instructions.copied().collect();
        if instructions.len() > LONGEST {
            return None;
        }
        let to = Position::end(shape.top);
        let mut plan = Plan { counts, moves: Vec::new() };
        let mut before: Vec<(Instruction, Position)> = Vec::new();
        for &instruction in &instructions {
            let conditions = match context.obey(legality.may_copy(function, instruction, to)) {
                Verdict::Yes => SmallVec::new(),
                Verdict::Narrowed(conditions) if !function.instruction(instruction).is_active_mask() => {
                    conditions
                }
                verdict => {
                    let wish = || "to run it in all lanes with a narrowed mask".to_owned();
                    context.remarks.refused(function, instruction, &verdict, wish);
                    before.iter().for_each(|&(i, place)| legality.moved(i, place));
                    return None;
                }
            };
            plan.moves.push((instruction, conditions));
            before.extend(legality.place(instruction).map(|place| (instruction, place)));
            legality.moved(instruction, to);
        }
        // The arguments must be there, too, and of types that can be selected.
        let fits = plan.cost(function, legality, shape).is_some_and(|cost| {
            let jump = usize::from(shape.arms.len() == 2);
            cost < instructions.len() + 1 + jump
        });
        if !fits {
            before.iter().for_each(|&(i, place)| legality.moved(i, place));
            return None;
        }
        Some(plan)
    }

    /// Instructions that run afterwards; `None` where a value cannot be selected.
    fn cost(&self, function: &Function, legality: &Legality<'_>, shape: &Shape) -> Option<usize> {
        let mut cost = self.moves.len();
        for (&a, &b) in shape.values[0].iter().zip(&shape.values[1]) {
            if a == b || self.kept_instead(function, a, b).is_some() {
                continue;
            }
            let ty = function.type_of(a)?;
            select(ty)?;
            cost += 1;
        }
        let mut ballots: SmallVec<[Condition; 2]> = SmallVec::new();
        for (instruction, conditions) in &self.moves {
            for condition in conditions {
                if !ballots.contains(condition) {
                    let known = existing_ballot(function, legality, shape.top, *condition).is_some();
                    cost += if known { 0 } else { 2 } + usize::from(!condition.holds);
                    ballots.push(*condition);
                }
            }
            let all = function.instruction(*instruction).mask() == Some(Operand::ALL_LANES);
            cost += conditions.len() - usize::from(all && !conditions.is_empty());
        }
        Some(cost)
    }

    /// The operation whose pass-through can be what the other lanes bring, so that no selection is needed: for the operand of the arm that
    /// it gives, and which of the two that is.
    fn kept_instead(&self, function: &Function, a: Operand, b: Operand) -> Option<(Instruction, usize)> {
        let once = |value: Value| self.counts.get(value.index()) == Some(&1);
        [(a, b, 0), (b, a, 1)].into_iter().find_map(|(mine, other, which)| {
            let Operand::Value(value) = mine else { return None };
            let (instruction, conditions) =
                self.moves.iter().find(|(i, _)| function.instruction(*i).result() == Some(value))?;
            let data = function.instruction(*instruction);
            let dead = data.pass_through() == Some(Operand::Dead);
            let whole = data.mask() == Some(Operand::ALL_LANES) && conditions.len() == 1;
            let there = match other.value() {
                Some(other) => {
                    !self.moves.iter().any(|(i, _)| function.instruction(*i).results.contains(&other))
                }
                None => true,
            };
            (dead && whole && there && !matches!(other, Operand::Negated(_)) && once(value))
                .then_some((*instruction, which))
        })
    }

    fn carry_out(
        &self,
        function: &mut Function,
        context: &mut Context<'_>,
        legality: &mut Legality<'_>,
        shape: &Shape,
    ) {
        let top = shape.top;
        let mut arguments: SmallVec<[Operand; 2]> = SmallVec::new();
        let mut keep: FxHashMap<Instruction, Operand> = FxHashMap::default();
        let mut selected = Vec::new();
        for (&a, &b) in shape.values[0].iter().zip(&shape.values[1]) {
            if a == b {
                arguments.push(a);
            } else if let Some((instruction, which)) = self.kept_instead(function, a, b) {
                keep.insert(instruction, if which == 0 { b } else { a });
                arguments.push(if which == 0 { a } else { b });
            } else {
                selected.push((arguments.len(), a, b));
                arguments.push(a);
            }
        }
        let mut masks: FxHashMap<Condition, Operand> = FxHashMap::default();
        for (instruction, conditions) in &self.moves {
            for condition in conditions {
                if !masks.contains_key(condition) {
                    let mask = mask_of(function, legality, top, *condition);
                    masks.insert(*condition, mask);
                }
            }
            let position = function.instruction(*instruction).mask_position();
            if let Some(position) = position {
                let mut mask = function.instruction(*instruction).operands[position];
                for condition in conditions {
                    mask = both(function, legality, top, mask, masks[condition]);
                }
                function.instructions[instruction.index()].operands[position] = mask;
            }
            if let (Some(&operand), Some(position)) =
                (keep.get(instruction), function.instruction(*instruction).pass_through_position())
            {
                function.instructions[instruction.index()].operands[position] = operand;
            }
            function.blocks[top.index()].instructions.push(*instruction);
            let message = || {
                let narrowed = if conditions.is_empty() {
                    ""
                } else {
                    " with its mask narrowed to the lanes of the arm"
                };
                format!("moved out of its arm{narrowed}, so that the branch is gone")
            };
            context.remarks.done(function, *instruction, Outcome::Moved, message);
        }
        for (number, a, b) in selected {
            let (a, b, condition) = match shape.condition {
                Operand::Negated(value) => (b, a, Operand::Value(value)),
                condition => (a, b, condition),
            };
            let ty = function.type_of(a).unwrap_or(RegisterType::scalar(32));
            let Some(operation) = select(ty) else { continue };
            let value = append(function, legality, top, operation, [a, b, condition], ty);
            arguments[number] = value;
        }
        for arm in &shape.arms {
            function.blocks[arm.block.index()].instructions.clear();
        }
        function.blocks[top.index()].terminator = Terminator::Goto(Target { block: shape.join, arguments });
    }
}

/// An instruction at the end of a block, and its result.
fn append<const N: usize>(
    function: &mut Function,
    legality: &mut Legality<'_>,
    block: Block,
    operation: Operation,
    operands: [Operand; N],
    ty: RegisterType,
) -> Operand {
    let instruction = function.append(block, operation, operands, [ty], None);
    legality.moved(instruction, Position::end(block));
    function.instruction(instruction).results[0].into()
}

/// The lanes for which a condition holds, as a mask; lanes that are not active do not matter in it.
fn mask_of(
    function: &mut Function,
    legality: &mut Legality<'_>,
    top: Block,
    condition: Condition,
) -> Operand {
    let word = RegisterType::scalar(32);
    let ballot = existing_ballot(function, legality, top, condition).unwrap_or_else(|| {
        let operands = [condition.operand, Operand::ALL_LANES, Operand::Dead];
        append(function, legality, top, Operation::CrossLane(BALLOT), operands, word)
    });
    match (condition.holds, table(Opcode::Not, Qualifier::B32)) {
        (false, Some(not)) => append(function, legality, top, not, [ballot], word),
        _ => ballot,
    }
}

fn both(
    function: &mut Function,
    legality: &mut Legality<'_>,
    top: Block,
    mask: Operand,
    condition: Operand,
) -> Operand {
    match table(Opcode::And, Qualifier::B32) {
        Some(and) if mask != Operand::ALL_LANES => {
            append(function, legality, top, and, [mask, condition], RegisterType::scalar(32))
        }
        _ => condition,
    }
}

const BALLOT: CrossLane = CrossLane {
    kind: CrossLaneKind::Ballot { bits: 32 },
    element: Element::Predicate,
    inactive: InactiveSource::Own,
};

/// A ballot of the predicate in the block itself, under the set at its end.
fn existing_ballot(
    function: &Function,
    legality: &Legality<'_>,
    top: Block,
    condition: Condition,
) -> Option<Operand> {
    let active = function.active_at_end(top);
    function.block(top).instructions.iter().rev().find_map(|&instruction| {
        let data = function.instruction(instruction);
        let is_ballot = data.cross_lane().is_some_and(|o| o.kind == BALLOT.kind)
            && data.data() == Some(condition.operand)
            && data.mask() == Some(Operand::ALL_LANES)
            && data.active.is_some_and(|other| legality.sets().same(other, active));
        is_ballot.then(|| data.results[0].into())
    })
}

/// `sel` for a type; `None` where there is none.
fn select(ty: RegisterType) -> Option<Operation> {
    let qualifier = match (ty.elements, ty.bits) {
        (1, 16) => Qualifier::B16,
        (1, 32) => Qualifier::B32,
        (1, 64) => Qualifier::B64,
        _ => return None,
    };
    // By a predicate, not by a register.
    let by_predicate =
        |form: &&pisa_isa::Form| form.operands.iter().any(|o| o.kind == OperandKind::PredicateOrNegation);
    let form = pisa_isa::forms_of(Opcode::Sel).iter().find(by_predicate)?;
    Operation::table(form, &[(SlotName::Type, qualifier)])
}

/// The scalar form of an opcode for a type.
fn table(opcode: Opcode, ty: Qualifier) -> Option<Operation> {
    pisa_isa::forms_of(opcode).iter().find_map(|form| Operation::table(form, &[(SlotName::Type, ty)]))
}
