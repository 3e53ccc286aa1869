//! The V of a VALUE: single numbers, read and written.

use super::{ElementType, ValueError};
use pisa_float::{Bf, Bits, Df, F, Format, Hf, Rounding};

/// Runs an expression for the format of a floating-point type; integers take the last format, callers check before.
macro_rules! by_format {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            ElementType::Hf => {
                type $t = Hf;
                $body
            }
            ElementType::Bf => {
                type $t = Bf;
                $body
            }
            ElementType::F => {
                type $t = F;
                $body
            }
            _ => {
                type $t = Df;
                $body
            }
        }
    };
}

/// Reads a number of a type and gives its bits. Decimal integers must be in the type's range; a hexadecimal number is
/// the bits and must fit the width; floats are decimal and rounded to the nearest, `inf`, `nan` or `nan(0x…)`.
pub fn parse_number(ty: ElementType, text: &str) -> Result<u64, ValueError> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return parse_bits(ty, text, digits);
    }
    if ty.is_float() { parse_float(ty, text) } else { parse_integer(ty, text) }
}

fn parse_bits(ty: ElementType, text: &str, digits: &str) -> Result<u64, ValueError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(ValueError::new(format!("`{text}` is not a hexadecimal number")));
    }
    u64::from_str_radix(digits, 16).ok().filter(|bits| bits & !ty.mask() == 0).ok_or_else(|| {
        ValueError::new(format!("`{text}` has more than the {} bits of {ty}", ty.bits()))
            .help("a hexadecimal number is the bits themselves")
    })
}

fn parse_integer(ty: ElementType, text: &str) -> Result<u64, ValueError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let error = ValueError::new(format!("`{text}` is not a number of type {ty}"));
        let is_float = text.parse::<f64>().is_ok();
        return Err(if is_float { error.help("floats have type hf, bf, f or df") } else { error });
    }
    let mask = ty.mask();
    let (least, most) = if ty.is_signed() { (mask / 2 + 1, mask / 2) } else { (0, mask) };
    let magnitude = digits.parse::<u64>().ok().filter(|&m| m <= if negative { least } else { most });
    magnitude.map(|m| if negative { m.wrapping_neg() & mask } else { m }).ok_or_else(|| {
        let sign = if least == 0 { "" } else { "-" };
        ValueError::new(format!("`{text}` is outside {ty}, which is {sign}{least} to {most}"))
    })
}

fn parse_float(ty: ElementType, text: &str) -> Result<u64, ValueError> {
    let read = by_format!(ty, T => pisa_float::parse_value::<T>(text).map(Bits::to_u64));
    let bits = read
        .map_err(|e| ValueError::new(format!("`{text}` is not a number of type {ty}")).help(e.to_string()))?;
    if bits & (ty.mask() >> 1) == infinity(ty) && !text.contains("inf") {
        let sign = if text.starts_with('-') { "-" } else { "" };
        return Err(ValueError::new(format!("`{text}` is too large for {ty}"))
            .help(format!("infinity is written `{sign}inf`")));
    }
    Ok(bits)
}

/// The bits of a double in a floating-point type, to nearest even.
pub(super) fn literal(ty: ElementType, value: f64) -> u64 {
    by_format!(ty, T => pisa_float::literal::<T>(value).to_u64())
}

/// The bits of a whole number in a floating-point type, to nearest even.
pub(super) fn whole(ty: ElementType, value: u64) -> u64 {
    by_format!(ty, T => pisa_float::from_integer::<T>(value, 64, false, Rounding::NearestEven, false).to_u64())
}

/// Bits of precision of a floating-point type, the leading one included.
pub(super) fn precision(ty: ElementType) -> u32 {
    by_format!(ty, T => T::FRAC_BITS + 1)
}

fn canonical_nan(ty: ElementType) -> u64 {
    by_format!(ty, T => T::CANONICAL_NAN)
}

pub(crate) fn infinity(ty: ElementType) -> u64 {
    by_format!(ty, T => T::INFINITY)
}

pub(crate) fn is_nan(ty: ElementType, bits: u64) -> bool {
    ty.is_float() && bits & (ty.mask() >> 1) > infinity(ty)
}

