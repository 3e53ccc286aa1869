//! Arguments: which parameter gets which value, and the bytes it becomes.

use super::{Argument, BufferInfo, LaunchError, LaunchSpec, SharedBlock};
use crate::files::FileLoader;
use crate::memory::place_exactly;
use crate::suggest::{list, suggestion};
use crate::{
    BUFFER_ALIGNMENT, Contents, Fill, Image, MAX_SHARED_SIZE, Memory, UNDEFINED_BYTE, Value, format_number,
    parse_number,
};
use pisa_module::{Function, KernelParameter, Space, VariableId};

/// Alignment of dynamic shared blocks (V-18).
const SHARED_BLOCK_ALIGNMENT: u64 = 16;
/// The largest alignment that `.ptr_align` asks of a buffer and gets.
const MAX_BUFFER_ALIGNMENT: u32 = 2 << 20;
/// Null pointer of shared and private memory (spec 2.1).
const NARROW_NULL: u32 = 0xFFFF_FFFF;

/// Which value goes where.
pub(super) struct Binding<'a> {
    /// By parameter.
    pub arguments: Vec<&'a Argument>,
    /// Values for global variables.
    pub globals: Vec<(VariableId, &'a Argument)>,
}

/// Finds the parameter or variable of each argument; all parameters get exactly one value.
pub(super) fn bind<'a>(
    image: &Image,
    kernel: &Function,
    spec: &'a LaunchSpec,
) -> Result<Binding<'a>, LaunchError> {
    let parameters = kernel.kernel_parameters();
    let mut bound: Vec<Option<&Argument>> = vec![None; parameters.len()];
    let mut globals: Vec<(VariableId, &Argument)> = Vec::new();
    let mut next = 0;
    for argument in &spec.arguments {
        let index = match argument.name.as_deref() {
            Some(name) if name.starts_with('@') => {
                let id = find_global(image, name).map_err(|e| e.wrote(&argument.wrote))?;
                if let Some((_, first)) = globals.iter().find(|(other, _)| *other == id) {
                    return Err(given_twice(name, first, argument));
                }
                globals.push((id, argument));
                continue;
            }
            Some(name) => parameters
                .iter()
                .position(|p| &*p.name == name)
                .ok_or_else(|| unknown(kernel, name, argument))?,
            None => {
                next += 1;
                next - 1
            }
        };
        let Some(slot) = bound.get_mut(index) else {
            let given = spec.arguments.iter().filter(|a| a.name.is_none()).count();
            return Err(LaunchError::new(format!(
                "the launch gives {given} arguments in order, the kernel has {} parameters",
                parameters.len()
            ))
            .kernel(kernel)
            .wrote(&argument.wrote));
        };
        if let Some(first) = slot {
            return Err(given_twice(&parameters[index].name, first, argument).kernel(kernel));
        }
        *slot = Some(argument);
    }
    let missing: Vec<&KernelParameter> =
        parameters.iter().zip(&bound).filter(|(_, a)| a.is_none()).map(|(p, _)| p).collect();
    if let Some(first) = missing.first() {
        let verb = if missing.len() == 1 { "has" } else { "have" };
        let names = list(missing.iter().map(|p| &*p.name));
        return Err(LaunchError::new(format!("{names} {verb} no value"))
            .kernel(kernel)
            .help(format!("for example {}", example(first))));
    }
    for (i, buffer) in spec.buffers.iter().enumerate() {
        let name = buffer.name.as_deref().unwrap_or_default();
        let before = spec.buffers[..i].iter().find(|b| b.name == buffer.name);
        let parameter = parameters.iter().position(|p| &*p.name == name).and_then(|i| bound[i]);
        if let Some(first) = before.or(parameter) {
            return Err(given_twice(name, first, buffer));
        }
    }
    Ok(Binding { arguments: bound.into_iter().flatten().collect(), globals })
}

