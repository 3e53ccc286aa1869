//! Names of what an access goes to: a variable with its `@`, a buffer, a dynamic block.

use crate::access::Access;
use crate::check::Context;
use pisa_machine::{LANES, Memory};
use pisa_module::{Space, VariableId};
use std::ops::Range;

/// Everything that has a name and an address of its own.
pub(crate) struct Names<'a> {
    memory: &'a Memory,
    /// Variables and dynamic blocks in shared memory.
    shared: Vec<(Range<u64>, String)>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(context: &Context<'a>) -> Names<'a> {
        let image = context.image;
        let variables = image.program.module().variables.iter().enumerate();
        let mut shared: Vec<_> = variables
            .filter(|(_, variable)| variable.space == Space::Shared)
            .map(|(index, variable)| {
                let start = image.address(VariableId(index as u32));
                (start..start + variable.size, format!("@{}", variable.name))
            })
            .collect();
        shared.extend(context.launch.shared_blocks.iter().map(|block| {
            let start = u64::from(block.address);
            (start..start + u64::from(block.size), block.name.to_string())
        }));
        Names { memory: context.memory, shared }
    }

    /// What the first of these lanes accesses, or passes the end of; `None` in private memory and far from everything.
    pub(crate) fn of(&self, access: &Access, lanes: u32) -> Option<String> {
        let lane = (lanes.trailing_zeros() as usize).min(LANES as usize - 1);
        self.find(access, lane).map(|(name, _)| name.to_owned())
    }

    /// What a lane accesses, with the offset in it: `@lock`, `lock+4`; the address where it is in nothing with a name.
    pub(crate) fn describe(&self, access: &Access, lane: usize) -> String {
        let address = access.addresses[lane];
        match self.find(access, lane) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => format!("{name}+{offset}"),
            None if access.shared >> lane & 1 == 1 => format!("shared+{}", address & 0xFFFF_FFFF),
            None if access.private >> lane & 1 == 1 => format!("private+{}", address & 0xFFFF_FFFF),
            None => format!("{address:#x}"),
        }
    }

    fn find(&self, access: &Access, lane: usize) -> Option<(&str, u64)> {
        let address = *access.addresses.get(lane)?;
        if access.shared >> lane & 1 == 1 {
            let address = address & 0xFFFF_FFFF;
            let (range, name) = self.shared.iter().find(|(range, _)| range.contains(&address))?;
            return Some((name, address - range.start));
        }
        if access.global >> lane & 1 == 1 {
            let object = self.memory.nearest_below(address)?;
            let offset = address - object.address;
            let is_near = offset < object.size.saturating_mul(2).saturating_add(4096);
            return is_near.then_some((&object.name, offset));
        }
        None
    }
}