/// The value of a floating-point number that is no NaN, exactly.
pub(crate) fn to_double(ty: ElementType, bits: u64) -> f64 {
    match ty {
        ElementType::Hf => f64::from_bits(pisa_float::extend::<Hf, Df>(bits as u16)),
        ElementType::Bf => f64::from_bits(pisa_float::extend::<Bf, Df>(bits as u16)),
        ElementType::F => f64::from_bits(pisa_float::extend::<F, Df>(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The number an integer type's bits stand for.
pub(crate) fn to_integer(ty: ElementType, bits: u64) -> i128 {
    if ty.is_signed() {
        let unused = 64 - ty.bits();
        i128::from(((bits << unused) as i64) >> unused)
    } else {
        i128::from(bits & ty.mask())
    }
}

/// A number as a person reads it, and as [`parse_number`] reads it back bit for bit: integers in decimal, floats in the
/// fewest digits that are enough, the usual NaN as `nan` and others as `nan(0x…)`.
pub fn format_number(ty: ElementType, bits: u64) -> String {
    if !ty.is_float() {
        return to_integer(ty, bits).to_string();
    }
    let sign = bits & !(ty.mask() >> 1);
    if bits ^ sign == canonical_nan(ty) {
        return if sign == 0 { "nan".to_owned() } else { "-nan".to_owned() };
    }
    by_format!(ty, T => pisa_float::format_value::<T>(Bits::from_u64(bits)))
}

#[cfg(test)]
mod tests {
    use super::{ElementType::*, format_number, parse_number};

    #[test]
    fn integers_are_held_to_their_range() {
        assert_eq!(parse_number(U8, "255"), Ok(255));
        assert_eq!(parse_number(S8, "-128"), Ok(0x80));
        assert_eq!(parse_number(S8, "0xff"), Ok(0xFF));
        assert_eq!(parse_number(S64, "-9223372036854775808"), Ok(1 << 63));
        assert_eq!(parse_number(U64, "18446744073709551615"), Ok(u64::MAX));
        assert_eq!(parse_number(U32, "-0"), Ok(0));
        for (ty, text) in [
            (U8, "256"),
            (U8, "-1"),
            (S8, "128"),
            (S8, "-129"),
            (U8, "0x100"),
            (U64, "18446744073709551616"),
            (S64, "9223372036854775808"),
            (S64, "-9223372036854775809"),
            (U32, "1.0"),
            (U32, ""),
            (U32, "-"),
            (U32, "+1"),
            (U32, "1_0"),
            (U32, "nan"),
            (U32, "0x"),
            (U32, "-0x1"),
            (U32, "٣"),
        ] {
            assert!(parse_number(ty, text).is_err(), "{ty} {text}");
        }
        assert_eq!(parse_number(S8, "200").unwrap_err().message, "`200` is outside s8, which is -128 to 127");
    }

    #[test]
    fn floats_are_read_as_literals() {
        assert_eq!(parse_number(F, "1"), Ok(0x3F80_0000));
        assert_eq!(parse_number(F, "-0.1"), Ok(u64::from((-0.1f32).to_bits())));
        assert_eq!(parse_number(F, ".5"), Ok(0x3F00_0000));
        assert_eq!(parse_number(F, "1e-45"), Ok(1));
        assert_eq!(parse_number(F, "0x7fc00001"), Ok(0x7FC0_0001));
        assert_eq!(parse_number(F, "nan"), Ok(0x7FC0_0000));
        assert_eq!(parse_number(F, "-inf"), Ok(0xFF80_0000));
        assert_eq!(parse_number(Hf, "65504"), Ok(0x7BFF));
        assert_eq!(parse_number(Hf, "inf"), Ok(0x7C00));
        assert_eq!(parse_number(Hf, "nan"), Ok(0x7E00));
        assert_eq!(parse_number(Bf, "1.5"), Ok(0x3FC0));
        assert_eq!(parse_number(Bf, "-nan"), Ok(0xFFC0));
        assert_eq!(parse_number(Df, "1.5"), Ok(0x3FF8_0000_0000_0000));
        for (ty, text) in [
            (Hf, "65520"),
            (F, "1e39"),
            (F, "-1e39"),
            (Df, "1e999"),
            (F, "infinity"),
            (F, "+1"),
            (F, "1e"),
            (F, "0x1p3"),
            (F, "NaN"),
            (F, "."),
            (F, ""),
            (F, "-"),
            (Hf, "0x10000"),
            (F, "1,0"),
        ] {
            assert!(parse_number(ty, text).is_err(), "{ty} {text}");
        }
    }

    #[test]
    fn numbers_are_written_in_few_digits() {
        assert_eq!(format_number(S16, 0xFFFF), "-1");
        assert_eq!(format_number(U16, 0xFFFF), "65535");
        assert_eq!(format_number(F, 0x3DCC_CCCD), "0.1");
        assert_eq!(format_number(Df, 0x3FB9_9999_9999_999A), "0.1");
        assert_eq!(format_number(Hf, 0x2E66), "0.1");
        assert_eq!(format_number(Bf, 0x3DCD), "0.1");
        assert_eq!(format_number(Hf, 0x7BFF), "65500.0");
        assert_eq!(format_number(Hf, 0x3C00), "1.0");
        assert_eq!(format_number(F, 0x8000_0000), "-0.0");
        assert_eq!(format_number(Bf, 0xFF80), "-inf");
        assert_eq!(format_number(F, 0x7FC0_0000), "nan");
        assert_eq!(format_number(F, 0xFFC0_0000), "-nan");
        assert_eq!(format_number(F, 0x7FC0_1234), "nan(0x7fc01234)");
        assert_eq!(format_number(Hf, 0x7C01), "nan(0x7c01)");
    }

    #[test]
    fn all_small_floats_read_back() {
        for ty in [Hf, Bf] {
            for bits in 0..=0xFFFFu64 {
                assert_eq!(parse_number(ty, &format_number(ty, bits)), Ok(bits), "{ty} {bits:#x}");
            }
        }
    }
}
