//! Literals: rows I.

use super::Finding::{Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const CASES: &[Case] = &[
    Case("I-01", Body, "shl.64b %d0, %d1, 0x100000000;", &[Error("E0212")]),
    Case("I-01", Body, "shl.64b %d0, %d1, -1;", &[Lint("W0115")]),
    Case("I-01", Body, "shl.16b %h0, %h1, 0x1000f;", &[Lint("W0115")]),
    Case("I-01", Body, "umul.full.32b %d0, %w0, 0xffffffff;", &[]),
    Case("I-01", Body, "umul.full.32b %d0, %w0, 0x1ffffffff;", &[Error("E0212")]),
    Case("I-01", Body, "ired.sum.16b %h0, %h1, 0xffffffff;", &[]),
    Case("I-01", Body, "mov.32b %w0, 4294967295;\nmov.32b %w0, -2147483648;", &[]),
    Case("I-01", Body, "mov.32b %w0, 4294967296;", &[Error("E0212")]),
    Case("I-01", Body, "mov.32b %w0, -2147483649;", &[Error("E0212")]),
    Case("I-01", Body, "mov.16b %h0, 65536;", &[Error("E0212")]),
    Case("I-01", Body, "mov.8b %b0, 255;\nmov.8b %b0, -128;", &[]),
    Case("I-01", Body, "mov.8b %b0, 256;", &[Error("E0212")]),
    Case("I-01", Body, "ucmp.eq.64b %p0, %d0, 0xffffffffffffffff;", &[]),
    Case("I-02", Body, "umax.16b %h0, %h1, -1;\nsmax.16b %h0, %h1, 65535;\ni2f.f.u8 %w0, -1;", &[]),
    Case("I-03", Body, "mov.64b %d0, 18446744073709551615;", &[]),
    Case("I-03", Body, "mov.64b %d0, 18446744073709551616;", &[Error("E0212")]),
    Case("I-03", Body, "mov.64b %d0, -9223372036854775808;", &[]),
    Case("I-03", Body, "mov.64b %d0, -9223372036854775809;", &[Error("E0212")]),
    Case("I-03", Module, ".global @A[8] = { .64b 18446744073709551615 };", &[]),
    Case("I-04", Body, "mov.32b %w0, -0x1;\nmov.32b %w0, 010;\nmov.32b %w0, -1;", &[]),
    Case("I-04", Body, "mov.32b %w0, +1;", &[Error("E0111")]),
    Case("I-04", Body, "mov.32b %w0, 1_000;", &[Error("E0109")]),
    Case("I-04", Body, "mov.32b %w0, 0b11;", &[Error("E0109")]),
    Case("I-04", Body, "mov.32b %w0, 0x;", &[Error("E0109")]),
    Case(
        "I-05",
        Body,
        "fadd.f %w0, %w1, 4.2;\nfadd.f %w0, %w1, -4.2e-3;\nfadd.f %w0, %w1, 1.;\nfadd.f %w0, %w1, 1.5E+2;\nfadd.f %w0, %w1, 1.e2;",
        &[],
    ),
    Case("I-05", Body, "fadd.f %w0, %w1, .5;", &[Error("E0110")]),
    Case("I-05", Body, "fadd.f %w0, %w1, inf;", &[Error("E0110")]),
    Case("I-05", Body, "fadd.f %w0, %w1, nan;", &[Error("E0110")]),
    Case(
        "I-06",
        Body,
        "fadd.f %w0, %w1, 0xBF800000;\nfadd.hf %h0, %h1, 0x3c00;\nfadd.df %d0, %d1, 0x3FF0000000000000;",
        &[],
    ),
    Case("I-06", Body, "fadd.f %w0, %w1, 0x0;", &[Lint("W0123")]),
    Case("I-06", Body, "fadd.f %w0, %w1, 0x00000000F;", &[Error("E0215")]),
    Case("I-06", Body, "fadd.bf %h0, %h1, 0x00003;", &[Error("E0215")]),
    Case("I-07", Body, "fadd.f %w0, %w1, 1;", &[Error("E0213")]),
    Case("I-07", Body, "fcmp.eq.f %p0, %w1, -1;", &[Error("E0213")]),
    Case("I-08", Body, "mov.32b %w0, 1.0;", &[Error("E0214")]),
    Case("I-08", Body, "sel.32b %w0, 1.0, %w1, %p0;", &[Error("E0214")]),
    Case("I-08", Body, "iadd.32b %w0, %w1, 1.5;", &[Error("E0214")]),
    Case("I-08", Module, ".function .32b @f() {\n  return 1.0;\n}", &[Error("E0214")]),
    Case("I-08", Module, ".global @A[4] = { .32b 1.0 };", &[Error("E0412")]),
    Case("I-09", Body, "fadd.f %w0, %w1, 1.0e39;", &[Lint("W0124")]),
    Case("I-09", Body, "fadd.hf %h0, %h1, 65519.0;\nfadd.f %w0, %w1, 3.4028235e38;", &[]),
    Case("I-09", Body, "fadd.hf %h0, %h1, 65520.0;", &[Lint("W0124")]),
    Case("I-09", Body, "fadd.df %d0, %d1, 1.0e400;", &[Lint("W0124")]),
    Case("I-10", Body, "mov.128b %q0, -1;\nmov.128b %q0, 0xffffffffffffffff;", &[]),
    Case("I-11", Body, "shl.16bx2 %v2h0, %v2h1, 0x00030003;", &[]),
    Case("I-11", Body, "iadd.16bx2 %v2h0, %v2h1, 1;", &[Error("E0211")]),
    Case("I-11", Body, "fadd.hfx2 %v2h0, %v2h1, 1.0;", &[Error("E0211")]),
    Case("I-12", Body, "ired.sum.32b %w0, 1, 0xffffffff;", &[Error("E0211")]),
    Case("I-12", Body, "shfl.up.32b %w0, 1, 1, 0xffffffff;", &[Error("E0211")]),
    Case("I-12", Body, "ftrunc2.hfx2 %v2h0, 1.0, %w1;", &[Error("E0211")]),
    Case("I-12", Body, "iatom.global.add.32b %w0, [@G], 1;", &[Error("E0211")]),
    Case("I-12", Body, "sel.32b %w0, %w1, %w2, 1;", &[Error("E0211")]),
    Case("I-12", Body, "extract.dynamic.v4.32b %w0, %v4w0, 1;", &[Error("E0211")]),
    Case("I-12", Body, "isaddr.shared %w0, 1;", &[Error("E0211")]),
    Case("I-12", Body, "st.global.32b [@G], 1;", &[Error("E0211")]),
    Case("I-12", Body, "fred.min.f %w0, 1.0, 0xffffffff;", &[Error("E0211")]),
    Case("I-13", Body, "iadd.16b %h0, %h1, 0x10000;", &[Error("E0212")]),
    Case("I-13", Module, ".global @A[2] = { .16b 0x10001 };", &[Lint("W0118")]),
];

#[test]
fn literals() {
    covers(CASES, "I", 13, &[]);
    check(CASES);
}
