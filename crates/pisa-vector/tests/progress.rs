//! Barriers, waiting for others, and what ends a launch that would not end.

mod common;
use common::{Run, kernel};
use pisa_machine::{Doing, StopReason};

/// Shared memory reversed through barriers `rounds` times: v[id] becomes v[last - id] + 1 each round.
fn reversal(items: u32, rounds: u32) -> String {
    kernel(
        "",
        &format!(
            "
                .shared .align 4 @s[{}];
                .reg .32b %at, %from, %i;
                .pred %p;
                shl.32b %at, %id, 2;
                isub.32b %from, {}, %at;
                mov.32b %r, %id;
                mov.32b %i, 0;
              L:
                st.shared.32b [@s + %at], %r;
                barrier.workgroup;
                ld.shared.32b %r, [@s + %from];
                iadd.32b %r, %r, 1;
                barrier.workgroup;
                iadd.32b %i, %i, 1;
                ucmp.lt.32b %p, %i, {rounds};
                goto.cond %p, L;
                ",
            items * 4,
            (items - 1) * 4
        ),
    )
}

#[test]
fn barriers_in_a_loop() {
    for items in [32, 96, 256, 300, 1024] {
        let done =
            Run::new(&reversal(items, 3)).size(4 * u64::from(items), items).words("out", 4 * items as usize);
        for threads in [1, 3] {
            let words = done.clone_with_threads(threads).run().ok().words("out");
            // Three rounds: reversed once, plus 3.
            for (index, &word) in words.iter().enumerate() {
                assert_eq!(word, items - 1 - index as u32 % items + 3, "{items} items, {index}");
            }
        }
    }
}

#[test]
fn barriers_do_not_wait_for_who_has_left() {
    let text = kernel(
        "",
        "
        .pred %p;
        mov.32b %r, 1;
        st.global.32b [%to], %r;
        ucmp.ge.32b %p, %id, 200;
        return.cond %p;
        barrier.workgroup;
        mov.32b %r, 2;
        ",
    );
    let words = Run::new(&text).size(256, 256).words("out", 256).run().ok().words("out");
    assert!(words[..200].iter().all(|&w| w == 2) && words[200..].iter().all(|&w| w == 1));
}

#[test]
fn who_leaves_while_others_wait_completes_the_barrier() {
    // The last sub-group leaves only after the others have arrived: it waits for their count.
    let text = kernel(
        "",
        "
            .shared .align 4 @count[4];
            .reg .32b %old, %zero;
            .pred %p;
            mov.32b %zero, 0;
            st.shared.32b [@count], %zero;
            barrier.workgroup;
            ucmp.ge.32b %p, %id, 64;
            goto.cond %p, WAIT;
            iatom.shared.inc.32b %old, [@count];
            barrier.workgroup;
            mov.32b %r, 1;
            goto END;
          WAIT:
            ld.shared.32b %old, [@count];
            ucmp.lt.32b %p, %old, 64;
            goto.cond %p, WAIT;
            return;
          END:
            ",
    );
    let words = Run::new(&text).size(96, 96).words("out", 96).run().ok().words("out");
    assert!(words[..64].iter().all(|&w| w == 1) && words[64..].iter().all(|&w| w == 0));
}

#[test]
fn different_barriers_count_alike() {
    // Y-01: the halves of each sub-group wait at two different instructions.
    let text = kernel(
        "",
        "
        .pred %p;
        ucmp.lt.32b %p, %laneid, 16;
        goto.cond %p, B;
        barrier.workgroup;
        mov.32b %r, 1;
        goto J;
      B:
        barrier.workgroup;
        mov.32b %r, 2;
      J:
        ",
    );
    let words = Run::new(&text).size(64, 64).words("out", 64).run().ok().words("out");
    assert!((0..64).all(|i| words[i] == if i % 32 < 16 { 2 } else { 1 }));
}

#[test]
fn barriers_of_groups_in_one_batch_are_their_own() {
    // Groups of 32: eight share a batch. Every second group has one barrier more.
    let text = kernel(
        "",
        "
        .reg .32b %odd;
        .pred %p;
        barrier.workgroup;
        and.32b %odd, %groupid.x, 1;
        ucmp.eq.32b %p, %odd, 0;
        mov.32b %r, %activemask;
        goto.cond %p, J;
        barrier.workgroup;
        iadd.32b %r, %r, 5;
      J:
        ",
    );
    let words = Run::new(&text).size(512, 32).words("out", 512).run().ok().words("out");
    assert!((0..512).all(|i| words[i] == if i / 32 % 2 == 0 { u32::MAX } else { 4 }));
}

