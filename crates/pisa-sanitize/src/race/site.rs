//! What the instructions that matter here do, worked out once.

use super::clock::Regions;
use super::knowledge::{Fence, Scope};
use crate::access::{Kind, Shape};
use pisa_diag::Place;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Function, FunctionId, Instruction, Program};

/// What an access does, as far as races are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Read,
    Write,
    /// An atomic load, indivisible for the work-items in a scope.
    AtomicRead(Scope),
    /// An atomic store or read-modify-write.
    AtomicWrite(Scope),
}

impl Effect {
    pub(super) fn is_atomic(self) -> bool {
        matches!(self, Effect::AtomicRead(_) | Effect::AtomicWrite(_))
    }

    pub(super) fn writes(self) -> bool {
        matches!(self, Effect::Write | Effect::AtomicWrite(_))
    }
}

/// An access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AccessSite {
    pub(super) effect: Effect,
    /// Bytes of an element, and of all of them.
    pub(super) element: u32,
    pub(super) bytes: u32,
    /// The scope in which it acquires.
    pub(super) acquires: Option<Scope>,
    /// The scope in which it releases.
    pub(super) releases: Option<Scope>,
    /// It reads and writes: a part of release sequences.
    pub(super) modifies: bool,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Access(AccessSite),
    Fence(Fence),
    Barrier,
}

/// An instruction that matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) function: FunctionId,
    pub(super) index: u32,
    pub(super) place: Place,
    pub(super) action: Action,
}

impl AccessSite {
    /// Whether two accesses of different work-items to one byte are a race where nothing orders them (spec 1.2.1, C++ data races).
    /// Atomic ones are none if each one's scope includes the other work-item and they access the same bytes.
    pub(super) fn conflicts(&self, other: &AccessSite, in_one_group: bool) -> bool {
        use Effect::{AtomicRead, AtomicWrite};
        if !self.effect.writes() && !other.effect.writes() {
            return false;
        }
        match (self.effect, other.effect) {
            (AtomicRead(one) | AtomicWrite(one), AtomicRead(two) | AtomicWrite(two)) => {
                self.bytes != other.bytes || (one.min(two) < Scope::Launch && !in_one_group)
            }
            _ => true,
        }
    }

    /// Whether what would race with an earlier access races with this one too, so that the earlier one may be forgotten
    /// when it happens before this one.
    pub(super) fn stands_for(&self, earlier: &AccessSite) -> bool {
        use Effect::{AtomicRead, AtomicWrite, Read, Write};
        let as_atomic = |mine: Scope, its: Scope| mine <= its && self.bytes == earlier.bytes;
        match (self.effect, earlier.effect) {
            (Write, _) | (Read, Read | AtomicRead(_)) => true,
            (AtomicRead(mine) | AtomicWrite(mine), AtomicRead(its))
            | (AtomicWrite(mine), AtomicWrite(its)) => as_atomic(mine, its),
            _ => false,
        }
    }
}

/// M-04: an order without a scope has that of [`Shape::scope`]; relaxed accesses are atomic for all who can reach them (M-06).
fn scope_of(scope: Option<Qualifier>) -> Scope {
    match scope {
        Some(Qualifier::Subgroup) => Scope::SubGroup,
        Some(Qualifier::Workgroup) => Scope::WorkGroup,
        _ => Scope::Launch,
    }
}

fn access(shape: &Shape) -> Option<AccessSite> {
    use Qualifier::{AcqRel, Acquire, Release, SeqCst};
    if matches!(shape.space, Qualifier::Private | Qualifier::Const) {
        return None;
    }
    let scope = scope_of(shape.scope);
    let effect = match (shape.kind, shape.is_atomic()) {
        (Kind::Load, false) => Effect::Read,
        (Kind::Store, false) => Effect::Write,
        (Kind::Load, true) => Effect::AtomicRead(scope),
        (_, _) => Effect::AtomicWrite(scope),
    };
    let acquires = shape.kind != Kind::Store && matches!(shape.order, Some(Acquire | AcqRel | SeqCst));
    let releases = shape.kind != Kind::Load && matches!(shape.order, Some(Release | AcqRel | SeqCst));
    Some(AccessSite {
        effect,
        element: shape.bytes,
        bytes: shape.bytes * shape.elements,
        acquires: acquires.then_some(scope),
        releases: releases.then_some(scope),
        modifies: shape.kind == Kind::Modify,
    })
}

