//! From the qualifiers of a mnemonic to the forms that take them.

use std::ops::Deref;

use crate::{FormId, MAX_SLOTS, Mismatch, Opcode, Qualifier, Slot, SlotValues, Value, Values, forms_of};

/// A form that takes the qualifiers, and what each of its slots then holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The form.
    pub form: FormId,
    /// One value a slot of the form, in the form's order.
    pub values: SlotValues,
}

/// Most forms that one mnemonic can mean (`mov` has four).
const MAX_MATCHES: usize = 4;

/// The forms that take the qualifiers: at least one, more where only the operands tell them apart, as with predicate
/// and register destinations. A slice of [`Match`].
#[derive(Clone, Copy, Debug)]
pub struct Matches {
    matches: [Match; MAX_MATCHES],
    count: usize,
}

impl Deref for Matches {
    type Target = [Match];

    fn deref(&self) -> &[Match] {
        &self.matches[..self.count]
    }
}

/// A qualifier as text means it, before any form is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Named(Qualifier),
    /// A decimal number without leading zeros, 0 to 255.
    Index(u8),
    /// `.0x` and two hexadecimal digits (B-07).
    TruthTable(u8),
    Unknown,
}

impl Token {
    pub(crate) fn read(text: &str) -> Token {
        match Qualifier::from_text(text) {
            Some(qualifier) => Token::Named(qualifier),
            None => Token::number(text).unwrap_or(Token::Unknown),
        }
    }

    fn number(text: &str) -> Option<Token> {
        let text = text.strip_prefix('.')?;
        match text.strip_prefix("0x") {
            Some(digits) if digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                u8::from_str_radix(digits, 16).ok().map(Token::TruthTable)
            }
            Some(_) => None,
            None if text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0')) => {
                text.parse().ok().map(Token::Index)
            }
            None => None,
        }
    }
}

impl Slot {
    /// What the slot holds when it takes the token; `None` when it does not.
    pub(crate) fn accept(&self, token: Token) -> Option<Value> {
        match (self.values, token) {
            (Values::OneOf(list), Token::Named(q)) if list.contains(&q) => Some(Value::Named(q)),
            (Values::Index, Token::Index(n @ 0..=63)) => Some(Value::Number(n)),
            (Values::TruthTable, Token::TruthTable(n @ 0x01..=0xfe)) => Some(Value::Number(n)),
            _ => None,
        }
    }
}

/// The values of the slots when the tokens fill them in order. An optional slot takes a token where it can; the table
/// is such that this never steals one from a later slot.
fn fill(slots: &[Slot], tokens: &[Token]) -> Option<SlotValues> {
    let mut values = SlotValues::default();
    let mut next = 0;
    for (value, slot) in values.iter_mut().zip(slots) {
        match tokens.get(next).and_then(|&token| slot.accept(token)) {
            Some(taken) => {
                *value = taken;
                next += 1;
            }
            None if slot.optional => {}
            None => return None,
        }
    }
    (next == tokens.len()).then_some(values)
}

