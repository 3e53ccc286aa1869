//! The checked algebra: rewrite rules of sub-group operations, and of the arithmetic around them, as data.
//!
//! A [`Family`] is what one writes down: a pattern, side conditions and a replacement in the [`notation`], over lists
//! of types and operations. It expands to [`Rule`]s, one for each choice and each order of commuting operands. [`table`]
//! has all of them and is the only way to a rule: the [checker](check) runs each rule of it on the lane model, and
//! [`apply`](apply()) rewrites a function by the same data.
//!
//! # What a rule says
//! *Where the pattern stands and the conditions hold, the replacement has the same value in every lane that executes it*,
//! for every active set, mask and datum, masks that differ between lanes (S-01) and what does not take part included. Where
//! the pattern has no defined value (a pass-through that is dead, a source left undefined) anything may stand.
//!
//! All convergent operations of a pattern run under the active set of its root; so do those of the replacement. Nothing
//! is said of operations under other sets: that is asked of [`Facts`] before a rule applies.
//!
//! A rule is applied where the replacement [costs](cost) less than what it makes dead. Those that never do are laws: they are checked, and
//! listed, and wait for a reason.

pub mod apply;
pub mod check;
pub mod cost;
mod expand;
mod facts;
mod families;
pub mod notation;
#[cfg(test)]
mod tests;
mod words;

pub use apply::{Applied, apply, apply_recorded};
pub use facts::{AnalysedFacts, Facts, LocalFacts, Place};

use crate::{Constant, Operand, Operation};
use pisa_module::{RegisterType, SpecialRegister};
use smallvec::SmallVec;
use std::sync::LazyLock;

/// Rules that are written as one.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What it is called.
    pub name: &'static str,
    /// What `{A}` in the texts stands for: names with the choices for them. `("A B", "and/or or/and")` chooses both at once.
    /// Every combination of choices of different entries is a rule.
    pub over: &'static [(&'static str, &'static str)],
    /// The pattern.
    pub pattern: &'static str,
    /// The side conditions, see [`Condition`].
    pub when: &'static str,
    /// What may stand in its place.
    pub replacement: &'static str,
}

/// A side condition. The list is closed: [`Facts`] answers them in a function, and the checker makes values for which they hold.
///
/// *Here* is where the root of the pattern stands, *active* the lanes that execute it together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// `uniform x`: all active lanes have the same value.
    Uniform(u8),
    /// `constant x`.
    Constant(u8),
    /// `power x`: a constant power of two.
    PowerOfTwo(u8),
    /// `nonzero x`: a constant other than 0.
    NonZero(u8),
    /// `below x 32`: a constant less than this.
    Below(u8, u32),
    /// `equal x y`: two constants that are equal.
    Equal(u8, u8),
    /// `distinct x y`: two constants that differ.
    Distinct(u8, u8),
    /// `sum x y 63`: constants whose sum is at most this.
    SumAtMost(u8, u8, u32),
    /// `contains m`: the mask has all active lanes.
    Contains(u8),
    /// `single m`: at most one active lane is in the mask.
    AtMostOne(u8),
    /// `member x m`: `x` is a constant lane that is active and in the mask.
    Member(u8, u8),
    /// `closed m k`: with each active lane in the mask, the lane whose number differs from its own in the low 5 bits of
    /// the constant `k` is active and in the mask.
    ClosedUnderXor(u8, u8),
    /// `full`: all 32 lanes are active.
    Full,
    /// `defined x`: it is defined in all active lanes, as everything is that comes from PISA text.
    Defined(u8),
}

/// A piece of a pattern or replacement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Any operand; the same one everywhere in the rule.
    Variable(u8),
    /// The negation of a predicate.
    Negation(u16),
    /// A constant.
    Constant(Constant),
    /// A special register.
    Special(SpecialRegister),
    /// A pass-through that nobody looks at.
    Dead,
    /// An operation.
    Apply {
        /// Which.
        operation: Operation,
        /// Its operands, as numbers of terms.
        operands: SmallVec<[u16; 4]>,
    },
}

