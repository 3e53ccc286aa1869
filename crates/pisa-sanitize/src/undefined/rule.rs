//! Which instructions can go wrong for some values, as far as their text tells.

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Instruction, Operand};

/// What to look for in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// A divisor of this width.
    Division { signed: bool, width: u32 },
    /// A shift of values this wide by a register (B-01, B-02).
    Shift { width: u32, packed: bool },
    /// An index into so many elements (D-19).
    VectorIndex { elements: u32 },
    /// A call through the operand with this number (C-03, F-11).
    Call { target: usize },
    /// `f2i` or `pf2i` without a rounding mode (D-01, D-21).
    BareConversion { from: Float, to: Integer, elements: u32 },
    /// A truncation to a shorter format (D-07, D-08); with how many sources.
    Truncation { from: Float, to: Float, mode: Mode, denormals: bool, overflow: bool, sources: usize },
    /// An integer that can be too large for `.hf` (D-08).
    IntegerOverflow { from: Integer, mode: Mode },
    /// `redfirstidx` (S-05).
    FirstIndex,
    /// `fatom.cas` (M-19); with the number of the value that is compared.
    CompareAndSwap { format: Float, compared: usize },
    /// `frc` (P-24).
    Fraction,
    /// `bfi` (B-04).
    BitField,
    /// `iabs`.
    Absolute { width: u32 },
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Float {
    Hf,
    Bf,
    F,
    Df,
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Integer {
    pub(super) signed: bool,
    pub(super) width: u32,
}

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

impl Float {
    fn of(qualifier: Qualifier) -> Option<Float> {
        Some(match qualifier {
            Qualifier::Hf | Qualifier::Hfx2 => Float::Hf,
            Qualifier::Bf | Qualifier::Bfx2 => Float::Bf,
            Qualifier::F => Float::F,
            Qualifier::Df => Float::Df,
            _ => return None,
        })
    }

    /// The value of its bits; every value of every format is one of `f64`.
    pub(super) fn value(self, bits: u64) -> f64 {
        match self {
            Float::Hf => {
                let (sign, exponent, fraction) = (bits >> 15 & 1, bits >> 10 & 31, bits & 0x3FF);
                let magnitude = match exponent {
                    0 => fraction as f64 * 2f64.powi(-24),
                    31 if fraction == 0 => f64::INFINITY,
                    31 => f64::NAN,
                    _ => (1024 + fraction) as f64 * 2f64.powi(exponent as i32 - 25),
                };
                if sign == 1 { -magnitude } else { magnitude }
            }
            Float::Bf => f64::from(f32::from_bits((bits as u32) << 16)),
            Float::F => f64::from(f32::from_bits(bits as u32)),
            Float::Df => f64::from_bits(bits),
        }
    }

    /// The least normal number.
    pub(super) fn least_normal(self) -> f64 {
        match self {
            Float::Hf => 2f64.powi(-14),
            Float::Bf | Float::F => 2f64.powi(-126),
            Float::Df => f64::MIN_POSITIVE,
        }
    }

    /// The least number above 0.
    pub(super) fn least(self) -> f64 {
        match self {
            Float::Hf => 2f64.powi(-24),
            Float::Bf => 2f64.powi(-133),
            Float::F => 2f64.powi(-149),
            Float::Df => f64::from_bits(1),
        }
    }

    /// The power of two that its largest number stays below.
    pub(super) fn limit(self) -> f64 {
        match self {
            Float::Hf => 65536.0,
            Float::Bf | Float::F => 2f64.powi(128),
            Float::Df => f64::INFINITY,
        }
    }

    /// The largest number.
    pub(super) fn largest(self) -> &'static str {
        match self {
            Float::Hf => "65504",
            Float::Bf => "3.39e38",
            Float::F => "3.4e38",
            Float::Df => "1.8e308",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Float::Hf => ".hf",
            Float::Bf => ".bf",
            Float::F => ".f",
            Float::Df => ".df",
        }
    }
}

impl Integer {
    fn of(qualifier: Qualifier) -> Option<Integer> {
        use Qualifier as Q;
        let (signed, width) = match qualifier {
            Q::U8 => (false, 8),
            Q::S8 => (true, 8),
            Q::U16 | Q::U16x2 => (false, 16),
            Q::S16 | Q::S16x2 => (true, 16),
            Q::U32 => (false, 32),
            Q::S32 => (true, 32),
            Q::U64 => (false, 64),
            Q::S64 => (true, 64),
            _ => return None,
        };
        Some(Integer { signed, width })
    }

    /// Its least and its largest value.
    pub(super) fn range(self) -> (i128, i128) {
        if self.signed {
            (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1)
        } else {
            (0, (1 << self.width) - 1)
        }
    }
}

impl Mode {
    fn of(instruction: &Instruction) -> Mode {
        match instruction.qualifier(SlotName::Rndmode) {
            Some(Qualifier::Rd) => Mode::Down,
            Some(Qualifier::Ru) => Mode::Up,
            Some(Qualifier::Rz) => Mode::Zero,
            Some(Qualifier::Rna) => Mode::NearestAway,
            _ => Mode::NearestEven,
        }
    }

    /// Whether it can round a large number towards zero.
    fn can_stay_finite(self) -> bool {
        matches!(self, Mode::Up | Mode::Down | Mode::Zero)
    }

