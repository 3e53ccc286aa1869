//! The decisions, with tables of conversions (D-02, D-07, D-08) and reductions, value by value, written out by hand.

use pisa_float::*;

const CANONICAL: u32 = 0x7fc0_0000;
const RE: Mode = Mode::rounded(Rounding::NearestEven);

fn f(value: f32) -> u32 {
    value.to_bits()
}

fn mode(rounding: Rounding) -> Mode {
    Mode::rounded(rounding)
}

/// Appendix C: rows of x, then signed and unsigned results in the order of the modes.
#[test]
fn appendix_c_rounding() {
    let rows: [(f32, [i32; 5], [u32; 5]); 8] = [
        (0.5, [0, 0, 1, 0, 1], [0, 0, 1, 0, 1]),
        (1.5, [2, 1, 2, 1, 2], [2, 1, 2, 1, 2]),
        (2.5, [2, 2, 3, 2, 3], [2, 2, 3, 2, 3]),
        (-0.5, [0, -1, 0, 0, -1], [0; 5]),
        (-1.5, [-2, -2, -1, -1, -2], [0; 5]),
        (-2.5, [-2, -3, -2, -2, -3], [0; 5]),
        (0.9, [1, 0, 1, 0, 1], [1, 0, 1, 0, 1]),
        (-0.9, [-1, -1, 0, 0, -1], [0; 5]),
    ];
    for (x, signed, unsigned) in rows {
        for (index, rounding) in Rounding::ALL.into_iter().enumerate() {
            assert_eq!(
                to_integer::<F>(f(x), 32, true, rounding) as u32 as i32,
                signed[index],
                "{x} {rounding:?}"
            );
            assert_eq!(
                to_integer::<F>(f(x), 32, false, rounding) as u32,
                unsigned[index],
                "{x} {rounding:?}"
            );
        }
    }
}

/// Appendix C: where the clamping begins. `df` holds all bounds but those of 64-bit types exactly.
#[test]
fn appendix_c_clamping() {
    let below = |x: f64| f64::from_bits(x.to_bits() - 1);
    let above = |x: f64| f64::from_bits(x.to_bits() + 1);
    for (bits, signed, most) in [
        (8, true, 127.0),
        (8, false, 255.0),
        (16, true, 32767.0),
        (16, false, 65535.0),
        (32, true, 2147483647.0f64),
        (32, false, 4294967295.0),
    ] {
        let convert = |x: f64, rounding| to_integer::<Df>(x.to_bits(), bits, signed, rounding);
        let top = most as u64;
        for rounding in [Rounding::NearestEven, Rounding::NearestAway] {
            assert_eq!(convert(below(most + 0.5), rounding), top);
            assert_eq!(convert(most + 0.5, rounding), top);
            assert_eq!(convert(most - 0.75, rounding), top - 1);
        }
        assert_eq!(convert(above(most - 1.0), Rounding::Up), top);
        assert_eq!(convert(most - 1.0, Rounding::Up), top - 1);
        assert_eq!(convert(above(most), Rounding::Up), top);
        for rounding in [Rounding::Down, Rounding::Zero] {
            assert_eq!(convert(below(most), rounding), top - 1);
            assert_eq!(convert(below(most + 1.0), rounding), top);
            assert_eq!(convert(most + 1.0, rounding), top);
        }
        if signed {
            let mask = u64::MAX >> (64 - bits);
            let least = -most - 1.0;
            let bottom = (least as i64) as u64 & mask;
            for rounding in Rounding::ALL {
                assert_eq!(convert(least, rounding), bottom);
                assert_eq!(convert(least - 1.0, rounding), bottom);
                assert_eq!(convert(f64::NEG_INFINITY, rounding), bottom);
            }
            // Above the bound nothing clamps.
            assert_eq!(convert(least + 0.5, Rounding::NearestEven), bottom);
            assert_eq!(convert(least + 0.5, Rounding::NearestAway), bottom);
            assert_eq!(convert(least + 0.5, Rounding::Zero), bottom + 1);
        } else {
            for x in [-0.25, -0.5, -1.0, -1e300, f64::NEG_INFINITY] {
                for rounding in Rounding::ALL {
                    assert_eq!(convert(x, rounding), 0);
                }
            }
        }
        for rounding in Rounding::ALL {
            assert_eq!(convert(f64::INFINITY, rounding), top);
            assert_eq!(convert(f64::NAN, rounding), 0);
            assert_eq!(convert(-f64::NAN, rounding), 0);
            assert_eq!(convert(f64::from_bits(0x7ff0_0000_0000_0001), rounding), 0);
        }
    }
    let two_63 = 9_223_372_036_854_775_808.0f64;
    let convert = |x: f64, signed| to_integer::<Df>(x.to_bits(), 64, signed, Rounding::NearestEven);
    assert_eq!(convert(two_63, true), i64::MAX as u64);
    assert_eq!(convert(-two_63, true), i64::MIN as u64);
    assert_eq!(convert(-2.0 * two_63, true), i64::MIN as u64);
    assert_eq!(convert(two_63, false), 1 << 63);
    assert_eq!(convert(2.0 * two_63, false), u64::MAX);
    // The source granularity of f.
    let single = |x: f32, bits, signed| to_integer::<F>(f(x), bits, signed, Rounding::NearestEven);
    assert_eq!(single(2_147_483_520.0, 32, true), 2_147_483_520);
    assert_eq!(single(4_294_967_040.0, 32, false), 4_294_967_040);
    assert_eq!(single(9_223_371_487_098_961_920.0, 64, true), 9_223_371_487_098_961_920);
    assert_eq!(to_integer::<Hf>(0x7bff, 16, false, Rounding::NearestEven), 65504);
    assert_eq!(to_integer::<Hf>(0x7bff, 16, true, Rounding::NearestEven), 32767);
}

