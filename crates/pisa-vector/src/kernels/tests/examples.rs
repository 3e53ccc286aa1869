//! Worked examples with hand-made results: shuffles, conversions, bit fields, shifts, `dp4a`, reductions.

use pisa_isa::{FORMS, Opcode, Qualifier, Value, Values};
use pisa_module::MAX_SLOTS;

use super::Random;
use super::case::Case;
use super::levels;
use super::memory::Memory;
use crate::batch::{LANES, MAX_BATCH};

/// An instruction by its text and the lanes of its sources; the result of all lanes at every level.
///
/// `old` is the destination before; a source has one value for all lanes, or 32. Element `e` of a packed operand is bits
/// `16 * e` and up of its value.
fn run(text: &str, sources: &[&[u64]], active: u32, old: u64) -> Vec<u64> {
    let (case, outputs) = (parse(text), 1);
    let mut memory = Memory::new(&case, 1, &mut Random::new(7));
    for operand in 0..case.operands.len() {
        let slot = case.operands[operand];
        for lane in 0..LANES {
            let value = match operand.checked_sub(outputs) {
                None => old,
                Some(source) => sources[source][if sources[source].len() == 1 { 0 } else { lane }],
            } as u128;
            let parts: Vec<u128> = (0..slot.elements)
                .map(|e| value >> (e * slot.bits) & (u128::MAX >> (128 - slot.bits)))
                .collect();
            memory.write(&case, operand, 0, lane, &parts);
        }
    }
    let mut masks = [0; MAX_BATCH];
    masks[0] = active;
    let mut results = levels().map(|level| {
        let mut memory = memory.clone();
        let (handler, extra) = crate::kernels::select(&case.instruction, &case.function, level).unwrap();
        memory.run(&case, handler, extra, masks);
        let bits = case.operands[0].bits;
        (0..LANES)
            .map(|lane| {
                memory.read(&case, 0, 0, lane).iter().rev().fold(0u128, |all, &e| all << bits | e) as u64
            })
            .collect::<Vec<u64>>()
    });
    let first = results.next().unwrap();
    for other in results {
        assert_eq!(first, other, "{text}: levels differ");
    }
    first
}

/// The first form that the mnemonic fits, with scalar and packed registers of its own for every operand.
fn parse(text: &str) -> Case {
    let opcode =
        Opcode::ALL.iter().copied().filter(|o| text.starts_with(o.text())).max_by_key(|o| o.text().len());
    let opcode = opcode.unwrap();
    let words: Vec<String> =
        text[opcode.text().len()..].split('.').skip(1).map(|w| format!(".{w}")).collect();
    for form in FORMS.iter().filter(|form| form.opcode == opcode) {
        let mut qualifiers = [Value::Absent; MAX_SLOTS];
        let mut words = words.iter().peekable();
        let mut fits = true;
        for (i, slot) in form.slots.iter().enumerate() {
            let Values::OneOf(list) = slot.values else { unreachable!() };
            let found = words.peek().and_then(|word| list.iter().find(|q| q.text() == word.as_str()));
            match found {
                Some(&q) => {
                    qualifiers[i] = Value::Named(q);
                    words.next();
                }
                None => fits &= slot.optional,
            }
        }
        if fits && words.next().is_none() {
            return Case::plain(form, qualifiers);
        }
    }
    panic!("no form fits {text}");
}

fn all(text: &str, sources: &[u64]) -> u64 {
    let sources: Vec<&[u64]> = sources.iter().map(std::slice::from_ref).collect();
    let lanes = run(text, &sources, !0, 0);
    assert!(lanes.iter().all(|&lane| lane == lanes[0]), "{text}: {lanes:x?}");
    lanes[0]
}

/// Appendix A. The middle dot is an unchanged destination.
const SHUFFLES: &str = "
up 1 ffffffff : 0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
dn 2 ffffffff : 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 30 31
dn 1f ffffffff : 31 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
xor 10 ffffffff : 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
idx 5 ffffffff : 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
idx.sg 181f03 ffffffff : 3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27
idx.sg 181f0b ffffffff : 3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27
idx.sg 181d06 ffffffff : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
dn.sg 181f02 ffffffff : 2 3 4 5 6 7 6 7 10 11 12 13 14 15 14 15 18 19 20 21 22 23 22 23 26 27 28 29 30 31 30 31
dn.sg 181d02 ffffffff : 2 3 4 5 4 5 6 7 10 11 12 13 12 13 14 15 18 19 20 21 20 21 22 23 26 27 28 29 28 29 30 31
dn.sg 180002 ffffffff : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
up.sg 181802 ffffffff : 0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29
up.sg 180002 ffffffff : 0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29
up.sg 181b02 ffffffff : 0 1 2 3 4 3 4 5 8 9 10 11 12 11 12 13 16 17 18 19 20 19 20 21 24 25 26 27 28 27 28 29
up.sg 181f02 ffffffff : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
xor.sg 1c1f01 ffffffff : 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30
xor.sg 181f09 ffffffff : 0 1 2 3 4 5 6 7 1 0 3 2 5 4 7 6 16 17 18 19 20 21 22 23 17 16 19 18 21 20 23 22
dn 1 f0f0 : · · · · 5 6 7 7 · · · · 13 14 15 15 · · · · · · · · · · · · · · · ·
idx 0 fffffffe : · 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
";

