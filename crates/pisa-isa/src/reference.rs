//! The instruction reference as plain text, made from the table alone.

use std::fmt::Write as _;

use crate::{
    Access, Chapter, Effects, Form, Interpretation, Opcode, OperandDef, OperandKind, Qualifier, Slot,
    SlotName, Values, Width, forms_of,
};

/// Lines are broken so that they stay within this many columns where they can.
const COLUMNS: usize = 96;

/// What each effect means to a reader.
const EFFECTS: [(Effects, &str); 10] = [
    (Effects::READS_MEMORY, "reads memory"),
    (Effects::WRITES_MEMORY, "writes memory"),
    (Effects::ATOMIC, "atomic"),
    (Effects::CONVERGENT, "convergent: depends on which lanes run it together"),
    (Effects::CROSS_LANE, "reads registers of other lanes"),
    (Effects::CONTROL_FLOW, "changes the flow of control"),
    (Effects::BARRIER, "waits for the other work-items of the work-group"),
    (Effects::FENCE, "orders memory accesses"),
    (Effects::READS_ACTIVE_MASK, "depends on %activemask"),
    (Effects::CAN_BE_UNDEFINED, "undefined for some operand values"),
];

/// Every opcode with its one-line summary, by chapter.
pub fn overview() -> String {
    let mut text = String::new();
    let width = Opcode::ALL.iter().map(|opcode| opcode.text().len()).max().unwrap_or(0);
    for (i, &chapter) in Chapter::ALL.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        _ = writeln!(text, "{gap}{}. {}", chapter.number(), chapter.title());
        for opcode in Opcode::ALL.iter().filter(|opcode| opcode.chapter() == chapter) {
            _ = writeln!(text, "  {:width$}  {}", opcode.text(), opcode.summary().replace('`', ""));
        }
    }
    text
}

/// The opcodes that have to do with the word, best first: those called so, those whose name holds it, those with such
/// a qualifier, those whose summary speaks of it. The case of letters and a leading dot do not matter.
pub fn search(word: &str) -> Vec<Opcode> {
    let word = word.trim().to_ascii_lowercase();
    let qualifier = word.trim_start_matches('.');
    if qualifier.is_empty() {
        return Vec::new();
    }
    let takes = |opcode: Opcode| {
        forms_of(opcode).iter().flat_map(|form| form.slots).any(|slot| {
            slot.name.text() == qualifier
                || matches!(slot.values, Values::OneOf(list)
                    if list.iter().any(|q| q.text()[1..].eq_ignore_ascii_case(qualifier)))
        })
    };
    let rank = |opcode: Opcode| {
        let name = opcode.text();
        let speaks = || {
            let titles = forms_of(opcode).iter().map(|form| form.title);
            std::iter::once(opcode.summary())
                .chain(titles)
                .any(|text| text.to_ascii_lowercase().contains(&word))
        };
        match () {
            () if name == word => Some(0),
            () if !word.starts_with('.') && name.starts_with(&word) => Some(1),
            () if !word.starts_with('.') && name.contains(&word) => Some(2),
            () if takes(opcode) => Some(3),
            () if speaks() => Some(4),
            () => None,
        }
    };
    let mut found: Vec<(u8, Opcode)> =
        Opcode::ALL.iter().filter_map(|&opcode| rank(opcode).map(|rank| (rank, opcode))).collect();
    found.sort();
    found.into_iter().map(|(_, opcode)| opcode).collect()
}

/// The reference page of an opcode: each form with its syntax, qualifiers, operands, restrictions and properties.
pub fn describe(opcode: Opcode) -> String {
    let mut text = String::new();
    _ = writeln!(text, "{}: {}", opcode.text(), opcode.summary().replace('`', ""));
    let chapter = opcode.chapter();
    _ = writeln!(text, "PISA instruction reference {}, {}", opcode.section(), chapter.title());
    for form in forms_of(opcode) {
        text.push('\n');
        if form.title != "Syntax" {
            _ = writeln!(text, "{}:", form.title);
        }
        form.describe(&mut text);
    }
    text
}

