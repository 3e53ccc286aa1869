//! `run -f FUNCTION`: the harness around a function, and the arguments of its kernel.

use super::harness::{self, Named, Passing, RESULT};
use crate::{Failure, Session, Status};
use pisa_machine::{Argument, ElementType, Extent, FileLoader, Fill, LaunchSpec, Value};
use pisa_module::{Function, Linkage, Module, RegisterType};

/// What is called, and how.
pub(super) struct Call<'a> {
    /// The name of the function, with or without its `@`.
    pub name: &'a str,
    /// The lanes of each sub-group that call it; `None`: all.
    pub active: Option<u32>,
    /// The type that the results are printed as or compared with.
    pub result_type: Option<ElementType>,
}

/// Adds a kernel that calls the function to the modules, and rewrites the launch so that it runs that kernel.
///
/// `spec.arguments` has the function's arguments without names, and buffers with names.
pub(super) fn add_harness(
    session: &mut Session,
    modules: &mut Vec<Module>,
    call: &Call<'_>,
    spec: &mut LaunchSpec,
    files: &dyn FileLoader,
    memory: u64,
) -> Result<(), Failure> {
    let Call { name, active, result_type } = *call;
    let plain = name.strip_prefix('@').unwrap_or(name);
    export(modules, plain)?;
    let function = find(modules, plain)?;
    let (parameters, result) = harness::signature(function).ok_or_else(|| {
        Failure::usage(format!("`@{plain}` is a kernel")).help(format!("`-k {plain}` launches it"))
    })?;
    let function_text = describe(function, &parameters, result);
    let failure = |message: String| Failure::usage(message).detail(format!("function {function_text}"));

    let work_items = work_items(&spec.global);
    let (positional, named): (Vec<_>, Vec<_>) =
        std::mem::take(&mut spec.arguments).into_iter().partition(|argument| argument.name.is_none());
    if positional.len() != parameters.len() {
        return Err(failure(format!(
            "`@{plain}` has {} parameters, {} were given",
            parameters.len(),
            positional.len()
        ))
        .help("one `-a VALUE` for each register, in order"));
    }

    let (mut passing, mut arguments) = (Vec::new(), Vec::new());
    for (i, (argument, &ty)) in positional.into_iter().zip(&parameters).enumerate() {
        let (how, value) = pass(&argument, ty, &named, work_items, files, memory)
            .map_err(|message| failure(message).detail(format!("you wrote:  {}", argument.wrote)))?;
        passing.push(how);
        arguments.push(Argument { name: Some(harness::argument_name(i)), value, wrote: argument.wrote });
    }
    let mut parameters_by_name = Vec::new();
    for argument in named {
        let name = argument.name.clone().unwrap_or_default();
        if name == RESULT && result.is_some() {
            check_result(&argument, result, work_items, files, memory).map_err(&failure)?;
        } else if !name.starts_with('@') {
            if !is_identifier(&name) {
                return Err(failure(format!("`{name}` is no name for a buffer")));
            }
            if !argument.value.is_buffer() && !matches!(argument.value, Value::Shared(_)) {
                return Err(failure(format!("`{}` is no buffer", argument.value))
                    .detail(format!("you wrote:  {}", argument.wrote))
                    .help("arguments of a function are given in order, with `-a VALUE`"));
            }
            parameters_by_name.push(Named { name, shared: matches!(argument.value, Value::Shared(_)) });
        }
        arguments.push(argument);
    }
    if let Some(ty) = result
        && !arguments.iter().any(|argument| argument.name.as_deref() == Some(RESULT))
    {
        let (element, count) = elements(ty, result_type);
        let count = work_items.saturating_mul(count);
        let value = Value::Made { ty: element, count, fill: Fill::Zeros };
        let wrote = format!("{RESULT}={value}");
        arguments.push(Argument { name: Some(RESULT.to_owned()), value, wrote });
    }

    let kernel = free_name(modules);
    let called = harness::Called { function: plain, parameters: &parameters, result, active };
    let text = harness::module_text(&kernel, &called, &passing, &parameters_by_name);
    let input = session.add_text(&format!("<call of @{plain}>"), text);
    let mut checked = session.check_inputs(vec![input]);
    // The text is ours: an error in it is a bug of ours.
    let Some(module) = checked.modules.pop() else {
        let first = checked.diagnostics.first().map_or(String::new(), |d| d.message.clone());
        return Err(
            failure(format!("the harness for this function is not valid: {first}")).with_status(Status::Bug)
        );
    };
    modules.push(module);
    spec.arguments = arguments;
    spec.kernel = Some(kernel);
    Ok(())
}

