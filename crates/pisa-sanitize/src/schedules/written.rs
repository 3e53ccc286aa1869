//! Who wrote to a place in memory last.

use super::trace::{Numbering, WorkItem, lanes_of};
use crate::access::{Access, Kind, Shape};
use pisa_machine::{GENERIC_TAG, Image, Launch, Memory, ObservedEngine, Observer, Step};
use pisa_module::{FunctionId, Program};
use std::ops::Range;

/// Bytes that accesses reach.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    /// The work-group whose shared memory it is; `None`: global memory.
    pub(super) shared: Option<u64>,
    pub(super) range: Range<u64>,
}

/// The last store or atomic to some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) function: FunctionId,
    pub(super) index: u32,
    /// Lanes that wrote there.
    pub(super) lanes: u32,
    pub(super) group: [u64; 3],
    pub(super) size: [u32; 3],
    pub(super) subgroup: u32,
    /// Lanes that were active, and that had not left the kernel.
    pub(super) active: u32,
    pub(super) live: u32,
}

/// Looks for it until a work-item has made so many steps.
pub(super) struct Writers {
    bytes: Bytes,
    until: Option<(WorkItem, u64)>,
    numbering: Numbering,
    steps: u64,
    pub(super) last: Option<Written>,
}

impl Writers {
    pub(super) fn new(bytes: Bytes, until: Option<(WorkItem, u64)>, numbering: Numbering) -> Writers {
        Writers { bytes, until, numbering, steps: 0, last: None }
    }
}

impl Observer for Writers {
    fn wants(&self, program: &Program, function: FunctionId, index: u32) -> bool {
        let writes = |shape: Shape| shape.kind != Kind::Load;
        let instruction = program.function(function).code.get(index as usize);
        self.until.is_some() || instruction.and_then(Shape::of).is_some_and(writes)
    }

    fn before(&mut self, step: &Step<'_>) {
        if let Some((item, steps)) = self.until {
            if self.steps >= steps {
                return;
            }
            let lane = item.wrapping_sub(self.numbering.first(step));
            if lane < 32 && step.lanes >> lane & 1 == 1 {
                self.steps += 1;
                if self.steps >= steps {
                    return;
                }
            }
        }
        let Some(shape) = Shape::of(step.instruction).filter(|shape| shape.kind != Kind::Load) else {
            return;
        };
        let access = Access::of(shape, step);
        let (lanes, cut) = match self.bytes.shared {
            Some(group) if group == step.subgroup.group => (access.shared, u64::from(u32::MAX)),
            Some(_) => return,
            None => (access.global, !0),
        };
        let hits = lanes_of(lanes).filter(|&lane| {
            let from = access.addresses[lane] & cut;
            from < self.bytes.range.end && from.saturating_add(access.size()) > self.bytes.range.start
        });
        let hits = hits.fold(0u32, |set, lane| set | 1 << lane);
        if hits != 0 {
            self.last = Some(Written {
                function: step.function,
                index: step.index,
                lanes: hits,
                group: step.group,
                size: step.size,
                subgroup: step.subgroup.number,
                active: step.lanes,
                live: step.view.live(),
            });
        }
    }
}

/// The bytes that an access of a work-item reaches; `None` in private memory.
pub(super) fn reached(shape: Shape, address: u64, group: u64) -> Option<Bytes> {
    use pisa_isa::Qualifier;
    let size = u64::from(shape.bytes) * u64::from(shape.elements);
    let tag = address & GENERIC_TAG;
    let shared = match shape.space {
        Qualifier::Shared => true,
        Qualifier::Private => return None,
        Qualifier::Generic if tag == pisa_machine::GENERIC_PRIVATE => return None,
        Qualifier::Generic => tag == pisa_machine::GENERIC_SHARED,
        _ => false,
    };
    let start = if shared { address & u64::from(u32::MAX) } else { address };
    Some(Bytes { shared: shared.then_some(group), range: start..start.saturating_add(size) })
}

/// Who wrote to a place in global memory last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastWriter {
    /// The number of the work-group, x fastest.
    pub work_group: u64,
    /// The number of the sub-group in it.
    pub subgroup: u32,
    /// The lane, the highest one of several that wrote at once.
    pub lane: u32,
}

/// Runs a launch and says who wrote to the byte at this address last; `None` where nobody did.
pub fn last_writer(
    engine: &dyn ObservedEngine,
    image: &Image,
    memory: &Memory,
    launch: &Launch,
    address: u64,
) -> Option<LastWriter> {
    let bytes = Bytes { shared: None, range: address..address.saturating_add(1) };
    let numbering = Numbering::of(launch);
    let mut writers = Writers::new(bytes, None, numbering);
    engine.run_observed(image, memory, launch, &mut writers);
    let written = writers.last?;
    let groups = |d: usize| launch.global[d].div_ceil(u64::from(launch.local[d]).max(1)).max(1);
    let [x, y, z] = written.group;
    Some(LastWriter {
        work_group: (z * groups(1) + y) * groups(0) + x,
        subgroup: written.subgroup,
        lane: 31 - written.lanes.leading_zeros().min(31),
    })
}