#[test]
fn shuffles() {
    const OLD: u64 = 0xdead;
    let identity: Vec<u64> = (0..32).collect();
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
    for line in SHUFFLES.trim().lines() {
        let (left, right) = line.split_once(" : ").unwrap();
        let [op, control, mask] = left.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
        let expected: Vec<u64> =
            right.split(' ').map(|lane| if lane == "·" { OLD } else { lane.parse().unwrap() }).collect();
        let result =
            run(&format!("shfl.{op}.32b"), &[&identity, &[number(control)], &[number(mask)]], !0, OLD);
        assert_eq!(result, expected, "{line}");
    }
}

/// Appendix D.
#[test]
fn bit_fields_shifts_and_dot_products() {
    let rows: &[(&str, &[u64], u64)] = &[
        ("sbfe.32b", &[0x80000000, 1, 31], 0xffffffff),
        ("ubfe.32b", &[0x80000000, 1, 31], 1),
        ("sbfe.32b", &[0x80000000, 5, 31], 0xffffffff),
        ("ubfe.32b", &[0x80000000, 5, 31], 1),
        ("sbfe.32b", &[0xf0, 4, 4], 0xffffffff),
        ("ubfe.32b", &[0xf0, 4, 4], 0xf),
        ("sbfe.32b", &[0xf0, 32, 0], 0xf0),
        ("ubfe.32b", &[0xf0, 32, 0], 0xf0),
        ("sbfe.32b", &[0xf0, 63, 0], 0xf0),
        ("ubfe.32b", &[0xf0, 63, 0], 0xf0),
        ("sbfe.32b", &[0xf0, 64, 0], 0),
        ("ubfe.32b", &[0xf0, 64, 0], 0),
        ("sbfe.32b", &[0x12345678, 8, 32], 0x78),
        ("ubfe.32b", &[0x12345678, 8, 32], 0x78),
        ("sbfe.32b", &[0xffffffff, 0, 3], 0),
        ("ubfe.32b", &[0xffffffff, 0, 3], 0),
        ("bfi.32b", &[0, 0xffffffff, 8, 28], 0xf0000000),
        ("bfi.32b", &[0x55, 0xffffffff, 0, 4], 0x55),
        ("bfi.32b", &[0x11111111, 0xff, 40, 0], 0xff),
        ("bfi.32b", &[0, 0xf, 4, 36], 0xf0),
        ("shl.32b", &[0x12345678, 32], 0),
        ("shl.32b", &[0x12345678, 63], 0),
        ("shr.16b", &[0x8000, 16], 0),
        ("shr.16b", &[0x8000, 63], 0),
        ("asr.16b", &[0x8000, 16], 0xffff),
        ("asr.32b", &[0x7fffffff, 40], 0),
        ("shl.32b", &[1, 64], 1),
        ("shl.64b", &[1, 63], 0x8000000000000000),
        ("shl.16bx2", &[0x00010001, 3], 0x00010008),
        ("shl.16bx2", &[0x00010001, 0x00030003], 0x00080008),
        ("shf.l.32b", &[0x80000001, 0x80000000, 1], 3),
        ("shf.r.32b", &[0x80000001, 2, 1], 0x80000001),
        ("shf.l.32b", &[1, 2, 32], 1),
        ("shf.r.32b", &[1, 2, 32], 2),
        ("dp4a.uu.32b", &[0, 0xffffffff, 0xffffffff], 0x0003f804),
        ("dp4a.su.32b", &[0, 0xffffffff, 0xffffffff], 0xfffffc04),
        ("dp4a.us.32b", &[0, 0xffffffff, 0xffffffff], 0xfffffc04),
        ("dp4a.ss.32b", &[0, 0xffffffff, 0xffffffff], 4),
        ("dp4a.su.32b", &[0, 0xff, 2], 0xfffffffe),
        ("dp4a.us.32b", &[0, 0xff, 2], 0x1fe),
        ("dp4a.ss.dsat.32b", &[0x7fffffff, 0x1010101, 0x1010101], 0x7fffffff),
        ("dp4a.ss.32b", &[0x7fffffff, 0x1010101, 0x1010101], 0x80000003),
    ];
    for &(text, sources, expected) in rows {
        assert_eq!(all(text, sources), expected, "{text} {sources:x?}");
    }
}

