//! The shadow registers of every activation, and what calls and returns carry along.

use super::origin::{OriginId, Origins, Root};
use super::registers::{Elements, Layout, Registers};
use super::report::{self, Complaint, Use};
use super::site::Site;
use crate::check::Context;
use crate::finding::Findings;
use pisa_machine::{Entry, LANES, Step, SubGroupId};
use pisa_module::{FunctionId, FunctionKind};
use rustc_hash::FxHashMap;

/// A function that some lanes of a sub-group are in.
#[derive(Debug)]
pub(crate) struct Activation {
    id: u64,
    function: FunctionId,
    /// The caller's activation and the index of the call in its code.
    call: Option<(u64, u32)>,
    pub(crate) registers: Registers,
    /// Lanes that have not left.
    inside: u32,
    /// Lanes that have met a `return`.
    returned: u32,
}

/// Those of all sub-groups.
#[derive(Debug, Default)]
pub(crate) struct Activations {
    /// Where a sub-group's are in `stacks`.
    places: FxHashMap<SubGroupId, u32>,
    stacks: Vec<Vec<Activation>>,
    /// Those of `stacks` that nobody has.
    free: Vec<u32>,
    /// The sub-groups that came last, which the next ones are likely to be.
    recent: [Option<(SubGroupId, u32)>; RECENT],
}

/// Sub-groups that are found without a search; a power of two.
const RECENT: usize = 32;

fn recent_slot(subgroup: SubGroupId) -> usize {
    (subgroup.group as usize).wrapping_mul(5).wrapping_add(subgroup.number as usize) % RECENT
}

impl Activations {
    pub(crate) fn get(&mut self, subgroup: SubGroupId, id: u64) -> Option<&mut Activation> {
        // The running one is the latest as a rule.
        self.stack(subgroup)?.iter_mut().rev().find(|activation| activation.id == id)
    }

    /// The activations of a sub-group, the latest last.
    #[inline]
    fn stack(&mut self, subgroup: SubGroupId) -> Option<&mut Vec<Activation>> {
        let recent = &mut self.recent[recent_slot(subgroup)];
        let place = match *recent {
            Some((known, place)) if known == subgroup => place,
            _ => {
                let place = *self.places.get(&subgroup)?;
                *recent = Some((subgroup, place));
                place
            }
        };
        self.stacks.get_mut(place as usize)
    }

    /// The same, begun where there is none.
    fn begin(&mut self, subgroup: SubGroupId) -> &mut Vec<Activation> {
        if !self.places.contains_key(&subgroup) {
            let place = self.free.pop().unwrap_or_else(|| {
                self.stacks.push(Vec::new());
                self.stacks.len() as u32 - 1
            });
            self.places.insert(subgroup, place);
        }
        let place = self.places[&subgroup] as usize;
        &mut self.stacks[place]
    }

    /// Forgets a sub-group.
    fn end(&mut self, subgroup: SubGroupId) {
        if let Some(place) = self.places.remove(&subgroup) {
            self.stacks[place as usize].clear();
            self.free.push(place);
            self.recent[recent_slot(subgroup)] = None;
        }
    }

    pub(crate) fn end_group(&mut self, group: u64) {
        let over: Vec<SubGroupId> = self.places.keys().copied().filter(|s| s.group == group).collect();
        over.into_iter().for_each(|subgroup| self.end(subgroup));
    }

    /// Lanes enter a function: nothing in it has a value but the arguments that had one.
    pub(crate) fn enter(
        &mut self,
        context: &Context<'_>,
        entry: &Entry,
        layouts: &[Layout],
        sites: &[Vec<Option<Site>>],
    ) {
        let function = context.image.program.function(entry.function);
        let Some(layout) = layouts.get(entry.function.index()) else { return };
        let mut registers = Registers::new(layout);
        let all = self.begin(entry.subgroup);
        if let (Some((caller, index)), FunctionKind::Function { parameters, .. }) =
            (entry.call, &function.kind)
            && let Some(parent) = all.iter().rev().find(|activation| activation.id == caller)
            && let Some(Some(site)) = sites.get(parent.function.index()).and_then(|s| s.get(index as usize))
        {
            for (position, parameter) in parameters.iter().enumerate() {
                let operand = site.first + 2 + position;
                let Some(to) = layout.register(parameter.index()) else { continue };
                match site.operands.get(operand) {
                    // F-11: an argument of another type leaves the parameter without a value.
                    Some(Some(from)) if (from.elements.count, from.elements.bits) != (to.count, to.bits) => {}
                    Some(Some(from)) => {
                        copy(&parent.registers, from.elements, &mut registers, to, entry.lanes);
                    }
                    // A special register.
                    Some(None) => to.all().for_each(|slot| registers.clear(slot, entry.lanes)),
                    None => {}
                }
            }
        }
        all.push(Activation {
            id: entry.activation,
            function: entry.function,
            call: entry.call,
            registers,
            inside: entry.lanes,
            returned: 0,
        });
    }

