//! The restrictions of the instruction table against the refusals of the book.

use crate::book;
use pisa_isa::{FORMS, Rule, SlotValues, form, match_mnemonic, split_mnemonic};
use std::collections::HashSet;

/// The codes that say that a rule is broken.
fn codes(rule: &Rule) -> &'static [&'static str] {
    match rule {
        Rule::Width { .. } => &["E0203"],
        Rule::PackedShape { .. } => &["E0204"],
        Rule::ElementCount { .. } => &["E0205"],
        Rule::SwizzledWidth { .. } => &["E0206"],
        Rule::AddressSpace { .. } => &["E0225"],
        Rule::VariableAddressSize { .. } => &["E0226"],
        // Cache controls on shared memory are a departure (M-02), and so are atomic accesses of 64 bits (M-05).
        Rule::NotSpecifiedWhen { .. } => &["E0306", "W0017"],
        Rule::SpecifiedOnlyWhen { .. } => &["E0307"],
        Rule::ValueExcludedWhen { .. } => &["E0308", "W0019"],
        Rule::OperandOnlyWhen { .. } => &["E0309"],
        Rule::IndexInRange { .. } => &["E0310"],
        Rule::IndexAligned { .. } => &["E0311"],
        Rule::IndexSum { .. } => &["E0312"],
        Rule::Wider => &["E0313"],
        Rule::Narrower => &["E0314"],
        Rule::ReturnType { .. } => &["E0510", "E0512"],
    }
}

/// Whether the rule speaks of qualifiers alone, so that a mnemonic shows whether it is broken.
fn is_about_qualifiers(rule: &Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        NotSpecifiedWhen { .. } | SpecifiedOnlyWhen { .. } | ValueExcludedWhen { .. } | Wider | Narrower
    )
}

/// Instructions that the book refuses: form, values of the qualifiers, code.
fn refused() -> Vec<(usize, SlotValues, String)> {
    let mut refused = Vec::new();
    for line in book::files().values().flat_map(|text| text.lines()) {
        let Some((instruction, marks)) = line.split_once("//~ error[") else { continue };
        let Some(mnemonic) = instruction.split_whitespace().next() else { continue };
        let Ok(split) = split_mnemonic(mnemonic) else { continue };
        let Ok(found) = match_mnemonic(split.opcode, split.qualifiers()) else { continue };
        let code = marks.split(']').next().unwrap_or("");
        for each in found.iter() {
            let position = FORMS.iter().position(|f| std::ptr::eq(f, form(each.form)));
            refused.push((position.expect("a form"), each.values, code.to_owned()));
        }
    }
    refused
}

/// Every restriction of every form is broken by some line, which is refused with its code.
#[test]
fn every_restriction_of_every_form_is_refused() {
    let mut broken: HashSet<(usize, usize)> = HashSet::new();
    for (at, values, code) in refused() {
        let violated = FORMS[at].violations(&values);
        for (number, restriction) in FORMS[at].restrictions.iter().enumerate() {
            let breaks = !is_about_qualifiers(&restriction.rule)
                || violated.iter().any(|other| std::ptr::eq(*other, restriction));
            if breaks && codes(&restriction.rule).contains(&code.as_str()) {
                broken.insert((at, number));
            }
        }
    }
    let mut missing = Vec::new();
    for (at, form) in FORMS.iter().enumerate() {
        for (number, restriction) in form.restrictions.iter().enumerate() {
            if !broken.contains(&(at, number)) {
                missing.push(format!("{}: {}", form.syntax(), restriction.text));
            }
        }
    }
    assert!(missing.is_empty(), "{} restrictions without a refusal:\n{}", missing.len(), missing.join("\n"));
}