///
#[test]
fn integer_corners() {
    let rows: &[(&str, &[u64], u64)] = &[
        ("iabs.16b", &[0x8000], 0x8000),
        ("ineg.32b", &[0x80000000], 0x80000000),
        ("iadd.dsat.16b", &[0x7fff, 1], 0x7fff),
        ("iadd.dsat.8bx4", &[0x7f7f80ff, 0x01ff80ff], 0x7f7e80fe),
        ("isub.dsat.64b", &[0x8000000000000000, 1], 0x8000000000000000),
        ("sdiv.32b", &[7u64, (-2i32) as u32 as u64], (-3i32) as u32 as u64),
        ("sdiv.rem.32b", &[(-7i32) as u32 as u64, 2], (-1i32) as u32 as u64),
        ("sdiv.32b", &[0x80000000, 0xffffffff], 0x80000000),
        ("sdiv.rem.32b", &[0x80000000, 0xffffffff], 0),
        ("sdiv.64b", &[0x8000000000000000, !0], 0x8000000000000000),
        ("sdiv.16b", &[5, 0], 0xffff),
        ("sdiv.rem.16b", &[5, 0], 5),
        ("udiv.32b", &[5, 0], 0xffffffff),
        ("udiv.rem.64b", &[5, 0], 5),
        ("udiv.32b", &[0xffffffff, 3], 0x55555555),
        ("udiv.32b", &[0xfffffffe, 0xffffffff], 0),
    ];
    for &(text, sources, expected) in rows {
        assert_eq!(all(text, sources), expected, "{text} {sources:x?}");
    }
}

/// Appendix E; other lanes do not take part.
#[test]
fn reductions() {
    let f = |v: f32| v.to_bits() as u64;
    let of = |values: &[u64]| (0..32).map(|i| values.get(i).copied().unwrap_or(0x1234)).collect::<Vec<u64>>();
    let rows: &[(&str, &[u64], u64)] = &[
        ("fred.max.f", &[f(1.0), 0x7fc00000, f(3.0)], f(3.0)),
        ("fred.max.nanp.f", &[f(1.0), 0x7fc01234, f(3.0)], 0x7fc01234),
        ("fred.min.f", &[0x7f800001, 0x7fc00055], 0x7fc00001),
        ("fred.min.f", &[f(0.0), f(-0.0)], f(-0.0)),
        ("fred.min.f", &[f(-0.0), f(0.0)], f(-0.0)),
        ("fred.absmax.f", &[f(-5.0), f(3.0)], f(5.0)),
        ("fred.absmax.f", &[f(-0.0)], 0),
        ("fred.absmax.f", &[0xffc00000], 0x7fc00000),
        ("fred.min.hf", &[0x0001, 0x8001], 0x8001),
        ("ired.sum.16b", &[0x8000, 0x8000, 1], 1),
        ("ired.absmax.32b", &[0x80000000, 0x7fffffff], 0x80000000),
        ("ired.absmax.16b", &[0xfffd, 2], 3),
        ("ired.smin.16b", &[0x7fff, 0x8000], 0x8000),
    ];
    for &(text, values, expected) in rows {
        let mask = (1 << values.len()) - 1;
        let result = run(text, &[&of(values), &[mask]], !0, 7);
        for (lane, &value) in result.iter().enumerate() {
            assert_eq!(
                value,
                if mask >> lane & 1 != 0 { expected } else { 7 },
                "{text} {values:x?} lane {lane}"
            );
        }
    }
    let first = run("redfirstidx.32b", &[&[0xfff0]], 0xf8, 7);
    assert!((0..32).all(|lane| first[lane] == if 0xf8 >> lane & 1 != 0 { 4 } else { 7 }));
    let none = run("redfirstidx.32b", &[&[0x0f]], 0xf0, 7);
    assert!((0..32).all(|lane| none[lane] == if 0xf0 >> lane & 1 != 0 { 0xffffffff } else { 7 }));
    // S-01: every lane its own mask.
    let own: Vec<u64> = (0..32).map(|lane| if lane % 2 == 0 { 0x55555555 } else { 0xaaaaaaaa }).collect();
    let lanes: Vec<u64> = (0..32).collect();
    let sums = run("ired.sum.32b", &[&lanes, &own], !0, 7);
    assert!((0..32).all(|lane| sums[lane] == if lane % 2 == 0 { 240 } else { 256 }));
}

