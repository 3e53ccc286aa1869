//! From what a launch says to what an engine runs.

use super::arguments::{Binding, bind};
use super::{
    DEFAULT_LOCAL_SIZE, Extent, Launch, LaunchError, LaunchSpec, MAX_WORK_GROUP_SIZE, MAX_WORK_ITEMS,
    arguments,
};
use crate::files::FileLoader;
use crate::suggest::{list, suggestion};
use crate::{Buffer, Contents, ElementType, Image, Memory};
use pisa_module::{Function, FunctionId, FunctionKind};

/// A launch that is ready to run, and the buffers it works on.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// For the engine.
    pub launch: Launch,
    /// Buffers of parameters, then those that no parameter takes, then the global variables that got a value.
    pub buffers: Vec<BufferInfo>,
    /// The size of the buffer for `printf`, 0 for none.
    printf_size: u64,
}

/// A buffer in global memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferInfo {
    /// The parameter's or variable's name; a variable's has its `@`.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The type of its elements; `None` for a variable that got no typed value: read as bytes.
    pub ty: Option<ElementType>,
    /// Elements per dimension.
    pub shape: Vec<u64>,
    /// False after `uninit:`: no byte counts as written.
    pub initialized: bool,
}

/// Bytes in use at the start of the buffer for `printf`: the count itself.
const PRINTF_HEADER: u64 = 4;

impl LaunchSpec {
    /// Checks the launch against the program, makes its buffers in `memory`, sets global variables, and fills the
    /// argument buffer. Parameter padding and bytes without a value hold [`crate::UNDEFINED_BYTE`].
    pub fn prepare(
        &self,
        image: &Image,
        memory: &mut Memory,
        files: &dyn FileLoader,
    ) -> Result<Prepared, LaunchError> {
        let id = choose_kernel(image, self.kernel.as_deref())?;
        let kernel = image.program.function(id);
        let (global, local) = sizes(kernel, &self.global, self.local.as_ref())?;
        let offset = self.offset.map_or([0; 3], |o| o.or(0));
        for d in 0..3 {
            if offset[d].checked_add(global[d]).is_none() {
                return Err(LaunchError::new(format!(
                    "the global offset and size along {} exceed 64 bits",
                    AXES[d]
                ))
                .kernel(kernel));
            }
        }
        let Binding { arguments, globals } = bind(image, kernel, self)?;
        let mut placed = arguments::Placed::new(image, memory, files);
        placed.place(kernel, &arguments, &self.buffers)?;
        let bytes = placed.fill(kernel, &arguments)?;
        placed.set_globals(&globals)?;
        let (buffers, shared_size, shared_blocks) = placed.finish();
        let printf_buffer = match self.printf_size {
            Some(size) => make_printf_buffer(memory, size)?,
            None => 0,
        };
        let launch = Launch {
            kernel: id,
            dimensions: self.global.dimensions,
            global,
            local,
            offset,
            arguments: bytes,
            shared_size,
            shared_blocks,
            printf_buffer,
            fuel: self.fuel,
            threads: self.threads.max(1),
            max_call_depth: self.max_call_depth,
            schedule: self.schedule,
        };
        Ok(Prepared { launch, buffers, printf_size: self.printf_size.unwrap_or(0) })
    }
}

