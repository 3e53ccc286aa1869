//! What rules ask about a function.

use crate::active_sets::ActiveSets;
use crate::analysis::Uniformity;
use crate::{
    ActiveSet, CrossLaneKind as Kind, Function, InactiveSource, LaneMask, MaskOperation, Operand, Operation,
    Position, Scope,
};
use pisa_module::SpecialRegister;

/// A place of a function, and the token of the active set there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The place. What rules have put in is where it was put.
    pub position: Position,
    /// The token there.
    pub active: ActiveSet,
}

/// The answers to side conditions, see [`super::Condition`]. `false` is right for all of them.
///
/// Rules make new values while they are applied; an implementation knows nothing of values beyond those that the function had when it was
/// made, and says so with `false`.
pub trait Facts {
    /// Whether two tokens are one set each time.
    fn same_active_set(&self, a: ActiveSet, b: ActiveSet) -> bool {
        a == b
    }
    /// Whether all 32 lanes are active.
    fn is_full(&self, _active: ActiveSet) -> bool {
        false
    }
    /// Whether all active lanes have one value, which is defined.
    fn is_uniform(&self, function: &Function, operand: Operand, place: Place) -> bool {
        is_uniform(self, function, operand, place)
    }
    /// Whether the mask of each active lane has all active lanes.
    fn contains_active(&self, _function: &Function, mask: Operand, _place: Place) -> bool {
        mask == Operand::ALL_LANES
    }
    /// Whether the mask of each active lane has at most one active lane.
    fn at_most_one(&self, _function: &Function, mask: Operand, _place: Place) -> bool {
        mask.constant().is_some_and(|mask| mask.count_ones() <= 1)
    }
    /// Whether the lane is active, and in the mask of each active lane.
    fn is_member(&self, _function: &Function, lane: u32, mask: Operand, place: Place) -> bool {
        let constant = mask.constant();
        lane < 32 && self.is_full(place.active) && constant.is_some_and(|mask| mask >> lane & 1 == 1)
    }
    /// Whether the partners at this distance of active lanes in the mask are active and in the mask.
    fn is_closed_under_xor(&self, _function: &Function, mask: Operand, distance: u32, place: Place) -> bool {
        let distance = distance & 31;
        let closed = |mask: u32| (0..32).all(|lane| mask >> lane & 1 == mask >> (lane ^ distance) & 1);
        distance == 0 || self.is_full(place.active) && mask.constant().is_some_and(|mask| closed(mask as u32))
    }
    /// Whether an operand is defined in all active lanes.
    fn is_defined(&self, _function: &Function, operand: Operand) -> bool {
        !matches!(operand, Operand::Value(_) | Operand::Negated(_) | Operand::Dead)
    }
}

/// Instructions that [`is_uniform`] looks through at most.
const DEPTH: usize = 16;

/// Whether an operand is uniform by the instructions that make it, all of them under the token of the place.
fn is_uniform<F: Facts + ?Sized>(facts: &F, function: &Function, operand: Operand, place: Place) -> bool {
    let mut todo = vec![operand];
    let mut looked = 0;
    while let Some(operand) = todo.pop() {
        let value = match operand {
            Operand::Value(value) | Operand::Negated(value) => value,
            Operand::Special(
                SpecialRegister::LaneId | SpecialRegister::LocalId(_) | SpecialRegister::ActiveMask,
            )
            | Operand::Dead => return false,
            _ => continue,
        };
        looked += 1;
        let Some(data) = function.defining(value).map(|instruction| function.instruction(instruction)) else {
            return false;
        };
        if looked > DEPTH {
            return false;
        }
        let whole = data.mask().is_none_or(|mask| mask == Operand::ALL_LANES);
        match &data.operation {
            Operation::CrossLane(operation) => {
                let one_for_all = match operation.kind {
                    Kind::ActiveMask
                    | Kind::Ballot { .. }
                    | Kind::VoteAny
                    | Kind::VoteAll
                    | Kind::VoteAllEqual
                    | Kind::FirstParticipant
                    | Kind::ReadFirstInvocation
                    | Kind::MatchAll => true,
                    // Of several NaNs (P-04) lanes get different ones where each has its own value first.
                    Kind::Reduce { reduction, scope: Scope::Reduce, cluster, partitioned: false } => {
                        cluster.lanes() == 32 && !reduction.has_order(operation.element)
                    }
                    _ => false,
                };
                let here = data.active.is_some_and(|token| facts.same_active_set(token, place.active));
                // A datum that is undefined in some lanes makes no value for all.
                let defined = operation.has_data().then(|| data.operands[0]);
                let defined = defined.is_none_or(|operand| facts.is_defined(function, operand));
                if !(one_for_all && whole && here && defined) {
                    return false;
                }
            }
            Operation::Mask(
                MaskOperation::Lanes(
                    LaneMask::Equal
                    | LaneMask::Less
                    | LaneMask::LessEqual
                    | LaneMask::Greater
                    | LaneMask::GreaterEqual,
                )
                | MaskOperation::InverseBallot
                | MaskOperation::BitCount(Scope::Inclusive | Scope::Exclusive),
            )
            | Operation::Initial => return false,
            operation if operation.properties().is_pure() => todo.extend(data.operands.iter().copied()),
            _ => return false,
        }
    }
    true
}

