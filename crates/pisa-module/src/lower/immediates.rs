//! Literals: integers (I-01…I-04, I-13), floating-point ones (I-05…I-09).

use super::Lowerer;
use crate::codes;
use pisa_diag::Span;
use pisa_isa::Qualifier;
use pisa_syntax::{LiteralError, Node, TokenKind, parse_float};

/// A literal as it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'t> {
    pub span: Span,
    pub negative: bool,
    pub value: LiteralValue<'t>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LiteralValue<'t> {
    Integer(Integer),
    Float(&'t str),
}

/// An integer without its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    /// Its value, `u64::MAX` where it is larger.
    pub magnitude: u64,
    /// Whether it needs more than 64 bits.
    pub too_large: bool,
    /// The number of digits of a hexadecimal one.
    pub hex_digits: Option<u32>,
}

/// Reads `12` or `0x1f`; `None` for anything else, of which the parser complains.
pub(crate) fn parse_integer(text: &str) -> Option<Integer> {
    match pisa_syntax::parse_integer(text) {
        Ok(literal) => Some(Integer {
            magnitude: literal.value,
            too_large: false,
            hex_digits: literal.hex.then_some(literal.digits),
        }),
        Err(LiteralError::TooLarge) => {
            let hex = text.starts_with("0x") || text.starts_with("0X");
            Some(Integer {
                magnitude: u64::MAX,
                too_large: true,
                hex_digits: hex.then_some(text.len() as u32 - 2),
            })
        }
        Err(_) => None,
    }
}

/// The literal in a [`pisa_syntax::NodeKind::NumberOperand`]; `None` where the parser has already complained.
pub(crate) fn literal<'t>(node: Node<'t>) -> Option<Literal<'t>> {
    let mut negative = false;
    let span = node.span();
    for token in node.tokens() {
        let value = match token.kind() {
            TokenKind::Minus => {
                negative = true;
                continue;
            }
            TokenKind::Integer => LiteralValue::Integer(parse_integer(token.text())?),
            TokenKind::Float => LiteralValue::Float(token.text()),
            _ => return None,
        };
        return Some(Literal { span, negative, value });
    }
    None
}

/// The low `bits` bits set.
pub(crate) fn mask(bits: u16) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Literal<'_> {
    /// The value as a mathematical integer, if it is one of at most 64 bits.
    pub fn integer(&self) -> Option<i128> {
        match self.value {
            LiteralValue::Integer(i) if !i.too_large => {
                let value = i.magnitude as i128;
                Some(if self.negative { -value } else { value })
            }
            _ => None,
        }
    }
}

/// Whether a value fits the signed or the unsigned range of an operand of that many bits (spec 3.2, I-01, I-02).
///
/// Literals are 64 bits (spec 3.2), hence 128-bit operands take what 64-bit ones take (D-11).
pub(crate) fn fits(value: i128, bits: u16) -> bool {
    let bits = bits.min(64);
    value >= -(1i128 << (bits - 1)) && value < (1i128 << bits)
}

impl<'t> Lowerer<'t> {
    /// The bits of an immediate for an operand of `bits` bits, of the floating-point type `float` if it has one.
    ///
    /// Returns the bits and whether they are extended by their sign above 64 bits.
    pub(super) fn immediate(
        &mut self,
        literal: Literal<'t>,
        bits: u16,
        float: Option<Qualifier>,
        mnemonic: &str,
    ) -> Option<(u64, bool)> {
        match (float, literal.value) {
            (None, LiteralValue::Integer(_)) => self.integer_immediate(literal, bits, mnemonic),
            (None, LiteralValue::Float(text)) => {
                let sign = if literal.negative { "-" } else { "" };
                let diagnostic = self
                    .error(
                        codes::FLOAT_FOR_INTEGER,
                        literal.span,
                        format!("`{mnemonic}` does not read floating-point numbers, `{sign}{text}` is one"),
                    )
                    .label("floating-point literal")
                    .spec("3.2 immediate values: decimal floating-point literals belong to floating-point instructions");
                let value = parse_float(text).map(|v| if literal.negative { -v } else { v });
                let help = match (bits, value) {
                    (16, Ok(v)) => Some(format!(
                        "write the bits: 0x{:04X} as .hf, 0x{:04X} as .bf",
                        round_double(v, Qualifier::Hf),
                        round_double(v, Qualifier::Bf)
                    )),
                    (32, Ok(v)) => {
                        Some(format!("write the bits: 0x{:08X} as .f", round_double(v, Qualifier::F)))
                    }
                    (64, Ok(v)) => Some(format!("write the bits: 0x{:016X} as .df", v.to_bits())),
                    _ => None,
                };
                self.report(match help {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                });
                None
            }
            (Some(ty), LiteralValue::Integer(integer)) => self.hex_float(literal, integer, ty, mnemonic),
            (Some(ty), LiteralValue::Float(text)) => {
                let value = parse_float(text).ok()?;
                let value = if literal.negative { -value } else { value };
                let bits = round_double(value, ty);
                if is_infinite(bits, ty) {
                    let diagnostic = self
                        .lint(
                            codes::FLOAT_OVERFLOW,
                            literal.span,
                            format!("this literal is too large for `{}` and becomes infinity", ty.text()),
                        )
                        .spec("3.2 immediate values")
                        .help(format!(
                            "if infinity is meant, write its bits: 0x{bits:0width$X}",
                            width = hex_width(ty) as usize
                        ));
                    self.report(diagnostic);
                }
                Some((bits, false))
            }
        }
    }

