//! Names of values and blocks, made unique within a function.

use super::print::Numbering;
use crate::function::{ActiveSet, Block, Function, Instruction, Value};
use pisa_module::{ParameterId, SpecialRegister};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether a name needs no quotes (the specification's identifiers, 1.3).
pub(super) fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_'))
}

/// Whether it ends like a name with a number: `a.7`.
pub(super) fn ends_in_number(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether it is what a block without a name is called: `block7`.
pub(super) fn is_block_number(name: &str) -> bool {
    name.strip_prefix("block").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a name is that of a special register or of an element of one.
fn is_special(name: &str) -> bool {
    SpecialRegister::NAMES.contains(&name.split('.').next().unwrap_or_default())
}

/// A name as it stands in the text, in quotes where it has to.
fn spelled(name: &str) -> String {
    if is_identifier(name) {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// The names of one function.
pub(crate) struct Names<'f> {
    function: &'f Function,
    values: Vec<u32>,
    blocks: Vec<u32>,
    /// How many values have a name.
    value_names: FxHashMap<&'f str, u32>,
    /// How many blocks have one.
    block_names: FxHashMap<&'f str, u32>,
    parameters: FxHashSet<&'f str>,
    /// Numbers of the instructions that active sets begin behind.
    marks: FxHashMap<Instruction, u32>,
}

impl<'f> Names<'f> {
    pub(crate) fn of(function: &'f Function, numbering: Numbering) -> Names<'f> {
        let mut names = Names {
            function,
            values: (0..function.values.len() as u32).collect(),
            blocks: (0..function.blocks.len() as u32).collect(),
            value_names: FxHashMap::default(),
            block_names: FxHashMap::default(),
            parameters: function_parameters(function),
            marks: FxHashMap::default(),
        };
        let order = definitions(function);
        if numbering == Numbering::ByText {
            names.values = positions(order.iter().map(|value| value.index()), function.values.len());
            names.blocks = positions(function.layout.iter().map(|b| b.index()), function.blocks.len());
        }
        for value in order {
            if let Some(name) = function.values.get(value.index()).and_then(|data| function.name(data.name)) {
                *names.value_names.entry(name).or_default() += 1;
            }
        }
        for block in &function.layout {
            if let Some(name) = function.blocks.get(block.index()).and_then(|data| function.name(data.name)) {
                *names.block_names.entry(name).or_default() += 1;
            }
        }
        names.mark();
        names
    }

    /// Numbers the instructions that change the active set, in their order, then others that a token names.
    fn mark(&mut self) {
        let function = self.function;
        let instructions = || {
            let blocks = function.layout.iter().filter_map(|b| function.blocks.get(b.index()));
            let ids = blocks.flat_map(|data| data.instructions.iter().copied());
            ids.filter_map(|id| Some((id, function.instructions.get(id.index())?)))
        };
        let changes = instructions().filter(|(_, data)| data.properties().changes_active_set);
        let named = instructions().filter_map(|(_, data)| match data.active {
            Some(ActiveSet::After(id)) => Some(id),
            _ => None,
        });
        for id in changes.map(|(id, _)| id).chain(named) {
            let number = self.marks.len() as u32 + 1;
            self.marks.entry(id).or_insert(number);
        }
    }

    /// `%sum`, `%sum.7`, `%7`.
    pub(crate) fn value(&self, value: Value) -> String {
        let number = self.values.get(value.index()).copied().unwrap_or(value.0);
        let name = self.function.values.get(value.index()).and_then(|data| self.function.name(data.name));
        match name {
            None => format!("%{number}"),
            Some(name) => {
                let is_only = self.value_names.get(name).is_some_and(|&count| count == 1);
                let is_plain = is_identifier(name)
                    && !ends_in_number(name)
                    && !is_special(name)
                    && !self.parameters.contains(name);
                let number = if is_only && is_plain { String::new() } else { format!(".{number}") };
                format!("%{}{number}", spelled(name))
            }
        }
    }

    /// `loop`, `loop.7`, `block7`.
    pub(crate) fn block(&self, block: Block) -> String {
        let number = self.blocks.get(block.index()).copied().unwrap_or(block.0);
        let name = self.function.blocks.get(block.index()).and_then(|data| self.function.name(data.name));
        match name {
            None => format!("block{number}"),
            Some(name) => {
                let is_only = self.block_names.get(name).is_some_and(|&count| count == 1);
                let is_plain = is_identifier(name) && !ends_in_number(name) && !is_block_number(name);
                // A token `in after #1` does not begin with a block.
                let is_word = name == "after";
                let number =
                    if is_only && is_plain && !is_word { String::new() } else { format!(".{number}") };
                format!("{}{number}", spelled(name))
            }
        }
    }

    /// A kernel parameter.
    pub(crate) fn parameter(&self, id: ParameterId) -> String {
        let parameters = match &self.function.kind {
            pisa_module::FunctionKind::Kernel { parameters, .. } => &parameters[..],
            pisa_module::FunctionKind::Function { .. } => &[],
        };
        match parameters.get(id.index()) {
            // In quotes it is no value with a number.
            Some(parameter) if ends_in_number(&parameter.name) => format!("%\"{}\"", parameter.name),
            Some(parameter) => format!("%{}", spelled(&parameter.name)),
            None => format!("%\"parameter {}\"", id.0),
        }
    }

    /// The mark of an instruction that an active set begins behind.
    pub(crate) fn mark_of(&self, instruction: Instruction) -> Option<u32> {
        self.marks.get(&instruction).copied()
    }
}

fn function_parameters(function: &Function) -> FxHashSet<&str> {
    match &function.kind {
        pisa_module::FunctionKind::Kernel { parameters, .. } => parameters.iter().map(|p| &*p.name).collect(),
        pisa_module::FunctionKind::Function { .. } => FxHashSet::default(),
    }
}

/// Values in the order in which the text defines them.
pub(crate) fn definitions(function: &Function) -> Vec<Value> {
    let mut order = Vec::with_capacity(function.values.len());
    for block in &function.layout {
        let Some(data) = function.blocks.get(block.index()) else { continue };
        order.extend(&data.parameters);
        for instruction in &data.instructions {
            let Some(data) = function.instructions.get(instruction.index()) else { continue };
            order.extend(&data.results);
        }
    }
    order
}

/// Where each of `count` things stands in an order; those that do not come after all others.
fn positions(order: impl Iterator<Item = usize>, count: usize) -> Vec<u32> {
    let mut positions = vec![u32::MAX; count];
    let mut next = 0;
    for index in order {
        if let Some(position) = positions.get_mut(index).filter(|position| **position == u32::MAX) {
            *position = next;
            next += 1;
        }
    }
    for position in positions.iter_mut().filter(|position| **position == u32::MAX) {
        *position = next;
        next += 1;
    }
    positions
}
