//! Random sources: uniform bits, and what lies where rounding is hard.

use crate::oracle::{Layout, Outcome, Way, wide};

/// A generator of random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    /// One for each text and number.
    pub fn new(text: &str, number: u64) -> Random {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let mut random = Random(hash ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
        random.bits();
        random
    }

    /// 64 uniform bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`, which is small.
    #[inline(always)]
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits() as u32) * u64::from(limit)) >> 32) as u32
    }

    /// A number from `least` to `most`.
    #[inline(always)]
    pub fn between(&mut self, least: i32, most: i32) -> i32 {
        least + self.below((most - least + 1) as u32) as i32
    }
}

/// The exponent field of infinities.
const fn top<L: Layout>() -> i32 {
    (1 << L::EXPONENT) - 1
}

/// The exponent field of one.
const fn bias<L: Layout>() -> i32 {
    top::<L>() / 2
}

/// The bits of the fraction field.
const fn mask<L: Layout>() -> u64 {
    (1 << L::FRACTION) - 1
}

/// The exponent field.
fn field<L: Layout>(bits: u64) -> i32 {
    ((bits & L::INFINITE) >> L::FRACTION) as i32
}

/// A finite number of a random sign; the exponent field is brought into range.
fn number<L: Layout>(r: &mut Random, field: i32, fraction: u64) -> u64 {
    let field = field.clamp(0, top::<L>() - 1) as u64;
    let sign = if r.bits() >> 63 == 1 { L::SIGN } else { 0 };
    sign | field << L::FRACTION | fraction & mask::<L>()
}

/// A fraction: uniform, a few bits long, or next to a run of zeros or ones from some bit on.
fn fraction<L: Layout>(r: &mut Random) -> u64 {
    let bits = r.bits();
    let below = (1u64 << r.below(L::FRACTION + 1)) - 1;
    match bits >> 61 {
        0..=3 => bits,
        4 => bits & !below,
        5 => (bits & !below) + 1,
        6 => bits | below,
        // One half of the place above, and its neighbours.
        _ => (bits & !below).wrapping_add((below + 1) >> 1).wrapping_add(bits >> 40 & 3).wrapping_sub(1),
    }
}

/// Zeros, infinities, NaNs, and the ends of the ranges.
fn special<L: Layout>(r: &mut Random) -> u64 {
    let magnitude = match r.below(16) {
        0 | 1 => 0,
        2 => 1,
        3 => mask::<L>(),
        4 => mask::<L>() + 1,
        5 => mask::<L>() + 2,
        6 => L::ONE,
        7 => L::ONE + 1,
        8 => L::ONE - 1,
        9 => L::INFINITE - 1,
        10 => L::INFINITE - 2,
        11 | 12 => L::INFINITE,
        13 => L::NAN,
        14 => L::INFINITE + 1 + (r.bits() & mask::<L>() >> 1),
        _ => L::NAN | r.bits() & mask::<L>(),
    };
    magnitude | if r.bits() >> 63 == 1 { L::SIGN } else { 0 }
}

/// One source by itself.
pub fn any<L: Layout>(r: &mut Random) -> u64 {
    let fraction = fraction::<L>(r);
    let near = 2 * L::FRACTION as i32;
    match r.below(16) {
        0..=4 => r.bits() & (L::SIGN | (L::SIGN - 1)),
        5..=7 => {
            let field = r.between(0, top::<L>() - 1);
            number::<L>(r, field, fraction)
        }
        8..=11 => {
            let field = bias::<L>() + r.between(-near, near);
            number::<L>(r, field, fraction)
        }
        12 => {
            let field = r.between(0, 3);
            number::<L>(r, field, fraction)
        }
        13 => {
            let field = r.between(top::<L>() - 4, top::<L>() - 1);
            number::<L>(r, field, fraction)
        }
        _ => special::<L>(r),
    }
}

/// A few units in the last place away.
fn beside<L: Layout>(r: &mut Random, bits: u64) -> u64 {
    let magnitude = bits & (L::SIGN - 1);
    let moved = magnitude.saturating_add_signed(i64::from(r.between(-3, 3))).min(L::INFINITE);
    bits & L::SIGN | moved
}

/// Rounded in a random way; a zero for what has no value.
fn rounded<L: Layout>(r: &mut Random, outcome: Outcome) -> u64 {
    outcome.rounded::<L>(if r.bits() >> 63 == 1 { Way::Even } else { Way::Zero })
}

