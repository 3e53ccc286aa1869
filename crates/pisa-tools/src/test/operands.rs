//! The text of an `op` fact, before the instruction table says what its values are.

use std::ops::Range;

/// Lanes of a sub-group.
pub(super) const LANES: usize = 32;

/// A fact about one instruction, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FactText {
    /// Its line.
    pub line: u32,
    /// The instruction's mnemonic.
    pub mnemonic: String,
    /// The whole fact.
    pub wrote: String,
    /// The values of its sources.
    pub sources: Vec<LanesText>,
    /// The lanes that execute it.
    pub active: u32,
    /// What its destinations hold before; empty where it does not say.
    pub old: Vec<LanesText>,
    /// What its destinations hold afterwards.
    pub results: Vec<LanesText>,
    /// Where the results stand in the line.
    pub result: Range<usize>,
}

/// One operand: a value for each lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LanesText {
    /// `!` before it.
    pub negated: bool,
    /// The values.
    pub lanes: LanesForm,
}

/// How the values of the lanes are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LanesForm {
    /// `iota`: the lane's number.
    Iota,
    /// One value for all.
    Same(ValueText),
    /// `[…]`: 32 values.
    Each(Vec<ValueText>),
}

/// One value: a number, or the elements of a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValueText {
    /// `5`
    Scalar(String),
    /// `{1, 2}`
    Elements(Vec<String>),
}

impl LanesText {
    /// The first value, where one is written out.
    pub fn first(&self) -> Option<&ValueText> {
        match &self.lanes {
            LanesForm::Iota => None,
            LanesForm::Same(value) => Some(value),
            LanesForm::Each(values) => values.first(),
        }
    }
    /// Whether it can only be a predicate.
    pub fn is_predicate(&self) -> bool {
        let word = |value: &ValueText| matches!(value, ValueText::Scalar(s) if s == "true" || s == "false");
        self.negated || self.first().is_some_and(word)
    }
}

impl FactText {
    /// Reads `MNEMONIC (sources) [active=MASK] [old=VALUE] = results`; `at` is where `text` begins in its line.
    pub fn parse(line: u32, text: &str, at: usize) -> Result<FactText, String> {
        let mut cursor = Cursor { text, at: 0 };
        let mnemonic = cursor.word();
        if mnemonic.is_empty() {
            return Err("`op` is followed by a mnemonic".to_owned());
        }
        let mnemonic = mnemonic.to_owned();
        cursor.expect('(')?;
        let mut sources = Vec::new();
        if !cursor.take(')') {
            loop {
                sources.push(cursor.lanes()?);
                if cursor.take(')') {
                    break;
                }
                cursor.expect(',')?;
            }
        }
        let mut active = None;
        let mut old = None;
        while !cursor.take('=') {
            match cursor.word() {
                "active" if active.is_none() => {
                    cursor.expect('=')?;
                    active = Some(mask(cursor.word())?);
                }
                "old" if old.is_none() => {
                    cursor.expect('=')?;
                    old = Some(cursor.destinations()?);
                }
                "active" | "old" => return Err("`active` and `old` are given once".to_owned()),
                _ => return Err(cursor.error("`active=MASK`, `old=VALUE` or `= result`")),
            }
        }
        cursor.blanks();
        let start = cursor.at;
        let results = cursor.destinations()?;
        let end = cursor.at;
        cursor.blanks();
        if cursor.at < text.len() {
            return Err(cursor.error("the end of the line"));
        }
        Ok(FactText {
            line,
            mnemonic,
            wrote: text.trim().to_owned(),
            sources,
            active: active.unwrap_or(u32::MAX),
            old: old.unwrap_or_default(),
            results,
            result: at + start..at + end,
        })
    }
}

