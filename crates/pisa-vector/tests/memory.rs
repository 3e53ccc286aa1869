//! Loads and stores in every space, within bounds and beyond.

#![allow(clippy::needless_range_loop)] // Lanes are numbers here.

mod common;
use common::{Run, kernel, words};
use pisa_machine::StopReason;

const CD: u32 = 0xCDCD_CDCD;

#[test]
fn every_width_and_vector_is_copied() {
    // Copies 1 element of each shape a lane, in order and reversed, by all lanes and by some.
    for (bits, count) in [
        (8, 1),
        (8, 2),
        (8, 4),
        (16, 1),
        (16, 2),
        (16, 4),
        (32, 1),
        (32, 2),
        (32, 3),
        (32, 4),
        (32, 8),
        (64, 1),
        (64, 2),
        (64, 3),
        (64, 4),
    ] {
        let bytes = bits / 8 * count;
        let (vector, declared) = match count {
            1 => (String::new(), format!(".{bits}b")),
            _ => (format!(".v{count}"), format!(".v{count}.{bits}b")),
        };
        for (index, least) in [("%gid", 0), ("%back", 0), ("%gid", 5), ("%back", 7)] {
            let text = kernel(
                ", .param[8] %in",
                &format!(
                    "
                    .reg {declared} %v;
                    .reg .32b %back;
                    .reg .64b %from, %o, %i;
                    .pred %p;
                    mov.32b %r, 0;
                    isub.32b %back, 63, %gid;
                    zext.64b.32b %i, {index};
                    umul.64b %i, %i, {bytes};
                    ld.param.64b %from, [%in];
                    ld.param.64b %o, [%out];
                    iadd.64b %from, %from, %i;
                    ucmp.lt.32b %p, %laneid, {least};
                    return.cond %p;
                    ld.global{vector}.{bits}b %v, [%from];
                    st.global{vector}.{bits}b [%o + %i], %v;
                    return;
                    "
                ),
            );
            let contents: Vec<u8> = (0..64 * bytes).map(|i| (i * 7 + 1) as u8).collect();
            let done = Run::new(&text)
                .size(64, 64)
                .buffer("in", contents.clone())
                .buffer("out", vec![0; 64 * bytes])
                .run()
                .ok();
            for item in 0..64 {
                let lane = if index == "%gid" { item } else { 63 - item } % 32;
                let range = item * bytes..(item + 1) * bytes;
                let found = &done.bytes("out")[range.clone()];
                let copied = found == &contents[range];
                assert_eq!(copied, lane >= least, ".{bits}b x {count}, {index}, {item}");
                assert!(copied || found.iter().all(|&b| b == 0));
            }
        }
    }
}

#[test]
fn offsets_are_signed_and_registers_too() {
    let text = kernel(
        ", .param[8] %in",
        "
        .reg .64b %from, %o;
        .reg .v2.64b %v;
        .reg .32b %a, %b;
        ld.param.64b %from, [%in];
        iadd.64b %from, %from, 64;
        ld.global.32b %r, [%from - 64];
        mov.64b %o, -60;
        ld.global.32b %a, [%from + %o];
        mov.64b %v.y, %from;
        ld.global.32b %b, [%v.y + 4];
        st.global.32b [%to + 128], %a;
        st.global.32b [%to + 256], %b;
        ",
    );
    let done = Run::new(&text).buffer("in", words(0..40)).words("out", 96).run().ok();
    let found = done.words("out");
    assert_eq!((found[0], found[32], found[64]), (0, 1, 17));
}

#[test]
fn beyond_a_buffer_loads_are_undefined_and_stores_lost() {
    // M-30: 20 words for 32 lanes.
    let text = kernel(
        ", .param[8] %in",
        "
        .reg .64b %from;
        .reg .32b %x;
        ld.param.64b %from, [%in];
        ld.global.32b %r, [%from + 4096];
        mov.32b %x, 77;
        st.global.32b [%from + 4096], %x;
        iadd.64b %from, %from, %wide;
        st.global.32b [%from], %x;
        ld.global.32b %x, [%from];
        st.global.32b [%to + 128], %x;
        ",
    );
    let done = Run::new(&text).words("in", 20).words("out", 64).run().ok();
    assert_eq!(done.words("in"), [77; 20]);
    let found = done.words("out");
    assert_eq!(found[..32], [CD; 32]);
    assert_eq!(found[32..52], [77; 20]);
    assert_eq!(found[52..], [CD; 12]);
}