/// The sources of a sum: small distances of the exponents, cancellation, and halves of the last place.
pub fn terms<L: Layout>(r: &mut Random) -> [u64; 2] {
    let a = any::<L>(r);
    let b = match r.below(8) {
        0 | 1 => any::<L>(r),
        2..=4 => {
            let reach = L::FRACTION as i32 + 3;
            let (field, fraction) = (field::<L>(a) + r.between(-reach, reach), fraction::<L>(r));
            number::<L>(r, field, fraction)
        }
        5 => beside::<L>(r, a ^ L::SIGN),
        6 => beside::<L>(r, a),
        _ => {
            // Half a unit of the last place, and its neighbours.
            let half = number::<L>(r, field::<L>(a) - L::FRACTION as i32 - 1, 0);
            if r.bits() >> 63 == 1 { half } else { beside::<L>(r, half) }
        }
    };
    if r.bits() >> 63 == 1 { [a, b] } else { [b, a] }
}

/// An exponent field near which results overflow or become denormal.
fn limit<L: Layout>(r: &mut Random) -> i32 {
    let reach = L::FRACTION as i32 + 3;
    if r.bits() >> 63 == 1 { top::<L>() + r.between(-3, 1) } else { r.between(-reach, 3) }
}

/// A significand so short that the product of two is exact or halfway between two numbers.
fn short<L: Layout>(r: &mut Random) -> u64 {
    r.bits() << (L::FRACTION - L::FRACTION / 2 - (r.bits() >> 63) as u32)
}

/// The sources of a product.
pub fn factors<L: Layout>(r: &mut Random) -> [u64; 2] {
    let a = any::<L>(r);
    let b = match r.below(8) {
        0 | 1 => any::<L>(r),
        2..=4 => {
            let (field, fraction) = (limit::<L>(r) + bias::<L>() - field::<L>(a), fraction::<L>(r));
            number::<L>(r, field, fraction)
        }
        _ => {
            let x = r.between(1, top::<L>() - 1);
            let y = if r.bits() >> 63 == 1 {
                limit::<L>(r) + bias::<L>() - x
            } else {
                r.between(1, top::<L>() - 1)
            };
            let (p, q) = (short::<L>(r), short::<L>(r));
            return [number::<L>(r, x, p), number::<L>(r, y, q)];
        }
    };
    [a, b]
}

/// Dividend and divisor.
pub fn quotient<L: Layout>(r: &mut Random) -> [u64; 2] {
    let b = any::<L>(r);
    let a = match r.below(8) {
        0 | 1 => any::<L>(r),
        2 => {
            // Over a power of two, so that a denormal quotient may be halfway between two numbers.
            let x = r.between(bias::<L>() + 1, top::<L>() - 1);
            let lost = r.between(1, L::FRACTION as i32);
            let p = (r.bits() >> lost << lost) + (1 << (lost - 1));
            let y = x - bias::<L>() + 1 - lost;
            let dividend = number::<L>(r, y, p);
            let dividend = if r.bits() >> 63 == 1 { dividend } else { beside::<L>(r, dividend) };
            return [dividend, number::<L>(r, x, 0)];
        }
        3..=5 => {
            let (field, fraction) = (limit::<L>(r) - bias::<L>() + field::<L>(b), fraction::<L>(r));
            number::<L>(r, field, fraction)
        }
        _ => {
            // A product with a short factor: a quotient that is exact or nearly so.
            let x = r.between(1, top::<L>() - 1);
            let p = short::<L>(r);
            let factor = number::<L>(r, x, p);
            let product = rounded::<L>(r, wide::multiply::<L>(b, factor));
            if r.bits() >> 63 == 1 { product } else { beside::<L>(r, product) }
        }
    };
    [a, b]
}

/// Two factors and an addend.
pub fn product_and_term<L: Layout>(r: &mut Random) -> [u64; 3] {
    let [a, b] = factors::<L>(r);
    let of_product = field::<L>(a) + field::<L>(b) - bias::<L>();
    let c = match r.below(8) {
        0 => any::<L>(r),
        1 | 2 => {
            // Only what the product has beyond the last place stays.
            let product = rounded::<L>(r, wide::multiply::<L>(a, b)) ^ L::SIGN;
            if r.bits() >> 63 == 1 { product } else { beside::<L>(r, product) }
        }
        3..=5 => {
            let reach = 2 * L::FRACTION as i32 + 4;
            let (field, fraction) = (of_product + r.between(-reach, reach), fraction::<L>(r));
            number::<L>(r, field, fraction)
        }
        6 => {
            let (field, fraction) = (limit::<L>(r), fraction::<L>(r));
            number::<L>(r, field, fraction)
        }
        _ => {
            // The one is about half a unit of the other's last place.
            let distance = L::FRACTION as i32 + 1;
            let sign = if r.bits() >> 63 == 1 { distance } else { -distance };
            let field = of_product + sign + r.between(-1, 1);
            let half = number::<L>(r, field, 0);
            if r.bits() >> 63 == 1 { half } else { beside::<L>(r, half) }
        }
    };
    [a, b, c]
}

