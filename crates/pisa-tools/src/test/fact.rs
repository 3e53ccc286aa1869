//! A fact understood: which form of the table it speaks of, and the bits of its values.

use super::number::{Element, Expected};
use super::operands::{FactText, LANES, LanesForm, LanesText, ValueText};
use pisa_isa::{
    Access, Form, Interpretation, Match, OperandDef, OperandKind, Qualifier, Rule, SlotName, Width, form,
    match_mnemonic, split_mnemonic,
};
use pisa_machine::ElementType;
use std::ops::Range;

/// The register an operand gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    /// 1 for a scalar.
    pub elements: u8,
    /// Its elements.
    pub element: Element,
    /// Read as `!%p`.
    pub negated: bool,
}

impl Shape {
    /// Bytes of a lane in a buffer.
    pub fn bytes(self) -> usize {
        usize::from(self.elements) * self.element.bytes()
    }
}

/// Where an operand of the instruction comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum OperandAt {
    /// That source.
    Source(usize),
    /// That destination.
    Result(usize),
}

/// What facts have in common that one kernel tests.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    /// The mnemonic.
    pub mnemonic: String,
    /// The sources.
    pub sources: Vec<Shape>,
    /// The destinations.
    pub results: Vec<Shape>,
    /// The operands in the instruction's order.
    pub order: Vec<OperandAt>,
}

/// One value for all lanes, or 32; each of some elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lanes<T> {
    elements: usize,
    values: Vec<T>,
}

impl<T: Copy> Lanes<T> {
    /// Whether all lanes have the same.
    pub fn is_uniform(&self) -> bool {
        self.values.len() == self.elements
    }
    /// The elements of a lane.
    pub fn lane(&self, lane: usize) -> &[T] {
        let start = if self.is_uniform() { 0 } else { lane * self.elements };
        &self.values[start..start + self.elements]
    }
    /// Every written value, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

/// A fact, ready to be tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// Its line.
    pub line: u32,
    /// As written.
    pub wrote: String,
    /// Where the results stand in the line.
    pub result: Range<usize>,
    /// The instruction and its registers.
    pub key: Key,
    /// The lanes that execute it.
    pub active: u32,
    /// The sources.
    pub sources: Vec<Lanes<u128>>,
    /// What the destinations hold before.
    pub old: Vec<Lanes<u128>>,
    /// What they hold afterwards; a value for all lanes speaks of the active ones.
    pub results: Vec<Lanes<Expected>>,
}

/// Finds the form a fact speaks of and reads its values.
pub(super) fn resolve(text: &FactText) -> Result<Fact, String> {
    let (row, found) = choose(text)?;
    let mut key =
        Key { mnemonic: text.mnemonic.clone(), sources: Vec::new(), results: Vec::new(), order: Vec::new() };
    let (mut sources, mut old, mut results) = (Vec::new(), Vec::new(), Vec::new());
    if !text.old.is_empty() && text.old.len() != text.results.len() {
        return Err(format!("`old` has {} values, there are {} results", text.old.len(), text.results.len()));
    }
    for operand in row.operands {
        if operand.access == Access::Read {
            let written = &text.sources[sources.len()];
            let shape = shape(row, &found, operand, &[written])?;
            let element = shape.element;
            let lanes = lanes(written, shape, |s| element.parse(s), |lane| element.iota(lane));
            sources.push(lanes.map_err(|e| format!("{}: {e}", operand.name))?);
            key.order.push(OperandAt::Source(key.sources.len()));
            key.sources.push(shape);
        } else {
            let at = results.len();
            let written = &text.results[at];
            let before = text.old.get(at);
            let mut texts = vec![written];
            texts.extend(before);
            let shape = shape(row, &found, operand, &texts)?;
            let element = shape.element;
            let expected = lanes(
                written,
                shape,
                |s| element.parse_expected(s),
                |lane| element.iota(lane).map(Expected::Bits),
            );
            results.push(expected.map_err(|e| format!("the result {}: {e}", operand.name))?);
            old.push(match before {
                Some(before) => lanes(before, shape, |s| element.parse(s), |lane| element.iota(lane))
                    .map_err(|e| format!("old: {e}"))?,
                None => {
                    let elements = usize::from(shape.elements);
                    Lanes { elements, values: vec![0; elements] }
                }
            });
            key.order.push(OperandAt::Result(at));
            key.results.push(shape);
        }
    }
    let (line, wrote, result) = (text.line, text.wrote.clone(), text.result.clone());
    Ok(Fact { line, wrote, result, key, active: text.active, sources, old, results })
}

