//! Chapter 6 of the instruction reference: control flow.
//!
//! Each function says where one lane goes; the scheduler takes it there (C-01). With `.cond`, the predicate is the first
//! source and its `!` already applied.

use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use pisa_isa::SlotName;

/// Where a lane goes from an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// To the next instruction.
    Next,
    /// To this instruction of the same function.
    Jump(usize),
    /// Into the function with this handle (C-04), and back to the next instruction when that returns.
    Call(u64),
    /// Back to the caller; out of the kernel (C-06).
    Return,
    /// To the next instruction once all work-items of the work-group have arrived at a barrier (Y-01).
    Wait,
}

/// `xfer_control`.
fn transfers_control(q: &Qualifiers, src: &Sources<'_>) -> bool {
    !q.has(SlotName::Cond) || src.get(0) != 0
}

/// The position of the first source behind the predicate.
pub(crate) fn first_source(q: &Qualifiers) -> usize {
    usize::from(q.has(SlotName::Cond))
}

/// 6.1 `call`: `$caller_PC = $PC_next; $PC = target` (C-01 to C-04, C-13).
pub(crate) fn call(q: &Qualifiers, src: &Sources<'_>) -> Flow {
    if transfers_control(q, src) { Flow::Call(src.get(first_source(q)) as u64) } else { Flow::Next }
}

/// 6.2 `goto`: `$PC = label`.
pub(crate) fn goto(q: &Qualifiers, src: &Sources<'_>) -> Flow {
    if transfers_control(q, src) { Flow::Jump(src.get(first_source(q)) as usize) } else { Flow::Next }
}

/// 6.3 `return`: `$PC = $caller_PC`; in a kernel the end of the work-item (C-06, C-07).
pub(crate) fn return_(q: &Qualifiers, src: &Sources<'_>) -> Flow {
    if transfers_control(q, src) { Flow::Return } else { Flow::Next }
}
