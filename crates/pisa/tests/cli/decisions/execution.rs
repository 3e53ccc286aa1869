//! Special registers, sub-group instructions, arithmetic and shifts: rows R, S, A, B and P.

use super::Finding::{Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const SPECIAL: &[Case] = &[
    Case(
        "R-01",
        Body,
        "mov.32b %w0, %localid.x;\nmov.32b %w1, %groupcount.y;\nmov.32b %w2, %localsize.z;\nmov.32b %w0, %enqueuedlocalsize.x;",
        &[],
    ),
    Case("R-01", Body, "mov.32b %w0, %localid;", &[Error("E0208")]),
    Case("R-01", Body, "mov.32b %w0, %localid.w;", &[Error("E0208")]),
    Case("R-01", Body, "mov.64b %d0, %localid.xy;", &[Error("E0208")]),
    Case("R-01", Body, "extract.0.32b %w0, %localid;", &[Error("E0208")]),
    Case("R-01", Body, "mov.32b %w0, %laneid.x;", &[Error("E0208")]),
    Case("R-02", Body, "mov.64b %d0, %globalsize.x;\nmov.64b %d0, %globaloffset.z;", &[]),
    Case("R-02", Body, "mov.32b %w0, %globalsize.x;", &[Error("E0203")]),
    Case("R-03", Body, "mov.32b %laneid, 1;", &[Error("E0209")]),
    Case("R-03", Body, "mov.32b %localid.x, 1;", &[Error("E0209")]),
    Case("R-03", Body, "iadd.32b %activemask, %w0, %w1;", &[Error("E0209")]),
    Case("R-03", Body, "call %laneid, @f1(%w0);", &[Error("E0209")]),
    Case("R-06", Body, "mov.64b %d0, %printfbuffer;\nld.global.32b %w0, [%printfbuffer + 4];", &[]),
    Case("R-07", Body, "mov.32b %w0, %workdim;\nmov.32b %w0, %subgroupsize;", &[]),
    Case(
        "R-08",
        Body,
        "ld.shared.32b %w0, [%laneid];\nld.shared.32b %w0, [%w1 + %laneid];\nired.sum.32b %w0, %laneid, %activemask;\nshfl.idx.32b %w0, %laneid, %laneid, -1;\niatom.shared.add.32b %w0, [@S], %laneid;\nst.global.32b [@G], %localid.x;",
        &[],
    ),
    Case("R-08", Module, ".function .32b @f() {\n  return %laneid;\n}", &[]),
];

const SUB_GROUP: &[Case] = &[
    Case("S-05", Body, "redfirstidx.32b %w0, 0;", &[Lint("W0111")]),
    Case("S-05", Body, "redfirstidx.32b %w0, 0xffff;", &[]),
    Case("S-08", Body, "shfl.dn.sg.32b %w0, %w1, 0x00180002, 0xffffffff;", &[Lint("W0112")]),
    Case("S-08", Body, "shfl.dn.sg.32b %w0, %w1, 0x00181f02, 0xffffffff;", &[]),
    Case("S-09", Body, "shfl.idx.sg.32b %w0, %w1, 0x00081f02, -1;", &[Lint("W0113")]),
    Case("S-25", Body, "fred.min.df %d0, %d1, -1;", &[Error("E0302")]),
    Case("S-27", Body, "ired.sum.16b %w0, %w1, -1;", &[Error("E0203"), Error("E0203")]),
    Case("S-27", Body, "ired.sum.16b %h0, %h1, %h2;", &[Error("E0203")]),
    Case("S-30", Body, "ired.sum.64b %d0, %d1, -1;", &[Error("E0302")]),
    Case("S-30", Body, "ired.sum.16bx2 %v2h0, %v2h1, -1;", &[Error("E0302")]),
    Case("S-24", Body, "fred.absmax.nanp.bfx2 %v2h0, %v2h1, 0xffff;", &[]),
];

const ARITHMETIC: &[Case] = &[
    Case("A-04", Body, "isub.8bx4 %v4b0, %v4b1, %v4b2;", &[Error("E0302")]),
    Case("A-07", Body, "udiv.quo.32b %w0, %w1, 0;\nsdiv.64b %d0, %d1, 0;", &[Lint("W0114"), Lint("W0114")]),
    Case("A-08", Body, "sdiv.32b %w0, %w1, %w2;\nudiv.rem.16b %h0, %h1, 3;", &[]),
    Case("A-10", Body, "dp4a.uu.dsat.32b %w0, %w1, %w2, %w3;", &[Error("E0306")]),
    Case("A-14", Body, "uaddc.ci.co.32b %w0, %p0, %w1, %w2, %p0;\nuaddc.co.32b %w0, %p0, %w1, 1;", &[]),
    Case("A-14", Body, "uaddc.ci.co.32b %w0, %p0, %w1, %w2, !%p0;", &[Error("E0216")]),
    Case("A-15", Body, "umad.16bx2 %v2h0, %v2h1, %v2h2, %v2h3;", &[Error("E0302")]),
    Case("A-16", Body, "umax.8bx4 %v4b0, %v4b1, %v4b2;", &[Error("E0302")]),
    Case("A-16", Body, "smax.8bx4 %v4b0, %v4b1, %v4b2;\numin.16bx2 %v2h0, %v2h1, %v2h2;", &[]),
    Case("A-17", Body, "usubb.co.32b %w0, %p0, %w1, %w2;", &[Error("E0301")]),
    Case("A-17", Body, "bfe.32b %w0, %w1, %w2, %w3;", &[Error("E0301")]),
    Case("A-17", Body, "lifetime.start %w3;", &[super::Finding::Departure("W0013")]),
    Case("B-01", Body, "shl.32b %w0, %w1, 32;\nasr.16b %h0, %h1, 16;", &[Lint("W0115"), Lint("W0115")]),
    Case("B-01", Body, "shl.32b %w0, %w1, 31;\nshr.64b %d0, %d1, 63;", &[]),
    Case("B-02", Body, "shl.16b %h0, %h1, 0xffff0001;", &[Lint("W0115")]),
    Case("B-02", Body, "shl.64b %d0, %d1, %d2;", &[Error("E0203")]),
    Case("B-03", Body, "shl.16bx2 %v2h0, %v2h1, 3;", &[Lint("W0116")]),
    Case("B-03", Body, "shl.16bx2 %v2h0, %v2h1, 0;\nshl.16bx2 %v2h0, %v2h1, 0x00030003;", &[]),
    Case("B-07", Body, "bfn.0xFe.32b %w0, %w1, %w2, %w3;\nbfn.0x01.32b %w0, %w1, %w2, %w3;", &[]),
    Case("B-07", Body, "bfn.0x00.32b %w0, %w1, %w2, %w3;", &[Error("E0317")]),
    Case("B-07", Body, "bfn.0xff.32b %w0, %w1, %w2, %w3;", &[Error("E0317")]),
    Case("B-07", Body, "bfn.0x1.32b %w0, %w1, %w2, %w3;", &[Error("E0317")]),
    Case("B-07", Body, "bfn.254.32b %w0, %w1, %w2, %w3;", &[Error("E0302")]),
    Case("B-09", Body, "cbit.64b %d0, %d1;", &[Error("E0302")]),
    Case("B-10", Body, "and.16bx2 %v2h0, %v2h1, %v2h2;", &[Error("E0302")]),
    Case("B-10", Body, "not.32b %p0, %p1;", &[Error("E0210"), Error("E0210")]),
    Case("P-12", Body, "fmax.ftz.dsat.nanp.f %w0, %w1, %w2;", &[]),
    Case("P-12", Body, "fmax.nanp.ftz.f %w0, %w1, %w2;", &[Error("E0303")]),
    Case(
        "P-16",
        Body,
        "fcmp.lt.df %w0, %d1, %d2;\nucmp.lt.16b %w0, %h1, %h2;\nscmp.lt.64b %p0, %d1, %d2;",
        &[],
    ),
    Case("P-16", Body, "fcmp.lt.df %d0, %d1, %d2;", &[Error("E0203")]),
    Case("P-23", Body, "frsqrt.f %w0, %w1;", &[Error("E0304")]),
    Case("P-23", Body, "frsqrt.fast.f %w0, %w1;", &[]),
];

#[test]
fn special_registers() {
    // what they hold.
    covers(SPECIAL, "R", 9, &[4, 5, 9]);
    check(SPECIAL);
}

#[test]
fn sub_group_instructions() {
    check(SUB_GROUP);
}

#[test]
fn arithmetic() {
    check(ARITHMETIC);
}
