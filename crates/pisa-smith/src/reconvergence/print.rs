//! A program as PISA text, laid out so that `lexical` brings lanes together where the tree does: what is behind a
//! statement stands behind it in the text, and the next turn of a loop before what follows the loop.

use super::simulate::{INITIAL, LOG};
use super::tree::{
    ACCUMULATORS, Bits, Condition, ConditionKind, Cross, Mask, Observation, Program, Source, Statement,
};
use crate::case::{Argument, Case};
use pisa_machine::Schedule;
use std::fmt::Write;

/// The parameter whose buffer holds the logs.
pub(super) const LOG_BUFFER: &str = "log_at";
/// Bytes of an entry of a log: the number of the statement, and the value.
const ENTRY: usize = 8;

impl Program {
    /// The module and its launch; logs are in the buffer `log_at`.
    pub fn case(&self) -> Case {
        let items = u64::from(self.items);
        let words: Vec<String> = self.data.iter().map(|word| format!("{word:#x}")).collect();
        let argument = |name: &str, value: String| Argument { name: name.to_owned(), value };
        Case {
            modules: vec![self.text()],
            global: vec![items],
            local: vec![items],
            offset: vec![0],
            arguments: vec![
                argument("data_at", format!("buf:u32:{}", words.join(","))),
                argument("uniform_at", format!("buf:u32:{:#x}", self.uniform)),
                argument(LOG_BUFFER, format!("zeros:u32:{}", self.log_words())),
            ],
            schedule: Schedule::Lexical,
        }
    }

    /// Words of the buffer `log_at`.
    fn log_words(&self) -> usize {
        self.items as usize * LOG * ENTRY / 4
    }

    /// What the buffer `log_at` holds afterwards, by the oracle.
    pub fn expected_log(&self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; self.log_words() * 4];
        for (item, entries) in self.expected()?.into_iter().enumerate() {
            for (number, (tag, value)) in entries.into_iter().enumerate() {
                let at = (item * LOG + number) * ENTRY;
                bytes[at..at + 4].copy_from_slice(&tag.to_le_bytes());
                bytes[at + 4..at + ENTRY].copy_from_slice(&value.to_le_bytes());
            }
        }
        Some(bytes)
    }

    fn text(&self) -> String {
        let mut text = ".version 0.1;\n.target 100;\n".to_owned();
        // What is called stands before what calls it.
        for (number, body) in self.functions.iter().enumerate().rev() {
            let _ = write!(
                text,
                "\n.function .64b @f{number}(.reg .64b %log, .reg .32b %data, .reg .32b %uniform, .reg .32b %a0) {{\n"
            );
            let mut printer = Printer::new("return %log", body);
            printer.line("mov.32b %lane, %laneid");
            printer.initial(1);
            printer.list(body);
            printer.line("return %log");
            text += &printer.finish(1);
            text.push_str("}\n");
        }
        text.push_str("\n.kernel @k(.param[8] %data_at, .param[8] %uniform_at, .param[8] %log_at) {\n");
        text.push_str("  .reg .64b %log, %address;\n  .reg .32b %data, %uniform;\n");
        let mut printer = Printer::new("return", &self.kernel);
        printer.line("mov.32b %lane, %laneid");
        printer.line("ld.param.64b %address, [%uniform_at]");
        printer.line("ld.global.32b %uniform, [%address]");
        printer.line("ld.param.64b %address, [%data_at]");
        printer.line("umad.full.32b %address, %localid.x, 4, %address");
        printer.line("ld.global.32b %data, [%address]");
        printer.line("ld.param.64b %log, [%log_at]");
        printer.line(&format!("umad.full.32b %log, %localid.x, {}, %log", LOG * ENTRY));
        printer.initial(0);
        printer.list(&self.kernel);
        printer.line("return");
        text += &printer.finish(0);
        text.push_str("}\n");
        text
    }
}

