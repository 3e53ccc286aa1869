//! Kernels, functions, linking of one module, control flow: rows K, F, L and C.

use super::Finding::{Departure, Error, Lint};
use super::Place::{Body, Module};
use super::{Case, check, covers};

const KERNELS: &[Case] = &[
    Case("K-01", Module, ".kernel void @k() {\n}", &[Error("E0124")]),
    Case("K-01", Module, ".kernel @k {\n}", &[Error("E0126")]),
    Case("K-01", Module, ".kernel @k() {\n  return 1;\n}", &[Error("E0511")]),
    Case("K-02", Module, ".kernel @k(.param[3] %a, .param[12] .align(4) %b) {\n}", &[]),
    Case("K-03", Module, ".kernel @k(.param[4] .align(1) %a, .param[4] .align(4096) %b) {\n}", &[]),
    Case("K-03", Module, ".kernel @k(.param[4] .align(3) %a) {\n}", &[Error("E0405")]),
    Case("K-03", Module, ".kernel @k(.param[4] .align(0) %a) {\n}", &[Error("E0405")]),
    Case("K-03", Module, ".kernel @k(.param[4] .align 4 %a) {\n}", &[Error("E0131")]),
    Case("K-04", Body, "ld.param.64b %d0, [%number];", &[Departure("W0015")]),
    Case("K-04", Body, "ld.param.32b %w0, [%arg + 8];", &[Departure("W0015")]),
    Case("K-04", Body, "ld.param.32b %w0, [%arg + 4];\nld.param.v2.32b %v2w0, [%arg];", &[]),
    Case("K-05", Body, "ld.param.32b %w0, [@number];", &[Departure("W0016")]),
    Case("K-06", Body, "ld.param.32b %w0, [%arg + %w1];", &[]),
    Case("K-06", Body, "ld.param.32b %w0, [%arg + %d1];", &[Error("E0232")]),
    Case("K-06", Body, "ld.param.32b %w0, [%arg + %h1];", &[Error("E0232")]),
    Case("K-07", Module, ".export .kernel @k() {\n}", &[Error("E0501")]),
    Case("K-07", Module, ".import .kernel @k();", &[Error("E0501")]),
    Case("K-07", Module, ".kernel @k() {\n}\n.kernel @k() {\n}", &[Error("E0223")]),
    Case("K-08", Module, ".kernel .vec_type_hint(int2) .reqd_work_group_size(256, 2, 1) @k() {\n}", &[]),
    Case("K-08", Module, ".kernel .vec_type_hint(int) .vec_type_hint(int) @k() {\n}", &[Error("E0406")]),
    Case("K-08", Module, ".kernel .section(\"s\") @k() {\n}", &[Error("E0407")]),
    Case("K-08", Module, ".kernel .max_registers(4) @k() {\n}", &[Error("E0106")]),
    Case("K-09", Module, ".kernel .reqd_work_group_size(1024, 1, 1) @k() {\n}", &[]),
    Case("K-09", Module, ".kernel .reqd_work_group_size(0, 1, 1) @k() {\n}", &[Error("E0502")]),
    Case("K-09", Module, ".kernel .reqd_work_group_size(64) @k() {\n}", &[Error("E0502")]),
    Case("K-09", Module, ".kernel .reqd_work_group_size(1, 1, 1, 1) @k() {\n}", &[Error("E0502")]),
    Case("K-09", Module, ".kernel .reqd_work_group_size(1024, 2, 1) @k() {\n}", &[Error("E0502")]),
    Case(
        "K-10",
        Module,
        ".kernel @a(.param[4] %x) {\n}\n.function void @f() {\n  .reg .32b %r;\n  ld.param.32b %r, [%x];\n}",
        &[Error("E0201")],
    ),
    Case(
        "K-10",
        Module,
        ".function void @f(.reg .32b %x) {\n  .reg .32b %r;\n  ld.param.32b %r, [%x];\n}",
        &[Error("E0520")],
    ),
    Case("K-10", Body, "ld.param.32b %w0, [%w1];", &[Error("E0231")]),
    Case("K-10", Body, "mov.32b %w0, %number;", &[Error("E0230")]),
    Case("K-10", Body, "addrof.64b %d0, %arg;", &[Error("E0230")]),
    Case("K-10", Body, "ld.global.32b %w0, [%arg];", &[Error("E0230")]),
    Case(
        "K-11",
        Module,
        ".kernel @k(.param[8] .addrspace(global) .ptr_align(16) %a, .param[8] .ptr_align(4) .addrspace(const) %b, .param[4] .addrspace(shared) %c) {\n}",
        &[],
    ),
    Case("K-11", Module, ".kernel @k(.param[8] .addrspace(generic) %a) {\n}", &[Error("E0503")]),
    Case("K-11", Module, ".kernel @k(.param[8] .addrspace(private) %a) {\n}", &[Error("E0503")]),
    Case("K-11", Module, ".kernel @k(.param[4] .addrspace(global) %a) {\n}", &[Lint("W0126")]),
    Case("K-11", Module, ".kernel @k(.param[16] .addrspace(shared) %a) {\n}", &[Lint("W0126")]),
    Case("K-11", Module, ".kernel @k(.param[8] .ptr_align(3) %a) {\n}", &[Error("E0405")]),
    Case("K-12", Body, "mov.32b %number, 1;", &[Error("E0230")]),
    Case(
        "K-13",
        Module,
        ".kernel @k(.param[20] %a) {\n  .reg .v5.32b %v;\n  ld.param.v5.32b %v, [%a];\n}",
        &[Error("E0302")],
    ),
    Case(
        "K-13",
        Module,
        ".kernel @k(.param[64] %a) {\n  .reg .v16.32b %v;\n  ld.param.v16.32b %v, [%a];\n}",
        &[Error("E0302")],
    ),
    Case(
        "K-13",
        Module,
        ".kernel @k(.param[32] %a) {\n  .reg .v8.32b %v;\n  ld.param.v8.32b %v, [%a];\n}",
        &[],
    ),
];

