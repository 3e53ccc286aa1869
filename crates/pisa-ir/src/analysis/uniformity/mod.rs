//! Which values are the same in all lanes that run together.
//!
//! # What is claimed
//! A *section* is a run of instructions in a block that no lane waits in the midst of. A *run* of a section is one time that lanes of a sub-group, in one
//! activation, execute it together under the `lexical` schedule.
//! * A value is **uniform** if in each run of its definition all lanes get the same bits. The definition of a block's parameter
//!   is the start of the block: the lanes are those that run it together from there, wherever each came from.
//! * A value is uniform **at a place** if in each run of that place all lanes have the same bits in it. That is more: lanes that are together
//!   there may have been apart when they ran the definition.
//! * A value is **steady** if all lanes of an activation get the same bits each time. Such a value is uniform everywhere.
//! * A **branch** is uniform if in each run all lanes go the same way.
//!
//! A value that is uniform in each run may have other bits in the next one: a load, a mask of lanes, a counter.
//!
//! # Why it holds
//! Two lanes of an activation are *together* as long as each runs what the other one runs, at the same time; else they are *apart*. They part at a branch
//! that is not uniform, or in a call where one waits in a barrier while the other returns. When apart, the one at the lower section goes
//! on, or the other one if that one waits in a barrier. So from the partings all pairs of sections follow that two lanes can be at, and
//! with them all sections where two lanes *meet*: one arrives where the other one stands ([`partings`]). Lanes that are together at a section have come to
//! it together, or have met at its start.
//!
//! That no wrong claim is the first one, in the order of time:
//! * *An instruction.* In a run its operands are the same in all lanes; so is the result, if it depends on them alone, or on what
//!   is the same for all lanes of the run: the active set, memory at that moment.
//! * *A parameter.* Two lanes that come together come over one edge, and the argument is uniform at its end. (If a branch has two edges to
//!   the block, both have one argument, or the branch is uniform.) Of two lanes that meet there each has come over one of the edges on which lanes come alone; all of these
//!   have one argument, and that is uniform at the start of the block itself.
//! * *A use elsewhere.* Take two lanes that are together at the place. If they ran the last definition together they have the same bits. If not, they
//!   have since met for the last time at some section `m`, and one of them ran the definition while they were apart before that. So the
//!   definition is among what is run before meetings at `m`, and a way leads from `m` to the place that does not lead through it.
//! * *A branch* whose condition is uniform at it does not part lanes that are together.
//!
//! This covers what is known as sync dependence (joins of ways that part, also of several branches, and entries of irreducible cycles)
//! and temporal divergence (values that leave a loop in different turns of it), and whatever else follows from an odd order of blocks: lanes that jump
//! back run ahead of others, and meet them in another turn.
//!
//! Everything begins as steady and becomes less as far as rules say. The pairs are found once each; code with structure has a few for each section.

mod operations;
mod partings;
mod sections;

use super::{ControlFlow, Dominators, LoopNest, MaskFacts};
use crate::active_sets::Waiting;
use crate::{Block, Definition, Function, Instruction, Operand, Position, Terminator, Value};
use partings::Partings;
use pisa_module::Lists;
use rustc_hash::FxHashSet;
use sections::Sections;
use smallvec::SmallVec;

/// So many sections are looked at between a place and a definition; beyond, nothing is said.
const FARTHEST: usize = 4096;

/// How far a value is the same in lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// It may differ between lanes that run together.
    Divergent,
    /// It is the same in all lanes that run together.
    Uniform,
    /// It is the same in all lanes of an activation, at all times.
    Steady,
}

