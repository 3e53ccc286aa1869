//! A kernel around a function, so that what a compiler prints for a function runs as it is (`run -f`).
//!
//! The kernel is PISA text: it works out which work-item it is, loads that work-item's arguments from buffers, calls
//! the function and stores what it returns.

use pisa_module::{Function, FunctionKind, RegisterType};
use std::fmt::Write;

/// How one argument reaches the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// From a buffer with one element a work-item.
    PerWorkItem,
    /// From a buffer with one element, which every work-item gets.
    Same,
    /// An address: the kernel's own parameter.
    Address,
}

/// A further parameter of the kernel, which only gives a buffer or a shared block its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// The name.
    pub name: String,
    /// Whether it is a block of shared memory, not a buffer.
    pub shared: bool,
}

/// Name of the kernel parameter that carries argument `index`.
pub(super) fn argument_name(index: usize) -> String {
    format!("$argument{index}")
}

/// Name of the buffer that gets the results.
pub(super) const RESULT: &str = "result";

/// The types of a function's parameters and of its result; `None` for a kernel.
pub(crate) fn signature(function: &Function) -> Option<(Vec<RegisterType>, Option<RegisterType>)> {
    let FunctionKind::Function { result, parameters } = &function.kind else { return None };
    let types = parameters.iter().filter_map(|id| function.registers.get(id.index())).map(|r| r.ty).collect();
    Some((types, *result))
}

/// `.32b`, `.v4.32b`.
pub(super) fn type_text(ty: RegisterType) -> String {
    match ty.is_vector() {
        true => format!(".v{}.{}b", ty.elements, ty.bits),
        false => format!(".{}b", ty.bits),
    }
}

/// Bytes of a value of this type in a buffer.
pub(super) fn size(ty: RegisterType) -> u64 {
    u64::from(ty.total_bits() / 8)
}

/// The function that the kernel calls.
pub(super) struct Called<'a> {
    /// Its name without `@`.
    pub function: &'a str,
    /// The types of its parameters.
    pub parameters: &'a [RegisterType],
    /// The type of its result.
    pub result: Option<RegisterType>,
    /// The lanes of each sub-group that call it; `None`: all.
    pub active: Option<u32>,
}

/// The text of the module with the kernel. `passing` has one entry a parameter of the function.
pub(super) fn module_text(kernel: &str, called: &Called<'_>, passing: &[Passing], named: &[Named]) -> String {
    let &Called { function, parameters, result, active } = called;
    let types: Vec<String> = parameters.iter().map(|&ty| format!(".reg {}", type_text(ty))).collect();
    let mut declarations: Vec<String> = parameters
        .iter()
        .zip(passing)
        .enumerate()
        .map(|(i, (ty, passing))| {
            let bytes = if *passing == Passing::Address { size(*ty) } else { 8 };
            format!(".param[{bytes}] %{}", argument_name(i))
        })
        .collect();
    if result.is_some() {
        declarations.push(format!(".param[8] %{RESULT}"));
    }
    let named_parameter = |named: &Named| match named.shared {
        true => format!(".param[4] .addrspace(shared) %{}", named.name),
        false => format!(".param[8] %{}", named.name),
    };
    declarations.extend(named.iter().map(named_parameter));

    let mut text = String::from(".version 0.1;\n.target 100;\n");
    let returned = result.map_or("void".to_owned(), type_text);
    let _ = writeln!(text, ".import .function {returned} {}({});", symbol(function), types.join(", "));
    let _ = writeln!(text, ".kernel @{kernel}({}) {{", declarations.join(", "));
    text.push_str("  .reg .64b %$index, %$base, %$x, %$y;\n");
    if let Some(active) = active {
        text.push_str("  .reg .32b %$lane;\n  .pred %$stays;\n");
        let _ = writeln!(text, "  shr.32b %$lane, {active:#x}, %laneid;");
        text.push_str("  and.32b %$lane, %$lane, 1;\n  ucmp.ne.32b %$stays, %$lane, 0;\n");
        text.push_str("  return.cond !%$stays;\n");
    }
    index(&mut text);
    let mut call: Vec<String> = Vec::new();
    for (i, (&ty, &passing)) in parameters.iter().zip(passing).enumerate() {
        let register = format!("%$r{i}");
        let _ = writeln!(text, "  .reg {} {register};", type_text(ty));
        let parameter = format!("%{}", argument_name(i));
        match passing {
            Passing::Address => {
                let _ = writeln!(text, "  ld.param.{}b {register}, [{parameter}];", ty.bits);
            }
            Passing::PerWorkItem | Passing::Same => {
                let each = passing == Passing::PerWorkItem;
                base(&mut text, &parameter, each.then(|| size(ty)));
                load(&mut text, ty, &register, i);
            }
        }
        call.push(register);
    }
    match result {
        None => {
            let _ = writeln!(text, "  call void, {}({});", symbol(function), call.join(", "));
        }
        Some(ty) => {
            let _ = writeln!(text, "  .reg {} %$result;", type_text(ty));
            let _ = writeln!(text, "  call %$result, {}({});", symbol(function), call.join(", "));
            base(&mut text, &format!("%{RESULT}"), Some(size(ty)));
            store(&mut text, ty);
        }
    }
    text.push_str("}\n");
    text
}

