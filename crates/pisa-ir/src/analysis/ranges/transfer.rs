//! What an instruction makes of the ranges of its operands.

use super::{Range, Ranges, opposite};
use crate::{
    Block, CrossLane, CrossLaneKind, Function, InactiveSource, InstructionData, MaskOperation, Operand,
    Operation, Reduction, Scope,
};
use pisa_isa::{Opcode, Qualifier, SlotName};

/// Lanes of a sub-group.
const LANES: u64 = 32;

impl Ranges {
    /// A scalar result of an instruction in a block; `full` is all that it may be by its type.
    pub(super) fn result(
        &self,
        function: &Function,
        block: Block,
        data: &InstructionData,
        full: Range,
    ) -> Range {
        let at = |number: usize| {
            let operand = data.operands.get(number).copied();
            operand.and_then(|operand| self.at(function, operand, block))
        };
        let range = match &data.operation {
            Operation::Table { .. } => self.table(function, data, full, &at),
            Operation::CrossLane(operation) => self.cross_lane(function, block, data, operation, full),
            Operation::Mask(MaskOperation::BitCount(_)) => Some(Range::of_unsigned(0, LANES, full.bits)),
            _ => None,
        };
        // Whatever the form, the result has its type.
        range.filter(|range| range.bits == full.bits).unwrap_or(full)
    }

    fn table(
        &self,
        function: &Function,
        data: &InstructionData,
        full: Range,
        at: &dyn Fn(usize) -> Option<Range>,
    ) -> Option<Range> {
        let bits = full.bits;
        let opcode = data.operation.opcode()?;
        match opcode {
            // Copies whatever it is.
            Opcode::Mov if data.operands.len() == 1 => return at(0),
            Opcode::Zext => {
                let of = at(0)?;
                return Some(Range::of_unsigned(of.unsigned.0, of.unsigned.1, bits));
            }
            Opcode::Sext => {
                let of = at(0)?;
                return Some(Range::of_signed(of.signed.0, of.signed.1, bits));
            }
            Opcode::Trunc => {
                let of = at(0)?;
                let fits = |r: &Range| r.unsigned.1 <= full.unsigned.1;
                return Some(if fits(&of) {
                    Range::of_unsigned(of.unsigned.0, of.unsigned.1, bits)
                } else {
                    full
                });
            }
            _ => {}
        }
        let has = |slot: SlotName| data.operation.qualifier(slot).is_some();
        if has(SlotName::Dsat) || has(SlotName::Precision) {
            return None;
        }
        let is_predicate = |operand: &Operand| function.type_of(*operand).is_some_and(|ty| ty.is_predicate());
        let (a, b) = (at(0)?, at(1));
        if a.bits != bits {
            return None;
        }
        match opcode {
            Opcode::Sel => {
                let b = b?;
                let chosen =
                    data.operands[2].constant().filter(|_| data.operands.get(2).is_some_and(is_predicate));
                return Some(match chosen {
                    Some(0) => b,
                    Some(_) => a,
                    None => a.join(b),
                });
            }
            Opcode::Cbit => return Some(Range::of_unsigned(0, bits.into(), bits)),
            // All ones of 0 (B-08).
            Opcode::Fbl | Opcode::Fbh if a.is_non_zero() => {
                return Some(Range::of_unsigned(0, u64::from(bits) - 1, bits));
            }
            Opcode::Not => return Some(not(a, full)),
            Opcode::Ineg => return Some(subtract(Range::constant(0, bits), a, full)),
            Opcode::Iabs => return Some(absolute(a, full)),
            Opcode::Ubfe => {
                // The width by its low 6 bits (B-05).
                let width = b?.value()? & 63;
                return (width < 32).then(|| Range::of_unsigned(0, (1 << width) - 1, bits));
            }
            Opcode::Shl | Opcode::Shr | Opcode::Asr => return Some(shift(opcode, a, b?, full)),
            _ => {}
        }
        let b = b.filter(|b| b.bits == bits)?;
        let (u, v, s, t) = (a.unsigned, b.unsigned, a.signed, b.signed);
        Some(match opcode {
            Opcode::Iadd => add(a, b, full),
            Opcode::Isub => subtract(a, b, full),
            Opcode::Umul => multiply(a, b, full),
            Opcode::Umad => {
                let c = at(2).filter(|c| c.bits == bits)?;
                let product = multiply(a, b, full);
                // A product that does not fit has no bounds.
                let exact = u128::from(u.1) * u128::from(v.1) <= u128::from(full.unsigned.1);
                if exact { add(product, c, full) } else { full }
            }
            Opcode::Smul => multiply_signed(a, b, full),
            Opcode::Udiv if v.0 > 0 => match data.operation.qualifier(SlotName::Output) {
                Some(Qualifier::Rem) => Range::of_unsigned(0, u.1.min(v.1 - 1), bits),
                _ => Range::of_unsigned(u.0 / v.1, u.1 / v.0, bits),
            },
            Opcode::And => Range::of_unsigned(0, u.1.min(v.1), bits),
            Opcode::Or => Range::of_unsigned(u.0.max(v.0), ones_up_to(u.1 | v.1), bits),
            Opcode::Xor => Range::of_unsigned(0, ones_up_to(u.1 | v.1), bits),
            Opcode::Umin => Range::of_unsigned(u.0.min(v.0), u.1.min(v.1), bits),
            Opcode::Umax => Range::of_unsigned(u.0.max(v.0), u.1.max(v.1), bits),
            Opcode::Smin => Range::of_signed(s.0.min(t.0), s.1.min(t.1), bits),
            Opcode::Smax => Range::of_signed(s.0.max(t.0), s.1.max(t.1), bits),
            _ => full,
        })
    }

