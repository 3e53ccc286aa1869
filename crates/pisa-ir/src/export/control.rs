//! Ends of blocks: jumps, returns, labels, and the copies that edges need.

use super::copies::Copy;
use super::emit::{Emitter, Scratch};
use super::roles::Role;
use crate::{Block, Operand, Target, Terminator};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{Label, LabelId, Operand as MachineOperand, RegisterType};

/// Labels of a function while its code is made.
#[derive(Default)]
pub(super) struct Labels {
    /// Of each block that is jumped to, by its index.
    of_block: Vec<Option<LabelId>>,
    /// Where each stands; the block whose name it takes.
    all: Vec<(u32, Option<Block>)>,
}

impl Labels {
    pub(super) fn new(blocks: usize) -> Labels {
        Labels { of_block: vec![None; blocks], all: Vec::new() }
    }
    fn of(&mut self, block: Block) -> LabelId {
        let all = &mut self.all;
        *self.of_block[block.index()].get_or_insert_with(|| {
            all.push((0, Some(block)));
            LabelId(all.len() as u32 - 1)
        })
    }
    fn fresh(&mut self) -> LabelId {
        self.all.push((0, None));
        LabelId(self.all.len() as u32 - 1)
    }
}

/// What happens on one way out of a block.
struct Way<'t> {
    target: &'t Target,
    copies: Vec<Copy>,
}

