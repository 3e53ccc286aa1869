//! Returns, calls, labels, scopes: each fault on its line with its code.

mod common;
use common::*;
use pisa_module::codes;

/// Lines that should be refused carry `//~ CODE` at their end; no others are.
fn refused(text: &str) {
    let text = format!("{HEADER}{text}");
    let wanted: Vec<_> = text
        .lines()
        .enumerate()
        .filter_map(|(i, line)| {
            line.split_once("//~ ").map(|(_, code)| (code.trim().to_owned(), i as u32 + 1))
        })
        .collect();
    assert!(!wanted.is_empty());
    let checked = check(&text);
    assert_eq!(checked.errors(), wanted, "{}", checked.messages());
    assert!(checked.module.is_none());
}

fn accepted(text: &str) -> Checked {
    let checked = check(&format!("{HEADER}{text}"));
    assert_eq!(checked.errors(), [], "{}", checked.messages());
    checked
}

#[test]
fn values_of_return() {
    accepted(".function .16b @f() {\n return 0xffff;\n}\n.function .16b @g() {\n return -1;\n}\n");
    accepted(".function .128b @f(.reg .128b %q) {\n return %q;\n}\n");
    accepted(".function .32b @f() {\n .pred %p;\n return.cond %p, 1;\n return %laneid;\n}\n");
    accepted(".function .32b @f(.reg .v4.32b %v) {\n return %v.w;\n}\n");
    refused(".function .16b @f() {\n return 0x10000; //~ E0212\n}\n");
    refused(".function .16b @f() {\n return 1.0; //~ E0214\n}\n");
    refused(".function .16b @f() {\n return; //~ E0511\n}\n");
    refused(".function .16b @f(.reg .32b %a) {\n return %a; //~ E0510\n}\n");
    refused(".function .16b @f() {\n .pred %p;\n return %p; //~ E0210\n}\n");
    refused(".function .32b @f(.reg .v4.32b %v) {\n return %v; //~ E0510\n}\n");
    refused(".function void @f(.reg .32b %a) {\n return %a; //~ E0511\n}\n");
    refused(".kernel @f() {\n return 1; //~ E0511\n}\n");
    refused(".kernel @f() {\n .pred %p;\n return.cond %p, 1; //~ E0511\n}\n");
    refused(".function .32b @f() {\n .pred %p;\n return.cond %p; //~ E0511\n return 1;\n}\n");
    refused(".function .v2.32b @f() {\n return 0; //~ E0510\n}\n");
}

#[test]
fn the_end_of_a_function() {
    accepted(".function .32b @f(.reg .32b %a) {\n { return %a; }\n}\n");
    refused(".function .32b @f() { //~ E0509\n}\n");
    refused(".function .32b @f() {\n goto l;\nl:\n .pred %p;\n return.cond %p, 1; //~ E0509\n}\n");
    refused(".function .32b @f() {\n return 1;\nend: //~ E0509\n}\n");
    refused(".function .32b @f() {\nl:\n goto l; //~ E0509\n}\n");
    accepted(".function void @f() {\nl:\n goto l;\n}\n");
}

