//! A launch: which kernel, over which range, with which arguments.

mod arguments;
mod build;
mod error;
mod spec;

pub use build::{BufferInfo, Prepared};
pub use error::{LaunchError, kernel_signature};
pub use spec::{Argument, Extent, LaunchSpec};

use crate::Schedule;
use pisa_module::FunctionId;

/// Everything an engine needs to run a kernel once. Built and checked by [`LaunchSpec::prepare`]; its numbers are in
/// range.
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
    /// The dynamic blocks of it (V-18), by address.
    pub shared_blocks: Vec<SharedBlock>,
    /// Value of `%printfbuffer`, 0 for none.
    pub printf_buffer: u64,
    /// 32-lane instructions that may be executed.
    pub fuel: u64,
    /// Host threads; 1 is the fixed round-robin order.
    pub threads: usize,
    /// Deepest call stack (F-08).
    pub max_call_depth: u32,
    /// Which of the lanes of a sub-group that can run go on.
    pub schedule: Schedule,
}

/// A block of shared memory that the host gives each work-group (V-18).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedBlock {
    /// The parameter that points to it.
    pub name: Box<str>,
    /// Its shared address.
    pub address: u32,
    /// Its size in bytes.
    pub size: u32,
}

/// Most work-items in a work-group (K-09).
pub const MAX_WORK_GROUP_SIZE: u32 = 1024;
/// Most work-items of a launch. More could not even start: each takes part in an instruction at least, and no fuel that
/// a machine uses up in a lifetime is enough for them.
pub const MAX_WORK_ITEMS: u64 = 1 << 48;
/// Lanes of a sub-group.
pub const LANES: u32 = 32;
/// Fuel of a launch that names none.
pub const DEFAULT_FUEL: u64 = 100_000_000_000;
/// Deepest call stack of a launch that names none (F-08).
pub const DEFAULT_CALL_DEPTH: u32 = 1024;
/// Work-group size along x where neither the launch nor the kernel says one and the range is long enough.
pub const DEFAULT_LOCAL_SIZE: u64 = 256;