/// A global variable by its name, or by its host name.
pub(super) fn find_global(image: &Image, name: &str) -> Result<VariableId, LaunchError> {
    let plain = name.strip_prefix('@').unwrap_or(name);
    if let Some(id) = image.variable(plain).or_else(|| image.host_variable(plain)) {
        return Ok(id);
    }
    let names = || {
        let variables = image.program.module().variables.iter();
        variables.filter(|v| v.owner.is_none()).map(|v| &*v.name)
    };
    let error = LaunchError::new(format!("there is no global variable `@{plain}`"));
    Err(match suggestion(plain, names()) {
        Some(close) => error.help(format!("did you mean `@{close}`?")),
        None if names().next().is_none() => {
            error.help("the program has none; parameters are named without `@`")
        }
        None => error.help(format!("global variables are {}", list(names()))),
    })
}

fn given_twice(name: &str, first: &Argument, second: &Argument) -> LaunchError {
    LaunchError::new(format!("`{name}` gets two values"))
        .wrote(format!("{}  and  {}", first.wrote, second.wrote))
}

fn unknown(kernel: &Function, name: &str, argument: &Argument) -> LaunchError {
    let names = || kernel.kernel_parameters().iter().map(|p| &*p.name);
    let error = LaunchError::new(format!("the kernel has no parameter `{name}`"))
        .kernel(kernel)
        .wrote(&argument.wrote);
    match suggestion(name, names()) {
        Some(close) => error.help(format!("did you mean `{close}`?")),
        None if names().next().is_none() => error.help("it has no parameters at all"),
        None => error.help(format!("its parameters are {}", list(names()))),
    }
}

/// A value that would do for a parameter.
fn example(parameter: &KernelParameter) -> String {
    let name = &parameter.name;
    match (parameter.space, parameter.size) {
        (Some(Space::Shared), _) => format!("`{name}=shared:1024`"),
        (Some(_), _) => format!("`{name}=zeros:u32:64`"),
        (None, 8) => format!("`{name}=zeros:u32:64` for a buffer, `{name}=u64:0` for a number"),
        (None, size @ (1 | 2 | 4)) => format!("`{name}=u{}:0`", size * 8),
        (None, size) => format!("`{name}=bytes:00…` with {size} bytes"),
    }
}

/// Where a named thing lies.
#[derive(Clone, Copy)]
enum Location {
    Global { address: u64, size: u64 },
    Shared { address: u32, size: u64 },
}

/// Buffers and shared blocks while they are made.
pub(super) struct Placed<'a> {
    image: &'a Image,
    memory: &'a mut Memory,
    files: &'a dyn FileLoader,
    buffers: Vec<BufferInfo>,
    shared: Vec<(String, u32, u64)>,
    shared_end: u64,
}