/// Every form of the opcode that takes exactly these qualifiers in this order, each given with its leading dot as
/// [`crate::split_mnemonic`] gives them. Restrictions are another matter: see [`crate::Form::violations`].
///
/// # Errors
/// Where no form does: what is wrong, where, and what would be right.
pub fn match_mnemonic(opcode: Opcode, qualifiers: &[&str]) -> Result<Matches, Box<Mismatch>> {
    let mut tokens = [Token::Unknown; MAX_SLOTS];
    let Some(tokens) = tokens.get_mut(..qualifiers.len()) else {
        return Err(Box::new(Mismatch::explain(opcode, qualifiers)));
    };
    for (token, text) in tokens.iter_mut().zip(qualifiers) {
        *token = Token::read(text);
    }
    let mut found = Matches {
        matches: [Match { form: FormId(0), values: SlotValues::default() }; MAX_MATCHES],
        count: 0,
    };
    for form in forms_of(opcode) {
        if let Some(values) = fill(form.slots, tokens) {
            found.matches[found.count] = Match { form: form.id(), values };
            found.count += 1;
        }
    }
    if found.count == 0 { Err(Box::new(Mismatch::explain(opcode, qualifiers))) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FORMS, SlotName, form};

    fn matched(text: &str) -> Vec<(&'static str, SlotValues)> {
        let mnemonic = crate::split_mnemonic(text).unwrap();
        let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap();
        found.iter().map(|m| (form(m.form).title, m.values)).collect()
    }

    fn values(list: &[Value]) -> SlotValues {
        let mut values = SlotValues::default();
        values[..list.len()].copy_from_slice(list);
        values
    }

    #[test]
    fn no_optional_slot_steals_from_a_later_one() {
        let overlap = |a: &Slot, b: &Slot| match (a.values, b.values) {
            (Values::OneOf(a), Values::OneOf(b)) => a.iter().any(|q| b.contains(q)),
            (a, b) => a == b,
        };
        for form in FORMS {
            for (i, slot) in form.slots.iter().enumerate().filter(|(_, slot)| slot.optional) {
                for later in &form.slots[i + 1..] {
                    assert!(!overlap(slot, later), "{} {}", form.opcode.text(), form.title);
                }
            }
        }
    }

    #[test]
    fn no_more_forms_than_fit_and_no_longer_ones() {
        for &opcode in Opcode::ALL {
            assert!(forms_of(opcode).len() <= MAX_MATCHES);
        }
        for form in FORMS {
            assert!(form.slots.len() <= MAX_SLOTS);
        }
    }

    #[test]
    fn slots_get_their_values() {
        use Qualifier::*;
        use Value::{Absent, Named, Number};
        assert_eq!(matched("iadd.32b"), [("Syntax", values(&[Absent, Named(B32)]))]);
        assert_eq!(matched("iadd.dsat.8bx4"), [("packed", values(&[Named(Dsat), Named(B8x4)]))]);
        assert_eq!(
            matched("ftrunc.hf.f.ru.dsat"),
            [("Syntax", values(&[Named(Hf), Named(F), Named(Ru), Absent, Named(Dsat)]))]
        );
        assert_eq!(
            matched("extract.2.v2.32b"),
            [("Extract subvector from vector register", values(&[Number(2), Named(V2), Named(B32)]))]
        );
        assert_eq!(matched("bfn.0xBa.32b"), [("Syntax", values(&[Number(0xba), Named(B32)]))]);
        assert_eq!(
            matched("ld.L1c.L2c.L3c.32b"),
            [(
                "Load data from memory (non-atomic)",
                values(&[Absent, Absent, Named(L1cL2cL3c), Absent, Named(B32)])
            )]
        );
        assert_eq!(
            matched("iatom.generic.acquire.gpu.uc.cas.128b"),
            [(
                "Syntax",
                values(&[Named(Generic), Named(Acquire), Named(Gpu), Named(Uc), Named(Cas), Named(B128)])
            )]
        );
        assert_eq!(matched("barrier.workgroup"), [("Syntax", values(&[]))]);
        assert_eq!(matched("goto.cond"), [("Conditional branch", values(&[Named(Cond)]))]);
    }

    #[test]
    fn forms_that_only_operands_tell_apart() {
        let titles = |text| matched(text).into_iter().map(|(title, _)| title).collect::<Vec<_>>();
        assert_eq!(titles("scmp.eq.32b"), ["predicate destination", "register destination"]);
        assert_eq!(titles("mov.32b").len(), 4);
        assert_eq!(titles("addrof.32b"), ["Address of a memory variable"]);
        assert_eq!(titles("addrof.64b"), ["Address of a memory variable", "Address of a function"]);
        assert_eq!(titles("sel.16b"), ["Select based on register value", "Select based on predicate"]);
        assert_eq!(titles("ucmp.eq.16bx2"), ["packed"]);
    }

    #[test]
    fn numbers_are_strict() {
        let refused = |opcode, qualifiers: &[&str]| {
            assert!(match_mnemonic(opcode, qualifiers).is_err(), "{qualifiers:?}")
        };
        for index in [".64", ".00", ".01", ".-1", ".256", ".4294967296", ".0x01", ".", ".+1"] {
            refused(Opcode::Extract, &[index, ".32b"]);
        }
        for table in [".0x00", ".0xff", ".0xFF", ".0x1", ".0x001", ".0X12", ".18", ".0x1g", ".0x+1", ".0xé"]
        {
            refused(Opcode::Bfn, &[table, ".32b"]);
        }
    }

    #[test]
    fn every_combination_is_matched_by_its_own_text() {
        for form in FORMS {
            for values in form.spellings() {
                let text = form.mnemonic(&values);
                let mnemonic = crate::split_mnemonic(&text).unwrap();
                assert_eq!(mnemonic.opcode, form.opcode, "{text}");
                let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers())
                    .unwrap_or_else(|e| panic!("{text}: {e:?}"));
                assert!(found.contains(&Match { form: form.id(), values }), "{text}");
                // A second form may take the same text only where its slots say the same.
                for other in found.iter() {
                    let same = |name| {
                        crate::form(other.form).value(&other.values, name) == form.value(&values, name)
                    };
                    assert!([SlotName::Type, SlotName::Cop].into_iter().all(same), "{text}");
                }
            }
        }
    }
}