/// Who is affected by a value.
#[derive(Clone, Copy, Debug)]
enum User {
    Instruction(Instruction),
    /// Its condition.
    Branch(Block),
    /// Its parameters.
    Parameters(Block),
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Uniformity {
    strengths: Vec<Strength>,
    /// By block: whether lanes may go different ways at its end.
    divergent_branch: Vec<bool>,
    /// By value: the section that defines it.
    home: Vec<u32>,
    /// By section: sections at whose start lanes meet that may have run it while they were apart. Those that it dominates, and those that
    /// get arguments from it.
    mixing: Vec<SmallVec<[u32; 1]>>,
    sections: Sections,
    partings: Partings,
    masks: MaskFacts,
    dominators: Dominators,
    nest: LoopNest,
    /// Whether everything has been looked at again after there were too many pairs of sections.
    gave_up: bool,
    /// The size of the work-group, if the kernel requires one.
    size: Option<[u32; 3]>,
}

impl Uniformity {
    /// Of a function.
    pub fn of(
        function: &Function,
        flow: &ControlFlow,
        dominators: &Dominators,
        waiting: &Waiting,
    ) -> Uniformity {
        let sections = Sections::of(function, flow, waiting);
        let partings = Partings::new(&sections);
        let size = match function.kind {
            pisa_module::FunctionKind::Kernel { required_work_group_size, .. } => required_work_group_size,
            pisa_module::FunctionKind::Function { .. } => None,
        };
        let values = function.values.len();
        let mut uniformity = Uniformity {
            strengths: vec![Strength::Steady; values],
            divergent_branch: vec![false; function.blocks.len()],
            home: homes(function, &sections),
            mixing: vec![SmallVec::new(); sections.all.len()],
            sections,
            partings,
            masks: MaskFacts::of(function, flow),
            dominators: dominators.clone(),
            nest: LoopNest::of(function, flow),
            gave_up: false,
            size,
        };
        uniformity.solve(function, flow);
        uniformity
    }

    /// How far a value is the same in all lanes that run its definition together.
    pub fn strength(&self, value: Value) -> Strength {
        self.strengths[value.index()]
    }
    /// Whether a value is the same in all lanes that run its definition together.
    pub fn is_uniform(&self, value: Value) -> bool {
        self.strength(value) != Strength::Divergent
    }
    /// How far an operand is the same in all lanes that run a place together, which may be other lanes than those that ran the definition. The
    /// operand's definition dominates the place.
    pub fn strength_at(&self, operand: Operand, position: Position) -> Strength {
        // Nobody is where no section is.
        self.sections.at(position).map_or(Strength::Steady, |section| self.strength_in(operand, section))
    }
    /// Whether an operand is the same in all lanes that run a place together.
    pub fn is_uniform_at(&self, operand: Operand, position: Position) -> bool {
        self.strength_at(operand, position) != Strength::Divergent
    }
    /// Whether all lanes that run the end of a block together go the same way: to one block, or all return.
    pub fn is_branch_uniform(&self, block: Block) -> bool {
        !self.divergent_branch[block.index()]
    }
    /// Whether lanes that come together to this place may meet others there that have waited: at the start of a block or behind
    /// an instruction in which lanes wait.
    pub fn lanes_meet_at(&self, position: Position) -> bool {
        self.sections.at(position).is_some_and(|section| {
            self.sections.all[section as usize].begin == position.index && self.partings.meets(section)
        })
    }

    fn strength_in(&self, operand: Operand, section: u32) -> Strength {
        match operand {
            Operand::Value(value) | Operand::Negated(value) => {
                let strength = self.strengths[value.index()];
                if strength == Strength::Uniform && self.is_mixed(self.home[value.index()], section) {
                    return Strength::Divergent;
                }
                strength
            }
            Operand::Special(register) => self.special(register),
            Operand::Constant(_)
            | Operand::Variable(_)
            | Operand::Function(_)
            | Operand::Parameter(_)
            | Operand::Dead => Strength::Steady,
        }
    }

    /// Whether lanes that are together in `place` may come from different runs of `home`: whether control comes there from where such
    /// lanes meet without `home` in between.
    fn is_mixed(&self, home: u32, place: u32) -> bool {
        if self.partings.overflow() {
            return home != place;
        }
        let Some(meetings) = self.mixing.get(home as usize).filter(|meetings| !meetings.is_empty()) else {
            return false;
        };
        if home == place {
            return false;
        }
        // A loop with one entry that has both: from outside control comes through the entry, and from there to the place by way of home.
        let common = self.nest.common(self.block(home), self.block(place));
        let within = common.filter(|&l| self.nest.data(l).is_reducible());
        let counts = |m: u32| m == place || within.is_none_or(|l| self.nest.contains(l, self.block(m)));
        let mut meetings = meetings.iter().copied().filter(|&m| counts(m)).peekable();
        if meetings.peek().is_none() {
            return false;
        }
        // What dominates the place, and is behind home, is passed last on the way to it.
        if meetings.clone().any(|m| m == place || self.dominates(home, m) && self.dominates(m, place)) {
            return true;
        }
        let meetings: SmallVec<[u32; 4]> = meetings.collect();
        let mut seen = FxHashSet::default();
        let mut todo = vec![place];
        while let Some(section) = todo.pop() {
            if section != home && seen.insert(section) {
                if meetings.contains(&section) || seen.len() > FARTHEST {
                    return true;
                }
                todo.extend(&self.sections.all[section as usize].predecessors);
            }
        }
        false
    }

