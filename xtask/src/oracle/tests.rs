//! The oracle against values worked by hand.

use super::*;

#[test]
fn sums_of_halves() {
    let add = |a, b, way| super::add::<Half>(a, b).rounded::<Half>(way);
    assert_eq!(add(0x3c00, 0x3c00, Way::Even), 0x4000); // 1 + 1 = 2
    assert_eq!(add(0x3c00, 0x1000, Way::Even), 0x3c00); // 1 + 2^-11: a tie, 1 is even
    assert_eq!(add(0x3c00, 0x1000, Way::Away), 0x3c01);
    assert_eq!(add(0x3c00, 0x1000, Way::Up), 0x3c01);
    assert_eq!(add(0x3c00, 0x1000, Way::Down), 0x3c00);
    assert_eq!(add(0x3c01, 0x1000, Way::Even), 0x3c02); // a tie, and odd
    assert_eq!(add(0x3c00, 0x8001, Way::Zero), 0x3bff); // 1 - 2^-24
    assert_eq!(add(0x3c00, 0x8001, Way::Even), 0x3c00);
    assert_eq!(add(0x3c00, 0xbc00, Way::Even), 0); // 1 - 1
    assert_eq!(add(0x3c00, 0xbc00, Way::Down), 0x8000);
    assert_eq!(add(0x8000, 0x8000, Way::Even), 0x8000);
    assert_eq!(add(0x0001, 0x0001, Way::Even), 0x0002);
    assert_eq!(add(0x7bff, 0x7bff, Way::Even), 0x7c00); // overflow
    assert_eq!(add(0x7bff, 0x7bff, Way::Zero), 0x7bff);
    assert_eq!(add(0xfbff, 0xfbff, Way::Up), 0xfbff);
    assert_eq!(add(0xfbff, 0xfbff, Way::Down), 0xfc00);
    assert_eq!(add(0x7bff, 0x4c00, Way::Even), 0x7c00); // 65504 + 16 is halfway to 65536
    assert_eq!(add(0x7bff, 0x4bff, Way::Even), 0x7bff);
    assert_eq!(add(0x7c00, 0xfc00, Way::Even), 0x7e00);
    assert_eq!(add(0xfd01, 0x7e02, Way::Even), 0xff01); // the first NaN, quiet
}

#[test]
fn sums_far_apart() {
    let add = |a, b, way| super::add::<Brain>(a, b).rounded::<Brain>(way);
    assert_eq!(add(0x7f00, 0x0001, Way::Even), 0x7f00);
    assert_eq!(add(0x7f00, 0x0001, Way::Up), 0x7f01);
    assert_eq!(add(0x7f00, 0x8001, Way::Zero), 0x7eff);
    assert_eq!(add(0x8001, 0x7f00, Way::Down), 0x7eff);
    assert_eq!(add(0x7f00, 0x8001, Way::Even), 0x7f00);
}

#[test]
fn products_quotients_and_roots() {
    let mul = |a, b, way| multiply::<Half>(a, b).rounded::<Half>(way);
    assert_eq!(mul(0x3e00, 0x3e00, Way::Even), 0x4080); // 1.5 * 1.5 = 2.25
    assert_eq!(mul(0x0001, 0x0001, Way::Even), 0);
    assert_eq!(mul(0x0001, 0x8001, Way::Down), 0x8001);
    assert_eq!(mul(0x7c00, 0x8000, Way::Even), 0x7e00);
    assert_eq!(multiply_into::<Half, Single>(0x0001, 0x0001).rounded::<Single>(Way::Even), 0x2780_0000); // 2^-48
    let div = |a, b, way| divide::<Single>(a, b).rounded::<Single>(way);
    assert_eq!(div(0x3f80_0000, 0x4040_0000, Way::Even), 0x3eaa_aaab); // 1/3
    assert_eq!(div(0x3f80_0000, 0x4040_0000, Way::Down), 0x3eaa_aaaa);
    assert_eq!(div(0x3f80_0000, 0x0000_0000, Way::Even), 0x7f80_0000);
    assert_eq!(div(0x0000_0001, 0x4000_0000, Way::Even), 0); // half the least denormal
    assert_eq!(div(0x0000_0001, 0x4000_0000, Way::Away), 1);
    let sqrt = |a, way| square_root::<Single>(a).rounded::<Single>(way);
    assert_eq!(sqrt(0x4080_0000, Way::Up), 0x4000_0000); // 4
    assert_eq!(sqrt(0x4000_0000, Way::Even), 0x3fb5_04f3); // 2
    assert_eq!(sqrt(0x4000_0000, Way::Up), 0x3fb5_04f4);
    assert_eq!(sqrt(0x0000_0002, Way::Even), 0x1a80_0000); // 2^-148
    assert_eq!(sqrt(0xbf80_0000, Way::Even), 0x7fc0_0000);
    let rsqrt = |a| reciprocal_root::<Single>(a).rounded::<Single>(Way::Even);
    assert_eq!(rsqrt(0x4080_0000), 0x3f00_0000);
    assert_eq!(rsqrt(0x4000_0000), 0x3f35_04f3); // 0.70710678
    assert_eq!(rsqrt(0x0000_0002), 0x6480_0000); // 2^74
}