/// Makes the function visible to the harness.
fn export(modules: &mut [Module], name: &str) -> Result<(), Failure> {
    let mut found = modules
        .iter_mut()
        .flat_map(|module| &mut module.functions)
        .filter(|function| *function.name == *name && function.linkage != Linkage::Import);
    match (found.next(), found.next()) {
        (Some(function), None) => {
            if !function.is_kernel() {
                function.linkage = Linkage::Export;
            }
            Ok(())
        }
        (Some(_), Some(_)) => Err(Failure::usage(format!("more than one module has a function `@{name}`"))),
        (None, _) => Ok(()),
    }
}

fn find<'m>(modules: &'m [Module], name: &str) -> Result<&'m Function, Failure> {
    let functions = || modules.iter().flat_map(|module| &module.functions);
    let defined = functions().find(|function| *function.name == *name && function.linkage != Linkage::Import);
    defined.ok_or_else(|| {
        let names = functions().filter(|f| !f.is_kernel() && f.linkage != Linkage::Import).map(|f| &*f.name);
        let failure = Failure::usage(format!("there is no function `@{name}`"));
        match pisa_isa::nearest(name, names.clone()) {
            Some(near) => failure.help(format!("did you mean `@{near}`?")),
            None => match names.map(|name| format!("`@{name}`")).collect::<Vec<_>>() {
                names if names.is_empty() => {
                    failure.help("the modules have no functions; `-k` runs a kernel")
                }
                names => failure.help(format!("functions are {}", names.join(", "))),
            },
        }
    })
}

/// `.32b @f(.reg .32b, .reg .v2.16b)`
fn describe(function: &Function, parameters: &[RegisterType], result: Option<RegisterType>) -> String {
    let types: Vec<String> =
        parameters.iter().map(|&ty| format!(".reg {}", harness::type_text(ty))).collect();
    let result = result.map_or("void".to_owned(), harness::type_text);
    format!("{result} @{}({})", function.name, types.join(", "))
}

fn work_items(global: &Extent) -> u64 {
    global.or(1).iter().fold(1u64, |product, &n| product.saturating_mul(n))
}

