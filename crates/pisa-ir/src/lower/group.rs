//! Which lanes an operation is about.

use crate::lower::emit::Emitter;
use crate::{ClusterSize, LaneMask, Operand};

/// The lanes that take part, and what the others keep.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// The mask operand; all lanes have the same (S-01).
    pub(super) mask: Operand,
    /// What lanes outside the mask keep; dead where nobody looks.
    pub(super) kept: Operand,
    /// Whether the active set is known to be full.
    pub(super) is_full: bool,
}

impl Group {
    pub(super) fn new(mask: Operand, kept: Operand, is_full: bool) -> Group {
        let kept = if mask == Operand::ALL_LANES { Operand::Dead } else { kept };
        Group { mask, kept, is_full }
    }
    /// The same lanes for a value in between, which nobody outside looks at.
    pub(super) fn inner(self) -> Group {
        Group { kept: Operand::Dead, ..self }
    }
    /// Whether somebody keeps something.
    pub(super) fn keeps(self) -> bool {
        self.kept != Operand::Dead
    }
    /// Whether every active lane takes part.
    pub(super) fn has_everyone(self) -> bool {
        self.mask == Operand::ALL_LANES
    }
    /// Whether all 32 lanes are known to take part.
    pub(super) fn is_whole(self) -> bool {
        self.is_full && self.has_everyone()
    }
    /// Whether all 32 lanes can take part, for all that is known.
    pub(super) fn can_be_whole(self) -> bool {
        self.has_everyone() || self.mask.constant().is_none()
    }
}

/// The lanes whose values are combined.
#[derive(Clone, Copy)]
pub(super) struct Set {
    pub(super) group: Group,
    pub(super) cluster: ClusterSize,
    /// By lane the mask of its part; then the cluster is full.
    pub(super) partition: Option<Operand>,
}

impl Set {
    /// Lanes of a cluster.
    pub(super) fn size(&self) -> u32 {
        u32::from(self.cluster.lanes())
    }
    /// Whether it is the whole group for each of its lanes.
    pub(super) fn is_one(&self) -> bool {
        self.size() == 32 && self.partition.is_none()
    }
    /// Whether it is the active set, which can be read again wherever it is needed.
    pub(super) fn is_active_set(&self) -> bool {
        self.is_one() && self.group.has_everyone()
    }
    /// Whether all lanes of each cluster are known to take part.
    pub(super) fn is_whole(&self) -> bool {
        self.group.is_whole() && self.partition.is_none()
    }

    /// The set as each lane has it, cut to lanes that stand so to the own one: one instruction for two or three of the active
    /// set, the mask, the cluster, the partition and the relation.
    pub(super) fn lanes(&self, emitter: &mut Emitter<'_>, relation: Option<LaneMask>) -> Operand {
        let mut parts: Vec<Operand> = self.partition.into_iter().collect();
        if self.size() < 32 {
            parts.push(emitter.cluster_mask(self.size()));
        }
        if let Some(relation) = relation {
            parts.push(emitter.lane_mask(relation));
        }
        // The next instruction has `%activemask` as its operand.
        parts.splice(0..0, self.group.parts(emitter));
        emitter.all_of(&parts)
    }
}

impl Group {
    /// The lanes that take part as masks whose common lanes they are.
    pub(super) fn parts(self, emitter: &mut Emitter<'_>) -> Vec<Operand> {
        let mut parts = Vec::new();
        if !self.is_full {
            parts.push(emitter.active_mask());
        }
        if !self.has_everyone() {
            parts.push(self.mask);
        }
        parts
    }
    /// The lanes that take part.
    pub(super) fn lanes(self, emitter: &mut Emitter<'_>) -> Operand {
        let parts = self.parts(emitter);
        emitter.all_of(&parts)
    }
    /// A predicate that says whether all 32 lanes take part.
    pub(super) fn test_whole(self, emitter: &mut Emitter<'_>) -> Operand {
        let lanes = self.lanes(emitter);
        emitter.test("ucmp.eq.32b", &[lanes, Operand::ALL_LANES])
    }
}
