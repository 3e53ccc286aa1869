//! Integers, shifts, bit fields, vector indices and lane sets.

use super::{Here, lanes_where, read};
use crate::describe::{first_lane, signed};
use crate::finding::{Findings, Text};
use pisa_diag::codes::finding::undefined as codes;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::LANES;

impl Here<'_, '_> {
    ///
    pub(super) fn division(&self, is_signed: bool, width: u32, findings: &mut Findings) {
        let mask = u64::MAX >> (64 - width);
        let divisors = read(self.step, 2, 0);
        let zero = lanes_where(self.step, &divisors, |divisor| divisor & mask == 0);
        let spec = if is_signed { "1.6 sdiv" } else { "1.12 udiv" };
        if zero != 0 {
            findings.report(codes::DIVISION_BY_ZERO_EXECUTED, self.step, zero, None, || {
                let (lane, name) = (first_lane(zero), self.name(2));
                Text {
                    message: format!("division by zero: `{name}` is 0"),
                    label: format!("lane {lane} divides {} by 0", self.dividend(lane, is_signed, width)),
                    notes: vec![
                        "here the quotient has all bits set and the remainder is the dividend".to_owned(),
                    ],
                    spec: if is_signed {
                        "1.6 sdiv: division by zero is undefined behavior"
                    } else {
                        "1.12 udiv: division by zero is undefined behavior"
                    },
                    help: format!("compare `{name}` with 0 before, and go round the division"),
                    ..Text::default()
                }
            });
        }
        if !is_signed {
            return;
        }
        let minus_one = lanes_where(self.step, &divisors, |divisor| divisor & mask == mask);
        if minus_one == 0 {
            return;
        }
        let least = 1u64 << (width - 1);
        let dividends = read(self.step, 1, 0);
        let overflow = minus_one & lanes_where(self.step, &dividends, |dividend| dividend & mask == least);
        if overflow != 0 {
            findings.report(codes::DIVISION_OVERFLOW, self.step, overflow, None, || Text {
                message: format!("{} divided by -1 is too large for {width} bits", signed(least, width)),
                label: format!(
                    "lane {}: `{}` is {}",
                    first_lane(overflow),
                    self.name(1),
                    signed(least, width)
                ),
                notes: vec!["here the quotient is the dividend and the remainder is 0".to_owned()],
                spec,
                help: format!("compare `{}` with -1 before: `isub` negates as well", self.name(2)),
                ..Text::default()
            });
        }
    }

    fn dividend(&self, lane: usize, is_signed: bool, width: u32) -> String {
        let value = read(self.step, 1, 0)[lane];
        if is_signed { signed(value, width).to_string() } else { value.to_string() }
    }

    /// B-01, B-02.
    pub(super) fn shift(&self, width: u32, packed: bool, findings: &mut Findings) {
        let amounts = read(self.step, 2, 0);
        let limit = u64::from(width);
        let far = if packed {
            lanes_where(self.step, &amounts, |amount| amount & 63 >= limit || amount >> 16 & 63 >= limit)
        } else {
            lanes_where(self.step, &amounts, |amount| amount & 0xFFFF_FFFF >= limit)
        };
        if far == 0 {
            return;
        }
        findings.report(codes::SHIFT_AMOUNT, self.step, far, None, || {
            let (lane, name) = (first_lane(far), self.name(2));
            let amount = amounts[lane] & 0xFFFF_FFFF;
            let opcode = self.step.instruction.row().opcode;
            let shown = if packed {
                format!("{} and {}", amount & 63, amount >> 16 & 63)
            } else {
                amount.to_string()
            };
            let note = if !packed && amount > 63 {
                format!("only the low six bits count, so this shifts by {}", amount & 63)
            } else if opcode == Opcode::Asr {
                "here the result is the sign in every bit; other machines shift by less".to_owned()
            } else {
                "here the result is 0; other machines shift by less".to_owned()
            };
            Text {
                message: format!("shift of {width} bits by {shown}"),
                label: format!("lane {lane}: `{name}` is {amount}"),
                notes: vec![note],
                spec: match opcode {
                    Opcode::Shl => "3.13 shl",
                    Opcode::Shr => "3.12 shr",
                    _ => "3.2 asr",
                },
                help: format!(
                    "amounts that move something are 0 to {}: `and.32b` with {}, or `umin.32b`",
                    width - 1,
                    width - 1
                ),
                ..Text::default()
            }
        });
    }

