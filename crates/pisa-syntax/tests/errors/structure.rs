//! Statements, brackets, directives: what is missing, and what stands in the wrong place.

use crate::{body, module};
use expect_test::expect;

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
