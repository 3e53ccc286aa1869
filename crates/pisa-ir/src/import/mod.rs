//! From a checked module to IR.
//!
//! Each function becomes blocks in the order of its text, without what control cannot reach. Registers become values in four
//! steps: [`blocks`] finds the blocks, [`placement`] where registers need parameters (at iterated
//! dominance frontiers, as far as they are live there), [`registers`] walks the dominator tree with the operand that
//! each register holds, and [`minimise`] takes away parameters that turn out to be one operand or nobody's. `mov` leaves no
//! instruction behind: the operand is passed on.
//!
//! What comes out has every fixed result of the text: `shfl` from a lane that does not take part gives the own value
//! ([`crate::InactiveSource::Own`]), a register that nothing has written holds its pattern ([`Operation::Initial`]), and lanes
//! outside a mask keep the old value of the destination.
//!
//! [`Operation::Initial`]: crate::Operation::Initial

mod accesses;
mod blocks;
mod cross_lanes;
mod instructions;
mod minimise;
mod placement;
mod registers;
#[cfg(test)]
mod tests;
mod vectors;

use crate::analysis::{ControlFlow, Dominators};
use crate::function::{Function, Module};
use pisa_module::{FunctionKind, Linkage, RegisterType};
use registers::Importer;

/// The IR of a module that has passed its checks (what [`pisa_module::lower()`] and the linker give). An imported function has
/// no blocks.
pub fn import(module: &pisa_module::Module) -> Module {
    Module {
        version: module.version,
        target: module.target,
        variables: module.variables.clone(),
        functions: module.functions.iter().map(import_function).collect(),
    }
}

fn import_function(source: &pisa_module::Function) -> Function {
    let mut function = declaration(source);
    if source.linkage == Linkage::Import {
        return function;
    }
    let code = blocks::split(source, &mut function);
    let flow = ControlFlow::of(&function);
    let dominators = Dominators::of(&function, &flow);
    let parameters = placement::parameters(source, &code, &flow, &dominators);
    let mut function = Importer::new(source, function).run(&code, &parameters, &dominators);
    minimise::minimise(&mut function);
    function
}

/// What a function is called and takes, without blocks.
fn declaration(source: &pisa_module::Function) -> Function {
    let (mut arguments, mut argument_names) = (Vec::new(), Vec::new());
    let mut kind = source.kind.clone();
    if let FunctionKind::Function { parameters, .. } = &mut kind {
        for parameter in std::mem::take(parameters) {
            let register = source.registers.get(parameter.index());
            arguments.push(register.map_or(RegisterType::scalar(32), |register| register.ty));
            argument_names.push(register.map(|register| register.name.clone()).unwrap_or_default());
        }
    }
    Function {
        name: source.name.clone(),
        linkage: source.linkage,
        kind,
        arguments,
        argument_names,
        variables: source.variables.clone(),
        layout: Vec::new(),
        blocks: Vec::new(),
        instructions: Vec::new(),
        values: Vec::new(),
        names: Vec::new(),
        place: source.place,
    }
}
