//! Every form of the computing chapters with every combination of qualifiers, on random planes, against [`model`].

mod case;
mod examples;
mod host;
mod memory;
mod model;

use pisa_isa::{Chapter, FORMS, Form, Opcode};

use crate::batch::{LANES, MAX_BATCH};
use crate::level::Level;
use case::Case;
use memory::Memory;

/// Reproducible random numbers (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() >> 33) as usize % n
    }
    /// True once in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub fn levels() -> impl Iterator<Item = Level> {
    [Level::Plain, Level::Avx2, Level::Avx512].into_iter().filter(|&level| level <= Level::host())
}

fn masks(random: &mut Random, count: usize) -> [u32; MAX_BATCH] {
    let full = random.one_in(3);
    std::array::from_fn(|group| {
        if group >= count {
            0
        } else if full {
            !0
        } else {
            match random.below(5) {
                0 => !0,
                1 => 0,
                2 => 1 << random.below(LANES),
                _ => random.word() as u32,
            }
        }
    })
}

fn check(form: &Form, random: &mut Random, rounds: usize) {
    for qualifiers in case::combinations(form) {
        for _ in 0..rounds {
            let case = Case::new(form, qualifiers, random);
            let handlers: Vec<_> = levels()
                .map(|level| {
                    let selected = super::select(&case.instruction, &case.function, level);
                    (level, selected.unwrap_or_else(|| panic!("no handler for {case}")))
                })
                .collect();
            let count = 1 + random.below(MAX_BATCH);
            let masks = masks(random, count);
            let before = Memory::new(&case, count, random);
            let mut expected = before.clone();
            for (group, &mask) in masks.iter().enumerate().take(count) {
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
                    let inputs = model::Inputs { case: &case, memory: &before, group, lane, mask };
                    for (operand, value) in inputs.results() {
                        expected.write(&case, operand, group, lane, &value);
                    }
                }
            }
            for (level, (handler, extra)) in handlers {
                let mut memory = before.clone();
                memory.run(&case, handler, extra, masks);
                if memory != expected {
                    panic!(
                        "{case} at {level:?}, {count} sub-groups, masks {masks:08x?}\n{}",
                        memory.difference(&case, &before, &expected)
                    );
                }
            }
        }
    }
}

fn check_opcodes(opcodes: impl Fn(Opcode) -> bool, rounds: usize) {
    let mut checked = 0;
    for (i, form) in FORMS.iter().enumerate().filter(|(_, form)| opcodes(form.opcode)) {
        check(form, &mut Random::new(i as u64 + 1), rounds);
        checked += 1;
    }
    assert!(checked > 0);
}

fn is_conversion(opcode: Opcode) -> bool {
    use Opcode::{F2i, Fext, Frnd, Ftrunc, Ftrunc2, I2f, Pf2i};
    matches!(opcode, F2i | Fext | Frnd | Ftrunc | Ftrunc2 | I2f | Pf2i)
}

#[test]
fn arithmetic() {
    check_opcodes(|opcode| opcode.chapter() == Chapter::Arithmetic, 40);
}

#[test]
fn logic() {
    check_opcodes(|opcode| opcode.chapter() == Chapter::Logical && opcode != Opcode::Bfn, 40);
}

#[test]
fn truth_tables() {
    check_opcodes(|opcode| opcode == Opcode::Bfn, 2);
}

#[test]
fn comparison() {
    check_opcodes(|opcode| opcode.chapter() == Chapter::Comparison, 40);
}

#[test]
fn movement() {
    let movement = |opcode: Opcode| opcode.chapter() == Chapter::DataMovement && opcode != Opcode::Addrof;
    check_opcodes(|opcode| movement(opcode) && !is_conversion(opcode), 60);
}

#[test]
fn conversion() {
    check_opcodes(is_conversion, 12);
}

#[test]
fn cross_lane() {
    check_opcodes(|opcode| opcode.chapter() == Chapter::CrossLane, 60);
}

#[test]
fn floating_point() {
    check_opcodes(|opcode| opcode.chapter() == Chapter::FloatingPoint, 12);
}

/// Everything else is the engine's: no handler.
#[test]
fn only_computing_instructions_have_handlers() {
    let others = [Chapter::ControlFlow, Chapter::Memory, Chapter::Synchronization];
    let mut random = Random::new(1);
    for form in FORMS {
        if others.contains(&form.opcode.chapter()) || form.opcode == Opcode::Addrof {
            let case = Case::bare(form, &mut random);
            assert!(super::select(&case.instruction, &case.function, Level::Plain).is_none(), "{case}");
        }
    }
}