    fn cross_lane(
        &self,
        function: &Function,
        block: Block,
        data: &InstructionData,
        operation: &CrossLane,
        full: Range,
    ) -> Option<Range> {
        use CrossLaneKind as K;
        let of = |operand: Option<Operand>| operand.and_then(|operand| self.at(function, operand, block));
        // Other lanes may have other branches behind them: where they are not needed here, only what holds everywhere is said.
        let source = data.data().and_then(|operand| self.of_operand(function, operand));
        let given = match operation.kind {
            K::ReadFirstInvocation => source?,
            K::ReadInvocation | K::Shuffle { .. } | K::Rotate(_) | K::QuadBroadcast | K::QuadSwap(_)
                if operation.inactive == InactiveSource::Own =>
            {
                source?
            }
            K::Reduce { reduction, scope, .. }
                if !operation.element.is_float() && scope != Scope::Exclusive =>
            {
                let source = source?;
                match reduction {
                    Reduction::Umin | Reduction::Umax | Reduction::Smin | Reduction::Smax => source,
                    Reduction::Sum if source.unsigned.1 <= full.unsigned.1 / LANES => {
                        Range::of_unsigned(source.unsigned.0, source.unsigned.1 * LANES, full.bits)
                    }
                    Reduction::And => Range::of_unsigned(0, source.unsigned.1, full.bits),
                    Reduction::Or => {
                        Range::of_unsigned(source.unsigned.0, ones_up_to(source.unsigned.1), full.bits)
                    }
                    Reduction::Xor => Range::of_unsigned(0, ones_up_to(source.unsigned.1), full.bits),
                    _ => return None,
                }
            }
            _ => return None,
        };
        match data.pass_through() {
            Some(Operand::Dead) | None => Some(given),
            kept => of(kept).map(|kept| given.join(kept)),
        }
    }
}

/// All bits up to the highest one of a number.
fn ones_up_to(number: u64) -> u64 {
    if number == 0 { 0 } else { u64::MAX >> number.leading_zeros() }
}

/// From exact bounds of both readings; those that do not fit say nothing.
fn from_bounds(unsigned: (i128, i128), signed: (i128, i128), full: Range) -> Range {
    let fits = |(least, greatest): (i128, i128), low: i128, high: i128| low <= least && greatest <= high;
    let mut range = full;
    if fits(unsigned, full.unsigned.0.into(), full.unsigned.1.into()) {
        range = range.meet(Range::of_unsigned(unsigned.0 as u64, unsigned.1 as u64, full.bits));
    }
    if fits(signed, full.signed.0.into(), full.signed.1.into()) {
        range = range.meet(Range::of_signed(signed.0 as i64, signed.1 as i64, full.bits));
    }
    range
}

fn wide((least, greatest): (u64, u64)) -> (i128, i128) {
    (least.into(), greatest.into())
}

fn wide_signed((least, greatest): (i64, i64)) -> (i128, i128) {
    (least.into(), greatest.into())
}

fn add(a: Range, b: Range, full: Range) -> Range {
    let sum = |a: (i128, i128), b: (i128, i128)| (a.0 + b.0, a.1 + b.1);
    from_bounds(
        sum(wide(a.unsigned), wide(b.unsigned)),
        sum(wide_signed(a.signed), wide_signed(b.signed)),
        full,
    )
}

fn subtract(a: Range, b: Range, full: Range) -> Range {
    let difference = |a: (i128, i128), b: (i128, i128)| (a.0 - b.1, a.1 - b.0);
    from_bounds(
        difference(wide(a.unsigned), wide(b.unsigned)),
        difference(wide_signed(a.signed), wide_signed(b.signed)),
        full,
    )
}

