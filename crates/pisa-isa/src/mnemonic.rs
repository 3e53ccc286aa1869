//! Taking a mnemonic apart: `ld.param.v2.32b` is the opcode `ld.param` and the qualifiers `.v2` and `.32b`.

use std::ops::Range;

use crate::{Opcode, foreign, nearest};

/// More qualifiers than any form has, so that a surplus one is still seen as one.
const CAPACITY: usize = 8;

/// A mnemonic in its parts.
#[derive(Clone, Copy, Debug)]
pub struct Mnemonic<'a> {
    /// The opcode.
    pub opcode: Opcode,
    texts: [&'a str; CAPACITY],
    starts: [usize; CAPACITY],
    count: usize,
}

impl<'a> Mnemonic<'a> {
    /// The qualifiers in their order, each with its leading dot; a cache control such as `.L1c.L2c.L3c` is one
    /// (M-25). From the eighth on everything is one piece, since no form has that many.
    pub fn qualifiers(&self) -> &[&'a str] {
        &self.texts[..self.count]
    }

    /// Where the qualifier of that number stands in the text given to [`split_mnemonic`], in bytes.
    /// Past the last one: the end of the mnemonic, empty.
    pub fn range(&self, qualifier: usize) -> Range<usize> {
        match self.qualifiers().get(qualifier) {
            Some(text) => self.starts[qualifier]..self.starts[qualifier] + text.len(),
            None => {
                let end = match self.count {
                    0 => self.opcode.text().len(),
                    n => self.starts[n - 1] + self.texts[n - 1].len(),
                };
                end..end
            }
        }
    }

    fn push(&mut self, text: &'a str, range: Range<usize>) {
        self.texts[self.count] = &text[range.clone()];
        self.starts[self.count] = range.start;
        self.count += 1;
    }
}

/// A mnemonic that starts with no opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownOpcode {
    /// How many bytes of the text stand for the opcode.
    pub length: usize,
    /// The opcode that is probably meant.
    pub nearest: Option<Opcode>,
}

/// Takes a mnemonic apart. The opcode is the longest one that the leading dot-separated words spell.
///
/// # Errors
/// [`UnknownOpcode`] where they spell none; the qualifiers are not looked at otherwise.
pub fn split_mnemonic(text: &str) -> Result<Mnemonic<'_>, UnknownOpcode> {
    let word = |from: usize| text[from..].find('.').map_or(text.len(), |dot| from + dot);
    let first = word(0);
    // No opcode has more than two words.
    let second = if first < text.len() { word(first + 1) } else { first };
    let (opcode, end) = match (Opcode::from_text(&text[..second]), Opcode::from_text(&text[..first])) {
        (Some(opcode), _) => (opcode, second),
        (None, Some(opcode)) => (opcode, first),
        (None, None) => return Err(unknown(text, first, second)),
    };
    let mut mnemonic = Mnemonic { opcode, texts: [""; CAPACITY], starts: [0; CAPACITY], count: 0 };
    let mut at = end;
    while at < text.len() {
        let mut stop = word(at + 1);
        if mnemonic.count == CAPACITY - 1 {
            stop = text.len();
        } else if text[at..].starts_with(".L1") {
            // The levels of a cache control belong together.
            for level in [".L2", ".L3"] {
                if text[stop..].starts_with(level) {
                    stop = word(stop + 1);
                }
            }
        }
        mnemonic.push(text, at..stop);
        at = stop;
    }
    Ok(mnemonic)
}