fn fence(instruction: &Instruction) -> Fence {
    use Qualifier::{AcqRel, Acquire, Global, Release, SeqCst, Shared};
    let scope = instruction.qualifier(SlotName::Memscope);
    if scope == Some(Qualifier::Subgroup) {
        // Y-06.
        return Fence { acquires: true, releases: true, regions: Regions::BOTH, scope: Scope::SubGroup };
    }
    // Y-04.
    let order = instruction.qualifier(SlotName::Memorder).unwrap_or(AcqRel);
    let space = instruction.qualifier(SlotName::Addrspace);
    Fence {
        acquires: matches!(order, Acquire | AcqRel | SeqCst),
        releases: matches!(order, Release | AcqRel | SeqCst),
        regions: Regions { shared: space != Some(Global), global: space != Some(Shared) },
        scope: scope_of(scope),
    }
}

/// What an instruction does; `None` where it does not matter.
pub(super) fn action(instruction: &Instruction) -> Option<Action> {
    match instruction.row().opcode {
        Opcode::Fence => Some(Action::Fence(fence(instruction))),
        Opcode::BarrierWorkgroup => Some(Action::Barrier),
        _ => Shape::of(instruction).and_then(|shape| access(&shape)).map(Action::Access),
    }
}

/// All instructions of a program that matter.
#[derive(Debug, Default)]
pub(super) struct Sites {
    pub(super) list: Vec<Site>,
    /// By function and instruction: the number of its site, [`NONE`] for none.
    functions: Vec<Vec<u32>>,
}

const NONE: u32 = u32::MAX;
/// Sites that a record can tell apart.
const MOST: usize = 1 << 24;

impl Sites {
    pub(super) fn of(program: &Program) -> Sites {
        let mut sites = Sites::default();
        for (id, function) in program.functions() {
            let mut numbers = vec![NONE; function.code.len()];
            for ((index, instruction), number) in (0..).zip(&function.code).zip(&mut numbers) {
                if let Some(action) = action(instruction)
                    && sites.list.len() < MOST
                {
                    *number = sites.list.len() as u32;
                    sites.list.push(Site { function: id, index, place: instruction.place, action });
                }
            }
            sites.functions.push(numbers);
        }
        sites
    }

    /// The number of an instruction's site.
    pub(super) fn number(&self, function: FunctionId, index: u32) -> Option<u32> {
        let number = *self.functions.get(function.index())?.get(index as usize)?;
        (number != NONE).then_some(number)
    }

    /// An access by the number of its site.
    pub(super) fn access(&self, number: u32) -> Option<&AccessSite> {
        match &self.list.get(number as usize)?.action {
            Action::Access(access) => Some(access),
            _ => None,
        }
    }

    /// Whether work-items of different work-groups can come to know of each other's accesses.
    pub(super) fn order_work_groups(&self) -> bool {
        self.list.iter().any(|site| match site.action {
            Action::Access(access) => access.acquires == Some(Scope::Launch),
            Action::Fence(fence) => fence.acquires && fence.scope == Scope::Launch,
            Action::Barrier => false,
        })
    }

    /// Whether all atomic accesses are indivisible for the whole launch.
    pub(super) fn atomics_reach_all(&self) -> bool {
        self.list.iter().all(|site| match site.action {
            Action::Access(AccessSite {
                effect: Effect::AtomicRead(scope) | Effect::AtomicWrite(scope),
                ..
            }) => scope == Scope::Launch,
            _ => true,
        })
    }

    /// Whether atomic accesses acquire what they read, without a fence.
    pub(super) fn atomics_acquire(&self) -> bool {
        self.list
            .iter()
            .any(|site| matches!(site.action, Action::Access(access) if access.acquires.is_some()))
    }

    /// Whether fences of sub-groups occur.
    pub(super) fn fence_sub_groups(&self) -> bool {
        self.list.iter().any(|site| matches!(site.action, Action::Fence(f) if f.scope == Scope::SubGroup))
    }
}

/// Whether an instruction matters: [`crate::check::Check::wants`].
pub(super) fn matters(_: &Function, instruction: &Instruction) -> bool {
    action(instruction).is_some()
}

#[cfg(test)]
impl Site {
    pub(super) fn for_tests(action: Action) -> Site {
        let file = pisa_diag::FileId(0);
        let place = Place { file, span: pisa_diag::Span { start: 0, end: 0 } };
        Site { function: FunctionId(0), index: 0, place, action }
    }
}

#[cfg(test)]
impl Sites {
    pub(super) fn for_tests(list: Vec<Site>) -> Sites {
        Sites { list, functions: Vec::new() }
    }
}