/// Appendix C.
#[test]
fn float_to_integer() {
    let table: &[(f32, [i64; 5], [u64; 5])] = &[
        (0.5, [0, 0, 1, 0, 1], [0, 0, 1, 0, 1]),
        (1.5, [2, 1, 2, 1, 2], [2, 1, 2, 1, 2]),
        (2.5, [2, 2, 3, 2, 3], [2, 2, 3, 2, 3]),
        (-0.5, [0, -1, 0, 0, -1], [0, 0, 0, 0, 0]),
        (-1.5, [-2, -2, -1, -1, -2], [0, 0, 0, 0, 0]),
        (-2.5, [-2, -3, -2, -2, -3], [0, 0, 0, 0, 0]),
        (0.9, [1, 0, 1, 0, 1], [1, 0, 1, 0, 1]),
        (-0.9, [-1, -1, 0, 0, -1], [0, 0, 0, 0, 0]),
    ];
    for &(x, signed, unsigned) in table {
        for (i, mode) in ["re", "rd", "ru", "rz", "rna"].iter().enumerate() {
            for (bits, mask) in [(8, 0xff), (16, 0xffff), (32, 0xffffffff), (64, u64::MAX)] {
                let s = all(&format!("f2i.s{bits}.f.{mode}"), &[x.to_bits() as u64]);
                assert_eq!(s, signed[i] as u64 & mask, "{x} s{bits} {mode}");
                let u = all(&format!("f2i.u{bits}.df.{mode}"), &[(x as f64).to_bits()]);
                assert_eq!(u, unsigned[i], "{x} u{bits} {mode}");
            }
        }
    }
    let inf = f32::INFINITY.to_bits() as u64;
    for (text, x, expected) in [
        ("f2i.s32.f", inf, 0x7fffffff),
        ("f2i.s32.f", inf | 1 << 31, 0x80000000),
        ("f2i.u64.f", inf, u64::MAX),
        ("f2i.u32.f", 0x7fc00000, 0),
        ("f2i.s8.f", 0xff800001, 0),
        ("f2i.s8.f.re", 127.5f32.to_bits() as u64, 127),
        ("f2i.s8.f.rz", (-128.5f32).to_bits() as u64, 0x80),
        ("pf2i.s16x2.hfx2", 0x3c00_fc00, 0x0001_8000),
    ] {
        assert_eq!(all(text, &[x]), expected, "{text} {x:x}");
    }
}

/// Appendix F.
#[test]
fn narrower_floats() {
    let f = |v: f32| v.to_bits() as u64;
    let rows: &[(&str, u64, u64)] = &[
        ("ftrunc.bf.f", 0x00400000, 0),
        ("ftrunc.bf.f", 0x007fffff, 0),
        ("ftrunc.hf.f.ru", 0x00000001, 0),
        ("ftrunc.f.df.rd", 0x8000000000000001, 0x80000000),
        ("ftrunc.hf.f", f(65519.0), 0x7bff),
        ("ftrunc.hf.f", f(65520.0), 0x7c00),
        ("ftrunc.hf.f.rz", f(70000.0), 0x7c00),
        ("ftrunc.hf.f.dsat", f(70000.0), 0x7bff),
        ("ftrunc.hf.f.dsat", f(f32::INFINITY), 0x7bff),
        ("ftrunc.hf.f.dsat", 0x7fc00000, 0x7e00),
        ("i2f.hf.u16", 65535, 0x7c00),
        ("i2f.hf.u16.rz", 65535, 0x7bff),
        ("fext.f.bf", 0x0001, 0x00010000),
    ];
    for &(text, x, expected) in rows {
        assert_eq!(all(text, &[x]), expected, "{text} {x:x}");
    }
    let pair = [0x3f800000, 0x40000000];
    assert_eq!(all("ftrunc2.bfx2", &pair), 0x4000_3f80);
    assert_eq!(all("ftrunc2.hfx2", &pair), 0x4000_3c00);
}

/// `Qualifier` values that only the parser of this file needs to know.
#[test]
fn mnemonics_are_understood() {
    let case = parse("fadd.rz.ftz.hfx2");
    assert_eq!(case.qualifier(pisa_isa::SlotName::Rndmode), Some(Qualifier::Rz));
    assert_eq!(case.operands[0].elements, 2);
}