#[test]
fn an_element_across_the_end_is_outside_and_other_elements_are_not() {
    let text = kernel(
        ", .param[8] %in",
        "
        .reg .64b %from, %l;
        .reg .v4.32b %v;
        ld.param.64b %from, [%in];
        ld.global.64b %l, [%from + 8];
        ld.global.v4.32b %v, [%from];
        trunc.32b.64b %r, %l;
        st.global.v4.32b [%from + 4], %v;
        st.global.32b [%to + 128], %v.z;
        st.global.32b [%to + 256], %v.w;
        ",
    );
    let done = Run::new(&text).buffer("in", words([1, 2, 3])).words("out", 96).run().ok();
    let found = done.words("out");
    assert_eq!((found[0], found[32], found[64]), (CD, 3, CD));
    assert_eq!(done.words("in"), [1, 1, 2]);
}

#[test]
fn misaligned_plain_accesses_work_bytewise() {
    let text = kernel(
        ", .param[8] %in",
        "
        .reg .64b %from;
        ld.param.64b %from, [%in];
        ld.global.32b %r, [%from + 1];
        st.global.32b [%from + 6], %r;
        ",
    );
    let done = Run::new(&text).buffer("in", (0..16).collect()).words("out", 32).run().ok();
    assert_eq!(done.words("out"), [0x0403_0201; 32]);
    assert_eq!(done.bytes("in")[5..11], [5, 1, 2, 3, 4, 10]);
}

#[test]
fn the_highest_lane_wins() {
    // M-16.
    let text = kernel(
        ", .param[8] %cell",
        "
        .reg .64b %c;
        ld.param.64b %c, [%cell];
        mov.32b %r, %laneid;
        st.global.32b [%c], %r;
        ",
    );
    assert_eq!(Run::new(&text).words("out", 32).words("cell", 1).run().ok().words("cell"), [31]);
}

#[test]
fn shared_memory_starts_undefined_and_ends_where_it_ends() {
    let text = kernel(
        "",
        "
        .shared .align 4 @s[64];
        .reg .32b %at, %x, %far;
        ld.shared.32b %r, [@s + 60];
        umul.32b %at, %laneid, 4;
        mov.32b %x, 5;
        st.shared.32b [@s + %at], %x;
        ld.shared.32b %x, [@s + %at];
        st.global.32b [%to + 128], %x;
        mov.32b %far, 0xfffffffc;
        st.shared.32b [%far], %x;
        ld.shared.32b %x, [%far];
        st.global.32b [%to + 256], %x;
        ",
    );
    let found = Run::new(&text).words("out", 96).run().ok().words("out");
    assert_eq!(found[..32], [CD; 32]);
    assert_eq!(found[32..48], [5; 16]);
    assert_eq!(found[48..], [CD; 48]);
}

#[test]
fn every_group_has_its_own_fresh_shared_memory() {
    let text = kernel(
        "",
        "
        .shared .align 4 @s[4];
        ld.shared.32b %r, [@s];
        barrier.workgroup;
        st.shared.32b [@s], %gid;
        ",
    );
    let found = Run::new(&text).size(2048, 32).words("out", 2048).run().ok().words("out");
    assert_eq!(found, [CD; 2048]);
}

#[test]
fn dynamic_shared_memory_lies_behind_the_static() {
    let text = kernel(
        ", .param[4] .addrspace(shared) %block",
        "
        .reg .32b %b, %at;
        ld.param.32b %b, [%block];
        umul.32b %at, %laneid, 4;
        st.shared.32b [%b + %at], %laneid;
        ld.shared.32b %r, [%b + %at];
        ",
    );
    let done = Run::new(&text).words("out", 32).dynamic_shared(64).value("block", 0).run().ok();
    let expected: Vec<u32> = (0..32).map(|l| if l < 16 { l } else { CD }).collect();
    assert_eq!(done.words("out"), expected);
}

