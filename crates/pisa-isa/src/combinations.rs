//! Which combinations of qualifier values a form allows.

use crate::{Condition, Form, Qualifier, Restriction, Rule, SlotName, Value, Values};

/// Most qualifier slots a form has.
pub const MAX_SLOTS: usize = 6;

/// One value a slot, in the form's order; unused ones at the end are [`Value::Absent`].
pub type SlotValues = [Value; MAX_SLOTS];

impl Condition {
    /// Whether it holds for these values. A slot that the form does not have holds nothing.
    pub fn holds(&self, form: &Form, values: &SlotValues) -> bool {
        match self {
            Condition::Is(slot, allowed) => form.value(values, *slot).is_some_and(|v| allowed.contains(&v)),
            Condition::Not(condition) => !condition.holds(form, values),
            Condition::All(conditions) => conditions.iter().all(|c| c.holds(form, values)),
            Condition::Any(conditions) => conditions.iter().any(|c| c.holds(form, values)),
        }
    }
}

impl Rule {
    /// Whether the rule speaks of qualifiers alone, so that [`Form::violations`] checks it.
    pub const fn is_about_qualifiers(&self) -> bool {
        matches!(
            self,
            Rule::NotSpecifiedWhen { .. }
                | Rule::SpecifiedOnlyWhen { .. }
                | Rule::ValueExcludedWhen { .. }
                | Rule::Wider
                | Rule::Narrower
        )
    }

    /// Whether these values break the rule; rules about operands are never broken by values.
    fn broken_by(&self, form: &Form, values: &SlotValues) -> bool {
        let specified = |slot| form.slot(slot).is_some_and(|(i, _)| values[i] != Value::Absent);
        let bits = |slot| form.value(values, slot).and_then(Qualifier::bits);
        match self {
            Rule::NotSpecifiedWhen { slot, when } => specified(*slot) && when.holds(form, values),
            Rule::SpecifiedOnlyWhen { slot, when } => specified(*slot) && !when.holds(form, values),
            Rule::ValueExcludedWhen { slot, value, when } => {
                form.value(values, *slot) == Some(*value) && when.holds(form, values)
            }
            Rule::Wider => bits(SlotName::To) <= bits(SlotName::From),
            Rule::Narrower => bits(SlotName::To) >= bits(SlotName::From),
            _ => false,
        }
    }
}

impl Form {
    /// The named value in the slot; an absent optional one gives its default. `None` where the form has no such slot,
    /// the slot is empty without default, or it holds a number.
    pub fn value(&self, values: &SlotValues, slot: SlotName) -> Option<Qualifier> {
        let (i, slot) = self.slot(slot)?;
        match values[i] {
            Value::Absent => slot.default,
            value => value.named(),
        }
    }

    /// The restrictions on qualifiers that these values break, in the order of the spec.
    pub fn violations(&self, values: &SlotValues) -> Vec<&'static Restriction> {
        self.restrictions.iter().filter(|r| r.rule.broken_by(self, values)).collect()
    }

    /// Every combination of values that breaks no restriction on qualifiers.
    pub fn combinations(&self) -> impl Iterator<Item = SlotValues> {
        self.spellings().filter(|values| !self.restrictions.iter().any(|r| r.rule.broken_by(self, values)))
    }

    /// Every combination of values that the slots take, restrictions aside; the last slot varies fastest.
    pub fn spellings(&self) -> impl Iterator<Item = SlotValues> + use<> {
        let slots = self.slots;
        let count = slots.iter().map(|slot| slot.choices()).product::<usize>();
        (0..count).map(move |number| {
            let mut rest = number;
            let mut values = SlotValues::default();
            for (value, slot) in values.iter_mut().zip(slots).rev() {
                let choices = slot.choices();
                *value = slot.choice(rest % choices);
                rest /= choices;
            }
            values
        })
    }

    /// The mnemonic with these values, `iadd.dsat.32b`.
    pub fn mnemonic(&self, values: &SlotValues) -> String {
        let mut text = String::from(self.opcode.text());
        for (value, slot) in values.iter().zip(self.slots) {
            match value {
                Value::Absent => {}
                Value::Named(qualifier) => text.push_str(qualifier.text()),
                Value::Number(number) if slot.values == Values::TruthTable => {
                    text.push_str(&format!(".0x{number:02x}"));
                }
                Value::Number(number) => text.push_str(&format!(".{number}")),
            }
        }
        text
    }
}

impl crate::Slot {
    /// How many values it takes, absence included where it is optional.
    fn choices(&self) -> usize {
        let values = match self.values {
            Values::OneOf(list) => list.len(),
            Values::Index => 64,
            Values::TruthTable => 254,
        };
        values + usize::from(self.optional)
    }

    /// The value of that number, below [`Self::choices`].
    fn choice(&self, number: usize) -> Value {
        if self.optional && number == 0 {
            return Value::Absent;
        }
        let number = number - usize::from(self.optional);
        match self.values {
            Values::OneOf(list) => Value::Named(list[number]),
            Values::Index => Value::Number(number as u8),
            Values::TruthTable => Value::Number(number as u8 + 1),
        }
    }
}
