//! Declarations, initialisers, departures and lints.

use crate::{body, module};
use expect_test::expect;

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
