//! Whole messages of errors that users meet often, word for word.

mod common;
use common::*;

/// The first diagnostic with all its parts.
fn message(body: &str) -> String {
    let checked = check(&kernel(body));
    let diagnostic = checked.diagnostics.first().expect("a diagnostic");
    let mut text = format!("{}: {}\n", diagnostic.code.0, diagnostic.message);
    for label in &diagnostic.labels {
        let source = checked.sources.file(label.place.file);
        let (line, column) = source.line_column(label.place.span.start);
        let marked = &source.text[label.place.span.start as usize..label.place.span.end as usize];
        let mark = if label.primary { "^" } else { "-" };
        text.push_str(&format!("{mark} {line}:{column} `{marked}` {}\n", label.text));
    }
    for (kind, note) in &diagnostic.notes {
        text.push_str(&format!("{kind:?}: {note}\n"));
    }
    if let Some(fix) = &diagnostic.fix {
        text.push_str(&format!("Fix: {}\n", fix.replacement));
    }
    text
}

#[test]
fn widths() {
    assert_eq!(
        message(".reg .32b %a;\n.reg .64b %b;\niadd.32b %a, %b, 1;"),
        "E0203: `%b` is 64 bits wide, `iadd.32b` reads 32\n\
         ^ 6:14 `%b` 64 bits\n\
         - 5:11 `%b` declared here\n\
         Spec: 1.3 iadd\n\
         Help: `trunc.32b.64b %t, %b;` takes the low part; for 64 bits write `iadd.64b`\n"
    );
    assert_eq!(
        message(".reg .32b %a;\nld.global.32b %a, [%a];"),
        "E0224: `%a` is 32 bits wide, `ld.global.32b` takes 64-bit addresses\n\
         ^ 5:20 `%a` 32 bits\n\
         - 4:11 `%a` declared here\n\
         Spec: 8.3 ld; 2.1 address spaces\n\
         Help: `.global` addresses have 64 bits\n"
    );
    assert_eq!(
        message(".reg .32b %a;\n.reg .16b %h;\nfadd.f %a, %a, %h;"),
        "E0203: `%h` is 16 bits wide, `fadd.f` reads 32\n\
         ^ 6:16 `%h` 16 bits\n\
         - 5:11 `%h` declared here\n\
         Spec: 2.2 fadd\n\
         Help: `fext.f.hf %t, %h;` extends a `.hf`; for 16 bits write `fadd.bf` or `fadd.hf`\n"
    );
}

#[test]
fn habits_of_other_languages() {
    let help = |body: &str| {
        let text = message(body);
        text.lines()
            .find_map(|line| line.strip_prefix("Help: "))
            .unwrap_or_else(|| panic!("{text}"))
            .to_owned()
    };
    assert_eq!(help(".reg .32b %id;\nmov.32b %id, %tid.x;"), "did you mean `%localid`?");
    assert_eq!(
        help(".reg .32b %a;\nmov.32b %a, %globalid.x;"),
        "it is `%groupid` times `%enqueuedlocalsize` plus `%localid` plus `%globaloffset`"
    );
    assert_eq!(help(".reg .32b %a;\niadd.32 %a, %a, 1;"), "did you mean `.32b`?");
    assert_eq!(help("again\ngoto again;"), "declarations and instructions end with `;`");
    assert!(
        check(&kernel("again\ngoto again;"))
            .diagnostics
            .iter()
            .any(|d| d.notes.iter().any(|(_, text)| text == "a label ends with `:`, as in `again:`"))
    );
}

#[test]
fn names() {
    assert_eq!(
        message(".reg .32b %sum;\niadd.32b %sum, %sun, 1;"),
        "E0201: `%sun` is not declared\n\
         ^ 5:16 `%sun` \n\
         Spec: 2.2 register variables\n\
         Help: did you mean `%sum`?\n"
    );
    assert_eq!(
        message(".reg .32b %a;\nmov.32b %a, %localid;"),
        "E0208: `%localid` is a vector, its elements are read one at a time\n\
         ^ 5:13 `%localid` \n\
         Spec: 4. special registers\n\
         Help: write `%localid.x`, `%localid.y` or `%localid.z`\n"
    );
    assert_eq!(
        message(".reg .32b %p0;"),
        "E0504: `%p0` is the name of a parameter, too\n\
         ^ 4:11 `%p0` declared again here\n\
         - 3:22 `%p0` the parameter\n\
         Spec: 2.5.2 linkage: a variable must not be declared more than once\n\
         Help: rename one of them\n"
    );
}

