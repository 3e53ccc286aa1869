//! From families to rules.

use super::notation::Reader;
use super::{Family, Rule, Stage, Term};
use crate::Operation;
use crate::lower::needs_lowering;
use pisa_isa::{Opcode, Qualifier, SlotName};

/// The rules of all families, and what cannot be read.
pub(super) fn all(lists: &[&[Family]], last: &[&[Family]]) -> (Vec<Rule>, Vec<String>) {
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    for (lists, last) in [(lists, false), (last, true)] {
        for entry in lists.iter().copied().flatten() {
            match family(entry, last) {
                Ok(found) => rules.extend(found),
                Err(error) => errors.push(error),
            }
        }
    }
    (rules, errors)
}

/// The rules of one family.
pub(super) fn family(family: &Family, last: bool) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    for choice in choices(family.over) {
        let mut rule = one(family, &choice).map_err(|error| format!("{}: {error}", family.name))?;
        if last {
            rule.stage = Stage::Last;
        }
        rules.extend(orders(rule));
    }
    Ok(rules)
}

/// A choice: names with what stands for them.
type Choice<'a> = Vec<(&'a str, &'a str)>;

fn choices<'a>(over: &[(&'a str, &'a str)]) -> Vec<Choice<'a>> {
    let mut all: Vec<Choice> = vec![Vec::new()];
    for (names, choices) in over {
        let mut next = Vec::new();
        for begun in &all {
            for choice in choices.split_whitespace() {
                let pairs = names.split_whitespace().zip(choice.split('/'));
                next.push(begun.iter().copied().chain(pairs).collect());
            }
        }
        all = next;
    }
    all
}

fn one(family: &Family, choice: &Choice) -> Result<Rule, String> {
    let fill = |text: &str| {
        let mut text = text.to_owned();
        for (name, value) in choice {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    };
    let (pattern, when, replacement) = (fill(family.pattern), fill(family.when), fill(family.replacement));
    let ty = Reader::root_type(&pattern)?;
    let mut reader = Reader::default();
    let root = reader.read(&pattern, ty)?;
    let known = reader.variables.len();
    let known_terms = reader.terms.len() as u16;
    let conditions = reader.conditions(&when)?;
    let new = reader.read(&replacement, ty)?;
    if reader.variables.len() > known {
        return Err(format!("`{}` is in the replacement alone", reader.variables[known].0));
    }
    let mut name = family.name.to_owned();
    for (_, value) in choice {
        name.push(' ');
        name.push_str(value);
    }
    let condition = if when.is_empty() { String::new() } else { format!(" if {when}") };
    let is_native = |&term: &u16| match &reader.terms[usize::from(term)] {
        Term::Apply { operation, .. } => !needs_lowering(operation),
        _ => true,
    };
    let replacement_terms: Vec<u16> = (known_terms..reader.terms.len() as u16).collect();
    let stage = if replacement_terms.iter().all(is_native) { Stage::Lowered } else { Stage::Early };
    Ok(Rule {
        name,
        text: format!("{pattern} => {replacement}{condition}"),
        variables: reader.variables,
        terms: reader.terms,
        pattern: root,
        conditions,
        replacement: new,
        ty,
        stage,
    })
}

/// The rule for each order of the operands of operations of its pattern that can be written with their operands exchanged.
fn orders(rule: Rule) -> Vec<Rule> {
    let mut rules = vec![rule];
    let nodes = rules[0].below(rules[0].pattern);
    for node in nodes {
        for number in 0..rules.len() {
            let mut other = rules[number].clone();
            if exchange(&mut other, node) && rules.iter().all(|known| !same_pattern(known, &other)) {
                other.name.push_str(" ~");
                rules.push(other);
            }
        }
    }
    rules
}

/// Exchanges the operands of one operation of the pattern, where that has a meaning.
fn exchange(rule: &mut Rule, node: u16) -> bool {
    let Term::Apply { operation, operands } = rule.term(node).clone() else { return false };
    let mut operands = operands;
    let is_select = operation.opcode() == Some(Opcode::Sel);
    if is_select && rule.variables.iter().all(|(_, ty)| !ty.is_predicate())
        || !is_select && !commutes(&operation)
    {
        return false;
    }
    operands.swap(0, 1);
    if is_select {
        // The other arms, by the negation.
        let [.., guard] = operands[..] else { return false };
        operands[2] = match rule.term(guard) {
            Term::Negation(inner) => *inner,
            Term::Variable(variable) if rule.variables[usize::from(*variable)].1.is_predicate() => {
                rule.terms.push(Term::Negation(guard));
                rule.terms.len() as u16 - 1
            }
            _ => return false,
        };
    }
    rule.terms[usize::from(node)] = Term::Apply { operation, operands };
    true
}

/// Whether the operation is written with either of its two operands first. The checker sees whether that is right for a rule.
fn commutes(operation: &Operation) -> bool {
    use Opcode::*;
    match operation.opcode() {
        Some(Iadd | And | Or | Xor | Smin | Smax | Umin | Umax | Smul | Umul | Fadd | Fmul | Fmin | Fmax) => {
            true
        }
        Some(Scmp | Ucmp | Fcmp) => {
            matches!(operation.qualifier(SlotName::Cop), Some(Qualifier::Eq | Qualifier::Ne))
        }
        _ => false,
    }
}

/// Whether the patterns match the same, up to the names of variables.
fn same_pattern(a: &Rule, b: &Rule) -> bool {
    let (terms, others) = (a.below(a.pattern), b.below(b.pattern));
    if terms.len() != others.len() || a.conditions != b.conditions {
        return false;
    }
    let mut names: Vec<(u8, u8)> = Vec::new();
    let same = terms.iter().zip(&others).all(|(&x, &y)| match (a.term(x), b.term(y)) {
        (Term::Variable(x), Term::Variable(y)) => {
            names.push((*x, *y));
            true
        }
        (Term::Apply { operation: x, operands: xs }, Term::Apply { operation: y, operands: ys }) => {
            x == y && xs.len() == ys.len()
        }
        (Term::Negation(_), Term::Negation(_)) => true,
        (x, y) => x == y,
    });
    let renames = names.iter().all(|(x, y)| names.iter().all(|(p, q)| (x == p) == (y == q)));
    // Variables that conditions speak of keep their names.
    let fixed = names.iter().all(|(x, y)| x == y) || a.conditions.is_empty();
    same && renames && fixed
}
