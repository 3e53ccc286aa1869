//! `%activemask` under the default schedule: expected values follow from "deepest call first, in it the lowest
//! instruction" by hand.

#![allow(clippy::needless_range_loop)] // Lanes are numbers here.

mod common;
use common::{Run, kernel};

/// Runs a body that stores words at `[%to + 128 * i]` and gives `count` rows of 32.
fn rows(body: &str, count: usize) -> Vec<Vec<u32>> {
    rows_of(&kernel("", body), count)
}

fn rows_of(text: &str, count: usize) -> Vec<Vec<u32>> {
    let done = Run::new(text).words("out", 32 * count).run().ok();
    done.words("out").chunks(32).map(<[u32]>::to_vec).collect()
}

#[test]
fn the_two_sides_of_a_branch_and_where_they_meet() {
    // lanes that fall through have the lower instruction and run first.
    let found = rows(
        "
        .reg .32b %m;
        .pred %p;
        ucmp.lt.32b %p, %laneid, 8;
        goto.cond %p, T;
        mov.32b %r, %activemask;
        goto J;
      T:
        mov.32b %r, %activemask;
      J:
        mov.32b %m, %activemask;
        st.global.32b [%to + 128], %m;
        ",
        2,
    );
    assert_eq!(found[0][..8], [0xFF; 8]);
    assert_eq!(found[0][8..], [0xFFFF_FF00; 24]);
    assert_eq!(found[1], [u32::MAX; 32]);
}

#[test]
fn a_negated_guard_takes_the_other_lanes() {
    let found = rows(
        "
        .pred %p;
        ucmp.lt.32b %p, %laneid, 8;
        mov.32b %r, 0;
        goto.cond !%p, J;
        mov.32b %r, %activemask;
      J:
        ",
        1,
    );
    assert_eq!(found[0][..8], [0xFF; 8]);
    assert_eq!(found[0][8..], [0; 24]);
}

#[test]
fn lanes_leave_a_loop_one_after_the_other_and_meet_behind_it() {
    // Lane l runs (l & 3) + 1 rounds; in its last round the lanes with as many or more are there.
    let found = rows(
        "
        .reg .32b %n, %i, %m;
        .pred %p;
        and.32b %n, %laneid, 3;
        mov.32b %i, 0;
      L:
        mov.32b %r, %activemask;
        ucmp.lt.32b %p, %i, %n;
        iadd.32b %i, %i, 1;
        goto.cond %p, L;
        mov.32b %m, %activemask;
        st.global.32b [%to + 128], %m;
        st.global.32b [%to + 256], %i;
        ",
        3,
    );
    let masks = [0xFFFF_FFFF, 0xEEEE_EEEE, 0xCCCC_CCCC, 0x8888_8888];
    for lane in 0..32 {
        assert_eq!(found[0][lane], masks[lane & 3], "lane {lane}");
        assert_eq!(found[2][lane], (lane as u32 & 3) + 1);
    }
    assert_eq!(found[1], [u32::MAX; 32]);
}

#[test]
fn inner_loops_meet_before_the_outer_goes_on() {
    // The inner loop runs lane & 1 more rounds; all lanes meet behind it in each of two outer rounds.
    let found = rows(
        "
        .reg .32b %n, %i, %j, %m, %count;
        .pred %p;
        and.32b %n, %laneid, 1;
        mov.32b %j, 0;
        mov.32b %count, 0;
        mov.32b %m, 0xffffffff;
      OUTER:
        mov.32b %i, 0;
      INNER:
        iadd.32b %count, %count, 1;
        ucmp.lt.32b %p, %i, %n;
        iadd.32b %i, %i, 1;
        goto.cond %p, INNER;
        and.32b %m, %m, %activemask;
        iadd.32b %j, %j, 1;
        ucmp.lt.32b %p, %j, 2;
        goto.cond %p, OUTER;
        st.global.32b [%to + 128], %m;
        mov.32b %r, %count;
        ",
        2,
    );
    assert_eq!(found[1], [u32::MAX; 32]);
    let expected: Vec<u32> = (0..32).map(|lane| 2 + 2 * (lane & 1)).collect();
    assert_eq!(found[0], expected);
}