#[test]
fn d04_denormals_to_integers() {
    assert_eq!(to_integer::<F>(1, 32, true, Rounding::Up), 1);
    assert_eq!(to_integer::<F>(0x8000_0001, 32, true, Rounding::Down), 0xffff_ffff);
    assert_eq!(to_integer::<F>(0x8000_0001, 32, false, Rounding::Down), 0);
}

#[test]
fn appendix_e_reductions() {
    let (one, three) = (f(1.0), f(3.0));
    assert_eq!(reduce_max::<F>([one, 0x7fc0_1234, three], false), three);
    assert_eq!(reduce_max::<F>([one, 0x7fc0_1234, three], true), 0x7fc0_1234);
    assert_eq!(reduce_min::<F>([0x7f80_0001, 0x7fc0_0000], false), 0x7fc0_0001);
    for lanes in [[0, 0x8000_0000], [0x8000_0000, 0]] {
        assert_eq!(reduce_min::<F>(lanes, false), 0x8000_0000);
        assert_eq!(reduce_max::<F>(lanes, false), 0);
    }
    assert_eq!(reduce_absmax::<F>([f(-5.0), three], false), f(5.0));
    assert_eq!(reduce_absmax::<F>([0x8000_0000], false), 0);
    assert_eq!(reduce_absmax::<F>([0xffc0_0000], false), CANONICAL);
    assert_eq!(reduce_min::<Hf>([0x0001, 0x8001], false), 0x8001);
}

#[test]
fn s20_to_s29_reductions() {
    // The lowest lane's NaN, with its sign; absmax clears it.
    assert_eq!(reduce_min::<F>([f(1.0), 0xff80_0005, 0x7fc0_0009], true), 0xffc0_0005);
    assert_eq!(reduce_absmax::<F>([f(1.0), 0xff80_0005, 0x7fc0_0009], true), 0x7fc0_0005);
    assert_eq!(reduce_max::<Bf>([0xff81, 0x7f82], false), 0xffc1);
    // One lane: the value, an sNaN quieted.
    assert_eq!(reduce_min::<Hf>([0x7c01], false), 0x7e01);
    assert_eq!(reduce_max::<Hf>([0x8001], false), 0x8001);
    assert_eq!(reduce_max::<F>([f(-1.0), f32::NEG_INFINITY.to_bits()], false), f(-1.0));
    assert_eq!(reduce_min::<F>([f(-1.0), f32::NEG_INFINITY.to_bits()], false), 0xff80_0000);
}

