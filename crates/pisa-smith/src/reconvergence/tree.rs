//! What a program is: a tree of structured statements.

/// A program of structured control flow with its launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// `@f0` and so on; each calls only those behind it.
    pub(super) functions: Vec<Vec<Statement>>,
    pub(super) kernel: Vec<Statement>,
    /// Work-items, all in one work-group.
    pub(super) items: u32,
    /// A word for each work-item.
    pub(super) data: Vec<u32>,
    /// A word that is the same for all.
    pub(super) uniform: u32,
}

/// Registers that programs compute with.
pub(super) const ACCUMULATORS: usize = 3;

/// Names a loop or a switch in its function.
pub(super) type Id = u32;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    /// Writes the number of the statement and a value into the lane's log.
    Log {
        tag: u32,
        value: Observation,
    },
    /// A cross-lane operation; lanes that take no part keep what the accumulator holds.
    Cross {
        into: usize,
        operation: Cross,
        source: Source,
        mask: Mask,
    },
    /// `accumulator * 5 + source`.
    Mix {
        into: usize,
        source: Source,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Loop {
        id: Id,
        trips: Bits,
        test_first: bool,
        body: Vec<Statement>,
    },
    /// Cases by two bits, each maybe falling into the next one.
    Switch {
        id: Id,
        selector: Bits,
        cases: Vec<Case>,
    },
    /// Leaves a loop around it. Without condition it is the last of its list.
    Break {
        id: Id,
        condition: Option<Condition>,
    },
    /// Goes on with the next turn of a loop around it.
    Continue {
        id: Id,
        condition: Option<Condition>,
    },
    /// Returns from the function, or ends the lane.
    Return {
        condition: Option<Condition>,
    },
    Call {
        function: usize,
        condition: Option<Condition>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    pub body: Vec<Statement>,
    pub falls_through: bool,
}

/// Two bits: how often a loop turns at most, or which case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bits {
    /// The same for all.
    Fixed(u32),
    /// Of the lane's number, from this bit on.
    Lane(u32),
    /// Of the work-item's word.
    Data(u32),
    /// Of the word of all.
    Uniform(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Lane,
    Data,
    Accumulator(usize),
}

/// The mask operand of a cross-lane operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mask {
    Constant(u32),
    /// What `%activemask` gives.
    Active,
    /// Of the active lanes those for which the condition holds.
    Ballot(Condition),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cross {
    Sum,
    And,
    Or,
    Xor,
    UnsignedLeast,
    UnsignedLargest,
    SignedLeast,
    SignedLargest,
    ShuffleUp(u32),
    ShuffleDown(u32),
    ShuffleXor(u32),
    /// From the lane in the low five bits.
    ShuffleIndex(Source),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Observation {
    ActiveMask,
    Ballot(Condition),
    /// 1 in the first active lane, 0 in others.
    Elect,
    /// The number of the first active lane.
    First,
    /// `ired.sum` over all active lanes.
    Sum(Source),
    Accumulator(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    pub kind: ConditionKind,
    pub negated: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ConditionKind {
    /// The lane's number is below this one.
    LaneBelow(u32),
    /// The lane is in the mask.
    LaneIn(u32),
    /// A bit of the work-item's word.
    Data(u32),
    /// A bit of the word of all.
    Uniform(u32),
    Accumulator(usize, u32),
    /// A loop's turn, from 0 on, is below this number.
    TurnBelow(Id, u32),
    /// A loop's turn is the low two bits of the lane's number.
    TurnIsLane(Id),
    /// It is the first active lane.
    First,
    /// Fewer lanes than this are active.
    FewerActive(u32),
    /// Some active lane has this bit of its word.
    Any(u32),
    /// Every active lane has this bit of its word.
    All(u32),
}

impl Statement {
    /// The lists inside.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } => vec![body],
            Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// Every program with one statement less; those without large parts come first.
    pub fn smaller(&self) -> impl Iterator<Item = Program> + '_ {
        (0..).map_while(|number| {
            let mut program = self.clone();
            let mut left = number;
            let lists = std::iter::once(&mut program.kernel).chain(&mut program.functions);
            lists.into_iter().any(|list| remove(list, &mut left)).then_some(program)
        })
    }
}

/// Removes the statement of that number, counted from the outside in; whether there is one.
fn remove(list: &mut Vec<Statement>, left: &mut usize) -> bool {
    let mut level = vec![list];
    while !level.is_empty() {
        let mut next = Vec::new();
        for list in level {
            if *left < list.len() {
                list.remove(*left);
                return true;
            }
            *left -= list.len();
            next.extend(list.iter_mut().flat_map(Statement::lists_mut));
        }
        level = next;
    }
    false
}
