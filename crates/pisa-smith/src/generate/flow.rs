//! Control flow, calls and what work-items do together.

use super::{Generator, Region, RegionKind, pool_register};
use crate::registers;
use crate::tree::{Call, Condition, Operand, Statement, Target, Trips};

impl Generator<'_> {
    /// A statement of one of the kinds 23 to 35.
    pub(super) fn flow(&mut self, kind: usize, size: usize) -> Option<Statement> {
        match kind {
            23 | 24 => Some(self.branch(size)),
            25 => self.repetition(size),
            26 => Some(self.block(size)),
            27 => Some(self.scope(size)),
            28 => self.jump(),
            29 => self.call(),
            30 => self.together(),
            32 | 33 => self.mark(),
            34 => self.jump_anywhere(),
            35 => self.tangle(size),
            _ => match self.choices.below(4) {
                0 => Some(Statement::Return(self.condition())),
                1 => self.together(),
                _ => self.jump(),
            },
        }
    }

    pub(super) fn condition(&mut self) -> Condition {
        match self.choices.below(8) {
            0..=3 => {
                let all = registers::pool(1, 1);
                Condition::Predicate {
                    register: self.choices.pick(&all),
                    negated: self.choices.below(2) == 1,
                }
            }
            4 => Condition::Lanes(self.choices.below(33) as u32),
            5 => Condition::Group(self.choices.below(2) as u32),
            _ => {
                let all = registers::pool(1, 32);
                Condition::Bit(self.choices.pick(&all), self.choices.below(32) as u32)
            }
        }
    }

    /// A region's body; `uniform`: all that come to the region run it together.
    fn region(
        &mut self,
        kind: RegionKind,
        uniform: bool,
        size: usize,
        turns: usize,
    ) -> (u32, Vec<Statement>) {
        let id = self.next_region;
        self.next_region += 1;
        let uniform = uniform && self.is_uniform();
        self.regions.push(Region { id, kind, uniform });
        self.weight *= turns;
        let size = if self.regions.len() > 4 { 1 } else { 1 + self.choices.below(size.clamp(1, 6)) };
        let body = self.body(size);
        self.weight /= turns;
        self.regions.pop();
        (id, body)
    }

    fn branch(&mut self, size: usize) -> Statement {
        let condition = self.condition();
        let uniform = matches!(condition, Condition::Group(_));
        let (id, then) = self.region(RegionKind::Plain, uniform, size, 1);
        // The other way is in the same region: its jumps lead to the same end.
        let otherwise = if self.choices.below(2) == 1 {
            let uniform = uniform && self.is_uniform();
            self.regions.push(Region { id, kind: RegionKind::Plain, uniform });
            let count = 1 + self.choices.below(3);
            let body = self.body(count);
            self.regions.pop();
            body
        } else {
            Vec::new()
        };
        Statement::If { id, condition, then, otherwise }
    }

    fn repetition(&mut self, size: usize) -> Option<Statement> {
        if self.weight > 12 {
            return None;
        }
        let trips = if self.choices.one_in(3) {
            Trips::Fixed(1 + self.choices.below(4) as u32)
        } else {
            let all = registers::pool(1, 32);
            Trips::Lane { register: self.choices.pick(&all), test_first: self.choices.below(2) == 0 }
        };
        let (turns, uniform) = match trips {
            Trips::Fixed(n) => (n as usize, true),
            Trips::Lane { .. } => (4, false),
        };
        let (id, body) = self.region(RegionKind::Loop, uniform, size, turns);
        Some(Statement::Loop { id, trips, body })
    }

    pub(super) fn block(&mut self, size: usize) -> Statement {
        let (id, body) = self.region(RegionKind::Plain, false, size, 1);
        Statement::Block { id, body }
    }

    fn scope(&mut self, size: usize) -> Statement {
        let mut shadowed = Vec::new();
        for _ in 0..self.choices.below(4) {
            let register = pool_register(self.choices);
            // Wide vectors take too many instructions to fill.
            if register.info().elements <= 4 && !shadowed.contains(&register) {
                shadowed.push(register);
            }
        }
        self.pay(2 * shadowed.len());
        let (id, body) = self.region(RegionKind::Scope, true, size, 1);
        Statement::Scope { id, shadowed, body }
    }

    /// A jump out of regions around, or to the next turn of a loop.
    fn jump(&mut self) -> Option<Statement> {
        let reachable: Vec<Region> =
            self.regions.iter().rev().take_while(|region| !region.uniform).copied().collect();
        if reachable.is_empty() {
            return None;
        }
        let to = self.choices.pick(&reachable);
        if to.kind == RegionKind::Loop && self.choices.below(2) == 1 {
            return Some(Statement::Continue { to: to.id, condition: self.condition() });
        }
        let condition = (!self.choices.one_in(8)).then(|| self.condition());
        Some(Statement::Leave { to: to.id, condition })
    }

    fn call(&mut self) -> Option<Statement> {
        if self.functions.is_empty() || self.calls == 0 {
            return None;
        }
        // A function calls at most twice in two levels below the kernel's call.
        if !self.is_kernel && self.weight > 1 {
            return None;
        }
        if self.is_kernel && !self.pay(7 * super::FUNCTION_BUDGET / 4) {
            return None;
        }
        self.calls -= 1;
        let function = self.choices.below(self.functions.len());
        let condition = (self.choices.below(2) == 1).then(|| self.condition());
        let target = match self.choices.below(4) {
            2 => Target::Register,
            3 if function < 2 && self.functions.len() >= 2 => {
                let all = registers::pool(1, 32);
                Target::Table(Operand::Register(self.choices.pick(&all)))
            }
            _ => Target::Name,
        };
        let signature = &self.functions[function];
        let result = signature.result.as_ref().map(|(register, _)| *register);
        let parameters = signature.parameters.clone();
        let arguments = parameters
            .iter()
            .map(|parameter| {
                let info = parameter.info();
                if info.elements == 1 && info.bits < 128 {
                    return self.readable(u32::from(info.bits));
                }
                let all = registers::pool(info.elements, info.bits);
                Operand::Register(self.choices.pick(&all))
            })
            .collect();
        let result = result.map(|register| {
            let info = register.info();
            let all = registers::pool(info.elements, info.bits);
            self.choices.pick(&all)
        });
        Some(Statement::Call(Call { function, condition, target, arguments, result }))
    }

    /// A barrier or an exchange, where all of a work-group are.
    fn together(&mut self) -> Option<Statement> {
        if !self.is_uniform() || !self.pay(12) {
            return None;
        }
        if self.choices.one_in(3) {
            return Some(Statement::Barrier { through_call: self.choices.below(2) == 1 });
        }
        let all = registers::pool(1, 32);
        Some(Statement::Exchange {
            source: self.choices.pick(&all),
            destination: self.choices.pick(&all),
            distance: 1 + self.choices.below(70) as u32,
        })
    }
}