    fn block(&self, section: u32) -> Block {
        self.sections.all[section as usize].block
    }

    /// Whether every way to a section leads through another.
    fn dominates(&self, above: u32, below: u32) -> bool {
        let (a, b) = (self.block(above), self.block(below));
        if a == b { above < below } else { self.dominators.dominates(a, b) }
    }

    fn solve(&mut self, function: &Function, flow: &ControlFlow) {
        let users = users(function, flow);
        let mut todo = everything(function, flow);
        loop {
            while let Some(user) = todo.pop() {
                self.visit(function, flow, user, &users, &mut todo);
            }
            for section in self.partings.take_reached() {
                for home in self.mix(function, flow, section) {
                    for value in self.values_of(function, home) {
                        todo.extend(users.get(value.index()));
                    }
                }
            }
            if todo.is_empty() {
                return;
            }
        }
    }

    fn visit(
        &mut self,
        function: &Function,
        flow: &ControlFlow,
        user: User,
        users: &Lists<User>,
        todo: &mut Vec<User>,
    ) {
        match user {
            User::Instruction(instruction) => {
                let results = &function.instruction(instruction).results;
                if results.iter().all(|result| self.strengths[result.index()] == Strength::Divergent) {
                    return;
                }
                let strength = self.of_instruction(function, instruction);
                for &result in results {
                    self.lower(result, strength, users, todo);
                }
            }
            User::Parameters(block) => {
                for (number, &parameter) in function.block(block).parameters.iter().enumerate() {
                    if self.strengths[parameter.index()] != Strength::Divergent {
                        let strength = self.of_parameter(function, flow, block, number);
                        self.lower(parameter, strength, users, todo);
                    }
                }
            }
            User::Branch(block) => {
                let (condition, targets) = match &function.block(block).terminator {
                    Terminator::Branch { condition, taken, otherwise } => {
                        (condition, [Some(taken), Some(otherwise)])
                    }
                    Terminator::ReturnIf { condition, otherwise, .. } => (condition, [Some(otherwise), None]),
                    Terminator::Goto(_) | Terminator::Return(_) => return,
                };
                let Some(section) = self.sections.last(block) else { return };
                if self.divergent_branch[block.index()]
                    || self.strength_in(*condition, section) != Strength::Divergent
                {
                    return;
                }
                self.divergent_branch[block.index()] = true;
                todo.extend(targets.into_iter().flatten().map(|target| User::Parameters(target.block)));
                if matches!(function.block(block).terminator, Terminator::Branch { .. }) {
                    self.partings.part(&self.sections, section);
                    self.visit_changed(function, flow, todo);
                }
            }
        }
    }

    /// What depends on meetings and entries that are new.
    fn visit_changed(&mut self, function: &Function, flow: &ControlFlow, todo: &mut Vec<User>) {
        let changed = self.partings.take_changed();
        if self.partings.overflow() {
            if !std::mem::replace(&mut self.gave_up, true) {
                todo.extend(everything(function, flow));
            }
            return;
        }
        for section in changed {
            if self.sections.is_first(section) {
                todo.push(User::Parameters(self.sections.all[section as usize].block));
            }
        }
    }

    fn lower(&mut self, value: Value, strength: Strength, users: &Lists<User>, todo: &mut Vec<User>) {
        if strength < self.strengths[value.index()] {
            self.strengths[value.index()] = strength;
            todo.extend(users.get(value.index()));
        }
    }

