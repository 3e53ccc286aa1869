//! Looks at an access lane by lane, where not all lanes stay in a known object.

use super::fault::Fault;
use super::text::text;
use super::{Known, Site, Spaces, extent};
use crate::access::{Access, Kind};
use crate::check::Context;
use crate::describe::read_use;
use crate::finding::Findings;
use crate::objects::{Target, global_target};
use pisa_isa::Qualifier;
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, LANES, LaneValues, Step};
use pisa_module::{AddressBase, AddressOffset, Operand, Space};

/// Addresses of global memory below this, or that near to the end of the address range, come from a null pointer.
const NEAR_NULL: u64 = 1 << 16;
/// The null pointer of shared and private memory (2.1).
pub(super) const NARROW_NULL: u64 = 0xFFFF_FFFF;

/// An access, with all that is needed to judge it.
pub(super) struct Look<'a, 'b> {
    pub(super) context: &'a Context<'b>,
    pub(super) step: &'a Step<'a>,
    pub(super) access: &'a Access,
    pub(super) site: &'a Site,
    pub(super) spaces: &'a Spaces,
    /// The base register, by lane; `None` for another base.
    pub(super) base: Option<LaneValues>,
    /// Whether the offset is an immediate.
    pub(super) immediate_offset: bool,
}

/// Where the address of a lane leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Location {
    Global(u64),
    Shared(u64),
    Private(u64),
}

/// Judges an access that does not stay in the object that its instruction used last. Gives the object that all lanes
/// stay in, where there is one and nothing is wrong.
pub(super) fn look(
    context: &Context<'_>,
    step: &Step<'_>,
    access: &Access,
    site: &Site,
    spaces: &Spaces,
    tolerate_over_reads: bool,
    findings: &mut Findings,
) -> Option<Known> {
    let base = base_values(step, access);
    let operand = step.instruction.operands.get(access.shape.address);
    let immediate_offset =
        matches!(operand, Some(Operand::Address { offset: AddressOffset::Immediate(_), .. }));
    let look = Look { context, step, access, site, spaces, base, immediate_offset };
    if !look.site.base_can_wrap
        && let Some(known) = look.one_object()
    {
        return Some(known);
    }
    let mut lanes = [0u32; Fault::ALL.len()];
    let mut tolerated = 0;
    for lane in (0..LANES as usize).filter(|lane| step.lanes >> lane & 1 == 1) {
        match look.judge(lane) {
            Some(Fault::OutOfBounds | Fault::OutsideNamed)
                if tolerate_over_reads && look.is_over_read(lane) =>
            {
                tolerated += 1;
            }
            Some(fault) => lanes[fault as usize] |= 1 << lane,
            None => {}
        }
    }
    findings.tolerate_over_reads(tolerated);
    for fault in Fault::ALL {
        let lanes = lanes[fault as usize];
        if lanes != 0 {
            findings.report(fault.code(), step, lanes, None, || text(&look, fault, lanes));
        }
    }
    None
}

/// The base register of the address, by lane.
fn base_values(step: &Step<'_>, access: &Access) -> Option<LaneValues> {
    let Some(Operand::Address { base: AddressBase::Register(used), .. }) =
        step.instruction.operands.get(access.shape.address)
    else {
        return None;
    };
    let mut values = [0; LANES as usize];
    read_use(step, *used, &mut values);
    Some(values)
}

