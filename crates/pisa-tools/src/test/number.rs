//! Numbers in facts: read by the type of their operand, written in its own form and in bits.

use pisa_machine::{ElementType, format_number, parse_number};

/// What an element of an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Element {
    /// Width: 1 (a predicate), 8, 16, 32, 64 or 128.
    pub bits: u8,
    /// Its type, where it is a floating-point number.
    pub float: Option<ElementType>,
}

/// What an element is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expected {
    /// These bits.
    Bits(u128),
    /// Any NaN.
    Nan,
}

impl Element {
    /// The bits it can have.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - u32::from(self.bits.clamp(1, 128)))
    }

    /// Bytes in a buffer; a predicate takes a word.
    pub fn bytes(self) -> usize {
        if self.bits == 1 { 4 } else { usize::from(self.bits) / 8 }
    }

    /// Reads a value.
    pub fn parse(self, text: &str) -> Result<u128, String> {
        if self.bits == 1 {
            return match text {
                "1" | "true" => Ok(1),
                "0" | "false" => Ok(0),
                _ => Err(format!("`{text}` is not a predicate, which is `0`, `1`, `false` or `true`")),
            };
        }
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let is_hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
            let bits = u128::from_str_radix(digits, 16).ok().filter(|_| is_hex);
            let bits = bits.ok_or_else(|| format!("`{text}` is not a hexadecimal number"))?;
            return if bits & !self.mask() == 0 {
                Ok(bits)
            } else {
                Err(format!("`{text}` has more than {} bits", self.bits))
            };
        }
        let is_integer = text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit());
        match self.float {
            Some(ty) if is_integer => Err(format!(
                "`{text}` is an integer, the operand is {ty}: write `{text}.0`, or the bits in hexadecimal"
            )),
            Some(ty) => parse_number(ty, text).map(u128::from).map_err(|e| e.to_string()),
            None => self.parse_integer(text),
        }
    }

    /// Decimal integers fit the signed or the unsigned range (I-02).
    fn parse_integer(self, text: &str) -> Result<u128, String> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let is_decimal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let magnitude = digits.parse::<u128>().ok().filter(|_| is_decimal);
        let magnitude = magnitude.ok_or_else(|| format!("`{text}` is not an integer"))?;
        let most = if negative { self.mask() / 2 + 1 } else { self.mask() };
        if magnitude > most {
            return Err(format!("`{text}` does not fit {} bits", self.bits));
        }
        Ok(if negative { magnitude.wrapping_neg() & self.mask() } else { magnitude })
    }

    /// Reads what is expected: `nan` is any NaN.
    pub fn parse_expected(self, text: &str) -> Result<Expected, String> {
        match text {
            "nan" if self.float.is_some() => Ok(Expected::Nan),
            _ if self.float.is_some() && text.contains("nan") => {
                Err(format!("`{text}`: a certain NaN is written as its bits in hexadecimal"))
            }
            _ => self.parse(text).map(Expected::Bits),
        }
    }

    /// The lane's number as a value: `iota`.
    pub fn iota(self, lane: usize) -> Result<u128, String> {
        match self.float {
            Some(ty) => parse_number(ty, &format!("{lane}.0")).map(u128::from).map_err(|e| e.to_string()),
            None if self.bits == 1 => Err("`iota` is no predicate".to_owned()),
            None => Ok(lane as u128),
        }
    }

    fn is_nan(self, bits: u128) -> bool {
        self.float.is_some_and(|ty| {
            let fraction = match ty {
                ElementType::Hf => 10,
                ElementType::Bf => 7,
                ElementType::F => 23,
                _ => 52,
            };
            let magnitude = bits as u64 & (ty.mask() >> 1);
            magnitude > (ty.mask() >> 1) & !((1 << fraction) - 1)
        })
    }

    /// Whether the bits are as expected.
    pub fn fits(self, bits: u128, expected: Expected) -> bool {
        match expected {
            Expected::Bits(wanted) => bits == wanted,
            Expected::Nan => self.is_nan(bits),
        }
    }

    /// Something else than what is expected: its last bit turned, or 0 for a NaN.
    pub fn flip(self, expected: Expected) -> Expected {
        match expected {
            Expected::Bits(bits) => Expected::Bits(bits ^ 1),
            Expected::Nan => Expected::Bits(0),
        }
    }

    /// The value in its type's own form and in bits: `-1 (0xffffffff)`.
    pub fn show(self, bits: u128) -> String {
        let digits = usize::from(self.bits) / 4;
        match self.float {
            Some(ty) => format!("{} (0x{bits:0digits$x})", format_number(ty, bits as u64)),
            None if self.bits == 1 => bits.to_string(),
            None if self.bits == 128 => format!("0x{bits:0digits$x}"),
            None => {
                let unused = 128 - u32::from(self.bits);
                let signed = ((bits << unused) as i128) >> unused;
                format!("{signed} (0x{bits:0digits$x})")
            }
        }
    }

    /// What is expected, as [`Element::show`] has it.
    pub fn show_expected(self, expected: Expected) -> String {
        match expected {
            Expected::Bits(bits) => self.show(bits),
            Expected::Nan => "nan (any)".to_owned(),
        }
    }

    /// The value as a fact writes it: small integers in decimal, floats in few digits, everything else in bits.
    pub fn write(self, bits: u128) -> String {
        let digits = usize::from(self.bits) / 4;
        match self.float {
            Some(ty) if !self.is_nan(bits) => {
                let text = format_number(ty, bits as u64);
                if self.parse(&text) == Ok(bits) { text } else { format!("0x{bits:0digits$x}") }
            }
            None if bits < 10_000 => bits.to_string(),
            None if self.bits < 128 && bits >= self.mask() - 999 => {
                format!("-{}", bits.wrapping_neg() & self.mask())
            }
            _ => format!("0x{bits:0digits$x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: Element = Element { bits: 32, float: None };
    const SINGLE: Element = Element { bits: 32, float: Some(ElementType::F) };

    #[test]
    fn integers() {
        assert_eq!(WORD.parse("-1"), Ok(0xFFFF_FFFF));
        assert_eq!(WORD.parse("4294967295"), Ok(0xFFFF_FFFF));
        for text in ["4294967296", "-2147483649", "0x100000000", "0x", "-", "1.0", "nan", "--1", "+1", "-0x1"]
        {
            assert!(WORD.parse(text).is_err(), "{text}");
        }
        let wide = Element { bits: 128, float: None };
        assert_eq!(wide.parse("-1"), Ok(u128::MAX));
        assert_eq!(wide.parse("0xffffffffffffffffffffffffffffffff"), Ok(u128::MAX));
        let predicate = Element { bits: 1, float: None };
        assert_eq!((predicate.parse("true"), predicate.parse("0")), (Ok(1), Ok(0)));
        assert!(predicate.parse("2").is_err());
    }

    #[test]
    fn floats() {
        assert_eq!(SINGLE.parse("-0.0"), Ok(0x8000_0000));
        assert_eq!(SINGLE.parse("1e-45"), Ok(1));
        assert!(SINGLE.parse("1").unwrap_err().contains("1.0"));
        assert_eq!(SINGLE.parse_expected("nan"), Ok(Expected::Nan));
        assert_eq!(SINGLE.parse_expected("0x7fc00001"), Ok(Expected::Bits(0x7FC0_0001)));
        assert!(SINGLE.parse_expected("-nan").is_err());
        assert!(SINGLE.fits(0xFF80_0001, Expected::Nan) && !SINGLE.fits(0xFF80_0000, Expected::Nan));
        assert!(!SINGLE.fits(0x7FC0_0000, Expected::Bits(0x7FC0_0001)));
        assert_eq!(SINGLE.iota(3), Ok(0x4040_0000));
    }

    #[test]
    fn values_are_shown_in_both_forms() {
        assert_eq!(WORD.show(0xFFFF_FFFF), "-1 (0xffffffff)");
        assert_eq!(SINGLE.show(0x3F80_0000), "1.0 (0x3f800000)");
        assert_eq!((WORD.write(28), WORD.write(0xFFFF_FFFF)), ("28".to_owned(), "-1".to_owned()));
        assert_eq!(WORD.write(0x8000_0000), "0x80000000");
        assert_eq!(SINGLE.write(0x7FC0_0000), "0x7fc00000");
        assert_eq!(SINGLE.write(0x3F80_0000), "1.0");
    }
}
