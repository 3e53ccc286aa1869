//! `iatom`, `fatom`, atomic loads and stores.

#![allow(clippy::needless_range_loop)] // Lanes are numbers here.

mod common;
use common::{Run, kernel, words};
use pisa_machine::StopReason;

/// A kernel that does something with one cell of `bits` in global or shared memory, which starts as `start`, and stores
/// the old values and the last one, 64-bit slots each.
fn on_a_cell(space: &str, bits: u32, start: u64, body: &str) -> (Vec<u64>, u64) {
    let (cell, declared, load) = match space {
        "shared" => ("@s", ".shared .align 16 @s[16];", ".shared"),
        _ => ("%c", "", ".global"),
    };
    let body = body.replace("CELL", &format!("[{cell}]")).replace("OP", &format!("iatom{load}"));
    let text = kernel(
        ", .param[8] %cell",
        &format!(
            "
            {declared}
            .reg .{bits}b %old, %a, %b, %last;
            .reg .64b %c, %slot, %long, %start;
            .reg .32b %plus;
            .pred %p;
            ld.param.64b %c, [%cell];
            ld.param.64b %slot, [%out];
            iadd.64b %slot, %slot, %wide;
            iadd.64b %slot, %slot, %wide;
            iadd.32b %plus, %laneid, 1;
            mov.64b %start, 0x{start:x};
            {}
            ucmp.ne.32b %p, %laneid, 0;
            goto.cond %p, GO;
            st{load}.{bits}b {}, %last;
          GO:
            {body}
            {}
            st.global.64b [%slot], %long;
            ld{load}.{bits}b %last, {};
            {}
            st.global.64b [%slot + 256], %long;
            return;
            ",
            narrow(bits, "%last", "%start"),
            format_args!("[{cell}]"),
            widen(bits, "%long", "%old"),
            format_args!("[{cell}]"),
            widen(bits, "%long", "%last"),
        ),
    );
    let done = Run::new(&text).buffer("out", vec![0; 512]).buffer("cell", vec![0; 16]).run().ok();
    let slots = done.longs("out");
    (slots[..32].to_vec(), slots[32])
}

fn narrow(bits: u32, to: &str, from: &str) -> String {
    if bits == 64 { format!("mov.64b {to}, {from};") } else { format!("trunc.{bits}b.64b {to}, {from};") }
}

fn widen(bits: u32, to: &str, from: &str) -> String {
    if bits == 64 { format!("mov.64b {to}, {from};") } else { format!("zext.64b.{bits}b {to}, {from};") }
}

/// `%a` = lane + 1 in `bits`.
fn lane_plus_one(bits: u32) -> String {
    match bits {
        16 => "trunc.16b.32b %a, %plus;".to_owned(),
        32 => "mov.32b %a, %plus;".to_owned(),
        _ => "zext.64b.32b %a, %plus;".to_owned(),
    }
}

#[test]
fn integer_operations_in_lane_order() {
    // Sources are 1 to 32 by lane. Old values follow from lane order (M-17).
    let all: u64 = (1..=32).sum();
    let before = |lane: u64| lane * (lane + 1) / 2;
    for (space, bits) in [("global", 16), ("global", 32), ("global", 64), ("shared", 16), ("shared", 32)] {
        let ones = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let run = |op: &str, start: u64, source: bool| {
            let source = if source { ", %a" } else { "" };
            let body = format!("{}\nOP.{op}.{bits}b %old, CELL{source};", lane_plus_one(bits));
            on_a_cell(space, bits, start, &body)
        };
        let check = |op: &str, start: u64, source: bool, old: &dyn Fn(u64) -> u64, last: u64| {
            let (found, end) = run(op, start, source);
            for lane in 0..32 {
                assert_eq!(found[lane], old(lane as u64) & ones, "{op} {space} {bits} lane {lane}");
            }
            assert_eq!(end, last & ones, "{op} {space} {bits}");
        };
        check("add", 100, true, &|l| 100 + before(l), 100 + all);
        check("sub", 5, true, &|l| 5u64.wrapping_sub(before(l)), 5u64.wrapping_sub(all));
        check("inc", ones, false, &|l| ones.wrapping_add(l), ones.wrapping_add(32));
        check("dec", 3, false, &|l| 3u64.wrapping_sub(l), 3u64.wrapping_sub(32));
        // -2 is the least signed value and nearly the largest unsigned one.
        check("smin", ones - 1, true, &|_| ones - 1, ones - 1);
        check("smax", ones - 1, true, &|l| if l == 0 { ones - 1 } else { l }, 32);
        check("umin", ones - 1, true, &|l| if l == 0 { ones - 1 } else { 1 }, 1);
        check("umax", 10, true, &|l| l.max(10), 32);
        check("and", 0xFF, true, &|l| (1..=l).fold(0xFF, |x, y| x & y), 0);
        check("or", 0, true, &|l| (1..=l).fold(0, |x, y| x | y), 63);
        check("xor", 0, true, &|l| (1..=l).fold(0, |x, y| x ^ y), 32);
        check("xchg", 77, true, &|l| if l == 0 { 77 } else { l }, 32);
        if bits != 16 {
            // old >= src0 gives 0: 0 < 1 counts to 1, 1 < 2 to 2 and so on up to 32.
            check("incwrap", 0, true, &|l| l, 32);
            check("decwrap", 0, true, &expected_decwrap, expected_decwrap(32));
        }
    }
}