fn unknown(text: &str, first: usize, second: usize) -> UnknownOpcode {
    let texts = || Opcode::ALL.iter().map(|opcode| opcode.text());
    let two_words = texts().filter(|name| name.contains('.'));
    let found = |name: &str| Opcode::from_text(name);
    // `barrier` alone misses its second word, which is no matter of spelling.
    let completed =
        texts().find(|name| name.split_once('.').is_some_and(|(start, _)| start == &text[..first]));
    if let Some(name) = completed {
        return UnknownOpcode { length: first, nearest: found(name) };
    }
    if let Some(opcode) = foreign::opcode(&text[..first], &text[first..]) {
        return UnknownOpcode { length: first, nearest: Some(opcode) };
    }
    match nearest(&text[..second], two_words) {
        Some(name) => UnknownOpcode { length: second, nearest: found(name) },
        None => UnknownOpcode { length: first, nearest: nearest(&text[..first], texts()).and_then(found) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Opcode, Vec<&str>) {
        let mnemonic = split_mnemonic(text).unwrap();
        for (i, part) in mnemonic.qualifiers().iter().enumerate() {
            assert_eq!(&text[mnemonic.range(i)], *part);
        }
        assert_eq!(mnemonic.range(mnemonic.qualifiers().len()), text.len()..text.len());
        (mnemonic.opcode, mnemonic.qualifiers().to_vec())
    }

    #[test]
    fn opcodes_are_the_longest_that_fit() {
        assert_eq!(parts("iadd.dsat.32b"), (Opcode::Iadd, vec![".dsat", ".32b"]));
        assert_eq!(parts("ld.param.v2.32b"), (Opcode::LdParam, vec![".v2", ".32b"]));
        assert_eq!(parts("ld.parm.32b"), (Opcode::Ld, vec![".parm", ".32b"]));
        assert_eq!(parts("extract.dynamic.v4.32b"), (Opcode::ExtractDynamic, vec![".v4", ".32b"]));
        assert_eq!(parts("extract.1.32b"), (Opcode::Extract, vec![".1", ".32b"]));
        assert_eq!(parts("insert.dynamic.v4.32b").0, Opcode::InsertDynamic);
        assert_eq!(parts("barrier.workgroup"), (Opcode::BarrierWorkgroup, vec![]));
        assert_eq!(parts("goto"), (Opcode::Goto, vec![]));
        assert_eq!(parts("bfn.0xba.32b"), (Opcode::Bfn, vec![".0xba", ".32b"]));
    }

    #[test]
    fn cache_controls_are_one_part() {
        assert_eq!(parts("ld.global.L1uc.L2uc.L3c.v2.32b").1, [".global", ".L1uc.L2uc.L3c", ".v2", ".32b"]);
        assert_eq!(parts("ld.L1c.L2c.32b").1, [".L1c.L2c", ".32b"]);
        assert_eq!(parts("iatom.global.L2wb.add.32b").1, [".global", ".L2wb", ".add", ".32b"]);
        assert_eq!(parts("ld.L1c").1, [".L1c"]);
    }

    #[test]
    fn odd_texts_stay_whole() {
        assert_eq!(parts("iadd."), (Opcode::Iadd, vec!["."]));
        assert_eq!(parts("iadd..32b"), (Opcode::Iadd, vec![".", ".32b"]));
        assert_eq!(parts("iadd.1.2.3.4.5.6.7.8.9").1, [".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8.9"]);
        assert_eq!(parts("iadd.µ.32b").1, [".µ", ".32b"]);
    }

    #[test]
    fn unknown_opcodes() {
        let unknown = |text| split_mnemonic(text).unwrap_err();
        assert_eq!(unknown("iad.32b"), UnknownOpcode { length: 3, nearest: Some(Opcode::Iadd) });
        assert_eq!(unknown("barrier"), UnknownOpcode { length: 7, nearest: Some(Opcode::BarrierWorkgroup) });
        assert_eq!(unknown("barrier.global").nearest, Some(Opcode::BarrierWorkgroup));
        assert_eq!(
            unknown("barier.workgroup"),
            UnknownOpcode { length: 16, nearest: Some(Opcode::BarrierWorkgroup) }
        );
        assert_eq!(unknown("frobnicate.32b"), UnknownOpcode { length: 10, nearest: None });
        assert_eq!(unknown(""), UnknownOpcode { length: 0, nearest: None });
        assert_eq!(unknown(".32b"), UnknownOpcode { length: 0, nearest: None });
        assert_eq!(unknown("é").nearest, None);
        // Words of other languages.
        assert_eq!(unknown("bra.uni"), UnknownOpcode { length: 3, nearest: Some(Opcode::Goto) });
        assert_eq!(unknown("fma.rn.f32").nearest, Some(Opcode::Fmad));
        assert_eq!(unknown("add.u32").nearest, Some(Opcode::Iadd));
    }
}