impl Prepared {
    /// The buffer or global variable (with `@`) of this name.
    pub fn locate(&self, image: &Image, name: &str) -> Result<BufferInfo, LaunchError> {
        let name = name.strip_prefix('%').unwrap_or(name);
        if let Some(buffer) = self.buffers.iter().find(|b| b.name == name) {
            return Ok(buffer.clone());
        }
        if name.starts_with('@') {
            let id = arguments::find_global(image, name)?;
            let variable = image.program.variable(id);
            let name = format!("@{}", variable.name);
            // It may have got a value under its host name.
            if let Some(buffer) = self.buffers.iter().find(|b| b.name == name) {
                return Ok(buffer.clone());
            }
            return Ok(BufferInfo {
                name,
                address: image.address(id),
                size: variable.size,
                ty: None,
                shape: vec![variable.size],
                initialized: variable.initializer.is_some(),
            });
        }
        let kernel = image.program.function(self.launch.kernel);
        let names = || self.buffers.iter().map(|b| b.name.as_str());
        let error = if kernel.kernel_parameters().iter().any(|p| &*p.name == name) {
            LaunchError::new(format!("`{name}` is not a buffer, so it holds the same after the launch"))
        } else {
            LaunchError::new(format!("there is no buffer `{name}`"))
        };
        Err(match (suggestion(name, names()), self.buffers.is_empty()) {
            (Some(close), _) => error.help(format!("did you mean `{close}`?")),
            (None, true) => {
                error.help("the launch has no buffers; global variables are named with their `@`")
            }
            (None, false) => error.help(format!("buffers are {}", list(names()))),
        }
        .kernel(kernel))
    }

    /// What a buffer holds now; a variable without a type reads as u8.
    pub fn read(&self, memory: &Memory, buffer: &BufferInfo) -> Result<Buffer, LaunchError> {
        let ty = buffer.ty.unwrap_or(ElementType::U8);
        let mut bytes = Vec::new();
        if buffer.size > 0 {
            let object = memory.find(buffer.address, buffer.size);
            let object =
                object.ok_or_else(|| LaunchError::new(format!("`{}` is not in this memory", buffer.name)))?;
            let size = usize::try_from(buffer.size).unwrap_or(usize::MAX);
            bytes.try_reserve_exact(size).map_err(|_| {
                LaunchError::new(format!("no memory to read the {size} bytes of `{}`", buffer.name))
            })?;
            bytes.resize(size, 0);
            object.read(buffer.address - object.address, &mut bytes);
        }
        Ok(Buffer { ty, shape: buffer.shape.clone(), bytes })
    }

