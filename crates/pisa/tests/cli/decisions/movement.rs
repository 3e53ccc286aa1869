//! Data movement and conversion: rows D.

use super::Finding::{Departure, Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const CASES: &[Case] = &[
    Case("D-01", Body, "f2i.s32.f %w0, %w1;", &[Lint("W0110")]),
    Case("D-01", Body, "f2i.s32.f.rz %w0, %w1;\nf2i.u64.df.rna %d0, %d1;", &[]),
    Case("D-03", Body, "f2i.u8.f.rz %b0, %w1;", &[]),
    Case("D-03", Body, "f2i.u8.f.rz %w0, %w1;", &[Error("E0203")]),
    Case("D-04", Body, "f2i.u8.f.rz.ftz %b0, %w1;", &[Error("E0302")]),
    Case("D-10", Body, "mov.64b %v2d0.x, 0;", &[Departure("W0022")]),
    Case("D-10", Body, "mov.64b %v4w0.xy, 0x100000000;", &[Departure("W0022")]),
    Case("D-10", Body, "mov.64b %v4w0.xy, %w0;", &[Error("E0203")]),
    Case("D-10", Body, "mov.32b %v4w0.x, 0x100000000;", &[Error("E0212")]),
    Case("D-11", Body, "mov.128b %q0, 0;\nmov.128b %q1, -9223372036854775808;", &[]),
    Case(
        "D-12",
        Body,
        "mov.64b %v2w0.xy, %v4h0.xyzw;\nmov.128b %v4w0.xyzw, %v2d0.xy;\nmov.64b %d0, %v4h0.xyzw;\nmov.32b %v4h0.zw, %w0;",
        &[],
    ),
    Case("D-12", Body, "mov.32b %w0, %v4b0.xyzw;\nmov.16b %h0, %v4b0.xy;\nmov.8b %b0, %v4b0.w;", &[]),
    Case("D-12", Body, "mov.64b %v2w0.xy, %v4w0.xyzw;", &[Error("E0206")]),
    Case("D-12", Body, "mov.32b %v2w0.xy, %w0;", &[Error("E0206")]),
    Case("D-13", Body, "mov.64b %v8w0.zw, %d0;\nmov.128b %q0, %v6w0.xyzw;\nmov.64b %d0, %v3w0.xy;", &[]),
    Case("D-13", Body, "mov.64b %d0, %v3w0.zw;", &[Error("E0207")]),
    Case("D-13", Body, "mov.32b %w0, %v2w0.z;", &[Error("E0207")]),
    Case("D-13", Body, "mov.64b %d0, %v4w0.yz;", &[Error("E0207")]),
    Case("D-14", Body, "mov.64b %v2w0, %v2w1;", &[Error("E0217"), Error("E0217")]),
    Case("D-15", Body, "mov.64b %v4w0.zw, %v4w0.xy;", &[]),
    Case(
        "D-16",
        Body,
        "extract.2.v2.32b %v2w0, %v4w0;\nextract.0.v3.32b %v3w0, %v4w0;\nextract.3.v3.32b %v3w0, %v6w0;\ninsert.4.v4.32b %v8w0, %v4w0;",
        &[],
    ),
    Case("D-16", Body, "extract.1.v2.32b %v2w0, %v4w0;", &[Error("E0311")]),
    Case("D-16", Body, "extract.2.v3.32b %v3w0, %v6w0;", &[Error("E0311")]),
    Case("D-16", Body, "insert.1.v2.32b %v4w0, %v2w0;", &[Error("E0311")]),
    Case("D-16", Body, "extract.3.v3.32b %v3w0, %v4w0;", &[Error("E0312")]),
    Case("D-16", Body, "extract.4.32b %w0, %v4w0;", &[Error("E0310")]),
    Case("D-16", Body, "insert.64.32b %v4w0, %w0;", &[Error("E0302")]),
    Case("D-16", Body, "extract.3.32b %w0, %v4w0;\ninsert.63.32b %v8w0, %w0;", &[Error("E0310")]),
    Case("D-18", Body, "insert.1.32b %v4w0, %w0;\ninsert.dynamic.v4.32b %v4w0, %w0, %w1;", &[]),
    Case("D-18", Body, "insert.1.32b %v4w0.x, %w0;", &[Error("E0207")]),
    Case("D-19", Body, "extract.dynamic.v4.32b %w0, %v4w0, %w1;", &[]),
    Case("D-19", Body, "extract.dynamic.v4.32b %w0, %v2w0, %w1;", &[Error("E0205")]),
    Case("D-20", Body, "i2f.hf.u16.rz.dsat %h0, %h1;\ni2f.df.s64 %d0, %d1;", &[]),
    Case("D-20", Body, "i2f.hf.u16.ftz %h0, %h1;", &[Error("E0302")]),
    Case("D-21", Body, "pf2i.u16x2.hfx2 %v2h0, %v2h1;", &[Lint("W0110")]),
    Case("D-22", Body, "ftrunc2.hfx2.rz.ftz.dsat %v2h0, %w0, %w1;", &[]),
    Case(
        "D-23",
        Body,
        "zext.64b.8b %d0, %b0;\nsext.16b.8b %h0, -1;\ntrunc.8b.64b %b0, %d0;\ntrunc.32b.64b %w0, %d0;",
        &[],
    ),
    Case("D-23", Body, "zext.16b.32b %h0, %w0;", &[Error("E0313")]),
    Case("D-23", Body, "sext.32b.32b %w0, %w0;", &[Error("E0313")]),
    Case("D-23", Body, "trunc.32b.16b %w0, %h0;", &[Error("E0314")]),
    Case(
        "D-24",
        Body,
        "addrcast.generic.private %d0, @P;\naddrcast.generic.shared %d0, %w0;\naddrcast.shared.generic %w0, %d0;",
        &[],
    ),
    Case("D-24", Body, "addrcast.generic.shared %d0, %d1;", &[Error("E0203")]),
    Case("D-24", Body, "addrcast.shared.generic %d0, %d1;", &[Error("E0203")]),
    Case("D-24", Body, "addrcast.global.shared %d0, %w1;", &[Error("E0302")]),
    Case(
        "D-27",
        Body,
        "addrcast.generic.const %d0, @C;\naddrcast.global.generic %d1, %d0;\nisaddr.global %w0, %d0;",
        &[],
    ),
    Case("D-27", Body, "addrcast.const.generic %d1, %d0;", &[Error("E0302")]),
    Case("D-27", Body, "isaddr.const %w0, %d0;", &[Error("E0302")]),
    Case(
        "D-29",
        Body,
        "addrof.64b %d0, @G;\naddrof.32b %w0, @S;\naddrof.32b %w0, @P;\naddrof.64b %d0, @C;",
        &[],
    ),
    Case("D-29", Body, "addrof.64b %d0, @G + 4;", &[Error("E0102")]),
    Case("D-29", Body, "addrof.64b %d0, @S;", &[Error("E0226")]),
    Case("D-29", Body, "addrof.32b %w0, @G;", &[Error("E0226")]),
    Case("D-29", Body, "addrof.32b %w0, @f0;", &[Error("E0210")]),
    Case(
        "D-29",
        Module,
        ".import .global @X[4];\n.kernel @k() {\n  .reg .64b %d;\n  addrof.64b %d, @X;\n}",
        &[],
    ),
    Case(
        "D-30",
        Body,
        "sel.32b %w0, %w1, 7, %w2;\nsel.64b %d0, %d1, %d2, !%p0;\nsel.16b %h0, 1, 0, %p1;",
        &[],
    ),
    Case("D-30", Body, "sel.32b %w0, %w1, %w2, !%w3;", &[Error("E0210")]),
    Case("D-30", Body, "sel.64b %d0, %d1, %d2, %w2;", &[Error("E0203")]),
    Case("D-30", Body, "sel.f %w0, %w1, %w2, %p0;", &[Error("E0302")]),
];

#[test]
fn movement() {
    // The others say what an instruction computes.
    covers(CASES, "D", 30, &[2, 5, 6, 7, 8, 9, 17, 25, 26, 28]);
    check(CASES);
}
