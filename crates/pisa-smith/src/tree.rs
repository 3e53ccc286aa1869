//! What a program is: a tree that stays valid when parts of it go.

use crate::registers::Register;
use std::collections::BTreeSet;

/// One or several modules with their launch.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) shape: Shape,
    pub(crate) functions: Vec<Function>,
    pub(crate) kernel: Vec<Statement>,
    /// What the initial values of registers and tables depend on.
    pub(crate) data: u64,
    /// Registers whose initial values are all 0.
    pub(crate) zeroed: BTreeSet<Register>,
    /// Rows of initial values; work-items take turns with them.
    pub(crate) rows: usize,
    /// Ways to write the same, bit by bit: declarations in ranges, attributes, a kernel that ends without `return`.
    pub(crate) style: u64,
    /// Which modules functions and variables are in; 0 for a single one.
    pub(crate) split: u64,
}

/// The extent of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub dimensions: usize,
    pub global: [u64; 3],
    pub local: [u64; 3],
    pub offset: [u64; 3],
}

/// A function `@fN`. Its first parameters are those that every body has.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub body: Vec<Statement>,
    /// Parameters, registers of the pool.
    pub parameters: Vec<Register>,
    /// What it returns; a register of the pool gives the type.
    pub result: Option<(Register, Operand)>,
}

/// Names a region of a body.
pub(crate) type RegionId = u32;
/// Names a place in a body that jumps lead to.
pub(crate) type MarkId = u32;

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// Lines that belong together: those before the last make its operands defined.
    Lines(Vec<Line>),
    /// Stores a register's value as it is now.
    Dump(Register),
    /// Two ways; no lane or all lanes may take one.
    If { id: RegionId, condition: Condition, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// A loop that ends after at most a few turns.
    Loop { id: RegionId, trips: Trips, body: Vec<Statement> },
    /// A region with a label behind it.
    Block { id: RegionId, body: Vec<Statement> },
    /// Braces in which some registers are others of the same names.
    Scope { id: RegionId, shadowed: Vec<Register>, body: Vec<Statement> },
    /// Jumps behind a region around this statement.
    Leave { to: RegionId, condition: Option<Condition> },
    /// Jumps to the end of a turn of a loop around this statement.
    Continue { to: RegionId, condition: Condition },
    /// A place that jumps lead to.
    Mark(MarkId),
    /// Jumps to a mark wherever it is: forward or back, into regions and loops. Back only so many times.
    Jump(Jump),
    /// Returns early, or ends the work-item.
    Return(Condition),
    /// Calls a function.
    Call(Call),
    /// Work-items give each other a value through shared memory. Only where all of a work-group meet.
    Exchange { source: Register, destination: Register, distance: u32 },
    /// A barrier, in a function of its own or not. Only where all of a work-group meet.
    Barrier { through_call: bool },
}

#[derive(Clone, Debug)]
pub(crate) struct Jump {
    /// Its number among those of the body.
    pub number: u32,
    /// Where to; nowhere where there is no such mark.
    pub to: MarkId,
    pub condition: Option<Condition>,
    /// How often it leads back, at most, before it is passed by.
    pub times: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub function: usize,
    pub condition: Option<Condition>,
    pub target: Target,
    pub arguments: Vec<Operand>,
    /// Where the result goes; a register of the pool.
    pub result: Option<Register>,
}

/// How a call finds its function.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Name,
    Register,
    /// One of the first two functions, by a bit of a register, from a table in memory.
    Table(Operand),
}

/// Whether lanes do something.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Predicate {
        register: Register,
        negated: bool,
    },
    /// `%laneid` is below the number.
    Lanes(u32),
    /// A bit of a 32-bit register.
    Bit(Register, u32),
    /// A bit of `%groupid.x`: the same for all of a work-group.
    Group(u32),
}

/// How many turns a loop takes.
#[derive(Clone, Debug)]
pub(crate) enum Trips {
    /// This many.
    Fixed(u32),
    /// By the low two bits of a register; the test stands at the start or, with one turn more, at the end.
    Lane { register: Register, test_first: bool },
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub mnemonic: String,
    pub operands: Vec<Operand>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Register(Register),
    Element(Register, u8),
    Swizzle(Register, &'static str),
    Predicate {
        register: Register,
        negated: bool,
    },
    /// An immediate, and the simplest one that could stand there.
    Immediate {
        text: String,
        simplest: String,
    },
    /// Whatever else: special registers, names, immediates that must stay.
    Text(String),
    Address {
        base: Box<Operand>,
        offset: Option<Box<Operand>>,
    },
}

impl Operand {
    pub fn text(text: impl Into<String>) -> Operand {
        Operand::Text(text.into())
    }

    pub fn number(number: impl std::fmt::Display) -> Operand {
        Operand::Text(number.to_string())
    }
}

impl Line {
    pub fn new(mnemonic: impl Into<String>, operands: Vec<Operand>) -> Line {
        Line { mnemonic: mnemonic.into(), operands }
    }
}

impl Statement {
    /// The bodies inside.
    pub fn bodies(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } | Statement::Block { body, .. } | Statement::Scope { body, .. } => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }

    /// The bodies inside, to look through or change.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } | Statement::Block { body, .. } | Statement::Scope { body, .. } => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }
}
