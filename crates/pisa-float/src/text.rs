//! Values as text: short decimals that read back the same, and decimals of any length rounded correctly.

use core::cmp::Ordering;
use core::fmt;

use crate::convert::{extend, round_f64};
use crate::format::{Bits, Df, Format, raw_is_nan};

/// The value as text: the nearest decimal of as few digits as [`parse_value`] needs to read back the same bits (`1.5`, `-0.0`, `6.1e-5`), `inf`, `-inf`, or
/// for a NaN its bits (`nan(0x7fc01234)`).
///
/// Finite values are also valid floating-point literals of PISA text (I-05).
pub fn format_value<T: Format>(bits: T::Bits) -> String {
    let raw = bits.to_u64();
    if raw_is_nan::<T>(raw) {
        return format!("nan(0x{raw:0width$x})", width = T::WIDTH as usize / 4);
    }
    if raw & T::MAGNITUDE == T::INFINITY {
        return if raw & T::SIGN != 0 { "-inf".into() } else { "inf".into() };
    }
    let sign = if raw & T::SIGN != 0 { "-" } else { "" };
    let magnitude = raw & T::MAGNITUDE;
    let value = f64::from_bits(extend::<T, Df>(T::from_u64(magnitude)));
    // Every format has at most 17 significant decimals; the last of them always reads back.
    for digits in 0..17 {
        let text = format!("{value:.digits$e}");
        if parse_decimal::<T>(&text).is_some_and(|back| back == magnitude) {
            return layout_decimal(sign, &text);
        }
    }
    layout_decimal(sign, &format!("{value:e}"))
}

/// Turns `d.ddde±x` into plain digits when that is short, and always keeps a point in it.
fn layout_decimal(sign: &str, scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    if !(-5..16).contains(&exponent) {
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        return format!("{sign}{whole}.{fraction}e{exponent}");
    }
    let digits = format!("{whole}{fraction}");
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let point = exponent as usize + 1;
    if digits.len() <= point {
        return format!("{sign}{digits}{}.0", "0".repeat(point - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..point], &digits[point..])
}

/// Why a text is no value of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseValueError {
    /// It is neither a decimal, nor hexadecimal bits, `inf` or `nan`.
    Syntax,
    /// The hexadecimal bits do not fit the format of this name and width in bits.
    TooManyBits {
        /// The format's name.
        format: &'static str,
        /// Its width in bits.
        width: u32,
    },
    /// `nan(…)` with bits that are not a NaN of the format of this name.
    NotANan {
        /// The format's name.
        format: &'static str,
    },
}

impl fmt::Display for ParseValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseValueError::Syntax => {
                f.write_str("expected a decimal number, 0x and the bits in hexadecimal, `inf` or `nan`")
            }
            ParseValueError::TooManyBits { format, width } => {
                write!(f, "the bits do not fit `{format}`, which has {width} bits")
            }
            ParseValueError::NotANan { format } => write!(f, "these bits are not a NaN of `{format}`"),
        }
    }
}

impl std::error::Error for ParseValueError {}

/// Reads a value: a decimal number (correctly rounded to nearest even, infinity on overflow), `0x` and the bits in hexadecimal, `inf`,
/// `nan` (the canonical NaN of P-05) or `nan(0x…)`. A `-` in front sets the sign of all but the two forms that give bits.
pub fn parse_value<T: Format>(text: &str) -> Result<T::Bits, ParseValueError> {
    if let Some(digits) = hexadecimal(text) {
        return parse_bits::<T>(digits).map(T::from_u64);
    }
    if let Some(inner) = text.strip_prefix("nan(").and_then(|rest| rest.strip_suffix(')')) {
        let raw = parse_bits::<T>(hexadecimal(inner).ok_or(ParseValueError::Syntax)?)?;
        return if raw_is_nan::<T>(raw) {
            Ok(T::from_u64(raw))
        } else {
            Err(ParseValueError::NotANan { format: T::NAME })
        };
    }
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (T::SIGN, rest),
        None => (0, text),
    };
    let raw = match magnitude {
        "inf" => T::INFINITY,
        "nan" => T::CANONICAL_NAN,
        _ => parse_decimal::<T>(magnitude).ok_or(ParseValueError::Syntax)?,
    };
    Ok(T::from_u64(sign | raw))
}

