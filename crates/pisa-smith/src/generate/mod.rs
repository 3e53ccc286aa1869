//! From decisions to a program.

mod flow;
mod instruction;
mod jumps;
mod memory;

pub(crate) use memory::{AREA, COUNTERS, PARAMETER, SHARED_AREA};

use crate::choices::{Choices, Seed};
use crate::registers::{self, Register};
use crate::tree::{Function, Operand, Program, RegionId, Shape, Statement};
use std::collections::BTreeSet;

/// 32-lane instructions, about, that a sub-group may take in a program.
const BUDGET: usize = 1500;
/// Of these in one function.
const FUNCTION_BUDGET: usize = 60;

impl Program {
    /// A program from a seed or from bytes.
    pub fn generate(seed: impl Into<Seed>) -> Program {
        let mut choices = Choices::new(seed.into());
        let shape = shape(&mut choices);
        let data = choices.number();
        let style = choices.number();
        let split = if choices.one_in(4) { choices.number() } else { 0 };
        let mut functions = signatures(&mut choices);
        for i in 0..functions.len() {
            let mut generator = Generator::new(&mut choices, &functions, false, FUNCTION_BUDGET);
            let body = generator.whole_body(6);
            let result = functions[i].result.clone();
            let result = result.map(|(register, _)| (register, generator.returned(register)));
            functions[i].body = body;
            functions[i].result = result;
        }
        let size = 4 + choices.below(36);
        let kernel = Generator::new(&mut choices, &functions, true, BUDGET).whole_body(size);
        Program { shape, functions, kernel, data, zeroed: BTreeSet::new(), rows: 32, style, split }
    }
}

fn shape(choices: &mut Choices) -> Shape {
    let dimensions = 1 + choices.pick(&[0usize, 0, 0, 1, 2]);
    let mut shape = Shape { dimensions, global: [1; 3], local: [1; 3], offset: [0; 3] };
    let (sizes, counts): (&[u64], &[u64]) = match dimensions {
        1 => (&[32, 1, 7, 31, 33, 64, 65, 96, 128], &[1, 1, 2, 3]),
        2 => (&[8, 1, 3, 5, 11], &[1, 1, 2]),
        _ => (&[4, 1, 2, 3, 5], &[1, 1, 2]),
    };
    for d in 0..dimensions {
        shape.local[d] = choices.pick(sizes);
        shape.global[d] = shape.local[d] * choices.pick(counts);
        // A last work-group that is not full, or a single one that is not.
        if choices.one_in(3) && shape.global[d] > 1 {
            shape.global[d] -= choices.below(shape.local[d] as usize) as u64;
            shape.global[d] = shape.global[d].max(1);
        }
        if choices.one_in(3) {
            shape.offset[d] = choices.pick(&[1, 5, 1 << 20, u64::from(u32::MAX), 1 << 40]);
        }
    }
    shape
}

/// Functions without bodies. The first two, where there are as many, have one signature: calls choose between them.
fn signatures(choices: &mut Choices) -> Vec<Function> {
    let count = choices.below(5);
    let words = registers::pool(1, 32);
    let common = (words[..1 + choices.below(3)].to_vec(), Some(result_register(choices)));
    let mut functions = Vec::new();
    for i in 0..count {
        let (parameters, result) = if i < 2 {
            common.clone()
        } else {
            let mut parameters = Vec::new();
            for _ in 0..choices.below(4) {
                let register = pool_register(choices);
                if !parameters.contains(&register) && !register.is_predicate() {
                    parameters.push(register);
                }
            }
            let result = (!choices.one_in(3)).then(|| result_register(choices));
            (parameters, result)
        };
        let result = result.map(|register| (register, Operand::Register(register)));
        functions.push(Function { body: Vec::new(), parameters, result });
    }
    functions
}

/// What a function returns is scalar by the letter (W0027).
fn result_register(choices: &mut Choices) -> Register {
    let bits = choices.pick(&[32u16, 64, 16, 8, 128]);
    let all = registers::pool(1, bits);
    choices.pick(&all)
}

/// A register of the pool; scalars of 32 and 64 bits more often, and first.
fn pool_register(choices: &mut Choices) -> Register {
    let shapes: &[(u8, u16)] = &[
        (1, 32),
        (1, 32),
        (1, 32),
        (1, 64),
        (1, 16),
        (1, 8),
        (1, 128),
        (2, 16),
        (4, 8),
        (2, 32),
        (4, 32),
        (3, 32),
        (2, 64),
        (4, 16),
        (8, 32),
        (3, 64),
        (4, 64),
        (2, 8),
        (5, 32),
        (16, 32),
        (1, 1),
        (1, 1),
    ];
    let (elements, bits) = choices.pick(shapes);
    let all = registers::pool(elements, bits);
    choices.pick(&all)
}

/// A region around what is being made.
#[derive(Clone, Copy)]
struct Region {
    id: RegionId,
    kind: RegionKind,
    /// All of a work-group are in it: nothing may jump out of it, or some would miss a barrier.
    uniform: bool,
}

/// What a region is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RegionKind {
    Plain,
    Loop,
    /// Has registers of its own.
    Scope,
}

/// Makes one body.
pub(crate) struct Generator<'c> {
    choices: &'c mut Choices,
    functions: &'c [Function],
    is_kernel: bool,
    regions: Vec<Region>,
    next_region: RegionId,
    /// How often what is being made runs.
    weight: usize,
    budget: usize,
    /// Calls that may still be made in a function.
    calls: usize,
    jumps: jumps::Jumps,
}

impl<'c> Generator<'c> {
    fn new(
        choices: &'c mut Choices,
        functions: &'c [Function],
        is_kernel: bool,
        budget: usize,
    ) -> Generator<'c> {
        let calls = if is_kernel { 6 } else { 2 };
        Generator {
            choices,
            functions,
            is_kernel,
            regions: Vec::new(),
            next_region: 0,
            weight: 1,
            budget,
            calls,
            jumps: jumps::Jumps::new(is_kernel),
        }
    }

    /// Takes what this many instructions cost; whether there was as much.
    fn pay(&mut self, instructions: usize) -> bool {
        let cost = instructions * self.weight;
        let enough = cost <= self.budget;
        if enough {
            self.budget -= cost;
        }
        enough
    }

    /// Whether all work-items of a work-group run what is being made, together.
    fn is_uniform(&self) -> bool {
        self.is_kernel && self.regions.iter().all(|region| region.uniform)
    }

    /// The body of a function or the kernel.
    fn whole_body(&mut self, size: usize) -> Vec<Statement> {
        let mut body = self.body(size);
        self.jumps.resolve(&mut body);
        body
    }

    fn body(&mut self, size: usize) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..size {
            if !self.pay(2) {
                break;
            }
            let statement = self.statement(size);
            body.extend(statement);
        }
        body
    }

    fn statement(&mut self, size: usize) -> Option<Statement> {
        match self.choices.below(36) {
            0..=15 => Some(Statement::Lines(self.computation())),
            16..=21 => {
                self.pay(3);
                Some(Statement::Lines(self.memory()))
            }
            22 => Some(Statement::Dump(pool_register(self.choices))),
            kind => self.flow(kind, size),
        }
    }

    /// What a function returns: a register, an element, or an immediate.
    fn returned(&mut self, register: Register) -> Operand {
        let info = register.info();
        if info.elements > 1 || info.bits == 128 {
            let all = registers::pool(info.elements, info.bits);
            return Operand::Register(self.choices.pick(&all));
        }
        if self.choices.one_in(6) {
            return self.immediate(u32::from(info.bits), None);
        }
        self.scalar(u32::from(info.bits))
    }
}
