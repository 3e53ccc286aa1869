//! Each single violation of each form is refused, on its line, with its code; and every restriction of the table is
//! violated by at least one of them.

mod common;
use common::forms::*;
use common::*;
use pisa_isa::{Access, FORMS, Form, Opcode, OperandKind as K, Qualifier, Rule, SlotName, SlotValues};
use pisa_module::codes;
use std::collections::{HashMap, HashSet};

/// One faulty line.
struct Fault {
    text: String,
    code: &'static str,
    /// Index of the restriction that it breaks, where it breaks one.
    restriction: Option<usize>,
}

/// Another width than this one.
fn other(bits: u16) -> u16 {
    if bits == 32 { 16 } else { 32 }
}

/// The restriction that fixes the width or shape of an operand.
fn width_rule(row: &Form, name: &str) -> Option<usize> {
    row.restrictions.iter().position(|r| match r.rule {
        Rule::Width { operands } | Rule::PackedShape { operands } => operands.contains(&name),
        Rule::SwizzledWidth { operand } => operand == name,
        _ => false,
    })
}

fn rule_at(row: &Form, matches: impl Fn(&Rule) -> bool) -> Option<usize> {
    row.restrictions.iter().position(|r| matches(&r.rule))
}

/// All faults of operands with these qualifiers.
fn operand_faults(row: &'static Form, values: &SlotValues) -> Vec<Fault> {
    let mut faults = Vec::new();
    let fitting = operands(row, values, 0);
    let mut add = |number: usize, replacement: String, code: pisa_diag::Code, restriction: Option<usize>| {
        let mut changed = fitting.clone();
        changed[number] = replacement;
        faults.push(Fault { text: instruction(row, values, &changed), code: code.0, restriction });
    };
    // Forms that differ in the kind of one operand: a misfit there is another form.
    let several = pisa_isa::forms_of(row.opcode)
        .iter()
        .filter(|other| {
            let mnemonic = row.mnemonic(values);
            let split = pisa_isa::split_mnemonic(&mnemonic).unwrap();
            let found = pisa_isa::match_mnemonic(split.opcode, split.qualifiers()).unwrap();
            found.iter().any(|m| m.form == other.id())
        })
        .count()
        > 1;
    for (number, definition) in row.operands.iter().enumerate() {
        if !present(row, values, definition) {
            continue;
        }
        let bits = bits(row, values, definition);
        let name = definition.name;
        let width = width_rule(row, name);
        match definition.kind {
            K::Register | K::RegisterOrImmediate | K::RegisterOrMemoryVariable => {
                add(number, scalar(other(bits), number), codes::WRONG_WIDTH, width);
                if other(bits) != 64 && bits != 64 {
                    add(number, scalar(64, number), codes::WRONG_WIDTH, width);
                }
                if bits <= 64 {
                    // A whole vector; `mov` says that it needs a swizzle.
                    add(number, vector(2, bits, number), codes::VECTOR_FOR_SCALAR, None);
                }
                let is_source = definition.access == Access::Read;
                if !is_source {
                    let special = if bits == 64 { "%globalsize.x" } else { "%laneid" };
                    add(number, special.to_owned(), codes::SPECIAL_WRITTEN, None);
                }
                if !several {
                    add(number, "%p9".to_owned(), codes::OPERAND_KIND, None);
                }
                add(number, "%arg".to_owned(), codes::PARAMETER_AS_OPERAND, None);
                add(number, "%unknown".to_owned(), codes::UNKNOWN_REGISTER, None);
                if definition.kind == K::RegisterOrImmediate {
                    match float(row, values, definition) {
                        None => {
                            let large = if bits >= 64 { 1u128 << 64 } else { 1 << bits };
                            add(number, large.to_string(), codes::IMMEDIATE_RANGE, None);
                            let low = 1u128 << (bits.min(64) - 1);
                            add(number, format!("-{}", low + 1), codes::IMMEDIATE_RANGE, None);
                            add(number, "1.5".to_owned(), codes::FLOAT_FOR_INTEGER, None);
                        }
                        Some(ty) => {
                            add(number, "1".to_owned(), codes::INTEGER_FOR_FLOAT, None);
                            add(number, "-0x1".to_owned(), codes::NEGATIVE_HEX_FLOAT, None);
                            let digits = usize::from(ty.bits().unwrap()) / 4 + 1;
                            add(number, format!("0x{:0digits$x}", 1), codes::HEX_FLOAT_LENGTH, None);
                        }
                    }
                } else if row.opcode != Opcode::Mov {
                    add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
                }
                if definition.kind == K::RegisterOrMemoryVariable {
                    let from = value(row, values, SlotName::From).unwrap();
                    let wrong = if from == Qualifier::Private { "@shared" } else { "@private" };
                    let rule = rule_at(row, |r| matches!(r, Rule::AddressSpace { .. }));
                    add(number, wrong.to_owned(), codes::ADDRESS_SPACE, rule);
                }
            }
            K::Predicate | K::PredicateOrNegation => {
                if !several {
                    add(number, scalar(32, number), codes::OPERAND_KIND, None);
                    add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
                }
                if definition.kind == K::Predicate {
                    add(number, format!("!%p{number}"), codes::NEGATION_NOT_ALLOWED, None);
                }
            }
            K::Packed => {
                let (_, element) = packed(row, values, definition);
                add(number, vector(3, element, number), codes::PACKED_SHAPE, width);
                add(number, vector(2, 32, number), codes::PACKED_SHAPE, width);
                add(number, scalar(32, number), codes::PACKED_SHAPE, width);
                add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
            }
            K::Vector => {
                let count = if fitting[number].starts_with("%v64") { 4 } else { elements(row, values) };
                if counts(16).contains(&count) {
                    add(number, vector(count, 16, number), codes::WRONG_WIDTH, None);
                }
                add(number, scalar(32, number), codes::OPERAND_KIND, None);
                add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
                add(number, format!("{}.x", vector(4, 32, number)), codes::BAD_SWIZZLE, None);
            }
            K::Swizzle => {
                let wrong = if bits == 32 { vector(2, 16, number) } else { vector(2, 32, number) };
                add(number, format!("{wrong}.x"), codes::SWIZZLED_WIDTH, width);
                add(number, format!("{}.w", vector(2, 32, number)), codes::BAD_SWIZZLE, None);
                add(number, format!("{}.xz", vector(4, 32, number)), codes::BAD_SWIZZLE, None);
            }
            K::Memory => {
                let count = elements(row, values);
                let rule = rule_at(row, |r| matches!(r, Rule::ElementCount { .. }));
                if count == 1 {
                    add(number, scalar(other(bits), number), codes::WRONG_WIDTH, width);
                    add(number, vector(2, bits, number), codes::ELEMENT_COUNT, rule);
                } else {
                    add(number, scalar(bits, number), codes::ELEMENT_COUNT, rule);
                    let wrong = if count == 2 { 4 } else { 2 };
                    add(number, vector(wrong, bits, number), codes::ELEMENT_COUNT, rule);
                    if counts(other(bits)).contains(&count) {
                        add(number, vector(count, other(bits), number), codes::WRONG_WIDTH, width);
                    }
                }
                add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
                add(number, "%p9".to_owned(), codes::OPERAND_KIND, None);
            }
            K::Address => {
                let space = value(row, values, SlotName::Addrspace).unwrap();
                let wrong = if bits == 64 { 32 } else { 64 };
                add(number, format!("[{}]", scalar(wrong, 7)), codes::ADDRESS_WIDTH, None);
                add(number, "[16]".to_owned(), codes::ADDRESS_FORM, None);
                add(number, format!("[{} + 2147483648]", scalar(bits, 7)), codes::OFFSET_RANGE, None);
                add(number, format!("[{} + @shared]", scalar(bits, 7)), codes::ADDRESS_FORM, None);
                add(number, format!("[{0} - {0}]", scalar(bits, 7)), codes::ADDRESS_FORM, None);
                add(number, "[%arg]".to_owned(), codes::PARAMETER_AS_OPERAND, None);
                add(number, scalar(bits, 7), codes::OPERAND_KIND, None);
                if bits == 32 {
                    add(number, format!("[{} + %s64_8]", scalar(bits, 7)), codes::OFFSET_WIDTH, None);
                }
                let wrong = if space == Qualifier::Private { "[@shared]" } else { "[@private]" };
                add(number, wrong.to_owned(), codes::ADDRESS_SPACE, None);
                if row.opcode != Opcode::Ld {
                    add(number, "[@const]".to_owned(), codes::STORE_TO_CONST, None);
                }
            }
            K::ParameterAddress => {
                add(number, "[%s32_7]".to_owned(), codes::UNKNOWN_PARAMETER, None);
                add(number, "[@global]".to_owned(), codes::UNKNOWN_PARAMETER, None);
                add(number, "[%arg + %s64_7]".to_owned(), codes::OFFSET_WIDTH, None);
                add(number, "[%arg + %s16_7]".to_owned(), codes::OFFSET_WIDTH, None);
            }
            K::MemoryVariable => {
                let ty = value(row, values, SlotName::Type).unwrap();
                let wrong = if ty == Qualifier::B32 { "@global" } else { "@shared" };
                let rule = rule_at(row, |r| matches!(r, Rule::VariableAddressSize { .. }));
                add(number, wrong.to_owned(), codes::VARIABLE_ADDRESS_SIZE, rule);
                add(number, scalar(32, number), codes::OPERAND_KIND, None);
            }
            K::FunctionName => add(number, "@k".to_owned(), codes::CALL_OF_KERNEL, None),
            K::Label => {
                add(number, "elsewhere".to_owned(), codes::UNKNOWN_LABEL, None);
                add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
                add(number, "%s64_1".to_owned(), codes::OPERAND_KIND, None);
            }
            K::ResultOrVoid => {
                let rule = rule_at(row, |r| matches!(r, Rule::ReturnType { .. }));
                add(number, scalar(32, number), codes::CALL_RESULT, rule);
                add(number, "%p9".to_owned(), codes::OPERAND_KIND, None);
                add(number, "1".to_owned(), codes::IMMEDIATE_NOT_ALLOWED, None);
            }
            K::CallTarget => {
                add(number, "@k".to_owned(), codes::CALL_OF_KERNEL, None);
                add(number, "@global".to_owned(), codes::CALL_TARGET, None);
                add(number, scalar(32, number), codes::WRONG_WIDTH, None);
            }
            K::Arguments => {
                add(number, "(%s32_1)".to_owned(), codes::ARGUMENT_COUNT, None);
            }
            K::ReturnValue => {}
        }
    }
    // One operand less, one more.
    if let Some(last) = row.operands.iter().rposition(|o| present(row, values, o)) {
        let mut fewer = fitting.clone();
        fewer.pop();
        let rule = rule_at(
            row,
            |r| matches!(r, Rule::OperandOnlyWhen { operand, .. } if *operand == row.operands[last].name),
        );
        let code = if rule.is_some() { codes::OPERAND_ONLY_WHEN } else { codes::OPERAND_COUNT };
        faults.push(Fault { text: instruction(row, values, &fewer), code: code.0, restriction: rule });
    }
    if !matches!(row.opcode, Opcode::Call | Opcode::Return) {
        let next = row.operands.get(fitting.len());
        let rule = next.and_then(|next| {
            rule_at(row, |r| matches!(r, Rule::OperandOnlyWhen { operand, .. } if *operand == next.name))
        });
        let mut more = fitting.clone();
        let surplus = next.map_or("%s32_9".to_owned(), |next| scalar(bits(row, values, next), 9));
        more.push(surplus);
        let code = if rule.is_some() { codes::OPERAND_ONLY_WHEN } else { codes::OPERAND_COUNT };
        faults.push(Fault { text: instruction(row, values, &more), code: code.0, restriction: rule });
    }
    faults
}

