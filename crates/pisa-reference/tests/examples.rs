//! Values from the examples of the specification and the worked examples of its notes.

mod common;

use common::Kernel;
use pisa_machine::{StopReason, UNDEFINED_BYTE};
use pisa_reference::ReferenceEngine;

const ALL: &str = "0xffffffff";

/// Runs instructions in 32 lanes; `%a` is the lane, `%d` 7 before. Gives `%d` of each lane.
fn lanes(declarations: &str, code: &str) -> Vec<u32> {
    let body = format!(
        ".kernel @k(.param[8] %out) {{
        .reg .64b %p, %o, %l; .reg .32b %a, %d, %byte; {declarations}
        ld.param.64b %p, [%out];
        mov.32b %a, %laneid;
        shl.32b %byte, %localid.x, 2;
        zext.64b.32b %o, %byte;
        iadd.64b %p, %p, %o;
        mov.32b %d, 7;
        {code}
        st.global.32b [%p], %d;
        return;
        }}"
    );
    let kernel = Kernel::new(&body, 32, &[&[0; 128]]);
    assert_eq!(kernel.run(&ReferenceEngine).stop, None);
    kernel.words(0)
}

/// The result of an instruction with the same operands in all lanes.
fn value(code: &str) -> u32 {
    let lanes = lanes("", code);
    assert!(lanes.iter().all(|&lane| lane == lanes[0]));
    lanes[0]
}

/// `0 1 · 3` with `·` for the old value.
fn expected(text: &str) -> Vec<u32> {
    text.split(' ').map(|word| word.parse().unwrap_or(7)).collect()
}

