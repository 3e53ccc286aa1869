//! Cases at the edge of what is defined, worked by hand, on both engines: whatever has a fixed result has the same on both.

mod common;

use common::{Kernel, module};
use pisa_machine::{Engine, GENERIC_PRIVATE, GENERIC_SHARED, StopReason};
use pisa_reference::ReferenceEngine;
use pisa_vector::{Level, VectorEngine};

/// The reference engine, and the vector engine with each set of vector instructions that the host has.
fn engines() -> Vec<Box<dyn Engine>> {
    let best = VectorEngine::new().level();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(ReferenceEngine)];
    for level in [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|&level| level <= best) {
        engines.push(Box::new(VectorEngine::with_level(level)));
    }
    engines
}

/// Four words of 32 bits around a generic address: the third one is 8 bytes behind it. `@s` lies at shared address 4,
/// `@p` at private address 4 (V-04).
fn words_from(address: u64) -> [u32; 4] {
    let body = format!(
        ".kernel @k(.param[8] %out) {{
        .shared .align 4 @s[4]; .private .align 4 @p[4];
        .reg .64b %o, %a; .reg .v4.32b %v; .reg .32b %x;
        ld.param.64b %o, [%out];
        mov.32b %x, 0x11111111;
        st.shared.32b [@s], %x;
        mov.32b %x, 0x22222222;
        st.private.32b [@p], %x;
        mov.64b %a, {address:#x};
        ld.generic.v4.32b %v, [%a];
        st.global.v4.32b [%o], %v;
        }}"
    );
    let mut found: Vec<[u32; 4]> = Vec::new();
    for engine in engines() {
        let kernel = Kernel::new(&body, 1, &[&[0; 16]]);
        assert_eq!(kernel.run(&*engine).stop, None);
        found.push(kernel.words(0).try_into().expect("four words"));
    }
    assert!(found.iter().all(|words| *words == found[0]), "{address:#x}: {found:x?}");
    found[0]
}

const NOTHING: u32 = 0xCDCD_CDCD;

#[test]
fn each_element_of_a_generic_access_goes_where_its_own_address_says() {
    // Addresses of elements are sums of 64 bits (Z-02); the tag and the low half of each sum decide (D-24).
    let shared = [NOTHING, NOTHING, 0x1111_1111, NOTHING];
    let private = [NOTHING, NOTHING, 0x2222_2222, NOTHING];
    // Within the low half.
    assert_eq!(words_from(GENERIC_SHARED | 4), [0x1111_1111, NOTHING, NOTHING, NOTHING]);
    assert_eq!(words_from(GENERIC_PRIVATE | 4), [0x2222_2222, NOTHING, NOTHING, NOTHING]);
    // The third element has 0x0001_0001_0000_0004 and 0x0002_0001_0000_0004: still shared and private memory.
    assert_eq!(words_from(GENERIC_SHARED | 0xFFFF_FFFC), shared);
    assert_eq!(words_from(GENERIC_PRIVATE | 0xFFFF_FFFC), private);
    // From global to shared memory, and from there to private memory.
    assert_eq!(words_from(0x0000_FFFF_FFFF_FFFC), shared);
    assert_eq!(words_from(0x0001_FFFF_FFFF_FFFC), private);
    // From private memory to no space at all.
    assert_eq!(words_from(0x0002_FFFF_FFFF_FFFC), [NOTHING; 4]);
}

#[test]
fn elements_of_a_generic_store_do_so_too() {
    let body = ".kernel @k(.param[8] %out) {
        .shared .align 4 @s[4];
        .reg .64b %o, %a; .reg .v4.32b %v; .reg .32b %x;
        ld.param.64b %o, [%out];
        mov.32b %v.x, 1; mov.32b %v.y, 2; mov.32b %v.z, 3; mov.32b %v.w, 4;
        mov.64b %a, 0x0001_LOW;
        st.generic.v4.32b [%a], %v;
        ld.shared.32b %x, [@s];
        st.global.32b [%o], %x;
        }"
    .replace("0x0001_LOW", "0x00010000fffffffc");
    for engine in engines() {
        // All lanes store to one address: 3 is the third element.
        let kernel = Kernel::new(&body, 32, &[&[0; 4]]);
        assert_eq!(kernel.run(&*engine).stop, None);
        assert_eq!(kernel.words(0), [3], "{}", engine.name());
    }
}