impl Look<'_, '_> {
    /// The object that all lanes stay in, where that is all there is to say.
    fn one_object(&self) -> Option<Known> {
        let (access, step) = (self.access, self.step);
        let size = access.size();
        let (low, high, bits) = extent(access, step.lanes);
        if bits & (self.site.alignment - 1) != 0 {
            return None;
        }
        let frame = step.view.private_frame();
        let (target, frame, tag) = if access.global == step.lanes {
            let target = match self.named() {
                Some(target) => target.range,
                None => {
                    let object = self.context.memory.find(low, size)?;
                    if !object.writable && access.shape.kind != Kind::Load {
                        return None;
                    }
                    object.address..object.address + object.size
                }
            };
            (target, 0, 0)
        } else if access.shared == step.lanes {
            let tag = if access.shape.space == Qualifier::Generic { GENERIC_SHARED } else { 0 };
            let target = match self.named() {
                Some(target) => target.range,
                None => self.spaces.shared.inside(low - tag)?.range.clone(),
            };
            (target, 0, tag)
        } else if access.private == step.lanes && !access.shape.is_atomic() {
            let tag = if access.shape.space == Qualifier::Generic { GENERIC_PRIVATE } else { 0 };
            let start = u64::from(frame.start);
            // Only objects of the running function: those of its callers need not be there next time.
            let layout = self.spaces.private.get(step.function.index())?;
            let target = layout.inside((low - tag).checked_sub(start)?)?.range.clone();
            let target = match self.named() {
                Some(named) => named.range,
                None => target.start + start..target.end + start,
            };
            (target, frame.start, tag)
        } else {
            return None;
        };
        let last = (target.end.checked_sub(size)?).checked_add(tag)?;
        let first = target.start + tag;
        (first <= low && high <= last).then_some(Known { first, last, frame, any: true })
    }

    /// The variable that the address names (Z-03), where it lies now.
    pub(super) fn named(&self) -> Option<Target> {
        let id = self.site.named?;
        let variable = self.context.image.program.variable(id);
        let start = self.context.image.address(id)
            + match variable.space {
                Space::Private => u64::from(self.step.view.private_frame().start),
                _ => 0,
            };
        let origin = match variable.space {
            Space::Global => "a variable",
            Space::Const => "a constant",
            Space::Shared => "a shared variable",
            Space::Private => "a private variable",
        };
        let name = format!("@{}", variable.name);
        Some(Target { name, range: start..start + variable.size, origin, place: Some(variable.place) })
    }

    pub(super) fn location(&self, lane: usize) -> Location {
        let address = self.access.addresses[lane];
        let low = address & 0xFFFF_FFFF;
        if self.access.shared >> lane & 1 == 1 {
            Location::Shared(low)
        } else if self.access.private >> lane & 1 == 1 {
            Location::Private(low)
        } else {
            Location::Global(address)
        }
    }

    /// What is wrong with the access of a lane, the most telling fault first.
    fn judge(&self, lane: usize) -> Option<Fault> {
        let location = self.location(lane);
        if matches!(location, Location::Private(_)) && self.access.shape.is_atomic() {
            return Some(Fault::AtomicOnPrivate);
        }
        let fault = self.target_fault(lane, location);
        match fault {
            Some(Fault::Constant) | None if self.is_misaligned(lane) => Some(Fault::Misaligned),
            fault => fault,
        }
    }

    pub(super) fn is_misaligned(&self, lane: usize) -> bool {
        self.access.addresses[lane] & (self.site.alignment - 1) != 0
    }

    fn target_fault(&self, lane: usize, location: Location) -> Option<Fault> {
        let size = self.access.size();
        let generic = self.access.shape.space == Qualifier::Generic;
        if self.base_is_null(lane) {
            return Some(Fault::Null);
        }
        if let Some(target) = self.named() {
            let address = match location {
                Location::Global(a) | Location::Shared(a) | Location::Private(a) => a,
            };
            let inside = target.range.start <= address
                && address.checked_add(size).is_some_and(|end| end <= target.range.end);
            return (!inside).then_some(Fault::OutsideNamed);
        }
        match location {
            Location::Global(address) => {
                if let Some(object) = self.context.memory.find(address, size) {
                    let constant = !object.writable && self.access.shape.kind != Kind::Load;
                    return constant.then_some(Fault::Constant);
                }
                let base_is_zero = self.base.is_some_and(|base| base[lane] == 0);
                if base_is_zero || address < NEAR_NULL || address >= NEAR_NULL.wrapping_neg() {
                    return Some(Fault::Null);
                }
                if self.context.image.function_of(address & !15).is_some() {
                    return Some(Fault::CodeHandle);
                }
                if matches!(address & GENERIC_TAG, GENERIC_SHARED | GENERIC_PRIVATE) {
                    return Some(Fault::WrongSpace);
                }
                Some(Fault::OutOfBounds)
            }
            Location::Shared(address) => {
                if address == NARROW_NULL {
                    return Some(Fault::Null);
                }
                if generic && self.has_stray_bits(lane) {
                    return Some(Fault::WrongSpace);
                }
                let target = self.spaces.shared.inside(address);
                let inside = target.is_some_and(|target| address + size <= target.range.end);
                (!inside).then_some(Fault::OutOfBounds)
            }
            Location::Private(address) => {
                if address == NARROW_NULL {
                    return Some(Fault::Null);
                }
                if generic && self.has_stray_bits(lane) {
                    return Some(Fault::WrongSpace);
                }
                match self.private_target(address) {
                    Some(target) => (address + size > target.range.end).then_some(Fault::OutOfBounds),
                    None if self.is_live(address) => Some(Fault::OutOfBounds),
                    None => match self.spaces.frames.over_at(self.step.subgroup, address) {
                        Some(_) => Some(Fault::Dangling),
                        None => Some(Fault::OutOfBounds),
                    },
                }
            }
        }
    }

