//! Which registers a new activation has to fill with the undefined pattern.

use super::layout::{Frame, plane_bytes};
use pisa_module::{Function, RegisterId};

/// Byte ranges of the frame that hold registers which some path may read before it writes them, neighbours joined.
pub(super) fn undefined_ranges(function: &Function, frame: &Frame) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = (0..function.registers.len())
        .filter_map(|index| {
            let start = frame.plane(RegisterId(index as u32))?.0;
            Some((start, start + plane_bytes(function.registers[index].ty) as u32))
        })
        .collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start.saturating_sub(last.1) < 64 => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}
