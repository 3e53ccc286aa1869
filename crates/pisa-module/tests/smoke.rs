//! Whole modules: read, print, read again.

mod common;
use common::*;

const LLVM: &str = "\
.version 1.0;
.target 100;

.import .function .32b @g(.reg .32b, .reg .32b);
.global  .align 4 @A = { .32b 0x2a, .64b @A+8, .64b @f, .zero 3 };
.export .function .32b @f(.reg .32b %w0, .reg .64b %d0)
{
\t.reg .32b %w1, %w2;
\t.reg .64b %d<1~7>;
\t.reg .v4.32b %v4w0;
\t.reg .v2.64b %v2d0;
\t.pred %p0;
\t.private .align 4 @R0[16];
// %bb.0:
\tlifetime.start \t%w2;
\tiadd.32b \t%w2, %w0, %w1;
\tld.private.32b\t %w1, [@R0 + 4];
\tld.global.32b\t %w1, [%d0 - 8];
\tld.global.v4.32b\t %v4w0, [%d1 + %d2];
\tmov.64b \t%v2d0.x, 0;
\tmov.128b \t%v4w0.xyzw, %v2d0.xy;
\tfadd.re.ftz.f \t%w1, %w2, 0x3F800000;
\tucmp.lt.32b \t%p0, %w1, %w2;
\tucmp.lt.32b \t%w1, %w1, %localid.x;
\tgoto.cond !%p0, LBB0_1;
\tcall %w2, @g (%w1, %w2);
LBB0_1:   // =>This Inner Loop Header: Depth=1
\tsel.32b %w1, %w1, 1, !%p0;
\tst.shared.v2.32b [%w1], %v4w0.zw;
\treturn %w2;
}
.kernel .reqd_work_group_size(8, 2, 1) .vec_type_hint(int2) @k(.param[8] .addrspace(global) .ptr_align(4) %arg0, .param[4] .align(4) %arg1)
{
\t.reg .32b %w0;
\t.reg .64b %d0;
\tld.param.64b %d0, [%arg0];
\tld.param.32b %w0, [%arg1+0];
\tiatom.global.acq_rel.gpu.add.32b %w0, [%d0], %w0;
\tbarrier.workgroup;
\t{
\t\t.reg .16b %w0;
\t\tmov.16b %w0, 1;
\t}
}
";

#[test]
fn what_llvm_prints_is_read() {
    let checked = check(LLVM);
    assert_eq!(checked.errors(), [], "{}", checked.messages());
    let module = checked.module.unwrap();
    let text = pisa_module::print(&module);
    let again = check_strict(&text);
    // Departures that stand in the model itself remain.
    let again = if again.module.is_none() { check(&text) } else { again };
    let printed = again.module.clone().unwrap_or_else(|| panic!("{}\n{text}", again.messages()));
    assert!(pisa_module::same(&module, &printed), "{text}");
    assert_eq!(text, pisa_module::print(&printed));
    let codes: Vec<_> = checked.diagnostics.iter().map(|d| d.code.0).collect();
    for code in ["W0012", "W0013", "W0021", "W0022", "W0023", "W0026", "W0122"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
}

#[test]
fn ranges_cannot_fill_the_memory() {
    // 2^20 names in all ranges of a module, and one for eight bytes of it (G-08).
    let ranges = |n: usize| (0..n).map(|i| format!(".reg .8b %r{i}_<0~65536>;\n")).collect::<String>();
    let function = |name: &str| format!(".function void @{name}() {{\n{}}}\n", ranges(8));
    let text = format!("{HEADER}{}{}", function("f"), function("g"));
    assert_eq!(check(&text).errors(), []);
    let more = ".function void @h() {\n.reg .8b %s<0~2>;\n.reg .8b %r<0~65536>;\n}\n";
    assert_eq!(check(&format!("{text}{more}")).errors(), [("E0220".to_owned(), 25)]);
    let long = format!("{text}{}\n{more}", " ".repeat(8 * 65536));
    assert_eq!(check(&long).errors(), []);
}

#[test]
fn a_range_that_clashes_is_one_error() {
    let checked =
        check(&kernel(".reg .32b %a2;\n.reg .32b %a<0~65536>;\n.reg .32b %a<0~5>;\nmov.32b %a9, %a1;"));
    assert_eq!(checked.errors(), [("E0218".to_owned(), 5), ("E0218".to_owned(), 6)]);
}

#[test]
fn many_parameters_take_no_time() {
    let list: Vec<String> = (0..20_000).map(|i| format!(".param[8] %p{i}")).collect();
    let text = format!(
        "{HEADER}.kernel @k({}) {{\n.reg .64b %a;\nld.param.64b %a, [%p19999];\n}}\n",
        list.join(", ")
    );
    let start = std::time::Instant::now();
    assert_eq!(check(&text).errors(), []);
    // Looking every name up in a list takes minutes without optimisation.
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn many_unknown_names_among_many_take_no_time() {
    let ranges: String = (0..2).map(|i| format!(".reg .32b %name{i}_<0~65536>;\n")).collect();
    let uses: String =
        (0..2000).map(|i| format!("mov.32b %nume{i}, 0;\ngoto labol{i};\nlabel{i}:\n")).collect();
    let start = std::time::Instant::now();
    let checked = check(&kernel(&format!("{ranges}{uses}")));
    assert_eq!(checked.errors().len(), 4000);
    // The first ones are searched for, the last ones no longer.
    assert!(checked.diagnostics[1].notes.iter().any(|(_, text)| text.contains("did you mean")));
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn names_that_are_counted_up_are_declared_as_a_range() {
    // Three at least; not where numbers have leading zeros, are missing, or go down; never across types.
    let text = kernel(
        ".reg .32b %t<9~12>, %a, %x1, %x2, %y01, %y02, %y03, %z2, %z1, %z0;\n.reg .64b %t12, %t13, %t14, %t16;\n.pred %q<0~300>;\n",
    );
    let checked = check(&text);
    let module = checked.module.clone().unwrap_or_else(|| panic!("{}", checked.messages()));
    let printed = pisa_module::print(&module);
    let declarations: Vec<&str> =
        printed.lines().filter(|line| line.starts_with("  ")).map(str::trim).collect();
    assert_eq!(
        declarations,
        [
            ".reg .32b %t<9~12>;",
            ".reg .32b %a, %x1, %x2, %y01, %y02, %y03, %z2, %z1;",
            ".reg .32b %z0;",
            ".reg .64b %t<12~15>;",
            ".reg .64b %t16;",
            ".pred %q<0~300>;",
        ],
        "{printed}"
    );
    assert!(pisa_module::same(&module, &check(&printed).module.unwrap()));
}