/// When rules are applied. A stage has the rules of those before it, but for those that make what has just been lowered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Before lowering: rules may make operations that PISA does not have.
    Early,
    /// Behind it: they make none.
    Lowered,
    /// At the end: they also fuse several operations into one that other rules do not see through.
    Last,
}

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name of its family and the choices.
    pub name: String,
    /// What it is written like, for people.
    pub text: String,
    /// Names and types of the variables.
    pub variables: Vec<(String, RegisterType)>,
    /// The terms of pattern and replacement.
    pub terms: Vec<Term>,
    /// The pattern: an operation.
    pub pattern: u16,
    /// Side conditions.
    pub conditions: Vec<Condition>,
    /// The replacement.
    pub replacement: u16,
    /// The type of both.
    pub ty: RegisterType,
    /// [`Stage::Early`] if it is applied at that stage alone, else the first one behind which it may be: those that are not for the end are
    /// also applied early.
    pub stage: Stage,
}

impl Rule {
    /// A term.
    pub fn term(&self, number: u16) -> &Term {
        &self.terms[usize::from(number)]
    }
    /// The operation at the root of the pattern; patterns have no other root.
    pub fn root(&self) -> Option<&Operation> {
        match self.term(self.pattern) {
            Term::Apply { operation, .. } => Some(operation),
            _ => None,
        }
    }
    /// The numbers of the terms below a term, itself included; each before those that it has as operands.
    pub fn below(&self, term: u16) -> Vec<u16> {
        let mut found = vec![term];
        let mut next = 0;
        while let Some(&term) = found.get(next) {
            next += 1;
            match self.term(term) {
                Term::Apply { operands, .. } => found.extend(operands),
                Term::Negation(inner) => found.push(*inner),
                _ => {}
            }
        }
        found
    }
    /// Whether a condition says so.
    pub fn demands(&self, condition: Condition) -> bool {
        self.conditions.contains(&condition)
    }
    /// Whether the variable is a constant by a condition.
    pub fn is_constant(&self, variable: u8) -> bool {
        use Condition::*;
        self.conditions.iter().any(|condition| match *condition {
            Constant(x) | PowerOfTwo(x) | NonZero(x) | Below(x, _) | Member(x, _) => x == variable,
            ClosedUnderXor(_, k) => k == variable,
            Equal(x, y) | Distinct(x, y) | SumAtMost(x, y, _) => x == variable || y == variable,
            Uniform(_) | Contains(_) | AtMostOne(_) | Full | Defined(_) => false,
        })
    }
    /// Whether active lanes have the same value of it, by a condition.
    pub fn is_uniform(&self, variable: u8) -> bool {
        self.is_constant(variable) || self.demands(Condition::Uniform(variable))
    }
}

static TABLE: LazyLock<(Vec<Rule>, Vec<String>)> =
    LazyLock::new(|| expand::all(families::ALL, families::LAST));

/// Every rule.
pub fn table() -> &'static [Rule] {
    &TABLE.0
}

/// The families that the rules come from.
pub fn families() -> impl Iterator<Item = &'static Family> {
    families::ALL.iter().chain(families::LAST).copied().flatten()
}

/// What is wrong with families that are not rules of [`table`] as they cannot be read. A test holds that there are none.
pub fn unreadable() -> &'static [String] {
    &TABLE.1
}

/// The rules of a family that need not be in the table.
///
/// # Errors
/// What cannot be read.
pub fn expand(family: &Family) -> Result<Vec<Rule>, String> {
    expand::family(family, false)
}

/// The negation of a predicate operand; `None` where it has none.
pub(crate) fn negation(operand: Operand) -> Option<Operand> {
    match operand {
        Operand::Value(value) => Some(Operand::Negated(value)),
        Operand::Negated(value) => Some(Operand::Value(value)),
        Operand::Constant(constant) if constant.ty.is_predicate() => {
            Some(Operand::Constant(Constant::predicate(constant.bits() == 0)))
        }
        _ => None,
    }
}
