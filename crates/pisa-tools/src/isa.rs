//! The instruction reference, written from the table.

use crate::suggest::nearest;
use pisa_isa::{
    Access, Effects, FORMS, Form, Interpretation, Opcode, OperandDef, OperandKind, Slot, Values, Width,
    forms_of,
};
use std::fmt::Write;

/// What a word given to `pisa isa` leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is an opcode, or a mnemonic that begins with one.
    Opcode(Opcode),
    /// It occurs in these opcodes, their summaries or qualifiers.
    Matches(Vec<Opcode>),
    /// Nothing; the opcode that looks most like it.
    Nothing(Option<&'static str>),
}

/// Looks a word up: an opcode, a mnemonic, a qualifier with its dot, or part of a summary.
pub fn look_up(word: &str) -> Answer {
    let word = word.trim().to_ascii_lowercase();
    let longest = Opcode::ALL
        .iter()
        .filter(|opcode| {
            let rest = word.strip_prefix(opcode.text());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
        .max_by_key(|opcode| opcode.text().len());
    if let Some(&opcode) = longest {
        return Answer::Opcode(opcode);
    }
    let found: Vec<Opcode> = Opcode::ALL
        .iter()
        .copied()
        .filter(|&opcode| {
            if word.is_empty() {
                return false;
            }
            if word.starts_with('.') {
                return forms_of(opcode).iter().any(|form| has_qualifier(form, &word));
            }
            opcode.text().contains(&word)
                || opcode.summary().to_lowercase().contains(&word)
                || opcode.chapter().title().to_lowercase().contains(&word)
        })
        .collect();
    if found.is_empty() {
        return Answer::Nothing(nearest(&word, Opcode::ALL.iter().map(|opcode| opcode.text())));
    }
    Answer::Matches(found)
}

fn has_qualifier(form: &Form, text: &str) -> bool {
    form.slots.iter().any(|slot| match slot.values {
        Values::OneOf(values) => values.iter().any(|value| value.text().eq_ignore_ascii_case(text)),
        Values::Index | Values::TruthTable => false,
    })
}

/// Opcodes with their summaries, by chapter.
pub fn list(opcodes: &[Opcode]) -> String {
    let mut out = String::new();
    let width = opcodes.iter().map(|opcode| opcode.text().len()).max().unwrap_or(0);
    let mut chapter = None;
    for &opcode in opcodes {
        if chapter != Some(opcode.chapter()) {
            if chapter.is_some() {
                out.push('\n');
            }
            chapter = Some(opcode.chapter());
            let _ = writeln!(out, "{}", opcode.chapter().title());
        }
        let _ = writeln!(out, "  {:width$}  {:>4}  {}", opcode.text(), opcode.section(), opcode.summary());
    }
    out
}

/// Every opcode of the table.
pub fn all() -> String {
    let mut out = list(Opcode::ALL);
    let _ = writeln!(out, "\n{} opcodes, {} forms", Opcode::ALL.len(), FORMS.len());
    out
}

/// The page of an opcode: every form with its qualifiers, operands and restrictions.
pub fn page(opcode: Opcode) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", opcode.text(), opcode.summary());
    let _ = writeln!(out, "specification {}, {}", opcode.section(), opcode.chapter().title());
    for form in forms_of(opcode) {
        let _ = writeln!(out, "\n{}:\n", form.title);
        let _ = writeln!(out, "  {}\n", template(form));
        for slot in form.slots.iter().filter(|slot| !is_flag(slot)) {
            let _ = writeln!(out, "  .{} = {}", slot.name.text(), slot_values(slot));
        }
        let width = form.operands.iter().map(|operand| operand.name.len()).max().unwrap_or(0);
        for operand in form.operands {
            let _ = writeln!(out, "  {:width$}  {}", operand.name, operand_text(operand));
        }
        for restriction in form.restrictions {
            let _ = writeln!(out, "  * {}", restriction.text);
        }
        let effects = effects(form.effects);
        if !effects.is_empty() {
            let _ = writeln!(out, "  effects: {}", effects.join(", "));
        }
        for (ty, bound) in form.ulp {
            let _ = writeln!(out, "  error for {}: at most {bound} ULP", ty.text());
        }
        let (version, target) = (form.since, form.target);
        let _ = writeln!(out, "  since PISA {}.{}, target {}", version.0, version.1, target.text());
    }
    out
}

fn is_flag(slot: &Slot) -> bool {
    matches!(slot.values, Values::OneOf([_]))
}

/// The syntax line in the notation of the specification.
pub fn template(form: &Form) -> String {
    let mut out = form.opcode.text().to_owned();
    for slot in form.slots {
        let name = match slot.values {
            Values::OneOf([only]) => only.text().to_owned(),
            _ => format!(".{}", slot.name.text()),
        };
        out.push_str(&if slot.optional { format!("<{name}>") } else { name });
    }
    for (i, operand) in form.operands.iter().enumerate() {
        let name = match operand.kind {
            OperandKind::Address | OperandKind::ParameterAddress => format!("[{}]", operand.name),
            OperandKind::PredicateOrNegation => format!("<!>{}", operand.name),
            OperandKind::Arguments => format!("(<{}>)", operand.name),
            _ => operand.name.to_owned(),
        };
        let comma = if i == 0 || operand.kind == OperandKind::Arguments { " " } else { ", " };
        out.push_str(&match (operand.optional, i) {
            (true, 0) => format!(" <{name}>"),
            (true, _) => format!(" <, {name}>"),
            (false, _) => format!("{comma}{name}"),
        });
    }
    out
}

fn slot_values(slot: &Slot) -> String {
    let mut text = match slot.values {
        Values::OneOf(values) => values.iter().map(|value| value.text()).collect::<Vec<_>>().join(" "),
        Values::Index => ".0 to .63".to_owned(),
        Values::TruthTable => ".0x01 to .0xfe".to_owned(),
    };
    if let Some(default) = slot.default {
        let _ = write!(text, "; default {}", default.text());
    } else if slot.optional {
        text.push_str("; may be left out");
    }
    text
}

fn operand_text(operand: &OperandDef) -> String {
    let kind = match operand.kind {
        OperandKind::Register => "register",
        OperandKind::RegisterOrImmediate => "register or immediate",
        OperandKind::Predicate => "predicate",
        OperandKind::PredicateOrNegation => "predicate, may be negated",
        OperandKind::Packed => "packed register (a vector of the type's shape)",
        OperandKind::Vector => "vector register with 32-bit elements",
        OperandKind::Swizzle => "swizzled vector register",
        OperandKind::Memory => "register; with .vec a vector register",
        OperandKind::Address => "address: [base + offset]",
        OperandKind::ParameterAddress => "address: [%parameter + offset]",
        OperandKind::MemoryVariable => "memory variable",
        OperandKind::RegisterOrMemoryVariable => "register or memory variable",
        OperandKind::FunctionName => "function",
        OperandKind::Label => "label of the same function",
        OperandKind::ResultOrVoid => "register or void",
        OperandKind::CallTarget => "function or 64-bit register",
        OperandKind::Arguments => "registers",
        OperandKind::ReturnValue => "register or immediate; left out in kernels and void functions",
    };
    let mut text = kind.to_owned();
    match operand.width {
        Width::None => {}
        Width::Bits(bits) => {
            let _ = write!(text, ", {bits} bits");
        }
        Width::Slot(slot) => {
            let _ = write!(text, ", as wide as .{}", slot.text());
        }
        Width::TwiceSlot(slot) => {
            let _ = write!(text, ", twice as wide as .{}", slot.text());
        }
        Width::AddressOf(slot) => {
            let _ = write!(text, ", as wide as addresses of .{}", slot.text());
        }
    }
    match operand.interpretation {
        Interpretation::Bits => {}
        Interpretation::Signed => text.push_str(", signed"),
        Interpretation::Unsigned => text.push_str(", unsigned"),
        Interpretation::Float(slot) => {
            let _ = write!(text, ", floating point of .{}", slot.text());
        }
    }
    match operand.access {
        Access::Read => {}
        Access::Write => text.push_str("; written"),
        Access::ReadWrite => text.push_str("; written in part, keeps its value elsewhere"),
    }
    text
}

fn effects(effects: Effects) -> Vec<&'static str> {
    [
        (Effects::READS_MEMORY, "reads memory"),
        (Effects::WRITES_MEMORY, "writes memory"),
        (Effects::ATOMIC, "atomic"),
        (Effects::CONVERGENT, "convergent"),
        (Effects::CROSS_LANE, "reads other lanes"),
        (Effects::CONTROL_FLOW, "changes the flow of control"),
        (Effects::BARRIER, "waits for the work-group"),
        (Effects::FENCE, "orders memory accesses"),
        (Effects::READS_ACTIVE_MASK, "depends on the active lanes"),
        (Effects::CAN_BE_UNDEFINED, "undefined for some values"),
    ]
    .into_iter()
    .filter(|(effect, _)| effects.contains(*effect))
    .map(|(_, text)| text)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_those_of_the_specification() {
        let first = |opcode| template(&forms_of(opcode)[0]);
        assert_eq!(first(Opcode::Iadd), "iadd<.dsat>.type dst, src0, src1");
        assert_eq!(first(Opcode::Call), "call retval, target (<args>)");
        assert_eq!(
            first(Opcode::Fatom),
            "fatom.addrspace<.memorder><.memscope><.cc>.op.type dst, [addr], src0 <, src1>"
        );
        assert_eq!(first(Opcode::Return), "return <retval>");
        assert_eq!(template(&forms_of(Opcode::Goto)[1]), "goto.cond <!>pred, label");
    }

    #[test]
    fn words_are_looked_up() {
        assert_eq!(look_up("iadd"), Answer::Opcode(Opcode::Iadd));
        assert_eq!(look_up("IADD.dsat.32b"), Answer::Opcode(Opcode::Iadd));
        assert_eq!(look_up("ld.param.32b"), Answer::Opcode(Opcode::LdParam));
        assert_eq!(look_up("ld.global.32b"), Answer::Opcode(Opcode::Ld));
        assert_eq!(look_up("shuffle"), Answer::Matches(vec![Opcode::Shfl]));
        assert_eq!(look_up("iaddd"), Answer::Nothing(Some("iadd")));
        assert_eq!(look_up(""), Answer::Nothing(None));
        let Answer::Matches(found) = look_up(".incwrap") else { panic!("a qualifier") };
        assert_eq!(found, [Opcode::Iatom]);
    }

    #[test]
    fn every_page_names_its_forms() {
        for &opcode in Opcode::ALL {
            let text = page(opcode);
            for form in forms_of(opcode) {
                assert!(text.contains(&template(form)), "{text}");
            }
        }
    }
}
