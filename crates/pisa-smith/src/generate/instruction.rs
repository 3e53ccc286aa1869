//! Instructions that compute, straight from the rows of the table.

use super::Generator;
use crate::registers::{self, Register, temporary};
use crate::tree::{Line, Operand};
use crate::values;
use pisa_isa::{
    Access, Effects, FORMS, Form, Interpretation, Opcode, OperandDef, OperandKind, Qualifier, SlotName,
    SlotValues, Value, Values, Width,
};

const SPECIAL_32: &[&str] = &[
    "%laneid",
    "%activemask",
    "%localid.x",
    "%localid.y",
    "%localid.z",
    "%localsize.x",
    "%localsize.z",
    "%enqueuedlocalsize.x",
    "%enqueuedlocalsize.y",
    "%groupid.x",
    "%groupid.y",
    "%groupid.z",
    "%groupcount.x",
    "%groupcount.z",
    "%subgroupsize",
    "%workdim",
];
const SPECIAL_64: &[&str] = &["%globalsize.x", "%globalsize.z", "%globaloffset.x", "%globaloffset.y"];
/// The same in all lanes that read them together.
const UNIFORM: &[&str] = &[
    "%activemask",
    "%activemask",
    "%groupid.x",
    "%localsize.x",
    "%subgroupsize",
    "%workdim",
    "%groupcount.x",
];

/// Whether the row is one for [`Generator::computation`].
pub(super) fn computes(form: &Form) -> bool {
    let elsewhere =
        Effects::CONTROL_FLOW.0 | Effects::BARRIER.0 | Effects::READS_MEMORY.0 | Effects::WRITES_MEMORY.0;
    form.effects.0 & elsewhere == 0 && !matches!(form.opcode, Opcode::Addrcast | Opcode::Isaddr)
}

/// Whether strict checks accept the values: an order stronger than relaxed needs its scope (M-04).
fn has_scope(form: &Form, values: &SlotValues) -> bool {
    use Qualifier::{AcqRel, Acquire, Release, SeqCst};
    let strong = matches!(form.value(values, SlotName::Memorder), Some(Acquire | Release | AcqRel | SeqCst));
    !strong || form.slot(SlotName::Memscope).is_none() || form.value(values, SlotName::Memscope).is_some()
}

/// The width of an operand of 32 bits or what the values say.
pub(super) fn bits_of(form: &Form, values: &SlotValues, width: Width) -> u32 {
    let slot = |name| form.value(values, name).and_then(Qualifier::bits).map_or(32, u32::from);
    match width {
        Width::None => 32,
        Width::Bits(bits) => u32::from(bits),
        Width::Slot(name) => slot(name),
        Width::TwiceSlot(name) => 2 * slot(name),
        Width::AddressOf(name) => {
            form.value(values, name).and_then(Qualifier::address_bits).map_or(64, u32::from)
        }
    }
}

