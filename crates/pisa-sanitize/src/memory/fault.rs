//! What can be wrong with an access.

use pisa_diag::Code;
use pisa_diag::codes::finding::memory as codes;

/// What is wrong with the access of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    OutOfBounds,
    /// Not in the variable that the address names (Z-03).
    OutsideNamed,
    Misaligned,
    Null,
    /// The address is one of another space.
    WrongSpace,
    /// In the frame of a function that has returned (V-16).
    Dangling,
    /// A store to a constant (V-14).
    Constant,
    /// An atomic access to private memory (M-21).
    AtomicOnPrivate,
    /// Through the handle of a function (C-04).
    CodeHandle,
}

impl Fault {
    pub(crate) const ALL: [Fault; 9] = [
        Fault::OutOfBounds,
        Fault::OutsideNamed,
        Fault::Misaligned,
        Fault::Null,
        Fault::WrongSpace,
        Fault::Dangling,
        Fault::Constant,
        Fault::AtomicOnPrivate,
        Fault::CodeHandle,
    ];

    pub(crate) fn code(self) -> Code {
        match self {
            Fault::OutOfBounds => codes::OUT_OF_BOUNDS,
            Fault::OutsideNamed => codes::OUTSIDE_NAMED_VARIABLE,
            Fault::Misaligned => codes::MISALIGNED_ACCESS,
            Fault::Null => codes::NULL_POINTER,
            Fault::WrongSpace => codes::WRONG_SPACE,
            Fault::Dangling => codes::DANGLING,
            Fault::Constant => codes::STORE_TO_CONSTANT,
            Fault::AtomicOnPrivate => codes::ATOMIC_ON_PRIVATE_MEMORY,
            Fault::CodeHandle => codes::ACCESS_TO_CODE,
        }
    }
}
