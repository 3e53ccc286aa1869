//! Which function says what an instruction does.

use crate::control_flow::Flow;
use crate::cross_lane::SubGroup;
use crate::memory::Access;
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use crate::spaces::LaneMemory;
use crate::{
    arithmetic, comparison, control_flow, cross_lane, data_movement, floating_point, logical, memory,
    synchronization,
};
use pisa_isa::{Form, Opcode, Qualifier, SlotName};

/// One element of `dst` of the lane of that number from that element in all lanes; `None` where the lane keeps its old
/// one.
pub(crate) type CrossLaneFunction = fn(&Qualifiers, &SubGroup, usize) -> Option<u128>;

/// The function behind an instruction, by what it needs to see.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Semantics {
    /// One element of `dst` from the same element of one source.
    Unary(fn(&Qualifiers, [u128; 1]) -> u128),
    /// … of two sources.
    Binary(fn(&Qualifiers, [u128; 2]) -> u128),
    /// … of three sources.
    Ternary(fn(&Qualifiers, [u128; 3]) -> u128),
    /// … of four sources.
    Quaternary(fn(&Qualifiers, [u128; 4]) -> u128),
    /// All elements of all destinations of one lane from all its sources. `dst` holds the old elements.
    Whole(fn(&Qualifiers, &Sources<'_>, &mut [u128])),
    /// One element of `dst` of one lane from that element in all lanes.
    CrossLane(CrossLaneFunction),
    /// An access to memory by one lane.
    Memory(fn(&Qualifiers, &Sources<'_>, &mut LaneMemory<'_>, &mut [u128]) -> Access),
    /// Where one lane goes.
    Flow(fn(&Qualifiers, &Sources<'_>) -> Flow),
}

/// The semantics of a form. The match has no default, so a new opcode cannot be forgotten.
pub(crate) fn semantics_of(form: &Form) -> Semantics {
    use Opcode as O;
    use Semantics::{Binary, CrossLane, Flow, Memory, Quaternary, Ternary, Unary, Whole};
    // Of the packed shifts, `src1` is not packed itself (B-03).
    let packed = form.slot(SlotName::Type).is_some_and(|(_, slot)| match slot.values {
        pisa_isa::Values::OneOf(values) => values.iter().copied().all(|v| Qualifier::packed(v).is_some()),
        _ => false,
    });
    match form.opcode {
        // Chapter 1
        O::Dp4a => Ternary(arithmetic::dp4a),
        O::Iabs => Unary(arithmetic::iabs),
        O::Iadd => Binary(arithmetic::iadd),
        O::Ineg => Unary(arithmetic::ineg),
        O::Isub => Binary(arithmetic::isub),
        O::Sdiv => Binary(arithmetic::sdiv),
        O::Smad => Ternary(arithmetic::smad),
        O::Smax => Binary(arithmetic::smax),
        O::Smin => Binary(arithmetic::smin),
        O::Smul => Binary(arithmetic::smul),
        O::Uaddc => Whole(arithmetic::uaddc),
        O::Udiv => Binary(arithmetic::udiv),
        O::Umad => Ternary(arithmetic::umad),
        O::Umax => Binary(arithmetic::umax),
        O::Umin => Binary(arithmetic::umin),
        O::Umul => Binary(arithmetic::umul),
        // Chapter 2
        O::Fabs => Unary(floating_point::fabs),
        O::Fadd => Binary(floating_point::fadd),
        O::Fcos => Unary(floating_point::fcos),
        O::Fdiv => Binary(floating_point::fdiv),
        O::Fexp2 => Unary(floating_point::fexp2),
        O::Flog2 => Unary(floating_point::flog2),
        O::Fmad => Ternary(floating_point::fmad),
        O::Fmax => Binary(floating_point::fmax),
        O::Fmin => Binary(floating_point::fmin),
        O::Fmul => Binary(floating_point::fmul),
        O::Fneg => Unary(floating_point::fneg),
        O::Frc => Unary(floating_point::frc),
        O::Frcp => Unary(floating_point::frcp),
        O::Frsqrt => Unary(floating_point::frsqrt),
        O::Fsin => Unary(floating_point::fsin),
        O::Fsqrt => Unary(floating_point::fsqrt),
        O::Fsub => Binary(floating_point::fsub),
        O::Ftanh => Unary(floating_point::ftanh),
        // Chapter 3
        O::And => Binary(logical::and),
        O::Asr if packed => Whole(logical::asr_packed),
        O::Asr => Binary(logical::asr),
        O::Bfi => Quaternary(logical::bfi),
        O::Bfn => Ternary(logical::bfn),
        O::Bfrev => Unary(logical::bfrev),
        O::Cbit => Unary(logical::cbit),
        O::Fbh => Unary(logical::fbh),
        O::Fbl => Unary(logical::fbl),
        O::Not => Unary(logical::not),
        O::Or => Binary(logical::or),
        O::Sbfe => Ternary(logical::sbfe),
        O::Shr if packed => Whole(logical::shr_packed),
        O::Shr => Binary(logical::shr),
        O::Shl if packed => Whole(logical::shl_packed),
        O::Shl => Binary(logical::shl),
        O::Shf => Ternary(logical::shf),
        O::Ubfe => Ternary(logical::ubfe),
        O::Xor => Binary(logical::xor),
        // Chapter 4
        O::Addrcast => Unary(data_movement::addrcast),
        O::Addrof => Unary(data_movement::addrof),
        O::ExtractDynamic => Whole(data_movement::extract_dynamic),
        O::Extract => Whole(data_movement::extract),
        O::F2i => Unary(data_movement::f2i),
        O::Fext => Unary(data_movement::fext),
        O::Frnd => Unary(data_movement::frnd),
        O::Ftrunc => Unary(data_movement::ftrunc),
        O::Ftrunc2 => Whole(data_movement::ftrunc2),
        O::I2f => Unary(data_movement::i2f),
        O::InsertDynamic => Whole(data_movement::insert_dynamic),
        O::Insert => Whole(data_movement::insert),
        O::Isaddr => Unary(data_movement::isaddr),
        O::Mov => Unary(data_movement::mov),
        O::Pf2i => Unary(data_movement::pf2i),
        O::Sext => Unary(data_movement::sext),
        O::Trunc => Unary(data_movement::trunc),
        O::Zext => Unary(data_movement::zext),
        // Chapter 5
        O::Scmp => Binary(comparison::scmp),
        O::Ucmp => Binary(comparison::ucmp),
        O::Fcmp => Binary(comparison::fcmp),
        O::Sel => Ternary(comparison::sel),
        // Chapter 6
        O::Call => Flow(control_flow::call),
        O::Goto => Flow(control_flow::goto),
        O::Return => Flow(control_flow::return_),
        // Chapter 7
        O::Fred => CrossLane(cross_lane::fred),
        O::Ired => CrossLane(cross_lane::ired),
        O::Redfirstidx => CrossLane(cross_lane::redfirstidx),
        O::Shfl => CrossLane(cross_lane::shfl),
        // Chapter 8
        O::Fatom => Memory(memory::fatom),
        O::Iatom => Memory(memory::iatom),
        O::Ld => Memory(memory::ld),
        O::LdParam => Memory(memory::ld_param),
        O::St => Memory(memory::st),
        // Chapter 9
        O::BarrierWorkgroup => Flow(synchronization::barrier_workgroup),
        O::Fence => Flow(synchronization::fence),
    }
}