/// Faults of the index and element count of `extract` and `insert`.
fn vector_faults(row: &'static Form, values: &SlotValues) -> Vec<Fault> {
    let mut faults = Vec::new();
    let fitting = operands(row, values, 0);
    let position = |name: &str| row.operands.iter().position(|o| o.name == name).unwrap();
    let mut add = |number: usize, replacement: String, code: pisa_diag::Code, rule: usize| {
        let mut changed = fitting.clone();
        changed[number] = replacement;
        faults.push(Fault {
            text: instruction(row, values, &changed),
            code: code.0,
            restriction: Some(rule),
        });
    };
    let (index, count) = (index(row, values), elements(row, values));
    for (i, restriction) in row.restrictions.iter().enumerate() {
        match restriction.rule {
            // A part of another size, with an index that suits it.
            Rule::ElementCount { operand }
                if row.operands[position(operand)].kind == K::Vector
                    && index.is_none_or(|index| index == 0) =>
            {
                let wrong = if count == 2 { 3 } else { 2 };
                add(position(operand), vector(wrong, 32, 1), codes::ELEMENT_COUNT, i);
            }
            Rule::IndexInRange { operand } => {
                let index = index.unwrap();
                if let Some(&small) = counts(32).iter().rev().find(|&&c| c <= index) {
                    add(position(operand), vector(small, 32, 1), codes::INDEX_RANGE, i);
                }
            }
            Rule::IndexSum { whole, .. } => {
                let index = index.unwrap();
                let end = u32::from(index) + u32::from(count);
                if let Some(&small) = counts(32).iter().rev().find(|&&c| u32::from(c) < end && c != count) {
                    add(position(whole), vector(small, 32, 1), codes::INDEX_SUM, i);
                }
            }
            _ => {}
        }
    }
    faults
}