    /// D-19.
    pub(super) fn vector_index(&self, elements: u32, findings: &mut Findings) {
        let indices = read(self.step, 2, 0);
        let outside = lanes_where(self.step, &indices, |index| index & 0xFFFF_FFFF >= u64::from(elements));
        if outside == 0 {
            return;
        }
        findings.report(codes::VECTOR_INDEX, self.step, outside, None, || {
            let (lane, name) = (first_lane(outside), self.name(2));
            let extract = self.step.instruction.row().opcode == Opcode::ExtractDynamic;
            let vector = self.name(if extract { 1 } else { 0 });
            Text {
                message: format!(
                    "`{name}` is {}, `{vector}` has {elements} elements",
                    indices[lane] & 0xFFFF_FFFF
                ),
                label: format!("lane {lane}"),
                notes: vec![if extract {
                    "here the result is 0xcdcdcdcd".to_owned()
                } else {
                    "here nothing is inserted".to_owned()
                }],
                spec: if extract {
                    "4.3 extract.dynamic: behavior is undefined if the index is out of bounds for src0"
                } else {
                    "4.11 insert.dynamic: behavior is undefined if the index is out of bounds for dst"
                },
                help: format!(
                    "keep the index below {elements}: compare it before, or `umin.32b` with {}",
                    elements - 1
                ),
                ..Text::default()
            }
        });
    }

    /// S-05: `redfirstidx` of nothing.
    pub(super) fn first_index(&self, findings: &mut Findings) {
        let masks = read(self.step, 1, 0);
        let active = u64::from(self.step.lanes);
        let empty = lanes_where(self.step, &masks, |mask| mask & active == 0);
        if empty == 0 {
            return;
        }
        findings.report(codes::EMPTY_FIRST_INDEX, self.step, empty, None, || {
            let lane = first_lane(empty);
            Text {
                message: format!("none of the lanes that `{}` names is active", self.name(1)),
                label: format!(
                    "lane {lane}: the mask is {:#010x}, active are {:#010x}",
                    masks[lane] & 0xFFFF_FFFF,
                    self.step.lanes
                ),
                notes: vec![
                    "the loop of the specification never ends; here the result is 0xffffffff".to_owned(),
                ],
                spec: "7.3 redfirstidx",
                help: "compare the mask with 0 before, or take 0xffffffff for the first lane that is active"
                    .to_owned(),
                ..Text::default()
            }
        });
    }

    /// B-04: `bfi` cuts fields at the top, and its operands to six and five bits.
    pub(super) fn bit_field(&self, findings: &mut Findings) {
        let (widths, offsets) = (read(self.step, 3, 0), read(self.step, 4, 0));
        let mut clamped = 0u32;
        for lane in 0..LANES as usize {
            let (width, offset) = (widths[lane] & 0xFFFF_FFFF, offsets[lane] & 0xFFFF_FFFF);
            let fits = width <= 32 && offset < 32 && width + offset <= 32;
            clamped |= u32::from(!fits) << lane;
        }
        clamped &= self.step.lanes;
        if clamped == 0 {
            return;
        }
        findings.report(codes::BIT_FIELD_CLAMPED, self.step, clamped, None, || {
            let lane = first_lane(clamped);
            let (width, offset) = (widths[lane] & 0xFFFF_FFFF, offsets[lane] & 0xFFFF_FFFF);
            let taken = (width & 63).min(32 - (offset & 31));
            Text {
                message: format!("a field of {width} bits at bit {offset} reaches past bit 31"),
                label: format!("lane {lane}: `{}` is {width}, `{}` is {offset}", self.name(3), self.name(4)),
                notes: vec![format!("{taken} bits are inserted at bit {}", offset & 31)],
                spec: "3.3 bfi",
                help: "keep offset and width together at 32 or less".to_owned(),
                ..Text::default()
            }
        });
    }

    ///
    pub(super) fn absolute(&self, width: u32, findings: &mut Findings) {
        let mask = u64::MAX >> (64 - width);
        let least = 1u64 << (width - 1);
        let values = read(self.step, 1, 0);
        let lanes = lanes_where(self.step, &values, |value| value & mask == least);
        if lanes == 0 {
            return;
        }
        findings.report(codes::ABSOLUTE_OF_LEAST, self.step, lanes, None, || Text {
            message: format!("the absolute value of {} is too large for {width} bits", signed(least, width)),
            label: format!("lane {}: `{}` is {}", first_lane(lanes), self.name(1), signed(least, width)),
            notes: vec![format!("the result is {} again: negative as a signed number", signed(least, width))],
            spec: "1.2 iabs",
            help: "use the result as an unsigned number, or sign-extend to the next width before".to_owned(),
            ..Text::default()
        });
    }

    /// The mnemonic without what does not matter here: `f2i.s32.f`.
    pub(super) fn conversion(&self) -> String {
        let instruction = self.step.instruction;
        let text = |slot| instruction.qualifier(slot).map_or("", Qualifier::text);
        let opcode = instruction.row().opcode.text();
        format!("{opcode}{}{}", text(SlotName::To), text(SlotName::From))
    }
}