/// The old value that lane `l` finds: new = (old == 0 || old > src0) ? src0 : old - 1, src0 = lane + 1, from 0.
fn expected_decwrap(lane: u64) -> u64 {
    (0..lane).fold(0, |old, l| if old == 0 || old > l + 1 { l + 1 } else { old - 1 })
}

#[test]
fn compare_and_exchange() {
    // Lane l exchanges l by l + 1: the chain goes through.
    for (space, bits) in [("global", 16), ("global", 32), ("global", 64), ("shared", 32), ("shared", 64)] {
        let sub = match bits {
            16 => "trunc.16b.32b %a, %laneid;\ntrunc.16b.32b %b, %plus;",
            32 => "mov.32b %a, %laneid;\nmov.32b %b, %plus;",
            _ => "zext.64b.32b %a, %laneid;\nzext.64b.32b %b, %plus;",
        };
        let body = format!("{sub}\nOP.cas.{bits}b %old, CELL, %a, %b;");
        let (old, last) = on_a_cell(space, bits, 0, &body);
        assert_eq!(old, (0..32).collect::<Vec<u64>>(), "{space} {bits}");
        assert_eq!(last, 32);
        // A wrong start stops the chain at once.
        let (old, last) = on_a_cell(space, bits, 200, &body);
        assert_eq!((old, last), (vec![200; 32], 200));
    }
}

#[test]
fn wide_exchange() {
    let text = kernel(
        ", .param[8] %cell",
        "
        .reg .64b %c;
        .reg .128b %old, %new, %zero;
        .reg .v2.64b %v;
        ld.param.64b %c, [%cell];
        zext.64b.32b %v.x, %laneid;
        mov.64b %v.y, 7;
        mov.128b %new, %v.xy;
        mov.128b %zero, 0;
        iatom.global.xchg.128b %old, [%c], %new;
        mov.128b %v.xy, %old;
        trunc.32b.64b %r, %v.x;
        iatom.global.cas.128b %old, [%c + 16], %zero, %new;
        ",
    );
    let done = Run::new(&text).words("out", 32).buffer("cell", vec![0; 32]).run().ok();
    // Each lane finds what the one before has put there.
    let found = done.words("out");
    assert_eq!(found[1..], (0..31).collect::<Vec<u32>>()[..]);
    // The exchange: the last lane. The comparison with 0: lane 0 alone.
    assert_eq!(done.longs("cell"), [31, 7, 0, 7]);
}

#[test]
fn float_operations() {
    // 0.5 each, 32 times: exact in every format.
    for (ty, bits, one_half, sixteen, minus_sixteen) in [
        ("f", 32, 0x3F00_0000u64, 0x4180_0000u64, 0xC180_0000u64),
        ("hf", 16, 0x3800, 0x4C00, 0xCC00),
        ("bf", 16, 0x3F00, 0x4180, 0xC180),
        ("df", 64, 0x3FE0_0000_0000_0000, 0x4030_0000_0000_0000, 0xC030_0000_0000_0000),
    ] {
        for space in ["global", "shared"] {
            if ty == "df" && space == "shared" {
                continue;
            }
            let run = |op: &str, start: u64, source: u64| {
                let set = narrow(bits, "%a", "%start");
                let body =
                    format!("mov.64b %start, 0x{source:x};\n{set}\nfatom.{space}.{op}.{ty} %old, CELL, %a;");
                on_a_cell(space, bits, start, &body).1
            };
            assert_eq!(run("add", 0, one_half), sixteen, "{ty} {space}");
            assert_eq!(run("sub", 0, one_half), minus_sixteen, "{ty} {space}");
            if ty != "df" {
                assert_eq!(run("min", one_half, minus_sixteen), minus_sixteen);
                assert_eq!(run("max", one_half, minus_sixteen), one_half);
            }
        }
    }
}