/// A kernel whose lanes 0 to 3 do an atomic increment at generic addresses: lane 0 in the buffer, lanes 1 and 3 at `odd`,
/// lane 2 in shared memory.
fn atomic(odd: u64) -> String {
    format!(
        ".kernel @k(.param[8] %out) {{
        .shared .align 4 @s[4];
        .reg .64b %o, %a, %t; .reg .32b %x, %y; .pred %q;
        ld.param.64b %o, [%out];
        mov.64b %a, %o;
        and.32b %y, %laneid, 1;
        ucmp.eq.32b %q, %y, 1;
        mov.64b %t, {odd:#x};
        sel.64b %a, %t, %a, %q;
        ucmp.eq.32b %q, %laneid, 2;
        addrcast.generic.shared %t, @s;
        sel.64b %a, %t, %a, %q;
        iatom.generic.relaxed.inc.32b %x, [%a];
        }}"
    )
}

#[test]
fn lanes_below_the_one_that_stops_an_atomic_have_done_theirs() {
    // M-17: one lane after the other from the lowest. M-21 and M-13 stop lane 1, after lane 0 and before lanes 2 and 3.
    let misaligned = GENERIC_SHARED | 6;
    for (odd, reason) in [
        (GENERIC_PRIVATE | 4, StopReason::AtomicOnPrivate(GENERIC_PRIVATE | 4)),
        (misaligned, StopReason::Misaligned(misaligned, 4)),
    ] {
        for engine in engines() {
            let kernel = Kernel::new(&atomic(odd), 4, &[&[0; 4]]);
            let stop = kernel.run(&*engine).stop.expect("a stop");
            assert_eq!((&stop.reason, stop.lanes), (&reason, 1 << 1), "{}", engine.name());
            assert_eq!(kernel.words(0), [1], "{}", engine.name());
        }
    }
}

#[test]
fn straight_code_uses_fuel() {
    let mut body =
        String::from(".kernel @k(.param[8] %out) {\n.reg .64b %o; .reg .32b %x;\nmov.32b %x, 1;\n");
    body.push_str(&"iadd.32b %x, %x, 1;\n".repeat(24));
    body.push_str("ld.param.64b %o, [%out];\nst.global.32b [%o], %x;\n}");
    // 27 instructions.
    for engine in engines() {
        for (fuel, stops) in [(5, true), (26, true), (27, false), (28, false)] {
            for threads in [1, 2] {
                let mut kernel = Kernel::new(&body, 32, &[&[0; 4]]);
                (kernel.launch.fuel, kernel.launch.threads) = (fuel, threads);
                let stop = kernel.run(&*engine).stop.map(|stop| stop.reason);
                assert_eq!(stop, stops.then_some(StopReason::OutOfFuel(fuel)), "{} {fuel}", engine.name());
            }
        }
        // Two work-groups of two sub-groups: four times as many.
        for (fuel, stops) in [(107, true), (108, false)] {
            let mut kernel = Kernel::new(&body, 64, &[&[0; 4]]);
            (kernel.launch.fuel, kernel.launch.global[0]) = (fuel, 128);
            let stop = kernel.run(&*engine).stop.map(|stop| stop.reason);
            assert_eq!(stop, stops.then_some(StopReason::OutOfFuel(fuel)), "{} {fuel}", engine.name());
        }
    }
}

#[test]
fn what_no_linked_program_has_is_a_bug_of_the_engine() {
    let body = ".kernel @k() {\n.reg .32b %x;\nmov.32b %x, 1;\n}";
    for engine in engines() {
        let mut broken = module(body).expect("a module");
        // A `mov` without a source.
        broken.functions[0].code[0].operands[1] = pisa_module::Operand::Void;
        let outcome = Kernel::from_module(broken, 1, &[]).run(&*engine);
        let reason = outcome.stop.map(|stop| stop.reason);
        assert!(matches!(reason, Some(StopReason::Internal(_))), "{}: {reason:?}", engine.name());
    }
}
