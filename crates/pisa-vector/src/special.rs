//! Values of constants and special registers in the fixed area of a batch.
#![allow(unsafe_code)] // Planes are raw memory; the layout made them for this buffer.

use crate::batch::{Batch, LANES, MAX_BATCH};
use crate::buffer::Buffer;
use crate::code::FixedLayout;
use crate::masks;
use pisa_machine::Launch;
use pisa_module::{Dimension, SpecialRegister};

/// Where a sub-group of a batch comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// Number of its work-group in the fixed order.
    pub(crate) index: u64,
    /// Id of its work-group.
    pub(crate) group: [u64; 3],
    /// Actual size of its work-group.
    pub(crate) size: [u32; 3],
    /// Its number in the work-group.
    pub(crate) number: u32,
}

fn batch_of(fixed: &Buffer, count: usize) -> Batch {
    Batch { areas: [fixed.start(), fixed.start()], count, masks: masks::NONE, full: false }
}

/// Writes all constants.
pub(crate) fn fill_constants(fixed: &mut Buffer, count: usize, layout: &FixedLayout) {
    let batch = batch_of(fixed, count);
    for &(plane, bytes, value) in &layout.constants {
        // SAFETY: the buffer has `layout.size * count` bytes, and the plane has elements of this size.
        unsafe {
            match bytes {
                1 => fill(batch.at::<u8>(plane), count, value as u8),
                2 => fill(batch.at::<u16>(plane), count, value as u16),
                4 => fill(batch.at::<u32>(plane), count, value as u32),
                8 => fill(batch.at::<u64>(plane), count, value as u64),
                _ => fill(batch.at::<u128>(plane), count, value),
            }
        }
    }
}

/// Sets `subgroups * 32` lanes.
///
/// # Safety
/// There is room for them.
pub(crate) unsafe fn fill<T: Copy>(to: *mut T, subgroups: usize, value: T) {
    // SAFETY: by the contract above.
    unsafe { (0..subgroups * LANES).for_each(|i| *to.add(i) = value) }
}

/// Writes the special registers of every sub-group. `same_shape`: the buffer was last filled for sub-groups of work-groups
/// of the same sizes.
pub(crate) fn fill_specials(
    fixed: &mut Buffer,
    origins: &[Origin],
    layout: &FixedLayout,
    launch: &Launch,
    same_shape: bool,
) {
    let count = origins.len().min(MAX_BATCH);
    let batch = batch_of(fixed, count);
    let groups = launch.group_count();
    for &(register, plane) in &layout.specials {
        if same_shape && !matches!(register, SpecialRegister::GroupId(_)) {
            continue;
        }
        for (subgroup, origin) in origins.iter().enumerate().take(count) {
            // SAFETY: the buffer has `layout.size * count` bytes, and the plane elements of the register's width.
            unsafe {
                let narrow = |value: u32| fill(batch.at::<u32>(plane).add(subgroup * LANES), 1, value);
                let wide = |value: u64| fill(batch.at::<u64>(plane).add(subgroup * LANES), 1, value);
                let each = |value: &dyn Fn(u32) -> u32| {
                    let to = batch.at::<u32>(plane).add(subgroup * LANES);
                    (0..LANES as u32).for_each(|lane| *to.add(lane as usize) = value(lane));
                };
                match register {
                    SpecialRegister::ActiveMask => {}
                    SpecialRegister::EnqueuedLocalSize(d) => narrow(launch.local[index(d)]),
                    SpecialRegister::GlobalOffset(d) => wide(launch.offset[index(d)]),
                    SpecialRegister::GlobalSize(d) => wide(launch.global[index(d)]),
                    SpecialRegister::GroupCount(d) => narrow(groups[index(d)] as u32),
                    SpecialRegister::GroupId(d) => narrow(origin.group[index(d)] as u32),
                    SpecialRegister::LaneId => each(&|lane| lane),
                    SpecialRegister::LocalId(d) => {
                        // x fastest, over the actual size of the work-group.
                        let [x, y, _] = origin.size;
                        each(&|lane| {
                            let linear = origin.number * LANES as u32 + lane;
                            match d {
                                Dimension::X => linear % x,
                                Dimension::Y => linear / x % y,
                                Dimension::Z => linear / x / y,
                            }
                        });
                    }
                    SpecialRegister::LocalSize(d) => narrow(origin.size[index(d)]),
                    SpecialRegister::PrintfBuffer => wide(launch.printf_buffer),
                    SpecialRegister::SubgroupSize => narrow(LANES as u32),
                    SpecialRegister::WorkDim => narrow(launch.dimensions),
                }
            }
        }
    }
}

fn index(dimension: Dimension) -> usize {
    match dimension {
        Dimension::X => 0,
        Dimension::Y => 1,
        Dimension::Z => 2,
    }
}