/// The form that the mnemonic and the operands mean.
fn choose(text: &FactText) -> Result<(&'static Form, Match), String> {
    let mnemonic =
        split_mnemonic(&text.mnemonic).map_err(|_| format!("`{}` begins with no opcode", text.mnemonic))?;
    let matches = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).map_err(|_| {
        format!("`{}` is no mnemonic; `pisa isa {}` shows them", text.mnemonic, mnemonic.opcode.text())
    })?;
    let testable: Vec<_> = matches
        .iter()
        .map(|&found| (form(found.form), found))
        .filter(|(row, _)| !row.operands.is_empty() && row.operands.iter().all(|o| is_testable(o.kind)))
        .collect();
    if testable.is_empty() {
        return Err(format!("`{}` is no matter of values alone: test it with `launch`", text.mnemonic));
    }
    let mut fitting: Vec<_> = testable.iter().copied().filter(|(row, _)| fits(row, text)).collect();
    if fitting.len() > 1 {
        // Predicates are told from registers by `true` and `false`.
        let wants_predicates = |row: &Form| row.operands.iter().any(|o| is_predicate(o.kind));
        let says_predicates = text.sources.iter().chain(&text.results).any(LanesText::is_predicate);
        fitting.retain(|(row, _)| wants_predicates(row) == says_predicates);
    }
    match fitting[..] {
        [one] => Ok(one),
        _ => {
            let row = testable[0].0;
            let count =
                |read: bool| row.operands.iter().filter(|o| (o.access == Access::Read) == read).count();
            Err(format!(
                "`{}` has {} sources and {} results (`{}`); predicates are `true` and `false` where registers are possible",
                text.mnemonic,
                count(true),
                count(false),
                row.syntax()
            ))
        }
    }
}

fn is_predicate(kind: OperandKind) -> bool {
    matches!(kind, OperandKind::Predicate | OperandKind::PredicateOrNegation)
}

/// Whether the harness can give an operand of this kind its value.
fn is_testable(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(
        kind,
        Register
            | RegisterOrImmediate
            | RegisterOrMemoryVariable
            | Predicate
            | PredicateOrNegation
            | Packed
            | Vector
    )
}

/// Whether the operands have the form's number and kinds.
fn fits(row: &Form, text: &FactText) -> bool {
    let (reads, writes): (Vec<_>, Vec<_>) = row.operands.iter().partition(|o| o.access == Access::Read);
    let agree = |operands: &[&OperandDef], texts: &[LanesText]| {
        operands.len() == texts.len()
            && operands.iter().zip(texts).all(|(operand, text)| {
                (!text.is_predicate() || is_predicate(operand.kind))
                    && (!text.negated || operand.kind == OperandKind::PredicateOrNegation)
            })
    };
    agree(&reads, &text.sources) && agree(&writes, &text.results)
}

/// The register of an operand. `texts` say how long a vector is where the mnemonic does not.
fn shape(row: &Form, found: &Match, operand: &OperandDef, texts: &[&LanesText]) -> Result<Shape, String> {
    let value = |slot| row.value(&found.values, slot);
    let bits = match operand.width {
        Width::None => 1,
        Width::Bits(bits) => bits,
        Width::Slot(slot) => value(slot).and_then(Qualifier::bits).unwrap_or(32),
        Width::TwiceSlot(slot) => value(slot).and_then(Qualifier::bits).unwrap_or(16) * 2,
        Width::AddressOf(slot) => value(slot).and_then(Qualifier::address_bits).unwrap_or(64),
    };
    let mut float = match operand.interpretation {
        Interpretation::Float(slot) => value(slot).and_then(element_type),
        _ => None,
    };
    let is_widened_float = matches!(operand.width, Width::TwiceSlot(_))
        && value(SlotName::Type).is_some_and(Qualifier::is_float);
    if is_widened_float {
        float = Some(ElementType::F);
    }
    let (elements, bits) = match operand.kind {
        OperandKind::Predicate | OperandKind::PredicateOrNegation => (1, 1),
        OperandKind::Packed => {
            let slot = if let Width::Slot(slot) = operand.width { slot } else { SlotName::Type };
            value(slot).and_then(Qualifier::packed).unwrap_or((2, 16))
        }
        OperandKind::Vector => (vector_length(row, found, operand, texts)?, bits),
        _ => (1, bits),
    };
    let negated = texts.iter().any(|t| t.negated);
    Ok(Shape { elements, element: Element { bits: bits as u8, float }, negated })
}

fn element_type(qualifier: Qualifier) -> Option<ElementType> {
    Some(match qualifier {
        Qualifier::Hf | Qualifier::Hfx2 => ElementType::Hf,
        Qualifier::Bf | Qualifier::Bfx2 => ElementType::Bf,
        Qualifier::F => ElementType::F,
        Qualifier::Df => ElementType::Df,
        _ => return None,
    })
}

fn vector_length(
    row: &Form,
    found: &Match,
    operand: &OperandDef,
    texts: &[&LanesText],
) -> Result<u8, String> {
    let names = |rule: &Rule| matches!(rule, Rule::ElementCount { operand: name } if *name == operand.name);
    if row.restrictions.iter().any(|r| names(&r.rule))
        && let Some(count) = row.value(&found.values, SlotName::Vec).and_then(Qualifier::elements)
    {
        return Ok(count);
    }
    let written = texts.iter().find_map(|text| match text.first() {
        Some(ValueText::Elements(elements)) => u8::try_from(elements.len()).ok(),
        _ => None,
    });
    written.ok_or_else(|| format!("{} is a vector: `{{…}}`", operand.name))
}