#[test]
fn private_memory_is_the_lane_s_own() {
    let text = kernel(
        "",
        "
        .private .align 4 @a[16], ;
        ",
    )
    .replace(
        ".private .align 4 @a[16], ;",
        "
        .private .align 4 @a[16];
        .private .align 8 @b[64];
        .reg .32b %at, %x, %y;
        .reg .v4.32b %v;
        .reg .16b %h;
        .reg .64b %l;
        st.private.32b [@a + 4], %laneid;
        and.32b %at, %laneid, 3;
        umul.32b %at, %at, 4;
        ld.private.32b %x, [@a + %at];
        ld.private.32b %r, [@a + 4];
        st.global.32b [%to + 128], %x;
        mov.32b %v.x, 1;
        mov.32b %v.y, 2;
        mov.32b %v.z, 3;
        mov.32b %v.w, %laneid;
        addrof.32b %at, @b;
        st.private.v4.32b [%at + 8], %v;
        ld.private.64b %l, [@b + 16];
        shr.64b %l, %l, 32;
        trunc.32b.64b %x, %l;
        st.global.32b [%to + 256], %x;
        ld.private.16b %h, [@b + 9];
        zext.32b.16b %y, %h;
        st.global.32b [%to + 384], %y;
        ld.private.32b %y, [@b + 1000];
        st.global.32b [%to + 512], %y;
        ",
    );
    let found = Run::new(&text).words("out", 160).run().ok().words("out");
    for lane in 0..32usize {
        assert_eq!(found[lane], lane as u32);
        assert_eq!(found[32 + lane], if lane % 4 == 1 { lane as u32 } else { CD });
        assert_eq!(found[64 + lane], lane as u32);
        // Bytes 9 and 10 of @b: the upper bytes of 1 at 8.
        assert_eq!(found[96 + lane], 0);
        assert_eq!(found[128 + lane], CD);
    }
}

#[test]
fn private_variables_of_a_recursion_are_apart() {
    // sum(n) keeps n in its frame over the call.
    let text = format!(
        ".function .32b @sum(.reg .32b %n) {{
            .private .align 4 @kept[4];
            .reg .32b %m, %rest;
            .pred %p;
            ucmp.eq.32b %p, %n, 0;
            return.cond %p, 0;
            st.private.32b [@kept], %n;
            iadd.32b %m, %n, -1;
            call %rest, @sum(%m);
            ld.private.32b %m, [@kept];
            iadd.32b %rest, %rest, %m;
            return %rest;
        }}
        {}",
        kernel("", ".reg .32b %n;\nand.32b %n, %laneid, 7;\ncall %r, @sum(%n);")
    );
    let found = Run::new(&text).words("out", 32).run().ok().words("out");
    let expected: Vec<u32> = (0..32).map(|l| (l & 7) * ((l & 7) + 1) / 2).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_dead_frame_is_out_of_bounds() {
    let text = format!(
        ".function .32b @leak() {{
            .private .align 4 @x[4];
            .reg .32b %a, %seven;
            mov.32b %seven, 7;
            st.private.32b [@x], %seven;
            addrof.32b %a, @x;
            return %a;
        }}
        {}",
        kernel("", ".reg .32b %a;\ncall %a, @leak();\nld.private.32b %r, [%a];")
    );
    assert_eq!(Run::new(&text).words("out", 32).run().ok().words("out"), [CD; 32]);
}

#[test]
fn generic_addresses_reach_every_space() {
    // Lanes take turns: global, shared, private.
    let text = kernel(
        "",
        "
        .shared .align 4 @s[128];
        .private .align 4 @x[4];
        .reg .64b %g, %h, %at;
        .reg .32b %k, %v, %third;
        .pred %p;
        umul.32b %k, %laneid, 4;
        zext.64b.32b %at, %k;
        udiv.rem.32b %third, %laneid, 3;
        addrcast.generic.global %g, %to;
        addrcast.generic.shared %h, @s;
        iadd.64b %h, %h, %at;
        ucmp.eq.32b %p, %third, 1;
        sel.64b %g, %h, %g, %p;
        addrcast.generic.private %h, @x;
        ucmp.eq.32b %p, %third, 2;
        sel.64b %g, %h, %g, %p;
        iadd.32b %v, %laneid, 1000;
        st.generic.32b [%g], %v;
        ld.generic.32b %r, [%g];
        st.global.32b [%to + 128], %r;
        ld.shared.32b %v, [@s + %k];
        st.global.32b [%to + 256], %v;
        ld.private.32b %v, [@x];
        st.global.32b [%to + 384], %v;
        ",
    );
    let found = Run::new(&text).words("out", 128).run().ok().words("out");
    for lane in 0..32 {
        let value = lane as u32 + 1000;
        assert_eq!(found[32 + lane], value);
        assert_eq!(found[64 + lane], if lane % 3 == 1 { value } else { CD });
        assert_eq!(found[96 + lane], if lane % 3 == 2 { value } else { CD });
    }
}

