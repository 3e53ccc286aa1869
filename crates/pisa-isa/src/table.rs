//! The table itself: the chapters one after another, built at compile time.

mod arithmetic;
mod comparison;
mod control_flow;
mod cross_lane;
mod data_movement;
mod dsl;
mod floating_point;
mod logical;
mod memory;
mod synchronization;

use crate::{Form, FormId, Opcode};

const CHAPTERS: [&[Form]; 9] = [
    arithmetic::FORMS,
    floating_point::FORMS,
    logical::FORMS,
    data_movement::FORMS,
    comparison::FORMS,
    control_flow::FORMS,
    cross_lane::FORMS,
    memory::FORMS,
    synchronization::FORMS,
];

const COUNT: usize = {
    let mut sum = 0;
    let mut chapter = 0;
    while chapter < CHAPTERS.len() {
        sum += CHAPTERS[chapter].len();
        chapter += 1;
    }
    sum
};

const fn concatenate() -> [Form; COUNT] {
    let mut all = [CHAPTERS[0][0]; COUNT];
    let (mut chapter, mut at) = (0, 0);
    while chapter < CHAPTERS.len() {
        let mut i = 0;
        while i < CHAPTERS[chapter].len() {
            all[at] = CHAPTERS[chapter][i];
            all[at].id = FormId(at as u16);
            at += 1;
            i += 1;
        }
        chapter += 1;
    }
    all
}

static TABLE: [Form; COUNT] = concatenate();

/// Every form; opcodes in the order of the spec, so that the forms of one opcode stand together.
pub static FORMS: &[Form] = &TABLE;

/// First form and count of forms, by opcode. Evaluating this fails where an opcode has none or they are scattered.
const RANGES: [(u16, u16); Opcode::ALL.len()] = {
    let mut ranges = [(0, 0); Opcode::ALL.len()];
    let mut at = 0;
    let mut opcode = 0;
    let all = concatenate();
    while opcode < ranges.len() {
        let first = at;
        while at < COUNT && all[at].opcode as usize == opcode {
            at += 1;
        }
        assert!(at > first, "an opcode has no form, or the table is out of order");
        ranges[opcode] = (first as u16, (at - first) as u16);
        opcode += 1;
    }
    assert!(at == COUNT);
    ranges
};

/// The form with this id.
///
/// # Panics
/// Where no form has it; ids come from [`Form::id`] and the matcher.
pub fn form(id: FormId) -> &'static Form {
    &FORMS[id.0 as usize]
}

/// All forms of the opcode, in the order of the spec; never empty.
pub fn forms_of(opcode: Opcode) -> &'static [Form] {
    let (first, count) = RANGES[opcode as usize];
    &FORMS[first as usize..first as usize + count as usize]
}
