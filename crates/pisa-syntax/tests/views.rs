//! The typed views give the parts of the text.

mod support;

use pisa_syntax::ast::*;
use pisa_syntax::{Directive, Node, NodeKind, TokenRef, Tree};
use support::{SAMPLE, read};

fn text(token: Option<TokenRef<'_>>) -> &str {
    token.map_or("-", |t| t.text())
}

fn items(tree: &Tree) -> Vec<Node<'_>> {
    tree.root().children().collect()
}

fn values<'t>(attribute: Attribute<'t>) -> Vec<&'t str> {
    attribute.values().map(|t| t.text()).collect()
}

#[test]
fn header_and_variables() {
    let tree = read(SAMPLE);
    let items = items(&tree);
    assert_eq!(text(Version::cast(items[0]).expect("a version").value()), "0.1");
    assert_eq!(text(Target::cast(items[1]).expect("a target").value()), "100ca");
    let imported = Variable::cast(items[3]).expect("a variable");
    assert_eq!(
        (imported.linkage(), text(imported.name()), text(imported.size())),
        (Some(Directive::Import), "@table", "64")
    );
    assert!(imported.initializer().is_none());
    let values_ = Variable::cast(items[4]).expect("a variable");
    assert_eq!((values_.linkage(), text(values_.space())), (Some(Directive::Export), ".global"));
    let attributes: Vec<_> =
        values_.attributes().map(|a| (a.directive().expect("known"), values(a))).collect();
    assert_eq!(
        attributes,
        [
            (Directive::Align, vec!["8"]),
            (Directive::Section, vec![r#"".data \"x\"""#]),
            (Directive::HostAccess, vec![r#""host \\ name""#]),
        ]
    );
    let elements: Vec<_> = values_.initializer().expect("an initialiser").elements().collect();
    let describe = |e: &InitializerElement<'_>| match e.value().expect("a value") {
        InitializerValue::Zero(n) => format!("{} zero {}", text(e.type_name()), n.text()),
        InitializerValue::Number(n) => format!("{} {} {}", text(e.type_name()), n.negative, n.literal.text()),
        InitializerValue::Symbol { name, offset } => {
            let offset = offset.map(|o| format!("{} {}", o.negative, o.literal.text()));
            format!("{} {} {offset:?}", text(e.type_name()), name.text())
        }
    };
    let found: Vec<String> = elements.iter().map(describe).collect();
    assert_eq!(
        found,
        [".64b false 0xFFFFFFFFFFFFFFFF", ".32b true 1", "- zero 4", ".64b @table Some(\"false 8\")"]
    );
    let pointers = Variable::cast(items[5]).expect("a variable").initializer().expect("an initialiser");
    let found: Vec<String> = pointers.elements().map(|e| describe(&e)).collect();
    assert_eq!(found, [".64b @external None", ".64b @table Some(\"true 4\")"]);
    assert_eq!(text(Variable::cast(items[6]).expect("a variable").size()), "0x10");
}

#[test]
fn functions_and_kernels() {
    let tree = read(SAMPLE);
    let items = items(&tree);
    let external = Function::cast(items[2]).expect("a function");
    assert_eq!(
        (external.linkage(), text(external.return_type()), text(external.name())),
        (Some(Directive::Import), ".32b", "@external")
    );
    let parameters: Vec<_> = external.parameters().filter_map(FunctionParameter::cast).collect();
    assert_eq!(
        parameters.iter().map(|p| (p.has_reg(), text(p.type_name()), text(p.name()))).collect::<Vec<_>>(),
        [(true, ".32b", "-"), (true, ".v4.32b", "-")]
    );
    assert!(external.body().is_none());
    let kernel = Kernel::cast(items[8]).expect("a kernel");
    assert_eq!((text(kernel.name()), kernel.linkage()), ("@k", None));
    let attributes: Vec<_> = kernel.attributes().map(values).collect();
    assert_eq!(attributes, [vec!["256", "2", "1"], vec!["int2"]]);
    let parameters: Vec<_> = kernel.parameters().filter_map(KernelParameter::cast).collect();
    let found: Vec<_> = parameters
        .iter()
        .map(|p| (text(p.size()), text(p.name()), p.attributes().map(values).collect::<Vec<_>>()))
        .collect();
    assert_eq!(found, [("4", "%n", vec![]), ("8", "%x", vec![vec!["4"], vec!["global"], vec!["16"]])]);
    let nothing = Function::cast(items[9]).expect("a function");
    assert_eq!((nothing.linkage(), text(nothing.return_type())), (Some(Directive::Export), "void"));
    assert_eq!(nothing.body().expect("a body").children().count(), 0);
    let without_reg = read(".function void @f(.32b %a) {\n}\n");
    let parameter = Function::cast(without_reg.root().children().next().expect("a function"))
        .expect("a function")
        .parameters()
        .next();
    assert!(
        !FunctionParameter::cast(parameter.expect("a parameter")).expect("of a function").has_reg(),
        "F-02"
    );
}

fn describe(operand: Operand<'_>) -> String {
    match operand {
        Operand::Register(t) => format!("register {}", t.text()),
        Operand::Negated(t) => format!("negated {}", t.text()),
        Operand::Number(n) => format!("number {}{}", if n.negative { "-" } else { "" }, n.literal.text()),
        Operand::Address(a) => {
            let sign = if a.is_subtracted() { "-" } else { "+" };
            let offset = a.offset().map_or(String::new(), |o| format!(" {sign} {}", describe(o)));
            format!("[{}{offset}]", describe(a.base().expect("a base")))
        }
        Operand::Symbol(t) => format!("symbol {}", t.text()),
        Operand::Word(t) => format!("word {}", t.text()),
        Operand::Arguments(a) => {
            format!("({})", a.registers().map(|t| t.text()).collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn statements() {
    let tree = read(SAMPLE);
    let function = Function::cast(items(&tree)[7]).expect("a function");
    let statements: Vec<_> = function.body().expect("a body").children().collect();
    let registers = Registers::cast(statements[0]).expect("registers");
    assert_eq!((registers.is_predicate(), text(registers.type_name())), (false, ".32b"));
    let names: Vec<_> =
        registers.names().map(|n| (text(n.name()), n.range().map(|(a, b)| (a.text(), b.text())))).collect();
    assert_eq!(names, [("%r", None), ("%s", Some(("0", "5"))), ("%t", None)]);
    let predicates = Registers::cast(statements[1]).expect("registers");
    assert!(predicates.is_predicate() && predicates.type_name().is_none());
    let instructions: Vec<_> = statements.iter().filter_map(|&n| Instruction::cast(n)).collect();
    let all: Vec<String> = instructions
        .iter()
        .map(|i| {
            format!("{}: {}", text(i.mnemonic()), i.operands().map(describe).collect::<Vec<_>>().join(", "))
        })
        .collect();
    assert_eq!(
        all,
        [
            "iadd.32b: register %r, register %a, register %b.x",
            "mov.128b: register %v4w0.xyzw, register %v2d0.xy",
            "bfn.0xba.32b: register %r, register %a, register %b.y, number -0x1",
            "fadd.ftz.f: register %r, register %r, number 1.5e-3",
            "fmul.f: register %r, register %r, number -2.",
            "ld.global.L1c.L2c.L3c.v2.32b: register %b, [register %d0 + number 8]",
            "st.generic.64b: [register %d0 - number 8], register %d1",
            "ld.shared.32b: register %r, [symbol @local + register %a]",
            "uaddc.ci.co.32b: register %r, register %p, register %a, register %a, negated %q1",
            "goto.cond: register %p, word loop",
            "call: word void, symbol @nothing, ()",
            "return: register %r",
        ]
    );
    let scope = statements.iter().find(|n| n.kind() == NodeKind::Scope).expect("a scope");
    let call = scope.children().filter_map(Instruction::cast).nth(1).expect("the call");
    assert_eq!(call.operands().map(describe).collect::<Vec<_>>(), ["register %r", "register %f", "(%r %b)"]);
    let labels: Vec<_> = scope.children().filter_map(Label::cast).map(|l| text(l.name())).collect();
    assert_eq!(labels, [".inner"]);
}

#[test]
fn a_negative_offset_is_its_own_sign() {
    let tree = read(".kernel @k() {\n  ld.32b %a, [%b + -8];\n  ld.32b %a, [0x10];\n}\n");
    let body = Kernel::cast(items(&tree)[0]).expect("a kernel").body().expect("a body");
    let operands: Vec<_> =
        body.children().filter_map(Instruction::cast).flat_map(Instruction::operands).map(describe).collect();
    assert_eq!(operands, ["register %a", "[register %b + number -8]", "register %a", "[number 0x10]"]);
}

#[test]
fn statements_with_a_fault_are_marked() {
    let tree = read(".kernel @k() {\n  mov.32b %a, ;\n  mov.32b %a, 1\n  mov.32b %a, 1;\n}\n");
    let body = Kernel::cast(items(&tree)[0]).expect("a kernel").body().expect("a body");
    let marked: Vec<bool> = body.children().map(Node::has_error).collect();
    assert_eq!(marked, [true, false, false], "a missing `;` leaves the instruction whole");
}