impl Form {
    /// The syntax line as the spec writes it: `iadd<.dsat>.type dst, src0, src1`.
    pub fn syntax(&self) -> String {
        let mut text = String::from(self.opcode.text());
        for slot in self.slots {
            let name = slot.name.text();
            _ = if slot.optional { write!(text, "<.{name}>") } else { write!(text, ".{name}") };
        }
        for (i, operand) in self.operands.iter().enumerate() {
            let written = operand.syntax();
            _ = match (i, operand.optional) {
                _ if operand.kind == OperandKind::Arguments => write!(text, " {written}"),
                (0, false) => write!(text, " {written}"),
                (0, true) => write!(text, " <{written}>"),
                (_, false) => write!(text, ", {written}"),
                (_, true) => write!(text, " <, {written}>"),
            };
        }
        text
    }

    fn describe(&self, text: &mut String) {
        _ = writeln!(text, "  {}", self.syntax());
        let mut rows = Vec::new();
        // A word that must stand there is in the syntax line already.
        for slot in self.slots.iter().filter(|slot| slot.optional || !slot.is_fixed()) {
            rows.push((format!(".{}", slot.name.text()), slot.describe()));
        }
        for operand in self.operands {
            rows.push((operand.name.to_owned(), operand.describe(self)));
        }
        if !rows.is_empty() {
            text.push('\n');
        }
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, description) in rows {
            wrap(text, &format!("    {name:width$}  "), &description);
        }
        if !self.restrictions.is_empty() {
            _ = writeln!(text, "\n    Restrictions:");
        }
        for restriction in self.restrictions {
            let level = if restriction.departure { " (a warning unless checks are strict)" } else { "" };
            wrap(text, "    - ", &format!("{}{level}", restriction.text));
        }
        let effects: Vec<&str> = EFFECTS
            .iter()
            .filter(|(effect, _)| self.effects.contains(*effect))
            .map(|(_, name)| *name)
            .collect();
        text.push('\n');
        if !effects.is_empty() {
            wrap(text, "    Effects: ", &effects.join("; "));
        }
        if !self.ulp.is_empty() {
            wrap(text, "    Error: ", &self.describe_error());
        }
        let (version, target) = (self.since, self.target.text());
        _ = writeln!(text, "    PISA {}.{}, target {target} or compatible", version.0, version.1);
    }

    /// `2 ULP at most (.df), 1 ULP at most (.f)`.
    fn describe_error(&self) -> String {
        let mut bounds: Vec<(f32, Vec<&str>)> = Vec::new();
        for (ty, bound) in self.ulp {
            match bounds.iter_mut().find(|(other, _)| other == bound) {
                Some((_, types)) => types.push(ty.text()),
                None => bounds.push((*bound, vec![ty.text()])),
            }
        }
        let list: Vec<String> = bounds
            .iter()
            .map(|(bound, types)| format!("at most {bound} ULP for {}", types.join(" ")))
            .collect();
        let exception = match self.ulp_exception {
            "" => String::new(),
            words => format!("; {words}"),
        };
        format!("{}{exception}", list.join(", "))
    }
}

impl Slot {
    /// Whether it has one value that is also its name, so that nothing is left to say.
    fn is_fixed(&self) -> bool {
        matches!(self.values, Values::OneOf([only]) if only.text()[1..] == *self.name.text())
    }

    fn describe(&self) -> String {
        if self.is_fixed() {
            return "may be left out".to_owned();
        }
        let mut text = self.values.texts().join(" ");
        if self.values == Values::TruthTable {
            text.push_str(": the wanted function of src0 = 0xaa, src1 = 0xcc, src2 = 0xf0");
        }
        match (self.optional, self.default) {
            (true, Some(default)) => _ = write!(text, "; without it {}", default.text()),
            (true, None) => text.push_str("; may be left out"),
            (false, _) => {}
        }
        text
    }
}