const FUNCTIONS: &[Case] = &[
    Case("F-01", Module, ".function @f() {\n}", &[Error("E0125")]),
    Case("F-02", Module, ".function void @f(.32b %a) {\n}", &[Departure("W0014")]),
    Case(
        "F-03",
        Module,
        ".function void @f(.reg .128b %a, .reg .v64.32b %b, .reg .v3.8b %c, .reg .v2.16b %d) {\n}",
        &[],
    ),
    Case("F-03", Module, ".function void @f(.pred %a) {\n}", &[Error("E0102")]),
    Case("F-03", Module, ".function void @f(.param[4] %a) {\n}", &[Error("E0522")]),
    Case("F-03", Module, ".kernel @k(.reg .32b %a) {\n}", &[Error("E0522")]),
    Case("F-04", Module, ".import .function .32b @f(.reg .32b, .reg .v2.32b %named);", &[]),
    Case("F-04", Module, ".function .32b @f(.reg .32b) {\n  return 1;\n}", &[Error("E0507")]),
    Case("F-05", Module, ".function .v4.32b @f(.reg .v4.32b %a) {\n  return %a;\n}", &[Departure("W0027")]),
    Case("F-05", Module, ".function .32b @f() {\n  return -1;\n}", &[]),
    Case("F-05", Module, ".function .8b @f() {\n  return 300;\n}", &[Error("E0212")]),
    Case("F-05", Module, ".function .v2.32b @f() {\n  return 1;\n}", &[Departure("W0027"), Error("E0510")]),
    Case("F-05", Module, ".function .32b @f(.reg .64b %a) {\n  return %a;\n}", &[Error("E0510")]),
    Case("F-06", Body, "call %w0, @f1(%v4w0.x);\ncall %w0, @f1(%laneid);\ncall %w0, @f1(%groupid.y);", &[]),
    Case("F-06", Body, "call %w0, @f1(%number);", &[Error("E0517")]),
    Case("F-06", Body, "call %w0, @f1(1);", &[Error("E0128")]),
    Case("F-06", Body, "call %w0, @f1(%p0);", &[Error("E0517")]),
    Case("F-06", Body, "call %w0, @f1(!%p0);", &[Error("E0128")]),
    Case("F-07", Module, ".function void @f();", &[Error("E0506")]),
    Case("F-07", Module, ".import .function void @f() {\n}", &[Error("E0505")]),
    Case("F-08", Module, ".function void @f() {\n  call void, @f();\n}", &[Lint("W0120")]),
    Case(
        "F-08",
        Module,
        ".function void @f() {\n  call void, @g();\n}\n.function void @g() {\n  call void, @f();\n}",
        &[],
    ),
    Case("F-09", Module, ".function .32b @f(.reg .32b %a) {\n  iadd.32b %a, %a, 1;\n  return %a;\n}", &[]),
    Case("F-10", Module, ".function .32b @f() {\n}", &[Error("E0509")]),
    Case(
        "F-10",
        Module,
        ".function .32b @f(.reg .32b %a) {\n  .pred %p;\n  ucmp.eq.32b %p, %a, 0;\n  goto.cond %p, L;\n  return 1;\nL:\n  return 2;\n}",
        &[],
    ),
    Case("F-10", Module, ".function .32b @f() {\n  goto L;\nL:\n  return 2;\nM:\n}", &[Error("E0509")]),
    Case("F-10", Module, ".function .32b @f() {\nL:\n  goto L;\n}", &[Error("E0509")]),
    Case("F-10", Module, ".function .32b @f() {\n  {\n    return 2;\n  }\n}", &[]),
    Case("F-10", Module, ".function .32b @f() {\n  return 2;\n  .reg .32b %x;\n}", &[]),
    Case("F-11", Body, "call %w0, @f1();", &[Error("E0513")]),
    Case("F-11", Body, "call %w0, @f1(%w1, %w2);", &[Error("E0513")]),
    Case("F-11", Body, "call %w0, @f1(%d1);", &[Error("E0514")]),
];

