//! Unsigned integers wide enough for the exact product of two significands.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Rem, Shl, Shr, Sub};

/// `u64` for formats of up to 32 bits, `u128` for `df`.
pub trait Wide:
    Copy
    + Eq
    + Ord
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Width in bits.
    const BITS: u32;
    /// Position of the leading bit of a normalised significand: one below the top, so that a sum cannot overflow.
    const TOP: u32 = Self::BITS - 2;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Widens.
    fn from_u64(value: u64) -> Self;
    /// The low 64 bits.
    fn low_u64(self) -> u64;
    /// Number of leading zero bits.
    fn leading_zeros(self) -> u32;

    /// Shifts right; the lowest bit of the result is set when a one was shifted out ("jamming").
    #[inline(always)]
    fn shift_right_jam(self, count: u32) -> Self {
        if count == 0 {
            self
        } else if count >= Self::BITS {
            if self == Self::ZERO { Self::ZERO } else { Self::ONE }
        } else {
            let lost = self << (Self::BITS - count) != Self::ZERO;
            (self >> count) | (if lost { Self::ONE } else { Self::ZERO })
        }
    }
}

macro_rules! wide {
    ($type:ty) => {
        impl Wide for $type {
            const BITS: u32 = <$type>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn low_u64(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                <$type>::leading_zeros(self)
            }
        }
    };
}
wide!(u64);
wide!(u128);
