//! Where values lie in the buffers.

use crate::generate::AREA;
use crate::registers::Register;

/// What a work-item has in the output buffer: memory to play with, then a place for each value that is stored.
pub struct Layout {
    next: usize,
}

impl Layout {
    pub fn new() -> Layout {
        Layout { next: AREA }
    }

    /// A place for a register's value.
    pub fn slot(&mut self, register: Register) -> usize {
        let at = self.next.next_multiple_of(alignment(register));
        self.next = at + register.bytes();
        at
    }

    /// Bytes of a work-item.
    pub fn size(&self) -> usize {
        self.next.next_multiple_of(16)
    }
}

/// The input: a row has an initial value for each register of the pool that is used.
#[derive(Default)]
pub struct Row {
    entries: Vec<(Register, usize)>,
    end: usize,
}

impl Row {
    pub fn add(&mut self, register: Register) {
        let at = self.end.next_multiple_of(alignment(register));
        self.end = at + register.bytes();
        self.entries.push((register, at));
    }

    pub fn offset(&self, register: Register) -> usize {
        self.entries.iter().find(|(r, _)| *r == register).map_or(0, |(_, at)| *at)
    }

    pub fn entries(&self) -> impl Iterator<Item = (Register, usize)> {
        self.entries.iter().copied()
    }

    pub fn size(&self) -> usize {
        self.end.max(16).next_multiple_of(16)
    }
}

fn alignment(register: Register) -> usize {
    register.bytes().next_power_of_two().min(16)
}
