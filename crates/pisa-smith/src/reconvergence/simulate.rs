//! The oracle: which lanes are active follows from the tree alone.
//!
//! Lanes that part at a statement are together again behind it, except those that left a loop or a function around it;
//! these are together with the others behind that. Nothing here knows of jumps, places or schedules.

use super::tree::{
    ACCUMULATORS, Bits, Condition, ConditionKind, Cross, Id, Mask, Observation, Program, Source, Statement,
};

/// Entries that a lane's log may have.
pub(super) const LOG: usize = 600;
/// Statements that a sub-group may execute.
const STEPS: usize = 20_000;

/// What accumulators hold when a function begins.
pub(super) const INITIAL: [u32; ACCUMULATORS] = [3, 0x1234_5678, 0x8000_0001];

/// An entry of a log: the number of the statement, and the value.
pub type Entry = (u32, u32);

impl Program {
    /// What each work-item logs, in its order; nothing where the program is too long.
    pub fn expected(&self) -> Option<Vec<Vec<Entry>>> {
        let mut logs = Vec::new();
        for words in self.data.chunks(32) {
            let mut data = [0; 32];
            data[..words.len()].copy_from_slice(words);
            let mut group = SubGroup { program: self, data, logs: vec![Vec::new(); words.len()], steps: 0 };
            let all = if words.len() == 32 { u32::MAX } else { (1 << words.len()) - 1 };
            group.run(&self.kernel, &mut Frame::new(None), all)?;
            logs.append(&mut group.logs);
        }
        Some(logs)
    }
}

struct SubGroup<'p> {
    program: &'p Program,
    data: [u32; 32],
    logs: Vec<Vec<Entry>>,
    steps: usize,
}

/// An activation of a function.
struct Frame {
    accumulators: [[u32; 32]; ACCUMULATORS],
    /// By loop: the turn of each lane.
    turns: Vec<[u32; 32]>,
    /// By loop: lanes that left it, and lanes that wait for its next turn.
    left: Vec<u32>,
    continued: Vec<u32>,
}

impl Frame {
    fn new(first: Option<[u32; 32]>) -> Frame {
        let mut accumulators = INITIAL.map(|value| [value; 32]);
        if let Some(first) = first {
            accumulators[0] = first;
        }
        Frame { accumulators, turns: Vec::new(), left: Vec::new(), continued: Vec::new() }
    }

    fn has(&mut self, id: Id) {
        let size = (id as usize + 1).max(self.turns.len());
        self.turns.resize(size, [0; 32]);
        self.left.resize(size, 0);
        self.continued.resize(size, 0);
    }
}

fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

