//! Addresses, memory, atomics and synchronisation: rows Z, M and Y.

use super::Finding::{Departure, Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const ADDRESSES: &[Case] = &[
    Case(
        "Z-01",
        Body,
        "ld.global.32b %w0, [%d0];\nld.shared.32b %w0, [@S];\nst.private.32b [%w1], %w0;",
        &[],
    ),
    Case("Z-01", Body, "iatom.shared.add.32b %w0, [%w1], %w2;\nfatom.global.add.f %w0, [@G], %w2;", &[]),
    Case(
        "Z-02",
        Body,
        "ld.global.32b %w0, [%d0 + %d1];\nld.shared.32b %w0, [%w1 + -4];\nld.global.32b %w0, [@G + %d1];",
        &[],
    ),
    Case(
        "Z-03",
        Body,
        "ld.shared.32b %w0, [@S + %w1];\nld.private.32b %w0, [@P + 60];\nld.const.32b %w0, [@C + %d0];",
        &[],
    ),
    Case("Z-04", Body, "ld.global.32b %w0, [%v2d0.x];\nld.shared.32b %w0, [%v4w0.w + 4];", &[]),
    Case("Z-04", Body, "ld.global.32b %w0, [%d0 + %v2d0.x];", &[Departure("W0025")]),
    Case("Z-04", Body, "ld.global.32b %w0, [%v2d0];", &[Error("E0217")]),
];

const MEMORY: &[Case] = &[
    Case("M-01", Body, "ld.32b %w0, [%d0];\nst.32b [%d0], %w0;\nld.v4.32b %v4w0, [%d0];", &[]),
    Case("M-01", Body, "ld.32b %w0, [%w1];", &[Error("E0224")]),
    Case("M-02", Body, "ld.shared.L1c.L2c.L3c.16b %h0, [@S];", &[Departure("W0017")]),
    Case(
        "M-02",
        Body,
        "st.shared.L1uc.L2uc.L3uc.32b [@S], %w0;\niatom.shared.uc.add.32b %w0, [@S], %w1;",
        &[Departure("W0017"), Departure("W0017")],
    ),
    Case("M-02", Body, "fatom.shared.L2wb.add.f %w0, [@S], %w1;", &[Departure("W0017")]),
    Case(
        "M-02",
        Body,
        "ld.shared.relaxed.uc.32b %w0, [@S];\nst.shared.relaxed.L3wb.32b [@S], %w0;",
        &[Departure("W0017"), Departure("W0017")],
    ),
    Case("M-03", Body, "ld.global.v3.64b %v3d0, [%d0];\nst.global.v3.32b [%d0], %v3w0;", &[]),
    Case("M-03", Body, "ld.global.v8.32b %v8w0, [%d0];", &[]),
    Case("M-03", Body, ".reg .v3.16b %x;\nld.global.v3.16b %x, [%d0];", &[Error("E0308")]),
    Case(
        "M-04",
        Body,
        "ld.global.acquire.32b %w0, [%d0];\nst.global.release.32b [%d0], %w0;",
        &[Departure("W0018"), Departure("W0018")],
    ),
    Case("M-04", Body, "ld.shared.seq_cst.32b %w0, [@S];", &[Departure("W0018")]),
    Case("M-04", Body, "iatom.global.acq_rel.add.32b %w0, [@G], %w1;", &[Departure("W0018")]),
    Case("M-04", Body, "fatom.global.acquire.add.f %w0, [@G], %w1;", &[Departure("W0018")]),
    Case(
        "M-04",
        Body,
        "ld.global.acquire.gpu.32b %w0, [%d0];\nst.global.seq_cst.system.32b [%d0], %w0;",
        &[],
    ),
    Case("M-05", Body, "ld.generic.acquire.gpu.64b %d0, [%d1];", &[Departure("W0019")]),
    Case(
        "M-05",
        Body,
        "st.shared.relaxed.64b [@S], %d0;\nld.relaxed.64b %d0, [%d1];",
        &[Departure("W0019"), Departure("W0019")],
    ),
    Case(
        "M-05",
        Body,
        "ld.global.relaxed.64b %d0, [%d1];\nld.shared.relaxed.128b %q0, [@S];\nst.relaxed.128b [%d0], %q0;",
        &[],
    ),
    Case("M-05", Body, "ld.generic.acquire.64b %d0, [%d1];", &[Departure("W0018"), Departure("W0019")]),
    Case("M-06", Body, "iatom.global.gpu.add.32b %w0, [@G], %w1;", &[Error("E0307")]),
    Case("M-06", Body, "iatom.global.relaxed.gpu.add.32b %w0, [@G], %w1;", &[Error("E0307")]),
    Case("M-06", Body, "ld.global.relaxed.gpu.32b %w0, [@G];", &[Error("E0307")]),
    Case("M-06", Body, "ld.global.weak.gpu.32b %w0, [@G];", &[Error("E0302")]),
    Case("M-07", Body, "ld.global.32b %w0, [%w1];", &[Error("E0224")]),
    Case("M-07", Body, "ld.shared.32b %w0, [%d1];", &[Error("E0224")]),
    Case(
        "M-07",
        Body,
        "ld.private.32b %w0, [%d1 + 4];\nld.const.32b %w0, [%w1];",
        &[Error("E0224"), Error("E0224")],
    ),
    Case("M-07", Body, "iatom.shared.add.32b %w0, [%d1], %w1;", &[Error("E0224")]),
    Case("M-08", Body, "ld.shared.16b %h0, [@S + %h1];", &[Departure("W0020")]),
    Case("M-08", Body, "ld.global.16b %h0, [%d0 + %w1];", &[Departure("W0020")]),
    Case("M-08", Body, "ld.shared.16b %h0, [@S + %d1];", &[Error("E0232")]),
    Case("M-09", Body, "ld.global.32b %w0, [4096];", &[Error("E0227")]),
    Case("M-09", Body, "ld.global.32b %w0, [4 + %d0];", &[Error("E0227")]),
    Case("M-10", Body, "ld.shared.32b %w0, [@P];", &[Error("E0225")]),
    Case("M-10", Body, "ld.generic.32b %w0, [@G];", &[Error("E0225")]),
    Case("M-10", Body, "ld.32b %w0, [@P];", &[Error("E0225")]),
    Case("M-10", Body, "ld.global.32b %w0, [@f0];", &[Error("E0227")]),
    Case("M-10", Body, "addrcast.generic.shared %d0, @P;", &[Error("E0225")]),
    Case(
        "M-11",
        Body,
        "ld.global.32b %w0, [%d0 + 2147483647];\nld.global.32b %w0, [%d0 + -2147483648];",
        &[],
    ),
    Case("M-11", Body, "ld.global.32b %w0, [%d0 + 2147483648];", &[Error("E0228")]),
    Case("M-11", Body, "ld.global.32b %w0, [%d0 + -2147483649];", &[Error("E0228")]),
    Case("M-12", Body, "ld.global.32b %w0, [%d0 - 8];", &[Departure("W0021")]),
    Case("M-12", Body, "ld.private.32b %w0, [%w0 - 2147483648];", &[Departure("W0021")]),
    Case("M-12", Body, "ld.param.32b %w0, [%arg-0];", &[Departure("W0021")]),
    Case("M-12", Body, "ld.param.32b %w0, [%arg+4];\nld.param.32b %w0, [%arg +4];", &[]),
    Case("M-13", Body, "iatom.shared.add.32b %w0, [@S + 2], %w1;", &[Lint("W0117")]),
    Case("M-14", Body, "iatom.shared.xchg.128b %q0, [@S + 8], %q1;", &[Lint("W0117")]),
    Case(
        "M-15",
        Body,
        "ld.global.weak.32b %w0, [%d0];\nst.shared.weak.v2.32b [@S], %v2w0;\nld.weak.32b %w0, [%d0];",
        &[],
    ),
    Case(
        "M-18",
        Body,
        "iatom.global.incwrap.32b %w0, [@G], %w1;\niatom.global.decwrap.64b %d0, [@G], %d1;",
        &[],
    ),
    Case("M-18", Body, "iatom.global.incwrap.16b %h0, [@G], %h1;", &[Error("E0308")]),
    Case("M-18", Body, "iatom.shared.decwrap.64b %d0, [@S], %d1;", &[Error("E0308")]),
    Case("M-19", Body, "fatom.shared.cas.f %w0, [@S], %w1, %w2;", &[]),
    Case("M-19", Body, "fatom.shared.add.f %w0, [@S], %w1, %w2;", &[Error("E0309")]),
    Case("M-19", Body, "fatom.global.cas.df %d0, [@G], %d1, %d2;", &[Error("E0308")]),
    Case("M-22", Body, "ld.global.relaxed.8b %b0, [%d0];", &[Error("E0302")]),
    Case("M-22", Body, "ld.global.relaxed.v2.32b %v2w0, [%d0];", &[Error("E0302")]),
    Case("M-23", Body, "iatom.global.add.32b void, [@G], %w0;", &[Error("E0210")]),
    Case("M-23", Body, "iatom.global.add.32b [@G], %w0;", &[Error("E0309")]),
    Case("M-23", Body, "iatom.global.inc.32b %w0, [@G];", &[]),
    Case("M-23", Body, "iatom.global.inc.32b %w0, [@G], %w1;", &[Error("E0309")]),
    Case("M-24", Body, "iatom.global.seq_cst.gpu.add.32b %w0, [@G], %w1;", &[Error("E0302")]),
    Case(
        "M-25",
        Body,
        "st.global.L1wb.L2wb.L3uc.32b [@G], %w0;\nld.global.ri.32b %w0, [@G];\nld.global.L1s.L2c.L3uc.v2.32b %v2w0, [@G];",
        &[],
    ),
    Case("M-25", Body, "st.global.L1wb.L2wb.L3wb.32b [@G], %w0;", &[Error("E0302")]),
    Case("M-25", Body, "st.global.L1s.L2wb.L3wb.32b [@G], %w0;", &[Error("E0302")]),
    Case("M-25", Body, "ld.global.L2c.L1c.L3c.32b %w0, [@G];", &[Error("E0302")]),
    Case("M-25", Body, "ld.global.relaxed.L1c.L2c.L3c.32b %w0, [@G];", &[Error("E0302")]),
    Case("M-27", Body, "ld.const.32b %w0, [@C];\nld.global.32b %w0, [%d0];", &[]),
    Case(
        "M-28",
        Body,
        "iatom.generic.relaxed.add.32b %w0, [%d0], %w1;\nld.generic.relaxed.32b %w0, [%d0];",
        &[],
    ),
    Case("M-28", Body, "iatom.private.add.32b %w0, [@P], %w1;", &[Error("E0302")]),
    Case("M-28", Body, "iatom.add.32b %w0, [%d0], %w1;", &[Error("E0304")]),
    Case("M-29", Body, "ld.private.weak.32b %w0, [@P];", &[Error("E0306")]),
    Case("M-29", Body, "ld.const.weak.32b %w0, [@C];", &[Error("E0306")]),
    Case("M-29", Body, "st.private.weak.32b [@P], %w0;", &[Error("E0306")]),
    Case("M-29", Body, "ld.private.relaxed.32b %w0, [@P];", &[Error("E0302")]),
    Case("M-29", Body, "st.param.32b [%arg], %w0;", &[Error("E0302")]),
];

const SYNCHRONISATION: &[Case] = &[
    Case(
        "Y-04",
        Body,
        "fence.workgroup;\nfence.acquire.gpu;\nfence.shared.workgroup;\nfence.generic.seq_cst.gpu;",
        &[],
    ),
    Case("Y-04", Body, "fence.global.release.system;\nfence.global.gpu;\nfence.shared.acq_rel.gpu;", &[]),
    Case("Y-05", Body, "fence.system;", &[Error("E0304")]),
    Case("Y-05", Body, "fence.generic.acq_rel.system;", &[Error("E0302")]),
    Case("Y-05", Body, "fence.shared.system;", &[Error("E0302")]),
    Case("Y-06", Body, "fence.subgroup;", &[]),
    Case("Y-06", Body, "fence.acquire.subgroup;", &[Error("E0302")]),
    Case("Y-06", Body, "fence.global.subgroup;", &[Error("E0302")]),
    Case("Y-07", Body, "fence.relaxed.gpu;", &[Error("E0302")]),
    Case("Y-07", Body, "fence;", &[Error("E0304")]),
    Case("Y-09", Body, "iatom.global.acquire.subgroup.add.32b %w0, [@G], %w1;", &[Error("E0302")]),
    Case("Y-01", Body, "barrier.workgroup;", &[]),
    Case("Y-01", Body, "barrier;", &[Error("E0301")]),
    Case("Y-01", Module, ".function void @f() {\n  barrier.workgroup;\n}", &[]),
];

#[test]
fn addresses() {
    covers(ADDRESSES, "Z", 4, &[]);
    check(ADDRESSES);
}

#[test]
fn memory() {
    // M-16, M-17, M-20, M-21, M-26, M-30: what happens when it runs.
    covers(MEMORY, "M", 30, &[16, 17, 20, 21, 26, 30]);
    check(MEMORY);
}

#[test]
fn synchronisation() {
    check(SYNCHRONISATION);
}