/// How one argument is passed, and what the kernel's parameter gets.
fn pass(
    argument: &Argument,
    ty: RegisterType,
    named: &[Argument],
    work_items: u64,
    files: &dyn FileLoader,
    memory: u64,
) -> Result<(Passing, Value), String> {
    let size = harness::size(ty);
    let type_text = harness::type_text(ty);
    match &argument.value {
        Value::Shared(_) => {
            Err("`shared:` needs a name: `NAME=shared:BYTES`, passed as `-a ptr:NAME`".to_owned())
        }
        value @ (Value::Pointer { .. } | Value::Null) => {
            if ty.is_vector() || !matches!(ty.bits, 32 | 64) {
                return Err(format!(
                    "an address needs a register of 32 or 64 bits, this one is `{type_text}`"
                ));
            }
            if let Value::Pointer { name, .. } = value {
                let target = named.iter().find(|other| other.name.as_deref() == Some(name));
                let shared = target.is_some_and(|target| matches!(target.value, Value::Shared(_)));
                if ty.bits == 32 && !shared {
                    return Err(format!(
                        "a 32-bit register takes the address of shared memory, and `{name}` is none: write \
                         `{name}=shared:BYTES`"
                    ));
                }
                if ty.bits == 64 && shared {
                    return Err(format!(
                        "the address of the shared memory `{name}` goes into a 32-bit register"
                    ));
                }
            }
            Ok((Passing::Address, value.clone()))
        }
        Value::Scalar { ty: element, bits } => {
            if element.bytes() as u64 != size {
                return Err(size_message(&format!("`{}` is", argument.value), element.bytes() as u64, ty));
            }
            Ok((Passing::Same, Value::List { ty: *element, elements: vec![*bits] }))
        }
        Value::Bytes(bytes) => {
            if bytes.len() as u64 != size {
                return Err(size_message("it is", bytes.len() as u64, ty));
            }
            let elements = bytes.iter().map(|&byte| u64::from(byte)).collect();
            Ok((Passing::Same, Value::List { ty: ElementType::U8, elements }))
        }
        value => {
            let bytes = buffer_bytes(value, files, memory)?;
            if Some(bytes) == size.checked_mul(work_items) {
                Ok((Passing::PerWorkItem, value.clone()))
            } else if bytes == size {
                Ok((Passing::Same, value.clone()))
            } else {
                Err(format!(
                    "the buffer has {bytes} bytes; `{type_text}` takes {size} for all work-items, or {size} for each of \
                     the {work_items}"
                ))
            }
        }
    }
}

fn size_message(what: &str, bytes: u64, ty: RegisterType) -> String {
    format!("{what} {bytes} bytes, a `{}` register holds {}", harness::type_text(ty), harness::size(ty))
}

/// How many bytes a buffer form makes.
fn buffer_bytes(value: &Value, files: &dyn FileLoader, memory: u64) -> Result<u64, String> {
    match value {
        Value::Made { ty, count, .. } => Ok(count.saturating_mul(ty.bytes() as u64)),
        Value::List { ty, elements } => Ok((elements.len() * ty.bytes()) as u64),
        other => {
            let buffer = other.materialise(files, memory).map_err(|error| error.message)?;
            Ok(buffer.bytes.len() as u64)
        }
    }
}

fn check_result(
    argument: &Argument,
    result: Option<RegisterType>,
    work_items: u64,
    files: &dyn FileLoader,
    memory: u64,
) -> Result<(), String> {
    let Some(ty) = result else { return Ok(()) };
    let wanted = harness::size(ty).saturating_mul(work_items);
    let bytes = match argument.value.is_buffer() {
        true => buffer_bytes(&argument.value, files, memory)?,
        false => {
            return Err(format!(
                "`{RESULT}` is the buffer of the results; `{}` is no buffer",
                argument.value
            ));
        }
    };
    if bytes != wanted {
        return Err(format!(
            "`{RESULT}` has {bytes} bytes; one `{}` for each of the {work_items} work-items takes {wanted}",
            harness::type_text(ty)
        ));
    }
    Ok(())
}

/// The type of the elements of a result buffer that nobody made, and how many make one result: the type it is compared
/// with where that divides it, else unsigned integers as wide as its own elements.
fn elements(ty: RegisterType, wanted: Option<ElementType>) -> (ElementType, u64) {
    let own = match ty.bits {
        8 => ElementType::U8,
        16 => ElementType::U16,
        32 => ElementType::U32,
        _ => ElementType::U64,
    };
    let element = wanted.filter(|wanted| wanted.bytes() == own.bytes()).unwrap_or(own);
    (element, harness::size(ty) / element.bytes() as u64)
}

/// A name for the kernel that no module uses.
fn free_name(modules: &[Module]) -> String {
    let taken = |name: &str| {
        modules.iter().any(|module| {
            module.functions.iter().any(|f| *f.name == *name)
                || module.variables.iter().any(|v| *v.name == *name)
        })
    };
    let mut name = "call".to_owned();
    while taken(&name) {
        name.push('$');
    }
    name
}

fn is_identifier(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '$' | '.' | '_');
    name.chars().next().is_some_and(|c| !c.is_ascii_digit()) && name.chars().all(legal)
}
