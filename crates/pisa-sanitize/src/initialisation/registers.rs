//! Which bits of registers have no value, by activation.
//!
//! Each element of a register has a slot, one of 128 bits two. A slot knows the lanes without any value, those in which
//! single bits have none, and where the lack came from.

use super::origin::{OriginId, Origins};
use pisa_machine::{LANES, LaneValues};
use pisa_module::{Function, RegisterType, RegisterUse};

/// Where the registers of a function have their slots.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    first: Vec<(u32, RegisterType)>,
    slots: u32,
    /// By register: what is said of it while nothing was written to it.
    origins: Vec<OriginId>,
}

/// Consecutive slots: elements of one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Elements {
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Bits of an element; an element of 128 has two slots.
    pub(crate) bits: u32,
}

impl Elements {
    /// The slots of an element; the last one's for those beyond, as every element of a scalar is the scalar.
    pub(crate) fn slots(self, element: usize) -> std::ops::Range<u32> {
        let each = if self.bits == 128 { 2 } else { 1 };
        let first = self.first + (element as u32).min(self.count.saturating_sub(1)) * each;
        first..first + each
    }

    /// The slots of all elements.
    pub(crate) fn all(self) -> std::ops::Range<u32> {
        let each = if self.bits == 128 { 2 } else { 1 };
        self.first..self.first + self.count * each
    }
}

impl Layout {
    pub(crate) fn of(function: &Function, origins: &mut Origins) -> Layout {
        let mut layout = Layout { first: Vec::new(), slots: 0, origins: Vec::new() };
        for register in &function.registers {
            layout.first.push((layout.slots, register.ty));
            let each = if register.ty.bits == 128 { 2 } else { 1 };
            layout.slots += u32::from(register.ty.elements) * each;
            let kind = if register.ty.is_predicate() { "predicate" } else { "register" };
            layout.origins.push(origins.declared(kind, &register.name, register.place));
        }
        layout
    }

    /// The slots of a register.
    pub(crate) fn register(&self, index: usize) -> Option<Elements> {
        let &(first, ty) = self.first.get(index)?;
        Some(Elements { first, count: u32::from(ty.elements), bits: u32::from(ty.bits) })
    }

    /// The slots of the elements that are meant.
    pub(crate) fn elements(&self, used: RegisterUse) -> Option<Elements> {
        let all = self.register(used.register.index())?;
        let Some(swizzle) = used.swizzle else { return Some(all) };
        let (skip, count) = swizzle.range();
        let first = all.slots(usize::from(skip)).start;
        Some(Elements { first, count: u32::from(count), ..all })
    }
}

/// A slot in one activation, where it lacks something.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Of the lanes that lack something, those in which only some bits do: [`Registers::bits`] says which.
    partial: u32,
    /// Where the latest lack came from.
    origin: OriginId,
}

/// The registers of an activation.
#[derive(Debug)]
pub(crate) struct Registers {
    /// By slot: lanes in which some bit has no value.
    lacking: Vec<u32>,
    marks: Vec<Mark>,
    bits: Vec<Option<Box<LaneValues>>>,
}

impl Registers {
    /// Nothing has a value.
    pub(crate) fn new(layout: &Layout) -> Registers {
        let mut marks = Vec::with_capacity(layout.slots as usize);
        for (&(_, ty), &origin) in layout.first.iter().zip(&layout.origins) {
            let each = if ty.bits == 128 { 2 } else { 1 };
            let mark = Mark { partial: 0, origin };
            marks.extend(std::iter::repeat_n(mark, usize::from(ty.elements) * each));
        }
        Registers { lacking: vec![u32::MAX; marks.len()], bits: vec![None; marks.len()], marks }
    }

    /// Of nothing.
    pub(crate) fn none() -> Registers {
        Registers { lacking: Vec::new(), marks: Vec::new(), bits: Vec::new() }
    }

    /// Lanes in which some bit of the slot has no value.
    #[inline]
    pub(crate) fn lacking(&self, slot: u32) -> u32 {
        self.lacking.get(slot as usize).copied().unwrap_or_default()
    }

    /// Where the lack in a slot came from.
    pub(crate) fn origin(&self, slot: u32) -> OriginId {
        self.marks.get(slot as usize).map_or(OriginId::default(), |mark| mark.origin)
    }

    /// All bits of the slot have a value in these lanes.
    #[inline]
    pub(crate) fn clear(&mut self, slot: u32, lanes: u32) {
        if let Some(lacking) = self.lacking.get_mut(slot as usize) {
            *lacking &= !lanes;
        }
    }

    /// The bits without a value, for the lanes that lack some; 0 elsewhere.
    pub(crate) fn get(&self, slot: u32, into: &mut LaneValues) {
        *into = [0; LANES as usize];
        let lacking = self.lacking(slot);
        if lacking == 0 {
            return;
        }
        let partial = self.marks[slot as usize].partial & lacking;
        let details = self.bits[slot as usize].as_deref();
        for (lane, bits) in into.iter_mut().enumerate() {
            if partial >> lane & 1 == 1 {
                *bits = details.map_or(u64::MAX, |details| details[lane]);
            } else if lacking >> lane & 1 == 1 {
                *bits = u64::MAX;
            }
        }
    }

    /// These bits of the slot have no value in these lanes, the others have one. `width` is that of the element.
    pub(crate) fn set(&mut self, slot: u32, lanes: u32, bits: &LaneValues, width: u32, origin: OriginId) {
        let full = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        self.clear(slot, lanes);
        let Some(mark) = self.marks.get_mut(slot as usize) else { return };
        let (mut some, mut partial) = (0u32, 0u32);
        for (lane, &lack) in bits.iter().enumerate() {
            let lack = lack & full;
            some |= u32::from(lack != 0) << lane;
            partial |= u32::from(lack != 0 && lack != full) << lane;
        }
        (some, partial) = (some & lanes, partial & lanes);
        if some == 0 {
            return;
        }
        self.lacking[slot as usize] |= some;
        mark.partial = mark.partial & !lanes | partial;
        mark.origin = origin;
        if partial != 0 {
            let details = self.bits[slot as usize].get_or_insert_with(|| Box::new([0; LANES as usize]));
            for (lane, &lack) in bits.iter().enumerate() {
                if partial >> lane & 1 == 1 {
                    details[lane] = lack & full;
                }
            }
        }
    }
}
