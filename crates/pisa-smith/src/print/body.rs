//! From statements to lines.

use super::layout::Layout;
use super::operand_text;
use crate::registers::{Register, temporary};
use crate::tree::{
    Call, Condition, Function, Jump, Line, MarkId, Operand, RegionId, Statement, Target, Trips,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Writes one body, and notes which registers it uses.
pub struct Writer<'p> {
    pub text: String,
    pub used: BTreeSet<Register>,
    /// Loops, each with a counter of its own.
    pub loops: Vec<RegionId>,
    /// Jumps back, each with how often it may be taken.
    pub jumps: Vec<(u32, u32)>,
    /// The marks of the body, each with the scopes around it.
    marks: BTreeMap<MarkId, Vec<RegionId>>,
    /// Those that are written already.
    passed: BTreeSet<MarkId>,
    /// The scopes around.
    scopes: Vec<RegionId>,
    functions: &'p [Function],
    is_kernel: bool,
    /// The regions around: which can be jumped out of.
    around: Vec<RegionId>,
    /// What the function returns, also early; none in a kernel or a function without result.
    returned: Option<Operand>,
    labels: u32,
    indent: usize,
}

impl<'p> Writer<'p> {
    pub fn new(functions: &'p [Function], is_kernel: bool, returned: Option<Operand>) -> Writer<'p> {
        Writer {
            text: String::new(),
            used: BTreeSet::new(),
            loops: Vec::new(),
            jumps: Vec::new(),
            marks: BTreeMap::new(),
            passed: BTreeSet::new(),
            scopes: Vec::new(),
            functions,
            is_kernel,
            around: Vec::new(),
            returned,
            labels: 0,
            indent: 1,
        }
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * self.indent);
    }