#[test]
fn calls() {
    let functions = ".function .32b @f(.reg .32b %a, .reg .v2.64b %b) {\n return %a;\n}\n\
        .import .function void @g(.reg .8b, .reg .128b %named);\n.global @v[4];\n";
    let body = |lines: &str| {
        format!(
            "{functions}.kernel @k(.param[4] %n) {{\n .reg .32b %r, %x;\n .reg .64b %d, %h;\n .reg .v2.64b %v;\n \
             .reg .v4.64b %w;\n .reg .8b %b;\n .reg .128b %q;\n .pred %p;\n{lines}\n}}\n"
        )
    };
    let good = body(
        " call %r, @f(%x, %v);\n call.cond !%p, %r, @f(%localid.x, %v);\n call void, @g(%b, %q);\n \
         call %d, %h(%x, %q, %v);\n call void, %h();\n call %v.x, %h();",
    );
    let module = accepted(&good).module.unwrap();
    let kernel = module.functions.iter().find(|f| f.is_kernel()).unwrap();
    assert_eq!(kernel.code.iter().map(|i| i.operands.len()).collect::<Vec<_>>(), [4, 5, 4, 5, 2, 2]);
    refused(&body(" call void, @f(%x, %v); //~ E0512"));
    refused(&body(" call %d, @f(%x, %v); //~ E0512"));
    refused(&body(" call %r, @g(%b, %q); //~ E0512"));
    refused(&body(" call %r, @f(%x); //~ E0513"));
    refused(&body(" call %r, @f(%x, %v, %v); //~ E0513"));
    refused(&body(" call %r, @f(%d, %v); //~ E0514"));
    refused(&body(" call %r, @f(%x, %w); //~ E0514"));
    refused(&body(" call %r, @f(%p, %v); //~ E0517"));
    refused(&body(" call %r, @f(%n, %v); //~ E0517"));
    refused(&body(" call %r, @k(); //~ E0515"));
    refused(&body(" call %r, @v(); //~ E0516"));
    refused(&body(" call %r, @unknown(); //~ E0202"));
    refused(&body(" call %r, %x(); //~ E0203"));
    refused(&body(" call %p, %h(); //~ E0210"));
    refused(&body(" call.cond %x, %r, @f(%x, %v); //~ E0210"));
    // E7: two of four elements, as LLVM leaves them.
    let departure = accepted(&body(" call %r, @f(%x, %w.zw);"));
    assert_eq!(departure.found()[0].0, codes::MULTI_SWIZZLE.0);
}

#[test]
fn labels_and_scopes() {
    accepted(".kernel @k() {\n goto inner;\n {\ninner:\n  { }\n }\n goto inner;\n}\n");
    refused(".kernel @k() {\nl:\n {\nl: //~ E0519\n }\n}\n");
    refused(".kernel @k() {\n goto l; //~ E0518\n}\n.kernel @j() {\nl:\n}\n");
    accepted(".kernel @k() {\n .reg .32b %a;\n { .reg .64b %a;\n  mov.64b %a, 1;\n }\n mov.32b %a, 1;\n}\n");
    refused(".kernel @k() {\n { .reg .32b %a; }\n mov.32b %a, 1; //~ E0201\n}\n");
    refused(".kernel @k() {\n mov.32b %a1, 1; //~ E0233\n .reg .32b %a<0~2>;\n}\n");
    refused(".kernel @k() {\n .reg .32b %a<0~3>;\n .reg .32b %a2; //~ E0218\n}\n");
    refused(".kernel @k() {\n .private @a[4];\n .private @a[8]; //~ E0223\n}\n");
    accepted(
        ".kernel @k() {\n .private @a[4];\n { .private @a[8]; }\n}\n.kernel @j() {\n .private @a[4];\n}\n",
    );
    refused(".function void @f(.reg .32b %a) {\n .reg .32b %a; //~ E0504\n}\n");
    refused(".kernel @k(.param[4] %a, .param[4] %a) { //~ E0504\n}\n");
    refused(".kernel @k() {\n .reg .32b %activemask; //~ E0219\n}\n");
    refused(".kernel @k(.param[4] %laneid) { //~ E0219\n}\n");
    refused(".kernel @k() {\n .reg .v2.32b %v;\n .reg .32b %v.y; //~ E0221\n}\n");
    // The whole name comes first (G-06).
    accepted(".kernel @k() {\n .reg .32b %v.x;\n iadd.32b %v.x, %v.x, 1;\n}\n");
}

#[test]
fn deep_nesting_is_no_recursion() {
    let depth = 100_000;
    let text = format!("{HEADER}.kernel @k() {{\n{}{}\n}}\n", "{".repeat(depth), "}".repeat(depth));
    assert!(check(&text).module.is_some());
}

#[test]
fn an_operand_that_failed_is_not_checked_again() {
    // Nothing about the width of a register that does not exist, nothing about the operands of an unknown opcode.
    refused(".kernel @k() {\n iadd.64b %b, 5, 1; //~ E0201\n}\n");
    refused(".kernel @k() {\n .reg .32b %a;\n iad.64b %a, %a, 1; //~ E0301\n}\n");
    refused(".kernel @k() {\n .reg .f %a; //~ E0222\n fadd.f %a, %a, 1.0;\n}\n");
}
