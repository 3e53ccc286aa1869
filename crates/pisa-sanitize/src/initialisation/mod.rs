//! Values that were never given (I02xx): definedness of registers, predicates and memory bit by bit, reported where it can
//! matter: branches, addresses, stores that the host can see, cross-lane results, calls.
//!
//! Copies, arithmetic and shared memory only carry the lack along (X-10, V-13, V-16, V-17). What was reported counts as
//! given from there on, so that one fault makes one finding.

mod accesses;
mod activations;
mod cross_lane;
mod memory;
mod origin;
mod registers;
mod report;
mod rules;
mod site;

use crate::access::Access;
use crate::check::{Check, Context};
use crate::finding::Findings;
use activations::{Activation, Activations};
use memory::Memories;
use origin::Origins;
use pisa_machine::{Entry, GroupBegin, LANES, LaneValues, Step, SubGroupId};
use pisa_module::{Function, Instruction, Operand};
use registers::Layout;
use report::{Complaint, Use};
use rules::Source;
use site::{Kind, Site, Slots};

/// The check.
pub(crate) struct Initialisation {
    layouts: Vec<Layout>,
    /// By function and instruction.
    sites: Vec<Vec<Option<Site>>>,
    activations: Activations,
    memories: Memories,
    origins: Origins,
}

/// What a handler of one step works on.
struct Here<'a, 'b> {
    context: &'a Context<'b>,
    step: &'a Step<'a>,
    site: &'a Site,
    activation: &'a mut Activation,
    memories: &'a mut Memories,
    origins: &'a mut Origins,
    findings: &'a mut Findings,
}

impl Initialisation {
    pub(crate) fn new(context: &Context<'_>) -> Initialisation {
        let functions = || context.image.program.functions().map(|(_, function)| function);
        let mut origins = Origins::default();
        let layouts: Vec<Layout> = functions().map(|function| Layout::of(function, &mut origins)).collect();
        let sites = functions()
            .zip(&layouts)
            .map(|(function, layout)| {
                function.code.iter().map(|instruction| Site::of(layout, instruction)).collect()
            })
            .collect();
        Initialisation {
            layouts,
            sites,
            activations: Activations::default(),
            memories: Memories::new(context.memory),
            origins,
        }
    }
}

impl Check for Initialisation {
    fn wants(&self, _: &Function, instruction: &Instruction) -> bool {
        let has_slots = |operand: &Operand| {
            matches!(
                operand,
                Operand::Register(_)
                    | Operand::Predicate { .. }
                    | Operand::Address { .. }
                    | Operand::Parameter { .. }
            )
        };
        instruction.operands.iter().any(has_slots)
            || matches!(instruction.row().opcode, pisa_isa::Opcode::Call | pisa_isa::Opcode::Return)
    }

    fn begin_group(&mut self, context: &Context<'_>, group: &GroupBegin) {
        self.memories.begin_group(group.number, context.launch.shared_size);
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.memories.end_group(group);
        self.activations.end_group(group);
    }

    fn enter(&mut self, context: &Context<'_>, entry: &Entry) {
        self.memories.enter(entry.subgroup, entry.lanes, entry.private.clone());
        self.activations.enter(context, entry, &self.layouts, &self.sites);
    }

    fn leave(&mut self, context: &Context<'_>, subgroup: SubGroupId, activation: u64, lanes: u32) {
        self.activations.leave(context, subgroup, activation, lanes, &self.sites, &mut self.origins);
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        access: Option<&Access>,
        findings: &mut Findings,
    ) {
        let site = self.sites.get(step.function.index()).and_then(|sites| sites.get(step.index as usize));
        let Some(Some(site)) = site else { return };
        let Some(activation) = self.activations.get(step.subgroup, step.activation) else { return };
        let registers = &mut activation.registers;
        let lacking = site.reads.iter().fold(0, |all, &slot| all | registers.lacking(slot)) & step.lanes;
        if lacking == 0 {
            match site.kind {
                Kind::Memory | Kind::Return | Kind::Call => {}
                // Nobody lacks anything.
                _ => {
                    for &slot in &site.writes {
                        registers.clear(slot, step.lanes);
                    }
                    return;
                }
            }
        }
        if site.kind == Kind::Return {
            self.activations.returns(step, site, &self.sites, &mut self.origins, context, findings);
            return;
        }
        let (memories, origins) = (&mut self.memories, &mut self.origins);
        let mut here = Here { context, step, site, activation, memories, origins, findings };
        match (site.kind, access) {
            (Kind::Memory, Some(access)) => here.access(access, lacking),
            (Kind::Memory, None) | (Kind::Return, _) => {}
            (Kind::LoadParameter, _) => {
                here.address();
                here.give(&site.writes);
            }
            (Kind::Branch, _) => here.guard(Use::Branch),
            (Kind::Call, _) => here.call(),
            (Kind::Shuffle, _) => here.shuffle(),
            (Kind::Reduce, _) => here.reduce(),
            (Kind::FirstIndex, _) => here.first_index(),
            (kind, _) => here.compute(kind),
        }
    }
}