    /// A `return`: the value goes to the caller's register (C-02), in the lanes that leave.
    pub(crate) fn returns(
        &mut self,
        step: &Step<'_>,
        site: &Site,
        sites: &[Vec<Option<Site>>],
        origins: &mut Origins,
        context: &Context<'_>,
        findings: &mut Findings,
    ) {
        let Some(all) = self.stack(step.subgroup) else { return };
        let Some(at) = all.iter().rposition(|activation| activation.id == step.activation) else { return };
        let mut leaving = step.lanes;
        if site.first == 1 {
            leaving &= step.view.predicate(0);
            if let Some(guard) = site.operands.first().copied().flatten() {
                let slot = guard.elements.first;
                let lanes = all[at].registers.lacking(slot) & step.lanes;
                if lanes != 0 {
                    let origin = all[at].registers.origin(slot);
                    let complaint =
                        Complaint { how: Use::Branch, register: Some(guard.register), lanes, origin };
                    report::complain(context, step, &complaint, origins, findings);
                    all[at].registers.clear(slot, lanes);
                }
            }
        }
        all[at].returned |= leaving;
        let Some((caller, index)) = all[at].call else { return };
        let Some(value) = site.operands.get(site.first).copied() else { return };
        let mut callee = std::mem::replace(&mut all[at].registers, Registers::none());
        if let Some(parent) = all.iter_mut().rev().find(|activation| activation.id == caller)
            && let Some(to) = result_of(sites, parent.function, index)
        {
            match value {
                Some(from) if (from.elements.count, from.elements.bits) == (to.count, to.bits) => {
                    copy(&callee, from.elements, &mut parent.registers, to, leaving);
                }
                // An immediate or a special register.
                None => to.all().for_each(|slot| parent.registers.clear(slot, leaving)),
                Some(_) => {}
            }
        }
        std::mem::swap(&mut all[at].registers, &mut callee);
    }

    /// Lanes leave an activation; a result that no `return` gave has no value (C-08).
    pub(crate) fn leave(
        &mut self,
        context: &Context<'_>,
        subgroup: SubGroupId,
        id: u64,
        lanes: u32,
        sites: &[Vec<Option<Site>>],
        origins: &mut Origins,
    ) {
        let Some(all) = self.stack(subgroup) else { return };
        let Some(at) = all.iter().rposition(|activation| activation.id == id) else { return };
        let without = lanes & !all[at].returned;
        if without != 0
            && let Some((caller, index)) = all[at].call
        {
            let name = &context.image.program.function(all[at].function).name;
            if let Some(parent) = all.iter_mut().rev().find(|activation| activation.id == caller)
                && let Some(to) = result_of(sites, parent.function, index)
            {
                let code = &context.image.program.function(parent.function).code;
                let place = code.get(index as usize).map(|instruction| instruction.place);
                let origin = origins.add(
                    Root::Result,
                    place,
                    format!("`@{name}` ended without a `return` that gives a value"),
                );
                for slot in to.all() {
                    let bits = [u64::MAX; LANES as usize];
                    parent.registers.set(slot, without, &bits, to.bits.min(64), origin);
                }
            }
        }
        all[at].inside &= !lanes;
        if all[at].inside == 0 {
            all.remove(at);
            if all.is_empty() {
                self.end(subgroup);
            }
        }
    }
}

/// The register that a call writes.
fn result_of(sites: &[Vec<Option<Site>>], caller: FunctionId, index: u32) -> Option<Elements> {
    let site = sites.get(caller.index())?.get(index as usize)?.as_ref()?;
    site.operands.get(site.first).copied().flatten().map(|slots| slots.elements)
}

fn copy(from: &Registers, source: Elements, to: &mut Registers, target: Elements, lanes: u32) {
    for (source, slot) in source.all().zip(target.all()) {
        let mut bits = [0; LANES as usize];
        from.get(source, &mut bits);
        let origin =
            if from.lacking(source) & lanes == 0 { OriginId::default() } else { from.origin(source) };
        to.set(slot, lanes, &bits, target.bits.min(64), origin);
    }
}
