//! Names of what an access goes to: a variable with its `@`, a buffer, a dynamic block.

use crate::access::Access;
use crate::check::Context;
use crate::objects::Layout;
use pisa_machine::{LANES, Memory};

/// Where an address counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    /// Global and constant memory.
    Global,
    Shared,
    Private,
}

/// Everything that has a name and an address of its own.
pub(crate) struct Names<'a> {
    memory: &'a Memory,
    shared: Layout,
}

impl<'a> Names<'a> {
    pub(crate) fn new(context: &Context<'a>) -> Names<'a> {
        Names { memory: context.memory, shared: Layout::shared(context) }
    }

    /// What the first of these lanes accesses, or passes the end of; `None` in private memory and far from everything.
    pub(crate) fn of(&self, access: &Access, lanes: u32) -> Option<String> {
        let lane = (lanes.trailing_zeros() as usize).min(LANES as usize - 1);
        let (space, address) = place(access, lane);
        self.find(space, address).map(|(name, _)| name.to_owned())
    }

    /// What a lane accesses, with the offset in it: `@lock`, `lock+4`; the address where it is in nothing with a name.
    pub(crate) fn describe(&self, access: &Access, lane: usize) -> String {
        let (space, address) = place(access, lane);
        self.text(space, address)
    }

    /// What lies at an address, as [`Names::describe`] has it.
    pub(crate) fn text(&self, space: Space, address: u64) -> String {
        match (self.find(space, address), space) {
            (Some((name, 0)), _) => name.to_owned(),
            (Some((name, offset)), _) => format!("{name}+{offset}"),
            (None, Space::Global) => format!("{address:#x}"),
            (None, Space::Shared) => format!("shared+{address}"),
            (None, Space::Private) => format!("private+{address}"),
        }
    }

    fn find(&self, space: Space, address: u64) -> Option<(&str, u64)> {
        match space {
            Space::Global => {
                let object = self.memory.nearest_below(address)?;
                let offset = address - object.address;
                let is_near = offset < object.size.saturating_mul(2).saturating_add(4096);
                is_near.then_some((&object.name, offset))
            }
            Space::Shared => {
                let target = self.shared.inside(address)?;
                Some((&target.name, address - target.range.start))
            }
            Space::Private => None,
        }
    }
}

/// Where a lane's access goes.
fn place(access: &Access, lane: usize) -> (Space, u64) {
    let address = access.addresses[lane % LANES as usize];
    let narrow = address & 0xFFFF_FFFF;
    if access.shared >> lane & 1 == 1 {
        (Space::Shared, narrow)
    } else if access.private >> lane & 1 == 1 {
        (Space::Private, narrow)
    } else {
        (Space::Global, address)
    }
}
