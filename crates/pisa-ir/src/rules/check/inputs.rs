//! Active sets and values to run rules on.

use crate::model::LANES;
use crate::rules::{Rule, Term};
use crate::{Operation, Role, Signature};

/// What rules run on: an active set, and a value of each variable in each lane.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    /// The active set.
    pub active: u32,
    /// By variable, by lane.
    pub(in crate::rules) values: Vec<[u128; LANES]>,
    /// By variable: the lanes in which it is undefined.
    pub(in crate::rules) undefined: Vec<u32>,
}

impl Assignment {
    /// Whether a lane is active.
    pub fn is_active(&self, lane: usize) -> bool {
        self.active >> lane & 1 == 1
    }
    /// The value of a variable in a lane, by its number; `None` where it is undefined.
    pub fn value(&self, variable: usize, lane: usize) -> Option<u128> {
        (self.undefined[variable] >> lane & 1 == 0).then(|| self.values[variable][lane])
    }
}

/// What a variable is used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) enum Use {
    Mask,
    Index,
    Datum,
}

/// What is known of each variable.
pub(in crate::rules) struct Roles {
    pub(in crate::rules) uses: Vec<Use>,
    pub(in crate::rules) shared: Vec<bool>,
    pub(in crate::rules) widths: Vec<u32>,
    floats: bool,
}

impl Roles {
    pub(in crate::rules) fn of(rule: &Rule) -> Roles {
        let mut uses = vec![Use::Datum; rule.variables.len()];
        let mut floats = false;
        for term in &rule.terms {
            let Term::Apply { operation, operands } = term else { continue };
            let signature = Signature::of(operation, &[], 1, &[]);
            for (number, &operand) in operands.iter().enumerate() {
                let Term::Variable(variable) = rule.term(operand) else { continue };
                let role = signature.operands.get(number).map(|shape| shape.role);
                let found = match (role, operation) {
                    (Some(Role::Mask), _) => Use::Mask,
                    (_, Operation::Mask(_)) if number == 0 => Use::Mask,
                    (Some(Role::Index), _) | (_, Operation::Mask(_)) => Use::Index,
                    _ => continue,
                };
                uses[usize::from(*variable)] = found;
            }
            floats |= match operation {
                Operation::CrossLane(operation) => operation.element.is_float(),
                Operation::Table { form, .. } => pisa_isa::form(*form)
                    .operands
                    .iter()
                    .any(|operand| matches!(operand.interpretation, pisa_isa::Interpretation::Float(_))),
                _ => false,
            };
        }
        let number = |variable: usize| variable as u8;
        Roles {
            uses,
            shared: (0..rule.variables.len()).map(|variable| rule.is_uniform(number(variable))).collect(),
            widths: rule.variables.iter().map(|(_, ty)| ty.total_bits()).collect(),
            floats,
        }
    }

    /// Values of a variable, those that tell most first.
    pub(in crate::rules) fn pool(&self, variable: usize) -> Vec<u128> {
        let width = self.widths[variable];
        match self.uses[variable] {
            _ if width == 1 => vec![1, 0],
            // Bits of lanes that are not there are junk.
            Use::Mask => (0..16).rev().map(|lanes| 0xA5A5_A5A0 | lanes).collect(),
            Use::Index => vec![1, 3, 0, 2, 31, 4, 33, 0xFFFF_FFFF],
            Use::Datum if self.floats && width >= 16 => floats(width),
            Use::Datum => integers(width),
        }
    }
}

pub(in crate::rules) fn truncate(bits: u128, width: u32) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

fn integers(width: u32) -> Vec<u128> {
    let sign = 1 << (width - 1);
    let all = [
        1,
        u128::MAX,
        0,
        sign,
        2,
        sign - 1,
        3,
        5,
        sign + 1,
        u128::MAX - 1,
        31,
        32,
        width.into(),
        0x80,
        0x5A,
        64,
    ];
    let mut pool = Vec::new();
    for bits in all.map(|bits| truncate(bits, width)) {
        if !pool.contains(&bits) {
            pool.push(bits);
        }
    }
    pool
}

fn floats(width: u32) -> Vec<u128> {
    // As `.bf` or `.hf`, whichever the rule has; both readings have all kinds of numbers.
    let of = |parts: &[u64]| parts.iter().map(|&bits| u128::from(bits)).collect();
    match width {
        64 => of(&[
            0x3FF0_0000_0000_0000,
            0x7FF8_0000_0000_0000,
            0x8000_0000_0000_0000,
            0,
            0xFFF0_0000_0000_0000,
            0x7FF0_0000_0000_0000,
            0xFFF0_0000_0000_0001,
            0xC008_0000_0000_0000,
            0x7FF8_0000_0000_0123,
            0x0000_0000_0000_0001,
            0x7FEF_FFFF_FFFF_FFFF,
        ]),
        32 => of(&[
            0x3F80_0000,
            0x7FC0_0000,
            0x8000_0000,
            0,
            0xFF80_0000,
            0x7F80_0000,
            0xFF80_0001,
            0xC040_0000,
            0x7FC0_0123,
            0x0000_0001,
            0x7F7F_FFFF,
        ]),
        _ => of(&[
            0x3F80, 0x7FC0, 0x8000, 0, 0xFF80, 0x7F80, 0xFC00, 0x7C00, 0xFF81, 0xFC01, 0xC040, 0x7E12,
            0x3C00, 1, 0x7BFF,
        ]),
    }
}

/// Random bits in every lane.
pub(in crate::rules) fn junk(random: &mut Random, roles: &Roles, active: u32) -> Assignment {
    let values = roles.widths.iter().map(|&width| std::array::from_fn(|_| random.bits(width))).collect();
    Assignment { active, values, undefined: vec![0; roles.widths.len()] }
}

/// A generator (xorshift with a multiplied output).
pub(in crate::rules) struct Random(u64);

impl Random {
    pub(in crate::rules) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    pub(in crate::rules) fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 33) as usize) % limit.max(1)
    }
    pub(in crate::rules) fn bits(&mut self, width: u32) -> u128 {
        truncate(u128::from(self.next()) << 64 | u128::from(self.next()), width)
    }
    pub(in crate::rules) fn word(&mut self) -> u32 {
        self.next() as u32
    }
    /// A set of lanes of one of the kinds that programs have.
    pub(in crate::rules) fn lanes(&mut self) -> u32 {
        let low = |count: usize| if count >= 32 { u32::MAX } else { (1 << count) - 1 };
        match self.below(9) {
            0 | 1 => u32::MAX,
            2 | 3 => {
                let (from, count) = (self.below(32), 1 + self.below(32));
                low(count) << from
            }
            4 => 0xFF << (8 * self.below(4)),
            5 => [0x5555_5555, 0xAAAA_AAAA, 0x3333_3333, 0x0F0F_0F0F, 0x1111_1111][self.below(5)],
            6 => 1 << self.below(32),
            7 => self.word() & self.word(),
            _ => self.word(),
        }
    }
}
