//! The one legality query: may this instruction move, merge with another, or be copied; with which mask; and if not, why.
//!
//! Every pass asks here before it changes where an instruction runs. Nothing is known of single instructions but what
//! [`Operation::properties`](crate::Operation::properties) and [`CrossLane`](crate::CrossLane) say.
//!
//! # The rules
//! * **Pure, not convergent**: anywhere its operands are computed. Running it where it did not run before has no effect: undefined
//!   behaviour has fixed results.
//! * **Reads memory**: within its section, as long as nothing in between writes; other lanes and sub-groups may write everywhere else.
//! * **Writes memory, changes the active set**: nowhere.
//! * **Convergent**: what counts is the set of participants, `mask & active set` ([`Participants`]). It may run wherever this
//!   set is proved to be the same each time:
//!   under the same class of active sets ([`crate::active_sets`]); or above a branch whose arm it stands in, when its mask is
//!   narrowed to the lanes that take the arm (research calls it mask absorption). What reads a lane that does not take part as
//!   *undefined* (SPIR-V, not PISA text) may also run where more lanes are active.
//! * Operations that need a participant (`redfirstidx`, read first) do not go above a branch: the arm may have none.
//!
//! Two facts that other compilers rely on do not hold in PISA text and are not used: a shuffle with a uniform index is not
//! uniform, and reading an inactive lane is defined.

mod blocks;
mod explain;
mod participants;
#[cfg(test)]
mod tests;

pub use blocks::Blocks;
pub use participants::{Condition, Participants};

use crate::active_sets::{ActiveSets, Cause, Section};
use crate::analysis::Dominators;
use crate::{Definition, Function, InactiveSource, Instruction, InstructionData, Operand, Position, Value};
use smallvec::SmallVec;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes, as it is.
    Yes,
    /// Yes, when its mask is narrowed to the lanes for which all of these hold where it will stand.
    Narrowed(SmallVec<[Condition; 2]>),
    /// No.
    No(Obstacle),
}

impl Verdict {
    /// Whether it may be done without any change.
    pub fn is_yes(&self) -> bool {
        matches!(self, Verdict::Yes)
    }
    /// What is in the way.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        match self {
            Verdict::No(obstacle) => Some(obstacle),
            _ => None,
        }
    }
}

/// What keeps an instruction where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// The reason.
    pub reason: Reason,
    /// Lanes that show it: with these active at the one and the other place the result would be another one.
    pub witness: Option<Witness>,
}

/// A pair of active masks that can arise and under which the instruction gives different results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Active where the instruction stands.
    pub here: u32,
    /// Active where it would run instead.
    pub there: u32,
}

/// Why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Another set of lanes runs there; this is what separates the two.
    Lanes(Cause),
    /// This value is not computed there yet.
    Operand(Value),
    /// Something that is not behind the new place uses the result.
    Use(Value),
    /// It reads memory that this instruction may write, or that other lanes may between the two sections.
    Memory(Option<Instruction>),
    /// It writes memory or makes lanes wait, so that it stays where it is.
    Effect,
    /// There might be no participant there, and it needs one.
    NoParticipant(Cause),
    /// The two instructions do not compute the same: another operation, or this operand differs.
    Different(Option<usize>),
}

/// What the query looks at: where instructions are, who dominates whom, and which sets are equal.
///
/// Made anew when blocks or branches change. Instructions may go meanwhile, and move as the query allows when it is told
/// ([`Legality::moved`]).
pub struct Legality<'a> {
    sets: &'a ActiveSets,
    dominators: &'a Dominators,
    /// By instruction.
    places: Vec<Option<Position>>,
    /// By block: the numbers of its instructions that write memory, ascending.
    writers: Vec<Vec<u32>>,
}

