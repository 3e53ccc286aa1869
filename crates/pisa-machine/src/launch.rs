//! A launch: which kernel, over which range, with which arguments.

use pisa_module::FunctionId;

/// Everything an engine needs to run a kernel once. Built and checked by the launch builder; its numbers are in range.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: FunctionId,
    /// Dimensions in use, 1 to 3.
    pub dimensions: u32,
    /// Global size, each at least 1 (1 in unused dimensions).
    pub global: [u64; 3],
    /// Work-group size, each at least 1, product at most [`MAX_WORK_GROUP_SIZE`].
    pub local: [u32; 3],
    /// Global offset.
    pub offset: [u64; 3],
    /// The argument buffer (K-02), by the parameters' offsets.
    pub arguments: Vec<u8>,
    /// Bytes of shared memory a work-group gets, static variables and dynamic blocks together.
    pub shared_size: u32,
    /// Value of `%printfbuffer`, 0 for none.
    pub printf_buffer: u64,
    /// 32-lane instructions that may be executed.
    pub fuel: u64,
    /// Host threads; 1 is the fixed round-robin order.
    pub threads: usize,
    /// Deepest call stack (F-08).
    pub max_call_depth: u32,
}

/// Most work-items in a work-group (K-09).
pub const MAX_WORK_GROUP_SIZE: u32 = 1024;
/// Lanes of a sub-group.
pub const LANES: u32 = 32;

impl Launch {
    /// Work-groups per dimension: the global size over the work-group size, rounded up.
    pub fn group_count(&self) -> [u64; 3] {
        [0, 1, 2].map(|d| self.global[d].div_ceil(u64::from(self.local[d])))
    }
    /// Size of the work-group with this id: smaller at the far edges.
    pub fn local_size(&self, group: [u64; 3]) -> [u32; 3] {
        [0, 1, 2].map(|d| {
            let left = self.global[d] - group[d] * u64::from(self.local[d]);
            left.min(u64::from(self.local[d])) as u32
        })
    }
}
