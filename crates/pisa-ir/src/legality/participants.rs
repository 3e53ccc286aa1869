//! The set of lanes that take part in a cross-lane operation, in a form that can be compared.

use super::Legality;
use crate::active_sets::{ActiveSets, Section};
use crate::{CrossLaneKind, Function, InstructionData, Operand};
use smallvec::SmallVec;

/// A predicate that holds or does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// The predicate, not negated.
    pub operand: Operand,
    /// Whether it shall be true.
    pub holds: bool,
}

impl Condition {
    fn new(operand: Operand, holds: bool) -> Condition {
        match operand {
            Operand::Negated(value) => Condition { operand: Operand::Value(value), holds: !holds },
            _ => Condition { operand, holds },
        }
    }
}

/// The lanes of a class for which conditions hold, and that are in a mask.
///
/// Two operations with equal participants have the same lanes taking part each time they run. Different ones may still have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participants {
    /// The leader of the outermost class that they are an arm of, or an arm of an arm.
    pub class: Section,
    /// What holds for their lanes, outermost first.
    pub conditions: SmallVec<[Condition; 2]>,
    /// The mask; all ones where the operation has none.
    pub mask: Operand,
}

impl Participants {
    /// Of an operation in a section; `None` for what is no cross-lane operation.
    pub fn of(
        function: &Function,
        legality: &Legality<'_>,
        data: &InstructionData,
        section: Section,
    ) -> Option<Participants> {
        let operation = data.cross_lane()?;
        let sets = legality.sets();
        let mut class = sets.class(section);
        let mut conditions: SmallVec<[Condition; 2]> = SmallVec::new();
        while let Some(arm) = sets.arm(function, class) {
            conditions.push(Condition::new(arm.condition, arm.taken));
            class = sets.class(arm.from);
        }
        conditions.reverse();
        let mut mask = if operation.has_mask() { data.mask()? } else { Operand::ALL_LANES };
        // A ballot under the same set as a mask is a condition as well.
        if let Some(ballot) = function.defining_operand(mask)
            && let Some(inner) = ballot.cross_lane()
            && inner.kind == (CrossLaneKind::Ballot { bits: 32 })
            && let (Some(Operand::Value(predicate)), Some(Operand::ALL_LANES), Some(active)) =
                (ballot.data(), ballot.mask(), ballot.active)
            && sets.section(active).is_some_and(|at| sets.equal(at, section))
        {
            conditions.push(Condition::new(Operand::Value(predicate), true));
            mask = Operand::ALL_LANES;
        }
        Some(Participants { class, conditions, mask })
    }
}

/// The conditions of the arms that lead from the class of `outer` to that of `inner`, outermost first; `None` where anything else is in
/// between. Empty if the classes are equal.
pub(super) fn arms_between(
    function: &Function,
    sets: &ActiveSets,
    inner: Section,
    outer: Section,
) -> Option<SmallVec<[Condition; 2]>> {
    let outer = sets.class(outer);
    let mut class = sets.class(inner);
    let mut conditions = SmallVec::new();
    while class != outer {
        let arm = sets.arm(function, class)?;
        conditions.push(Condition::new(arm.condition, arm.taken));
        class = sets.class(arm.from);
    }
    conditions.reverse();
    Some(conditions)
}