struct Printer {
    text: String,
    /// How a lane leaves the function.
    leave: &'static str,
    labels: u32,
    /// Loops and switches that need registers.
    loops: Vec<u32>,
    switches: Vec<u32>,
}

impl Printer {
    fn new(leave: &'static str, body: &[Statement]) -> Printer {
        let (mut loops, mut switches) = (Vec::new(), Vec::new());
        let mut left: Vec<&Statement> = body.iter().collect();
        while let Some(statement) = left.pop() {
            match statement {
                Statement::If { then, otherwise, .. } => left.extend(then.iter().chain(otherwise)),
                Statement::Loop { id, body, .. } => {
                    loops.push(*id);
                    left.extend(body);
                }
                Statement::Switch { id, cases, .. } => {
                    switches.push(*id);
                    left.extend(cases.iter().flat_map(|case| &case.body));
                }
                _ => {}
            }
        }
        Printer { text: String::new(), leave, labels: 0, loops, switches }
    }

    /// Declarations, then the code; accumulators from this one on are registers of the body.
    fn finish(mut self, first: usize) -> String {
        let mut names: Vec<String> = ["lane", "t", "u", "tag", "mask"].map(str::to_owned).into();
        names.extend((first..ACCUMULATORS).map(|number| format!("a{number}")));
        self.loops.sort_unstable();
        self.switches.sort_unstable();
        names.extend(self.loops.iter().flat_map(|id| [format!("turn{id}"), format!("trips{id}")]));
        names.extend(self.switches.iter().map(|id| format!("case{id}")));
        let names: Vec<String> = names.iter().map(|name| format!("%{name}")).collect();
        format!("  .reg .32b {};\n  .pred %p;\n{}", names.join(", "), self.text)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line};");
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn initial(&mut self, first: usize) {
        for (number, value) in INITIAL.iter().enumerate().skip(first) {
            self.line(&format!("mov.32b %a{number}, {value:#x}"));
        }
    }

