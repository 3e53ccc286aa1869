//! How rules are written.
//!
//! A term is `name(terms)`, a constant, a special register or a variable:
//! * **Table operations** have their mnemonic: `iadd.32b(x, y)`. Where predicate and register forms share one, it means the
//!   predicate, and `sel.32b:r` the other.
//! * **Cross-lane operations** are written data, index, mask, pass-through, as far as they have them; a pass-through that is not
//!   written is dead. `reduce.sum.32b(x, m)`, `reduce.sum.8.32b` in clusters of 8, `inclusive.` and `exclusive.` scans,
//!   `shuffle.xor.32b(x, k, m)`, `rotate.8.32b`, `read.32b(x, i, m)`, `read_first.32b(x, m)`, `ballot(p, m)`, `any(p, m)`,
//!   `all(p, m)`, `all_equal.32b(x, m)`, `elect(m)`, `first(m)` for `redfirstidx`, `active()` for `%activemask`,
//!   `quad_broadcast.32b`, `quad_swap.h.32b`, `quad_any`, `match_any.32b`. A `?` at the end leaves sources undefined that do
//!   not take part.
//! * **Operations on masks**: `inverse(m)`, `bit(m, i)`, `count(m)`, `count.exclusive(m)`, `least(m)`, `most(m)`, `lanes.lt()`.
//! * `!p` is the negation of a predicate.
//! * **Constants** take the type of their place: `5`, `-1`, `~0`, `0x80`, `true`; `ALL` is the mask of all lanes, `MIN` and `MAX` are the
//!   least and greatest signed integer. `dead` is a dead pass-through. `%laneid` is itself.
//! * Any other name is a **variable**; it has the type of its places.

use super::words;
use super::{Condition, Term};
use crate::{Constant, Operand, Operation, Role, Signature, TypeRule};
use pisa_module::{RegisterType, SpecialRegister};

/// Terms that are being read.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) variables: Vec<(String, RegisterType)>,
    pub(super) terms: Vec<Term>,
}

/// The types of the operands and the result of an operation of the notation.
pub(super) fn types(operation: &Operation) -> Option<(Vec<RegisterType>, RegisterType)> {
    let signature = Signature::of(operation, &[] as &[Operand], 1, &[]);
    let exact = |rule: &TypeRule| match rule {
        TypeRule::Exactly(ty) => Some(*ty),
        _ => None,
    };
    let operands = signature.operands.iter().map(|shape| exact(&shape.ty)).collect::<Option<_>>()?;
    match &signature.results[..] {
        [result] => Some((operands, exact(result)?)),
        _ => None,
    }
}

/// Whether the last operand of an operation is a pass-through.
fn keeps(operation: &Operation) -> bool {
    let signature = Signature::of(operation, &[] as &[Operand], 1, &[]);
    signature.operands.last().is_some_and(|shape| shape.role == Role::Keep)
}

impl Reader {
    /// The type of the operation at the root of a text.
    pub(super) fn root_type(text: &str) -> Result<RegisterType, String> {
        let word = text.split('(').next().unwrap_or_default().trim();
        let operation = words::operation(word).ok_or_else(|| format!("no operation `{word}`"))?;
        types(&operation).map(|(_, result)| result).ok_or_else(|| format!("`{word}` has no one type"))
    }

    /// Reads a whole text as a term of a type.
    pub(super) fn read(&mut self, text: &str, ty: RegisterType) -> Result<u16, String> {
        let mut rest = text.trim();
        let term = self.term(&mut rest, ty)?;
        if rest.trim().is_empty() { Ok(term) } else { Err(format!("`{rest}` is left of `{text}`")) }
    }

    fn add(&mut self, term: Term) -> u16 {
        self.terms.push(term);
        self.terms.len() as u16 - 1
    }

