//! The lane kernels: every instruction that computes, as a function over the lanes of a batch.
//!
//! A kernel is a function of one lane (or, across lanes, of one sub-group) and a [`shape`] that runs it over a batch. Each
//! pair is compiled for every [`Level`]; where that brings nothing, only for [`Level::Plain`].

#![allow(unsafe_code)] // Planes are raw memory, laid out by the decoder, and vector instructions need the host's consent.

mod compare;
mod convert;
mod cross_lane;
mod float;
mod float16;
mod integer;
mod lanes;
mod logic;
mod movement;
mod number;
mod shape;
mod shift;
#[cfg(test)]
mod tests;

use pisa_isa::{Opcode, SlotName};
use pisa_module::{Function, Instruction};

use crate::batch::Handler;
use crate::level::Level;

/// The handler that runs the instruction on a host of this level, and the number for [`crate::Op::extra`].
///
/// `function` is the one the instruction stands in; its registers say how wide swizzled operands are. `None` is for
/// instructions that do not compute: control flow, memory, synchronization, `addrof`, and `addrcast` of a variable.
pub fn select(instruction: &Instruction, function: &Function, level: Level) -> Option<(Handler, u32)> {
    use Opcode::*;
    let (handler, number) = match instruction.row().opcode {
        Dp4a | Iabs | Iadd | Ineg | Isub | Sdiv | Smad | Smax | Smin | Smul | Uaddc | Udiv | Umad | Umax
        | Umin | Umul => (integer::select(instruction, level)?, 0),
        Shl | Shr | Asr | Shf => (shift::select(instruction, level)?, 0),
        And | Or | Xor | Not | Bfi | Bfn | Bfrev | Cbit | Fbh | Fbl | Sbfe | Ubfe => {
            logic::select(instruction, level)?
        }
        Scmp | Ucmp | Sel => compare::select(instruction, level)?,
        Fabs | Fadd | Fcos | Fdiv | Fexp2 | Flog2 | Fmad | Fmax | Fmin | Fmul | Fneg | Frc | Frcp
        | Frsqrt | Fsin | Fsqrt | Fsub | Ftanh | Fcmp => float::select(instruction, level)?,
        F2i | Pf2i | I2f | Fext | Ftrunc | Ftrunc2 | Frnd => convert::select(instruction, level)?,
        Fred | Ired | Redfirstidx | Shfl => (cross_lane::select(instruction, level)?, 0),
        // These count elements in their own way.
        Mov | Extract | ExtractDynamic | Insert | InsertDynamic | Zext | Sext | Trunc | Addrcast | Isaddr => {
            return movement::select(instruction, function, level);
        }
        _ => return None,
    };
    let ty = instruction.qualifier(SlotName::Type).or(instruction.qualifier(SlotName::To));
    let elements = ty.and_then(|ty| ty.packed()).map_or(1, |(count, _)| count as u32);
    Some((handler, number | elements << 24))
}