impl SubGroup<'_> {
    /// Executes statements with these lanes; those that come to the end. `None` where there are too many steps.
    fn run(&mut self, list: &[Statement], frame: &mut Frame, mut active: u32) -> Option<u32> {
        for statement in list {
            if active == 0 {
                break;
            }
            self.steps += 1;
            if self.steps > STEPS {
                return None;
            }
            active = self.statement(statement, frame, active)?;
        }
        Some(active)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame, active: u32) -> Option<u32> {
        match statement {
            Statement::Log { tag, value } => {
                let values = self.observe(value, frame, active);
                for lane in lanes(active) {
                    if self.logs[lane].len() == LOG {
                        return None;
                    }
                    self.logs[lane].push((*tag, values[lane]));
                }
            }
            Statement::Cross { into, operation, source, mask } => {
                let mask = match mask {
                    Mask::Constant(mask) => *mask,
                    Mask::Active => active,
                    Mask::Ballot(condition) => self.holds(condition, frame, active),
                };
                let values = self.source(*source, frame);
                let index = match operation {
                    Cross::ShuffleIndex(index) => self.source(*index, frame),
                    _ => [0; 32],
                };
                let results = cross(*operation, &values, &index, mask & active);
                for lane in lanes(mask & active) {
                    frame.accumulators[*into][lane] = results[lane];
                }
            }
            Statement::Mix { into, source } => {
                let values = self.source(*source, frame);
                for lane in lanes(active) {
                    let old = &mut frame.accumulators[*into][lane];
                    *old = old.wrapping_mul(5).wrapping_add(values[lane]);
                }
            }
            Statement::If { condition, then, otherwise } => {
                let yes = self.holds(condition, frame, active);
                let then = self.run(then, frame, yes)?;
                return Some(then | self.run(otherwise, frame, active & !yes)?);
            }
            Statement::Loop { id, trips, test_first, body } => {
                return self.turns(*id, *trips, *test_first, body, frame, active);
            }
            Statement::Switch { selector, cases, .. } => {
                let selected = self.bits(*selector);
                let (mut behind, mut falling, mut left) = (0, 0, active);
                for (number, case) in (0..).zip(cases) {
                    let own = lanes(active).filter(|&lane| selected[lane] == number);
                    let own: u32 = own.map(|lane| 1 << lane).sum();
                    left &= !own;
                    let reached = self.run(&case.body, frame, own | falling)?;
                    (behind, falling) =
                        if case.falls_through { (behind, reached) } else { (behind | reached, 0) };
                }
                return Some(behind | falling | left);
            }
            Statement::Break { id, condition } => {
                let yes = self.perhaps(condition.as_ref(), frame, active);
                frame.has(*id);
                frame.left[*id as usize] |= yes;
                return Some(active & !yes);
            }
            Statement::Continue { id, condition } => {
                let yes = self.perhaps(condition.as_ref(), frame, active);
                frame.has(*id);
                frame.continued[*id as usize] |= yes;
                return Some(active & !yes);
            }
            Statement::Return { condition } => {
                return Some(active & !self.perhaps(condition.as_ref(), frame, active));
            }
            Statement::Call { function, condition } => {
                let yes = self.perhaps(condition.as_ref(), frame, active);
                let body = &self.program.functions[*function];
                let mut inner = Frame::new(Some(frame.accumulators[0]));
                self.run(body, &mut inner, yes)?;
            }
        }
        Some(active)
    }

    fn turns(
        &mut self,
        id: Id,
        trips: Bits,
        test_first: bool,
        body: &[Statement],
        frame: &mut Frame,
        active: u32,
    ) -> Option<u32> {
        frame.has(id);
        let number = id as usize;
        let trips = self.bits(trips);
        lanes(active).for_each(|lane| frame.turns[number][lane] = 0);
        let goes_on = |frame: &Frame, mask: u32| -> u32 {
            lanes(mask).filter(|&lane| frame.turns[number][lane] < trips[lane]).map(|lane| 1 << lane).sum()
        };
        let (mut inside, mut behind) = (active, 0);
        loop {
            if test_first {
                let stay = goes_on(frame, inside);
                behind |= inside & !stay;
                inside = stay;
            }
            if inside == 0 {
                return Some(behind);
            }
            let reached = self.run(body, frame, inside)?;
            behind |= std::mem::take(&mut frame.left[number]);
            inside = reached | std::mem::take(&mut frame.continued[number]);
            lanes(inside).for_each(|lane| frame.turns[number][lane] += 1);
            if !test_first {
                let stay = goes_on(frame, inside);
                behind |= inside & !stay;
                inside = stay;
            }
        }
    }

    fn source(&self, source: Source, frame: &Frame) -> [u32; 32] {
        match source {
            Source::Lane => std::array::from_fn(|lane| lane as u32),
            Source::Data => self.data,
            Source::Accumulator(number) => frame.accumulators[number],
        }
    }

    fn bits(&self, bits: Bits) -> [u32; 32] {
        std::array::from_fn(|lane| match bits {
            Bits::Fixed(count) => count,
            Bits::Lane(from) => lane as u32 >> from & 3,
            Bits::Data(from) => self.data[lane] >> from & 3,
            Bits::Uniform(from) => self.program.uniform >> from & 3,
        })
    }

    fn perhaps(&self, condition: Option<&Condition>, frame: &mut Frame, active: u32) -> u32 {
        condition.map_or(active, |condition| self.holds(condition, frame, active))
    }

    /// Of the active lanes those for which the condition holds.
    fn holds(&self, condition: &Condition, frame: &mut Frame, active: u32) -> u32 {
        let bit_of_data = |bit: u32| lanes(active).filter(move |&lane| self.data[lane] >> bit & 1 == 1);
        let all_or_none = |yes: bool| if yes { active } else { 0 };
        let turn = |frame: &mut Frame, id: Id| {
            frame.has(id);
            frame.turns[id as usize]
        };
        let by_lane = |test: &dyn Fn(usize) -> bool| -> u32 {
            lanes(active).filter(|&lane| test(lane)).map(|lane| 1 << lane).sum()
        };
        let yes = match condition.kind {
            ConditionKind::LaneBelow(number) => by_lane(&|lane| lane < number as usize),
            ConditionKind::LaneIn(mask) => active & mask,
            ConditionKind::Data(bit) => by_lane(&|lane| self.data[lane] >> bit & 1 == 1),
            ConditionKind::Uniform(bit) => all_or_none(self.program.uniform >> bit & 1 == 1),
            ConditionKind::Accumulator(number, bit) => {
                by_lane(&|lane| frame.accumulators[number][lane] >> bit & 1 == 1)
            }
            ConditionKind::TurnBelow(id, number) => {
                let turns = turn(frame, id);
                by_lane(&|lane| turns[lane] < number)
            }
            ConditionKind::TurnIsLane(id) => {
                let turns = turn(frame, id);
                by_lane(&|lane| turns[lane] == lane as u32 & 3)
            }
            ConditionKind::First => active & active.wrapping_neg(),
            ConditionKind::FewerActive(number) => all_or_none(active.count_ones() < number),
            ConditionKind::Any(bit) => all_or_none(bit_of_data(bit).next().is_some()),
            ConditionKind::All(bit) => all_or_none(bit_of_data(bit).count() == active.count_ones() as usize),
        };
        if condition.negated { active & !yes } else { yes }
    }

    fn observe(&self, observation: &Observation, frame: &mut Frame, active: u32) -> [u32; 32] {
        match observation {
            Observation::ActiveMask => [active; 32],
            Observation::Ballot(condition) => [self.holds(condition, frame, active); 32],
            Observation::Elect => {
                std::array::from_fn(|lane| u32::from(lane as u32 == active.trailing_zeros()))
            }
            Observation::First => [active.trailing_zeros(); 32],
            Observation::Sum(source) => cross(Cross::Sum, &self.source(*source, frame), &[0; 32], active),
            Observation::Accumulator(number) => frame.accumulators[*number],
        }
    }
}

