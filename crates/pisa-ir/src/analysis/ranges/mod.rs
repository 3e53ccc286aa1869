//! Bounds of integers.
//!
//! Intervals are computed from definitions on; parameters that loops go back to are widened as soon as they move, to numbers that are compared with
//! somewhere or as far as they can, and then narrowed by what is known on the edges. A comparison that a branch depends on says something wherever only one of its edges leads: at an edge for
//! its arguments, and in the blocks that the edge dominates.

mod range;
mod transfer;

pub use range::Range;

use super::{ControlFlow, Dominators, Edge, MaskFacts};
use crate::{Block, Function, Operand, Terminator, Value};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Dimension, FunctionKind, RegisterType, SpecialRegister};

/// After so many rounds parameters that loops go back to are given up.
const MOST_ROUNDS: usize = 12;
/// Up to this round bounds stop at numbers that something is compared with.
const MOST_STEPS: usize = 8;
/// So many conditions are looked at for one operand.
const MOST_CONDITIONS: usize = 16;

/// Ranges of the scalar integers of a function.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// By value; `None` while nothing has been said, and of vectors, predicates and 128-bit values.
    ranges: Vec<Option<Range>>,
    /// By block: the edge that alone leads to it, if it is one of a branch.
    edge: Vec<Option<Edge>>,
    /// By block: the closest block, itself included, that dominates it and has such an edge.
    conditional: Vec<Option<Block>>,
    /// The size of the work-group, if the kernel requires one.
    size: Option<[u32; 3]>,
    /// Numbers that something is compared with and those beside them, in order; read as unsigned, and as signed ones.
    steps: Vec<u64>,
    signed_steps: Vec<i64>,
}

/// How parameters get their ranges in a round.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    /// From their arguments.
    Join,
    /// The same, but bounds that move go as far as they can.
    Widen,
    /// Nothing is said of those that loops go back to.
    GiveUp,
}

impl Ranges {
    /// Of a function; near linear.
    pub fn of(function: &Function, flow: &ControlFlow, dominators: &Dominators, masks: &MaskFacts) -> Ranges {
        let size = match function.kind {
            FunctionKind::Kernel { required_work_group_size, .. } => required_work_group_size,
            FunctionKind::Function { .. } => None,
        };
        let blocks = function.blocks.len();
        let mut ranges = Ranges {
            ranges: vec![None; function.values.len()],
            edge: vec![None; blocks],
            conditional: vec![None; blocks],
            size,
            steps: Vec::new(),
            signed_steps: Vec::new(),
        };
        ranges.find_steps(function);
        for &block in dominators.preorder() {
            let mut edges = flow.reachable_predecessors(block);
            if let (Some(edge), None) = (edges.next(), edges.next())
                && condition(function, edge).is_some()
            {
                ranges.edge[block.index()] = Some(edge);
                ranges.conditional[block.index()] = Some(block);
            } else {
                ranges.conditional[block.index()] =
                    dominators.immediate(block).and_then(|above| ranges.conditional[above.index()]);
            }
        }
        let mut round = 0;
        while ranges.round(function, flow, masks, if round < 2 { Mode::Join } else { Mode::Widen }) {
            round += 1;
            if round == MOST_STEPS {
                ranges.steps.clear();
                ranges.signed_steps.clear();
            }
            if round == MOST_ROUNDS {
                ranges.round(function, flow, masks, Mode::GiveUp);
                break;
            }
        }
        // What holds can only become narrower from here.
        for _ in 0..2 {
            ranges.round(function, flow, masks, Mode::Join);
        }
        ranges
    }

