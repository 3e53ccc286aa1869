//! Values as text and back.

use pisa_float::*;

#[test]
fn formats() {
    assert_eq!(format_value::<F>(1.5f32.to_bits()), "1.5");
    assert_eq!(format_value::<F>((-0.0f32).to_bits()), "-0.0");
    assert_eq!(format_value::<F>(0x7fc0_1234), "nan(0x7fc01234)");
    assert_eq!(format_value::<F>(0x7f80_0000), "inf");
    assert_eq!(format_value::<F>(0xff80_0000), "-inf");
    assert_eq!(format_value::<F>(0.1f32.to_bits()), "0.1");
    assert_eq!(format_value::<F>(16_777_216f32.to_bits()), "16777216.0");
    assert_eq!(format_value::<F>(f32::MAX.to_bits()), "3.4028235e38");
    assert_eq!(format_value::<F>(1), "1.0e-45");
    assert_eq!(format_value::<F>(1.25e-5f32.to_bits()), "0.0000125");
    assert_eq!(format_value::<F>(1.25e-6f32.to_bits()), "1.25e-6");
    assert_eq!(format_value::<Df>((-1e300f64).to_bits()), "-1.0e300");
    assert_eq!(format_value::<Df>(0.1f64.to_bits()), "0.1");
    assert_eq!(format_value::<Df>((0.1f64 + 0.2).to_bits()), "0.30000000000000004");
    assert_eq!(format_value::<Df>(1e15f64.to_bits()), "1000000000000000.0");
    assert_eq!(format_value::<Hf>(0x3c00), "1.0");
    assert_eq!(format_value::<Hf>(0x7bff), "65500.0");
    assert_eq!(format_value::<Hf>(0x2e66), "0.1");
    assert_eq!(format_value::<Hf>(0xfe01), "nan(0xfe01)");
    assert_eq!(format_value::<Bf>(0x3dcd), "0.1");
    assert_eq!(format_value::<Bf>(0x7f7f), "3.39e38");
}

#[test]
fn parses() {
    assert_eq!(parse_value::<F>("1"), Ok(0x3f80_0000));
    assert_eq!(parse_value::<F>("-1.5"), Ok(0xbfc0_0000));
    assert_eq!(parse_value::<F>(".5"), Ok(0x3f00_0000));
    assert_eq!(parse_value::<F>("2."), Ok(0x4000_0000));
    assert_eq!(parse_value::<F>("1e3"), Ok(1000f32.to_bits()));
    assert_eq!(parse_value::<F>("1E+3"), Ok(1000f32.to_bits()));
    assert_eq!(parse_value::<F>("0x3f800000"), Ok(0x3f80_0000));
    assert_eq!(parse_value::<F>("0X1"), Ok(1));
    assert_eq!(parse_value::<F>("-0"), Ok(0x8000_0000));
    assert_eq!(parse_value::<F>("inf"), Ok(0x7f80_0000));
    assert_eq!(parse_value::<F>("-inf"), Ok(0xff80_0000));
    assert_eq!(parse_value::<F>("nan"), Ok(0x7fc0_0000));
    assert_eq!(parse_value::<F>("-nan"), Ok(0xffc0_0000));
    assert_eq!(parse_value::<F>("nan(0x7f800001)"), Ok(0x7f80_0001));
    assert_eq!(parse_value::<Hf>("nan"), Ok(0x7e00));
    assert_eq!(parse_value::<Bf>("nan"), Ok(0x7fc0));
    assert_eq!(parse_value::<Df>("nan"), Ok(0x7ff8_0000_0000_0000));
    assert_eq!(parse_value::<Hf>("65519.999999999999999999999999"), Ok(0x7bff));
    assert_eq!(parse_value::<Hf>("65520"), Ok(0x7c00));
    assert_eq!(parse_value::<Hf>("1e99999999999999999999"), Ok(0x7c00));
    assert_eq!(parse_value::<Hf>("-1e-99999999999999999999"), Ok(0x8000));
    assert_eq!(parse_value::<Df>("1e-400"), Ok(0));
}

