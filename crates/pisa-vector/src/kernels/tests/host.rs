//! `f` and `df` in `.re` against the host's own scalar arithmetic, and the half-width formats over all their values.

use pisa_isa::{FORMS, Opcode, Qualifier, SlotName, Value};
use pisa_module::MAX_SLOTS;

use super::Random;
use super::case::Case;
use super::levels;
use super::memory::Memory;
use crate::batch::{LANES, MAX_BATCH};

fn case(opcode: Opcode, named: &[(SlotName, Qualifier)]) -> Case {
    for form in FORMS.iter().filter(|form| form.opcode == opcode) {
        let mut qualifiers = [Value::Absent; MAX_SLOTS];
        let mut fits = true;
        for (i, slot) in form.slots.iter().enumerate() {
            match named.iter().find(|(name, _)| *name == slot.name) {
                Some(&(_, q)) => qualifiers[i] = Value::Named(q),
                None => fits &= slot.optional,
            }
        }
        let known = named.iter().all(|(name, _)| form.slot(*name).is_some());
        let packed = named.iter().any(|(_, q)| q.packed().is_some());
        if fits && known && packed == form.title.contains("packed") {
            return Case::plain(form, qualifiers);
        }
    }
    unreachable!("no such form")
}

/// Runs `count` sub-groups with these sources, a value for each lane; the results of every level in turn.
fn run(case: &Case, count: usize, source: impl Fn(usize, usize) -> u64, mut check: impl FnMut(usize, u64)) {
    let mut memory = Memory::new(case, count, &mut Random::new(3));
    for operand in 1..case.operands.len() {
        for at in 0..count * LANES {
            let (group, lane) = (at / LANES, at % LANES);
            let elements = case.operands[operand].elements as usize;
            memory.write(case, operand, group, lane, &vec![source(operand - 1, at) as u128; elements]);
        }
    }
    let masks = std::array::from_fn(|group| if group < count { !0 } else { 0 });
    for level in levels() {
        let mut memory = memory.clone();
        let (handler, extra) = crate::kernels::select(&case.instruction, &case.function, level).unwrap();
        memory.run(case, handler, extra, masks);
        for at in 0..count * LANES {
            check(at, memory.read(case, 0, at / LANES, at % LANES)[0] as u64);
        }
    }
}

/// Bits of every kind: any, and near each other.
fn operands(random: &mut Random) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
    let mut pick = |_| match random.below(4) {
        0 => random.word(),
        1 => (random.below(2000) as f64 / 8.0).to_bits(),
        2 => f64::from_bits(0x3ff0000000000000 + (random.word() >> 12)).to_bits() | (random.word() & 1) << 63,
        _ => random.pick(&[0, 1 << 63, 1, 0x7ff0000000000000, 0x7fefffffffffffff, 0x0010000000000000]),
    };
    let mut many = || (0..MAX_BATCH * LANES).map(&mut pick).collect::<Vec<u64>>();
    (many(), many(), many())
}

#[test]
fn single_and_double_precision() {
    let mut random = Random::new(11);
    let binary = [Opcode::Fadd, Opcode::Fsub, Opcode::Fmul, Opcode::Fdiv, Opcode::Fmad, Opcode::Fsqrt];
    for round in 0..200 {
        let opcode = binary[round % binary.len()];
        let (a, b, c) = operands(&mut random);
        let narrow = |v: u64| (f64::from_bits(v) as f32).to_bits() as u64;
        run(
            &case(opcode, &[(SlotName::Type, Qualifier::Df)]),
            MAX_BATCH,
            |operand, at| [a[at], b[at], c[at]][operand],
            |at, result| {
                let [x, y, z] = [a[at], b[at], c[at]].map(f64::from_bits);
                let expected = match opcode {
                    Opcode::Fadd => x + y,
                    Opcode::Fsub => x - y,
                    Opcode::Fmul => x * y,
                    Opcode::Fdiv => x / y,
                    Opcode::Fsqrt => x.sqrt(),
                    _ => x.mul_add(y, z),
                };
                let same =
                    result == expected.to_bits() || (expected.is_nan() && f64::from_bits(result).is_nan());
                assert!(same, "{opcode:?} {x} {y} {z}: {result:x}, host {expected}");
            },
        );
        run(
            &case(opcode, &[(SlotName::Type, Qualifier::F)]),
            MAX_BATCH,
            |operand, at| narrow([a[at], b[at], c[at]][operand]),
            |at, result| {
                let [x, y, z] = [a[at], b[at], c[at]].map(|v| f32::from_bits(narrow(v) as u32));
                let expected = match opcode {
                    Opcode::Fadd => x + y,
                    Opcode::Fsub => x - y,
                    Opcode::Fmul => x * y,
                    Opcode::Fdiv => x / y,
                    Opcode::Fsqrt => x.sqrt(),
                    _ => x.mul_add(y, z),
                };
                let result = result as u32;
                let same =
                    result == expected.to_bits() || (expected.is_nan() && f32::from_bits(result).is_nan());
                assert!(same, "{opcode:?} {x} {y} {z}: {result:x}, host {expected}");
            },
        );
    }
}

