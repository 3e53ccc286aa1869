//! Bitwise operations by their truth tables.

use super::MaskFact;
use crate::ActiveSet;

/// What is known of a bit at some position.
type Bit = Option<bool>;

/// The bit of the result, if it is the same for all bits that the operands may have; bit `c << 2 | b << 1 | a` of the table is the result for a, b
/// and c.
fn result(table: u8, bits: [Bit; 3]) -> Bit {
    let possible = |row: u8| (0..3).all(|i| bits[i].is_none_or(|bit| bit == (row >> i & 1 == 1)));
    let mut rows = (0..8).filter(|&row| possible(row)).map(|row| table >> row & 1 == 1);
    let first = rows.next()?;
    rows.all(|bit| bit == first).then_some(first)
}

/// A bitwise operation of three values.
pub(super) fn bitwise(table: u8, operands: [MaskFact; 3]) -> MaskFact {
    let mut fact = MaskFact::UNKNOWN;
    for position in 0..32 {
        let known = |fact: MaskFact| {
            let zero = (fact.zeros >> position & 1 == 1).then_some(false);
            zero.or((fact.ones >> position & 1 == 1).then_some(true))
        };
        match result(table, operands.map(known)) {
            Some(false) => fact.zeros |= 1 << position,
            Some(true) => fact.ones |= 1 << position,
            None => {}
        }
    }
    // The same at the own lane's position, at all others, and inside and outside of active sets.
    fact.own = result(table, operands.map(|operand| operand.own));
    let everywhere = |operand: MaskFact| match operand.bits() {
        Some(0) => Some(false),
        Some(u32::MAX) => Some(true),
        _ => None,
    };
    let elsewhere = |operand: MaskFact| everywhere(operand).or(operand.only_own.then_some(false));
    fact.only_own = result(table, operands.map(elsewhere)) == Some(false);
    let outside = |active: ActiveSet| {
        let bit = |operand: MaskFact| everywhere(operand).or(operand.is_within(active).then_some(false));
        result(table, operands.map(bit)) == Some(false)
    };
    let inside = |active: ActiveSet| {
        let bit = |operand: MaskFact| everywhere(operand).or(operand.does_cover(active).then_some(true));
        result(table, operands.map(bit)) == Some(true)
    };
    fact.within = operands.iter().find_map(|operand| operand.within.filter(|&active| outside(active)));
    fact.covers = operands.iter().find_map(|operand| operand.covers.filter(|&active| inside(active)));
    // A bit of the result is one of this operand, or the reverse.
    let implies = |from: u8, to: u8| from & !to == 0;
    for (operand, rows) in operands.iter().zip([0xAA, 0xCC, 0xF0]) {
        fact.at_most_one |= operand.at_most_one && implies(table, rows);
        fact.non_empty |= operand.non_empty && implies(rows, table);
    }
    fact
}