    fn integer_immediate(&mut self, literal: Literal<'t>, bits: u16, mnemonic: &str) -> Option<(u64, bool)> {
        let value = literal.integer().filter(|&v| fits(v, bits));
        let Some(value) = value else {
            let limit = bits.min(64);
            let diagnostic = self
                .error(
                    codes::IMMEDIATE_RANGE,
                    literal.span,
                    format!("this value does not fit the {bits} bits that `{mnemonic}` reads here"),
                )
                .label(format!("needs more than {limit} bits"))
                .spec("3.2 immediate values: must fit the signed or unsigned range of the operand")
                .help(format!(
                    "{limit}-bit operands hold {} to {}",
                    -(1i128 << (limit - 1)),
                    (1i128 << limit) - 1
                ));
            self.report(diagnostic);
            return None;
        };
        // Above 64 bits the sign decides; below, the cut value says it all.
        Some((value as u64 & mask(bits), bits > 64 && value < 0))
    }

    /// IEEE bits in hexadecimal (I-06), or a plain integer where a float is wanted (I-07).
    fn hex_float(
        &mut self,
        literal: Literal<'t>,
        integer: Integer,
        ty: Qualifier,
        mnemonic: &str,
    ) -> Option<(u64, bool)> {
        let width = hex_width(ty);
        let Some(digits) = integer.hex_digits else {
            let sign = if literal.negative { "-" } else { "" };
            let written = format!("{sign}{}", integer.magnitude);
            let value = if literal.negative { -(integer.magnitude as f64) } else { integer.magnitude as f64 };
            let diagnostic = self
                .error(
                    codes::INTEGER_FOR_FLOAT,
                    literal.span,
                    format!("`{mnemonic}` reads a floating-point number, `{written}` is an integer"),
                )
                .label("integer literal")
                .spec("3.2 immediate values: decimal floating-point literal or IEEE bits in hexadecimal")
                .help(format!(
                    "write `{written}.0`, or the bits `0x{:0width$X}`",
                    round_double(value, ty),
                    width = width as usize
                ))
                .fix(self.place(literal.span), format!("{written}.0"));
            self.report(diagnostic);
            return None;
        };
        if literal.negative {
            let diagnostic = self
                .error(
                    codes::NEGATIVE_HEX_FLOAT,
                    literal.span,
                    "the bits of a floating-point number have no sign in front of them",
                )
                .spec("3.2 immediate values")
                .help("set the highest bit, or write a decimal literal");
            self.report(diagnostic);
            return None;
        }
        if digits > width {
            let diagnostic = self
                .error(
                    codes::HEX_FLOAT_LENGTH,
                    literal.span,
                    format!("{digits} hexadecimal digits, `{}` has {width}", ty.text()),
                )
                .label(format!("{} bits", digits * 4))
                .spec("3.2 immediate values: the size must match the operand, nothing is converted")
                .help(format!("write exactly {width} digits"));
            self.report(diagnostic);
            return None;
        }
        if digits < width {
            let diagnostic = self
                .lint(
                    codes::SHORT_HEX_FLOAT,
                    literal.span,
                    format!(
                        "{digits} hexadecimal digits, `{}` has {width}: read as its lowest bits",
                        ty.text()
                    ),
                )
                .spec("3.2 immediate values")
                .help(format!("write `0x{:0width$X}`", integer.magnitude, width = width as usize))
                .fix(
                    self.place(literal.span),
                    format!("0x{:0width$X}", integer.magnitude, width = width as usize),
                );
            self.report(diagnostic);
        }
        Some((integer.magnitude, false))
    }
}

