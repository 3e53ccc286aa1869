//! Several modules to one.

mod common;
use common::*;
use pisa_module::{Initializer, Linkage, Module, Operand, codes, link, link_library, print, same};

fn modules(texts: &[&str]) -> Vec<Module> {
    let mut sources = pisa_diag::Sources::new();
    texts
        .iter()
        .map(|text| {
            let text = format!("{HEADER}{text}");
            let file = sources.add("module.pisa", text.as_str());
            let tree = pisa_syntax::parse(file, text.as_str().into());
            let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
            lowered.module.unwrap_or_else(|| panic!("{:#?}", lowered.diagnostics))
        })
        .collect()
}

const MAIN: &str = ".import .global .align 4 @data[8];\n.import .function .32b @twice(.reg .32b);\n\
    .global @pointers[24] = { .64b @data+4, .64b @twice, .64b @mine };\n.global @mine[4];\n\
    .function void @helper() {\n}\n\
    .kernel @main() {\n .reg .32b %a;\n ld.global.32b %a, [@data + 4];\n call %a, @twice(%a);\n call void, @helper();\n}\n";
const LIBRARY: &str = ".global @mine[8];\n.export .global .align 8 @data[8];\n\
    .function void @helper() {\n .private @mine[2];\n}\n\
    .export .function .32b @twice(.reg .32b %x) {\n .reg .64b %d;\n addrof.64b %d, @mine;\n call void, @helper();\n \
    iadd.32b %x, %x, %x;\n return %x;\n}\n";

#[test]
fn imports_become_what_they_name() {
    let program = link(modules(&[MAIN, LIBRARY])).unwrap();
    let module = program.module();
    assert!(module.functions.iter().all(|f| f.linkage != Linkage::Import));
    assert!(module.variables.iter().all(|v| v.linkage != Linkage::Import));
    let function = |name: &str| module.functions.iter().position(|f| &*f.name == name).unwrap() as u32;
    let variable = |name: &str| {
        module.variables.iter().position(|v| &*v.name == name && v.owner.is_none()).unwrap() as u32
    };
    let main = &module.functions[function("main") as usize];
    assert_eq!(main.code[1].operands[1], Operand::Function(pisa_module::FunctionId(function("twice"))));
    let pointers = module.variables[variable("pointers") as usize].initializer.as_ref().unwrap();
    assert_eq!(pointers[0], Initializer::Variable(pisa_module::VariableId(variable("data")), 4));
    assert_eq!(pointers[1], Initializer::Function(pisa_module::FunctionId(function("twice"))));
    // Internal names that clash are renamed, and each use follows its own module.
    assert_eq!(module.variables[variable("mine") as usize].size, 4);
    assert_eq!(pointers[2], Initializer::Variable(pisa_module::VariableId(variable("mine")), 0));
    let twice = &module.functions[function("twice") as usize];
    let Operand::Variable(address) = twice.code[0].operands[1] else { panic!() };
    assert_eq!(module.variables[address.index()].size, 8);
    let local = module.variables.iter().find(|v| v.owner.is_some()).unwrap();
    assert_eq!(
        (local.size, local.owner.map(|o| o.0 as usize)),
        (2, module.functions.iter().rposition(|f| f.name.starts_with("helper")))
    );
    // What is printed means the same.
    let text = print(module);
    let again = check(&text);
    assert_eq!(again.errors(), [], "{text}");
    assert!(same(module, &again.module.unwrap()), "{text}");
}

#[test]
fn order_does_not_matter() {
    let one = link(modules(&[LIBRARY, MAIN])).unwrap();
    assert_eq!(one.kernels().count(), 1);
    assert_eq!(one.functions().count(), 4);
}

#[test]
fn a_library_may_keep_imports() {
    let two = [
        MAIN,
        ".import .global .align 2 @data[8];\n.function void @f() {\n .reg .64b %d;\n addrof.64b %d, @data;\n}\n",
    ];
    let errors = link(modules(&two)).unwrap_err();
    assert!(errors.iter().all(|e| e.code == codes::UNRESOLVED_IMPORT));
    assert_eq!(errors.len(), 2);
    let library = link_library(modules(&two)).unwrap();
    // Two imports of one name are one.
    assert_eq!(library.variables.iter().filter(|v| &*v.name == "data").count(), 1);
    let text = print(&library);
    assert!(same(&library, &check(&text).module.unwrap()), "{text}");
    let module = modules(&[MAIN]).remove(0);
    assert!(pisa_module::Program::from_module(module).is_err());
}

