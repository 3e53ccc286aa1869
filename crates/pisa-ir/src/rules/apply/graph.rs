//! A function while rules are applied to it: who uses what, where instructions stand, what has been put in and what is gone.

use super::index::usual;
use crate::rules::Place;
use crate::{
    ActiveSet, Allowed, Constant, Function, Instruction, InstructionData, Operand, Operation, Position,
    Signature, Terminator, Value,
};
use pisa_module::RegisterType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Users of a result that are looked at again when something below it has changed.
const NEAR: usize = 32;

pub(super) struct Graph<'a> {
    function: &'a mut Function,
    /// By value: the instructions that use it, once for each use, and some that have used it or are gone.
    users: Vec<SmallVec<[Instruction; 2]>>,
    /// By value: uses in instructions.
    counts: Vec<u32>,
    /// By value: uses in terminators, and whether one of them wants the value itself rather than its negation.
    ends: Vec<(u32, bool)>,
    /// By instruction: its operation, as [`usual`] has it.
    operations: Vec<Operation>,
    /// By instruction: where it stands; `None` for what is gone.
    places: Vec<Option<Place>>,
    /// New instructions that stand before one, in order.
    before: FxHashMap<Instruction, Vec<Instruction>>,
    replaced: FxHashMap<Value, Operand>,
    queue: VecDeque<Instruction>,
    queued: Vec<bool>,
}

impl<'a> Graph<'a> {
    pub(super) fn of(function: &'a mut Function) -> Graph<'a> {
        let mut places = vec![None; function.instructions.len()];
        let mut users = vec![SmallVec::new(); function.values.len()];
        let mut ends = vec![(0, false); function.values.len()];
        let mut counts = vec![0; function.values.len()];
        let mut queue = VecDeque::new();
        for &block in &function.layout {
            let mut active = ActiveSet::Entry(block);
            let data = function.block(block);
            for (&instruction, index) in data.instructions.iter().zip(0..) {
                places[instruction.index()] = Some(Place { position: Position { block, index }, active });
                queue.push_back(instruction);
                let data = function.instruction(instruction);
                for value in data.operands.iter().filter_map(|operand| operand.value()) {
                    users[value.index()].push(instruction);
                    counts[value.index()] += 1;
                }
                if data.properties().changes_active_set {
                    active = ActiveSet::After(instruction);
                }
            }
            let condition = match &data.terminator {
                Terminator::Branch { condition, .. } | Terminator::ReturnIf { condition, .. } => {
                    condition.value()
                }
                _ => None,
            };
            if let Some(value) = condition {
                ends[value.index()].0 += 1;
            }
            let mut left = condition;
            data.terminator.for_each_operand(|operand| match operand.value() {
                // The condition, once.
                Some(value) if left == Some(value) => left = None,
                Some(value) => {
                    ends[value.index()].0 += 1;
                    ends[value.index()].1 = true;
                }
                None => {}
            });
        }
        let operations = function.instructions.iter().map(|data| usual(&data.operation)).collect();
        let queued = places.iter().map(Option::is_some).collect();
        Graph {
            function,
            users,
            counts,
            ends,
            operations,
            places,
            before: FxHashMap::default(),
            replaced: FxHashMap::default(),
            queue,
            queued,
        }
    }

    /// How many instructions it has.
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }
    /// The next instruction to look at.
    pub(super) fn next(&mut self) -> Option<Instruction> {
        loop {
            let instruction = self.queue.pop_front()?;
            self.queued[instruction.index()] = false;
            if self.places[instruction.index()].is_some() {
                return Some(instruction);
            }
        }
    }
    pub(super) fn function(&self) -> &Function {
        self.function
    }
    pub(super) fn instruction(&self, instruction: Instruction) -> &InstructionData {
        self.function.instruction(instruction)
    }
    /// Its operation, as [`usual`] has it.
    pub(super) fn operation(&self, instruction: Instruction) -> &Operation {
        &self.operations[instruction.index()]
    }
    /// Where an instruction stands; `None` for what is gone.
    pub(super) fn place(&self, instruction: Instruction) -> Option<Place> {
        self.places[instruction.index()]
    }
    /// The instruction that gives an operand.
    pub(super) fn defining(&self, operand: Operand) -> Option<Instruction> {
        match operand {
            Operand::Value(value) => {
                self.function.defining(value).filter(|i| self.places[i.index()].is_some())
            }
            _ => None,
        }
    }
    /// How often a value is used.
    pub(super) fn uses(&self, value: Value) -> usize {
        (self.counts[value.index()] + self.ends[value.index()].0) as usize
    }

    /// Whether every use of a value may be of the negation of another one instead.
    pub(super) fn can_be_negated(&self, value: Value) -> bool {
        let may = |&user: &Instruction| {
            let data = self.instruction(user);
            if self.places[user.index()].is_none() {
                return true;
            }
            let signature = Signature::of(&data.operation, &data.operands, data.results.len(), &[]);
            data.operands.iter().enumerate().all(|(number, operand)| {
                operand.value() != Some(value)
                    || signature
                        .operands
                        .get(number)
                        .is_some_and(|shape| shape.allowed == Allowed::DatumOrNegation)
            })
        };
        !self.ends[value.index()].1 && self.users[value.index()].iter().all(may)
    }

