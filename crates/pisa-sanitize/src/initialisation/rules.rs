//! How a lack of values spreads: which bits of a result have no value when some bits of the sources have none.
//!
//! A bit of a result has a value when it is the same whatever the bits without one hold. Logic, moves, shifts, fields,
//! comparisons and selections are exact or close to it; sums and products lack every bit from the lowest one on that
//! lacks; all other results lack every bit.

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::Instruction;

/// A source as a lane sees it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Source {
    /// Its value.
    pub(crate) value: u64,
    /// The bits of it that have none.
    pub(crate) lacks: u64,
}

impl Source {
    /// The least and the greatest value it can have, as an unsigned number.
    fn range(self) -> (u64, u64) {
        (self.value & !self.lacks, self.value | self.lacks)
    }
}

/// Which rule an instruction follows, and the numbers it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// Bit by bit by a truth table over three sources (`bfn`'s encoding, B-07).
    Table(u8),
    /// From the lowest bit on that lacks.
    Upward,
    /// Every bit.
    All,
    /// The bits of the one source; `abs` clears the sign, `extend` repeats it from a width on.
    Copy {
        clear: u64,
        extend: Option<u32>,
    },
    /// The bits in the opposite order.
    Reverse,
    Shift(Opcode),
    Funnel {
        left: bool,
    },
    InsertField,
    ExtractField {
        signed: bool,
    },
    /// `scmp`, `ucmp`: with the relation.
    Compare(Qualifier, bool),
    /// `sel`: the third source decides.
    Select,
}

impl Rule {
    /// The rule of an instruction whose results come element by element from its sources.
    pub(crate) fn of(instruction: &Instruction) -> Rule {
        let ty = instruction.qualifier(SlotName::Type);
        let saturates = instruction.has(SlotName::Dsat);
        let sign = |ty: Option<Qualifier>| match ty {
            Some(Qualifier::Hf | Qualifier::Bf | Qualifier::Hfx2 | Qualifier::Bfx2) => 1 << 15,
            Some(Qualifier::Df) => 1 << 63,
            _ => 1 << 31,
        };
        let extended = || instruction.qualifier(SlotName::From).and_then(Qualifier::bits).map(u32::from);
        match instruction.row().opcode {
            Opcode::And => Rule::Table(0x88),
            Opcode::Or => Rule::Table(0xEE),
            Opcode::Xor => Rule::Table(0x66),
            Opcode::Bfn => Rule::Table(instruction.number(SlotName::Operation).unwrap_or_default()),
            Opcode::Not | Opcode::Fneg | Opcode::Zext | Opcode::Trunc | Opcode::Addrcast => {
                Rule::Copy { clear: 0, extend: None }
            }
            Opcode::Sext => Rule::Copy { clear: 0, extend: extended() },
            Opcode::Fabs => Rule::Copy { clear: sign(ty), extend: None },
            Opcode::Bfrev => Rule::Reverse,
            opcode @ (Opcode::Shl | Opcode::Shr | Opcode::Asr) => Rule::Shift(opcode),
            Opcode::Shf => Rule::Funnel { left: instruction.qualifier(SlotName::Dir) == Some(Qualifier::L) },
            Opcode::Bfi => Rule::InsertField,
            Opcode::Sbfe => Rule::ExtractField { signed: true },
            Opcode::Ubfe => Rule::ExtractField { signed: false },
            Opcode::Iadd | Opcode::Isub | Opcode::Ineg if !saturates => Rule::Upward,
            Opcode::Smul | Opcode::Umul | Opcode::Smad | Opcode::Umad | Opcode::Uaddc => Rule::Upward,
            Opcode::Scmp | Opcode::Ucmp => match instruction.qualifier(SlotName::Cop) {
                Some(relation) => Rule::Compare(relation, instruction.row().opcode == Opcode::Scmp),
                None => Rule::All,
            },
            Opcode::Sel => Rule::Select,
            _ => Rule::All,
        }
    }

