//! What atomic instructions make of the old value (spec 8.1, 8.2).

use crate::code::{FloatFormat, Modification};
use pisa_float::{Bf, Df, F, Format, Hf, Mode, Ordering4, add, compare, max, min, sub};

/// New values of `iatom` and `fatom`.
pub(super) trait Modify: Sized {
    /// The value to store, from the old one, `src0` and `src1`.
    fn modify(what: Modification, old: Self, a: Self, b: Self) -> Self;
}

macro_rules! modify {
    ($($t:ty, $signed:ty;)*) => { $(
        impl Modify for $t {
            #[inline]
            fn modify(what: Modification, old: $t, a: $t, b: $t) -> $t {
                match what {
                    Modification::Add => old.wrapping_add(a),
                    Modification::Sub => old.wrapping_sub(a),
                    Modification::SignedMin => (old as $signed).min(a as $signed) as $t,
                    Modification::SignedMax => (old as $signed).max(a as $signed) as $t,
                    Modification::UnsignedMin => old.min(a),
                    Modification::UnsignedMax => old.max(a),
                    Modification::And => old & a,
                    Modification::Or => old | a,
                    Modification::Xor => old ^ a,
                    Modification::Exchange => a,
                    Modification::CompareExchange => if old == a { b } else { old },
                    Modification::Increment => old.wrapping_add(1),
                    Modification::Decrement => old.wrapping_sub(1),
                    Modification::IncrementWrap => if old >= a { 0 } else { old + 1 },
                    Modification::DecrementWrap => if old == 0 || old > a { a } else { old - 1 },
                    _ => float(what, old as u64, a as u64, b as u64) as $t,
                }
            }
        }
    )* };
}

modify! { u8, i8; u16, i16; u32, i32; u64, i64; u128, i128; }

/// Floating-point operations: RNE, denormals kept, NaNs as in `fadd`, `fmin`, `fmax` (M-20).
fn float(what: Modification, old: u64, a: u64, b: u64) -> u64 {
    let (Modification::FloatAdd(format)
    | Modification::FloatSub(format)
    | Modification::FloatMin(format)
    | Modification::FloatMax(format)
    | Modification::FloatCompareExchange(format)) = what
    else {
        return old;
    };
    match format {
        FloatFormat::Half => float_in::<Hf>(what, old, a, b),
        FloatFormat::Brain => float_in::<Bf>(what, old, a, b),
        FloatFormat::Single => float_in::<F>(what, old, a, b),
        FloatFormat::Double => float_in::<Df>(what, old, a, b),
    }
}

fn float_in<T: Format>(what: Modification, old: u64, a: u64, b: u64) -> u64 {
    let (x, y) = (T::from_u64(old), T::from_u64(a));
    T::to_u64(match what {
        Modification::FloatAdd(_) => add::<T>(x, y, Mode::default()),
        Modification::FloatSub(_) => sub::<T>(x, y, Mode::default()),
        Modification::FloatMin(_) => min::<T>(x, y, false, false, false),
        Modification::FloatMax(_) => max::<T>(x, y, false, false, false),
        // M-19: compared as numbers, so that a NaN never matches and the zeros are equal.
        _ if compare::<T>(x, y, false) == Ordering4::Equal => T::from_u64(b),
        _ => x,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_counters_are_those_of_the_spec() {
        use Modification::{DecrementWrap, IncrementWrap};
        // incwrap: old >= src0 gives 0; decwrap: 0 or old > src0 gives src0.
        assert_eq!(u32::modify(IncrementWrap, 4, 5, 0), 5);
        assert_eq!(u32::modify(IncrementWrap, 5, 5, 0), 0);
        assert_eq!(u32::modify(IncrementWrap, u32::MAX, u32::MAX, 0), 0);
        assert_eq!(u64::modify(DecrementWrap, 0, 9, 0), 9);
        assert_eq!(u64::modify(DecrementWrap, 10, 9, 0), 9);
        assert_eq!(u64::modify(DecrementWrap, 9, 9, 0), 8);
    }

    #[test]
    fn signs_matter_where_they_should() {
        use Modification::{SignedMax, SignedMin, UnsignedMax, UnsignedMin};
        assert_eq!(u16::modify(SignedMin, 0x8000, 1, 0), 0x8000);
        assert_eq!(u16::modify(SignedMax, 0x8000, 1, 0), 1);
        assert_eq!(u16::modify(UnsignedMin, 0x8000, 1, 0), 1);
        assert_eq!(u64::modify(UnsignedMax, 1 << 63, 1, 0), 1 << 63);
    }

    #[test]
    fn float_comparison_is_numeric() {
        use Modification::FloatCompareExchange;
        let single = FloatCompareExchange(FloatFormat::Single);
        // -0 matches +0, and a NaN matches nothing, itself included.
        assert_eq!(u32::modify(single, 0x8000_0000, 0, 7), 7);
        assert_eq!(u32::modify(single, 0x7FC0_0000, 0x7FC0_0000, 7), 0x7FC0_0000);
        // 1.5 + 2.25 = 3.75; 1.5 - 2.25 = -0.75.
        let add = Modification::FloatAdd(FloatFormat::Single);
        assert_eq!(u32::modify(add, 1.5f32.to_bits(), 2.25f32.to_bits(), 0), 3.75f32.to_bits());
        let sub = Modification::FloatSub(FloatFormat::Double);
        assert_eq!(u64::modify(sub, 1.5f64.to_bits(), 2.25f64.to_bits(), 0), (-0.75f64).to_bits());
        // fmax ignores one NaN (2.8).
        let max = Modification::FloatMax(FloatFormat::Half);
        assert_eq!(u16::modify(max, 0x7E00, 0x3C00, 0), 0x3C00);
    }
}
