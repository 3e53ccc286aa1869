//! A kernel around one instruction: its operands come from a buffer, its results go into another.

use crate::common::Random;
use crate::values;
use pisa_isa::{
    Access, Form, Interpretation, OperandDef, OperandKind, Qualifier, SlotName, SlotValues, Value, Width,
};
use std::fmt::Write;

/// Work-items of a case.
pub const ITEMS: usize = 64;

/// A kernel `@k` that takes the addresses of an input and an output buffer.
pub struct Case {
    pub text: String,
    pub input: Vec<u8>,
    pub output: usize,
}

/// What is known about the data in the input.
struct Field {
    offset: usize,
    bits: u32,
    elements: usize,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Anything,
    /// 0 in a quarter of the lanes.
    Choice,
    Below(usize),
    /// An offset into 256 bytes, a multiple of the number in most lanes, far outside in some.
    Offset {
        align: usize,
        atomic: bool,
    },
}

pub struct Builder<'r> {
    pub random: &'r mut Random,
    declarations: String,
    before: String,
    after: String,
    fields: Vec<Field>,
    record: usize,
    results: usize,
    names: usize,
}

/// The type of a packed value, and the value's text.
struct Operand {
    text: String,
    /// `%r`, elements and bits where it is a whole register of its own.
    register: Option<(String, usize, u32)>,
}