/// What can be seen from instructions alone.
#[derive(Clone, Copy, Debug)]
pub struct LocalFacts {
    defined: bool,
}

impl LocalFacts {
    /// Of a function.
    pub fn of(function: &Function) -> LocalFacts {
        LocalFacts { defined: everything_is_defined(function) }
    }
}

impl Facts for LocalFacts {
    fn is_defined(&self, _function: &Function, operand: Operand) -> bool {
        operand != Operand::Dead && self.defined
    }
}

/// Whether no instruction of a function can leave anything undefined: as long as that holds, a lane has some value in everything.
fn everything_is_defined(function: &Function) -> bool {
    function.all_instructions().all(|(_, instruction)| {
        let data = function.instruction(instruction);
        let Operation::CrossLane(operation) = &data.operation else { return true };
        let whole = data.mask().is_none_or(|mask| mask == Operand::ALL_LANES);
        let keeps = whole || data.pass_through().is_none_or(|operand| operand != Operand::Dead);
        keeps
            && match operation.kind {
                Kind::ReadInvocation | Kind::QuadBroadcast | Kind::Derivative { .. } => false,
                Kind::Shuffle { .. } | Kind::Rotate(_) | Kind::QuadSwap(_) => {
                    operation.inactive == InactiveSource::Own
                }
                Kind::Reduce { partitioned, .. } => !partitioned,
                _ => true,
            }
    })
}

/// What the analyses of a function say.
pub struct AnalysedFacts<'a> {
    sets: &'a ActiveSets,
    uniformity: &'a Uniformity,
    values: usize,
    defined: bool,
}

impl<'a> AnalysedFacts<'a> {
    /// Of a function as it is now.
    pub fn of(function: &Function, sets: &'a ActiveSets, uniformity: &'a Uniformity) -> AnalysedFacts<'a> {
        AnalysedFacts {
            sets,
            uniformity,
            values: function.values.len(),
            defined: everything_is_defined(function),
        }
    }
}

impl Facts for AnalysedFacts<'_> {
    fn same_active_set(&self, a: ActiveSet, b: ActiveSet) -> bool {
        self.sets.same(a, b)
    }
    fn is_full(&self, active: ActiveSet) -> bool {
        self.sets.section(active).is_some_and(|section| self.sets.is_full(section))
    }
    fn is_uniform(&self, function: &Function, operand: Operand, place: Place) -> bool {
        if !self.is_defined(function, operand) {
            return matches!(operand, Operand::Constant(_));
        }
        let known = operand.value().is_none_or(|value| value.index() < self.values);
        known && self.uniformity.is_uniform_at(operand, place.position)
            || is_uniform(self, function, operand, place)
    }
    fn is_defined(&self, _function: &Function, operand: Operand) -> bool {
        operand != Operand::Dead && self.defined
    }
}