impl Generator<'_> {
    /// Values for the slots of a form that no restriction and no strict check refuses.
    pub(super) fn qualifiers(&mut self, form: &Form, keep: impl Fn(&SlotValues) -> bool) -> SlotValues {
        let count = |values: &SlotValues| {
            form.value(values, SlotName::Vec).and_then(Qualifier::elements).map_or(1, usize::from)
        };
        let fits = |values: &SlotValues| {
            let index = values.iter().find_map(|v| if let Value::Number(n) = v { Some(*n) } else { None });
            let has_vector = form.slot(SlotName::Index).is_some() && form.slot(SlotName::Vec).is_some();
            form.violations(values).is_empty()
                && has_scope(form, values)
                && keep(values)
                && (!has_vector || usize::from(index.unwrap_or(0)) + count(values) <= 64)
        };
        for _ in 0..100 {
            let mut values = SlotValues::default();
            for (value, slot) in values.iter_mut().zip(form.slots) {
                if slot.optional && self.choices.below(2) == 0 {
                    continue;
                }
                *value = match slot.values {
                    Values::OneOf(list) => Value::Named(self.choices.pick(list)),
                    Values::Index => Value::Number(self.choices.below(64) as u8),
                    Values::TruthTable => Value::Number(1 + self.choices.below(254) as u8),
                };
            }
            // The index of a part of a vector is a multiple of its length (D-16).
            if let Some((i, _)) = form.slot(SlotName::Index) {
                let count = count(&values);
                if let Value::Number(n) = &mut values[i] {
                    *n -= (usize::from(*n) % count) as u8;
                }
            }
            if fits(&values) {
                return values;
            }
        }
        form.combinations().find(|values| fits(values)).unwrap_or_default()
    }

    /// An instruction that computes, after the lines that make its operands defined.
    pub(super) fn computation(&mut self) -> Vec<Line> {
        let forms: Vec<&'static Form> = FORMS.iter().filter(|form| computes(form)).collect();
        let form = self.choices.pick(&forms);
        let values = self.qualifiers(form, |_| true);
        let mut lines = Vec::new();
        let mut operands = Vec::new();
        for operand in form.operands {
            let operand = self.operand(form, &values, operand, &mut lines);
            operands.push(operand);
        }
        // An immediate into an element is a departure (D-10).
        if let (Opcode::Mov, [Operand::Element(..), source @ Operand::Immediate { .. }]) =
            (form.opcode, operands.as_mut_slice())
        {
            *source = self.readable(bits_of(form, &values, Width::Slot(SlotName::Type)));
        }
        lines.push(Line::new(form.mnemonic(&values), operands));
        lines
    }

    fn operand(
        &mut self,
        form: &Form,
        values: &SlotValues,
        operand: &OperandDef,
        lines: &mut Vec<Line>,
    ) -> Operand {
        let bits = bits_of(form, values, operand.width);
        let writes = operand.access != Access::Read;
        if let Some(guarded) = self.guarded(form, values, operand, bits, lines) {
            return guarded;
        }
        match operand.kind {
            OperandKind::Register if writes => self.scalar(bits),
            OperandKind::Register | OperandKind::RegisterOrMemoryVariable => self.readable(bits),
            OperandKind::RegisterOrImmediate => {
                let float = match operand.interpretation {
                    Interpretation::Float(slot) => form.value(values, slot),
                    _ => None,
                };
                if self.choices.one_in(4) { self.immediate(bits, float) } else { self.readable(bits) }
            }
            OperandKind::Predicate => self.predicate(false),
            OperandKind::PredicateOrNegation => {
                let negated = self.choices.below(2) == 1;
                self.predicate(negated)
            }
            OperandKind::Packed => {
                let (Width::Slot(slot) | Width::TwiceSlot(slot)) = operand.width else {
                    return self.register(2, 16);
                };
                let shape = form.value(values, slot).and_then(Qualifier::packed).unwrap_or((2, 16));
                self.register(shape.0, shape.1)
            }
            OperandKind::Vector => self.vector(form, values, operand),
            OperandKind::Swizzle => self.swizzle(bits),
            OperandKind::MemoryVariable => {
                let wide = form.value(values, SlotName::Type) == Some(Qualifier::B64);
                let names: &[&str] = match (wide, self.is_kernel) {
                    (true, _) => &["@gt", "@ct", "@counters"],
                    (false, true) => &["@p", "@s"],
                    (false, false) => &["@p"],
                };
                Operand::text(self.choices.pick(names))
            }
            OperandKind::FunctionName => {
                let number = self.choices.below(self.functions.len() + 1);
                Operand::text(match number.checked_sub(1) {
                    Some(number) => format!("@f{number}"),
                    None => "@sync".to_owned(),
                })
            }
            // The other kinds belong to forms that do not compute.
            _ => Operand::text("void"),
        }
    }

    /// Operands that must not have every value: divisors, indices, masks.
    fn guarded(
        &mut self,
        form: &Form,
        values: &SlotValues,
        operand: &OperandDef,
        bits: u32,
        lines: &mut Vec<Line>,
    ) -> Option<Operand> {
        match (form.opcode, operand.name) {
            (Opcode::Sdiv | Opcode::Udiv, "src1") => {
                // Neither 0 nor -1: bit 0 is set, bit 1 is not.
                if self.choices.one_in(3) {
                    let value = values::chosen(self.choices, bits) as u64 & !2 | 1;
                    let value = if bits < 64 { value & ((1 << bits) - 1) } else { value };
                    return Some(Operand::Immediate {
                        text: format!("0x{value:x}"),
                        simplest: "1".to_owned(),
                    });
                }
                let source = self.readable(bits);
                let divisor = Operand::Register(temporary(1, bits as u16, 0));
                lines.push(Line::new(
                    format!("or.{bits}b"),
                    vec![divisor.clone(), source, Operand::number(3)],
                ));
                lines.push(Line::new(
                    format!("xor.{bits}b"),
                    vec![divisor.clone(), divisor.clone(), Operand::number(2)],
                ));
                Some(divisor)
            }
            (Opcode::ExtractDynamic | Opcode::InsertDynamic, "index") => {
                let count = form.value(values, SlotName::Vec).and_then(Qualifier::elements)?;
                let index = Operand::Register(temporary(1, 32, 0));
                let source = self.readable(32);
                let (mnemonic, last) = if count.is_power_of_two() && self.choices.below(2) == 1 {
                    ("and.32b", count - 1)
                } else if self.choices.below(2) == 1 {
                    ("umin.32b", count - 1)
                } else {
                    ("udiv.rem.32b", count)
                };
                lines.push(Line::new(mnemonic, vec![index.clone(), source, Operand::number(last)]));
                Some(index)
            }
            (Opcode::Fred | Opcode::Ired, "src1") | (Opcode::Shfl, "src2") => Some(self.mask(lines)),
            (Opcode::Redfirstidx, "src0") => {
                // At least one active lane is in the mask (S-05): all of them where none would be.
                let mask = self.mask(lines);
                let (filled, some) =
                    (Operand::Register(temporary(1, 32, 1)), Operand::Register(temporary(1, 32, 2)));
                let empty = Operand::Predicate { register: temporary(1, 1, 0), negated: false };
                let active = Operand::text("%activemask");
                lines.push(Line::new("and.32b", vec![some.clone(), active.clone(), mask]));
                lines.push(Line::new("ucmp.eq.32b", vec![empty.clone(), some.clone(), Operand::number(0)]));
                lines.push(Line::new("sel.32b", vec![filled.clone(), active, some, empty]));
                Some(filled)
            }
            _ => None,
        }
    }

    /// A mask for cross-lane instructions: the same in all active lanes (S-01).
    fn mask(&mut self, lines: &mut Vec<Line>) -> Operand {
        let constant = match self.choices.below(8) {
            0..=2 => 0xffff_ffff,
            3 => self.choices.pick(&[0xffff_u32, 0xffff_0000, 0xaaaa_aaaa, 1, 0x8000_0000, 0xff]),
            4 => self.choices.pick(&[0u32, 0x7fff_ffff, 0xffff_fffe]),
            _ => self.choices.number() as u32,
        };
        let text = Operand::text(format!("0x{constant:x}"));
        match self.choices.below(4) {
            0 => Operand::text(self.choices.pick(UNIFORM)),
            1 => {
                let register = Operand::Register(temporary(1, 32, 0));
                let source = Operand::text(self.choices.pick(UNIFORM));
                let mnemonic = self.choices.pick(&["and.32b", "xor.32b", "or.32b", "iadd.32b"]);
                lines.push(Line::new(mnemonic, vec![register.clone(), source, text]));
                register
            }
            _ => text,
        }
    }

    /// Any register of that shape.
    pub(super) fn register(&mut self, elements: u8, bits: u16) -> Operand {
        let all = registers::pool(elements, bits);
        Operand::Register(self.choices.pick(&all))
    }

    pub(super) fn predicate(&mut self, negated: bool) -> Operand {
        let all = registers::pool(1, 1);
        Operand::Predicate { register: self.choices.pick(&all), negated }
    }

    /// A scalar register or an element of a vector.
    pub(super) fn scalar(&mut self, bits: u32) -> Operand {
        if bits <= 64 && self.choices.one_in(5) {
            let vectors: Vec<Register> =
                (2..=4).flat_map(|elements| registers::pool(elements, bits as u16)).collect();
            let vector = self.choices.pick(&vectors);
            let element = self.choices.below(usize::from(vector.info().elements)) as u8;
            return Operand::Element(vector, element);
        }
        self.register(1, bits as u16)
    }

    /// The same to read only: also a special register.
    pub(super) fn readable(&mut self, bits: u32) -> Operand {
        match bits {
            32 if self.choices.one_in(7) => Operand::text(self.choices.pick(SPECIAL_32)),
            64 if self.choices.one_in(10) => Operand::text(self.choices.pick(SPECIAL_64)),
            _ => self.scalar(bits),
        }
    }

    pub(super) fn immediate(&mut self, bits: u32, float: Option<Qualifier>) -> Operand {
        let (text, simplest) = values::immediate(self.choices, bits, float);
        Operand::Immediate { text, simplest }
    }

    /// A whole vector: as long as `.vec` says, or long enough for the index.
    fn vector(&mut self, form: &Form, values: &SlotValues, operand: &OperandDef) -> Operand {
        let count = form.value(values, SlotName::Vec).and_then(Qualifier::elements);
        let index = values.iter().find_map(|v| if let Value::Number(n) = v { Some(*n) } else { None });
        let is_part = (form.opcode == Opcode::Extract) == (operand.name == "dst");
        let Some(index) = index.filter(|_| count.is_none() || !is_part) else {
            return self.register(count.unwrap_or(2), 32);
        };
        let least = index + count.unwrap_or(1);
        let long: Vec<Register> =
            (2..=64).filter(|&n| n >= least).flat_map(|n| registers::pool(n, 32)).collect();
        Operand::Register(self.choices.pick(&long))
    }

    /// One, two or four elements of a vector that have as many bits together.
    fn swizzle(&mut self, bits: u32) -> Operand {
        let shapes: Vec<(u32, &[&'static str], u8)> = [
            (bits, &["x", "y", "z", "w"][..], 1),
            (bits / 2, &["xy", "zw"][..], 2),
            (bits / 4, &["xyzw"][..], 4),
        ]
        .into_iter()
        .filter(|(element, ..)| (8..=64).contains(element))
        .collect();
        let (element, swizzles, _) = self.choices.pick(&shapes);
        let swizzle = self.choices.pick(swizzles);
        let least = swizzle.bytes().map(|b| b"xyzw".iter().position(|&e| e == b).unwrap_or(0) + 1).max();
        let least = least.unwrap_or(1).max(2) as u8;
        let long: Vec<Register> = (least..=8).flat_map(|n| registers::pool(n, element as u16)).collect();
        Operand::Swizzle(self.choices.pick(&long), swizzle)
    }
}
