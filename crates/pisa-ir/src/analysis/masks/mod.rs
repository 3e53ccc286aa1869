//! Facts about 32-bit values as masks of lanes, and about active sets.
//!
//! A fact holds of the value in each lane that has it. Where it names a token it speaks of the lanes that ran the place of the token when this lane ran it
//! last. That is never an older run than the one in which the value was made: the place of the token dominates that of the value, so that control
//! cannot come from the former to a use of the value without making the value anew.

mod bitwise;
mod transfer;

use super::{ControlFlow, Strength, Uniformity};
use crate::active_sets::{ActiveSets, Section};
use crate::{
    ActiveSet, Block, CrossLane, CrossLaneKind, Definition, Function, Operand, Operation, Position, Value,
};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{RegisterType, SpecialRegister};

/// What is known of a 32-bit value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaskFact {
    /// Bits that are 0.
    pub zeros: u32,
    /// Bits that are 1.
    pub ones: u32,
    /// Whether at least one bit is 1.
    pub non_empty: bool,
    /// Whether at most one bit is 1.
    pub at_most_one: bool,
    /// Whether the own lane's bit is 1; `None` where that is not known.
    pub own: Option<bool>,
    /// Whether no bit but the own lane's is 1.
    pub only_own: bool,
    /// An active set that it is a subset of.
    pub within: Option<ActiveSet>,
    /// An active set that it contains.
    pub covers: Option<ActiveSet>,
}

impl MaskFact {
    /// Nothing is known.
    pub const UNKNOWN: MaskFact = MaskFact {
        zeros: 0,
        ones: 0,
        non_empty: false,
        at_most_one: false,
        own: None,
        only_own: false,
        within: None,
        covers: None,
    };

    /// Of a constant.
    pub fn constant(bits: u32) -> MaskFact {
        MaskFact { zeros: !bits, ones: bits, ..MaskFact::UNKNOWN }.complete()
    }
    /// The bits, if all are known.
    pub fn bits(&self) -> Option<u32> {
        (self.zeros | self.ones == u32::MAX).then_some(self.ones)
    }
    /// Whether exactly one bit is 1.
    pub fn is_single(&self) -> bool {
        self.non_empty && self.at_most_one
    }
    /// Whether it is a subset of this active set.
    pub fn is_within(&self, active: ActiveSet) -> bool {
        self.zeros == u32::MAX || self.within == Some(active)
    }
    /// Whether it contains this active set.
    pub fn does_cover(&self, active: ActiveSet) -> bool {
        self.ones == u32::MAX || self.covers == Some(active)
    }
    /// The same with what follows from it.
    fn complete(mut self) -> MaskFact {
        // A lane is among those that ran the place of a token with it.
        if self.ones == u32::MAX || self.covers.is_some() {
            self.own = Some(true);
        }
        if self.zeros == u32::MAX {
            self.own = Some(false);
        }
        self.non_empty |= self.ones != 0 || self.own == Some(true);
        self.at_most_one |= self.only_own || self.zeros.count_ones() >= 31;
        if self.at_most_one && self.ones.count_ones() == 1 {
            self.zeros = !self.ones;
        }
        if self.non_empty && self.zeros.count_ones() == 31 {
            self.ones = !self.zeros;
        }
        self
    }
    /// What holds of both.
    fn join(self, other: MaskFact) -> MaskFact {
        // The empty and the full mask stand to all active sets alike.
        let both = |a: Option<ActiveSet>, a_any: bool, b: Option<ActiveSet>, b_any: bool| match (a_any, b_any)
        {
            (true, _) => b,
            (_, true) => a,
            _ => a.filter(|_| a == b),
        };
        let is_empty = |fact: &MaskFact| fact.zeros == u32::MAX;
        let is_full = |fact: &MaskFact| fact.ones == u32::MAX;
        MaskFact {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            non_empty: self.non_empty && other.non_empty,
            at_most_one: self.at_most_one && other.at_most_one,
            own: self.own.filter(|_| self.own == other.own),
            only_own: (self.only_own || is_empty(&self)) && (other.only_own || is_empty(&other)),
            within: both(self.within, is_empty(&self), other.within, is_empty(&other)),
            covers: both(self.covers, is_full(&self), other.covers, is_full(&other)),
        }
    }
}

/// Facts about the 32-bit values of a function.
#[derive(Clone, Debug)]
pub struct MaskFacts {
    /// By value; `None` where nothing defines it, or while nothing has been said yet.
    facts: Vec<Option<MaskFact>>,
}

/// After so many rounds parameters that loops go back to are given up.
const MOST_ROUNDS: usize = 12;

impl MaskFacts {
    /// Of a function.
    pub fn of(function: &Function, flow: &ControlFlow) -> MaskFacts {
        let mut masks = MaskFacts { facts: vec![None; function.values.len()] };
        for round in 0.. {
            // Facts are lost from round to round, mostly in the first ones; what is given up is never found again.
            if !masks.round(function, flow, round >= MOST_ROUNDS) || round > MOST_ROUNDS {
                break;
            }
        }
        masks
    }

    /// What is known of a value; nothing if it is not of 32 bits.
    pub fn fact(&self, value: Value) -> MaskFact {
        self.facts.get(value.index()).copied().flatten().unwrap_or_default()
    }
    /// What is known of an operand.
    pub fn of_operand(&self, operand: Operand) -> MaskFact {
        match operand {
            Operand::Value(value) => self.fact(value),
            _ => self.known(operand).unwrap_or_default(),
        }
    }
    /// Whether a mask has at least one lane of an active set, in each lane that is in it.
    pub fn has_participants(&self, mask: Operand, active: ActiveSet) -> bool {
        let fact = self.of_operand(mask);
        fact.own == Some(true) || fact.does_cover(active) || fact.non_empty && fact.is_within(active)
    }