    fn find_steps(&mut self, function: &Function) {
        for (_, instruction) in function.all_instructions() {
            let data = function.instruction(instruction);
            if !matches!(data.operation.opcode(), Some(Opcode::Ucmp | Opcode::Scmp)) {
                continue;
            }
            for &operand in &data.operands {
                if operand.constant().is_some()
                    && let Some(Range { unsigned: (u, _), signed: (s, _), .. }) =
                        self.of_operand(function, operand)
                {
                    self.steps.extend([u.saturating_sub(1), u, u.saturating_add(1)]);
                    self.signed_steps.extend([s.saturating_sub(1), s, s.saturating_add(1)]);
                }
            }
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        self.signed_steps.sort_unstable();
        self.signed_steps.dedup();
    }

    /// The range of a value wherever it is; `None` if it is not a scalar integer of up to 64 bits.
    pub fn range(&self, value: Value) -> Option<Range> {
        self.ranges.get(value.index()).copied().flatten()
    }
    /// The range of an operand wherever it is; `None` if it is not a scalar integer of up to 64 bits.
    pub fn of_operand(&self, function: &Function, operand: Operand) -> Option<Range> {
        let full = full(function.type_of(operand)?)?;
        Some(match operand {
            Operand::Value(value) => self.range(value).unwrap_or(full),
            Operand::Constant(constant) => Range::constant(constant.bits() as u64, full.bits),
            Operand::Special(register) => self.special(register),
            _ => full,
        })
    }
    /// The range of an operand in a block, with what branches on the way there say; `None` as for [`Ranges::of_operand`].
    pub fn at(&self, function: &Function, operand: Operand, block: Block) -> Option<Range> {
        let range = self.of_operand(function, operand)?;
        Some(self.by_conditions(function, operand, range, block))
    }
    /// The range of an operand on an edge.
    pub fn on_edge(&self, function: &Function, operand: Operand, edge: Edge) -> Option<Range> {
        let range = self.at(function, operand, edge.from)?;
        Some(self.by_condition(function, operand, range, edge))
    }

    fn by_conditions(&self, function: &Function, operand: Operand, range: Range, block: Block) -> Range {
        let mut range = range;
        let mut at = self.conditional[block.index()];
        // A constant is as narrow as can be.
        for _ in 0..if operand.value().is_some() { MOST_CONDITIONS } else { 0 } {
            let Some(edge) = at.and_then(|block| self.edge[block.index()]) else { break };
            range = self.by_condition(function, operand, range, edge);
            at = self.conditional[edge.from.index()];
        }
        range
    }

    /// What the condition of an edge says of an operand.
    fn by_condition(&self, function: &Function, operand: Operand, range: Range, edge: Edge) -> Range {
        let Some((condition, holds)) = condition(function, edge) else { return range };
        let Some(data) = function.defining(condition).map(|instruction| function.instruction(instruction))
        else {
            return range;
        };
        let is_signed = match data.operation.opcode() {
            Some(Opcode::Ucmp) => false,
            Some(Opcode::Scmp) => true,
            _ => return range,
        };
        let [a, b] = data.operands[..] else { return range };
        let (other, is_left) = match () {
            () if a == operand => (b, true),
            () if b == operand => (a, false),
            () => return range,
        };
        let how = data.operation.qualifier(SlotName::Cop);
        match (how, self.of_operand(function, other)) {
            (Some(how), Some(other)) if other.bits == range.bits => {
                transfer::compared(range, how, other, is_signed, is_left, holds)
            }
            _ => range,
        }
    }

    fn special(&self, register: SpecialRegister) -> Range {
        let of = |least: u32, greatest: u32| Range::of_unsigned(least.into(), greatest.into(), 32);
        let size = |dimension: Dimension| {
            let size = self.size?;
            Some(match dimension {
                Dimension::X => size[0],
                Dimension::Y => size[1],
                Dimension::Z => size[2],
            })
        };
        match register {
            SpecialRegister::LaneId => of(0, 31),
            SpecialRegister::SubgroupSize => of(32, 32),
            SpecialRegister::WorkDim => of(1, 3),
            SpecialRegister::LocalId(dimension) => {
                size(dimension).map_or(Range::full(32), |size| of(0, size.saturating_sub(1)))
            }
            // No work-group is partial where a size is required.
            SpecialRegister::LocalSize(dimension) | SpecialRegister::EnqueuedLocalSize(dimension) => {
                size(dimension).map_or(Range::full(32), |size| of(size, size))
            }
            _ => Range::full(register.bits()),
        }
    }

    /// Looks at everything once; whether something has changed.
    fn round(&mut self, function: &Function, flow: &ControlFlow, masks: &MaskFacts, mode: Mode) -> bool {
        let mut changed = false;
        for &block in flow.reverse_post_order() {
            for (number, &parameter) in function.block(block).parameters.iter().enumerate() {
                let Some(full) = full(function.value(parameter).ty) else { continue };
                let range = self.parameter(function, flow, block, number, full, mode);
                changed |= self.set(parameter, range, masks);
            }
            for &instruction in &function.block(block).instructions {
                let data = function.instruction(instruction);
                for &result in &data.results {
                    let Some(full) = full(function.value(result).ty) else { continue };
                    let range = self.result(function, block, data, full);
                    changed |= self.set(result, Some(range), masks);
                }
            }
        }
        changed
    }

    fn set(&mut self, value: Value, range: Option<Range>, masks: &MaskFacts) -> bool {
        let range = range.map(|range| match range.bits {
            32 => {
                let fact = masks.fact(value);
                range.meet(Range::of_unsigned(fact.ones.into(), (!fact.zeros).into(), 32))
            }
            _ => range,
        });
        std::mem::replace(&mut self.ranges[value.index()], range) != range
    }

    fn parameter(
        &self,
        function: &Function,
        flow: &ControlFlow,
        block: Block,
        number: usize,
        full: Range,
        mode: Mode,
    ) -> Option<Range> {
        if function.entry() == Some(block) {
            return Some(full);
        }
        let parameter = function.block(block).parameters[number];
        let mut all: Option<Range> = None;
        let mut is_head = false;
        for edge in flow.reachable_predecessors(block) {
            is_head |= flow.order(edge.from) >= flow.order(block);
            let Some(&argument) = function.targets(edge.from)[edge.number as usize].arguments.get(number)
            else {
                continue;
            };
            let is_reached = argument.value().is_none_or(|value| self.ranges[value.index()].is_some());
            // What has not been reached says nothing yet.
            if is_reached && let Some(range) = self.on_edge(function, argument, edge) {
                all = Some(all.map_or(range, |all| all.join(range)));
            }
        }
        match (mode, is_head, self.range(parameter)) {
            (Mode::GiveUp, true, _) => Some(full),
            (Mode::Widen, true, Some(before)) => {
                all.map(|all| before.join(all).widen(before, &self.steps, &self.signed_steps))
            }
            _ => all,
        }
    }
}

/// A scalar integer's range before anything is known.
fn full(ty: RegisterType) -> Option<Range> {
    (!ty.is_vector() && (8..=64).contains(&ty.bits)).then(|| Range::full(ty.bits))
}

/// The predicate that an edge depends on and what it is there; `None` if lanes come over it whatever it is.
fn condition(function: &Function, edge: Edge) -> Option<(Value, bool)> {
    let (condition, taken) = match &function.block(edge.from).terminator {
        Terminator::Branch { condition, taken, otherwise } if taken.block != otherwise.block => {
            (condition, edge.number == 0)
        }
        Terminator::ReturnIf { condition, .. } => (condition, false),
        _ => return None,
    };
    match *condition {
        Operand::Value(value) => Some((value, taken)),
        Operand::Negated(value) => Some((value, !taken)),
        _ => None,
    }
}

/// The opposite of a comparison of integers.
fn opposite(how: Qualifier) -> Option<Qualifier> {
    Some(match how {
        Qualifier::Eq => Qualifier::Ne,
        Qualifier::Ne => Qualifier::Eq,
        Qualifier::Lt => Qualifier::Ge,
        Qualifier::Ge => Qualifier::Lt,
        Qualifier::Gt => Qualifier::Le,
        Qualifier::Le => Qualifier::Gt,
        _ => return None,
    })
}
