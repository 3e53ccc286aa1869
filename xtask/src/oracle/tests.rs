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
    assert_eq!(from_integer::<Single>(16_777_217, Way::Even, false), 0x4b80_0000);
    assert_eq!(from_integer::<Single>(-16_777_217, Way::Down, false), 0xcb80_0001);
    assert_eq!(from_integer::<Half>(65_519, Way::Even, false), 0x7bff);
    assert_eq!(from_integer::<Half>(65_536, Way::Zero, false), 0x7c00);
    assert_eq!(from_integer::<Half>(65_536, Way::Zero, true), 0x7bff);
    assert_eq!(from_integer::<Half>(0, Way::Down, false), 0);
    assert_eq!(truncate::<Single, Half>(0x3f80_1000, Way::Even, false, false), 0x3c00); // 1 + 2^-11
    assert_eq!(truncate::<Single, Half>(0x3380_0000, Way::Even, false, false), 1); // 2^-24
    assert_eq!(truncate::<Single, Half>(0x3380_0000, Way::Even, true, false), 0);
    assert_eq!(truncate::<Single, Brain>(0x0040_0000, Way::Up, false, false), 0); // D-07
    assert_eq!(truncate::<Single, Half>(0xc788_b800, Way::Zero, false, true), 0xfbff); // -70000
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
