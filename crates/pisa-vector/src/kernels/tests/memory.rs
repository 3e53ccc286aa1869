//! Planes of a batch for the operands of a case, with values that matter.

use pisa_isa::{Opcode, Qualifier};

use super::Random;
use super::case::{Case, Storage};
use crate::batch::{Batch, Handler, LANES, MAX_BATCH, Op, Plane};

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct Block([u8; 64]);

/// The two areas of a batch.
#[derive(Clone, PartialEq, Eq)]
pub struct Memory {
    areas: [Vec<Block>; 2],
    /// Plane of each register.
    planes: Vec<Plane>,
    count: usize,
}

fn bytes(area: &[Block]) -> &[u8] {
    // SAFETY: blocks are 64 bytes without padding.
    unsafe { std::slice::from_raw_parts(area.as_ptr().cast(), area.len() * 64) }
}
fn bytes_mut(area: &mut [Block]) -> &mut [u8] {
    // SAFETY: blocks are 64 bytes without padding, and every byte is one.
    unsafe { std::slice::from_raw_parts_mut(area.as_mut_ptr().cast(), area.len() * 64) }
}

fn low(bits: u32) -> u128 {
    if bits >= 128 { !0 } else { (1 << bits) - 1 }
}

/// A value of the width that is likely to matter.
fn value(random: &mut Random, bits: u32, float: Option<Qualifier>) -> u128 {
    let any = |random: &mut Random| (random.word() as u128) << 64 | random.word() as u128;
    let layout = float.and_then(|float| match float {
        Qualifier::Hf | Qualifier::Hfx2 => Some((5, 10)),
        Qualifier::Bf | Qualifier::Bfx2 => Some((8, 7)),
        Qualifier::F => Some((8, 23)),
        Qualifier::Df => Some((11, 52)),
        _ => None,
    });
    let value = match (layout, random.below(8)) {
        (_, 0) => any(random),
        (Some((exponent, fraction)), kind) => {
            let sign = (random.below(2) as u128) << (exponent + fraction);
            let bias = (1u128 << (exponent - 1)) - 1;
            let infinity = ((1u128 << exponent) - 1) << fraction;
            let noise = any(random) & low(fraction);
            sign | match kind {
                1 => random.pick(&[
                    0,
                    1,
                    infinity,
                    infinity - 1,
                    infinity + 1,
                    1 << fraction,
                    (1 << fraction) - 1,
                ]),
                2 => infinity | noise,
                3 => noise,
                // Halves and small integers: ties.
                4 => (bias + random.below(8) as u128) << fraction | noise & !low(fraction - 3),
                // Around the limits of the integer types.
                5 => {
                    ((bias + random.pick(&[7, 8, 15, 16, 31, 32, 63, 64])) << fraction
                        | noise & !low(fraction - 3))
                        & low(exponent + fraction)
                }
                _ => {
                    (bias + random.below(40) as u128).saturating_sub(20) << fraction
                        & low(exponent + fraction)
                        | noise
                }
            }
        }
        (None, 1) => random.below(80) as u128,
        (None, 2) => (random.below(80) as u128).wrapping_neg(),
        (None, 3) => 1 << random.below(bits.max(1) as usize),
        (None, 4) => low(bits) >> 1,
        (None, 5) => (low(bits) >> 1) + 1,
        (None, 6) => random.pick(&[0, low(bits), 1, 2]),
        // Address tags (D-24).
        (None, _) if random.one_in(2) => (random.below(4) as u128) << 48 | random.word() as u128 >> 32,
        (None, _) => any(random),
    };
    value & low(bits)
}

impl Memory {
    /// Planes for `count` sub-groups, filled.
    pub fn new(case: &Case, count: usize, random: &mut Random) -> Memory {
        let mut sizes = [64u32; 2];
        let mut planes = Vec::new();
        for storage in &case.registers {
            let area = storage.immediate as usize;
            let size = if storage.bits == 1 { 4 } else { storage.elements * storage.bits * 4 };
            planes.push(Plane(sizes[area] | if storage.immediate { Plane::FIXED } else { 0 }));
            // A gap after each plane shows writes beyond it.
            sizes[area] += size.next_multiple_of(64) + 64;
        }
        let areas = sizes.map(|size| {
            let block = |_| Block(std::array::from_fn(|_| 0));
            (0..size as usize * count / 64).map(block).collect()
        });
        let mut memory = Memory { areas, planes, count };
        for area in &mut memory.areas {
            bytes_mut(area).fill_with(|| random.word() as u8);
        }
        for (register, storage) in case.registers.iter().enumerate() {
            memory.fill(case, register, *storage, random);
        }
        memory
    }