    fn term(&mut self, rest: &mut &str, ty: RegisterType) -> Result<u16, String> {
        *rest = rest.trim_start();
        if let Some(negated) = rest.strip_prefix('!') {
            *rest = negated;
            let inner = self.term(rest, ty)?;
            return Ok(self.add(Term::Negation(inner)));
        }
        let end = rest.find([',', '(', ')', ' ']).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        *rest = behind;
        if let Some(arguments) = behind.strip_prefix('(') {
            *rest = arguments;
            return self.application(word, rest, ty);
        }
        if word == "dead" {
            return Ok(self.add(Term::Dead));
        }
        if word == "%laneid" {
            return Ok(self.add(Term::Special(SpecialRegister::LaneId)));
        }
        if let Some(constant) = constant(word, ty) {
            return Ok(self.add(Term::Constant(constant)));
        }
        if word.is_empty() || !word.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("`{word}` is no term"));
        }
        let variable = match self.variables.iter().position(|(name, _)| name == word) {
            Some(known) if self.variables[known].1 != ty => {
                return Err(format!("`{word}` has two types"));
            }
            Some(known) => known,
            None => {
                self.variables.push((word.to_owned(), ty));
                self.variables.len() - 1
            }
        };
        Ok(self.add(Term::Variable(variable as u8)))
    }

    /// What comes behind `word(`.
    fn application(&mut self, word: &str, rest: &mut &str, ty: RegisterType) -> Result<u16, String> {
        let operation = words::operation(word).ok_or_else(|| format!("no operation `{word}`"))?;
        let (wanted, result) =
            types(&operation).ok_or_else(|| format!("`{word}` has operands of several types"))?;
        if result != ty {
            return Err(format!("`{word}` gives {result:?}, not {ty:?}"));
        }
        let mut operands = smallvec::SmallVec::new();
        *rest = rest.trim_start();
        while !rest.starts_with(')') {
            let &ty = wanted.get(operands.len()).ok_or_else(|| format!("`{word}` has too many operands"))?;
            operands.push(self.term(rest, ty)?);
            *rest = rest.trim_start();
            match rest.strip_prefix(',') {
                Some(next) => *rest = next,
                None if rest.starts_with(')') => {}
                None => return Err(format!("no `)` behind `{word}(`")),
            }
        }
        *rest = &rest[1..];
        if operands.len() + 1 == wanted.len() && keeps(&operation) {
            operands.push(self.add(Term::Dead));
        }
        if operands.len() != wanted.len() {
            return Err(format!("`{word}` takes {} operands", wanted.len()));
        }
        Ok(self.add(Term::Apply { operation, operands }))
    }

    /// Reads side conditions: `uniform u, single m`.
    pub(super) fn conditions(&self, text: &str) -> Result<Vec<Condition>, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| self.condition(part)).collect()
    }

    fn condition(&self, text: &str) -> Result<Condition, String> {
        let variable = |name: &str| {
            let position = self.variables.iter().position(|(known, _)| known == name);
            position.map(|at| at as u8).ok_or_else(|| format!("`{text}`: no variable `{name}`"))
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is no number"));
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words[..] {
            ["uniform", x] => Condition::Uniform(variable(x)?),
            ["constant", x] => Condition::Constant(variable(x)?),
            ["power", x] => Condition::PowerOfTwo(variable(x)?),
            ["nonzero", x] => Condition::NonZero(variable(x)?),
            ["below", x, limit] => Condition::Below(variable(x)?, number(limit)?),
            ["equal", x, y] => Condition::Equal(variable(x)?, variable(y)?),
            ["distinct", x, y] => Condition::Distinct(variable(x)?, variable(y)?),
            ["sum", x, y, limit] => Condition::SumAtMost(variable(x)?, variable(y)?, number(limit)?),
            ["contains", m] => Condition::Contains(variable(m)?),
            ["single", m] => Condition::AtMostOne(variable(m)?),
            ["member", x, m] => Condition::Member(variable(x)?, variable(m)?),
            ["closed", m, k] => Condition::ClosedUnderXor(variable(m)?, variable(k)?),
            ["full"] => Condition::Full,
            ["defined", x] => Condition::Defined(variable(x)?),
            _ => return Err(format!("`{text}` is no condition")),
        })
    }
}

fn constant(word: &str, ty: RegisterType) -> Option<Constant> {
    let width = ty.total_bits();
    let bits = match word {
        "true" => 1,
        "false" => 0,
        "ALL" => u128::from(u32::MAX),
        "MIN" => 1 << (width - 1),
        "MAX" => (1 << (width - 1)) - 1,
        _ => {
            let (inverted, word) = match word.strip_prefix('~') {
                Some(word) => (true, word),
                None => (false, word),
            };
            let bits = match (word.strip_prefix("0x"), word.strip_prefix('-')) {
                (Some(digits), _) => u128::from_str_radix(digits, 16).ok()?,
                (None, Some(digits)) => digits.parse::<u128>().ok()?.wrapping_neg(),
                (None, None) => word.parse().ok()?,
            };
            if inverted { !bits } else { bits }
        }
    };
    Some(Constant::new(bits, ty))
}
