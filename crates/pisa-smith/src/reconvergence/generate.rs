//! Random programs.

use super::tree::{
    ACCUMULATORS, Bits, Case, Condition, ConditionKind, Cross, Id, Mask, Observation, Program, Source,
    Statement,
};
use crate::choices::{Choices, mix};

impl Program {
    /// The program of that number. Programs that log too much are left out: the next try has fewer statements.
    pub fn generate(seed: u64) -> Program {
        let tries = (0..).map(|attempt: u64| {
            let mut maker = Maker {
                choices: Choices::Random(mix(mix(seed).wrapping_add(attempt))),
                left: 60 - 8 * attempt.min(6) as usize,
                tag: 0,
                next: 0,
                loops: Vec::new(),
                functions: 0,
                callable: 0..0,
            };
            maker.program()
        });
        let mut tries = tries;
        loop {
            // With twelve statements no program is too long.
            if let Some(program) = tries.next()
                && program.expected().is_some()
            {
                return program;
            }
        }
    }
}

struct Maker {
    choices: Choices,
    /// Statements that may still be made.
    left: usize,
    tag: u32,
    next: Id,
    /// The loops around.
    loops: Vec<Id>,
    functions: usize,
    /// Functions that may be called from here.
    callable: std::ops::Range<usize>,
}

/// Statements within statements within statements.
const DEPTH: usize = 5;

impl Maker {
    fn program(&mut self) -> Program {
        self.functions = self.choices.below(4);
        let whole = self.left;
        let mut functions = Vec::new();
        for number in 0..self.functions {
            self.callable = number + 1..self.functions;
            self.left = whole / 4;
            self.next = 0;
            functions.push(self.list(DEPTH - 2, 5));
        }
        self.callable = 0..self.functions;
        (self.left, self.next) = (whole, 0);
        let kernel = self.list(0, 8);
        let items = self.choices.pick(&[32, 32, 64, 1, 7, 20, 31, 33, 48, 100]);
        let data = (0..items).map(|_| self.choices.number() as u32).collect();
        Program { functions, kernel, items, data, uniform: self.choices.number() as u32 }
    }

    fn list(&mut self, depth: usize, most: usize) -> Vec<Statement> {
        let count = 1 + self.choices.below(most);
        let mut list = Vec::new();
        for _ in 0..count {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let statement = self.statement(depth);
            list.push(statement);
            // What all lanes see together is seen often.
            if self.choices.below(3) == 0 {
                list.push(self.log());
            }
        }
        if list.is_empty() {
            list.push(self.log());
        }
        if depth > 0 && self.choices.one_in(8) {
            list.push(self.leaves());
        }
        list
    }

    fn log(&mut self) -> Statement {
        self.tag += 1;
        let value = match self.choices.below(8) {
            0 | 1 => Observation::ActiveMask,
            2 | 3 => Observation::Ballot(self.condition()),
            4 => Observation::Elect,
            5 => Observation::First,
            6 => Observation::Sum(self.source()),
            _ => Observation::Accumulator(self.accumulator()),
        };
        Statement::Log { tag: self.tag, value }
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let choice = self.choices.below(if depth < DEPTH { 18 } else { 9 });
        match choice {
            0..=2 => self.log(),
            3 | 4 => Statement::Cross {
                into: self.accumulator(),
                operation: self.cross(),
                source: self.source(),
                mask: self.mask(),
            },
            5 => Statement::Mix { into: self.accumulator(), source: self.source() },
            6 | 7 if !self.loops.is_empty() => {
                let id = self.around();
                let condition = Some(self.condition());
                if self.choices.below(2) == 0 {
                    Statement::Break { id, condition }
                } else {
                    Statement::Continue { id, condition }
                }
            }
            6 if self.choices.below(2) == 0 => Statement::Return { condition: Some(self.condition()) },
            7 | 8 if !self.callable.is_empty() => {
                let function = self.callable.start + self.choices.below(self.callable.len());
                let condition = (self.choices.below(2) == 0).then(|| self.condition());
                Statement::Call { function, condition }
            }
            6..=8 => self.log(),
            9..=12 => {
                let condition = self.condition();
                let then = self.list(depth + 1, 4);
                let otherwise = if self.choices.below(2) == 0 { self.list(depth + 1, 4) } else { Vec::new() };
                Statement::If { condition, then, otherwise }
            }
            13..=15 if self.loops.len() < 3 => {
                let id = self.id();
                let (trips, test_first) = (self.bits(), self.choices.below(2) == 0);
                self.loops.push(id);
                let body = self.list(depth + 1, 5);
                self.loops.pop();
                Statement::Loop { id, trips, test_first, body }
            }
            _ => {
                let (id, selector) = (self.id(), self.bits());
                let count = 2 + self.choices.below(3);
                let mut cases = Vec::new();
                for _ in 0..count {
                    let body = self.list(depth + 1, 2);
                    cases.push(Case { body, falls_through: self.choices.one_in(4) });
                }
                Statement::Switch { id, selector, cases }
            }
        }
    }