fn lanes<T: Copy>(
    text: &LanesText,
    shape: Shape,
    read: impl Fn(&str) -> Result<T, String>,
    iota: impl Fn(usize) -> Result<T, String>,
) -> Result<Lanes<T>, String> {
    let elements = usize::from(shape.elements);
    let mut values = Vec::new();
    let mut push = |value: &ValueText| -> Result<(), String> {
        match value {
            ValueText::Scalar(text) if elements == 1 => values.push(read(text)?),
            ValueText::Scalar(_) => return Err(format!("a value is `{{…}}` with {elements} elements")),
            ValueText::Elements(list) if elements == 1 && list.len() != 1 => {
                return Err("a value is one number".to_owned());
            }
            ValueText::Elements(list) if list.len() != elements => {
                return Err(format!("a value has {elements} elements, not {}", list.len()));
            }
            ValueText::Elements(list) => {
                for text in list {
                    values.push(read(text)?);
                }
            }
        }
        Ok(())
    };
    match &text.lanes {
        LanesForm::Iota if elements != 1 => return Err("`iota` is for scalars".to_owned()),
        LanesForm::Iota => values = (0..LANES).map(iota).collect::<Result<_, _>>()?,
        LanesForm::Same(value) => push(value)?,
        LanesForm::Each(list) => list.iter().try_for_each(push)?,
    }
    Ok(Lanes { elements, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(text: &str) -> Result<Fact, String> {
        resolve(&FactText::parse(1, text, 0)?)
    }

    #[test]
    fn predicates_choose_the_form() {
        let bits = |text: &str| fact(text).unwrap().key.results[0].element.bits;
        assert_eq!(bits("scmp.eq.16b (1, 1) = true"), 1);
        assert_eq!(bits("scmp.eq.16b (1, 1) = -1"), 32);
        assert_eq!(bits("scmp.eq.16b (1, 1) = 0"), 32);
        let select = |text: &str| fact(text).unwrap().key.sources[2];
        assert_eq!(select("sel.32b (1, 2, 1) = 1").element.bits, 32);
        assert_eq!(select("sel.32b (1, 2, false) = 2").element.bits, 1);
        assert!(select("sel.32b (1, 2, !true) = 2").negated);
        assert_eq!(fact("uaddc.ci.co.32b (1, 2, 1) = (4, 0)").unwrap().key.order.len(), 5);
    }

    #[test]
    fn elements_have_the_types_of_the_form() {
        let key = |text: &str| fact(text).unwrap().key;
        let full = key("fmul.full.hf (1.0, 1.0) = 1.0");
        assert_eq!(full.results[0].element, Element { bits: 32, float: Some(ElementType::F) });
        let packed = key("ftrunc2.bfx2 (0x3f800000, 0) = {1.0, 0.0}");
        assert_eq!((packed.results[0].elements, packed.results[0].element.float), (2, Some(ElementType::Bf)));
        let wide = key("smad.full.32b (1, 2, 0x100000000) = 0x100000002");
        assert_eq!(wide.sources[2].element.bits, 64);
        assert_eq!(key("extract.1.32b ({1,2,3}) = 2").sources[0].elements, 3);
        assert_eq!(key("insert.1.32b (9) old={1,2,3} = {1,9,3}").results[0].elements, 3);
        assert_eq!(key("addrcast.generic.shared (5) = 0x1000000000005").sources[0].element.bits, 32);
        assert_eq!(key("mov.128b (1) = 1").sources[0].element.bits, 128);
        assert_eq!(key("iadd.8bx4 ({1,2,3,4}, {1,2,3,4}) = {2,4,6,8}").sources[0].elements, 4);
    }

    #[test]
    fn facts_that_make_no_sense_are_refused() {
        for text in [
            "iad.32b (1, 2) = 3",
            "iadd.33b (1, 2) = 3",
            "iadd.32b (1) = 3",
            "iadd.32b (1, 2) = (3, 4)",
            "iadd.32b (1, {1,2}) = 3",
            "iadd.32b (1, true) = 3",
            "iadd.16bx2 (1, 2) = 3",
            "iadd.16bx2 ({1,2}, {1,2,3}) = {3,4}",
            "iadd.16bx2 (iota, {1,2}) = {3,4}",
            "iadd.32b (1, 2) old=(1,2) = 3",
            "fadd.f (1, 2.0) = 3.0",
            "uaddc.ci.32b (1, 2, !1) = 3",
            "ld.global.32b (1) = 3",
            "barrier.workgroup () = 1",
            "extract.1.32b (5) = 2",
        ] {
            assert!(fact(text).is_err(), "{text}");
        }
    }
}
