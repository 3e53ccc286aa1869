//! Operand bullets of the syntax blocks against the operands of the rows.

use pisa_isa::{
    Access, Effects, FORMS, Form, Interpretation, Opcode, OperandDef, OperandKind, SlotName, Width,
};

use crate::pages::Template;
use crate::pairs;

/// The kind that a description means, and the width in bits where it names one.
fn meant(description: &str, form: &Form, operand: &OperandDef) -> (OperandKind, Option<u16>) {
    // `<!>` is in the syntax line only.
    let negatable = form.syntax().contains(&format!("<!>{}", operand.name));
    let vector_slot = form.slot(SlotName::Vec).is_some();
    let memory = matches!(form.opcode, Opcode::Ld | Opcode::LdParam | Opcode::St) && vector_slot;
    match description {
        "a register" | "registers" if memory => (OperandKind::Memory, None),
        "a register" | "registers" => (OperandKind::Register, None),
        "a 32-bit register" | "32-bit registers" => (OperandKind::Register, Some(32)),
        "a 64-bit register" => (OperandKind::Register, Some(64)),
        "a register or an immediate" if operand.name == "retval" => (OperandKind::ReturnValue, None),
        "a register or an immediate" | "registers or immediates" => (OperandKind::RegisterOrImmediate, None),
        "a 32-bit register or an immediate" | "32-bit registers or immediates" => {
            (OperandKind::RegisterOrImmediate, Some(32))
        }
        "a predicate register" | "predicate registers" if negatable => {
            (OperandKind::PredicateOrNegation, None)
        }
        "a predicate register" | "predicate registers" => (OperandKind::Predicate, None),
        "packed registers" | "2x16-bit vector registers" | "a 2x16-bit vector register" => {
            (OperandKind::Packed, None)
        }
        "a 32-bit element vector register" | "32-bit element vector registers" => {
            (OperandKind::Vector, Some(32))
        }
        "a vector register" | "vector registers" => (OperandKind::Swizzle, None),
        "an address operand, in the form MemRR or MemRI" => (OperandKind::Address, None),
        "a register or memory variable" => (OperandKind::RegisterOrMemoryVariable, None),
        "a memory variable" => (OperandKind::MemoryVariable, None),
        "a function name" => (OperandKind::FunctionName, None),
        "a named location within current function" => (OperandKind::Label, None),
        "a register or void" => (OperandKind::ResultOrVoid, None),
        "a 64-bit register or a function name" => (OperandKind::CallTarget, Some(64)),
        other => panic!("{}: `{other}`", form.syntax()),
    }
}

/// The description of the operand. The address of `ld.param` is described in the notes, the arguments of `call` in
/// the syntax line.
fn description<'a>(template: &'a Template, name: &str) -> Option<&'a str> {
    template.operands.iter().find(|(names, _)| names.iter().any(|n| n == name)).map(|(_, text)| text.as_str())
}

#[test]
fn kinds_and_fixed_widths() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        let described: Vec<&String> = template.operands.iter().flat_map(|(names, _)| names).collect();
        for name in &described {
            assert!(form.operand(name).is_some(), "{}: `{name}`", form.syntax());
        }
        for operand in form.operands {
            let place = format!("{} {}", form.syntax(), operand.name);
            let Some(text) = description(template, operand.name) else {
                assert!(["vaddr", "args"].contains(&operand.name), "{place}");
                continue;
            };
            let (kind, bits) = meant(text, form, operand);
            assert_eq!(operand.kind, kind, "{place}");
            match bits {
                Some(bits) => assert_eq!(operand.width, Width::Bits(bits), "{place}"),
                None => assert!(!matches!(operand.width, Width::Bits(_)), "{place}"),
            }
        }
    }
}

#[test]
fn interpretations() {
    let Some(pairs) = pairs() else { return };
    for (template, form) in &pairs {
        for operand in form.operands.iter().filter(|o| o.access == Access::Read) {
            let named = |names: &Vec<String>| names.iter().any(|n| n == operand.name);
            let bullet = template.interpretations.iter().find(|(names, _)| named(names));
            let expected = match bullet.map(|(_, how)| how.as_str()) {
                Some("signed") => Interpretation::Signed,
                // Addresses are unsigned.
                Some("unsigned" | "generic") => Interpretation::Unsigned,
                Some(other) => panic!("{other}"),
                None => continue,
            };
            assert_eq!(operand.interpretation, expected, "{} {}", form.syntax(), operand.name);
        }
    }
}

