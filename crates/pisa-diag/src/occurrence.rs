//! How a finding happened in a launch: how often, and where everybody was the first time.

use crate::Place;

/// What is known of the instructions in which a finding happened. Everything but the counts is of the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Instructions of a sub-group in which it happened.
    pub count: u64,
    /// Lanes it happened to, summed over them.
    pub lanes_in_all: u64,
    /// The function it happened in, as the module names it: `@scan`.
    pub function: String,
    /// Id of the work-group.
    pub group: [u64; 3],
    /// The sub-group in it.
    pub subgroup: u32,
    /// The lanes it concerns, bit by bit.
    pub lanes: u32,
    /// The lanes that were active, those it concerns among them.
    pub active: u32,
    /// The lanes that had not left the kernel, the active ones among them.
    pub live: u32,
    /// Id in its work-group of the work-item of the first lane that it concerns.
    pub local_id: [u64; 3],
    /// Id in the launch of that work-item.
    pub global_id: [u64; 3],
    /// The schedule that the launch ran under: `lexical`, `independent`.
    pub schedule: String,
    /// The seed of the schedule, where it has one.
    pub seed: Option<u64>,
    /// Lanes that were alive but not active, and where they stood.
    pub elsewhere: Vec<Elsewhere>,
    /// The calls that had led there, innermost first.
    pub calls: Vec<Call>,
}

/// Lanes that stand somewhere else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// Which, bit by bit.
    pub lanes: u32,
    /// What they do: `wait`.
    pub doing: String,
    /// Where; `None` at the end of a function.
    pub place: Option<Place>,
}

/// A call that has not returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function that calls: `@main`.
    pub caller: String,
    /// Where.
    pub place: Option<Place>,
}

impl Occurrence {
    /// How often, and to how many lanes: `1 lane`, `31 times, 248 lanes`.
    pub fn counts(&self) -> String {
        let lanes = plural(self.lanes_in_all, "lane");
        match self.count {
            0 | 1 => lanes,
            count => format!("{}, {lanes}", plural(count, "time")),
        }
    }
}

/// `1 lane`, `12 000 lanes`
fn plural(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(count))
}

/// `1 000 000`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