#[test]
fn shuffles() {
    // Appendix A of the notes.
    for (instruction, src1, src2, result) in [
        (
            "up",
            "1",
            ALL,
            "0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30",
        ),
        (
            "dn",
            "2",
            ALL,
            "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 30 31",
        ),
        (
            "dn",
            "31",
            ALL,
            "31 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
        ),
        (
            "xor",
            "16",
            ALL,
            "16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        ),
        ("idx", "5", ALL, "5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5"),
        (
            "idx.sg",
            "0x181f03",
            ALL,
            "3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27",
        ),
        (
            "idx.sg",
            "0x181f0b",
            ALL,
            "3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27",
        ),
        (
            "idx.sg",
            "0x181d06",
            ALL,
            "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
        ),
        (
            "dn.sg",
            "0x181f02",
            ALL,
            "2 3 4 5 6 7 6 7 10 11 12 13 14 15 14 15 18 19 20 21 22 23 22 23 26 27 28 29 30 31 30 31",
        ),
        (
            "dn.sg",
            "0x181d02",
            ALL,
            "2 3 4 5 4 5 6 7 10 11 12 13 12 13 14 15 18 19 20 21 20 21 22 23 26 27 28 29 28 29 30 31",
        ),
        (
            "dn.sg",
            "0x180002",
            ALL,
            "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
        ),
        (
            "up.sg",
            "0x181802",
            ALL,
            "0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29",
        ),
        (
            "up.sg",
            "0x180002",
            ALL,
            "0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29",
        ),
        (
            "up.sg",
            "0x181b02",
            ALL,
            "0 1 2 3 4 3 4 5 8 9 10 11 12 11 12 13 16 17 18 19 20 19 20 21 24 25 26 27 28 27 28 29",
        ),
        (
            "up.sg",
            "0x181f02",
            ALL,
            "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
        ),
        (
            "xor.sg",
            "0x1c1f01",
            ALL,
            "1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30",
        ),
        (
            "xor.sg",
            "0x181f09",
            ALL,
            "0 1 2 3 4 5 6 7 1 0 3 2 5 4 7 6 16 17 18 19 20 21 22 23 17 16 19 18 21 20 23 22",
        ),
        ("dn", "1", "0xf0f0", "· · · · 5 6 7 7 · · · · 13 14 15 15 · · · · · · · · · · · · · · · ·"),
        (
            "idx",
            "0",
            "0xfffffffe",
            "· 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
        ),
    ] {
        let code = format!("shfl.{instruction}.32b %d, %a, {src1}, {src2};");
        assert_eq!(lanes("", &code), expected(result), "{code}");
    }
}

#[test]
fn the_active_mask_and_where_lanes_meet() {
    // Appendix B of the notes.
    let branches = |store_at: &str| {
        let store = |place: &str| if place == store_at { "mov.32b %d, %activemask;" } else { "" };
        let code = format!(
            "ucmp.lt.32b %p0, %laneid, 8;
            {}
            goto.cond %p0, T;
            {}
            goto J;
            T:
            {}
            J:
            {}",
            store("before"),
            store("else"),
            store("then"),
            store("join")
        );
        lanes(".pred %p0;", &code)
    };
    assert_eq!(branches("before"), [u32::MAX; 32]);
    assert_eq!(branches("join"), [u32::MAX; 32]);
    let by_lane =
        |low: u32, high: u32| -> Vec<u32> { (0..32).map(|l| if l < 8 { low } else { high }).collect() };
    assert_eq!(branches("else"), by_lane(7, 0xFFFF_FF00));
    assert_eq!(branches("then"), by_lane(0xFF, 7));
}

#[test]
fn a_loop_runs_until_all_lanes_have_left_it() {
    // Lane l goes round l + 1 times; %d counts the lanes of the last round it took part in.
    let code = ".reg .32b %i, %m; .pred %q; mov.32b %i, 0;
        L:
        mov.32b %m, %activemask;
        iadd.32b %i, %i, 1;
        cbit.32b %d, %m;
        ucmp.le.32b %q, %i, %laneid;
        goto.cond %q, L;
        mov.32b %m, %activemask;
        cbit.32b %m, %m;
        shl.32b %m, %m, 8;
        or.32b %d, %d, %m;";
    let expected: Vec<u32> = (0..32).map(|lane| 32 << 8 | (32 - lane)).collect();
    assert_eq!(lanes("", code), expected);
}

#[test]
fn deeper_calls_run_first() {
    // The lanes below 4 call; those that do not wait at the instruction behind the call.
    let body = ".function .32b @f() { .reg .32b %m; mov.32b %m, %activemask; return %m; }
        .kernel @k(.param[8] %out) {
        .reg .64b %p, %o; .reg .32b %d, %m, %byte; .pred %q;
        ld.param.64b %p, [%out];
        shl.32b %byte, %localid.x, 3;
        zext.64b.32b %o, %byte;
        iadd.64b %p, %p, %o;
        mov.32b %d, 7;
        ucmp.lt.32b %q, %laneid, 4;
        call.cond %q, %d, @f();
        mov.32b %m, %activemask;
        st.global.32b [%p], %d;
        st.global.32b [%p + 4], %m;
        }";
    let kernel = Kernel::new(body, 32, &[&[0; 256]]);
    let outcome = kernel.run(&ReferenceEngine);
    assert_eq!(outcome.stop, None);
    let expected: Vec<u32> = (0..32).flat_map(|l| [if l < 4 { 0xF } else { 7 }, u32::MAX]).collect();
    assert_eq!(kernel.words(0), expected);
    // Ten instructions of the kernel, two of the function.
    assert_eq!((outcome.statistics.instructions, outcome.statistics.active_lanes), (12, 10 * 32 + 2 * 4));
    assert_eq!(outcome.statistics.work_groups, 1);
}

#[test]
fn indirect_calls_go_by_first_lane() {
    // Even lanes call @g, odd ones @f: @g first, as lane 0 does (C-03). Each writes the next number of a counter.
    let body = ".function .32b @f(.reg .64b %c) { .reg .32b %r; iatom.global.inc.32b %r, [%c]; return %r; }
        .function .32b @g(.reg .64b %c) { .reg .32b %r; iatom.global.inc.32b %r, [%c]; iadd.32b %r, %r, 100; return %r; }
        .kernel @k(.param[8] %out, .param[8] %counter) {
        .reg .64b %p, %o, %c, %t, %u; .reg .32b %d, %b; .pred %q;
        ld.param.64b %p, [%out];
        ld.param.64b %c, [%counter];
        shl.32b %b, %localid.x, 2;
        zext.64b.32b %o, %b;
        iadd.64b %p, %p, %o;
        addrof.64b %t, @g;
        addrof.64b %u, @f;
        and.32b %b, %laneid, 1;
        ucmp.eq.32b %q, %b, 0;
        sel.64b %t, %t, %u, %q;
        call %d, %t(%c);
        st.global.32b [%p], %d;
        }";
    let kernel = Kernel::new(body, 32, &[&[0; 128], &[0; 4]]);
    assert_eq!(kernel.run(&ReferenceEngine).stop, None);
    let expected: Vec<u32> = (0..32).map(|l| if l % 2 == 0 { 100 + l / 2 } else { 16 + l / 2 }).collect();
    assert_eq!(kernel.words(0), expected);
}

#[test]
fn conversions_to_integers() {
    // Appendix C of the notes: rows x, then .re .rd .ru .rz .rna signed, then unsigned.
    for (x, signed, unsigned) in [
        ("0.5", [0, 0, 1, 0, 1], [0, 0, 1, 0, 1]),
        ("1.5", [2, 1, 2, 1, 2], [2, 1, 2, 1, 2]),
        ("2.5", [2, 2, 3, 2, 3], [2, 2, 3, 2, 3]),
        ("-0.5", [0, -1, 0, 0, -1], [0; 5]),
        ("-1.5", [-2, -2, -1, -1, -2], [0; 5]),
        ("-2.5", [-2, -3, -2, -2, -3], [0; 5]),
        ("0.9", [1, 0, 1, 0, 1], [1, 0, 1, 0, 1]),
        ("-0.9", [-1, -1, 0, 0, -1], [0; 5]),
    ] {
        for (i, mode) in ["re", "rd", "ru", "rz", "rna"].into_iter().enumerate() {
            assert_eq!(value(&format!("f2i.s32.f.{mode} %d, {x};")), signed[i] as u32, "{x} .{mode}");
            assert_eq!(value(&format!("f2i.u32.f.{mode} %d, {x};")), unsigned[i] as u32, "{x} .{mode}");
        }
    }
    assert_eq!(value("f2i.s32.f %d, 0x7fc00000;"), 0);
    assert_eq!(value("f2i.s32.f %d, 0x7f800000;"), 0x7FFF_FFFF);
    assert_eq!(value("f2i.s32.f %d, 0xff800000;"), 0x8000_0000);
    assert_eq!(value("f2i.u32.f %d, 4294967296.0;"), 0xFFFF_FFFF);
}

#[test]
fn bit_fields_shifts_and_dot_products() {
    // Appendix D of the notes.
    for (code, result) in [
        ("sbfe.32b %d, 0x80000000, 1, 31", 0xFFFF_FFFFu32),
        ("ubfe.32b %d, 0x80000000, 1, 31", 1),
        ("sbfe.32b %d, 0x80000000, 5, 31", 0xFFFF_FFFF),
        ("ubfe.32b %d, 0x80000000, 5, 31", 1),
        ("sbfe.32b %d, 0xf0, 4, 4", 0xFFFF_FFFF),
        ("ubfe.32b %d, 0xf0, 4, 4", 0xF),
        ("sbfe.32b %d, 0xf0, 32, 0", 0xF0),
        ("ubfe.32b %d, 0xf0, 63, 0", 0xF0),
        ("sbfe.32b %d, 0xf0, 64, 0", 0),
        ("ubfe.32b %d, 0x12345678, 8, 32", 0x78),
        ("sbfe.32b %d, 0xffffffff, 0, 3", 0),
        ("bfi.32b %d, 0, 0xffffffff, 8, 28", 0xF000_0000),
        ("bfi.32b %d, 0x55, 0xffffffff, 0, 4", 0x55),
        ("bfi.32b %d, 0x11111111, 0xff, 40, 0", 0xFF),
        ("bfi.32b %d, 0, 0xf, 4, 36", 0xF0),
        ("shl.32b %d, 0xffffffff, 32", 0),
        ("shl.32b %d, 0xffffffff, 63", 0),
        ("asr.32b %d, 0x7fffffff, 40", 0),
        ("asr.32b %d, 0x80000000, 40", 0xFFFF_FFFF),
        ("shl.32b %d, 1, 64", 1),
        ("shf.l.32b %d, 0x80000001, 0x80000000, 1", 3),
        ("shf.r.32b %d, 0x80000001, 2, 1", 0x8000_0001),
        ("shf.l.32b %d, 1, 2, 32", 1),
        ("shf.r.32b %d, 1, 2, 32", 2),
        ("dp4a.uu.32b %d, 0, 0xffffffff, 0xffffffff", 0x0003_F804),
        ("dp4a.su.32b %d, 0, 0xffffffff, 0xffffffff", 0xFFFF_FC04),
        ("dp4a.us.32b %d, 0, 0xffffffff, 0xffffffff", 0xFFFF_FC04),
        ("dp4a.ss.32b %d, 0, 0xffffffff, 0xffffffff", 4),
        ("dp4a.su.32b %d, 0, 0xff, 2", 0xFFFF_FFFE),
        ("dp4a.us.32b %d, 0, 0xff, 2", 0x1FE),
        ("dp4a.ss.dsat.32b %d, 0x7fffffff, 0x1010101, 0x1010101", 0x7FFF_FFFF),
        ("dp4a.ss.32b %d, 0x7fffffff, 0x1010101, 0x1010101", 0x8000_0003),
        // 3.4: row 0x96 is the exclusive or of three, 0xca chooses.
        ("bfn.0x96.32b %d, 0xff00ff00, 0xf0f0f0f0, 0xcccccccc", 0xFF00_FF00 ^ 0xF0F0_F0F0 ^ 0xCCCC_CCCC),
        ("bfrev.32b %d, 0x00000001", 0x8000_0000),
        ("fbh.32b %d, 0x00010000", 15),
        ("fbl.32b %d, 0x00010000", 16),
        ("fbh.32b %d, 0", 0xFFFF_FFFF),
        ("cbit.32b %d, 0xff0000ff", 16),
    ] {
        assert_eq!(value(&format!("{code};")), result, "{code}");
    }
}

#[test]
fn integer_edges() {
    //
    for (code, result) in [
        ("iabs.32b %d, 0x80000000", 0x8000_0000u32),
        ("ineg.32b %d, 0x80000000", 0x8000_0000),
        ("iadd.32b %d, 0x7fffffff, 1", 0x8000_0000),
        ("iadd.dsat.32b %d, 0x7fffffff, 1", 0x7FFF_FFFF),
        ("isub.dsat.32b %d, 0x80000000, 1", 0x8000_0000),
        ("sdiv.32b %d, -7, 2", -3i32 as u32),
        ("sdiv.rem.32b %d, -7, 2", -1i32 as u32),
        ("sdiv.32b %d, 0x80000000, -1", 0x8000_0000),
        ("sdiv.rem.32b %d, 0x80000000, -1", 0),
        ("sdiv.32b %d, 5, 0", 0xFFFF_FFFF),
        ("sdiv.rem.32b %d, 5, 0", 5),
        ("udiv.32b %d, 5, 0", 0xFFFF_FFFF),
        ("udiv.rem.32b %d, 5, 0", 5),
        ("smul.32b %d, -3, 5", -15i32 as u32),
        ("umad.32b %d, 0xffffffff, 2, 3", 1),
    ] {
        assert_eq!(value(&format!("{code};")), result, "{code}");
    }
    assert_eq!(value(".reg .16b %h; mov.16b %h, 0x8000; smul.full.16b %d, %h, -1;"), 0x8000);
    assert_eq!(value(".reg .16b %h; mov.16b %h, 0xffff; umul.full.16b %d, %h, %h;"), 0xFFFE_0001);
    // the carry-in counts.
    let carry = ".pred %c; ucmp.eq.32b %c, 0, 0; uaddc.ci.co.32b %d, %c, 0xffffffff, 0, %c; sel.32b %d, 100, 200, %c;";
    assert_eq!(value(carry), 100);
}

#[test]
fn packed_shifts() {
    // Appendix D of the notes.
    let run = |amount: &str| {
        let code = format!(
            ".reg .v2.16b %v; mov.32b %a, 0x00010001; mov.32b %v.xy, %a; shl.16bx2 %v, %v, {amount}; mov.32b %d, %v.xy;"
        );
        value(&code)
    };
    assert_eq!(run("3"), 0x0001_0008);
    assert_eq!(run("0x00030003"), 0x0008_0008);
}

#[test]
fn reductions() {
    // Appendix E of the notes. Lane 0 has %x, lane 1 %y, the others %z.
    let run = |instruction: &str, x: &str, y: &str, z: &str| {
        let code = format!(
            ".reg .32b %v; .pred %q; mov.32b %v, {z};
            ucmp.eq.32b %q, %laneid, 1; sel.32b %v, {y}, %v, %q;
            ucmp.eq.32b %q, %laneid, 0; sel.32b %v, {x}, %v, %q;
            {instruction} %d, %v, 0xffffffff;"
        );
        value(&code)
    };
    let (one, three) = ("0x3f800000", "0x40400000");
    assert_eq!(run("fred.max.f", one, "0x7fc01234", three), 0x4040_0000);
    assert_eq!(run("fred.max.nanp.f", one, "0x7fc01234", three), 0x7FC0_1234);
    assert_eq!(run("fred.min.f", "0x7f800001", "0x7fc00000", "0x7fc00000"), 0x7FC0_0001);
    assert_eq!(run("fred.min.f", "0", "0x80000000", "0"), 0x8000_0000);
    assert_eq!(run("fred.absmax.f", "0xc0a00000", three, three), 0x40A0_0000);
    assert_eq!(run("fred.absmax.f", "0x80000000", "0x80000000", "0x80000000"), 0);
    assert_eq!(run("fred.absmax.f", "0xffc00000", "0xffc00000", "0xffc00000"), 0x7FC0_0000);
    assert_eq!(run("ired.absmax.32b", "0x80000000", "0x7fffffff", "0"), 0x8000_0000);
    assert_eq!(run("ired.sum.32b", "1", "2", "3"), 93);
    assert_eq!(run("ired.smin.32b", "-5", "2", "3"), -5i32 as u32);
    assert_eq!(run("ired.umin.32b", "-5", "2", "3"), 2);
}

#[test]
fn the_first_participating_lane() {
    // Appendix E: active 0x00f8, mask 0xfff0.
    let code = |mask: &str| {
        format!(
            ".pred %q; .reg .32b %b; .reg .32b %one; mov.32b %one, 1; shl.32b %b, %one, %laneid; and.32b %b, %b, 0x00f8;
            ucmp.eq.32b %q, %b, 0; goto.cond %q, J; redfirstidx.32b %d, {mask};
            J:"
        )
    };
    let found =
        |value: u32| -> Vec<u32> { (0..32).map(|l| if 0xF8 >> l & 1 == 1 { value } else { 7 }).collect() };
    assert_eq!(lanes("", &code("0xfff0")), found(4));
    assert_eq!(lanes("", &code("0xff00")), found(u32::MAX));
}

#[test]
fn narrowing_floats() {
    // Appendix F of the notes.
    let half = |code: &str| value(&format!(".reg .16b %h; {code}; zext.32b.16b %d, %h;"));
    assert_eq!(half("ftrunc.bf.f %h, 0x00400000"), 0);
    assert_eq!(half("ftrunc.bf.f %h, 0x007fffff"), 0);
    assert_eq!(half("ftrunc.hf.f.ru %h, 0x00000001"), 0);
    assert_eq!(half("ftrunc.hf.f %h, 65519.0"), 0x7BFF);
    assert_eq!(half("ftrunc.hf.f %h, 65520.0"), 0x7C00);
    assert_eq!(half("ftrunc.hf.f.rz %h, 70000.0"), 0x7C00);
    assert_eq!(half("ftrunc.hf.f.dsat %h, 70000.0"), 0x7BFF);
    assert_eq!(half("i2f.hf.u16 %h, 65535"), 0x7C00);
    assert_eq!(half("i2f.hf.u16.rz %h, 65535"), 0x7BFF);
    assert_eq!(value(".reg .16b %h; mov.16b %h, 1; fext.f.bf %d, %h;"), 0x0001_0000);
}

#[test]
fn floating_point() {
    // P-06, P-11 to P-15, P-24, P-28.
    for (code, result) in [
        ("fadd.f %d, 1.5, 2.25", 3.75f32.to_bits()),
        ("fsub.f %d, 1.0, 1.0", 0),
        ("fsub.rd.f %d, 1.0, 1.0", 0x8000_0000),
        ("fadd.dsat.f %d, 1.0, 1.0", 1f32.to_bits()),
        ("fadd.dsat.f %d, 0x7fc00000, 1.0", 0),
        ("fmul.f %d, 3.0, -2.0", (-6f32).to_bits()),
        ("fmad.f %d, 2.0, 3.0, 4.0", 10f32.to_bits()),
        ("fmax.f %d, 0x80000000, 0x00000000", 0),
        ("fmin.f %d, 0x7fc00000, 2.0", 2f32.to_bits()),
        ("fmin.nanp.f %d, 0x7f800001, 2.0", 0x7FC0_0001),
        ("fabs.f %d, 0xff800001", 0x7FC0_0001),
        ("fneg.f %d, 0x7fc00001", 0xFFC0_0001),
        ("frc.f %d, -0.25", 0.75f32.to_bits()),
        ("frc.f %d, 0xae800000", 1f32.to_bits()),
        ("frcp.f %d, 4.0", 0.25f32.to_bits()),
        ("frsqrt.fast.f %d, 4.0", 0.5f32.to_bits()),
        ("fsqrt.f %d, 2.25", 1.5f32.to_bits()),
        ("fexp2.f %d, 3.0", 8f32.to_bits()),
        ("flog2.f %d, 8.0", 3f32.to_bits()),
        ("fdiv.f %d, 1.0, 0.0", 0x7F80_0000),
        ("frnd.re.f %d, -0.3", 0x8000_0000),
        ("fcmp.ne.f %d, 0x7fc00000, 1.0", u32::MAX),
        ("fcmp.ge.f %d, 0x7fc00000, 1.0", 0),
        ("fcmp.eq.f %d, 0.0, 0x80000000", u32::MAX),
        ("fadd.ftz.f %d, 0x00000001, 0x80000001", 0),
    ] {
        assert_eq!(value(&format!("{code};")), result, "{code}");
    }
}

#[test]
fn addresses_of_spaces() {
    // D-24 to D-28, C-04.
    let high = |code: &str| value(&format!("{code} .reg .64b %h; shr.64b %h, %l, 32; trunc.32b.64b %d, %h;"));
    assert_eq!(high("mov.32b %a, 0x40; addrcast.generic.shared %l, %a;"), 0x0001_0000);
    assert_eq!(high("mov.32b %a, 0x40; addrcast.generic.private %l, %a;"), 0x0002_0000);
    assert_eq!(
        value("mov.32b %a, 0x40; addrcast.generic.shared %l, %a; addrcast.shared.generic %d, %l;"),
        0x40
    );
    let tests = |space: &str, tag: &str| value(&format!("mov.64b %l, {tag}; isaddr.{space} %d, %l;"));
    assert_eq!(tests("shared", "0x0001000000000040"), u32::MAX);
    assert_eq!(tests("global", "0x0001000000000040"), 0);
    assert_eq!(tests("private", "0x0002000000000040"), u32::MAX);
    assert_eq!(tests("global", "0x0000000010000000"), u32::MAX);
    assert_eq!(tests("global", "0"), u32::MAX);
}

#[test]
fn what_has_no_value_reads_as_cd() {
    // X-10, M-30, K-04, D-19, V-16.
    const CD: u32 = u32::from_le_bytes([UNDEFINED_BYTE; 4]);
    assert_eq!(value(".reg .32b %u; mov.32b %d, %u;"), CD);
    assert_eq!(value("ld.global.32b %d, [%p + 0x1000];"), CD);
    assert_eq!(value(".private @v[4]; ld.private.32b %d, [@v];"), CD);
    assert_eq!(value(".private @v[4]; ld.private.32b %d, [@v + 4096];"), CD);
    assert_eq!(
        value(".reg .v4.32b %v; mov.32b %v.x, 1; mov.32b %a, 4; extract.dynamic.v4.32b %d, %v, %a;"),
        CD
    );
    // A predicate without a value is a bit of the pattern.
    let predicates: Vec<u32> = (0..32).map(|lane| CD >> lane & 1).collect();
    assert_eq!(lanes("", ".pred %u; sel.32b %d, 1, 0, %u;"), predicates);
}

#[test]
fn barriers_and_shared_memory() {
    // Every work-item reads what its mirror image wrote.
    let body = ".kernel @k(.param[8] %out) {
        .shared .align 4 @s[400];
        .reg .64b %p, %o; .reg .32b %b, %m, %d;
        ld.param.64b %p, [%out];
        shl.32b %b, %localid.x, 2;
        st.shared.32b [@s + %b], %localid.x;
        barrier.workgroup;
        isub.32b %m, 396, %b;
        ld.shared.32b %d, [@s + %m];
        zext.64b.32b %o, %b;
        st.global.32b [%p + %o], %d;
        }";
    let kernel = Kernel::new(body, 100, &[&[0; 400]]);
    assert_eq!(kernel.run(&ReferenceEngine).stop, None);
    assert_eq!(kernel.words(0), (0..100).rev().collect::<Vec<u32>>());
}