const LINKING: &[Case] = &[
    Case(
        "L-02",
        Module,
        ".import .global @A[4];\n.import .function void @f();\n.function void @g() {\n  call void, @f();\n}",
        &[],
    ),
    Case("L-03", Module, ".function void @f() {\n}\n.function void @f() {\n}", &[Error("E0223")]),
    Case("L-03", Module, ".function void @f() {\n}\n.global @f[4];", &[Error("E0223")]),
    Case("L-03", Module, ".function void @f() {\n}\n.kernel @f() {\n}", &[Error("E0223")]),
    Case("L-05", Module, ".import .global @A[4];\n.export .global @A[4];", &[Error("E0223")]),
    Case("L-05", Module, ".import .function void @f();\n.export .function void @f() {\n}", &[Error("E0223")]),
];

const CONTROL: &[Case] = &[
    Case("C-01", Body, "call.cond !%p0, %w0, @f1(%w1);\ngoto.cond !%p0, L;\nreturn.cond %p1;\nL:", &[]),
    Case("C-01", Body, "return.cond !%p1;", &[]),
    Case("C-01", Body, "call.cond %w0, void, @f0();", &[Error("E0210")]),
    Case("C-03", Body, "call %w0, %d0(%w1, %w2);\ncall void, %d0();\ncall.cond %p0, void, %d1();", &[]),
    Case("C-03", Body, "call void, %w0();", &[Error("E0203")]),
    Case("C-04", Body, "addrof.64b %d0, @f0;\naddrof.64b %d1, @f1;", &[]),
    Case("C-05", Body, "goto Nowhere;", &[Error("E0518")]),
    Case("C-05", Body, "goto %d0;", &[Error("E0210")]),
    Case(
        "C-05",
        Module,
        ".function void @f() {\nThere:\n}\n.kernel @k() {\n  goto There;\n}",
        &[Error("E0518")],
    ),
    Case("C-07", Module, ".function void @f() {\n  .pred %p;\n  return.cond %p;\n}", &[]),
    Case(
        "C-07",
        Module,
        ".function .32b @f(.reg .32b %a) {\n  .pred %p;\n  ucmp.eq.32b %p, %a, 0;\n  return.cond !%p, 3;\n  return %a;\n}",
        &[],
    ),
    Case("C-07", Module, ".function .32b @f() {\n  return;\n}", &[Error("E0511")]),
    Case("C-07", Module, ".function void @f() {\n  return 1;\n}", &[Error("E0511")]),
    Case(
        "C-08",
        Module,
        ".function .32b @f(.reg .32b %a) {\n  .pred %p;\n  ucmp.eq.32b %p, %a, 0;\n  return.cond %p, 3;\n}",
        &[Error("E0509")],
    ),
    Case("C-09", Body, "return;\nmov.32b %w0, 1;", &[]),
    Case("C-09", Body, "return;\nmov.32b %w0, %d1;", &[Error("E0203")]),
    Case("C-10", Module, ".kernel @k() {\n}\n.function void @f() {\n}", &[]),
    Case("C-11", Body, "call void, @f0();", &[]),
    Case("C-12", Body, "call void, @f0 ();\ncall %w0, @f1  (%w1);", &[]),
    Case("C-13", Body, "call %w0, @f1(%w0);", &[]),
    Case("C-13", Body, "call %d0, @f1(%w0);", &[Error("E0512")]),
    Case("C-13", Body, "call void, @f1(%w0);", &[Error("E0512")]),
    Case("C-13", Body, "call %w0, @f0();", &[Error("E0512")]),
    Case("C-13", Body, "call %p0, @f1(%w0);", &[Error("E0210")]),
    Case("C-13", Body, "call void, @G();", &[Error("E0516")]),
    Case(
        "C-20",
        Module,
        ".kernel @a() {\n}\n.kernel @k() {\n  .reg .64b %d;\n  addrof.64b %d, @a;\n}",
        &[Error("E0515")],
    ),
    Case("C-20", Module, ".kernel @a() {\n}\n.kernel @k() {\n  call void, @a();\n}", &[Error("E0515")]),
];

#[test]
fn kernels() {
    covers(KERNELS, "K", 13, &[]);
    check(KERNELS);
}

#[test]
fn functions() {
    covers(FUNCTIONS, "F", 11, &[]);
    check(FUNCTIONS);
}

#[test]
fn linkage() {
    // The others need several modules.
    covers(LINKING, "L", 7, &[1, 4, 6, 7]);
    check(LINKING);
}

#[test]
fn control_flow() {
    // C-02, C-06: what happens when it runs.
    covers(CONTROL, "C", 13, &[2, 6]);
    check(CONTROL);
}
