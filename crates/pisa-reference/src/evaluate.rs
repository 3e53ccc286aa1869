//! Instructions on given values, without a launch.

use crate::bits::truncate;
use crate::compute::{cross_lane_element, lane_elements};
use crate::cross_lane::LANES;
use crate::operands::{Destination, Source, Sources};
use crate::qualifiers::Qualifiers;
use crate::run::write;
use crate::semantics::{Semantics, semantics_of};
use pisa_isa::{
    Access, FORMS, Form, FormId, Opcode, OperandDef, OperandKind, Qualifier, Slot, SlotName, SlotValues,
    Value, Values, Width,
};

/// Most operands that a form without memory and control flow reads.
const MAX_SOURCES: usize = 4;

/// Most elements of a vector register.
const MAX_ELEMENTS: usize = 64;

/// One instruction form with its qualifiers, ready to be computed on values alone.
///
/// A value is one bit pattern an element: scalars have one element, packed and vector registers theirs, predicates are 0
/// or 1 after their `!`. Patterns wider than the operand are cut to it.
///
/// ```
/// use pisa_isa::{match_mnemonic, split_mnemonic};
/// use pisa_reference::Evaluator;
///
/// let mnemonic = split_mnemonic("iadd.16bx2").unwrap();
/// let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap();
/// let iadd = Evaluator::of(found[0].form, &found[0].values).unwrap();
/// let sums = iadd.lane(&[&[0xFFFF, 3], &[2, 4]], &[0, 0], &[16, 16]);
/// assert_eq!(sums, [1, 7]);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    semantics: Semantics,
    qualifiers: Qualifiers,
    /// How the operands that are read lie in their sources, in their order.
    sources: [Shape; MAX_SOURCES],
    /// How many elements the operands that are written have at least and at most.
    written: (usize, usize),
    /// The width of the one result whose parts are the elements of the destination, where that is a swizzle.
    row: Option<u32>,
}

/// How an operand lies in its elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Each element has this width.
    Each(u32),
    /// The elements lie in one row of this width together: a swizzle (D-12, D-13).
    Row(u32),
}

impl Evaluator {
    /// Of a form with one value a slot. `None` for forms that touch memory, control flow, barriers or fences, for
    /// `addrof`, which needs the addresses of a launch, and where the form does not take these values.
    pub fn of(form: FormId, qualifiers: &SlotValues) -> Option<Evaluator> {
        let form = FORMS.get(usize::from(form.0))?;
        let semantics = semantics_of(form);
        let needs_launch =
            matches!(semantics, Semantics::Memory(_) | Semantics::Flow(_)) || form.opcode == Opcode::Addrof;
        if needs_launch || !takes(form, qualifiers) {
            return None;
        }
        let mut sources = [Shape::Each(0); MAX_SOURCES];
        let read = form.operands.iter().filter(|operand| operand.access == Access::Read);
        for (source, operand) in sources.iter_mut().zip(read) {
            *source = Shape::of(form, qualifiers, operand);
        }
        let written = form.operands.iter().filter(|operand| operand.access != Access::Read);
        let packed = form.value(qualifiers, SlotName::Type).or(form.value(qualifiers, SlotName::To));
        let elements = written.clone().map(|operand| match operand.kind {
            OperandKind::Packed => {
                packed.and_then(Qualifier::packed).map_or(1, |(count, _)| usize::from(count))
            }
            OperandKind::Vector => MAX_ELEMENTS,
            _ => 1,
        });
        let mut shapes = written.clone().map(|operand| Shape::of(form, qualifiers, operand));
        Some(Evaluator {
            semantics,
            qualifiers: Qualifiers::new(form, qualifiers),
            sources,
            written: (written.count(), elements.sum()),
            row: shapes.find_map(|shape| match shape {
                Shape::Row(width) => Some(width),
                Shape::Each(_) => None,
            }),
        })
    }

    /// Whether a lane's result depends on other lanes. Then [`Evaluator::cross_lane`] computes it, else
    /// [`Evaluator::lane`].
    pub fn is_cross_lane(&self) -> bool {
        matches!(self.semantics, Semantics::CrossLane(_))
    }

