//! The canonical layout, as far as the samples do not show it.

mod support;

use pisa_syntax::format;
use support::{LLVM, SAMPLE, check, read};

fn layout(text: &str, expected: &str) {
    check(text);
    assert_eq!(format(&read(text)), expected);
}

#[test]
fn what_llvm_prints() {
    layout(
        LLVM,
        ".version 1.0;
.target 100;

.import .function .32b @g(.reg .32b, .reg .32b);
.export .global .align 4 @D = { .16b 0xffff, .zero 2, .64b @D-4 };

.export .function .32b @f(.reg .32b %w0, .reg .64b %d0) {
  .reg .32b %w1, %w2;
  .reg .64b %d<1~7>;
  .pred %p0;
  .private .align 4 @R0[16];
  // %bb.0:
  iadd.32b %w2, %w0, %w1;
LBB0_1:  // =>This Inner Loop Header: Depth=1
  ld.private.8b %b0, [%d0 - 8];
  ld.param.32b %w0, [%arg0 + 4];
  call %w0, @f(%w1, %w2);
  call void, %d0();
  goto.cond !%p0, LBB0_1;
  return %w0;
}
// -- End function
",
    );
}

#[test]
fn the_layout_of_the_sample_is_its_own() {
    let formatted = format(&read(SAMPLE));
    layout(&formatted, &formatted);
    // A comment behind a statement keeps its line; directives of tests keep their text.
    assert!(formatted.contains("  iadd.32b %r, %a, %b.x;  //~ error[E0203]\n"));
    assert!(
        formatted.contains("\n//! launch k -g 64 x=buf:u32:1\n.kernel .reqd_work_group_size(256, 2, 1) ")
    );
}

#[test]
fn a_header_in_the_wrong_place() {
    layout(
        ".version 0.1;\n\n.target 100;\n.kernel @k() {\n}\n.version 0.1;\n.target 100;\n",
        ".version 0.1;\n.target 100;\n\n.kernel @k() {\n}\n\n.version 0.1;\n.target 100;\n",
    );
}

#[test]
fn empty_files_and_comments_alone() {
    layout("", "");
    layout(" \n\n", "");
    layout("\n\n  // a\n\n\n\n// b  ", "// a\n\n// b\n");
}

#[test]
fn blank_lines() {
    layout(
        "\n.version 0.1;\n\n\n.target 100;\n.global @a[4];\n\n\n\n.global @b[4];\n.kernel @k() {\n\n\n  return;\n\n\n  return;\n\n}\n// of f\n.function void @f() {\n}\n.global @c[4];\n",
        ".version 0.1;\n.target 100;\n\n.global @a[4];\n\n.global @b[4];\n\n.kernel @k() {\n  return;\n\n  return;\n}\n\n// of f\n.function void @f() {\n}\n\n.global @c[4];\n",
    );
}

#[test]
fn one_statement_a_line() {
    layout(
        ".kernel @k(){.reg .32b %a;L:mov.32b %a,1;{{N:}return ;}goto L;}",
        ".kernel @k() {
  .reg .32b %a;
L:
  mov.32b %a, 1;
  {
    {
    N:
    }
    return;
  }
  goto L;
}
",
    );
}

#[test]
fn comments_keep_their_place() {
    layout(
        ".kernel @k( // the size\n  .param[4] %n // four bytes\n  // and\n) // end\n{ // open\n // first\nmov.32b %a, // left\n 1; // behind\n\n // before the end\n}// after\n",
        ".kernel @k(  // the size
    .param[4] %n  // four bytes
    // and
)  // end
{  // open
  // first
  mov.32b %a,  // left
      1;  // behind

  // before the end
}  // after
",
    );
}

#[test]
fn long_parameter_lists_are_wrapped() {
    let name = "k".repeat(51);
    let head = |name: &str| format!(".kernel @{name}(.param[8] .align(4) %a, .param[4] %b) {{");
    let fits = head(&name);
    assert_eq!(fits.len(), 100);
    layout(&format!("{fits}}}"), &format!("{fits}\n}}\n"));
    layout(
        &format!("{}return;}}", head(&format!("{name}k"))),
        &format!(
            ".kernel @{name}k(
    .param[8] .align(4) %a,
    .param[4] %b
) {{
  return;
}}
"
        ),
    );
    let parameters = [".reg .v2.32b"; 8].join(", ");
    layout(
        &format!(".import .function void @f({parameters});"),
        &format!(".import .function void @f(\n    {}\n);\n", parameters.replace(", ", ",\n    ")),
    );
}

#[test]
fn long_initializers_are_wrapped() {
    let values = vec![".32b 100000"; 20].join(",");
    layout(
        &format!(".global @g[80]={{{values}}};"),
        ".global @g[80] = {
  .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000,
  .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000,
  .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000, .32b 100000
};
",
    );
    // Exactly 100 columns fit, 101 do not.
    let head =
        ".global @g[28] = { .32b 1000, .32b 1000, .32b 1000, .32b 1000, .32b 1000, .32b 1000, .32b 100000 };";
    let fits = head.replacen("@g", &format!("@g{}", "g".repeat(100 - head.len())), 1);
    assert_eq!(fits.len(), 100);
    layout(&fits, &format!("{fits}\n"));
    let wide = fits.replacen("@g", "@gg", 1);
    assert!(format(&read(&wide)).contains("= {\n"));
}

#[test]
fn what_is_wrong_keeps_its_text() {
    assert_eq!(
        format(&read(".kernel @k(){mov.32b %a,  =  = x ;\n  return;}")),
        ".kernel @k() {\n  mov.32b %a, =  = x ;\n  return;\n}\n"
    );
}
