//! From a program to its text and launch.

mod body;
mod layout;
mod modules;

use crate::case::{Argument, Case};
use crate::choices::mix;
use crate::generate::{AREA, COUNTERS, PARAMETER};
use crate::registers::{Register, Use};
use crate::tree::{Function, Operand, Program};
use crate::values;
use body::Writer;
use layout::{Layout, Row};
use modules::Piece;
pub(crate) use modules::odd_name;
use pisa_machine::Schedule;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Parameters that every function has.
const COMMON: &str = ".reg .64b %own, .reg .64b %row, .reg .32b %slot, .reg .32b %depth";

impl Program {
    /// The module's text and its launch.
    pub fn case(&self) -> Case {
        let mut layout = Layout::new();
        let functions: Vec<Writer> = (self.functions.iter())
            .map(|function| {
                let mut writer = Writer::new(
                    &self.functions,
                    false,
                    function.result.as_ref().map(|(_, value)| value.clone()),
                );
                writer.body(&function.body, &mut layout);
                if let Some((_, value)) = &function.result {
                    let value = writer.operand(value);
                    writer.line(&format!("return {value};"));
                }
                writer
            })
            .collect();
        let mut kernel = Writer::new(&self.functions, true, None);
        kernel.body(&self.kernel, &mut layout);
        let kernel_pool = pool_of(&kernel.used, &[]);
        let mut row = Row::default();
        let mut all: BTreeSet<Register> = kernel_pool.iter().copied().collect();
        for (writer, function) in functions.iter().zip(&self.functions) {
            all.extend(pool_of(&writer.used, &function.parameters));
        }
        for &register in &all {
            row.add(register);
        }
        let tail: String = (kernel_pool.iter())
            .map(|&register| {
                let at = layout.slot(register);
                kernel.store(register, at)
            })
            .collect();
        let mut pieces = Vec::new();
        for (i, (writer, function)) in functions.into_iter().zip(&self.functions).enumerate() {
            pieces.push(self.function(i, function, writer, &row));
        }
        pieces.push(self.kernel(kernel, &kernel_pool, &row, &layout, &tail));
        let bodies: String = pieces.iter().flat_map(|piece| piece.definitions.iter()).cloned().collect();
        pieces.splice(0..0, self.globals(&bodies));
        let mut modules = modules::assemble(&pieces, self.split);
        if self.style & 0x300 == 0x300 {
            modules = modules::with_odd_names(&modules, self.style);
        }
        let d = self.shape.dimensions;
        Case {
            modules,
            schedule: Schedule::Lexical,
            global: self.shape.global[..d].to_vec(),
            local: self.shape.local[..d].to_vec(),
            offset: self.shape.offset[..d].to_vec(),
            arguments: self.arguments(&row, &layout),
        }
    }

    fn function(&self, i: usize, function: &Function, mut writer: Writer, row: &Row) -> Piece {
        let result = function.result.as_ref().map_or("void".to_owned(), |(r, _)| r.type_text());
        let mut parameters = COMMON.to_owned();
        for parameter in &function.parameters {
            let _ = write!(parameters, ", {} {}", parameter.declaration(), parameter.name());
        }
        let pool = pool_of(&writer.used, &function.parameters);
        let mut head = String::new();
        for &register in &pool {
            head.push_str(&writer.load(register, row.offset(register)));
        }
        let declared: Vec<Register> =
            writer.used.iter().copied().filter(|r| !function.parameters.contains(r)).collect();
        let private = self.private(&writer);
        let head_line = format!(".function {result} @f{i}");
        let mut text = format!("\n{head_line}({parameters}) {{\n");
        self.declarations(&mut text, &declared, &writer);
        text.push_str(&private);
        text.push_str(&head);
        text.push_str(&writer.counters());
        text.push_str(&writer.text);
        if function.result.is_none() && self.style & 1 == 0 {
            text.push_str("  return;\n");
        }
        text.push_str("}\n");
        // An import may leave out the names (F-04).
        let types = function.parameters.iter().map(|parameter| format!(", {}", parameter.declaration()));
        let unnamed = format!(".reg .64b, .reg .64b, .reg .32b, .reg .32b{}", types.collect::<String>());
        let listed = if self.style & 0x400 == 0 { unnamed } else { parameters };
        Piece {
            name: format!("@f{i}"),
            definitions: vec![text],
            declaration: format!("{head_line}({listed})"),
        }
    }