impl<'r> Builder<'r> {
    pub fn new(random: &'r mut Random) -> Builder<'r> {
        Builder {
            random,
            declarations: String::new(),
            before: String::new(),
            after: String::new(),
            fields: Vec::new(),
            record: 0,
            results: 0,
            names: 0,
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%r{}", self.names)
    }

    fn field(&mut self, bits: u32, elements: usize, what: What) -> usize {
        let size = bits as usize / 8;
        self.record = self.record.next_multiple_of(size);
        // Vectors of short elements have to be aligned as a whole.
        if bits < 32 {
            self.record = self.record.next_multiple_of((size * elements).next_power_of_two());
        }
        let offset = self.record;
        self.record += size * elements;
        self.fields.push(Field { offset, bits, elements, what });
        offset
    }

    fn declare(&mut self, elements: usize, bits: u32) -> String {
        let name = self.name();
        let vector = if elements > 1 { format!(".v{elements}") } else { String::new() };
        writeln!(self.declarations, ".reg {vector}.{bits}b {name};").unwrap();
        name
    }

    /// Text that moves a register from or to memory at `base + offset`.
    fn transfer(
        &mut self,
        load: bool,
        name: &str,
        elements: usize,
        bits: u32,
        base: &str,
        offset: usize,
    ) -> String {
        let one = |name: &str, what: &str, offset: usize| {
            if load {
                format!("ld.global.{what} {name}, [{base} + {offset}];\n")
            } else {
                format!("st.global.{what} [{base} + {offset}], {name};\n")
            }
        };
        let size = bits as usize / 8;
        match (elements, bits) {
            (1, 128) => one(name, "relaxed.128b", offset),
            (1, _) => one(name, &format!("{bits}b"), offset),
            (2 | 4, _) | (3, 32 | 64) | (8, 32) => one(name, &format!("v{elements}.{bits}b"), offset),
            (3, _) => ["x", "y", "z"]
                .iter()
                .enumerate()
                .map(|(i, e)| one(&format!("{name}.{e}"), &format!("{bits}b"), offset + i * size))
                .collect(),
            _ => {
                assert_eq!(bits, 32, "long vectors have elements of 32 bits here");
                let t = self.declare(1, 32);
                let mut text = String::new();
                for i in 0..elements {
                    if load {
                        text += &one(&t, "32b", offset + 4 * i);
                        writeln!(text, "insert.{i}.32b {name}, {t};").unwrap();
                    } else {
                        writeln!(text, "extract.{i}.32b {t}, {name};").unwrap();
                        text += &one(&t, "32b", offset + 4 * i);
                    }
                }
                text
            }
        }
    }

    /// A register filled from the input.
    fn loaded(&mut self, elements: usize, bits: u32, what: What) -> String {
        let name = self.declare(elements, bits);
        let offset = self.field(bits, elements, what);
        let text = self.transfer(true, &name, elements, bits, "%in", offset);
        self.before += &text;
        name
    }

    /// Stores a register into the output.
    fn stored(&mut self, name: &str, elements: usize, bits: u32) {
        let size = bits as usize / 8;
        self.results = self.results.next_multiple_of(size.max(size * elements.min(4)).next_power_of_two());
        let text = self.transfer(false, name, elements, bits, "%out", self.results);
        self.results += size * elements;
        self.after += &text;
    }

    fn predicate(&mut self, what: What) -> String {
        let value = self.loaded(1, 32, what);
        let name = self.name();
        writeln!(self.declarations, ".pred {name};").unwrap();
        writeln!(self.before, "ucmp.ne.32b {name}, {value}, 0;").unwrap();
        name
    }

    fn stored_predicate(&mut self, name: &str) {
        let value = self.declare(1, 32);
        writeln!(self.after, "sel.32b {value}, 1, 0, {name};").unwrap();
        self.stored(&value, 1, 32);
    }

    /// A scalar to read or write: a register or an element of a vector.
    fn scalar(&mut self, bits: u32, what: What, store: bool) -> Operand {
        if bits <= 64 && self.random.below(6) == 0 {
            let elements = self.random.pick(&[2usize, 4]);
            let name = self.loaded(elements, bits, what);
            if store {
                self.stored(&name, elements, bits);
            }
            let element = ["x", "y", "z", "w"][self.random.below(elements)];
            return Operand { text: format!("{name}.{element}"), register: None };
        }
        let name = self.loaded(1, bits, what);
        if store {
            self.stored(&name, 1, bits);
        }
        Operand { text: name.clone(), register: Some((name, 1, bits)) }
    }

    /// The kernel: `instruction` in the lanes of a random mask.
    fn finish(self, shared: &str, instruction: &str) -> Case {
        let Builder { random, declarations, before, after, fields, record, results, .. } = self;
        let (record, output) = (record.next_multiple_of(16), results.next_multiple_of(16));
        let mut input = vec![0; record * ITEMS];
        for item in 0..ITEMS {
            for field in &fields {
                let size = field.bits as usize / 8;
                for element in 0..field.elements {
                    let value = match field.what {
                        What::Anything => values::element(random, field.bits),
                        What::Choice => u128::from(random.below(4) != 0),
                        What::Below(n) => random.below(n) as u128,
                        What::Offset { align, atomic } => offset(random, align, atomic),
                    };
                    let at = item * record + field.offset + element * size;
                    input[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
        }
        let text = format!(
            "{shared}.kernel @k(.param[8] %i, .param[8] %o, .param[24] %x) {{
            .reg .64b %in, %out, %id; .reg .32b %mask; .pred %skip;
            {declarations}
            ld.param.64b %in, [%i];
            ld.param.64b %out, [%o];
            mov.32b %mask, %localid.x;
            umad.32b %mask, %groupid.x, %localsize.x, %mask;
            zext.64b.32b %id, %mask;
            umad.64b %in, %id, {record}, %in;
            umad.64b %out, %id, {output}, %out;
            {before}
            goto.cond %skip, SKIP;
            {instruction};
            SKIP:
            {after}
            return;
            }}"
        );
        Case { text, input, output: output * ITEMS }
    }

    /// Decides which lanes run the instruction.
    fn mask(&mut self) {
        let offset = self.field(32, 1, What::Choice);
        writeln!(self.before, "ld.global.32b %mask, [%in + {offset}];\nucmp.eq.32b %skip, %mask, 0;")
            .unwrap();
    }
}

fn offset(random: &mut Random, align: usize, atomic: bool) -> u128 {
    match random.below(10) {
        0 => u128::from((random.next() as i32 as i64 as u64) & !(if atomic { 15 } else { 0 })),
        1 if !atomic => random.below(260) as u128,
        // Few places, so that lanes meet.
        2..=5 => (random.below(4) * align) as u128,
        _ => (random.below(260 / align) * align) as u128,
    }
}

fn bits_of(form: &Form, values: &SlotValues, width: Width) -> u32 {
    let slot = |name| form.value(values, name).and_then(Qualifier::bits).map_or(32, u32::from);
    match width {
        Width::None => 32,
        Width::Bits(bits) => u32::from(bits),
        Width::Slot(name) => slot(name),
        Width::TwiceSlot(name) => 2 * slot(name),
        Width::AddressOf(name) => {
            form.value(values, name).and_then(Qualifier::address_bits).map_or(64, u32::from)
        }
    }
}

/// Elements and bits of a packed operand.
fn packed(form: &Form, values: &SlotValues, width: Width) -> (usize, u32) {
    let (Width::Slot(name) | Width::TwiceSlot(name)) = width else { return (2, 16) };
    let shape = form.value(values, name).and_then(Qualifier::packed);
    shape.map_or((2, 16), |(elements, bits)| (usize::from(elements), u32::from(bits)))
}

/// Whether [`of`] makes a kernel for the form.
pub fn is_covered(form: &Form) -> bool {
    let other = |operand: &OperandDef| {
        use OperandKind::*;
        matches!(operand.kind, Label | CallTarget | Arguments | ReturnValue | ResultOrVoid | FunctionName)
    };
    !form.operands.iter().any(other)
}

const COUNTS: [usize; 10] = [2, 3, 4, 5, 6, 7, 8, 16, 32, 64];

/// A kernel for an instruction; `None` where no registers fit its index.
pub fn of(form: &Form, values: &SlotValues, random: &mut Random) -> Option<Case> {
    let index =
        values.iter().find_map(|v| if let Value::Number(n) = v { Some(usize::from(*n)) } else { None });
    let count = form.value(values, SlotName::Vec).and_then(Qualifier::elements).map(usize::from);
    let mut b = Builder::new(random);
    b.mask();
    let mut operands: Vec<String> = Vec::new();
    let mut destination: Option<(String, usize, u32)> = None;
    let (mut declared, mut after_address) = (String::new(), String::new());
    let space = form.value(values, SlotName::Addrspace);
    let is_dynamic = form.operands.iter().any(|o| o.name == "index");
    for operand in form.operands {
        if operand.optional && !wants(form, values, operand.name) {
            continue;
        }
        let bits = bits_of(form, values, operand.width);
        let writes = operand.access != Access::Read;
        // Now and then a source is the destination itself (T-08).
        let same = |b: &mut Builder<'_>, elements: usize, bits: u32| match &destination {
            Some((name, e, w)) if !writes && (*e, *w) == (elements, bits) && b.random.below(5) == 0 => {
                Some(name.clone())
            }
            _ => None,
        };
        let text = match operand.kind {
            OperandKind::Register
            | OperandKind::RegisterOrImmediate
            | OperandKind::RegisterOrMemoryVariable => {
                let float = match operand.interpretation {
                    Interpretation::Float(slot) => form.value(values, slot),
                    _ => None,
                };
                let may_be_immediate = operand.kind == OperandKind::RegisterOrImmediate;
                if !writes && may_be_immediate && b.random.below(5) == 0 {
                    values::immediate(b.random, bits, float)
                } else if !writes && bits == 32 && float.is_none() && b.random.below(8) == 0 {
                    b.random.pick(&["%laneid", "%activemask", "%localid.x", "%subgroupsize"]).to_owned()
                } else if let Some(name) = same(&mut b, 1, bits) {
                    name
                } else {
                    let what = match operand.name {
                        "index" => What::Below(count.unwrap_or(2) + 1),
                        _ => What::Anything,
                    };
                    let made = b.scalar(bits, what, writes);
                    if writes && destination.is_none() {
                        destination = made.register;
                    }
                    made.text
                }
            }
            OperandKind::Predicate | OperandKind::PredicateOrNegation => {
                let name = b.predicate(What::Below(2));
                if writes {
                    b.stored_predicate(&name);
                }
                let negated = operand.kind == OperandKind::PredicateOrNegation && b.random.below(2) == 0;
                if negated { format!("!{name}") } else { name }
            }
            OperandKind::Packed => {
                let (elements, bits) = packed(form, values, operand.width);
                match same(&mut b, elements, bits) {
                    Some(name) => name,
                    None => {
                        let name = b.loaded(elements, bits, What::Anything);
                        if writes {
                            b.stored(&name, elements, bits);
                            destination = Some((name.clone(), elements, bits));
                        }
                        name
                    }
                }
            }
            OperandKind::Vector => {
                // The whole vector is the one that the index goes into.
                let part = form.slot(SlotName::Index).is_some()
                    && count.is_some()
                    && ((form.opcode == pisa_isa::Opcode::Extract) == (operand.name == "dst"));
                let elements = if part || is_dynamic {
                    count?
                } else {
                    let least = index.unwrap_or(0) + count.unwrap_or(1);
                    if index.unwrap_or(0) % count.unwrap_or(1) != 0 {
                        return None;
                    }
                    *COUNTS.iter().find(|&&c| c >= least)?
                };
                match same(&mut b, elements, 32) {
                    Some(name) => name,
                    None => {
                        let name = b.loaded(elements, 32, What::Anything);
                        if writes {
                            b.stored(&name, elements, 32);
                            destination = Some((name.clone(), elements, 32));
                        }
                        name
                    }
                }
            }
            OperandKind::Swizzle => {
                let shapes: Vec<(u32, &[&str])> = [
                    (bits, &[".x", ".y", ".z", ".w"][..]),
                    (bits / 2, &[".xy", ".zw"][..]),
                    (bits / 4, &[".xyzw"][..]),
                ]
                .into_iter()
                .filter(|(element, _)| (8..=64).contains(element))
                .collect();
                let (element, swizzles) = b.random.pick(&shapes);
                let name = match same(&mut b, 4, element) {
                    Some(name) => name,
                    None => b.loaded(4, element, What::Anything),
                };
                if writes {
                    b.stored(&name, 4, element);
                    destination = Some((name.clone(), 4, element));
                }
                format!("{name}{}", b.random.pick(swizzles))
            }
            OperandKind::Memory => {
                let elements = count.unwrap_or(1);
                let name = b.loaded(elements, bits, What::Anything);
                if writes {
                    b.stored(&name, elements, bits);
                }
                name
            }
            OperandKind::Address => {
                let bytes = bits_of(form, values, Width::Slot(SlotName::Type)) / 8;
                let atomic = !matches!(form.value(values, SlotName::Memorder), None | Some(Qualifier::Weak));
                let align = if bytes < 4 { bytes as usize * count.unwrap_or(1) } else { bytes as usize };
                let what = What::Offset { align, atomic };
                b.address(
                    space.unwrap_or(Qualifier::Generic),
                    what,
                    atomic,
                    &mut declared,
                    &mut after_address,
                )
            }
            OperandKind::ParameterAddress => match b.random.below(3) {
                0 => {
                    let register = b.loaded(1, 32, What::Below(30));
                    format!("[%x + {register}]")
                }
                // Inside: a constant offset beyond the parameter is an error (K-04).
                _ => {
                    let size = bits as usize / 8 * count.unwrap_or(1);
                    match 24usize.checked_sub(size) {
                        Some(left) => format!("[%x + {}]", b.random.below(left + 1)),
                        None => {
                            let register = b.loaded(1, 32, What::Below(30));
                            format!("[%x + {register}]")
                        }
                    }
                }
            },
            OperandKind::MemoryVariable => {
                declared = ".global .align 4 @g[8];\n".to_owned();
                b.declarations += ".shared .align 4 @s[8];\n";
                let wide = form.value(values, SlotName::Type) == Some(Qualifier::B64);
                if wide { "@g".to_owned() } else { "@s".to_owned() }
            }
            _ => return None,
        };
        operands.push(text);
    }
    b.after.insert_str(0, &after_address);
    let instruction = format!("{} {}", form.mnemonic(values), operands.join(", "));
    Some(b.finish(&declared, &instruction))
}

/// Whether an optional operand is there for these values.
fn wants(form: &Form, values: &SlotValues, name: &str) -> bool {
    form.restrictions.iter().all(|restriction| match &restriction.rule {
        pisa_isa::Rule::OperandOnlyWhen { operand, when } if *operand == name => when.holds(form, values),
        _ => true,
    })
}

impl Builder<'_> {
    /// An address operand in a space; variables are declared, filled and emptied again.
    fn address(
        &mut self,
        space: Qualifier,
        what: What,
        atomic: bool,
        declared: &mut String,
        after: &mut String,
    ) -> String {
        let contents: Vec<String> =
            (0..64).map(|_| format!(".32b 0x{:x}", self.random.next() as u32)).collect();
        let contents = contents.join(", ");
        writeln!(declared, ".global .align 16 @g[256] = {{{contents}}};").unwrap();
        writeln!(declared, ".const .align 16 @c[256] = {{{contents}}};").unwrap();
        writeln!(self.declarations, ".shared .align 16 @s[256];").unwrap();
        writeln!(self.declarations, ".private .align 16 @p[256];").unwrap();
        let has = |s: Qualifier| space == s || space == Qualifier::Generic;
        if has(Qualifier::Shared) {
            // Each work-item of the first sub-group fills and empties eight bytes.
            let value = self.loaded(1, 64, What::Anything);
            let at = self.declare(1, 32);
            writeln!(self.before, "and.32b {at}, %localid.x, 31;\nshl.32b {at}, {at}, 3;").unwrap();
            writeln!(self.before, "st.shared.64b [@s + {at}], {value};").unwrap();
            writeln!(after, "ld.shared.64b {value}, [@s + {at}];").unwrap();
            self.stored(&value, 1, 64);
        }
        if has(Qualifier::Private) {
            for i in 0..8 {
                let value = self.loaded(8, 32, What::Anything);
                writeln!(self.before, "st.private.v8.32b [@p + {}], {value};", 32 * i).unwrap();
                writeln!(after, "ld.private.v8.32b {value}, [@p + {}];", 32 * i).unwrap();
                self.stored(&value, 8, 32);
            }
        }
        let offset = self.loaded(1, 32, what);
        let (variable, bits) = match space {
            Qualifier::Shared => ("@s", 32),
            Qualifier::Private => ("@p", 32),
            Qualifier::Const => ("@c", 64),
            Qualifier::Generic => return self.generic(&offset, atomic),
            _ => ("@g", 64),
        };
        let offset = if bits == 64 {
            let wide = self.declare(1, 64);
            writeln!(self.before, "sext.64b.32b {wide}, {offset};").unwrap();
            wide
        } else {
            offset
        };
        let base = self.declare(1, bits);
        writeln!(self.before, "addrof.{bits}b {base}, {variable};").unwrap();
        match self.random.below(4) {
            0 => format!("[{variable} + {offset}]"),
            1 => format!("[{base} + {offset}]"),
            2 => {
                writeln!(self.before, "iadd.{bits}b {base}, {base}, {offset};").unwrap();
                format!("[{base}]")
            }
            _ => {
                let immediate = self.random.below(200) as i64 - 100;
                writeln!(self.before, "iadd.{bits}b {base}, {base}, {offset};").unwrap();
                writeln!(self.before, "isub.{bits}b {base}, {base}, {immediate};").unwrap();
                if immediate < 0 {
                    format!("[{base} - {}]", -immediate)
                } else {
                    format!("[{base} + {immediate}]")
                }
            }
        }
    }

    /// A generic address: global, shared or, where the access is not atomic, private memory by lane.
    fn generic(&mut self, offset: &str, atomic: bool) -> String {
        let (g, t, narrow) = (self.declare(1, 64), self.declare(1, 64), self.declare(1, 32));
        let choice = self.loaded(1, 32, What::Below(if atomic { 2 } else { 3 }));
        let p = self.name();
        writeln!(self.declarations, ".pred {p};").unwrap();
        writeln!(
            self.before,
            "addrof.64b {g}, @g; sext.64b.32b {t}, {offset}; iadd.64b {g}, {g}, {t};
            addrof.32b {narrow}, @s; iadd.32b {narrow}, {narrow}, {offset}; addrcast.generic.shared {t}, {narrow};
            ucmp.eq.32b {p}, {choice}, 1; sel.64b {g}, {t}, {g}, {p};
            addrof.32b {narrow}, @p; iadd.32b {narrow}, {narrow}, {offset}; addrcast.generic.private {t}, {narrow};
            ucmp.eq.32b {p}, {choice}, 2; sel.64b {g}, {t}, {g}, {p};"
        )
        .unwrap();
        format!("[{g}]")
    }
}
