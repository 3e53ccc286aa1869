//! Rules are applied where they should be, and what comes out is what went in, on the lane model.

use super::apply_recorded;
use crate::fold::fold;
use crate::model::{LANES, Lanes};
use crate::rules::check::inputs::{Assignment, Random, Roles};
use crate::rules::check::instance::{build, empty};
use crate::rules::check::{holds, samples::Samples};
use crate::rules::{Facts, Place, Rule, Stage, Term, cost, table};
use crate::{ActiveSet, Block, Constant, Function, Operand, Operation, Signature, TypeRule, Value};
use pisa_module::RegisterType;

/// A function of one block, and the lanes that it is run on.
struct Sample {
    function: Function,
    lanes: Lanes,
}

impl Sample {
    fn new(active: u32) -> Sample {
        let mut function = empty();
        function.append_block();
        Sample { function, lanes: Lanes::new(active) }
    }
    fn input(&mut self, ty: RegisterType, of_lane: impl Fn(usize) -> Option<u128>) -> Value {
        let value = self.function.add_parameter(Block(0), ty);
        let active = self.lanes.active();
        let datum = std::array::from_fn(|lane| match active >> lane & 1 == 1 {
            true => smallvec::smallvec![of_lane(lane)],
            false => Default::default(),
        });
        self.lanes.set(value, datum);
        value
    }
    /// Ends with a call that takes the operands; predicates as they are chosen by.
    fn output(&mut self, outputs: &[Operand]) {
        let choose = crate::rules::words::operation("sel.32b").unwrap();
        let mut operands = vec![Operand::Function(pisa_module::FunctionId(0))];
        for &output in outputs {
            operands.push(match self.function.type_of(output) {
                Some(RegisterType::PREDICATE) => {
                    let ty = RegisterType::scalar(32);
                    let choices = [Operand::word(1), Operand::word(0), output];
                    self.function.append_value(Block(0), choose, choices, ty).into()
                }
                _ => output,
            });
        }
        self.function.append(Block(0), Operation::Call { conditional: false }, operands, [], None);
    }
    fn outputs(&self) -> Vec<Operand> {
        let call = self.function.block(Block(0)).instructions.last().unwrap();
        self.function.instruction(*call).operands[1..].to_vec()
    }
    /// The lanes after all instructions but the call.
    fn ran(&self) -> Lanes {
        let mut lanes = self.lanes.clone();
        let (_, instructions) = self.function.block(Block(0)).instructions.split_last().unwrap();
        for &instruction in instructions {
            lanes.execute(&self.function, instruction).unwrap();
        }
        lanes
    }
    /// What each output is in each active lane.
    fn run(&self) -> Vec<Vec<Option<u128>>> {
        let lanes = self.ran();
        let active = (0..LANES).filter(|&lane| lanes.active() >> lane & 1 == 1);
        let of =
            |operand: &Operand| active.clone().map(|lane| lanes.read(*operand, lane).unwrap()[0]).collect();
        self.outputs().iter().map(of).collect()
    }
    /// What holds in just these lanes.
    fn facts(&self) -> TrueFacts {
        TrueFacts { values: self.function.values.len(), lanes: self.ran() }
    }
}

/// Facts that are read off a run.
struct TrueFacts {
    values: usize,
    lanes: Lanes,
}

impl TrueFacts {
    fn all(&self, operand: Operand, test: impl Fn(usize, u128) -> bool) -> bool {
        let known = operand.value().is_none_or(|value| value.index() < self.values);
        known
            && operand != Operand::Dead
            && (0..LANES)
                .filter(|&lane| self.lanes.active() >> lane & 1 == 1)
                .all(|lane| self.lanes.read(operand, lane).unwrap()[0].is_some_and(|bits| test(lane, bits)))
    }
}

