//! Random launches of kernels and functions.

use super::Launching;
use crate::run::signature;
use pisa_machine::{Argument, ElementType, Extent, Fill, LaunchFile, Value};
use pisa_module::{Function, FunctionKind, KernelParameter, RegisterType, Space};

/// 32-bit words of a buffer.
const WORDS: u64 = 4096;

/// A stream of random numbers (SplitMix64).
pub(super) struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.number() % n.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A launch of the kernel or function.
pub(super) fn random(function: &Function, random: &mut Random) -> Launching {
    match &function.kind {
        FunctionKind::Kernel { parameters, required_work_group_size, .. } => {
            kernel(&function.name, parameters, *required_work_group_size, random)
        }
        FunctionKind::Function { .. } => call(function, random),
    }
}

fn argument(name: Option<&str>, value: Value) -> Argument {
    let wrote = match name {
        Some(name) => format!("{name}={value}"),
        None => value.to_string(),
    };
    Argument { name: name.map(str::to_owned), value, wrote }
}

fn kernel(
    name: &str,
    parameters: &[KernelParameter],
    required: Option<[u32; 3]>,
    random: &mut Random,
) -> Launching {
    let (global, local) = match required {
        Some(size) => {
            let local = size.map(u64::from);
            let count = 1 + random.below(3);
            (vec![local[0] * count, local[1], local[2]], local.to_vec())
        }
        None => {
            let local = random.pick(&[32, 32, 32, 64, 1, 7, 20, 33, 48]);
            let global = local * (1 + random.below(2));
            // The last work-group may be a part of one.
            (vec![if random.below(4) == 0 { global + local / 2 } else { global }], vec![local])
        }
    };
    let arguments = parameters.iter().map(|parameter| {
        let value = match (parameter.size, parameter.space) {
            (4, Some(Space::Shared)) => Value::Shared(4 * WORDS),
            (8, _) => buffer(random, 4 * WORDS),
            (4, _) => scalar(random),
            (size, _) => Value::Bytes((0..size).map(|_| random.number() as u8).collect()),
        };
        argument(Some(&parameter.name), value)
    });
    let launch = LaunchFile {
        kernel: Some(name.to_owned()),
        arguments: arguments.collect(),
        global: Extent::new(&global),
        local: Extent::new(&local),
        ..LaunchFile::default()
    };
    Launching { launch, function: None, active: None }
}

fn scalar(random: &mut Random) -> Value {
    let bits = match random.below(4) {
        0 => random.number() & 0xffff_ffff,
        1 => u64::from((random.below(64) as f32 / 8.0).to_bits()),
        _ => random.pick(&[0, 1, 2, 3, 5, 16, 31, 32, 33, 64]),
    };
    Value::Scalar { ty: ElementType::U32, bits }
}

/// A buffer of so many bytes: anything, numbers in order, or small ones.
fn buffer(random: &mut Random, bytes: u64) -> Value {
    let ty = ElementType::U32;
    let fill = match random.below(8) {
        0 => Fill::Iota,
        1 => Fill::Same(random.below(40)),
        2 => {
            return Value::Made {
                ty: ElementType::F,
                count: bytes / 4,
                fill: Fill::Random(random.below(1000)),
            };
        }
        3 | 4 => {
            let elements = (0..bytes / 4).map(|_| random.below(40)).collect();
            return Value::List { ty, elements };
        }
        _ => Fill::Random(random.below(1000)),
    };
    Value::Made { ty, count: bytes / 4, fill }
}

/// A function, called by some lanes of each sub-group.
fn call(function: &Function, random: &mut Random) -> Launching {
    let items = random.pick(&[32, 32, 32, 64, 20, 7, 1]);
    let anything = random.number() as u32;
    let sparse = anything & random.number() as u32;
    let active =
        random.pick(&[u32::MAX, u32::MAX, anything, sparse | 1, 0x5555_5555, 0x0000_ffff, 0xffff_0000]);
    let types = signature(function).map_or_else(Vec::new, |(types, _)| types);
    let (mut arguments, mut buffers) = (Vec::new(), Vec::new());
    for (number, ty) in types.into_iter().enumerate() {
        let value = if !ty.is_vector() && ty.bits == 64 && random.below(4) != 0 {
            let name = format!("memory{number}");
            buffers.push(argument(Some(&name), buffer(random, 4 * WORDS)));
            Value::Pointer { name, offset: 0 }
        } else if !ty.is_vector() && ty.bits == 32 && random.below(8) == 0 {
            let name = format!("shared{number}");
            buffers.push(argument(Some(&name), Value::Shared(4 * WORDS)));
            Value::Pointer { name, offset: 0 }
        } else {
            by_lane(ty, items, random)
        };
        arguments.push(argument(None, value));
    }
    arguments.extend(buffers);
    let launch = LaunchFile {
        arguments,
        global: Extent::new(&[items]),
        local: Extent::new(&[items]),
        ..LaunchFile::default()
    };
    // Some lane calls it.
    let there = if items < 32 { (1 << items) - 1 } else { u32::MAX };
    let active = (active != u32::MAX && active & there != 0).then_some(active);
    Launching { launch, function: Some(function.name.to_string()), active }
}

/// A value for each work-item.
fn by_lane(ty: RegisterType, items: u64, random: &mut Random) -> Value {
    let element = match ty.bits {
        8 => ElementType::U8,
        16 => ElementType::U16,
        32 => ElementType::U32,
        _ => ElementType::U64,
    };
    let count = items * u64::from(ty.total_bits()) / 8 / element.bytes() as u64;
    let fill = match random.below(6) {
        0 => Fill::Iota,
        1 => Fill::Same(random.below(33)),
        2 | 3 => {
            let elements = (0..count).map(|_| random.below(12)).collect();
            return Value::List { ty: element, elements };
        }
        _ => Fill::Random(random.below(1000)),
    };
    Value::Made { ty: element, count, fill }
}
