//! Which registers an instruction reads and writes.

use pisa_isa::{Access, Chapter};
use pisa_module::{AddressBase, AddressOffset, Function, Instruction, Operand, RegisterId, RegisterUse};

/// The mask of a cross-lane instruction that names every lane, so that none keeps its old value (S-03).
const ALL_LANES: u64 = u32::MAX as u64;

/// Whether a use is of all of a register.
pub(super) fn is_whole(source: &Function, used: RegisterUse) -> bool {
    let elements = source.registers[used.register.index()].ty.elements;
    used.swizzle.is_none_or(|swizzle| swizzle.range() == (0, elements))
}

/// Calls `visit` for each register that an instruction reads, then for each that it writes (with `true`). A register is also
/// read where part of it keeps its old value. What is said to be read contains what is, and may contain a little more.
pub(super) fn visit(source: &Function, instruction: &Instruction, mut visit: impl FnMut(RegisterId, bool)) {
    let row = instruction.row();
    let all_lanes = row.opcode.chapter() == Chapter::CrossLane
        && matches!(instruction.operands.last(), Some(Operand::Immediate { bits: ALL_LANES, .. }));
    // The arguments of a call follow its last operand.
    let access = |i: usize| row.operands.get(i).or(row.operands.last()).map_or(Access::Read, |o| o.access);
    for (i, operand) in instruction.operands.iter().enumerate() {
        match (access(i), operand) {
            (Access::Read, Operand::Register(used)) => visit(used.register, false),
            (Access::Read, Operand::Predicate { register, .. }) => visit(*register, false),
            (Access::Read, Operand::Address { base, offset }) => {
                if let AddressBase::Register(used) = base {
                    visit(used.register, false);
                }
                if let AddressOffset::Register(used) = offset {
                    visit(used.register, false);
                }
            }
            (Access::Read, Operand::Parameter { offset: AddressOffset::Register(used), .. }) => {
                visit(used.register, false);
            }
            (access, Operand::Register(used)) => {
                let keeps = access == Access::ReadWrite && !all_lanes;
                if keeps || !is_whole(source, *used) {
                    visit(used.register, false);
                }
            }
            _ => {}
        }
    }
    for (i, operand) in instruction.operands.iter().enumerate() {
        match (access(i), operand) {
            (Access::Read, _) => {}
            (_, Operand::Register(used)) => visit(used.register, true),
            (_, Operand::Predicate { register, .. }) => visit(*register, true),
            _ => {}
        }
    }
}