#[test]
fn appendix_f_narrowing() {
    assert_eq!(truncate::<F, Bf>(0x0040_0000, RE), 0);
    assert_eq!(truncate::<F, Bf>(0x007f_ffff, RE), 0);
    assert_eq!(truncate::<F, Hf>(0x0000_0001, mode(Rounding::Up)), 0);
    assert_eq!(truncate::<Df, F>((-4.9e-324f64).to_bits(), mode(Rounding::Down)), 0x8000_0000);
    assert_eq!(truncate::<F, Hf>(f(65519.0), RE), 0x7bff);
    assert_eq!(truncate::<F, Hf>(f(65520.0), RE), 0x7c00);
    assert_eq!(truncate::<F, Hf>(f(70000.0), mode(Rounding::Zero)), 0x7c00);
    let dsat = Mode { dsat: true, ..RE };
    assert_eq!(truncate::<F, Hf>(f(70000.0), dsat), 0x7bff);
    assert_eq!(truncate::<F, Hf>(f(-70000.0), dsat), 0xfbff);
    assert_eq!(truncate::<F, Hf>(0x7f80_0000, dsat), 0x7bff);
    assert_eq!(truncate::<F, Hf>(CANONICAL, dsat), 0x7e00);
    assert_eq!(from_integer::<Hf>(65535, 16, false, Rounding::NearestEven, false), 0x7c00);
    assert_eq!(from_integer::<Hf>(65535, 16, false, Rounding::Zero, false), 0x7bff);
    assert_eq!(from_integer::<Hf>(65535, 16, false, Rounding::NearestEven, true), 0x7bff);
    assert_eq!(extend::<Bf, F>(0x0001), 0x0001_0000);
}

#[test]
fn d06_nan_payloads() {
    assert_eq!(extend::<Hf, F>(0xfc01), 0xffc0_2000);
    assert_eq!(extend::<Bf, Df>(0x7f81), 0x7ff8_2000_0000_0000);
    assert_eq!(truncate::<F, Hf>(0xff80_0001, RE), 0xfe00);
    assert_eq!(truncate::<F, Bf>(0x7fc1_0000, RE), 0x7fc1);
    assert_eq!(truncate::<Df, F>(0x7ff0_0000_2000_0000, RE), 0x7fc0_0001);
}

#[test]
fn p04_first_nan_quieted() {
    let (signalling, quiet) = (0xff80_0001, 0x7fc0_0007);
    for operation in [add::<F>, sub::<F>, mul::<F>, div::<F>] {
        assert_eq!(operation(signalling, quiet, RE), 0xffc0_0001);
        assert_eq!(operation(quiet, signalling, RE), quiet);
        assert_eq!(operation(f(1.0), signalling, RE), 0xffc0_0001);
    }
    assert_eq!(fma::<F>(f(1.0), quiet, signalling, RE), quiet);
    assert_eq!(fma::<F>(f(1.0), f(1.0), signalling, RE), 0xffc0_0001);
    assert_eq!(sqrt::<F>(signalling, RE), 0xffc0_0001);
    for function in [sin::<F>, cos::<F>, exp2::<F>, log2::<F>, tanh::<F>, rsqrt::<F>, rcp::<F>, fract] {
        assert_eq!(function(signalling, false), 0xffc0_0001);
    }
    assert_eq!(round_to_integral::<F>(signalling, Rounding::Up, false), 0xffc0_0001);
}

#[test]
fn p05_generated_nans() {
    let infinity = f(f32::INFINITY);
    assert_eq!(div::<F>(0, 0x8000_0000, RE), CANONICAL);
    assert_eq!(sub::<F>(infinity, infinity, RE), CANONICAL);
    assert_eq!(mul::<F>(0x8000_0000, infinity, RE), CANONICAL);
    assert_eq!(sqrt::<F>(f(-1.0), RE), CANONICAL);
    assert_eq!(sqrt::<Hf>(0xbc00, RE), 0x7e00);
    assert_eq!(sqrt::<Bf>(0xbf80, RE), 0x7fc0);
    assert_eq!(sqrt::<Df>((-1.0f64).to_bits(), RE), 0x7ff8_0000_0000_0000);
}