/// Hexadecimal digits of a floating-point type.
pub(crate) fn hex_width(ty: Qualifier) -> u32 {
    u32::from(ty.bits().unwrap_or(64)) / 4
}

/// Exponent and fraction bits of a floating-point type.
const fn layout(ty: Qualifier) -> (u32, u32) {
    match ty {
        Qualifier::Hf => (5, 10),
        Qualifier::Bf => (8, 7),
        Qualifier::F => (8, 23),
        _ => (11, 52),
    }
}

fn is_infinite(bits: u64, ty: Qualifier) -> bool {
    let (exponent, fraction) = layout(ty);
    let magnitude = bits & mask((exponent + fraction) as u16);
    magnitude == mask(exponent as u16) << fraction
}

/// Converts a double to `.hf`, `.bf`, `.f` or `.df` with round-to-nearest-even, denormals kept, overflow to infinity
/// (I-09). Not for NaN, which no literal can say (I-05).
pub(crate) fn round_double(value: f64, ty: Qualifier) -> u64 {
    let (exponent_bits, fraction_bits) = layout(ty);
    if fraction_bits == 52 {
        return value.to_bits();
    }
    let bits = value.to_bits();
    let sign = (bits >> 63) << (exponent_bits + fraction_bits);
    let infinity = mask(exponent_bits as u16) << fraction_bits;
    let biased = (bits >> 52 & 0x7ff) as i32;
    if biased == 0x7ff {
        return sign | infinity;
    }
    if biased == 0 {
        // Zeros and denormals of a double are far below half of the least denormal of any narrower type.
        return sign;
    }
    let significand = (bits & mask(52)) | 1 << 52;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = biased - 1023 + bias;
    // How many bits are dropped; more for a denormal result.
    let drop = 52 - fraction_bits as i32 + (1 - exponent).max(0);
    if drop > 54 {
        return sign;
    }
    let kept = significand >> drop;
    let rest = significand & mask(drop as u16);
    let half = 1u64 << (drop - 1);
    let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
    // The implicit bit adds one to the exponent field; a carry out of the fraction does so, too.
    let magnitude = if exponent <= 0 { rounded } else { ((exponent as u64 - 1) << fraction_bits) + rounded };
    sign | magnitude.min(infinity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_agree_with_the_processor() {
        // `as f32` rounds to nearest even with denormals: an independent oracle for the general routine.
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        for i in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut bits = state;
            if i % 2 == 0 {
                // Around the range of a single, denormals and overflow included.
                let exponent = 1023 - 160 + (state >> 40) % 300;
                bits = (bits & !(0x7ff << 52)) | exponent << 52;
            }
            let value = f64::from_bits(bits);
            if !value.is_nan() {
                assert_eq!(
                    round_double(value, Qualifier::F),
                    u64::from((value as f32).to_bits()),
                    "{value:e}"
                );
            }
        }
    }

    #[test]
    fn halves_by_hand() {
        let hf = |v| round_double(v, Qualifier::Hf);
        assert_eq!(hf(1.0), 0x3c00);
        assert_eq!(hf(-2.0), 0xc000);
        assert_eq!(hf(65504.0), 0x7bff);
        assert_eq!(hf(65519.999), 0x7bff);
        assert_eq!(hf(65520.0), 0x7c00);
        assert_eq!(hf(5.960464477539063e-8), 0x0001);
        assert_eq!(hf(2.980232238769531e-8), 0x0000); // half of it: ties to even
        assert_eq!(hf(2.980232238769532e-8), 0x0001);
        assert_eq!(hf(6.097555160522461e-5), 0x03ff); // largest denormal
        assert_eq!(hf(0.1), 0x2e66);
        assert_eq!(hf(-0.0), 0x8000);
        let bf = |v| round_double(v, Qualifier::Bf);
        assert_eq!(bf(1.0), 0x3f80);
        assert_eq!(bf(3.140625), 0x4049);
        assert_eq!(bf(1.00390625), 0x3f80); // tie between 1 and 1 + 2^-7: even
        assert_eq!(bf(1e40), 0x7f80);
    }

    #[test]
    fn integers() {
        assert_eq!(parse_integer("010").unwrap().magnitude, 10); // I-04
        assert_eq!(parse_integer("0XfF").unwrap().hex_digits, Some(2));
        assert!(parse_integer("18446744073709551616").unwrap().too_large);
        assert!(parse_integer("0x").is_none() && parse_integer("1_0").is_none());
        assert!(fits(-32768, 16) && fits(65535, 16) && !fits(65536, 16) && !fits(-32769, 16));
        assert!(fits(u64::MAX as i128, 64) && !fits(u64::MAX as i128 + 1, 128));
    }
}
