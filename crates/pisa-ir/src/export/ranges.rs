//! Sets of points of a function: where a register is taken.

use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Disjoint half-open ranges of points. Few lie in a sorted list, many in a tree, so that joining a small set to a large
/// one costs little.
#[derive(Clone, Debug)]
pub(super) enum Ranges {
    Few(SmallVec<[(u32, u32); 1]>),
    Many(BTreeMap<u32, u32>),
}

/// So many ranges at most lie in a list.
const FEW: usize = 24;

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges::Few(smallvec![])
    }
}

impl Ranges {
    /// Of ranges in any order that do not overlap but may touch.
    pub(super) fn of(mut ranges: Vec<(u32, u32)>) -> Ranges {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match joined.last_mut() {
                Some(last) if last.1 >= start => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        if joined.len() <= FEW {
            Ranges::Few(joined.into())
        } else {
            Ranges::Many(joined.into_iter().collect())
        }
    }
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn len(&self) -> usize {
        match self {
            Ranges::Few(list) => list.len(),
            Ranges::Many(tree) => tree.len(),
        }
    }
    /// From the first point to behind the last.
    pub(super) fn hull(&self) -> Option<(u32, u32)> {
        match self {
            Ranges::Few(list) => Some((list.first()?.0, list.last()?.1)),
            Ranges::Many(tree) => Some((*tree.first_key_value()?.0, *tree.last_key_value()?.1)),
        }
    }
    /// Whether any point of the range is in it.
    fn meets(&self, start: u32, end: u32) -> bool {
        match self {
            Ranges::Few(list) => {
                let before = list.partition_point(|range| range.0 < end);
                before > 0 && list[before - 1].1 > start
            }
            Ranges::Many(tree) => tree.range(..end).next_back().is_some_and(|(_, &last)| last > start),
        }
    }
    /// Whether the point is in it.
    pub(super) fn contains(&self, point: u32) -> bool {
        self.meets(point, point + 1)
    }
    /// Whether both have a point in common.
    pub(super) fn overlaps(&self, other: &Ranges) -> bool {
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        match small {
            Ranges::Few(list) => list.iter().any(|&(start, end)| large.meets(start, end)),
            Ranges::Many(tree) => tree.iter().any(|(&start, &end)| large.meets(start, end)),
        }
    }
    /// Takes in another set that does not overlap.
    pub(super) fn join(&mut self, other: Ranges) {
        let (mut large, small) = if self.len() >= other.len() {
            (std::mem::take(self), other)
        } else {
            (other, std::mem::take(self))
        };
        match (&mut large, small) {
            (Ranges::Few(list), Ranges::Few(more)) => {
                list.extend(more);
                *self = Ranges::of(std::mem::take(list).into_vec());
            }
            (Ranges::Many(tree), Ranges::Few(more)) => {
                tree.extend(more);
                *self = large;
            }
            (Ranges::Many(tree), Ranges::Many(more)) => {
                tree.extend(more);
                *self = large;
            }
            (Ranges::Few(_), Ranges::Many(more)) => *self = Ranges::Many(more),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn ranges_agree_with_a_list_of_points() {
        // Every second or third point, in lists and trees: whether two overlap is a matter of arithmetic.
        let every = |step: u32, count: u32, from: u32| {
            Ranges::of((0..count).map(|i| (from + i * step, from + i * step + 1)).collect())
        };
        for (count, many) in [(3, 3), (3, 100), (100, 3), (100, 100)] {
            let (even, odd) = (every(2, count, 0), every(2, many, 1));
            assert!(!even.overlaps(&odd) && !odd.overlaps(&even));
            assert!(even.overlaps(&every(3, many, 0)));
            assert!(even.contains(4) && !even.contains(5) && !even.contains(2 * count));
            let mut both = even.clone();
            both.join(odd);
            let points = 2 * count.min(many);
            assert!((0..points).all(|point| both.contains(point)));
            assert_eq!(both.hull(), Some((0, (2 * count - 1).max(2 * many))));
        }
        assert!(!Ranges::default().overlaps(&every(1, 5, 0)) && Ranges::default().is_empty());
    }
}
