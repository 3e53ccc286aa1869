//! Memory: every space, every form of address, every width; atomics.

use super::Generator;
use super::instruction::bits_of;
use crate::registers::temporary;
use crate::tree::{Line, Operand};
use pisa_isa::{FORMS, Form, Opcode, Qualifier, Rule, SlotName, SlotValues, Width};

/// Bytes of a work-item's own global memory, of private memory and of the tables.
pub(crate) const AREA: usize = 128;
/// Bytes of a work-item's own shared memory.
pub(crate) const SHARED_AREA: usize = 32;
/// Bytes of the parameter `%x`.
pub(crate) const PARAMETER: usize = 64;
/// Operations whose order does not show where nobody looks at what they return.
const COMMUTING: &[Qualifier] = &[
    Qualifier::Add,
    Qualifier::Sub,
    Qualifier::Smin,
    Qualifier::Smax,
    Qualifier::Umin,
    Qualifier::Umax,
    Qualifier::And,
    Qualifier::Or,
    Qualifier::Xor,
    Qualifier::Inc,
    Qualifier::Dec,
];
/// Bytes of the counters: one of each type for each operation.
pub(crate) const COUNTERS: usize = 24 * COMMUTING.len();

/// What is accessed.
#[derive(Clone, Copy)]
struct Access {
    size: usize,
    align: usize,
    writes: bool,
    atomic: bool,
}