#[test]
fn a_jump_into_the_middle_merges_with_who_comes_by() {
    // Lanes 0-15 jump over A to B. Lanes 16-31 run A alone and take the others along at B.
    let found = rows(
        "
        .reg .32b %m;
        .pred %p;
        ucmp.lt.32b %p, %laneid, 16;
        mov.32b %m, 0;
        goto.cond %p, B;
        mov.32b %m, %activemask;
      B:
        mov.32b %r, %activemask;
        st.global.32b [%to + 128], %m;
        ",
        2,
    );
    assert_eq!(found[0], [u32::MAX; 32]);
    assert_eq!(found[1][..16], [0; 16]);
    assert_eq!(found[1][16..], [0xFFFF_0000; 16]);
}

#[test]
fn lanes_that_return_from_the_kernel_are_gone() {
    let found = rows(
        "
        .reg .32b %m;
        .pred %p;
        mov.32b %m, 1;
        st.global.32b [%to], %m;
        and.32b %m, %laneid, 1;
        ucmp.eq.32b %p, %m, 1;
        return.cond %p;
        mov.32b %r, %activemask;
        ",
        1,
    );
    for lane in 0..32 {
        assert_eq!(found[0][lane], if lane & 1 == 1 { 1 } else { 0x5555_5555 });
    }
}

#[test]
fn a_conditional_call_runs_its_lanes_and_the_others_wait_behind_it() {
    let text = format!(
        ".function .32b @f(.reg .32b %x) {{
            .reg .32b %m, %y;
            mov.32b %m, %activemask;
            iadd.32b %y, %m, %x;
            return %y;
        }}
        {}",
        kernel(
            "",
            "
            .reg .32b %m;
            .pred %p;
            ucmp.ge.32b %p, %laneid, 30;
            mov.32b %r, 7;
            call.cond %p, %r, @f(%laneid);
            mov.32b %m, %activemask;
            st.global.32b [%to + 128], %m;
            "
        )
    );
    let found = rows_of(&text, 2);
    assert_eq!(found[0][..30], [7; 30]);
    assert_eq!(found[0][30..], [0xC000_0000 + 30, 0xC000_0000 + 31]);
    assert_eq!(found[1], [u32::MAX; 32]);
}

#[test]
fn an_early_return_waits_behind_the_call_for_the_rest_of_the_function() {
    // Odd lanes return at once; even lanes run on alone in the callee. All meet behind the call.
    let text = format!(
        ".function .32b @f(.reg .32b %x) {{
            .reg .32b %m;
            .pred %p;
            and.32b %m, %x, 1;
            ucmp.eq.32b %p, %m, 1;
            return.cond %p, 5;
            mov.32b %m, %activemask;
            return %m;
        }}
        {}",
        kernel(
            "",
            "
            .reg .32b %m;
            call %r, @f(%laneid);
            mov.32b %m, %activemask;
            st.global.32b [%to + 128], %m;
            "
        )
    );
    let found = rows_of(&text, 2);
    for lane in 0..32 {
        assert_eq!(found[0][lane], if lane & 1 == 1 { 5 } else { 0x5555_5555 });
    }
    assert_eq!(found[1], [u32::MAX; 32]);
}

#[test]
fn factorial_by_recursion() {
    // Lanes with a larger n go deeper; the mask seen by lane n at its deepest call holds the lanes with as large an n.
    let text = format!(
        ".function .32b @factorial(.reg .32b %n) {{
            .reg .32b %m, %rest;
            .pred %p;
            ucmp.le.32b %p, %n, 1;
            return.cond %p, 1;
            iadd.32b %m, %n, -1;
            call %rest, @factorial(%m);
            umul.32b %rest, %rest, %n;
            return %rest;
        }}
        {}",
        kernel(
            "",
            "
            .reg .32b %n, %m;
            and.32b %n, %laneid, 7;
            call %r, @factorial(%n);
            mov.32b %m, %activemask;
            st.global.32b [%to + 128], %m;
            "
        )
    );
    let found = rows_of(&text, 2);
    let factorials = [1, 1, 2, 6, 24, 120, 720, 5040];
    for lane in 0..32 {
        assert_eq!(found[0][lane], factorials[lane & 7]);
    }
    assert_eq!(found[1], [u32::MAX; 32]);
}