impl OperandDef {
    /// The operand as a syntax line shows it, without the marks of an optional one.
    fn syntax(&self) -> String {
        match self.kind {
            OperandKind::PredicateOrNegation => format!("<!>{}", self.name),
            OperandKind::Address | OperandKind::ParameterAddress => format!("[{}]", self.name),
            OperandKind::Swizzle => format!("{}.swizzle", self.name),
            OperandKind::Arguments => "(<arg1> <, arg2> ... <, argn>)".to_owned(),
            _ => self.name.to_owned(),
        }
    }

    fn describe(&self, form: &Form) -> String {
        let sized = |noun: &str| match self.width {
            Width::None => noun.to_owned(),
            Width::Bits(bits) => format!("{bits}-bit {noun}"),
            Width::Slot(slot) => format!("{noun} as wide as .{}", slot.text()),
            Width::TwiceSlot(slot) => format!("{noun} twice as wide as .{}", slot.text()),
            Width::AddressOf(slot) => format!("{noun} as wide as addresses of .{}", slot.text()),
        };
        let mut text = match self.kind {
            OperandKind::Register => sized("register"),
            OperandKind::RegisterOrImmediate => sized("register or immediate"),
            OperandKind::Predicate => "predicate".to_owned(),
            OperandKind::PredicateOrNegation => "predicate, or with ! its negation".to_owned(),
            OperandKind::Packed => format!("vector register {}", packed_shapes(form, self.width)),
            OperandKind::Vector => "vector register with 32-bit elements".to_owned(),
            OperandKind::Swizzle => {
                format!("vector register with .x .y .z .w .xy .zw or .xyzw, {}", sized("all of it"))
            }
            OperandKind::Memory if form.slot(SlotName::Vec).is_some() => {
                sized("register, or with .vec a vector register of that many elements, each")
            }
            OperandKind::Memory => sized("register"),
            OperandKind::Address => {
                format!(
                    "register or memory variable, + register or signed 32-bit immediate; {}",
                    sized("each")
                )
            }
            OperandKind::ParameterAddress => {
                "kernel parameter, + 32-bit register or signed 32-bit immediate".to_owned()
            }
            OperandKind::MemoryVariable => "memory variable".to_owned(),
            OperandKind::RegisterOrMemoryVariable => format!("{}, or memory variable", sized("register")),
            OperandKind::FunctionName => "function".to_owned(),
            OperandKind::Label => "label of the same function".to_owned(),
            OperandKind::ResultOrVoid => "register of the function's return type, or void".to_owned(),
            OperandKind::CallTarget => "function, or 64-bit register with the address of one".to_owned(),
            OperandKind::Arguments => "registers of the function's parameter types".to_owned(),
            OperandKind::ReturnValue => {
                "register or immediate of the function's return type; none in kernels and void functions"
                    .to_owned()
            }
        };
        match self.interpretation {
            Interpretation::Bits => {}
            Interpretation::Signed => text.push_str(", signed"),
            Interpretation::Unsigned => text.push_str(", unsigned"),
            Interpretation::Float(_) => text.push_str(", floating-point"),
        }
        match self.access {
            Access::Read => {}
            Access::Write => text.push_str("; written"),
            Access::ReadWrite => text.push_str("; keeps what is not written"),
        }
        text
    }
}