#[test]
fn p06_saturation() {
    let dsat = Mode { dsat: true, ..RE };
    assert_eq!(add::<F>(f(0.75), f(0.5), dsat), f(1.0));
    assert_eq!(add::<F>(f(-0.75), f(0.5), dsat), 0);
    assert_eq!(mul::<F>(f(-1.0), 0, dsat), 0);
    assert_eq!(add::<F>(CANONICAL, f(0.5), dsat), 0);
    assert_eq!(add::<F>(0xffc0_0000, f(0.5), dsat), 0);
    assert_eq!(mul::<F>(f(1e30), f(1e30), dsat), f(1.0));
    assert_eq!(add::<F>(f(0.25), f(0.5), dsat), f(0.75));
    assert_eq!(min::<F>(CANONICAL, f(0.5), false, true, true), 0);
    assert_eq!(max::<F>(CANONICAL, f(0.5), false, true, false), f(0.5));
    // A denormal is above zero, unless flushed.
    assert_eq!(add::<F>(1, 0, dsat), 1);
    assert_eq!(add::<F>(1, 0, Mode { ftz: true, ..dsat }), 0);
}

#[test]
fn p02_flushing() {
    let ftz = Mode { ftz: true, ..RE };
    // Sources: the least normal plus a denormal loses the denormal.
    assert_eq!(add::<F>(0x0080_0000, 1, ftz), 0x0080_0000);
    assert_eq!(add::<F>(0x8000_0001, 0x8000_0001, ftz), 0x8000_0000);
    // Result: after rounding. Half the least normal is denormal; one that rounds up to the least normal is kept.
    assert_eq!(mul::<F>(0x8080_0000, f(0.5), ftz), 0x8000_0000);
    assert_eq!(mul::<F>(0x00ff_ffff, f(0.5), ftz), 0x0080_0000);
    assert_eq!(mul::<F>(0x00ff_ffff, f(0.5), Mode { rounding: Rounding::Zero, ..ftz }), 0);
    assert_eq!(compare::<F>(1, 2, true), Ordering4::Equal);
    assert_eq!(compare::<F>(1, 2, false), Ordering4::Less);
    assert_eq!(min::<F>(0x8000_0001, 0, true, false, false), 0x8000_0000);
    assert_eq!(neg::<F>(1, true), 0x8000_0000);
    assert_eq!(abs::<F>(0x8000_0001, true), 0);
    assert_eq!(rcp::<F>(0x8000_0001, true), 0xff80_0000);
    assert_eq!(log2::<F>(1, true), 0xff80_0000);
    assert_eq!(exp2::<F>(f(-127.0), true), 0);
    assert_eq!(sin::<F>(0x8000_0001, true), 0x8000_0000);
}

#[test]
fn p10_nan_operand_before_invalid() {
    let infinity = f(f32::INFINITY);
    assert_eq!(fma::<F>(infinity, 0, 0x7fc0_0009, RE), 0x7fc0_0009);
    assert_eq!(fma::<F>(infinity, 0, f(1.0), RE), CANONICAL);
    assert_eq!(fma::<F>(infinity, f(1.0), f(f32::NEG_INFINITY), RE), CANONICAL);
}

#[test]
fn p11_minimum_and_maximum() {
    let (minus, plus) = (0x8000_0000, 0);
    for nan_propagate in [false, true] {
        for (a, b) in [(minus, plus), (plus, minus)] {
            assert_eq!(min::<F>(a, b, false, false, nan_propagate), minus);
            assert_eq!(max::<F>(a, b, false, false, nan_propagate), plus);
        }
    }
    let signalling = 0xff80_0001;
    for pick in [min::<F>, max::<F>] {
        assert_eq!(pick(signalling, f(2.0), false, false, false), f(2.0));
        assert_eq!(pick(f(2.0), signalling, false, false, false), f(2.0));
        assert_eq!(pick(f(2.0), signalling, false, false, true), 0xffc0_0001);
        assert_eq!(pick(signalling, f(2.0), false, false, true), 0xffc0_0001);
        assert_eq!(pick(signalling, CANONICAL, false, false, false), 0xffc0_0001);
        assert_eq!(pick(CANONICAL, signalling, false, false, false), CANONICAL);
    }
    assert_eq!(min::<F>(f(-2.0), f(1.0), false, false, false), f(-2.0));
    assert_eq!(max::<F>(f(-2.0), f(-1.0), false, false, false), f(-1.0));
}