#[test]
fn masks_within_a_recursion() {
    // depth(n) returns %activemask of its deepest call: lanes n >= k take part in the call at depth k. Lane n returns
    // at the call where its n has become 0, in which the lanes with at least its n take part.
    let text = format!(
        ".function .32b @deepest(.reg .32b %n) {{
            .reg .32b %m, %rest;
            .pred %p;
            mov.32b %m, %activemask;
            ucmp.eq.32b %p, %n, 0;
            return.cond %p, %m;
            iadd.32b %m, %n, -1;
            call %rest, @deepest(%m);
            return %rest;
        }}
        {}",
        kernel("", ".reg .32b %n;\nand.32b %n, %laneid, 3;\ncall %r, @deepest(%n);")
    );
    let found = rows_of(&text, 1);
    let masks = [0xFFFF_FFFF, 0xEEEE_EEEE, 0xCCCC_CCCC, 0x8888_8888];
    for lane in 0..32 {
        assert_eq!(found[0][lane], masks[lane & 3], "lane {lane}");
    }
}

#[test]
fn an_indirect_call_takes_its_targets_in_the_order_of_their_first_lane() {
    // C-03. Each callee counts its lanes through one counter of the sub-group, so that old values tell the order.
    // Sub-group 0 begins with @g (even lanes), sub-group 1 with @f.
    let callee = |name: &str| {
        format!(
            ".function .32b @{name}(.reg .64b %counter) {{
                .reg .32b %old;
                iatom.global.inc.32b %old, [%counter];
                return %old;
            }}\n"
        )
    };
    let text = format!(
        "{}{}{}",
        callee("f"),
        callee("g"),
        kernel(
            ", .param[8] %counters",
            "
            .reg .64b %f, %g, %target, %counter, %w;
            .reg .32b %group, %odd;
            .pred %p;
            addrof.64b %f, @f;
            addrof.64b %g, @g;
            shr.32b %group, %id, 5;
            iadd.32b %odd, %laneid, %group;
            and.32b %odd, %odd, 1;
            ucmp.eq.32b %p, %odd, 1;
            sel.64b %target, %f, %g, %p;
            ld.param.64b %counter, [%counters];
            zext.64b.32b %w, %group;
            shl.64b %w, %w, 2;
            iadd.64b %counter, %counter, %w;
            call %r, %target(%counter);
            "
        )
    );
    let done = Run::new(&text).size(64, 64).words("out", 64).words("counters", 2).run().ok();
    let found = done.words("out");
    for lane in 0..32 {
        let (half, second) = (lane / 2, lane % 2);
        // In both sub-groups lane 0 is of the first target, and lanes alternate.
        assert_eq!(found[lane as usize], 16 * second + half, "sub-group 0, lane {lane}");
        assert_eq!(found[32 + lane as usize], 16 * second + half, "sub-group 1, lane {lane}");
    }
    assert_eq!(done.words("counters"), [32, 32]);
}

#[test]
fn at_equal_depth_the_lower_caller_goes_first() {
    // Both halves stop at a barrier within a function; once it is complete, the call that stands first goes on first.
    let callee = |name: &str| {
        format!(
            ".function .32b @{name}(.reg .64b %counter) {{
                .reg .32b %old;
                barrier.workgroup;
                iatom.global.inc.32b %old, [%counter];
                return %old;
            }}\n"
        )
    };
    let text = format!(
        "{}{}{}",
        callee("f"),
        callee("g"),
        kernel(
            ", .param[8] %counters",
            "
            .reg .64b %counter;
            .pred %p;
            ld.param.64b %counter, [%counters];
            ucmp.lt.32b %p, %laneid, 16;
            goto.cond %p, B;
            call %r, @g(%counter);
            goto J;
          B:
            call %r, @f(%counter);
          J:
            "
        )
    );
    let done = Run::new(&text).words("out", 32).words("counters", 1).run().ok();
    let found = done.words("out");
    // Lanes 16-31 called @g from the lower place.
    let expected: Vec<u32> = (16..32).chain(0..16).collect();
    assert_eq!(found, expected);
}