    /// Declares private memory and fills it, where it is used.
    fn private(&self, writer: &Writer) -> String {
        if !writer.text.contains("@p") {
            return String::new();
        }
        let mut text = format!("  .private .align 16 @p[{AREA}];\n  .reg .64b %fill;\n");
        for i in 0..AREA / 8 {
            if i % 4 == 0 {
                let value = mix(self.data ^ i as u64);
                let _ = writeln!(text, "  mov.64b %fill, 0x{value:x};");
            }
            let _ = writeln!(text, "  st.private.64b [@p + {}], %fill;", 8 * i);
        }
        text
    }

    fn declarations(&self, text: &mut String, registers: &[Register], writer: &Writer) {
        let mut rest = registers;
        while let Some(first) = rest.first() {
            let same = |r: &&Register| r.stem() == first.stem();
            let count = rest.iter().take_while(same).count();
            let (group, others) = rest.split_at(count);
            let from = first.info().number;
            let is_range =
                group.iter().enumerate().all(|(i, r)| usize::from(r.info().number) == usize::from(from) + i);
            if self.style & 2 == 0 && is_range {
                let end = usize::from(from) + count;
                let _ = writeln!(text, "  {} {}<{from}~{end}>;", first.declaration(), first.stem());
            } else if self.style & 4 == 0 {
                let names: Vec<String> = group.iter().map(|r| r.name()).collect();
                let _ = writeln!(text, "  {} {};", first.declaration(), names.join(", "));
            } else {
                for register in group {
                    let _ = writeln!(text, "  {} {};", first.declaration(), register.name());
                }
            }
            rest = others;
        }
        for id in &writer.loops {
            let _ = writeln!(text, "  .reg .32b %n{id};\n  .pred %c{id};");
        }
        for (number, _) in &writer.jumps {
            let _ = writeln!(text, "  .reg .32b %j{number};\n  .pred %g{number};");
        }
    }

    fn kernel(&self, mut writer: Writer, pool: &[Register], row: &Row, layout: &Layout, tail: &str) -> Piece {
        let mut head = String::new();
        for &register in pool {
            head.push_str(&writer.load(register, row.offset(register)));
        }
        let items: u64 = self.shape.local.iter().product();
        let private = self.private(&writer);
        let parameters = if self.style & 8 == 0 {
            ".param[8] .addrspace(global) .ptr_align(64) %in, .param[8] %out"
        } else {
            ".param[8] %in, .param[8] .addrspace(global) %out"
        };
        let attribute = if self.style & 0x30 == 0 && self.shape.is_even() {
            let [x, y, z] = self.shape.local;
            format!(".reqd_work_group_size({x}, {y}, {z}) ")
        } else {
            String::new()
        };
        let mut text =
            format!("\n.kernel {attribute}@k({parameters}, .param[{PARAMETER}] .align(16) %x) {{\n");
        text.push_str("  .reg .64b %own, %row;\n  .reg .32b %id, %lane, %items, %slot, %depth, %size;\n");
        let declared: Vec<Register> = writer.used.iter().copied().collect();
        self.declarations(&mut text, &declared, &writer);
        text.push_str(&private);
        text.push_str(&self.prologue(&writer, row, layout, items));
        text.push_str(&head);
        text.push_str(&writer.counters());
        text.push_str(&writer.text);
        text.push_str(tail);
        if self.style & 1 == 0 {
            text.push_str("  return;\n");
        }
        text.push_str("}\n");
        Piece { name: "@k".to_owned(), definitions: vec![text], declaration: String::new() }
    }