    /// Leaves the list for good.
    fn leaves(&mut self) -> Statement {
        match (self.loops.is_empty(), self.choices.below(3)) {
            (false, 0) => Statement::Break { id: self.around(), condition: None },
            (false, 1) => Statement::Continue { id: self.around(), condition: None },
            _ => Statement::Return { condition: None },
        }
    }

    fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    /// A loop around, mostly the innermost.
    fn around(&mut self) -> Id {
        let inner = self.loops.len() - 1;
        let at = if self.choices.one_in(4) { self.choices.below(inner + 1) } else { inner };
        self.loops[at]
    }

    fn accumulator(&mut self) -> usize {
        self.choices.below(ACCUMULATORS)
    }

    fn source(&mut self) -> Source {
        match self.choices.below(4) {
            0 => Source::Lane,
            1 => Source::Data,
            _ => Source::Accumulator(self.accumulator()),
        }
    }

    fn bits(&mut self) -> Bits {
        let at = self.choices.below(30) as u32;
        match self.choices.below(6) {
            0 | 1 => Bits::Fixed(1 + self.choices.below(3) as u32),
            2 => Bits::Lane(self.choices.below(4) as u32),
            3 | 4 => Bits::Data(at),
            _ => Bits::Uniform(at),
        }
    }

    fn mask_bits(&mut self) -> u32 {
        let random = self.choices.number() as u32;
        self.choices.pick(&[0x0000_ffff, 0xffff_0000, 0x5555_5555, 0x00ff_00ff, 1, 0x8000_0001, random])
    }

    fn mask(&mut self) -> Mask {
        match self.choices.below(6) {
            0..=2 => Mask::Constant(u32::MAX),
            3 => Mask::Constant(self.mask_bits()),
            4 => Mask::Active,
            _ => Mask::Ballot(self.condition()),
        }
    }

    fn cross(&mut self) -> Cross {
        let lanes = 1 + self.choices.below(31) as u32;
        match self.choices.below(14) {
            0 | 1 => Cross::Sum,
            2 => Cross::And,
            3 => Cross::Or,
            4 => Cross::Xor,
            5 => Cross::UnsignedLeast,
            6 => Cross::UnsignedLargest,
            7 => Cross::SignedLeast,
            8 => Cross::SignedLargest,
            9 => Cross::ShuffleUp(lanes),
            10 => Cross::ShuffleDown(lanes),
            11 => Cross::ShuffleXor(lanes),
            _ => Cross::ShuffleIndex(self.source()),
        }
    }

    fn condition(&mut self) -> Condition {
        let bit = self.choices.below(32) as u32;
        let kind = match self.choices.below(14) {
            0 => ConditionKind::LaneBelow(1 + bit),
            1 | 2 => ConditionKind::LaneIn(self.mask_bits()),
            3 | 4 => ConditionKind::Data(bit),
            5 => ConditionKind::Uniform(bit),
            6 => ConditionKind::Accumulator(self.accumulator(), bit),
            7 | 8 if !self.loops.is_empty() => {
                let id = self.around();
                match self.choices.below(2) {
                    0 => ConditionKind::TurnIsLane(id),
                    _ => ConditionKind::TurnBelow(id, 1 + bit % 3),
                }
            }
            9 => ConditionKind::First,
            10 => ConditionKind::FewerActive(1 + bit),
            11 => ConditionKind::Any(bit),
            12 => ConditionKind::All(bit),
            _ => ConditionKind::Data(bit),
        };
        Condition { kind, negated: self.choices.below(2) == 0 }
    }
}