impl Emitter<'_> {
    /// Everything: code and labels.
    pub(super) fn run(
        &mut self,
        result: Option<RegisterType>,
        is_kernel: bool,
    ) -> Result<Vec<Label>, String> {
        let mut labels = Labels::new(self.function.blocks.len());
        let mut starts = vec![0; self.function.blocks.len()];
        for (number, &block) in self.function.layout.iter().enumerate() {
            starts[block.index()] = self.code.len() as u32;
            self.instructions(block)?;
            let data = self.function.block(block);
            self.place = data.place.unwrap_or(self.function.place);
            let next = self.function.layout.get(number + 1).copied();
            self.terminator(block, next, is_kernel, &mut labels)?;
        }
        // The last instruction of a function that gives a value is `return` (C-08), even where control never gets.
        let returns = |code: &pisa_module::Instruction| {
            code.row().opcode == Opcode::Return && code.qualifier(SlotName::Cond).is_none()
        };
        if let Some(ty) = result.filter(|_| !self.code.last().is_some_and(returns)) {
            let value = if ty.is_vector() {
                MachineOperand::Register(self.scratch(ty, Scratch::Unused))
            } else {
                MachineOperand::Immediate { bits: 0, sign_extend: false }
            };
            self.push_named(Opcode::Return, 0, &[], [value]);
        }
        for (target, block) in &mut labels.all {
            if let Some(block) = block {
                *target = starts[block.index()];
            }
        }
        Ok(self.name_labels(&labels))
    }

    /// Labels in the order of the code, with names of their own.
    fn name_labels(&mut self, labels: &Labels) -> Vec<Label> {
        let mut order: Vec<usize> = (0..labels.all.len()).collect();
        order.sort_by_key(|&label| labels.all[label].0);
        let mut number_of = vec![LabelId(0); labels.all.len()];
        for (number, &label) in order.iter().enumerate() {
            number_of[label] = LabelId(number as u32);
        }
        for instruction in &mut self.code {
            for operand in &mut instruction.operands {
                if let MachineOperand::Label(label) = operand {
                    *label = number_of[label.index()];
                }
            }
        }
        let name_of =
            |label: usize| self.function.name(labels.all[label].1.and_then(|b| self.function.block(b).name));
        let mut given = super::names::Given::default();
        let mut names: Vec<Option<String>> = Vec::with_capacity(order.len());
        for &label in &order {
            let name = name_of(label).filter(|name| super::names::is_identifier(name));
            names.push(name.map(|name| given.unique(name)));
        }
        let place = self.function.place;
        let label = |(&label, name): (&usize, Option<String>)| {
            let name = name.unwrap_or_else(|| given.numbered("L", 1));
            Label { name: name.into(), target: labels.all[label].0, place }
        };
        order.iter().zip(names).map(label).collect()
    }

    fn terminator(
        &mut self,
        block: Block,
        next: Option<Block>,
        is_kernel: bool,
        labels: &mut Labels,
    ) -> Result<(), String> {
        let function = self.function;
        match &function.block(block).terminator {
            Terminator::Goto(target) => self.go(target, next, labels),
            Terminator::Branch { condition: Operand::Constant(constant), taken, otherwise } => {
                self.go(if constant.bits() == 1 { taken } else { otherwise }, next, labels)
            }
            Terminator::Branch { condition, taken, otherwise } => {
                let taken = Way { target: taken, copies: self.copies(taken)? };
                let otherwise = Way { target: otherwise, copies: self.copies(otherwise)? };
                self.branch(block, *condition, taken, otherwise, next, labels)
            }
            Terminator::Return(None) if is_kernel && next.is_none() => Ok(()),
            Terminator::Return(value) => self.leave(None, *value),
            Terminator::ReturnIf { condition: Operand::Constant(constant), value, otherwise } => {
                if constant.bits() == 1 { self.leave(None, *value) } else { self.go(otherwise, next, labels) }
            }
            Terminator::ReturnIf { condition, value, otherwise } => {
                self.leave(Some(*condition), *value)?;
                self.go(otherwise, next, labels)
            }
        }
    }

    /// On to a block.
    fn go(&mut self, target: &Target, next: Option<Block>, labels: &mut Labels) -> Result<(), String> {
        let copies = self.copies(target)?;
        self.copy_all(&copies)?;
        self.jump(target.block, next, labels);
        Ok(())
    }

    fn jump(&mut self, block: Block, next: Option<Block>, labels: &mut Labels) {
        if next != Some(block) {
            let label = labels.of(block);
            self.push_named(Opcode::Goto, 0, &[], [MachineOperand::Label(label)]);
        }
    }

    fn jump_if(&mut self, condition: Operand, negated: bool, label: LabelId) -> Result<(), String> {
        let mut guard = self.operand(condition, Role::Guard)?;
        if let MachineOperand::Predicate { negated: sign, .. } = &mut guard {
            *sign ^= negated;
        }
        let operands = [guard, MachineOperand::Label(label)];
        self.push_named(Opcode::Goto, 1, &[(SlotName::Cond, Qualifier::Cond)], operands);
        Ok(())
    }

    fn leave(&mut self, condition: Option<Operand>, value: Option<Operand>) -> Result<(), String> {
        let guard = condition.map(|condition| self.operand(condition, Role::Guard)).transpose()?;
        let value = value.map(|value| self.operand(value, Role::Returned)).transpose()?;
        let qualifiers: &[_] = if guard.is_some() { &[(SlotName::Cond, Qualifier::Cond)] } else { &[] };
        let form = usize::from(guard.is_some());
        self.push_named(Opcode::Return, form, qualifiers, guard.into_iter().chain(value));
        Ok(())
    }

    /// A branch on a predicate; the module comment says why copies may stand where they do.
    fn branch(
        &mut self,
        block: Block,
        condition: Operand,
        taken: Way<'_>,
        otherwise: Way<'_>,
        next: Option<Block>,
        labels: &mut Labels,
    ) -> Result<(), String> {
        let (taken_to, otherwise_to) = (taken.target.block, otherwise.target.block);
        if taken_to == otherwise_to && taken.copies == otherwise.copies {
            self.copy_all(&taken.copies)?;
            self.jump(taken_to, next, labels);
            return Ok(());
        }
        // Two jumps back stay in their order: lanes of the second wait for those of the first.
        let both_back = self.is_back(block, taken_to) && self.is_back(block, otherwise_to);
        let (mut negated, mut jumps, mut falls) = (false, taken, otherwise);
        let swap = if next == Some(jumps.target.block) {
            next != Some(falls.target.block)
        } else {
            // What falls through has room for its copies.
            !both_back
                && next != Some(falls.target.block)
                && !jumps.copies.is_empty()
                && (falls.copies.is_empty()
                    || !self.before(condition, &jumps, &falls) && self.before(condition, &falls, &jumps))
        };
        if swap {
            (negated, jumps, falls) = (true, falls, jumps);
        }
        if jumps.copies.is_empty()
            || (self.before(condition, &jumps, &falls) && !self.leaves_loop(block, &jumps, &falls))
        {
            self.copy_all(&jumps.copies)?;
            let label = labels.of(jumps.target.block);
            self.jump_if(condition, negated, label)?;
            self.copy_all(&falls.copies)?;
            self.jump(falls.target.block, next, labels);
            return Ok(());
        }
        // A block of its own for the copies, right behind the branch.
        let stays = falls.copies.is_empty() && next == Some(falls.target.block);
        let label = if stays { labels.of(falls.target.block) } else { labels.fresh() };
        self.jump_if(condition, !negated, label)?;
        self.copy_all(&jumps.copies)?;
        // Behind it come the copies of the other way or its jump, so that the target is never next.
        let behind = if stays { next } else { None };
        self.jump(jumps.target.block, behind, labels);
        if !stays {
            labels.all[label.index()].0 = self.code.len() as u32;
            self.copy_all(&falls.copies)?;
            self.jump(falls.target.block, next, labels);
        }
        Ok(())
    }

    /// Whether control goes back, or to the block itself.
    fn is_back(&self, block: Block, target: Block) -> bool {
        self.points.start(target) <= self.points.start(block)
    }

    /// Whether the copies may be done before the branch: neither the branch nor the other way needs what they write over.
    fn before(&self, condition: Operand, way: &Way<'_>, other: &Way<'_>) -> bool {
        let condition = condition.value().and_then(|value| self.read(value)).map(|read| read.register);
        let start = self.points.start(other.target.block);
        way.copies.iter().all(|copy| {
            let needed =
                other.copies.iter().any(|other| other.to == copy.to || other.reads() == Some(copy.to));
            Some(copy.to) != condition
                && !needed
                && !self.classes.ranges(crate::Value(copy.to.0)).contains(start)
        })
    }

    /// Whether the copies would be done in every round of a loop for the way that leaves it.
    fn leaves_loop(&self, block: Block, way: &Way<'_>, other: &Way<'_>) -> bool {
        let depth = |block: Block| self.depths[block.index()];
        depth(way.target.block) < depth(block) && depth(other.target.block) >= depth(block)
    }
}
