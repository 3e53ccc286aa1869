//! Puts replacements in.

use super::graph::{Graph, constant};
use super::matching::Found;
use crate::fold::evaluate;
use crate::rules::{Rule, Term, cost, negation, notation};
use crate::{Allowed, Operand, Operation, Signature};
use pisa_module::RegisterType;
use smallvec::SmallVec;

/// A part of a replacement: an operand that is there, or an instruction to be made, by its term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Known(Operand),
    New(u16),
    /// The negation of one.
    NewNegated(u16),
}

/// An instruction to be made.
struct Step {
    term: u16,
    operation: Operation,
    operands: SmallVec<[Part; 4]>,
    ty: RegisterType,
}

/// Replaces what was found, if the function gets cheaper by it. Whether it did.
pub(super) fn replace(rule: &Rule, graph: &mut Graph, found: &Found) -> bool {
    let Some((root, steps)) = plan(rule, found) else { return false };
    let Some(value) = graph.instruction(found.root).result() else { return false };
    let is_negated = matches!(root, Part::Known(Operand::Negated(_)) | Part::NewNegated(_));
    let fits = match root {
        Part::Known(Operand::Dead) => false,
        _ => !is_negated || graph.can_be_negated(value),
    };
    let after: u32 = steps.iter().map(cost_of).sum();
    if !fits || after >= dead_cost(graph, found) {
        return false;
    }
    let mut made: SmallVec<[(u16, Operand); 8]> = SmallVec::new();
    for step in steps {
        let operands = step.operands.iter().map(|&part| finished(part, &made)).collect();
        let result = graph.insert(found.root, step.operation, operands, step.ty);
        made.push((step.term, result.into()));
    }
    graph.replace(found.root, finished(root, &made));
    true
}

/// What a part has become.
fn finished(part: Part, made: &[(u16, Operand)]) -> Operand {
    let of = |term: u16| {
        made.iter().find(|(known, _)| *known == term).map_or(Operand::Dead, |(_, operand)| *operand)
    };
    match part {
        Part::Known(operand) => operand,
        Part::New(term) => of(term),
        Part::NewNegated(term) => negation(of(term)).unwrap_or(Operand::Dead),
    }
}

/// The root of the replacement, and what is to be made for it, in order. `None` where something does not fit into its place.
fn plan(rule: &Rule, found: &Found) -> Option<(Part, SmallVec<[Step; 8]>)> {
    let mut steps: SmallVec<[Step; 8]> = SmallVec::new();
    let mut parts: SmallVec<[(u16, Part); 16]> = SmallVec::new();
    let part_of = |parts: &[(u16, Part)], term: u16| {
        parts.iter().find(|(known, _)| *known == term).map(|(_, part)| *part)
    };
    for &term in rule.below(rule.replacement).iter().rev() {
        if part_of(&parts, term).is_some() {
            continue;
        }
        let part = match rule.term(term) {
            Term::Variable(variable) => Part::Known(found.variables[usize::from(*variable)]?),
            Term::Constant(constant) => Part::Known(Operand::Constant(*constant)),
            Term::Special(register) => Part::Known(Operand::Special(*register)),
            Term::Dead => Part::Known(Operand::Dead),
            Term::Negation(inner) => match part_of(&parts, *inner)? {
                Part::Known(operand) => Part::Known(negation(operand)?),
                Part::New(term) => Part::NewNegated(term),
                Part::NewNegated(term) => Part::New(term),
            },
            Term::Apply { operation, operands } => {
                let operands: SmallVec<[Part; 4]> =
                    operands.iter().map(|&operand| part_of(&parts, operand)).collect::<Option<_>>()?;
                let (_, ty) = notation::types(operation)?;
                match folded(operation, &operands, ty) {
                    Some(operand) => Part::Known(operand),
                    None => {
                        if !all_fit(operation, &operands) {
                            return None;
                        }
                        steps.push(Step { term, operation: *operation, operands, ty });
                        Part::New(term)
                    }
                }
            }
        };
        parts.push((term, part));
    }
    Some((part_of(&parts, rule.replacement)?, steps))
}

/// A constant where all operands are.
fn folded(operation: &Operation, parts: &[Part], ty: RegisterType) -> Option<Operand> {
    let known = |part: &Part| match part {
        Part::Known(operand) => Some(*operand),
        _ => None,
    };
    let operands: SmallVec<[Operand; 4]> = parts.iter().map(known).collect::<Option<_>>()?;
    constant(evaluate(operation, &operands, &[ty]))
}

/// Whether operands may stand where they will.
fn all_fit(operation: &Operation, parts: &[Part]) -> bool {
    let signature = Signature::of(operation, &[], 1, &[]);
    parts.len() == signature.operands.len()
        && parts.iter().zip(&signature.operands).all(|(part, shape)| match part {
            Part::Known(Operand::Dead) => shape.allowed == Allowed::DatumOrDead,
            Part::Known(Operand::Negated(_)) | Part::NewNegated(_) => {
                shape.allowed == Allowed::DatumOrNegation
            }
            _ => true,
        })
}

fn cost_of(step: &Step) -> u32 {
    let keeps = matches!(step.operation, Operation::CrossLane(operation) if operation.has_pass_through());
    let count = step.operands.len();
    let operand = |(number, part): (usize, &Part)| {
        let is_pass_through = keeps && number + 1 == count;
        match part {
            Part::Known(operand) => cost::of_operand(&step.operation, *operand, is_pass_through),
            Part::New(_) => u32::from(is_pass_through),
            Part::NewNegated(_) => u32::from(matches!(step.operation, Operation::CrossLane(_))),
        }
    };
    cost::of(&step.operation) + step.operands.iter().enumerate().map(operand).sum::<u32>()
}

/// What the instructions of the pattern cost that nobody uses any more when its root is gone.
fn dead_cost(graph: &Graph, found: &Found) -> u32 {
    let mut dead: SmallVec<[crate::Instruction; 8]> = smallvec::smallvec![found.root];
    // Each turn may free the operands of what the last one has freed.
    loop {
        let next = found.instructions.iter().copied().find(|&instruction| {
            let Some(value) = graph.instruction(instruction).result() else { return false };
            let uses: usize = dead
                .iter()
                .map(|&user| {
                    graph
                        .instruction(user)
                        .operands
                        .iter()
                        .filter(|operand| operand.value() == Some(value))
                        .count()
                })
                .sum();
            !dead.contains(&instruction)
                && graph.instruction(instruction).properties().is_removable()
                && uses == graph.uses(value)
        });
        match next {
            Some(instruction) => dead.push(instruction),
            None => break,
        }
    }
    let of = |&instruction: &crate::Instruction| {
        let data = graph.instruction(instruction);
        let pass_through = data.pass_through_position();
        let operands = data.operands.iter().enumerate();
        let extra: u32 = operands
            .map(|(number, &operand)| {
                cost::of_operand(&data.operation, operand, pass_through == Some(number))
            })
            .sum();
        cost::of(&data.operation) + extra
    };
    dead.iter().map(of).sum()
}
