//! How work-items are numbered: what every engine needs to start work-groups and to fill special registers.

use crate::{LANES, Launch};
use pisa_module::{Dimension, SpecialRegister};

impl Launch {
    /// Work-groups per dimension: the global size over the work-group size, rounded up.
    pub fn group_count(&self) -> [u64; 3] {
        [0, 1, 2].map(|d| self.global[d].div_ceil(u64::from(self.local[d])))
    }

    /// All work-groups.
    pub fn groups(&self) -> u64 {
        self.group_count().iter().product()
    }

    /// The id of the work-group with this number in the fixed order, x fastest; the number is below [`Launch::groups`].
    pub fn group_id(&self, number: u64) -> [u64; 3] {
        let [x, y, _] = self.group_count();
        [number % x, number / x % y, number / x / y]
    }

    /// Size of the work-group with this id: smaller at the far edges.
    pub fn local_size(&self, group: [u64; 3]) -> [u32; 3] {
        [0, 1, 2].map(|d| {
            let left = self.global[d] - group[d] * u64::from(self.local[d]);
            left.min(u64::from(self.local[d])) as u32
        })
    }

    /// The value of a special register that is the same for all work-items of a work-group; `None` for `%activemask`,
    /// `%laneid` and `%localid`.
    pub fn uniform_register(&self, register: SpecialRegister, group: [u64; 3]) -> Option<u64> {
        use SpecialRegister::*;
        let local_size = |d: Dimension| u64::from(self.local_size(group)[d as usize]);
        Some(match register {
            ActiveMask | LaneId | LocalId(_) => return None,
            EnqueuedLocalSize(d) => u64::from(self.local[d as usize]),
            GlobalOffset(d) => self.offset[d as usize],
            GlobalSize(d) => self.global[d as usize],
            GroupCount(d) => self.group_count()[d as usize],
            GroupId(d) => group[d as usize],
            LocalSize(d) => local_size(d),
            PrintfBuffer => self.printf_buffer,
            SubgroupSize => u64::from(LANES),
            WorkDim => u64::from(self.dimensions),
        })
    }
}

/// Work-items of a work-group of this size.
pub fn work_items(size: [u32; 3]) -> u32 {
    size.iter().product()
}

/// Sub-groups of a work-group of this size.
pub fn subgroups(size: [u32; 3]) -> u32 {
    work_items(size).div_ceil(LANES)
}

/// The lanes of a sub-group that exist: all but in a partial last one.
pub fn initial_mask(subgroup: u32, size: [u32; 3]) -> u32 {
    let left = work_items(size).saturating_sub(subgroup.saturating_mul(LANES));
    if left >= LANES { u32::MAX } else { (1 << left) - 1 }
}

/// `%localid` of the work-item with this number in its work-group: x fastest, over the actual size.
pub fn local_id(number: u32, size: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = size;
    [number % x, number / x % y, number / x / y]
}

/// `%localid` of the 32 lanes of a sub-group, by dimension; 0 for lanes that do not exist.
pub fn local_ids(subgroup: u32, size: [u32; 3]) -> [[u32; LANES as usize]; 3] {
    let mut ids = [[0; LANES as usize]; 3];
    let first = subgroup.saturating_mul(LANES);
    let last = work_items(size).min(first.saturating_add(LANES));
    for number in first..last {
        let id = local_id(number, size);
        for (dimension, values) in ids.iter_mut().enumerate() {
            values[(number - first) as usize] = id[dimension];
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use pisa_module::FunctionId;

    fn launch(global: [u64; 3], local: [u32; 3]) -> Launch {
        Launch {
            kernel: FunctionId(0),
            dimensions: 3,
            global,
            local,
            offset: [7, 8, 9],
            arguments: Vec::new(),
            shared_size: 0,
            shared_blocks: Vec::new(),
            printf_buffer: 0x1234_5678_9ABC,
            fuel: 1,
            threads: 1,
            max_call_depth: 1,
            schedule: crate::Schedule::default(),
        }
    }

    #[test]
    fn groups_come_x_first_and_are_smaller_at_the_edges() {
        let launch = launch([10, 5, 2], [4, 5, 1]);
        assert_eq!(launch.group_count(), [3, 1, 2]);
        assert_eq!(launch.groups(), 6);
        let ids: Vec<_> = (0..6).map(|n| launch.group_id(n)).collect();
        assert_eq!(ids, [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 1], [1, 0, 1], [2, 0, 1]]);
        assert_eq!(launch.local_size([1, 0, 0]), [4, 5, 1]);
        assert_eq!(launch.local_size([2, 0, 1]), [2, 5, 1]);
    }

    #[test]
    fn work_items_are_numbered_x_first_over_the_actual_size() {
        assert_eq!(local_id(0, [3, 2, 2]), [0, 0, 0]);
        assert_eq!(local_id(4, [3, 2, 2]), [1, 1, 0]);
        assert_eq!(local_id(11, [3, 2, 2]), [2, 1, 1]);
        let [x, y, z] = local_ids(1, [8, 5, 1]);
        assert_eq!((x[0], y[0], z[0]), (0, 4, 0));
        assert_eq!((x[7], y[7]), (7, 4));
        // Work-items 40 and on do not exist.
        assert_eq!((x[8], y[8]), (0, 0));
    }

    #[test]
    fn a_partial_sub_group_starts_with_fewer_lanes() {
        assert_eq!(subgroups([8, 5, 1]), 2);
        assert_eq!(initial_mask(0, [8, 5, 1]), u32::MAX);
        assert_eq!(initial_mask(1, [8, 5, 1]), 0xFF);
        assert_eq!(initial_mask(2, [8, 5, 1]), 0);
        assert_eq!((subgroups([1, 1, 1]), initial_mask(0, [1, 1, 1])), (1, 1));
        assert_eq!((subgroups([1024, 1, 1]), initial_mask(31, [1024, 1, 1])), (32, u32::MAX));
    }

    #[test]
    fn special_registers_follow_the_launch() {
        use Dimension::*;
        use SpecialRegister::*;
        let launch = launch([10, 5, 2], [4, 5, 1]);
        let read = |register| launch.uniform_register(register, [2, 0, 1]);
        assert_eq!(read(EnqueuedLocalSize(X)), Some(4));
        assert_eq!(read(LocalSize(X)), Some(2));
        assert_eq!(read(LocalSize(Y)), Some(5));
        assert_eq!(read(GlobalSize(Y)), Some(5));
        assert_eq!(read(GlobalOffset(Z)), Some(9));
        assert_eq!(read(GroupCount(X)), Some(3));
        assert_eq!(read(GroupId(Z)), Some(1));
        assert_eq!(read(PrintfBuffer), Some(0x1234_5678_9ABC));
        assert_eq!(read(SubgroupSize), Some(32));
        assert_eq!(read(WorkDim), Some(3));
        assert_eq!(read(LaneId), None);
        assert_eq!(read(ActiveMask), None);
        assert_eq!(read(LocalId(X)), None);
    }
}