impl<'a> Placed<'a> {
    pub fn new(image: &'a Image, memory: &'a mut Memory, files: &'a dyn FileLoader) -> Placed<'a> {
        let shared_end = u64::from(image.shared_size());
        Placed { image, memory, files, buffers: Vec::new(), shared: Vec::new(), shared_end }
    }

    /// Makes the buffers and shared blocks of all arguments and of `extra`.
    pub fn place(
        &mut self,
        kernel: &Function,
        arguments: &[&Argument],
        extra: &[Argument],
    ) -> Result<(), LaunchError> {
        for (parameter, argument) in kernel.kernel_parameters().iter().zip(arguments) {
            let explain = |e: LaunchError| e.kernel(kernel).wrote(&argument.wrote);
            check_form(parameter, &argument.value).map_err(explain)?;
            let align = parameter.pointer_align.unwrap_or(1).min(MAX_BUFFER_ALIGNMENT);
            self.place_one(&parameter.name, argument, align).map_err(explain)?;
        }
        for argument in extra {
            let name = argument.name.as_deref().unwrap_or_default();
            let known = argument.value.is_buffer() || matches!(argument.value, Value::Shared(_));
            if !known || name.is_empty() {
                return Err(LaunchError::new(format!("`{name}` must be a buffer or a shared block"))
                    .wrote(&argument.wrote)
                    .help(format!("for example `{name}=zeros:u32:64`")));
            }
            self.place_one(name, argument, 1).map_err(|e| e.wrote(&argument.wrote))?;
        }
        Ok(())
    }

    fn place_one(&mut self, name: &str, argument: &Argument, align: u32) -> Result<(), LaunchError> {
        match &argument.value {
            Value::Shared(size) => {
                let address = place_exactly(self.shared_end, SHARED_BLOCK_ALIGNMENT);
                let end = address.and_then(|a| a.checked_add(*size)).filter(|&e| e <= MAX_SHARED_SIZE);
                let (Some(address), Some(end)) = (address, end) else {
                    return Err(LaunchError::new(format!(
                        "with the {size} bytes of `{name}`, a work-group needs more than {MAX_SHARED_SIZE} bytes of \
                         shared memory"
                    )));
                };
                self.shared_end = end;
                self.shared.push((name.to_owned(), address as u32, *size));
                Ok(())
            }
            value if value.is_buffer() => self.place_buffer(name, value, align.max(BUFFER_ALIGNMENT as u32)),
            _ => Ok(()),
        }
    }

    fn place_buffer(&mut self, name: &str, value: &Value, align: u32) -> Result<(), LaunchError> {
        let (address, size, ty, shape) = match *value {
            // No copy on the way.
            Value::Made { ty, count, fill: fill @ (Fill::Zeros | Fill::Undefined) } => {
                let size = count.saturating_mul(ty.bytes() as u64);
                let contents =
                    if fill == Fill::Zeros { Contents::Zero(size) } else { Contents::Undefined(size) };
                (self.memory.allocate_buffer(name, contents, align)?, size, ty, vec![count])
            }
            _ => {
                let buffer = value.materialise(self.files, self.memory.free())?;
                let contents = Contents::Bytes(&buffer.bytes);
                let address = self.memory.allocate_buffer(name, contents, align)?;
                (address, buffer.bytes.len() as u64, buffer.ty, buffer.shape)
            }
        };
        let initialized = !matches!(value, Value::Made { fill: Fill::Undefined, .. });
        self.buffers.push(BufferInfo {
            name: name.to_owned(),
            address,
            size,
            ty: Some(ty),
            shape,
            initialized,
        });
        Ok(())
    }

    /// The argument buffer (K-02).
    pub fn fill(&self, kernel: &Function, arguments: &[&Argument]) -> Result<Vec<u8>, LaunchError> {
        let parameters = kernel.kernel_parameters();
        let end = parameters.iter().map(|p| u64::from(p.offset) + u64::from(p.size)).max().unwrap_or(0);
        let mut bytes = crate::value::reserve(end, u64::from(u32::MAX), &"the arguments")?;
        bytes.resize(end as usize, UNDEFINED_BYTE);
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let value = self
                .parameter_bytes(parameter, &argument.value)
                .map_err(|e| e.kernel(kernel).wrote(&argument.wrote))?;
            let start = parameter.offset as usize;
            if let Some(slot) = bytes.get_mut(start..start + value.len()) {
                slot.copy_from_slice(&value);
            }
        }
        Ok(bytes)
    }

    fn parameter_bytes(&self, parameter: &KernelParameter, value: &Value) -> Result<Vec<u8>, LaunchError> {
        let name = &*parameter.name;
        let pointer = |address: u64| address.to_le_bytes()[..(parameter.size as usize).min(8)].to_vec();
        Ok(match value {
            Value::Scalar { ty, bits } => bits.to_le_bytes()[..ty.bytes()].to_vec(),
            Value::Bytes(bytes) => bytes.clone(),
            Value::Null if parameter.space == Some(Space::Shared) || parameter.size == 4 => {
                pointer(u64::from(NARROW_NULL))
            }
            Value::Null => pointer(0),
            Value::Pointer { name: target, offset } => match self.locate(target)? {
                Location::Global { address, size } => {
                    if parameter.space == Some(Space::Shared) || parameter.size != 8 {
                        return Err(not_a_pointer(parameter, "the global address"));
                    }
                    pointer(offset_address(target, address, size, *offset)?)
                }
                Location::Shared { address, size } => {
                    refuse_shared(parameter)?;
                    pointer(offset_address(target, u64::from(address), size, *offset)?)
                }
            },
            Value::Shared(_) | Value::File { .. } | Value::Made { .. } | Value::List { .. } => {
                match self.locate(name)? {
                    Location::Global { address, .. } => pointer(address),
                    Location::Shared { address, .. } => pointer(u64::from(address)),
                }
            }
        })
    }