/// What participants get.
fn cross(operation: Cross, values: &[u32; 32], index: &[u32; 32], participants: u32) -> [u32; 32] {
    let all = lanes(participants).map(|lane| values[lane]);
    let signed = |value: u32| value as i32;
    let reduced = match operation {
        Cross::Sum => all.fold(0, u32::wrapping_add),
        Cross::And => all.fold(u32::MAX, |a, b| a & b),
        Cross::Or => all.fold(0, |a, b| a | b),
        Cross::Xor => all.fold(0, |a, b| a ^ b),
        Cross::UnsignedLeast => all.min().unwrap_or(0),
        Cross::UnsignedLargest => all.max().unwrap_or(0),
        Cross::SignedLeast => all.min_by_key(|&value| signed(value)).unwrap_or(0),
        Cross::SignedLargest => all.max_by_key(|&value| signed(value)).unwrap_or(0),
        Cross::ShuffleUp(_) | Cross::ShuffleDown(_) | Cross::ShuffleXor(_) | Cross::ShuffleIndex(_) => {
            return std::array::from_fn(|lane| {
                let from = match operation {
                    Cross::ShuffleUp(by) => lane as i64 - i64::from(by),
                    Cross::ShuffleDown(by) => lane as i64 + i64::from(by),
                    Cross::ShuffleXor(by) => lane as i64 ^ i64::from(by),
                    _ => i64::from(index[lane] & 31),
                };
                let takes_part = (0..32).contains(&from) && participants >> from & 1 == 1;
                values[if takes_part { from as usize } else { lane }]
            });
        }
    };
    [reduced; 32]
}
