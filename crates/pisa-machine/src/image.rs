//! A program loaded: the address of every variable, the handle of every function.

use crate::memory::{align_up, place_exactly};
use crate::{Contents, Memory, OutOfMemory};
use pisa_module::{FunctionId, Initializer, Program, Space, VariableId};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A program and where its parts lie. Global objects live in the [`crate::Memory`] they were loaded into.
#[derive(Clone, Debug)]
pub struct Image {
    /// The program.
    pub program: Arc<Program>,
    /// By variable: its address; for a private one its offset in the frame of its function, for a shared one its
    /// address in the work-group's shared memory.
    addresses: Vec<u64>,
    /// By function: bytes of private memory an activation takes.
    frame_sizes: Vec<u32>,
    /// Every frame starts at a multiple of this.
    frame_align: u32,
    /// Bytes of shared memory for static variables.
    shared_size: u32,
    /// Variables of the module by name.
    variables: FxHashMap<Box<str>, VariableId>,
    /// Variables by the name in their `.host_access`.
    host_names: FxHashMap<Box<str>, VariableId>,
    /// Kernels and functions by name.
    functions: FxHashMap<Box<str>, FunctionId>,
}

/// First function handle; handles are 16 apart and lie outside every address range (C-04).
pub const FUNCTION_HANDLE_BASE: u64 = 0x7F00_0000_0000_0000;
/// Most bytes of shared memory of a work-group, dynamic blocks included.
pub const MAX_SHARED_SIZE: u64 = 16 << 20;
/// Most bytes of private memory an activation of a function takes.
pub const MAX_FRAME_SIZE: u64 = 16 << 20;
/// The least alignment of frames and of dynamic shared blocks (V-18).
pub(crate) const LEAST_FRAME_ALIGNMENT: u64 = 16;

impl Image {
    /// Places a program's variables: those of global and constant memory in `memory`, with their initial values; shared
    /// and private ones at exactly their alignment (V-04) in the work-group's shared memory (V-17) and in the frame of
    /// their function (V-16). They keep their values from launch to launch (V-13).
    pub fn load(program: Arc<Program>, memory: &mut Memory) -> Result<Image, LoadError> {
        let module = program.module();
        let mut image = Image {
            addresses: vec![0; module.variables.len()],
            frame_sizes: vec![0; module.functions.len()],
            frame_align: 0,
            shared_size: 0,
            variables: FxHashMap::default(),
            host_names: FxHashMap::default(),
            functions: FxHashMap::default(),
            program: Arc::clone(&program),
        };
        for (id, function) in program.functions() {
            image.functions.insert(function.name.clone(), id);
        }
        let mut shared_end = 0u64;
        let mut frame_ends = vec![0u64; module.functions.len()];
        let mut frame_align = LEAST_FRAME_ALIGNMENT;
        for (i, variable) in module.variables.iter().enumerate() {
            let id = VariableId(i as u32);
            let align = u64::from(variable.align.max(1));
            let name = || format!("@{}", variable.name);
            let address = match variable.space {
                Space::Global | Space::Const => {
                    let contents = Contents::Undefined(variable.size);
                    let writable = variable.space == Space::Global;
                    memory.allocate_with(&name(), contents, variable.align.max(1), writable)?
                }
                Space::Shared => extend(&mut shared_end, variable.size, align, MAX_SHARED_SIZE)
                    .ok_or_else(|| LoadError::SharedMemory { variable: name() })?,
                Space::Private => {
                    let owner = variable.owner.map_or(0, FunctionId::index);
                    let end = frame_ends.get_mut(owner).ok_or(LoadError::Orphan { variable: name() })?;
                    // At a base that is a multiple of twice the alignment, the offset decides the exact alignment.
                    frame_align = frame_align.max(2 * align);
                    extend(end, variable.size, align, MAX_FRAME_SIZE).ok_or_else(|| {
                        LoadError::PrivateMemory {
                            variable: name(),
                            function: module.functions[owner].name.to_string(),
                        }
                    })?
                }
            };
            image.addresses[i] = address;
            if variable.owner.is_none() {
                image.variables.insert(variable.name.clone(), id);
            }
            if let Some(host_name) = &variable.host_access {
                image.host_names.insert(host_name.clone(), id);
            }
        }
        image.shared_size = shared_end as u32;
        image.frame_align = frame_align as u32;
        for (size, end) in image.frame_sizes.iter_mut().zip(frame_ends) {
            *size = align_up(end, frame_align).unwrap_or(end) as u32;
        }
        image.initialize(memory)?;
        Ok(image)
    }