    fn new_label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what}_{}", self.labels)
    }

    fn list(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Log { tag, value } => {
                self.observe(value);
                self.line(&format!("mov.32b %tag, {tag}"));
                self.line("st.global.32b [%log], %tag");
                self.line("st.global.32b [%log + 4], %u");
                self.line(&format!("iadd.64b %log, %log, {ENTRY}"));
            }
            Statement::Cross { into, operation, source, mask } => {
                let mask = match mask {
                    Mask::Constant(mask) => format!("{mask:#x}"),
                    Mask::Active => {
                        self.line("mov.32b %mask, %activemask");
                        "%mask".to_owned()
                    }
                    Mask::Ballot(condition) => {
                        self.ballot("mask", condition);
                        "%mask".to_owned()
                    }
                };
                let (mnemonic, index) = cross(*operation);
                self.line(&format!("{mnemonic}.32b %a{into}, {}{index}, {mask}", register(*source)));
            }
            Statement::Mix { into, source } => {
                self.line(&format!("umad.32b %a{into}, %a{into}, 5, {}", register(*source)));
            }
            Statement::If { condition, then, otherwise } => {
                let behind = self.new_label("endif");
                let other = if otherwise.is_empty() { behind.clone() } else { self.new_label("else") };
                self.jump_unless(condition, &other);
                self.list(then);
                if !otherwise.is_empty() {
                    if !ends(then) {
                        self.line(&format!("goto {behind}"));
                    }
                    self.label(&other);
                    self.list(otherwise);
                }
                self.label(&behind);
            }
            Statement::Loop { id, trips, test_first, body } => {
                self.bits(&format!("%trips{id}"), *trips);
                self.line(&format!("mov.32b %turn{id}, 0"));
                self.label(&format!("top{id}"));
                if *test_first {
                    self.line(&format!("ucmp.ge.32b %p, %turn{id}, %trips{id}"));
                    self.line(&format!("goto.cond %p, out{id}"));
                }
                self.list(body);
                self.label(&format!("next{id}"));
                self.line(&format!("iadd.32b %turn{id}, %turn{id}, 1"));
                if *test_first {
                    self.line(&format!("goto top{id}"));
                } else {
                    self.line(&format!("ucmp.lt.32b %p, %turn{id}, %trips{id}"));
                    self.line(&format!("goto.cond %p, top{id}"));
                }
                self.label(&format!("out{id}"));
            }
            Statement::Switch { id, selector, cases } => {
                self.bits(&format!("%case{id}"), *selector);
                for number in 0..cases.len() {
                    self.line(&format!("ucmp.eq.32b %p, %case{id}, {number}"));
                    self.line(&format!("goto.cond %p, case{id}_{number}"));
                }
                self.line(&format!("goto endcase{id}"));
                for (number, case) in cases.iter().enumerate() {
                    self.label(&format!("case{id}_{number}"));
                    self.list(&case.body);
                    let is_last = number + 1 == cases.len();
                    if !case.falls_through && !is_last && !ends(&case.body) {
                        self.line(&format!("goto endcase{id}"));
                    }
                }
                self.label(&format!("endcase{id}"));
            }
            Statement::Break { id, condition } => self.jump_if(condition.as_ref(), &format!("out{id}")),
            Statement::Continue { id, condition } => self.jump_if(condition.as_ref(), &format!("next{id}")),
            Statement::Return { condition } => match (condition, self.leave.strip_prefix("return ")) {
                (None, _) => self.line(self.leave),
                (Some(condition), value) => {
                    self.predicate(condition);
                    let not = if condition.negated { "!" } else { "" };
                    let value = value.map_or(String::new(), |value| format!(", {value}"));
                    self.line(&format!("return.cond {not}%p{value}"));
                }
            },
            Statement::Call { function, condition } => {
                let call = format!("%log, @f{function}(%log, %data, %uniform, %a0)");
                match condition {
                    None => self.line(&format!("call {call}")),
                    Some(condition) => {
                        self.predicate(condition);
                        let not = if condition.negated { "!" } else { "" };
                        self.line(&format!("call.cond {not}%p, {call}"));
                    }
                }
            }
        }
    }

    fn jump_if(&mut self, condition: Option<&Condition>, label: &str) {
        let Some(condition) = condition else { return self.line(&format!("goto {label}")) };
        self.predicate(condition);
        let not = if condition.negated { "!" } else { "" };
        self.line(&format!("goto.cond {not}%p, {label}"));
    }

    fn jump_unless(&mut self, condition: &Condition, label: &str) {
        let opposite = Condition { negated: !condition.negated, ..condition.clone() };
        self.jump_if(Some(&opposite), label);
    }

    /// Two bits into a register.
    fn bits(&mut self, to: &str, bits: Bits) {
        let (from, register) = match bits {
            Bits::Fixed(count) => return self.line(&format!("mov.32b {to}, {count}")),
            Bits::Lane(from) => (from, "%lane"),
            Bits::Data(from) => (from, "%data"),
            Bits::Uniform(from) => (from, "%uniform"),
        };
        self.line(&format!("shr.32b {to}, {register}, {from}"));
        self.line(&format!("and.32b {to}, {to}, 3"));
    }

    /// The condition, not negated, into `%p`.
    fn predicate(&mut self, condition: &Condition) {
        match condition.kind {
            ConditionKind::LaneBelow(number) => self.line(&format!("ucmp.lt.32b %p, %lane, {number}")),
            ConditionKind::LaneIn(mask) => {
                self.line(&format!("shr.32b %t, {mask:#x}, %lane"));
                self.line("and.32b %t, %t, 1");
                self.line("ucmp.ne.32b %p, %t, 0");
            }
            ConditionKind::Data(bit) => self.bit("%data", bit),
            ConditionKind::Uniform(bit) => self.bit("%uniform", bit),
            ConditionKind::Accumulator(number, bit) => self.bit(&format!("%a{number}"), bit),
            ConditionKind::TurnBelow(id, number) => {
                self.line(&format!("ucmp.lt.32b %p, %turn{id}, {number}"));
            }
            ConditionKind::TurnIsLane(id) => {
                self.line("and.32b %t, %lane, 3");
                self.line(&format!("ucmp.eq.32b %p, %turn{id}, %t"));
            }
            ConditionKind::First => {
                self.line("redfirstidx.32b %t, 0xffffffff");
                self.line("ucmp.eq.32b %p, %t, %lane");
            }
            ConditionKind::FewerActive(number) => {
                self.line("cbit.32b %t, %activemask");
                self.line(&format!("ucmp.lt.32b %p, %t, {number}"));
            }
            ConditionKind::Any(bit) | ConditionKind::All(bit) => {
                let operation = if matches!(condition.kind, ConditionKind::Any(_)) { "or" } else { "and" };
                self.line(&format!("ubfe.32b %t, %data, 1, {bit}"));
                self.line(&format!("ired.{operation}.32b %u, %t, 0xffffffff"));
                self.line("ucmp.ne.32b %p, %u, 0");
            }
        }
    }

    fn bit(&mut self, register: &str, bit: u32) {
        self.line(&format!("and.32b %t, {register}, {:#x}", 1u32 << bit));
        self.line("ucmp.ne.32b %p, %t, 0");
    }

    fn ballot(&mut self, to: &str, condition: &Condition) {
        self.predicate(condition);
        self.line("shl.32b %t, 1, %lane");
        let (yes, no) = if condition.negated { ("0", "%t") } else { ("%t", "0") };
        self.line(&format!("sel.32b %t, {yes}, {no}, %p"));
        self.line(&format!("ired.or.32b %{to}, %t, 0xffffffff"));
    }

    /// The value into `%u`.
    fn observe(&mut self, value: &Observation) {
        match value {
            Observation::ActiveMask => self.line("mov.32b %u, %activemask"),
            Observation::Ballot(condition) => self.ballot("u", condition),
            Observation::Elect => {
                self.line("redfirstidx.32b %t, 0xffffffff");
                self.line("ucmp.eq.32b %p, %t, %lane");
                self.line("sel.32b %u, 1, 0, %p");
            }
            Observation::First => self.line("redfirstidx.32b %u, 0xffffffff"),
            Observation::Sum(source) => {
                self.line(&format!("ired.sum.32b %u, {}, 0xffffffff", register(*source)));
            }
            Observation::Accumulator(number) => self.line(&format!("mov.32b %u, %a{number}")),
        }
    }
}