impl Generator<'_> {
    /// An access to memory, after the lines that make its address.
    pub(super) fn memory(&mut self) -> Vec<Line> {
        match self.choices.below(8) {
            0 => return self.contested(),
            1 => return self.generic_addresses(),
            _ => {}
        }
        let forms: Vec<&'static Form> = FORMS
            .iter()
            .filter(|form| {
                matches!(form.opcode, Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom)
                    || (form.opcode == Opcode::LdParam && self.is_kernel)
            })
            .collect();
        let form = self.choices.pick(&forms);
        let values = self.qualifiers(form, |_| true);
        let bits = bits_of(form, &values, Width::Slot(SlotName::Type));
        let count = form.value(&values, SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
        let element = bits as usize / 8;
        let size = element * usize::from(count);
        let access = Access {
            size,
            // Vectors of short elements are aligned as a whole (spec 5.1).
            align: if bits < 32 { size } else { element },
            writes: form.opcode != Opcode::Ld,
            atomic: !matches!(form.value(&values, SlotName::Memorder), None | Some(Qualifier::Weak)),
        };
        let mut lines = Vec::new();
        let mut operands = Vec::new();
        for operand in form.operands {
            let wanted = form.restrictions.iter().all(|restriction| match &restriction.rule {
                Rule::OperandOnlyWhen { operand: name, when } if *name == operand.name => {
                    when.holds(form, &values)
                }
                _ => true,
            });
            if operand.optional && !wanted {
                continue;
            }
            operands.push(match operand.name {
                "addr" => {
                    let space = form.value(&values, SlotName::Addrspace).unwrap_or(Qualifier::Generic);
                    self.address(space, access, &mut lines)
                }
                "vaddr" => self.parameter_address(access, &mut lines),
                _ if count > 1 => self.register(count, bits as u16),
                "dst" => self.scalar(bits),
                _ => self.readable(bits),
            });
        }
        lines.push(Line::new(form.mnemonic(&values), operands));
        lines
    }

    /// An address in the space.
    fn address(&mut self, space: Qualifier, access: Access, lines: &mut Vec<Line>) -> Operand {
        if space == Qualifier::Generic {
            let mut spaces = vec![Qualifier::Global, Qualifier::Shared];
            if !access.atomic {
                spaces.push(Qualifier::Private);
                if !access.writes {
                    spaces.push(Qualifier::Const);
                }
            }
            let from = self.choices.pick(&spaces);
            let generic = Operand::Register(temporary(1, 64, 2));
            let specific = self.specific(from, access, lines);
            lines
                .push(Line::new(format!("addrcast.generic{}", from.text()), vec![generic.clone(), specific]));
            return self.spread(generic, 64, lines);
        }
        let (base, length, bits) = self.object(space, access);
        match self.choices.below(6) {
            0 => Operand::Address { base: Box::new(base), offset: None },
            1 | 2 => {
                let offset = self.choices.below((length - access.size) / access.align + 1) * access.align;
                let zero_free = Operand::number(offset);
                Operand::Address { base: Box::new(base), offset: Some(Box::new(zero_free)) }
            }
            3 => {
                let offset = self.offset(length, access, bits, lines);
                Operand::Address { base: Box::new(base), offset: Some(Box::new(offset)) }
            }
            _ => {
                let address = self.specific_of(base, length, bits, access, lines);
                self.spread(address, bits, lines)
            }
        }
    }

    /// An object in the space for such an access: its name or a register with its address, its bytes, address bits.
    fn object(&mut self, space: Qualifier, access: Access) -> (Operand, usize, u32) {
        match space {
            Qualifier::Shared => (Operand::text("%slot"), SHARED_AREA, 32),
            Qualifier::Private => (Operand::text("@p"), AREA, 32),
            Qualifier::Const => (Operand::text("@ct"), AREA, 64),
            _ if !access.writes && self.choices.one_in(3) => (Operand::text("@gt"), AREA, 64),
            _ => (Operand::text("%own"), AREA, 64),
        }
    }

    /// A register with an address in the space.
    fn specific(&mut self, space: Qualifier, access: Access, lines: &mut Vec<Line>) -> Operand {
        let (base, length, bits) = self.object(space, access);
        self.specific_of(base, length, bits, access, lines)
    }

    fn specific_of(
        &mut self,
        base: Operand,
        length: usize,
        bits: u32,
        access: Access,
        lines: &mut Vec<Line>,
    ) -> Operand {
        let offset = self.offset(length, access, bits, lines);
        let address = Operand::Register(temporary(1, bits as u16, 1));
        let is_name = matches!(&base, Operand::Text(text) if text.starts_with('@'));
        let base = if is_name {
            lines.push(Line::new(format!("addrof.{bits}b"), vec![address.clone(), base]));
            address.clone()
        } else {
            base
        };
        lines.push(Line::new(format!("iadd.{bits}b"), vec![address.clone(), base, offset]));
        address
    }

    /// An offset into that many bytes, in a temporary: different from lane to lane.
    fn offset(&mut self, length: usize, access: Access, bits: u32, lines: &mut Vec<Line>) -> Operand {
        let room = length - access.size;
        let mask = (room + 1).next_power_of_two();
        let mask = if mask > room + 1 { mask / 2 } else { mask } - 1;
        let mask = mask & !(access.align - 1);
        let offset = Operand::Register(temporary(1, 32, 3));
        let source = self.readable(32);
        lines.push(Line::new("and.32b", vec![offset.clone(), source, Operand::number(mask)]));
        if bits == 32 {
            return offset;
        }
        let wide = Operand::Register(temporary(1, 64, 0));
        lines.push(Line::new("zext.64b.32b", vec![wide.clone(), offset]));
        wide
    }

    /// The same value in an element of a vector, now and then (Z-04).
    fn element(&mut self, scalar: Operand, bits: u32, lines: &mut Vec<Line>) -> Operand {
        if !self.choices.one_in(4) {
            return scalar;
        }
        let element = Operand::Element(temporary(2, bits as u16, 0), self.choices.below(2) as u8);
        lines.push(Line::new(format!("mov.{bits}b"), vec![element.clone(), scalar]));
        element
    }

    /// An address operand for the address in a register: `[reg]`, `[reg + imm]`, `[reg + reg]`.
    fn spread(&mut self, address: Operand, bits: u32, lines: &mut Vec<Line>) -> Operand {
        let moved = Operand::Register(temporary(1, bits as u16, 3));
        match self.choices.below(4) {
            0 => {
                let base = self.element(address, bits, lines);
                Operand::Address { base: Box::new(base), offset: None }
            }
            1 | 2 => {
                let by = self.choices.pick(&[8i64, -8, 1, -1, 4096, 2_147_483_647, -2_147_483_648, 0]);
                lines.push(Line::new(
                    format!("isub.{bits}b"),
                    vec![moved.clone(), address, Operand::number(by)],
                ));
                Operand::Address { base: Box::new(moved), offset: Some(Box::new(Operand::number(by))) }
            }
            _ => {
                // Wraps around on purpose (Z-02).
                let by = self.readable(bits);
                let kept = Operand::Register(temporary(1, bits as u16, 0));
                lines.push(Line::new(format!("mov.{bits}b"), vec![kept.clone(), by]));
                lines.push(Line::new(format!("isub.{bits}b"), vec![moved.clone(), address, kept.clone()]));
                Operand::Address { base: Box::new(moved), offset: Some(Box::new(kept)) }
            }
        }
    }

    fn parameter_address(&mut self, access: Access, lines: &mut Vec<Line>) -> Operand {
        let base = Box::new(Operand::text("%x"));
        match self.choices.below(4) {
            0 => Operand::Address { base, offset: None },
            1 => {
                let offset = self.offset(PARAMETER, access, 32, lines);
                Operand::Address { base, offset: Some(Box::new(offset)) }
            }
            _ => {
                let steps = (PARAMETER - access.size) / access.align + 1;
                let offset = self.choices.below(steps) * access.align;
                Operand::Address { base, offset: Some(Box::new(Operand::number(offset))) }
            }
        }
    }

    /// An atomic on a counter of all work-items. What it returns goes where nothing reads it.
    fn contested(&mut self) -> Vec<Line> {
        let Some(form) = FORMS.iter().find(|form| form.opcode == Opcode::Iatom) else { return Vec::new() };
        let keep = |values: &SlotValues| {
            matches!(form.value(values, SlotName::Addrspace), Some(Qualifier::Global | Qualifier::Generic))
                // Other work-groups count there, too.
                && form.value(values, SlotName::Memscope) != Some(Qualifier::Workgroup)
                && form.value(values, SlotName::Op).is_some_and(|op| COMMUTING.contains(&op))
        };
        let values = self.qualifiers(form, keep);
        let bits = bits_of(form, &values, Width::Slot(SlotName::Type));
        let op = form.value(&values, SlotName::Op);
        let number = COMMUTING.iter().position(|&q| Some(q) == op).unwrap_or(0);
        let at = 24 * number
            + match bits {
                16 => 0,
                32 => 8,
                _ => 16,
            };
        let mut lines = Vec::new();
        let generic = form.value(&values, SlotName::Addrspace) == Some(Qualifier::Generic);
        let address = if generic {
            let base = Operand::Register(temporary(1, 64, 2));
            lines.push(Line::new("addrcast.generic.global", vec![base.clone(), Operand::text("@counters")]));
            Operand::Address { base: Box::new(base), offset: Some(Box::new(Operand::number(at))) }
        } else if self.choices.below(2) == 0 {
            let base = Operand::text("@counters");
            Operand::Address { base: Box::new(base), offset: Some(Box::new(Operand::number(at))) }
        } else {
            let base = Operand::Register(temporary(1, 64, 1));
            lines.push(Line::new("addrof.64b", vec![base.clone(), Operand::text("@counters")]));
            Operand::Address { base: Box::new(base), offset: Some(Box::new(Operand::number(at))) }
        };
        let mut operands = vec![Operand::Register(temporary(1, bits as u16, 5)), address];
        if !matches!(op, Some(Qualifier::Inc | Qualifier::Dec)) {
            operands.push(self.readable(bits));
        }
        lines.push(Line::new(form.mnemonic(&values), operands));
        lines
    }

    /// Casts of an address to generic and back, and what it is an address of.
    fn generic_addresses(&mut self) -> Vec<Line> {
        use Qualifier::{Const, Global, Private, Shared};
        let space = self.choices.pick(&[Global, Shared, Private, Const]);
        let access = Access { size: 1, align: 1, writes: true, atomic: false };
        let mut lines = Vec::new();
        let generic = Operand::Register(temporary(1, 64, 2));
        let source = match self.choices.below(3) {
            0 => Operand::text(match space {
                Global => self.choices.pick(&["@gt", "@counters"]),
                Const => "@ct",
                Shared if self.is_kernel => "@s",
                Shared => "%slot",
                _ => "@p",
            }),
            _ => self.specific(space, access, &mut lines),
        };
        let to_generic = format!("addrcast.generic{}", space.text());
        lines.push(Line::new(to_generic, vec![generic.clone(), source]));
        match self.choices.below(3) {
            0 => {
                let result = self.scalar(32);
                let asked = self.choices.pick(&[".private", ".shared", ".global"]);
                lines.push(Line::new(format!("isaddr{asked}"), vec![result, generic]));
            }
            1 => {
                // Constant memory lies in the global range (D-27).
                let back = if space == Const { Global } else { space };
                let bits = if matches!(back, Global) { 64 } else { 32 };
                let result = self.scalar(bits);
                lines.push(Line::new(format!("addrcast{}.generic", back.text()), vec![result, generic]));
            }
            _ => {
                let result = self.scalar(64);
                lines.push(Line::new("mov.64b", vec![result, generic]));
            }
        }
        lines
    }
}
