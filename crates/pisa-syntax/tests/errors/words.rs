//! Characters, comments, literals, strings and mnemonics.

use crate::{body, module};
use expect_test::expect;

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