/// Whether no lane comes to the end of the list.
fn ends(list: &[Statement]) -> bool {
    matches!(
        list.last(),
        Some(
            Statement::Break { condition: None, .. }
                | Statement::Continue { condition: None, .. }
                | Statement::Return { condition: None }
        )
    )
}

fn register(source: Source) -> String {
    match source {
        Source::Lane => "%lane".to_owned(),
        Source::Data => "%data".to_owned(),
        Source::Accumulator(number) => format!("%a{number}"),
    }
}

/// Mnemonic without type, and the index operand with a comma before it.
fn cross(operation: Cross) -> (&'static str, String) {
    let none = String::new();
    match operation {
        Cross::Sum => ("ired.sum", none),
        Cross::And => ("ired.and", none),
        Cross::Or => ("ired.or", none),
        Cross::Xor => ("ired.xor", none),
        Cross::UnsignedLeast => ("ired.umin", none),
        Cross::UnsignedLargest => ("ired.umax", none),
        Cross::SignedLeast => ("ired.smin", none),
        Cross::SignedLargest => ("ired.smax", none),
        Cross::ShuffleUp(by) => ("shfl.up", format!(", {by}")),
        Cross::ShuffleDown(by) => ("shfl.dn", format!(", {by}")),
        Cross::ShuffleXor(by) => ("shfl.xor", format!(", {by}")),
        Cross::ShuffleIndex(index) => ("shfl.idx", format!(", {}", register(index))),
    }
}
