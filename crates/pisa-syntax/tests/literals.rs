//! Values of literals and names.

use pisa_syntax::{IntegerLiteral, LiteralError, name_of, parse_float, parse_integer, unescape};

fn integer(value: u64, hex: bool, digits: u32) -> Result<IntegerLiteral, LiteralError> {
    Ok(IntegerLiteral { value, hex, digits })
}

#[test]
fn integers() {
    assert_eq!(parse_integer("0"), integer(0, false, 1));
    assert_eq!(parse_integer("010"), integer(10, false, 3), "no octal (I-04)");
    assert_eq!(parse_integer("18446744073709551615"), integer(u64::MAX, false, 20));
    assert_eq!(parse_integer("18446744073709551616"), Err(LiteralError::TooLarge));
    assert_eq!(parse_integer("0x00fF"), integer(255, true, 4));
    assert_eq!(parse_integer("0XFFFFFFFFFFFFFFFF"), integer(u64::MAX, true, 16));
    assert_eq!(parse_integer("0x10000000000000000"), Err(LiteralError::TooLarge));
    assert_eq!(parse_integer("0x0000000000000000001"), integer(1, true, 19), "leading zeros do not overflow");
    for (text, error) in [
        ("", LiteralError::NoDigits),
        ("0x", LiteralError::NoDigits),
        ("0b1", LiteralError::Base),
        ("0o7", LiteralError::Base),
        ("1_0", LiteralError::Separator),
        ("0x1_0", LiteralError::Separator),
        ("0x1.8", LiteralError::HexadecimalFloat),
        ("0x1p3", LiteralError::HexadecimalFloat),
        ("100ca", LiteralError::Digit(3)),
        ("-1", LiteralError::Digit(0)),
        ("+1", LiteralError::Digit(0)),
        ("1é", LiteralError::Digit(1)),
    ] {
        assert_eq!(parse_integer(text), Err(error), "{text}");
    }
}

#[test]
fn floats() {
    for (text, value) in [
        ("1.5", 1.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("1.5E+2", 150.0),
        ("25.e-2", 0.25),
        ("4.2", 4.2),
        ("0.1", 0.1),
        ("1e400", f64::INFINITY),
        ("1e-400", 0.0),
        // Half way between 1 and the next double: the even one.
        ("1.00000000000000011102230246251565404236316680908203125", 1.0),
        ("1.00000000000000011102230246251565404236316680908203126", 1.000_000_000_000_000_2),
    ] {
        assert_eq!(parse_float(text), Ok(value), "{text}");
    }
    for text in ["", ".5", "1.5f", "1e", "1e+", "1.5.2", "inf", "nan", "-1.0", "1.5_0"] {
        assert!(parse_float(text).is_err(), "{text}");
    }
}

#[test]
fn strings_and_names() {
    assert_eq!(unescape(r#""plain""#), "plain");
    assert_eq!(unescape(r#""a \"b\" \\ c""#), r#"a "b" \ c"#);
    assert_eq!(unescape(r#""\n""#), r"\n", "only quotes and backslashes are escaped (G-18)");
    assert_eq!(unescape(r#""open"#), "open");
    assert_eq!(unescape(r#""open\""#), "open\"");
    assert_eq!(unescape(r#""closed\\""#), r"closed\");
    assert_eq!(unescape("\""), "");
    assert_eq!(unescape("\"\""), "");
    assert_eq!(name_of("@f"), "f");
    assert_eq!(name_of("%v.xy"), "v.xy");
    assert_eq!(name_of(r#"@"a \"b\"""#), r#"a "b""#);
}
