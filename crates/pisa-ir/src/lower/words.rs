//! Data of every width as words of 32 bits, which is what `shfl` moves.
//!
//! | data | to words | from words |
//! |---|---|---|
//! | 32 bits | | |
//! | 8 and 16 bits | `zext` | `trunc` |
//! | packed | `mov.32b w, v.xy` | `mov.32b v.xy, w` |
//! | 64 bits | `mov.64b v.xy, x` | `mov.64b x, v.xy` |
//! | predicate | `sel w, 1, 0, p` | `ucmp.ne p, w, 0` |
//!
//! So a shuffle of 64 bits has 4 instructions, of all other widths but 32 bits 3.

use crate::lower::emit::{Emitter, LANE, constant};
use crate::lower::group::Group;
use crate::{Constant, Element, Operand, Reduction, ShuffleKind, VectorOperation};
use pisa_module::RegisterType;
use smallvec::{SmallVec, smallvec};

const PAIR: RegisterType = RegisterType { elements: 2, bits: 32 };
const WORD: RegisterType = RegisterType::scalar(32);

/// The words of data, the low one first.
pub(super) struct Words {
    element: Element,
    pub(super) words: SmallVec<[Operand; 2]>,
    /// Of 64 bits the vector, whose elements the words are.
    vector: Operand,
}

impl Words {
    /// Whether there are two.
    pub(super) fn low_and_high(&self) -> Option<(Operand, Operand)> {
        match self.words[..] {
            [low, high] => Some((low, high)),
            _ => None,
        }
    }
}

impl Emitter<'_> {
    /// Data as words.
    pub(super) fn split(&mut self, element: Element, data: Operand) -> Words {
        let vector = if element.bits() == 64 {
            self.vector(VectorOperation::Unpack, &[data], PAIR)
        } else {
            Operand::Dead
        };
        let words = match (element, element.bits()) {
            (_, 64) => {
                (0..2).map(|first| self.vector(VectorOperation::Extract { first }, &[vector], WORD)).collect()
            }
            (Element::Hfx2 | Element::Bfx2, _) => {
                smallvec![self.vector(VectorOperation::Pack, &[data], WORD)]
            }
            (Element::Predicate, _) => {
                let word = self.select(32, Operand::word(1), Operand::word(0), data);
                smallvec![self.register(word)]
            }
            (_, bits @ (8 | 16)) => smallvec![self.table(&format!("zext.32b.{bits}b"), &[data])],
            _ => smallvec![data],
        };
        Words { element, words, vector }
    }
    /// Words as data again. `like` has been split from data of the same type.
    pub(super) fn join(&mut self, like: &Words, words: &[Operand]) -> Operand {
        match (like.element, words, like.element.bits()) {
            (_, &[low, high], _) => {
                let vector = self.vector(VectorOperation::Insert { first: 0 }, &[like.vector, low], PAIR);
                let vector = self.vector(VectorOperation::Insert { first: 1 }, &[vector, high], PAIR);
                self.vector(VectorOperation::Pack, &[vector], RegisterType::scalar(64))
            }
            (element @ (Element::Hfx2 | Element::Bfx2), &[word], _) => {
                self.vector(VectorOperation::Unpack, &[word], element.register())
            }
            (Element::Predicate, &[word], _) => self.test("ucmp.ne.32b", &[word, Operand::word(0)]),
            (_, &[word], bits @ (8 | 16)) => self.table(&format!("trunc.{bits}b.32b"), &[word]),
            _ => words.first().copied().unwrap_or(Operand::Dead),
        }
    }

    /// What lanes outside the mask keep, as words; dead where they keep nothing.
    pub(super) fn kept_words(&mut self, element: Element, group: Group) -> SmallVec<[Operand; 2]> {
        if group.keeps() {
            self.split(element, group.kept).words
        } else {
            smallvec![Operand::Dead; usize::from(element.bits() / 64) + 1]
        }
    }

    /// `shfl` of data of every type.
    pub(super) fn shuffle(
        &mut self,
        how: (ShuffleKind, bool),
        element: Element,
        data: Operand,
        index: Operand,
        group: Group,
    ) -> Operand {
        let words = self.split(element, data);
        self.shuffle_words(how, &words, index, group)
    }
    /// The same of data that has been split.
    pub(super) fn shuffle_words(
        &mut self,
        how: (ShuffleKind, bool),
        words: &Words,
        index: Operand,
        group: Group,
    ) -> Operand {
        let kept = self.kept_words(words.element, group);
        let shuffled: SmallVec<[Operand; 2]> = words
            .words
            .iter()
            .zip(kept)
            .map(|(&word, kept)| self.shfl(how, [word, index, group.mask, kept]))
            .collect();
        self.join(words, &shuffled)
    }
    /// The value in lanes of the mask, in others what they keep: each lane reads itself. 1 instruction for 32 bits.
    pub(super) fn merge(&mut self, element: Element, value: Operand, group: Group) -> Operand {
        if group.keeps() {
            self.shuffle((ShuffleKind::Index, false), element, value, LANE, group)
        } else {
            value
        }
    }

    /// One of two by a predicate, of every type but predicates. A constant stands for each element of packed data.
    pub(super) fn choose(&mut self, element: Element, yes: Operand, no: Operand, which: Operand) -> Operand {
        if element.elements() == 1 {
            return self.select(element.bits(), yes, no, which);
        }
        let scalar = RegisterType::scalar(element.bits());
        let mut vector = if no.constant().is_some() { yes } else { no };
        for first in 0..element.elements() {
            let [yes, no] = [yes, no].map(|side| match side.constant() {
                Some(_) => side,
                None => self.vector(VectorOperation::Extract { first }, &[side], scalar),
            });
            let chosen = self.select(element.bits(), yes, no, which);
            vector = self.vector(VectorOperation::Insert { first }, &[vector, chosen], element.register());
        }
        vector
    }
    /// A constant as data of every type: of packed types in a register.
    pub(super) fn filled(&mut self, element: Element, bits: u128) -> Operand {
        match element {
            Element::Predicate => Operand::Constant(Constant::predicate(bits != 0)),
            Element::Hfx2 | Element::Bfx2 => {
                self.register(Operand::Constant(Constant::new(bits << 16 | bits, element.register())))
            }
            _ => constant(bits, element.bits()),
        }
    }

    /// Two values combined, the first first. Not of 8 bits and predicates, nor greatest absolute values.
    pub(super) fn combine(
        &mut self,
        reduction: Reduction,
        element: Element,
        first: Operand,
        second: Operand,
    ) -> Operand {
        use Reduction::*;
        let name = match (reduction, element.is_float()) {
            (Sum, false) => "iadd",
            (Sum, true) => "fadd",
            (Product, false) => "umul",
            (Product, true) => "fmul",
            (And, _) => "and",
            (Or, _) => "or",
            (Xor, _) => "xor",
            (Smin, _) => "smin",
            (Smax | Absmax, _) => "smax",
            (Umin, _) => "umin",
            (Umax, _) => "umax",
            (Fmin, _) => "fmin",
            (Fmax | Fabsmax, _) => "fmax",
            (FminNan, _) => "fmin.nanp",
            (FmaxNan | FabsmaxNan, _) => "fmax.nanp",
        };
        let ty = element.qualifier().map_or("", |qualifier| qualifier.text());
        self.table(&format!("{name}{ty}"), &[first, second])
    }
}
