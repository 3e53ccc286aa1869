//! Decoding: from the resolved program to what the scheduler runs, once a launch.

mod function;
mod initial;
mod layout;
mod memory;
mod observe;
mod operands;

use crate::Level;
use crate::code::Code;
use layout::FixedArea;
pub(crate) use memory::parameter_bytes;
use pisa_isa::Opcode;
use pisa_machine::{Image, Launch};
use pisa_module::{Function, FunctionId, Operand};

/// Why a program cannot be decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DecodeError {
    /// The registers of a function, or all constants, take more than an engine can address.
    TooLarge(String),
    /// An instruction whose operands are not those of its form: the program was not made by the linker.
    Invalid(FunctionId, u32),
}

/// What the decoding of a function depends on.
#[derive(Clone, Copy)]
struct Scene<'a> {
    image: &'a Image,
    launch: &'a Launch,
    level: Level,
    /// By instruction whether it shall be shown to somebody who watches.
    wanted: Option<&'a [bool]>,
}

/// Decodes the kernel of a launch and everything it can reach.
///
/// `wanted` says by function and instruction what somebody who watches shall be shown.
pub(crate) fn decode(
    image: &Image,
    launch: &Launch,
    level: Level,
    wanted: Option<&[Vec<bool>]>,
) -> Result<Code, DecodeError> {
    let program = &image.program;
    let reachable = reachable(program.module().functions.as_slice(), launch.kernel);
    let mut fixed = FixedArea::default();
    let mut memory_sites = 0;
    let mut functions = Vec::with_capacity(reachable.len());
    for (index, &reached) in reachable.iter().enumerate() {
        let id = FunctionId(index as u32);
        functions.push(if reached {
            let wanted = wanted.and_then(|wanted| wanted.get(index)).map(Vec::as_slice);
            let scene = Scene { image, launch, level, wanted };
            Some(function::decode_function(scene, id, &mut fixed, &mut memory_sites)?)
        } else {
            None
        });
    }
    Ok(Code { functions, fixed: fixed.finish()?, memory_sites: memory_sites as usize })
}

/// Which functions a kernel can reach: by calls, and once there is a call through a register, every function.
fn reachable(functions: &[Function], kernel: FunctionId) -> Vec<bool> {
    let mut reached = vec![false; functions.len()];
    let mut todo = vec![kernel];
    let mut any_function = false;
    while let Some(id) = todo.pop() {
        let Some(seen) = reached.get_mut(id.index()) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        for instruction in &functions[id.index()].code {
            if instruction.row().opcode != Opcode::Call {
                continue;
            }
            let named = instruction.operands.iter().find_map(|operand| match operand {
                Operand::Function(target) => Some(*target),
                _ => None,
            });
            match named {
                Some(target) => todo.push(target),
                None if !any_function => {
                    any_function = true;
                    let all = functions.iter().enumerate().filter(|(_, f)| !f.is_kernel());
                    todo.extend(all.map(|(index, _)| FunctionId(index as u32)));
                }
                None => {}
            }
        }
    }
    reached
}