#[test]
fn all_groups_count_in_one_cell() {
    let text = kernel(
        ", .param[8] %cell",
        "
        .reg .64b %c;
        .reg .32b %one;
        ld.param.64b %c, [%cell];
        mov.32b %one, 1;
        iatom.global.add.32b %r, [%c], %one;
        ",
    );
    for threads in [1, 4] {
        let run = Run::new(&text).size(10_000, 128).words("out", 10_000).words("cell", 1).threads(threads);
        let done = run.run_fast().ok();
        assert_eq!(done.words("cell"), [10_000]);
        let mut tickets = done.words("out");
        tickets.sort_unstable();
        assert_eq!(tickets, (0..10_000).collect::<Vec<u32>>());
    }
}

#[test]
fn atomic_loads_and_stores_of_every_width() {
    for bits in [16, 32, 64] {
        let text = kernel(
            ", .param[8] %in",
            &format!(
                "
                .reg .64b %from, %o;
                .reg .{bits}b %v;
                ld.param.64b %from, [%in];
                ld.param.64b %o, [%out];
                zext.64b.32b %wide, %gid;
                umul.64b %wide, %wide, {};
                ld.global.acquire.gpu.{bits}b %v, [%from + %wide];
                st.global.release.gpu.{bits}b [%o + %wide], %v;
                return;
                ",
                bits / 8
            ),
        );
        let contents: Vec<u8> = (0..64 * bits as usize / 8).map(|i| i as u8).collect();
        let done = Run::new(&text)
            .size(64, 64)
            .buffer("in", contents.clone())
            .buffer("out", vec![0; contents.len()])
            .run()
            .ok();
        assert_eq!(done.bytes("out"), contents);
    }
}

#[test]
fn misaligned_atomics_trap_at_their_lane() {
    // M-13: lane 3 has an odd address.
    let text = kernel(
        ", .param[8] %cells",
        "
        .reg .64b %c, %o;
        .reg .32b %x;
        .pred %p;
        ld.param.64b %c, [%cells];
        iadd.64b %c, %c, %wide;
        ucmp.eq.32b %p, %laneid, 3;
        sel.32b %x, 1, 0, %p;
        zext.64b.32b %o, %x;
        iadd.64b %c, %c, %o;
        iatom.global.inc.32b %r, [%c];
        ",
    );
    let done = Run::new(&text).words("out", 32).words("cells", 40).run();
    let stop = done.outcome.stop.as_ref().expect("a trap");
    assert!(matches!(stop.reason, StopReason::Misaligned(address, 4) if address % 4 == 1), "{stop:?}");
    assert_eq!(stop.lanes, 1 << 3);
    // The lanes before it have done theirs.
    assert_eq!(done.words("cells")[..5], [1, 1, 1, 0, 0]);
}

#[test]
fn atomics_on_private_memory_trap() {
    let text = kernel(
        "",
        "
        .private .align 4 @x[4];
        .reg .64b %g;
        addrcast.generic.private %g, @x;
        iatom.generic.inc.32b %r, [%g];
        ",
    );
    let done = Run::new(&text).words("out", 32).run();
    assert!(matches!(done.reason(), Some(StopReason::AtomicOnPrivate(_))));
}

#[test]
fn atomics_out_of_bounds_give_undefined_bytes() {
    let text = kernel(
        ", .param[8] %cells",
        "
        .reg .64b %c;
        ld.param.64b %c, [%cells];
        iatom.global.inc.32b %r, [%c + 4096];
        ",
    );
    let done = Run::new(&text).words("out", 32).buffer("cells", words([5])).run().ok();
    assert_eq!(done.words("out"), [0xCDCD_CDCD; 32]);
    assert_eq!(done.words("cells"), [5]);
}

#[test]
fn generic_atomics_reach_global_and_shared_memory() {
    let text = kernel(
        ", .param[8] %cell",
        "
        .shared .align 4 @s[4];
        .reg .64b %g, %h;
        .reg .32b %zero;
        .pred %p;
        mov.32b %zero, 0;
        st.shared.32b [@s], %zero;
        ld.param.64b %g, [%cell];
        addrcast.generic.global %g, %g;
        addrcast.generic.shared %h, @s;
        ucmp.ge.32b %p, %laneid, 20;
        sel.64b %g, %h, %g, %p;
        iatom.generic.inc.32b %zero, [%g];
        ld.shared.32b %r, [@s];
        ",
    );
    let done = Run::new(&text).words("out", 32).words("cell", 1).run().ok();
    assert_eq!((done.words("cell")[0], done.words("out")[0]), (20, 12));
}
