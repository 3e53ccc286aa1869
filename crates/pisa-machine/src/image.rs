//! A program loaded: the address of every variable, the handle of every function.

use pisa_module::{FunctionId, Program, VariableId};
use std::sync::Arc;

/// A program and where its parts lie. Global objects live in the [`crate::Memory`] they were loaded into.
#[derive(Clone, Debug)]
pub struct Image {
    /// The program.
    pub program: Arc<Program>,
    /// By variable: its address; for a private one its offset in the frame of its function, for a shared one its
    /// address in the work-group's shared memory.
    pub(crate) addresses: Vec<u64>,
    /// By function: bytes of private memory an activation takes, a multiple of 16.
    pub(crate) frame_sizes: Vec<u32>,
    /// Bytes of shared memory for static variables.
    pub(crate) shared_size: u32,
}

/// First function handle; handles are 16 apart and lie outside every address range (C-04).
pub const FUNCTION_HANDLE_BASE: u64 = 0x7F00_0000_0000_0000;

impl Image {
    /// Address of a variable; for a private one its offset in the frame of its function.
    pub fn address(&self, id: VariableId) -> u64 {
        self.addresses[id.index()]
    }
    /// Bytes of private memory one activation of the function takes.
    pub fn frame_size(&self, id: FunctionId) -> u32 {
        self.frame_sizes[id.index()]
    }
    /// Bytes of shared memory for static variables; dynamic blocks follow.
    pub fn shared_size(&self) -> u32 {
        self.shared_size
    }
    /// The handle `addrof` gives for a function.
    pub fn handle(&self, id: FunctionId) -> u64 {
        FUNCTION_HANDLE_BASE + 16 * u64::from(id.0)
    }
    /// The function of a handle; `None` for anything else, kernels included.
    pub fn function_of(&self, handle: u64) -> Option<FunctionId> {
        let distance = handle.checked_sub(FUNCTION_HANDLE_BASE)?;
        let id = FunctionId(u32::try_from(distance / 16).ok()?);
        let function = self.program.module().functions.get(id.index())?;
        (distance.is_multiple_of(16) && !function.is_kernel()).then_some(id)
    }
}
