//! Every fault with its whole message: place, code, text, notes, repair. One fault gives one message.

mod support;

use expect_test::{Expect, expect};
use support::messages;

fn module(text: &str, expected: Expect) {
    expected.assert_eq(&messages(text));
}

/// The statements in a kernel; they begin on line 2.
fn body(text: &str, expected: Expect) {
    module(&format!(".kernel @k() {{\n{text}\n}}\n"), expected);
}

#[test]
fn missing_semicolon() {
    body(
        "  mov.32b %a, 1\n  return;",
        expect![[r#"
        2:16..16 E0101: expected `;`
            2:16 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
    "#]],
    );
    body(
        "  return\n",
        expect![[r#"
        2:9..9 E0101: expected `;`
            2:9 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
    "#]],
    );
    body(
        "  .reg .32b %a\nL:\n  mov.32b %a, 1 }",
        expect![[r#"
        2:15..15 E0101: expected `;`
            2:15 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
        4:16..16 E0101: expected `;`
            4:16 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
        5:1..2 E0105: no `{` is open here
            4:17 the last body was closed here
            Spec: syntax 1.2 Statement
            Help: remove this `}`, or an earlier one
    "#]],
    );
    body(
        "  goto L\n  { return; }",
        expect![[r#"
        2:9..9 E0101: expected `;`
            2:9 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
    "#]],
    );
    module(
        ".version 0.1\n.target 100\n.global @g[4]\n.global @h[4];",
        expect![[r#"
        1:13..13 E0101: expected `;`
            1:13 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
        2:12..12 E0101: expected `;`
            2:12 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
        3:14..14 E0101: expected `;`
            3:14 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
    "#]],
    );
    body(
        "  mov.32b %a, 1 iadd.32b %a, %a, 1;",
        expect![[r#"
        2:16..16 E0101: expected `;`
            2:16 the statement ends here
            Spec: syntax 1.2 Statement
            Help: declarations and instructions end with `;`
            Fix: ";" for ""
    "#]],
    );
    module(
        ".import .function void @f()",
        expect![[r#"
        1:28..28 E0102: expected `{` or `;`, found the end of the file
            Spec: calling convention 4.1 Kernel, 4.3 Function
    "#]],
    );
}

#[test]
fn a_fault_at_the_end_does_not_hide_the_next_one() {
    module(
        ".target 100\n.globl @g[4];\n.kernel @k() {\n  return\n  .rge .32b %a;\n  ld.32b %a, [%b\n  IADD.32b %a, %a, 1;\n}\n",
        expect![[r#"
            1:12..12 E0101: expected `;`
                1:12 the statement ends here
                Spec: syntax 1.2 Statement
                Help: declarations and instructions end with `;`
                Fix: ";" for ""
            2:1..7 E0106: unknown directive `.globl`
                Spec: directives 1 Directives
                Help: did you mean `.global`?
                Fix: ".global" for ".globl"
            4:9..9 E0101: expected `;`
                4:9 the statement ends here
                Spec: syntax 1.2 Statement
                Help: declarations and instructions end with `;`
                Fix: ";" for ""
            5:3..7 E0106: unknown directive `.rge`
                Spec: directives 1 Directives
                Help: did you mean `.reg`?
                Fix: ".reg" for ".rge"
            6:17..17 E0104: expected `]`, found `IADD.32b`
                6:14 opened here
                Spec: operands 3.3 Address Operands
            7:3..11 E0118: `IADD` is not an opcode; opcodes are lower case
                Spec: instructions 1 Instruction Set
                Help: write `iadd.32b`
                Fix: "iadd.32b" for "IADD.32b"
        "#]],
    );
}

#[test]
fn unexpected_tokens() {
    body(
        "  mov.32b %a, %a + 1;",
        expect![[r#"
            2:18..19 E0102: expected `,` or `;`, found `+`
                Spec: syntax 1.2 Statement
                Help: PISA has no expressions; an offset stands in the brackets of an address: `[%a + 4]`
        "#]],
    );
    body(
        "  mov.32b %a, ,1;",
        expect![[r#"
        2:15..16 E0102: expected an operand, found `,`
            Spec: operands 3
            Help: an operand is a register, a number, an address in `[ ]`, a symbol or a label
    "#]],
    );
    body(
        "  mov.32b %a,\n  return;",
        expect![[r#"
        2:14..14 E0102: expected an operand, found `return`
            Spec: operands 3
            Help: an operand is a register, a number, an address in `[ ]`, a symbol or a label
    "#]],
    );
    body(
        "  mov.32b %a, = ;\n  return;",
        expect![[r#"
        2:15..16 E0102: expected an operand, found `=`
            Spec: operands 3
            Help: an operand is a register, a number, an address in `[ ]`, a symbol or a label
    "#]],
    );
    body(
        "  goto.cond !L, M;",
        expect![[r#"
            2:14..15 E0102: expected a predicate after `!`, found `L`
                Spec: control flow 6.2 goto
                Help: only predicates are negated: `!%p`
        "#]],
    );
    body(
        "  ld.32b %a, [%b * 4];",
        expect![[r#"
            2:18..19 E0114: `*` has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: remove it
        "#]],
    );
    body(
        "  ld.32b %a, [%b + %c + 4];",
        expect![[r#"
        2:23..24 E0102: expected `]`, found `+`
            Spec: operands 3.3 Address Operands
            Help: an address is a register, a variable or a number, and at most one offset: `[%a + 4]`
    "#]],
    );
    body(
        "  ld.32b %a, [];",
        expect![[r#"
        2:15..16 E0102: expected an address, found `]`
            Spec: operands 3.3 Address Operands
            Help: an address is written `[%register]`, `[@variable]` or `[%register + 4]`
    "#]],
    );
    body(
        "  mov.v2.32b %a, {%b, %c};\n  return;",
        expect![[r#"
        2:18..19 E0102: expected an operand, found `{`
            Spec: operands 3
            Help: vectors are registers of a vector type, they are not written in braces
    "#]],
    );
    body(
        "  mov.32b %v .x, 1;",
        expect![[r#"
        2:14..16 E0102: expected `,` or `;`, found `.x`
            Spec: operands 3.4 Vector Operands
            Help: a swizzle follows its register without a blank: `%v.x`
    "#]],
    );
    body(
        "  call %r, @f, (%a);",
        expect![[r#"
        2:16..17 E0102: expected an operand, found `(`
            Spec: control flow 6.1 call
            Help: arguments follow the function without a comma: `call %r, @f(%a, %b);`
    "#]],
    );
    body(
        "  mov.32b %a, \"text\";",
        expect![[r#"
        2:15..21 E0102: expected an operand, found the string "text"
            Spec: operands 3
            Help: strings stand in attributes only
    "#]],
    );
    body(
        "  %a = 1;\n  return;",
        expect![[r#"
            2:3..5 E0102: expected a statement, found `%a`
                Spec: syntax 1.2 Statement
                Help: a statement is a declaration, an instruction, a label or a scope
        "#]],
    );
    body(
        "  .reg .32b a;\n  return;",
        expect![[r#"
        2:13..14 E0102: expected the name of a register, found `a`
            Spec: variables 2.2 Register Variables
            Help: names of registers begin with `%`
    "#]],
    );
    body(
        "  .reg .32b %a<0-4>, %b;",
        expect![[r#"
        2:17..18 E0102: expected `~`, found `-`
            Spec: variables 2.2 Register Variables
            Help: a range is written `<first~end>`, the end excluded: `%r<0~4>`
    "#]],
    );
    body(
        "  .reg .32b %a<0~4, %b;",
        expect![[r#"
        2:19..20 E0102: expected `>`, found `,`
            Spec: variables 2.2 Register Variables
            Help: a range is written `<first~end>`, the end excluded: `%r<0~4>`
    "#]],
    );
    module(
        ".version;\n.target 100;",
        expect![[r#"
        1:9..10 E0102: expected a version, found `;`
            Spec: compatibility 6.1 Directives
            Help: write `.version 0.1;`
    "#]],
    );
    module(
        ".target\n.global @g[4];",
        expect![[r#"
        1:8..8 E0102: expected a target, found `.global`
            Spec: compatibility 6.1 Directives
            Help: write `.target 100;`
    "#]],
    );
    module(
        ".kernel k() {\n}\n",
        expect![[r#"
        1:9..10 E0102: expected the name of a kernel, found `k`
            Spec: syntax 1.3 Identifiers
            Help: names of kernels, functions and memory variables begin with `@`: `@k`
    "#]],
    );
    module(
        ".kernel @k(void) {\n}\n.kernel @l(.param .32b %x, .param[4] @y) {\n}\n",
        expect![[r#"
        1:12..16 E0102: expected a parameter, found `void`
            Spec: calling convention 4.2 Kernel Parameters, 4.4 Function Arguments
            Help: no parameters are written `()`
        3:19..23 E0102: expected `[`, found `.32b`
            Spec: calling convention 4.2 Kernel Parameters, 4.4 Function Arguments
            Help: a kernel parameter is written `.param[SIZE] %name`, the size in bytes
        3:38..40 E0102: expected the name of the parameter, found `@y`
            Spec: calling convention 4.2 Kernel Parameters, 4.4 Function Arguments
            Help: names of parameters begin with `%`
    "#]],
    );
    module(
        ".kernel @k();\n.kernel @l()\n  return;\n}\n",
        expect![[r#"
        1:13..14 E0102: expected `{`, found `;`
            Spec: calling convention 4.1 Kernel
            Help: a kernel cannot be imported; write its body in `{ }`
        2:13..13 E0102: expected `{`, found `return`
            Spec: calling convention 4.1 Kernel, 4.3 Function
            Help: a body begins with `{`
    "#]],
    );
    module(
        ".global %g[4];\n.global @h[%n];\n.global @i = 4;\n",
        expect![[r#"
        1:9..11 E0102: expected the name of a memory variable, found `%g`
            Spec: syntax 1.3 Identifiers
            Help: names of kernels, functions and memory variables begin with `@`: `@g`
        2:12..14 E0102: expected a size in bytes, found `%n`
            Spec: variables 2.4 Memory Variables
            Help: the size in bytes stands in `[ ]`: `@name[16]`
        3:14..15 E0102: expected `{`, found `4`
            Spec: variables 2.5.1 Initializers
            Help: an initial value is written `{ .32b 1, .32b 2 }`
    "#]],
    );
    module(
        ".export @g[4];\n.import .reg .32b %a;\n",
        expect![[r#"
        1:9..11 E0102: expected `.global`, `.const` or `.function`, found `@g`
            Spec: variables 2.5.2 Linkage
            Help: linkage stands before a variable or function: `.export .global @g[4];`
        2:9..13 E0102: expected `.global`, `.const` or `.function`, found `.reg`
            Spec: variables 2.5.2 Linkage
            Help: linkage stands before a variable or function: `.export .global @g[4];`
    "#]],
    );
    module(
        "hello, world\nand more\n",
        expect![[r#"
        1:1..6 E0123: an instruction outside every kernel and function
            Spec: syntax 1.1 Program
            Help: statements stand in the `{ }` of a `.kernel` or `.function`
    "#]],
    );
}

#[test]
fn missing_commas() {
    body(
        "  iadd.32b %a %b, 1;\n  .reg .32b %c %d;",
        expect![[r#"
        2:14..14 E0103: expected `,` before `%b`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
        3:15..15 E0103: expected `,` before `%d`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
    "#]],
    );
    body(
        "  goto.cond %p L;",
        expect![[r#"
        2:15..15 E0103: expected `,` before `L`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
    "#]],
    );
    body(
        "  call %r, @f(%a %b);",
        expect![[r#"
        2:17..17 E0103: expected `,` before `%b`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
    "#]],
    );
    module(
        ".global @g[8] = { .32b 1 .32b 2 };\n.kernel @k(.param[4] %a .param[4] %b) {\n}\n",
        expect![[r#"
        1:25..25 E0103: expected `,` before `.32b`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
        2:24..24 E0103: expected `,` before `.param`
            Spec: syntax 1.2 Statement
            Fix: "," for ""
    "#]],
    );
}

#[test]
fn brackets() {
    module(
        ".kernel @k() {\n  return;\n",
        expect![[r#"
        2:10..10 E0104: the body of `@k` is not closed at the end of the file
            1:14 opened here
            Spec: syntax 1.2 Statement
            Help: `}` is missing
    "#]],
    );
    module(
        ".kernel @k() {\n  {\n    return;\n\n.function void @f() {\n}\n}\n",
        expect![[r#"
        5:1..10 E0104: `.function` inside the body of `@k`: `}` is missing before it
            2:3 opened here
            Spec: syntax 1.2 Statement
            Help: 2 `}` are missing
    "#]],
    );
    module(
        ".kernel @k() {\n}\n}\n.kernel @l() {\n}\n",
        expect![[r#"
        3:1..2 E0105: no `{` is open here
            2:1 the last body was closed here
            Spec: syntax 1.2 Statement
            Help: remove this `}`, or an earlier one
    "#]],
    );
    body(
        "  ld.32b %a, [%b;\n  st.32b [%b\n  call void, @f(%a;\n  return;",
        expect![[r#"
            2:17..17 E0104: expected `]`, found `;`
                2:14 opened here
                Spec: operands 3.3 Address Operands
            3:13..13 E0104: expected `]`, found `call`
                3:10 opened here
                Spec: operands 3.3 Address Operands
            4:19..19 E0104: expected `,` or `)`, found `;`
                4:16 opened here
                Spec: control flow 6.1 call
        "#]],
    );
    module(
        ".kernel @k(.param[4] %n {\n}\n.global @g[4 = { .32b 1;\n.global @h[4];\n",
        expect![[r#"
            1:24..24 E0104: expected `,` or `)`, found `{`
                1:11 opened here
                Spec: calling convention 4.2 Kernel Parameters, 4.4 Function Arguments
            3:14..15 E0102: expected `]`, found `=`
                Spec: variables 2.4 Memory Variables
                Help: the size in bytes stands in `[ ]`: `@name[16]`
            3:24..24 E0104: expected `,` or `}`, found `;`
                3:16 opened here
                Spec: variables 2.5.1 Initializers
        "#]],
    );
}

#[test]
fn directives() {
    module(
        ".file \"a.c\";\n.kernal @k() {\n  .rge .32b %a;\n  .loc 1, 2;\n  .32b %b;\n}\nfunction void @f() {\n}\n",
        expect![[r#"
            1:1..6 E0106: unknown directive `.file`
                Spec: directives 1 Directives
                Help: remove it; PISA 0.1 has no such directive, and none for debugging
            2:1..8 E0106: unknown directive `.kernal`
                Spec: directives 1 Directives
                Help: did you mean `.kernel`?
                Fix: ".kernel" for ".kernal"
            3:3..7 E0106: unknown directive `.rge`
                Spec: directives 1 Directives
                Help: did you mean `.reg`?
                Fix: ".reg" for ".rge"
            4:3..7 E0106: unknown directive `.loc`
                Spec: directives 1 Directives
                Help: remove it; PISA 0.1 has no such directive, and none for debugging
            5:3..7 E0106: `.32b` begins no statement
                Spec: variables 2.2 Register Variables
                Help: a declaration is written `.reg .32b %name;`
                Fix: ".reg " for ""
            7:1..9 E0106: unknown statement `function`
                Spec: directives 1 Directives
                Help: did you mean `.function`?
                Fix: ".function" for "function"
        "#]],
    );
    module(
        ".func void @f() {\n  .local @x[4];\n  reg .32b %a;\n}\n.entry @k() {\n}\n",
        expect![[r#"
            1:1..6 E0106: unknown directive `.func`
                Spec: directives 1 Directives
                Help: did you mean `.function`?
                Fix: ".function" for ".func"
            2:3..9 E0106: unknown directive `.local`
                Spec: directives 1 Directives
                Help: did you mean `.private`?
                Fix: ".private" for ".local"
            3:3..6 E0106: unknown statement `reg`
                Spec: directives 1 Directives
                Help: did you mean `.reg`?
                Fix: ".reg" for "reg"
            5:1..7 E0106: unknown directive `.entry`
                Spec: directives 1 Directives
                Help: did you mean `.kernel`?
                Fix: ".kernel" for ".entry"
        "#]],
    );
    module(
        ".KERNEL @k() {\n}\n.unknown @x { 1; 2; }\n.global @g[4];\n",
        expect![[r#"
            1:1..8 E0106: unknown directive `.KERNEL`
                Spec: directives 1 Directives
                Help: did you mean `.kernel`?
                Fix: ".kernel" for ".KERNEL"
            3:1..9 E0106: unknown directive `.unknown`
                Spec: directives 1 Directives
                Help: remove it; PISA 0.1 has no such directive, and none for debugging
        "#]],
    );
    module(
        ".global .aling 4 @g[4];\n.global .managed(\"x\") @h[4];\n",
        expect![[r#"
            1:9..15 E0106: unknown attribute `.aling`
                Spec: directives 1 Directives
                Help: did you mean `.align`?
                Fix: ".align" for ".aling"
            2:9..17 E0106: unknown attribute `.managed`
                Spec: directives 1 Directives
                Help: attributes of variables: `.align`, `.section`, `.host_access`; of kernels: `.reqd_work_group_size`, `.vec_type_hint`; of kernel parameters: `.align`, `.addrspace`, `.ptr_align`
        "#]],
    );
    module(
        ".param[4] %x;\n.kernel @k() .reqd_work_group_size(1, 1, 1) {\n  .align 4;\n  .zero 4;\n}\n",
        expect![[r#"
            1:1..7 E0107: `.param` does not begin a statement here
                Spec: directives 1 Directives
                Help: `.param` declares a parameter in the `( )` of a kernel
            2:14..35 E0107: an attribute after the parameters
                Spec: calling convention 4.1.1 Attributes
                Help: attributes stand between `.kernel` and the name
            3:3..9 E0107: `.align` does not begin a statement here
                Spec: directives 1 Directives
                Help: `.align` stands between the space of a variable and its name, `.align(N)` before the name of a parameter
            4:3..8 E0107: `.zero` does not begin a statement here
                Spec: directives 1 Directives
                Help: `.zero N` is a value of an initialiser
        "#]],
    );
}

#[test]
fn comments_and_characters() {
    body(
        "  /* two\n  lines */ return;\n  /* open\n  return;",
        expect![[r#"
        2:3..5 E0108: PISA has no block comments
            Spec: syntax 1.2 Statement
            Help: write `//` at the beginning of each line of the comment
        4:3..5 E0108: PISA has no block comments, and this one has no `*/`
            Spec: syntax 1.2 Statement
            Help: write `//` at the beginning of each line of the comment
    "#]],
    );
    body(
        "  # comment; with, things\n  mov.32b %a, #5;\n  return;",
        expect![[r#"
        2:3..4 E0114: `#` has no meaning in PISA
            Spec: syntax 1.2 Statement
            Help: a comment begins with `//`
        3:15..16 E0114: `#` has no meaning in PISA
            Spec: syntax 1.2 Statement
            Help: a comment begins with `//`
    "#]],
    );
    body(
        "  mov.32b %a,\u{a0}1;\n  mov.32b %a, \u{2212}1;\n  return\u{ff1b}\n  mov.32b \u{ab}%a\u{bb}, 1;",
        expect![[r#"
            2:14..15 E0114: the character U+00A0 has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: write a blank
                Fix: " " for "\u{a0}"
            3:15..16 E0114: `−` (U+2212) has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: write `-`
                Fix: "-" for "−"
            4:9..10 E0114: `；` (U+FF1B) has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: write `;`
                Fix: ";" for "；"
            5:11..12 E0114: `«` (U+00AB) has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: other characters than ASCII stand in comments and strings only
            5:14..15 E0114: `»` (U+00BB) has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: other characters than ASCII stand in comments and strings only
        "#]],
    );
    body(
        "  iadd.32b %a, %a & 1 * 2;\n  return;\0\0",
        expect![[r#"
            2:19..20 E0114: `&` has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: remove it
            2:23..24 E0114: `*` has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: remove it
            3:10..12 E0114: a zero byte has no meaning in PISA
                Spec: syntax 1.2 Statement
                Help: is this a text file?
        "#]],
    );
    body(
        "  .reg .32b %größe, %x;\n  mov.32b %größe, %größe;",
        expect![[r#"
        2:13..19 E0116: `%größe` has letters that names cannot have
            2:13 only `a-z A-Z 0-9 $ . _`
            Spec: syntax 1.3 Identifiers
            Help: rename it; other scripts may stand in comments and strings
    "#]],
    );
    body(
        "  .reg .32b %0;\n  mov.32b %0, 1;\n  call void, @1f();\n  mov.32b % a, @;",
        expect![[r#"
            2:13..15 E0116: `%0` is not a name
                2:13 a name begins with a letter, `$`, `.` or `_`
                Spec: syntax 1.3 Identifiers
                Help: a register is written `%name`, with nothing between
            4:14..17 E0116: `@1f` is not a name
                4:14 a name begins with a letter, `$`, `.` or `_`
                Spec: syntax 1.3 Identifiers
                Help: a symbol is written `@name`, with nothing between
            5:11..12 E0116: `%` without a name
                Spec: syntax 1.3 Identifiers
                Help: a register is written `%name`, with nothing between
            5:16..17 E0116: `@` without a name
                Spec: syntax 1.3 Identifiers
                Help: a symbol is written `@name`, with nothing between
        "#]],
    );
    body(
        "  @%p goto L;\n  @!%p mov.32b %a, 1;",
        expect![[r#"
        2:3..6 E0114: `@%p`: PISA has no predicated instructions
            Spec: instructions 6 Control Flow
            Help: use `goto.cond`, `call.cond`, `return.cond` or `sel`
        3:3..7 E0114: `@!%p`: PISA has no predicated instructions
            Spec: instructions 6 Control Flow
            Help: use `goto.cond`, `call.cond`, `return.cond` or `sel`
    "#]],
    );
    module(
        "\u{feff}.version 0.1;\n",
        expect![[r#"
        1:1..2 E0114: the byte order mark at the beginning of the file has no meaning in PISA
            Spec: syntax 1.2 Statement
            Help: save the file as UTF-8 without a byte order mark
            Fix: "" for "\u{feff}"
    "#]],
    );
}

#[test]
fn literals() {
    body(
        "  mov.32b %a, 0b101;\n  mov.32b %a, 0o17;\n  mov.32b %a, 1_000;\n  mov.32b %a, 0x;\n  mov.32b %a, 12ab;\n  mov.32b %a, 0xfg;",
        expect![[r#"
            2:15..20 E0109: `0b101` is not an integer literal: a literal is decimal or hexadecimal
                Spec: operands 3.2 Immediate Values
                Help: write `0x5`
            3:15..19 E0109: `0o17` is not an integer literal: a literal is decimal or hexadecimal
                Spec: operands 3.2 Immediate Values
                Help: write `0xf`
            4:15..20 E0109: `1_000` is not an integer literal: digits are not separated
                Spec: operands 3.2 Immediate Values
                Help: write `1000`
            5:15..17 E0109: `0x` is not an integer literal: hexadecimal digits are missing after `0x`
                Spec: operands 3.2 Immediate Values
                Help: write the digits, or `0`
            6:15..19 E0109: `12ab` is not an integer literal
                6:15 `ab` is not part of it
                Spec: operands 3.2 Immediate Values
                Help: literals have no suffixes; the size is that of the operand
            7:15..19 E0109: `0xfg` is not an integer literal
                7:15 `g` is not part of it
                Spec: operands 3.2 Immediate Values
                Help: literals have no suffixes; the size is that of the operand
        "#]],
    );
    body(
        "  fadd.f %a, %a, .5;\n  fadd.f %a, %a, -.5e-3;\n  fadd.f %a, %a, 1.5f;\n  fadd.f %a, %a, 0x1.8p3;\n  fadd.f %a, %a, inf;\n  fadd.f %a, %a, -NaN;\n  fadd.f %a, %a, 1e;",
        expect![[r#"
            2:18..20 E0110: `.5` is not a number: a digit stands before the point
                Spec: operands 3.2 Immediate Values
                Help: write `0.5`
                Fix: "0" for ""
            3:19..24 E0110: `.5e-3` is not a number: a digit stands before the point
                Spec: operands 3.2 Immediate Values
                Help: write `0.5e-3`
                Fix: "0" for ""
            4:18..22 E0110: `1.5f` is not a floating-point literal
                4:18 `f` is not part of it
                Spec: operands 3.2 Immediate Values
                Help: literals have no suffixes; the size is that of the operand
            5:18..25 E0110: `0x1.8p3` is not a literal: a hexadecimal literal is an integer
                Spec: operands 3.2 Immediate Values
                Help: write the bits as a hexadecimal integer, or a decimal literal such as `1.5`
            6:18..21 E0110: `inf` is not a literal
                Spec: operands 3.2 Immediate Values
                Help: write the bits in hexadecimal: for `.f` infinity is `0x7F800000`, a quiet NaN `0x7FC00000`
            7:19..22 E0110: `NaN` is not a literal
                Spec: operands 3.2 Immediate Values
                Help: write the bits in hexadecimal: for `.f` infinity is `0x7F800000`, a quiet NaN `0x7FC00000`
            8:18..20 E0109: `1e` is not an integer literal
                8:18 `e` is not part of it
                Spec: operands 3.2 Immediate Values
                Help: literals have no suffixes; the size is that of the operand
        "#]],
    );
    body(
        "  mov.32b %a, +1;\n  ld.32b %a, [%b + +4];\n  mov.32b %a, -;",
        expect![[r#"
        2:15..16 E0111: a literal has no `+`
            Spec: operands 3.2 Immediate Values
            Help: remove it
            Fix: "" for "+"
        3:20..21 E0111: a literal has no `+`
            Spec: operands 3.2 Immediate Values
            Help: remove it
            Fix: "" for "+"
        4:16..17 E0102: expected a number after the sign, found `;`
            Spec: operands 3.2 Immediate Values
    "#]],
    );
    body(
        "  mov.64b %d, 99999999999999999999999;\n  goto inf;\ninf:\n  goto return;\nreturn:\n  goto.cond %p,\n    return;",
        expect![],
    );
}

#[test]
fn strings() {
    module(
        ".global .section(\".data) @g[4];\n.global .host_access(\"\") @h[4];\n.global .section(data) @i[4];\n.global @\"\"[4];\n",
        expect![[r#"
            1:18..32 E0112: the string is not closed
                1:18 no `"` follows on this line
                Spec: variables 2.5.3 Attributes
                Help: a string ends with `"` on its line; inside it write `\"` for a quote
            2:22..24 E0113: the name is empty
                Spec: variables 2.4.1, 2.5.3, calling convention 4.1.1
                Help: write a name between the quotes, or remove the attribute
            3:18..22 E0102: expected a name in quotes, found `data`
                Spec: variables 2.4.1, 2.5.3, calling convention 4.1.1
            4:9..12 E0113: the quoted name is empty
                Spec: syntax 1.3 Identifiers
                Help: write a name between the quotes
        "#]],
    );
}

#[test]
fn mnemonics() {
    body(
        "  iadd .32b %a, %b, 1;\n  iadd. 32b %a, %b, 1;\n  barrier .workgroup;\n  goto .L;\n.L:\n  goto .cond %p, .L;",
        expect![[r#"
            2:3..12 E0117: a blank inside the mnemonic `iadd.32b`
                Spec: instructions 1 Instruction Set
                Help: write opcode and qualifiers without blanks between
                Fix: "iadd.32b" for "iadd .32b"
            3:3..12 E0117: a blank inside the mnemonic `iadd.32b`
                Spec: instructions 1 Instruction Set
                Help: write opcode and qualifiers without blanks between
                Fix: "iadd.32b" for "iadd. 32b"
            4:3..21 E0117: a blank inside the mnemonic `barrier.workgroup`
                Spec: instructions 1 Instruction Set
                Help: write opcode and qualifiers without blanks between
                Fix: "barrier.workgroup" for "barrier .workgroup"
            7:3..13 E0117: a blank inside the mnemonic `goto.cond`
                Spec: instructions 1 Instruction Set
                Help: write opcode and qualifiers without blanks between
                Fix: "goto.cond" for "goto .cond"
        "#]],
    );
    body(
        "  MOV.32B %a, 1;\n  Ld.global.l1c.L2c.l3c.32b %a, [%b];\n  FOO %a;",
        expect![[r#"
        2:3..10 E0118: `MOV` is not an opcode; opcodes are lower case
            Spec: instructions 1 Instruction Set
            Help: write `mov.32b`
            Fix: "mov.32b" for "MOV.32B"
        3:3..28 E0118: `Ld` is not an opcode; opcodes are lower case
            Spec: instructions 1 Instruction Set
            Help: write `ld.global.L1c.L2c.L3c.32b`
            Fix: "ld.global.L1c.L2c.L3c.32b" for "Ld.global.l1c.L2c.l3c.32b"
    "#]],
    );
}

#[test]
fn trailing_commas_and_initializers() {
    body(
        "  mov.32b %a, 1,;\n  .reg .32b %b, ;\n  call void, @f(%a, );",
        expect![[r#"
        2:16..17 E0119: the operand list ends with a comma
            Spec: syntax 1.2 Statement
            Help: remove it
            Fix: "" for ","
        3:15..16 E0119: the declaration ends with a comma
            Spec: variables 2.2
            Help: remove it
            Fix: "" for ","
        4:19..20 E0119: the argument list ends with a comma
            Spec: control flow 6.1 call
            Help: remove it
            Fix: "" for ","
    "#]],
    );
    module(
        ".global @g[4] = { .32b 1, };\n.global @h[4] = {};\n.global @i[8] = { { .32b 1 }, { .32b 2 } };\n.global @j[8] = { 1, .32b };\n.kernel @k(.param[4] %a,) {\n}\n",
        expect![[r#"
            1:25..26 E0119: the initialiser ends with a comma
                Spec: variables 2.5.1 Initializers
                Help: remove it
                Fix: "" for ","
            2:17..19 E0120: the initialiser is empty
                Spec: variables 2.5.1 Initializers
                Help: write `{ .zero N }` for N zero bytes, or leave `= { }` out
            3:19..20 E0121: an initialiser inside an initialiser
                Spec: variables 2.5.1 Initializers
                Help: write all values in one list
            4:19..20 E0127: the size of the value is missing
                Spec: variables 2.5.1 Initializers
                Help: write `.8b`, `.16b`, `.32b` or `.64b` before each value
            4:27..28 E0102: expected a value, found `}`
                Spec: variables 2.5.1 Initializers
                Help: a value is a number, or `@symbol` for an address
            5:24..25 E0119: the parameter list ends with a comma
                Spec: calling convention 4.2 Kernel Parameters, 4.4 Function Arguments
                Help: remove it
                Fix: "" for ","
        "#]],
    );
    module(
        ".global @g[4] = { .32b %x };\n.global @h[8] = { .64b @g + };\n.global @i[4] = { .zero };\n.global @j[4] = { .32b 1 2 };\n",
        expect![[r#"
            1:24..26 E0102: expected a value, found `%x`
                Spec: variables 2.5.1 Initializers
                Help: a value is a number, or `@symbol` for an address
            2:29..30 E0102: expected an offset in bytes, found `}`
                Spec: variables 2.5.1 Initializers
            3:25..26 E0102: expected the number of zero bytes, found `}`
                Spec: variables 2.5.1 Initializers
            4:25..25 E0103: expected `,` before `2`
                Spec: syntax 1.2 Statement
                Fix: "," for ""
        "#]],
    );
}

#[test]
fn declarations() {
    body(
        "  .reg .32b @A, %b;\n  .reg .32b %c[4];\n  .reg %d;\n  .reg 32b %e;\n  .reg .pred %p;\n  .pred .32b %q;\n  .reg .32b %f = 1;",
        expect![[r#"
            2:13..15 E0122: `.reg` declares registers, `@A` is the name of a memory variable
                Spec: variables 2.2 Register Variables
                Help: a register is `%name`; a memory variable is declared by `.private @name[SIZE];` or `.shared`
            3:15..16 E0122: a register has neither a size in `[ ]` nor an initial value
                Spec: variables 2.2 Register Variables
                Help: its size is its type, several registers are `%name<0~4>`; write its value by `mov`
            4:7..7 E0129: expected the type of the registers, found `%d`
                Spec: variables 2.2 Register Variables
                Help: write `.reg .32b %name;`; types are `.8b` to `.128b`, and vectors such as `.v4.32b`
            5:8..11 E0129: expected the type of the registers, found `32b`
                Spec: variables 2.2 Register Variables
                Help: write `.reg .32b %name;`; types are `.8b` to `.128b`, and vectors such as `.v4.32b`
            6:8..13 E0129: `.pred` is not a type
                Spec: variables 2.3 Predicate Variables
                Help: predicates are declared by `.pred %p;`, without `.reg`
            7:9..13 E0130: `.pred` has no type, `.32b` is one too many
                Spec: variables 2.3 Predicate Variables
                Help: a predicate is one bit: `.pred %p;`
                Fix: "" for ".32b"
            8:16..17 E0122: a register has neither a size in `[ ]` nor an initial value
                Spec: variables 2.2 Register Variables
                Help: its size is its type, several registers are `%name<0~4>`; write its value by `mov`
        "#]],
    );
    module(
        ".global @A[4], @B[4];\n.global .align(4) @C[4];\n.kernel @k(.param[4] .align 4 %x, .param[4] .addrspace global %y) {\n}\n",
        expect![[r#"
            1:14..15 E0122: a declaration declares one memory variable
                1:14 expected `;`
                Spec: variables 2.4 Memory Variables
                Help: only `.reg` and `.pred` take lists; write a declaration for each variable
            2:9..15 E0131: `.align` has another form here
                Spec: variables 2.4.1, 2.5.3, calling convention 4.1.1
                Help: a variable's alignment has no parentheses: `.align 4`
            3:22..28 E0131: `.align` has another form here
                Spec: calling convention 4.2.1 Parameter Attributes
                Help: its value stands in parentheses: `.align(…)`
            3:45..55 E0131: `.addrspace` has another form here
                Spec: calling convention 4.2.1 Parameter Attributes
                Help: its value stands in parentheses: `.addrspace(…)`
        "#]],
    );
    module(
        ".kernel void @k() {\n}\n.kernel @l {\n}\n.function @f() {\n}\n.function int @g() {\n}\n",
        expect![[r#"
            1:9..13 E0124: a kernel has no return type, not even `void`
                Spec: calling convention 4.1 Kernel
                Help: remove it, or make this a `.function`
                Fix: "" for "void"
            3:11..11 E0126: a kernel has a parameter list
                3:11 expected `(`
                Spec: calling convention 4.1 Kernel, 4.3 Function
                Help: write `()` for no parameters
                Fix: "()" for ""
            5:11..13 E0125: the return type of `@f` is missing
                Spec: calling convention 4.3 Function
                Help: write `void` for none, or a type such as `.32b`
                Fix: "void " for ""
            7:11..14 E0102: expected a return type, found `int`
                Spec: calling convention 4.3 Function
                Help: a return type is `void`, or a type such as `.32b` or `.v4.32b`
        "#]],
    );
    module(
        "mov.32b %a, 1;\nL:\n.reg .32b %a;\n{ return; }\n.global @g[4];\nreturn;\n}\n",
        expect![[r#"
        1:1..8 E0123: an instruction outside every kernel and function
            Spec: syntax 1.1 Program
            Help: statements stand in the `{ }` of a `.kernel` or `.function`
        6:1..7 E0123: an instruction outside every kernel and function
            Spec: syntax 1.1 Program
            Help: statements stand in the `{ }` of a `.kernel` or `.function`
    "#]],
    );
    body(
        "  call %r, @f(1, %a, @g, !%p);",
        expect![[r#"
        2:15..16 E0128: `1` is not a register; the arguments of a call are
            Spec: calling convention 4.4 Function Arguments
            Help: move it into a register of the parameter's type first
        2:22..24 E0128: `@g` is not a register; the arguments of a call are
            Spec: calling convention 4.4 Function Arguments
            Help: move it into a register of the parameter's type first
        2:26..27 E0128: `!` is not a register; the arguments of a call are
            Spec: calling convention 4.4 Function Arguments
            Help: move it into a register of the parameter's type first
    "#]],
    );
}

#[test]
fn departures_and_lints() {
    body(
        "L: return;\n  return; M:\nN: // a comment is fine\n  return;",
        expect![[r#"
        2:1..2 W0001: the label `L` is not alone on its line
            Spec: syntax 1.2 Statement
            Help: put `L:` on a line of its own; `pisa fmt` does it
        3:11..12 W0001: the label `M` is not alone on its line
            Spec: syntax 1.2 Statement
            Help: put `M:` on a line of its own; `pisa fmt` does it
    "#]],
    );
    module(
        ".global @\"a b\"[4];\n",
        expect![[r#"
        1:9..15 W0002: `@"a b"` is quoted; the specification has no quoted names
            Spec: syntax 1.3 Identifiers
            Help: a name of `a-z A-Z 0-9 $ . _` needs no quotes
    "#]],
    );
    module(
        ";\n.kernel @k() {\n  ;\n  return;;\n};\n",
        expect![[r#"
        1:1..2 W0101: this `;` ends no statement
            Spec: syntax 1.2 Statement
            Help: remove it
            Fix: "" for ";"
        3:3..4 W0101: this `;` ends no statement
            Spec: syntax 1.2 Statement
            Help: remove it
            Fix: "" for ";"
        4:10..11 W0101: this `;` ends no statement
            Spec: syntax 1.2 Statement
            Help: remove it
            Fix: "" for ";"
        5:2..3 W0101: this `;` ends no statement
            Spec: syntax 1.2 Statement
            Help: remove it
            Fix: "" for ";"
    "#]],
    );
}