    /// The bytes that the program put into the buffer for `printf`, the count at its start left out. As Intel's OpenCL
    /// runtime has it, the first four bytes count those in use, themselves included.
    pub fn printf_output(&self, memory: &Memory) -> Vec<u8> {
        let Some(object) = memory.find(self.launch.printf_buffer, self.printf_size) else {
            return Vec::new();
        };
        if self.printf_size < PRINTF_HEADER {
            return Vec::new();
        }
        let mut count = [0; 4];
        object.read(0, &mut count);
        let used = u64::from(u32::from_le_bytes(count)).clamp(PRINTF_HEADER, self.printf_size);
        let mut bytes = vec![0; (used - PRINTF_HEADER) as usize];
        object.read(PRINTF_HEADER, &mut bytes);
        bytes
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn choose_kernel(image: &Image, name: Option<&str>) -> Result<FunctionId, LaunchError> {
    let names = || image.program.kernels().map(|(_, f)| &*f.name);
    let Some(name) = name else {
        let mut kernels = image.program.kernels();
        return match (kernels.next(), kernels.next()) {
            (Some((id, _)), None) => Ok(id),
            (None, _) => Err(LaunchError::new("the program has no kernel")
                .help("`-f NAME` calls a function on every work-item")),
            _ => Err(LaunchError::new(format!("the program has {} kernels; which?", names().count()))
                .help(format!("name one of {}", list(names())))),
        };
    };
    if let Some(id) = image.kernel(name) {
        return Ok(id);
    }
    let plain = name.strip_prefix('@').unwrap_or(name);
    if image.function(name).is_some() {
        let error = LaunchError::new(format!("`@{plain}` is a function; only kernels can be launched"));
        return Err(if names().next().is_some() {
            error.help(format!("kernels are {}; `-f {plain}` calls the function", list(names())))
        } else {
            error.help(format!("`-f {plain}` calls it on every work-item"))
        });
    }
    let error = LaunchError::new(format!("there is no kernel `@{plain}`"));
    Err(match suggestion(plain, names()) {
        Some(close) => error.help(format!("did you mean `{close}`?")),
        None if names().next().is_none() => error.help("the program has no kernel"),
        None => error.help(format!("kernels are {}", list(names()))),
    })
}

/// The global and the work-group size.
fn sizes(
    kernel: &Function,
    global: &Extent,
    local: Option<&Extent>,
) -> Result<([u64; 3], [u32; 3]), LaunchError> {
    let error = |message: String| LaunchError::new(message).kernel(kernel);
    let required = match kernel.kind {
        FunctionKind::Kernel { required_work_group_size, .. } => required_work_group_size,
        FunctionKind::Function { .. } => None,
    };
    let global_size = global.or(1);
    if let Some(d) = global_size.iter().position(|&n| n == 0) {
        return Err(error(format!("the global size is 0 along {}", AXES[d])));
    }
    let items = global_size.iter().try_fold(1u64, |n, &d| n.checked_mul(d)).filter(|&n| n <= MAX_WORK_ITEMS);
    if items.is_none() {
        return Err(error(format!("the global size {global} is too large"))
            .help(format!("a launch has at most {MAX_WORK_ITEMS} work-items")));
    }
    let local_size = match (local, required) {
        (Some(local), _) => local.or(1),
        (None, Some(required)) => required.map(u64::from),
        (None, None) => [global_size[0].min(DEFAULT_LOCAL_SIZE), 1, 1],
    };
    let shown = Extent { dimensions: 3, numbers: local_size };
    if let Some(d) = local_size.iter().position(|&n| n == 0) {
        return Err(error(format!("the work-group size is 0 along {}", AXES[d])));
    }
    if let Some(required) = required {
        if local_size != required.map(u64::from) {
            let [x, y, z] = required;
            return Err(error(format!("the work-group size is {shown}, the kernel requires {x},{y},{z}"))
                .help(format!("`-l {x},{y},{z}`, or leave it out")));
        }
        if let Some(d) = (0..3).find(|&d| !global_size[d].is_multiple_of(local_size[d])) {
            let whole = Extent {
                dimensions: 3,
                numbers: [0, 1, 2]
                    .map(|d| global_size[d].div_ceil(local_size[d]).saturating_mul(local_size[d])),
            };
            return Err(error(format!(
                "the global size along {} is {}, no multiple of the {} that the kernel requires in a work-group",
                AXES[d], global_size[d], local_size[d]
            ))
            .help(format!("the next whole size is `-g {whole}`")));
        }
    }
    let product = local_size.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
    if product.is_none_or(|n| n > u64::from(MAX_WORK_GROUP_SIZE)) {
        let items = product.map_or("too many".to_owned(), |n| n.to_string());
        return Err(error(format!(
            "a work-group of {shown} has {items} work-items, at most {MAX_WORK_GROUP_SIZE} fit"
        )));
    }
    if let Some(d) = (0..3).find(|&d| global_size[d].div_ceil(local_size[d]) > u64::from(u32::MAX)) {
        return Err(error(format!(
            "there are {} work-groups along {}, `%groupcount` holds at most {}",
            global_size[d].div_ceil(local_size[d]),
            AXES[d],
            u32::MAX
        ))
        .help("take larger work-groups, or spread the range over y and z"));
    }
    // Each is at most 1024.
    Ok((global_size, local_size.map(|n| n as u32)))
}

fn make_printf_buffer(memory: &mut Memory, size: u64) -> Result<u64, LaunchError> {
    if size < PRINTF_HEADER {
        return Err(LaunchError::new(format!(
            "the buffer for printf has {size} bytes, its count alone takes 4"
        )));
    }
    let address = memory.allocate_buffer("printf", Contents::Zero(size), 64)?;
    if let Some(object) = memory.find(address, PRINTF_HEADER) {
        object.write(0, &(PRINTF_HEADER as u32).to_le_bytes());
    }
    Ok(address)
}
