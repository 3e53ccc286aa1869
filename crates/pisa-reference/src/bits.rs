//! Values as bit patterns: every element of every register is the low bits of a `u128`.

use pisa_machine::UNDEFINED_BYTE;

/// A value whose every byte has no value yet (X-10, M-30, C-08).
pub(crate) const UNDEFINED: u128 = u128::from_le_bytes([UNDEFINED_BYTE; 16]);

/// The low `width` bits.
pub(crate) fn truncate(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

/// `signed(value)`: the low `width` bits as a two's complement number.
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// `value[low + count - 1 : low]`.
pub(crate) fn field(value: u128, low: u32, count: u32) -> u32 {
    truncate(value >> low, count) as u32
}

/// `(condition) ? ~0 : 0`.
pub(crate) fn all_ones_if(condition: bool) -> u128 {
    if condition { u128::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_signs() {
        assert_eq!(truncate(u128::MAX, 8), 0xFF);
        assert_eq!(truncate(u128::MAX, 128), u128::MAX);
        assert_eq!(signed(0x80, 8), -128);
        assert_eq!(signed(0x17F, 8), 127);
        assert_eq!(signed(1 << 127, 128), i128::MIN);
        assert_eq!(field(0x0018_1F02, 8, 5), 0x1F);
        assert_eq!(field(0x0018_1F02, 16, 5), 0x18);
    }
}
