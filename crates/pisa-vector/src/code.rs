//! Decoded programs: what the scheduler runs.

use crate::observe::Observed;
use crate::{Op, Plane};
use pisa_module::{FunctionId, RegisterType, SpecialRegister};
use std::sync::atomic::Ordering;

/// A program decoded for one launch.
pub(crate) struct Code {
    /// By [`FunctionId`]; `None` for what the kernel cannot reach.
    pub(crate) functions: Vec<Option<FunctionCode>>,
    /// What stands in the fixed area.
    pub(crate) fixed: FixedLayout,
    /// How many memory instructions there are: each has its own cache of the object it last met.
    pub(crate) memory_sites: usize,
}

/// A function or kernel.
pub(crate) struct FunctionCode {
    /// Which.
    pub(crate) id: FunctionId,
    /// Bytes of a register frame for a batch of one sub-group, a multiple of 64.
    pub(crate) frame: u32,
    /// Byte ranges of it that a new activation fills with 0xCD: registers that might be read before a write.
    pub(crate) undefined: Vec<(u32, u32)>,
    /// Bytes of private memory of an activation, per lane.
    pub(crate) private: u32,
    /// One an instruction, and one for the end; only those of computing steps mean something.
    pub(crate) operations: Vec<Op>,
    /// One an instruction, and [`Step::End`] for the end.
    pub(crate) steps: Vec<Step>,
    /// By instruction: how many computing steps follow each other from here on.
    pub(crate) runs: Vec<u32>,
    /// Registers that instructions name, and where they lie.
    pub(crate) registers: Vec<(Plane, RegisterType)>,
    /// Where the arguments go.
    pub(crate) parameters: Vec<(Plane, RegisterType)>,
    /// What it gives back.
    pub(crate) result: Option<RegisterType>,
    /// Calls, by the index in [`Step::Call`].
    pub(crate) calls: Vec<CallSite>,
    /// Memory accesses, by the index in [`Step::Memory`].
    pub(crate) accesses: Vec<Access>,
    /// Loads of kernel parameters at an offset in a register, by the index in [`Step::Parameter`].
    pub(crate) parameter_loads: Vec<ParameterLoad>,
    /// What somebody who watches is shown.
    pub(crate) observed: Option<Observed>,
}

/// A predicate as it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// One word a sub-group.
    pub(crate) plane: Plane,
    /// All ones for `!`.
    pub(crate) flip: u32,
}

/// What an instruction does, as far as the scheduler is concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Runs [`FunctionCode::operations`].
    Compute,
    /// The same, and reads `%activemask`.
    ComputeWithActiveMask,
    /// The address of a private variable: frame base plus offset, with the tag where generic.
    PrivateAddress {
        /// Where to.
        destination: Plane,
        /// Of the variable in the frame.
        offset: u32,
        /// As a generic address of 64 bits.
        generic: bool,
    },
    /// Jump.
    Goto(u32),
    /// Jump of some lanes.
    GotoIf(Guard, u32),
    /// Index into [`FunctionCode::calls`].
    Call(u32),
    /// Return, of some lanes where guarded, with a value where the function has one.
    Return(Option<Guard>, Option<Plane>),
    /// `barrier.workgroup`.
    Barrier,
    /// `fence` (no effect on values: Y-08), but an order on the host.
    Fence(Ordering),
    /// Index into [`FunctionCode::accesses`].
    Memory(u32),
    /// Index into [`FunctionCode::parameter_loads`].
    Parameter(u32),
    /// Behind the last instruction.
    End,
}

/// A call.
pub(crate) struct CallSite {
    /// Which lanes call.
    pub(crate) guard: Option<Guard>,
    /// Where the result goes.
    pub(crate) result: Option<(Plane, RegisterType)>,
    /// Whom.
    pub(crate) target: Target,
    /// The arguments.
    pub(crate) arguments: Vec<(Plane, RegisterType)>,
    /// Whether `%activemask` is among the operands.
    pub(crate) reads_active_mask: bool,
}

/// Target of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// Known.
    Function(FunctionId),
    /// By handle, a 64-bit plane.
    Handle(Plane),
}

/// The space an access goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccessSpace {
    /// Global and constant memory.
    Global,
    /// The work-group's.
    Shared,
    /// The lane's.
    Private,
    /// Decided by the tag of the address (D-24).
    Generic,
}

/// Where an address starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// A value by lane with this many bits.
    Lanes(Plane, u8),
    /// A known address.
    Known(u64),
    /// An offset in the frame of the running activation.
    Frame(u32),
}

/// What is added.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offset {
    /// The same for all lanes.
    Known(i32),
    /// By lane, with this many bits, sign-extended (M-08).
    Lanes(Plane, u8),
}

/// An access to memory.
pub(crate) struct Access {
    /// Where.
    pub(crate) space: AccessSpace,
    /// Address.
    pub(crate) base: Base,
    /// Address.
    pub(crate) offset: Offset,
    /// Bytes of an element: 1, 2, 4, 8 or 16.
    pub(crate) bytes: u8,
    /// Elements, 1 to 8.
    pub(crate) elements: u8,
    /// Destination of loads and atomics, source of stores.
    pub(crate) data: Plane,
    /// What happens there.
    pub(crate) action: Action,
    /// Index of its cache.
    pub(crate) site: u32,
    /// Whether `%activemask` is among the operands.
    pub(crate) reads_active_mask: bool,
}

/// What an access does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// Plain load.
    Load,
    /// Plain store.
    Store,
    /// Atomic load.
    AtomicLoad(Ordering),
    /// Atomic store.
    AtomicStore(Ordering),
    /// `iatom`, `fatom` with their sources.
    Modify(Modification, Ordering, [Plane; 2]),
}

/// The operation of `iatom` and `fatom`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Modification {
    Add,
    Sub,
    SignedMin,
    SignedMax,
    UnsignedMin,
    UnsignedMax,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    Increment,
    Decrement,
    IncrementWrap,
    DecrementWrap,
    FloatAdd(FloatFormat),
    FloatSub(FloatFormat),
    FloatMin(FloatFormat),
    FloatMax(FloatFormat),
    FloatCompareExchange(FloatFormat),
}

/// A floating-point type in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum FloatFormat {
    Half,
    Brain,
    Single,
    Double,
}

/// `ld.param` at an offset that a register holds.
pub(crate) struct ParameterLoad {
    /// First byte of the parameter in the argument buffer.
    pub(crate) start: u32,
    /// Its size.
    pub(crate) size: u32,
    /// 32-bit offsets.
    pub(crate) offset: Plane,
    /// Where to.
    pub(crate) destination: Plane,
    /// Bytes of an element.
    pub(crate) bytes: u8,
    /// Elements.
    pub(crate) elements: u8,
    /// Whether `%activemask` is among the operands.
    pub(crate) reads_active_mask: bool,
}

/// What lies in the fixed area of a batch.
#[derive(Default)]
pub(crate) struct FixedLayout {
    /// Bytes for a batch of one sub-group, a multiple of 64.
    pub(crate) size: u32,
    /// Constants: where, bytes of an element, value.
    pub(crate) constants: Vec<(Plane, u8, u128)>,
    /// Special registers in use, `%activemask` excluded.
    pub(crate) specials: Vec<(SpecialRegister, Plane)>,
    /// `%activemask`, where some instruction reads it.
    pub(crate) active_mask: Option<Plane>,
}

impl Code {
    /// The code of a function that is reachable.
    pub(crate) fn function(&self, id: FunctionId) -> Option<&FunctionCode> {
        self.functions.get(id.index())?.as_ref()
    }
}