impl Facts for TrueFacts {
    fn is_full(&self, _: ActiveSet) -> bool {
        self.lanes.active() == u32::MAX
    }
    fn is_uniform(&self, _: &Function, operand: Operand, _: Place) -> bool {
        let first = self.lanes.active().trailing_zeros() as usize;
        self.all(operand, |_, bits| self.lanes.read(operand, first).unwrap()[0] == Some(bits))
    }
    fn contains_active(&self, _: &Function, mask: Operand, _: Place) -> bool {
        self.all(mask, |_, mask| self.lanes.active() & !(mask as u32) == 0)
    }
    fn at_most_one(&self, _: &Function, mask: Operand, _: Place) -> bool {
        self.all(mask, |_, mask| (self.lanes.active() & mask as u32).count_ones() <= 1)
    }
    fn is_member(&self, _: &Function, lane: u32, mask: Operand, _: Place) -> bool {
        lane < 32 && self.all(mask, |_, mask| mask as u32 & self.lanes.active() & 1 << lane != 0)
    }
    fn is_closed_under_xor(&self, _: &Function, mask: Operand, distance: u32, _: Place) -> bool {
        self.all(mask, |lane, mask| {
            let partner = lane as u32 ^ distance & 31;
            mask >> lane & 1 == 0 || (mask as u32 & self.lanes.active()) >> partner & 1 == 1
        })
    }
    fn is_defined(&self, _: &Function, operand: Operand) -> bool {
        self.all(operand, |_, _| true)
    }
}

fn assert_refines(before: &[Vec<Option<u128>>], after: &[Vec<Option<u128>>], what: &dyn Fn() -> String) {
    let same = |(a, b): (&Option<u128>, &Option<u128>)| a.is_none() || a == b;
    let all = before.len() == after.len()
        && before.iter().zip(after).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(same));
    assert!(all, "{}\n{before:x?}\n{after:x?}", what());
}

/// The pattern of a rule over an assignment: constants as constants, all else as values.
fn sample_of(rule: &Rule, assignment: &Assignment) -> Sample {
    let mut sample = Sample::new(assignment.active);
    let first = assignment.active.trailing_zeros() as usize;
    let mut variables = Vec::new();
    for (number, (_, ty)) in rule.variables.iter().enumerate() {
        let constant = assignment.value(number, first).filter(|_| rule.is_constant(number as u8));
        variables.push(match constant {
            Some(bits) => Operand::Constant(Constant::new(bits, *ty)),
            None => sample.input(*ty, |lane| assignment.value(number, lane)).into(),
        });
    }
    let root = build(&mut sample.function, Block(0), rule, rule.pattern, &variables);
    sample.output(&[root]);
    sample
}

#[test]
fn every_rule_is_applied() {
    let mut never = Vec::new();
    for rule in table().iter().filter(|rule| cost::can_gain(rule)) {
        let roles = Roles::of(rule);
        let mut samples = Samples::new(rule, &roles, 11);
        let mut applied = false;
        let stage = rule.stage;
        for _ in 0..40 {
            let assignment = samples.next();
            if !holds::all(rule, &assignment) {
                continue;
            }
            let mut sample = sample_of(rule, &assignment);
            let before = sample.run();
            let facts = sample.facts();
            let steps = apply_recorded(&mut sample.function, &facts, stage);
            applied |= !steps.is_empty();
            let names = || steps.iter().map(|step| format!("{}; ", step.rule.name)).collect::<String>();
            assert_refines(&before, &sample.run(), &|| format!("{}: {}", rule.name, names()));
            if applied && !rule.name.contains("of all active lanes") {
                break;
            }
        }
        if !applied {
            never.push(format!("{}: {}", rule.name, rule.text));
        }
    }
    assert_eq!(never, Vec::<String>::new());
}