    /// A new instruction with one result, before another one.
    pub(super) fn insert(
        &mut self,
        before: Instruction,
        operation: Operation,
        operands: SmallVec<[Operand; 4]>,
        ty: RegisterType,
    ) -> Value {
        let place = self.instruction(before).place;
        let users: SmallVec<[Value; 4]> = operands.iter().filter_map(|operand| operand.value()).collect();
        let new = self.function.new_instruction(operation, operands, [ty], place);
        let at = self.places[before.index()];
        if operation.is_convergent() {
            self.function.instructions[new.index()].active = at.map(|place| place.active);
        }
        self.operations.push(usual(&operation));
        self.places.push(at);
        self.queued.push(false);
        self.users.push(SmallVec::new());
        self.counts.push(0);
        self.ends.push((0, false));
        for value in users {
            self.counts[value.index()] += 1;
            self.users[value.index()].push(new);
        }
        self.before.entry(before).or_default().push(new);
        self.look_at(new);
        self.function.instructions[new.index()].results[0]
    }

    fn look_at(&mut self, instruction: Instruction) {
        if self.places[instruction.index()].is_some()
            && !std::mem::replace(&mut self.queued[instruction.index()], true)
        {
            self.queue.push_back(instruction);
        }
    }

    /// Puts an operand in the place of the result of an instruction, which goes with all that only it has used.
    pub(super) fn replace(&mut self, instruction: Instruction, operand: Operand) {
        let Some(value) = self.instruction(instruction).result() else { return };
        let mut users = std::mem::take(&mut self.users[value.index()]);
        users.retain(|user| {
            let uses = |operand: &Operand| operand.value() == Some(value);
            self.places[user.index()].is_some() && self.function.instruction(*user).operands.iter().any(uses)
        });
        let count = std::mem::take(&mut self.counts[value.index()]);
        let ends = std::mem::take(&mut self.ends[value.index()]);
        for &user in &users {
            for used in &mut self.function.instructions[user.index()].operands {
                match *used {
                    Operand::Value(known) if known == value => *used = operand,
                    Operand::Negated(known) if known == value => {
                        *used = crate::rules::negation(operand).unwrap_or(*used);
                    }
                    _ => {}
                }
            }
        }
        if let Some(new) = operand.value() {
            self.users[new.index()].extend(users.iter().copied());
            self.counts[new.index()] += count;
            self.ends[new.index()].0 += ends.0;
            self.ends[new.index()].1 |= ends.1;
            // A name is worth keeping.
            if let Some(name) = self.function.values[value.index()].name {
                self.function.values[new.index()].name.get_or_insert(name);
            }
        }
        self.replaced.insert(value, operand);
        for user in users {
            self.look_at(user);
            let near: SmallVec<[Instruction; 8]> = self.function.instructions[user.index()]
                .results
                .iter()
                .flat_map(|result| self.users[result.index()].iter().take(NEAR).copied())
                .collect();
            near.into_iter().for_each(|near| self.look_at(near));
        }
        self.remove(instruction);
    }

    /// Removes an instruction that nobody uses, and what then nobody uses.
    fn remove(&mut self, instruction: Instruction) {
        let mut todo = vec![instruction];
        while let Some(instruction) = todo.pop() {
            self.places[instruction.index()] = None;
            let operands = self.function.instructions[instruction.index()].operands.clone();
            for value in operands.iter().filter_map(|operand| operand.value()) {
                self.counts[value.index()] -= 1;
                let Some(defining) = self.function.defining(value) else { continue };
                let data = self.instruction(defining);
                let unused = data.results.iter().all(|&result| self.uses(result) == 0);
                if unused && data.properties().is_removable() && self.places[defining.index()].is_some() {
                    todo.push(defining);
                    self.places[defining.index()] = None;
                } else if self.uses(value) == 1 && self.counts[value.index()] == 1 {
                    // It has become cheaper to replace.
                    self.users[value.index()].retain(|user| self.places[user.index()].is_some());
                    let users = self.users[value.index()].clone();
                    users.into_iter().take(NEAR).for_each(|user| self.look_at(user));
                }
            }
        }
    }

    /// Writes the blocks anew.
    pub(super) fn finish(mut self, changed: bool) {
        if !changed {
            return;
        }
        for block in self.function.layout.clone() {
            let old = std::mem::take(&mut self.function.blocks[block.index()].instructions);
            let mut new = Vec::with_capacity(old.len());
            for instruction in old {
                // What stands before it, before that what stands before these.
                let mut stack = vec![(instruction, false)];
                while let Some((instruction, entered)) = stack.pop() {
                    if entered {
                        if self.places[instruction.index()].is_some() {
                            new.push(instruction);
                        }
                        continue;
                    }
                    stack.push((instruction, true));
                    let before = self.before.remove(&instruction).unwrap_or_default();
                    stack.extend(before.into_iter().rev().map(|instruction| (instruction, false)));
                }
            }
            self.function.blocks[block.index()].instructions = new;
        }
        let mut short: FxHashMap<Value, Operand> = FxHashMap::default();
        for &value in self.replaced.keys() {
            if self.replaced.len() > short.len() {
                resolve(&self.replaced, &mut short, value);
            }
        }
        self.function.replace_values(&short);
    }
}

/// What a value is in the end; the way there is walked once.
fn resolve(replaced: &FxHashMap<Value, Operand>, short: &mut FxHashMap<Value, Operand>, value: Value) {
    let mut way = Vec::new();
    let mut at = Operand::Value(value);
    let last = loop {
        let Some(value) = at.value() else { break at };
        let step = short.get(&value).or_else(|| replaced.get(&value));
        let Some(&next) = step else { break at };
        way.push((value, matches!(at, Operand::Negated(_))));
        at = match at {
            Operand::Negated(_) => crate::rules::negation(next).unwrap_or(next),
            _ => next,
        };
    };
    for (value, negated) in way {
        let operand = if negated { crate::rules::negation(last).unwrap_or(last) } else { last };
        short.insert(value, operand);
    }
}

/// A constant that is one operand.
pub(super) fn constant(constants: Option<SmallVec<[Constant; 1]>>) -> Option<Operand> {
    match constants?[..] {
        [constant] => Some(Operand::Constant(constant)),
        _ => None,
    }
}