    fn fill(&mut self, case: &Case, register: usize, storage: Storage, random: &mut Random) {
        let bits = storage.bits;
        // Cross-lane masks and indices of vectors are mostly the same in all lanes, or small.
        let uniform = storage.immediate || random.one_in(4);
        let dynamic =
            matches!(case.opcode(), Opcode::ExtractDynamic | Opcode::InsertDynamic) && random.one_in(2);
        for element in 0..storage.elements {
            let same = value(random, bits, storage.float);
            for group in 0..self.count {
                for lane in 0..LANES {
                    let value = match (uniform, dynamic) {
                        (true, _) => same,
                        (_, true) => random.below(5) as u128,
                        _ => value(random, bits, storage.float),
                    };
                    self.set(register, bits, element, group, lane, value);
                }
            }
        }
    }

    fn place(&self, register: usize, bits: u32, element: u32, group: usize, lane: usize) -> (usize, usize) {
        let plane = self.planes[register].0;
        let base = (plane & !Plane::FIXED) as usize * self.count;
        let offset = if bits == 1 {
            group * 4
        } else {
            ((element as usize * self.count + group) * LANES + lane) * bits as usize / 8
        };
        ((plane >> 31) as usize, base + offset)
    }

    /// One lane of an element.
    pub fn get(&self, register: usize, bits: u32, element: u32, group: usize, lane: usize) -> u128 {
        let (area, at) = self.place(register, bits, element, group, lane);
        let bytes = &bytes(&self.areas[area])[at..];
        if bits == 1 {
            let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            return (word >> lane & 1) as u128;
        }
        (0..bits as usize / 8).rev().fold(0, |value, i| value << 8 | bytes[i] as u128)
    }

    /// Sets one lane of an element.
    pub fn set(&mut self, register: usize, bits: u32, element: u32, group: usize, lane: usize, value: u128) {
        let (area, at) = self.place(register, bits, element, group, lane);
        let bytes = &mut bytes_mut(&mut self.areas[area])[at..];
        if bits == 1 {
            let bit = 1 << (lane % 8);
            bytes[lane / 8] = bytes[lane / 8] & !bit | if value & 1 != 0 { bit } else { 0 };
            return;
        }
        for (i, byte) in bytes.iter_mut().enumerate().take(bits as usize / 8) {
            *byte = (value >> (8 * i)) as u8;
        }
    }

    /// All elements of an operand in one lane; a predicate with its negation.
    pub fn read(&self, case: &Case, operand: usize, group: usize, lane: usize) -> Vec<u128> {
        let slot = case.operands[operand];
        (0..slot.elements)
            .map(|e| self.get(slot.register, slot.bits, slot.first + e, group, lane) ^ slot.negated as u128)
            .collect()
    }

    /// Sets all elements of an operand in one lane.
    pub fn write(&mut self, case: &Case, operand: usize, group: usize, lane: usize, value: &[u128]) {
        let slot = case.operands[operand];
        assert_eq!(value.len(), slot.elements as usize);
        for (e, &value) in value.iter().enumerate() {
            assert_eq!(value, value & low(slot.bits), "the model's result is too wide");
            self.set(slot.register, slot.bits, slot.first + e as u32, group, lane, value);
        }
    }

    /// Runs a handler on these planes.
    pub fn run(&mut self, case: &Case, handler: Handler, extra: u32, masks: [u32; MAX_BATCH]) {
        let mut operands = [Plane::default(); 6];
        let mut negated = 0;
        for (i, slot) in case.operands.iter().enumerate() {
            operands[i] =
                self.planes[slot.register].element(slot.first, if slot.bits == 1 { 0 } else { slot.bits });
            negated |= (slot.negated as u8) << i;
        }
        let full = masks[..self.count].iter().all(|&mask| mask == !0);
        let [registers, fixed] = &mut self.areas;
        let areas = [registers.as_mut_ptr().cast(), fixed.as_mut_ptr().cast()];
        let batch = Batch { areas, count: self.count, masks, full };
        let op = Op { run: handler, operands, negated, extra };
        // SAFETY: the planes were laid out for this batch and case, and the host has the handler's level.
        unsafe { handler(&batch, &op) }
    }

    /// The lanes that differ from what was expected, in words.
    pub fn difference(&self, case: &Case, before: &Memory, expected: &Memory) -> String {
        let mut text = String::new();
        for (register, storage) in case.registers.iter().enumerate() {
            for element in 0..storage.elements {
                for group in 0..self.count {
                    for lane in 0..LANES {
                        let at = |m: &Memory| m.get(register, storage.bits, element, group, lane);
                        if at(self) != at(expected) && text.len() < 2000 {
                            let sources: Vec<_> =
                                (0..case.operands.len()).map(|o| before.read(case, o, group, lane)).collect();
                            text += &format!(
                                "r{register}[{element}] sub-group {group} lane {lane}: {:#x}, expected {:#x}, operands {sources:x?}\n",
                                at(self),
                                at(expected),
                            );
                        }
                    }
                }
            }
        }
        if text.is_empty() { "a write outside of the planes".into() } else { text }
    }
}
