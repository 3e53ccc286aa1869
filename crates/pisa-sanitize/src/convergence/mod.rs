//! Who takes part in cross-lane instructions (C03xx).
//!
//! PISA gives a shuffle from a lane that is not active its own value, and lets reductions leave such lanes out
//! (spec 7), so lanes that are apart by mistake go unnoticed. A source that the mask leaves out, or that lies beyond the
//! edge of a segment, is meant.

mod text;

use crate::access::Access;
use crate::check::{Check, Context};
use crate::describe::first_lane;
use crate::finding::Findings;
use crate::shuffle::sources;
use pisa_diag::Place;
use pisa_diag::codes::finding::convergence as codes;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{LANES, LaneValues, Step, SubGroupId};
use pisa_module::{Function, Instruction, Operand, SpecialRegister};
use rustc_hash::FxHashMap;

const ALL: u32 = u32::MAX;

/// The check of cross-lane instructions.
pub(crate) struct Convergence {
    strict: bool,
    /// By function and instruction.
    sites: Vec<Vec<Option<Site>>>,
    /// By sub-group and lane: the branch at which it last parted from other lanes.
    parted: FxHashMap<SubGroupId, [Option<Place>; LANES as usize]>,
}

/// What an instruction is to this check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    /// A conditional `goto`, `return` or `call`; the predicate is operand 0.
    Branch,
    /// `shfl`; the mask is operand 3.
    Shuffle,
    /// `ired` or `fred`; the mask is operand 2.
    Reduction,
    /// `redfirstidx`; the mask is operand 1.
    FirstIndex,
    /// It reads `%activemask`.
    ActiveMask,
}

impl Site {
    fn of(instruction: &Instruction, strict: bool) -> Option<Site> {
        let conditional = instruction.has(SlotName::Cond);
        match instruction.row().opcode {
            Opcode::Goto | Opcode::Return | Opcode::Call if conditional => Some(Site::Branch),
            Opcode::Shfl => Some(Site::Shuffle),
            Opcode::Ired | Opcode::Fred => Some(Site::Reduction),
            Opcode::Redfirstidx => Some(Site::FirstIndex),
            _ => {
                let reads = instruction.operands.contains(&Operand::Special(SpecialRegister::ActiveMask));
                (strict && reads).then_some(Site::ActiveMask)
            }
        }
    }

    /// Index of the mask among the operands.
    fn mask(self) -> usize {
        match self {
            Site::Shuffle => 3,
            Site::Reduction => 2,
            _ => 1,
        }
    }
}

impl Convergence {
    pub(crate) fn new(context: &Context<'_>, strict: bool) -> Convergence {
        let site = |instruction| Site::of(instruction, strict);
        let functions = context.image.program.functions();
        Convergence {
            strict,
            sites: functions.map(|(_, function)| function.code.iter().map(site).collect()).collect(),
            parted: FxHashMap::default(),
        }
    }

    /// Remembers where lanes part.
    fn branch(&mut self, step: &Step<'_>) {
        let taken = step.view.predicate(0) & step.lanes;
        if taken == 0 || taken == step.lanes {
            return;
        }
        let parted = self.parted.entry(step.subgroup).or_default();
        for (lane, place) in parted.iter_mut().enumerate() {
            if step.lanes >> lane & 1 == 1 {
                *place = Some(step.instruction.place);
            }
        }
    }

    /// The branches at which these lanes parted from others, each once.
    fn branches(&self, step: &Step<'_>, lanes: u32) -> Vec<(Place, u32)> {
        let mut branches: Vec<(Place, u32)> = Vec::new();
        let Some(parted) = self.parted.get(&step.subgroup) else { return branches };
        for (lane, place) in parted.iter().enumerate() {
            let Some(place) = place else { continue };
            if lanes >> lane & 1 == 0 {
                continue;
            }
            match branches.iter_mut().find(|(other, _)| other == place) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => branches.push((*place, 1 << lane)),
            }
        }
        branches
    }

    fn cross_lane(&self, context: &Context<'_>, step: &Step<'_>, site: Site, findings: &mut Findings) {
        let operand = site.mask();
        let constant = match step.instruction.operands.get(operand) {
            Some(Operand::Immediate { bits, .. }) => Some(*bits as u32),
            _ => None,
        };
        let (active, live) = (step.lanes, step.view.live());
        // Nobody is elsewhere, and everybody is meant.
        if constant == Some(ALL) && active == live && !(self.strict && site == Site::Shuffle) {
            return;
        }
        let mut masks: LaneValues = [0; LANES as usize];
        match constant {
            Some(mask) => masks = [u64::from(mask); LANES as usize],
            None => step.view.read(operand, 0, &mut masks),
        }
        let here = Here { context, step, check: self, site, masks: &masks, live };
        let first = masks[first_lane(active)] as u32;
        let differing = here.lanes_where(|lane| masks[lane] as u32 != first);
        if differing != 0 {
            findings.report(codes::MASK_NOT_UNIFORM, step, differing, None, || here.not_uniform(differing));
        }
        if site != Site::FirstIndex {
            let empty = here.lanes_where(|lane| masks[lane] as u32 & active == 0);
            if empty != 0 {
                findings.report(codes::NOBODY_TAKES_PART, step, empty, None, || here.nobody(empty));
            }
            let outside = here.lanes_where(|lane| masks[lane] as u32 >> lane & 1 == 0) & !empty;
            if self.strict && outside != 0 {
                findings.report(codes::OUTSIDE_OWN_MASK, step, outside, None, || here.outside(outside));
            }
        }
        let mut is_told = false;
        if site == Site::Shuffle && (active != live || self.strict) {
            is_told = here.shuffle(self.strict, findings);
        }
        let absent = live & !active;
        let named = here.lanes_where(|lane| {
            let mask = masks[lane] as u32;
            mask & absent != 0 && (mask != ALL || self.strict)
        });
        if named != 0 && !is_told {
            findings.report(codes::MASK_NAMES_ABSENT, step, named, None, || here.absent(named));
        }
    }
}