impl<'a> Legality<'a> {
    /// Of a function as it is now.
    pub fn of(function: &Function, sets: &'a ActiveSets, dominators: &'a Dominators) -> Legality<'a> {
        let mut places = vec![None; function.instructions.len()];
        let mut writers = vec![Vec::new(); function.blocks.len()];
        for &block in &function.layout {
            for (&instruction, index) in function.block(block).instructions.iter().zip(0..) {
                places[instruction.index()] = Some(Position { block, index });
                if function.instruction(instruction).properties().writes_memory {
                    writers[block.index()].push(index);
                }
            }
        }
        Legality { sets, dominators, places, writers }
    }

    /// The active sets it was made with.
    pub fn sets(&self) -> &'a ActiveSets {
        self.sets
    }
    /// The dominators it was made with.
    pub fn dominators(&self) -> &'a Dominators {
        self.dominators
    }
    /// Where an instruction stands; `None` if it is in no block, or new.
    pub fn place(&self, instruction: Instruction) -> Option<Position> {
        self.places.get(instruction.index()).copied().flatten()
    }
    /// An instruction, which may be new, stands somewhere else now. [`Position::end`] is behind all that were put there before.
    pub fn moved(&mut self, instruction: Instruction, to: Position) {
        if self.places.len() <= instruction.index() {
            self.places.resize(instruction.index() + 1, None);
        }
        self.places[instruction.index()] = Some(to);
    }

    /// Whether `instruction` may run at `to` instead of where it stands, with `users` the places that use its results.
    pub fn may_move(
        &self,
        function: &Function,
        instruction: Instruction,
        to: Position,
        users: impl IntoIterator<Item = Position>,
    ) -> Verdict {
        let data = function.instruction(instruction);
        if let Some(&value) = data.results.first()
            && users.into_iter().any(|user| !self.precedes(to, user))
        {
            return no(Reason::Use(value), None);
        }
        self.may_copy(function, instruction, to)
    }

    /// Whether a copy of `instruction` gives at `to` what it gives where it stands, in the lanes that run both.
    pub fn may_copy(&self, function: &Function, instruction: Instruction, to: Position) -> Verdict {
        match self.place(instruction) {
            Some(from) => self.may_run(function, function.instruction(instruction), from, to),
            None => no(Reason::Effect, None),
        }
    }

    /// Whether the results of `kept` are those of `removed` wherever `removed` runs.
    pub fn may_merge(&self, function: &Function, kept: Instruction, removed: Instruction) -> Verdict {
        let (a, b) = (function.instruction(kept), function.instruction(removed));
        let (Some(kept_at), Some(removed_at)) = (self.place(kept), self.place(removed)) else {
            return no(Reason::Effect, None);
        };
        let types = |data: &InstructionData| {
            data.results.iter().map(|&v| function.value(v).ty).collect::<SmallVec<[_; 1]>>()
        };
        if a.operation != b.operation || a.operands.len() != b.operands.len() || types(a) != types(b) {
            return no(Reason::Different(None), None);
        }
        if !self.precedes(kept_at, removed_at) {
            return no(a.results.first().map_or(Reason::Effect, |&v| Reason::Use(v)), None);
        }
        let (mask, pass_through) = (a.mask_position(), a.pass_through_position());
        let differs = |(position, (a, b)): (usize, (&Operand, &Operand))| {
            // Nobody looks at what `removed` keeps; a mask is part of the participants.
            let irrelevant = Some(position) == pass_through && *b == Operand::Dead;
            (a != b && !irrelevant && Some(position) != mask).then_some(position)
        };
        if let Some(position) = a.operands.iter().zip(&b.operands).enumerate().find_map(differs) {
            return no(Reason::Different(Some(position)), None);
        }
        let properties = a.properties();
        if properties.changes_active_set || properties.writes_memory {
            return no(Reason::Effect, None);
        }
        let (Some(here), Some(there)) = (self.sets.section_at(removed_at), self.sets.section_at(kept_at))
        else {
            return no(Reason::Effect, None);
        };
        if properties.reads_memory {
            return self.may_read(function, (removed_at, here), (kept_at, there));
        }
        if !properties.convergent {
            return Verdict::Yes;
        }
        let masks_agree = mask.is_none_or(|mask| a.operands[mask] == b.operands[mask]);
        if masks_agree && self.may_run_under(b, here, there) {
            return Verdict::Yes;
        }
        let kept = Participants::of(function, self, a, there);
        let removed = Participants::of(function, self, b, here);
        if kept.is_some() && kept == removed {
            return Verdict::Yes;
        }
        if masks_agree {
            let cause = self.separation(here, there);
            return no(Reason::Lanes(cause), self.witness(b, here, there));
        }
        no(Reason::Different(mask), None)
    }

    fn may_run(&self, function: &Function, data: &InstructionData, from: Position, to: Position) -> Verdict {
        if from == to {
            return Verdict::Yes;
        }
        let properties = data.properties();
        if properties.writes_memory || properties.changes_active_set {
            return no(Reason::Effect, None);
        }
        if let Some(value) =
            data.operands.iter().filter_map(|o| o.value()).find(|&v| !self.is_computed(function, v, to))
        {
            return no(Reason::Operand(value), None);
        }
        let (Some(here), Some(there)) = (self.sets.section_at(from), self.sets.section_at(to)) else {
            // One of them is not in the function.
            return no(Reason::Effect, None);
        };
        if properties.reads_memory {
            return self.may_read(function, (from, here), (to, there));
        }
        if !properties.convergent || self.may_run_under(data, here, there) {
            return Verdict::Yes;
        }
        self.narrowed(function, data, here, (to, there))
    }

    /// Whether the participants are the same at two sections, the mask unchanged.
    fn may_run_under(&self, data: &InstructionData, here: Section, there: Section) -> bool {
        if self.sets.equal(here, there) {
            return true;
        }
        // More lanes change nothing for what reads a single lane, where that lane was undefined before.
        let indifferent = data.cross_lane().is_some_and(|operation| {
            operation.inactive == InactiveSource::Undefined && operation.reads_single_lanes()
        });
        indifferent && self.sets.contains(there, here)
    }

    /// Above the branches whose arms it stands in.
    fn narrowed(
        &self,
        function: &Function,
        data: &InstructionData,
        here: Section,
        (to, there): (Position, Section),
    ) -> Verdict {
        let not_there = || no(Reason::Lanes(self.separation(here, there)), self.witness(data, here, there));
        let Some(operation) = data.cross_lane() else { return not_there() };
        if !operation.has_mask() && !data.is_active_mask() {
            return not_there();
        }
        let Some(conditions) = participants::arms_between(function, self.sets, here, there) else {
            return not_there();
        };
        if operation.needs_participant() {
            return no(Reason::NoParticipant(self.separation(here, there)), None);
        }
        let missing = conditions.iter().filter_map(|c| c.operand.value());
        if let Some(value) = missing.into_iter().find(|&v| !self.is_computed(function, v, to)) {
            return no(Reason::Operand(value), None);
        }
        Verdict::Narrowed(conditions)
    }

    fn may_read(
        &self,
        function: &Function,
        (from, here): (Position, Section),
        (to, there): (Position, Section),
    ) -> Verdict {
        if here != there {
            return no(Reason::Memory(None), None);
        }
        let (low, high) = (from.index.min(to.index), from.index.max(to.index));
        let writers = &self.writers[from.block.index()];
        match writers.get(writers.partition_point(|&w| w < low)) {
            Some(&writer) if writer < high => no(
                Reason::Memory(function.block(from.block).instructions.get(writer as usize).copied()),
                None,
            ),
            _ => Verdict::Yes,
        }
    }

    /// Whether a value is computed before a place.
    pub fn is_computed(&self, function: &Function, value: Value, at: Position) -> bool {
        match function.value(value).definition {
            Definition::Parameter(block, _) => self.dominators.dominates(block, at.block),
            Definition::Result(instruction, _) => self.place(instruction).is_some_and(|place| {
                if place.block == at.block {
                    place.index < at.index || at == Position::end(at.block)
                } else {
                    self.dominators.dominates(place.block, at.block)
                }
            }),
        }
    }

    fn precedes(&self, a: Position, b: Position) -> bool {
        if a.block == b.block { a.index <= b.index } else { self.dominators.dominates(a.block, b.block) }
    }

    /// What separates the sets of two sections: the reason of the outermost class that has the one and not the other.
    fn separation(&self, here: Section, there: Section) -> Cause {
        let below = |from: Section, other: Section| {
            let mut class = self.sets.class(from);
            if self.sets.contains(class, other) {
                return None;
            }
            while let Some(parent) = self.sets.parent(class) {
                if self.sets.contains(parent, other) {
                    break;
                }
                class = parent;
            }
            Some(self.sets.cause(class))
        };
        below(here, there).or_else(|| below(there, here)).unwrap_or(Cause::Entry)
    }

    /// Two active masks that show that the sets matter: half the participants are missing at one place.
    fn witness(&self, data: &InstructionData, here: Section, there: Section) -> Option<Witness> {
        let mask = data.mask().and_then(|mask| mask.constant()).map_or(u32::MAX, |mask| mask as u32);
        // The lower half of the participants, so that both halves have one.
        let lanes = mask.count_ones();
        let mut lower = 0u32;
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1).take(lanes as usize / 2) {
            lower |= 1 << lane;
        }
        (lower != 0).then(|| {
            if self.sets.contains(there, here) {
                Witness { here: lower, there: u32::MAX }
            } else if self.sets.contains(here, there) {
                Witness { here: u32::MAX, there: lower }
            } else {
                Witness { here: lower, there: !lower }
            }
        })
    }
}

fn no(reason: Reason, witness: Option<Witness>) -> Verdict {
    Verdict::No(Obstacle { reason, witness })
}
