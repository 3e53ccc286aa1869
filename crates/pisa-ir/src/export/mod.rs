//! From IR to a module: out of SSA, values into named registers, blocks into labels and jumps.
//!
//! # Registers
//! Operands that an instruction does not take are made by instructions before it ([`legalise`]). Some values need no register:
//! elements of vectors that are read in place, their bits in a row, a `%activemask` that the next instruction reads ([`views`]).
//! All others get classes by the ranges in which they are needed ([`liveness`], [`coalesce`]), and each class a register.
//! What could not be put into one register is copied: an old value before the instruction that keeps part of it, the argument of a block on the edge
//! ([`copies`]). A register of which [`crate::Operation::Initial`] is the value is written by nobody before its last use.
//!
//! # Blocks
//! Their order is kept. A block has no instruction of its own for going on to the next one.
//!
//! Copies that an edge of a branch needs stand in one of three places:
//! * *Before the branch*, where they write over nothing that the condition or the other way needs. The lanes of the other way do them too, for
//!   nothing. No lane changes its place, and so no active set changes.
//! * *Behind the branch*, on the way that falls through. Only its lanes come there, and go on to the block where they were to go.
//! * *On a block of their own right behind the branch*, which the branch, inverted, jumps over.
//!
//! The last two make new positions right behind the branching block `P`: `E`, where lanes wait that the IR has already in the target `J`, and for the same
//! reason `goto J` of a branch whose targets both lie elsewhere. Under `lexical` this cannot be seen. When `P` ran it was the lowest, so the
//! lanes that were left below `E` are those which have just gone back from `P`, and what comes from them. If `J` lies ahead: nobody at or behind `E`
//! runs before the lanes in `E` do, as `E` is lower; and they go to `J` at once, meeting there whoever has come meanwhile. Until then they would not have
//! run in `J` either, which is higher than `E`. If `J` lies back and the other target ahead: nobody is below `E`, so that the lanes in it
//! run at once and go to `J` before any other lane does anything. The code in `E` is copies alone, which do not look at the active set.
//!
//! If both targets lie back, lanes in `E` wait for those which went back first, though `J` may be lower than where these are. There are no
//! instructions for such a branch, as one lane always goes first; it comes out as `goto.cond` to the first and `goto` to the second target, in this order,
//! which is the code it came from if it was code. A pass must not make one.

mod coalesce;
mod control;
mod copies;
mod elements;
mod emit;
mod legalise;
mod liveness;
mod names;
mod ranges;
mod roles;
#[cfg(test)]
mod tests;
mod views;

use crate::{Function, Module};
use emit::{Emitter, for_each_register, result_type};
use pisa_module::{Function as MachineFunction, FunctionKind, Register, RegisterId, RegisterType};
use std::fmt;

/// Why there is no code for a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportError {
    /// The name of the function, without `@`.
    pub function: Box<str>,
    /// What it has that no instruction does.
    pub reason: String,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`@{}`: {}", self.function, self.reason)
    }
}

impl std::error::Error for ExportError {}

/// The module as machine instructions, which [`pisa_module::print()`] makes text of.
///
/// # Errors
/// Where a function has an operation without an instruction: one that should have been lowered, or that touches elements of a
/// vector which no instruction reaches.
pub fn export(module: &Module) -> Result<pisa_module::Module, ExportError> {
    let signatures: Vec<Option<RegisterType>> =
        module.functions.iter().map(|f| result_type(&f.kind)).collect();
    let functions = module.functions.iter().map(|function| {
        export_function(function, module, &signatures)
            .map_err(|reason| ExportError { function: function.name.clone(), reason })
    });
    Ok(pisa_module::Module {
        version: module.version,
        target: module.target,
        variables: module.variables.clone(),
        functions: functions.collect::<Result<_, _>>()?,
    })
}

fn export_function(
    function: &Function,
    module: &Module,
    signatures: &[Option<RegisterType>],
) -> Result<MachineFunction, String> {
    let kind = match &function.kind {
        FunctionKind::Function { result, .. } => FunctionKind::Function {
            result: *result,
            parameters: (0..function.arguments.len() as u32).map(RegisterId).collect(),
        },
        kernel => kernel.clone(),
    };
    let mut machine = MachineFunction {
        name: function.name.clone(),
        linkage: function.linkage,
        kind,
        registers: Vec::new(),
        variables: function.variables.clone(),
        labels: Vec::new(),
        code: Vec::new(),
        place: function.place,
    };
    if function.layout.is_empty() {
        let names = function.argument_names.iter().cloned().chain(std::iter::repeat(Box::from("")));
        let register = |(&ty, name)| Register { name, ty, place: function.place };
        machine.registers = function.arguments.iter().zip(names).map(register).collect();
        return Ok(machine);
    }
    let legal = legalise::legalise(function, &module.variables)?;
    let views = views::Views::find(&legal, function.instructions.len());
    let mut liveness = liveness::Liveness::of(&legal, &views);
    let depths = coalesce::loop_depths(&legal);
    let classes = coalesce::Classes::of(&legal, &mut liveness, &views, &depths);
    let mut emitter = Emitter::new(&legal, &classes, &views, &liveness.points, &depths, signatures);
    machine.labels = emitter.run(result_type(&function.kind), machine.is_kernel())?;
    let Emitter { code, scratch, .. } = emitter;
    machine.code = code;
    let mut used = vec![false; legal.values.len() + scratch.len()];
    for_each_register(&mut machine, |register| used[register.index()] = true);
    let (registers, numbers) = names::registers(&legal, &classes, &scratch, &used);
    for_each_register(&mut machine, |register| *register = numbers[register.index()]);
    machine.registers = registers;
    Ok(machine)
}