/// Of bounds below 2^63 in size products fit into 128 bits.
fn multiply(a: Range, b: Range, full: Range) -> Range {
    let least = u128::from(a.unsigned.0) * u128::from(b.unsigned.0);
    let greatest = u128::from(a.unsigned.1) * u128::from(b.unsigned.1);
    if greatest <= u128::from(full.unsigned.1) {
        Range::of_unsigned(least as u64, greatest as u64, full.bits)
    } else {
        full
    }
}

fn multiply_signed(a: Range, b: Range, full: Range) -> Range {
    let product = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let (s, t) = (a.signed, b.signed);
    let corners = [product(s.0, t.0), product(s.0, t.1), product(s.1, t.0), product(s.1, t.1)];
    let least = corners.into_iter().min().unwrap_or(0);
    let greatest = corners.into_iter().max().unwrap_or(0);
    // Nothing is said of the unsigned reading.
    from_bounds(wide(full.unsigned), (least, greatest), full)
}

fn not(a: Range, full: Range) -> Range {
    let (u, all) = (a.unsigned, full.unsigned.1);
    Range::of_unsigned(all - u.1, all - u.0, full.bits)
}

/// The least number has no absolute value and stays.
fn absolute(a: Range, full: Range) -> Range {
    let (least, greatest) = a.signed;
    let (x, y) = (least.unsigned_abs(), greatest.unsigned_abs());
    let lowest = if least <= 0 && greatest >= 0 { 0 } else { x.min(y) };
    Range::of_unsigned(lowest, x.max(y), full.bits)
}

/// By the low 6 bits of the amount (B-01).
fn shift(opcode: Opcode, a: Range, amount: Range, full: Range) -> Range {
    let (least, greatest) = amount.unsigned;
    if greatest > 63 {
        return match opcode {
            Opcode::Shr => Range::of_unsigned(0, a.unsigned.1, full.bits),
            _ => full,
        };
    }
    let (u, s) = (a.unsigned, a.signed);
    match opcode {
        Opcode::Shr => Range::of_unsigned(u.0 >> greatest, u.1 >> least, full.bits),
        Opcode::Asr => {
            let low = if s.0 < 0 { s.0 >> least } else { s.0 >> greatest };
            let high = if s.1 < 0 { s.1 >> greatest } else { s.1 >> least };
            Range::of_signed(low, high, full.bits)
        }
        _ => {
            let (low, high) = (u128::from(u.0) << least, u128::from(u.1) << greatest);
            if high <= u128::from(full.unsigned.1) {
                Range::of_unsigned(low as u64, high as u64, full.bits)
            } else {
                full
            }
        }
    }
}

/// What a comparison with another number says of one in a range: of the left one, or of the right one; and whether it holds.
pub(super) fn compared(
    range: Range,
    how: Qualifier,
    other: Range,
    is_signed: bool,
    is_left: bool,
    holds: bool,
) -> Range {
    let Some(how) = (if holds { Some(how) } else { opposite(how) }) else { return range };
    // With the one asked about on the left.
    let how = match how {
        _ if is_left => how,
        Qualifier::Lt => Qualifier::Gt,
        Qualifier::Gt => Qualifier::Lt,
        Qualifier::Le => Qualifier::Ge,
        Qualifier::Ge => Qualifier::Le,
        same => same,
    };
    let full = Range::full(range.bits);
    let (u, s) = (other.unsigned, other.signed);
    let (low, high) = (full.unsigned.0, full.unsigned.1);
    let (least, greatest) = full.signed;
    let bound = match (how, is_signed) {
        (Qualifier::Eq, _) => Some(other),
        (Qualifier::Lt, false) if u.1 > low => Some(Range::of_unsigned(low, u.1 - 1, range.bits)),
        (Qualifier::Le, false) => Some(Range::of_unsigned(low, u.1, range.bits)),
        (Qualifier::Gt, false) if u.0 < high => Some(Range::of_unsigned(u.0 + 1, high, range.bits)),
        (Qualifier::Ge, false) => Some(Range::of_unsigned(u.0, high, range.bits)),
        (Qualifier::Lt, true) if s.1 > least => Some(Range::of_signed(least, s.1 - 1, range.bits)),
        (Qualifier::Le, true) => Some(Range::of_signed(least, s.1, range.bits)),
        (Qualifier::Gt, true) if s.0 < greatest => Some(Range::of_signed(s.0 + 1, greatest, range.bits)),
        (Qualifier::Ge, true) => Some(Range::of_signed(s.0, greatest, range.bits)),
        // Only a bound can be cut off.
        (Qualifier::Ne, _) => match other.value() {
            Some(value) if value == range.unsigned.0 && value < high => {
                Some(Range::of_unsigned(value + 1, high, range.bits))
            }
            Some(value) if value == range.unsigned.1 && value > low => {
                Some(Range::of_unsigned(low, value - 1, range.bits))
            }
            _ => None,
        },
        _ => None,
    };
    bound.map_or(range, |bound| range.meet(bound))
}