    fn locate(&self, name: &str) -> Result<Location, LaunchError> {
        if let Some(b) = self.buffers.iter().find(|b| b.name == name) {
            return Ok(Location::Global { address: b.address, size: b.size });
        }
        if let Some(&(_, address, size)) = self.shared.iter().find(|(n, ..)| n == name) {
            return Ok(Location::Shared { address, size });
        }
        if name.starts_with('@') {
            let id = find_global(self.image, name)?;
            let size = self.image.program.variable(id).size;
            return Ok(Location::Global { address: self.image.address(id), size });
        }
        let names = || self.buffers.iter().map(|b| &*b.name).chain(self.shared.iter().map(|(n, ..)| &**n));
        let error = LaunchError::new(format!("there is no buffer `{name}` to point to"));
        Err(match suggestion(name, names()) {
            Some(close) => error.help(format!("did you mean `ptr:{close}`?")),
            None if names().next().is_none() => error.help("the launch has no buffers"),
            None => error.help(format!("buffers are {}", list(names()))),
        })
    }

    /// Gives global variables their values.
    pub fn set_globals(&mut self, globals: &[(VariableId, &Argument)]) -> Result<(), LaunchError> {
        for &(id, argument) in globals {
            self.set_global(id, argument).map_err(|e| e.wrote(&argument.wrote))?;
        }
        Ok(())
    }

    fn set_global(&mut self, id: VariableId, argument: &Argument) -> Result<(), LaunchError> {
        let variable = self.image.program.variable(id);
        let name = format!("@{}", variable.name);
        if variable.space == Space::Const {
            return Err(LaunchError::new(format!(
                "`{name}` is in constant memory; a launch cannot change it"
            ))
            .help("give it its value in the module, or pass a buffer"));
        }
        let (bytes, ty, shape) = match &argument.value {
            Value::Scalar { ty, bits } => (bits.to_le_bytes()[..ty.bytes()].to_vec(), Some(*ty), vec![1]),
            Value::Bytes(bytes) => (bytes.clone(), None, vec![bytes.len() as u64]),
            Value::Null => (vec![0; 8], None, vec![8]),
            Value::Pointer { name: target, offset } => match self.locate(target)? {
                Location::Global { address, size } => {
                    let address = offset_address(target, address, size, *offset)?;
                    (address.to_le_bytes().to_vec(), None, vec![8])
                }
                Location::Shared { .. } => {
                    return Err(LaunchError::new(format!(
                        "`{target}` is shared memory, which each work-group has its own of; `{name}` is global"
                    )));
                }
            },
            Value::Shared(_) => {
                return Err(LaunchError::new(format!(
                    "`{name}` is global memory, `shared:` is for kernel parameters"
                )));
            }
            value => {
                let buffer = value.materialise(self.files, self.memory.free())?;
                (buffer.bytes, Some(buffer.ty), buffer.shape)
            }
        };
        if bytes.len() as u64 != variable.size {
            return Err(LaunchError::new(format!(
                "the launch gives `{name}` {} bytes, it has {}",
                bytes.len(),
                variable.size
            )));
        }
        let address = self.image.address(id);
        let object = self.memory.find(address, variable.size);
        let object = object.ok_or_else(|| LaunchError::new(format!("`{name}` is not in this memory")))?;
        object.write(address - object.address, &bytes);
        let initialized = !matches!(argument.value, Value::Made { fill: Fill::Undefined, .. });
        if initialized {
            object.give(variable.size);
        }
        self.buffers.push(BufferInfo { name, address, size: variable.size, ty, shape, initialized });
        Ok(())
    }

