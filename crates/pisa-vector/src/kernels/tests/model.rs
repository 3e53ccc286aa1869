//! What each instruction does to one lane, from the pseudo-code of the specification, in wide integers.
//!
//! Floating point is `pisa-float`, which has its own oracles; `host.rs` compares with the host's arithmetic, too.

use pisa_float::{Bf, Df, F, Hf, Mode, Ordering4, Rounding};
use pisa_isa::{Opcode, Qualifier, SlotName, Value};

use super::case::Case;
use super::memory::Memory;
use crate::batch::LANES;

/// What one lane of an instruction sees.
pub struct Inputs<'a> {
    pub case: &'a Case,
    pub memory: &'a Memory,
    pub group: usize,
    pub lane: usize,
    /// `%activemask`
    pub mask: u32,
}

fn low(bits: u32) -> u128 {
    if bits >= 128 { !0 } else { (1 << bits) - 1 }
}
fn signed(value: u128, bits: u32) -> i128 {
    let value = (value & low(bits)) as i128;
    if value >> (bits - 1) & 1 != 0 { value - (1 << bits) } else { value }
}
fn wrap(value: i128, bits: u32) -> u128 {
    value as u128 & low(bits)
}
fn ones(condition: bool, bits: u32) -> u128 {
    if condition { low(bits) } else { 0 }
}

macro_rules! by_format {
    ($format:expr, $t:ident => $e:expr) => {
        match $format {
            Qualifier::Hf | Qualifier::Hfx2 => {
                type $t = Hf;
                $e
            }
            Qualifier::Bf | Qualifier::Bfx2 => {
                type $t = Bf;
                $e
            }
            Qualifier::F => {
                type $t = F;
                $e
            }
            _ => {
                type $t = Df;
                $e
            }
        }
    };
}
macro_rules! by_short_format {
    ($format:expr, $t:ident => $e:expr) => {
        match $format {
            Qualifier::Hf | Qualifier::Hfx2 => {
                type $t = Hf;
                $e
            }
            Qualifier::Bf | Qualifier::Bfx2 => {
                type $t = Bf;
                $e
            }
            _ => {
                type $t = F;
                $e
            }
        }
    };
}

