//! Data races (R04xx): accesses of different work-items to one byte of shared or global memory, at least one of them a store,
//! that nothing orders (spec 1.2.1).
//!
//! What happens before what follows the C++ memory model with scopes: release and acquire by atomics and fences (Y-08), fences
//! around a barrier (Y-03), fences of a sub-group (Y-06), and the order of the text within one work-item. Lanes of a sub-group
//! are work-items like others: that they run in step orders nothing.
//!
//! The first race on each byte is found, whatever the schedule; after a store, what it raced with is forgotten. Where more than four
//! work-groups read one place concurrently and atomics order some of them, the readers of four are remembered.

mod accessor;
mod clock;
mod detector;
#[cfg(test)]
mod footprint;
mod histories;
mod knowledge;
#[cfg(test)]
mod oracle;
mod publications;
mod record;
mod report;
mod segments;
mod shadow;
mod site;
mod stored;
mod words;

use crate::access::Access;
use crate::check::{Check, Context};
use crate::finding::Findings;
use crate::options::Options;
use clock::Region;
use detector::{Detector, Event, Range};
use pisa_isa::Qualifier;
use pisa_machine::{GroupBegin, LaneValues, Step, initial_mask, subgroups};
use pisa_module::{Function, Instruction};
use site::{AccessSite, Action, Effect, Sites};
use stored::Stored;

/// The check.
pub(crate) struct Races {
    detector: Detector,
    stored: Stored,
    /// [`Options::fence_before_barrier`].
    fence_counts_twice: bool,
}

impl Races {
    pub(crate) fn new(options: Options, context: &Context<'_>) -> Races {
        let sites = Sites::of(&context.image.program);
        let stored = Stored::new(&sites);
        let launch = context.launch;
        let ranges = context.memory.objects().iter().filter(|object| object.writable);
        let ranges = ranges.map(|object| Range { address: object.address, size: object.size });
        let detector = Detector::new(
            sites,
            launch.groups(),
            subgroups(launch.local),
            options.fence_before_barrier,
            u64::from(launch.shared_size),
            ranges,
        );
        Races { detector, stored, fence_counts_twice: options.fence_before_barrier }
    }

    fn access(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        site: AccessSite,
        number: u32,
        access: &Access,
        findings: &mut Findings,
    ) {
        let is_store = site.effect == Effect::Write;
        if is_store {
            self.stored.read(step, access, number);
        }
        let is_generic = access.shape.space == Qualifier::Generic;
        let mut shared = LaneValues::default();
        for region in [Region::Shared, Region::Global] {
            let (lanes, addresses) = match region {
                Region::Shared if access.shared != 0 && !is_generic => (access.shared, &access.addresses),
                Region::Shared if access.shared != 0 => {
                    for (short, address) in shared.iter_mut().zip(&access.addresses) {
                        *short = address & u64::from(u32::MAX);
                    }
                    (access.shared, &shared)
                }
                Region::Global if access.global != 0 => (access.global, &access.addresses),
                _ => continue,
            };
            let (group, subgroup) = (step.subgroup.group, step.subgroup.number);
            let event = Event { group, subgroup, lanes, site: number, region, addresses };
            let overlap = self.detector.look_at(&event, &site);
            if overlap {
                self.report_overlap(context, step, &event, u64::from(site.bytes), findings);
            }
            self.detector.access(&event, overlap);
            if !self.detector.conflicts.is_empty() {
                self.report_conflicts(context, step, &event, findings);
            }
            if site.effect.is_atomic() {
                self.detector.synchronise(&event);
            }
        }
        if is_store {
            self.stored.keep(step.subgroup);
        }
    }
}

impl Check for Races {
    fn wants(&self, function: &Function, instruction: &Instruction) -> bool {
        site::matters(function, instruction)
    }

    fn begin_group(&mut self, _: &Context<'_>, group: &GroupBegin) {
        let existing = (0..subgroups(group.size)).map(|number| initial_mask(number, group.size));
        self.detector.begin_group(group.number, existing);
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.detector.end_group(group);
        self.stored.end_group(group);
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        access: Option<&Access>,
        findings: &mut Findings,
    ) {
        let Some(number) = self.detector.world.sites.number(step.function, step.index) else { return };
        let (group, subgroup) = (step.subgroup.group, step.subgroup.number);
        let Some(site) = self.detector.world.sites.list.get(number as usize) else { return };
        match (site.action, access) {
            (Action::Access(site), Some(access)) => {
                self.access(context, step, site, number, access, findings);
            }
            (Action::Fence(fence), _) => self.detector.fence(group, subgroup, step.lanes, fence),
            (Action::Barrier, _) => self.detector.arrive(group, subgroup, step.lanes, number),
            (Action::Access(_), None) => {}
        }
    }

    fn release(&mut self, _: &Context<'_>, group: u64, _: &mut Findings) {
        self.detector.release(group);
    }
}
