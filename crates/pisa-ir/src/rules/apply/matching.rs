//! Finds patterns.

use super::graph::Graph;
use super::index::Indexed;
use crate::rules::{Condition, Facts, Place, Rule, Term, negation};
use crate::{Instruction, Operand};
use smallvec::SmallVec;

/// A pattern that was found.
pub(super) struct Found {
    /// The instruction at its root.
    pub(super) root: Instruction,
    /// Where it stands.
    pub(super) place: Place,
    /// What each variable is; all are set.
    pub(super) variables: SmallVec<[Option<Operand>; 8]>,
    /// The instructions of the pattern, the root first, each once.
    pub(super) instructions: SmallVec<[Instruction; 8]>,
}

/// The pattern of a rule with this root, if it is there and all conditions hold.
pub(super) fn find<F: Facts>(
    indexed: &Indexed,
    graph: &Graph,
    root: Instruction,
    facts: &F,
) -> Option<Found> {
    if !can_be_at(indexed, graph, root) {
        return None;
    }
    let rule = indexed.rule;
    let place = graph.place(root)?;
    let mut found = Found {
        root,
        place,
        variables: smallvec::smallvec![None; rule.variables.len()],
        instructions: SmallVec::new(),
    };
    let mut todo: SmallVec<[(u16, Operand); 16]> = SmallVec::new();
    enter(rule, graph, rule.pattern, root, facts, &mut found, &mut todo)?;
    while let Some((term, operand)) = todo.pop() {
        match rule.term(term) {
            Term::Variable(variable) => {
                let variable = &mut found.variables[usize::from(*variable)];
                match variable {
                    Some(known) if *known != operand => return None,
                    _ => *variable = Some(operand),
                }
            }
            Term::Negation(inner) => todo.push((*inner, negation(operand)?)),
            Term::Constant(constant) if operand == Operand::Constant(*constant) => {}
            Term::Special(register) if operand == Operand::Special(*register) => {}
            Term::Dead if operand == Operand::Dead => {}
            Term::Apply { .. } => {
                let instruction = graph.defining(operand)?;
                if Some(graph.operation(instruction)) != indexed.operation(term) {
                    return None;
                }
                enter(rule, graph, term, instruction, facts, &mut found, &mut todo)?;
            }
            _ => return None,
        }
    }
    let holds = |&condition: &Condition| holds(condition, graph, &found, facts);
    rule.conditions.iter().all(holds).then_some(found)
}

/// Whether the operands of the root may be those of the pattern: most rules fail here.
fn can_be_at(indexed: &Indexed, graph: &Graph, root: Instruction) -> bool {
    let rule = indexed.rule;
    let Term::Apply { operands, .. } = rule.term(rule.pattern) else { return false };
    let fits = |(&term, &operand): (&u16, &Operand)| match rule.term(term) {
        Term::Variable(variable) if rule.is_constant(*variable) => operand.constant().is_some(),
        Term::Constant(constant) => operand == Operand::Constant(*constant),
        Term::Dead => operand == Operand::Dead,
        Term::Special(register) => operand == Operand::Special(*register),
        Term::Apply { .. } => {
            graph.defining(operand).is_some_and(|i| Some(graph.operation(i)) == indexed.operation(term))
        }
        _ => true,
    };
    operands.iter().zip(&graph.instruction(root).operands).all(fits)
}

/// Takes an instruction for a term of its operation.
fn enter<F: Facts>(
    rule: &Rule,
    graph: &Graph,
    term: u16,
    instruction: Instruction,
    facts: &F,
    found: &mut Found,
    todo: &mut SmallVec<[(u16, Operand); 16]>,
) -> Option<()> {
    let Term::Apply { operands, .. } = rule.term(term) else { return None };
    let data = graph.instruction(instruction);
    if data.operands.len() != operands.len() || data.results.len() != 1 {
        return None;
    }
    // One active set for all of it.
    if data.properties().convergent && !facts.same_active_set(data.active?, found.place.active) {
        return None;
    }
    if !found.instructions.contains(&instruction) {
        found.instructions.push(instruction);
    }
    // Constants and operations decide sooner than variables: they come last, so that they are looked at first.
    let variables_first = |&(term, _): &(u16, Operand)| !matches!(rule.term(term), Term::Variable(_));
    let mut pairs: SmallVec<[(u16, Operand); 4]> =
        operands.iter().copied().zip(data.operands.iter().copied()).collect();
    pairs.sort_by_key(variables_first);
    todo.extend(pairs);
    Some(())
}

fn holds<F: Facts>(condition: Condition, graph: &Graph, found: &Found, facts: &F) -> bool {
    let (function, place) = (graph.function(), found.place);
    let operand = |variable: u8| found.variables[usize::from(variable)].unwrap_or(Operand::Dead);
    let constant = |variable: u8| operand(variable).constant();
    let word = |variable: u8| constant(variable).map(|bits| bits as u32);
    match condition {
        Condition::Uniform(x) => facts.is_uniform(function, operand(x), place),
        Condition::Constant(x) => constant(x).is_some(),
        Condition::PowerOfTwo(x) => constant(x).is_some_and(|bits| bits.is_power_of_two()),
        Condition::NonZero(x) => constant(x).is_some_and(|bits| bits != 0),
        Condition::Below(x, limit) => constant(x).is_some_and(|bits| bits < u128::from(limit)),
        Condition::Equal(x, y) => constant(x).is_some() && constant(x) == constant(y),
        Condition::Distinct(x, y) => constant(x).is_some_and(|x| constant(y).is_some_and(|y| x != y)),
        Condition::SumAtMost(x, y, limit) => match (constant(x), constant(y)) {
            (Some(x), Some(y)) => x.checked_add(y).is_some_and(|sum| sum <= u128::from(limit)),
            _ => false,
        },
        Condition::Contains(m) => facts.contains_active(function, operand(m), place),
        Condition::AtMostOne(m) => facts.at_most_one(function, operand(m), place),
        Condition::Member(x, m) => {
            word(x).is_some_and(|lane| facts.is_member(function, lane, operand(m), place))
        }
        Condition::ClosedUnderXor(m, k) => {
            word(k).is_some_and(|k| facts.is_closed_under_xor(function, operand(m), k, place))
        }
        Condition::Full => facts.is_full(place.active),
        Condition::Defined(x) => facts.is_defined(function, operand(x)),
    }
}