/// Combinations that break rules about qualifiers, each with the codes that it must give.
fn qualifier_faults(row: &'static Form) -> Vec<(String, Vec<&'static str>, Vec<usize>)> {
    row.spellings()
        .filter_map(|values| {
            let broken = row.violations(&values);
            if broken.is_empty() || !index_can_fit(row, &values) {
                return None;
            }
            let numbers: Vec<_> = broken
                .iter()
                .map(|b| row.restrictions.iter().position(|r| std::ptr::eq(r, *b)).unwrap())
                .collect();
            let mut expected: Vec<_> = broken
                .iter()
                .map(|r| match (r.departure, &r.rule) {
                    (false, rule) => codes::of_rule(rule).0,
                    (true, Rule::ValueExcludedWhen { .. }) => codes::ATOMIC_64.0,
                    (true, _) => codes::CACHE_CONTROL_SHARED.0,
                })
                .collect();
            expected.sort_unstable();
            Some((instruction(row, &values, &operands(row, &values, 0)), expected, numbers))
        })
        .collect()
}

#[test]
fn every_fault_of_an_operand_is_refused_on_its_line() {
    let mut refused: HashSet<(u16, usize)> = HashSet::new();
    let mut total = 0;
    for row in FORMS {
        let mut text = preamble();
        let mut expected: HashMap<u32, &str> = HashMap::new();
        let mut line = text.lines().count() as u32;
        let legal: Vec<_> = row.combinations().filter(|values| index_can_fit(row, values)).collect();
        // Up to some sixty combinations, spread evenly, so that each value of each slot comes up.
        let step = (legal.len() / 61).max(1);
        for values in legal.iter().step_by(step) {
            let faults = operand_faults(row, values).into_iter().chain(vector_faults(row, values));
            for fault in faults {
                line += 1;
                total += 1;
                text.push_str(&fault.text);
                expected.insert(line, fault.code);
                if let Some(number) = fault.restriction {
                    refused.insert((row.id().0, number));
                }
            }
        }
        text.push_str("}\n");
        let checked = check(&text);
        assert!(checked.module.is_none() || expected.is_empty());
        let mut found: HashMap<u32, Vec<String>> = HashMap::new();
        for (code, line) in checked.errors() {
            found.entry(line).or_default().push(code);
        }
        let written = |line: u32| text.lines().nth(line as usize - 1).unwrap_or("").to_owned();
        for (line, code) in &expected {
            let codes = found.remove(line).unwrap_or_default();
            assert_eq!(codes, [*code], "{} ({})", written(*line), row.title);
        }
        assert!(found.is_empty(), "{:?}", found.iter().map(|(l, c)| (written(*l), c)).collect::<Vec<_>>());
    }
    assert!(total > 5_000, "only {total} faults");

    for row in FORMS {
        // All in one module, one line each.
        let mut text = preamble();
        let mut wanted: Vec<(u32, String, Vec<&str>)> = Vec::new();
        let mut at = text.lines().count() as u32;
        for (line, expected, numbers) in qualifier_faults(row) {
            at += 1;
            text.push_str(&line);
            wanted.push((at, line, expected));
            refused.extend(numbers.into_iter().map(|n| (row.id().0, n)));
        }
        text.push_str("}\n");
        let by_line = |checked: &Checked| {
            let mut found: HashMap<u32, Vec<String>> = HashMap::new();
            for (code, line) in checked.errors() {
                if code != codes::MISSING_SCOPE.0 {
                    found.entry(line).or_default().push(code);
                }
            }
            found.values_mut().for_each(|codes| codes.sort_unstable());
            found
        };
        let (mut strict, mut default) = (by_line(&check_strict(&text)), by_line(&check(&text)));
        for (at, line, expected) in wanted {
            assert_eq!(strict.remove(&at).unwrap_or_default(), expected, "{line}");
            // Without `--strict` departures are warnings.
            let errors: Vec<_> = expected.into_iter().filter(|code| code.starts_with('E')).collect();
            assert_eq!(default.remove(&at).unwrap_or_default(), errors, "{line}");
        }
        assert!(strict.is_empty() && default.is_empty(), "{strict:?} {default:?}");
    }

    // `return` has cases of its own, in `control_flow.rs`; so has the alignment of an index below.
    let mut missing = Vec::new();
    for row in FORMS {
        for (number, restriction) in row.restrictions.iter().enumerate() {
            let elsewhere =
                row.opcode == Opcode::Return || matches!(restriction.rule, Rule::IndexAligned { .. });
            if !elsewhere && !refused.contains(&(row.id().0, number)) {
                missing.push(format!("{} ({}): {}", row.opcode.text(), row.title, restriction.text));
            }
        }
    }
    assert!(missing.is_empty(), "never violated:\n{}", missing.join("\n"));
}

#[test]
fn an_index_is_a_multiple_of_the_element_count() {
    for (mnemonic, operands) in [("extract", "%v2_32_0, %v64_32_1"), ("insert", "%v64_32_0, %v2_32_1")] {
        let text = format!("{}  {mnemonic}.3.v2.32b {operands};\n}}\n", preamble());
        let at = text.lines().count() as u32 - 1;
        assert_eq!(check(&text).errors(), [(codes::INDEX_ALIGNMENT.0.to_owned(), at)]);
    }
}

#[test]
fn every_row_exists_in_the_version_and_target_that_are_least() {
    // A row that does not needs a check of `.version` and `.target` when it is lowered.
    for row in FORMS {
        assert_eq!((row.since, row.target), (pisa_isa::Version(0, 1), pisa_isa::Target::T100));
    }
}
