//! Restriction bullets against the rules of the rows: each sentence is understood here on its own, and for those about
//! qualifiers every spelling of the form is judged by the sentence and by the rule.

use pisa_isa::{Form, Rule, SlotName, SlotValues, Value, Width};

use crate::pages::{plain, quoted};
use crate::pairs;

#[test]
fn every_sentence_is_a_restriction_and_the_reverse() {
    let Some(pairs) = pairs() else { return };
    let mut sentences = 0;
    for (template, form) in &pairs {
        let expected: Vec<String> = template.restrictions.iter().map(|bullet| plain(bullet)).collect();
        let found: Vec<&str> = form.restrictions.iter().map(|r| r.text).collect();
        assert_eq!(found, expected, "{}", form.syntax());
        sentences += expected.len();
    }
    // As counted in the pages.
    assert_eq!(sentences, SENTENCES);
}

/// The bullets under "Restrictions" in the nine pages.
const SENTENCES: usize = 150;

/// Text of the value that a slot has, the default where it is absent; empty without one.
fn text(form: &Form, values: &SlotValues, slot: &str) -> String {
    let Some(i) = form.slots.iter().position(|s| s.name.text() == slot) else { panic!("no .{slot}") };
    match values[i] {
        Value::Absent => form.slots[i].default.map_or(String::new(), |q| q.text().to_owned()),
        Value::Named(q) => q.text().to_owned(),
        Value::Number(_) => panic!("a number"),
    }
}

fn specified(form: &Form, values: &SlotValues, slot: &str) -> bool {
    form.slots.iter().position(|s| s.name.text() == slot).is_some_and(|i| values[i] != Value::Absent)
}

/// Judges "qualifier `.x` is `.a`", "… is one of [`.a`, `.b`]", "… != `.a`", joined by "and" or by "or".
fn condition(sentence: &str, form: &Form, values: &SlotValues) -> bool {
    if let Some((left, right)) = sentence.split_once(" and ") {
        return condition(left, form, values) && condition(right, form, values);
    }
    if let Some((left, right)) = sentence.split_once(" or ") {
        return condition(left, form, values) || condition(right, form, values);
    }
    let words = quoted(sentence);
    let value = text(form, values, words[0].trim_start_matches('.'));
    let among = words[1..].contains(&value.as_str());
    if sentence.contains("` != `") {
        !among
    } else {
        assert!(sentence.contains("` is `") || sentence.contains("` is one of ["), "{sentence}");
        among
    }
}

/// Whether the values break the sentence; `None` where it is not about qualifiers alone.
fn broken(sentence: &str, form: &Form, values: &SlotValues) -> Option<bool> {
    let bits = |slot| {
        let text = text(form, values, slot);
        match text.as_str() {
            ".8b" => 8,
            ".16b" | ".bf" | ".hf" => 16,
            ".32b" | ".f" => 32,
            ".64b" | ".df" => 64,
            other => panic!("{other}"),
        }
    };
    match sentence {
        "bitwidth of `.to` must be greater than the bitwidth of `.from`" => {
            return Some(bits("to") <= bits("from"));
        }
        "bitwidth of `.to` must be less than the bitwidth of `.from`" => {
            return Some(bits("to") >= bits("from"));
        }
        _ => {}
    }
    let slot = quoted(sentence)[0].trim_start_matches('.');
    if let Some((_, when)) = sentence.split_once(" must not be specified when ") {
        Some(specified(form, values, slot) && condition(when, form, values))
    } else if let Some((_, when)) = sentence.split_once(" can be specified only when ") {
        Some(specified(form, values, slot) && !condition(when, form, values))
    } else if let Some((_, rest)) = sentence.split_once(" cannot be ") {
        let excluded = text(form, values, slot) == quoted(rest)[0];
        Some(match rest.split_once(" unless ") {
            Some((_, unless)) => excluded && !condition(unless, form, values),
            None => excluded && condition(rest.split_once(" when ").unwrap().1, form, values),
        })
    } else {
        None
    }
}

#[test]
fn rules_about_qualifiers_judge_as_their_sentences() {
    let Some(pairs) = pairs() else { return };
    let mut checked = 0;
    for (template, form) in &pairs {
        for (bullet, restriction) in template.restrictions.iter().zip(form.restrictions) {
            let mut seen = [false; 2];
            for values in form.spellings() {
                let Some(expected) = broken(bullet, form, &values) else {
                    assert!(!restriction.rule.is_about_qualifiers(), "{bullet}");
                    break;
                };
                assert!(restriction.rule.is_about_qualifiers(), "{bullet}");
                let found = form.violations(&values).iter().any(|r| std::ptr::eq(*r, restriction));
                assert_eq!(found, expected, "{}: {bullet}", form.mnemonic(&values));
                seen[usize::from(expected)] = true;
            }
            if restriction.rule.is_about_qualifiers() {
                // Some spelling keeps it and some breaks it.
                assert_eq!(seen, [true, true], "{}: {bullet}", form.syntax());
                checked += 1;
            }
        }
    }
    // dp4a 1, wider 3, narrower 2, cache control 6, scope 4, order 2, element count 6, type of atomics 6.
    assert_eq!(checked, 30);
}