#[test]
fn constants_are_read_and_not_written() {
    let text = format!(
        ".const .align 4 @table[16] = {{ .32b 10, .32b 20, .32b 30, .32b 40 }};
        {}",
        kernel(
            "",
            "
            .reg .64b %a, %o;
            .reg .32b %k;
            and.32b %k, %laneid, 3;
            umul.32b %k, %k, 4;
            zext.64b.32b %o, %k;
            ld.const.32b %r, [@table + %o];
            addrof.64b %a, @table;
            STORE
            "
        )
    );
    let plain = text.replace("STORE", "");
    let found = Run::new(&plain).words("out", 32).run().ok().words("out");
    assert_eq!(found[..5], [10, 20, 30, 40, 10]);
    // V-14: lane 2 stores first, at the third element.
    let store = "
        .pred %p;
        ucmp.lt.32b %p, %laneid, 2;
        goto.cond %p, J;
        st.global.32b [%a + %o], %r;
      J:";
    let done = Run::new(&text.replace("STORE", store)).words("out", 32).run();
    let stop = done.outcome.stop.as_ref().expect("a trap");
    assert!(matches!(stop.reason, StopReason::StoreToConst(_)), "{stop:?}");
    assert_eq!(stop.lanes, 1 << 2);
}

#[test]
fn parameters_are_read_within_their_bounds() {
    // K-04, K-06: bytes outside of the parameter are 0xCD, also below it.
    let text = kernel(
        ", .param[4] %small, .param[8] %next",
        "
        .reg .v2.32b %v;
        .reg .32b %o, %x;
        ld.param.32b %r, [%small];
        isub.32b %o, %laneid, 1;
        ld.param.32b %x, [%small + %o];
        st.global.32b [%to + 128], %x;
        ld.param.v2.32b %v, [%next];
        st.global.32b [%to + 256], %v.x;
        st.global.32b [%to + 384], %v.y;
        ",
    );
    let done = Run::new(&text)
        .words("out", 128)
        .value("small", 0x4433_2211)
        .value("next", 0x8877_6655_aabb_ccdd)
        .run()
        .ok();
    let found = done.words("out");
    assert_eq!(found[0], 0x4433_2211);
    assert_eq!(found[32..38], [0x3322_11CD, 0x4433_2211, 0xCD44_3322, 0xCDCD_4433, 0xCDCD_CD44, CD]);
    assert_eq!((found[64], found[96]), (0xaabb_ccdd, 0x8877_6655));
}

#[test]
fn calls_through_what_is_no_function_trap() {
    let text = kernel(
        "",
        "
        .reg .64b %f;
        zext.64b.32b %f, %laneid;
        call void, %f();
        mov.32b %r, 0;
        ",
    );
    let done = Run::new(&text).words("out", 32).run();
    let stop = done.outcome.stop.as_ref().expect("a trap");
    assert_eq!((&stop.reason, stop.lanes), (&StopReason::CallTarget(0), 1));
}

#[test]
fn calls_nest_as_deep_as_the_launch_says() {
    let text = format!(
        ".function void @down(.reg .32b %n) {{
            .reg .32b %m;
            .pred %p;
            ucmp.eq.32b %p, %n, 0;
            return.cond %p;
            iadd.32b %m, %n, -1;
            call void, @down(%m);
        }}
        {}",
        kernel("", ".reg .32b %n;\nmov.32b %n, 9;\ncall void, @down(%n);\nmov.32b %r, 1;")
    );
    // @down(9) nests ten calls.
    Run::new(&text).words("out", 32).depth(10).run().ok();
    let done = Run::new(&text).words("out", 32).depth(9).run();
    assert_eq!(done.reason(), Some(&StopReason::CallDepth(9)));
}

#[test]
fn endless_recursion_ends_at_the_limit() {
    let text = format!(
        ".function void @down() {{
            .private .align 4 @x[64];
            .reg .v16.32b %v;
            st.private.32b [@x + 8], %v.x;
            call void, @down();
        }}
        {}",
        kernel("", "call void, @down();\nmov.32b %r, 1;")
    );
    let done = Run::new(&text).size(256, 256).words("out", 256).run();
    assert_eq!(done.reason(), Some(&StopReason::CallDepth(1024)));
}

#[test]
fn functions_are_found_in_tables() {
    let text = format!(
        ".function .32b @one() {{ return 1; }}
        .function .32b @two() {{ return 2; }}
        .const .align 8 @table[16] = {{ .64b @one, .64b @two }};
        {}",
        kernel(
            "",
            "
            .reg .64b %f, %o;
            .reg .32b %k;
            and.32b %k, %laneid, 1;
            umul.32b %k, %k, 8;
            zext.64b.32b %o, %k;
            ld.const.64b %f, [@table + %o];
            call %r, %f();
            "
        )
    );
    let found = Run::new(&text).words("out", 32).run().ok().words("out");
    assert_eq!(found[..4], [1, 2, 1, 2]);
}