#[test]
fn order() {
    assert_eq!(smaller::<Half>(0x0000, 0x8000, false), 0x8000);
    assert_eq!(larger::<Half>(0x8000, 0x0000, false), 0x0000);
    assert_eq!(smaller::<Half>(0x7d00, 0x3c00, false), 0x3c00);
    assert_eq!(smaller::<Half>(0x7d00, 0x3c00, true), 0x7f00);
    assert_eq!(compare::<Half>(0x8000, 0x0000), Some(std::cmp::Ordering::Equal));
    assert_eq!(compare::<Half>(0xbc00, 0x8001), Some(std::cmp::Ordering::Less));
    assert_eq!(compare::<Half>(0x7e00, 0x7e00), None);
}

#[test]
fn conversions() {
    assert_eq!(integral::<Single>(0x3f00_0000, Way::Even), 0); // 0.5
    assert_eq!(integral::<Single>(0xbe80_0000, Way::Even), 0x8000_0000);
    assert_eq!(integral::<Single>(0x3fc0_0000, Way::Even), 0x4000_0000); // 1.5
    assert_eq!(integral::<Single>(0x0000_0001, Way::Up), 0x3f80_0000);
    assert_eq!(fraction_part::<Single>(0xbf40_0000), 0x3e80_0000); // -0.75 - -1
    assert_eq!(fraction_part::<Single>(0x8000_0001), 0x3f80_0000); // P-24: 1.0 is possible
    assert_eq!(to_integer::<Single>(0x3f00_0000, 8, true, Way::Away), 1);
    assert_eq!(to_integer::<Single>(0xcf00_0000, 32, true, Way::Even), 0x8000_0000);
    assert_eq!(to_integer::<Single>(0xbf80_0000, 64, false, Way::Even), 0);
    assert_eq!(to_integer::<Single>(0x7f7f_ffff, 64, false, Way::Even), u64::MAX);
    assert_eq!(to_integer::<Single>(0xff7f_ffff, 64, true, Way::Even), 1 << 63);
    assert_eq!(to_integer::<Single>(0x7fc0_0000, 64, true, Way::Even), 0);
    assert_eq!(from_integer::<Single>(16_777_217)[Way::Even as usize], 0x4b80_0000);
    assert_eq!(from_integer::<Single>(-16_777_217)[Way::Down as usize], 0xcb80_0001);
    assert_eq!(from_integer::<Half>(65_519)[Way::Even as usize], 0x7bff);
    assert_eq!(from_integer::<Half>(65_536)[Way::Zero as usize], 0x7c00);
    assert_eq!(limit::<Half>(from_integer::<Half>(65_536)[Way::Zero as usize], true), 0x7bff);
    assert_eq!(from_integer::<Half>(0)[Way::Down as usize], 0);
    assert_eq!(truncate::<Single, Half>(0x3f80_1000)[Way::Even as usize], 0x3c00); // 1 + 2^-11
    assert_eq!(truncate::<Single, Half>(0x3380_0000)[Way::Even as usize], 1); // 2^-24
    assert_eq!(flush::<Half>(truncate::<Single, Half>(0x3380_0000)[Way::Even as usize]), 0);
    assert_eq!(truncate::<Single, Brain>(0x0040_0000)[Way::Up as usize], 0); // D-07
    assert_eq!(limit::<Half>(truncate::<Single, Half>(0xc788_b800)[Way::Zero as usize], true), 0xfbff); // -70000
    assert_eq!(extend_to_double(0x0000_0001), 0x36a0_0000_0000_0000); // 2^-149
    assert_eq!(extend_to_double(0xff80_0001), 0xfff8_0000_2000_0000);
}

#[test]
fn saturation() {
    assert_eq!(flush_and_clamp::<Half>(0x8001, true, false), 0x8000);
    assert_eq!(flush_and_clamp::<Half>(0x8001, true, true), 0);
    assert_eq!(flush_and_clamp::<Half>(0x7e00, false, true), 0);
    assert_eq!(flush_and_clamp::<Half>(0x4000, false, true), 0x3c00);
    assert_eq!(flush_and_clamp::<Half>(0x3bff, false, true), 0x3bff);
}

