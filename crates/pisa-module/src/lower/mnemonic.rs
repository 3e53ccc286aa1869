//! From a mnemonic to the forms it can mean, each with everything about them that the operands do not change.
//!
//! A module has few different mnemonics, so each text is looked up once and remembered.

use super::Lowerer;
use super::rules::{Fault, static_faults};
use crate::codes;
use pisa_diag::Span;
use pisa_isa::{
    Form, Interpretation, MismatchKind, Opcode, OperandDef, OperandKind, Qualifier, Rule, SlotName,
    SlotValues, Value, Values, Width,
};
use std::rc::Rc;

/// What is known about one mnemonic text.
pub(super) struct Entry {
    /// The forms it can mean; empty where the mnemonic is wrong.
    pub candidates: Vec<Candidate>,
}

/// One form with qualifier values.
pub(super) struct Candidate {
    pub row: &'static Form,
    pub values: SlotValues,
    pub operands: Vec<OperandPlan>,
    /// Rules that the qualifiers alone break.
    pub faults: Vec<Fault>,
    /// Rules that need the operands.
    pub rules: Vec<&'static Rule>,
}

/// Whether an operand must be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Required,
    /// A [`Rule::OperandOnlyWhen`] forbids it.
    Forbidden,
    /// `return`'s value: the function decides.
    Optional,
}

/// One operand position with the qualifiers' values put in.
#[derive(Clone, Copy)]
pub(super) struct OperandPlan {
    pub def: &'static OperandDef,
    /// Width in bits; 0 where width does not matter.
    pub bits: u16,
    /// The floating-point type of an immediate.
    pub float: Option<Qualifier>,
    pub presence: Presence,
    /// Element count by `.vec`, 1 without, for operands of kind `Memory`.
    pub elements: u8,
    /// Element count and width of a packed operand.
    pub packed: Option<(u8, u16)>,
    /// Whether it is the source of a move into elements of a vector, which takes an immediate, too, as a departure (D-10).
    pub takes_immediate: bool,
}

impl Candidate {
    fn new(row: &'static Form, values: SlotValues) -> Candidate {
        let operands = row.operands.iter().map(|def| OperandPlan::new(def, row, &values)).collect();
        let rules = row
            .restrictions
            .iter()
            .map(|r| &r.rule)
            .filter(|rule| {
                matches!(
                    rule,
                    Rule::VariableAddressSize { .. }
                        | Rule::ElementCount { .. }
                        | Rule::IndexInRange { .. }
                        | Rule::IndexAligned { .. }
                        | Rule::IndexSum { .. }
                )
            })
            .collect();
        let faults = static_faults(row, &values);
        Candidate { row, values, operands, faults, rules }
    }

    /// The value in a slot, the default where it is absent.
    pub fn value(&self, name: SlotName) -> Option<Qualifier> {
        self.row.value(&self.values, name)
    }

