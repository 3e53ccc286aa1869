//! The table against the specification: every syntax block has its row, every row its syntax block, and they say the
//! same. Reads the pages from the folder in `PISA_SPEC`, or from `../shared/spec` beside the workspace; without them
//! the tests only say that they skipped.
#![allow(clippy::print_stderr, reason = "a skipped test has to say so")]

mod atomics;
mod examples;
mod operands;
mod pages;
mod rules;
mod types;

use pages::{Section, Template};
use pisa_isa::{Chapter, FORMS, Form, Opcode, Qualifier, Slot, SlotName, Values, forms_of};

/// All sections of the instruction reference, or `None` after saying that there are none.
fn reference() -> Option<Vec<Section>> {
    let sections =
        Chapter::ALL.iter().map(|chapter| pages::sections(chapter.page())).collect::<Option<Vec<_>>>();
    if sections.is_none() {
        eprintln!("skipped: no specification; set PISA_SPEC to its folder");
    }
    sections.map(|sections| sections.into_iter().flatten().collect())
}

/// Every template with its form, in order.
fn pairs() -> Option<Vec<(Template, &'static Form)>> {
    let templates: Vec<Template> = reference()?.into_iter().flat_map(|section| section.templates).collect();
    assert_eq!(templates.len(), FORMS.len());
    Some(templates.into_iter().zip(FORMS).collect())
}

#[test]
fn every_opcode_has_its_section() {
    let Some(sections) = reference() else { return };
    assert_eq!(sections.len(), Opcode::ALL.len());
    for (section, opcode) in sections.iter().zip(Opcode::ALL) {
        assert_eq!(section.opcode, opcode.text());
        assert_eq!(section.number, opcode.section());
        assert_eq!(section.summary, opcode.summary());
        assert_eq!(section.templates.len(), forms_of(*opcode).len(), "{}", section.opcode);
    }
    for chapter in Chapter::ALL {
        let heading = pages::lines(chapter.page()).unwrap().swap_remove(0);
        assert_eq!(heading, format!("# {}. {}", chapter.number(), chapter.title()));
    }
}

#[test]
fn every_syntax_block_has_its_form() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        let place = format!("{} {}", template.opcode, template.title);
        assert_eq!(template.opcode, form.opcode.text(), "{place}");
        assert_eq!(template.title, form.title, "{place}");
        // The notes of `return` make its value optional here too (C-07).
        let syntax = template.syntax.replace("return.cond <!>pred, retval", "return.cond <!>pred <, retval>");
        assert_eq!(syntax, form.syntax(), "{place}");
        assert_eq!(template.version, format!("{}.{}", form.since.0, form.since.1), "{place}");
        assert_eq!(template.target, form.target.text(), "{place}");
    }
}

#[test]
fn every_slot_has_its_values() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        let place = format!("{} {}", template.opcode, template.title);
        let listed =
            form.slots.iter().filter(|slot| template.values.iter().any(|(n, _)| n == slot.name.text()));
        assert_eq!(listed.count(), template.values.len(), "{place}: a list belongs to no slot");
        for slot in form.slots {
            let listed = template.values.iter().find(|(name, _)| name == slot.name.text());
            let values: Vec<String> = match listed {
                // Values may be omitted where name and value are the same.
                None => vec![format!(".{}", slot.name.text())],
                Some((_, values)) => values.clone(),
            };
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            match slot.values {
                Values::OneOf(list) => {
                    assert_eq!(list.iter().map(|q| q.text()).collect::<Vec<_>>(), values, "{place}")
                }
                Values::Index => assert_eq!(values, [".0", "...", ".63"], "{place}"),
                Values::TruthTable => assert_eq!(values, ["see Bfn Operations table"], "{place}"),
            }
        }
    }
}

/// What an absent qualifier means: the spec where it says so, else the decision named.
fn expected_default(form: &Form, slot: &Slot) -> Option<Qualifier> {
    match (slot.name, form.opcode) {
        _ if !slot.optional => None,
        // Floating point 3.2; D-01 for conversions to integers.
        (SlotName::Rndmode, _) => Some(Qualifier::Re),
        // The semantics call the quotient the default.
        (SlotName::Output, _) => Some(Qualifier::Quo),
        // M-01, Y-04.
        (SlotName::Addrspace, _) => Some(Qualifier::Generic),
        // M-06, Y-04, and `.weak` is the only non-atomic order.
        (SlotName::Memorder, Opcode::Iatom | Opcode::Fatom) => Some(Qualifier::Relaxed),
        (SlotName::Memorder, Opcode::Fence) => Some(Qualifier::AcqRel),
        (SlotName::Memorder, Opcode::Ld | Opcode::St) => Some(Qualifier::Weak),
        _ => None,
    }
}

