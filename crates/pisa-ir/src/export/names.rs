//! Names of registers and labels, and the order in which registers are declared.

use super::coalesce::Classes;
use crate::{Definition, Function, Value};
use pisa_module::{Register, RegisterId, RegisterType, SpecialRegister};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether it is a name of the language (1.3).
pub(super) fn is_identifier(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_');
    name.bytes().all(fits) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// Names that are given out once.
#[derive(Default)]
pub(super) struct Given {
    taken: FxHashSet<String>,
    /// Numbers that are tried next, by what stands before them.
    next: FxHashMap<String, u32>,
}

impl Given {
    /// The name is not given out.
    fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }
    /// The name, with a number behind it where it is taken: `x`, `x_1`, `x_2`.
    pub(super) fn unique(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            name.to_owned()
        } else {
            self.numbered(&format!("{name}_"), 1)
        }
    }
    /// The next free name with a number at its end, which begins at `from`.
    pub(super) fn numbered(&mut self, before: &str, from: u32) -> String {
        let next = self.next.entry(before.to_owned()).or_insert(from);
        loop {
            let name = format!("{before}{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The letter of a register without a name.
const fn letter(ty: RegisterType) -> &'static str {
    match (ty.elements, ty.bits) {
        (2.., _) => "v",
        (_, 1) => "p",
        (_, 8) => "b",
        (_, 16) => "h",
        (_, 32) => "r",
        (_, 64) => "d",
        _ => "q",
    }
}

/// The registers of a function, and the new number of each that was used, by its old one.
pub(super) fn registers(
    function: &Function,
    classes: &Classes,
    scratch: &[RegisterType],
    used: &[bool],
) -> (Vec<Register>, Vec<RegisterId>) {
    let values = function.values.len();
    // The name and the first point of each class; arguments in their order.
    let mut names: FxHashMap<Value, (u32, &str)> = FxHashMap::default();
    for (number, value) in function.values.iter().enumerate() {
        let value_id = Value(number as u32);
        let Some(name) = function.name(value.name).filter(|name| is_identifier(name)) else { continue };
        if !classes.has_register(value_id) {
            continue;
        }
        // The name of a parameter of a block is that of the variable; else that of what is made first.
        let rank = match value.definition {
            Definition::Parameter(block, _) if Some(block) == function.entry() => 0,
            Definition::Parameter(..) => 1,
            Definition::Result(..) => 2,
        };
        let known = names.entry(classes.root(value_id)).or_insert((rank, name));
        if rank < known.0 {
            *known = (rank, name);
        }
    }
    let entry = function.entry();
    let mut order: Vec<(usize, RegisterType)> = Vec::new();
    let arguments = entry.map_or(&[][..], |entry| &function.block(entry).parameters);
    let mut is_argument = vec![false; values + scratch.len()];
    for &argument in arguments {
        let root = classes.root(argument).index();
        is_argument[root] = true;
        order.push((root, function.value(argument).ty));
    }
    let mut others: Vec<(usize, RegisterType)> = (0..values + scratch.len())
        .filter(|&register| used[register] && !is_argument[register])
        .map(|register| {
            let ty = match scratch.get(register.wrapping_sub(values)) {
                Some(ty) if register >= values => *ty,
                _ => function.values[register].ty,
            };
            (register, ty)
        })
        .collect();
    let is_named = |register: usize| names.contains_key(&Value(register as u32));
    others.sort_by_key(|&(register, ty)| {
        let start = if register < values {
            classes.ranges(Value(register as u32)).hull().map_or(u32::MAX, |(start, _)| start)
        } else {
            u32::MAX
        };
        (ty.is_predicate(), std::cmp::Reverse((ty.bits, ty.elements)), !is_named(register), start, register)
    });
    order.extend(others);

    let mut given = Given::default();
    // Names of special registers (G-14).
    SpecialRegister::NAMES.iter().for_each(|name| given.reserve(name));
    if let pisa_module::FunctionKind::Kernel { parameters, .. } = &function.kind {
        parameters.iter().for_each(|parameter| given.reserve(&parameter.name));
    }
    let mut texts: Vec<Option<String>> = vec![None; order.len()];
    for (number, (text, &(register, _))) in texts.iter_mut().zip(&order).enumerate() {
        let argument = function.argument_names.get(number).map(|name| &**name);
        let argument = argument.filter(|name| number < arguments.len() && is_identifier(name));
        let name = names.get(&Value(register as u32)).map(|&(_, name)| name);
        *text = argument.or(name).map(|name| given.unique(name));
    }
    let mut new_numbers = vec![RegisterId(0); values + scratch.len()];
    let registers = order.iter().zip(texts).enumerate().map(|(number, (&(register, ty), text))| {
        new_numbers[register] = RegisterId(number as u32);
        let name = text.unwrap_or_else(|| given.numbered(letter(ty), 0));
        Register { name: name.into(), ty, place: function.place }
    });
    let registers = registers.collect();
    (registers, new_numbers)
}