    /// The number in the `.index` slot.
    pub fn index(&self) -> Option<u8> {
        let index = self.row.slots.iter().position(|s| s.name == SlotName::Index)?;
        match self.values[index] {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Whether something was written in a slot.
    pub fn has(&self, name: SlotName) -> bool {
        self.row.slots.iter().position(|s| s.name == name).is_some_and(|i| self.values[i] != Value::Absent)
    }
}

impl OperandPlan {
    fn new(def: &'static OperandDef, row: &'static Form, values: &SlotValues) -> OperandPlan {
        let value = |slot| row.value(values, slot);
        let bits = match def.width {
            Width::None => 0,
            Width::Bits(bits) => bits,
            Width::Slot(slot) => value(slot).and_then(Qualifier::bits).unwrap_or(0),
            Width::TwiceSlot(slot) => 2 * value(slot).and_then(Qualifier::bits).unwrap_or(0),
            Width::AddressOf(slot) => value(slot).and_then(Qualifier::address_bits).unwrap_or(64),
        };
        let float = match def.interpretation {
            Interpretation::Float(slot) => value(slot).filter(|q| q.packed().is_none()),
            _ => None,
        };
        let only_when = row.restrictions.iter().find_map(|r| match r.rule {
            Rule::OperandOnlyWhen { operand, when } if operand == def.name => Some(when),
            _ => None,
        });
        let presence = match only_when {
            Some(when) if when.holds(row, values) => Presence::Required,
            Some(_) => Presence::Forbidden,
            None if def.optional => Presence::Optional,
            None => Presence::Required,
        };
        let elements = value(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
        let packed = match (def.kind, def.width) {
            (OperandKind::Packed, Width::Slot(slot)) => value(slot).and_then(Qualifier::packed),
            (OperandKind::Packed, _) => Some((2, 16)),
            _ => None,
        };
        let takes_immediate = row.opcode == Opcode::Mov && def.kind == OperandKind::Register;
        OperandPlan { def, bits, float, presence, elements, packed, takes_immediate }
    }
}

impl<'t> Lowerer<'t> {
    /// The index of what is known about a mnemonic.
    pub(super) fn entry(&mut self, text: &'t str) -> u32 {
        if let Some(&index) = self.mnemonics.get(text) {
            return index;
        }
        let mut candidates = Vec::new();
        if let Ok(mnemonic) = pisa_isa::split_mnemonic(text)
            && let Ok(matches) = pisa_isa::match_mnemonic(mnemonic.opcode, mnemonic.qualifiers())
        {
            for found in matches.iter() {
                candidates.push(Candidate::new(pisa_isa::form(found.form), found.values));
            }
        }
        let index = self.entries.len() as u32;
        self.entries.push(Rc::new(Entry { candidates }));
        self.mnemonics.insert(text, index);
        index
    }

    /// Says what is wrong with a mnemonic that no form accepts.
    pub(super) fn explain_mnemonic(&mut self, text: &str, span: Span) {
        let mnemonic = match pisa_isa::split_mnemonic(text) {
            Ok(mnemonic) => mnemonic,
            Err(unknown) => return self.unknown_opcode(text, span, unknown),
        };
        let opcode = mnemonic.opcode;
        let qualifiers = mnemonic.qualifiers();
        let Err(mismatch) = pisa_isa::match_mnemonic(opcode, qualifiers) else { return };
        let part = |n: usize| {
            let range = mnemonic.range(n);
            Span::new(span.start + range.start as u32, span.start + range.end as u32)
        };
        let name = opcode.text();
        let wrong = mismatch.qualifier(qualifiers).unwrap_or("");
        let slot = mismatch.slot.map_or("qualifier".to_owned(), |s| format!("`.{}`", s.text()));
        let place = part(mismatch.at);
        let truth_table = mismatch.slot == Some(SlotName::Operation) && wrong.starts_with(".0");
        // 4.1: back to constants goes the cast to global addresses.
        let to_const = opcode == Opcode::Addrcast && qualifiers == [".const", ".generic"];
        let corrected = match mismatch.corrected.clone() {
            _ if to_const => Some("addrcast.global.generic".to_owned()),
            corrected => corrected,
        };
        let (code, message) = match mismatch.kind {
            _ if to_const => (
                codes::UNKNOWN_QUALIFIER,
                "no cast goes to `.const`; constants have addresses of global memory".to_owned(),
            ),
            _ if truth_table => (
                codes::TRUTH_TABLE,
                format!(
                    "`{wrong}` is no truth table of `bfn`: those have two hexadecimal digits, not 00 or ff"
                ),
            ),
            MismatchKind::Unknown | MismatchKind::Extra => {
                (codes::UNKNOWN_QUALIFIER, format!("`{wrong}` is not a qualifier of `{name}`"))
            }
            MismatchKind::NotAllowed => {
                (codes::UNKNOWN_QUALIFIER, format!("`{wrong}` is not a {slot} of `{name}` here"))
            }
            MismatchKind::Conflict { with } => (
                codes::QUALIFIER_COMBINATION,
                format!(
                    "`{name}` has no form with both `{}` and `{wrong}`",
                    qualifiers.get(with).unwrap_or(&"")
                ),
            ),
            MismatchKind::Duplicate { first } => (
                codes::REPEATED_QUALIFIER,
                match qualifiers.get(first) {
                    Some(&first) if first != wrong => {
                        format!("`{first}` and `{wrong}`: `{name}` has one {slot}")
                    }
                    _ => format!("`{wrong}` is given twice"),
                },
            ),
            MismatchKind::WrongOrder => {
                (codes::QUALIFIER_ORDER, format!("the qualifiers of `{name}` are in the wrong order"))
            }
            MismatchKind::Missing => (codes::MISSING_QUALIFIER, format!("`{text}` lacks its {slot}")),
        };
        // A missing qualifier has no place of its own: the mnemonic is marked.
        let marked = if to_const || mismatch.kind == MismatchKind::Missing { span } else { place };
        let mut diagnostic = self.error(code, marked, message).spec(format!("{} {name}", opcode.section()));
        if let Some(right) = &corrected {
            diagnostic = diagnostic.help(format!("write `{right}`")).fix(self.place(span), right.clone());
        } else if let Some(meant) = &mismatch.meant {
            diagnostic =
                diagnostic.help(format!("did you mean `{meant}`?")).fix(self.place(place), meant.clone());
        }
        if !mismatch.allowed.is_empty() && corrected.is_none() {
            diagnostic = diagnostic.help(format!("{slot} here: {}", mismatch.allowed.join(" ")));
        }
        let diagnostic = diagnostic.note(templates(pisa_isa::forms_of(opcode)));
        self.report(diagnostic);
    }

    fn unknown_opcode(&mut self, text: &str, span: Span, unknown: pisa_isa::UnknownOpcode) {
        let word = text.get(..unknown.length).unwrap_or(text);
        let word_span = Span::new(span.start, span.start + word.len() as u32);
        let mut diagnostic = self
            .error(codes::UNKNOWN_OPCODE, word_span, format!("`{word}` is not an opcode"))
            .spec("1. instruction set: a mnemonic is an opcode and its qualifiers");
        // What other instruction sets call it.
        let other = match word {
            "add" => Some("iadd` or `fadd"),
            "sub" => Some("isub` or `fsub"),
            "mul" => Some("smul`, `umul` or `fmul"),
            "mad" | "fma" => Some("smad`, `umad` or `fmad"),
            "div" => Some("sdiv`, `udiv` or `fdiv"),
            "setp" | "cmp" | "icmp" => Some("scmp`, `ucmp` or `fcmp"),
            "selp" | "select" => Some("sel"),
            "bra" | "br" | "jmp" => Some("goto"),
            "ret" | "exit" => Some("return"),
            "bar" => Some("barrier.workgroup"),
            "cvt" => Some("i2f`, `f2i`, `fext`, `ftrunc`, `zext`, `sext` or `trunc"),
            "atom" => Some("iatom` or `fatom"),
            "cvta" => Some("addrcast"),
            "popc" | "ctpop" => Some("cbit"),
            "brev" => Some("bfrev"),
            "clz" | "bfind" => Some("fbh"),
            "ffs" | "ctz" => Some("fbl"),
            "lop3" => Some("bfn"),
            "load" => Some("ld"),
            "store" => Some("st"),
            _ => unknown.nearest.map(Opcode::text),
        };
        let rest = self.tree.text().get(span.end as usize..).and_then(|rest| rest.lines().next());
        if other.is_none() && word == text && rest.is_some_and(|rest| rest.trim().is_empty()) {
            diagnostic = diagnostic.help(format!("a label ends with `:`, as in `{word}:`"));
        }
        if let Some(other) = other {
            diagnostic = diagnostic.help(format!("did you mean `{other}`?"));
            if let Some(near) = unknown.nearest.filter(|near| near.text() == other) {
                diagnostic = diagnostic.fix(self.place(word_span), near.text());
            }
        } else {
            diagnostic = diagnostic.help("`pisa isa` lists the opcodes");
        }
        self.report(diagnostic);
    }
}

/// `iadd.type, iadd<.dsat>.type`.
fn templates(rows: &[Form]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for row in rows {
        let mut text = format!("`{}", row.opcode.text());
        for slot in row.slots {
            // A slot with one value is written as this value in the spec.
            let name = match slot.values {
                Values::OneOf([only]) => only.text().to_owned(),
                _ => format!(".{}", slot.name.text()),
            };
            if slot.optional {
                text.push_str(&format!("<{name}>"));
            } else {
                text.push_str(&name);
            }
        }
        text.push('`');
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    format!("syntax: {}", texts.join(", "))
}