#[test]
fn mnemonics() {
    assert!(
        message(".reg .32b %a;\niad.32b %a, %a, 1;")
            .starts_with("E0301: `iad` is not an opcode\n^ 5:1 `iad` \n")
    );
    let order = message(".reg .32b %a;\niadd.32b.dsat %a, %a, 1;");
    assert!(order.starts_with("E0303: the qualifiers of `iadd` are in the wrong order\n"), "{order}");
    assert!(
        order.contains("Help: write `iadd.dsat.32b`\n") && order.ends_with("Fix: iadd.dsat.32b\n"),
        "{order}"
    );
    let missing = message(".reg .32b %a;\niadd %a, %a, 1;");
    assert!(
        missing.starts_with("E0304: `iadd` lacks its `.type`\n^ 5:1 `iadd` \nSpec: 1.3 iadd\n"),
        "{missing}"
    );
    let excluded = message(".reg .64b %a;\n.reg .32b %p;\nfatom.shared.add.df %a, [%p], %a;");
    assert!(
        excluded.starts_with("E0308: `.type` of `fatom` cannot be `.df` unless `.addrspace` is `.global` and `.op` is `.add` or `.sub`\n^ 6:17 `.df` \n"),
        "{excluded}"
    );
    assert!(excluded.contains("Help: `.type` here: .bf .hf .f\n"), "{excluded}");
}

#[test]
fn immediates() {
    assert_eq!(
        message(".reg .32b %a;\nfadd.f %a, %a, 1;"),
        "E0213: `fadd.f` reads a floating-point number, `1` is an integer\n\
         ^ 5:16 `1` integer literal\n\
         Spec: 3.2 immediate values: decimal floating-point literal or IEEE bits in hexadecimal\n\
         Help: write `1.0`, or the bits `0x3F800000`\n\
         Fix: 1.0\n"
    );
    assert_eq!(
        message(".reg .16b %a;\niadd.16b %a, %a, 65536;"),
        "E0212: this value does not fit the 16 bits that `iadd.16b` reads here\n\
         ^ 5:18 `65536` needs more than 16 bits\n\
         Spec: 3.2 immediate values: must fit the signed or unsigned range of the operand\n\
         Help: 16-bit operands hold -32768 to 65535\n"
    );
    assert_eq!(
        message(".reg .32b %a;\nmov.32b %a, 1.0;"),
        "E0214: `mov.32b` does not read floating-point numbers, `1.0` is one\n\
         ^ 5:13 `1.0` floating-point literal\n\
         Spec: 3.2 immediate values: decimal floating-point literals belong to floating-point instructions\n\
         Help: write the bits: 0x3F800000 as .f\n"
    );
}

#[test]
fn warnings() {
    assert_eq!(
        message(".reg .32b %a;\nf2i.s32.f %a, %a;"),
        "W0110: `f2i.s32.f` has no rounding mode and rounds to even: 2.7 gives 3\n\
         ^ 5:1 `f2i.s32.f` \n\
         Spec: 3.2 rounding modes: the default is .re for all floating-point operations\n\
         Help: write `f2i.s32.f.rz` to cut off the fraction, `f2i.s32.f.re` to round\n\
         Note: LLVM prints it where it means .rz; `--assume f2i=rz` reads it so\n"
    );
    assert_eq!(
        message(".reg .64b %d;\n.reg .32b %a;\nld.global.32b %a, [%d - 8];"),
        "W0021: the address forms of the specification have `+` only\n\
         ^ 6:23 `- 8` \n\
         Spec: 3.3 address operands\n\
         Help: write `+ -8`\n\
         Fix: + -8\n"
    );
}

#[test]
fn bare_conversions_can_mean_truncation() {
    let text = kernel(".reg .32b %a;\nf2i.s32.f %a, %a;");
    let options = pisa_module::Options { f2i_toward_zero: true, ..Default::default() };
    let checked = check_with(&text, &options);
    assert!(checked.diagnostics.is_empty());
    let module = checked.module.unwrap();
    let instruction = &module.functions[0].code[0];
    assert_eq!(instruction.qualifier(pisa_isa::SlotName::Rndmode), Some(pisa_isa::Qualifier::Rz));
}