#[test]
fn p13_p14_signs_of_nans() {
    assert_eq!(abs::<F>(0xff80_0001, false), 0x7fc0_0001);
    assert_eq!(neg::<F>(0x7f80_0001, false), 0xffc0_0001);
    assert_eq!(neg::<Hf>(0xfe00, false), 0x7e00);
    assert_eq!(neg::<Df>(0, false), 1 << 63);
    assert_eq!(abs::<Bf>(0x8001, false), 1);
}

#[test]
fn p15_comparisons() {
    assert_eq!(compare::<F>(0x8000_0000, 0, false), Ordering4::Equal);
    assert_eq!(compare::<F>(CANONICAL, CANONICAL, false), Ordering4::Unordered);
    assert_eq!(compare::<F>(f(1.0), CANONICAL, false), Ordering4::Unordered);
    assert_eq!(compare::<F>(f(-1.0), f(-2.0), false), Ordering4::Greater);
    assert_eq!(compare::<F>(f(-1.0), f(1.0), false), Ordering4::Less);
    assert_eq!(compare::<Hf>(0xfc00, 0x7c00, false), Ordering4::Less);
}

#[test]
fn p20_p21_p30_special_arguments() {
    let (infinity, minus_infinity, minus_zero) = (0x7f80_0000, 0xff80_0000, 0x8000_0000);
    for function in [sin::<F>, cos::<F>] {
        assert_eq!(function(infinity, false), CANONICAL);
        assert_eq!(function(minus_infinity, false), CANONICAL);
    }
    assert_eq!(sin::<F>(minus_zero, false), minus_zero);
    assert_eq!(sin::<F>(0, false), 0);
    assert_eq!(cos::<F>(minus_zero, false), f(1.0));
    assert_eq!(rcp::<F>(minus_zero, false), minus_infinity);
    assert_eq!(rcp::<F>(1, false), infinity);
    assert_eq!(rcp::<F>(minus_infinity, false), minus_zero);
    assert_eq!(rsqrt::<F>(minus_zero, false), minus_infinity);
    assert_eq!(rsqrt::<F>(0, false), infinity);
    assert_eq!(rsqrt::<F>(infinity, false), 0);
    assert_eq!(rsqrt::<F>(f(-1.0), false), CANONICAL);
    assert_eq!(rsqrt::<Df>(0.25f64.to_bits(), false), 2.0f64.to_bits());
    assert_eq!(sqrt::<F>(minus_zero, RE), minus_zero);
    assert_eq!(log2::<F>(0, false), minus_infinity);
    assert_eq!(log2::<F>(minus_zero, false), minus_infinity);
    assert_eq!(log2::<F>(f(-1.0), false), CANONICAL);
    assert_eq!(log2::<F>(minus_infinity, false), CANONICAL);
    assert_eq!(log2::<F>(infinity, false), infinity);
    assert_eq!(log2::<F>(f(1.0), false), 0);
    assert_eq!(log2::<F>(1, false), f(-149.0));
    assert_eq!(exp2::<F>(minus_infinity, false), 0);
    assert_eq!(exp2::<F>(infinity, false), infinity);
    assert_eq!(exp2::<F>(f(128.0), false), infinity);
    assert_eq!(exp2::<F>(f(-149.0), false), 1);
    // Half the least denormal ties to zero; a little more does not.
    assert_eq!(exp2::<F>(f(-150.0), false), 0);
    assert_eq!(exp2::<F>(f(-149.99998), false), 1);
    assert_eq!(exp2::<Hf>(0xce40, false), 0);
    assert_eq!(exp2::<F>(0, false), f(1.0));
    assert_eq!(tanh::<F>(minus_infinity, false), f(-1.0));
    assert_eq!(tanh::<F>(infinity, false), f(1.0));
    assert_eq!(tanh::<F>(minus_zero, false), minus_zero);
}

