//! Data made ready for combining, and what it is combined with.

use crate::lower::emit::Emitter;
use crate::{Element, Operand, Reduction};

/// A combination that PISA has as an instruction, of data that stands for the original.
#[derive(Clone, Copy)]
pub(super) struct Prepared {
    pub(super) reduction: Reduction,
    pub(super) element: Element,
    pub(super) data: Operand,
    /// What an exclusive scan gives where nothing is before.
    pub(super) identity: u128,
    /// The type of the result, where it has to be cut to it.
    narrow: Option<Element>,
}

impl Prepared {
    /// Whether combining a value with itself changes nothing.
    pub(super) fn is_idempotent(&self) -> bool {
        self.reduction.is_idempotent()
    }
}

impl Emitter<'_> {
    /// Integers of 8 and 16 bits are extended to 32.
    pub(super) fn widen(&mut self, reduction: Reduction, element: Element, data: Operand) -> Prepared {
        use Reduction::*;
        let identity = identity(reduction, element);
        if !matches!(element, Element::I8 | Element::I16) {
            return Prepared { reduction, element, data, identity, narrow: None };
        }
        let bits = u32::from(element.bits());
        let is_signed = matches!(reduction, Smin | Smax | Absmax);
        let extend = if is_signed { "sext" } else { "zext" };
        let data = self.table(&format!("{extend}.32b.{bits}b"), &[data]);
        let extension = if is_signed && identity >> (bits - 1) & 1 == 1 { u128::MAX << bits } else { 0 };
        let identity = (identity | extension) & u128::from(u32::MAX);
        Prepared { reduction, element: Element::I32, data, identity, narrow: Some(element) }
    }
    /// Widened, and greatest absolute values made greatest values of absolute values.
    pub(super) fn prepare(&mut self, reduction: Reduction, element: Element, data: Operand) -> Prepared {
        use Reduction::*;
        let prepared = self.widen(reduction, element, data);
        let ty = prepared.element.qualifier().map_or("", |qualifier| qualifier.text());
        let (absolute, reduction) = match reduction {
            // S-28: as an unsigned number the absolute value of the least number is the greatest.
            Absmax => ("iabs", Umax),
            Fabsmax => ("fabs", Fmax),
            FabsmaxNan => ("fabs", FmaxNan),
            _ => return prepared,
        };
        let data = self.table(&format!("{absolute}{ty}"), &[prepared.data]);
        Prepared { reduction, data, ..prepared }
    }
    /// A combination cut to the type it is to have.
    pub(super) fn finish(&mut self, prepared: Prepared, value: Operand) -> Operand {
        match prepared.narrow {
            Some(element) => self.table(&format!("trunc.{}b.32b", element.bits()), &[value]),
            None => value,
        }
    }
    /// [`Emitter::combine`] with what was prepared.
    pub(super) fn step(&mut self, prepared: Prepared, first: Operand, second: Operand) -> Operand {
        self.combine(prepared.reduction, prepared.element, first, second)
    }
}

/// What an exclusive scan gives where nothing is before, by element: what the operation starts from. That of floating-point
/// extremes is the infinity that loses against every number.
pub(super) fn identity(reduction: Reduction, element: Element) -> u128 {
    use Reduction::*;
    let width = u32::from(element.bits());
    let ones = u128::MAX >> (128 - width);
    let infinity = match element {
        Element::Hf | Element::Hfx2 => 0x7C00,
        Element::Bf | Element::Bfx2 => 0x7F80,
        Element::Df => 0x7FF0_0000_0000_0000,
        _ => 0x7F80_0000,
    };
    match reduction {
        Product => match element {
            Element::Hf | Element::Hfx2 => 0x3C00,
            Element::Bf | Element::Bfx2 => 0x3F80,
            Element::F => 0x3F80_0000,
            Element::Df => 0x3FF0_0000_0000_0000,
            _ => 1,
        },
        Sum | Or | Xor | Umax | Absmax | Fabsmax | FabsmaxNan => 0,
        And | Umin => ones,
        Smin => ones >> 1,
        Smax => 1 << (width - 1),
        Fmin | FminNan => infinity,
        Fmax | FmaxNan => infinity | 1 << (width - 1),
    }
}