#[test]
fn both_sides_are_shown() {
    let errors = link(modules(&[
        ".import .function .32b @f(.reg .64b);\n.kernel @k() {\n}\n",
        ".export .function .32b @f(.reg .32b %a) {\n return %a;\n}\n",
    ]))
    .unwrap_err();
    assert_eq!(errors.len(), 1);
    let files: Vec<_> = errors[0].labels.iter().map(|l| l.place.file.0).collect();
    assert_eq!(files, [0, 1]);
    assert!(errors[0].message.contains(".32b (.64b)"), "{}", errors[0].message);
}

#[test]
fn an_export_that_is_only_internal_is_pointed_at() {
    let errors = link(modules(&[
        ".import .function void @f();\n.kernel @k() {\n call void, @f();\n}\n",
        ".function void @f() {\n}\n",
    ]))
    .unwrap_err();
    assert_eq!(errors[0].code, codes::UNRESOLVED_IMPORT);
    assert!(errors[0].labels.iter().any(|l| l.place.file.0 == 1));
}

#[test]
fn an_import_without_export_is_shown_with_its_first_use() {
    let line = |text: &str| {
        let errors = link(modules(&[text])).unwrap_err();
        assert_eq!((errors.len(), errors[0].code), (1, codes::UNRESOLVED_IMPORT));
        let used = errors[0].labels.iter().find(|label| label.text == "used here").unwrap();
        let start = used.place.span.start as usize - HEADER.len();
        text[start..].lines().next().unwrap().to_owned()
    };
    let call =
        ".import .function void @f();\n.kernel @k() {\n return;\n call void, @f();\n call void, @f();\n}\n";
    assert_eq!(line(call), "call void, @f();");
    let address = ".import .global @g[4];\n.global @p[8] = { .64b @g };\n";
    assert_eq!(line(address), "@p[8] = { .64b @g };");
}

/// Compilers print an import for each declaration they saw, used or not.
#[test]
fn an_import_that_nothing_uses_is_left_out_of_a_program() {
    let texts = [
        ".import .function void @f();\n.import .global @g[4];\n.kernel @k() {\n call void, @h();\n}\n.function void @h() {\n}\n",
        ".import .function void @f();\n.export .global @v[8] = { .64b @w };\n.global @w[1];\n",
    ];
    for count in [1, 2] {
        let program = link(modules(&texts[..count])).unwrap();
        let names: Vec<&str> = program.functions().map(|(_, f)| &*f.name).collect();
        assert_eq!(names, ["k", "h"]);
        assert!(program.module().variables.iter().all(|v| &*v.name != "g"));
        // The numbers of what stays are right again.
        let call = &program.module().functions[0].code[0];
        assert!(call.operands.contains(&pisa_module::Operand::Function(pisa_module::FunctionId(1))));
    }
    let program = link(modules(&texts)).unwrap();
    let initializer = program.module().variables[0].initializer.as_deref().unwrap();
    assert_eq!(initializer, [pisa_module::Initializer::Variable(pisa_module::VariableId(1), 0)]);
    // One that an initialiser names is used.
    let used = link(modules(&[".import .function void @f();\n.global @t[8] = { .64b @f };\n"]));
    assert_eq!(used.unwrap_err()[0].code, codes::UNRESOLVED_IMPORT);
}

#[test]
fn an_import_is_no_kernel() {
    // Neither a program nor a library can hold both under one name.
    let two = [
        ".import .function void @g();\n.export .function void @f() {\n call void, @g();\n}\n",
        ".kernel @g() {\n}\n",
    ];
    for errors in [link(modules(&two)).unwrap_err(), link_library(modules(&two)).unwrap_err()] {
        let codes: Vec<_> = errors.iter().map(|e| e.code).collect();
        assert_eq!(codes, [codes::LINK_KIND]);
        let files: Vec<_> = errors[0].labels.iter().map(|l| l.place.file.0).collect();
        assert_eq!(files, [0, 1]);
    }
}
