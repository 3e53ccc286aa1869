//! Reductions and scans over lanes.

use super::arithmetic::{all, combine, identity};
use super::{LANES, lanes_of};
use crate::{ClusterSize, Element, Reduction, Scope};

/// A reduction or scan of one element of the data.
pub(super) struct Reduce<'a> {
    pub(super) reduction: Reduction,
    pub(super) scope: Scope,
    /// The runs of lanes that are combined apart.
    pub(super) cluster: ClusterSize,
    /// Whether lanes are combined by a partition rather than in runs, which decides about the order.
    pub(super) partitioned: bool,
    pub(super) element: Element,
    /// The element by lane.
    pub(super) data: &'a [u128; LANES],
}

/// The lanes of the cluster of a lane.
pub(super) fn cluster_of(lane: usize, size: ClusterSize) -> u32 {
    let size = usize::from(size.lanes());
    let first = lane / size * size;
    (first..first + size).fold(0, |set, lane| set | 1 << lane)
}

impl Reduce<'_> {
    /// What a lane gets of the lanes that are combined with it, of which it is one.
    pub(super) fn of_lane(&self, lane: usize, combined: u32) -> u128 {
        let before = lanes_of(combined).filter(|&other| other < lane).count();
        let members: Vec<usize> = lanes_of(combined).collect();
        let values: Vec<u128> = members.iter().map(|&member| self.data[member]).collect();
        let ordered = self.reduction.has_order(self.element);
        match self.scope {
            Scope::Reduce if !ordered => self.all(&values),
            Scope::Inclusive if !ordered => self.all(&values[..=before]),
            Scope::Exclusive if !ordered => self.all(&values[..before]),
            Scope::Reduce if !self.partitioned && combined == cluster_of(lane, self.cluster) => {
                self.tree(lane)
            }
            Scope::Reduce => self.in_lane_order(&values),
            Scope::Inclusive => self.doubled(values)[before],
            Scope::Exclusive if before == 0 => identity(self.reduction, self.element),
            Scope::Exclusive => self.doubled(values)[before - 1],
        }
    }

    fn all(&self, values: &[u128]) -> u128 {
        all(self.reduction, self.element, values)
    }

    fn combine(&self, first: u128, second: u128) -> u128 {
        combine(self.reduction, self.element, first, second)
    }

    /// Partners at distance c/2, …, 2, 1: each lane combines its own value, first, with that of its partner.
    fn tree(&self, lane: usize) -> u128 {
        let mut values = *self.data;
        let mut distance = usize::from(self.cluster.lanes()) / 2;
        while distance > 0 {
            let step = values;
            for (own, value) in values.iter_mut().enumerate() {
                *value = self.combine(step[own], step[own ^ distance]);
            }
            distance /= 2;
        }
        values[lane]
    }

    /// From the lowest lane up.
    fn in_lane_order(&self, values: &[u128]) -> u128 {
        let combined = values.iter().copied().reduce(|sum, value| self.combine(sum, value));
        combined.unwrap_or_else(|| identity(self.reduction, self.element))
    }

    /// The inclusive scan: in step k = 1, 2, 4, … each participant combines what the k-th before it has, first, with its own.
    fn doubled(&self, mut values: Vec<u128>) -> Vec<u128> {
        let mut k = 1;
        while k < LANES {
            let step = values.clone();
            for rank in k..values.len() {
                values[rank] = self.combine(step[rank - k], step[rank]);
            }
            k *= 2;
        }
        values
    }
}