impl Here<'_, '_> {
    /// The slots of an operand.
    fn slots(&self, operand: usize) -> Option<Slots> {
        self.site.operands.get(operand).copied().flatten()
    }

    /// The bits of an element of an operand that lack a value, by lane: of up to 64 bits of it.
    fn lacks(&self, operand: usize, element: usize) -> LaneValues {
        let mut bits = [0; LANES as usize];
        if let Some(slots) = self.slots(operand) {
            self.activation.registers.get(slots.elements.slots(element).start, &mut bits);
        }
        bits
    }

    fn values(&self, operand: usize, element: usize) -> LaneValues {
        let mut values = [0; LANES as usize];
        match self.step.instruction.operands.get(operand) {
            Some(Operand::Predicate { .. }) => {
                let holds = self.step.view.predicate(operand);
                for (lane, value) in values.iter_mut().enumerate() {
                    *value = u64::from(holds >> lane & 1);
                }
            }
            Some(_) => self.step.view.read(operand, element, &mut values),
            None => {}
        }
        values
    }

    /// Slots have a value in every active lane.
    fn give(&mut self, slots: &[u32]) {
        for &slot in slots {
            self.activation.registers.clear(slot, self.step.lanes);
        }
    }

    /// Where the lack in the first of these operands came from that lacks anything.
    fn origin_of(&self, operands: &[usize], lanes: u32) -> origin::OriginId {
        let registers = &self.activation.registers;
        let slots = operands.iter().filter_map(|&operand| self.slots(operand));
        let mut lacking = slots.flat_map(|slots| slots.elements.all());
        let slot = lacking.find(|&slot| registers.lacking(slot) & lanes != 0);
        slot.map_or(origin::OriginId::default(), |slot| registers.origin(slot))
    }

    /// The same, as what this instruction carries on.
    fn carried(&mut self, operands: &[usize], lanes: u32) -> origin::OriginId {
        let origin = self.origin_of(operands, lanes);
        self.origins.carried(origin, self.step.instruction.place)
    }

    /// Reports a register that lacks a value where one matters, and counts it as given from here on.
    fn complain(&mut self, how: Use, slots: Slots, lanes: u32) {
        let registers = &self.activation.registers;
        let mut lacking = 0;
        let mut origin = origin::OriginId::default();
        for slot in slots.elements.all() {
            let here = registers.lacking(slot) & lanes;
            if lacking == 0 && here != 0 {
                origin = registers.origin(slot);
            }
            lacking |= here;
        }
        if lacking == 0 {
            return;
        }
        let complaint = Complaint { how, register: Some(slots.register), lanes: lacking, origin };
        report::complain(self.context, self.step, &complaint, self.origins, self.findings);
        for slot in slots.elements.all() {
            self.activation.registers.clear(slot, lacking);
        }
    }

    /// The predicate that decides where lanes go.
    fn guard(&mut self, how: Use) {
        if self.site.first == 1
            && let Some(slots) = self.slots(0)
        {
            self.complain(how, slots, self.step.lanes);
        }
    }

    /// A call: the guard and the target; arguments are carried along when the lanes enter.
    fn call(&mut self) {
        self.guard(Use::Branch);
        let lanes = if self.site.first == 1 { self.step.view.predicate(0) } else { self.step.lanes };
        if let Some(slots) = self.slots(self.site.first + 1) {
            self.complain(Use::Call, slots, lanes & self.step.lanes);
        }
    }

    /// The registers of an address.
    fn address(&mut self) {
        let site = self.site;
        for slots in &site.address {
            self.complain(Use::Address, *slots, self.step.lanes);
        }
    }

    /// An instruction that computes or moves.
    fn compute(&mut self, kind: Kind) {
        let site = self.site;
        let origin = self.carried(&site.read, self.step.lanes);
        match kind {
            Kind::Rule(rule) => {
                for &written in &site.written {
                    let Some(slots) = self.slots(written) else { continue };
                    for element in 0..slots.elements.count as usize {
                        let bits = self.spread(rule, element, slots.elements.bits == 1);
                        self.set(slots, element, &bits, origin);
                    }
                }
            }
            Kind::Pair => {
                let Some(slots) = self.slots(0) else { return };
                for element in 0..slots.elements.count as usize {
                    let bits = self.lacks(1 + element, 0).map(|bits| if bits == 0 { 0 } else { u64::MAX });
                    self.set(slots, element, &bits, origin);
                }
            }
            Kind::Move => self.copy_bits(origin),
            Kind::Extract => {
                let Some(slots) = self.slots(0) else { return };
                for element in 0..slots.elements.count as usize {
                    let bits = self.lacks(1, site.index + element);
                    self.set(slots, element, &bits, origin);
                }
            }
            Kind::Insert => {
                let Some(slots) = self.slots(0) else { return };
                for element in 0..site.writes.len() {
                    let bits = self.lacks(1, element);
                    self.set(slots, site.index + element, &bits, origin);
                }
            }
            Kind::ExtractDynamic => self.extract_dynamic(origin),
            Kind::InsertDynamic => self.insert_dynamic(origin),
            _ => {}
        }
    }