#[test]
fn immediates_of_floating_point_instructions_have_a_type() {
    for form in FORMS {
        for operand in form.operands.iter().filter(|o| o.kind == OperandKind::RegisterOrImmediate) {
            // The slot that gives the operand its width, where that holds floating-point types.
            let slot = match operand.width {
                Width::Slot(name) => form.slot(name),
                _ if form.opcode == Opcode::Frc => form.slot(SlotName::Type),
                _ => None,
            };
            let floats = slot.filter(
                |(_, slot)| matches!(slot.values, pisa_isa::Values::OneOf(list) if list.iter().all(|q| q.is_float())),
            );
            let expected = floats.map(|(_, slot)| Interpretation::Float(slot.name));
            match operand.interpretation {
                Interpretation::Float(_) => {
                    assert_eq!(Some(operand.interpretation), expected, "{}", form.syntax())
                }
                _ => assert_eq!(expected, None, "{}", form.syntax()),
            }
        }
    }
}

#[test]
fn accesses() {
    for form in FORMS {
        for operand in form.operands {
            let expected = match (form.opcode, operand.name) {
                // Lanes that take no part keep theirs (S-03); `redfirstidx` writes all (S-06).
                (Opcode::Fred | Opcode::Ired | Opcode::Shfl, "dst") => Access::ReadWrite,
                // Other elements keep theirs (D-18).
                (Opcode::Insert | Opcode::InsertDynamic, "dst") => Access::ReadWrite,
                // Lanes that do not call keep theirs (C-02).
                (Opcode::Call, "retval") if form.slot(SlotName::Cond).is_some() => Access::ReadWrite,
                (Opcode::Call, "retval") => Access::Write,
                (Opcode::Scmp | Opcode::Ucmp | Opcode::Fcmp, "pred") => Access::Write,
                (_, "dst" | "carry-out") => Access::Write,
                _ => Access::Read,
            };
            assert_eq!(operand.access, expected, "{} {}", form.syntax(), operand.name);
        }
    }
}

#[test]
fn effects() {
    for form in FORMS {
        let has = |effect| form.effects.contains(effect);
        let place = form.syntax();
        use Opcode::*;
        let op = form.opcode;
        let atomic = form.slot(SlotName::Memscope).is_some() && op != Fence;
        assert_eq!(has(Effects::ATOMIC), atomic, "{place}");
        assert_eq!(has(Effects::READS_MEMORY), matches!(op, Ld | LdParam | Iatom | Fatom | Call), "{place}");
        assert_eq!(has(Effects::WRITES_MEMORY), matches!(op, St | Iatom | Fatom | Call), "{place}");
        let across = matches!(op, Fred | Ired | Redfirstidx | Shfl);
        assert_eq!(has(Effects::CROSS_LANE), across, "{place}");
        assert_eq!(has(Effects::READS_ACTIVE_MASK), across, "{place}");
        assert_eq!(has(Effects::CONVERGENT), across || matches!(op, BarrierWorkgroup | Call), "{place}");
        assert_eq!(has(Effects::BARRIER), op == BarrierWorkgroup, "{place}");
        assert_eq!(has(Effects::FENCE), op == Fence, "{place}");
        assert_eq!(has(Effects::CONTROL_FLOW), matches!(op, Call | Goto | Return), "{place}");
    }
}

#[test]
fn undefined_behaviour_is_marked_where_the_page_speaks_of_it() {
    let Some(sections) = crate::reference() else { return };
    for section in &sections {
        let text = section.rest.join(" ").to_ascii_lowercase();
        // Memory accesses are undefined out of bounds (operands 3.3), masks must be sub-group-uniform (S-01).
        let by_operands = section.templates.iter().any(|t| t.syntax.contains("addr]"));
        let expected = text.contains("undefined") || text.contains("sub-group-uniform") || by_operands;
        for form in pisa_isa::forms_of(Opcode::from_text(&section.opcode).unwrap()) {
            assert_eq!(form.effects.contains(Effects::CAN_BE_UNDEFINED), expected, "{}", form.syntax());
        }
    }
}
