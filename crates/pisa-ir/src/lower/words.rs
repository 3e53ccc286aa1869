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

const PAIR: RegisterType = RegisterType { elements: 2, bits: 32 };
const WORD: RegisterType = RegisterType::scalar(32);

impl Emitter<'_> {
    /// Data of at most 32 bits as a word.
    pub(super) fn word(&mut self, element: Element, data: Operand) -> Operand {
        match (element, element.bits()) {
            (Element::Hfx2 | Element::Bfx2, _) => self.vector(VectorOperation::Pack, &[data], WORD),
            (Element::Predicate, _) => {
                let word = self.select(32, Operand::word(1), Operand::word(0), data);
                self.register(word)
            }
            (_, bits @ (8 | 16)) => self.table(&format!("zext.32b.{bits}b"), &[data]),
            _ => data,
        }
    }
    /// A word as data again.
    fn unword(&mut self, element: Element, word: Operand) -> Operand {
        match (element, element.bits()) {
            (Element::Hfx2 | Element::Bfx2, _) => {
                self.vector(VectorOperation::Unpack, &[word], element.register())
            }
            (Element::Predicate, _) => self.test("ucmp.ne.32b", &[word, Operand::word(0)]),
            (_, bits @ (8 | 16)) => self.table(&format!("trunc.{bits}b.32b"), &[word]),
            _ => word,
        }
    }
    /// Data of 64 bits as a vector of its halves, the low one first.
    pub(super) fn halves(&mut self, data: Operand) -> Operand {
        self.vector(VectorOperation::Unpack, &[data], PAIR)
    }
    /// Such a vector as data.
    pub(super) fn whole(&mut self, halves: Operand) -> Operand {
        self.vector(VectorOperation::Pack, &[halves], RegisterType::scalar(64))
    }
    /// One of the halves.
    pub(super) fn half(&mut self, halves: Operand, first: u8) -> Operand {
        self.vector(VectorOperation::Extract { first }, &[halves], WORD)
    }
    /// The vector with another half. Right behind the instruction that computes it, it is where that writes its result, if nobody
    /// needs the vector as it was.
    pub(super) fn put_half(&mut self, halves: Operand, first: u8, half: Operand) -> Operand {
        self.vector(VectorOperation::Insert { first }, &[halves, half], PAIR)
    }
    /// A vector with nothing in it.
    pub(super) fn no_halves(&mut self) -> Operand {
        self.initial(PAIR)
    }

    /// What lanes outside the mask keep, as a word; dead where they keep nothing.
    pub(super) fn kept_word(&mut self, element: Element, group: Group) -> Operand {
        if group.keeps() { self.word(element, group.kept) } else { Operand::Dead }
    }
    /// The halves that they keep.
    pub(super) fn kept_halves(&mut self, group: Group) -> [Operand; 2] {
        if !group.keeps() {
            return [Operand::Dead; 2];
        }
        let halves = self.halves(group.kept);
        [0, 1].map(|first| self.half(halves, first))
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
        if element.bits() < 64 {
            let word = self.word(element, data);
            return self.shuffle_word(how, element, word, index, group);
        }
        let kept = self.kept_halves(group);
        let mut halves = self.halves(data);
        for (first, kept) in [0, 1].into_iter().zip(kept) {
            let half = self.half(halves, first);
            let half = self.shfl(how, [half, index, group.mask, kept]);
            halves = self.put_half(halves, first, half);
        }
        self.whole(halves)
    }
    /// The same of data of at most 32 bits that is a word already.
    pub(super) fn shuffle_word(
        &mut self,
        how: (ShuffleKind, bool),
        element: Element,
        word: Operand,
        index: Operand,
        group: Group,
    ) -> Operand {
        let kept = self.kept_word(element, group);
        let word = self.shfl(how, [word, index, group.mask, kept]);
        self.unword(element, word)
    }
    /// Several shuffles of the same data.
    pub(super) fn shuffles<const N: usize>(
        &mut self,
        element: Element,
        data: Operand,
        ways: [((ShuffleKind, bool), Operand); N],
        group: Group,
    ) -> [Operand; N] {
        if element.bits() == 64 {
            return ways.map(|(how, index)| self.shuffle(how, element, data, index, group));
        }
        let word = self.word(element, data);
        ways.map(|(how, index)| self.shuffle_word(how, element, word, index, group))
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
        let replaces_yes = no.constant().is_some();
        let mut vector = if replaces_yes { yes } else { no };
        for first in 0..element.elements() {
            let extract = VectorOperation::Extract { first };
            // Elements that are not chosen yet are still in the vector, so that nobody needs it as it was.
            let own = self.vector(extract, &[vector], scalar);
            let chosen = if replaces_yes {
                self.select(element.bits(), own, no, which)
            } else {
                let yes = match yes.constant() {
                    Some(_) => yes,
                    None => self.vector(extract, &[yes], scalar),
                };
                self.select(element.bits(), yes, own, which)
            };
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
        let name = match (reduction, reduction.lane_wise()) {
            (Sum, _) if element.is_float() => "fadd",
            (Product, _) if element.is_float() => "fmul",
            (_, Some(opcode)) => opcode.text(),
            (Fmin, _) => "fmin",
            (Fmax | Fabsmax, _) => "fmax",
            (FminNan, _) => "fmin.nanp",
            (FmaxNan | FabsmaxNan, _) => "fmax.nanp",
            // Of absolute values, which are not negative but for the least integer.
            _ => "smax",
        };
        let ty = element.qualifier().map_or("", |qualifier| qualifier.text());
        self.table(&format!("{name}{ty}"), &[first, second])
    }
}
