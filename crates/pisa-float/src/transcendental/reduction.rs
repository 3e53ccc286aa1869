//! Reduction of angles of any size by multiples of pi/2 (Payne and Hanek).

use super::constants::TWO_OVER_PI;

/// An angle as a number of right angles plus a fraction of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduced {
    /// The nearest number of right angles, modulo 4.
    pub quarters: u32,
    /// The rest in units of `2^-128` right angles, at most half a right angle; the error is below one unit.
    pub fraction: i128,
}

/// Reduces a positive `x` of at most 24 significant bits, `2^-13 <= x < 2^129`. (Smaller arguments give quarters 0 and fraction 0.)
///
/// Bits of `2/pi` that only contribute multiples of four right angles are left out; 192 of the others are taken. So what is cut
/// off at the end is below `2^24 * 2^-190` right angles.
#[inline(always)]
pub(crate) fn reduce(x: f64) -> Reduced {
    let bits = x.to_bits();
    let significand = ((bits & ((1 << 52) - 1)) | (1 << 52)) >> 29;
    // x = significand * 2^exponent.
    let exponent = (bits >> 52) as i32 - 1023 - 23;
    // The window starts at the bit of weight 2^(1 - exponent) of 2/pi; the table starts at 2^63.
    let start = 62 + exponent;
    if !(0..=62 + 105).contains(&start) {
        return Reduced { quarters: 0, fraction: 0 };
    }
    let (word, shift) = ((start >> 6) as usize, start as u32 & 63);
    let window = |index: usize| {
        let (high, low) = (TWO_OVER_PI[word + index], TWO_OVER_PI[word + index + 1]);
        (high << shift) | ((low >> 1) >> (63 - shift))
    };
    let low = u128::from(significand) * u128::from(window(2));
    let middle = u128::from(significand) * u128::from(window(1)) + (low >> 64);
    let high = significand.wrapping_mul(window(0)).wrapping_add((middle >> 64) as u64);
    // `high:middle:low` has two bits before the binary point. Without them:
    let cut = (u128::from(high) << 66) | (u128::from(middle as u64) << 2) | u128::from(low as u64 >> 62);
    let fraction = cut as i128;
    let quarters = (high >> 62) as u32 + u32::from(fraction < 0);
    Reduced { quarters: quarters & 3, fraction }
}