fn slot_name(text: &str) -> SlotName {
    match text {
        ".type" => SlotName::Type,
        ".to" => SlotName::To,
        ".from" => SlotName::From,
        other => panic!("{other}"),
    }
}

/// Compares a rule about operands with its sentence.
fn check_operand_rule(sentence: &str, rule: &Rule, form: &Form) {
    let words = quoted(sentence);
    let names: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('.')).collect();
    let has_widths = |operands: &[&str], width: Width| {
        assert_eq!(operands, names, "{sentence}");
        for name in operands {
            assert_eq!(form.operand(name).unwrap().1.width, width, "{}: {name}", form.syntax());
        }
    };
    let last = || slot_name(words[words.len() - 1]);
    match rule {
        Rule::Width { operands } if sentence.contains("must be twice the bitwidth of") => {
            has_widths(operands, Width::TwiceSlot(last()));
        }
        Rule::Width { operands } if sentence.contains("must match the bitwidth of") => {
            has_widths(operands, Width::Slot(last()));
        }
        Rule::Width { operands } if sentence.contains("must match the [address size]") => {
            has_widths(operands, Width::AddressOf(last()));
        }
        Rule::PackedShape { operands } => {
            assert!(sentence.starts_with("element count and bitwidth of "));
            assert!(sentence.ends_with("must match definitions of `.type`"));
            has_widths(operands, Width::Slot(SlotName::Type));
        }
        Rule::SwizzledWidth { operand } => {
            assert!(sentence.starts_with("total width of "));
            has_widths(&[operand], Width::Slot(last()));
        }
        Rule::AddressSpace { operand, slot } => {
            assert!(sentence.starts_with("[address space]"));
            assert_eq!((*operand, *slot), (names[0], last()));
        }
        Rule::VariableAddressSize { operand, slot } => {
            assert!(sentence.starts_with("[address size]"));
            assert_eq!((*operand, *slot), (names[0], last()));
        }
        Rule::ElementCount { operand } => {
            assert_eq!(sentence, format!("number of elements of `{operand}` must match value of `.vec`"));
        }
        Rule::IndexInRange { operand } => {
            let expected =
                format!("value of `.index` must be less than the number of elements in `{operand}`");
            assert_eq!(sentence, expected);
        }
        Rule::IndexAligned { operand } => {
            let expected =
                format!("qualifier `.index` must be aligned to the number of elements in `{operand}`");
            assert_eq!(sentence, expected);
        }
        Rule::IndexSum { part, whole } => {
            let expected = format!(
                "sum of value of `.index` and number of elements in `{part}` must not exceed the number of elements in `{whole}`"
            );
            assert_eq!(sentence, expected);
        }
        Rule::OperandOnlyWhen { operand, when } => {
            assert_eq!(*operand, names[0]);
            assert!(form.operand(operand).unwrap().1.optional, "{sentence}");
            for values in form.spellings() {
                let expected = match sentence.split_once(" is defined only when ") {
                    Some((_, only)) => condition(only, form, &values),
                    None => {
                        !condition(sentence.split_once(" is not defined when ").unwrap().1, form, &values)
                    }
                };
                assert_eq!(when.holds(form, &values), expected, "{sentence}");
            }
        }
        Rule::ReturnType { operand } => {
            assert!(sentence.ends_with("function return type"));
            assert_eq!(*operand, names[0]);
        }
        other => panic!("{sentence}: {other:?}"),
    }
}

#[test]
fn rules_about_operands_speak_of_what_their_sentences_do() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        for (bullet, restriction) in template.restrictions.iter().zip(form.restrictions) {
            if !restriction.rule.is_about_qualifiers() {
                check_operand_rule(bullet, &restriction.rule, form);
            }
        }
    }
}

#[test]
fn every_width_by_qualifier_has_its_sentence() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        let sentences = template.restrictions.join("\n");
        for operand in form.operands {
            // Packed operands have their shape from the operand bullets, addresses from the spaces (M-07).
            let packed = operand.kind == pisa_isa::OperandKind::Packed;
            let address = operand.kind == pisa_isa::OperandKind::Address;
            if matches!(operand.width, Width::None | Width::Bits(_)) || packed || address {
                continue;
            }
            assert!(sentences.contains(&format!("`{}`", operand.name)), "{} {}", form.syntax(), operand.name);
        }
    }
}