/// The register shapes of the packed types in the slot: `.v2.16b`, `.v4.8b for .8bx4`.
fn packed_shapes(form: &Form, width: Width) -> String {
    let Width::Slot(name) = width else { return String::new() };
    let types: &[Qualifier] = match form.slot(name) {
        Some((_, Slot { values: Values::OneOf(list), .. })) => list,
        _ => &[],
    };
    let shape = |ty: &Qualifier| ty.packed().map(|(elements, bits)| format!(".v{elements}.{bits}b"));
    let mut shapes: Vec<String> = Vec::new();
    for ty in types {
        let Some(shape) = shape(ty) else { continue };
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    match shapes.as_slice() {
        [one] => one.clone(),
        _ => {
            let each = types.iter().filter_map(|ty| Some(format!("{} for {}", shape(ty)?, ty.text())));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Writes `first` and the words, broken into lines that are indented as far as `first` reaches.
fn wrap(text: &mut String, first: &str, words: &str) {
    text.push_str(first);
    let indent = first.len();
    let mut column = indent;
    for (i, word) in words.split(' ').enumerate() {
        if i > 0 && column + 1 + word.len() > COLUMNS {
            _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.chars().count();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_lines() {
        let lines =
            |opcode| forms_of(opcode).iter().map(|form: &Form| form.syntax()).collect::<Vec<String>>();
        assert_eq!(lines(Opcode::Iadd)[0], "iadd<.dsat>.type dst, src0, src1");
        assert_eq!(lines(Opcode::Uaddc)[2], "uaddc.ci.co.type dst, carry-out, src0, src1, carry-in");
        assert_eq!(
            lines(Opcode::Iatom),
            ["iatom.addrspace<.memorder><.memscope><.cc>.op.type dst, [addr] <, src0> <, src1>"]
        );
        assert_eq!(
            lines(Opcode::Call)[1],
            "call.cond <!>pred, retval, target (<arg1> <, arg2> ... <, argn>)"
        );
        assert_eq!(lines(Opcode::Return)[0], "return <retval>");
        assert_eq!(lines(Opcode::Mov)[3], "mov.type dst.swizzle, src0.swizzle");
        assert_eq!(lines(Opcode::BarrierWorkgroup), ["barrier.workgroup"]);
        assert_eq!(lines(Opcode::LdParam), ["ld.param<.vec>.type dst, [vaddr]"]);
    }

    #[test]
    fn the_overview_lists_each_opcode_once_under_its_chapter() {
        let text = overview();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "1. Integer Arithmetic");
        for &opcode in Opcode::ALL {
            let with = |line: &&&str| line.split_whitespace().next() == Some(opcode.text());
            assert_eq!(lines.iter().filter(with).count(), 1, "{}", opcode.text());
        }
        assert_eq!(lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count(), 9);
    }

    #[test]
    fn pages_say_what_the_rows_say() {
        for &opcode in Opcode::ALL {
            let page = describe(opcode);
            let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(page.starts_with(&format!("{}: ", opcode.text())), "{page}");
            assert!(words.contains(&format!("reference {}, ", opcode.section())), "{page}");
            for form in forms_of(opcode) {
                assert!(page.contains(&form.syntax()), "{page}");
                assert!(form.restrictions.iter().all(|r| words.contains(r.text)), "{page}");
                assert!(form.operands.iter().all(|o| words.contains(o.name)), "{page}");
            }
        }
        let page = describe(Opcode::Fdiv);
        assert!(page.contains(".re .rd .ru .rz .rna; without it .re"), "{page}");
        assert!(
            page.contains("at most 0.5 ULP for .bf .hf, at most 2.5 ULP for .f, at most 2 ULP for .df"),
            "{page}"
        );
        assert!(describe(Opcode::Flog2).contains("2^-23"));
        assert!(describe(Opcode::Iadd).contains(".v4.8b for .8bx4, .v2.16b for .16bx2"));
    }

    #[test]
    fn searching() {
        assert_eq!(search("iadd"), [Opcode::Iadd]);
        assert_eq!(search("IADD"), [Opcode::Iadd]);
        assert_eq!(search("bfe"), [Opcode::Sbfe, Opcode::Ubfe]);
        assert_eq!(search(".absmax"), [Opcode::Fred, Opcode::Ired]);
        assert_eq!(search("nanp"), [Opcode::Fmax, Opcode::Fmin, Opcode::Fred]);
        assert_eq!(search("ld"), [Opcode::Ld, Opcode::LdParam]);
        assert_eq!(search("cosine"), [Opcode::Fcos]);
        assert!(search("reduction").contains(&Opcode::Ired));
        assert!(search("").is_empty());
        assert!(search(".").is_empty());
        assert!(search("zebra").is_empty());
    }
}