    /// Whether the values of the sources matter, not only which bits lack one.
    pub(crate) fn needs_values(self) -> bool {
        !matches!(self, Rule::Upward | Rule::All | Rule::Copy { .. } | Rule::Reverse)
    }

    /// The bits of a result that lack a value. `width` is that of a source, `element` that of the result.
    pub(crate) fn apply(self, sources: &[Source; 4], width: u32, element: usize) -> u64 {
        let [a, b, c, d] = *sources;
        let any = a.lacks | b.lacks | c.lacks | d.lacks;
        if any == 0 {
            return 0;
        }
        match self {
            Rule::Table(table) => by_table(table, [a, b, c]),
            Rule::Upward => any | any.wrapping_neg(),
            Rule::All => u64::MAX,
            Rule::Copy { clear, extend: None } => a.lacks & !clear,
            Rule::Copy { extend: Some(from), .. } => sign_extended(a.lacks, from),
            Rule::Reverse => a.lacks.reverse_bits() >> (64 - width.clamp(1, 64)),
            Rule::Shift(opcode) => {
                // B-03: the halves of a packed value have an amount each.
                let amount = 16 * element as u32 % 64;
                if b.lacks >> amount & 63 != 0 {
                    return u64::MAX;
                }
                let by = (b.value >> amount & 63) as u32;
                match opcode {
                    Opcode::Shl => a.lacks << by,
                    Opcode::Shr => a.lacks >> by,
                    _ => (sign_extended(a.lacks, width) as i64 >> by) as u64,
                }
            }
            Rule::Funnel { left } => {
                if c.lacks & 31 != 0 {
                    return u64::MAX;
                }
                let by = (c.value & 31) as u32;
                let both = a.lacks << 32 | b.lacks & 0xFFFF_FFFF;
                if left { (both << by) >> 32 } else { both >> by }
            }
            Rule::InsertField => {
                if c.lacks & 63 != 0 || d.lacks & 31 != 0 {
                    return u64::MAX;
                }
                let offset = (d.value & 31) as u32;
                let count = ((c.value & 63) as u32).min(32 - offset);
                let field = ((1u64 << count) - 1) << offset;
                a.lacks & !field | b.lacks << offset & field
            }
            Rule::ExtractField { signed } => {
                if b.lacks & 63 != 0 || c.lacks & 31 != 0 {
                    return u64::MAX;
                }
                let offset = (c.value & 31) as u32;
                let count = ((b.value & 63) as u32).min(32 - offset);
                let field = a.lacks >> offset & ((1u64 << count) - 1);
                if signed && count > 0 { sign_extended(field, count) } else { field }
            }
            Rule::Compare(relation, signed) => {
                if is_decided(relation, signed, width, a, b) {
                    0
                } else {
                    u64::MAX
                }
            }
            Rule::Select => {
                // D-30: any bit that is 1 and has a value decides.
                if c.value & !c.lacks != 0 {
                    a.lacks
                } else if c.lacks == 0 {
                    b.lacks
                } else {
                    a.lacks | b.lacks | (a.value ^ b.value)
                }
            }
        }
    }
}

/// Repeats bit `width - 1` above it.
fn sign_extended(bits: u64, width: u32) -> u64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64 >> unused) as u64
}

/// The bits whose entry of the table differs over the values that the sources can have.
fn by_table(table: u8, sources: [Source; 3]) -> u64 {
    let (mut can_be_one, mut can_be_zero) = (0u64, 0u64);
    for row in 0..8u8 {
        let mut possible = u64::MAX;
        for (i, source) in sources.iter().enumerate() {
            let wanted = if row >> i & 1 == 1 { source.value } else { !source.value };
            possible &= wanted | source.lacks;
        }
        if table >> row & 1 == 1 {
            can_be_one |= possible;
        } else {
            can_be_zero |= possible;
        }
    }
    can_be_one & can_be_zero
}