    /// Which work-item this is, and where what belongs to it lies.
    fn prologue(&self, writer: &Writer, row: &Row, layout: &Layout, items: u64) -> String {
        let mut t = String::from("  ld.param.64b %row, [%in];\n  ld.param.64b %own, [%out];\n");
        let axes: &[&str] = match self.shape.dimensions {
            1 => &["x"],
            2 => &["y", "x"],
            _ => &["z", "y", "x"],
        };
        // %id: the number of the work-item in the launch; %lane: in its work-group; %items: work-items there.
        t.push_str("  mov.32b %id, 0;\n  mov.32b %lane, 0;\n  mov.32b %items, 1;\n");
        for axis in axes {
            let _ = write!(
                t,
                "  trunc.32b.64b %size, %globalsize.{axis};\n  umul.32b %id, %id, %size;\n  \
                 umad.32b %id, %groupid.{axis}, %enqueuedlocalsize.{axis}, %id;\n  \
                 iadd.32b %id, %id, %localid.{axis};\n  \
                 umad.32b %lane, %lane, %localsize.{axis}, %localid.{axis};\n  \
                 umul.32b %items, %items, %localsize.{axis};\n"
            );
        }
        let _ = write!(
            t,
            "  zext.64b.32b %tally, %id;\n  umad.64b %own, %tally, {}, %own;\n  \
             and.64b %tally, %tally, {};\n  umad.64b %row, %tally, {}, %row;\n",
            layout.size(),
            self.rows - 1,
            row.size(),
        );
        t.insert_str(0, "  .reg .64b %tally;\n");
        t.push_str("  mov.32b %depth, 2;\n");
        let everything = &writer.text;
        let exchanges = everything.contains("@x");
        let own = everything.contains("%slot") || everything.contains("@s");
        if exchanges {
            let _ = write!(
                t,
                "  .shared .align 4 @x[{}];\n  shl.32b %size, %lane, 2;\n  st.shared.32b [@x + %size], %lane;\n",
                4 * items
            );
        }
        if own {
            let area = crate::generate::SHARED_AREA;
            let _ = write!(
                t,
                "  .shared .align 16 @s[{}];\n  addrof.32b %slot, @s;\n  umad.32b %slot, %lane, {area}, %slot;\n",
                area as u64 * items
            );
            for i in 0..area / 8 {
                let _ = writeln!(t, "  st.shared.64b [%slot + {}], %tally;", 8 * i);
            }
        } else {
            t.push_str("  mov.32b %slot, 0;\n");
        }
        if exchanges {
            // A barrier orders no memory by itself (Y-03).
            t.push_str("  fence.workgroup;\n  barrier.workgroup;\n  fence.workgroup;\n");
        }
        t
    }

    /// What stands before the functions, as far as those use it.
    fn globals(&self, bodies: &str) -> Vec<Piece> {
        let used = modules::names_in(bodies);
        let words = |salt: u64, count: usize| {
            let word = |i: usize| values::element(mix(self.data ^ salt) ^ mix(i as u64), 32);
            let all: Vec<String> = (0..count).map(|i| format!(".32b 0x{:x}", word(i))).collect();
            all.join(", ")
        };
        let mut pieces = Vec::new();
        let mut variable = |space: &str, align: u32, name: &str, size: usize, values: Vec<String>| {
            if used.contains(name) {
                let declaration = format!("{space} .align {align} {name}[{size}]");
                let define = |values: &String| format!("{declaration} = {{{values}}};\n");
                let definitions = values.iter().map(define).collect();
                pieces.push(Piece { name: name.to_owned(), definitions, declaration });
            }
        };
        // In some programs of several modules each has a table of its own.
        let own = self.split & 8 != 0;
        let tables =
            if own { vec![words(2, AREA / 4), words(5, AREA / 4)] } else { vec![words(2, AREA / 4)] };
        variable(".global", 16, "@gt", AREA, vec![words(1, AREA / 4)]);
        variable(".const", 16, "@ct", AREA, tables);
        variable(".global", 8, "@counters", COUNTERS, vec![words(3, COUNTERS / 4)]);
        variable(".const", 8, "@ft", 16, vec![".64b @f0, .64b @f1".to_owned()]);
        if used.contains("@sync") {
            let text = ".function void @sync() {\n  barrier.workgroup;\n}\n".to_owned();
            let definitions = if own { vec![text.clone(), text] } else { vec![text] };
            let declaration = ".function void @sync()".to_owned();
            pieces.push(Piece { name: "@sync".to_owned(), definitions, declaration });
        }
        pieces
    }