    /// Bits of a generic address between the tag and the 32 bits of the address: no cast gives such a one.
    fn has_stray_bits(&self, lane: usize) -> bool {
        self.access.addresses[lane] & !GENERIC_TAG & !0xFFFF_FFFF != 0
    }

    /// Whether the base is the null pointer of shared or private memory, cast or not (2.1, D-25).
    pub(super) fn base_is_null(&self, lane: usize) -> bool {
        let Some(base) = self.base else { return false };
        let base = base[lane];
        if !self.immediate_offset {
            return false;
        }
        match self.access.shape.space {
            Qualifier::Shared | Qualifier::Private => base & 0xFFFF_FFFF == NARROW_NULL,
            Qualifier::Generic => {
                matches!(base & GENERIC_TAG, GENERIC_SHARED | GENERIC_PRIVATE)
                    && base & !GENERIC_TAG == NARROW_NULL
            }
            _ => false,
        }
    }

    fn is_live(&self, address: u64) -> bool {
        self.spaces.frames.live_at(self.step.subgroup, self.step.activation, address).is_some()
    }

    /// The private variable at an address, of the running function or one of its callers.
    pub(super) fn private_target(&self, address: u64) -> Option<Target> {
        let frame = self.spaces.frames.live_at(self.step.subgroup, self.step.activation, address)?;
        let start = u64::from(frame.range.start);
        let target = self.spaces.private.get(frame.function.index())?.inside(address - start)?;
        Some(moved(target, start))
    }

    /// The object that the first byte of a lane's access lies in.
    pub(super) fn begins_in(&self, lane: usize) -> Option<Target> {
        match self.location(lane) {
            Location::Global(address) => {
                self.context.memory.find(address, 1).map(|object| global_target(self.context, object))
            }
            Location::Shared(address) => self.spaces.shared.inside(address).cloned(),
            Location::Private(address) => self.private_target(address),
        }
    }

    /// Whether it is one of the loads with which LLVM's back end reads five to seven elements (E9).
    fn is_over_read(&self, lane: usize) -> bool {
        let shape = self.access.shape;
        let target = match self.named() {
            Some(target) => Some(target),
            None => self.begins_in(lane),
        };
        let Some(target) = target else { return false };
        let address = match self.location(lane) {
            Location::Global(a) | Location::Shared(a) | Location::Private(a) => a,
        };
        if shape.kind != Kind::Load || address < target.range.start || address >= target.range.end {
            return false;
        }
        let inside = target.range.end - address;
        match (shape.elements, shape.bytes) {
            (8, 4) => (20..32).contains(&inside),
            (3, 8) => (20..24).contains(&inside),
            _ => false,
        }
    }
}

/// The object of a frame, where the frame begins at `start`.
pub(super) fn moved(target: &Target, start: u64) -> Target {
    Target { range: target.range.start + start..target.range.end + start, ..target.clone() }
}