#[test]
fn a_subgroup_waits_for_a_later_one() {
    // Sub-group 0 spins until the last sub-group has set the flag; both stand in one batch, and in two.
    let text = kernel(
        "",
        "
            .shared .align 4 @flag[4];
            .reg .32b %f, %last;
            .pred %p;
            mov.32b %f, 0;
            st.shared.32b [@flag], %f;
            barrier.workgroup;
            isub.32b %last, %localsize.x, 32;
            ucmp.lt.32b %p, %id, 32;
            goto.cond %p, SPIN;
            ucmp.ge.32b %p, %id, %last;
            goto.cond !%p, END;
            mov.32b %f, 9;
            st.shared.release.workgroup.32b [@flag], %f;
            goto END;
          SPIN:
            ld.shared.acquire.workgroup.32b %f, [@flag];
            ucmp.eq.32b %p, %f, 9;
            goto.cond !%p, SPIN;
          END:
            mov.32b %r, %f;
            ",
    );
    for items in [64, 256, 1024] {
        let words = Run::new(&text)
            .size(u64::from(items), items)
            .words("out", items as usize)
            .run()
            .ok()
            .words("out");
        assert!(words[..32].iter().all(|&w| w == 9), "{items}");
    }
}

/// Every group but the last waits until its successor has finished.
fn chain() -> String {
    kernel(
        ", .param[8] %flags",
        "
        .reg .64b %flag, %w;
        .reg .32b %last, %f;
        .pred %p;
        ld.param.64b %flag, [%flags];
        zext.64b.32b %w, %groupid.x;
        shl.64b %w, %w, 2;
        iadd.64b %flag, %flag, %w;
        isub.32b %last, %groupcount.x, 1;
        ucmp.eq.32b %p, %groupid.x, %last;
        goto.cond %p, DONE;
      SPIN:
        ld.global.acquire.gpu.32b %f, [%flag + 4];
        ucmp.eq.32b %p, %f, 0;
        goto.cond %p, SPIN;
      DONE:
        mov.32b %f, 1;
        st.global.release.gpu.32b [%flag], %f;
        mov.32b %r, %groupid.x;
        ",
    )
}

#[test]
fn groups_wait_for_later_groups() {
    for (groups, local) in [(2, 32), (20, 32), (100, 256), (300, 64)] {
        let items = groups * local as usize;
        let run = Run::new(&chain()).size(items as u64, local).words("out", items).words("flags", groups);
        for threads in [1, 2, 4] {
            let words = run.clone_with_threads(threads).run_fast().ok().words("out");
            assert!((0..items).all(|i| words[i] == (i / local as usize) as u32), "{groups} {local}");
        }
    }
}

#[test]
fn a_lock_within_a_subgroup_is_a_livelock() {
    // the lane that has the lock waits behind the loop that the others never leave.
    let text = kernel(
        ", .param[8] %lock",
        "
        .reg .64b %l;
        .reg .32b %old, %one, %zero;
        .pred %p;
        ld.param.64b %l, [%lock];
        mov.32b %one, 1;
        mov.32b %zero, 0;
      SPIN:
        iatom.global.xchg.32b %old, [%l], %one;
        ucmp.ne.32b %p, %old, 0;
        goto.cond %p, SPIN;
        iatom.global.xchg.32b %old, [%l], %zero;
        mov.32b %r, 1;
        ",
    );
    let done = Run::new(&text).words("out", 32).words("lock", 1).run();
    let stop = done.outcome.stop.clone().expect("a stop");
    assert_eq!(stop.reason, StopReason::Livelock);
    // Lane 0 got the lock; lanes 1 to 31 spin.
    assert_eq!(stop.lanes, 0xFFFF_FFFE);
    assert!(stop.standing.iter().any(|s| s.lanes == !1 && s.doing == Doing::Spin), "{stop:?}");
    assert!(stop.standing.iter().any(|s| s.lanes == 1 && s.doing == Doing::WaitForThem), "{stop:?}");
    assert_eq!(done.words("lock"), [1]);
}

#[test]
fn waiting_for_what_nobody_does_is_a_livelock_on_every_thread() {
    // Each group waits for its predecessor, the first one for a flag that nobody sets.
    let text = kernel(
        ", .param[8] %flags",
        "
        .reg .64b %flag, %w;
        .reg .32b %f;
        .pred %p;
        ld.param.64b %flag, [%flags];
        zext.64b.32b %w, %groupid.x;
        shl.64b %w, %w, 2;
        iadd.64b %flag, %flag, %w;
      SPIN:
        ld.global.acquire.gpu.32b %f, [%flag];
        ucmp.eq.32b %p, %f, 0;
        goto.cond %p, SPIN;
        st.global.release.gpu.32b [%flag + 4], %f;
        mov.32b %r, 1;
        ",
    );
    let run = Run::new(&text).size(20 * 64, 64).words("out", 20 * 64).words("flags", 21);
    for threads in [1, 2, 3] {
        let done = run.clone_with_threads(threads).run_fast();
        assert_eq!(done.reason(), Some(&StopReason::Livelock), "{threads}");
    }
}

