//! How a result is rounded and finished: the qualifiers `.rndmode`, `.ftz` and `.dsat`.

/// Rounding mode of an instruction (spec 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `.re`: to nearest, ties to even. The default.
    #[default]
    NearestEven,
    /// `.rd`: toward minus infinity.
    Down,
    /// `.ru`: toward plus infinity.
    Up,
    /// `.rz`: toward zero.
    Zero,
    /// `.rna`: to nearest, ties away from zero.
    NearestAway,
}

impl Rounding {
    /// All five modes, in the order of the spec's table.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::Down, Rounding::Up, Rounding::Zero, Rounding::NearestAway];

    /// Whether a magnitude that lies between two neighbours becomes the larger one.
    /// `half` compares what is cut off with half the distance of the neighbours; `inexact` says that something is cut off.
    #[inline(always)]
    pub(crate) fn away(self, negative: bool, odd: bool, half: core::cmp::Ordering, inexact: bool) -> bool {
        use core::cmp::Ordering::{Equal, Greater};
        match self {
            Rounding::NearestEven => half == Greater || (half == Equal && odd),
            Rounding::NearestAway => half != core::cmp::Ordering::Less,
            Rounding::Zero => false,
            Rounding::Down => negative && inexact,
            Rounding::Up => !negative && inexact,
        }
    }
}

/// Rounding mode and the two result qualifiers of an instruction. The default is `.re` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The rounding mode.
    pub rounding: Rounding,
    /// `.ftz`: denormal sources and a denormal rounded result become zero of the same sign (spec 3.3, P-02).
    pub ftz: bool,
    /// `.dsat`: in arithmetic, clamp to [0, 1] and turn NaN into +0 (P-06); in conversions, clamp to the finite range (D-09).
    pub dsat: bool,
}

impl Mode {
    /// A mode without `.ftz` and `.dsat`.
    pub const fn rounded(rounding: Rounding) -> Mode {
        Mode { rounding, ftz: false, dsat: false }
    }
}