/// Random programs of the operations that rules speak of, applied on and folded.
#[test]
fn random_programs_stay_the_same() {
    let operations = operations();
    let mut random = Random::new(5);
    let (mut total, mut gone) = (0, 0);
    for round in 0..1500 {
        let active = if round % 4 == 0 { u32::MAX } else { random.lanes().max(1) };
        let mut sample = random_program(&mut random, &operations, active);
        let before = sample.run();
        let stage = [Stage::Early, Stage::Lowered, Stage::Last][round % 3];
        let count = sample.function.block(Block(0)).instructions.len();
        let text = format!(
            "{:#?}",
            sample
                .function
                .block(Block(0))
                .instructions
                .iter()
                .map(|&i| sample.function.instruction(i))
                .collect::<Vec<_>>()
        );
        let facts = sample.facts();
        let steps = apply_recorded(&mut sample.function, &facts, stage);
        let names = || steps.iter().map(|step| format!("{}\n", step.rule.name)).collect::<String>();
        assert_refines(&before, &sample.run(), &|| format!("round {round}: {}{text}", names()));
        // Again, with what is known now.
        let facts = sample.facts();
        apply_recorded(&mut sample.function, &facts, stage);
        fold(&mut sample.function);
        let outputs = sample.run();
        assert_refines(&before, &outputs, &|| format!("round {round}, again: {}", names()));
        total += count;
        gone += count - sample.function.block(Block(0)).instructions.len().min(count);
    }
    assert!(gone * 5 > total, "{gone} of {total} are gone");
}

/// The operations of all rules.
fn operations() -> Vec<Operation> {
    let mut all: Vec<Operation> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for term in table().iter().flat_map(|rule| &rule.terms) {
        if let Term::Apply { operation, .. } = term
            && seen.insert(*operation)
        {
            all.push(*operation);
        }
    }
    all
}

fn random_program(random: &mut Random, operations: &[Operation], active: u32) -> Sample {
    let mut sample = Sample::new(active);
    let mut values: Vec<(RegisterType, Operand)> = Vec::new();
    for bits in [1, 8, 16, 32, 64] {
        for kind in 0..3 {
            let ty = RegisterType::scalar(bits);
            let same = random.bits(bits.into());
            let lanes: Vec<u128> = (0..LANES).map(|_| random.bits(bits.into())).collect();
            values
                .push((ty, sample.input(ty, |lane| Some(if kind == 0 { same } else { lanes[lane] })).into()));
        }
    }
    // A few operations, so that patterns come about.
    let few: Vec<Operation> = (0..6).map(|_| operations[random.below(operations.len())]).collect();
    for _ in 0..24 {
        let operation = few[random.below(few.len())];
        let signature = Signature::of(&operation, &[], 1, &[]);
        let mut operands = Vec::new();
        for shape in &signature.operands {
            let TypeRule::Exactly(ty) = shape.ty else { break };
            operands.push(random_operand(random, &values, ty, shape));
        }
        let [TypeRule::Exactly(ty)] = signature.results[..] else { continue };
        if operands.len() == signature.operands.len() {
            let value = sample.function.append_value(Block(0), operation, operands, ty);
            values.push((ty, value.into()));
        }
    }
    let outputs: Vec<Operand> = values.iter().rev().take(6).map(|(_, operand)| *operand).collect();
    sample.output(&outputs);
    sample
}

fn random_operand(
    random: &mut Random,
    values: &[(RegisterType, Operand)],
    ty: RegisterType,
    shape: &crate::OperandShape,
) -> Operand {
    use crate::{Allowed, Role};
    let constants = [0, 1, u128::MAX, 1 << (ty.total_bits() - 1), 5];
    let constant = Operand::Constant(Constant::new(constants[random.below(5)], ty));
    match (shape.role, random.below(8)) {
        (Role::Mask, 0..=4) => Operand::ALL_LANES,
        (Role::Mask, 5) => Operand::word(random.lanes()),
        (Role::Keep, 0..=5) if shape.allowed == Allowed::DatumOrDead => Operand::Dead,
        (_, 0) if !ty.is_predicate() => constant,
        (_, choice) => {
            let fitting: Vec<Operand> =
                values.iter().filter(|(known, _)| *known == ty).map(|(_, o)| *o).collect();
            let from = if choice < 5 { fitting.len().saturating_sub(3) } else { 0 };
            let operand = fitting[from + random.below(fitting.len() - from)];
            match operand {
                Operand::Value(value)
                    if shape.allowed == Allowed::DatumOrNegation && random.below(3) == 0 =>
                {
                    Operand::Negated(value)
                }
                _ => operand,
            }
        }
    }
}