#[test]
fn one_subgroup_may_wait_for_another() {
    let body = ".kernel @k(.param[8] %out) {
        .reg .64b %p; .reg .32b %f, %d; .pred %q;
        ld.param.64b %p, [%out];
        ucmp.ge.32b %q, %localid.x, 32;
        goto.cond %q, SET;
        WAIT:
        ld.global.acquire.gpu.32b %f, [%p];
        ucmp.eq.32b %q, %f, 0;
        goto.cond %q, WAIT;
        mov.32b %d, 5;
        st.global.32b [%p + 4], %d;
        return;
        SET:
        mov.32b %d, 1;
        st.global.release.gpu.32b [%p], %d;
        }";
    let kernel = Kernel::new(body, 64, &[&[0; 8]]);
    assert_eq!(kernel.run(&ReferenceEngine).stop, None);
    assert_eq!(kernel.words(0), [1, 5]);
}

#[test]
fn traps_and_ends() {
    let stop = |code: &str| {
        let body = format!(
            ".const .align 4 @c[4] = {{.32b 1}};
            .function void @f() {{ call void, @f(); return; }}
            .kernel @k(.param[8] %out) {{
            .reg .64b %p, %l; .reg .32b %d; .pred %q;
            ld.param.64b %p, [%out];
            mov.32b %d, 0;
            {code}
            }}"
        );
        let kernel = Kernel::new(&body, 32, &[&[0; 8]]);
        kernel.run(&ReferenceEngine).stop.map(|stop| (stop.reason, stop.lanes))
    };
    assert_eq!(stop(""), None);
    let all = u32::MAX;
    assert_eq!(stop("mov.64b %l, 1; call void, %l();"), Some((StopReason::CallTarget(1), 1)));
    assert_eq!(stop("call void, @f();"), Some((StopReason::CallDepth(1024), all)));
    assert!(matches!(
        stop("iadd.64b %l, %p, 2; iatom.global.inc.32b %d, [%l];"),
        Some((StopReason::Misaligned(_, 4), 1))
    ));
    assert!(matches!(
        stop("addrof.64b %l, @c; st.global.32b [%l], %d;"),
        Some((StopReason::StoreToConst(_), 1))
    ));
    assert!(matches!(
        stop("addrcast.generic.private %l, %d; iatom.generic.inc.32b %d, [%l];"),
        Some((StopReason::AtomicOnPrivate(_), 1))
    ));
    // A counter never comes back to a state; a flag that nobody sets does.
    let count = "L:\niadd.32b %d, %d, 1;\nucmp.ne.32b %q, %d, 0;\ngoto.cond %q, L;";
    assert_eq!(stop(count), Some((StopReason::OutOfFuel(1_000_000), all)));
    let spin = "L:\nld.global.relaxed.32b %d, [%p];\nucmp.eq.32b %q, %d, 0;\ngoto.cond %q, L;";
    assert_eq!(stop(spin), Some((StopReason::Livelock, all)));
    // Y-01: lanes that spin for others at a barrier.
    let wait = "ucmp.eq.32b %q, %laneid, 0; goto.cond %q, B; L:\nld.global.relaxed.32b %d, [%p]; ucmp.eq.32b %q, %d, 0;
        goto.cond %q, L; return;\nB:\nbarrier.workgroup; mov.32b %d, 1; st.global.32b [%p], %d;";
    assert_eq!(stop(wait), Some((StopReason::Livelock, 0xFFFF_FFFE)));
}