impl Inputs<'_> {
    fn opcode(&self) -> Opcode {
        self.case.opcode()
    }
    fn qualifier(&self, name: SlotName) -> Qualifier {
        self.case.qualifier(name).unwrap()
    }
    fn has(&self, name: SlotName) -> bool {
        self.case.has(name)
    }
    fn number(&self, name: SlotName) -> u32 {
        let (i, _) = self.case.instruction.row().slot(name).unwrap();
        match self.case.instruction.qualifiers[i] {
            Value::Number(n) => n as u32,
            _ => unreachable!(),
        }
    }
    fn operand(&self, name: &str) -> Option<usize> {
        self.case.instruction.row().operand(name).map(|(i, _)| i)
    }
    /// All elements in this lane.
    fn all(&self, name: &str) -> Vec<u128> {
        self.memory.read(self.case, self.operand(name).unwrap(), self.group, self.lane)
    }
    fn one(&self, name: &str) -> u128 {
        self.all(name)[0]
    }
    /// First element in another lane.
    fn at(&self, name: &str, lane: usize) -> Vec<u128> {
        self.memory.read(self.case, self.operand(name).unwrap(), self.group, lane)
    }
    fn mode(&self) -> Mode {
        let rounding = match self.case.qualifier(SlotName::Rndmode) {
            Some(Qualifier::Rd) => Rounding::Down,
            Some(Qualifier::Ru) => Rounding::Up,
            Some(Qualifier::Rz) => Rounding::Zero,
            Some(Qualifier::Rna) => Rounding::NearestAway,
            _ => Rounding::NearestEven,
        };
        Mode { rounding, ftz: self.has(SlotName::Ftz), dsat: self.has(SlotName::Dsat) }
    }

    /// The operands that this lane writes.
    pub fn results(&self) -> Vec<(usize, Vec<u128>)> {
        use Opcode::*;
        let dst = |value: Vec<u128>| vec![(0, value)];
        match self.opcode() {
            Uaddc => self.add_with_carry(),
            Mov => dst(self.mov()),
            Extract | ExtractDynamic | Insert | InsertDynamic => dst(self.vector()),
            Addrcast | Isaddr => dst(vec![self.address()]),
            Zext | Sext | Trunc => {
                let to = self.qualifier(SlotName::To).bits().unwrap() as u32;
                let from = self.qualifier(SlotName::From).bits().unwrap() as u32;
                let a = self.one("src0");
                dst(vec![if self.opcode() == Sext { wrap(signed(a, from), to) } else { a & low(to) }])
            }
            Fred | Ired | Redfirstidx | Shfl => self.across_lanes().map_or(Vec::new(), dst),
            Ftrunc2 => {
                let to = self.qualifier(SlotName::To);
                let narrow = |a: u128| match to {
                    Qualifier::Hfx2 => pisa_float::truncate::<F, Hf>(a as u32, self.mode()) as u128,
                    _ => pisa_float::truncate::<F, Bf>(a as u32, self.mode()) as u128,
                };
                dst(vec![narrow(self.one("src0")), narrow(self.one("src1"))])
            }
            _ => {
                let sources: Vec<Vec<u128>> = (0..4)
                    .map_while(|i| self.operand(["src0", "src1", "src2", "src3"][i]))
                    .map(|operand| self.memory.read(self.case, operand, self.group, self.lane))
                    .collect();
                let elements = self.case.operands[0].elements as usize;
                dst((0..elements)
                    .map(|e| {
                        // An operand with fewer elements is the scalar of a packed shift.
                        let x: Vec<u128> = sources
                            .iter()
                            .map(|s| if s.len() > e { s[e] } else { s[0] >> (16 * e) })
                            .collect();
                        self.element(&x)
                    })
                    .collect())
            }
        }
    }

    fn element(&self, x: &[u128]) -> u128 {
        use Opcode::*;
        let ty = self.case.qualifier(SlotName::Type);
        let bits = ty.map_or(0, |ty| ty.packed().map_or_else(|| ty.bits().unwrap(), |(_, bits)| bits)) as u32;
        let s = |i: usize| signed(x[i], bits);
        let u = |i: usize| x[i] as i128;
        match self.opcode() {
            // Chapter 1.
            Dp4a => self.dp4a(x),
            Iabs => wrap(s(0).abs(), bits),
            Ineg => wrap(-s(0), bits),
            Iadd | Isub => {
                let exact = if self.opcode() == Iadd { s(0) + s(1) } else { s(0) - s(1) };
                let clamped = exact.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
                wrap(if self.has(SlotName::Dsat) { clamped } else { exact }, bits)
            }
            Sdiv | Udiv => {
                let (a, b) = if self.opcode() == Sdiv { (s(0), s(1)) } else { (u(0), u(1)) };
                let remainder = self.case.qualifier(SlotName::Output) == Some(Qualifier::Rem);
                match (b, remainder) {
                    //
                    (0, true) => x[0],
                    (0, false) => low(bits),
                    (_, true) => wrap(a % b, bits),
                    (_, false) => wrap(a / b, bits),
                }
            }
            Smad | Smul if self.has(SlotName::Precision) => {
                let add = if self.opcode() == Smad { signed(x[2], 2 * bits) } else { 0 };
                wrap(s(0) * s(1) + add, 2 * bits)
            }
            Umad | Umul if self.has(SlotName::Precision) => {
                let add = if self.opcode() == Umad { u(2) } else { 0 };
                wrap(u(0) * u(1) + add, 2 * bits)
            }
            Smul => wrap(s(0).wrapping_mul(s(1)), bits),
            Umul => wrap(u(0).wrapping_mul(u(1)), bits),
            Smad => wrap(s(0).wrapping_mul(s(1)).wrapping_add(s(2)), bits),
            Umad => wrap(u(0).wrapping_mul(u(1)).wrapping_add(u(2)), bits),
            Smax => wrap(if s(0) > s(1) { s(0) } else { s(1) }, bits),
            Smin => wrap(if s(0) < s(1) { s(0) } else { s(1) }, bits),
            Umax => wrap(if u(0) > u(1) { u(0) } else { u(1) }, bits),
            Umin => wrap(if u(0) < u(1) { u(0) } else { u(1) }, bits),
            // Chapter 3.
            And => x[0] & x[1],
            Or => x[0] | x[1],
            Xor => x[0] ^ x[1],
            Not => !x[0] & low(bits),
            Shl => x[0] << (x[1] & 63) & low(bits),
            Shr => x[0] >> (x[1] & 63),
            Asr => wrap(s(0) >> (x[1] & 63), bits),
            Shf => {
                let num = x[0] << 32 | x[1];
                let shift = x[2] & 31;
                let left = self.qualifier(SlotName::Dir) == Qualifier::L;
                (if left { num << shift & low(64) } else { num << 32 >> shift }) >> 32 & low(32)
            }
            Bfi => {
                let offset = x[3] & 31;
                let width = (x[2] & 63).min(32).min(32 - offset);
                let mask = low(width as u32) << offset;
                x[0] & !mask | x[1] << offset & mask
            }
            Sbfe | Ubfe => {
                let offset = x[2] & 31;
                let last = (offset + (x[1] & 63).min(32)).min(32);
                let width = (last - offset) as u32;
                if width == 0 {
                    return 0;
                }
                let field = x[0] << (32 - last) & low(32);
                if self.opcode() == Sbfe {
                    wrap(signed(field, 32) >> (32 - width), 32)
                } else {
                    field >> (32 - width)
                }
            }
            Bfn => {
                let table = self.number(SlotName::Operation) as u128;
                (0..32)
                    .map(|i| table >> ((x[2] >> i & 1) << 2 | (x[1] >> i & 1) << 1 | x[0] >> i & 1) & 1)
                    .rev()
                    .fold(0, |word, bit| word << 1 | bit)
            }
            Bfrev => (0..32).fold(0, |word, i| word << 1 | x[0] >> i & 1),
            Cbit => (0..bits).map(|i| x[0] >> i & 1).sum(),
            Fbh => (0..bits).find(|i| x[0] >> (bits - 1 - i) & 1 != 0).map_or(low(bits), |i| i as u128),
            Fbl => (0..bits).find(|i| x[0] >> i & 1 != 0).map_or(low(bits), |i| i as u128),
            // Chapter 5.
            Scmp | Ucmp => {
                let (a, b) = if self.opcode() == Scmp { (s(0), s(1)) } else { (u(0), u(1)) };
                let holds = match self.qualifier(SlotName::Cop) {
                    Qualifier::Eq => a == b,
                    Qualifier::Ne => a != b,
                    Qualifier::Gt => a > b,
                    Qualifier::Ge => a >= b,
                    Qualifier::Lt => a < b,
                    _ => a <= b,
                };
                ones(holds, self.case.operands[0].bits)
            }
            Sel => {
                // The register form has `src2`, the other one a predicate.
                let selector = x
                    .get(2)
                    .copied()
                    .unwrap_or_else(|| self.memory.read(self.case, 3, self.group, self.lane)[0]);
                if selector != 0 { x[0] } else { x[1] }
            }
            _ => self.float(x),
        }
    }

    fn float(&self, x: &[u128]) -> u128 {
        use Opcode::*;
        let mode = self.mode();
        let nanp = self.has(SlotName::Nanp);
        let format = self.case.qualifier(SlotName::Type);
        match self.opcode() {
            F2i | Pf2i => {
                let to = self.qualifier(SlotName::To);
                let signed = matches!(
                    to,
                    Qualifier::S8 | Qualifier::S16 | Qualifier::S32 | Qualifier::S64 | Qualifier::S16x2
                );
                let bits = self.case.operands[0].bits;
                by_format!(self.qualifier(SlotName::From), T => {
                    pisa_float::to_integer::<T>(x[0] as _, bits, signed, mode.rounding) as u128
                })
            }
            I2f => {
                let from = self.qualifier(SlotName::From);
                let signed = matches!(from, Qualifier::S8 | Qualifier::S16 | Qualifier::S32 | Qualifier::S64);
                let bits = from.bits().unwrap() as u32;
                by_format!(self.qualifier(SlotName::To), T => {
                    pisa_float::from_integer::<T>(x[0] as u64, bits, signed, mode.rounding, mode.dsat) as u128
                })
            }
            Fext => match (self.qualifier(SlotName::To), self.qualifier(SlotName::From)) {
                (Qualifier::F, Qualifier::Hf) => pisa_float::extend::<Hf, F>(x[0] as _) as u128,
                (Qualifier::F, _) => pisa_float::extend::<Bf, F>(x[0] as _) as u128,
                (_, from) => by_format!(from, T => pisa_float::extend::<T, Df>(x[0] as _) as u128),
            },
            Ftrunc => match (self.qualifier(SlotName::To), self.qualifier(SlotName::From)) {
                (Qualifier::Hf, Qualifier::F) => pisa_float::truncate::<F, Hf>(x[0] as _, mode) as u128,
                (Qualifier::Bf, Qualifier::F) => pisa_float::truncate::<F, Bf>(x[0] as _, mode) as u128,
                (to, _) => by_format!(to, T => pisa_float::truncate::<Df, T>(x[0] as _, mode) as u128),
            },
            Frc => pisa_float::fract(x[0] as u32, mode.ftz) as u128,
            Fmul if self.has(SlotName::Precision) => match format {
                Some(Qualifier::Hf) => pisa_float::mul_full_hf(x[0] as u16, x[1] as u16, mode) as u128,
                _ => pisa_float::mul_full_bf(x[0] as u16, x[1] as u16, mode) as u128,
            },
            Fcmp => {
                let order = by_format!(format.unwrap(), T => pisa_float::compare::<T>(x[0] as _, x[1] as _, mode.ftz));
                let holds = match self.qualifier(SlotName::Cop) {
                    Qualifier::Eq => order == Ordering4::Equal,
                    Qualifier::Ne => order != Ordering4::Equal,
                    Qualifier::Gt => order == Ordering4::Greater,
                    Qualifier::Ge => matches!(order, Ordering4::Greater | Ordering4::Equal),
                    Qualifier::Lt => order == Ordering4::Less,
                    _ => matches!(order, Ordering4::Less | Ordering4::Equal),
                };
                ones(holds, self.case.operands[0].bits)
            }
            Fsin | Fcos | Fexp2 | Flog2 | Ftanh => by_short_format!(format.unwrap(), T => {
                let function = match self.opcode() {
                    Fsin => pisa_float::sin::<T>,
                    Fcos => pisa_float::cos::<T>,
                    Fexp2 => pisa_float::exp2::<T>,
                    Flog2 => pisa_float::log2::<T>,
                    _ => pisa_float::tanh::<T>,
                };
                function(x[0] as _, mode.ftz) as u128
            }),
            opcode => by_format!(format.unwrap(), T => {
                let a = x[0] as _;
                let b = || x[1] as _;
                (match opcode {
                    Fadd => pisa_float::add::<T>(a, b(), mode),
                    Fsub => pisa_float::sub::<T>(a, b(), mode),
                    Fmul => pisa_float::mul::<T>(a, b(), mode),
                    Fdiv => pisa_float::div::<T>(a, b(), mode),
                    Fmad => pisa_float::fma::<T>(a, b(), x[2] as _, mode),
                    Fsqrt => pisa_float::sqrt::<T>(a, mode),
                    Frsqrt => pisa_float::rsqrt::<T>(a, mode.ftz),
                    Frcp => pisa_float::rcp::<T>(a, mode.ftz),
                    Fneg => pisa_float::neg::<T>(a, mode.ftz),
                    Fabs => pisa_float::abs::<T>(a, mode.ftz),
                    Fmin => pisa_float::min::<T>(a, b(), mode.ftz, mode.dsat, nanp),
                    Fmax => pisa_float::max::<T>(a, b(), mode.ftz, mode.dsat, nanp),
                    Frnd => pisa_float::round_to_integral::<T>(a, mode.rounding, mode.ftz),
                    _ => unreachable!("{}", self.case),
                }) as u128
            }),
        }
    }

    fn dp4a(&self, x: &[u128]) -> u128 {
        let signedness = self.qualifier(SlotName::Signedness);
        let byte = |v: u128, i: u32, is_signed: bool| {
            let byte = v >> (8 * i) & 0xff;
            if is_signed { signed(byte, 8) } else { byte as i128 }
        };
        let first = matches!(signedness, Qualifier::Su | Qualifier::Ss);
        let second = matches!(signedness, Qualifier::Us | Qualifier::Ss);
        let dot: i128 = (0..4).map(|i| byte(x[1], i, first) * byte(x[2], i, second)).sum();
        let sum = signed(x[0], 32) + dot;
        wrap(if self.has(SlotName::Dsat) { sum.clamp(-(1 << 31), (1 << 31) - 1) } else { sum }, 32)
    }

    fn add_with_carry(&self) -> Vec<(usize, Vec<u128>)> {
        let carry = if self.has(SlotName::Ci) { self.one("carry-in") } else { 0 };
        let sum = self.one("src0") + self.one("src1") + carry;
        let mut results = vec![(0, vec![sum & low(32)])];
        if let Some(out) = self.operand("carry-out") {
            results.push((out, vec![sum >> 32]));
        }
        results
    }

    fn mov(&self) -> Vec<u128> {
        let from = self.case.operands[1];
        let to = self.case.operands[0];
        let whole = self.all("src0").iter().rev().fold(0u128, |whole, &e| whole.unbounded_shl(from.bits) | e);
        (0..to.elements).map(|e| whole.unbounded_shr(e * to.bits) & low(to.bits)).collect()
    }

    fn vector(&self) -> Vec<u128> {
        match self.opcode() {
            Opcode::Extract => {
                let index = self.number(SlotName::Index) as usize;
                self.all("src0")[index..index + self.case.operands[0].elements as usize].to_vec()
            }
            Opcode::ExtractDynamic => {
                let index = self.one("index") as usize;
                vec![self.all("src0").get(index).copied().unwrap_or(0xcdcdcdcd)]
            }
            opcode => {
                let mut vector = self.all("dst");
                let index = match opcode {
                    Opcode::Insert => self.number(SlotName::Index) as usize,
                    _ => self.one("index") as usize,
                };
                for (i, value) in self.all("src0").into_iter().enumerate() {
                    if let Some(element) = vector.get_mut(index + i) {
                        *element = value;
                    }
                }
                vector
            }
        }
    }

    /// D-24 to D-28.
    fn address(&self) -> u128 {
        let address = self.one("src0");
        if self.opcode() == Opcode::Isaddr {
            let space = match address >> 48 {
                1 => Qualifier::Shared,
                2 => Qualifier::Private,
                _ => Qualifier::Global,
            };
            return ones(space == self.qualifier(SlotName::Addrspace), 32);
        }
        match (self.qualifier(SlotName::To), self.qualifier(SlotName::From)) {
            (Qualifier::Generic, Qualifier::Shared) => 0x0001_0000_0000_0000 | address,
            (Qualifier::Generic, Qualifier::Private) => 0x0002_0000_0000_0000 | address,
            (Qualifier::Shared | Qualifier::Private, _) => address & low(32),
            _ => address,
        }
    }

    fn across_lanes(&self) -> Option<Vec<u128>> {
        let lane = self.lane as i64;
        let mask_operand = match self.opcode() {
            Opcode::Redfirstidx => "src0",
            Opcode::Shfl => "src2",
            _ => "src1",
        };
        let participating = self.one(mask_operand) as u32 & self.mask;
        if self.opcode() == Opcode::Redfirstidx {
            // S-05, S-06.
            return Some(vec![(0..32).find(|i| participating >> i & 1 != 0).unwrap_or(0xffff_ffff)]);
        }
        if participating >> lane & 1 == 0 {
            return None;
        }
        if self.opcode() == Opcode::Shfl {
            let control = self.one("src1") as i64;
            let op = self.qualifier(SlotName::Op);
            let offset = control & 31;
            let (cval, segmask) = if self.has(SlotName::Sg) {
                (control >> 8 & 31, control >> 16 & 31)
            } else {
                (if op == Qualifier::Up { 0 } else { 0x1f }, 0)
            };
            let not_segmask = 31 - segmask;
            let clamp = (lane & segmask) | (cval & not_segmask);
            let min_lane = lane & segmask;
            let source = match op {
                Qualifier::Up => lane - offset,
                Qualifier::Dn => lane + offset,
                Qualifier::Xor => lane ^ offset,
                _ => min_lane | (offset & not_segmask),
            };
            let in_bounds = if op == Qualifier::Up { source >= clamp } else { source <= clamp };
            let from = if in_bounds && participating >> source & 1 != 0 { source } else { lane };
            return Some(self.at("src0", from as usize));
        }
        let lanes: Vec<Vec<u128>> =
            (0..LANES).filter(|&i| participating >> i & 1 != 0).map(|i| self.at("src0", i)).collect();
        let op = self.qualifier(SlotName::Op);
        let ty = self.qualifier(SlotName::Type);
        let element = |e: usize| {
            let values = lanes.iter().map(|lane| lane[e]);
            if self.opcode() == Opcode::Fred {
                let nanp = self.has(SlotName::Nanp);
                return by_short_format!(ty, T => {
                    let values = values.map(|v| v as _);
                    (match op {
                        Qualifier::Min => pisa_float::reduce_min::<T>(values, nanp),
                        Qualifier::Max => pisa_float::reduce_max::<T>(values, nanp),
                        _ => pisa_float::reduce_absmax::<T>(values, nanp),
                    }) as u128
                });
            }
            let bits = ty.bits().unwrap() as u32;
            let by = |key: &dyn Fn(u128) -> i128, greatest: bool| {
                values.clone().reduce(|a, b| if (key(a) < key(b)) == greatest { b } else { a }).unwrap()
            };
            match op {
                Qualifier::Sum => values.sum::<u128>() & low(bits),
                Qualifier::Smin => by(&|a| signed(a, bits), false),
                Qualifier::Smax => by(&|a| signed(a, bits), true),
                Qualifier::Umin => by(&|a| a as i128, false),
                Qualifier::Umax => by(&|a| a as i128, true),
                Qualifier::And => values.reduce(|a, b| a & b).unwrap(),
                Qualifier::Or => values.reduce(|a, b| a | b).unwrap(),
                Qualifier::Xor => values.reduce(|a, b| a ^ b).unwrap(),
                _ => values.map(|a| signed(a, bits).unsigned_abs()).max().unwrap(),
            }
        };
        Some((0..self.case.operands[0].elements as usize).map(element).collect())
    }
}
