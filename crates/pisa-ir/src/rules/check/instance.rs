//! A rule as two pieces of IR.

use super::{Assignment, Refutation, Witness};
use crate::model::{LANES, Lanes};
use crate::rules::{Rule, Term, notation};
use crate::{Block, Function, Instruction, Operand, Value};
use pisa_module::FunctionKind;

/// The pattern and the replacement of a rule as instructions over parameters.
pub(in crate::rules) struct Instance {
    function: Function,
    variables: Vec<Value>,
    instructions: Vec<Instruction>,
    pattern: Operand,
    replacement: Operand,
}

impl Instance {
    pub(in crate::rules) fn of(rule: &Rule) -> Instance {
        let mut function = empty();
        let block = function.append_block();
        let variables: Vec<Value> =
            rule.variables.iter().map(|(_, ty)| function.add_parameter(block, *ty)).collect();
        let operands: Vec<Operand> = variables.iter().map(|&value| value.into()).collect();
        let pattern = build(&mut function, block, rule, rule.pattern, &operands);
        let replacement = build(&mut function, block, rule, rule.replacement, &operands);
        let instructions = function.block(block).instructions.clone();
        Instance { function, variables, instructions, pattern, replacement }
    }

    /// Compares both on an assignment: how many lanes were compared.
    pub(in crate::rules) fn compare(
        &self,
        rule: &Rule,
        assignment: &Assignment,
    ) -> Result<usize, Refutation> {
        let mut lanes = Lanes::new(assignment.active);
        for (number, &value) in self.variables.iter().enumerate() {
            let datum = std::array::from_fn(|lane| match assignment.is_active(lane) {
                true => smallvec::smallvec![assignment.value(number, lane)],
                false => Default::default(),
            });
            lanes.set(value, datum);
        }
        for &instruction in &self.instructions {
            lanes.execute(&self.function, instruction).map_err(Refutation::NotModelled)?;
        }
        let mut compared = 0;
        for lane in (0..LANES).filter(|&lane| assignment.is_active(lane)) {
            let pattern = lanes.read(self.pattern, lane).map_err(Refutation::NotModelled)?;
            let replacement = lanes.read(self.replacement, lane).map_err(Refutation::NotModelled)?;
            let differ = |(p, r): (&Option<u128>, &Option<u128>)| p.is_some() && p != r;
            if pattern.len() != replacement.len() || pattern.iter().zip(&replacement).any(differ) {
                return Err(Refutation::Different(Box::new(Witness {
                    assignment: assignment.clone(),
                    names: rule.variables.iter().map(|(name, _)| name.clone()).collect(),
                    lane,
                    pattern: pattern.to_vec(),
                    replacement: replacement.to_vec(),
                })));
            }
            compared += usize::from(pattern.iter().any(Option::is_some));
        }
        Ok(compared)
    }
}

/// A function without blocks.
pub(in crate::rules) fn empty() -> Function {
    let kind = FunctionKind::Function { result: None, parameters: Vec::new() };
    let span = pisa_diag::Span { start: 0, end: 0 };
    Function::new("rule", kind, pisa_diag::Place { file: pisa_diag::FileId(0), span })
}

/// Makes the instructions of a term over what the variables are.
pub(in crate::rules) fn build(
    function: &mut Function,
    block: Block,
    rule: &Rule,
    root: u16,
    variables: &[Operand],
) -> Operand {
    let mut made: Vec<Option<Operand>> = vec![None; rule.terms.len()];
    // Operands come behind what they are operands of.
    for &term in rule.below(root).iter().rev() {
        if made[usize::from(term)].is_some() {
            continue;
        }
        let of = |term: u16| made[usize::from(term)].unwrap_or(Operand::Dead);
        let operand = match rule.term(term) {
            Term::Variable(variable) => variables[usize::from(*variable)],
            Term::Constant(constant) => Operand::Constant(*constant),
            Term::Special(register) => Operand::Special(*register),
            Term::Dead => Operand::Dead,
            Term::Negation(inner) => crate::rules::negation(of(*inner)).unwrap_or(Operand::Dead),
            Term::Apply { operation, operands } => {
                let operands: Vec<Operand> = operands.iter().map(|&operand| of(operand)).collect();
                match notation::types(operation) {
                    Some((_, ty)) => function.append_value(block, *operation, operands, ty).into(),
                    None => Operand::Dead,
                }
            }
        };
        made[usize::from(term)] = Some(operand);
    }
    made[usize::from(root)].unwrap_or(Operand::Dead)
}