    /// The bits of an element of a result that lack a value.
    fn spread(&self, rule: rules::Rule, element: usize, predicate: bool) -> LaneValues {
        let read = &self.site.read;
        let mut sources = [[Source::default(); 4]; LANES as usize];
        // A carry out depends on every bit.
        let rule = if predicate && rule == rules::Rule::Upward { rules::Rule::All } else { rule };
        let mut width = 32;
        for (position, &operand) in read.iter().take(4).enumerate() {
            if let Some(slots) = self.slots(operand) {
                let bits = self.lacks(operand, element);
                let full = if slots.elements.bits >= 64 { u64::MAX } else { (1 << slots.elements.bits) - 1 };
                for (lane, source) in sources.iter_mut().enumerate() {
                    source[position].lacks = bits[lane] & full;
                }
            }
            if rule.needs_values() {
                // The amounts of a packed shift are one value (B-03).
                let values = self.values(operand, element);
                for (lane, source) in sources.iter_mut().enumerate() {
                    source[position].value = values[lane];
                }
            }
        }
        if let Some(slots) = read.iter().find_map(|&operand| self.slots(operand)) {
            width = slots.elements.bits;
        }
        if let Some(bits) = self.step.instruction.qualifier(pisa_isa::SlotName::Type) {
            let elements = bits.packed().map(|(_, bits)| bits).or(bits.bits());
            width = elements.map_or(width, u32::from);
        }
        std::array::from_fn(|lane| rule.apply(&sources[lane], width, element))
    }

    /// Writes what an element lacks in the active lanes.
    fn set(&mut self, slots: Slots, element: usize, bits: &LaneValues, origin: origin::OriginId) {
        let width = slots.elements.bits.min(64);
        for slot in slots.elements.slots(element) {
            self.activation.registers.set(slot, self.step.lanes, bits, width, origin);
        }
    }

    /// `mov`: bits in a row (D-12, D-13).
    fn copy_bits(&mut self, origin: origin::OriginId) {
        let Some(to) = self.slots(0) else { return };
        let mut rows = [0u128; LANES as usize];
        if let Some(from) = self.slots(1) {
            let width = from.elements.bits.min(64);
            let full = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            for (i, slot) in from.elements.all().enumerate() {
                let mut bits = [0; LANES as usize];
                self.activation.registers.get(slot, &mut bits);
                for (row, bits) in rows.iter_mut().zip(bits) {
                    *row |= u128::from(bits & full).checked_shl(i as u32 * width).unwrap_or(0);
                }
            }
        }
        let width = to.elements.bits.min(64);
        for (i, slot) in to.elements.all().enumerate() {
            let bits = rows.map(|row| row.checked_shr(i as u32 * width).unwrap_or(0) as u64);
            self.activation.registers.set(slot, self.step.lanes, &bits, width, origin);
        }
    }

    /// `extract.dynamic`: what the chosen element lacks; everything where the choice lacks a value.
    fn extract_dynamic(&mut self, origin: origin::OriginId) {
        let (Some(to), Some(from)) = (self.slots(0), self.slots(1)) else { return };
        let (index, unsure) = (self.values(2, 0), self.lacks(2, 0));
        let mut bits: LaneValues = std::array::from_fn(|lane| if unsure[lane] == 0 { 0 } else { u64::MAX });
        for element in 0..from.elements.count as usize {
            let lacks = self.lacks(1, element);
            for lane in 0..LANES as usize {
                if index[lane] == element as u64 && unsure[lane] == 0 {
                    bits[lane] = lacks[lane];
                }
            }
        }
        self.set(to, 0, &bits, origin);
    }

    /// `insert.dynamic`: the chosen element gets what the source lacks; all lack where the choice does.
    fn insert_dynamic(&mut self, origin: origin::OriginId) {
        let Some(to) = self.slots(0) else { return };
        let (index, unsure, lacks) = (self.values(2, 0), self.lacks(2, 0), self.lacks(1, 0));
        for element in 0..to.elements.count as usize {
            let mut lanes = 0u32;
            let mut bits = [0; LANES as usize];
            for lane in 0..LANES as usize {
                if unsure[lane] != 0 {
                    bits[lane] = u64::MAX;
                } else if index[lane] == element as u64 {
                    bits[lane] = lacks[lane];
                } else {
                    continue;
                }
                lanes |= 1 << lane;
            }
            let slot = to.elements.slots(element).start;
            self.activation.registers.set(slot, lanes & self.step.lanes, &bits, 32, origin);
        }
    }
}