/// All 65536 values through the conversions and one-source instructions that have fast paths.
#[test]
fn all_values_of_the_half_formats() {
    use pisa_float::{Bf, Df, F, Hf, Mode};
    for chunk in 0..65536 / (MAX_BATCH * LANES) {
        let value = |at: usize| (chunk * MAX_BATCH * LANES + at) as u64;
        let one = |opcode, named: &[(SlotName, Qualifier)], expected: &dyn Fn(u16) -> u64| {
            run(
                &case(opcode, named),
                MAX_BATCH,
                |_, at| value(at),
                |at, result| {
                    assert_eq!(result, expected(value(at) as u16), "{opcode:?} {named:?} {:x}", value(at));
                },
            );
        };
        let (to, from, ty) = (SlotName::To, SlotName::From, SlotName::Type);
        let mode = Mode::default();
        one(Opcode::Fext, &[(to, Qualifier::F), (from, Qualifier::Hf)], &|a| {
            pisa_float::extend::<Hf, F>(a) as u64
        });
        one(Opcode::Fext, &[(to, Qualifier::F), (from, Qualifier::Bf)], &|a| {
            pisa_float::extend::<Bf, F>(a) as u64
        });
        one(Opcode::Fext, &[(to, Qualifier::Df), (from, Qualifier::Bf)], &|a| {
            pisa_float::extend::<Bf, Df>(a)
        });
        one(Opcode::Frcp, &[(ty, Qualifier::Hf)], &|a| pisa_float::rcp::<Hf>(a, false) as u64);
        one(Opcode::Frcp, &[(ty, Qualifier::Bf)], &|a| pisa_float::rcp::<Bf>(a, false) as u64);
        one(Opcode::Frcp, &[(ty, Qualifier::Bf), (SlotName::Ftz, Qualifier::Ftz)], &|a| {
            pisa_float::rcp::<Bf>(a, true) as u64
        });
        let fast = (SlotName::Fast, Qualifier::Fast);
        one(Opcode::Fsqrt, &[(ty, Qualifier::Hf), fast], &|a| pisa_float::sqrt::<Hf>(a, mode) as u64);
        one(Opcode::Fsqrt, &[(ty, Qualifier::Bf), fast], &|a| pisa_float::sqrt::<Bf>(a, mode) as u64);
        for rounding in [Qualifier::Re, Qualifier::Rd, Qualifier::Ru, Qualifier::Rz, Qualifier::Rna] {
            let named = [(to, Qualifier::S16), (from, Qualifier::Bf), (SlotName::Rndmode, rounding)];
            let mode = super::super::number::rounding_named(rounding);
            one(Opcode::F2i, &named, &|a| pisa_float::to_integer::<Bf>(a, 16, true, mode));
            let named = [(ty, Qualifier::Hf), (SlotName::Rndmode, rounding)];
            one(Opcode::Frnd, &named, &|a| pisa_float::round_to_integral::<Hf>(a, mode, false) as u64);
        }
    }
}

/// Arithmetic of `hf` and `bf` where the second rounding could go wrong: random bits, ties, results at the limits.
#[test]
fn half_arithmetic() {
    use pisa_float::{Bf, Hf, Mode};
    let mut random = Random::new(5);
    for round in 0..1500 {
        let ftz = round % 3 == 0;
        let mode = Mode { ftz, ..Mode::default() };
        let near = random.below(2) == 0;
        let base = random.word() as u16;
        let mut pick = || {
            let bits = random.word() as u16;
            // Few significant bits, exponents close together: ties and cancellation.
            if near { (base & 0x7000) ^ (bits & 0x8ff0) } else { bits }
        };
        let values: Vec<[u16; 3]> = (0..MAX_BATCH * LANES).map(|_| [pick(), pick(), pick()]).collect();
        for ty in [Qualifier::Hf, Qualifier::Bf] {
            for opcode in [Opcode::Fadd, Opcode::Fsub, Opcode::Fmul, Opcode::Fmad, Opcode::Fdiv] {
                let mut named = vec![(SlotName::Type, ty)];
                if ftz {
                    named.push((SlotName::Ftz, Qualifier::Ftz));
                }
                if opcode == Opcode::Fdiv {
                    named.push((SlotName::Fast, Qualifier::Fast));
                }
                let case = case(opcode, &named);
                run(
                    &case,
                    MAX_BATCH,
                    |operand, at| values[at][operand] as u64,
                    |at, result| {
                        let [a, b, c] = values[at];
                        macro_rules! expected {
                            ($t:ty) => {
                                match opcode {
                                    Opcode::Fadd => pisa_float::add::<$t>(a, b, mode),
                                    Opcode::Fsub => pisa_float::sub::<$t>(a, b, mode),
                                    Opcode::Fmul => pisa_float::mul::<$t>(a, b, mode),
                                    Opcode::Fdiv => pisa_float::div::<$t>(a, b, mode),
                                    _ => pisa_float::fma::<$t>(a, b, c, mode),
                                }
                            };
                        }
                        let expected = if ty == Qualifier::Hf { expected!(Hf) } else { expected!(Bf) };
                        assert_eq!(result, expected as u64, "{case}: {a:x} {b:x} {c:x}");
                    },
                );
            }
        }
    }
}
