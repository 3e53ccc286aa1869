//! Random control flow: jumps anywhere, calls, indirect calls, recursion, barriers, returns.

use crate::common::Random;
use std::fmt::Write;

/// Functions of a program besides the kernel.
const FUNCTIONS: usize = 3;

/// A body: blocks that stir `%acc`, count down `%left` and go on somewhere.
fn body(random: &mut Random, end: &str, calls: bool) -> String {
    let mut text = String::new();
    let blocks = 2 + random.below(7);
    for block in 0..blocks {
        writeln!(text, "L{block}:").unwrap();
        // So that every path ends.
        writeln!(text, "ucmp.eq.32b %p, %left, 0;\ngoto.cond %p, END;\nisub.32b %left, %left, 1;").unwrap();
        for _ in 0..random.below(4) {
            stir(random, &mut text);
        }
        if calls && random.below(3) == 0 {
            call(random, &mut text);
        }
        let (bit, target) = (random.below(32), random.below(blocks));
        match random.below(8) {
            0 => writeln!(text, "goto L{target};").unwrap(),
            1 => {}
            2 => {
                writeln!(text, "and.32b %t, %acc, 0x{:x};\nucmp.eq.32b %p, %t, 0;", 7u64 << (bit / 2))
                    .unwrap();
                writeln!(text, "return.cond %p{end};").unwrap();
            }
            _ => {
                let not = if random.below(2) == 0 { "!" } else { "" };
                writeln!(text, "and.32b %t, %acc, 0x{:x};\nucmp.eq.32b %p, %t, 0;", 1u64 << bit).unwrap();
                writeln!(text, "goto.cond {not}%p, L{target};").unwrap();
            }
        }
    }
    writeln!(text, "END:").unwrap();
    text
}

fn stir(random: &mut Random, text: &mut String) {
    match random.below(11) {
        0..=2 => {
            writeln!(text, "mov.32b %t, %activemask;\nxor.32b %acc, %acc, %t;").unwrap();
            writeln!(
                text,
                "umad.32b %acc, %acc, 0x{:x}, 0x{:x};",
                random.next() as u32 | 1,
                random.next() as u32
            )
            .unwrap();
        }
        3 => writeln!(text, "iadd.32b %acc, %acc, %laneid;").unwrap(),
        4 => writeln!(text, "ired.sum.32b %t, %acc, 0x{:x};\nxor.32b %acc, %acc, %t;", random.next() as u32)
            .unwrap(),
        5 => writeln!(
            text,
            "shfl.xor.32b %t, %acc, {}, 0xffffffff;\niadd.32b %acc, %acc, %t;",
            random.below(32)
        )
        .unwrap(),
        6 => writeln!(text, "bfrev.32b %acc, %acc;").unwrap(),
        7 => writeln!(text, "barrier.workgroup;").unwrap(),
        // The order of lanes that are apart shows in a counter of their sub-group.
        8 | 9 => writeln!(
            text,
            "shr.32b %t, %localid.x, 5;\nshl.32b %t, %t, 2;\nzext.64b.32b %h, %t;
            iatom.global.inc.32b %t, [@counters + %h];\numad.32b %acc, %acc, 3, %t;"
        )
        .unwrap(),
        _ => writeln!(text, "shf.l.32b %acc, %acc, %acc, {};", random.below(32)).unwrap(),
    }
}

fn call(random: &mut Random, text: &mut String) {
    let f = random.below(FUNCTIONS);
    let cond = if random.below(2) == 0 {
        writeln!(text, "and.32b %t, %acc, 0x{:x};\nucmp.eq.32b %p, %t, 0;", 1u64 << random.below(32))
            .unwrap();
        (".cond", "%p, ")
    } else {
        ("", "")
    };
    // The callee gets half of what is left, so that recursion ends.
    writeln!(text, "shr.32b %half, %left, 1;").unwrap();
    if random.below(3) == 0 {
        let g = random.below(FUNCTIONS);
        writeln!(text, "addrof.64b %h, @f{f};\naddrof.64b %h2, @f{g};").unwrap();
        writeln!(
            text,
            "and.32b %t, %acc, {};\nucmp.eq.32b %q, %t, 0;\nsel.64b %h, %h, %h2, %q;",
            1 << random.below(5)
        )
        .unwrap();
        writeln!(text, "call{} {}%acc, %h(%acc, %half);", cond.0, cond.1).unwrap();
    } else {
        writeln!(text, "call{} {}%acc, @f{f}(%acc, %half);", cond.0, cond.1).unwrap();
    }
}

const REGISTERS: &str = ".reg .32b %t, %half; .reg .64b %h, %h2; .pred %p, %q;";

/// A program whose kernel writes `%acc` of every work-item.
pub fn program(random: &mut Random) -> String {
    let mut text = String::from(".global .align 4 @counters[128] = {.zero 128};\n");
    for f in 0..FUNCTIONS {
        let body = body(random, ", %acc", true);
        writeln!(
            text,
            ".function .32b @f{f}(.reg .32b %acc, .reg .32b %left) {{\n{REGISTERS}\n{body}return %acc;\n}}"
        )
        .unwrap();
    }
    let left = 8 + random.below(40);
    writeln!(
        text,
        ".kernel @k(.param[8] %o) {{\n{REGISTERS} .reg .32b %acc, %left, %b; .reg .64b %out, %d;
        mov.32b %acc, %localid.x;
        umad.32b %acc, %acc, 0x9e3779b9, 0x85ebca6b;
        mov.32b %left, {left};
        shl.32b %b, %localid.x, 2;
        zext.64b.32b %d, %b;
        ld.param.64b %out, [%o];
        iadd.64b %out, %out, %d;
        {}st.global.32b [%out], %acc;\n}}",
        body(random, "", true)
    )
    .unwrap();
    text
}

#[test]
fn control_flow() {
    let mut failures = Vec::new();
    for seed in 0..600 * crate::effort() {
        let mut random = Random(seed);
        let text = program(&mut random);
        let size = random.pick(&[1, 32, 33, 64, 100, 256]);
        let output = vec![0xEE; 4 * size as usize];
        if let Err(error) = crate::compare(&text, size, 1, &[&output]) {
            failures.push(format!("seed {seed}, {size} work-items: {error}\n{text}"));
        }
    }
    let count = failures.len();
    failures.truncate(2);
    assert!(failures.is_empty(), "{count} programs\n{}", failures.join("\n"));
}