    /// Writes the initial values of global and constant variables.
    fn initialize(&self, memory: &Memory) -> Result<(), LoadError> {
        for (i, variable) in self.program.module().variables.iter().enumerate() {
            let Some(parts) = &variable.initializer else { continue };
            if !matches!(variable.space, Space::Global | Space::Const) {
                continue;
            }
            let name = || format!("@{}", variable.name);
            let address = self.addresses[i];
            let object = memory.find(address, variable.size);
            let object = object.ok_or_else(|| LoadError::Orphan { variable: name() })?;
            let mut offset = 0u64;
            for part in parts {
                let left = variable.size.saturating_sub(offset);
                if part.bytes() > left {
                    return Err(LoadError::Initializer { variable: name() });
                }
                match *part {
                    Initializer::Zero(count) => write_zeros(object, offset, count),
                    Initializer::Value { bytes, value } => {
                        let bytes = usize::from(bytes).min(8);
                        object.write(offset, &value.to_le_bytes()[..bytes]);
                    }
                    Initializer::Variable(id, distance) => {
                        let value = self.address(id).wrapping_add_signed(distance);
                        object.write(offset, &value.to_le_bytes());
                    }
                    Initializer::Function(id) => object.write(offset, &self.handle(id).to_le_bytes()),
                }
                offset += part.bytes();
            }
            object.give(offset);
        }
        Ok(())
    }

    /// Address of a variable; for a private one its offset in the frame of its function.
    #[inline]
    pub fn address(&self, id: VariableId) -> u64 {
        self.addresses[id.index()]
    }
    /// Bytes of private memory one activation of the function takes, a multiple of [`Image::frame_align`]; 0 without
    /// private variables.
    #[inline]
    pub fn frame_size(&self, id: FunctionId) -> u32 {
        self.frame_sizes[id.index()]
    }
    /// Where a frame may start: multiples of this, a power of two and at least 16. As all frame sizes are multiples of
    /// it, frames that are stacked from 0 on keep to it.
    pub fn frame_align(&self) -> u32 {
        self.frame_align
    }
    /// Bytes of shared memory for static variables; dynamic blocks follow.
    pub fn shared_size(&self) -> u32 {
        self.shared_size
    }
    /// The handle `addrof` gives for a function.
    #[inline]
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

    /// A variable of the module by its name, with or without `@`.
    pub fn variable(&self, name: &str) -> Option<VariableId> {
        self.variables.get(name.strip_prefix('@').unwrap_or(name)).copied()
    }
    /// A variable by the name in its `.host_access` (V-19).
    pub fn host_variable(&self, name: &str) -> Option<VariableId> {
        self.host_names.get(name).copied()
    }
    /// A kernel by its name, with or without `@`.
    pub fn kernel(&self, name: &str) -> Option<FunctionId> {
        self.function(name).filter(|&id| self.program.function(id).is_kernel())
    }
    /// A kernel or function by its name, with or without `@`.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(name.strip_prefix('@').unwrap_or(name)).copied()
    }
}

/// Places an object behind the others of a space that starts at 0; `None` above `limit`.
fn extend(end: &mut u64, size: u64, align: u64, limit: u64) -> Option<u64> {
    let address = place_exactly(*end, align)?;
    let new_end = address.checked_add(size).filter(|&e| e <= limit)?;
    *end = new_end;
    Some(address)
}

fn write_zeros(object: &crate::Object, offset: u64, count: u64) {
    let zeros = [0u8; 4096];
    let mut done = 0;
    while done < count {
        let step = (count - done).min(zeros.len() as u64);
        object.write(offset + done, &zeros[..step as usize]);
        done += step;
    }
}

/// A program that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// Global and constant variables do not fit.
    Memory(OutOfMemory),
    /// With this variable, shared variables exceed [`MAX_SHARED_SIZE`].
    SharedMemory {
        /// With its `@`.
        variable: String,
    },
    /// With this variable, the private ones of its function exceed [`MAX_FRAME_SIZE`].
    PrivateMemory {
        /// With its `@`.
        variable: String,
        /// Without its `@`.
        function: String,
    },
    /// An initialiser longer than its variable: the module was not validated.
    Initializer {
        /// With its `@`.
        variable: String,
    },
    /// A variable that no function or memory has: the module was not validated.
    Orphan {
        /// With its `@`.
        variable: String,
    },
}

impl From<OutOfMemory> for LoadError {
    fn from(error: OutOfMemory) -> LoadError {
        LoadError::Memory(error)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Memory(error) => error.fmt(f),
            LoadError::SharedMemory { variable } => write!(
                f,
                "with `{variable}`, the shared variables of all functions take more than {MAX_SHARED_SIZE} bytes"
            ),
            LoadError::PrivateMemory { variable, function } => write!(
                f,
                "with `{variable}`, the private variables of `@{function}` take more than {MAX_FRAME_SIZE} bytes"
            ),
            LoadError::Initializer { variable } => {
                write!(f, "the initialiser of `{variable}` is longer than the variable")
            }
            LoadError::Orphan { variable } => write!(f, "`{variable}` belongs to no function"),
        }
    }
}

impl std::error::Error for LoadError {}