#[test]
fn waiting_at_a_barrier_for_who_spins_is_a_livelock() {
    let text = kernel(
        "",
        "
            .shared .align 4 @flag[4];
            .reg .32b %f;
            .pred %p;
            mov.32b %f, 0;
            st.shared.32b [@flag], %f;
            barrier.workgroup;
            ucmp.lt.32b %p, %id, 32;
            goto.cond %p, SPIN;
            barrier.workgroup;
            mov.32b %f, 1;
            st.shared.32b [@flag], %f;
            goto END;
          SPIN:
            ld.shared.32b %f, [@flag];
            ucmp.eq.32b %p, %f, 0;
            goto.cond %p, SPIN;
            barrier.workgroup;
          END:
            mov.32b %r, 1;
            ",
    );
    let done = Run::new(&text).size(64, 64).words("out", 64).run();
    let stop = done.outcome.stop.expect("a stop");
    assert_eq!((&stop.reason, stop.subgroup, stop.lanes), (&StopReason::Livelock, 0, u32::MAX));
    assert!(stop.standing.iter().any(|s| s.subgroup == 1 && s.doing == Doing::WaitAtBarrier));
}

#[test]
fn endless_loops_run_out_of_fuel() {
    // Four instructions a round; counting keeps the state from coming back.
    let text = kernel("", "mov.32b %r, 0;\nL:\niadd.32b %r, %r, 1;\ngoto L;\n");
    for (fuel, threads) in [(1000, 1), (1_000_000, 1), (1_000_000, 3)] {
        let run = Run::new(&text).size(1024, 64).words("out", 1024).fuel(fuel).threads(threads);
        let done = run.run_fast();
        assert_eq!(done.reason(), Some(&StopReason::OutOfFuel(fuel)));
        let used = done.outcome.statistics.instructions;
        // A turn of the loop is 2 instructions of up to 8 sub-groups on each thread; before it there are 9 more.
        let slack = threads as u64 * (16 * 8 + 256);
        assert!(used <= fuel + slack, "{used}");
        if threads == 1 {
            assert!(used >= fuel, "{used}");
        }
    }
}

#[test]
fn fuel_that_suffices_is_not_missed() {
    let text =
        kernel("", "mov.32b %r, 0;\nL:\niadd.32b %r, %r, 1;\nucmp.lt.32b %p, %r, 10;\ngoto.cond %p, L;\n")
            .replace(".reg .32b %r;", ".reg .32b %r; .pred %p;");
    let needed = Run::new(&text).words("out", 32).run().ok().outcome.statistics.instructions;
    Run::new(&text).words("out", 32).fuel(needed).run().ok();
    let done = Run::new(&text).words("out", 32).fuel(20).run();
    assert_eq!(done.reason(), Some(&StopReason::OutOfFuel(20)));
}

#[test]
fn long_work_without_stores_is_no_livelock() {
    let text = kernel(
        "",
        ".pred %p;\nmov.32b %r, 0;\nL:\niadd.32b %r, %r, 1;\nucmp.lt.32b %p, %r, 300000;\ngoto.cond %p, L;\n",
    );
    let done = Run::new(&text).size(64, 32).words("out", 64).run().ok();
    assert_eq!(done.words("out"), [300_000; 64]);
}

#[test]
fn one_thread_gives_one_order() {
    // Every lane takes a ticket of one counter: with one thread the tickets are the same every time.
    let text = kernel(
        ", .param[8] %counter",
        "
        .reg .64b %c;
        .reg .32b %n, %i;
        .pred %p;
        ld.param.64b %c, [%counter];
        and.32b %n, %gid, 15;
        umul.32b %n, %n, 500;
        mov.32b %i, 0;
      L:
        iadd.32b %i, %i, 1;
        ucmp.lt.32b %p, %i, %n;
        goto.cond %p, L;
        iatom.global.inc.32b %r, [%c];
        ",
    );
    let run = Run::new(&text).size(3000, 96).words("out", 3000).words("counter", 1);
    let first = run.run().ok().words("out");
    assert_eq!(run.run().ok().words("out"), first);
    let mut sorted = first.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..3000).collect::<Vec<u32>>());
    let mut parallel = run.clone_with_threads(4).run_fast().ok().words("out");
    parallel.sort_unstable();
    assert_eq!(parallel, sorted);
}

#[test]
fn many_work_groups_without_loops_run_out_of_fuel() {
    // Each work-group executes a few instructions and no jump.
    let text = kernel("", "mov.32b %r, 1;\nst.global.32b [%to], %r;\n");
    for threads in [1, 3] {
        let run = Run::new(&text).size(100_000, 32).words("out", 100_000).fuel(1000).threads(threads);
        // Where several threads run out is not the same in each run.
        let done = if threads == 1 { run.run() } else { run.run_fast() };
        assert_eq!(done.reason(), Some(&StopReason::OutOfFuel(1000)));
    }
}