/// Whether a comparison comes out the same whatever the bits without a value hold.
fn is_decided(relation: Qualifier, signed: bool, width: u32, a: Source, b: Source) -> bool {
    let full = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let bias = if signed { 1 << (width.clamp(1, 64) - 1) } else { 0 };
    let biased = |s: Source| Source { value: (s.value ^ bias) & full, lacks: s.lacks & full };
    let (a, b) = (biased(a), biased(b));
    if matches!(relation, Qualifier::Eq | Qualifier::Ne) {
        return (a.lacks | b.lacks) == 0 || (a.value ^ b.value) & !(a.lacks | b.lacks) != 0;
    }
    let ((least_a, most_a), (least_b, most_b)) = (a.range(), b.range());
    // Below for certain, or at least as high for certain; and the same with the sides exchanged.
    match relation {
        Qualifier::Lt | Qualifier::Ge => most_a < least_b || least_a >= most_b,
        _ => most_b < least_a || least_b >= most_a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(value: u64, lacks: u64) -> Source {
        Source { value, lacks }
    }

    fn apply(rule: Rule, sources: &[Source], width: u32) -> u64 {
        let mut all = [Source::default(); 4];
        all[..sources.len()].copy_from_slice(sources);
        let full = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        rule.apply(&all, width, 0) & full
    }

    #[test]
    fn logic_knows_the_other_side() {
        let and = |a, b| apply(Rule::Table(0x88), &[a, b], 8);
        assert_eq!(and(source(0, 0xFF), source(0x0F, 0)), 0x0F);
        assert_eq!(and(source(0, 0xF0), source(0, 0xFF)), 0xF0 & 0xFF);
        let or = |a, b| apply(Rule::Table(0xEE), &[a, b], 8);
        assert_eq!(or(source(0, 0xFF), source(0x0F, 0)), 0xF0);
        let xor = |a, b| apply(Rule::Table(0x66), &[a, b], 8);
        assert_eq!(xor(source(0, 0x11), source(0xFF, 0x01)), 0x11);
        // A table that is src2 alone does not care for the others.
        assert_eq!(apply(Rule::Table(0xF0), &[source(0, 0xFF), source(0, 0xFF), source(0x3C, 0)], 8), 0);
    }

    #[test]
    fn sums_lack_from_the_lowest_bit_on() {
        assert_eq!(apply(Rule::Upward, &[source(0, 0b1000), source(1, 0)], 8), 0xF8);
        assert_eq!(apply(Rule::Upward, &[source(5, 0), source(1, 0)], 8), 0);
    }

    #[test]
    fn shifts_and_fields_move_the_lack() {
        assert_eq!(apply(Rule::Shift(Opcode::Shl), &[source(0, 1), source(4, 0)], 32), 0x10);
        assert_eq!(apply(Rule::Shift(Opcode::Asr), &[source(0, 1 << 31), source(4, 0)], 32), 0xF800_0000);
        assert_eq!(apply(Rule::Shift(Opcode::Shr), &[source(0, 1 << 31), source(4, 0)], 32), 0x0800_0000);
        assert_eq!(apply(Rule::Shift(Opcode::Shr), &[source(0, 0), source(4, 1)], 32), 0xFFFF_FFFF);
        // Bits of the amount that do not count may lack.
        assert_eq!(apply(Rule::Shift(Opcode::Shr), &[source(0, 0), source(4, 0x40)], 32), 0);
        let field = Rule::ExtractField { signed: false };
        assert_eq!(apply(field, &[source(0, 0xFF00), source(4, 0), source(4, 0)], 32), 0);
        assert_eq!(apply(field, &[source(0, 0xFF00), source(4, 0), source(8, 0)], 32), 0xF);
        let signed = Rule::ExtractField { signed: true };
        assert_eq!(apply(signed, &[source(0, 0x0800), source(4, 0), source(8, 0)], 32), 0xFFFF_FFF8);
        let insert = [source(0, 0xFFFF_FFFF), source(0, 0), source(8, 0), source(8, 0)];
        assert_eq!(apply(Rule::InsertField, &insert, 32), 0xFFFF_00FF);
        // shf.l takes the high word of src0:src1 shifted left.
        assert_eq!(
            apply(Rule::Funnel { left: true }, &[source(0, 0), source(0, 1 << 31), source(1, 0)], 32),
            1
        );
        assert_eq!(
            apply(Rule::Funnel { left: false }, &[source(0, 1), source(0, 0), source(1, 0)], 32),
            1 << 31
        );
    }

    #[test]
    fn comparisons_may_be_decided_all_the_same() {
        let lt = |signed, a, b| apply(Rule::Compare(Qualifier::Lt, signed), &[a, b], 32) == 0;
        assert!(lt(false, source(0x10, 0x0F), source(0x20, 0)));
        assert!(!lt(false, source(0x10, 0x0F), source(0x1F, 0)));
        assert!(lt(false, source(0x10, 0x0F), source(0x10, 0)));
        // The sign bit lacks: below and above zero are both possible.
        assert!(lt(false, source(0, 1 << 31), source(0, 0)));
        assert!(!lt(true, source(0, 1 << 31), source(0, 0)));
        let eq = |a, b| apply(Rule::Compare(Qualifier::Eq, false), &[a, b], 32) == 0;
        assert!(eq(source(1, 0xF0), source(2, 0)));
        assert!(!eq(source(2, 0xF0), source(2, 0)));
        let gt = |a, b| apply(Rule::Compare(Qualifier::Gt, false), &[a, b], 32) == 0;
        assert!(gt(source(0x20, 0x0F), source(0x1F, 0)) && !gt(source(0x20, 0x0F), source(0x20, 0)));
    }

    #[test]
    fn a_selection_lacks_what_it_may_choose() {
        let select = |a, b, c| apply(Rule::Select, &[a, b, c], 8);
        assert_eq!(select(source(0, 0xFF), source(0, 0), source(0, 0)), 0);
        assert_eq!(select(source(0, 0xFF), source(0, 0), source(1, 0)), 0xFF);
        assert_eq!(select(source(7, 0), source(7, 0), source(0, 1)), 0);
        assert_eq!(select(source(7, 0), source(5, 0), source(0, 1)), 2);
        assert_eq!(select(source(7, 0), source(5, 0), source(2, 1)), 0);
    }

    /// Every rule against all values of sources of 4 bits: a bit that has a value must not depend on those that lack.
    #[test]
    fn no_bit_with_a_value_depends_on_one_without() {
        type Compute = fn(u64, u64) -> u64;
        let cases: [(Rule, Compute); 6] = [
            (Rule::Table(0x88), |a, b| a & b),
            (Rule::Upward, |a, b| a + b),
            (Rule::Upward, |a, b| a.wrapping_mul(b)),
            (Rule::Compare(Qualifier::Lt, false), |a, b| u64::from(a < b)),
            (Rule::Compare(Qualifier::Le, false), |a, b| u64::from(a <= b)),
            (Rule::Shift(Opcode::Shl), |a, b| a << (b & 63)),
        ];
        for (rule, compute) in cases {
            for bits in 0..1u32 << 16 {
                let part = |i: u32| u64::from(bits >> (4 * i) & 15);
                let (a, b) = (source(part(0), part(1)), source(part(2), part(3)));
                let lacks = apply(rule, &[a, b], 4);
                let expected = compute(a.value, b.value) & !lacks & 15;
                // All ones and all zeros in the bits that lack.
                for (fill_a, fill_b) in [(0, 0), (15, 0), (0, 15), (15, 15), (5, 10)] {
                    let x = a.value & !a.lacks | fill_a & a.lacks;
                    let y = b.value & !b.lacks | fill_b & b.lacks;
                    assert_eq!(compute(x, y) & !lacks & 15, expected, "{rule:?} {a:?} {b:?}");
                }
            }
        }
    }
}
