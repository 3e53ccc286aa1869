//! Accesses to memory: bounds, alignment, null pointers, spaces, frames that are over, constants (M01xx).
//!
//! An access that stays within the object that its instruction used last is fine without a further look. A pointer
//! to a private variable of a function that has returned is found when the memory it points to is above the running
//! function's frame, or belongs to no variable; where a later call has a variable of its own at that address, the pointer
//! cannot be told from one to that variable.

mod accesses;
mod casts;
mod fault;
mod frames;
mod parameters;
mod text;

use crate::access::{Access, Shape};
use crate::check::{Check, Context};
use crate::finding::Findings;
use crate::objects::Layout;
use frames::Frames;
use pisa_isa::{Opcode, Qualifier};
use pisa_machine::{Entry, Launch, Step, SubGroupId};
use pisa_module::{AddressBase, AddressOffset, Function, FunctionId, Instruction, Operand};

pub(crate) use casts::Casts;

/// The check of `ld`, `st`, `iatom`, `fatom` and `ld.param`.
pub(crate) struct MemoryCheck<'a> {
    launch: &'a Launch,
    /// By function and instruction.
    sites: Vec<Vec<Option<Site>>>,
    spaces: Spaces,
    /// Over-reads that LLVM's back end prints are counted, not reported (E9, E10).
    tolerate_over_reads: bool,
    /// Whether any function has private memory; without any, frames are not followed.
    has_private: bool,
}

/// What lies in the spaces that begin at 0.
struct Spaces {
    shared: Layout,
    /// By function.
    private: Vec<Layout>,
    frames: Frames,
}

/// An instruction that accesses memory.
#[derive(Clone, Debug)]
struct Site {
    /// What the address must be a multiple of (M-13).
    alignment: u64,
    /// The variable that the address names (Z-03).
    named: Option<pisa_module::VariableId>,
    /// A null pointer plus an offset can be a good address: the base has to be looked at each time (D-25).
    base_can_wrap: bool,
    /// Where the last accesses went.
    last: Known,
}

/// An object that accesses of an instruction went to.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    /// Its first address, and the last one that an access of this size may have.
    first: u64,
    last: u64,
    /// Where the frame of the activation began, for private memory.
    frame: u32,
    /// Whether there is one.
    any: bool,
}

impl<'a> MemoryCheck<'a> {
    pub(crate) fn new(context: &Context<'a>, tolerate_over_reads: bool) -> MemoryCheck<'a> {
        let program = &context.image.program;
        let sites = program.functions().map(|(_, function)| function.code.iter().map(Site::of).collect());
        let frame = |(id, _): (FunctionId, &Function)| Layout::frame(context, program, id);
        MemoryCheck {
            launch: context.launch,
            sites: sites.collect(),
            spaces: Spaces {
                shared: Layout::shared(context),
                private: program.functions().map(frame).collect(),
                frames: Frames::default(),
            },
            tolerate_over_reads,
            has_private: program.functions().any(|(id, _)| context.image.frame_size(id) > 0),
        }
    }
}

impl Site {
    fn of(instruction: &Instruction) -> Option<Site> {
        let shape = Shape::of(instruction)?;
        let Some(Operand::Address { base, offset }) = instruction.operands.get(shape.address) else {
            return None;
        };
        let named = match base {
            AddressBase::Variable(id) => Some(*id),
            _ => None,
        };
        let alignment = u64::from(alignment(shape.bytes, shape.elements));
        let narrow = matches!(shape.space, Qualifier::Shared | Qualifier::Private);
        let wraps_to_aligned = match *offset {
            AddressOffset::Immediate(distance) => {
                distance != 0 && (i64::from(distance) - 1).rem_euclid(alignment as i64) == 0
            }
            _ => false,
        };
        let base_can_wrap = narrow && named.is_none() && wraps_to_aligned;
        Some(Site { alignment, named, base_can_wrap, last: Known::default() })
    }
}

/// What an address must be a multiple of (5.1, M-13): the bytes of an element, below 32 bits those of the whole access.
fn alignment(bytes: u32, elements: u32) -> u32 {
    if bytes < 4 { bytes * elements } else { bytes }
}

impl Check for MemoryCheck<'_> {
    fn wants(&self, function: &Function, instruction: &Instruction) -> bool {
        match instruction.row().opcode {
            Opcode::LdParam => parameters::wants(self.launch, function, instruction),
            _ => Shape::of(instruction).is_some(),
        }
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.spaces.frames.end_group(group);
    }

    fn enter(&mut self, _: &Context<'_>, entry: &Entry) {
        if self.has_private {
            self.spaces.frames.enter(entry);
        }
    }

    fn leave(&mut self, _: &Context<'_>, subgroup: SubGroupId, activation: u64, lanes: u32) {
        if self.has_private {
            self.spaces.frames.leave(subgroup, activation, lanes);
        }
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        access: Option<&Access>,
        findings: &mut Findings,
    ) {
        let Some(access) = access else {
            parameters::check(context, step, self.tolerate_over_reads, findings);
            return;
        };
        let sites = self.sites.get_mut(step.function.index());
        let Some(Some(site)) = sites.and_then(|sites| sites.get_mut(step.index as usize)) else { return };
        if site.is_known(access, step) {
            return;
        }
        let tolerate = self.tolerate_over_reads;
        if let Some(known) = accesses::look(context, step, access, site, &self.spaces, tolerate, findings) {
            site.last = known;
        }
    }
}

impl Site {
    /// Whether all lanes stay within the object that is known, and are aligned.
    #[inline]
    fn is_known(&self, access: &Access, step: &Step<'_>) -> bool {
        if !self.last.any || self.base_can_wrap {
            return false;
        }
        let whole = step.lanes;
        let frame = if access.private == whole { step.view.private_frame().start } else { 0 };
        let one_space = access.global == whole || access.shared == whole || access.private == whole;
        if !one_space || frame != self.last.frame {
            return false;
        }
        stays_within(access, step.lanes, self.last, self.alignment - 1)
    }
}

/// Whether all lanes stay within an object and have none of these low bits.
///
/// Differences whose highest bit is set are negative, as no object is that large: without comparisons, processors do several
/// lanes at a time.
#[inline]
fn stays_within(access: &Access, lanes: u32, known: Known, low_bits: u64) -> bool {
    let span = known.last - known.first;
    let (mut outside, mut bits) = (0u64, 0u64);
    if lanes == u32::MAX {
        for &address in &access.addresses {
            let distance = address.wrapping_sub(known.first);
            outside |= distance | span.wrapping_sub(distance);
            bits |= address;
        }
    } else {
        for (lane, &address) in access.addresses.iter().enumerate() {
            let active = 0u64.wrapping_sub(u64::from(lanes >> lane & 1));
            let distance = address.wrapping_sub(known.first) & active;
            outside |= distance | span.wrapping_sub(distance);
            bits |= address & active;
        }
    }
    outside >> 63 == 0 && bits & low_bits == 0
}

/// The least and the greatest address of the lanes, and all of them in one bitwise or.
#[inline]
fn extent(access: &Access, lanes: u32) -> (u64, u64, u64) {
    let first = access.addresses[crate::describe::first_lane(lanes)];
    let (mut low, mut high, mut bits) = (first, first, first);
    if lanes == u32::MAX {
        for &address in &access.addresses {
            low = low.min(address);
            high = high.max(address);
            bits |= address;
        }
    } else {
        for (lane, &address) in access.addresses.iter().enumerate() {
            let address = if lanes >> lane & 1 == 1 { address } else { first };
            low = low.min(address);
            high = high.max(address);
            bits |= address;
        }
    }
    (low, high, bits)
}