    fn arguments(&self, row: &Row, layout: &Layout) -> Vec<Argument> {
        let mut bytes = Vec::new();
        for number in 0..self.rows {
            let start = number * row.size();
            bytes.resize(start + row.size(), 0u8);
            for (register, at) in row.entries() {
                if self.zeroed.contains(&register) {
                    continue;
                }
                let info = register.info();
                let bits = if info.bits == 1 { 32 } else { u32::from(info.bits) };
                for element in 0..usize::from(info.elements) {
                    let seed =
                        self.data ^ u64::from(register.0) << 40 ^ (number as u64) << 20 ^ element as u64;
                    let value = match info.bits {
                        1 => u128::from(mix(seed) & 1),
                        _ => values::element(mix(seed), bits),
                    };
                    let size = bits as usize / 8;
                    let at = start + at + element * size;
                    bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
        }
        let words: Vec<String> = bytes
            .chunks_exact(8)
            .map(|chunk| {
                let mut word = [0; 8];
                word.copy_from_slice(chunk);
                match u64::from_le_bytes(word) {
                    small @ 0..=9 => small.to_string(),
                    large => format!("0x{large:x}"),
                }
            })
            .collect();
        let items: u64 = self.shape.global.iter().product();
        let x: String = (0..PARAMETER).map(|i| format!("{:02x}", mix(self.data ^ i as u64) as u8)).collect();
        let argument = |name: &str, value: String| Argument { name: name.to_owned(), value };
        vec![
            argument("in", format!("buf:u64:{}", words.join(","))),
            argument("out", format!("fill:u8:{}:0xee", items * layout.size() as u64)),
            argument("x", format!("bytes:{x}")),
        ]
    }
}

impl crate::tree::Shape {
    /// Whether every work-group is full, as `.reqd_work_group_size` demands.
    fn is_even(&self) -> bool {
        (0..3).all(|d| self.global[d].is_multiple_of(self.local[d]))
    }
}

/// The registers of the pool that a body fills itself.
fn pool_of(used: &BTreeSet<Register>, parameters: &[Register]) -> Vec<Register> {
    used.iter().copied().filter(|r| r.info().purpose == Use::Pool && !parameters.contains(r)).collect()
}

/// An operand as it stands in the text.
fn operand_text(operand: &Operand) -> String {
    match operand {
        Operand::Register(register) => register.name(),
        Operand::Element(register, element) => {
            let element = ["x", "y", "z", "w"].get(usize::from(*element)).copied().unwrap_or("x");
            format!("{}.{element}", register.name())
        }
        Operand::Swizzle(register, swizzle) => format!("{}.{swizzle}", register.name()),
        Operand::Predicate { register, negated } => {
            format!("{}{}", if *negated { "!" } else { "" }, register.name())
        }
        Operand::Immediate { text, .. } | Operand::Text(text) => text.clone(),
        Operand::Address { base, offset: None } => format!("[{}]", operand_text(base)),
        Operand::Address { base, offset: Some(offset) } => {
            format!("[{} + {}]", operand_text(base), operand_text(offset))
        }
    }
}