#[test]
fn defaults() {
    for form in FORMS {
        for slot in form.slots {
            assert_eq!(slot.default, expected_default(form, slot), "{} .{}", form.syntax(), slot.name.text());
        }
    }
    let Some(page) = pages::lines("floating_point") else { return };
    assert!(page.contains(&"Default rounding mode for all floating-point operations is `.re`.".to_owned()));
}

#[test]
fn every_truth_table_is_in_the_list_of_functions() {
    let Some(sections) = reference() else { return };
    let bfn = sections.iter().find(|section| section.opcode == "bfn").unwrap();
    let rows =
        bfn.rest.iter().filter_map(|line| pages::cells(line)).filter(|cells| cells[0].starts_with("0x"));
    let mut valid = Vec::new();
    for row in rows {
        match row[0].strip_suffix(" (invalid)") {
            Some(_) => {}
            None => valid.push(format!("bfn.{}.32b", row[0])),
        }
    }
    let form = &forms_of(Opcode::Bfn)[0];
    assert_eq!(form.combinations().map(|values| form.mnemonic(&values)).collect::<Vec<_>>(), valid);
}

/// The bounds that the notes of an instruction give: value in ULP by type, and the words about another range.
fn bounds(section: &Section, form: &Form) -> (Vec<(Qualifier, f32)>, String) {
    let (mut bounds, mut exception) = (Vec::new(), String::new());
    let Some((_, slot)) = form.slot(SlotName::Type) else { return (bounds, exception) };
    let Values::OneOf(types) = slot.values else { return (bounds, exception) };
    let fast = form.slot(SlotName::Fast).is_some();
    let text = section.rest.join(" ");
    let Some(at) = text.find("maximum relative error") else { return (bounds, exception) };
    // What is said of `.fast` is said of those forms alone, and there is no other bound then.
    if text[..at + 80.min(text.len() - at)].contains("`.fast`") && !fast {
        return (bounds, exception);
    }
    let sentence = &text[at..at + text[at..].find("Examples:").unwrap()];
    if let Some((_, rest)) = sentence.split_once(&format!("for `{}` is ", section.opcode))
        && let Some((ulp, _)) = rest.split_once(" ULP.")
    {
        let ulp: f32 = ulp.parse().unwrap();
        return (types.iter().map(|&ty| (ty, ulp)).collect(), exception);
    }
    for bullet in section.rest.iter().filter_map(|line| line.strip_prefix("* ")) {
        match bullet.split_once(" ULP for ") {
            Some((ulp, whom)) => {
                let ulp: f32 = ulp.parse().unwrap();
                for &ty in types {
                    let named = pages::quoted(whom).contains(&ty.text());
                    let other =
                        whom.starts_with("all other") && !bounds.iter().any(|(known, _)| *known == ty);
                    if named || other {
                        bounds.push((ty, ulp));
                    }
                }
            }
            None => exception = pages::plain(bullet),
        }
    }
    (bounds, exception)
}

#[test]
fn error_bounds() {
    let Some(sections) = reference() else { return };
    let mut inexact = 0;
    for section in &sections {
        for form in forms_of(Opcode::from_text(&section.opcode).unwrap()) {
            let (mut expected, exception) = bounds(section, form);
            let mut found = form.ulp.to_vec();
            expected.sort_by_key(|(ty, _)| *ty);
            found.sort_by_key(|(ty, _)| *ty);
            assert_eq!(found, expected, "{}", form.syntax());
            if !expected.is_empty() {
                assert_eq!(form.ulp_exception, exception, "{}", form.syntax());
                inexact += 1;
            }
        }
    }
    // fcos, fexp2, flog2, frcp, frsqrt, fsin, ftanh with two forms each, fdiv with one, fsqrt with two.
    assert_eq!(inexact, 7 * 2 + 1 + 2);
}