fn hexadecimal(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn parse_bits<T: Format>(digits: &str) -> Result<u64, ParseValueError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ParseValueError::Syntax);
    }
    let too_many = ParseValueError::TooManyBits { format: T::NAME, width: T::WIDTH };
    let raw = u64::from_str_radix(digits, 16).map_err(|_| too_many.clone())?;
    if T::WIDTH < 64 && raw >> T::WIDTH != 0 { Err(too_many) } else { Ok(raw) }
}

/// A decimal: digits with at most one point and at least one digit, then perhaps an exponent.
fn parse_decimal<T: Format>(text: &str) -> Option<u64> {
    let decimal = Decimal::read(text)?;
    // Rust's parser is correctly rounded, but this is not yet the last rounding.
    let value: f64 = text.parse().ok()?;
    let bits = value.to_bits();
    let raw = round_f64::<T>(value);
    if T::WIDTH == Df::WIDTH || value == 0.0 || !value.is_finite() {
        return Some(raw);
    }
    let neighbours = [f64::from_bits(bits - 1), f64::from_bits(bits + 1)];
    if neighbours.into_iter().all(|neighbour| round_f64::<T>(neighbour) == raw) {
        return Some(raw);
    }
    // Next to the middle between two values of the format. Where the double is not exact, its odd neighbour on the decimal's side (or
    // itself, being odd) takes its place: it lies between the same two halves, and no middle is odd.
    let odd = match decimal.compare(value) {
        Ordering::Less if bits & 1 == 0 => bits - 1,
        Ordering::Greater if bits & 1 == 0 => bits + 1,
        _ => bits,
    };
    Some(round_f64::<T>(f64::from_bits(odd)))
}

/// A decimal number's digits, without zeros in front, and the power of ten of the first.
struct Decimal<'a> {
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Decimal<'a>> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() && fraction.is_empty() || !digits(whole) || !digits(fraction) {
            return None;
        }
        let exponent = match exponent {
            None => 0,
            Some(text) => {
                let (negative, number) = match text.strip_prefix('-') {
                    Some(number) => (true, number),
                    None => (false, text.strip_prefix('+').unwrap_or(text)),
                };
                if number.is_empty() || !digits(number) {
                    return None;
                }
                // Far beyond any format, so where exactly does not matter.
                let number: i64 = number.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
                if negative { -number } else { number }
            }
        };
        Some(Decimal { whole, fraction, exponent })
    }

    /// Compares with a positive double, exactly.
    fn compare(&self, value: f64) -> Ordering {
        // 1074 digits after the point write out every double.
        let exact = format!("{value:.1074}");
        let (whole, fraction) = exact.split_once('.').unwrap_or((&exact, ""));
        let exact = Decimal { whole, fraction, exponent: 0 };
        let (mut left, left_first) = self.digits();
        let (mut right, right_first) = exact.digits();
        if left_first != right_first {
            return left_first.cmp(&right_first);
        }
        loop {
            match (left.next(), right.next()) {
                (None, None) => return Ordering::Equal,
                (a, b) => match a.unwrap_or(b'0').cmp(&b.unwrap_or(b'0')) {
                    Ordering::Equal => {}
                    different => return different,
                },
            }
        }
    }

    /// The digits from the first that is not zero, and that one's power of ten.
    fn digits(&self) -> (impl Iterator<Item = u8> + '_, i64) {
        let all = || self.whole.bytes().chain(self.fraction.bytes());
        let zeros = all().take_while(|&digit| digit == b'0').count();
        (all().skip(zeros), self.whole.len() as i64 - 1 - zeros as i64 + self.exponent)
    }
}
