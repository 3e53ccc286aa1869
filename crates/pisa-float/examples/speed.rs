//! Nanoseconds per scalar operation: `cargo run --release -p pisa-float --example speed`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use pisa_float::{Bf, Bits, Df, Elementary, F, Format, Hf, Mode, Rounding};

const COUNT: usize = 4096;
const ROUNDS: usize = 64;

fn values<T: Format>() -> Vec<T::Bits> {
    let mut state = 1u64;
    (0..COUNT)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Between 2^-4 and 2^4, either sign.
            let exponent = (T::BIAS as u64 - 4 + (state >> 60) % 8) << T::FRAC_BITS;
            T::from_u64(exponent | (state >> 8) & (T::SIGN | T::FRAC_MASK))
        })
        .collect()
}

fn time<T: Format>(name: &str, operation: impl Fn(T::Bits, T::Bits, T::Bits) -> u64) {
    let values = values::<T>();
    let start = Instant::now();
    let mut sum = 0u64;
    for round in 0..ROUNDS {
        for index in 0..COUNT {
            let (a, b) = (values[index], values[(index + round) % COUNT]);
            sum = sum.wrapping_add(operation(a, b, values[(index * 7 + round) % COUNT]));
        }
    }
    black_box(sum);
    let each = start.elapsed().as_nanos() as f64 / (ROUNDS * COUNT) as f64;
    println!("{name:<10} {:<3} {each:6.1} ns", T::NAME);
}

fn arithmetic<T: Format>() {
    for (suffix, rounding) in [("", Rounding::NearestEven), (".rz", Rounding::Zero)] {
        let mode = Mode::rounded(black_box(rounding));
        time::<T>(&format!("add{suffix}"), |a, b, _| pisa_float::add::<T>(a, b, mode).to_u64());
        time::<T>(&format!("mul{suffix}"), |a, b, _| pisa_float::mul::<T>(a, b, mode).to_u64());
        time::<T>(&format!("fma{suffix}"), |a, b, c| pisa_float::fma::<T>(a, b, c, mode).to_u64());
        time::<T>(&format!("div{suffix}"), |a, b, _| pisa_float::div::<T>(a, b, mode).to_u64());
        let abs = |a| pisa_float::abs::<T>(a, false);
        time::<T>(&format!("sqrt{suffix}"), |a, _, _| pisa_float::sqrt::<T>(abs(a), mode).to_u64());
    }
    time::<T>("rsqrt", |a, _, _| pisa_float::rsqrt::<T>(pisa_float::abs::<T>(a, false), false).to_u64());
    time::<T>("max", |a, b, _| pisa_float::max::<T>(a, b, false, false, false).to_u64());
    time::<T>("compare", |a, b, _| pisa_float::compare::<T>(a, b, false) as u64);
    let rounding = black_box(Rounding::NearestEven);
    time::<T>("frnd", |a, _, _| pisa_float::round_to_integral::<T>(a, rounding, false).to_u64());
    time::<T>("f2i.s32", |a, _, _| pisa_float::to_integer::<T>(a, 32, true, rounding));
    time::<T>("i2f.s32", |a, _, _| {
        pisa_float::from_integer::<T>(a.to_u64(), 32, true, rounding, false).to_u64()
    });
}

fn elementary<T: Elementary>() {
    time::<T>("sin", |a, _, _| pisa_float::sin::<T>(a, false).to_u64());
    time::<T>("cos", |a, _, _| pisa_float::cos::<T>(a, false).to_u64());
    time::<T>("exp2", |a, _, _| pisa_float::exp2::<T>(a, false).to_u64());
    time::<T>("log2", |a, _, _| pisa_float::log2::<T>(pisa_float::abs::<T>(a, false), false).to_u64());
    time::<T>("tanh", |a, _, _| pisa_float::tanh::<T>(a, false).to_u64());
    time::<T>("fext.df", |a, _, _| pisa_float::extend::<T, Df>(a));
}

fn main() {
    arithmetic::<Hf>();
    arithmetic::<Bf>();
    arithmetic::<F>();
    arithmetic::<Df>();
    elementary::<Hf>();
    elementary::<Bf>();
    elementary::<F>();
    let mode = Mode::rounded(black_box(Rounding::NearestEven));
    time::<F>("ftrunc.hf", |a, _, _| pisa_float::truncate::<F, Hf>(a, mode).to_u64());
    time::<F>("ftrunc.bf", |a, _, _| pisa_float::truncate::<F, Bf>(a, mode).to_u64());
    time::<Df>("ftrunc.f", |a, _, _| pisa_float::truncate::<Df, F>(a, mode).to_u64());
}