    /// The buffers, the bytes of shared memory of a work-group, and its dynamic blocks.
    pub fn finish(self) -> (Vec<BufferInfo>, u32, Vec<SharedBlock>) {
        let block = |(name, address, size): (String, u32, u64)| SharedBlock {
            name: name.into_boxed_str(),
            address,
            size: size as u32,
        };
        (self.buffers, self.shared_end as u32, self.shared.into_iter().map(block).collect())
    }
}

/// An address within an object or at its end.
fn offset_address(name: &str, address: u64, size: u64, offset: u64) -> Result<u64, LaunchError> {
    if offset > size {
        return Err(LaunchError::new(format!(
            "`ptr:{name}+{offset}` points past `{name}`, which has {size} bytes"
        )));
    }
    Ok(address + offset)
}

/// Whether the parameter's size and space go with the form of its value.
fn check_form(parameter: &KernelParameter, value: &Value) -> Result<(), LaunchError> {
    let size = parameter.size;
    match value {
        Value::Scalar { ty, .. } if size as usize != ty.bytes() => {
            Err(wrong_size(parameter, value, ty.bytes()))
        }
        Value::Bytes(bytes) if size as usize != bytes.len() => Err(wrong_size(parameter, value, bytes.len())),
        Value::Scalar { .. } | Value::Bytes(_) => Ok(()),
        Value::Shared(_) => refuse_shared(parameter),
        Value::Null if size != 8 && size != 4 => Err(not_a_pointer(parameter, "a null pointer")),
        Value::Null | Value::Pointer { .. } => Ok(()),
        _ if parameter.space == Some(Space::Shared) => Err(LaunchError::new(format!(
            "`{}` points to shared memory, the launch gives it a buffer in global memory",
            parameter.name
        ))
        .help(format!("`{}=shared:BYTES` gives each work-group a block of its own", parameter.name))),
        _ if size != 8 => Err(not_a_pointer(parameter, "the address of a buffer")),
        _ => Ok(()),
    }
}

fn refuse_shared(parameter: &KernelParameter) -> Result<(), LaunchError> {
    let name = &parameter.name;
    match parameter.space {
        Some(space) if space != Space::Shared => Err(LaunchError::new(format!(
            "`{name}` points to {} memory, the launch gives it shared memory",
            if space == Space::Const { "constant" } else { "global" }
        ))
        .help(format!("for example `{name}=zeros:u32:64`"))),
        _ if parameter.size != 4 && parameter.size != 8 => Err(not_a_pointer(parameter, "a shared address")),
        _ => Ok(()),
    }
}

fn not_a_pointer(parameter: &KernelParameter, what: &str) -> LaunchError {
    let bytes = if what.contains("shared") { "4 or 8" } else { "8" };
    LaunchError::new(format!(
        "`{}` gets {what}, {bytes} bytes, its parameter holds {}",
        parameter.name, parameter.size
    ))
    .help(format!("{} by value", example(parameter)))
}

fn wrong_size(parameter: &KernelParameter, value: &Value, given: usize) -> LaunchError {
    let (name, size) = (&parameter.name, parameter.size);
    let plural = if given == 1 { "byte" } else { "bytes" };
    let error =
        LaunchError::new(format!("the launch gives `{name}` {given} {plural}, its parameter holds {size}"));
    if let Value::Scalar { ty, bits } = value
        && parameter.space.is_none()
        && let Some(other) = ty.with_bytes(size as usize)
        && parse_number(other, &format_number(*ty, *bits)).is_ok()
    {
        return error.help(format!("{name}={other}:{}", format_number(*ty, *bits)));
    }
    error.help(example(parameter))
}