/// The source of a square root: squares and their neighbours, too.
pub fn square<L: Layout>(r: &mut Random) -> u64 {
    let a = any::<L>(r);
    if r.bits() >> 62 != 0 {
        // Without the sign mostly, for a negative number has no root.
        return if r.bits() >> 60 == 0 { a } else { a & (L::SIGN - 1) };
    }
    let field = bias::<L>() + (field::<L>(a) - bias::<L>()) / 2;
    let fraction = if r.bits() >> 63 == 1 { short::<L>(r) } else { a };
    let root = number::<L>(r, field, fraction);
    let square = rounded::<L>(r, wide::multiply::<L>(root, root));
    beside::<L>(r, square)
}

/// A number near an integer, near an integer and a half, or near a power of two.
pub fn near_integer<L: Layout>(r: &mut Random) -> u64 {
    match r.below(4) {
        0 => any::<L>(r),
        1 => {
            let field = bias::<L>() + r.between(-2, 66);
            let power = number::<L>(r, field, 0);
            beside::<L>(r, power)
        }
        2 => {
            let field = bias::<L>() + r.between(-2, 66);
            let fraction = fraction::<L>(r);
            number::<L>(r, field, fraction)
        }
        _ => {
            // All below the halves is zero, or nearly so.
            let exponent = r.between(-1, L::FRACTION as i32 - 1);
            let unit = 1u64 << (L::FRACTION as i32 - 1 - exponent).min(L::FRACTION as i32);
            let fraction = r.bits() & !(unit - 1);
            let near = number::<L>(r, bias::<L>() + exponent, fraction);
            if r.bits() >> 63 == 1 { near } else { beside::<L>(r, near) }
        }
    }
}

/// A value of `L` that is to be rounded to `To`.
pub fn to_narrow<L: Layout, To: Layout>(r: &mut Random) -> u64 {
    let place = L::FRACTION - To::FRACTION;
    let bits = r.bits();
    let fraction = match bits >> 62 {
        0 => fraction::<L>(r),
        // Halves of the last place of a normal result, and their neighbours.
        1 => (bits >> place << place).wrapping_add(1 << (place - 1)),
        2 => {
            (bits >> place << place).wrapping_add(1 << (place - 1)).wrapping_add(r.bits() & 3).wrapping_sub(2)
        }
        // The same for a denormal result.
        _ => {
            let place = (place + r.below(To::FRACTION + 1)).min(L::FRACTION);
            (bits >> place << place).wrapping_add(1 << (place - 1)).wrapping_add(r.bits() & 1)
        }
    };
    let shift = bias::<L>() - bias::<To>();
    let field = match r.below(8) {
        0 => return any::<L>(r),
        1 | 2 => shift + top::<To>() + r.between(-2, 1),
        3 | 4 => shift + r.between(-(To::FRACTION as i32) - 2, 2),
        5 => r.between(0, 1),
        _ => shift + r.between(1, top::<To>() - 1),
    };
    number::<L>(r, field, fraction)
}

/// A 64-bit integer that is to be rounded to `L`.
pub fn integer<L: Layout>(r: &mut Random) -> u64 {
    let bits = r.bits();
    let value = match r.below(8) {
        0 | 1 => bits,
        2 | 3 => bits >> r.below(64),
        4 => (1u64 << r.below(64)).wrapping_add_signed(i64::from(r.between(-3, 3))),
        _ => {
            // Halves of the last place, and their neighbours.
            let most = (bias::<L>() + 2).min(64) as u32;
            let place = 1 + r.below(most - L::FRACTION - 1);
            let long = (bits | 1 << 63) >> (64 - place - (L::FRACTION + 1));
            let half = long >> place << place | 1 << (place - 1);
            if r.bits() >> 63 == 1 { half } else { half.wrapping_add_signed(i64::from(r.between(-1, 1))) }
        }
    };
    // Negative ones, too; of an unsigned integer that makes one near the largest.
    if r.bits() >> 62 == 0 { value.wrapping_neg() } else { value }
}