#[test]
fn only_lanes_that_return_get_the_result_and_arguments_are_read_before() {
    // C-02, C-13: the argument register is the result register.
    let text = format!(
        ".function .32b @twice(.reg .32b %x) {{
            iadd.32b %x, %x, %x;
            return %x;
        }}
        {}",
        kernel(
            "",
            "
            .pred %p;
            iadd.32b %r, %laneid, 1;
            ucmp.lt.32b %p, %laneid, 4;
            call.cond !%p, %r, @twice(%r);
            "
        )
    );
    let expected: Vec<u32> = (0..32).map(|l| if l < 4 { l + 1 } else { 2 * l + 2 }).collect();
    assert_eq!(rows_of(&text, 1)[0], expected);
}

#[test]
fn vectors_and_immediates_pass_through_calls() {
    let text = format!(
        ".function .v2.32b @swap(.reg .v2.32b %v) {{
            .reg .32b %t;
            mov.32b %t, %v.x;
            mov.32b %v.x, %v.y;
            mov.32b %v.y, %t;
            return %v;
        }}
        .function .64b @large() {{
            return 0x123456789;
        }}
        {}",
        kernel(
            "",
            "
            .reg .v2.32b %v;
            .reg .64b %l;
            mov.32b %v.x, %laneid;
            mov.32b %v.y, 100;
            call %v, @swap(%v);
            call %l, @large();
            shr.64b %l, %l, 32;
            trunc.32b.64b %r, %l;
            iadd.32b %r, %r, %v.x;
            iadd.32b %r, %r, %v.y;
            st.global.32b [%to + 128], %v.y;
            "
        )
    );
    let found = rows_of(&text, 2);
    assert_eq!(found[0], (0..32).map(|l| 101 + l).collect::<Vec<u32>>());
    assert_eq!(found[1], (0..32).collect::<Vec<u32>>());
}

#[test]
fn registers_and_predicates_start_undefined() {
    // 0xCD bytes; a predicate is that pattern by lane.
    let found = rows(
        "
        .reg .32b %u, %v;
        .pred %p;
        mov.32b %r, %u;
        sel.32b %v, 1, 0, %p;
        st.global.32b [%to + 128], %v;
        ",
        2,
    );
    assert_eq!(found[0], [0xCDCD_CDCD; 32]);
    assert_eq!(found[1], (0..32).map(|l| 0xCDCD_CDCD_u32 >> l & 1).collect::<Vec<u32>>());
}

#[test]
fn registers_of_a_call_start_undefined_every_time() {
    let text = format!(
        ".function .32b @f() {{
            .reg .32b %u, %v;
            mov.32b %v, %u;
            iadd.32b %u, %u, 1;
            return %v;
        }}
        {}",
        kernel("", ".reg .32b %first;\ncall %first, @f();\ncall %r, @f();\nisub.32b %r, %r, %first;")
    );
    assert_eq!(rows_of(&text, 1)[0], [0; 32]);
}

#[test]
fn a_register_written_on_one_side_only_is_undefined_on_the_other() {
    let found = rows(
        "
        .reg .32b %u;
        .pred %p;
        ucmp.lt.32b %p, %laneid, 16;
        goto.cond %p, J;
        mov.32b %u, 3;
      J:
        mov.32b %r, %u;
        ",
        1,
    );
    assert_eq!(found[0][..16], [0xCDCD_CDCD; 16]);
    assert_eq!(found[0][16..], [3; 16]);
}

#[test]
fn every_instruction_counts_once_a_subgroup() {
    // 10 of the prologue, 3 here, store, return: two sub-groups with 32 and 8 lanes run them all, and one more
    // instruction runs in lanes 0-3 of each.
    let text = kernel("", ".pred %p;\nucmp.ge.32b %p, %laneid, 4;\ngoto.cond %p, J;\nmov.32b %r, 0;\nJ:\n");
    let done = Run::new(&text).size(40, 40).words("out", 40).run().ok();
    let prologue = common::PROLOGUE.matches(';').count() as u64 - 2 + 1;
    let all = prologue + 2 + 2;
    assert_eq!(done.outcome.statistics.instructions, 2 * all + 2);
    assert_eq!(done.outcome.statistics.active_lanes, 40 * all + 8);
    assert_eq!(done.outcome.statistics.work_groups, 1);
}