fn mask(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')),
        None => text.parse().ok().filter(|_| !text.starts_with('+')),
    };
    number.ok_or_else(|| format!("`{text}` is not a mask of 32 lanes"))
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(&format!("`{wanted}`"))) }
    }

    fn error(&self, wanted: &str) -> String {
        match self.rest().trim() {
            "" => format!("{wanted} is missing at the end"),
            rest => {
                let shown: String = rest.chars().take(24).collect();
                format!("{wanted} should stand where `{shown}` does")
            }
        }
    }

    /// Letters, digits, `.`, `_`, `+`, `-`; maybe nothing.
    fn word(&mut self) -> &'a str {
        self.blanks();
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn scalar(&mut self) -> Result<String, String> {
        match self.word() {
            "" => Err(self.error("a value")),
            word => Ok(word.to_owned()),
        }
    }

    fn value(&mut self) -> Result<ValueText, String> {
        if !self.take('{') {
            return Ok(ValueText::Scalar(self.scalar()?));
        }
        let mut elements = Vec::new();
        loop {
            elements.push(self.scalar()?);
            if self.take('}') {
                return Ok(ValueText::Elements(elements));
            }
            self.expect(',')?;
        }
    }

    fn lanes(&mut self) -> Result<LanesText, String> {
        let negated = self.take('!');
        if !self.take('[') {
            let lanes = match self.value()? {
                ValueText::Scalar(word) if word == "iota" => LanesForm::Iota,
                value => LanesForm::Same(value),
            };
            return Ok(LanesText { negated, lanes });
        }
        let mut values = Vec::new();
        loop {
            let value = self.value()?;
            let mut count = 1;
            if self.take('*') {
                let word = self.word();
                count = word
                    .parse()
                    .ok()
                    .filter(|n| (1..=LANES).contains(n))
                    .ok_or_else(|| format!("`{word}` is not a number of lanes"))?;
            }
            values.extend(std::iter::repeat_n(value, count));
            if self.take(']') {
                break;
            }
            self.expect(',')?;
        }
        if values.len() != LANES {
            return Err(format!("a list has one value a lane: 32, not {}", values.len()));
        }
        Ok(LanesText { negated, lanes: LanesForm::Each(values) })
    }

    /// One destination, or several in parentheses.
    fn destinations(&mut self) -> Result<Vec<LanesText>, String> {
        if !self.take('(') {
            return Ok(vec![self.lanes()?]);
        }
        let mut all = Vec::new();
        loop {
            all.push(self.lanes()?);
            if self.take(')') {
                return Ok(all);
            }
            self.expect(',')?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read() {
        let fact =
            FactText::parse(1, "uaddc.co.32b (0xffffffff, 1) active=0xff old=(7, 0) = (0, 1)", 7).unwrap();
        assert_eq!((fact.mnemonic.as_str(), fact.sources.len(), fact.active), ("uaddc.co.32b", 2, 255));
        assert_eq!((fact.old.len(), fact.results.len()), (2, 2));
        assert_eq!(fact.result, 7 + 54..7 + 60);
        let fact = FactText::parse(1, "insert.1.32b([{1,2}*16,{3,4}*16]) = {1,-2}", 0).unwrap();
        assert!(matches!(&fact.sources[0].lanes, LanesForm::Each(v) if v.len() == 32));
        let fact = FactText::parse(1, "sel.32b (iota, 1.5e-3, !true) = nan", 0).unwrap();
        assert!(fact.sources[2].is_predicate() && fact.sources[0].lanes == LanesForm::Iota);
        assert!(FactText::parse(1, "x () = 1", 0).unwrap().sources.is_empty());
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        for text in [
            "",
            "iadd.32b",
            "iadd.32b (1, 2)",
            "iadd.32b (1, 2) =",
            "iadd.32b (1, 2) = 3 4",
            "iadd.32b (1 2) = 3",
            "iadd.32b (1,) = 3",
            "iadd.32b ([1,2]) = 3",
            "iadd.32b ([1*33]) = 3",
            "iadd.32b ({1,2) = 3",
            "iadd.32b (1) active=x = 3",
            "iadd.32b (1) active=0x1ffffffff = 3",
            "iadd.32b (1) active=1 active=1 = 3",
            "iadd.32b (1) older=1 = 3",
            "iadd.32b (1) = (1",
        ] {
            assert!(FactText::parse(1, text, 0).is_err(), "{text}");
        }
    }
}