/// Sums of 106 and 53 bits, whose terms lie near, far and at the limit of the shift.
#[test]
fn fused_multiply_add() {
    let fma = |a, b, c, way| wide::multiply_add::<Double>(a, b, c).rounded::<Double>(way);
    let (one, two) = (0x3ff0_0000_0000_0000, 0x4000_0000_0000_0000);
    assert_eq!(fma(one, one, one, Way::Even), two);
    // (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104.
    assert_eq!(fma(one + 1, one + 1, (one + 2) | Double::SIGN, Way::Even), 0x3970_0000_0000_0000);
    assert_eq!(fma(one, one, one | Double::SIGN, Way::Even), 0);
    assert_eq!(fma(one, one, one | Double::SIGN, Way::Down), Double::SIGN);
    assert_eq!(fma(Double::SIGN, one, Double::SIGN, Way::Even), Double::SIGN);
    // 1 + 2^-2148, 1 - 2^-2148.
    assert_eq!(fma(1, 1, one, Way::Even), one);
    assert_eq!(fma(1, 1, one, Way::Up), one + 1);
    assert_eq!(fma(1, 1, one | Double::SIGN, Way::Zero), (one - 1) | Double::SIGN);
    // 2^-1074 + 2^-2148, and the same product alone and with zeros.
    assert_eq!(fma(1, 1, 1, Way::Even), 1);
    assert_eq!(fma(1, 1, 1, Way::Up), 2);
    assert_eq!(fma(1, 1, Double::SIGN | 1, Way::Zero), Double::SIGN);
    assert_eq!(fma(1, 1, 0, Way::Up), 1);
    assert_eq!(fma(1, 1, Double::SIGN, Way::Even), 0);
    assert_eq!(fma(0, 1, one, Way::Up), one);
    // The largest times 2 less the largest: the largest. 2^1023 * 2 + anything: beyond.
    assert_eq!(fma(0x7fef_ffff_ffff_ffff, two, 0xffef_ffff_ffff_ffff, Way::Up), 0x7fef_ffff_ffff_ffff);
    assert_eq!(fma(0x7fe0_0000_0000_0000, two, one, Way::Even), Double::INFINITE);
    assert_eq!(fma(0x7fe0_0000_0000_0000, two, one, Way::Zero), Double::INFINITE - 1);
    // 2^1000 + 2^-1000 and less.
    let (large, small) = (2023 << 52, 23 << 52);
    assert_eq!(fma(large, one, small, Way::Up), large + 1);
    assert_eq!(fma(large, one, small | Double::SIGN, Way::Down), large - 1);
    assert_eq!(fma(Double::INFINITE, 0, one, Way::Even), Double::NAN);
    assert_eq!(fma(Double::INFINITE, one, Double::INFINITE | Double::SIGN, Way::Even), Double::NAN);
    assert_eq!(fma(one, Double::INFINITE, one, Way::Even), Double::INFINITE);
    assert_eq!(fma(one, one, Double::INFINITE | Double::SIGN, Way::Up), Double::INFINITE | Double::SIGN);
    let fma = |a, b, c, way| wide::multiply_add::<Half>(a, b, c).rounded::<Half>(way);
    assert_eq!(fma(0x3e00, 0x3e00, 0x0001, Way::Even), 0x4080); // 2.25 + 2^-24
    assert_eq!(fma(0x3e00, 0x3e00, 0x0001, Way::Up), 0x4081);
}

#[test]
fn doubles() {
    let (one, three) = (0x3ff0_0000_0000_0000u64, 0x4008_0000_0000_0000);
    assert_eq!(wide::add::<Double>(one, 1).rounded::<Double>(Way::Up), one + 1);
    assert_eq!(wide::subtract::<Double>(one, 1).rounded::<Double>(Way::Zero), one - 1);
    assert_eq!(wide::subtract::<Double>(0, one).rounded::<Double>(Way::Even), one | Double::SIGN);
    assert_eq!(wide::multiply::<Double>(1, one - (1 << 52)).rounded::<Double>(Way::Even), 0); // half the least
    assert_eq!(wide::divide::<Double>(one, three).rounded::<Double>(Way::Even), 0x3fd5_5555_5555_5555);
    assert_eq!(wide::divide::<Double>(one, three).rounded::<Double>(Way::Up), 0x3fd5_5555_5555_5556);
    assert_eq!(wide::divide::<Double>(one, Double::SIGN).rounded::<Double>(Way::Even), 0xfff0_0000_0000_0000);
    // The square root of 2, 1.41421356237309504880, lies below the nearest double; that of 2^-1074 is 2^-537.
    assert_eq!(
        wide::square_root::<Double>(one + (1 << 52)).rounded::<Double>(Way::Even),
        0x3ff6_a09e_667f_3bcd
    );
    assert_eq!(
        wide::square_root::<Double>(one + (1 << 52)).rounded::<Double>(Way::Down),
        0x3ff6_a09e_667f_3bcc
    );
    assert_eq!(wide::square_root::<Double>(1).rounded::<Double>(Way::Up), 486 << 52);
    assert_eq!(wide::reciprocal_root::<Double>(1).rounded::<Double>(Way::Up), 1560 << 52);
    assert_eq!(
        wide::reciprocal_root::<Double>(one + (1 << 52)).rounded::<Double>(Way::Even),
        0x3fe6_a09e_667f_3bcd
    );
    assert_eq!(wide::reciprocal_root::<Double>(one + (2 << 52)).rounded::<Double>(Way::Up), one - (1 << 52));
}