/// `@name`, quoted where the name is not an identifier (G-19).
fn symbol(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '$' | '.' | '_');
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(plain) {
        format!("@{name}")
    } else {
        format!("@\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The number of the work-item over the whole range, x fastest, into `%$index` (R-05 without the offset).
fn index(text: &mut String) {
    for dimension in ["z", "y", "x"] {
        let _ = writeln!(text, "  zext.64b.32b %$x, %groupid.{dimension};");
        let _ = writeln!(text, "  zext.64b.32b %$y, %enqueuedlocalsize.{dimension};");
        text.push_str("  umul.64b %$x, %$x, %$y;\n");
        let _ = writeln!(text, "  zext.64b.32b %$y, %localid.{dimension};");
        text.push_str("  iadd.64b %$x, %$x, %$y;\n");
        if dimension == "z" {
            text.push_str("  mov.64b %$index, %$x;\n");
        } else {
            let _ = writeln!(text, "  umul.64b %$index, %$index, %globalsize.{dimension};");
            text.push_str("  iadd.64b %$index, %$index, %$x;\n");
        }
    }
}

/// The address of this work-item's element of a buffer, or of its first one, into `%$base`.
fn base(text: &mut String, parameter: &str, stride: Option<u64>) {
    let _ = writeln!(text, "  ld.param.64b %$base, [{parameter}];");
    if let Some(stride) = stride {
        let _ = writeln!(text, "  umul.64b %$x, %$index, {stride};");
        text.push_str("  iadd.64b %$base, %$base, %$x;\n");
    }
}

const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];

fn load(text: &mut String, ty: RegisterType, register: &str, argument: usize) {
    if !ty.is_vector() {
        // Only atomic accesses are 128 bits wide.
        let order = if ty.bits == 128 { ".relaxed" } else { "" };
        let _ = writeln!(text, "  ld.global{order}.{}b {register}, [%$base];", ty.bits);
        return;
    }
    let element = format!("%$e{argument}");
    let _ = writeln!(text, "  .reg .{}b {element};", ty.bits);
    for i in 0..usize::from(ty.elements) {
        let offset = i * usize::from(ty.bits) / 8;
        let _ = writeln!(text, "  ld.global.{}b {element}, [%$base + {offset}];", ty.bits);
        let _ = match ELEMENTS.get(i).filter(|_| ty.bits != 32) {
            Some(letter) => writeln!(text, "  mov.{}b {register}.{letter}, {element};", ty.bits),
            None => writeln!(text, "  insert.{i}.32b {register}, {element};"),
        };
    }
}

fn store(text: &mut String, ty: RegisterType) {
    if !ty.is_vector() {
        let order = if ty.bits == 128 { ".relaxed" } else { "" };
        let _ = writeln!(text, "  st.global{order}.{}b [%$base], %$result;", ty.bits);
        return;
    }
    let _ = writeln!(text, "  .reg .{}b %$element;", ty.bits);
    for i in 0..usize::from(ty.elements) {
        let offset = i * usize::from(ty.bits) / 8;
        let _ = match ELEMENTS.get(i).filter(|_| ty.bits != 32) {
            Some(letter) => writeln!(text, "  mov.{}b %$element, %$result.{letter};", ty.bits),
            None => writeln!(text, "  extract.{i}.32b %$element, %$result;"),
        };
        let _ = writeln!(text, "  st.global.{}b [%$base + {offset}], %$element;", ty.bits);
    }
}
