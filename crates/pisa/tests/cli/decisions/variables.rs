//! Memory variables and their initialisers: rows V. Types of registers: rows T.

use super::Finding::{Departure, Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const VARIABLES: &[Case] = &[
    Case("V-01", Module, ".global .host_access(\"h\") .align 4 .section(\"s\") @A[4];", &[]),
    Case(
        "V-01",
        Module,
        ".export .const  .align 4  .section(\"s\") .host_access(\"h\") @A[4] = { .zero 4 };",
        &[],
    ),
    Case("V-01", Module, ".global .align 4 .align 8 @A[4];", &[Error("E0406")]),
    Case("V-01", Module, ".global @A[4] .align 4;", &[Error("E0102")]),
    Case("V-01", Module, ".global .volatile @A[4];", &[Error("E0106")]),
    Case("V-01", Module, ".global .reqd_work_group_size(1,1,1) @A[4];", &[Error("E0407")]),
    Case("V-02", Module, ".global @A[0x10];\n.global @B[16];", &[]),
    Case("V-02", Module, ".global @A[0];", &[Error("E0404")]),
    Case("V-02", Module, ".global @A[-4];", &[Error("E0102")]),
    Case("V-02", Module, ".global @A[2+2];", &[Error("E0102")]),
    Case("V-02", Module, ".global @A[];", &[Error("E0102")]),
    Case("V-02", Module, ".global @A;", &[Error("E0403")]),
    Case("V-03", Module, ".global .align 1 @A[4];\n.global .align 4096 @B[4];", &[]),
    Case("V-03", Module, ".global .align 0 @A[4];", &[Error("E0405")]),
    Case("V-03", Module, ".global .align 3 @A[4];", &[Error("E0405")]),
    Case("V-03", Module, ".global .align 8192 @A[4];", &[Error("E0405")]),
    Case("V-03", Module, ".global .align(4) @A[4];", &[Error("E0131")]),
    Case("V-04", Body, ".private @A[8];\nld.private.32b %w0, [@A + 4];", &[Lint("W0117")]),
    Case("V-04", Body, "ld.private.32b %w0, [@P + 2];", &[Lint("W0117")]),
    Case(
        "V-04",
        Body,
        ".private @A[8];\nld.private.8b %b0, [@A + 1];\nld.private.v4.32b %v4w0, [@P + 4];",
        &[],
    ),
    Case("V-04", Body, ".private .align 2 @A[8];\nld.private.v2.16b %v2h0, [@A];", &[Lint("W0117")]),
    Case("V-05", Module, ".global .align 8 @A = { .32b 1, .zero 4 };", &[Departure("W0023")]),
    Case("V-06", Body, ".shared .16b @A[100];\nld.shared.16b %h0, [@A + 98];", &[Departure("W0024")]),
    Case("V-06", Body, ".private .16b @A[64];", &[Departure("W0024")]),
    Case("V-07", Module, ".global @A[1] = { .8b 300 };", &[Lint("W0118")]),
    Case("V-07", Module, ".global @A[2] = { .8b -128, .8b 255 };", &[]),
    Case("V-07", Module, ".global @A[1] = { .8b -129 };", &[Lint("W0118")]),
    Case("V-07", Module, ".const .align 4 @A[4] = { .32b 0xFFFFFFFFFFFFFFFF };", &[Lint("W0118")]),
    Case("V-08", Module, ".global @A[1] = { .8b 1, };", &[Error("E0119")]),
    Case("V-08", Module, ".global @A[1] = { };", &[Error("E0120")]),
    Case("V-08", Module, ".global @A[2] = { .8b 1, { .8b 2 } };", &[Error("E0121")]),
    Case("V-08", Module, ".global @A[16] = { .128b 1 };", &[Error("E0411")]),
    Case("V-08", Module, ".global @A[4] = { 1 };", &[Error("E0127")]),
    Case("V-09", Module, ".global @B[8] = { .32b @A, .zero 4 };\n.global @A[4];", &[Error("E0413")]),
    Case(
        "V-09",
        Module,
        ".global @B[32] = { .64b @A, .64b @A+4, .64b @A + 0x4, .64b @f };\n.import .global @A[8];\n.import .function void @f();",
        &[],
    ),
    Case("V-09", Module, ".global @B[8] = { .64b @A-4 };\n.global @A[8];", &[Departure("W0021")]),
    Case("V-09", Module, ".global @B[8] = { .64b @A - 4 };\n.global @A[8];", &[Departure("W0021")]),
    Case("V-09", Module, ".global @B[8] = { .64b @f+4 };\n.function void @f() {\n}", &[Error("E0414")]),
    Case("V-09", Module, ".global @B[8] = { .64b @nothing };", &[Error("E0202")]),
    Case("V-09", Module, ".global @B[8] = { .64b @k };\n.kernel @k() {\n}", &[Error("E0416")]),
    Case("V-09", Module, ".global @B[8] = { .64b @B };", &[]),
    Case("V-10", Module, ".const @A[4];", &[Error("E0408")]),
    Case("V-10", Module, ".import .const .align 4 @A[4];", &[]),
    Case("V-10", Module, ".import .const @A[4] = { .zero 4 };", &[Error("E0409")]),
    Case("V-10", Module, ".import .global @A[4] = { .zero 4 };", &[Error("E0409")]),
    Case("V-11", Body, ".const @L[4];", &[Error("E0408")]),
    Case("V-11", Body, ".const .align 4 @L[4] = { .32b 1 };\nld.const.32b %w0, [@L];", &[]),
    Case("V-11", Body, ".private @L[4] = { .32b 1 };", &[Error("E0409")]),
    Case("V-11", Body, ".shared @L[4] = { .32b 1 };", &[Error("E0409")]),
    Case("V-12", Body, ".private @L[4];\n.private @L[8];", &[Error("E0223")]),
    Case("V-12", Module, ".global @A[4];\n.global @A[4];", &[Error("E0223")]),
    Case(
        "V-12",
        Module,
        ".function void @a() {\n  .private @R0[4];\n}\n.function void @b() {\n  .private @R0[8];\n}",
        &[],
    ),
    Case("V-12", Body, "{\n  .private @L[4];\n}\n{\n  .private @L[8];\n}", &[]),
    Case("V-12", Body, ".private @G[4];", &[Lint("W0119")]),
    Case("V-14", Body, "st.global.8b [@C], %b0;", &[Error("E0420")]),
    Case("V-14", Body, "iatom.global.add.32b %w0, [@C], %w1;", &[Error("E0420")]),
    Case("V-14", Body, "st.const.32b [@C], %w0;", &[Error("E0302")]),
    Case("V-15", Module, ".function void @f() {\n  .const @L[4] = { .32b 1 };\n}", &[]),
    Case("V-16", Module, ".function void @f() {\n  .private @L[4];\n  {\n    .private @L2[4];\n  }\n}", &[]),
    Case("V-16", Module, ".private @L[4];", &[Error("E0401")]),
    Case("V-16", Module, ".shared @L[4];", &[Error("E0401")]),
    Case("V-16", Body, ".global @L[4];", &[Error("E0402")]),
    Case("V-17", Module, ".function void @f() {\n  .shared @L[4];\n}", &[Lint("W0125")]),
    Case(
        "V-18",
        Module,
        ".kernel @k(.param[4] .addrspace(shared) %a, .param[8] .addrspace(shared) %b) {\n}",
        &[],
    ),
    Case(
        "V-19",
        Module,
        ".global .host_access(\"h\") @A[4];\n.global .host_access(\"h\") @B[4];",
        &[Error("E0417")],
    ),
    Case("V-20", Body, ".pred .v2 %pp;", &[Error("E0130")]),
    Case("V-20", Body, ".pred .32b %pp;", &[Error("E0130")]),
    Case("V-20", Body, "mov.8b %b0, %p0;", &[Error("E0210")]),
    Case("V-20", Body, "ucmp.eq.32b %p0, %p1, 1;", &[Error("E0210")]),
    Case("V-20", Body, "goto.cond 1, L;\nL:", &[Error("E0211")]),
    Case("V-20", Body, "st.private.8b [@P], %p0;", &[Error("E0210")]),
    Case(
        "V-21",
        Module,
        ".const @A[0x10] = { .zero 0x4, .32b 1, .zero 8 };\n.global @B[5] = { .zero 5 };",
        &[],
    ),
    Case("V-21", Module, ".global @A[4] = { .zero 0, .32b 1 };", &[Error("E0415")]),
    Case("V-21", Module, ".global @A[4] = { .zero 8 };", &[Error("E0410")]),
    Case("V-22", Module, ".global @A[8] = { .32b 1 };", &[Error("E0410")]),
    Case("V-22", Module, ".global @A[2] = { .32b 1 };", &[Error("E0410")]),
];

const TYPES: &[Case] = &[
    Case("T-01", Body, "iadd.16bx2 %v2h0, %v2h1, %w2;", &[Error("E0204")]),
    Case("T-01", Body, "iadd.8bx4 %v2h0, %v4b1, %v4b2;", &[Error("E0204")]),
    Case("T-01", Body, "iadd.8bx4 %v4b0, %v4b1, %v4b2;\nfadd.bfx2 %v2h0, %v2h1, %v2h2;", &[]),
    Case("T-02", Body, "iadd.16bx2 %v2h0, %v2h1, %v2h2;\nfadd.hfx2 %v2h0, %v2h0, %v2h2;", &[]),
    Case("T-03", Body, ".reg .v1.32b %x;", &[Error("E0222")]),
    Case("T-03", Body, ".reg .v8.64b %x;", &[Error("E0222")]),
    Case("T-03", Body, ".reg .v2.128b %x;", &[Error("E0222")]),
    Case("T-03", Body, ".reg .v5.16b %x;", &[Error("E0222")]),
    Case("T-03", Body, ".reg .f %x;", &[Error("E0222")]),
    Case(
        "T-03",
        Body,
        ".reg .v5.32b %x;\n.reg .v7.32b %y;\n.reg .v16.32b %z;\n.reg .v32.32b %u;\n.reg .v64.32b %v;",
        &[],
    ),
    Case("T-03", Body, ".reg .v2.8b %x;\n.reg .v3.8b %y;\n.reg .v3.16b %z;\n.reg .v4.64b %u;", &[]),
    Case("T-04", Body, ".reg .128b %x;\nmov.128b %x, %q0;\niatom.global.xchg.128b %x, [@G], %q1;", &[]),
    Case("T-04", Body, "iadd.128b %q0, %q1, %q2;", &[Error("E0302")]),
    Case("T-05", Body, "iadd.32b %v2w0, %v2w1, %v2w2;", &[Error("E0217"), Error("E0217"), Error("E0217")]),
    Case("T-05", Body, "iadd.32b %w0, %v2w0.x, %v2w0.y;", &[]),
    Case("T-06", Body, "pf2i.u16x2.hfx2.rz %v2h0, %v2h1;", &[]),
    Case("T-06", Body, "iadd.u16x2 %v2h0, %v2h1, %v2h2;", &[Error("E0302")]),
    Case("T-08", Body, "iadd.32b %w0, %w0, %w0;\nmov.64b %v4w0.zw, %v4w0.xy;", &[]),
];

#[test]
fn variables() {
    // V-13: what a variable without an initialiser holds.
    covers(VARIABLES, "V", 22, &[13]);
    check(VARIABLES);
}

#[test]
fn types() {
    // T-07: the order of elements in memory.
    covers(TYPES, "T", 8, &[7]);
    check(TYPES);
}