    fn label(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}:");
    }

    fn note(&mut self, operand: &Operand) {
        match operand {
            Operand::Register(register)
            | Operand::Element(register, _)
            | Operand::Swizzle(register, _)
            | Operand::Predicate { register, .. } => {
                self.used.insert(*register);
            }
            Operand::Address { base, offset } => {
                self.note(base);
                if let Some(offset) = offset {
                    self.note(offset);
                }
            }
            Operand::Immediate { .. } | Operand::Text(_) => {}
        }
    }

    pub fn operand(&mut self, operand: &Operand) -> String {
        self.note(operand);
        operand_text(operand)
    }

    fn name(&mut self, register: Register) -> String {
        self.used.insert(register);
        register.name()
    }

    /// The body of a function or the kernel.
    pub fn body(&mut self, statements: &[Statement], layout: &mut Layout) {
        self.marks = marks_in(statements);
        self.statements(statements, layout);
    }

    /// Lines that set the counters of jumps back, and of loops that jumps may enter in the middle.
    pub fn counters(&self) -> String {
        let mut text = String::new();
        for (number, times) in &self.jumps {
            let _ = writeln!(text, "  mov.32b %j{number}, {times};");
        }
        if !self.marks.is_empty() {
            for id in &self.loops {
                let _ = writeln!(text, "  mov.32b %n{id}, 0;");
            }
        }
        text
    }

    fn statements(&mut self, statements: &[Statement], layout: &mut Layout) {
        for statement in statements {
            self.statement(statement, layout);
        }
    }

    fn statement(&mut self, statement: &Statement, layout: &mut Layout) {
        match statement {
            Statement::Lines(lines) => lines.iter().for_each(|line| self.instruction(line)),
            Statement::Dump(register) => {
                self.used.insert(*register);
                let at = layout.slot(*register);
                let text = self.store(*register, at);
                self.text.push_str(&text);
            }
            Statement::If { id, condition, then, otherwise } => {
                let unless = self.condition(condition, true);
                let end = format!("L{id}_end");
                let target = if otherwise.is_empty() { end.clone() } else { format!("L{id}_else") };
                self.line(&format!("goto.cond {unless}, {target};"));
                self.inside(*id, then, layout);
                if !otherwise.is_empty() {
                    self.line(&format!("goto {end};"));
                    self.label(&target);
                    self.inside(*id, otherwise, layout);
                }
                self.label(&end);
            }
            Statement::Loop { id, trips, body } => self.repetition(*id, trips, body, layout),
            Statement::Block { id, body } => {
                self.inside(*id, body, layout);
                self.label(&format!("L{id}_end"));
            }
            Statement::Scope { id, shadowed, body } => {
                self.line("{");
                self.indent += 1;
                self.shadow(shadowed);
                // The names inside are declared here; outside they need not be.
                let before = self.used.clone();
                self.scopes.push(*id);
                self.inside(*id, body, layout);
                self.scopes.pop();
                for register in shadowed {
                    if !before.contains(register) {
                        self.used.remove(register);
                    }
                }
                self.indent -= 1;
                self.line("}");
                self.label(&format!("L{id}_end"));
            }
            Statement::Leave { to, condition } => {
                if !self.around.contains(to) {
                    return;
                }
                match condition {
                    Some(condition) => {
                        let when = self.condition(condition, false);
                        self.line(&format!("goto.cond {when}, L{to}_end;"));
                    }
                    None => self.line(&format!("goto L{to}_end;")),
                }
            }
            Statement::Continue { to, condition } => {
                if self.around.contains(to) && self.loops.contains(to) {
                    let when = self.condition(condition, false);
                    self.line(&format!("goto.cond {when}, L{to}_next;"));
                }
            }
            Statement::Mark(mark) => {
                self.passed.insert(*mark);
                self.label(&format!("M{mark}"));
            }
            Statement::Jump(jump) => self.jump(jump),
            Statement::Return(condition) => {
                let when = self.condition(condition, false);
                self.early_return(&when);
            }
            Statement::Call(call) => self.call(call),
            Statement::Exchange { source, destination, distance } => {
                self.exchange(*source, *destination, *distance);
            }
            Statement::Barrier { through_call: true } => self.line("call void, @sync();"),
            Statement::Barrier { through_call: false } => self.line("barrier.workgroup;"),
        }
    }

    /// Every way round in a body has a counter of its own, which only the way into a loop sets anew: all ways end.
    fn jump(&mut self, jump: &Jump) {
        let Jump { number, to, condition, times } = jump;
        if !self.marks.get(to).is_some_and(|scopes| self.scopes.starts_with(scopes)) {
            return;
        }
        if !self.passed.contains(to) {
            match condition {
                Some(condition) => {
                    let when = self.condition(condition, false);
                    self.line(&format!("goto.cond {when}, M{to};"));
                }
                None => self.line(&format!("goto M{to};")),
            }
            return;
        }
        self.jumps.push((*number, *times));
        if let Some(condition) = condition {
            let unless = self.condition(condition, true);
            self.line(&format!("goto.cond {unless}, J{number};"));
        }
        self.line(&format!("isub.32b %j{number}, %j{number}, 1;"));
        self.line(&format!("scmp.ge.32b %g{number}, %j{number}, 0;"));
        self.line(&format!("goto.cond %g{number}, M{to};"));
        if condition.is_some() {
            self.label(&format!("J{number}"));
        }
    }

    fn early_return(&mut self, when: &str) {
        match self.returned.clone() {
            Some(value) => {
                let value = self.operand(&value);
                self.line(&format!("return.cond {when}, {value};"));
            }
            None => self.line(&format!("return.cond {when};")),
        }
    }

    fn inside(&mut self, id: RegionId, body: &[Statement], layout: &mut Layout) {
        self.around.push(id);
        self.statements(body, layout);
        self.around.pop();
    }

    fn instruction(&mut self, line: &Line) {
        let operands: Vec<String> = line.operands.iter().map(|o| self.operand(o)).collect();
        let space = if operands.is_empty() { "" } else { " " };
        self.line(&format!("{}{space}{};", line.mnemonic, operands.join(", ")));
    }

    /// Lines that decide, and the predicate: `%p`, or `!%p`.
    fn condition(&mut self, condition: &Condition, inverted: bool) -> String {
        let p = temporary(1, 1, 0);
        let (register, negated) = match condition {
            Condition::Predicate { register, negated } => (*register, *negated),
            Condition::Lanes(count) => {
                let name = self.name(p);
                self.line(&format!("ucmp.lt.32b {name}, %laneid, {count};"));
                (p, false)
            }
            Condition::Bit(register, bit) => {
                let (name, word) = (self.name(p), self.name(temporary(1, 32, 0)));
                let register = self.name(*register);
                self.line(&format!("and.32b {word}, {register}, 0x{:x};", 1u32 << (bit % 32)));
                self.line(&format!("ucmp.ne.32b {name}, {word}, 0;"));
                (p, false)
            }
            Condition::Group(bit) => {
                let (name, word) = (self.name(p), self.name(temporary(1, 32, 0)));
                self.line(&format!("and.32b {word}, %groupid.x, {};", 1u32 << (bit % 32)));
                self.line(&format!("scmp.eq.32b {name}, {word}, 0;"));
                (p, false)
            }
        };
        let name = self.name(register);
        if negated != inverted { format!("!{name}") } else { name }
    }

    fn repetition(&mut self, id: RegionId, trips: &Trips, body: &[Statement], layout: &mut Layout) {
        self.loops.push(id);
        let test_first = match trips {
            Trips::Fixed(count) => {
                self.line(&format!("mov.32b %n{id}, {count};"));
                false
            }
            Trips::Lane { register, test_first } => {
                let register = self.name(*register);
                self.line(&format!("and.32b %n{id}, {register}, 3;"));
                *test_first
            }
        };
        if matches!(trips, Trips::Lane { .. }) && !test_first {
            self.line(&format!("iadd.32b %n{id}, %n{id}, 1;"));
        }
        self.label(&format!("L{id}_top"));
        if test_first {
            self.line(&format!("scmp.le.32b %c{id}, %n{id}, 0;"));
            self.line(&format!("goto.cond %c{id}, L{id}_end;"));
        }
        self.inside(id, body, layout);
        self.label(&format!("L{id}_next"));
        self.line(&format!("isub.32b %n{id}, %n{id}, 1;"));
        if test_first {
            self.line(&format!("goto L{id}_top;"));
        } else {
            self.line(&format!("scmp.gt.32b %c{id}, %n{id}, 0;"));
            self.line(&format!("goto.cond %c{id}, L{id}_top;"));
        }
        self.label(&format!("L{id}_end"));
    }

    /// Declares registers anew and fills them.
    fn shadow(&mut self, registers: &[Register]) {
        for (i, register) in registers.iter().enumerate() {
            let (name, info) = (register.name(), register.info());
            self.line(&format!("{} {name};", register.declaration()));
            let value = 3 * i + 1;
            match (info.bits, info.elements) {
                (1, _) => self.line(&format!("ucmp.lt.32b {name}, %laneid, {};", 5 * i + 7)),
                (bits, 1) => self.line(&format!("mov.{bits}b {name}, {value};")),
                (bits, elements) => {
                    let t = self.name(temporary(1, bits, 0));
                    self.line(&format!("mov.{bits}b {t}, {value};"));
                    for element in ["x", "y", "z", "w"].iter().take(usize::from(elements)) {
                        self.line(&format!("mov.{bits}b {name}.{element}, {t};"));
                    }
                }
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let Some(function) = self.functions.get(call.function) else { return };
        if call.arguments.len() != function.parameters.len()
            || call.result.is_some() != function.result.is_some()
        {
            return;
        }
        self.labels += 1;
        let skip = format!("C{}", self.labels);
        let depth = if self.is_kernel {
            "%depth".to_owned()
        } else {
            // Recursion ends where no depth is left.
            let (done, less) = (self.name(temporary(1, 1, 1)), self.name(temporary(1, 32, 4)));
            self.line(&format!("ucmp.eq.32b {done}, %depth, 0;"));
            self.line(&format!("goto.cond {done}, {skip};"));
            self.line(&format!("isub.32b {less}, %depth, 1;"));
            less
        };
        let mut arguments = vec!["%own".to_owned(), "%row".to_owned(), "%slot".to_owned(), depth];
        for argument in &call.arguments {
            arguments.push(self.operand(argument));
        }
        let target = match &call.target {
            Target::Name => format!("@f{}", call.function),
            Target::Register => {
                let handle = self.name(temporary(1, 64, 0));
                self.line(&format!("addrof.64b {handle}, @f{};", call.function));
                handle
            }
            Target::Table(choice) => {
                let (handle, word) = (self.name(temporary(1, 64, 0)), self.name(temporary(1, 32, 0)));
                let choice = self.operand(choice);
                self.line(&format!("and.32b {word}, {choice}, 1;"));
                self.line(&format!("shl.32b {word}, {word}, 3;"));
                self.line(&format!("zext.64b.32b {handle}, {word};"));
                self.line(&format!("ld.const.64b {handle}, [@ft + {handle}];"));
                handle
            }
        };
        let result = call.result.map_or("void".to_owned(), |register| self.name(register));
        let arguments = arguments.join(", ");
        match &call.condition {
            Some(condition) => {
                let when = self.condition(condition, false);
                self.line(&format!("call.cond {when}, {result}, {target}({arguments});"));
            }
            None => self.line(&format!("call {result}, {target}({arguments});")),
        }
        if !self.is_kernel {
            self.label(&skip);
        }
    }

    fn exchange(&mut self, source: Register, destination: Register, distance: u32) {
        let (at, other) = (self.name(temporary(1, 32, 0)), self.name(temporary(1, 32, 1)));
        let (source, destination) = (self.name(source), self.name(destination));
        self.line(&format!("shl.32b {at}, %lane, 2;"));
        self.line(&format!("st.shared.32b [@x + {at}], {source};"));
        self.line("fence.shared.release.workgroup;");
        self.line("barrier.workgroup;");
        self.line("fence.shared.acquire.workgroup;");
        self.line(&format!("iadd.32b {other}, %lane, {distance};"));
        self.line(&format!("udiv.rem.32b {other}, {other}, %items;"));
        self.line(&format!("shl.32b {other}, {other}, 2;"));
        self.line(&format!("ld.shared.32b {destination}, [@x + {other}];"));
        self.line("fence.shared.release.workgroup;");
        self.line("barrier.workgroup;");
        self.line("fence.shared.acquire.workgroup;");
    }

    /// Lines that fill a register from the row.
    pub fn load(&mut self, register: Register, offset: usize) -> String {
        self.transfer(register, "%row", offset, true)
    }

    /// Lines that store a register for this work-item.
    pub fn store(&mut self, register: Register, offset: usize) -> String {
        self.transfer(register, "%own", offset, false)
    }

    fn transfer(&mut self, register: Register, base: &str, offset: usize, load: bool) -> String {
        let (name, info) = (register.name(), register.info());
        let one = |name: &str, what: &str, at: usize| {
            if load {
                format!("  ld.global.{what} {name}, [{base} + {at}];\n")
            } else {
                format!("  st.global.{what} [{base} + {at}], {name};\n")
            }
        };
        let size = usize::from(info.bits) / 8;
        match (info.elements, info.bits) {
            (_, 1) => {
                let t = self.name(temporary(1, 32, 4));
                if load {
                    format!("{}  ucmp.ne.32b {name}, {t}, 0;\n", one(&t, "32b", offset))
                } else {
                    format!("  sel.32b {t}, 1, 0, {name};\n{}", one(&t, "32b", offset))
                }
            }
            (1, 128) => one(&name, "relaxed.128b", offset),
            (1, bits) => one(&name, &format!("{bits}b"), offset),
            (elements @ (2 | 4), bits) | (elements @ 3, bits @ (32 | 64)) | (elements @ 8, bits @ 32) => {
                one(&name, &format!("v{elements}.{bits}b"), offset)
            }
            (3, bits) => {
                let each = ["x", "y", "z"].iter().enumerate();
                each.map(|(i, e)| one(&format!("{name}.{e}"), &format!("{bits}b"), offset + i * size))
                    .collect()
            }
            (elements, _) => {
                let t = self.name(temporary(1, 32, 4));
                let mut text = String::new();
                for i in 0..usize::from(elements) {
                    if load {
                        text += &one(&t, "32b", offset + 4 * i);
                        let _ = writeln!(text, "  insert.{i}.32b {name}, {t};");
                    } else {
                        let _ = writeln!(text, "  extract.{i}.32b {t}, {name};");
                        text += &one(&t, "32b", offset + 4 * i);
                    }
                }
                text
            }
        }
    }
}

/// The marks in a body, each with the scopes around it.
fn marks_in(statements: &[Statement]) -> BTreeMap<MarkId, Vec<RegionId>> {
    let mut marks = BTreeMap::new();
    let mut left: Vec<(&Statement, Vec<RegionId>)> = statements.iter().map(|s| (s, Vec::new())).collect();
    while let Some((statement, mut scopes)) = left.pop() {
        match statement {
            Statement::Mark(mark) => {
                marks.insert(*mark, scopes);
                continue;
            }
            Statement::Scope { id, .. } => scopes.push(*id),
            _ => {}
        }
        left.extend(statement.bodies().into_iter().flatten().map(|inner| (inner, scopes.clone())));
    }
    marks
}
