//! Chapter 9 of the instruction reference: synchronization.

use crate::control_flow::Flow;
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;

/// 9.1 `barrier.workgroup`: waits until every live work-item of the work-group waits at a barrier, be it another one
/// (Y-01, Y-02). It says nothing about memory (Y-03).
pub(crate) fn barrier_workgroup(_: &Qualifiers, _: &Sources<'_>) -> Flow {
    Flow::Wait
}

/// 9.2 `fence`: every access is seen by everybody at once here, so there is nothing to wait for (Y-08).
pub(crate) fn fence(_: &Qualifiers, _: &Sources<'_>) -> Flow {
    Flow::Next
}
