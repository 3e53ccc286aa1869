//! Many work-groups at a time.

mod common;

use common::Kernel;
use pisa_reference::ReferenceEngine;

#[test]
fn a_work_group_may_wait_for_a_later_one() {
    // All 20 work-groups count themselves and wait until all have.
    let body = ".kernel @k(.param[8] %count) {
        .reg .64b %p; .reg .32b %n; .pred %q;
        ld.param.64b %p, [%count];
        ucmp.ne.32b %q, %localid.x, 0;
        goto.cond %q, LOOP;
        iatom.global.inc.32b %n, [%p];
        LOOP:
        ld.global.acquire.gpu.32b %n, [%p];
        ucmp.lt.32b %q, %n, 20;
        goto.cond %q, LOOP;
        }";
    let mut kernel = Kernel::new(body, 40, &[&[0; 4]]);
    kernel.launch.global[0] = 800;
    let outcome = kernel.run(&ReferenceEngine);
    assert_eq!(outcome.stop, None);
    assert_eq!(outcome.statistics.work_groups, 20);
    assert_eq!(kernel.words(0), [20]);
}

#[test]
fn the_last_group_and_subgroup_are_partial() {
    // 70 work-items in groups of 40: sub-groups of 32, 8 and 30 lanes.
    let body = ".kernel @k(.param[8] %out) {
        .reg .64b %p, %o; .reg .32b %i, %l, %m;
        ld.param.64b %p, [%out];
        mov.32b %l, %localid.x;
        umad.32b %i, %groupid.x, %enqueuedlocalsize.x, %l;
        zext.64b.32b %o, %i;
        umad.64b %p, %o, 4, %p;
        mov.32b %m, %activemask;
        st.global.32b [%p], %m;
        }";
    let mut kernel = Kernel::new(body, 40, &[&[0; 280]]);
    kernel.launch.global[0] = 70;
    assert_eq!(kernel.run(&ReferenceEngine).stop, None);
    let expected: Vec<u32> = (0..70u32)
        .map(|i| match i {
            0..32 => u32::MAX,
            32..40 => 0xFF,
            _ => 0x3FFF_FFFF,
        })
        .collect();
    assert_eq!(kernel.words(0), expected);
}

#[test]
fn deep_calls_of_a_function_with_very_many_registers_are_refused() {
    // 32 lanes of 16 bytes each for 60 000 registers are 30 MB a call: 1024 calls would take 30 GB.
    let body = ".function void @f() {
        .reg .32b %r<0~60000>;
        call void, @f();
        }
        .kernel @k() {
        call void, @f();
        }";
    let outcome = Kernel::new(body, 1, &[]).run(&ReferenceEngine);
    let reason = outcome.stop.map(|stop| stop.reason);
    assert!(matches!(reason, Some(pisa_machine::StopReason::OutOfMemory(_))), "{reason:?}");
}