#[test]
fn p24_fraction() {
    assert_eq!(fract(f(-1e-10), false), f(1.0));
    assert_eq!(fract(f(-0.25), false), f(0.75));
    assert_eq!(fract(f(2.5), false), f(0.5));
    assert_eq!(fract(0x8000_0000, false), 0);
    assert_eq!(fract(f(-3.0), false), 0);
    assert_eq!(fract(0x7f80_0000, false), CANONICAL);
    assert_eq!(fract(0xff80_0000, false), CANONICAL);
    assert_eq!(fract(0x8000_0001, true), 0);
    assert_eq!(fract(1, false), 1);
    assert_eq!(fract(1, true), 0);
}

#[test]
fn p25_integral_values() {
    assert_eq!(round_to_integral::<F>(f(-0.3), Rounding::NearestEven, false), 0x8000_0000);
    assert_eq!(round_to_integral::<F>(1, Rounding::Up, false), f(1.0));
    assert_eq!(round_to_integral::<F>(1, Rounding::Up, true), 0);
    assert_eq!(round_to_integral::<F>(0xff80_0000, Rounding::Up, false), 0xff80_0000);
    assert_eq!(
        round_to_integral::<Df>((-2.5f64).to_bits(), Rounding::NearestAway, false),
        (-3.0f64).to_bits()
    );
}

#[test]
fn p28_exact_zeros() {
    for rounding in Rounding::ALL {
        let zero = if rounding == Rounding::Down { 0x8000_0000 } else { 0 };
        assert_eq!(sub::<F>(f(1.5), f(1.5), mode(rounding)), zero);
        assert_eq!(add::<F>(0, 0x8000_0000, mode(rounding)), zero);
        assert_eq!(fma::<F>(f(2.0), f(3.0), f(-6.0), mode(rounding)), zero);
        assert_eq!(add::<F>(0x8000_0000, 0x8000_0000, mode(rounding)), 0x8000_0000);
    }
}

#[test]
fn p29_overflow() {
    let most = f(f32::MAX);
    for (rounding, positive, negative) in [
        (Rounding::NearestEven, 0x7f80_0000, 0xff80_0000),
        (Rounding::NearestAway, 0x7f80_0000, 0xff80_0000),
        (Rounding::Zero, 0x7f7f_ffff, 0xff7f_ffff),
        (Rounding::Up, 0x7f80_0000, 0xff7f_ffff),
        (Rounding::Down, 0x7f7f_ffff, 0xff80_0000),
    ] {
        assert_eq!(add::<F>(most, most, mode(rounding)), positive);
        assert_eq!(mul::<F>(most, f(-2.0), mode(rounding)), negative);
        assert_eq!(fma::<F>(most, f(2.0), f(1.0), mode(rounding)), positive);
    }
}

/// One rounding: through a wider format these would come out differently (P-09).
#[test]
fn p09_no_double_rounding() {
    // bf: (1 + 2^-4)^2 = 1 + 2^-3 + 2^-8 is a middle; 2^-100 decides, and neither f nor df sees it.
    let (a, tiny) = (0x3f88, 0x0d80);
    assert_eq!(fma::<Bf>(a, a, tiny, RE), 0x3f91);
    assert_eq!(fma::<Bf>(a, a, 0, RE), 0x3f90);
    assert_eq!(fma::<Bf>(a, a, 0x8000 | tiny, RE), 0x3f90);
    // f: (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is a middle; what is added is lost in a double.
    let x = f(1.0 + 2f32.powi(-12));
    assert_eq!(fma::<F>(x, x, f(2f32.powi(-70)), RE), f(1.0 + 2f32.powi(-11) + 2f32.powi(-23)));
    assert_eq!(fma::<F>(x, x, 0, RE), f(1.0 + 2f32.powi(-11)));
    assert_eq!(fma::<F>(x, x, f(-(2f32.powi(-70))), RE), f(1.0 + 2f32.powi(-11)));
}