    /// Whether it rounds a number of this sign towards zero.
    pub(super) fn is_toward_zero(self, negative: bool) -> bool {
        match self {
            Mode::Zero => true,
            Mode::Up => negative,
            Mode::Down => !negative,
            Mode::NearestEven | Mode::NearestAway => false,
        }
    }
}

impl Rule {
    /// What to look for; `None` where the operands that are written there prove that nothing can be wrong.
    pub(super) fn of(instruction: &Instruction) -> Option<Rule> {
        use Opcode as O;
        let constant = |operand: usize| match instruction.operands.get(operand) {
            Some(Operand::Immediate { bits, .. }) => Some(*bits),
            _ => None,
        };
        let qualifier = |slot| instruction.qualifier(slot);
        let width = || qualifier(SlotName::Type).and_then(Qualifier::bits).map(u32::from);
        Some(match instruction.row().opcode {
            opcode @ (O::Sdiv | O::Udiv) => {
                let (signed, width) = (opcode == O::Sdiv, width()?);
                let minus_one = u64::MAX >> (64 - width);
                if let Some(divisor) = constant(2)
                    && divisor != 0
                    && !(signed && divisor == minus_one)
                {
                    return None;
                }
                Rule::Division { signed, width }
            }
            // Constant amounts have a lint, W0115.
            O::Shl | O::Shr | O::Asr if constant(2).is_none() => {
                let packed = qualifier(SlotName::Type)?.packed();
                Rule::Shift {
                    width: packed.map_or_else(width, |(_, bits)| Some(u32::from(bits)))?,
                    packed: packed.is_some(),
                }
            }
            O::ExtractDynamic | O::InsertDynamic => {
                Rule::VectorIndex { elements: u32::from(qualifier(SlotName::Vec)?.elements()?) }
            }
            O::Call => {
                let target = if instruction.has(SlotName::Cond) { 2 } else { 1 };
                match instruction.operands.get(target)? {
                    Operand::Register(_) | Operand::Special(_) => Rule::Call { target },
                    _ => return None,
                }
            }
            O::F2i | O::Pf2i if !instruction.has(SlotName::Rndmode) => Rule::BareConversion {
                from: Float::of(qualifier(SlotName::From)?)?,
                to: Integer::of(qualifier(SlotName::To)?)?,
                elements: if instruction.row().opcode == O::Pf2i { 2 } else { 1 },
            },
            opcode @ (O::Ftrunc | O::Ftrunc2) => {
                let to = Float::of(qualifier(SlotName::To)?)?;
                let from =
                    if opcode == O::Ftrunc2 { Float::F } else { Float::of(qualifier(SlotName::From)?)? };
                let mode = Mode::of(instruction);
                let overflow = mode.can_stay_finite() && !instruction.has(SlotName::Dsat);
                // Denormals of `.f` are far below the least number of `.hf`, as those of `.df` are below all:
                // only a directed mode makes more than 0 of them.
                let denormals = !instruction.has(SlotName::Ftz)
                    && (from == Float::F && to == Float::Bf || matches!(mode, Mode::Up | Mode::Down));
                if !overflow && !denormals {
                    return None;
                }
                let sources = if opcode == O::Ftrunc2 { 2 } else { 1 };
                Rule::Truncation { from, to, mode, denormals, overflow, sources }
            }
            O::I2f => {
                let (from, mode) = (Integer::of(qualifier(SlotName::From)?)?, Mode::of(instruction));
                let to_half = qualifier(SlotName::To) == Some(Qualifier::Hf);
                if !to_half || from.width <= 16 || instruction.has(SlotName::Dsat) || !mode.can_stay_finite()
                {
                    return None;
                }
                Rule::IntegerOverflow { from, mode }
            }
            O::Redfirstidx if constant(1) != Some(0xFFFF_FFFF) => Rule::FirstIndex,
            O::Fatom if qualifier(SlotName::Op) == Some(Qualifier::Cas) => {
                Rule::CompareAndSwap { format: Float::of(qualifier(SlotName::Type)?)?, compared: 2 }
            }
            O::Frc => Rule::Fraction,
            O::Bfi => {
                if let (Some(width), Some(offset)) = (constant(3), constant(4))
                    && (width & 63) + (offset & 31) <= 32
                    && width < 64
                    && offset < 32
                {
                    return None;
                }
                Rule::BitField
            }
            O::Iabs => Rule::Absolute { width: width()? },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_values() {
        for (bits, value) in [
            (0x3C00, 1.0),
            (0x7BFF, 65504.0),
            (0x0001, 2f64.powi(-24)),
            (0xC000, -2.0),
            (0x0400, 2f64.powi(-14)),
        ] {
            assert_eq!(Float::Hf.value(bits), value, "{bits:#x}");
        }
        assert_eq!(Float::Hf.value(0xFC00), f64::NEG_INFINITY);
        assert!(Float::Hf.value(0x7C01).is_nan());
        assert_eq!(Float::Bf.value(0x3F80), 1.0);
        assert_eq!(Float::Bf.value(1), Float::Bf.least());
        assert_eq!(Float::F.value(1), Float::F.least());
    }

    #[test]
    fn integers_have_their_ranges() {
        assert_eq!(Integer { signed: true, width: 8 }.range(), (-128, 127));
        assert_eq!(Integer { signed: false, width: 64 }.range(), (0, i128::from(u64::MAX)));
    }
}