impl Check for Convergence {
    fn wants(&self, _: &Function, instruction: &Instruction) -> bool {
        Site::of(instruction, self.strict).is_some()
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.parted.retain(|id, _| id.group != group);
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        _: Option<&Access>,
        findings: &mut Findings,
    ) {
        let site = self.sites.get(step.function.index()).and_then(|sites| sites.get(step.index as usize));
        match site {
            Some(Some(Site::Branch)) => self.branch(step),
            Some(Some(Site::ActiveMask)) => {
                let live = step.view.live();
                if live != step.lanes {
                    let masks = [0; LANES as usize];
                    let here =
                        Here { context, step, check: self, site: Site::ActiveMask, masks: &masks, live };
                    findings
                        .report(codes::DIVERGENT_ACTIVE_MASK, step, step.lanes, None, || here.active_mask());
                }
            }
            Some(Some(site)) => self.cross_lane(context, step, *site, findings),
            _ => {}
        }
    }
}

/// A cross-lane instruction that is about to be executed.
struct Here<'a, 'b> {
    context: &'a Context<'b>,
    step: &'a Step<'a>,
    check: &'a Convergence,
    site: Site,
    masks: &'a LaneValues,
    live: u32,
}

impl Here<'_, '_> {
    /// The active lanes with a property.
    fn lanes_where(&self, has: impl Fn(usize) -> bool) -> u32 {
        let lanes = (0..LANES as usize).filter(|&lane| has(lane));
        lanes.fold(0, |set, lane| set | 1 << lane) & self.step.lanes
    }

    /// Where the lanes of a shuffle read; whether there was something to report.
    fn shuffle(&self, strict: bool, findings: &mut Findings) -> bool {
        let (step, active) = (self.step, self.step.lanes);
        let mut control: LaneValues = [0; LANES as usize];
        step.view.read(2, 0, &mut control);
        let sources = sources(step.instruction, active, &control, self.masks);
        let (mut readers, mut read) = (0u32, 0u32);
        // Lanes that were there and have left the kernel; a partial sub-group never had the others.
        let gone = if strict { existing(step) & !self.live } else { 0 };
        let (mut orphans, mut left) = (0u32, 0u32);
        for lane in (0..LANES as usize).filter(|lane| sources.in_bounds >> lane & 1 == 1) {
            let source = 1u32 << sources.lane[lane];
            // A lane that the mask leaves out is left out on purpose.
            if source & self.live & !active & self.masks[lane] as u32 != 0 {
                readers |= 1 << lane;
                read |= source;
            } else if source & gone & self.masks[lane] as u32 != 0 {
                orphans |= 1 << lane;
                left |= source;
            }
        }
        if readers != 0 {
            findings.report(codes::ABSENT_SOURCE, step, readers, None, || self.absent_source(readers, read));
        }
        if orphans != 0 {
            findings.report(codes::SOURCE_LEFT, step, orphans, None, || self.source_left(orphans, left));
        }
        let constant = matches!(step.instruction.operands.get(2), Some(Operand::Immediate { .. }));
        if strict && !constant {
            let bad = self.lanes_where(|lane| text::control_fault(step.instruction, control[lane]).is_some());
            if bad != 0 {
                let value = control[first_lane(bad)];
                findings.report(codes::SHUFFLE_CONTROL, step, bad, None, || self.control(bad, value));
            }
        }
        readers != 0
    }
}

/// The lanes that the sub-group of a step began with.
fn existing(step: &Step<'_>) -> u32 {
    let items = step.size.iter().fold(1u64, |product, &size| product.saturating_mul(u64::from(size)));
    let before = u64::from(step.subgroup.number) * u64::from(LANES);
    match items.saturating_sub(before) {
        rest if rest >= u64::from(LANES) => ALL,
        rest => (1 << rest) - 1,
    }
}

/// Whether a shuffle goes up.
fn goes_up(instruction: &Instruction) -> bool {
    instruction.qualifier(SlotName::Op) == Some(Qualifier::Up)
}