    /// What a lane gets: the elements of all destinations, one after the other, each cut to its width.
    ///
    /// `sources`: the elements of each operand that the form reads, in the form's order. `old`: the old elements of all
    /// destinations, which show through where the form leaves an element alone (`insert`). `widths`: the width in bits of
    /// each element of the destinations; a predicate has 1. Of a cross-lane form, the old elements.
    pub fn lane(&self, sources: &[&[u128]], old: &[u128], widths: &[u32]) -> Vec<u128> {
        let mut registers = Vec::new();
        let mut operands = [const { Source::Constant(0) }; MAX_SOURCES];
        for ((operand, shape), &elements) in operands.iter_mut().zip(self.sources).zip(sources) {
            *operand = shape.source(elements, &mut registers);
        }
        let operands = &operands[..sources.len().min(MAX_SOURCES)];
        let src = Sources {
            operands,
            registers: &registers,
            stride: 1,
            frame_base: 0,
            identity: None,
            activemask: 1,
            lane: 0,
        };
        let destinations = match self.row {
            Some(width) => {
                let width = width / widths.len().max(1) as u32;
                vec![Destination::Row { slot: 0, elements: widths.len(), width }]
            }
            None => {
                let one = |(slot, &width)| Destination::Register { slot, elements: 1, width };
                widths.iter().enumerate().map(one).collect()
            }
        };
        let (least, most) = self.written;
        let mut results = old.to_vec();
        results.resize(destinations.len().clamp(least, most), 0);
        lane_elements(self.semantics, &self.qualifiers, &src, &mut results);
        let mut cut = vec![0; widths.len()];
        write(&destinations, &mut cut, 1, 0, &results);
        cut
    }

    /// Of a cross-lane form, one element of `dst` for each lane of `active`, cut to its width; `None` where the lane keeps
    /// its old one. All `None` of other forms.
    ///
    /// `sources`: by operand that the form reads, by lane; of a packed operand the element in question.
    pub fn cross_lane(&self, active: u32, sources: &[[u128; LANES]; 3]) -> [Option<u128>; LANES] {
        let mut results = [None; LANES];
        if let Semantics::CrossLane(f) = self.semantics {
            let source = |operand: usize, lane: usize| match self.sources[operand] {
                Shape::Each(width) | Shape::Row(width) => truncate(sources[operand][lane], width),
            };
            for (lane, value) in cross_lane_element(f, &self.qualifiers, active, source) {
                results[lane] = value.map(|value| truncate(value, self.qualifiers.width()));
            }
        }
        results
    }
}

/// Whether each slot of the form takes its value and the values go together.
fn takes(form: &Form, values: &SlotValues) -> bool {
    let allowed = |(slot, value): (&Slot, &Value)| match (value, slot.values) {
        (Value::Absent, _) => slot.optional,
        (Value::Named(value), Values::OneOf(list)) => list.contains(value),
        (Value::Number(number), Values::Index) => *number < 64,
        (Value::Number(number), Values::TruthTable) => (1..=0xFE).contains(number),
        _ => false,
    };
    form.slots.iter().zip(values).all(allowed)
        && form.violations(values).iter().all(|broken| broken.departure)
}

impl Shape {
    fn of(form: &Form, values: &SlotValues, operand: &OperandDef) -> Shape {
        let bits = |slot| form.value(values, slot).and_then(Qualifier::bits).unwrap_or(0);
        let width = match operand.width {
            // Predicates; all else without a width needs a launch.
            Width::None => 1,
            Width::Bits(bits) => bits,
            Width::Slot(slot) if operand.kind == OperandKind::Packed => {
                let packed = form.value(values, slot).and_then(Qualifier::packed);
                packed.map_or(bits(slot), |(_, bits)| bits)
            }
            Width::Slot(slot) => bits(slot),
            Width::TwiceSlot(slot) => 2 * bits(slot),
            Width::AddressOf(slot) => form.value(values, slot).and_then(Qualifier::address_bits).unwrap_or(0),
        };
        let width = u32::from(width);
        if operand.kind == OperandKind::Swizzle { Shape::Row(width) } else { Shape::Each(width) }
    }

    /// The operand with these elements. Several go to registers.
    fn source(self, elements: &[u128], registers: &mut Vec<u128>) -> Source {
        let slot = registers.len();
        match (self, elements) {
            (_, []) => Source::Constant(0),
            (Shape::Each(width) | Shape::Row(width), &[element]) => {
                Source::Constant(truncate(element, width))
            }
            (Shape::Each(width), _) => {
                registers.extend(elements.iter().map(|&element| truncate(element, width)));
                Source::Register { slot, elements: elements.len() }
            }
            (Shape::Row(width), _) => {
                let width = width / elements.len() as u32;
                registers.extend(elements.iter().map(|&element| truncate(element, width)));
                Source::Row { slot, elements: elements.len(), width }
            }
        }
    }
}

#[cfg(test)]
mod tests;
