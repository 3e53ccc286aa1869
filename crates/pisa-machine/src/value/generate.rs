//! Buffers made of a rule.

use super::{Buffer, ElementType, Fill, Value, ValueError, number, reserve};
use crate::UNDEFINED_BYTE;

/// Fills a buffer.
pub(super) fn make(
    value: &Value,
    ty: ElementType,
    count: u64,
    fill: Fill,
    limit: u64,
) -> Result<Buffer, ValueError> {
    let size = count.saturating_mul(ty.bytes() as u64);
    let mut bytes = reserve(size, limit, value)?;
    let size = size as usize;
    match fill {
        Fill::Zeros => bytes.resize(size, 0),
        Fill::Undefined => bytes.resize(size, UNDEFINED_BYTE),
        Fill::Same(bits) => extend(&mut bytes, ty, count, |_| bits),
        Fill::Iota if ty.is_float() => extend(&mut bytes, ty, count, |i| number::whole(ty, i)),
        Fill::Iota => extend(&mut bytes, ty, count, |i| i),
        Fill::Random(seed) => extend(&mut bytes, ty, count, |i| random(ty, seed, i)),
    }
    Ok(Buffer::flat(ty, bytes))
}

fn extend(bytes: &mut Vec<u8>, ty: ElementType, count: u64, element: impl Fn(u64) -> u64) {
    match ty.bytes() {
        1 => extend_by(bytes, count, |i| (element(i) as u8).to_le_bytes()),
        2 => extend_by(bytes, count, |i| (element(i) as u16).to_le_bytes()),
        4 => extend_by(bytes, count, |i| (element(i) as u32).to_le_bytes()),
        _ => extend_by(bytes, count, |i| element(i).to_le_bytes()),
    }
}

/// Appends elements by way of a block that stays in the cache.
fn extend_by<const N: usize>(bytes: &mut Vec<u8>, count: u64, element: impl Fn(u64) -> [u8; N]) {
    const BLOCK: usize = 1024;
    let mut block = [[0; N]; BLOCK];
    let mut first = 0;
    while first < count {
        let length = (count - first).min(BLOCK as u64);
        for (slot, index) in block.iter_mut().zip(first..first + length) {
            *slot = element(index);
        }
        bytes.extend_from_slice(block[..length as usize].as_flattened());
        first += length;
    }
}

/// Element `index` of `rand`.
fn random(ty: ElementType, seed: u64, index: u64) -> u64 {
    let mut x = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^= x >> 31;
    if !ty.is_float() {
        return x >> (64 - ty.bits());
    }
    let precision = number::precision(ty);
    // At most 53 bits, scaled by a power of two: exact in a double and in the type.
    let fraction = (x >> (64 - precision)) as f64 / (1u64 << precision) as f64;
    number::literal(ty, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str) -> Vec<u64> {
        let value = Value::parse(text).unwrap();
        value.materialise(&crate::NoFiles, 1 << 20).unwrap().elements().collect()
    }

    #[test]
    fn iota_counts_and_wraps() {
        assert_eq!(elements("iota:u32:4"), [0, 1, 2, 3]);
        assert_eq!(elements("iota:u8:258")[255..], [255, 0, 1]);
        assert_eq!(elements("iota:f:3"), [0, 0x3F80_0000, 0x4000_0000]);
        assert_eq!(elements("iota:bf:3"), [0, 0x3F80, 0x4000]);
        // 257 is half way between bf numbers and goes to the even 256, 259 up to 260; hf has 2048 and 2052 but not 2049.
        assert_eq!(elements("iota:bf:260")[255..], [0x437F, 0x4380, 0x4380, 0x4381, 0x4382]);
        assert_eq!(elements("iota:hf:2052")[2047..], [0x67FF, 0x6800, 0x6800, 0x6801, 0x6802]);
    }

    #[test]
    fn other_fills() {
        assert_eq!(elements("zeros:s16:2"), [0, 0]);
        assert_eq!(elements("uninit:u32:1"), [0xCDCD_CDCD]);
        assert_eq!(elements("fill:s8:3:-1"), [0xFF; 3]);
        assert_eq!(elements("buf:u64:1,0xffffffffffffffff"), [1, u64::MAX]);
        assert!(elements("zeros:u32:0").is_empty());
    }

    #[test]
    fn random_numbers_are_those_of_split_mix_64() {
        // The generator's published first outputs for seeds 0 and 1234567.
        assert_eq!(elements("rand:u64:2"), [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        assert_eq!(
            elements("rand:u64:3:1234567"),
            [6457827717110365317, 3203168211198807973, 9817491932198370423]
        );
        assert_eq!(elements("rand:u8:2"), [0xE2, 0x6E]);
        let f = elements("rand:f:1")[0] as u32;
        assert_eq!(f32::from_bits(f), (0xE220A8 as f32) / (1u32 << 24) as f32);
        let df = elements("rand:df:1")[0];
        assert_eq!(f64::from_bits(df), (0xE220_A839_7B1D_CDAFu64 >> 11) as f64 / (1u64 << 53) as f64);
        // hf: the top 11 bits, 0x711, over 2048; bf: the top 8 bits, 0xE2, over 256.
        assert_eq!(elements("rand:hf:1"), [0x3B11]);
        assert_eq!(elements("rand:bf:1"), [0x3F62]);
    }

    #[test]
    fn random_floats_stay_in_their_range() {
        for bits in elements("rand:f:1000:5") {
            assert!((0.0..1.0).contains(&f32::from_bits(bits as u32)));
        }
        for bits in elements("rand:hf:1000:5") {
            assert!(bits < 0x3C00);
        }
    }

    #[test]
    fn too_large_buffers_are_refused_before_they_are_made() {
        let value = Value::parse("zeros:u8:70000000000000").unwrap();
        let error = value.materialise(&crate::NoFiles, 1 << 20).unwrap_err();
        assert!(error.message.contains("70000000000000 bytes"), "{error}");
    }
}
