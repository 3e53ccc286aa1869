//! Every form with every legal combination of qualifiers is accepted, and survives printing and reading.

mod common;
use common::forms::*;
use common::*;
use pisa_isa::FORMS;

/// The instructions of a form, in several ways to write their operands.
fn module_of(row: &'static pisa_isa::Form) -> (String, usize) {
    let mut text = preamble();
    let mut count = 0;
    for (number, values) in row.combinations().enumerate() {
        if !index_can_fit(row, &values) {
            continue;
        }
        // All variants of the first combinations, then one in turn.
        let variants = if number < 64 { 0..5 } else { number % 5..number % 5 + 1 };
        for variant in variants {
            text.push_str(&instruction(row, &values, &operands(row, &values, variant)));
            count += 1;
        }
    }
    text.push_str("}\n");
    (text, count)
}

#[test]
fn every_combination_is_accepted() {
    let mut total = 0;
    for row in FORMS {
        let (text, count) = module_of(row);
        total += count;
        let checked = check(&text);
        let line = |number: u32| text.lines().nth(number as usize - 1).unwrap_or("").to_owned();
        let errors: Vec<_> =
            checked.errors().into_iter().take(5).map(|(code, at)| (code, line(at))).collect();
        assert!(
            errors.is_empty(),
            "{} {}: {errors:#?}\n{}",
            row.opcode.text(),
            row.title,
            checked.messages()
        );
        let module = checked.module.unwrap();
        let kernel = module.functions.iter().find(|f| f.is_kernel()).unwrap();
        assert_eq!(kernel.code.len(), count, "{} {}", row.opcode.text(), row.title);
        // The form that was meant is the one that was found.
        let other = kernel.code.iter().find(|i| i.form != row.id());
        if let Some(other) = other {
            // `mov` to or from one element is the form for elements; everything else is unambiguous.
            assert_eq!(row.opcode, pisa_isa::Opcode::Mov, "{:?} {} {}", other, row.opcode.text(), row.title);
        }
        let printed = pisa_module::print(&module);
        let again = check(&printed);
        let errors = again.errors();
        assert!(errors.is_empty(), "{errors:?}\n{}\n{printed}", again.messages());
        assert!(pisa_module::same(&module, &again.module.unwrap()), "{printed}");
    }
    assert!(total > 10_000, "only {total} instructions");
}