#[test]
fn refuses() {
    for text in [
        "", "-", "+1", "1_0", "0x", "0xg", "--1", "1e", "e5", ".", "1.2.3", "infinity", "NaN", "-0x1", "1 ",
        "1f", "nan()",
    ] {
        assert_eq!(parse_value::<F>(text), Err(ParseValueError::Syntax), "{text:?}");
    }
    assert_eq!(parse_value::<Hf>("0x10000"), Err(ParseValueError::TooManyBits { format: "hf", width: 16 }));
    assert_eq!(
        parse_value::<Df>("0x10000000000000000"),
        Err(ParseValueError::TooManyBits { format: "df", width: 64 })
    );
    assert_eq!(parse_value::<F>("nan(0x7f800000)"), Err(ParseValueError::NotANan { format: "f" }));
}

/// One and a half units above one lies halfway; a digit far behind decides.
#[test]
fn decides_ties_by_the_whole_decimal() {
    // 1 + 2^-8 is halfway between 1 and 1 + 2^-7 in bf.
    assert_eq!(parse_value::<Bf>("1.00390625"), Ok(0x3f80));
    assert_eq!(parse_value::<Bf>("1.003906250000000000000000000001"), Ok(0x3f81));
    assert_eq!(parse_value::<Bf>("1.003906249999999999999999999999"), Ok(0x3f80));
    // 1 + 3 * 2^-8 ties to even upward.
    assert_eq!(parse_value::<Bf>("1.01171875"), Ok(0x3f82));
    assert_eq!(parse_value::<Bf>("-1.011718749999999999999999999999"), Ok(0xbf81));
    // A decimal nearer to a middle than to the next double, but not past it.
    assert_eq!(parse_value::<Bf>("1.0039062499999998"), Ok(0x3f80));
    assert_eq!(parse_value::<F>("1.000000059604644775390625"), Ok(0x3f80_0000));
    assert_eq!(parse_value::<F>("1.00000005960464477539062500000000000000000000001"), Ok(0x3f80_0001));
    // The smallest denormal's half: 2^-25 in hf.
    assert_eq!(parse_value::<Hf>("2.98023223876953125e-8"), Ok(0));
    assert_eq!(parse_value::<Hf>("2.980232238769531250000000000000000000001e-8"), Ok(1));
    assert_eq!(parse_value::<Hf>("0000.0000000298023223876953125000000000000000000000001"), Ok(1));
}

#[test]
fn all_16_bit_values_read_back() {
    for bits in 0..=u16::MAX {
        assert_eq!(parse_value::<Hf>(&format_value::<Hf>(bits)), Ok(bits));
        assert_eq!(parse_value::<Bf>(&format_value::<Bf>(bits)), Ok(bits));
    }
}

/// Against the standard library, whose printing and parsing of binary32 and binary64 is its own.
#[test]
fn agrees_with_the_standard_library() {
    let mut state = 1u64;
    for _ in 0..50_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (state >> 32) as u32;
        let value = f32::from_bits(bits);
        if value.is_nan() {
            continue;
        }
        assert_eq!(parse_value::<F>(&format_value::<F>(bits)), Ok(bits));
        assert_eq!(parse_value::<F>(&value.to_string()), Ok(bits));
        let double = f64::from_bits(state);
        if !double.is_nan() {
            assert_eq!(parse_value::<Df>(&format_value::<Df>(state)), Ok(state));
            assert_eq!(parse_value::<Df>(&double.to_string()), Ok(state));
            let long = format!("{double:.60e}");
            if double.is_finite() {
                assert_eq!(parse_value::<F>(&long), Ok(long.parse::<f32>().unwrap().to_bits()), "{long}");
            }
        }
    }
}
