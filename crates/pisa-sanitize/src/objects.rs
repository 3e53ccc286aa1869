//! Objects of the address spaces, and what lies near an address that misses them all.

use crate::check::Context;
use crate::describe::bytes;
use pisa_diag::Place;
use pisa_machine::Object;
use pisa_module::{Function, FunctionId, Program, Space, VariableId};
use std::ops::Range;

/// An object as findings speak of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// `@table`, or the name of a buffer.
    pub(crate) name: String,
    /// Its addresses.
    pub(crate) range: Range<u64>,
    /// What made it: a few words.
    pub(crate) origin: &'static str,
    /// Where it is declared, or the parameter that gets it.
    pub(crate) place: Option<Place>,
}

impl Target {
    pub(crate) fn size(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// `` `out` (4096 bytes) ``.
    pub(crate) fn text(&self) -> String {
        format!("`{}` ({})", self.name, bytes(self.size()))
    }

    /// How far bytes are from the object: `12 bytes past the end of …`; `None` for bytes that touch it.
    pub(crate) fn distance(&self, address: u64, size: u64) -> Option<String> {
        if address >= self.range.end {
            Some(match address - self.range.end {
                0 => format!("right at the end of {}", self.text()),
                past => format!("{} past the end of {}", bytes(past), self.text()),
            })
        } else if address.saturating_add(size) <= self.range.start {
            Some(format!("{} before {}", bytes(self.range.start - address), self.text()))
        } else {
            None
        }
    }
}

/// An object of global or constant memory.
pub(crate) fn global_target(context: &Context<'_>, object: &Object) -> Target {
    let program = &context.image.program;
    let variables = &program.module().variables;
    let variable = variables.iter().enumerate().find(|(i, variable)| {
        matches!(variable.space, Space::Global | Space::Const)
            && context.image.address(VariableId(*i as u32)) == object.address
    });
    let (origin, place) = match variable {
        Some((_, variable)) if variable.space == Space::Const => ("a constant", Some(variable.place)),
        Some((_, variable)) => ("a variable", Some(variable.place)),
        None => ("a buffer of the launch", parameter_place(context, &object.name)),
    };
    let range = object.address..object.address + object.size;
    Target { name: object.name.clone(), range, origin, place }
}

fn parameter_place(context: &Context<'_>, name: &str) -> Option<Place> {
    let kernel: &Function = context.image.program.function(context.launch.kernel);
    kernel.kernel_parameters().iter().find(|parameter| &*parameter.name == name).map(|p| p.place)
}

/// The object of global or constant memory that is nearest to bytes that miss all of them.
pub(crate) fn nearest_global(context: &Context<'_>, address: u64, size: u64) -> Option<Target> {
    let objects = context.memory.objects();
    let above = objects.partition_point(|object| object.address <= address);
    let below = above.checked_sub(1).and_then(|i| objects.get(i));
    let above = objects.get(above);
    let past = below.map(|object| address.saturating_sub(object.address + object.size));
    let before = above.map(|object| object.address.saturating_sub(address.saturating_add(size)));
    let nearest = match (past, before) {
        (Some(past), Some(before)) if before < past => above,
        (None, _) => above,
        _ => below,
    }?;
    // What is farther off has nothing to do with it.
    let limit = nearest.size.saturating_mul(2).max(1 << 20);
    let distance = past.into_iter().chain(before).min()?;
    (distance <= limit).then(|| global_target(context, nearest))
}

/// The objects of a space of the launch that begins at 0: shared memory, or the frame of a function.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// By address.
    targets: Vec<Target>,
}

impl Layout {
    /// The static and dynamic objects of shared memory (V-17, V-18).
    pub(crate) fn shared(context: &Context<'_>) -> Layout {
        let program = &context.image.program;
        let mut targets = Vec::new();
        for (i, variable) in program.module().variables.iter().enumerate() {
            if variable.space == Space::Shared {
                let start = context.image.address(VariableId(i as u32));
                targets.push(Target {
                    name: format!("@{}", variable.name),
                    range: start..start + variable.size,
                    origin: "a shared variable",
                    place: Some(variable.place),
                });
            }
        }
        for block in &context.launch.shared_blocks {
            let start = u64::from(block.address);
            targets.push(Target {
                name: block.name.to_string(),
                range: start..start + u64::from(block.size),
                origin: "a block of shared memory of the launch",
                place: parameter_place(context, &block.name),
            });
        }
        targets.sort_by_key(|target| target.range.start);
        Layout { targets }
    }

    /// The private variables of a function, relative to its frame (V-16).
    pub(crate) fn frame(context: &Context<'_>, program: &Program, function: FunctionId) -> Layout {
        let mut targets = Vec::new();
        for &id in &program.function(function).variables {
            let variable = program.variable(id);
            if variable.space == Space::Private {
                let start = context.image.address(id);
                targets.push(Target {
                    name: format!("@{}", variable.name),
                    range: start..start + variable.size,
                    origin: "a private variable",
                    place: Some(variable.place),
                });
            }
        }
        targets.sort_by_key(|target| target.range.start);
        Layout { targets }
    }

    /// The object that an address lies in, or one past the end of.
    pub(crate) fn at(&self, address: u64) -> Option<&Target> {
        let index = self.targets.partition_point(|target| target.range.start <= address).checked_sub(1)?;
        self.targets.get(index).filter(|target| address <= target.range.end)
    }

    /// The object that an address lies in.
    pub(crate) fn inside(&self, address: u64) -> Option<&Target> {
        self.at(address).filter(|target| address < target.range.end)
    }

    /// The object that is nearest to an address.
    pub(crate) fn nearest(&self, address: u64) -> Option<&Target> {
        self.targets.iter().min_by_key(|target| {
            if address < target.range.start {
                target.range.start - address
            } else {
                address.saturating_sub(target.range.end)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(name: &str, range: Range<u64>) -> Target {
        Target { name: name.to_owned(), range, origin: "a variable", place: None }
    }

    #[test]
    fn distances_are_counted_from_the_nearer_end() {
        let out = target("out", 64..128);
        assert_eq!(out.distance(128, 4).as_deref(), Some("right at the end of `out` (64 bytes)"));
        assert_eq!(out.distance(129, 4).as_deref(), Some("1 byte past the end of `out` (64 bytes)"));
        assert_eq!(out.distance(60, 4).as_deref(), Some("4 bytes before `out` (64 bytes)"));
        assert_eq!(out.distance(61, 4), None);
        assert_eq!(out.distance(127, 4), None);
    }

    #[test]
    fn objects_are_found_by_address() {
        let layout = Layout { targets: vec![target("a", 1..5), target("b", 8..16)] };
        let name = |found: Option<&Target>| found.map(|target| target.name.clone());
        assert_eq!(name(layout.inside(0)), None);
        assert_eq!(name(layout.inside(4)).as_deref(), Some("a"));
        assert_eq!(name(layout.inside(5)), None);
        assert_eq!(name(layout.at(5)).as_deref(), Some("a"));
        assert_eq!(name(layout.inside(15)).as_deref(), Some("b"));
        assert_eq!(name(layout.nearest(7)).as_deref(), Some("b"));
        assert_eq!(name(layout.nearest(6)).as_deref(), Some("a"));
        assert_eq!(name(layout.nearest(100)).as_deref(), Some("b"));
    }
}