    /// Whether at most one lane is active in a section: one for which the lane's number is some uniform number, or that was elected.
    pub fn has_one_lane(
        &self,
        function: &Function,
        sets: &ActiveSets,
        uniformity: &Uniformity,
        section: Section,
    ) -> bool {
        let mut class = Some(sets.class(section));
        while let Some(inner) = class {
            if sets.arm(function, inner).is_some_and(|arm| {
                let at = sets.end(arm.from);
                self.is_one_lane(function, uniformity, arm.condition, arm.taken, at)
            }) {
                return true;
            }
            class = sets.parent(inner);
        }
        false
    }

    /// Whether the condition is `wanted` in at most one of the lanes that run a place together.
    fn is_one_lane(
        &self,
        function: &Function,
        uniformity: &Uniformity,
        condition: Operand,
        wanted: bool,
        at: Position,
    ) -> bool {
        let wanted = wanted != matches!(condition, Operand::Negated(_));
        let Some(value) = condition.value() else { return false };
        let Some(data) = function.defining(value).map(|instruction| function.instruction(instruction)) else {
            return false;
        };
        match &data.operation {
            Operation::CrossLane(CrossLane { kind: CrossLaneKind::Elect, .. }) => {
                // The same run of the same lanes elected and branches.
                let here = data.active == Some(function.active_at(at.block, at.index as usize));
                let active = data.active.unwrap_or(ActiveSet::Entry(at.block));
                let all = data.mask().is_some_and(|mask| self.of_operand(mask).does_cover(active));
                wanted && here && all
            }
            Operation::Table { .. } if data.operation.opcode() == Some(Opcode::Ucmp) => {
                let [a, b] = data.operands[..] else { return false };
                let is_lane = |operand| self.is_lane_number(function, operand);
                let other = if is_lane(a) { b } else { a };
                let how = data.operation.qualifier(SlotName::Cop);
                let equal =
                    matches!((how, wanted), (Some(Qualifier::Eq), true) | (Some(Qualifier::Ne), false));
                equal
                    && (is_lane(a) || is_lane(b))
                    && uniformity.strength_at(other, at) != Strength::Divergent
            }
            _ => false,
        }
    }

    /// Whether an operand is `%laneid` or a copy of it.
    fn is_lane_number(&self, function: &Function, operand: Operand) -> bool {
        if operand == Operand::Special(SpecialRegister::LaneId) {
            return true;
        }
        let Some(data) = function.defining_operand(operand) else { return false };
        data.operation.opcode() == Some(Opcode::Mov)
            && data.operands.first() == Some(&Operand::Special(SpecialRegister::LaneId))
    }

    /// Looks at everything once; whether something has changed. `give_up`: of parameters that loops go back to nothing is said.
    fn round(&mut self, function: &Function, flow: &ControlFlow, give_up: bool) -> bool {
        let mut changed = false;
        for &block in flow.reverse_post_order() {
            for (number, &parameter) in function.block(block).parameters.iter().enumerate() {
                if function.value(parameter).ty == RegisterType::scalar(32) {
                    let fact = self.parameter(function, flow, block, number, give_up);
                    changed |= self.set(parameter, fact);
                }
            }
            for &instruction in &function.block(block).instructions {
                let data = function.instruction(instruction);
                for &result in &data.results {
                    if function.value(result).ty == RegisterType::scalar(32) {
                        debug_assert!(matches!(function.value(result).definition, Definition::Result(..)));
                        let fact = self.result(function, data);
                        changed |= self.set(result, Some(fact));
                    }
                }
            }
        }
        changed
    }

    fn set(&mut self, value: Value, fact: Option<MaskFact>) -> bool {
        let fact = fact.map(MaskFact::complete);
        std::mem::replace(&mut self.facts[value.index()], fact) != fact
    }

    fn parameter(
        &self,
        function: &Function,
        flow: &ControlFlow,
        block: Block,
        number: usize,
        give_up: bool,
    ) -> Option<MaskFact> {
        let mut all: Option<MaskFact> = None;
        if function.entry() == Some(block) {
            return Some(MaskFact::UNKNOWN);
        }
        for edge in flow.reachable_predecessors(block) {
            if give_up && flow.order(edge.from) >= flow.order(block) {
                return Some(MaskFact::UNKNOWN);
            }
            let argument = function.targets(edge.from)[edge.number as usize].arguments.get(number).copied();
            // What has not been reached says nothing yet.
            if let Some(fact) = argument.and_then(|argument| self.known(argument)) {
                all = Some(all.map_or(fact, |all| all.join(fact)));
            }
        }
        all
    }

    /// What is known of an operand; `None` while nothing has been said.
    fn known(&self, operand: Operand) -> Option<MaskFact> {
        Some(match operand {
            Operand::Value(value) => return self.facts[value.index()],
            Operand::Constant(constant) if constant.ty.total_bits() <= 32 => {
                MaskFact::constant(constant.bits() as u32)
            }
            Operand::Special(SpecialRegister::LaneId) => MaskFact { zeros: !31, ..MaskFact::UNKNOWN },
            Operand::Special(SpecialRegister::SubgroupSize) => MaskFact::constant(32),
            Operand::Special(SpecialRegister::WorkDim) => MaskFact { zeros: !3, ..MaskFact::UNKNOWN },
            _ => MaskFact::UNKNOWN,
        })
    }
}