    fn of_parameter(&self, function: &Function, flow: &ControlFlow, block: Block, number: usize) -> Strength {
        if function.entry() == Some(block) {
            // Arguments of a function.
            return Strength::Divergent;
        }
        let Some(start) = self.sections.first(block) else { return Strength::Steady };
        let mut all = Strength::Steady;
        let (mut only, mut is_one) = (None, true);
        let (mut alone, mut is_one_alone) = (None, true);
        let same = |operand: Operand, seen: &mut Option<Operand>| *seen.get_or_insert(operand) == operand;
        for edge in flow.reachable_predecessors(block) {
            let Some(end) = self.sections.last(edge.from) else { continue };
            let targets = function.targets(edge.from);
            let Some(&argument) = targets[edge.number as usize].arguments.get(number) else { continue };
            is_one &= same(argument, &mut only);
            all = all.min(self.strength_in(argument, end));
            // Lanes that part and come by two edges of one branch.
            let other =
                targets.iter().find(|target| target.block == block && target.arguments[number] != argument);
            if other.is_some() && self.divergent_branch[edge.from.index()] {
                return Strength::Divergent;
            }
            if self.partings.enters(end, start) {
                is_one_alone &= same(argument, &mut alone);
            }
        }
        if all == Strength::Divergent {
            return all;
        }
        if self.partings.meets(start)
            && (!is_one_alone
                || alone.is_some_and(|argument| self.strength_in(argument, start) == Strength::Divergent))
        {
            return Strength::Divergent;
        }
        if is_one { all } else { Strength::Uniform }
    }

    /// Finds the sections that lanes which meet at this one may have run while they were apart; those that this was not known of.
    fn mix(&mut self, function: &Function, flow: &ControlFlow, meeting: u32) -> Vec<u32> {
        if self.partings.overflow() {
            return Vec::new();
        }
        let block = self.sections.all[meeting as usize].block;
        let mut given: FxHashSet<u32> = FxHashSet::default();
        if self.sections.is_first(meeting) {
            for edge in flow.reachable_predecessors(block) {
                let targets = function.targets(edge.from);
                let values = targets[edge.number as usize].arguments.iter().filter_map(|a| a.value());
                given.extend(values.map(|value| self.home[value.index()]));
            }
        }
        let mut run = self.partings.run_before(&self.sections, meeting);
        run.sort_unstable();
        run.dedup();
        run.retain(|&home| {
            (self.dominates(home, meeting) || given.contains(&home))
                && !self.mixing[home as usize].contains(&meeting)
        });
        for &home in &run {
            self.mixing[home as usize].push(meeting);
        }
        run
    }

    /// The values that a section defines.
    fn values_of(&self, function: &Function, section: u32) -> Vec<Value> {
        let data = function.block(self.sections.all[section as usize].block);
        let results = data.instructions.iter().flat_map(|&i| function.instruction(i).results.iter());
        let values = data.parameters.iter().chain(results).copied();
        values.filter(|value| self.home[value.index()] == section).collect()
    }
}

/// All there is, what comes first last.
fn everything(function: &Function, flow: &ControlFlow) -> Vec<User> {
    let mut all = Vec::new();
    for &block in flow.reverse_post_order().iter().rev() {
        all.push(User::Branch(block));
        let instructions = function.block(block).instructions.iter().rev();
        all.extend(instructions.map(|&instruction| User::Instruction(instruction)));
        all.push(User::Parameters(block));
    }
    all
}

/// By value: the section that defines it.
fn homes(function: &Function, sections: &Sections) -> Vec<u32> {
    let of = |value: &crate::ValueData| match value.definition {
        Definition::Parameter(block, _) => sections.first(block),
        Definition::Result(instruction, _) => sections.of_instruction(instruction),
    };
    function.values.iter().map(|value| of(value).unwrap_or(u32::MAX)).collect()
}

/// By value: who is affected by it.
fn users(function: &Function, flow: &ControlFlow) -> Lists<User> {
    let mut all: Vec<(usize, User)> = Vec::new();
    for &block in flow.reverse_post_order() {
        let data = function.block(block);
        let mut add = |operand: &Operand, user: User| {
            if let Some(value) = operand.value() {
                all.push((value.index(), user));
            }
        };
        for &instruction in &data.instructions {
            let user = User::Instruction(instruction);
            function.instruction(instruction).operands.iter().for_each(|operand| add(operand, user));
        }
        if let Terminator::Branch { condition, .. } | Terminator::ReturnIf { condition, .. } =
            &data.terminator
        {
            add(condition, User::Branch(block));
        }
        for target in data.terminator.targets() {
            target.arguments.iter().for_each(|operand| add(operand, User::Parameters(target.block)));
        }
    }
    Lists::new(function.values.len(), || all.iter().copied())
}
